"""A capture that is shown while the rest of its file is being read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from inspector import reading
from inspector.focus import Focus
from tests.inspector.growing import in_small_pieces, long_trace
from ui.panels.findings import NOT_YET
from ui.window import Window

FRAMES = 20


class Gate:
    """An opener that stands still after each part until it is let on."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.on = threading.Semaphore(0)
        self.free = False

    def __call__(self, path: Path, progress: Callable[[float, str], bool], grown: Callable[[Any], object]) -> Any:
        def part(capture: Any) -> None:
            grown(capture)
            self.parts.append(capture)
            if not self.free:
                self.on.acquire(timeout=120)

        return inspector.open(path, progress, grown=part)

    def let_go(self) -> None:
        self.free = True
        self.on.release()


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.let_go()


@pytest.fixture
def window(qtbot: Any, gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("DDI_INSPECTOR_CACHE", str(tmp_path / "cache"))
    in_small_pieces(monkeypatch)
    window = Window(gate, grows=True)
    window.remember = False
    qtbot.addWidget(window, before_close_func=lambda _: gate.let_go())  # closing waits for who reads
    window.show()
    yield window
    gate.let_go()
    window.close()


def first_part(qtbot: Any, window: Window, gate: Gate, folder: Path, focus: Focus | None = None) -> None:
    window.open(long_trace(folder, FRAMES), focus)
    qtbot.waitUntil(lambda: window.desk.capture is not None, timeout=60_000)
    qtbot.waitUntil(lambda: not window.desk.ask.busy, timeout=60_000)


def read_on(qtbot: Any, window: Window, gate: Gate) -> None:
    gate.let_go()
    qtbot.waitUntil(lambda: window.loading.path is None, timeout=60_000)
    qtbot.waitUntil(lambda: not window.desk.ask.busy, timeout=60_000)


def test_the_first_frames_can_be_looked_at(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    first_part(qtbot, window, gate, tmp_path)
    capture = window.desk.capture
    assert capture is not None and not capture.complete and window.loading.path is not None
    assert window.status.capture.text().endswith(" so far")
    qtbot.waitUntil(lambda: window.surface.picture is not None)  # while the rest of the file waits at the gate
    assert np.array_equal(window.surface.picture.argb >> 16 & 255, capture.image(window.desk.focus.focus.event)[..., 0])


def test_the_rest_comes_to_what_is_there(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    first_part(qtbot, window, gate, tmp_path)
    focus = window.desk.focus.focus
    window.desk.focus.go(event=focus.event - 1)
    read_on(qtbot, window, gate)
    capture = window.desk.capture
    assert capture is not None and capture.complete and len(capture.frames) == FRAMES
    assert window.desk.focus.focus == focus.replace(event=focus.event - 1) and window.desk.focus.can_go_back
    assert len(window.events.model.rows) >= FRAMES
    told = window.status.capture.text()
    assert told.startswith(f"{FRAMES} frames") and not told.endswith("so far")
    window.desk.focus.go(event=len(capture.events) - 1)
    assert window.desk.focus.focus.event == len(capture.events) - 1


def test_stop_keeps_what_was_read(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    first_part(qtbot, window, gate, tmp_path)
    window.status.cancelled.emit()
    read_on(qtbot, window, gate)
    capture = window.desk.capture
    assert capture is not None and capture.complete and 0 < len(capture.frames) < FRAMES
    assert reading.STOPPED in window.banner.text


def test_closing_drops_the_rest(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    first_part(qtbot, window, gate, tmp_path)
    window.close_capture()
    gate.let_go()
    qtbot.waitUntil(lambda: not window.desk.ask.busy, timeout=60_000)
    assert window.desk.capture is None and window.welcome.isVisible()


def test_another_file_takes_the_place(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    first_part(qtbot, window, gate, tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    path = long_trace(other, 3)
    window.open(path)
    read_on(qtbot, window, gate)
    capture = window.desk.capture
    assert capture is not None and capture.path == path and len(capture.frames) == 3


def test_a_place_in_the_rest_is_gone_to_when_it_is_there(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    with inspector.open(long_trace(tmp_path, FRAMES)) as whole:
        wanted = Focus(event=whole.frames[-2].last_event)
    for kept in (tmp_path / "cache" / "captures").iterdir():
        kept.unlink()
    first_part(qtbot, window, gate, tmp_path, wanted)
    assert window.desk.focus.focus.event < wanted.event
    read_on(qtbot, window, gate)
    assert window.desk.focus.focus.event == wanted.event


def test_totals_say_that_they_are_so_far(qtbot: Any, window: Window, gate: Gate, tmp_path: Path) -> None:
    first_part(qtbot, window, gate, tmp_path)
    panels = window.docks.panels
    for name in ("findings", "statistics"):
        window.docks.bring(name)
        qtbot.waitUntil(lambda: not window.desk.ask.busy, timeout=60_000)
    statistics, findings, events = panels["statistics"], panels["findings"], window.events
    assert statistics.note.text().endswith(" so far") and "so far" in events.count.text()  # type: ignore[attr-defined]
    assert findings.table.placeholder == NOT_YET  # type: ignore[attr-defined]
    read_on(qtbot, window, gate)
    window.docks.bring("statistics")
    qtbot.waitUntil(lambda: not window.desk.ask.busy, timeout=60_000)
    assert "so far" not in statistics.note.text() + events.count.text()  # type: ignore[attr-defined]
    assert findings.table.placeholder != NOT_YET  # type: ignore[attr-defined]
