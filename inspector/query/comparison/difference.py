"""The results of a comparison, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.spec.slots import Key
from inspector.query.comparison.contents import PartKey, Picture
from inspector.query.comparison.matching import HANDLE, Pair
from inspector.query.looks.stored import HALF, Channel, channels, numbers, packed
from inspector.query.state.at_event import Value

MOST = 255
"""The largest difference of a channel of a picture."""
LONG = {"z": "depth", "s": "stencil", "p": "index"}
"""Names of channels that are no colours."""


class StateDifference(NamedTuple):
    """A key and its value on either side, None where there is no such thing (a light)."""

    key: Key
    a: Value | None
    b: Value | None

    @property
    def name(self) -> str:
        return self._one.name

    @property
    def stage(self) -> str:
        return self._one.stage

    @property
    def _one(self) -> Value:
        one = self.a or self.b
        assert one is not None
        return one


@dataclass(frozen=True, slots=True, eq=False)
class TokenRows:
    """Two sides as one list: event numbers int64[n], -1 where a side has nothing there; `same` bool[n]."""

    a: np.ndarray
    b: np.ndarray
    same: np.ndarray

    @classmethod
    def none(cls) -> TokenRows:
        """Of sides without tokens."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, bool))

    def __len__(self) -> int:
        return len(self.a)

    @property
    def differing(self) -> np.ndarray:
        """The rows that differ."""
        return np.flatnonzero(~self.same)

    @property
    def first_difference(self) -> int | None:
        rows = self.differing
        return int(rows[0]) if len(rows) else None

    def next_to(self, row: int, rows: np.ndarray) -> int:
        """The position in ascending `rows` of the first that is not before `row`, or else of the last; -1 without any."""
        return min(int(np.searchsorted(rows, row)), len(rows) - 1)

    def kind(self, row: int) -> str:
        """What became of a row: "same", "changed", "removed" (only in a) or "added" (only in b)."""
        if self.same[row]:
            return "same"
        return "changed" if self.a[row] >= 0 and self.b[row] >= 0 else "removed" if self.b[row] < 0 else "added"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first row of the tokens that differs: an event of either side (None if there is none), how they read, and
    what state differs just before.  `data`: of two that read the same, what differs in their vertices or data."""

    a: int | None
    b: int | None
    text_a: str
    text_b: str
    row: int
    state: tuple[StateDifference, ...]
    data: str = ""


class ResourceDifference(NamedTuple):
    """A resource that is on one side only, or not the same: what it is on either side, None: not there.

    `kind`: "surface" (size, format), "buffer" (size, contents), "vertex shader", "pixel shader" (code).  `other`: its handle
    in b, if that is another one.
    """

    kind: str
    handle: int
    a: str | None
    b: str | None
    other: int | None = None

    @property
    def name(self) -> str:
        """As in "surface 5" or "surface 5 | 8"."""
        return f"{self.kind} {self.handle}" + (f" | {self.other}" if self.other is not None else "")


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceDifference:
    """A slice of a subresource whose pixels differ: `count` of them, within `box` (left, top, right, bottom).

    `largest` and `mean` are of the largest difference of a pixel's channels, 0..255; `mean` over all pixels.  `finer`: what
    such a picture cannot show, as in "depth by up to 3 of 65,535".  `place` is that of a, `other` that of b; `matched`: why
    these two are compared, "handle" if they have the same one (module `matching`).
    """

    place: PartKey
    slice: int
    label: str
    format: str
    width: int
    height: int
    count: int
    largest: int
    mean: float
    box: tuple[int, int, int, int]
    picture_a: Picture
    picture_b: Picture
    threshold: int = 0
    finer: str = ""
    matched: str = HANDLE
    other: PartKey | None = None

    @property
    def place_b(self) -> PartKey:
        """Its place in b."""
        return self.other or self.place

    @property
    def by(self) -> str:
        """By how much, in words: as in "by up to 23, 2.565 on average"."""
        return self.finer or f"by up to {self.largest}, {self.mean:.3f} on average"

    @property
    def mask(self) -> np.ndarray:
        """bool[height, width]: the pixels that are counted."""
        return differing(self.picture_a, self.picture_b, self.slice, self.threshold)

    @property
    def gain(self) -> int:
        """How many times the difference fits into what can be shown; 0: nothing of it can be."""
        return MOST // self.largest if self.largest else 0

    @property
    def name(self) -> str:
        """As in "back_buffer 2" or "texture 5 level 1"; where b has another one, as in "texture 5 | texture 9"."""
        one, other = self.name_a, self.name_b
        return one if one == other else f"{one} | {other}"

    @property
    def name_a(self) -> str:
        """What it is in a."""
        return _named(self.picture_a.part.surface.label, self.place, self.slice)

    @property
    def name_b(self) -> str:
        """What it is in b."""
        return _named(self.picture_b.part.surface.label, self.place_b, self.slice)

    @property
    def a(self) -> np.ndarray:
        """uint8[height, width, 4]."""
        return self.picture_a.rgba(self.slice)

    @property
    def b(self) -> np.ndarray:
        """uint8[height, width, 4]."""
        return self.picture_b.rgba(self.slice)

    @property
    def image(self) -> np.ndarray:
        """The difference image, uint8[height, width, 4]: by how much each channel differs; that of alpha is added to all."""
        return difference_image(self.a, self.b)


def _named(label: str, place: PartKey, slice: int) -> str:
    parts = (("level", place.level), ("face", place.face), ("slice", slice))
    return " ".join([f"{label} {place.handle}", *(f"{name} {number}" for name, number in parts if number)])


def difference_image(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """By how much red, green and blue of two pictures differ, and alpha added to each; opaque."""
    apart = distance(a, b)
    shown = np.minimum(apart[..., :3].astype(np.uint16) + apart[..., 3:], 255).astype(np.uint8)
    return np.concatenate([shown, np.full_like(shown[..., :1], 255)], -1)


def distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """|a - b| of uint8 arrays, uint8."""
    return np.maximum(a, b) - np.minimum(a, b)


def bounding_box(mask: np.ndarray) -> tuple[int, int, int, int] | None:
    """(left, top, right, bottom) of the set pixels of bool[h, w]; None without any."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def pictured(pair: Pair, slice: int, a: Picture, b: Picture, threshold: int) -> SurfaceDifference | None:
    """How a slice differs; None if it does not, by this threshold."""
    apart, mask = distance(a.rgba(slice), b.rgba(slice)).max(-1), differing(a, b, slice, threshold)
    box = bounding_box(mask)
    if box is None:
        return None
    part = a.part
    return SurfaceDifference(
        pair.a, slice, part.surface.label, part.format.name, part.width, part.height, int(mask.sum()), int(apart.max()),
        float(apart.mean()), box, a, b, threshold, _finer(a, b, slice, int(apart.max())), pair.by, pair.b,
    )  # fmt: skip


