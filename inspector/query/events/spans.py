"""Ranges of events around one event: the meaning of "in this frame" for questions over several events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import BadInput, unknown

if TYPE_CHECKING:
    from inspector.view import CaptureView

SPANS = {
    "frame": "the whole frame of the event",
    "until": "the frame of the event, up to it",
    "event": "the event alone",
    "capture": "the whole capture",
}
"""Name -> what it is."""


def span(capture: CaptureView, event: int, name: str = "frame") -> tuple[int, int]:
    """(first, last) event of a stretch, one of SPANS.

    What comes after the last frame, at the end of a program, belongs to that.  Raises BadInput for an unknown event or name.
    """
    capture.check_event(event)
    if name == "event":
        return event, event
    if name == "capture":
        return (capture.frames[0].first_event, capture.frames[-1].last_event) if capture.frames else (event, event)
    frame = capture.frame_at(event)
    if name not in SPANS:
        raise BadInput(unknown("range of events", name, SPANS))
    return frame.first_event, event if name == "until" else max(frame.last_event, event)
