"""The short way of plain draws: the depth test is the only one, the colour is the diffuse one or the same for all pixels.

`shade_block` comes to the same words; a third of its time goes into asking for what such a draw has not.  Blocks of a row
share what depends on y, and blocks of a state share what its record says: stores to the surfaces would have it read again.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import any_lane, gray, load_int, mask_from_bits, store_int, vfloat, vint
from core.pipeline.draw_state.bind_plain import Plain
from core.pipeline.pixel.depth_test import depth_test, write_depth
from core.pipeline.pixel.interpolate import (
    color_in_row,
    color_of_row,
    column_offset,
    in_row,
    nearest_step,
    of_row,
    row_offset,
)  # fmt: skip
from core.pipeline.pixel.output import write_pixel
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.records.layout import Plane
from core.pipeline.surface.formats.pixels import pack_bytes

# fields of a PIXEL_STATE
Held = namedtuple("Held", "plain z_enable z_func z_write depth_bits depth_shift depth_mask depth_keep depth_max color_write")


@stage
def hold(state):
    """What every block of a plain draw asks its state for."""
    return Held(state.plain, state.z_enable, state.z_func, state.z_write, state.depth_bits, state.depth_shift, state.depth_mask,
                state.depth_keep, state.depth_max, state.color_write)  # fmt: skip


@stage
def w_of_row(triangle, rhw, dx):
    """interpolate_w in a row."""
    if triangle.affine:
        return vfloat(1.0)
    return 1.0 / in_row(triangle, Plane.RHW, dx, rhw)


@stage
def shade_row(state, held, triangle, color_buffer, depth_buffer, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of the same triangle and row; returns the number of the next one."""
    number, row, i = queue[first].triangle, queue[first].block >> 4, first
    dy = row_offset(triangle, y + row * 4)
    diffuse = held.color_write and held.plain == Plain.DIFFUSE and state.use_diffuse
    plane, depths, rhw, colors = state.diffuse_plane, of_row(triangle, Plane.DEPTH, dy), vfloat(1.0), gray(1.0)
    if diffuse:
        rhw, colors = of_row(triangle, Plane.RHW, dy), color_of_row(triangle, plane, dy)
    while i < count and queue[i].triangle == number and queue[i].block >> 4 == row:
        item = queue[i]
        i += 1
        place = np.intp(item.block) * 16
        dx = column_offset(triangle, x + (item.block & 15) * 4)
        depth, stored_depth = nearest_step(held, in_row(triangle, Plane.DEPTH, dx, depths)), load_int(depth_buffer, place)
        passed = depth_test(held, depth, stored_depth, mask_from_bits(item.lanes))
        if not any_lane(passed):
            continue
        store_int(depth_buffer, place, write_depth(held, stored_depth, depth, passed))
        if held.color_write:
            pixel = vint(state.plain_pixel)
            if held.plain != Plain.CONSTANT:
                color = colors
                if diffuse:
                    color = color_in_row(triangle, plane, dx, colors, w_of_row(triangle, rhw, dx))
                pixel = pack_bytes(color)
            store_int(color_buffer, place, write_pixel(held, pixel, load_int(color_buffer, place), passed))
    return i


@stage
def shade_plain(state, edges, planes, color_buffer, depth_buffer, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of this state; returns the number of the next one."""
    number, held, i = edges[queue[first].triangle].state, hold(state), first
    while i < count and edges[queue[i].triangle].state == number:
        triangle = triangle_at(planes, edges[queue[i].triangle].planes)
        i = shade_row(state, held, triangle, color_buffer, depth_buffer, queue, i, count, x, y)
    return i
