"""Garbage collection: on the GUI thread only, a little at a time.

Python collects cycles on whichever thread allocates.  A cycle that holds Qt objects must not end on the asking or opening
thread: their destruction there takes Qt's locks while the GUI thread, which holds the interpreter, waits for the same ones.

A collection takes as long as there are objects to look at: the young ones are looked at often, so that there are few, and
the old ones are set aside (`gc.freeze`), until a capture is closed: what a capture and the program itself need when the capture
is there, and all once looking at them takes long.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

from ui.widgets.controls import single_shot

BEAT = 100
"""Milliseconds between two looks at how much there is to collect."""
LONG = 0.015
"""Seconds that looking at all objects may take until those that stay are set aside."""
CALM = 1000
"""Milliseconds from the closing of a capture until what was set aside of it is collected; from its last part until what read
it is."""


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
        self._soon = single_shot(self, CALM, self.collect_new)
        gc.disable()

    def look(self) -> int:
        """Collects the oldest generation that is due, as the interpreter would; returns it, -1: none is."""
        counts = gc.get_count()
        due = next((number for number in (2, 1, 0) if counts[number] > self._thresholds[number] > 0), -1)
        if due >= 0:
            began = time.perf_counter()
            gc.collect(due)
            if due == 2 and time.perf_counter() - began > LONG:
                gc.freeze()
        return due

    def capture_shown(self) -> None:
        """What there is now is needed for long: nothing of it is looked at."""
        gc.freeze()

    def capture_grown(self, complete: bool) -> None:
        """The importer of a capture, and what it imported into, refer to each other: megabytes that nobody needs afterwards."""
        if complete:
            self._soon.start()

    def collect_new(self) -> None:
        """Looks at what was not set aside yet."""
        gc.collect()
        gc.freeze()

    def capture_closed(self) -> None:
        """What was set aside may be garbage from now on."""
        self._later.start()

    def collect_all(self) -> None:
        """Looks at everything, what was set aside too, and sets aside what stays."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def give_back(self) -> None:
        """Leaves collecting to the interpreter again."""
        self._timer.stop()
        self._later.stop()
        self._soon.stop()
        gc.unfreeze()
        gc.enable()
