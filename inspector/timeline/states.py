"""Who wrote which slot, when: state at any event, with the writer, by binary search over one sorted array."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NO_WRITER = -1


@dataclass(frozen=True, slots=True)
class Writes:
    """Every state write of a tape in execution order: three uint32 columns of one length."""

    slot: np.ndarray
    seq: np.ndarray
    value: np.ndarray


class StateTimeline:
    """The last-writer index.

    `keys` is `slot << 32 | seq`, ascending; among writes of one slot by one event the last one counts.
    """

    def __init__(self, writes: Writes, initial: np.ndarray) -> None:
        """`initial`: the register vector before event 0, uint32; slots beyond it start as 0."""
        keys = writes.slot.astype(np.uint64) << np.uint64(32) | writes.seq.astype(np.uint64)
        order = np.argsort(keys, kind="stable")
        self.keys = keys[order]
        self.values = writes.value[order]
        self.initial = initial

    def __len__(self) -> int:
        return len(self.keys)

    def at(self, event: int, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (uint32) of `slots` after `event`, and the events that wrote them (int64, -1: initial)."""
        slots = np.asarray(slots, np.uint64)
        places = np.searchsorted(self.keys, slots << np.uint64(32) | np.uint64(event), side="right") - 1
        found = self.keys[np.maximum(places, 0)] if len(self.keys) else np.zeros(len(slots), np.uint64)
        written = (places >= 0) & (found >> np.uint64(32) == slots) if len(self.keys) else np.zeros(len(slots), bool)
        values = self._initial(slots)
        values[written] = self.values[places[written]]
        writers = np.where(written, (found & np.uint64(0xFFFFFFFF)).astype(np.int64), NO_WRITER)
        return values, writers

    def history(self, slot: int) -> tuple[np.ndarray, np.ndarray]:
        """Everything ever written to one slot: events (int64) and values (uint32), in order."""
        low, high = np.searchsorted(self.keys, np.array([slot, slot + 1], np.uint64) << np.uint64(32))
        return (self.keys[low:high] & np.uint64(0xFFFFFFFF)).astype(np.int64), self.values[low:high]

    def vector(self, event: int, size: int) -> np.ndarray:
        """The whole register vector after `event`: uint32[size]."""
        return self.at(event, np.arange(size))[0]

    def _initial(self, slots: np.ndarray) -> np.ndarray:
        known = slots < len(self.initial)
        values = np.zeros(len(slots), np.uint32)
        values[known] = self.initial[slots[known].astype(np.int64)]
        return values
