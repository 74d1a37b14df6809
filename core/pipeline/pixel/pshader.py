"""The ps_1_x interpreter: one instruction at a time over a 4x4 block; registers except r0 are colours in a scratch array.

Semantics: DX8 SDK "Pixel Shader Reference", shader_opcodes.json of the references. Decisions:
* texbem and texbeml use the matrix and luminance of the destination stage, after the projective divide; the level of detail
  is that of the undisplaced coordinates. Lookups at computed coordinates take theirs from differences over 2x2 pixels.
* A stage without texture gives (0, 0, 0, 1).
* texkill looks at x, y, z of the coordinates, whatever their number (missing ones are 0)."""

from __future__ import annotations

from core.kernels.jit import outlined, stage
from core.kernels.simd import (
    Color,
    gray,
    load_float,
    mask_from_bits,
    maximum,
    minimum,
    saturate,
    select,
    store_float,
    vfloat,
)  # fmt: skip
from core.pipeline.draw_state.pixel_slots import (
    CLEAR,
    CONSTANT,
    DIFFUSE,
    FATE,
    LOOKUP,
    ROWS,
    SPECULAR,
    TEMPORARY,
    InstructionKind,
)
from core.pipeline.pixel.bump import displace, luminance
from core.pipeline.pixel.first_lookups import begins_with_pair, divisor, run_lookups
from core.pipeline.pixel.interpolate import interpolate, interpolate_specular
from core.pipeline.pixel.pixel_arithmetic import adjust, arithmetic, dot3, finished, get, operand, put, put_some, with_channels
from core.pipeline.pixel.sample import sample_at, sample_coordinates
from core.pipeline.records.stage_state import (
    SCALED,
    SHADER_CONSTANTS,
    SHADER_DEPTH,
    SHADER_DIFFUSE,
    SHADER_KILLS,
    SHADER_SPECULAR,
    SLOT,
)  # fmt: skip
from core.pipeline.records.texture import TextureKind
from core.spec.shaders import Sio

KILLED, DEPTH = FATE * SLOT, FATE * SLOT + 16


# ---- textures --------------------------------------------------------------------------------------


@stage
def coordinates(state, triangle, number, dx, dy, w):
    """u, v, w, q of a texture coordinate set, not divided by q"""
    plane = state.stage[number].coordinate_plane
    if plane < 0:
        return Color(0.0, 0.0, 0.0, 1.0)
    return Color(interpolate(triangle, plane, dx, dy), interpolate(triangle, plane + 1, dx, dy),
                 interpolate(triangle, plane + 2, dx, dy), interpolate(triangle, plane + 3, dx, dy)) * w  # fmt: skip


@stage
def divided(color, component):
    """_dz and _dw: the first two components divided by the third or fourth"""
    if component == 2:
        return Color(color.r / color.b, color.g / color.b, color.b, color.a)
    elif component == 3:
        return Color(color.r / color.a, color.g / color.a, color.b, color.a)
    return color


@stage
def third_chosen(color, component):
    if component == 3:
        return Color(color.r, color.g, color.a, color.a)
    return color


@stage
def look_up(s, memory, registers, u, v, w):
    """the texel at computed coordinates, which stay in their slot for traces"""
    put(registers, LOOKUP, Color(u, v, w, 0.0))
    return sample_at(s, memory, u, v, w)


@stage
def own_lookup(state, triangle, memory, registers, i, dx, dy, w):
    """tex, texld of a coordinate set, texbem, texbeml: lookups near interpolated coordinates"""
    s = state.stage[i.stage]
    plane, projected = state.stage[i.coordinate].coordinate_plane, s.projected
    du, dv = vfloat(0.0), vfloat(0.0)
    if i.op == Sio.TEX:
        projected = divisor(s, i)
        if i.third == 3 and s.texture.kind != TextureKind.PLANE:  # .xyw: the fourth coordinate is a place
            color = third_chosen(divided(coordinates(state, triangle, i.coordinate, dx, dy, w), projected), i.third)
            return look_up(s, memory, registers, color.r, color.g, color.b)
        return sample_coordinates(triangle, memory, s, plane, projected, dx, dy, w, du, dv)
    texel = operand(registers, i, 0)
    du, dv = displace(s, du, dv, texel.r, texel.g)
    put(registers, LOOKUP, Color(du, dv, 0.0, 0.0))
    color = sample_coordinates(triangle, memory, s, plane, projected, dx, dy, w, du, dv)
    if i.op == Sio.TEXBEML:
        color = color * luminance(s, texel)
    return color


@stage
def reflected(normal, eye):
    """2 (N.E) / (N.N) N - E"""
    return normal * (2.0 * dot3(normal, eye) / dot3(normal, normal)) - eye


