"""Turns of the window's thread and the asking one.

Two threads that run Python at once slow each other: the window's lets go of the interpreter at each call into Qt, hundreds of
times while it paints, and each time wakes the asking one, which comes too late.  A click cost 700 to 1,200 such wake-ups and
half as much CPU again.  So the asking thread begins nothing while the window shows an answer and paints.  Where they run at
once all the same, as while a file is read, the window waits for each turn less long.
"""

from __future__ import annotations

import sys
import threading

from PySide6.QtCore import QObject, QTimer

MOST = 0.03
"""Seconds that the asking thread waits at most: the window may be busy for long, or not run at all."""

TURN = 0.001
"""Seconds until a thread that waits for the interpreter gets it.  Python's are 5 ms: ten of them were a block of 50."""


def take_short_turns() -> None:
    """From now on, in this process."""
    sys.setswitchinterval(TURN)


class Turns(QObject):
    """Whether the window has nothing to show or to paint, as far as asking is concerned."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._to_show = 0  # answers on their way to the window
        self._free = threading.Event()
        self._free.set()
        self._later = QTimer(self, singleShot=True, interval=0)  # Qt paints before it comes to timers
        self._later.timeout.connect(self._painted)

    def handed_over(self, answers: int) -> None:
        """On the asking thread: the window gets so many, and calls `showing` for each."""
        with self._lock:
            self._to_show += answers
            self._free.clear()

    def showing(self, answers: int = 1) -> None:
        """On the window's thread, which paints next."""
        with self._lock:
            self._to_show -= answers
            self._free.clear()
        self._later.start()

    def _painted(self) -> None:
        with self._lock:
            if not self._to_show:
                self._free.set()

    def wait(self) -> None:
        """On the asking thread: until the window has painted."""
        self._free.wait(MOST)
