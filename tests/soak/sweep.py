"""Every command and every question on every capture of some folders, at three places each; by hand, it takes an hour.

    python -m tests.soak.sweep /work/captures [--only trim script] [--no-questions] [-o results.jsonl] [--sample 0.2 --seed 1]

The places are the first draw, the event in the middle and the last.  Each capture is swept in a process of its own; with
--sample only that part of it is done, others for each capture and seed.  Printed
are what is wrong (a traceback, a wrong exit code, an empty answer, more than SECONDS, a copy that draws something else), then
the refusals, each with how often it was met and where first: whether they are right is for you to judge.  Exits with 1 if
anything is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

import inspector
from core.errors import BadInput
from core.folders import user_folder
from inspector.cli import main as command_line
from inspector.cli.arguments import COMMANDS, module, whole_parser
from tests.soak.questions import questions

SECONDS = 60.0
NOT_RUN = ("open", "record", "cache", "integrate", "completion", "header", "python", "batch")
"""Commands that are not about one capture, or start programs."""
MAY_DIFFER = ("compare", "assert", "bisect", "leaks", "caps", "check")
"""Commands whose exit code 1 is an answer."""
SUFFIXES = (".trace", ".ddicap", ".ddirec")
COPIES = (
    "convert game.trace game.ddicap", "convert game.trace game.ddirec", "verify game.trace --per frame -o hashes.json",
    "verify game.ddicap --against hashes.json", "verify game.ddirec --against hashes.json", "compare game.trace game.ddicap",
    "info game.ddicap", "info game.ddirec", "info some.ddicap", "info bug.zip",
    "history game.trace --frame 2 --pixel 320,240 --json",
)  # fmt: skip
"""Besides the examples, in this order after them: copies hold what their originals do."""
SAME = ("compare game.trace game.ddicap",)
"""Of MAY_DIFFER, what may not."""


@dataclass(frozen=True)
class Place:
    """Where commands and questions look: an event, the nearest draw at or before it (else the first), its frame, a pixel that
    the draw covers; a buffer and an object that are there."""

    name: str
    event: int
    draw: int
    frame: int
    last_frame: int
    pixel: tuple[int, int]
    buffer: int
    thing: int


def places(capture: inspector.Capture) -> list[Place]:
    """Three, or fewer if they are the same."""
    count, draws = len(capture.events), capture.draws
    if not count:
        return []
    events = {"first draw": int(draws[0]) if len(draws) else count // 4, "middle": count // 2, "last event": count - 1}
    return [_place(capture, name, event) for name, event in events.items()]


def _place(capture: inspector.Capture, name: str, event: int) -> Place:
    draws = capture.draws
    before = draws[draws <= event]
    draw = int(before[-1]) if len(before) else int(draws[0]) if len(draws) else event
    return Place(
        name, event, draw, capture.frame_of(event), len(capture.frames) - 1, _covered(capture, draw),
        capture.state(draw)["STREAM", 0, "handle"].value, next((info.handle for info in capture.surfaces(event)), 1),
    )  # fmt: skip


def _covered(capture: inspector.Capture, draw: int) -> tuple[int, int]:
    """A pixel that a draw covers."""
    with contextlib.suppress(BadInput):
        rows, columns = np.nonzero(capture.ask(inspector.PixelsOf(draw)).fragments)
        if len(rows):
            return int(columns[len(columns) // 2]), int(rows[len(rows) // 2])
    return 0, 0


class Sampled:
    """Which results are wanted: a part of them, the same ones for a file and a seed."""

    def __init__(self, part: float = 1.0, seed: int = 0, name: str = "") -> None:
        self.part = part
        self._chance = random.Random(f"{seed} {name}")

    def __call__(self) -> bool:
        return self._chance.random() < self.part


ALL = Sampled()


# ---- commands ------------------------------------------------------------------------------------------------------------


@cache
def examples() -> list[str]:
    """Of all commands about a capture; then what looks at the files that they wrote."""
    found = [one for name in COMMANDS if name not in NOT_RUN for one in module(name).EXAMPLES if " game.ddirec --" not in one]
    assert all(_parser().parse_args(shlex.split(one)) for one in found)
    return [one for one in found if one.split()[0] not in ("convert", "verify")] + list(COPIES)


def words_of(example: str, place: Place, file: str, copy: str) -> list[str]:
    """An example at a place of a file; `copy` is another one of the same, which commands may write into."""
    words = shlex.split(example)
    x, y = place.pixel
    events = words[0] not in ("textures", "trim", "script") or place.name != "middle"
    values = {
        "--event": place.event, "--frame": place.frame, "--drawn": place.frame, "--against": place.draw, "--pixel": f"{x},{y}",
        "--texel": f"{x},{y}", "--rect": f"{max(x - 20, 0)},{max(y - 20, 0)},{x + 20},{y + 20}",
        "--frames": f"{place.frame},{min(place.frame + 1, place.last_frame)}", "--a": f"frame {place.frame}",
        "--b": f"frame {min(place.frame + 1, place.last_frame)}",
    }  # fmt: skip
    for at, word in enumerate(words[:-1]):
        if word in values and not words[at + 1].endswith(".json"):
            words[at + 1] = str(values[word]) + (words[at + 1][words[at + 1].index("=") :] if "=" in words[at + 1] else "")
        if word == "--frame" and events and _takes(words[0], "--event"):
            words[at] = "--event"
            words[at + 1] = str(place.event)
    if words[0] in ("buffer", "object") and words[2].isdigit():
        words[2] = str(place.buffer or 1) if words[0] == "buffer" else str(place.thing)
    named = {"game.trace": copy if words[0] == "notes" else file, "other.trace": file}
    return [named.get(word, word) for word in words]


def _takes(command: str, option: str) -> bool:
    commands = next(one for one in _parser()._actions if isinstance(one, argparse._SubParsersAction))
    return option in commands.choices[command]._option_string_actions


_parser = cache(whole_parser)


@dataclass
class Result:
    """Of a command or a question at a place: exit code (2: refused, 70: a traceback), seconds, what was said and given."""

    what: str
    place: str
    code: int
    seconds: float
    said: str = ""
    given: int = 0

    @property
    def wrong(self) -> str:
        """What is not as it should be; "" if nothing."""
        name = self.what.split()[0]
        if self.code not in (0, 1, 2) or "Traceback" in self.said:
            return f"exit code {self.code}"
        if self.code == 1 and (name not in MAY_DIFFER or self.what in SAME):
            return "differs"
        if self.seconds > SECONDS:
            return f"{self.seconds:.0f} s"
        return "empty" if self.code != 2 and not self.given else ""


def ran(words: Sequence[str], example: str, place: str) -> Result:
    """Runs a command in the present folder."""
    before = _written()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    began = time.perf_counter()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command_line(list(words))
    seconds = time.perf_counter() - began
    printed, said = (stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))  # type: ignore[attr-defined]
    return Result(example, place, code, seconds, said.strip() or (printed[-300:] if code else ""),
                  len(printed.strip()) + len(said.strip()) + (_written() != before))  # fmt: skip


def _written() -> dict[Path, tuple[int, int]]:
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in Path().rglob("*") if path.is_file()}


def run_commands(file: Path, at: Sequence[Place], only: Sequence[str], wanted: Sampled = ALL) -> Iterator[Result]:
    """Every example at every place: once, if it names none.  Those of COPIES go together."""
    here = Path.cwd()
    done = set()
    for place in at:
        folder = here / place.name.replace(" ", "-")
        folder.mkdir()
        os.chdir(folder)
        with inspector.open(file) as capture:
            _pictures(capture, place)
            _copy(capture.path, folder / "notes.ddicap")
        copies = wanted()
        for example in examples():
            if not (copies if example in COPIES else wanted()):
                continue
            words = words_of(example, place, str(file), "notes.ddicap")
            if (only and words[0] not in only) or (tuple(words) in done and example not in COPIES and words[0] != "notes"):
                continue
            done.add(tuple(words))
            for word in words[1:]:
                if "/" in word and not Path(word).is_absolute():
                    Path(word).parent.mkdir(parents=True, exist_ok=True)
            yield ran(words, example, place.name)
        os.chdir(here)


def _copy(path: Path, to: Path) -> None:
    command_line(["convert", str(path), str(to)])


def _pictures(capture: inspector.Capture, place: Place) -> None:
    """The images that examples compare with: of the place."""
    image = np.zeros((8, 8, 4), np.uint8)
    with contextlib.suppress(BadInput):
        image = capture.image(place.event)
    for name in ("frame20.png", "right.png"):
        Image.fromarray(image).save(name)


# ---- questions -----------------------------------------------------------------------------------------------------------


def ask_questions(capture: inspector.Capture, at: Sequence[Place], wanted: Sampled = ALL) -> Iterator[Result]:
    """Every question at every place; code 0, 2 or 70 as commands give it."""
    for place in at:
        for name, ask in questions(capture, place.draw, place.event, "render_target"):
            if not wanted():
                continue
            began, code, said, given = time.perf_counter(), 0, "", 1
            try:
                ask()
            except BadInput as error:
                code, said = 2, str(error)
            except Exception as error:
                code, said = 70, f"{type(error).__name__}: {error}"
            yield Result(f"? {name}", place.name, code, time.perf_counter() - began, said, given)


# ---- captures ------------------------------------------------------------------------------------------------------------


def child(file: Path, only: Sequence[str], asked: bool, wanted: Sampled) -> None:
    """Sweeps one capture; prints each result as a line of JSON."""
    with inspector.open(file) as capture:
        at = places(capture)
        if asked:
            for result in ask_questions(capture, at, wanted):
                print(json.dumps(asdict(result)), flush=True)
    for result in run_commands(file, at, only, wanted):
        print(json.dumps(asdict(result)), flush=True)


def sweep(file: Path, only: Sequence[str] = (), asked: bool = True, part: float = 1.0, seed: int = 0) -> list[Result]:
    """The results of one capture, from a process that has its own cache and folder."""
    with tempfile.TemporaryDirectory() as folder:
        here, cache = Path(folder, "here"), Path(folder, "cache")
        here.mkdir()
        cache.mkdir(mode=0o700)
        (cache / "kernels").symlink_to(user_folder("kernels"))  # or each process would compile
        environment = {**os.environ, "DDI_INSPECTOR_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).parents[2])}
        words = [sys.executable, "-m", "tests.soak.sweep", "--child", str(file.resolve()), *(["--no-questions"] * (not asked))]
        words += ["--sample", str(part), "--seed", str(seed)]
        done = subprocess.run([*words, "--only", *only] if only else words, cwd=here, env=environment, check=False,
                              capture_output=True, text=True)  # fmt: skip
    found = [Result(**json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode:
        found.append(Result("the sweep", "", done.returncode, 0.0, done.stderr[-2000:]))
    return found


def plain(text: str, file: Path) -> str:
    """A sentence without what differs from capture to capture."""
    return re.sub(r"0x[0-9A-Fa-f]+|\d+", "N", text.replace(str(file.resolve()), "FILE").replace("ddi-inspector: ", ""))[:200]


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.sweep", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="captures, or folders of them")
    parser.add_argument("--only", nargs="+", default=[], metavar="COMMAND")
    parser.add_argument("--no-questions", action="store_true")
    parser.add_argument("-o", "--output", type=Path, help="all results, one line of JSON each")
    parser.add_argument("--sample", type=float, default=1.0, metavar="PART", help="of the results, 0..1")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if options.child:
        wanted = Sampled(options.sample, options.seed, options.files[0].name)
        child(options.files[0], options.only, not options.no_questions, wanted)
        return 0
    given = [
        [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.suffix in SUFFIXES) for path in options.files
    ]
    wrong = 0
    refusals: dict[tuple[str, str], list[str]] = {}
    for file in [one for some in given for one in some]:
        results = sweep(file, options.only, not options.no_questions, options.sample, options.seed)
        print(f"{file}: {len(results)} results, {sum(one.seconds for one in results):.0f} s", flush=True)
        for one in results:
            if one.wrong:
                wrong += 1
                print(f"  {one.wrong}: {one.what} ({one.place}): {one.said[-400:]}", flush=True)
            elif one.code == 2:
                refusals.setdefault((one.what, plain(one.said, file)), []).append(f"{file.name}, {one.place}")
            if options.output:
                with options.output.open("a") as log:
                    log.write(json.dumps({"file": file.name, **asdict(one)}) + "\n")
    print("\nrefusals")
    for (what, said), where in sorted(refusals.items()):
        print(f"{len(where):5} {what}: {said} [{where[0]}]")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
