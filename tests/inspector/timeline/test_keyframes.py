"""Keyframes: what they hold is counted truly, stays within the budget, and thins out evenly."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import Snapshot
from core.errors import BadInput, Cancelled
from inspector.timeline.budgets import Budgets, gone
from inspector.timeline.keyframes import Keyframes
from inspector.timeline.replay import Replay


class State(Snapshot):
    """A snapshot that holds these arrays."""

    __slots__ = ("held",)

    def __init__(self, *held: np.ndarray) -> None:
        self.held = held

    def arrays(self):
        return iter(self.held)


def test_shared_arrays_count_once() -> None:
    shared, own = np.zeros(100, np.uint8), np.zeros(30, np.uint8)
    kept = Keyframes(0, State(shared), 1000)
    kept.keep(5, State(shared, own))
    assert kept.size == 130


def test_the_budget_holds_and_what_is_left_lies_evenly() -> None:
    kept = Keyframes(0, State(), 100)
    for position in range(1, 41):
        kept.keep(position, State(np.zeros(10, np.uint8)))
        assert kept.size <= 100
    places = [position for position in range(41) if position in kept]
    assert len(places) == 11
    assert np.diff(places).max() <= 8
    assert kept.before(40) >= 35


@pytest.mark.parametrize("megabytes", [0, 1, 512])
def test_a_replay_within_any_budget(room: inspector.Capture, megabytes: int) -> None:
    starts = [frame.first_event for frame in room.frames]
    moving = Replay(room.calls, room.events, starts, Budgets(memory=megabytes << 20))
    for frame in (6, 1, 7, 3):
        event = room.frames[frame].last_event
        assert np.array_equal(moving.moment(event).rgba(), room.image(event))
        with moving.at(event) as driver:
            assert np.array_equal(driver.rgba(), room.image(event))
    assert moving._keyframes.size <= megabytes << 19 or len(moving._keyframes) == 2
    assert sum(moving.held) <= megabytes << 20 or len(moving._logs) == 1


def test_preparing_makes_keyframes_step_by_step(room: inspector.Capture) -> None:
    starts = [frame.first_event for frame in room.frames]
    moving = Replay(room.calls, room.events, starts, dead=room.walked.liveness.dead)
    assert moving.prepare() < 1  # the beginning is there
    with pytest.raises(Cancelled):
        moving.prepare(lambda: True)
    done = [moving.prepare() for _ in range(len(starts) - 1)]
    assert done == sorted(done)
    assert done[-1] == 1.0
    assert all(start in moving._keyframes for start in starts)
    event = room.frames[4].last_event
    assert np.array_equal(moving.moment(event).rgba(), room.image(event))


def test_budgets_of_the_environment() -> None:
    assert gone({"DDI_INSPECTOR_MEMORY_MB": "3"}) == []
    (sentence,) = gone({"DDI_INSPECTOR_LOG_MB": "3"})
    assert sentence.startswith("DDI_INSPECTOR_LOG_MB is no longer used; DDI_INSPECTOR_MEMORY_MB limits")
    assert Budgets.of_environment({"DDI_INSPECTOR_MEMORY_MB": "3"}) == Budgets(memory=3 << 20)
    with pytest.raises(BadInput, match="DDI_INSPECTOR_MEMORY_MB"):
        Budgets.of_environment({"DDI_INSPECTOR_MEMORY_MB": "much"})
