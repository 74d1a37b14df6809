"""Keyframes: what they hold is counted truly, stays within the budget, and thins out evenly."""

from __future__ import annotations

import weakref
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import Snapshot
from core.device.past import rewind
from core.errors import BadInput, Cancelled
from inspector.timeline import replay
from inspector.timeline.budgets import Budgets, gone
from inspector.timeline.held import Held
from inspector.timeline.keyframes import Keyframes
from inspector.timeline.logs import Logs
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
    kept = Keyframes(0, State(shared), Budgets(memory=2000))
    kept.keep(5, State(shared, own))
    assert kept.size == 130


def test_the_budget_holds_and_what_is_left_lies_evenly() -> None:
    kept = Keyframes(0, State(), Budgets(memory=200))
    for position in range(1, 41):
        kept.keep(position, State(np.zeros(10, np.uint8)))
        assert kept.size <= 100
    places = [position for position in range(41) if position in kept]
    assert len(places) == 11
    assert np.diff(places).max() <= 8
    assert kept.before(40) >= 35


def test_the_latest_keyframe_stays_however_close_its_neighbours_are() -> None:
    """It is where one looks: going back to it must not begin at an earlier one."""
    kept = Keyframes(0, State(), Budgets(memory=80))
    for position in (10, 20, 30, 40):
        kept.keep(position, State(np.zeros(10, np.uint8)))
    kept.keep(21, State(np.zeros(10, np.uint8)))
    assert 21 in kept and kept.size <= 40


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


@pytest.mark.parametrize(("memory", "kept"), [(32, 32), (128, 128), (200, 128), (256, 128), (1024, 896)])
def test_what_is_kept_leaves_room_for_a_large_log(memory: int, kept: int) -> None:
    assert Budgets(memory=memory << 20).kept == kept << 20


def short(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch, memory: int = 1 << 30) -> Replay:
    """A replay that has room for one log of any size, and for nothing else that is not needed."""
    monkeypatch.setattr(Budgets, "log", 1 << 30)
    monkeypatch.setattr(Budgets, "kept", 1)
    return Replay(room.calls, room.events, [frame.first_event for frame in room.frames], Budgets(memory=memory))


def test_a_log_larger_than_what_is_kept_is_whole_and_alone(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    moving = short(room, monkeypatch)
    for frame in (room.frames[2], room.frames[3]):
        log = moving.logged(frame.last_event)
        assert (log.first, log.last, log.complete) == (frame.first_event, frame.last_event, True)
        assert len(moving._logs) == 1
        assert moving.logged(frame.first_event) is log


def test_records_go_where_the_memory_is_used_up(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    event = room.frames[3].last_event
    most = short(room, monkeypatch)
    most.logged(event)
    moving = short(room, monkeypatch, sum(most.held))
    log = moving.logged(event)
    one = log.tap.passes[-1]
    wanted = one.watch.records.tobytes()
    assert log.tap.records_size > 0
    moving.logged(event)
    assert log.tap.records_size == 0
    assert one.watch.records.tobytes() == wanted


def test_looks_make_no_records_without_room_for_them(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = int(room.draws[(room.draws > room.frames[3].first_event)][4])
    monkeypatch.setattr(rewind, "A_STAY", 1)
    roomy, moving = short(room, monkeypatch), short(room, monkeypatch, 1)
    pictures = [one.moment(draw, 0).rgba().tobytes() for one in (roomy, moving)]
    assert pictures[0] == pictures[1]
    assert roomy.logged(draw).tap.records_size > 0
    assert moving.logged(draw).tap.records_size == 0


def test_keyframes_go_last(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budgets, "keyframes", 1 << 30)
    moving = short(room, monkeypatch)
    moving.moment(room.frames[5].last_event)
    assert len(moving._keyframes) > 2
    less = short(room, monkeypatch, sum(moving.held) - 1)
    less.moment(room.frames[5].last_event)
    assert 2 <= len(less._keyframes) < len(moving._keyframes)
    assert len(less._logs) == 1
    assert np.array_equal(less.moment(room.frames[1].last_event).rgba(), room.image(room.frames[1].last_event))


def test_other_logs_give_way_while_one_is_made(room: inspector.Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "A_PART", 1)
    moving = short(room, monkeypatch, 1)
    monkeypatch.setattr(moving._logs, "room", nullcontext)
    moving.logged(room.frames[2].last_event)
    seen: list[int] = []
    keep = moving._logs.keep
    monkeypatch.setattr(moving._logs, "keep", lambda log: (seen.append(len(moving._logs)), keep(log)))
    moving.logged(room.frames[3].last_event)
    assert seen == [0]


def test_logs_that_took_long_outlast_others(room: inspector.Capture) -> None:
    """Until so many others went that making them again would have taken as long; the latest stays in any case."""
    moving = Replay(room.calls, room.events, [frame.first_event for frame in room.frames])
    made = [moving.logged(frame.last_event) for frame in room.frames[2:7]]
    logs = Logs(Held(), Budgets(memory=0))
    with_costs = [replace(log, seconds=seconds) for log, seconds in zip(made, (9.0, 1.0, 1.0, 1.0, 0.5), strict=True)]
    for log in with_costs:
        logs.keep(log)
    gone = []
    while len(logs) > 1:
        before = set(map(id, logs._logs))
        logs._drop()
        gone += [number for number, log in enumerate(with_costs) if id(log) in before - set(map(id, logs._logs))]
    assert gone == [1, 2, 3, 0], "the last is the latest"
    logs = Logs(Held(), Budgets(memory=0))
    logs.keep(with_costs[0])
    for number in range(10):  # the long one is looked at no more
        logs.keep(replace(made[1 + number % 4], seconds=2.0))
        if len(logs) > 2:
            logs._drop()
    assert all(log.seconds < 9 for log in logs._logs)


def test_logs_are_let_go_with_their_replay(room: inspector.Capture) -> None:
    """A moment that somebody has kept does not keep the other logs."""
    moving = Replay(room.calls, room.events, [frame.first_event for frame in room.frames])
    moment, logs = moving.moment(room.frames[3].last_event), weakref.ref(moving._logs)
    del moving
    assert logs() is None
    assert np.array_equal(moment.rgba(), room.image(room.frames[3].last_event))
