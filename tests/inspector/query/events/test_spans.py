"""Stretches of events around one."""

from __future__ import annotations

import pytest

import inspector
from core.errors import BadInput
from inspector.query.events.spans import SPANS, span
from tests.inspector.conftest import ROOM


def test_what_the_stretches_are(room: inspector.Capture) -> None:
    frame = room.frames[3]
    middle = (frame.first_event + frame.last_event) // 2
    ends = {
        "frame": (frame.first_event, frame.last_event),
        "until": (frame.first_event, middle),
        "event": (middle, middle),
        "capture": (room.frames[0].first_event, room.frames[-1].last_event),
    }
    assert {name: span(room, middle, name) for name in SPANS} == ends


def test_what_follows_the_last_frame_belongs_to_it(room: inspector.Capture) -> None:
    frame, end = room.frames[-1], len(room.events) - 1
    assert end > frame.last_event
    assert span(room, end, "frame") == span(room, end, "until") == (frame.first_event, end)


def test_frames_that_are_not_listed_have_stretches_too(room: inspector.Capture) -> None:
    with inspector.open(ROOM, frames=(2, 4)) as part:
        event = room.frames[6].last_event
        assert span(part, event) == span(room, event)
        assert span(part, event, "capture") == (room.frames[2].first_event, room.frames[3].last_event)


def test_unknown_events_and_names_are_refused(room: inspector.Capture) -> None:
    for event, name in ((-1, "event"), (len(room.events), "frame"), (5, "week")):
        with pytest.raises(BadInput):
            span(room, event, name)
