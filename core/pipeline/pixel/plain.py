"""The short way of plain draws: the depth test is the only one, the colour is the diffuse one or the same for all pixels.

`shade_block` comes to the same words; a third of its time goes into asking for what such a draw has not.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import any_lane, load_int, mask_from_bits, store_int, vint
from core.pipeline.pixel.depth_test import depth_test, write_depth
from core.pipeline.pixel.interpolate import block_offset, interpolate_diffuse, interpolate_step, interpolate_w
from core.pipeline.pixel.output import write_color, write_pixel
from core.pipeline.surface.formats.pixels import HALF
from core.spec.enums import TextureArg, TextureOp

TFACTOR = int(TextureArg.TFACTOR)


class Plain(IntEnum):
    """PIXEL_STATE.plain."""

    NOT, DIFFUSE, CONSTANT = range(3)


@stage
def is_factor(s):
    """Whether a texture stage's result is the texture factor, colour and alpha."""
    return (s.color_op == TextureOp.SELECTARG1 and s.color_arg1 == TFACTOR and not s.result_temp
            and (s.alpha_same or (s.alpha_op == TextureOp.SELECTARG1 and s.alpha_arg1 == TFACTOR)))  # fmt: skip


@stage
def bind_plain(state):
    """Whether a draw goes the short way, and the pixel that it writes if it is always the same."""
    state.plain = Plain.NOT
    asks = (state.stencil_enable or state.alpha_test_enable or state.pixel_shader or state.rare_color or state.fog_source
            or state.specular_enable or state.blend_enable or state.w_buffer or state.samples > 1)  # fmt: skip
    if asks or not state.z_enable or state.depth_bits == 32 or (state.color_write and not state.color_plain):
        return
    if state.stage_count == 0 or not state.color_write:
        state.plain = Plain.DIFFUSE
    elif state.stage_count == 1 and is_factor(state.stage[0]):
        state.plain, pixel = Plain.CONSTANT, np.int64(0)
        for channel in range(4):
            byte = np.int64(state.texture_factor[channel] * np.float32(255.0) + HALF)
            pixel |= byte << (24 if channel == 3 else 16 - 8 * channel)
        state.plain_pixel = np.uint32(pixel)


@stage
def shade_plain(state, triangle, color_buffer, depth_buffer, x, y, block, lanes):
    """Draws the covered lanes of one block; arguments as those of shade_block."""
    place = np.intp(block) * 16
    dx, dy = block_offset(triangle, x, y)
    depth, stored_depth = interpolate_step(state, triangle, dx, dy), load_int(depth_buffer, place)
    passed = depth_test(state, depth, stored_depth, mask_from_bits(lanes))
    if not any_lane(passed):
        return
    store_int(depth_buffer, place, write_depth(state, stored_depth, depth, passed))
    if state.color_write:
        stored_color = load_int(color_buffer, place)
        if state.plain == Plain.CONSTANT:
            store_int(color_buffer, place, write_pixel(state, vint(state.plain_pixel), stored_color, passed))
        else:
            color = interpolate_diffuse(state, triangle, dx, dy, interpolate_w(triangle, dx, dy))
            store_int(color_buffer, place, write_color(state, color, stored_color, passed))
