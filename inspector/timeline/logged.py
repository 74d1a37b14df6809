"""A logged part of a tape: executed once while all writes are logged, then open at any event and primitive."""

from __future__ import annotations

from dataclasses import dataclass

from core.device.device import Device
from core.device.past.moment import Moment
from core.device.past.rewind import Rewind
from core.device.past.tap import Tap


@dataclass(frozen=True, slots=True)
class LoggedFrame:
    """Events first..last of a frame, executed under a logging tap.

    Usually the whole frame; a part of it when the log of all would not fit into the budget: ask for the log of event `last + 1`
    (Replay.logged) to go on.  `rewind` shows what surfaces were after any of these events, and just before the first one
    (event first - 1); `tap.passes`, `tap.overwrites` and `tap.notes` are the log itself, which must not be changed.  The device
    may have moved on: all that is needed of it was taken down.

    `complete` False: a single event whose own log does not fit; then the log is empty and only the end is known.
    `seconds`: how long executing it took.
    """

    first: int
    last: int
    tap: Tap
    rewind: Rewind
    device: Device
    complete: bool = True
    seconds: float = 0.0

    def __contains__(self, event: int) -> bool:
        return self.first <= event <= self.last

    @property
    def size(self) -> int:
        """Bytes of the log."""
        return self.tap.size if self.complete else 0

    def moment(self, event: int, primitive: int | None = None) -> Moment:
        """Everything just after `event`, or after that primitive of it."""
        assert first_or_later(self, event)
        return Moment(self.rewind, event, primitive)


def first_or_later(frame: LoggedFrame, event: int) -> bool:
    """Whether the log reaches back so far."""
    return frame.first - 1 <= event <= frame.last
