"""The short way of plain draws: no test but depth; the colour is diffuse, diffuse times a texel, a shader's, or constant.

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
    saturate,
    store_float,
    store_int,
    vfloat,
    vint,
)
from core.pipeline.draw_state.bind_plain import Plain
from core.pipeline.draw_state.pixel_slots import DIFFUSE, LANES
from core.pipeline.pixel.address import fold
from core.pipeline.pixel.combine import multiplied
from core.pipeline.pixel.coverage import QUEUE
from core.pipeline.pixel.depth_test import depth_test, write_depth
from core.pipeline.pixel.first_lookups import begins_with_pair, put_pair
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
from core.pipeline.pixel.pixel_arithmetic import put
from core.pipeline.pixel.pshader import is_pair_and_arithmetic, run_after_pair, run_pixel_shader
from core.pipeline.pixel.sample import RHW, plane_levels, plane_lod, sample_folded
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.pixel.texel_filter import linear_pair
from core.pipeline.records.layout import Plane
from core.pipeline.records.stage_state import PIXEL_REGISTER_FLOATS, SLOT
from core.pipeline.surface.formats.pixels import pack_bytes

# fields of a PIXEL_STATE, and of its first stage
Held = namedtuple("Held", "plain z_enable z_func z_write depth_bits depth_shift depth_mask depth_keep depth_max color_write "
                  "pixel diffuse diffuse_plane brief levels place_plane pair other_plane arithmetic")  # fmt: skip
# what the blocks of a row share: of_row
Row = namedtuple("Row", "depth rhw diffuse u v other_u other_v")
PLACES = 2 * SLOT  # floats of the places of a block's pair of lookups, and w; they come after a shader's registers


@stage
def hold(state):
    """What every block of a plain draw asks its state for; pair: its pixel shader begins with two lookups done at once."""
    s = state.stage[0]
    diffuse = state.color_write and state.plain != Plain.CONSTANT and state.use_diffuse
    pair, plane, other_plane = state.plain == Plain.SHADER and begins_with_pair(state), s.coordinate_plane, 0
    if pair:
        plane = state.stage[state.instruction[0].coordinate].coordinate_plane
        other_plane = state.stage[state.instruction[1].coordinate].coordinate_plane
    return Held(state.plain, state.z_enable, state.z_func, state.z_write, state.depth_bits, state.depth_shift, state.depth_mask,
                state.depth_keep, state.depth_max, state.color_write, state.plain_pixel, diffuse, state.diffuse_plane, s.brief,
                state.plain == Plain.TEXEL and not s.short, plane, pair, other_plane,
                pair and is_pair_and_arithmetic(state))  # fmt: skip


@stage
def start_row(held, way, triangle, dy):
    """The Row of a triangle: what is not asked for is left out."""
    depth, rhw, diffuse, u, v = of_row(triangle, Plane.DEPTH, dy), vfloat(1.0), gray(1.0), vfloat(0.0), vfloat(0.0)
    if way != Plain.DIFFUSE or held.diffuse:
        rhw = of_row(triangle, Plane.RHW, dy)
    if held.diffuse:
        diffuse = color_of_row(triangle, held.diffuse_plane, dy)
    other_u, other_v = vfloat(0.0), vfloat(0.0)
    if way == Plain.TEXEL or (way == Plain.SHADER and held.pair):
        u, v = of_row(triangle, held.place_plane, dy), of_row(triangle, held.place_plane + 1, dy)
    if way == Plain.SHADER and held.pair:
        other_u, other_v = of_row(triangle, held.other_plane, dy), of_row(triangle, held.other_plane + 1, dy)
    return Row(depth, rhw, diffuse, u, v, other_u, other_v)


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
    """Puts where a block's texels are into scratch memory, and w; with levels the level of detail, too."""
    w = w_in_row(triangle, dx, row.rhw)
    u, v = in_row(triangle, held.place_plane, dx, row.u) * w, in_row(triangle, held.place_plane + 1, dx, row.v) * w
    if held.levels:
        store_float(scratch, 3 * LANES, plane_lod(triangle, s, held.place_plane, RHW, u, v, w))
    store_float(scratch, 0, fold(s.address_u, u))
    store_float(scratch, LANES, fold(s.address_v, v))
    store_float(scratch, 2 * LANES, w)


@stage
def put_places(state, held, triangle, row, dx, scratch):
    """put_place of the two lookups that a pixel shader begins with."""
    s, other = state.stage[state.instruction[0].stage], state.stage[state.instruction[1].stage]
    put_place(s, held, triangle, row, dx, scratch)
    w = load_float(scratch, 2 * LANES)
    u, v = in_row(triangle, held.other_plane, dx, row.other_u) * w, in_row(triangle, held.other_plane + 1, dx, row.other_v) * w
    store_float(scratch, 3 * LANES, fold(other.address_u, u))
    store_float(scratch, 4 * LANES, fold(other.address_v, v))


@stage
def textured_pixels(s, held, triangle, memory, scratch, row, dx):
    """The pixels of a block after put_place: run_stages of a brief stage."""
    color, u, v = row.diffuse, load_float(scratch, 0), load_float(scratch, LANES)
    if held.levels:
        texel = plane_levels(s, memory, u, v, load_float(scratch, 3 * LANES))
    else:
        texel = sample_folded(s, memory, u, v)
    if held.diffuse:
        color = color_in_row(triangle, held.diffuse_plane, dx, color, load_float(scratch, 2 * LANES))
    return pack_bytes(multiplied(held.brief, color, texel))


