"""Any moment from the log of a frame: the same bytes as executing the tape afresh up to there."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import inspector
from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.device.past import reading, rewind
from core.errors import BadInput, Cancelled
from core.pipeline.pixel import binned, parts
from core.pipeline.records.recycle import LEAST_WORDS
from inspector.timeline import listing as event_list
from inspector.timeline import replay as replaying
from inspector.timeline.budgets import Budgets
from inspector.timeline.replay import Replay
from inspector.timeline.walk import walk
from tests.inspector.timeline import random_tape

ROOMY = 512 << 20


def replay(tape: tuple[list[DdiCall], list[int]], log: int = ROOMY, **more: Any) -> Replay:
    calls, ends = tape
    events = event_list.build(calls)
    starts = sorted({0, *(int(events.first_of_call[end]) for end in ends if end < len(calls))})
    return Replay(calls, events, starts, Budgets(memory=log * 4 // 3), **more)


def told(place: Any) -> dict[Any, Any]:
    """All that a device or a moment says about surfaces."""
    answer: dict[Any, Any] = {role: reading.role(place, role) for role in reading.ROLES}
    for handle, surface in place.surfaces.items():
        for part in surface.parts:
            level = place.level(part)
            answer[part.handle, "bytes"] = level.linear().tobytes()
            answer[part.handle, "samples"] = [level.plane(n).tobytes() for n in range(part.samples)]
        answer[handle, "picture"] = reading.picture(place, handle).tobytes()
    return answer


def executed(tape: tuple[list[DdiCall], list[int]]) -> list[dict[Any, Any]]:
    """What a device without a tap says after each event."""
    calls, _ = tape
    events, driver, answers = event_list.build(calls), EmulatedDriver(), []
    for number, call in enumerate(calls):
        span = events.of_call(number)
        for n in range(len(span)):
            driver.run(call, span.start, n, n + 1 if events.op[span.start] else None)
            answers.append(told(driver.device))
    return answers


def same(found: dict[Any, Any], wanted: dict[Any, Any], event: int) -> None:
    different = [key for key in {**found, **wanted} if found.get(key) != wanted.get(key)]
    assert not different, f"event {event}: {different} differ"


@settings(max_examples=15, deadline=None)
@given(
    random_tape.tapes(), st.randoms(use_true_random=False), st.sampled_from([ROOMY, ROOMY, 60_000, 3_000]),
    st.sampled_from([0, replaying.A_REST]),
)  # fmt: skip
def test_forward_backward_and_fresh_agree(
    tape: tuple[list[DdiCall], list[int]], random: Any, log_budget: int, rest: int
) -> None:
    """rest 0: a frame that is looked at in the middle is always logged in two parts."""
    answers, moving = executed(tape), replay(tape, log_budget)
    order = [*range(len(answers)), *reversed(range(len(answers)))]
    order += random.sample(range(len(answers)), min(len(answers), 8))
    if not rest:
        random.shuffle(order)
    with mock.patch.object(replaying, "A_REST", rest):
        for event in order:
            same(told(moving.moment(event)), answers[event], event)


@settings(max_examples=10, deadline=None)
@given(random_tape.tapes(), st.sampled_from([ROOMY, 3_000]), st.sampled_from([ROOMY, 0]))
def test_primitives_as_if_the_draw_ended_there(tape: tuple[list[DdiCall], list[int]], log_budget: int, records: int) -> None:
    """By undo records, or (with no room for records) by drawing a part of the pass again."""
    moving, stopped = replay(tape, log_budget), replay(tape)
    events = event_list.build(tape[0])
    with mock.patch.multiple(rewind, RECORDS_KEPT=records, A_STAY=1):
        for event in np.flatnonzero(events.draw).tolist()[:4]:
            for primitive in (0, 1):
                same(told(moving.moment(event, primitive)), told(stopped._stopped(event, primitive, None)), event)
            same(told(moving.moment(event, 1)), told(moving.moment(event)), event)


@settings(max_examples=10, deadline=None)
@given(random_tape.tapes(), st.sampled_from([ROOMY, 0]), st.sampled_from([1, 3]))
@example(([*random_tape.setup(), random_tape.clear(1), random_tape.triangles(1), random_tape.triangles(3)], []), 0, 1)
def test_batches_in_parts(tape: tuple[list[DdiCall], list[int]], records: int, most: int) -> None:
    """A batch that is drawn in parts has a journal for each: any event, any primitive as without."""
    answers, stopped = executed(tape), replay(tape)
    events = event_list.build(tape[0])
    with mock.patch.multiple(rewind, RECORDS_KEPT=records, A_STAY=1), mock.patch.object(parts, "MOST_PLACES", most):
        moving = replay(tape)
        for event in range(len(answers)):
            same(told(moving.moment(event)), answers[event], event)
        for event in np.flatnonzero(events.draw).tolist()[:4]:
            same(told(moving.moment(event, 0)), told(stopped._stopped(event, 0, None)), event)


def test_a_log_outlives_what_the_device_does(room: inspector.Capture) -> None:
    last = room.frames[5].last_event
    moment = room.moment(last)
    with room.replay.at(room.frames[2].last_event):
        now = moment.rgba()
    assert np.array_equal(now, room.image(last))


def test_frame_of_a_log(room: inspector.Capture) -> None:
    frame, moving = room.frames[3], Replay(room.calls, room.events, [frame.first_event for frame in room.frames])
    logged = moving.logged(frame.first_event + 5)
    assert (logged.first, logged.last, logged.complete) == (frame.first_event, frame.last_event, True)
    assert moving.logged(frame.last_event) is logged


def test_a_look_into_a_frame_executes_what_is_before_it_and_the_next_one_the_rest(
    room: inspector.Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each event once: the first picture of a frame does not wait for what comes later."""
    frame, moving = room.frames[3], Replay(room.calls, room.events, [frame.first_event for frame in room.frames])
    with moving.before(frame.first_event):
        pass
    stops, step = [frame.first_event], moving._step_towards
    monkeypatch.setattr(moving, "_step_towards", lambda target: (step(target), stops.append(moving._position)))
    middle = int(room.draws[room.draws > frame.first_event + 40][0])
    assert np.array_equal(moving.moment(middle).rgba(), room.image(middle)) and stops[-1] == middle + 1
    moving.moment(middle - 5)
    assert stops[-1] == middle + 1
    later = frame.last_event - 20
    assert np.array_equal(moving.moment(later).rgba(), room.image(later))
    assert stops[-1] == frame.last_event + 1 and stops == sorted(set(stops))
    pieces = [moving.logged(event) for event in (middle, frame.last_event)]
    assert [(one.first, one.last) for one in pieces] == [(frame.first_event, middle), (middle + 1, frame.last_event)]


