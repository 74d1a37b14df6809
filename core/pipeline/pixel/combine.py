"""The texture stage cascade of the fixed pipeline (semantics section 9; DX8 SDK "Texture Blending").

Decisions where the sources leave room:
* An operation that reads the texture of a stage without one passes CURRENT on, colour and alpha separately (bind_stages).
* ALPHAOP DISABLE below an active COLOROP keeps the alpha of the register the stage writes.
* PREMODULATE: the result is ARG1, and the texel of the next stage is multiplied by it.
* Operations 18 to 21 as ALPHAOP (colour only by definition) and operations unknown to Direct3D 8 select ARG1."""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import Color, gray, lerp, saturate, with_alpha
from core.pipeline.pixel.bump import bumped_texel
from core.pipeline.pixel.interpolate import interpolate_diffuse, interpolate_specular
from core.pipeline.pixel.pixel_arithmetic import get, put
from core.pipeline.pixel.sample import near_place, sample_near, sample_pair
from core.pipeline.records.stage_state import Brief
from core.spec.enums import TextureArg, TextureOp

# compiled code knows IntEnum, not IntFlag
CURRENT, TEXTURE, DIFFUSE, TFACTOR, SPECULAR = (
    int(arg) for arg in (TextureArg.CURRENT, TextureArg.TEXTURE, TextureArg.DIFFUSE, TextureArg.TFACTOR, TextureArg.SPECULAR)
)
SOURCE, COMPLEMENT, ALPHAREPLICATE = int(TextureArg.SELECTMASK), int(TextureArg.COMPLEMENT), int(TextureArg.ALPHAREPLICATE)


@stage
def factor_color(state):
    return Color(state.texture_factor[0], state.texture_factor[1], state.texture_factor[2], state.texture_factor[3])


@stage
def argument(state, triangle, dx, dy, w, arg, current, diffuse, texel, temp):
    """the colour that a stage argument names"""
    source = arg & SOURCE
    if source == CURRENT:
        color = current
    elif source == TEXTURE:
        color = texel
    elif source == DIFFUSE:
        color = diffuse
    elif source == TFACTOR:
        color = factor_color(state)
    elif source == SPECULAR:
        color = interpolate_specular(state, triangle, dx, dy, w)
    else:
        color = temp
    if arg & ALPHAREPLICATE:
        color = gray(color.a)
    if arg & COMPLEMENT:
        color = 1.0 - color
    return color


@stage
def combine(op, a, b, c, diffuse, texel, factor, current):
    """op over the arguments a, b and c (ARG1, ARG2, ARG0), colours or vectors; the alphas feed the BLEND ops"""
    if op == TextureOp.MODULATE:
        return a * b
    elif op == TextureOp.SELECTARG1:
        return a
    elif op == TextureOp.SELECTARG2:
        return b
    elif op == TextureOp.MODULATE2X:
        return a * b * 2.0
    elif op == TextureOp.MODULATE4X:
        return a * b * 4.0
    elif op == TextureOp.ADD:
        return a + b
    elif op == TextureOp.ADDSIGNED:
        return a + b - 0.5
    elif op == TextureOp.ADDSIGNED2X:
        return (a + b - 0.5) * 2.0
    elif op == TextureOp.SUBTRACT:
        return a - b
    elif op == TextureOp.ADDSMOOTH:
        return a + b - a * b
    elif op == TextureOp.BLENDDIFFUSEALPHA:
        return lerp(b, a, diffuse)
    elif op == TextureOp.BLENDTEXTUREALPHA:
        return lerp(b, a, texel)
    elif op == TextureOp.BLENDFACTORALPHA:
        return lerp(b, a, factor)
    elif op == TextureOp.BLENDCURRENTALPHA:
        return lerp(b, a, current)
    elif op == TextureOp.BLENDTEXTUREALPHAPM:
        return a + b * (1.0 - texel)
    elif op == TextureOp.MULTIPLYADD:
        return c + a * b
    elif op == TextureOp.LERP:
        return lerp(b, a, c)
    return a


@stage
def combine_color(op, a, b):
    """the operations that mix colour and alpha of their arguments"""
    if op == TextureOp.DOTPRODUCT3:
        a, b = a - 0.5, b - 0.5
        return gray((a.r * b.r + a.g * b.g + a.b * b.b) * 4.0)
    elif op == TextureOp.MODULATEALPHA_ADDCOLOR:
        return a + b * a.a
    elif op == TextureOp.MODULATECOLOR_ADDALPHA:
        return a * b + a.a
    elif op == TextureOp.MODULATEINVALPHA_ADDCOLOR:
        return b * (1.0 - a.a) + a
    return (1.0 - a) * b + a.a


