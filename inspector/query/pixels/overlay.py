"""Overlays: what a draw or a frame did to a surface, as a layer of colours over its picture, and what the colours mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, unknown
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.events.spans import span
from inspector.query.pixels.fragments import FURTHEST, FragmentMap, FragmentsOn

if TYPE_CHECKING:
    from inspector.capture import Capture

Rgb = tuple[int, int, int]

KINDS = {
    "tests": "the fates of the draw's fragments: written, or the test that failed",
    "draw": "fragments of the draw, per pixel",
    "frame": "overdraw: fragments of the frame so far, per pixel",
}
TESTS: dict[str, tuple[str, Rgb]] = {
    "written": ("passed", (0, 158, 115)),
    "depth_test": ("depth test failed", (213, 94, 0)),
    "stencil_test": ("stencil test failed", (86, 180, 233)),
    "alpha_test": ("alpha test failed", (240, 228, 66)),
    "killed": ("killed by texkill or colour key", (204, 121, 167)),
}
"""Okabe and Ito's colours: distinguishable without red and green."""
BANDS: tuple[tuple[int, Rgb], ...] = (
    (1, (59, 15, 112)), (2, (114, 31, 129)), (3, (170, 51, 119)), (4, (221, 81, 72)), (6, (245, 125, 21)),
    (10, (250, 193, 39)), (20, (252, 255, 164)),
)  # fmt: skip
"""Lower limits in fragments; lighter means more."""
NOTHING = "no fragment on this surface"
DIMMED, TINTED, COVERED = (0, 0, 0, 150), 190, 225


@dataclass(frozen=True, slots=True)
class Overlay:
    """What an event did to a surface, in colours.  kind: one of KINDS; where: the surface or a subresource, after the event."""

    kind: str
    event: int
    where: Where = "render_target"

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Layer:
        """BadInput if there is no such kind, surface or event, or if the event draws nothing and its draw is asked for."""
        if self.kind not in KINDS:
            raise BadInput(unknown("overlay", self.kind, KINDS))
        whole = self.kind == "frame"
        if not whole and not capture.events.draw[capture.check_event(self.event)]:
            raise BadInput(f"event {self.event} draws nothing")
        first, last = span(capture, self.event, "until" if whole else "event")
        found = FragmentsOn(self.where, first, last).run(capture, cancel)
        return tested(found) if self.kind == "tests" else counted(found)


@dataclass(frozen=True)
class Layer:
    """rgba: uint8[height, width, 4], alpha is how much it covers; legend: (colour, what it means) by rows; note: a sentence."""

    rgba: np.ndarray
    legend: tuple[tuple[Rgb, str], ...]
    note: str

    def over(self, picture: np.ndarray) -> np.ndarray:
        """Itself over a picture of the same size, opaque: uint8[height, width, 4]."""
        alpha = self.rgba[..., 3:].astype(np.uint32)
        mixed = picture.copy()
        mixed[..., :3] = (self.rgba[..., :3] * alpha + picture[..., :3] * (255 - alpha) + 127) // 255
        mixed[..., 3] = 255
        return mixed


def tested(found: FragmentMap) -> Layer:
    """By the stage that the pixel's best fragment came to."""
    colors = [DIMMED] + [(*TESTS[name][1], TINTED) for name in FURTHEST[1:]]
    rows = ((TESTS[name][1], f"{TESTS[name][0]}: {count:,} px") for name, count in found.fates.items())
    return Layer(np.array(colors, np.uint8)[found.furthest], tuple(rows), "" if found.fates else NOTHING)


def counted(found: FragmentMap) -> Layer:
    """By the number of fragments."""
    starts = [start for start, _ in BANDS]
    band = np.searchsorted(starts, found.counts, side="right")
    pixels = np.bincount(band.ravel(), minlength=len(BANDS) + 1)[1:].tolist()
    colors = [DIMMED] + [(*color, COVERED) for _, color in BANDS]
    bands = zip(BANDS, _titles(), pixels, strict=True)
    rows = tuple((color, f"{title}: {count:,} px") for (_, color), title, count in bands if count)
    covered, total = sum(pixels), int(found.counts.sum())
    note = f"{total / covered:.2f} fragments per covered pixel, at most {found.counts.max()}" if covered else NOTHING
    return Layer(np.array(colors, np.uint8)[band], rows, note)


def _titles() -> list[str]:
    """The bands in words, as in "4 to 5" and "20 or more"."""
    starts = [start for start, _ in BANDS]
    ends = [after - 1 for after in starts[1:]]
    return [f"{a}" if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=False)] + [f"{starts[-1]} or more"]
