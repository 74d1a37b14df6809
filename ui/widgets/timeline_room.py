"""How the timeline shares out its height: the ruler, pictures, events, flags, rows of marks, and a pixel's life."""

from __future__ import annotations

from dataclasses import dataclass

from ui.widgets.timeline_marks import ROW

RULER, FLAGS, LIFE = 20, 10, 10
LEAST = 18
"""Pixels of height that the events keep."""
SMALL, USUAL, LARGE = 24, 36, 96
"""Pixels of a picture's height: the least that shows anything, what comes before the events get more, and the most."""
GAP = 3
"""Pixels between pictures and events."""
ROOMY = 96
"""Pixels of height with which pictures have room beside the pixel's life and a row of marks."""


@dataclass(frozen=True)
class Room:
    """rows: how many of marks are shown; picture: pixels of height of each frame's picture, 0 for none."""

    rows: int
    picture: int

    @property
    def width(self) -> int:
        """Pixels of a picture's width."""
        return self.picture * 4 // 3

    @property
    def above(self) -> int:
        """Pixels that pictures take away above the events."""
        return self.picture + GAP if self.picture else 0


def share_out(height: int, rows: int, life: bool, pictures: bool) -> Room:
    """`rows`: how many of marks there are.  Pictures become smaller before marks go, and go before the events do."""
    free = height - RULER - FLAGS - LIFE * life - LEAST
    kept = SMALL + GAP if pictures and free >= SMALL + GAP else 0
    shown = min(rows, max(free - kept, 0) // ROW)
    left = free - shown * ROW - GAP
    return Room(shown, min(left, USUAL + max(left - USUAL, 0) // 2, LARGE) if kept else 0)


def round_step(least: float) -> int:
    """1, 2, 5, 10, 20, 50...: the first that is not below `least`."""
    step = 1
    while True:
        for digit in (1, 2, 5):
            if step * digit >= least:
                return step * digit
        step *= 10
