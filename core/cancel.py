"""Giving up: how whoever waits for an answer stops work that is deep inside the device.

A question runs within `cancellable(cancel)`.  Loops that may run for long call `look` in the thread that the question was
asked in, at least ten times a second; kernels return to them often enough.  Threads that help stop because that thread
tells them to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.errors import Cancelled

SELDOM = 0.01  # seconds from one question to the next: asking may be slow


class _Asked(threading.local):
    cancel: Callable[[], bool] | None = None
    last = 0.0


_asked = _Asked()


@contextmanager
def cancellable(cancel: Callable[[], bool] | None) -> Iterator[None]:
    """Within the block, `look` in this thread raises Cancelled once `cancel` returns True; None: as outside."""
    before = _asked.cancel
    _asked.cancel = cancel or before
    try:
        yield
    finally:
        _asked.cancel = before


def look() -> None:
    """Raises Cancelled if nobody waits for this thread's work any more."""
    if _asked.cancel is None or time.perf_counter() - _asked.last < SELDOM:
        return
    _asked.last = time.perf_counter()
    if _asked.cancel():
        raise Cancelled("the work was cancelled")
