"""The lookups that a ps_1_x program begins with, which need none of its results (core.pipeline.pixel.pshader runs the rest)."""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import gray, vfloat
from core.pipeline.draw_state.pixel_slots import TEMPORARY, InstructionKind
from core.pipeline.pixel.pixel_arithmetic import finished, get, put, put_some
from core.pipeline.pixel.sample import near_place, sample_coordinates, sample_pair, sample_short
from core.pipeline.records.stage_state import SCALED


@stage
def divisor(s, i):
    """component that divides the coordinates of tex and texld, 0: none"""
    return i.divide if i.sources else s.projected


@stage
def near_place_of(state, triangle, i, dx, dy, w):
    """u, v of a lookup at coordinates that are not divided"""
    return near_place(triangle, state.stage[i.coordinate].coordinate_plane, dx, dy, w)


@stage
def look_up_pair(state, triangle, memory, i, j, dx, dy, w):
    """the texels of two lookups at once"""
    u, v = near_place_of(state, triangle, i, dx, dy, w)
    other_u, other_v = near_place_of(state, triangle, j, dx, dy, w)
    return sample_pair(state.stage[i.stage], state.stage[j.stage], memory, u, v, other_u, other_v)


@stage
def look_up_one(state, triangle, memory, i, dx, dy, w):
    """the texel of one lookup at interpolated coordinates"""
    s = state.stage[i.stage]
    if i.kind == InstructionKind.LOOKUP:
        plane, zero = state.stage[i.coordinate].coordinate_plane, vfloat(0.0)
        return sample_coordinates(triangle, memory, s, plane, divisor(s, i), dx, dy, w, zero, zero)
    u, v = near_place_of(state, triangle, i, dx, dy, w)
    return sample_short(s, memory, u, v)


@stage
def put_result(registers, i, color):
    """Changes a result as its instruction says and writes it."""
    if i.changes >= SCALED:
        color = finished(i, color)
    put_some(registers, i.destination, i.write_mask, color)


@stage
def is_first_lookup(i):
    """Whether an instruction at the start of a program is a lookup that leaves no part of r0."""
    return InstructionKind.LOOKUP <= i.kind <= InstructionKind.PAIR and (i.write_mask == 15 or i.destination != TEMPORARY)


@stage
def starts_with_lookup(state, number):
    """Whether is_first_lookup holds for an instruction, and there is one."""
    return number < state.pixel_shader and is_first_lookup(state.instruction[number])


@stage
def begins_with_pair(state):
    """Whether a program begins with two lookups that are done at once."""
    return state.pixel_shader >= 2 and state.instruction[0].kind == InstructionKind.PAIR


@stage
def put_pair(state, registers, texel, other):
    """Writes the texels of the pair that a program begins with."""
    put(registers, state.instruction[0].destination, texel)
    put(registers, state.instruction[1].destination, other)


@stage
def run_lookups(state, triangle, memory, registers, dx, dy, w, paired):
    """Runs the lookups that a program begins with, while r0 takes no vector registers; returns how many, and r0.

    paired: the first two are done (put_pair)."""
    number, written = 0, False
    if paired:
        number = 2
        written = state.instruction[0].destination == TEMPORARY or state.instruction[1].destination == TEMPORARY
    more = starts_with_lookup(state, number)
    while more:  # asked before the loop, too: its constants fill vector registers
        i = state.instruction[number]
        number += 1
        written = written or i.destination == TEMPORARY
        if i.kind == InstructionKind.PAIR and number < state.pixel_shader:
            second = state.instruction[number]
            number += 1
            written = written or second.destination == TEMPORARY
            texel, other = look_up_pair(state, triangle, memory, i, second, dx, dy, w)
            put(registers, i.destination, texel)
            put(registers, second.destination, other)
        else:
            put_result(registers, i, look_up_one(state, triangle, memory, i, dx, dy, w))
        more = starts_with_lookup(state, number)
    return number, get(registers, TEMPORARY) if written else gray(0.0)
