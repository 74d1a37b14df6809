"""Garbage collection: on the GUI thread only, a little at a time.

Python collects cycles on whichever thread allocates.  A cycle that holds Qt objects must not end on the asking or opening
thread: their destruction there takes Qt's locks while the GUI thread, which holds the interpreter, waits for the same ones.

A collection takes as long as there are objects to look at.  Most of them are the program itself (150,000 of 185,000, with all
panels made): once it is loaded they are set aside for good (`gc.freeze`).  What a capture brings is not, so that collecting it
when it is closed looks at nothing else, unless looking at all of that takes long.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

from ui.widgets.controls import single_shot

BEAT = 100
"""Milliseconds between two looks at how much there is to collect."""
LONG = 0.03
"""Seconds of CPU that looking at all objects may take until those that stay are set aside."""
CALM = 1000
"""Milliseconds from the closing of a capture until it is collected; from its last part until what read it is."""


class Garbage(QObject):
    """Takes the collector over, from now until `give_back`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.setInterval(BEAT)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self._later = single_shot(self, CALM, self.collect_all)
        self._soon = single_shot(self, CALM, gc.collect)
        self._aside = False
        """What may end with a capture was set aside, too."""
        gc.disable()

    def look(self) -> int:
        """Collects the oldest generation that is due, as the interpreter would; returns it, -1: none is."""
        began = time.thread_time()
        due = collect_due(self._thresholds)
        if due == 2 and time.thread_time() - began > LONG:
            gc.freeze()
            self._aside = True
        return due

    def program_loaded(self) -> None:
        """What there is now stays as long as the program: nothing of it is looked at again."""
        gc.freeze()
        self._aside = False

    def capture_grown(self, complete: bool) -> None:
        """The importer of a capture, and what it imported into, refer to each other: megabytes that nobody needs afterwards."""
        if complete:
            self._soon.start()

    def capture_closed(self) -> None:
        """What it held in circles is garbage from now on."""
        self._later.start()

    def collect_all(self) -> None:
        """Looks at everything that can have ended."""
        if self._aside:
            gc.unfreeze()
        gc.collect()
        if self._aside:
            gc.freeze()
            self._aside = False

    def give_back(self) -> None:
        """Leaves collecting to the interpreter again."""
        self._timer.stop()
        self._later.stop()
        self._soon.stop()
        gc.unfreeze()
        gc.enable()


def collect_due(thresholds: tuple[int, ...]) -> int:
    """Collects the oldest generation that is due, though collecting is switched off; returns it, -1: none is."""
    counts = gc.get_count()
    due = next((number for number in (2, 1, 0) if counts[number] > thresholds[number] > 0), -1)
    if due >= 0:
        gc.collect(due)
    return due
