"""Registers of the ps_1_x interpreter (core.pipeline.pixel.pshader), and the instructions that read no texture.

Semantics: DX8 SDK "Pixel Shader Reference", shader_opcodes.json of the references.
"""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import Color, gray, lerp, load_float, maximum, minimum, saturate, select, store_float
from core.pipeline.draw_state.pixel_slots import ADJUSTED, ADJUSTED_R0, REGISTER_RANGE, TEMPORARY, InstructionKind
from core.pipeline.pixel.bump import displace
from core.pipeline.records.stage_state import CLAMPED, SATURATED, SCALED, SLOT

# ---- registers -------------------------------------------------------------------------------------


@stage
def get(registers, slot):
    """A register: four channels of sixteen lanes."""
    return get_at(registers, slot * SLOT)


@stage
def get_at(registers, at):
    """The register that begins at a float."""
    return Color(load_float(registers, at), load_float(registers, at + 16), load_float(registers, at + 32),
                 load_float(registers, at + 48))  # fmt: skip


@stage
def put(registers, slot, color):
    """Writes a register."""
    at = slot * SLOT
    store_float(registers, at, color.r)
    store_float(registers, at + 16, color.g)
    store_float(registers, at + 32, color.b)
    store_float(registers, at + 48, color.a)


@stage
def put_some(registers, slot, mask, color):
    """Writes the channels of a mask: bit 0 red to bit 3 alpha."""
    at = slot * SLOT
    if mask & 1:
        store_float(registers, at, color.r)
    if mask & 2:
        store_float(registers, at + 16, color.g)
    if mask & 4:
        store_float(registers, at + 32, color.b)
    if mask & 8:
        store_float(registers, at + 48, color.a)


@stage
def with_channels(color, mask, old):
    """The channels of a mask, the others as they were."""
    return Color(color.r if mask & 1 else old.r, color.g if mask & 2 else old.g, color.b if mask & 4 else old.b,
                 color.a if mask & 8 else old.a)  # fmt: skip


@stage
def operand(registers, i, place):
    """A source register, swizzled and modified."""
    read = 4 * place
    color = Color(load_float(registers, i.read[read]), load_float(registers, i.read[read + 1]),
                  load_float(registers, i.read[read + 2]), load_float(registers, i.read[read + 3]))  # fmt: skip
    if i.changes >> place & 1:
        color = color * i.factor[place] + i.offset[place]
    return color


@stage
def adjust(registers, i, r0):
    """Brings the sources that are swizzled or modified to where the operation finds them."""
    if i.adjusted & ADJUSTED_R0:
        put(registers, TEMPORARY, r0)
    for number in range(3):
        if i.adjusted >> number & 1:
            put(registers, ADJUSTED + number, operand(registers, i, number))


@stage
def source(registers, i, number, r0, held):
    """A source of an arithmetic instruction: named where it is used, its loads become part of the operations."""
    if held and i.place[number] == TEMPORARY:
        return r0
    return get_at(registers, i.place[number])


@stage
def finished(i, color):
    """shift, range, _sat"""
    if i.changes & SCALED:
        color = color * i.scale
    if i.changes & CLAMPED:
        color = minimum(maximum(color, -REGISTER_RANGE), REGISTER_RANGE)
    if i.changes & SATURATED:
        color = saturate(color)
    return color


# ---- arithmetic ------------------------------------------------------------------------------------


@stage
def dot3(a, b):
    """Of red, green and blue."""
    return a.r * b.r + a.g * b.g + a.b * b.b


@stage
def choose(red, green, blue, alpha, b, c):
    """Channels of b where the masks say so, else of c: cnd and cmp."""
    return Color(select(red, b.r, c.r), select(green, b.g, c.g), select(blue, b.b, c.b), select(alpha, b.a, c.a))


@stage
def arithmetic(state, registers, i, r0, held):
    """What an instruction that reads no texture computes, before scale and saturation; held: r0 is among its sources."""
    kind = i.kind
    if kind == InstructionKind.MOV:
        return source(registers, i, 0, r0, held)
    a, b = source(registers, i, 0, r0, held), source(registers, i, 1, r0, held)
    if kind == InstructionKind.ADD:
        return a + b
    elif kind == InstructionKind.SUB:
        return a - b
    elif kind == InstructionKind.MUL:
        return a * b
    elif kind == InstructionKind.DP3:
        return gray(dot3(a, b))
    elif kind == InstructionKind.DP4:
        return gray(dot3(a, b) + a.a * b.a)
    elif kind == InstructionKind.BEM:
        x, y = displace(state.stage[i.stage], a.r, a.g, b.r, b.g)
        return Color(x, y, 0.0, 0.0)
    c = source(registers, i, 2, r0, held)
    if kind == InstructionKind.MAD:
        return a * b + c
    elif kind == InstructionKind.LRP:
        return lerp(c, b, a)
    elif kind == InstructionKind.CND:
        return choose(a.r > 0.5, a.g > 0.5, a.b > 0.5, a.a > 0.5, b, c)
    return choose(a.r >= 0.0, a.g >= 0.0, a.b >= 0.0, a.a >= 0.0, b, c)
