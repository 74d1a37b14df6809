"""Pixels of the render target: sixteen packed words <-> a Color, for every renderable format.

The target's channels (shift and width of r, g, b, a) come from the format's row; a channel that the format lacks reads as
1 and is not written.  n bits hold round(c * (2**n - 1)) (semantics section 5).
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import Color, lane_x, lane_y, shift_right, to_float, to_int_in_range, vfloat, vint

BYTE = np.float32(1 / 255)
# A hair above one half: perspective leaves a colour of 0.5 a few units of 2**-24 to either side of 127.5, which must not show.
HALF = np.float32(0.5 + 1 / 8192)


@stage
def unpack_channel(state, pixel, number):
    """One channel as 0..1."""
    if state.color_bits[number] == 0:
        return vfloat(1.0)
    largest = (1 << state.color_bits[number]) - 1
    return to_float(shift_right(pixel, state.color_shift[number]) & largest) * (np.float32(1.0) / state.color_max[number])


@stage
def unpack(state, pixel):
    """Packed pixels of the target -> Color."""
    if state.color_plain:
        alpha = vfloat(1.0)
        if state.has_alpha:
            alpha = to_float(shift_right(pixel, 24)) * BYTE
        return Color(to_float(shift_right(pixel, 16) & 255) * BYTE, to_float(shift_right(pixel, 8) & 255) * BYTE,
                     to_float(pixel & 255) * BYTE, alpha)  # fmt: skip
    return Color(unpack_channel(state, pixel, 0), unpack_channel(state, pixel, 1), unpack_channel(state, pixel, 2),
                 unpack_channel(state, pixel, 3))  # fmt: skip


@stage
def bayer():
    """The 4x4 ordered dither thresholds, one per pixel of a block: (k + 1/2) / 16."""
    x, y = lane_x(), lane_y()
    mixed = x ^ y
    k = ((mixed & 1) << 3) | ((y & 1) << 2) | (mixed & 2) | (y >> 1)
    return (to_float(k) + 0.5) * np.float32(1 / 16)


@stage
def pack_channel(state, value, number):
    """One channel in place; dithered if it has fewer than 8 bits and the draw asks for it."""
    rounding = vfloat(HALF)
    if state.dither and state.color_bits[number] < 8:
        rounding = bayer()
    return to_int_in_range(value * state.color_max[number] + rounding) << state.color_shift[number]


@stage
def pack_bytes(color):
    """Color in 0..1 -> A8R8G8B8."""
    c = color * 255.0 + HALF
    return to_int_in_range(c.b) | to_int_in_range(c.g) << 8 | to_int_in_range(c.r) << 16 | to_int_in_range(c.a) << 24


@stage
def pack(state, color):
    """Color in 0..1 -> packed pixels of the target."""
    if state.color_plain:
        return pack_bytes(color)
    pixel = vint(0)
    if state.color_bits[0]:
        pixel = pixel | pack_channel(state, color.r, 0)
    if state.color_bits[1]:
        pixel = pixel | pack_channel(state, color.g, 1)
    if state.color_bits[2]:
        pixel = pixel | pack_channel(state, color.b, 2)
    if state.color_bits[3]:
        pixel = pixel | pack_channel(state, color.a, 3)
    return pixel
