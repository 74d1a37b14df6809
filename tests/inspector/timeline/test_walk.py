"""The walk over the tape can be watched and stopped; whoever asks next goes on from there."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import inspector
from core import cancel
from core.errors import Cancelled
from inspector.timeline import walk as walk_module
from inspector.timeline.kept import Kept
from inspector.timeline.walk import CALLS_A_PIECE, WALKING, walk
from tests.inspector.conftest import ROOM


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look counts, and nothing is kept of earlier openings."""
    monkeypatch.setattr(cancel, "SELDOM", -1.0)
    monkeypatch.setattr(Kept, "value", lambda self, name: None)
    monkeypatch.setattr(Kept, "keep", lambda self, name, value: False)


def test_it_is_watched(eager: None) -> None:
    told: list[tuple[float, str]] = []
    with inspector.open(ROOM) as capture:
        with cancel.watched(lambda fraction, text: told.append((fraction, text))):
            assert capture.state(9).rows()
        fractions = [fraction for fraction, text in told if text == WALKING]
        assert len(fractions) >= len(capture.calls) // CALLS_A_PIECE
    assert fractions == sorted(fractions) and fractions[-1] == 1.0


def test_a_stopped_walk_is_gone_on_with(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    go = walk_module._go
    monkeypatch.setattr(walk_module, "_go", lambda *given: (done.append(given[2]), go(*given)))
    with inspector.open(ROOM) as capture:
        for patience in (1, 2):
            asked = iter(range(patience))
            with pytest.raises(Cancelled), cancel.cancellable(lambda asked=asked: next(asked, None) is None):  # type: ignore[misc]
                _ = capture.walked
        assert 0 < len(done) < len(capture.calls)
        walked = capture.walked
        assert done == sorted(set(done))
        alone = walk(capture.calls, capture.events)
        for name in ("seqs", "values", "first"):
            assert np.array_equal(getattr(walked.states, name), getattr(alone.states, name))
        assert walked.findings == alone.findings and walked.refused == alone.refused


def test_who_waits_for_another_threads_walk_can_give_up(eager: None) -> None:
    begun, enough = threading.Event(), threading.Event()

    def report(fraction: float, text: str) -> None:
        begun.set()
        assert enough.wait(60)

    def walker() -> None:
        with cancel.watched(report):
            assert capture.walked

    with inspector.open(ROOM) as capture:
        thread = threading.Thread(target=walker)
        thread.start()
        assert begun.wait(60)
        with pytest.raises(Cancelled):
            capture.ask(inspector.StateAt(9), lambda: True)
        enough.set()
        thread.join()
        assert capture.ask(inspector.StateAt(9), lambda: False)


def test_a_broken_walk_is_begun_anew(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_memory(*given: object) -> None:
        raise MemoryError

    with inspector.open(ROOM) as capture:
        with monkeypatch.context() as broken:
            broken.setattr(walk_module, "_go", out_of_memory)
            with pytest.raises(MemoryError):
                assert capture.walked
        assert len(capture.walked.states)


def test_the_first_picture_does_not_wait_for_the_walk(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    go = walk_module._go
    monkeypatch.setattr(walk_module, "_go", lambda *given: (made.append(given[2]), go(*given)))
    with inspector.open(ROOM) as capture:
        first = capture.image(capture.frames[0].last_event)
        assert not made and first.any()
        last = capture.frames[-1].last_event
        assert np.array_equal(capture.image(last), _drawn_at_once(last))
        assert made


def _drawn_at_once(event: int) -> np.ndarray:
    """A picture of the built-in capture, for which every event before it was executed."""
    with inspector.open(ROOM) as capture:
        capture.replay.leave_out(lambda first, stop: np.zeros(stop, bool))
        return capture.image(event)
