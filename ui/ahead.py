"""Idle work, done while no question is running: spare memory is released, and keyframes are made along the capture."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from inspector.timeline.spare import give_back
from inspector.view import CaptureView
from ui.ask import Progress
from ui.panels.panel import Desk
from ui.type_room import make_room
from ui.widgets.controls import single_shot
from ui.widgets.plot import load_plots

CALM = 600
"""Milliseconds without a question after which one goes on."""
A_FEW = 4
"""Keyframes after which spare memory is released again."""


class Ahead(QObject):
    """Has the capture on the desk make its keyframes, one by one; `progressed(fraction)`, 1.0 when done."""

    progressed = Signal(float)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._fraction = 0.0
        self._loaded = False  # what plots need
        self._tidy = False  # nothing was asked since spare memory was given back, and few keyframes were made
        self._made = 0
        self._later = single_shot(self, CALM, self._go_on)
        desk.capture_changed.connect(self._begin)
        desk.grown.connect(self._begin)
        desk.ask.busy_changed.connect(self._busy_changed)

    @property
    def done(self) -> bool:
        capture = self._desk.capture
        return capture is None or not capture.complete or self._fraction >= 1

    def _begin(self) -> None:
        self._fraction = 0.0
        self.progressed.emit(1.0 if self.done else 0.0)

    def _busy_changed(self, busy: bool) -> None:
        self._tidy &= not busy
        if busy:
            self._later.stop()
        else:
            self._later.start()

    def _go_on(self) -> None:
        capture, ask = self._desk.capture, self._desk.ask
        if capture is None or ask.busy:
            return
        if not self._loaded:
            self._loaded = True
            make_room()
            ask.when_idle("plots", lambda progress: load_plots(), lambda _: self._go_on())
        elif not self._tidy:
            self._tidy = True
            ask.when_idle("spare memory", lambda progress: give_back(), lambda _: self._go_on())
        elif not self.done:
            ask.when_idle("ahead", lambda progress: _prepare(capture, progress), self._done)

    def _done(self, fraction: float) -> None:
        self._fraction = fraction
        self._made += 1
        self._tidy &= fraction < 1 and self._made % A_FEW != 0
        self.progressed.emit(fraction)
        self._go_on()


def _prepare(capture: CaptureView, progress: Progress) -> float:
    """Makes one more keyframe.  Runs on the asking thread."""
    made: float = capture.prepare(progress.stop.is_set)
    return made
