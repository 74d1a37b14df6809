"""Layers of colour over an image: the colours of each overlay, and the legend with counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from inspector.query.pixels.fragments import FURTHEST, FragmentMap
from inspector.query.pixels.picks import PickMap

Rgb = tuple[int, int, int]
Bands = tuple[tuple[float, Rgb], ...]

TESTS: dict[str, tuple[str, Rgb]] = {
    "written": ("passed", (0, 158, 115)),
    "depth_test": ("depth test failed", (213, 94, 0)),
    "stencil_test": ("stencil test failed", (86, 180, 233)),
    "alpha_test": ("alpha test failed", (240, 228, 66)),
    "killed": ("killed by texkill or colour key", (204, 121, 167)),
}
"""Okabe and Ito's colours: distinguishable without red and green."""
GREEN, ORANGE, BLUE, YELLOW, PINK = (color for _, color in TESTS.values())
GREY = (140, 140, 140)
HEAT: tuple[Rgb, ...] = (
    (59, 15, 112), (114, 31, 129), (170, 51, 119), (221, 81, 72), (245, 125, 21), (250, 193, 39), (252, 255, 164),
)  # fmt: skip
BANDS: Bands = tuple(zip((1, 2, 3, 4, 6, 10, 20), HEAT, strict=True))
"""Lower limits in fragments; lighter means more."""
AREAS: Bands = tuple(zip((0, 1, 4, 16, 64, 256, 4096), reversed(HEAT), strict=True))
"""Lower limits in pixels of area; lighter means smaller, and dearer for each pixel."""
NOTHING = "no fragment on this surface"
DIMMED, TINTED, COVERED = (0, 0, 0, 150), 190, 225
LISTED = 6
"""Writers with a row in the legend."""


class Meaning(NamedTuple):
    """A colour, what it means, how many pixels have it, and the event that it is about, if it is about one."""

    color: Rgb
    title: str
    pixels: int
    event: int | None = None


@dataclass(frozen=True)
class Layer:
    """rgba: uint8[height, width, 4], alpha is how much it covers; meanings: of its colours; note: a sentence.

    picks: who made each pixel, where the overlay is about that; listed: so many of the meanings are in the legend.
    """

    rgba: np.ndarray
    meanings: tuple[Meaning, ...]
    note: str
    picks: PickMap | None = None
    listed: int | None = None

    @property
    def legend(self) -> tuple[tuple[Rgb, str], ...]:
        """(colour, what it means) by rows."""
        return tuple((row.color, f"{row.title}: {row.pixels:,} px") for row in self.meanings[: self.listed])

    def over(self, picture: np.ndarray, opacity: float = 1.0) -> np.ndarray:
        """Itself over a picture of the same size, opaque: uint8[height, width, 4].  opacity: 0 to 1, of the whole layer."""
        alpha = np.rint(self.rgba[..., 3:] * opacity).astype(np.uint32)
        mixed = picture.copy()
        mixed[..., :3] = (self.rgba[..., :3] * alpha + picture[..., :3] * (255 - alpha) + 127) // 255
        mixed[..., 3] = 255
        return mixed

    def writer_at(self, x: int, y: int) -> tuple[int, int] | None:
        """(event, primitive or -1) of a pixel, where the overlay is about that and there is one."""
        return self.picks.at(x, y) if self.picks is not None else None


def tested(found: FragmentMap) -> Layer:
    """By the stage that the pixel's best fragment came to."""
    colors = [DIMMED] + [(*TESTS[name][1], TINTED) for name in FURTHEST[1:]]
    rows = (Meaning(TESTS[name][1], TESTS[name][0], count) for name, count in found.fates.items())
    return Layer(np.array(colors, np.uint8)[found.furthest], tuple(rows), "" if found.fates else NOTHING)


def counted(counts: np.ndarray, word: str = "fragments") -> Layer:
    """By a number of fragments, int[height, width]."""
    layer = banded(counts, BANDS)
    covered = int(np.count_nonzero(counts))
    note = f"{counts.sum() / covered:.2f} {word} per covered pixel, at most {counts.max()}" if covered else NOTHING
    return Layer(layer.rgba, layer.meanings, note)


