"""The wireframe of a draw: the edges of its primitives, as the rasteriser receives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from inspector.progress import Cancel
from inspector.query.draws.vertices import Grid

if TYPE_CHECKING:
    from inspector.capture import Capture

CORNERS = {"TRIANGLELIST": 3, "LINELIST": 2}
MOST_LINES = 60_000
CULLED, DRAWN, CHOSEN = (150, 150, 150, 255), (86, 180, 233, 255), (230, 159, 0, 255)


@dataclass(frozen=True)
class Wires:
    """Edges of triangles and lines on the screen, float32[n, 4] (x, y, x, y in pixels of the picture): those that were drawn,
    those of culled primitives, and those of the primitive that was asked for."""

    drawn: np.ndarray
    culled: np.ndarray
    chosen: np.ndarray

    def over(self, picture: np.ndarray) -> np.ndarray:
        """Over a picture, opaque: uint8[height, width, 4]."""
        from PIL import Image, ImageDraw  # when a picture is written

        image = Image.fromarray(np.ascontiguousarray(picture))
        image.putalpha(255)
        pen = ImageDraw.Draw(image)
        for edges, color in ((self.culled, CULLED), (self.drawn, DRAWN), (self.chosen, CHOSEN)):
            for edge in within(edges, *image.size).tolist():
                pen.line([value - 0.5 for value in edge], color)  # there, centres of pixels are whole numbers
        return np.asarray(image)


@dataclass(frozen=True, slots=True)
class WireFrame:
    """The edges of a draw's primitives after clipping; `primitive`: one to tell from the others."""

    event: int
    primitive: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Wires:
        """BadInput if the event draws nothing.  Of points, no edges."""
        if not capture.events.draw[capture.check_event(self.event)]:
            raise BadInput(f"event {self.event} draws nothing")
        return wires_of(capture.vertices(self.event, "clipped", cancel), self.primitive)


def wires_of(grid: Grid, primitive: int | None) -> Wires:
    """Of the primitives that go to the rasteriser (capture.vertices(event, "clipped"))."""
    corners = CORNERS.get(grid.primitive, 0)
    count = len(grid.rows) // corners * corners if corners else 0
    if not count:
        return Wires(*(np.zeros((0, 4), np.float32) for _ in range(3)))
    rows = grid.rows[:count]
    places = np.stack([rows["screen.x"], rows["screen.y"]], axis=1).astype(np.float32) + np.float32(0.5)  # centres are whole
    shapes = places.reshape(-1, corners, 2)
    usable = np.isfinite(shapes).all(axis=(1, 2))
    left_out = rows["culled"][::corners] != "" if "culled" in (rows.dtype.names or ()) else np.zeros(len(shapes), bool)
    chosen = rows["primitive"][::corners] == (-1 if primitive is None else primitive)
    return Wires(*(_edges(shapes[usable & some]) for some in (~left_out, left_out, chosen)))


def _edges(shapes: np.ndarray) -> np.ndarray:
    """float32[n, 4] of float32[shapes, corners, 2]."""
    ends = np.concatenate([shapes, np.roll(shapes, -1, axis=1)], axis=2)
    return ends[:, : 1 if shapes.shape[1] == 2 else None].reshape(-1, 4)[:MOST_LINES]


def within(edges: np.ndarray, width: int, height: int) -> np.ndarray:
    """float64[m, 4]: what of each edge is in a picture of this size (Liang and Barsky's clipping); the others are left out."""
    edges = np.asarray(edges, np.float64)
    starts, steps = edges[:, :2], edges[:, 2:] - edges[:, :2]
    first, last = np.zeros(len(edges)), np.ones(len(edges))
    for axis, size in enumerate((width, height)):
        step, start = steps[:, axis], starts[:, axis]
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.sort(np.stack([(0.0 - start) / step, (size - start) / step]), axis=0)
        level = step == 0
        inside = (start >= 0) & (start <= size)
        first = np.maximum(first, np.where(level, 0.0, ends[0]))
        last = np.where(level, np.where(inside, last, -1.0), np.minimum(last, ends[1]))
    kept = first <= last
    begin = starts + first[:, None] * steps
    end = starts + last[:, None] * steps
    return np.concatenate([begin, end], axis=1)[kept]
