"""Texts of those rows of the event tree that are not events: frames, driver calls, tokens of several records."""

from __future__ import annotations

import numpy as np

from inspector.view import CaptureView
from ui.index import DRAW, EventIndex
from ui.models.outline import FRAME, TOKEN
from ui.words import counting

NBSP = "\u00a0"
"""Between words that are one name: the name of a row ends at its first blank."""
LEFT_OUT = ("none", "not recorded", "0")
"""Members of a call that say nothing in a line."""


def text_of_group(capture: CaptureView, index: EventIndex, first: int, end: int, level: int) -> str:
    """A line about the events [first, end), the name first."""
    draws = int(np.diff(index.before(np.array([first, end]))[DRAW])[0])
    if level == FRAME:
        return f"Frame{NBSP}{index.frame(first)} {counting(draws, 'draw')}, {counting(end - first, 'event')}"
    if level == TOKEN:
        return f"{index.name(first)} {counting(end - first, 'record')}"
    counted = counting(end - first, "event") + (f", {counting(draws, 'draw')}" if draws else "")
    members = (f"{name}={text}" for name, text in _members(capture, first) if text not in LEFT_OUT)
    return " ".join([f"{_entry(capture, first)} {counted}", *members])


def group_tip(capture: CaptureView, first: int) -> list[str]:
    """Every member of a call's structure, a line each."""
    return [f"{name} = {text}" for name, text in _members(capture, first)]


def _entry(capture: CaptureView, event: int) -> str:
    """The driver's entry point."""
    calls = capture.tape.call_index()
    return calls.names[int(calls.entry[int(capture.events.call[event])])]


def _members(capture: CaptureView, event: int) -> list[tuple[str, str]]:
    """(DDK name, value) of the call that an event came in."""
    return [(field.header or field.name, field.text) for field in capture.event(event).call_fields]
