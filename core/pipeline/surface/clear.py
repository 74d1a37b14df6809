"""CLEAR and colour fills: a pixel's value, and filling rectangles of a target.

Colours arrive as A8R8G8B8 and keep their high-order bits (semantics section 5): an n-bit channel is (c8 << n) >> 8.
"""

from __future__ import annotations

import math

import numpy as np

from core.kernels.jit import array, i8, kernel, u4, void
from core.pipeline.surface.formats.texels import channels_of
from core.spec.formats import Format

Rect = tuple[int, int, int, int]
_POSITION = {"a": 24, "r": 16, "g": 8, "b": 0}
# What other formats' channels take: luminance and bump formats the colour of the same place.
_STANDS_FOR = {"l": "r", "p": "b", "u": "r", "v": "g", "w": "b", "q": "a"}


def color_value(format: Format, color: int) -> int:
    """An A8R8G8B8 colour as the packed pixel of a format; X channels are 0."""
    if format.name in ("UYVY", "YUY2"):
        red, green, blue = color >> 16 & 255, color >> 8 & 255, color & 255
        if format.name == "UYVY":
            return red << 24 | green << 16 | red << 8 | blue
        return green << 24 | red << 16 | blue << 8 | red
    value = 0
    for letter, (shift, bits, _) in channels_of(format).items():
        place = _POSITION.get(_STANDS_FOR.get(letter, letter))
        if place is not None:
            value |= ((color >> place & 255) << bits >> 8) << shift
    return value


def depth_parts(format: Format) -> tuple[tuple[int, int], tuple[int, int]]:
    """(shift, bits) of depth and of stencil; (0, 0) for what the format lacks."""
    parts = {"depth": (0, 0), "stencil": (0, 0)}
    for _, shift, bits, kind in format.channels:
        if kind in parts:
            parts[kind] = shift, bits
    return parts["depth"], parts["stencil"]


def depth_code(depth: float, bits: int) -> int:
    """A depth in 0..1 as a code of n bits, rounded to nearest; NaN is 0."""
    if not depth > 0:
        return 0
    return math.floor(min(depth, 1.0) * ((1 << bits) - 1) + 0.5)


def depth_stencil_value(format: Format, depth: float | None, stencil: int | None) -> tuple[int, int]:
    """(value, mask of the bits that it sets) of a depth surface's pixel; None leaves that part alone."""
    (depth_shift, depth_bits), (stencil_shift, stencil_bits) = depth_parts(format)
    value = mask = 0
    if depth is not None and depth_bits:
        value |= depth_code(depth, depth_bits) << depth_shift
        mask |= ((1 << depth_bits) - 1) << depth_shift
    if stencil is not None and stencil_bits:
        value |= (stencil & ((1 << stencil_bits) - 1)) << stencil_shift
        mask |= ((1 << stencil_bits) - 1) << stencil_shift
    return value, mask


@kernel(void(array("u4"), i8, i8, i8, i8, i8, i8, i8, u4, u4))
def _fill(blocks, planes, plane, tiles_x, left, top, right, bottom, value, mask):  # type: ignore[no-untyped-def]
    """Sets the masked bits of a rectangle in block form, in all planes."""
    keep = ~mask
    for p in range(planes):
        for y in range(top, bottom):
            row = p * plane + (y >> 6) * tiles_x * 4096 + (((y >> 2) & 15) << 8) + ((y & 3) << 2)
            for x in range(left, right):
                at = row + ((x >> 6) << 12) + (((x >> 2) & 15) << 4) + (x & 3)
                blocks[at] = (blocks[at] & keep) | (value & mask)


def common(one: Rect, other: Rect) -> Rect:
    """What is in both."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def whole_tiles(rect: Rect) -> Rect:
    """The tiles that a rectangle is in, in pixels."""
    return rect[0] & -64, rect[1] & -64, (rect[2] + 63) & -64, (rect[3] + 63) & -64


def fill(blocks: np.ndarray, width: int, height: int, planes: int, box: Rect, value: int,
         mask: int = 0xFFFFFFFF) -> None:  # fmt: skip
    """Sets the masked bits of a rectangle (left, top, right, bottom; clipped to the surface) of a target in block form."""
    left, top, right, bottom = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
    if left >= right or top >= bottom:
        return
    if mask == 0xFFFFFFFF and (left, top, right, bottom) == (0, 0, width, height):
        blocks[:] = value
        return
    tiles_x = (width + 63) // 64
    _fill(blocks, planes, len(blocks) // planes, tiles_x, left, top, right, bottom, np.uint32(value), np.uint32(mask))
