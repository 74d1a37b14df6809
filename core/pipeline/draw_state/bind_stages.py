"""From texture stage states and bound textures to the kernels' stage records."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import advance, pointer
from core.pipeline.records.stage_state import STAGES, TEXTURE_STAGE, Brief
from core.pipeline.records.texture import MAX_LEVELS, TEXEL_RGBA8, TEXTURE, TextureKind
from core.spec.enums import TextureAddress, TextureArg, TextureFilter, TextureOp, TextureTransform

SELECTMASK, TEXTURE_ARG = int(TextureArg.SELECTMASK), int(TextureArg.TEXTURE)
CURRENT, TEMP, DIFFUSE = int(TextureArg.CURRENT), int(TextureArg.TEMP), int(TextureArg.DIFFUSE)
PROJECTED = int(TextureTransform.PROJECTED)
IN_ORDER = np.arange(STAGES, dtype=np.int32)
STATES = 32  # words of a stage in the register vector; the numbers below are D3DTSS_ values
(COLOROP, COLORARG1, COLORARG2, ALPHAOP, ALPHAARG1, ALPHAARG2, BUMPENVMAT00) = range(1, 8)
(ADDRESSU, ADDRESSV, BORDERCOLOR, MAGFILTER, MINFILTER, MIPFILTER, MIPMAPLODBIAS, MAXMIPLEVEL, MAXANISOTROPY, BUMPENVLSCALE,
 BUMPENVLOFFSET, TEXTURETRANSFORMFLAGS, ADDRESSW, COLORARG0, ALPHAARG0, RESULTARG) = range(13, 29)  # fmt: skip


@stage
def reads_texture(op, arg1, arg2, arg0):
    """one of the operands of the operation is the texture"""
    if op == TextureOp.DISABLE:
        return False
    if op != TextureOp.SELECTARG2 and arg1 & SELECTMASK == TEXTURE_ARG:
        return True
    if op == TextureOp.SELECTARG1 or op == TextureOp.PREMODULATE:
        return False
    return arg2 & SELECTMASK == TEXTURE_ARG or (op >= TextureOp.MULTIPLYADD and arg0 & SELECTMASK == TEXTURE_ARG)


@stage
def blends_by_texture(op):
    return op == TextureOp.BLENDTEXTUREALPHA or op == TextureOp.BLENDTEXTUREALPHAPM


@stage
def bind_combiner(states, bound, out):
    """operations and arguments; without a texture, operations that read it pass CURRENT on"""
    out.color_op, out.color_arg1, out.color_arg2 = states[COLOROP], states[COLORARG1], states[COLORARG2]
    out.alpha_op, out.alpha_arg1, out.alpha_arg2 = states[ALPHAOP], states[ALPHAARG1], states[ALPHAARG2]
    out.color_arg0, out.alpha_arg0 = states[COLORARG0], states[ALPHAARG0]
    out.result_temp = states[RESULTARG] & SELECTMASK == TEMP
    color_reads = reads_texture(out.color_op, out.color_arg1, out.color_arg2, out.color_arg0)
    alpha_reads = reads_texture(out.alpha_op, out.alpha_arg1, out.alpha_arg2, out.alpha_arg0)
    bump = out.color_op == TextureOp.BUMPENVMAP or out.color_op == TextureOp.BUMPENVMAPLUMINANCE
    if not bound:
        if color_reads and not bump:
            out.color_op, out.color_arg1 = TextureOp.SELECTARG1, CURRENT
        if alpha_reads:
            out.alpha_op, out.alpha_arg1 = TextureOp.SELECTARG1, CURRENT
        color_reads = alpha_reads = False
    out.textured = color_reads or alpha_reads or blends_by_texture(out.color_op) or blends_by_texture(out.alpha_op)
    same = (out.alpha_op == out.color_op and out.alpha_arg1 == out.color_arg1 and out.alpha_arg2 == out.color_arg2
            and (out.alpha_arg0 == out.color_arg0 or out.color_op < TextureOp.MULTIPLYADD))  # fmt: skip
    mixes = TextureOp.MODULATEALPHA_ADDCOLOR <= out.color_op <= TextureOp.MODULATEINVCOLOR_ADDALPHA
    out.alpha_same = (same and not mixes) or out.color_op == TextureOp.DOTPRODUCT3


@stage
def bind_image(texture, level, image):
    """One level of a plane; image: IMAGE."""
    image.start = texture.start[level]
    image.width, image.height = max(texture.width >> level, 1), max(texture.height >> level, 1)
    image.last_x, image.last_y = image.width - 1, image.height - 1
    image.wide, image.high = np.float32(image.width << 8), np.float32(image.height << 8)


@stage
def bind_sampler(states, floats, texture, out):
    """How the stage's texture is read: addressing, border colour, filters, levels; out: TEXTURE_STAGE."""
    out.address_u, out.address_v, out.address_w = states[ADDRESSU], states[ADDRESSV], states[ADDRESSW]
    if texture.kind == TextureKind.CUBE:
        out.address_u = out.address_v = TextureAddress.CLAMP
    out.bordered = out.address_u == TextureAddress.BORDER or out.address_v == TextureAddress.BORDER
    out.border_color = states[BORDERCOLOR]
    for channel in range(4):
        shift = 24 if channel == 3 else 16 - 8 * channel
        out.border[channel] = np.float32((states[BORDERCOLOR] >> shift) & 255) * np.float32(1 / 255)
    out.mag_filter, out.min_filter, out.mip_filter = states[MAGFILTER], states[MINFILTER], states[MIPFILTER]
    last = max(min(texture.levels, MAX_LEVELS), 1) - 1
    first = min(states[MAXMIPLEVEL], MAX_LEVELS) if out.mip_filter != TextureFilter.NONE else 0
    out.first_level = min(max(first, texture.lod), last)
    out.last_level = last if out.mip_filter != TextureFilter.NONE else out.first_level
    bind_image(texture, out.first_level, out.image)
    bias = floats[MIPMAPLODBIAS]
    out.mip_bias = min(max(bias, np.float32(-MAX_LEVELS)), np.float32(MAX_LEVELS)) if bias == bias else np.float32(0.0)
    out.max_anisotropy = max(min(states[MAXANISOTROPY], 16), 1)
    ellipse = out.min_filter == TextureFilter.ANISOTROPIC  # a magnified pixel's footprint is smaller than a texel
    flat = texture.kind == TextureKind.PLANE or texture.kind == TextureKind.CUBE
    out.anisotropic = ellipse and out.max_anisotropy > 1 and flat
    split = (out.mag_filter >= TextureFilter.LINEAR) != (out.min_filter >= TextureFilter.LINEAR)
    out.needs_level = out.anisotropic or split or out.last_level > out.first_level
    out.plain = texture.kind == TextureKind.PLANE and texture.form == TEXEL_RGBA8 and not split
    out.short = out.plain and not out.needs_level


