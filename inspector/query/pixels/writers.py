"""The inverse of a history: the writers of a pixel or rectangle, the pixels of a draw or primitive, and the reverse."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.cancel import look
from core.device.past.pixel_log import TOUCHED, drawn_at
from core.device.past.reading import find
from core.device.past.rewind import Rewind
from core.device.past.tap import Pass
from core.errors import BadInput
from core.pipeline.explain.redraw import DrawnBatch
from core.pipeline.records.layout import from_blocks
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.pixels.pixel import AtPixel, Piece, check_inside, event_range, handle_of, pieces, pieces_within

if TYPE_CHECKING:
    from inspector.capture import Capture

WRITER = np.dtype([("event", "i8"), ("primitive", "i4"), ("sample", "i4"), ("before", "u8"), ("after", "u8")])
BOX = tuple[int, int, int, int]
MANY_FRAMES = 4  # in fewer everything is drawn: the log of the last one is kept for the next question


@dataclass(frozen=True, slots=True)
class Writers(AtPixel):
    """What changed a pixel, in order: WRITER rows.

    primitive -1: a clear, copy, upload or flip, which counts even if the value stayed the same.
    """

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """BadInput if there is no such surface, pixel, sample or event."""
        first, last = event_range(capture, self.first, self.last)
        handle = handle_of(capture, self.where, last, cancel)
        slice, sample = self.named.slice, self.named.sample
        found: list[tuple[int, int, int, int, int]] = []
        for piece in pieces(capture, handle, first, last, cancel):
            if piece.part is None:
                continue
            check_inside(capture, piece.part, self.x, self.y, slice, sample)
            found += (
                write for write in piece.log.writers(piece.part, self.x, self.y, slice)
                if piece.first <= write.event <= piece.last and (sample in (None, write.sample) or write.primitive < 0)
            )  # fmt: skip
        return np.array([(*write[:3], *(word & 0xFFFFFFFFFFFFFFFF for word in write[3:])) for write in found], WRITER)


# ---- rectangles ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Touched:
    """What changed pixels within a rectangle (left, top, right, bottom; the last two excluded; None: the whole surface).

    Clears, copies, uploads and flips count with the pixels that they write, draws with those whose value became another; of a
    multisampled surface samples are counted.
    """

    where: Where = "render_target"
    rect: BOX | None = None
    first: int | None = None
    last: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Touches:
        """BadInput if there is no such surface, event or rectangle."""
        first, last = event_range(capture, self.first, self.last)
        if (found := self._within(capture, first, last, cancel)) is not None:
            return found
        handle = handle_of(capture, self.where, last, cancel)
        rows = [self._touched(capture, piece) for piece in pieces(capture, handle, first, last, cancel)]
        return _touches(capture, handle, rows)

    def _within(self, capture: Capture, first: int, last: int, cancel: Cancel | None) -> Touches | None:
        """The answer over many frames, in which only the rectangle is drawn; None where that is not the way."""
        frame = capture.frame_of(first)
        if self.rect is None or capture.edits or capture.frame_of(last) - frame < MANY_FRAMES:
            return None
        start = capture.resolve(max(capture.timeline.all_frames[frame].last_event, first), self.where, cancel)
        found = pieces_within(capture, start[1], self.rect, first, last, cancel) if start is not None else None
        rows: list[np.ndarray] = []
        try:
            for piece in found or ():
                look((piece.first - first) / (last + 1 - first), "drawing")
                rows.append(self._touched(capture, piece))
        except MemoryError:  # the log of a single call
            return None
        if start is None or not rows or piece.part is None or find(piece.frame.moment(last), self.where) is not piece.part:
            return None  # another surface has this role in the end
        return _touches(capture, start[1], rows)

    def _touched(self, capture: Capture, piece: Piece) -> np.ndarray:
        """TOUCHED[n]."""
        if piece.part is None:
            return np.zeros(0, TOUCHED)
        rect = self.rect or (0, 0, piece.part.width, piece.part.height)
        check_inside(capture, piece.part, rect[0], rect[1])
        check_inside(capture, piece.part, rect[2] - 1, rect[3] - 1)
        return piece.log.touched(piece.part, rect, piece.first, piece.last)


def _touches(capture: Capture, handle: int, rows: list[np.ndarray]) -> Touches:
    every = np.concatenate([np.zeros(0, TOUCHED), *rows])
    return Touches(handle, every, {event: capture.name(event) for event in np.unique(every["event"]).tolist()})


@dataclass(frozen=True)
class Touches:
    """primitives: TOUCHED rows by event and primitive (-1: no draw), how many pixels each changed; tokens: names of events."""

    surface: int
    primitives: np.ndarray
    tokens: dict[int, str]

    @cached_property
    def events(self) -> list[tuple[int, str, int, int]]:
        """(event, token, primitives that changed something, pixels that they changed, counted for each of them)."""
        numbers, starts, counts = np.unique(self.primitives["event"], return_index=True, return_counts=True)
        pixels = np.add.reduceat(self.primitives["pixels"], starts) if len(starts) else starts
        drawn = np.where(self.primitives["primitive"][starts] < 0, 0, counts)
        return [(e, self.tokens[e], d, p) for e, d, p in zip(*(c.tolist() for c in (numbers, drawn, pixels)), strict=True)]


# ---- pixels of a draw ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PixelsOf:
    """The pixels that a draw, or one primitive of it, covered and changed."""

    event: int
    primitive: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Coverage:
        """BadInput if the event draws nothing to a surface."""
        rewind, cause = drawing_pass(capture, self.event, cancel)
        surface = cause.parts[0] or cause.parts[1]
        assert surface is not None
        shape = surface.height, surface.width
        fragments, changed = np.zeros(shape, np.int32), np.zeros(shape, bool)
        for batch in map(DrawnBatch, cause.watch.journals):
            fragments += batch.coverage(batch.rows_of(self.event, self.primitive), surface.width, surface.height)
        for part in filter(None, cause.parts):
            before, after = (rewind.part(part, *moment) for moment in self._moments())
            for old, new in zip(*(level.blocks().reshape(part.planes, -1) for level in (before, after)), strict=True):
                changed |= from_blocks(old != new, part.width, part.height)[: surface.height, : surface.width]
        return Coverage(self.event, self.primitive, surface.handle, fragments, changed)

    def _moments(self) -> tuple[tuple[int, int | None], tuple[int, int | None]]:
        """(event, primitive) before and after what is asked about."""
        before = (self.event, self.primitive - 1) if self.primitive else (self.event - 1, None)
        return before, (self.event, self.primitive)


@dataclass(frozen=True)
class Coverage:
    """fragments: int32[height, width], how many (a sample each) a pixel got; changed: bool, its colour or depth is another."""

    event: int
    primitive: int | None
    surface: int
    fragments: np.ndarray
    changed: np.ndarray

    @property
    def covered(self) -> np.ndarray:
        """bool[height, width]."""
        return self.fragments > 0

    @property
    def counts(self) -> tuple[int, int]:
        """(pixels covered, pixels changed)."""
        return int(self.covered.sum()), int(self.changed.sum())


@dataclass(frozen=True, slots=True)
class PrimitiveAt:
    """Which primitive of a draw covers a pixel: the last one of those that do; None if none does."""

    event: int
    x: int
    y: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> int | None:
        """BadInput if the event draws nothing to a surface, or the pixel is outside it."""
        _, cause = drawing_pass(capture, self.event, cancel)
        surface = cause.parts[0] or cause.parts[1]
        assert surface is not None
        check_inside(capture, surface, self.x, self.y)
        for batch in reversed(drawn_at(cause, self.x, self.y)):
            found = batch.covering(self.x, self.y, batch.rows_at(self.x, self.y, self.event, self.event))
            if len(found):
                return int(batch.edges["number"][found[-1]])
        return None


def drawing_pass(capture: Capture, event: int, cancel: Cancel | None = None) -> tuple[Rewind, Pass]:
    """The batch in which an event was drawn, with its log.  BadInput if it left no primitive, or its log is not kept."""
    event_range(capture, event, event)
    frame = capture.replay.logged(event, cancel)
    for cause in frame.tap.passes:
        if cause.first_seq <= event <= cause.last_seq:
            return frame.rewind, cause
    raise BadInput(f"{capture.title}: event {event} draws nothing")
