"""Stretches of events around one."""

from __future__ import annotations

from pathlib import Path

import pytest

import inspector
from core.errors import BadInput
from inspector.query.events.spans import SPANS, span
from tests.inspector.conftest import ROOM
from tests.inspector.streams import TEXTURE, call, capture_of, stream


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


def test_what_follows_the_last_frame_belongs_to_it(tmp_path: Path) -> None:
    with capture_of([*stream([("draws", 7)]), call("DestroySurface", handle=TEXTURE)], tmp_path) as capture:
        frame, end = capture.frames[-1], len(capture.events) - 1
        assert end > frame.last_event
        assert span(capture, end, "frame") == span(capture, end, "until") == (frame.first_event, end)


def test_frames_that_are_not_listed_have_stretches_too(room: inspector.Capture) -> None:
    with inspector.open(ROOM, frames=(2, 4)) as part:
        event = room.frames[6].last_event
        assert span(part, event) == span(room, event)
        assert span(part, event, "capture") == (room.frames[2].first_event, room.frames[3].last_event)


def test_unknown_events_and_names_are_refused(room: inspector.Capture) -> None:
    for event, name in ((-1, "event"), (len(room.events), "frame"), (5, "week")):
        with pytest.raises(BadInput):
            span(room, event, name)
