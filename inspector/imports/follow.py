"""Following a file that is still being written: decides by repeated reading whether more will come.

A recorder opens its file for everybody to read (on Windows, too), and the system reports no end of a recording.  What can be
seen is that reading gives nothing more.  Sizes are not asked by name: Windows tells that of an open file late.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

TAIL = 64  # bytes by which a file that was begun anew is recognised
RECENT = 2.0  # seconds since the last write after which a file that did not grow counts as finished
SHORTEST, LONGEST = 0.02, 0.5  # seconds between two looks


def holds(file: int, end: int, tail: bytes) -> bool:
    """Whether these bytes still stand before place `end` of a file: not if it was cut, or begun anew.  file: descriptor."""
    here = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, end - len(tail), os.SEEK_SET)
    try:
        return os.read(file, len(tail)) == tail
    finally:
        os.lseek(file, here, os.SEEK_SET)


class Following:
    """Follows one file.  `patience`: seconds without anything new after which a file that has grown is finished.

    `is_waiting`: everything there was has been read.  `has_grown`: since it was opened.
    """

    def __init__(
        self, patience: float, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self.patience = patience
        self.is_waiting = False
        self._clock, self._sleep = clock, sleep
        self.has_grown = False
        self._pause = SHORTEST
        self._since = 0.0

    def more(self) -> None:
        """Something new was read after `pause`."""
        self.has_grown |= self.is_waiting
        self.is_waiting, self._pause = False, SHORTEST

    def wait(self, file: int) -> bool:
        """At the end of what there is: whether to `pause` and look again; or nothing more will come.  file: descriptor."""
        now = self._clock()
        if not self.is_waiting:
            self.is_waiting, self._since = True, now
        if not self.has_grown and time.time() - os.fstat(file).st_mtime > RECENT:
            return False
        return now - self._since <= (self.patience if self.has_grown else RECENT)

    def pause(self) -> None:
        """Waits a moment, ever longer ones."""
        self._sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST)

    @property
    def sentence(self) -> str:
        """What is being done, for the line that shows progress: there is little room."""
        quiet = int(self._clock() - self._since) if self.is_waiting else 0
        return f"waiting for more, {quiet} s" if quiet else "waiting for more"
