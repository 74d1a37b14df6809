"""Texture sampling (semantics 10): texels of a level, addressing, filters, the choice of the mip level."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.spec.enums import TextureAddress, TextureFilter
from tests.reference import dxt
from tests.reference.doubt import Doubt
from tests.reference.formats import BUMPS, TEXTURES, Color, from_argb, nearest, unpack, unpack_bump

WEIGHT_SLACK = 3 / 256  # bilinear weights of 8 bits: each axis is rounded, and so is the weight of the fourth texel
TEXEL_MARGIN = 1e-3  # of a texel: coordinates reach about 64 texels, where float32 steps are 4e-6, and a few add up
LEVEL_MARGIN = 2e-3  # of a mip level


@dataclass(frozen=True)
class Texture:
    """A 2-D texture; `levels`: the bytes of each, rows of texels or blocks without padding."""

    format: int
    width: int
    height: int
    levels: tuple[bytes, ...]

    def size(self, level: int) -> tuple[int, int]:
        return max(self.width >> level, 1), max(self.height >> level, 1)

    def texel(self, level: int, x: int, y: int) -> Color:
        """Held with 8 bits per channel, but for signed formats."""
        width, _ = self.size(level)
        data = self.levels[level]
        if self.format in dxt.BLOCK_BYTES:
            size = dxt.BLOCK_BYTES[self.format]
            start = (y // 4 * -(-width // 4) + x // 4) * size
            return dxt.texel(self.format, data[start : start + size], x % 4, y % 4)
        size = texel_bytes(self.format)
        start = (y * width + x) * size
        word = int.from_bytes(data[start : start + size], "little")
        if self.format in BUMPS:
            return unpack_bump(BUMPS[self.format], word)
        red, green, blue, alpha = (nearest(c * 255) / 255 for c in unpack(TEXTURES[self.format], word))
        return red, green, blue, alpha


def texel_bytes(format: int) -> int:
    return BUMPS[format].bytes if format in BUMPS else TEXTURES[format].bytes


def level_bytes(format: int, width: int, height: int) -> int:
    if format in dxt.BLOCK_BYTES:
        return -(-width // 4) * -(-height // 4) * dxt.BLOCK_BYTES[format]
    return width * height * texel_bytes(format)


def address(mode: int, index: int, size: int) -> int | None:
    """The texel that an index outside the level means; None: the border."""
    if 0 <= index < size:
        return index
    match mode:
        case TextureAddress.WRAP:
            return index % size
        case TextureAddress.MIRROR:
            back = index % (2 * size)
            return back if back < size else 2 * size - 1 - back
        case TextureAddress.CLAMP:
            return 0 if index < 0 else size - 1
        case TextureAddress.BORDER:
            return None
        case TextureAddress.MIRRORONCE:
            return min(-1 - index if index < 0 else index, size - 1)
    raise AssertionError(f"no address mode {mode}")


class Sampler:
    """One stage's texture and sampling states, for one pixel."""

    def __init__(self, texture: Texture, states: Mapping[str, int | float], doubt: Doubt) -> None:
        self.texture, self.states, self.doubt = texture, states, doubt
        self.slack = [0.0] * 4  # how far 8-bit weights may lead from the exact filter, r g b a

    def sample(self, u: float, v: float, dx: Sequence[float], dy: Sequence[float]) -> Color:
        """dx, dy: the derivatives of (u, v) to the right and down."""
        scale = self.footprint(dx, dy)
        lod = (math.log2(scale) if scale > 0 else -math.inf) + float(self.states["MIPMAPLODBIAS"])
        if self.states["MAGFILTER"] == self.states["MINFILTER"] and len(self.texture.levels) == 1:
            return self.filtered(int(self.states["MAGFILTER"]), 0, u, v)
        minified = self.doubt.positive(lod, LEVEL_MARGIN, "minification")
        most = int(self.states["MAXMIPLEVEL"])
        last = len(self.texture.levels) - 1
        if not minified or self.states["MIPFILTER"] == TextureFilter.NONE:
            filter = int(self.states["MINFILTER" if minified else "MAGFILTER"])
            return self.filtered(filter, min(most, last), u, v)
        lod = min(max(lod, most), last)
        filter = int(self.states["MINFILTER"])
        if self.states["MIPFILTER"] == TextureFilter.POINT:
            level = self.doubt.floor(lod + 0.5, LEVEL_MARGIN, "mip level")
            return self.filtered(filter, min(level, last), u, v)
        below = math.floor(lod)
        return mix(
            self.filtered(filter, below, u, v), self.filtered(filter, min(below + 1, last), u, v), lod - below
        )

    def footprint(self, dx: Sequence[float], dy: Sequence[float]) -> float:
        """Texels of level 0 per pixel, in the direction in which there are most."""
        width, height = self.texture.width, self.texture.height
        return max(math.hypot(width * dx[0], height * dx[1]), math.hypot(width * dy[0], height * dy[1]))

    def filtered(self, filter: int, level: int, u: float, v: float) -> Color:
        width, height = self.texture.size(level)
        if filter == TextureFilter.POINT:
            column = self.doubt.floor(self.mirrored("ADDRESSU", u) * width, TEXEL_MARGIN, "texel")
            row = self.doubt.floor(self.mirrored("ADDRESSV", v) * height, TEXEL_MARGIN, "texel")
            return self.fetch(level, column, row)
        x, y = self.mirrored("ADDRESSU", u) * width - 0.5, self.mirrored("ADDRESSV", v) * height - 0.5
        left, top = math.floor(x), math.floor(y)
        a, b = self.fetch(level, left, top), self.fetch(level, left + 1, top)
        c, d = self.fetch(level, left, top + 1), self.fetch(level, left + 1, top + 1)
        contrast = [max(four) - min(four) for four in zip(a, b, c, d, strict=True)]
        self.slack = [max(old, WEIGHT_SLACK * new) for old, new in zip(self.slack, contrast, strict=True)]
        return mix(mix(a, b, x - left), mix(c, d, x - left), y - top)

    def mirrored(self, axis: str, coordinate: float) -> float:
        """MIRRORONCE takes the coordinate without its sign, then clamps."""
        return abs(coordinate) if self.states[axis] == TextureAddress.MIRRORONCE else coordinate

    def fetch(self, level: int, x: int, y: int) -> Color:
        width, height = self.texture.size(level)
        column = address(int(self.states["ADDRESSU"]), x, width)
        row = address(int(self.states["ADDRESSV"]), y, height)
        if column is None or row is None:
            return from_argb(int(self.states["BORDERCOLOR"]))
        return self.texture.texel(level, column, row)


def mix(a: Color, b: Color, share: float) -> Color:
    """`share` of b."""
    red, green, blue, alpha = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return red, green, blue, alpha
