"""Last writers of slots: state at any event, with the writer, by binary search among the writes of each slot."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.kernels.jit import array, boolean, i8, kernel, void
from inspector.progress import done
from inspector.tape.columns import zeros
from inspector.timeline.fates import marks_of

PIECE = 1 << 18  # writes that are sorted at a time: each goes to another page of memory
SPARSE = 1 << 20  # slots more than writes beyond which the slots are not counted
NO_WRITER = -1
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Writes:
    """Every state write of a tape in execution order.  key: uint64, slot << 32 | event; value: uint32."""

    key: np.ndarray
    value: np.ndarray

    @classmethod
    def of(cls, slot: np.ndarray, seq: np.ndarray, value: np.ndarray) -> Writes:
        """Of three columns."""
        return cls(slot.astype(np.uint64) << np.uint64(32) | seq.astype(np.uint64), np.ascontiguousarray(value, np.uint32))


class Found(NamedTuple):
    """Values made of one or more slots, after an event.

    words, before: uint32, the dwords of all values one after the other, now and before the write that made them so.
    writer: int64 a value, the event that wrote last (NO_WRITER: none did); following: the next one to write (NEVER).
    """

    words: np.ndarray
    before: np.ndarray
    writer: np.ndarray
    following: np.ndarray


@kernel(void(array("i8"), array("u4"), array("u4"), array("u4"), i8, array("i8"), array("i8"),
             array("u4"), array("u4"), array("i8"), array("i8"), array("i8")))  # fmt: skip
def _look_up(first, seqs, values, initial, event, slots, starts, words, before, writer, following, places):  # type: ignore[no-untyped-def]
    """Fills Found.  Value n is made of slots[starts[n]:starts[n + 1]]; `places` is room for one number per slot.

    The writes of slot s are seqs[first[s]:first[s + 1]], ascending, and `values` alike; `initial` is the vector before event 0.
    """
    most = len(first) - 1
    for n in range(len(starts) - 1):
        last, coming = np.int64(-1), np.int64(0x7FFFFFFFFFFFFFFF)
        for i in range(starts[n], starts[n + 1]):
            slot = slots[i]
            low, high = np.int64(0), np.int64(0)
            if slot < most:
                low, high = first[slot], first[slot + 1]
            begin, end = low, high
            while low < high:
                middle = (low + high) >> 1
                if np.int64(seqs[middle]) <= event:
                    low = middle + 1
                else:
                    high = middle
            if low < end:
                coming = min(coming, np.int64(seqs[low]))
            words[i] = initial[slot] if slot < len(initial) else np.uint32(0)
            if low > begin:
                words[i] = values[low - 1]
                last = max(last, np.int64(seqs[low - 1]))
            places[i] = low - 1
        for i in range(starts[n], starts[n + 1]):
            slot, place = slots[i], places[i]
            begin = first[slot] if slot < most else np.int64(0)
            while place >= begin and slot < most and np.int64(seqs[place]) == last:
                place -= 1
            before[i] = initial[slot] if slot < len(initial) else np.uint32(0)
            if slot < most and place >= begin:
                before[i] = values[place]
        writer[n], following[n] = last, coming


@kernel(void(array("u8"), i8, i8, array("i8")))
def _tally(keys, begin, end, first):  # type: ignore[no-untyped-def]
    """Adds to first[slot + 1] how many of the writes begin..end-1 go to each slot."""
    for i in range(begin, end):
        first[np.int64(keys[i] >> np.uint64(32)) + 1] += 1


@kernel(boolean(array("u8"), array("u4"), i8, i8, array("i8"), array("i8"), array("u4"), array("u4")))
def _scatter(keys, given, begin, end, first, places, seqs, values):  # type: ignore[no-untyped-def]
    """Puts writes begin..end-1 at places[slot] and after; False if one is of an earlier event than the one before it."""
    ascending = True
    for i in range(begin, end):
        slot = np.int64(keys[i] >> np.uint64(32))
        place, seq = places[slot], np.uint32(keys[i] & np.uint64(0xFFFFFFFF))
        ascending = ascending and (place == first[slot] or seqs[place - 1] <= seq)
        seqs[place], values[place] = seq, given[i]
        places[slot] = place + 1
    return ascending


def sorting(writes: Writes, initial: np.ndarray) -> Generator[float, None, StateTimeline]:
    """The last-writer index of a tape, piece by piece: yields how far it is.  `initial`: as of StateTimeline."""
    keys, count = writes.key, len(writes.key)
    most = int(keys.max() >> np.uint64(32)) if count else -1
    if most > SPARSE + count:
        order = np.argsort(keys, kind="stable")
        slots, seqs = (keys[order] >> np.uint64(32)).astype(np.int64), keys[order].astype(np.uint32)
        return StateTimeline(np.searchsorted(slots, np.arange(most + 2)), seqs, writes.value[order], initial)
    first, seqs, values = np.zeros(most + 2, np.int64), zeros(count, np.uint32), zeros(count, np.uint32)
    for begin in range(0, count, PIECE):
        yield 0.5 * begin / count
        _tally(keys, begin, min(begin + PIECE, count), first)
    np.cumsum(first, out=first)
    places, ascending = first.copy(), True
    for begin in range(0, count, PIECE):
        yield 0.5 + 0.5 * begin / count
        ascending &= _scatter(keys, writes.value, begin, min(begin + PIECE, count), first, places, seqs, values)
    if not ascending:
        order = np.argsort(
            np.repeat(np.arange(most + 1, dtype=np.uint64), np.diff(first)) << np.uint64(32) | seqs, kind="stable"
        )
        seqs, values = seqs[order], values[order]
    return StateTimeline(first, seqs, values, initial)


class StateTimeline:
    """The last-writer index: for each slot its writes in order.  Among writes of one slot by one event the last one counts."""

    def __init__(self, first: np.ndarray, seqs: np.ndarray, values: np.ndarray, initial: np.ndarray) -> None:
        """The writes of slot s are first[s]..first[s + 1]-1 (int64) of `seqs`, the events, and `values` (uint32).

        `initial`: the register vector before event 0, uint32; slots beyond it start as 0.
        """
        self.first, self.seqs, self.values = first, seqs, values
        self.initial = np.array(initial, np.uint32)

    @classmethod
    def of(cls, writes: Writes, initial: np.ndarray) -> StateTimeline:
        """`sorting` in one go."""
        return done(sorting(writes, initial))

    def __len__(self) -> int:
        return len(self.seqs)

    def find(self, event: int, slots: np.ndarray, starts: np.ndarray) -> Found:
        """Values after `event`: value n is made of slots[starts[n]:starts[n + 1]]; both int64, contiguous."""
        count = len(starts) - 1
        words, before = np.empty((2, len(slots)), np.uint32)
        found, room = Found(words, before, *np.empty((2, count), np.int64)), np.empty(len(slots), np.int64)
        _look_up(self.first, self.seqs, self.values, self.initial, event, slots, starts, *found, room)
        return found

    def at(self, event: int, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (uint32) of `slots` after `event`, and the events that wrote them (int64, -1: initial)."""
        slots = np.ascontiguousarray(slots, np.int64)
        found = self.find(event, slots, np.arange(len(slots) + 1))
        return found.words, found.writer

    def history(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Everything ever written to one slot: events (int64) and values (uint32), in order."""
        span = self.span(slot)
        return self.seqs[span].astype(np.int64), self.values[span]

    def span(self, slot: int) -> slice:
        """Where in `seqs` and `values` the writes of a slot lie."""
        return slice(int(self.first[slot]), int(self.first[slot + 1])) if slot < len(self.first) - 1 else slice(0, 0)

    def span_of(self, slot: int, count: int) -> slice | None:
        """Where the writes of consecutive slots lie, slot by slot; None if there are none."""
        last = len(self.first) - 1
        found = slice(int(self.first[min(slot, last)]), int(self.first[min(slot + count, last)]))
        return found if found.stop > found.start else None

    def start(self, slot: int) -> int:
        """The value of a slot before event 0."""
        return int(self.initial[slot]) if slot < len(self.initial) else 0

    @cached_property
    def marks(self) -> np.ndarray:
        """uint8 a write: FINAL and CHANGED of inspector.timeline.fates.  Raises Cancelled."""
        return marks_of(self)

    def vector(self, event: int, size: int) -> np.ndarray:
        """The whole register vector after `event`: uint32[size]."""
        return self.at(event, np.arange(size))[0]