@stage
def bind_coordinates(states, floats, out):
    """projection and the bump matrix; the coordinates' plane is the caller's

    PROJECTED without a count divides by the fourth coordinate, which is 1 where the vertex has none."""
    flags = states[TEXTURETRANSFORMFLAGS]
    count = flags & 255
    out.projected = 0
    if flags & PROJECTED:
        if count == 0:
            out.projected = 3
        elif 2 <= count <= 4:
            out.projected = count - 1
    for i in range(4):
        out.bump_matrix[i] = floats[BUMPENVMAT00 + i]
    out.bump_scale, out.bump_offset = floats[BUMPENVLSCALE], floats[BUMPENVLOFFSET]


@stage
def copy_texture(texture, out):
    out.kind, out.form, out.levels, out.lod = texture.kind, texture.form, texture.levels, texture.lod
    out.width, out.height, out.depth, out.power_of_two = texture.width, texture.height, texture.depth, texture.power_of_two
    if texture.kind != TextureKind.NONE:
        for i in range(6 * MAX_LEVELS):
            out.start[i] = texture.start[i]


@stage
def bind_neighbours(stages, index):
    """what the stage before means for this one"""
    out = stages[index]
    out.bump_first, out.bump_luminance, out.premodulated = index, False, 0
    if index == 0:
        return
    before = stages[index - 1]
    bump = before.color_op == TextureOp.BUMPENVMAP or before.color_op == TextureOp.BUMPENVMAPLUMINANCE
    if bump and before.texture.kind != TextureKind.NONE:
        out.bump_first = before.bump_first
        out.bump_luminance = before.color_op == TextureOp.BUMPENVMAPLUMINANCE
    if before.color_op == TextureOp.PREMODULATE:
        out.premodulated = 2 if before.result_temp else 1


