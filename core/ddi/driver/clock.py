"""The device's clock.

`Clock` is instant: everything is over when its entry returns, nothing ever waits.  `ModelledClock` lets work take time: entries
and scripts advance it, draws and copies retire one after the other at a modelled cost, flips at vertical blanks.  Only so do
presentation queues fill, flips stay in progress and locks find surfaces busy (semantics section 18, DdFlip, DdLock).
Times are microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable

REFRESH = 16_667
CALL_COST = 10  # the processor's time for an entry
DRAW_COST = 20  # of one draw
PIXELS_PER_MICROSECOND = 1000  # of copies and fills
QUEUED_PRESENTATIONS = 3  # per source surface


class Clock:
    """The instant clock, and what a driver asks any clock."""

    keeps_time = False  # whether work takes time

    def __init__(self) -> None:
        self.now = 0

    def advance(self, time: int) -> None:
        """Lets time pass."""
        self.now += max(time, 0)

    def wait_for_blank(self) -> None:
        """Until the next vertical blank."""
        self.now += REFRESH - self.now % REFRESH

    def draws(self, target: int, count: int) -> None:
        """Draws to a surface have been submitted."""

    def reads(self, handles: Iterable[int]) -> None:
        """The draws submitted last read these buffers."""

    def renamed(self, handle: int) -> None:
        """A buffer got other memory, which nothing reads yet."""

    def wait_idle(self) -> None:
        """Waits until everything submitted has retired."""

    def copies(self, target: int, pixels: int) -> None:
        """A copy or fill has been submitted."""

    def presents(self, source: int) -> int:
        """The last copy of a frame has been submitted; when it retires."""
        return self.now

    def flips(self, handles: list[int], interval: int) -> int:
        """A flip has been submitted; it is over `interval` vertical blanks later.  Returns when that is."""
        return self.now

    def busy(self, handle: int) -> bool:
        """Whether work on a surface has not retired."""
        return False

    def flipping(self, handle: int) -> bool:
        """Whether a flip of a surface is in progress."""
        return False

    def idle(self) -> bool:
        """Whether everything submitted has retired."""
        return True

    def queued(self, source: int) -> int:
        """How many frames of a source surface wait to be shown."""
        return 0

    def queue_full(self, source: int) -> bool:
        """Whether a source surface has as many frames queued as it may."""
        return self.queued(source) >= QUEUED_PRESENTATIONS


class ModelledClock(Clock):
    """Work takes time."""

    keeps_time = True

    def __init__(self) -> None:
        super().__init__()
        self._idle_at = 0  # when everything submitted has retired
        self._retires: dict[int, int] = {}  # by surface
        self._flip_ends: dict[int, int] = {}
        self._frames: dict[int, list[int]] = {}  # retirement of queued presentations, by source

    def _submit(self, target: int, cost: int) -> int:
        self._idle_at = max(self._idle_at, self.now) + cost
        self._retires[target] = self._idle_at
        return self._idle_at

    def draws(self, target: int, count: int) -> None:
        if count:
            self._submit(target, count * DRAW_COST)

    def copies(self, target: int, pixels: int) -> None:
        self._submit(target, 1 + pixels // PIXELS_PER_MICROSECOND)

    def reads(self, handles: Iterable[int]) -> None:
        self._retires.update(dict.fromkeys(handles, self._idle_at))

    def renamed(self, handle: int) -> None:
        self._retires.pop(handle, None)

    def wait_idle(self) -> None:
        self.now = max(self.now, self._idle_at)

    def presents(self, source: int) -> int:
        self._frames.setdefault(source, []).append(self._idle_at)
        return self._idle_at

    def flips(self, handles: list[int], interval: int) -> int:
        start = max(self._idle_at, self.now)
        end = start if interval == 0 else (start // REFRESH + interval) * REFRESH
        self._flip_ends.update(dict.fromkeys(handles, end))
        return end

    def busy(self, handle: int) -> bool:
        return self._retires.get(handle, 0) > self.now

    def flipping(self, handle: int) -> bool:
        return self._flip_ends.get(handle, 0) > self.now

    def idle(self) -> bool:
        return self._idle_at <= self.now

    def queued(self, source: int) -> int:
        waiting = [end for end in self._frames.get(source, ()) if end > self.now]
        self._frames[source] = waiting
        return len(waiting)


CLOCKS: dict[str, type[Clock]] = {"instant": Clock, "modelled": ModelledClock}
