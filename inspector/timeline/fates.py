"""What became of every write of state: whether it is the last of its event, changed anything, was ever used.

One compiled pass over the sorted writes instead of a column for each step: a tape of ten million events has thirty million
writes.  Every pass goes piece by piece, with a look at Stop before each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.kernels.jit import array, boolean, i8, kernel, u1, void
from inspector.progress import spans
from inspector.tape.columns import zeros
from inspector.timeline.uses import FOR_CLEARS

if TYPE_CHECKING:
    from inspector.timeline.states import StateTimeline
    from inspector.timeline.walk import Walk

FINAL, CHANGED, UNUSED = 1, 2, 4
"""Bits of a write: the last of its event to its slot; leaves another value than the event found; overwritten before any use.
The other two are of final writes only."""
ROOM = 8  # numbers that a pass over a value of several slots keeps between two pieces


@kernel(void(array("i8"), array("u4"), array("u4"), array("u4"), i8, i8, i8, array("u1")))
def _mark(first, seqs, values, initial, slot, begin, end, bits):  # type: ignore[no-untyped-def]
    """FINAL and CHANGED of writes begin..end-1, of which the first is to `slot`."""
    before = initial[slot] if slot < len(initial) else np.uint32(0)
    place = begin - 1
    while place >= first[slot] and seqs[place] == seqs[begin]:
        place -= 1
    if place >= first[slot]:
        before = values[place]
    for i in range(begin, end):
        while i == first[slot + 1]:
            slot += 1
            before = initial[slot] if slot < len(initial) else np.uint32(0)
        bits[i] = 0
        if i + 1 == first[slot + 1] or seqs[i + 1] != seqs[i]:
            bits[i] = 3 if values[i] != before else 1
            before = values[i]


@kernel(void(array("i8"), array("u4"), array("u4"), array("u4"), array("bool"), array("bool"), i8, i8, i8, array("u1")))
def _use(first, seqs, draws, clears, multiplies, for_clears, slot, begin, end, bits):  # type: ignore[no-untyped-def]
    """UNUSED of writes begin..end-1: what uses.between says of the event of each and that of the next one to its slot."""
    last = len(draws) - 1
    for i in range(begin, end):
        while i == first[slot + 1]:
            slot += 1
        if bits[i] & 1 and i + 1 < first[slot + 1]:
            start, stop = min(np.int64(seqs[i]) + 1, last), min(np.int64(seqs[i + 1]), last)
            used = draws[stop] != draws[start]
            if slot < len(for_clears) and for_clears[slot]:
                used |= clears[stop] != clears[start]
            if np.int64(seqs[i + 1]) < last:
                used |= multiplies[np.int64(seqs[i + 1])]
            if not used:
                bits[i] |= 4


@kernel(void(array("u4"), array("u1"), u1, i8, i8, array("bool")))
def _spread(seqs, bits, bit, begin, end, mask):  # type: ignore[no-untyped-def]
    """Sets mask[event] for writes begin..end-1 that have the bit."""
    for i in range(begin, end):
        if bits[i] & bit:
            mask[seqs[i]] = True


@kernel(void(array("i8"), array("u4"), array("u1"), array("bool"), i8, i8, i8, i8, i8, array("i8", 2)))
def _count(first, seqs, bits, left_out, low, high, slot, begin, end, counts):  # type: ignore[no-untyped-def]
    """Adds to counts[slot] how many writes of events low..high are final, changed something, are unused."""
    for i in range(begin, end):
        while i == first[slot + 1]:
            slot += 1
        seq = np.int64(seqs[i])
        if bits[i] & 1 and low <= seq <= high and not left_out[seq]:
            counts[slot, 0] += 1
            counts[slot, 1] += bits[i] >> 1 & 1
            counts[slot, 2] += bits[i] >> 2 & 1


@kernel(i8(array("u4"), array("u4"), array("u4"), array("bool"), array("bool"), boolean, i8, array("i8"), array("i8"), i8,
           array("bool")))  # fmt: skip
def _value_unused(seqs, draws, clears, multiplies, left_out, cleared, event, at, ends, most, mask):  # type: ignore[no-untyped-def]
    """Sets mask[event] for the events that write a value of several slots, which another one writes before any use.

    at, ends: the next write of each slot, and where its writes end; event: the last one that wrote, -1 before the first.  Looks
    at `most` events; returns the last, -1 when all are done.
    """
    last, none = len(draws) - 1, np.int64(0x7FFFFFFFFFFFFFFF)
    for _ in range(most):
        following = none
        for n in range(len(at)):
            if at[n] < ends[n]:
                following = min(following, np.int64(seqs[at[n]]))
        if following == none:
            return -1
        for n in range(len(at)):
            while at[n] < ends[n] and np.int64(seqs[at[n]]) == following:
                at[n] += 1
        if event >= 0 and not left_out[event]:
            start, stop = min(event + 1, last), min(following, last)
            used = draws[stop] != draws[start] or (cleared and clears[stop] != clears[start])
            if following < last:
                used |= multiplies[following]
            if not used:
                mask[event] = True
        event = following
    return event


PIECE = 1 << 20  # writes between two looks


def _pieces(states: StateTimeline) -> Iterator[tuple[int, int, int]]:
    """(slot of the first, begin, end) of writes, with a look before each."""
    for span in spans(len(states), PIECE):
        yield int(np.searchsorted(states.first, span.start, side="right")) - 1, span.start, span.stop


def marks_of(states: StateTimeline) -> np.ndarray:
    """uint8 a write: FINAL and CHANGED.  Raises Cancelled."""
    bits = zeros(len(states), np.uint8)
    for slot, begin, end in _pieces(states):
        _mark(states.first, states.seqs, states.values, states.initial, slot, begin, end, bits)
    return bits


class Fates:
    """Bits of all writes of a tape, found when they are first asked for.  Every method raises Cancelled."""

    def __init__(self, walked: Walk) -> None:
        self._walked, self._states, self._uses = walked, walked.states, walked.uses
        self._bits: np.ndarray | None = None

    def bits(self) -> np.ndarray:
        """uint8 a write: FINAL, CHANGED, UNUSED."""
        if self._bits is None:
            bits, uses, states = zeros(len(self._states), np.uint8), self._uses, self._states
            bits[:] = states.marks
            for slot, begin, end in _pieces(states):
                _use(states.first, states.seqs, uses.draws, uses.clears, uses.multiplies, FOR_CLEARS, slot, begin, end, bits)
            self._bits = bits
        return self._bits

    def spread(self, bit: int, mask: np.ndarray, writes: slice | None = None) -> None:
        """Sets mask[event] of the writes that have the bit; None: of all writes."""
        bits = self.bits() if bit == UNUSED else self._states.marks
        low, high, _ = (writes or slice(None)).indices(len(bits))
        for span in spans(high - low, PIECE):
            _spread(self._states.seqs, bits, bit, low + span.start, low + span.stop, mask)

    def spread_unused(self, slot: int, count: int, mask: np.ndarray) -> None:
        """Sets mask[event] for events that write a value of several slots in vain; what the runtime set is left out."""
        histories = [self._states.span(slot + n) for n in range(count)]
        at, ends = (np.array([getattr(one, end) for one in histories], np.int64) for end in ("start", "stop"))
        cleared, uses, event = slot < len(FOR_CLEARS) and bool(FOR_CLEARS[slot]), self._uses, -1
        for _ in spans(int((ends - at).sum()) + 1, PIECE):
            event = _value_unused(self._states.seqs, uses.draws, uses.clears, uses.multiplies, self._walked.initial, cleared,
                                  event, at, ends, PIECE, mask)  # fmt: skip

    def counts(self, low: int, high: int) -> np.ndarray:
        """int64[slots, 3]: writes of events low..high to each slot, those that changed it, unused ones; not the runtime's."""
        states, bits = self._states, self.bits()
        counts = np.zeros((len(states.first), 3), np.int64)
        for slot, begin, end in _pieces(states):
            _count(states.first, states.seqs, bits, self._walked.initial, low, high, slot, begin, end, counts)
        return counts
