"""Selects the draws for the short way: those whose only test is the depth test.

Their colour is the diffuse one, that times one texel of a plane, a pixel shader's, or the same for all pixels.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.kernels.jit import stage
from core.pipeline.records.stage_state import SHADER_DEPTH, SHADER_KILLS
from core.pipeline.surface.formats.pixels import HALF
from core.spec.enums import TextureArg, TextureOp

TFACTOR = int(TextureArg.TFACTOR)


class Plain(IntEnum):
    """PIXEL_STATE.plain."""

    NOT, DIFFUSE, CONSTANT, TEXEL, SHADER = range(5)


@stage
def is_factor(s):
    """Whether a texture stage's result is the texture factor, colour and alpha."""
    return (s.color_op == TextureOp.SELECTARG1 and s.color_arg1 == TFACTOR and not s.result_temp
            and (s.alpha_same or (s.alpha_op == TextureOp.SELECTARG1 and s.alpha_arg1 == TFACTOR)))  # fmt: skip


@stage
def is_near(s):
    """Whether a texture stage's texel needs no level of detail, at coordinates that are not divided."""
    return s.short and s.coordinate_plane >= 0 and not s.projected


@stage
def is_one_texel(state):
    """Whether the colour is the diffuse one times the texel of a plane, at coordinates that are not divided."""
    s = state.stage[0]
    near = s.plain and not s.anisotropic and s.coordinate_plane >= 0 and not s.projected
    return state.stage_count == 1 and s.brief and near


@stage
def bind_plain(state):
    """Whether a draw goes the short way, and the pixel that it writes if it is always the same."""
    state.plain = Plain.NOT
    tests = (state.stencil_enable or state.alpha_test_enable or state.rare_color
             or (state.pixel_shader and state.shader_needs & (SHADER_KILLS | SHADER_DEPTH)))  # fmt: skip
    state.early_depth = not tests and state.z_enable and not state.w_buffer and state.depth_bits != 32
    asks = state.fog_source or state.specular_enable or state.blend_enable or state.samples > 1
    if asks or not state.early_depth or (state.color_write and not state.color_plain):
        return
    if not state.color_write:
        state.plain = Plain.DIFFUSE
    elif state.pixel_shader:
        state.plain = Plain.SHADER
    elif state.stage_count == 0:
        state.plain = Plain.DIFFUSE
    elif is_one_texel(state):
        state.plain = Plain.TEXEL
    elif state.stage_count == 1 and is_factor(state.stage[0]):
        state.plain, pixel = Plain.CONSTANT, np.int64(0)
        for channel in range(4):
            byte = np.int64(state.texture_factor[channel] * np.float32(255.0) + HALF)
            pixel |= byte << (24 if channel == 3 else 16 - 8 * channel)
        state.plain_pixel = np.uint32(pixel)
