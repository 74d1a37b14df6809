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
from inspector.player import Player, digests_of, standalone
from inspector.tape import Tape, TapeWriter
from tests.conftest import CAPTURES, ROOT
from tests.driver_calls import call, tokens
from tests.inspector.conftest import ROOM
from tests.own_folders import with_kernels

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


def test_a_program_knows_which_surface_was_flipped_to(tmp_path: Path) -> None:
    """Which surface is the back buffer depends on it."""
    path, side = tmp_path / "flips.ddicap", 4
    with TapeWriter(path, durable=False) as writer:
        for handle in (1, 2, 3, 4):
            writer.append(call("CreateSurface", handle=handle, width=side, height=side, format=22, label="image"))
        for handle, octet in ((2, b"a"), (3, b"b"), (4, b"c")):
            writer.append(call("Lock", handle=handle))
            writer.append(call("Unlock", {"contents": octet * side * side * 4}, handle=handle))
        writer.append(call("Flip", surface=[1, 2]))
        writer.append(call("Flip", surface=[1, 4]))
        writer.append(call("Lock", handle=3))
        writer.append(call("Unlock", {"contents": b"d" * side * side * 4}, handle=3))
        writer.append(call("Flip", surface=[1, 3]))
    with inspector.open(path) as capture:
        last = len(capture.events) - 2
        assert capture.frame_at(last).first_event == last - 1
        assert run(standalone(capture, last, last)[0]).digests()["back_buffer"] == digests_of(capture, last)["back_buffer"]


@pytest.mark.parametrize(("words", "event"), [(("--event", DRAW), DRAW), (("--frame", FRAME), None)])
def test_a_program_draws_what_the_capture_drew(
    words: tuple[object, ...], event: int | None, room: inspector.Capture, tmp_path: Path
) -> None:
    event = room.frames[FRAME].last_event if event is None else event
    written(tmp_path / "draw.py", ROOM, *words)
    done = subprocess.run(
        [sys.executable, "draw.py", "out.png"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(ROOT), "DDI_INSPECTOR_CACHE": with_kernels(tmp_path / "cache"), "PATH": ""},
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
        text = written(tmp_path / "draw.py", path, "--event", event)
        check_harmless(text)
        again = run(text).capture()
        assert (again.image(len(again.events) - 1) == capture.image(event)).all()
        assert (again.raw(len(again.events) - 1) == capture.raw(event)).all()


def test_tokens_are_written_by_their_names(tmp_path: Path) -> None:
    text = written(tmp_path / "draw.py", ROOM, "--event", DRAW)
    assert "p.token('RENDERSTATE', state='ALPHAREF', value=" in text or "state='ZENABLE', value='TRUE'" in text
    assert text.count("p.token(") > 20 * text.count("p.bytes(")


HOSTILE = [
    *('"""\nimport os', "x\rimport os", "x\u2028import os", "'); import os #", "\\", "\x00", 'x=print("executed"), y', "class"),
    *("self", "args", "\ufb01", "x}, y={"),
]
NAMES = {"p", "Player", "DATA", "EXPECTED", "__name__", "sys", "play", "unpacked", "inf", "nan"}
CALLED = {"Player", "unpacked", "sys.exit", "play", "play().finish", "p.call", "p.stream", "p.token", "p.bytes"}


def check_harmless(text: str) -> ast.Module:
    """A program holds its three imports, literals, and calls of the player: nothing that a capture has put into it."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    assert {node.id for node in nodes if isinstance(node, ast.Name)} <= NAMES
    assert {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)} <= CALLED
    assert sum(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes) == 3
    assert sum(isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)) for node in nodes) == 1
    return tree


@pytest.mark.parametrize("words", HOSTILE)
def test_texts_of_a_capture_stay_texts(words: str) -> None:
    """Of entry points, arguments, data, titles and surfaces."""
    held = {"x": words.encode(), words: b"1"}
    calls = [
        DdiCall(words, {words: [words, (1.5, float("inf"), None)]}, held),
        tokens(("RENDERSTATE", [{"state": 24, "value": 1}])),
    ]
    calls[1] = DdiCall("DrawPrimitives2", {**calls[1].args, words: words}, {**calls[1].data, **held})
    text = program(calls, words, {words: words})
    found = [node for node in ast.walk(check_harmless(text)) if isinstance(node, ast.Call)]
    (call,) = [node for node in found if ast.unparse(node.func) == "p.call"]
    assert ast.literal_eval(call.args[0]) == words and ast.literal_eval(call.args[2]) == held
    first, second = run(text).capture().calls
    assert (first.entry, first.args, second.args[words]) == (words, calls[0].args, words)
    assert {name: bytes(value) for name, value in second.data.items() if name in held} == held
    assert comment(words).isprintable()


def test_a_capture_of_hostile_texts_is_written_as_texts(tmp_path: Path) -> None:
    """From a file: names of data, arguments and surfaces."""
    path = tmp_path / "a.ddicap"
    with Tape(SAMPLES[-1]) as tape, TapeWriter(path, durable=False) as writer:
        for number, call in enumerate(tape.calls):
            words = HOSTILE[number % len(HOSTILE)]
            data = {name: bytes(value) for name, value in call.data.items()}
            writer.append(DdiCall(call.entry, {**call.args, words: words}, {**data, words: b"1"}, call.result, call.out))
    text = written(tmp_path / "draw.py", path)
    check_harmless(text)
    assert 'x=print("executed")' in text.replace("\\", "")
    run(text).capture()


def test_what_is_no_literal_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot hold a set"):
        program([DdiCall("X", {"a": {1}})], "", {})
    with pytest.raises(BadInput, match="needs a stream"):
        Player().token("RENDERSTATE", state=7, value=1)


def test_the_answer_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["script", str(ROOM), "--event", str(DRAW), "-o", str(tmp_path / "x.py"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["same"] is True and said["bytes"] == (tmp_path / "x.py").stat().st_size and said["first"] == DRAW
