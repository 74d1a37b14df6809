"""The pixel pipeline in order: every stage for one 4x4 block, and the kernel that draws a queue of blocks."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import kernel, outlined, stage
from core.kernels.simd import (
    align_stack,
    any_lane,
    gray,
    load_int,
    mask_bits,
    mask_from_bits,
    prefetch,
    round_even,
    saturate,
    store_int,
    to_uint,
    vdouble,
    vfloat,
    vint,
    with_alpha,
)  # fmt: skip
from core.pipeline.pixel.alpha_test import alpha_test
from core.pipeline.pixel.blend import blend
from core.pipeline.pixel.combine import fetch_texels, is_single, run_brief, run_single, run_stages
from core.pipeline.pixel.coverage import line_coverage
from core.pipeline.pixel.depth_test import depth_test, hold_depth, write_depth
from core.pipeline.pixel.fog import apply_fog
from core.pipeline.pixel.interpolate import (
    block_offset,
    interpolate,
    interpolate_depth,
    interpolate_diffuse,
    interpolate_specular,
    interpolate_w,
    nearest_step,
)  # fmt: skip
from core.pipeline.pixel.observer import (
    count_fates,
    count_fragments,
    fates_of,
    log_block,
    record_fragments,
    watching,
)  # fmt: skip
from core.pipeline.pixel.output import write_color, write_pixel
from core.pipeline.pixel.plain import shade_plain
from core.pipeline.pixel.pshader import killed_lanes, load_constants, run_pixel_shader, written_depth
from core.pipeline.pixel.sample import sample_stage
from core.pipeline.pixel.seam import SHADE, triangle_at
from core.pipeline.pixel.stencil_test import stencil_test, write_stencil
from core.pipeline.records.layout import SUBPIXELS, ColorKey, Plane
from core.pipeline.records.primitives import PrimitiveKind
from core.pipeline.records.stage_state import SHADER_DEPTH
from core.pipeline.surface.formats.pixels import pack, unpack


@stage
def shade_color(state, triangle, memory, registers, dx, dy):
    """The colour of the block's pixels before the tests, in 0..1, and the lanes that texkill discards."""
    w = interpolate_w(triangle, dx, dy)
    killed = mask_from_bits(0)
    if state.pixel_shader:
        diffuse = interpolate_diffuse(state, triangle, dx, dy, w)
        color = run_pixel_shader(state, triangle, memory, registers, dx, dy, w, diffuse, False)
        killed = killed_lanes(state, registers)
    elif is_single(state):
        color = run_single(state, triangle, memory, dx, dy, w)
    else:
        fetch_texels(state, triangle, memory, registers, dx, dy, w)
        diffuse = interpolate_diffuse(state, triangle, dx, dy, w)
        if state.brief:
            color = run_brief(state, registers, diffuse)
        else:
            color = run_stages(state, triangle, registers, dx, dy, w, diffuse)
    return finish_color(state, triangle, memory, dx, dy, w, color, killed)


@stage
def finish_color(state, triangle, memory, dx, dy, w, color, killed):
    """Colour and killed lanes from the last stage or instruction on: specular add, fog (`change_rarely` is what follows)."""
    if state.specular_enable:  # not with a pixel shader
        color = with_alpha(color + interpolate_specular(state, triangle, dx, dy, w), color.a)
    if state.specular_enable or state.pixel_shader:  # a stage has clamped its result
        color = saturate(color)
    if state.fog_source:
        color = apply_fog(state, triangle, color, dx, dy, w)
    return color, killed


@stage
def apply_color_key(state, triangle, memory, dx, dy, color, killed):
    """Colour and killed lanes after the colour key of stage 0's texture: its texels count 0, the others 1, filtered alike."""
    zero, w = vfloat(0.0), interpolate_w(triangle, dx, dy)
    visible = sample_stage(triangle, memory, state.key_stage, dx, dy, w, zero, zero).a
    if state.color_key == ColorKey.BLEND:
        return with_alpha(color, color.a * visible), killed | (visible <= 0.0)
    return color, killed | (visible < 0.5)


@outlined
def change_rarely(state, triangle, edges, memory, dx, dy, color, killed):
    """What few draws ask for: the colour key, antialiased lines."""
    if state.color_key:
        color, killed = apply_color_key(state, triangle, memory, dx, dy, color, killed)
    if state.edge_antialias and edges.kind == PrimitiveKind.LINE:
        color = with_alpha(color, color.a * line_coverage(edges, dx, dy))
    return color, killed


@stage
def shader_depth(state, triangle, memory, registers, dx, dy):
    """Depth that the pixel shader computes (texm3x2depth, texdepth); such rare shaders run twice, now for the depth."""
    w = interpolate_w(triangle, dx, dy)
    run_pixel_shader(state, triangle, memory, registers, dx, dy, w, gray(0.0), False)
    return to_uint(round_even(vdouble(written_depth(state, registers)) * state.depth_scale))


