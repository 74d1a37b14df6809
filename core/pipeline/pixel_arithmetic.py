"""Registers of the ps_1_x interpreter (core.pipeline.pshader), and the instructions that read no texture.

Semantics: DX8 SDK "Pixel Shader Reference", shader_opcodes.json of the references.
"""

from __future__ import annotations

from core.jit import stage
from core.pipeline.bump import displace
from core.pipeline.draw_state.stage_state import SLOT
from core.simd import Color, gray, lerp, load_float, select, store_float
from core.spec.shaders import Sio

# ---- registers -------------------------------------------------------------------------------------


@stage
def get(registers, slot):
    """A register: four channels of sixteen lanes."""
    at = slot * SLOT
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
def operand(registers, i, place):
    """A source register, swizzled and modified."""
    read = 4 * place
    color = Color(load_float(registers, i.read[read]), load_float(registers, i.read[read + 1]),
                  load_float(registers, i.read[read + 2]), load_float(registers, i.read[read + 3]))  # fmt: skip
    if i.changes >> place & 1:
        color = color * i.factor[place] + i.offset[place]
    return color


# ---- arithmetic ------------------------------------------------------------------------------------


@stage
def dot3(a, b):
    """Of red, green and blue."""
    return a.r * b.r + a.g * b.g + a.b * b.b


@stage
def choose(a, b, c, op):
    """cnd and cmp, channel by channel."""
    if op == Sio.CND:
        return Color(select(a.r > 0.5, b.r, c.r), select(a.g > 0.5, b.g, c.g), select(a.b > 0.5, b.b, c.b),
                     select(a.a > 0.5, b.a, c.a))  # fmt: skip
    return Color(select(a.r >= 0.0, b.r, c.r), select(a.g >= 0.0, b.g, c.g), select(a.b >= 0.0, b.b, c.b),
                 select(a.a >= 0.0, b.a, c.a))  # fmt: skip


@stage
def arithmetic(state, registers, i):
    """What an instruction that reads no texture computes, before scale and saturation."""
    op = i.op
    a = operand(registers, i, 0)
    if op == Sio.MOV:
        return a
    b = operand(registers, i, 1)
    if op == Sio.MUL:
        return a * b
    elif op == Sio.ADD:
        return a + b
    elif op == Sio.SUB:
        return a - b
    elif op == Sio.DP3:
        return gray(dot3(a, b))
    elif op == Sio.DP4:
        return gray(dot3(a, b) + a.a * b.a)
    elif op == Sio.BEM:
        x, y = displace(state.stage[i.stage], a.r, a.g, b.r, b.g)
        return Color(x, y, 0.0, 0.0)
    c = operand(registers, i, 2)
    if op == Sio.MAD:
        return a * b + c
    elif op == Sio.LRP:
        return lerp(c, b, a)
    return choose(a, b, c, op)
