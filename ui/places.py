"""Places that the go-to box accepts: an event, a frame, a draw, an API call, a pixel, or a link."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.errors import BadInput
from inspector.focus import Focus
from inspector.view import CaptureView
from ui.index import EventIndex

FORMS = "812, #812, frame 3, draw 12, call 1047, primitive 7, vertex 2, 40,52 (a pixel), or a link"
_NUMBERED = re.compile(r"(#|[a-z]+)?\s*(\d[\d,]*)", re.IGNORECASE)
_PIXEL = re.compile(r"(?:pixel\b)?\s*\(?(\d+)\s*[,;\s]\s*(\d+)\)?", re.IGNORECASE)


def place_of(text: str, focus: Focus, capture: CaptureView, index: EventIndex) -> Focus | dict[str, object]:
    """The place that a link gives, or else what changes in the present one.  BadInput: unknown form, or no such place."""
    text = text.strip()
    if "event=" in text:
        return Focus.parse(text[text.rfind("#") + 1 :])
    if found := _PIXEL.fullmatch(text):
        return {"pixel": (int(found[1]), int(found[2]))}
    found = _NUMBERED.fullmatch(text)
    does = _WORDS.get((found[1] or "event").casefold()) if found else None
    if found is None or does is None:
        raise BadInput(f"{text!r} is not a place. Expected one of: {FORMS}.")
    return does(int(found[2].replace(",", "")), focus, capture, index)


def _counted(name: str, number: int, first: int, count: int) -> None:
    if not first <= number < first + count:
        there = f"({first:,} to {first + count - 1:,})" if count else "(there are none)"
        raise BadInput(f"{name[:1].upper()}{name[1:]} {number:,} is out of range {there}.")


def _event(number: int, focus: Focus, capture: CaptureView, index: EventIndex) -> dict[str, object]:
    _counted("event", number, 0, len(index))
    return {"event": number}


def _frame(number: int, focus: Focus, capture: CaptureView, index: EventIndex) -> dict[str, object]:
    """The event after which the frame's picture is complete."""
    _counted("frame", number, 0, len(index.frame_first))
    return {"event": index.picture_event(number)}


def _draw(number: int, focus: Focus, capture: CaptureView, index: EventIndex) -> dict[str, object]:
    """Numbered from 0, as in the inspector, the list of events, queries and comparisons."""
    _counted("draw", number, 0, len(index.draws))
    return {"event": int(index.draws[number])}


def _call(number: int, focus: Focus, capture: CaptureView, index: EventIndex) -> dict[str, object]:
    """The last event that an API call caused, or that came before it."""
    _counted("API call", number, 0, capture.tape.source_count)
    return {"event": capture.event_of_source_call(number)}


def _primitive(number: int, focus: Focus, capture: CaptureView, index: EventIndex) -> dict[str, object]:
    _counted("primitive", number, 0, capture.primitives(focus.event))
    return {"primitive": number}


def _vertex(number: int, focus: Focus, capture: CaptureView, index: EventIndex) -> dict[str, object]:
    return {"vertex": number}


_WORDS: dict[str, Callable[[int, Focus, CaptureView, EventIndex], dict[str, object]]] = {
    "#": _event, "event": _event, "frame": _frame, "draw": _draw, "call": _call, "primitive": _primitive, "vertex": _vertex,
}  # fmt: skip
