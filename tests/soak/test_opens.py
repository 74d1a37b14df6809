"""What was open is gone once it is closed: captures, handles, threads."""

from __future__ import annotations

import gc
import shutil
import weakref
from pathlib import Path

import pytest

import inspector
from tests.conftest import ROOT
from tests.soak.opens import Figures, grown, living, soak
from tests.soak.questions import ask_all, questions


@pytest.fixture
def room_alone(tmp_path: Path) -> Path:
    return Path(shutil.copy(ROOT / "resources" / "room.ddicap", tmp_path))


NOT_IN_ROOM = {"PaletteOf"}
"""Questions about what the capture has none of."""


def test_every_question_is_among_those_asked(room_alone: Path) -> None:
    with inspector.open(room_alone) as capture:
        assert {name for name, _ in questions(capture)} >= set(inspector.QUESTIONS)


def test_a_closed_capture_is_gone_whatever_was_asked(room_alone: Path) -> None:
    gc.collect()
    before = {id(thing) for thing in living()}

    def newer() -> list[object]:
        gc.collect()
        return [thing for thing in living() if id(thing) not in before]

    with inspector.open(room_alone) as capture:
        answered = ask_all(capture)
        assert len(newer()) >= 2
        gone = weakref.ref(capture)
    assert answered >= set(inspector.QUESTIONS) - NOT_IN_ROOM, set(inspector.QUESTIONS) - answered
    del capture
    assert newer() == []
    assert gone() is None


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="figures of Linux")
def test_a_few_rounds_leave_no_handle_and_no_thread(room_alone: Path) -> None:
    figures = dict(soak([room_alone], 4, 1))
    assert set(figures) == {1, 2, 3, 4}
    assert [line for line in grown(figures) if not line.startswith("memory")] == []


def test_what_grows_is_reported() -> None:
    flat = {2: Figures(300.0, 6, 2, 1), 4: Figures(300.4, 6, 2, 1)}
    assert grown(flat) == []
    kept = {2: Figures(300.0, 6, 2, 1), 4: Figures(480.0, 7, 2, 3)}
    assert grown(kept) == ["memory: 90.00 MB a round", "handles: 6 to 7", "captures: 1 to 3"]


def test_one_low_figure_is_no_growth_and_a_steady_rise_is() -> None:
    memory = [606, 620, 612, 482, 639, 610, 625, 618, 613, 615]  # of a soak of 1,000 openings
    assert grown({n * 33: Figures(m, 6, 2, 1) for n, m in enumerate(memory, 1)}) == []
    rising = {n * 33: Figures(400.0 + 20 * n, 6, 2, 1) for n in range(1, 11)}
    assert grown(rising) == ["memory: 0.61 MB a round"]
