"""Replays that share one set of budgets: that of a capture and those of its edited views, or of captures that are compared.

Each may keep an equal part for later.  A log that is being looked at may be larger; then others let go of theirs, the one that
was asked longest ago first.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, Protocol


class Sharer(Protocol):
    """A replay.  used: when it was last asked, by `time.monotonic`."""

    used: float

    @property
    def held(self) -> tuple[int, int]:
        """Bytes of keyframes, and of logs."""

    def let_go(self) -> None:
        """Drops logs, and keyframes beyond its part; nothing while it is in use."""


class Sharers:
    """The replays of one set of budgets, as long as somebody else keeps them.  Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ones: list[weakref.ref[Sharer]] = []

    def join(self, one: Sharer) -> None:
        """From now on it counts."""
        with self._lock:
            self._ones.append(weakref.ref(one))

    @property
    def all(self) -> list[Sharer]:
        """Those that are still there."""
        with self._lock:
            there = [(ref, one) for ref in self._ones if (one := ref()) is not None]
            self._ones = [ref for ref, _ in there]
        return [one for _, one in there]

    def others(self, than: Sharer) -> list[Sharer]:
        """All but one, the one that was asked longest ago first."""
        return sorted((one for one in self.all if one is not than), key=lambda one: one.used)

    @property
    def held(self) -> tuple[int, int]:
        """Bytes of all keyframes, and of all logs."""
        sizes = [one.held for one in self.all]
        return sum(keyframes for keyframes, _ in sizes), sum(logs for _, logs in sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, in another process perhaps, has replays of its own."""
        return Sharers, ()
