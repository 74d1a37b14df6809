"""One texel down to its bytes; and the palette that indices look colours up in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.past.reading import find, read
from core.errors import BadInput
from core.spec.subresource import Subresource, Where
from inspector.progress import Cancel
from inspector.query.looks.stored import channels
from inspector.query.looks.values import NAMES, numbers_of

if TYPE_CHECKING:
    from inspector.capture import Capture

SWATCH = 16
"""Entries of a palette across, and down."""


@dataclass(frozen=True, slots=True)
class TexelBytes:
    """data: the bytes of a texel, of a compressed one of its block; offset: of the first one in its slice as stored.

    block: (width, height) of what shares the bytes; parts: (channel, what is stored, its value), none of compressed formats;
    rgba: as a sampler reads it.
    """

    x: int
    y: int
    data: bytes
    offset: int
    format: str
    block: tuple[int, int]
    parts: tuple[tuple[str, int, float], ...]
    rgba: tuple[float, float, float, float]

    @property
    def hex(self) -> str:
        """As in "0a 00 ff ff": in the order of memory."""
        return self.data.hex(" ")


@dataclass(frozen=True, slots=True)
class Texel:
    """A texel of a surface or subresource after an event, or after that primitive of it."""

    event: int
    x: int
    y: int
    where: Where = "render_target"
    primitive: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> TexelBytes:
        """BadInput if there is no such texel, surface or event."""
        moment = capture.moment(self.event, self.primitive, cancel)
        part = find(moment, self.where)
        if part is None or not (0 <= self.x < part.width and 0 <= self.y < part.height):
            raise BadInput(f"{capture.title}: no pixel {self.x}, {self.y} on {Subresource.of(self.where)}")
        try:
            rows, form = read(moment, self.where)
        except LookupError as missing:
            raise BadInput(f"{capture.title}: {missing.args[0]}") from None
        wide, high, size = form.block
        row, column = self.y // high, self.x // wide
        data = rows[row, column * size : (column + 1) * size].tobytes()
        palette = moment.palette_of(part.surface)
        block = np.frombuffer(data, np.uint8).reshape(1, size)
        found = numbers_of(block, form, wide, high, palette.colors if palette else None)
        x, y = self.x % wide, self.y % high
        word, values = int.from_bytes(data, "little"), found.planes
        parts = tuple(
            (name, word >> shift & ((1 << bits) - 1), float(values[name][y, x]))
            for name, shift, bits in ((NAMES.get(row[0], row[0]), row[1], row[2]) for row in channels(form))
            if name in values and form.family != "yuv"
        )
        red, green, blue, alpha = found.rgba[y, x].tolist()
        offset = row * rows.shape[1] + column * size
        return TexelBytes(self.x, self.y, data, offset, form.name, (wide, high), parts, (red, green, blue, alpha))


@dataclass(frozen=True, slots=True)
class PaletteOf:
    """The palette of a surface after an event as a picture: 16 x 16 entries, each `side` pixels wide."""

    event: int
    where: Where = "render_target"
    side: int = 1

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """uint8[16 side, 16 side, 4].  BadInput if there is no such surface, or it has no palette."""
        moment = capture.moment(self.event, None, cancel)
        part = find(moment, self.where)
        palette = moment.palette_of(part.surface) if part is not None else None
        if palette is None:
            raise BadInput(f"{capture.title}: {Subresource.of(self.where)} has no palette")
        words = np.asarray(palette.colors, "<u4")
        entries = np.ascontiguousarray(words).view(np.uint8).reshape(SWATCH, SWATCH, 4)[..., [2, 1, 0, 3]]
        side = max(self.side, 1)
        return np.ascontiguousarray(entries.repeat(side, axis=0).repeat(side, axis=1))
