"""The command line: any words for any command end in an exit code and a sentence, never in a traceback."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from inspector.cli.arguments import COMMANDS, whole_parser
from inspector.cli.main import MISTAKE, main
from tests.fuzz import filters, sql, what_ifs
from tests.fuzz.inputs import Harness
from tests.fuzz.inputs import main as by_hand
from tests.fuzz.opened import CAPTURES
from tests.fuzz.words import NUMBERS, TEXTS

LEFT_OUT = {"record", "integrate", "open", "python", "cache", "batch", "completion", "script", "trim"}
"""They start programs, change what is the user's, or take minutes."""
FILES = ("palettes-and-state-sets", "tests-and-blending", "tokens", "dxgi-presentation", "broken-rules")
DAMAGED = ("cut.ddicap", "empty.ddicap", "text.trace", "missing.ddicap", ".")
OUTPUTS = ("out.png", "out.csv", "out.json", "out.obj", "out.gltf", "out.dds", "out.html", "out.xyz", "out", "no/out.png")
PLACES = ("0", "12", "frame 0", "draw 1", "frame=1", "#event=20&pixel=3,4", "last", "-1", "99999999999", "40,52", "-3,9",
          "0,0,8,8", "render_target", "back_buffer", "depth", "1", "2", "3")  # fmt: skip


@cache
def _parsers() -> dict[str, argparse.ArgumentParser]:
    top = whole_parser()
    commands = next(action for action in top._actions if isinstance(action, argparse._SubParsersAction))
    return {name: found for name, found in commands.choices.items() if name not in LEFT_OUT}


def _value(action: argparse.Action, chooser: random.Random) -> str:
    if action.choices and chooser.random() < 0.9:
        return str(chooser.choice(list(action.choices)))
    if action.dest in ("output", "save", "export"):
        return chooser.choice(OUTPUTS)
    return chooser.choice([
        lambda: chooser.choice(PLACES), lambda: chooser.choice(PLACES), lambda: chooser.choice(NUMBERS),
        lambda: chooser.choice([text for text in TEXTS if ".." not in text]), lambda: chooser.choice(filters.WORDS),
        lambda: "SELECT " + chooser.choice(sql.EXPRESSIONS) + " FROM events LIMIT 9", lambda: what_ifs.some_edit(chooser),
        lambda: f"{chooser.choice(FILES)}.ddicap",
    ])()  # fmt: skip


def _words(chooser: random.Random) -> list[str]:
    name = chooser.choice(list(_parsers()))
    words = [name]
    for action in _parsers()[name]._actions:
        if action.dest in ("file", "files"):
            words += [chooser.choice(DAMAGED) if chooser.random() < 0.1 else f"{chooser.choice(FILES)}.ddicap"]
        elif not action.option_strings:
            several = chooser.choice([1, 1, 2]) if action.nargs in ("*", "+") else 1
            words += [_value(action, chooser) for _ in range(several) if action.nargs != "?" or chooser.random() < 0.5]
        elif action.dest not in ("help", "log") and (action.required or chooser.random() < 0.25):
            words.append(chooser.choice(action.option_strings))
            count = action.nargs if isinstance(action.nargs, int) else 0 if action.nargs == 0 else 1
            words += [_value(action, chooser) for _ in range(count)]
    if chooser.random() < 0.1:
        words.insert(chooser.randrange(len(words)), chooser.choice(["--nonsense", "--", "", *COMMANDS]))
    return words


def make(chooser: random.Random) -> bytes:
    words = _words(chooser)
    while not words[0] or words[0] in LEFT_OUT:
        words = _words(chooser)
    return json.dumps(words).encode()


def run(data: bytes, folder: Path) -> None:
    words = json.loads(data)
    with TemporaryDirectory(dir=folder) as own, contextlib.chdir(own):
        for name in FILES:
            shutil.copyfile(CAPTURES[name], f"{name}.ddicap")
        Path("cut.ddicap").write_bytes(CAPTURES["tokens"].read_bytes()[:20_000])
        Path("empty.ddicap").touch()
        Path("text.trace").write_text("no trace", encoding="utf-8")
        out, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = main(words)
        assert code != MISTAKE, f"{words}: {errors.getvalue()}"
        assert code in (0, 1) or errors.getvalue().strip(), f"{words}: exit code {code} without a sentence"


HARNESS = Harness("commands", make, run, 12, seconds=60.0)

if __name__ == "__main__":
    by_hand(HARNESS)
