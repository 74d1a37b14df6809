"""A pixel over the whole capture: its colour after each frame, and the events that wrote it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.cancel import stoppable
from core.device.past.reading import find
from core.errors import BadInput
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.pixels.history import Historian, PixelHistory
from inspector.query.pixels.pixel import Piece, PixelValue, check_inside, handle_of, piece_of, pieces, pieces_within

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.timeline.logged import LoggedFrame

FEW, TURN, BEGUN = 2, 4, 4
"""Frames from which on only the pixel is drawn; how many of them before others may ask something; how often this begins, as
another surface has the role that was asked for."""


@dataclass(frozen=True, eq=False)
class Life:
    """`colors`: float32[frames, 4], RGBA after each frame (depth as grey), NaN where there is no such pixel.

    `writers`: int64, the events that changed what it holds or wrote the same again, ascending, each once.
    """

    colors: np.ndarray
    writers: np.ndarray


@dataclass(frozen=True, slots=True)
class PixelLife:
    """Of a pixel (x, y) of a surface's `where`; answered a frame at a time."""

    where: Where = "back_buffer"
    x: int = 0
    y: int = 0

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Life:
        pieces = self.in_pieces(capture, cancel)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def in_pieces(self, capture: Capture, cancel: Cancel | None = None) -> Generator[float, None, Life]:
        """How far it is, after each frame.  A frame before the surface's creation or beyond its size has no colour."""
        frames = capture.frames
        colors = np.full((len(frames), 4), np.nan, np.float32)
        writers: set[int] = set()
        for number, piece in self._frames(capture, cancel):
            if piece is None:
                yield number / len(frames)
                continue
            try:
                color, wrote = self._in(capture, piece)
            except BadInput:
                continue
            writers.update(wrote)
            if piece.last == frames[number].last_event:
                colors[number] = color
        return Life(colors, np.array(sorted(writers), np.int64))

    def _frames(self, capture: Capture, cancel: Cancel | None) -> Iterator[tuple[int, Piece | None]]:
        """(number of a frame, None) when it begins; (number, piece) for each log of it that is complete and has the surface."""
        logs, held, begun = _Narrow(), -1, 0
        for number, frame in enumerate(capture.frames):
            yield number, None
            found = logs.reaching(frame.last_event)
            handle = self._handle(capture, frame.last_event, found, cancel)
            if handle not in (held, None) and begun < BEGUN:
                logs, held, begun = _Narrow(self._narrow(capture, handle, number, cancel)), handle, begun + 1
                found = logs.reaching(frame.last_event)
            if handle is None:
                continue
            span = handle, frame.first_event, frame.last_event
            for log in found or [piece.frame for piece in pieces(capture, *span, cancel)]:
                piece = piece_of(log, *span)
                if log.complete and piece.part is not None and piece.first <= piece.last:
                    yield number, piece

    def _handle(self, capture: Capture, event: int, logs: list[LoggedFrame], cancel: Cancel | None) -> int | None:
        """Of the subresource after an event, from the log that it is in, if that is there."""
        try:
            part = find(logs[-1].moment(event), self.where) if logs else None
            return part.handle if part is not None else None if logs else handle_of(capture, self.where, event, cancel)
        except BadInput:
            return None

    def _narrow(self, capture: Capture, handle: int, number: int, cancel: Cancel | None) -> Iterator[Piece] | None:
        """The logs from a frame on, for which nothing but the pixel is drawn; None: that would not come out right."""
        frames = capture.frames
        if capture.edits or len(frames) - number < FEW:
            return None
        rect = (self.x, self.y, self.x + 1, self.y + 1)
        return pieces_within(capture, handle, rect, frames[number].first_event, frames[-1].last_event, cancel, TURN)

    def _in(self, capture: Capture, piece: Piece) -> tuple[tuple[float, float, float, float], list[int]]:
        """The colour at the end of a piece, and the events of it that wrote.  BadInput: there is no such pixel."""
        asked = PixelHistory(self.where, self.x, self.y, misses=False)
        assert piece.part is not None
        check_inside(capture, piece.part, self.x, self.y, asked.named.slice, asked.named.sample)
        historian = Historian(capture, piece, piece.part, asked)
        wrote = [entry.event for entry in stoppable(historian.entries()) if entry.decided or entry.passed]
        return _color(historian.value_at(piece.last)[0]), wrote


class _Narrow:
    """The logs of a stretch of frames in order, several frames in one, taken as they are needed."""

    def __init__(self, pieces: Iterator[Piece] | None = None) -> None:
        self._pieces = pieces
        self._last: LoggedFrame | None = None

    def reaching(self, event: int) -> list[LoggedFrame]:
        """Those from the one that holds the events after the last call's, up to one with this event; none: there are none."""
        found = [] if self._last is None else [self._last]
        try:
            while self._pieces is not None and (self._last is None or self._last.last < event):
                self._last = next(self._pieces).frame
                found.append(self._last)
        except (MemoryError, StopIteration):  # the log of a single call is too long
            self._pieces = self._last = None
        return found if self._last is not None else []


def _color(value: PixelValue) -> tuple[float, float, float, float]:
    if value.rgba is not None:
        return value.rgba
    depth = value.depth or 0.0
    return depth, depth, depth, 1.0