def test_primitives_of_draws(room: inspector.Capture) -> None:
    draw = int(room.draws[3])
    count = room.primitives(draw)
    assert count == {field.name: field.value for field in room.event(draw).fields}["count"]
    assert np.array_equal(room.image(draw, primitive=count - 1), room.image(draw))
    assert room.primitives(room.frames[0].last_event) == 0
    with pytest.raises(BadInput, match="primitive 1440 is out of range"):
        room.image(draw, primitive=count)


def test_logging_can_be_cancelled(room: inspector.Capture) -> None:
    fresh = Replay(room.calls, room.events, [frame.first_event for frame in room.frames])
    with pytest.raises(Cancelled):
        fresh.moment(room.frames[4].last_event, cancel=lambda: True)
    assert np.array_equal(fresh.moment(room.frames[4].last_event).rgba(), room.image(room.frames[4].last_event))


@pytest.mark.parametrize("logged", [True, False])
def test_who_gives_up_within_a_draw_leaves_an_exact_replay(logged: bool) -> None:
    """Asked after every 4,000 pixels, it stops at each of the first places in turn; the next answer is right."""
    tape = [*random_tape.setup(), random_tape.clear(1), *map(random_tape.triangles, (2, 4, 6, 8, 10))], []
    answers, moving, stopped = executed(tape), replay(tape), 0
    last = len(answers) - 1
    with mock.patch.object(binned, "A_PIECE", 1):
        for most in range(1, 40, 2):
            questions = [False] * most
            try:
                if logged:
                    moving.moment(last, cancel=partial(next, iter(questions), True))
                else:
                    with moving.at(last, cancel=partial(next, iter(questions), True)) as driver:
                        driver.device.flush()
            except Cancelled:
                stopped += 1
            for event in (last, last - 12):
                with moving.at(event) as driver:
                    same(told(driver.device), answers[event], most)
        assert stopped > 3
    for event in range(len(answers)):
        same(told(moving.moment(event)), answers[event], event)


@settings(max_examples=25, deadline=None)
@given(random_tape.tapes(14), st.randoms(use_true_random=False))
def test_jumps_that_leave_out_what_nobody_sees(tape: tuple[list[DdiCall], list[int]], random: Any) -> None:
    answers, events = executed(tape), event_list.build(tape[0])
    liveness = walk(tape[0], events).liveness
    for event in random.sample(range(len(answers)), min(len(answers), 4)):
        same(told(replay(tape, dead=liveness.dead).moment(event)), answers[event], event)


@pytest.mark.parametrize("slow", [True, False])
def test_a_leap_over_frames_that_take_long_leaves_keyframes_for_the_next(room: inspector.Capture, slow: bool) -> None:
    there, firsts = room.replay, [frame.first_event for frame in room.frames]
    leaping = Replay(there._calls, there._events, firsts, Budgets(memory=ROOMY), dead=room.walked.liveness.dead)
    leaping._pace._event = 1.0 if slow else 1e-9  # seconds
    with leaping.at(room.frames[5].last_event) as driver:
        assert np.array_equal(driver.rgba(), room.image(room.frames[5].last_event))
    assert [first in leaping._keyframes for first in firsts[1:5]] == 4 * [slow]
    for frame in room.frames[1:5]:
        assert np.array_equal(leaping.moment(frame.last_event).rgba(), room.image(frame.last_event))


def test_a_frame_that_is_cleared_first_needs_no_earlier_one(room: inspector.Capture) -> None:
    frame = room.frames[-1]
    skipped = room.walked.liveness.dead(0, frame.first_event)
    draws = room.draws[room.draws < frame.first_event]
    assert skipped[draws].mean() > 0.7
    assert not skipped[draws[draws >= room.frames[-2].first_event]].all()  # what is on the screen comes from there


def test_records_hold_no_more_memory_than_they_count(room: inspector.Capture) -> None:
    """Each is a view of an array that once had room for many more."""
    log = room.replay.logged(int(room.draws[40]))
    chunks = [chunk for one in log.tap.passes for chunk in one.watch.written if chunk.nbytes >= 4 * LEAST_WORDS]
    for chunk in chunks:
        base: Any = chunk
        while isinstance(base, np.ndarray) and base.base is not None:
            base = base.base
        assert base.nbytes <= 3 * chunk.nbytes
    assert chunks