@stage
def eye_vector(state, triangle, registers, i, dx, dy, w):
    """the constant of texm3x3spec, the q components of three coordinate sets for texm3x3vspec"""
    if i.op == Sio.TEXM3x3SPEC:
        return operand(registers, i, 1)
    return Color(coordinates(state, triangle, (i.stage - 2) & 7, dx, dy, w).a,
                 coordinates(state, triangle, (i.stage - 1) & 7, dx, dy, w).a,
                 coordinates(state, triangle, i.stage, dx, dy, w).a, 0.0)  # fmt: skip


@stage
def row_instruction(state, triangle, memory, registers, i, dx, dy, w):
    """texm3x2*, texm3x3*, texdp3*: dot products of a coordinate set with a register, and what is done with them"""
    op, s = i.op, state.stage[i.stage]
    product = dot3(coordinates(state, triangle, i.stage, dx, dy, w), operand(registers, i, 0))
    zero = vfloat(0.0)
    if op == Sio.TEXM3x2PAD or op == Sio.TEXM3x3PAD:
        store_float(registers, ROWS * SLOT + i.row * 16, product)
        return gray(zero)
    elif op == Sio.TEXDP3:
        return gray(product)
    elif op == Sio.TEXDP3TEX:
        return look_up(s, memory, registers, product, zero, zero)
    rows = get(registers, ROWS)
    if op == Sio.TEXM3x2TEX:
        return look_up(s, memory, registers, rows.r, product, zero)
    elif op == Sio.TEXM3x2DEPTH:
        return Color(rows.r, product, zero, zero)
    vector = Color(rows.r, rows.g, product, 1.0)
    if op == Sio.TEXM3x3:
        return vector
    elif op != Sio.TEXM3x3TEX:
        vector = reflected(vector, eye_vector(state, triangle, registers, i, dx, dy, w))
    return look_up(s, memory, registers, vector.r, vector.g, vector.b)


@stage
def register_lookup(state, triangle, memory, registers, i, dx, dy, w):
    """texreg2*, texld of a register, texcoord, texcrd and the coordinates of texkill"""
    op, s = i.op, state.stage[i.stage]
    if i.coordinate >= 0 and (op == Sio.TEXCOORD or op == Sio.TEXKILL):
        color = coordinates(state, triangle, i.coordinate, dx, dy, w)
        if op == Sio.TEXKILL:
            return color
        if i.sources == 0:
            color = saturate(color)
            return Color(color.r, color.g, color.b, 1.0)
        return third_chosen(divided(color, i.divide), i.third)
    if op == Sio.TEX or op == Sio.TEXCOORD:
        color = third_chosen(divided(operand(registers, i, 0), i.divide), i.third)
        if op == Sio.TEXCOORD:
            return color
        return look_up(s, memory, registers, color.r, color.g, color.b)
    color = operand(registers, i, 0)
    if op == Sio.TEXKILL:
        return color
    elif op == Sio.TEXREG2AR:
        return look_up(s, memory, registers, color.a, color.r, vfloat(0.0))
    elif op == Sio.TEXREG2GB:
        return look_up(s, memory, registers, color.g, color.b, vfloat(0.0))
    return look_up(s, memory, registers, color.r, color.g, color.b)


@stage
def is_own_lookup(i):
    return (i.op == Sio.TEX and i.coordinate >= 0) or i.op == Sio.TEXBEM or i.op == Sio.TEXBEML


@stage
def is_row(op):
    return Sio.TEXM3x2PAD <= op <= Sio.TEXM3x3VSPEC or (Sio.TEXDP3TEX <= op <= Sio.TEXM3x3)


@stage
def texkill(registers, color):
    killed = (color.r < 0.0) | (color.g < 0.0) | (color.b < 0.0)
    store_float(registers, KILLED, select(killed, vfloat(1.0), load_float(registers, KILLED)))


@stage
def texdepth(registers, color):
    """texm3x2depth, texdepth: first component over second, 1 when that is 0; clamped to 0..1"""
    store_float(registers, DEPTH, select(color.g == 0.0, vfloat(1.0), saturate(color.r / color.g)))


@outlined
def other_instruction(state, triangle, memory, registers, i, dx, dy, w):
    """what is neither arithmetic nor the common lookup"""
    op = i.op
    if op == CLEAR:
        color = gray(0.0)
    elif is_own_lookup(i):
        color = own_lookup(state, triangle, memory, registers, i, dx, dy, w)
    elif is_row(op):
        color = row_instruction(state, triangle, memory, registers, i, dx, dy, w)
    elif op == Sio.TEXDEPTH:
        color = get(registers, i.destination)
    else:
        color = register_lookup(state, triangle, memory, registers, i, dx, dy, w)
    if op == Sio.TEXKILL:
        texkill(registers, color)
    elif op == Sio.TEXDEPTH or op == Sio.TEXM3x2DEPTH:
        texdepth(registers, color)
    return color


