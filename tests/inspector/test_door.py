"""What scripts and notebooks meet first: names, types, and how answers read."""

from __future__ import annotations

import copy
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import ddi_inspector as ddi
import inspector

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import ddi_inspector as ddi

capture = ddi.open("game.trace")
reveal_type(capture)
reveal_type(capture.ask(ddi.PixelHistory("render_target", 1, 2)))
reveal_type(capture.ask(ddi.Sql("SELECT 1")))
reveal_type(capture.ask(ddi.Verify("frame")))
reveal_type(capture.state(3))
reveal_type(ddi.BadInput)
ddi.PixelHistroy
capture.ask(ddi.Verify(3))
"""


def test_every_question_is_listed() -> None:
    for module in (inspector, ddi):
        assert set(inspector.QUESTIONS) | {"BadInput", "Cancelled", "Capture", "Subresource", "open"} <= set(dir(module))
    assert set(inspector.__all__) == set(inspector.QUESTIONS) | {
        "QUESTIONS", "BadInput", "Cancelled", "Capture", "Focus", "Progress", "Subresource", "open",
    }  # fmt: skip
    names: dict[str, object] = {}
    exec("from ddi_inspector import *", names)
    assert names["PixelHistory"] is inspector.PixelHistory


def test_type_checkers_see_the_types_of_answers(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(tmp_path / "program.py")]
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout
    revealed = [line.split('"')[1] for line in told.splitlines() if "Revealed type" in line]
    assert [name.split(".")[-1] for name in revealed[:5]] == ["Capture", "History", "Rows", "Hashes", "DeviceState"], told
    assert "Any" not in "".join(revealed)
    assert 'no attribute "PixelHistroy"' in told and 'Argument 1 to "Verify"' in told


def test_answers_read_on_one_screen(room: inspector.Capture) -> None:
    assert (
        repr(room) == f"<Capture room.ddicap: {len(room.frames)} frames, {len(room.draws)} draws, {len(room.events):,} events>"
    )
    room_alone = copy.copy(room)
    room_alone.__dict__ |= {"frames": room.frames[:1], "draws": room.draws[:1]}
    assert repr(room_alone).startswith("<Capture room.ddicap: 1 frame, 1 draw, ")
    event = int(room.draws[-1])
    for answer in (room.state(event), room.ask(inspector.Statistics("draw")), room.ask(inspector.Verify("draw")),
                   room.ask(inspector.Look(event))):  # fmt: skip
        assert len(repr(answer)) < 400 and repr(answer).startswith("<")


def test_notebooks_show_pictures_and_tables(room: inspector.Capture) -> None:
    event = int(room.draws[-1])
    shown = np.asarray(Image.open(io.BytesIO(room.ask(inspector.Look(event))._repr_png_())))
    assert (shown == room.image(event)).all()
    page = room._repr_html_()
    assert "data:image/png;base64," in page and f"<td>{len(room.events):,}" in page
    state = room.state(event)
    off = [value for value in state.values() if not value.is_default]
    assert state._repr_html_().count("<tr>") == len(off) + 1 > 50
    assert all(f"<td>{value.name}<" in state._repr_html_() for value in off)
    assert repr(state).endswith(f", {len(off)} not at their default>")
    assert room.ask(inspector.Statistics("frame"))._repr_html_().count("<tr>") == len(room.frames) + 1


def test_texts_of_a_capture_are_text_in_notebooks(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.tape, "notices", ["<script>alert(1)</script>"])
    assert "<script>" not in room._repr_html_() and "&lt;script&gt;" in room._repr_html_()
