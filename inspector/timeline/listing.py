"""The events of a tape, listed call by call: the Events so far are available at any time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

import numpy as np

from core.ddi.calls import DdiCall, answered
from inspector.progress import Progress
from inspector.tape.columns import Column
from inspector.timeline.events import EVENT, Events, Failed, Part, StreamError, joined_rows, stream_part
from inspector.timeline.frames import Frame, presents

FLUSHED = 4096  # calls that are gathered before they become rows
FLUSHED_EVENTS = 1 << 18  # or so many events


class Listing:
    """`append` calls in the order of the tape; `events(n)` and `frames(n)` are those of its first n calls.

    Events and frames that were handed out share their arrays with the listing, and stay as they are when it grows.  One thread
    appends and asks; what it hands out may be read by others.
    """

    def __init__(self) -> None:
        self.calls = 0
        self._rows, self._commands = Column(EVENT), Column(np.uint8)
        self._firsts, self._bases = Column(np.int64), Column(np.int64)
        self._firsts.append(np.zeros(1, np.int64))
        self.errors: list[StreamError] = []
        self.failed: dict[int, Failed] = {}
        """Of all calls so far: see Events."""
        self._count = self._size = 0  # events and bytes of commands so far
        self._last_source = -1
        self._ends: list[int] = []  # numbers of calls that present
        self._frames: list[Frame] = []  # of those, as far as anybody asked
        self._new: tuple[list[Part], list[int], list[int], list[np.ndarray]] = ([], [], [], [])
        self._joined = 0  # events that are rows

    @classmethod
    def of_columns(
        cls, calls: int, columns: Sequence[np.ndarray], errors: list[StreamError], failed: dict[int, Failed]
    ) -> Listing:
        """What `columns` of a listing of so many calls gave, as a listing."""
        listing = cls()
        rows, commands, firsts, bases, ends = columns
        listing._rows, listing._commands = Column.of(rows), Column.of(commands)
        listing._firsts, listing._bases = Column.of(firsts), Column.of(bases)
        listing._ends, listing.errors, listing.failed = ends.tolist(), errors, failed
        listing.calls, listing._count, listing._size = calls, len(rows), len(commands)
        return listing

    def columns(self) -> tuple[np.ndarray, ...]:
        """Rows, commands, first events (one more than calls), bases, and the calls that present (int64)."""
        self._flush()
        columns = (self._rows, self._commands, self._firsts, self._bases)
        return (*(column.view() for column in columns), np.array(self._ends, np.int64))

    def append(self, call: DdiCall) -> None:
        """The next call of the tape."""
        number, base = self.calls, -1
        part = Part(number, call.source)
        parts, firsts, bases, buffers = self._new
        commands = call.data.get("commands") if call.entry == "DrawPrimitives2" else None
        if commands is not None:
            buffer = np.frombuffer(commands, np.uint8)
            stream, error = stream_part(buffer, call, number)
            base, self._size = self._size, self._size + len(buffer)
            buffers.append(buffer)
            if error:
                self.errors.append(error)
            part = stream if stream.events else part
        if (result := answered(call)) >> 31:
            self.failed[number] = Failed(result, self._count + part.done)
        if presents(call):
            self._ends.append(number)
        self._count += part.events
        self.calls += 1
        parts.append(part)
        firsts.append(self._count)
        bases.append(base)
        if len(parts) >= FLUSHED or self._count - self._joined >= FLUSHED_EVENTS:
            self._flush()

    def events(self, calls: int | None = None) -> Events:
        """Of the first `calls` calls; None: of all."""
        self._flush()
        calls = self.calls if calls is None else calls
        firsts, bases = self._firsts.view()[: calls + 1], self._bases.view()
        later = bases[calls:]
        later = later[later >= 0][:1]
        size = int(later[0]) if len(later) else self._size
        errors = tuple(error for error in self.errors if error.call < calls)
        failed = {number: one for number, one in self.failed.items() if number < calls}
        rows = self._rows.view()[: int(firsts[-1])]
        return Events(rows, firsts, self._commands.view()[:size], bases[:calls], errors, failed)

    def presentations(self, calls: int | None = None) -> Sequence[int]:
        """Numbers of the calls, among the first `calls`, with which frames end."""
        return self._ends if calls is None else self._ends[: bisect_right(self._ends, calls - 1)]

    def frames(self, calls: int) -> list[Frame]:
        """The frames that end within the first `calls` calls."""
        count = len(self.presentations(calls))
        if count > len(self._frames):
            self._add_frames(count)
        return self._frames[:count]

    def _add_frames(self, count: int) -> None:
        self._flush()
        firsts, known = self._firsts.view(), len(self._frames)
        ends = firsts[np.array(self._ends[known:count]) + 1] - 1
        begin = self._frames[-1].last_event + 1 if known else 0
        starts = np.concatenate([[begin], ends[:-1] + 1])
        drawn = np.concatenate([[0], np.cumsum(self._rows.view()["draw"][begin : int(ends[-1]) + 1])])
        draws = drawn[ends + 1 - begin] - drawn[starts - begin]
        rows = zip(range(known, count), starts.tolist(), ends.tolist(), draws.tolist(), strict=True)
        self._frames.extend(Frame(*row) for row in rows)

    def _flush(self) -> None:
        """What was appended since goes to the columns."""
        parts, firsts, bases, buffers = self._new
        if not parts:
            return
        joined = joined_rows(parts)
        # event_of_source_call searches by source: a call without a known source counts as its predecessor's
        joined["source"][0] = max(int(joined["source"][0]), self._last_source)
        joined["source"] = np.maximum.accumulate(joined["source"])
        self._last_source = int(joined["source"][-1])
        self._rows.append(joined)
        self._firsts.append(np.array(firsts, np.int64))
        self._bases.append(np.array(bases, np.int64))
        if buffers:
            self._commands.append(np.concatenate(buffers))
        self._new, self._joined = ([], [], [], []), self._count


def listed(calls: Iterable[DdiCall], progress: Progress | None = None, total: int = 0) -> Listing:
    """The listing of `calls`.  Broken streams end at their first bad token and are reported in `errors` of its events."""
    listing = Listing()
    for number, call in enumerate(calls):
        listing.append(call)
        if progress and number % FLUSHED == 0:
            progress(number / max(total, number + 1), "listing events")
    return listing


def build(calls: Iterable[DdiCall], progress: Progress | None = None, total: int = 0) -> Events:
    """The events of `calls`."""
    return listed(calls, progress, total).events()
