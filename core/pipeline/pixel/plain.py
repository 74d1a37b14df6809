"""The short way of plain draws: no test but depth; the colour is the diffuse one, that times a texel, or the same everywhere.

`shade_block` comes to the same words; a third of its time goes into asking for what such a draw has not.  Blocks of a row
share what depends on y, and blocks of a state share what its record says: stores to the surfaces would have it read again.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import any_lane, gray, load_int, mask_from_bits, store_int, vfloat, vint
from core.pipeline.draw_state.bind_plain import Plain
from core.pipeline.pixel.combine import multiplied
from core.pipeline.pixel.depth_test import depth_test, write_depth
from core.pipeline.pixel.interpolate import (
    color_in_row,
    color_of_row,
    column_offset,
    in_row,
    nearest_step,
    of_row,
    row_offset,
    w_in_row,
)  # fmt: skip
from core.pipeline.pixel.output import write_pixel
from core.pipeline.pixel.sample import hold_short, sample_held
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.records.layout import Plane
from core.pipeline.surface.formats.pixels import pack_bytes

# fields of a PIXEL_STATE, and of its first stage
Held = namedtuple("Held", "plain z_enable z_func z_write depth_bits depth_shift depth_mask depth_keep depth_max color_write "
                  "pixel diffuse diffuse_plane brief place_plane")  # fmt: skip
# what the blocks of a row share: of_row
Row = namedtuple("Row", "depth rhw diffuse u v")


@stage
def hold(state):
    """What every block of a plain draw asks its state for."""
    s = state.stage[0]
    diffuse = state.color_write and state.plain != Plain.CONSTANT and state.use_diffuse
    return Held(state.plain, state.z_enable, state.z_func, state.z_write, state.depth_bits, state.depth_shift, state.depth_mask,
                state.depth_keep, state.depth_max, state.color_write, state.plain_pixel, diffuse, state.diffuse_plane, s.brief,
                s.coordinate_plane)  # fmt: skip


@stage
def start_row(held, textured, triangle, dy):
    """The Row of a triangle: what is not asked for is left out."""
    depth, rhw, diffuse, u, v = of_row(triangle, Plane.DEPTH, dy), vfloat(1.0), gray(1.0), vfloat(0.0), vfloat(0.0)
    if textured or held.diffuse:
        rhw = of_row(triangle, Plane.RHW, dy)
    if held.diffuse:
        diffuse = color_of_row(triangle, held.diffuse_plane, dy)
    if textured:
        u, v = of_row(triangle, held.place_plane, dy), of_row(triangle, held.place_plane + 1, dy)
    return Row(depth, rhw, diffuse, u, v)


@stage
def plain_color(s, held, short, textured, triangle, memory, row, dx):
    """The colour of a block's pixels: run_single, or the diffuse one."""
    color, w = row.diffuse, vfloat(1.0)
    if textured or held.diffuse:
        w = w_in_row(triangle, dx, row.rhw)
    if held.diffuse:
        color = color_in_row(triangle, held.diffuse_plane, dx, color, w)
    if textured:
        u, v = in_row(triangle, held.place_plane, dx, row.u) * w, in_row(triangle, held.place_plane + 1, dx, row.v) * w
        color = multiplied(held.brief, color, sample_held(s, short, memory, u, v))
    return color


@stage
def shade_row(s, held, short, textured, triangle, color_buffer, depth_buffer, memory, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of the same triangle and row; returns the number of the next one."""
    number, line, i = queue[first].triangle, queue[first].block >> 4, first
    row = start_row(held, textured, triangle, row_offset(triangle, y + line * 4))
    while i < count and queue[i].triangle == number and queue[i].block >> 4 == line:
        item = queue[i]
        i += 1
        place = np.intp(item.block) * 16
        dx = column_offset(triangle, x + (item.block & 15) * 4)
        depth, stored_depth = nearest_step(held, in_row(triangle, Plane.DEPTH, dx, row.depth)), load_int(depth_buffer, place)
        passed = depth_test(held, depth, stored_depth, mask_from_bits(item.lanes))
        if not any_lane(passed):
            continue
        store_int(depth_buffer, place, write_depth(held, stored_depth, depth, passed))
        if held.color_write:
            pixel = vint(held.pixel)
            if textured or held.plain != Plain.CONSTANT:
                pixel = pack_bytes(plain_color(s, held, short, textured, triangle, memory, row, dx))
            store_int(color_buffer, place, write_pixel(held, pixel, load_int(color_buffer, place), passed))
    return i


@stage
def shade_run(state, textured, edges, planes, color_buffer, depth_buffer, memory, queue, first, count, x, y):
    """shade_plain with a texel or without: known when compiling, so that neither holds vectors for the other."""
    number, held, s, i = edges[queue[first].triangle].state, hold(state), state.stage[0], first
    short = hold_short(s, s.first_level if textured else np.int32(0))
    while i < count and edges[queue[i].triangle].state == number:
        triangle = triangle_at(planes, edges[queue[i].triangle].planes)
        i = shade_row(s, held, short, textured, triangle, color_buffer, depth_buffer, memory, queue, i, count, x, y)
    return i


@stage
def shade_plain(state, edges, planes, color_buffer, depth_buffer, memory, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of this state; returns the number of the next one."""
    if state.plain == Plain.TEXEL:
        return shade_run(state, True, edges, planes, color_buffer, depth_buffer, memory, queue, first, count, x, y)
    return shade_run(state, False, edges, planes, color_buffer, depth_buffer, memory, queue, first, count, x, y)
