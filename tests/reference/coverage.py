"""Which pixels a triangle covers, and what its vertices' values are there (semantics 1 and 2).

Pixel (i, j) is the point with integer coordinates.  Vertices are snapped to 1/256 pixel; from there on all is exact integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SUBPIXEL = 256
CULL_NONE, CULL_CW, CULL_CCW = 1, 2, 3

Point = tuple[int, int]  # in 1/256 pixel


def snap(x: float, y: float) -> Point:
    """The nearest point of the subpixel grid."""
    return math.floor(x * SUBPIXEL + 0.5), math.floor(y * SUBPIXEL + 0.5)


def edge(p: Point, q: Point, at: Point) -> int:
    """Twice the signed area of p, q, at: positive if `at` lies to the right of p -> q on the screen (y down)."""
    return (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0])


def is_culled(corners: Sequence[Point], mode: int) -> bool:
    """Triangles of no area are neither: they count as not counter-clockwise."""
    (x0, y0), (x1, y1), (x2, y2) = corners
    counter_clockwise = (x0 - x2) * (y1 - y2) < (x1 - x2) * (y0 - y2)
    return (mode == CULL_CCW and counter_clockwise) or (mode == CULL_CW and not counter_clockwise)


def is_top_or_left(p: Point, q: Point) -> bool:
    """For clockwise corners: the inside is to the right of p -> q."""
    return q[1] < p[1] or (q[1] == p[1] and q[0] > p[0])


class Place(NamedTuple):
    """A covered pixel, and the weights of the vertices there (they sum to 1; of triangles exact fractions of the area).

    share: how much of it an antialiased line covers.
    """

    x: int
    y: int
    weights: tuple[float, ...]
    share: float = 1.0


class Triangle:
    """Three corners on the screen."""

    def __init__(self, positions: Sequence[tuple[float, float]]) -> None:
        self.corners = [snap(x, y) for x, y in positions]
        self.area = edge(*self.corners) if self.corners else 0

    def seen_from(self, dx: int, dy: int) -> Triangle:
        """The same where a sample, which lies so far (1/256 pixel) from its pixel's centre, is the centre."""
        moved = Triangle([])
        moved.corners, moved.area = [(x - dx, y - dy) for x, y in self.corners], self.area
        return moved

    def weights(self, x: int, y: int) -> tuple[float, float, float]:
        """Barycentric coordinates of a pixel, inside or outside."""
        a, b, c = self.corners
        at = x * SUBPIXEL, y * SUBPIXEL
        return edge(b, c, at) / self.area, edge(c, a, at) / self.area, edge(a, b, at) / self.area

    def steepness(self, values: Sequence[float]) -> float:
        """How much an affine value changes over the triangle's box, extended to all of it: large for slivers.

        float32 computes a value from a corner, a slope to the right and a slope down: so large its terms may be.
        """
        origin, right, down = (linear(self.weights(*at), values) for at in ((0, 0), (1, 0), (0, 1)))
        wide, high = ((max(axis) - min(axis)) / SUBPIXEL for axis in zip(*self.corners, strict=True))
        return abs(right - origin) * wide + abs(down - origin) * high

    def covers(self, x: int, y: int) -> bool:
        """The top-left rule: inside, or exactly on a top or left edge."""
        if self.area == 0:
            return False
        a, b, c = self.corners if self.area > 0 else reversed(self.corners)
        at = x * SUBPIXEL, y * SUBPIXEL
        return all(
            edge(p, q, at) > 0 or (edge(p, q, at) == 0 and is_top_or_left(p, q)) for p, q in ((a, b), (b, c), (c, a))
        )  # fmt: skip

    def places(self, width: int, height: int, cull: int) -> Iterator[Place]:
        """The covered pixels of a target."""
        if self.area == 0 or is_culled(self.corners, cull):
            return
        (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*self.corners, strict=True))
        for y in range(max(top // SUBPIXEL, 0), min(bottom // SUBPIXEL + 1, height)):
            for x in range(max(left // SUBPIXEL, 0), min(right // SUBPIXEL + 1, width)):
                if self.covers(x, y):
                    yield Place(x, y, self.weights(x, y))


def linear(weights: Sequence[float], values: Sequence[float]) -> float:
    """Affine on the screen: depth."""
    return sum(w * v for w, v in zip(weights, values, strict=True))


def perspective(weights: Sequence[float], rhw: Sequence[float], values: Sequence[float]) -> float:
    """Affine in space: everything but depth."""
    parts = [w * r for w, r in zip(weights, rhw, strict=True)]
    return linear(parts, values) / sum(parts)
