"""What several things hold together."""

from __future__ import annotations

import numpy as np

import inspector
from inspector.tape.columns import Column, Long
from inspector.timeline.held import Held, in_memory
from tests.inspector.conftest import ROOM


def test_what_is_shared_counts_once_and_until_the_last_holder_goes() -> None:
    held, shared, own = Held(), np.zeros(100, np.uint8), np.zeros(30, np.uint8)
    held.hold("a", [shared])
    held.hold("b", [shared, own, own])
    assert held.size == 130
    held.drop("a")
    assert held.size == 130
    held.drop("b")
    assert held.size == 0


def test_what_lies_in_a_mapped_file_is_not_in_memory() -> None:
    mapped, kept = Column(np.int64, in_memory=8), Column(np.int64)
    for column in (mapped, kept):
        column.append(np.arange(10))
    assert in_memory([mapped.view()[2:], Long(10, np.int64, in_memory=8).rows]) == (0, 144)
    assert in_memory([kept.view(), mapped.view(), np.zeros(3, np.uint8)]) == (83, 80)


def test_a_capture_says_what_its_events_take_and_makes_nothing_for_it() -> None:
    with inspector.open(ROOM) as capture:
        before, mapped = capture.timeline.indexed
        assert before >= capture.events.rows.nbytes
        assert capture.held == (0, 0, before, mapped)
        states = capture.walked.states
        assert sum(capture.timeline.indexed) - before - mapped >= states.seqs.nbytes + states.values.nbytes
        capture.image(capture.frames[0].last_event)
        assert sum(capture.held[:2]) > 0