def differing(a: Picture, b: Picture, slice: int, threshold: int) -> np.ndarray:
    """bool[h, w]: pixels of which a channel differs by more than `threshold`, or, with 0, the stored bytes differ."""
    mask = distance(a.rgba(slice), b.rgba(slice)).max(-1) > threshold
    return mask | _stored_differs(a, b, slice) if threshold == 0 else mask


def _finer(a: Picture, b: Picture, slice: int, largest: int) -> str:
    """By how much depth and stencil differ as stored, and of other formats what differs by less than one of 255."""
    form, width, height = a.part.format, a.part.width, a.part.height
    if largest and not form.depth_bits:
        return ""
    words: list[str] = []
    for channel in reversed(channels(form)):
        left, right = (packed(side.stored(slice), form, width, height) for side in (a, b))
        if left is None or right is None:
            return ""
        words += _channel_apart(left, right, channel)
    return ", ".join(words)


def _channel_apart(left: np.ndarray, right: np.ndarray, channel: Channel) -> Iterator[str]:
    """As in "depth by up to 3 of 65,535"; nothing where a channel is the same."""
    name, shift, bits, kind = channel
    if kind == HALF:
        with np.errstate(invalid="ignore"):
            apart = np.abs(numbers(left, channel).astype(float) - numbers(right, channel))
    else:
        half = 1 << bits - 1 if kind == "snorm" else 0
        low, high = (((raw.astype(np.int64) >> shift) + half) % (1 << bits) - half for raw in (left, right))
        apart = np.abs(low - high)
    if most := np.nanmax(apart, initial=0):
        steps = f"{most:.6g}" if kind == HALF else f"{most:,} of {(1 << bits) - 1:,}"
        yield f"{LONG.get(name, name)} by up to {steps}"


def _stored_differs(a: Picture, b: Picture, slice: int) -> np.ndarray:
    """bool[h, w]: pixels whose stored bytes differ; of compressed formats the pixels of blocks that do."""
    part = a.part
    wide, high, size = part.format.block
    blocks = (a.stored(slice) != b.stored(slice))[:, : -(-part.width // wide) * size]
    differs = blocks.reshape(part.rows, -1, size).any(-1)
    return np.repeat(np.repeat(differs, high, 0), wide, 1)[: part.height, : part.width]


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """All that differs between two sides, whose events are `sides`; `first`: where the tokens part."""

    sides: tuple[range, range]
    state: list[StateDifference]
    tokens: TokenRows
    surfaces: list[SurfaceDifference]
    resources: list[ResourceDifference]
    first: Divergence | None

    @property
    def most_telling(self) -> SurfaceDifference | None:
        """Of the surfaces the one to look at: a colour surface before depth, then the one with the most differing pixels."""
        return max(self.surfaces, key=lambda one: (not one.picture_a.part.format.depth_bits, one.count), default=None)

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.state or len(self.tokens.differing) or self.surfaces or self.resources)
