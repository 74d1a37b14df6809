"""An overview of a capture's events: a name, a kind and a frame for each, as flat arrays that the GUI thread may read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.spec.effects import EventKind
from inspector.progress import spans
from inspector.timeline.frames import picture_event
from inspector.timeline.kinds import kinds_of
from inspector.view import CaptureView
from ui.keys.keymap import KEYS

KINDS = tuple(kind.word for kind in EventKind)
KIND_TITLES = tuple(kind.title for kind in EventKind)
BLOCK = 64  # events of which one running sum is kept: one for each event would be 36 bytes an event
OPS = 256  # codes of tokens; those of calls come after them
OTHER, DRAW, CLEAR, COPY, PRESENT, STATE, TRANSFORM, SHADER, RESOURCE = map(int, EventKind)
NO_VERTICES = {
    CLEAR: "{} clears surfaces: it has no vertices.", COPY: "{} copies or fills pixels: it has no vertices.",
    PRESENT: "{} presents what was drawn: it has no vertices.", RESOURCE: "{} is about a resource: it has no vertices.",
}  # fmt: skip
"""By kind, what an event that is no draw does instead."""


@dataclass(frozen=True)
class EventIndex:
    """names[name_of[e]] is the name of event e; kind[e] its kind; frame_first the first event of each frame."""

    names: list[str]
    name_of: np.ndarray
    kind: np.ndarray
    frame_first: np.ndarray
    draws: np.ndarray
    is_done: Callable[[int], bool] = lambda _: True
    """Whether the driver executed an event."""

    def __len__(self) -> int:
        return len(self.kind)

    def name(self, event: int) -> str:
        return self.names[self.name_of[event]]

    def frame(self, event: int) -> int:
        return max(bisect_right(self._firsts, event) - 1, 0)

    @cached_property
    def _firsts(self) -> list[int]:
        """`frame_first` for looking one event up, which is quicker in a list."""
        found: list[int] = self.frame_first.tolist()
        return found

    def frame_range(self, frame: int) -> tuple[int, int]:
        """First event of the frame and first event after it."""
        after = self.frame_first[frame + 1] if frame + 1 < len(self.frame_first) else len(self)
        return int(self.frame_first[frame]), int(after)

    def picture_event(self, frame: int) -> int:
        """The event after which a frame is whole in its back buffer: its last, or the one before if that is a Flip."""
        first, after = self.frame_range(frame)
        return picture_event(first, after - 1, self.name(after - 1))

    def next_draw(self, event: int) -> int | None:
        place = int(np.searchsorted(self.draws, event, "right"))
        return int(self.draws[place]) if place < len(self.draws) else None

    def draw_for(self, event: int) -> int | None:
        """The event if it is a draw; of a state the next draw of its frame.  None: there is none."""
        if int(self.kind[event]) == DRAW:
            return event
        draw = self.next_draw(event) if int(self.kind[event]) in (STATE, TRANSFORM, SHADER) else None
        return draw if draw is not None and self.frame(draw) == self.frame(event) else None

    def no_vertices(self, event: int) -> str:
        """A sentence on an event that is no draw, and on how to come to one."""
        about = NO_VERTICES.get(int(self.kind[event]), "{} has no vertices, and no draw follows it in its frame.")
        if not self.is_done(event):
            about = "{} was not executed: its call failed."
        return f"{about.format(self.name(event))}\n{self.way_on(event)}"

    def nearest_draw(self, event: int) -> int | None:
        """The draw with the fewest events between, of two the one after it; None: nothing is drawn."""
        around = [draw for draw in (self.next_draw(event), self.previous_draw(event)) if draw is not None]
        return min(around, key=lambda draw: abs(draw - event), default=None)

    def way_on(self, event: int) -> str:
        """A sentence on how to come to a draw from an event that is none."""
        if not len(self.draws):
            return "Nothing in this capture is drawn by Direct3D."
        if self.next_draw(event) is None:
            return f"Press {KEYS.text('previous-draw')} to go to the last draw."
        return f"Press {KEYS.text('next-draw')} to go to the next draw."

    def previous_draw(self, event: int) -> int | None:
        place = int(np.searchsorted(self.draws, event, "left")) - 1
        return int(self.draws[place]) if place >= 0 else None

    @cached_property
    def sums(self) -> np.ndarray:
        """int32 (blocks + 1, kinds): how many events of each kind come before each block of BLOCK events."""
        blocks, kinds = -(-len(self) // BLOCK), len(KINDS)
        sums = np.zeros((blocks + 1, kinds), np.int32)
        for span in spans(blocks):
            some = self.kind[span.start * BLOCK : span.stop * BLOCK]
            places = np.arange(len(some)) // BLOCK * kinds + some
            counts = np.bincount(places, minlength=(span.stop - span.start) * kinds).reshape(-1, kinds)
            np.cumsum(counts, axis=0, out=sums[span.start + 1 : span.stop + 1])
            sums[span.start + 1 : span.stop + 1] += sums[span.start]
        return sums

    def before(self, events: np.ndarray) -> np.ndarray:
        """int64 (kinds, n): how many events of each kind come before each of these.  Differences are densities."""
        kinds, block = len(KINDS), events // BLOCK
        inside = block[:, None] * BLOCK + np.arange(BLOCK)
        row, column = np.nonzero(inside < events[:, None])
        counts = np.bincount(row * kinds + self.kind[inside[row, column]], minlength=len(events) * kinds)
        found: np.ndarray = self.sums[block].T + counts.reshape(-1, kinds).T
        return found


def build_index(capture: CaptureView) -> EventIndex:
    """Reads every event's name once; not for the GUI thread."""
    name_of, names = _names(capture)
    first = np.array([frame.first_event for frame in capture.all_frames] or [0], np.int64)
    index = EventIndex(names, name_of, kinds_of(capture), first, np.asarray(capture.draws, np.int64), capture.events.is_done)
    index.sums  # noqa: B018 - computed here, off the window's thread
    return index


def _names(capture: CaptureView) -> tuple[np.ndarray, list[str]]:
    """(number of each event's name, names): a token's name hangs on its op, a call's on its entry point."""
    ops, call, calls = capture.events.op, capture.events.call, capture.tape.call_index()
    entry, codes, counts = np.asarray(calls.entry).astype(np.uint16), np.empty(len(ops), np.uint16), np.zeros(1 << 16, np.int64)
    for span in spans(len(codes)):
        codes[span] = np.where(ops[span] > 0, ops[span].astype(np.uint16), OPS + entry[call[span]])
        counts += np.bincount(codes[span], minlength=len(counts))
    kinds = np.flatnonzero(counts)  # not by sorting: there may be ten million
    number = np.zeros(int(kinds[-1]) + 1 if len(kinds) else 0, np.uint16)
    number[kinds] = np.arange(len(kinds))
    names = [calls.names[code - OPS] if code >= OPS else capture.name(int(np.argmax(codes == code))) for code in kinds.tolist()]
    return number[codes], names