# ---- the program -----------------------------------------------------------------------------------


@outlined
def load_constants(state, registers):
    """Puts the constants that the program reads where it reads them: once for all blocks, no instruction writes there."""
    for number in range(8):
        if state.shader_needs >> SHADER_CONSTANTS + number & 1:
            c, at = state.constant, number * 4
            color = minimum(maximum(Color(c[at], c[at + 1], c[at + 2], c[at + 3]), -1.0), 1.0)
            put(registers, CONSTANT + number, color)


@stage
def load_inputs(state, triangle, registers, dx, dy, w, diffuse):
    """v0 and v1, and what becomes of the pixels unless an instruction says otherwise"""
    if state.shader_needs & SHADER_DIFFUSE:
        put(registers, DIFFUSE, diffuse)
    if state.shader_needs & SHADER_SPECULAR:
        put(registers, SPECULAR, interpolate_specular(state, triangle, dx, dy, w))
    if state.shader_needs & SHADER_KILLS:
        store_float(registers, KILLED, vfloat(0.0))
    if state.shader_needs & SHADER_DEPTH:
        store_float(registers, DEPTH, vfloat(-1.0))


@stage
def write(registers, i, color, r0):
    """Changes a result as its instruction says and writes it; returns r0."""
    if i.changes >= SCALED:
        color = finished(i, color)
    if i.destination == TEMPORARY:
        return color if i.write_mask == 15 else with_channels(color, i.write_mask, r0)
    if i.write_mask == 15:
        put(registers, i.destination, color)
    else:
        put_some(registers, i.destination, i.write_mask, color)
    return r0


@outlined
def run_pixel_shader(state, triangle, memory, registers, dx, dy, w, diffuse, paired):
    """Runs state.instruction[:state.pixel_shader]; returns r0, which is not clamped to 0..1 yet.

    paired: the texels of its first two lookups are there (put_pair).
    registers: PIXEL_REGISTER_FLOATS float32 of scratch memory, with the constants (load_constants): all registers but r0.
    Loads and stores of whole vectors are what a program costs most, and nearly every instruction has to do with r0.
    Afterwards killed_lanes and written_depth hold the rest."""
    load_inputs(state, triangle, registers, dx, dy, w, diffuse)
    number, r0 = run_lookups(state, triangle, memory, registers, dx, dy, w, paired)
    count = state.pixel_shader
    while number < count:
        i = state.instruction[number]
        number += 1
        if i.kind < InstructionKind.LOOKUP:
            color = run_arithmetic(state, registers, i, r0)
        else:
            put(registers, TEMPORARY, r0)
            color = other_instruction(state, triangle, memory, registers, i, dx, dy, w)
            r0 = get(registers, TEMPORARY)  # nothing of a vector's size survives a call
        r0 = write(registers, i, color, r0)
    return r0


@stage
def run_arithmetic(state, registers, i, r0):
    """The result of an arithmetic instruction, before it is changed and written."""
    if i.adjusted:
        adjust(registers, i, r0)
    if i.held:
        color = arithmetic(state, registers, i, r0, True)
    else:
        color = arithmetic(state, registers, i, r0, False)
    return color


@outlined
def run_after_pair(state, registers):
    """run_pixel_shader from the third instruction on, where is_pair_and_arithmetic: it calls nothing, so the processor need
    not put away what a call would lose.  The texels and the diffuse colour are where the program reads them."""
    number, count, r0 = 2, state.pixel_shader, gray(0.0)
    if state.instruction[0].destination == TEMPORARY or state.instruction[1].destination == TEMPORARY:
        r0 = get(registers, TEMPORARY)
    while number < count:
        i = state.instruction[number]
        number += 1
        r0 = write(registers, i, run_arithmetic(state, registers, i, r0), r0)
    return r0


@stage
def is_pair_and_arithmetic(state):
    """Whether a program of the short way begins with two lookups that are done at once, and what follows reads only registers:
    constants, texels and the diffuse colour."""
    if not begins_with_pair(state) or state.shader_needs & SHADER_SPECULAR:
        return False
    for number in range(2, state.pixel_shader):  # noqa: SIM110 (the compiler knows no generators)
        if state.instruction[number].kind >= InstructionKind.LOOKUP:
            return False
    return True


@stage
def killed_lanes(state, registers):
    """Lanes that texkill discards, after a run."""
    if state.shader_needs & SHADER_KILLS:
        return load_float(registers, KILLED) > 0.0
    return mask_from_bits(0)


@stage
def written_depth(state, registers):
    """Depth that texm3x2depth or texdepth wrote, 0..1, after a run; -1 where nothing did."""
    if state.shader_needs & SHADER_DEPTH:
        return load_float(registers, DEPTH)
    return vfloat(-1.0)