@stage
def observe_block(observer, edges, block, sample, sample_stride, covered, stencil_ok, depth_ok, visible, source, depth,
                  old_depth, new_depth, old_color, new_color, killed):  # fmt: skip
    """Reports to the observers what happened to one block of one sample plane."""
    settings = observer.settings[0]
    changed = mask_bits((old_depth != new_depth) | (old_color != new_color))
    if settings.log and changed:
        log_block(observer, edges, block, sample, changed, old_depth, old_color)
    if settings.counts:
        count_fragments(observer, edges, block, covered, stencil_ok, depth_ok, visible, killed, changed)
    if settings.fates or settings.probe_block == block:
        fate = fates_of(stencil_ok, depth_ok, visible, killed)
        if settings.fates:
            count_fates(observer, edges, np.intp(block) * 16 + sample * np.intp(sample_stride), covered, fate)
        if settings.probe_block == block:
            record_fragments(observer, edges, sample, covered, fate, source, depth, old_depth, new_depth, old_color, new_color)


@stage
def test_block(state, triangle, memory, registers, depth_buffer, place, dx, dy, covered):
    """Depth, stored depth-stencil words, lanes that pass the stencil test, lanes that pass the depth test too."""
    depth, stored = vint(0), vint(0)
    if state.depth_used:
        depth = interpolate_depth(state, triangle, dx, dy)
        stored = load_int(depth_buffer, place)
        if state.shader_needs & SHADER_DEPTH:
            depth = shader_depth(state, triangle, memory, registers, dx, dy)
    stencil_ok = stencil_test(state, stored, covered)
    return depth, stored, stencil_ok, depth_test(state, depth, stored, stencil_ok)


@stage
def write_block(state, edges, color_buffer, depth_buffer, observer, place, block, sample, covered, visible, killed, color,
                depth, stored_depth, stencil_ok, depth_ok):  # fmt: skip
    """All writes of one block of one sample plane."""
    stencil_passed, written = stencil_ok & visible, depth_ok & visible
    new_depth, stored_color, new_color = stored_depth, vint(0), vint(0)
    if state.depth_used:
        new_depth = write_stencil(state, stored_depth, write_depth(state, stored_depth, depth, written), visible,
                                  stencil_passed, written)  # fmt: skip
        store_int(depth_buffer, place, new_depth)
    if state.color_write:
        stored_color = load_int(color_buffer, place)
        new_color = write_color(state, color, stored_color, written)
        store_int(color_buffer, place, new_color)
    if observer.settings[0].active:
        if state.has_depth and not state.depth_used:
            stored_depth = new_depth = load_int(depth_buffer, place)
        if state.has_color and not state.color_write:
            stored_color = new_color = load_int(color_buffer, place)
        observe_block(observer, edges, block, sample, state.sample_stride, covered, stencil_ok, depth_ok, visible, color,
                      depth, stored_depth, new_depth, stored_color, new_color, killed)  # fmt: skip


@stage
def shade_block(state, triangle, edges, color_buffer, depth_buffer, memory, registers, observer, x, y, block, lanes, base):
    """Draws the covered lanes of one block.

    x, y: its first pixel on the target; block: its number in the tile (base + block: on the target); lanes: 16 bits.
    The tests are pure and come first, their writes wait for the alpha test.
    """
    place = np.intp(block) * 16
    covered = mask_from_bits(lanes)
    dx, dy = block_offset(triangle, x, y)
    depth, stored_depth, stencil_ok, depth_ok = test_block(state, triangle, memory, registers, depth_buffer, place, dx, dy,
                                                           covered)  # fmt: skip
    if not any_lane(depth_ok) and not state.stencil_enable and not watching(observer, base + block):
        return
    color, visible, killed = gray(0.0), covered, mask_from_bits(0)
    if state.needs_color:
        color, killed = shade_color(state, triangle, memory, registers, dx, dy)
        if state.rare_color:
            color, killed = change_rarely(state, triangle, edges, memory, dx, dy, color, killed)
        visible = alpha_test(state, color.a, covered & ~killed)
    write_block(state, edges, color_buffer, depth_buffer, observer, place, base + block, 0, covered, visible, killed, color,
                depth, stored_depth, stencil_ok, depth_ok)  # fmt: skip


# ---- multisampling ---------------------------------------------------------------------------


@stage
def at_sample(state, sample, dx, dy):
    """dx, dy of a sample of the pixels."""
    step = np.float32(1 / SUBPIXELS)
    return dx + np.float32(state.sample_x[sample]) * step, dy + np.float32(state.sample_y[sample]) * step


