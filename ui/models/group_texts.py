"""Texts of those rows of the event tree that are not events: frames, driver calls, tokens of several records; and the order
of a draw's fields."""

from __future__ import annotations

import re

import numpy as np

from inspector.view import CaptureView
from ui.index import DRAW, EventIndex
from ui.models.outline import FRAME, TOKEN
from ui.words import counting

NBSP = "\u00a0"
"""Between words that are one name: the name of a row ends at its first blank."""
LEFT_OUT = ("none", "not recorded", "0")
"""Members of a call that say nothing in a line."""
ALIKE = "dwhContext"
"""The same in nearly all calls: it comes last."""
COUNT, START = (re.compile(rf" (?:{names})=\S+") for names in ("count|primitives", "(?:start|first)(?:_offset)?"))
"""The fields of a draw in which neighbours differ."""
COPY = re.compile(r" destination=(#\S+)(?: source=(#\S+))? (?:destination_box|point)=(\([^)]*\))")
"""Of a copy or a fill: to which surface, from which, and where to."""


def text_of_group(capture: CaptureView, index: EventIndex, first: int, end: int, level: int) -> str:
    """A line about the events [first, end), the name first."""
    draws = int(np.diff(index.before(np.array([first, end]))[DRAW])[0])
    if level == FRAME:
        return f"Frame{NBSP}{index.frame(first)} {counting(draws, 'draw')}, {counting(end - first, 'event')}"
    if level == TOKEN:
        return f"{index.name(first)} {counting(end - first, 'record')}"
    counted = counting(end - first, "event") + (f", {counting(draws, 'draw')}" if draws else "")
    told = sorted(_members(capture, first), key=lambda member: member[0] == ALIKE)
    members = (f"{name}={text}" for name, text in told if text not in LEFT_OUT)
    return " ".join([f"{_entry(capture, first)} {counted}", *members])


def told_apart(text: str, primitives: int | None) -> str:
    """An event's line with what tells it from its neighbours in front: the numbers of a draw (of so many primitives), as in
    "DRAWPRIMITIVE count=2 start=0 type=TRIANGLELIST"; of a copy place and surfaces, as in "Blt (0 0 8 8) on #3 from #5".
    """
    name, blank, rest = text.partition(" ")
    if primitives is None:
        return COPY.sub(_short_copy, text, count=1)
    rest, found = blank + rest, list[str]()
    for field in (COUNT, START):
        if match := field.search(rest):
            found.append(match[0])
            rest = field.sub("", rest, count=1)
    counted = found and COUNT.match(found[0])
    return name + ("" if counted else f" primitives={primitives}") + "".join(found) + rest


def _short_copy(match: re.Match[str]) -> str:
    surface, source, place = match.groups()
    return f" {place} on {surface}" + (f" from {source}" if source else "")


def group_tip(capture: CaptureView, first: int) -> list[str]:
    """Every member of a call's structure, a line each."""
    return [f"{name} = {text}" for name, text in _members(capture, first)]


def _entry(capture: CaptureView, event: int) -> str:
    """The driver's entry point."""
    calls = capture.tape.call_index()
    return calls.names[int(calls.entry[int(capture.events.call[event])])]


def _members(capture: CaptureView, event: int) -> list[tuple[str, str]]:
    """(DDK name, value) of the call that an event came in."""
    return [(field.header or field.name, field.text) for field in capture.call_fields(event)]
