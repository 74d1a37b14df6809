"""The last stage: blend, round to the target's format, write mask."""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import select
from core.pipeline.pixel.blend import blend
from core.pipeline.surface.formats.pixels import pack, unpack

ALL_BITS = -1


@stage
def write_color(state, color, stored, mask):
    """The target's words with the colour in the lanes of mask; color in 0..1."""
    if state.blend_enable:
        color = blend(state, color, unpack(state, stored))
    return write_pixel(state, pack(state, color), stored, mask)


@stage
def write_pixel(state, pixel, stored, mask):
    """The target's words with packed pixels in the lanes of mask."""
    if state.color_write != ALL_BITS:
        pixel = (pixel & state.color_write) | (stored & ~state.color_write)
    return select(mask, pixel, stored)
