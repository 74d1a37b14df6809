"""A draw or a frame as a program: it runs, and what it draws is what the capture drew."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import inspector
from core.ddi.calls import DdiCall
from core.errors import BadInput
from inspector.cli import main
from inspector.exports.program import comment, program
from inspector.player import Player
from tests.conftest import CAPTURES, ROOT
from tests.inspector.conftest import ROOM

SAMPLES = sorted((ROOM.parent / "samples").glob("*.ddicap"))
APPS = sorted((CAPTURES / "apps").glob("*.trace"))
DRAW, FRAME = 2945, 3


def written(path: Path, capture: Path, *words: object) -> str:
    assert main(["script", str(capture), *map(str, words), "-o", str(path)]) == 0
    return path.read_text("utf-8")


def run(text: str) -> Player:
    names: dict[str, Any] = {"__name__": "a program"}
    exec(compile(text, "program", "exec"), names)
    found = names["play"]()
    assert isinstance(found, Player)
    return found


@pytest.mark.parametrize(("words", "event"), [(("--event", DRAW), DRAW), (("--frame", FRAME), None)])
def test_a_program_draws_what_the_capture_drew(
    words: tuple[object, ...], event: int | None, room: inspector.Capture, tmp_path: Path
) -> None:
    event = room.frames[FRAME].last_event if event is None else event
    written(tmp_path / "draw.py", ROOM, *words)
    done = subprocess.run(
        [sys.executable, "draw.py", "out.png"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(ROOT), "DDI_INSPECTOR_CACHE": str(tmp_path / "cache"), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name}: as in the capture" for name in ("render_target", "back_buffer", "depth")]
    saved = np.asarray(Image.open(tmp_path / "out.png"))
    assert (saved[..., :3] == room.image(event)[..., :3]).all() and len(np.unique(saved)) > 10


def test_a_program_that_is_changed_draws_something_else(room: inspector.Capture, tmp_path: Path) -> None:
    text = written(tmp_path / "draw.py", ROOM, "--event", DRAW)
    line = next(line for line in text.splitlines() if "token('DRAWINDEXEDPRIMITIVE'" in line)
    assert text.count(line) == 1
    changed = run(text.replace(line, line.replace("count=1440)", "count=720)"))).capture()
    assert (changed.image(len(changed.events) - 1) != room.image(DRAW)).any()
    assert changed.primitives(len(changed.events) - 1) == 720


@pytest.mark.parametrize("path", [*SAMPLES, *APPS], ids=lambda path: path.stem)
def test_programs_of_all_captures(path: Path, tmp_path: Path) -> None:
    with inspector.open(path) as capture:
        draws = capture.draws.tolist()
        if not draws:
            pytest.skip("draws nothing")
        event = draws[len(draws) // 2]
        again = run(written(tmp_path / "draw.py", path, "--event", event)).capture()
        assert (again.image(len(again.events) - 1) == capture.image(event)).all()
        assert (again.raw(len(again.events) - 1) == capture.raw(event)).all()


def test_tokens_are_written_by_their_names(tmp_path: Path) -> None:
    text = written(tmp_path / "draw.py", ROOM, "--event", DRAW)
    assert "p.token('RENDERSTATE', state='ALPHAREF', value=" in text or "state='ZENABLE', value='TRUE'" in text
    assert text.count("p.token(") > 20 * text.count("p.bytes(")


HOSTILE = ['"""\nimport os', "x\rimport os", "x\u2028import os", "'); import os #", "\\", "\x00"]


@pytest.mark.parametrize("words", HOSTILE)
def test_texts_of_a_capture_stay_texts(words: str) -> None:
    text = program([DdiCall(words, {words: [words, (1.5, float("inf"), None)]}, {"x": words.encode()})], words, {words: words})
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert len(imports) == 3  # those of the beginning
    (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "p.call"]
    assert ast.literal_eval(call.args[0]) == words and ast.literal_eval(call.args[2]) == {"x": words.encode()}
    assert comment(words).isprintable()


def test_what_is_no_literal_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot hold a set"):
        program([DdiCall("X", {"a": {1}})], "", {})
    with pytest.raises(BadInput, match="needs a stream"):
        Player().token("RENDERSTATE", state=7, value=1)


def test_the_answer_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["script", str(ROOM), "--event", str(DRAW), "-o", str(tmp_path / "x.py"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["same"] is True and said["bytes"] == (tmp_path / "x.py").stat().st_size and said["first"] == DRAW
