"""The findings of the capture on the desk: those that are known, and a check of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector import Findings
from inspector.query.events.findings import known

if TYPE_CHECKING:
    from ui.panels.panel import Desk

CHECK = "findings.everything"
"""Who checks everything, aside."""
KNOWN = "findings that are known"
"""Who asks for them: not by the name of the panel, which cancels what it asked of the capture before."""


class Checking(QObject):
    """Keeps `desk.found`, whether findings are listed or not: tabs, events and the timeline show them, too."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._short = 0
        desk.capture_changed.connect(self._look)
        desk.grown.connect(self._look)
        desk.ask.busy_changed.connect(self._look_again)

    def _look(self) -> None:
        capture = self._desk.capture
        if capture is not None and capture.complete:
            self._short = len(capture.shortages)
            self._desk.ask(KNOWN, lambda _: known(capture), self._desk.find)

    def _look_again(self, busy: bool) -> None:
        """After answers: the computer may have run out of memory while it drew for them."""
        capture = self._desk.capture
        if not busy and capture is not None and len(capture.shortages) != self._short:
            self._look()

    def check_everything(self) -> None:
        """Also looks for what only drawing shows."""
        desk, capture = self._desk, self._desk.capture
        if capture is not None and not desk.ask.is_aside(CHECK):
            desk.ask.aside(CHECK, lambda: capture.in_pieces(Findings()), desk.find, lambda e: desk.noted.emit(str(e)))

    def stop(self) -> None:
        self._desk.ask.cancel(CHECK)
