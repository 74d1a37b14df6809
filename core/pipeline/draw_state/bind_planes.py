"""Selects the attributes that need a plane: the colours and coordinates read by the draw's stages or shader."""

from __future__ import annotations

from core.kernels.jit import stage
from core.pipeline.records.layout import PLANES_START, FogSource
from core.pipeline.records.primitives import VertexField
from core.pipeline.records.stage_state import SHADER_DIFFUSE, SHADER_SPECULAR, STAGES
from core.pipeline.records.texture import TextureKind
from core.spec.enums import ShadeMode, TextureArg, TextureOp
from core.spec.slots import STAGE_STATES
from core.spec.states import RENDER_STATE_ID as RS

SELECT, DIFFUSE, CURRENT, SPECULAR = (
    int(arg) for arg in (TextureArg.SELECTMASK, TextureArg.DIFFUSE, TextureArg.CURRENT, TextureArg.SPECULAR))  # fmt: skip
SHADE_MODE, WRAP0 = RS["SHADEMODE"], RS["WRAP0"]
TSS_TEXCOORDINDEX = 11


@stage
def reads(op, arg1, arg2, arg0, wanted):
    """Whether an operation reads an argument."""
    if op == TextureOp.DISABLE:
        return False
    if op != TextureOp.SELECTARG2 and arg1 & SELECT == wanted:
        return True
    if op != TextureOp.SELECTARG1 and arg2 & SELECT == wanted:
        return True
    return op >= TextureOp.MULTIPLYADD and arg0 & SELECT == wanted


@stage
def stage_reads(s, wanted):
    return (reads(s.color_op, s.color_arg1, s.color_arg2, s.color_arg0, wanted)
            or reads(s.alpha_op, s.alpha_arg1, s.alpha_arg2, s.alpha_arg0, wanted))  # fmt: skip


@stage
def uses_diffuse(state):
    """Whether the cascade reads the diffuse colour: as DIFFUSE, as the first CURRENT, or its alpha."""
    if state.pixel_shader:
        return state.shader_needs & SHADER_DIFFUSE != 0
    if state.stage_count == 0:
        return True
    for i in range(state.stage_count):
        s = state.stage[i]
        if stage_reads(s, DIFFUSE) or s.color_op == TextureOp.BLENDDIFFUSEALPHA or s.alpha_op == TextureOp.BLENDDIFFUSEALPHA:
            return True
    # CURRENT is the diffuse colour until a stage has written all of it
    first = state.stage[0]
    return (stage_reads(first, CURRENT) or first.alpha_op == TextureOp.DISABLE or first.result_temp
            or first.color_op == TextureOp.BLENDCURRENTALPHA or first.alpha_op == TextureOp.BLENDCURRENTALPHA
            or first.color_op == TextureOp.BUMPENVMAP or first.color_op == TextureOp.BUMPENVMAPLUMINANCE)  # fmt: skip


@stage
def uses_specular(state):
    """Whether anything reads the specular colour."""
    if state.pixel_shader:
        return state.shader_needs & SHADER_SPECULAR != 0
    if state.specular_enable:
        return True
    for i in range(state.stage_count):  # noqa: SIM110 (the compiler knows no generators)
        if stage_reads(state.stage[i], SPECULAR):
            return True
    return False


@stage
def add_planes(state, source, count, flat):
    """Numbers planes for vertex floats source..source+count-1; returns the first plane."""
    first = state.plane_count
    for i in range(count):
        state.plane_source[first + i], state.plane_flat[first + i], state.plane_wrap[first + i] = source + i, flat, 0
    state.plane_count = first + count
    return first


@stage
def coordinates_needed(state, s, i):
    """How many coordinates of a stage are interpolated."""
    if state.pixel_shader:
        return 4 if state.shader_needs >> i & 1 else 0
    if s.texture.kind == TextureKind.NONE or i >= state.stage_count:
        return 0
    return max(2 if s.texture.kind == TextureKind.PLANE else 3, s.projected + 1)


@stage
def wrapped(wrap, i):
    """Bits U V W Q of a WRAP render state."""
    return (wrap & (8 if i == 3 else 1 << i)) != 0


@stage
def bind_planes(registers, state):
    """Which planes triangles of this draw have."""
    flat = registers.render_state[SHADE_MODE] == ShadeMode.FLAT
    state.plane_count = 2
    state.plane_source[0], state.plane_source[1] = VertexField.Z, VertexField.RHW
    state.use_diffuse, state.diffuse_plane, state.specular_plane, state.fog_plane = False, -1, -1, -1
    if uses_diffuse(state):
        state.use_diffuse, state.diffuse_plane = True, add_planes(state, VertexField.DIFFUSE, 4, flat)
    if uses_specular(state):
        state.specular_plane = add_planes(state, VertexField.SPECULAR, 4, flat)
    if state.fog_source == FogSource.VERTEX:
        state.fog_plane = add_planes(state, VertexField.FOG, 1, False)
    for i in range(STAGES):
        s = state.stage[i]
        count = coordinates_needed(state, s, i)
        s.coordinate_plane = -1
        if count:
            s.coordinate_plane = add_planes(state, VertexField.TEXCOORD + 4 * i, count, False)
            set_index = registers.texture_stage[i * STAGE_STATES + TSS_TEXCOORDINDEX] & 7
            wrap = registers.render_state[WRAP0 + set_index]
            for k in range(count):
                state.plane_wrap[s.coordinate_plane + k] = wrapped(wrap, k)
    state.record_floats = (PLANES_START + 3 * state.plane_count + 1) & ~1
