"""Environment bump mapping: the effect of BUMPENVMAP stages on the next stage (semantics section 9).

A bump stage itself leaves CURRENT alone and samples nothing. The stage after it samples the bump texture, displaces its own
coordinates by the bump stage's matrix, and with BUMPENVMAPLUMINANCE scales its texel. Chains work: a bump stage's texel may
itself be displaced."""

from __future__ import annotations

from core.kernels.jit import outlined, stage
from core.kernels.simd import Color, saturate, vfloat
from core.pipeline.pixel.sample import sample_stage


@stage
def displace(s, u, v, du, dv):
    """(u, v) moved by the stage's bump matrix times (du, dv)"""
    m = s.bump_matrix
    return u + du * m[0] + dv * m[2], v + du * m[1] + dv * m[3]


@stage
def luminance(s, texel):
    """factor of the next texel, from the bump texel's third channel"""
    return saturate(texel.b * s.bump_scale + s.bump_offset)


@outlined
def bumped_texel(state, triangle, memory, index, dx, dy, w):
    """the texel of stage `index`, whose coordinates the bump stages before it displace"""
    s = state.stage[index]
    du, dv = vfloat(0.0), vfloat(0.0)
    for number in range(s.bump_first, index):
        bump = state.stage[number]
        texel = sample_stage(triangle, memory, bump, dx, dy, w, du, dv)
        du, dv = displace(bump, vfloat(0.0), vfloat(0.0), texel.r, texel.g)
    color = sample_stage(triangle, memory, s, dx, dy, w, du, dv)
    if s.bump_luminance:
        color = color * luminance(state.stage[index - 1], texel)
    return Color(color.r, color.g, color.b, color.a)