@stage
def is_texture_times(arg1, arg2, first):
    """The arguments are the texel and CURRENT, in either order; DIFFUSE is CURRENT in the first stage."""
    one, other = (arg1, arg2) if arg1 == TEXTURE_ARG else (arg2, arg1)
    return one == TEXTURE_ARG and (other == CURRENT or (first and other == DIFFUSE))


@stage
def bind_brief(out, first):
    """Whether the stage goes the short way: the one that most draws have."""
    out.brief = Brief.NOT
    narrow = out.texture.form == TEXEL_RGBA8 and out.texture.kind != TextureKind.NONE and not out.premodulated
    if not narrow or out.result_temp or out.color_op != TextureOp.MODULATE:
        return
    if is_texture_times(out.color_arg1, out.color_arg2, first):
        if out.alpha_op == TextureOp.MODULATE and is_texture_times(out.alpha_arg1, out.alpha_arg2, first):
            out.brief = Brief.PRODUCT
        elif out.alpha_op == TextureOp.SELECTARG1 and out.alpha_arg1 == TEXTURE_ARG:
            out.brief = Brief.TEXEL
        elif out.alpha_op == TextureOp.SELECTARG1 and (out.alpha_arg1 == CURRENT or (first and out.alpha_arg1 == DIFFUSE)):
            out.brief = Brief.CURRENT


@stage
def passes_current(s):
    """the stage changes nothing: what untextured drawing with the default states comes to"""
    color = s.color_op == TextureOp.SELECTARG1 and s.color_arg1 == CURRENT
    alpha = s.alpha_op == TextureOp.DISABLE or (s.alpha_op == TextureOp.SELECTARG1 and s.alpha_arg1 == CURRENT)
    return color and alpha and not s.result_temp


@outlined
def bind_cascade(states, floats, textures, numbers, stages):
    """bind_stages over pointers."""
    count = STAGES
    for index in range(STAGES):
        out, texture = stages[index], textures[numbers[index]]
        at, float_at = advance(states, index * STATES), advance(floats, index * STATES)
        copy_texture(texture, out.texture)
        bind_combiner(at, texture.kind != TextureKind.NONE, out)
        bind_sampler(at, float_at, texture, out)
        bind_coordinates(at, float_at, out)
        bind_neighbours(stages, index)
        bind_brief(out, index == 0)
        if out.color_op == TextureOp.DISABLE and index < count:
            count = index
    while count > 0 and passes_current(stages[count - 1]):
        count -= 1
    return count


@kernel(i8(array("u4"), array("f4"), array(TEXTURE), array("i4"), array(TEXTURE_STAGE)))
def bind_stages(states, floats, textures, numbers, stages):
    """Fills TEXTURE_STAGE[8] but for coordinate_plane, and returns the number of stages of the cascade to run.

    That is all before the first disabled one, but for those at the end that only pass CURRENT on.

    states: uint32[8 * 32], the register vector's texture_stage flattened; floats: the same words as float32.
    textures: TEXTURE[...]; stage i has textures[numbers[i]]. All eight stages are filled: a pixel shader may use any."""
    return bind_cascade(pointer(states, 0), pointer(floats, 0), pointer(textures, 0), pointer(numbers, 0), pointer(stages, 0))