@stage
def test_early(state, triangle, color_buffer, depth_buffer, dx, dy, place, item):
    """The depth test of all samples of a block whose state says `early_depth`: depth is written at once.

    The lanes of `item` become those that pass; returns whether there are any.  Colours are asked for, which come next.
    """
    held, stride, some = hold_depth(state), np.intp(state.sample_stride), np.int64(0)
    for sample in range(state.samples):
        sx, sy = at_sample(state, sample, dx, dy)
        here = place + sample * stride
        prefetch(color_buffer, here)
        stored = load_int(depth_buffer, here)
        depth = nearest_step(held, interpolate(triangle, Plane.DEPTH, sx, sy))
        passed = depth_test(held, depth, stored, mask_from_bits(item.sample_lanes[sample]))
        store_int(depth_buffer, here, write_depth(held, stored, depth, passed))
        lanes = mask_bits(passed)
        item.sample_lanes[sample] = lanes
        some |= lanes
    return some != 0


@stage
def write_samples(state, color_buffer, place, item, color):
    """Writes the colour of a block's pixels to the samples that `test_early` has left."""
    if not state.color_write:
        return
    pixel = pack(state, color)
    for sample in range(state.samples):
        here = place + sample * np.intp(state.sample_stride)
        stored = load_int(color_buffer, here)
        if state.blend_enable:
            pixel = pack(state, blend(state, color, unpack(state, stored)))
        store_int(color_buffer, here, write_pixel(state, pixel, stored, mask_from_bits(item.sample_lanes[sample])))


@outlined
def any_sample(state, triangle, memory, registers, depth_buffer, dx, dy, place, item):
    """Whether any sample of the block passes the tests."""
    for sample in range(state.samples):
        sx, sy = at_sample(state, sample, dx, dy)
        here = place + sample * np.intp(state.sample_stride)
        passed = test_block(state, triangle, memory, registers, depth_buffer, here, sx, sy,
                            mask_from_bits(item.sample_lanes[sample]))[3]  # fmt: skip
        if any_lane(passed):
            return True
    return False


@outlined
def shade_samples(state, triangle, edges, color_buffer, depth_buffer, memory, registers, observer, x, y, item, base):
    """shade_block for multisampled targets: colour once a pixel (at its centre), tests and writes once a sample."""
    place, block = np.intp(item.block) * 16, base + item.block
    dx, dy = block_offset(triangle, x, y)
    early = state.early_depth and not observer.settings[0].active
    alive = state.stencil_enable or watching(observer, block)
    if early:
        if not test_early(state, triangle, color_buffer, depth_buffer, dx, dy, place, item):
            return
    elif not alive and not any_sample(state, triangle, memory, registers, depth_buffer, dx, dy, place, item):
        return
    color, visible, killed = gray(0.0), mask_from_bits(0xFFFF), mask_from_bits(0)
    if state.needs_color:
        color, killed = shade_color(state, triangle, memory, registers, dx, dy)
        if state.rare_color:
            color, killed = change_rarely(state, triangle, edges, memory, dx, dy, color, killed)
        visible = alpha_test(state, color.a, ~killed)
    if early:
        write_samples(state, color_buffer, place, item, color)
        return
    for sample in range(state.samples):
        covered = mask_from_bits(item.sample_lanes[sample])
        sx, sy = at_sample(state, sample, dx, dy)
        here = place + sample * np.intp(state.sample_stride)
        depth, stored_depth, stencil_ok, depth_ok = test_block(state, triangle, memory, registers, depth_buffer, here, sx, sy,
                                                               covered)  # fmt: skip
        write_block(state, edges, color_buffer, depth_buffer, observer, here, block, sample, covered, covered & visible, killed,
                    color, depth, stored_depth, stencil_ok, depth_ok)  # fmt: skip


@kernel(SHADE)
def shade_queue(queue, count, x, y, states, edges, planes, color, depth, memory, registers, observer, base):
    """Draws the queued blocks in order; x, y: the tile's corner, base: its first block on the target."""
    align_stack()
    loaded, i = -1, 0
    while i < count:
        item = queue[i]
        edge = edges[item.triangle]
        state, triangle = states[edge.state], triangle_at(planes, edge.planes)
        if edge.state != loaded and state.pixel_shader:
            load_constants(state, registers)
            loaded = edge.state
        if state.plain and not observer.settings[0].active:
            i = shade_plain(state, edges, planes, color, depth, memory, registers, queue, i, count, x, y)
            continue
        i += 1
        for block in range(item.block, item.block + item.more + 1):
            left, top = x + (block & 15) * 4, y + (block >> 4) * 4
            if state.samples > 1:
                shade_samples(state, triangle, edge, color, depth, memory, registers, observer, left, top, item, base)
            else:
                shade_block(state, triangle, edge, color, depth, memory, registers, observer, left, top, block, item.lanes,
                            base)  # fmt: skip
