"""Turns of the window's thread and the asking one.

Two threads that run Python at once slow each other: the window's lets go of the interpreter at each call into Qt, hundreds of
times while it paints, and each time wakes the asking one, which comes too late.  A click cost 700 to 1,200 such wake-ups and
half as much CPU again.  So the asking thread begins nothing while the window shows an answer and paints.  Where they run at
once all the same, as while a file is read, the window waits for each turn less long.

Each turn has its price: the panels around what has changed are looked at, and a thread is woken twice.  So a question that
takes a few milliseconds, as its asker's last one did, is answered together with the one before.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from PySide6.QtCore import QObject, QTimer

MOST = 0.03
"""Seconds that the asking thread waits at most: the window may be busy for long, or not run at all."""

BRIEF, HELD = 0.004, 0.008
"""Seconds that a question takes at most whose answer waits for no turn of its own, and that an answer is held back for such."""
TURN = 0.001
"""Seconds until a thread that waits for the interpreter gets it.  Python's are 5 ms: ten of them were a block of 50."""


def take_short_turns() -> None:
    """From now on, in this process."""
    sys.setswitchinterval(TURN)


class Asked(Protocol):
    """A question, as far as its turn is concerned."""

    asker: str
    urgent: bool
    quick: bool


class Turns(QObject):
    """Whether the window has nothing to show or to paint, as far as asking is concerned."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._to_show = 0  # answers on their way to the window
        self._took: dict[str, float] = {}  # seconds of each asker's last question
        self._held = 0.0  # seconds that an answer will have waited for others
        self._free = threading.Event()
        self._free.set()
        self._later = QTimer(self, singleShot=True, interval=0)  # Qt paints before it comes to timers
        self._later.timeout.connect(self._painted)

    def handed_over(self, answers: int) -> None:
        """On the asking thread: the window gets so many, and calls `showing` for each."""
        self._held = 0.0
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

    @contextmanager
    def timed(self, asker: str) -> Iterator[None]:
        """On the asking thread, around its question."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._took[asker] = time.perf_counter() - began

    def are_one(self, question: Asked, following: Asked | None) -> bool:
        """On the asking thread: whether both are answered in one turn."""
        if following is None or (question.quick and following.quick):
            return following is not None
        took = self._took.get(following.asker, HELD)
        if question.urgent or took > BRIEF or self._held + took > HELD:
            return False
        self._held += took
        return True
