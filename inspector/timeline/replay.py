"""The device at any event: execute forward, jump back to a keyframe.

Positions count events: position p means that events 0..p-1 have been executed.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from core.ddi.calls import DdiCall
from core.ddi.driver import EmulatedDriver, Snapshot
from core.errors import Cancelled
from inspector.timeline.events import Events

MOST_THREADS = 4  # of the pixel half; the picture does not depend on it
KEYFRAME_BUDGET = 512 << 20  # bytes of surfaces held by keyframes

Cancel = Callable[[], bool]


class Replay:
    """One emulated device that is moved along the tape.  Safe to use from several threads, one at a time."""

    def __init__(
        self, calls: Sequence[DdiCall], events: Events, starts: Sequence[int], budget: int = KEYFRAME_BUDGET
    ) -> None:
        """`starts`: events at which frames begin; a keyframe is kept at each as long as the budget allows."""
        self._calls, self._events, self._budget = calls, events, budget
        self._starts = set(starts)
        self._driver = EmulatedDriver(threads=min(os.cpu_count() or 1, MOST_THREADS))
        self._position = 0
        self._keyframes: dict[int, Keyframe] = {0: Keyframe(self._driver.snapshot(), 0)}
        self._lock = threading.RLock()

    @contextmanager
    def at(self, event: int, cancel: Cancel | None = None) -> Iterator[EmulatedDriver]:
        """The device just after `event`, for as long as the block runs; raises Cancelled between events."""
        with self._lock:
            self._seek(event + 1, cancel)
            yield self._driver

    @contextmanager
    def before(self, event: int, cancel: Cancel | None = None) -> Iterator[EmulatedDriver]:
        """The device just before `event`."""
        with self._lock:
            self._seek(event, cancel)
            yield self._driver

    def _seek(self, target: int, cancel: Cancel | None) -> None:
        if target < self._position or self._keyframe_before(target) > self._position:
            start = self._keyframe_before(target)
            self._driver.restore(self._keyframes[start].state)
            self._position = start
        while self._position < target:
            if cancel and cancel():
                raise Cancelled("seeking was cancelled")
            self._step_towards(target)

    def _keyframe_before(self, target: int) -> int:
        places = sorted(self._keyframes)
        return places[bisect_right(places, target) - 1]

    def _step_towards(self, target: int) -> None:
        """Executes the rest of one call, or of it what lies before `target`."""
        if self._position in self._starts and self._position not in self._keyframes:
            self._keep_keyframe()
        number = int(self._events.rows["call"][self._position])
        call, span = self._calls[number], self._events.of_call(number)
        stop = min(span.stop, target, min((s for s in self._next_start(span)), default=span.stop))
        if call.entry == "DrawPrimitives2" and self._events.rows["op"][span.start]:
            self._driver.run(call, span.start, self._position - span.start, stop - span.start)
        else:
            self._driver.call(call)
        self._position = stop

    def _next_start(self, span: range) -> Iterator[int]:
        return (start for start in self._starts if self._position < start < span.stop)

    def _keep_keyframe(self) -> None:
        state = self._driver.snapshot()
        self._keyframes[self._position] = Keyframe(state, state.size)
        while sum(frame.size for frame in self._keyframes.values()) > self._budget and len(self._keyframes) > 2:
            self._drop_the_most_crowded()

    def _drop_the_most_crowded(self) -> None:
        """Thins keyframes evenly: the one whose neighbours are closest to each other goes."""
        places = sorted(self._keyframes)
        gaps = {b: c - a for a, b, c in zip(places, places[1:], places[2:], strict=False)}
        del self._keyframes[min(gaps, key=gaps.__getitem__)]


class Keyframe:
    """A device snapshot and the bytes it holds alone."""

    def __init__(self, state: Snapshot, size: int) -> None:
        self.state, self.size = state, size