@stage
def is_color_only(op):
    return op == TextureOp.DOTPRODUCT3 or (TextureOp.MODULATEALPHA_ADDCOLOR <= op <= TextureOp.MODULATEINVCOLOR_ADDALPHA)


@stage
def is_bump(op):
    return op == TextureOp.BUMPENVMAP or op == TextureOp.BUMPENVMAPLUMINANCE


@stage
def fetch_texels(state, triangle, memory, scratch, dx, dy, w):
    """Looks the texels of all stages up, displaced by bump stages, and puts them into scratch memory by number.

    Before the cascade: it then needs no calls, and the vector registers are its own."""
    fetched = 0
    if state.pair:
        s, other = state.stage[0], state.stage[1]
        u, v = near_place(triangle, s.coordinate_plane, dx, dy, w)
        other_u, other_v = near_place(triangle, other.coordinate_plane, dx, dy, w)
        first, second = sample_pair(s, other, memory, u, v, other_u, other_v)
        put(scratch, 0, first)
        put(scratch, 1, second)
        fetched = 2
    for index in range(fetched, state.stage_count):
        s = state.stage[index]
        if not s.textured or is_bump(s.color_op):
            continue
        if s.bump_first < index:
            put(scratch, index, bumped_texel(state, triangle, memory, index, dx, dy, w))
        else:
            put(scratch, index, sample_near(triangle, memory, s, s.coordinate_plane, s.projected, dx, dy, w))


@stage
def multiplied(brief, current, texel):
    """what the operations of a brief stage come to, which needs no clamp"""
    color = current * texel
    if brief == Brief.TEXEL:
        color = with_alpha(color, texel.a)
    elif brief == Brief.CURRENT:
        color = with_alpha(color, current.a)
    return color


@stage
def is_single(state):
    """whether the cascade is one brief stage, as most are"""
    return state.stage_count == 1 and state.stage[0].brief


@stage
def run_single(state, triangle, memory, dx, dy, w):
    """fetch_texels and run_stages of a single brief stage: the texel needs no scratch memory"""
    s = state.stage[0]
    texel = sample_near(triangle, memory, s, s.coordinate_plane, s.projected, dx, dy, w)
    return multiplied(s.brief, interpolate_diffuse(state, triangle, dx, dy, w), texel)


@stage
def run_brief(state, scratch, diffuse):
    """run_stages where all stages are brief: only the current colour goes from one to the next"""
    current = diffuse
    for index in range(state.stage_count):
        current = multiplied(state.stage[index].brief, current, get(scratch, index))
    return current


@stage
def run_stages(state, triangle, scratch, dx, dy, w, diffuse):
    """the texture stage cascade over the texels in scratch memory; returns the current colour after the last active stage"""
    current, temp = diffuse, gray(0.0)
    factor = state.texture_factor[3]
    for index in range(state.stage_count):
        s = state.stage[index]
        if is_bump(s.color_op):
            continue
        texel = get(scratch, index)  # whatever stands there if no argument reads it
        if s.brief:
            current = multiplied(s.brief, current, texel)
            continue
        if s.premodulated:
            texel = texel * (temp if s.premodulated == 2 else current)
        a = argument(state, triangle, dx, dy, w, s.color_arg1, current, diffuse, texel, temp)
        b = argument(state, triangle, dx, dy, w, s.color_arg2, current, diffuse, texel, temp)
        if is_color_only(s.color_op):
            result = combine_color(s.color_op, a, b)
        else:
            c = a
            if s.color_op >= TextureOp.MULTIPLYADD:
                c = argument(state, triangle, dx, dy, w, s.color_arg0, current, diffuse, texel, temp)
            result = combine(s.color_op, a, b, c, diffuse.a, texel.a, factor, current.a)
        if not s.alpha_same:
            if s.alpha_op == TextureOp.DISABLE:
                alpha = temp.a if s.result_temp else current.a
            else:
                x = argument(state, triangle, dx, dy, w, s.alpha_arg1, current, diffuse, texel, temp).a
                y = argument(state, triangle, dx, dy, w, s.alpha_arg2, current, diffuse, texel, temp).a
                z = x
                if s.alpha_op >= TextureOp.MULTIPLYADD:
                    z = argument(state, triangle, dx, dy, w, s.alpha_arg0, current, diffuse, texel, temp).a
                alpha = combine(s.alpha_op, x, y, z, diffuse.a, texel.a, factor, current.a)
            result = with_alpha(result, alpha)
        result = saturate(result)
        if s.result_temp:
            temp = result
        else:
            current = result
    return current
