"""Frames: the ranges between two presentations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.ddi.calls import DdiCall
from core.errors import BadInput
from core.spec.calls import kind_of_call
from core.spec.effects import EventKind
from core.spec.enums import HResult
from inspector.timeline.events import Events

LAST_PRESENTATION = 2
RELEASES = ("DestroySurface", "DestroyD3DBuffer", "ContextDestroy", "ContextDestroyAll")


@dataclass(frozen=True, slots=True)
class Frame:
    """Events first_event..last_event; the last one is the presentation, if the frame has one."""

    index: int
    first_event: int
    last_event: int
    draws: int


def presents(call: DdiCall) -> bool:
    """Whether a frame ends with this call: a presentation, of a Present in pieces the last one; not one that was refused."""
    if call.args.get("ends_frame"):
        return True  # the program went on to its next picture, although nothing was shown
    if "recorded" in call.args or call.result == HResult.DDERR_WASSTILLDRAWING:
        return False
    partial = call.args.get("presentation", LAST_PRESENTATION) != LAST_PRESENTATION
    return not partial and kind_of_call(call.entry, call.args) == EventKind.PRESENT


def picture_event(first: int, last: int, name: str) -> int:
    """The event after which a frame is whole in its back buffer; `name`: of its last event, `last`.

    A Flip exchanges that buffer with another; the presentations that copy leave it as it is.
    """
    return last - (last > first and name == "Flip")


def numbered(frames: Sequence[Frame], number: int, title: str) -> Frame:
    """The frame of this number among those listed, the first of which need not be frame 0.  BadInput if it is not there."""
    first = frames[0].index if frames else 0
    if not 0 <= number - first < len(frames):
        listed = f"{first} to {first + len(frames) - 1}" if frames else "there are none"
        raise BadInput(f"{title}: frame {number} is out of range ({listed})")
    return frames[number - first]


def with_rest(frames: list[Frame], calls: Sequence[DdiCall], events: Events) -> list[Frame]:
    """All frames of a tape, of which `frames` end with presentations.

    Events after the last presentation are a frame of their own if they draw, or if there is no presentation at all.
    What a program lets go of at its end belongs to no frame: a frame's last event still has its picture.
    """
    first = frames[-1].last_event + 1 if frames else 0
    draws = int(np.count_nonzero(events.rows["draw"][first:]))
    if not len(events) or (frames and not draws):
        return frames
    last = _before_the_end(calls, events, first)
    return [*frames, Frame(len(frames), first, last, int(np.count_nonzero(events.rows["draw"][first : last + 1])))]


def _before_the_end(calls: Sequence[DdiCall], events: Events, first: int) -> int:
    """The last event before everything is released, not before event `first`."""
    number = len(calls) - 1
    while number > 0 and calls[number].entry in RELEASES:
        number -= 1
    return max(int(events.first_of_call[number + 1]) - 1, first)
