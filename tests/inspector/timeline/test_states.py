"""The last-writer index against a plain replay of the same writes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from inspector.timeline.states import NO_WRITER, StateTimeline, Writes

SLOTS, EVENTS = 6, 12
writes = st.lists(
    st.tuples(st.integers(0, SLOTS - 1), st.integers(0, EVENTS - 1), st.integers(0, 2**32 - 1)), max_size=40
).map(lambda rows: sorted(rows, key=lambda row: row[1]))


def timeline(rows: list[tuple[int, int, int]], initial: np.ndarray) -> StateTimeline:
    columns = np.array(rows, np.uint32).reshape(-1, 3).T
    return StateTimeline(Writes(*columns), initial)


@given(writes, st.integers(0, EVENTS - 1))
def test_state_and_writer_are_what_replaying_the_writes_gives(rows: list[tuple[int, int, int]], event: int) -> None:
    initial = np.arange(100, 100 + SLOTS - 1, dtype=np.uint32)  # the last slot lies beyond the initial vector
    values, writers = [*initial.tolist(), 0], [NO_WRITER] * SLOTS
    for slot, seq, value in rows:
        if seq <= event:
            values[slot], writers[slot] = value, seq
    got_values, got_writers = timeline(rows, initial).at(event, np.arange(SLOTS))
    assert got_values.tolist() == values
    assert got_writers.tolist() == writers


@given(writes)
def test_history_of_a_slot_lists_its_writes_in_order(rows: list[tuple[int, int, int]]) -> None:
    events, values = timeline(rows, np.zeros(0, np.uint32)).history(2)
    assert list(zip(events.tolist(), values.tolist(), strict=True)) == [(q, v) for s, q, v in rows if s == 2]
