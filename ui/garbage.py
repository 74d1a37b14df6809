"""Garbage is collected on the GUI thread only.

Python collects cycles on whichever thread allocates.  A cycle that holds Qt objects must not end on the asking or opening
thread: their destruction there takes Qt's locks while the GUI thread, which holds the interpreter, waits for the same ones.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

BEAT = 500
"""Milliseconds between two looks at how much there is to collect."""


class Garbage(QObject):
    """Takes the collector over, from now until `give_back`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.setInterval(BEAT)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        gc.disable()

    def look(self) -> int:
        """Collects the oldest generation that is due, as the interpreter would; returns it, -1: none is."""
        counts = gc.get_count()
        due = [number for number in (2, 1, 0) if counts[number] > self._thresholds[number] > 0]
        if due:
            gc.collect(due[0])
        return due[0] if due else -1

    def give_back(self) -> None:
        """Leaves collecting to the interpreter again."""
        self._timer.stop()
        gc.enable()
