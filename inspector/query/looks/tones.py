"""From numbers to an image: the values shown as black and white, the gamma between; and a histogram."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.memory.half_floats import encode_gamma
from core.errors import BadInput, unknown
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.looks.values import Numbers, Values

if TYPE_CHECKING:
    from inspector.capture import Capture

FLT_MAX = 3e38
BINS = 256
MOST_BINS = 65536


@dataclass(frozen=True, slots=True)
class Tones:
    """low: the value shown as black, high: as white (low > high: inverted); gamma: the exponent is its reciprocal."""

    low: float = 0.0
    high: float = 1.0
    gamma: float = 1.0

    def shown(self, values: np.ndarray, srgb: bool = False) -> np.ndarray:
        """uint8 of float32 of any shape; NaN is black.  srgb: through that curve, before the gamma."""
        scale = 1.0 / (self.high - self.low) if self.high != self.low else 0.0
        finite = np.nan_to_num(values, nan=self.low, posinf=FLT_MAX, neginf=-FLT_MAX).astype(np.float64)
        level = np.clip((finite - self.low) * scale, 0.0, 1.0)
        if srgb:
            level = encode_gamma(level)
        if self.gamma != 1.0 and self.gamma > 0:
            level = level ** (1.0 / self.gamma)
        return np.floor(level * 255 + 0.5).astype(np.uint8)

    def picture(self, found: Numbers) -> np.ndarray:
        """uint8[height, width, 4] RGBA: colours by these tones, alpha as it is; of signed formats alpha too."""
        float_format = found.format is not None and found.format.family == "float"
        result = np.empty((*found.shape, 4), np.uint8)
        result[..., :3] = self.shown(found.rgba[..., :3], float_format)
        alpha = self if "q" in found.planes else Tones()
        result[..., 3] = alpha.shown(found.rgba[..., 3])
        return result

    def grey(self, plane: np.ndarray) -> np.ndarray:
        """uint8[height, width, 4] of one channel, opaque."""
        result = np.full((*plane.shape, 4), 255, np.uint8)
        result[..., :3] = self.shown(plane)[..., None]
        return result


@dataclass(frozen=True)
class Distribution:
    """counts: int64[channels, bins] between `edges` float64[bins + 1]; names: of the channels.

    low, high: the smallest and the largest finite value of each channel, float64[channels] (0, 0 if there is none); below,
    above: values outside the edges; odd: those that are NaN or infinite, int64[channels] each.
    """

    names: tuple[str, ...]
    edges: np.ndarray
    counts: np.ndarray
    low: np.ndarray
    high: np.ndarray
    below: np.ndarray
    above: np.ndarray
    odd: np.ndarray

    @property
    def fitting(self) -> tuple[float, float]:
        """The range that shows all values of all channels; 0 and 1 where all are the same."""
        return fitting(list(zip(self.low.tolist(), self.high.tolist(), strict=True)))


def fitting(ends: list[tuple[float, float]]) -> tuple[float, float]:
    """The range around the ranges of channels; where that is empty, 0 to 1 around the value."""
    low, high = min((end[0] for end in ends), default=0.0), max((end[1] for end in ends), default=1.0)
    if low < high:
        return low, high
    return (0.0, 1.0) if 0.0 <= low <= 1.0 else (min(low, 0.0), max(high, 0.0))


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often values occur on a surface after an event.  low, high: the ends of the bins; None: of the values there are."""

    event: int
    where: Where = "render_target"
    bins: int = BINS
    low: float | None = None
    high: float | None = None
    primitive: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Distribution:
        """BadInput if there is no such surface or event, or for bins that make no sense."""
        if not 1 <= self.bins <= MOST_BINS:
            raise BadInput(f"a histogram has 1 to {MOST_BINS:,} bins, not {self.bins}")
        return distribution(capture.ask(Values(self.event, self.where, self.primitive), cancel), self.bins, self.low, self.high)


def distribution(
    found: Numbers, bins: int = BINS, low: float | None = None, high: float | None = None, names: tuple[str, ...] = ()
) -> Distribution:
    """Of numbers.  names: only these channels; by default all."""
    if missing := [name for name in names if name not in found.planes]:
        raise BadInput(unknown("channel", missing[0], list(found.planes)))
    names = names or tuple(found.planes)
    ends = np.array([_ends(found.planes[name]) for name in names])
    fit = fitting([(a, b) for a, b in ends.tolist()])
    first, last = fit[0] if low is None else low, fit[1] if high is None else high
    if not (np.isfinite(first) and np.isfinite(last) and first < last):
        raise BadInput(f"a histogram goes from a number to a larger one, not from {first:g} to {last:g}")
    edges = np.linspace(first, last, bins + 1)
    rows, below, above, odd = [], [], [], []
    for name in names:
        plane = found.planes[name]
        there = plane[np.isfinite(plane)].astype(np.float64)
        rows.append(np.histogram(there, edges)[0])
        below.append(int(np.count_nonzero(there < first)))
        above.append(int(np.count_nonzero(there > last)))
        odd.append(plane.size - there.size)
    return Distribution(names, edges, np.array(rows, np.int64), ends[:, 0], ends[:, 1], *map(np.array, (below, above, odd)))


def _ends(plane: np.ndarray) -> tuple[float, float]:
    there = plane[np.isfinite(plane)]
    return (float(there.min()), float(there.max())) if there.size else (0.0, 0.0)
