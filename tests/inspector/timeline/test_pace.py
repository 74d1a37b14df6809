"""When a keyframe on disk is read, and when frames are gone over."""

from __future__ import annotations

from inspector.timeline.pace import Pace


def test_few_events_are_gone_over_and_for_many_a_keyframe_is_read() -> None:
    assert not Pace().pays(100)
    assert Pace().pays(100_000)


def test_where_events_took_long_a_keyframe_is_read_until_going_over_them_is_tried_again() -> None:
    pace = Pace()
    for _ in range(8):
        pace.passed(38, 0.036)
    answers = [pace.pays(38) for _ in range(100)]
    assert answers[0] and not answers[-1]


def test_where_reading_took_long_frames_are_gone_over() -> None:
    pace = Pace()
    for _ in range(8):
        pace.read(1.0)
    assert not pace.pays(100_000)


def test_what_was_measured_goes_on_in_the_next_opening() -> None:
    pace = Pace()
    for _ in range(8):
        pace.passed(38, 0.036)
    assert Pace(pace.measured).pays(38) and not Pace().pays(38)
    for damaged in ((0.0, 1.0), (1.0,), "pace", (1, 2)):
        assert Pace(damaged).measured == Pace().measured


def test_where_making_a_keyframe_takes_long_they_lie_far_apart() -> None:
    pace, usual = Pace(), Pace().events_in_a_leg
    pace.made(0.001)
    assert pace.events_in_a_leg == usual
    for _ in range(8):
        pace.made(0.1)
    assert pace.events_in_a_leg > 5 * usual
