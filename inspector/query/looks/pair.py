"""Two images of one size: side by side, wiped, or their amplified difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, unknown
from inspector.progress import Cancel
from inspector.query.looks.look import Look

if TYPE_CHECKING:
    from inspector.capture import Capture

WAYS = {
    "side": "side by side",
    "wipe": "the first to the left of a line, the second to its right",
    "difference": "by how much red, green and blue differ, amplified; where only alpha differs, magenta",
}
GAP = 8
"""Pixels between pictures side by side, transparent."""
ONLY_ALPHA = (255, 0, 255)


@dataclass(frozen=True)
class Both:
    """rgba: uint8[height, width, 4]; first, second: the pictures; changed: pixels that differ; largest: by how much, 0..255.

    changed and largest are 0 if the pictures have different sizes.
    """

    rgba: np.ndarray
    first: np.ndarray
    second: np.ndarray
    changed: int
    largest: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two surfaces, or one at two events.  how: one of WAYS; amount: what differences are multiplied by; split: where the line
    of a wipe is, 0..1.  other: a capture that `second` is about; None: the same one."""

    first: Look
    second: Look
    how: str = "difference"
    amount: float = 1.0
    split: float = 0.5
    other: Capture | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Both:
        """BadInput for unknown ways, or sizes that differ (but side by side)."""
        if self.how not in WAYS:
            raise BadInput(unknown("way", self.how, WAYS))
        first = capture.ask(self.first, cancel).rgba
        second = (self.other or capture).ask(self.second, cancel).rgba
        return both(first, second, self.how, self.amount, self.split)


def both(first: np.ndarray, second: np.ndarray, how: str, amount: float = 1.0, split: float = 0.5) -> Both:
    """Of uint8[height, width, 4].  BadInput for sizes that differ (but side by side)."""
    if first.shape != second.shape:
        if how == "side":
            return Both(_beside(first, second), first, second, 0, 0)
        sizes = [f"{one.shape[1]} x {one.shape[0]}" for one in (first, second)]
        raise BadInput(f"the images have different sizes: {sizes[0]} and {sizes[1]}")
    apart = np.maximum(first, second) - np.minimum(first, second)
    differs = apart.any(axis=-1)
    made = {"side": _beside, "wipe": lambda a, b: _wiped(a, b, split)}.get(how, lambda a, b: amplified(apart, amount))
    return Both(made(first, second), first, second, int(np.count_nonzero(differs)), int(apart.max(initial=0)))


def amplified(apart: np.ndarray, amount: float) -> np.ndarray:
    """Differences, uint8[height, width, 4], as opaque colours."""
    result = np.full_like(apart, 255)
    result[..., :3] = np.minimum(np.rint(apart[..., :3] * np.float64(amount)), 255)
    result[(apart[..., 3] > 0) & ~apart[..., :3].any(axis=-1), :3] = ONLY_ALPHA
    return result


def _beside(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    height = max(len(first), len(second))
    result = np.zeros((height, first.shape[1] + GAP + second.shape[1], 4), np.uint8)
    result[: len(first), : first.shape[1]] = first
    result[: len(second), first.shape[1] + GAP :] = second
    return result


def _wiped(first: np.ndarray, second: np.ndarray, split: float) -> np.ndarray:
    column = round(min(max(split, 0.0), 1.0) * first.shape[1])
    return np.concatenate([first[:, :column], second[:, column:]], axis=1)
