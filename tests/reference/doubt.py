"""Close decisions: where exact arithmetic and float32 may honestly disagree about a yes or no."""

from __future__ import annotations

import math


class Doubt:
    """What made this pixel a close call; empty: everything about it must agree.

    A pixel takes decisions (which texel, which mip level, alpha test, depth test).  Those that lie nearer to their boundary
    than float32 arithmetic can tell are noted; the comparison then leaves the pixel out, and counts it.
    """

    def __init__(self) -> None:
        self.reasons: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def floor(self, value: float, margin: float, reason: str) -> int:
        """floor(value), noted if `value` is within `margin` of an integer."""
        if abs(value - round(value)) < margin:
            self.reasons.add(reason)
        return math.floor(value)

    def positive(self, value: float, margin: float, reason: str) -> bool:
        """value > 0, noted if it is within `margin` of 0."""
        if abs(value) < margin:
            self.reasons.add(reason)
        return value > 0
