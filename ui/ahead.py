"""Replaying ahead while nobody asks anything, so that later jumps find a keyframe close by."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from ui.ask import Progress
from ui.panels.panel import Desk
from ui.widgets.controls import single_shot

CALM = 600
"""Milliseconds without a question after which one goes on."""


class Ahead(QObject):
    """Goes through the frames of the capture on the desk, once; `progressed(fraction)`, 1.0 when done."""

    progressed = Signal(float)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._next = 0
        self._later = single_shot(self, CALM, self._go_on)
        desk.capture_changed.connect(self._begin)
        desk.ask.busy_changed.connect(lambda busy: self._later.stop() if busy else self._later.start())

    @property
    def done(self) -> bool:
        capture = self._desk.capture
        return capture is None or self._next >= len(capture.frames)

    def _begin(self) -> None:
        self._next = 0
        self.progressed.emit(1.0 if self.done else 0.0)

    def _go_on(self) -> None:
        capture, frame = self._desk.capture, self._next
        if not self.done and not self._desk.ask.busy:
            last = capture.frames[frame].last_event
            self._desk.ask.when_idle("ahead", lambda progress: _replay(capture, last, progress), lambda _: self._done(frame))

    def _done(self, frame: int) -> None:
        self._next = frame + 1
        self.progressed.emit(self._next / max(len(self._desk.capture.frames), 1))
        self._go_on()


def _replay(capture: Any, event: int, progress: Progress) -> None:
    """Moves the machine behind the capture to an event.  Runs on the asking thread."""
    capture.surfaces(event, progress.stop.is_set)
