"""Lines: which pixels they cover (semantics 3).

GDI's diamond rule: of each column (row, if the line is steep) the pixel nearest to the line, midway the upper (left) one; a
pixel belongs to the line if the line leaves the diamond around its centre, and with LASTPIXEL if it ends there.  Everything is
exact fractions; ends exactly on a diamond's border, where GDI's table decides, are left to tests/core/pipeline.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from tests.reference.coverage import SUBPIXEL, Place, snap

HALF = Fraction(1, 2)


class Segment:
    """Two ends on the screen; their values change along the longer axis only."""

    def __init__(self, positions: Sequence[tuple[float, float]], states: Mapping[str, int | float]) -> None:
        (x0, y0), (x1, y1) = (snap(x, y) for x, y in positions)
        self.states, self.steep = states, abs(y1 - y0) > abs(x1 - x0)
        ends = ((y0, x0), (y1, x1)) if self.steep else ((x0, y0), (x1, y1))
        (a, b), (c, d) = self.ends = [(Fraction(major, SUBPIXEL), Fraction(minor, SUBPIXEL)) for major, minor in ends]
        self.length, self.rise = c - a, d - b

    def share(self, major: int) -> Fraction:
        """How far along the line a column (or row) is: 0 at the start, 1 at the end."""
        return (major - self.ends[0][0]) / self.length

    def weights(self, x: int, y: int) -> tuple[float, float]:
        far = float(self.share(y if self.steep else x))
        return 1 - far, far

    def steepness(self, values: Sequence[float]) -> float:
        """How much an affine value changes over the line: so large the terms may be that float32 computes it from."""
        return abs(values[1] - values[0])

    def crossing(self, major: int) -> Fraction:
        """Where the line meets a column (or row)."""
        return self.ends[0][1] + self.share(major) * self.rise

    def within(self, major: int, minor: int) -> tuple[Fraction, Fraction]:
        """The part of the line, as shares, in the diamond of a pixel that it passes through."""
        slope = self.rise / self.length
        offset = self.crossing(major) - minor  # at the centre's column; the diamond: |t| + |offset + slope t| <= 1/2
        signs = [(sign, other) for sign in (1, -1) for other in (1, -1) if slope + other != 0]
        borders = [(sign * HALF - offset) / (slope + other) for sign, other in signs]
        found = [t for t in borders if abs(t) + abs(offset + slope * t) == HALF]
        first, last = sorted(self.share(major) + t / self.length for t in (min(found), max(found)))
        return first, last

    def columns(self) -> list[int]:
        """Those with a pixel of the line, from its start on."""
        low, high = sorted(end[0] for end in self.ends)
        found = []
        for major in range(math.floor(low) - 1, math.ceil(high) + 2):
            entered, left = self.within(major, self.nearest(major))
            ends_inside = bool(self.states["LASTPIXEL"]) and entered <= 1
            if left > 0 and (left < 1 or ends_inside):
                found.append(major)
        return found if self.length > 0 else found[::-1]

    def nearest(self, major: int) -> int:
        return math.ceil(self.crossing(major) - HALF)

    def is_drawn(self, number: int) -> bool:
        """LINEPATTERN: each bit holds for so many pixels; 0: all are drawn."""
        repeat, pattern = int(self.states["LINEPATTERN"]) & 0xFFFF, int(self.states["LINEPATTERN"]) >> 16
        return repeat == 0 or bool(pattern >> number // repeat % 16 & 1)

    def places(self, width: int, height: int, _: int = 0) -> Iterator[Place]:
        """The covered pixels of a target."""
        for number, major in enumerate(self.columns()):
            if not self.is_drawn(number):
                continue
            crossing, nearest = self.crossing(major), self.nearest(major)
            smooth = bool(self.states["EDGEANTIALIAS"])
            for minor in sorted({math.floor(crossing), math.ceil(crossing)}) if smooth else (nearest,):
                x, y = (minor, major) if self.steep else (major, minor)
                if 0 <= x < width and 0 <= y < height:
                    yield Place(x, y, self.weights(x, y), float(1 - abs(minor - crossing)) if smooth else 1.0)
