"""A pixel over the whole capture: its colour after each frame, and the events that wrote it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.pixel import PixelValue

if TYPE_CHECKING:
    from inspector.capture import Capture


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
        writers: list[int] = []
        for number, frame in enumerate(frames):
            yield number / len(frames)
            asked = PixelHistory(self.where, self.x, self.y, frame.first_event, frame.last_event, misses=False)
            try:
                history = asked.run(capture, cancel)
            except BadInput:
                continue
            if history.end:
                colors[number] = _color(history.end[0])
            writers += sorted({entry.event for entry in history.entries if entry.decided or entry.passed})
        return Life(colors, np.array(writers, np.int64))


def _color(value: PixelValue) -> tuple[float, float, float, float]:
    if value.rgba is not None:
        return value.rgba
    depth = value.depth or 0.0
    return depth, depth, depth, 1.0
