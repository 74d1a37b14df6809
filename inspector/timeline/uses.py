"""Use counts of state: by draws and, for the states that a CLEAR reads, by clears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.device.registers.records import is_empty
from core.spec.slots import BASE, REGISTERS, SLOTS
from core.spec.tokens import TOKEN_BY_NAME, ops_that
from inspector.timeline.events import Events

READS = TOKEN_BY_NAME["CLEAR"].reads
FOR_CLEARS = np.zeros(SLOTS, bool)
"""Slots that a CLEAR reads: where it clears, and how much of it."""
for _name in READS:
    FOR_CLEARS[BASE[_name] : BASE[_name] + REGISTERS[_name].itemsize // 4] = True
CLEARS = ops_that(lambda row: row.reads == READS)
UPDATES = ops_that(lambda row: row.writes is not None and row.writes.updates)


@dataclass(frozen=True, slots=True)
class Uses:
    """Running counts over a tape's n events: draws[e] and clears[e] happened before event e (uint32[n + 1]).

    `multiplies` bool[n]: tokens (MULTIPLYTRANSFORM) that read what they replace.
    """

    draws: np.ndarray
    clears: np.ndarray
    multiplies: np.ndarray

    def between(self, writers: np.ndarray, following: np.ndarray, for_clears: np.ndarray) -> np.ndarray:
        """How many draws (and clears, where `for_clears`) used values that `writers` set and `following` set again.

        All arrays have one shape; writers from -1, following up to any number.  int64.
        """
        last = len(self.draws) - 1
        start, end = np.clip(writers + 1, 0, last), np.clip(following, 0, last)
        found = self.draws[end].astype(np.int64) - self.draws[start]
        found += np.where(for_clears, self.clears[end].astype(np.int64) - self.clears[start], 0)
        found += self.multiplies[np.minimum(following, last - 1)] & (following < last) if last else 0
        return found


def count_uses(events: Events, clear_calls: Sequence[int]) -> Uses:
    """The uses of a tape; `clear_calls`: numbers of the calls that clear what is bound."""
    op = events.rows["op"]
    clears = CLEARS[op]
    clears[events.first_of_call[list(clear_calls)]] = True
    return Uses(_running(events.rows["draw"]), _running(clears), UPDATES[op] & ~is_empty(events.rows))


def _running(mask: np.ndarray) -> np.ndarray:
    found = np.zeros(len(mask) + 1, np.uint32)
    np.cumsum(mask, dtype=np.uint32, out=found[1:])
    return found