def banded(values: np.ndarray, bands: Bands, words: str = "{}") -> Layer:
    """By the band that a number of each pixel lies in, dimmed below the first; words: what a band is called."""
    starts = [start for start, _ in bands]
    band = np.searchsorted(starts, values, side="right")
    pixels = np.bincount(band.ravel(), minlength=len(bands) + 1)[1:].tolist()
    colors = [DIMMED] + [(*color, COVERED) for _, color in bands]
    rows = zip(bands, _titles(starts, np.issubdtype(values.dtype, np.integer)), pixels, strict=True)
    meanings = tuple(Meaning(color, words.format(title), count) for (_, color), title, count in rows if count)
    return Layer(np.array(colors, np.uint8)[band], meanings, "" if meanings else NOTHING)


def _titles(starts: list[float], whole: bool) -> list[str]:
    """The bands in words, as in "4 to 5" and "20 or more"; of numbers with fractions "4 to 16"."""
    ends = [after - whole for after in starts[1:]]
    return [f"{a}" if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=False)] + [f"{starts[-1]} or more"]


def sorted_out(parts: Sequence[tuple[str, Rgb, np.ndarray]], picks: PickMap | None = None, nothing: str = NOTHING) -> Layer:
    """By what applies to each pixel: (title, colour, bool[height, width]), the first that does; dimmed where none does."""
    rgba = np.empty((*parts[0][2].shape, 4), np.uint8)
    rgba[:] = DIMMED
    rest, meanings = np.ones(parts[0][2].shape, bool), []
    for title, color, mask in parts:
        chosen = mask & rest
        rgba[chosen] = (*color, TINTED)
        rest &= ~chosen
        if count := int(np.count_nonzero(chosen)):
            meanings.append(Meaning(color, title, count))
    return Layer(rgba, tuple(meanings), "" if meanings else nothing, picks)


def by_writer(found: PickMap, name: Callable[[int], str], draws: np.ndarray) -> Layer:
    """By the event that each pixel is from, neighbours in far apart colours; grey: no draw.  draws: all of them, ascending."""
    rgba = np.empty((*found.index.shape, 4), np.uint8)
    rgba[:] = DIMMED
    if not found.there.any():
        return Layer(rgba, (), "nothing was written to this surface", found)
    events, place = np.unique(found.rows["event"], return_inverse=True)
    pixels = np.bincount(place, found.pixels, len(events)).astype(np.int64)
    drawn = np.zeros(len(events), bool)
    drawn[place] = found.rows["primitive"] >= 0
    numbers = np.searchsorted(draws, events).tolist()
    colors = np.array([color_of(number) if draws else GREY for number, draws in zip(numbers, drawn.tolist(), strict=True)])
    there = found.there
    rgba[there, :3] = colors[place[found.index[there]]]
    rgba[there, 3] = COVERED
    order = [n for n in np.argsort(-pixels, kind="stable").tolist() if pixels[n]]
    rows = tuple(
        Meaning((int(red), int(green), int(blue)), f"{event} {name(event)}", count, event)
        for (red, green, blue), event, count in zip(colors[order], events[order].tolist(), pixels[order].tolist(), strict=True)
    )
    return Layer(rgba, rows, of_writers(rows), found, LISTED)


def of_writers(rows: Sequence[Meaning]) -> str:
    """The note on events that wrote: how many, and what the legend leaves out."""
    rest = rows[LISTED:]
    more = f", {len(rest):,} of them not listed: {sum(row.pixels for row in rest):,} px" if rest else ""
    return f"{len(rows):,} events{more}" if len(rows) > 1 else ""


def color_of(draw: int) -> Rgb:
    """A colour for a draw by its number: the next ones differ most in hue, those whose hue comes near again in lightness.

    Both go on by parts of which no small multiple is near a whole: the golden ratio, and the plastic number (Roberts 2018, The
    unreasonable effectiveness of quasirandom sequences).
    """
    hue = draw * 0.6180339887498949 % 1.0 * 6.0
    light = 0.62 + 0.38 * (draw * 0.7548776662466927 % 1.0)
    low, high = 70.0 * light, 245.0 * light
    red, green, blue = (low + (high - low) * min(max(abs((hue + turn) % 6.0 - 3.0) - 1.0, 0.0), 1.0) for turn in (0, 4, 2))
    return round(red), round(green), round(blue)
