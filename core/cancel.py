"""Cancellation: how a caller stops work deep inside the device, and follows its progress.

A question runs within `cancellable(cancel)`, and within `watched(report)` if somebody looks on.  Loops that may run for long
call `look` in the thread that the question was asked in, at least ten times a second; kernels return to them often enough.
Helper threads stop when that thread asks them to.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from core.errors import Cancelled

SELDOM = 0.01  # seconds from one question to the next: asking may be slow
WAIT = 0.02  # seconds

Item = TypeVar("Item")
Report = Callable[[float, str], object]
"""report(fraction, sentence)"""


class _Asked(threading.local):
    cancel: Callable[[], bool] | None = None
    report: Report | None = None
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


def asked() -> Callable[[], bool] | None:
    """What `look` in this thread asks; None: nothing."""
    return _asked.cancel


@contextmanager
def unbroken(most: float = math.inf) -> Iterator[None]:
    """Within the block, `look` in this thread neither raises nor reports: work that others will go on with stays whole.

    After `most` seconds it raises again; then that work begins anew.
    """
    before, cancel, end = (_asked.cancel, _asked.report), _asked.cancel, time.perf_counter() + most
    _asked.cancel = (lambda: time.perf_counter() > end and cancel()) if cancel is not None and end < math.inf else None
    _asked.report = None
    try:
        yield
    finally:
        _asked.cancel, _asked.report = before


@contextmanager
def watched(report: Report) -> Iterator[None]:
    """Within the block, work of this thread that takes long says now and then how far it is."""
    before, _asked.report = _asked.report, report
    try:
        yield
    finally:
        _asked.report = before


def look(fraction: float = -1.0, text: str = "") -> None:
    """Raises Cancelled if nobody waits for this thread's work any more; a fraction of 0..1 is reported to who looks on."""
    if (_asked.cancel is None and _asked.report is None) or (time.perf_counter() - _asked.last < SELDOM and fraction < 1):
        return
    _asked.last = time.perf_counter()
    if _asked.cancel is not None and _asked.cancel():
        raise Cancelled("cancelled")
    if _asked.report is not None and fraction >= 0:
        _asked.report(fraction, text)


def stoppable(items: Iterable[Item], every: int = 256) -> Iterator[Item]:
    """The items one after the other, with a look at the first and then at every so many."""
    for number, item in enumerate(items):
        if not number % every:
            look()
        yield item


@contextmanager
def held(lock: Any) -> Iterator[None]:
    """The block under a lock that another thread may hold for long.  Raises Cancelled as `look`, without it."""
    while not lock.acquire(timeout=WAIT):
        look()
    try:
        yield
    finally:
        lock.release()