@stage
def shader_pixels(state, held, triangle, memory, scratch, number, row, dx, dy):
    """The pixels of a block that a pixel shader computes; number: of its places, after put_places."""
    diffuse, w = row.diffuse, vfloat(1.0)
    if held.pair:
        places = advance(scratch, PIXEL_REGISTER_FLOATS + number * PLACES)
        s, other = state.stage[state.instruction[0].stage], state.stage[state.instruction[1].stage]
        texel, other_texel = linear_pair(s, other, memory, load_float(places, 0), load_float(places, LANES), s.image,
                                         load_float(places, 3 * LANES), load_float(places, 4 * LANES), other.image)  # fmt: skip
        put_pair(state, scratch, texel, other_texel)
        w = load_float(places, 2 * LANES)
    else:
        w = w_in_row(triangle, dx, row.rhw)
    if held.diffuse:
        diffuse = color_in_row(triangle, held.diffuse_plane, dx, diffuse, w)
    if held.arithmetic:
        if held.diffuse:
            put(scratch, DIFFUSE, diffuse)
        return pack_bytes(saturate(run_after_pair(state, scratch)))
    return pack_bytes(saturate(run_pixel_shader(state, triangle, memory, scratch, dx, dy, w, diffuse, held.pair)))


@stage
def write_pixels(held, color_buffer, place, pixels, passed):
    """Writes a block."""
    store_int(color_buffer, place, write_pixel(held, pixels, load_int(color_buffer, place), passed))


@stage
def test_plain(state, held, way, triangle, color_buffer, depth_buffer, scratch, queue, row, block, dx, lanes, shown):
    """The depth test of a block.  Without a texel or a shader, also its colour; else it becomes number `shown` of those that
    wait for theirs behind the queue.  Returns how many wait.
    """
    place = np.intp(block) * 16
    depth, stored_depth = nearest_step(held, in_row(triangle, Plane.DEPTH, dx, row.depth)), load_int(depth_buffer, place)
    passed = depth_test(held, depth, stored_depth, lanes)
    if not any_lane(passed):
        return shown
    store_int(depth_buffer, place, write_depth(held, stored_depth, depth, passed))
    if way == Plain.DIFFUSE:
        if held.color_write:
            write_pixels(held, color_buffer, place, plain_pixels(held, triangle, row, dx), passed)
        return shown
    if way == Plain.TEXEL:
        put_place(state.stage[0], held, triangle, row, dx, advance(scratch, shown * SLOT))
    elif held.pair:
        put_places(state, held, triangle, row, dx, advance(scratch, PIXEL_REGISTER_FLOATS + shown * PLACES))
    kept = queue[QUEUE + shown]
    kept.block, kept.lanes = block, mask_bits(passed)
    return shown + 1


@stage
def shade_row(state, held, way, triangle, color_buffer, depth_buffer, memory, scratch, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of the same triangle and row; returns the number of the next one.

    With a texel or a shader, all go through the depth test before the first has its colour: from within a block, which is half
    as long then, a processor sees the next one.  Without, that would cost more than it gains.
    """
    number, line, i, shown = queue[first].triangle, queue[first].block >> 4, first, 0
    dy = row_offset(triangle, y + line * 4)
    row = start_row(held, way, triangle, dy)
    while i < count and queue[i].triangle == number and queue[i].block >> 4 == line:
        block, lanes = queue[i].block, mask_from_bits(queue[i].lanes)
        end, dx = block + queue[i].more + 1, column_offset(triangle, x + (block & 15) * 4)
        i += 1
        while block < end:
            shown = test_plain(
                state, held, way, triangle, color_buffer, depth_buffer, scratch, queue, row, block, dx, lanes, shown
            )
            block, dx = block + 1, dx + 4.0  # exact: 1/256 pixels
    for k in range(shown):
        block, passed = queue[QUEUE + k].block, mask_from_bits(queue[QUEUE + k].lanes)
        dx = column_offset(triangle, x + (block & 15) * 4)
        if way == Plain.TEXEL:
            pixels = textured_pixels(state.stage[0], held, triangle, memory, advance(scratch, k * SLOT), row, dx)
        else:
            pixels = shader_pixels(state, held, triangle, memory, scratch, k, row, dx, dy)
        write_pixels(held, color_buffer, np.intp(block) * 16, pixels, passed)
    return i


@stage
def shade_run(state, way, edges, planes, color, depth, memory, scratch, queue, first, count, x, y):
    """shade_plain in one way (DIFFUSE, also constant; TEXEL; SHADER), known when compiling: none holds vectors for another."""
    number, held, i = edges[queue[first].triangle].state, hold(state), first
    while i < count and edges[queue[i].triangle].state == number:
        triangle = triangle_at(planes, edges[queue[i].triangle].planes)
        i = shade_row(state, held, way, triangle, color, depth, memory, scratch, queue, i, count, x, y)
    return i


@stage
def shade_plain(state, edges, planes, color, depth, memory, scratch, queue, first, count, x, y):
    """Draws the queued blocks from `first` on that are of this state; returns the number of the next one."""
    if state.plain == Plain.TEXEL:
        return shade_run(state, Plain.TEXEL, edges, planes, color, depth, memory, scratch, queue, first, count, x, y)
    elif state.plain == Plain.SHADER:
        return shade_run(state, Plain.SHADER, edges, planes, color, depth, memory, scratch, queue, first, count, x, y)
    return shade_run(state, Plain.DIFFUSE, edges, planes, color, depth, memory, scratch, queue, first, count, x, y)
