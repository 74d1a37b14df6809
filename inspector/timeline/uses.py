"""Use counts of state: by draws and, for the states that a CLEAR reads, by clears."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from core.device.registers.records import is_empty
from core.spec.slots import BASE, REGISTERS, SLOTS
from core.spec.tokens import TOKEN_BY_NAME, ops_that
from inspector.progress import PIECE
from inspector.tape.columns import zeros
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


def counting(events: Events, clear_calls: Sequence[int]) -> Generator[float, None, Uses]:
    """The uses of a tape, piece by piece; `clear_calls`: numbers of the calls that clear what is bound."""
    count = len(events)
    by_calls = np.sort(events.first_of_call[list(clear_calls)])
    draws, clears, multiplies = zeros(count + 1, np.uint32), zeros(count + 1, np.uint32), zeros(count, bool)
    for begin in range(0, count, PIECE):
        yield begin / count
        end = min(begin + PIECE, count)
        rows = events.rows[begin:end]
        op = rows["op"]
        cleared = CLEARS[op]
        cleared[by_calls[slice(*np.searchsorted(by_calls, [begin, end]))] - begin] = True
        multiplies[begin:end] = UPDATES[op] & ~is_empty(rows)
        for sums, mask in ((draws, rows["draw"]), (clears, cleared)):
            np.cumsum(mask, dtype=np.uint32, out=sums[begin + 1 : end + 1])
            sums[begin + 1 : end + 1] += sums[begin]
    return Uses(draws, clears, multiplies)
