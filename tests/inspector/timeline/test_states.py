"""The last-writer index against a plain replay of the same writes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.timeline.states import NEVER, NO_WRITER, StateTimeline, Writes

SLOTS, EVENTS = 6, 12
writes = st.lists(
    st.tuples(st.integers(0, SLOTS - 1), st.integers(0, EVENTS - 1), st.integers(0, 2**32 - 1)), max_size=40
).map(lambda rows: sorted(rows, key=lambda row: row[1]))  # fmt: skip


def timeline(rows: list[tuple[int, int, int]], initial: np.ndarray) -> StateTimeline:
    columns = np.array(rows, np.uint32).reshape(-1, 3).T
    return StateTimeline.of(Writes.of(*columns), initial)


@settings(deadline=None)  # the first loads the kernel
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


@given(writes, st.integers(0, EVENTS - 1), st.lists(st.integers(1, 3), min_size=1, max_size=3))
def test_values_of_several_slots_know_what_was_before_and_who_comes_next(
    rows: list[tuple[int, int, int]], event: int, counts: list[int]
) -> None:
    slots = np.arange(sum(counts)) % (SLOTS + 1)
    starts = np.concatenate([[0], np.cumsum(counts)])
    found = timeline(rows, np.zeros(3, np.uint32)).find(event, slots, starts)
    for n, (start, end) in enumerate(itertools.pairwise(starts.tolist())):
        own = [row for row in rows if row[0] in slots[start:end]]
        writer = max((seq for _, seq, _ in own if seq <= event), default=NO_WRITER)
        assert found.writer[n] == writer
        assert found.following[n] == min((seq for _, seq, _ in own if seq > event), default=NEVER)
        for words, until in ((found.words, event), (found.before, writer - 1)):
            last = {slot: value for slot, seq, value in own if seq <= until}
            assert words[start:end].tolist() == [last.get(slot, 0) for slot in slots[start:end].tolist()]


@given(writes)
def test_history_of_a_slot_lists_its_writes_in_order(rows: list[tuple[int, int, int]]) -> None:
    events, values = timeline(rows, np.zeros(0, np.uint32)).history(2)
    assert list(zip(events.tolist(), values.tolist(), strict=True)) == [(q, v) for s, q, v in rows if s == 2]


@pytest.mark.parametrize("most_slot", [700, 1 << 20])
@pytest.mark.parametrize("ordered", [True, False])
def test_writes_are_found_in_any_order_and_under_any_slot(most_slot: int, ordered: bool) -> None:
    rng = np.random.default_rng(most_slot + ordered)
    slots, seqs = rng.integers(0, most_slot, 5000, np.uint32), rng.integers(0, 900, 5000, np.uint32)
    if ordered:
        seqs.sort()
    values = np.arange(5000, dtype=np.uint32)
    states = StateTimeline.of(Writes.of(slots, seqs, values), np.zeros(0, np.uint32))
    latest: dict[int, list[tuple[int, int]]] = {}
    for slot, seq, value in zip(slots.tolist(), seqs.tolist(), values.tolist(), strict=True):
        latest.setdefault(slot, []).append((seq, value))
    for slot, writes in latest.items():
        found = states.history(slot)
        assert list(zip(*(column.tolist() for column in found), strict=True)) == sorted(writes, key=lambda row: row[0])
