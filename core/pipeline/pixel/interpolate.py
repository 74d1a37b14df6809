"""Attributes over a 4x4 block, from the planes of a triangle."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import (
    Color,
    gray,
    lane_x,
    lane_y,
    mad,
    maximum,
    minimum,
    round_even,
    saturate,
    to_float,
    to_int_in_range,
    to_uint,
    vdouble,
    vfloat,
)  # fmt: skip
from core.pipeline.records.layout import Plane


@stage
def block_offset(triangle, x, y):
    """Pixels of the block whose first pixel is (x, y), relative to the triangle's origin: dx, dy."""
    return column_offset(triangle, x), row_offset(triangle, y)


@stage
def column_offset(triangle, x):
    """dx of the blocks whose first pixels have this x."""
    return to_float(lane_x()) + (np.float32(x) - triangle.x)


@stage
def row_offset(triangle, y):
    """dy of the blocks whose first pixels have this y."""
    return to_float(lane_y()) + (np.float32(y) - triangle.y)


@stage
def interpolate(triangle, plane, dx, dy):
    """An attribute divided by w; times w it is the attribute."""
    return in_row(triangle, plane, dx, of_row(triangle, plane, dy))


@stage
def of_row(triangle, plane, dy):
    """What the blocks of a row share of an attribute divided by w."""
    p = triangle.plane
    return mad(dy, p[plane * 3 + 2], vfloat(p[plane * 3]))


@stage
def in_row(triangle, plane, dx, row):
    """An attribute divided by w; row: of_row."""
    return mad(dx, triangle.plane[plane * 3 + 1], row)


@stage
def interpolate_w(triangle, dx, dy):
    """w of the pixels, 1 where the planes are not divided by it."""
    return w_in_row(triangle, dx, of_row(triangle, Plane.RHW, dy))


@stage
def w_in_row(triangle, dx, row):
    """interpolate_w; row: of_row of 1/w."""
    if triangle.affine:
        return vfloat(1.0)
    return 1.0 / in_row(triangle, Plane.RHW, dx, row)


@stage
def interpolate_color(triangle, plane, dx, dy, w):
    """Four planes times w, 0..1: the centre of a line's or a multisampled triangle's pixel may lie beyond its vertices."""
    return color_in_row(triangle, plane, dx, color_of_row(triangle, plane, dy), w)


@stage
def color_of_row(triangle, plane, dy):
    """What the blocks of a row share of four planes."""
    return Color(of_row(triangle, plane, dy), of_row(triangle, plane + 1, dy), of_row(triangle, plane + 2, dy),
                 of_row(triangle, plane + 3, dy))  # fmt: skip


@stage
def color_in_row(triangle, plane, dx, row, w):
    """interpolate_color; row: color_of_row."""
    return saturate(Color(in_row(triangle, plane, dx, row.r), in_row(triangle, plane + 1, dx, row.g),
                          in_row(triangle, plane + 2, dx, row.b), in_row(triangle, plane + 3, dx, row.a)) * w)  # fmt: skip


@stage
def interpolate_diffuse(state, triangle, dx, dy, w):
    """White where no stage reads it."""
    if state.use_diffuse:
        return interpolate_color(triangle, state.diffuse_plane, dx, dy, w)
    return gray(1.0)


@stage
def interpolate_specular(state, triangle, dx, dy, w):
    """Interpolated where it is used: four live vectors less in every other pipeline."""
    if state.specular_plane >= 0:
        return interpolate_color(triangle, state.specular_plane, dx, dy, w)
    return gray(0.0)


@stage
def interpolate_depth(state, triangle, dx, dy):
    """Depth as the target stores it: rounded to the nearest step, an unsigned integer of depth_bits."""
    if state.w_buffer:
        return depth_of_w(state, triangle, dx, dy)
    elif state.depth_bits == 32:
        return depth_in_doubles(triangle, dx, dy)
    return interpolate_step(state, triangle, dx, dy)


@stage
def interpolate_step(state, triangle, dx, dy):
    """Depth of a z-buffer with up to 24 bits."""
    return nearest_step(state, interpolate(triangle, Plane.DEPTH, dx, dy))


@stage
def nearest_step(state, depth):
    """Depth in steps, clamped and rounded."""
    return to_int_in_range(round_even(minimum(maximum(depth, 0.0), state.depth_max)))


@outlined
def depth_of_w(state, triangle, dx, dy):
    """Depth in a w-buffer; ZBIAS takes its steps of the steepest slope and of the smallest difference off, as in a z-buffer.

    In singles for 32 bits too: w is not known better.
    """
    w, p = 1.0 / interpolate(triangle, Plane.RHW, dx, dy), triangle.plane
    depth = (w - state.w_near) * state.w_scale
    if triangle.bias != 0.0:
        steepest = max(abs(p[Plane.RHW * 3 + 1]), abs(p[Plane.RHW * 3 + 2])) * state.w_scale
        depth = depth - (w * w * steepest + 1.0) * state.depth_bias
    depth = minimum(maximum(depth, 0.0), state.depth_max)
    if state.depth_bits == 32:
        return to_uint(round_even(vdouble(depth)))
    return to_int_in_range(round_even(depth))


@stage
def depth_in_doubles(triangle, dx, dy):
    """Depth in 32 bits: more than a single holds."""
    p = triangle.depth
    depth = vdouble(dx) * p[1] + (vdouble(dy) * p[2] + vdouble(p[0]))
    return to_uint(round_even(depth))
