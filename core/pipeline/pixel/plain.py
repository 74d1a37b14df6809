"""The short way of plain draws: no test but depth; the colour is diffuse, diffuse times a texel, or constant.

`shade_block` comes to the same words; a third of its time goes into asking for what such a draw has not.  Blocks of a row
share what depends on y, and blocks of a state share what its record says: stores to the surfaces would have it read again.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import (
    advance,
    any_lane,
    gray,
    load_float,
    load_int,
    mask_bits,
    mask_from_bits,
    store_float,
    store_int,
    vfloat,
    vint,
)
from core.pipeline.draw_state.bind_plain import Plain
from core.pipeline.draw_state.pixel_slots import LANES
from core.pipeline.pixel.address import fold
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
from core.pipeline.pixel.sample import sample_folded
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.records.layout import Plane
from core.pipeline.records.stage_state import SLOT
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
def plain_pixels(held, triangle, row, dx):
    """The pixels of a block without a texel: the diffuse colour, or the same everywhere."""
    if held.plain == Plain.CONSTANT:
        return vint(held.pixel)
    color = row.diffuse
    if held.diffuse:
        color = color_in_row(triangle, held.diffuse_plane, dx, color, w_in_row(triangle, dx, row.rhw))
    return pack_bytes(color)


@stage
def put_place(s, held, triangle, row, dx, scratch):
    """Puts where a block's texels are into scratch memory, and w."""
    w = w_in_row(triangle, dx, row.rhw)
    u, v = in_row(triangle, held.place_plane, dx, row.u) * w, in_row(triangle, held.place_plane + 1, dx, row.v) * w
    store_float(scratch, 0, fold(s.address_u, u))
    store_float(scratch, LANES, fold(s.address_v, v))
    store_float(scratch, 2 * LANES, w)


@stage
def textured_pixels(s, held, triangle, memory, scratch, row, dx):
    """The pixels of a block after put_place: run_stages of a brief stage."""
    color, texel = row.diffuse, sample_folded(s, memory, load_float(scratch, 0), load_float(scratch, LANES))
    if held.diffuse:
        color = color_in_row(triangle, held.diffuse_plane, dx, color, load_float(scratch, 2 * LANES))
    return pack_bytes(multiplied(held.brief, color, texel))


@stage
def write_pixels(held, color_buffer, place, pixels, passed):
    """Writes a block."""
    store_int(color_buffer, place, write_pixel(held, pixels, load_int(color_buffer, place), passed))


@stage
def shade_row(s, held, textured, triangle, color_buffer, depth_buffer, memory, scratch, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of the same triangle and row; returns the number of the next one.

    With a texel, all go through the depth test before the first is looked up: from within a block, which is half as long then,
    a processor sees the next one.  Without, that would cost more than it gains.
    """
    number, line, i, shown = queue[first].triangle, queue[first].block >> 4, first, 0
    row = start_row(held, textured, triangle, row_offset(triangle, y + line * 4))
    while i < count and queue[i].triangle == number and queue[i].block >> 4 == line:
        block, lanes = queue[i].block, queue[i].lanes
        i += 1
        place, dx = np.intp(block) * 16, column_offset(triangle, x + (block & 15) * 4)
        depth, stored_depth = nearest_step(held, in_row(triangle, Plane.DEPTH, dx, row.depth)), load_int(depth_buffer, place)
        passed = depth_test(held, depth, stored_depth, mask_from_bits(lanes))
        if not any_lane(passed):
            continue
        store_int(depth_buffer, place, write_depth(held, stored_depth, depth, passed))
        if textured:
            put_place(s, held, triangle, row, dx, advance(scratch, shown * SLOT))
            kept = queue[first + shown]
            kept.block, kept.lanes = block, mask_bits(passed)
            shown += 1
        elif held.color_write:
            write_pixels(held, color_buffer, place, plain_pixels(held, triangle, row, dx), passed)
    for k in range(shown):
        block, passed = queue[first + k].block, mask_from_bits(queue[first + k].lanes)
        dx = column_offset(triangle, x + (block & 15) * 4)
        pixels = textured_pixels(s, held, triangle, memory, advance(scratch, k * SLOT), row, dx)
        write_pixels(held, color_buffer, np.intp(block) * 16, pixels, passed)
    return i


@stage
def shade_run(state, textured, edges, planes, color_buffer, depth_buffer, memory, scratch, queue, first, count, x, y):
    """shade_plain with a texel or without: known when compiling, so that neither holds vectors for the other."""
    number, held, s, i = edges[queue[first].triangle].state, hold(state), state.stage[0], first
    while i < count and edges[queue[i].triangle].state == number:
        triangle = triangle_at(planes, edges[queue[i].triangle].planes)
        i = shade_row(s, held, textured, triangle, color_buffer, depth_buffer, memory, scratch, queue, i, count, x, y)
    return i


@stage
def shade_plain(state, edges, planes, color_buffer, depth_buffer, memory, scratch, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of this state; returns the number of the next one."""
    if state.plain == Plain.TEXEL:
        return shade_run(state, True, edges, planes, color_buffer, depth_buffer, memory, scratch, queue, first, count, x, y)
    return shade_run(state, False, edges, planes, color_buffer, depth_buffer, memory, scratch, queue, first, count, x, y)
