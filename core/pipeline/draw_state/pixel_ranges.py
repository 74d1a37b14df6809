"""Results of a pixel program that cannot leave the range of registers and need no clamp.

Walks the program with an interval for each component of each register. Constants are -1..1, v0 and v1 0..1, texels of every
format -1..1; computed and unclamped texture coordinates can be anything, NaN too, and so can what is made of them until it is
clamped. A clamp does nothing to what it is left out for, so results keep their bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.pipeline.draw_state.pixel_slots import (
    CLEAR,
    CONSTANT,
    DIFFUSE,
    LOOKUPS,
    REGISTER_RANGE,
    SPECULAR,
    is_texture_op,
    register_at,
    written_components,
)
from core.pipeline.records.stage_state import CLAMPED, SATURATED
from core.spec.shaders import Sio

Interval = tuple[float, float] | None  # None: anything
Ranges = dict[tuple[int, int], Interval]  # by (slot, component)

ZERO, UNIT, SIGNED, REGISTER = (0.0, 0.0), (0.0, 1.0), (-1.0, 1.0), (-REGISTER_RANGE, REGISTER_RANGE)
TEXEL = (-1.0625, 1.0625)  # the weights of a filter may add up to a little more than 1
ROUNDING = 2.0**-23  # of one operation, and to spare


# ---- intervals -------------------------------------------------------------------------------------


def rounded(values: Sequence[float]) -> Interval:
    """The least interval of these, widened for the rounding of one operation."""
    spare = max(map(abs, values)) * ROUNDING
    return min(values) - spare, max(values) + spare


def plus(a: Interval, b: Interval) -> Interval:
    return rounded((a[0] + b[0], a[1] + b[1])) if a and b else None


def minus(a: Interval, b: Interval) -> Interval:
    return plus(a, (-b[1], -b[0])) if b else None


def times(a: Interval, b: Interval) -> Interval:
    return rounded([x * y for x in a for y in b]) if a and b else None


def either(a: Interval, b: Interval) -> Interval:
    return (min(a[0], b[0]), max(a[1], b[1])) if a and b else None


def clamped(a: Interval, limits: tuple[float, float]) -> Interval:
    """NaN becomes one of the limits."""
    return (min(max(a[0], limits[0]), limits[1]), max(min(a[1], limits[1]), limits[0])) if a else limits


# ---- instructions ----------------------------------------------------------------------------------


def source_range(row: np.ndarray, place: int, component: int, known: Ranges) -> Interval:
    """What a source can be, modified."""
    found = known.get(register_at(row["read"][4 * place + component]), ZERO)  # what nothing has written was cleared
    factor, offset = float(row["factor"][place]), float(row["offset"][place])
    return plus(times(found, (factor, factor)), (offset, offset)) if row["changes"] >> place & 1 else found


def dot_range(row: np.ndarray, count: int, known: Ranges) -> Interval:
    total: Interval = ZERO
    for component in range(count):
        total = plus(total, times(source_range(row, 0, component, known), source_range(row, 1, component, known)))
    return total


def texture_range(row: np.ndarray) -> Interval:
    if row["op"] in LOOKUPS:
        return TEXEL
    return UNIT if row["op"] == Sio.TEXCOORD and row["sources"] == 0 else None


def result_range(row: np.ndarray, component: int, known: Ranges) -> Interval:
    """What an instruction computes for a component, before shift and clamps."""
    op = int(row["op"])
    if op == CLEAR:
        return ZERO
    if is_texture_op(op):
        return texture_range(row)
    if op in (Sio.DP3, Sio.DP4):
        return dot_range(row, 3 if op == Sio.DP3 else 4, known)
    a, b, c = (source_range(row, place, component, known) for place in range(3))
    return {
        Sio.MOV: lambda: a, Sio.ADD: lambda: plus(a, b), Sio.SUB: lambda: minus(a, b), Sio.MUL: lambda: times(a, b),
        Sio.MAD: lambda: plus(times(a, b), c), Sio.LRP: lambda: plus(times(a, minus(b, c)), c),
        Sio.CND: lambda: either(b, c), Sio.CMP: lambda: either(b, c),
    }.get(Sio(op), lambda: None)()  # fmt: skip


def drop_clamps(program: list[np.ndarray]) -> None:
    """Takes CLAMPED from the instructions whose results need it not; program: PIXEL_INSTRUCTION each, as they are run."""
    given = {DIFFUSE: UNIT, SPECULAR: UNIT, **dict.fromkeys(range(CONSTANT, CONSTANT + 8), SIGNED)}
    known: Ranges = {(slot, component): interval for slot, interval in given.items() for component in range(4)}
    for row in program:
        written = written_components(row)
        scale = float(row["scale"])
        results = {place: times(result_range(row, place[1], known), (scale, scale)) for place in written}
        if row["changes"] & CLAMPED:
            if all(result is not None and clamped(result, REGISTER) == result for result in results.values()):
                row["changes"] &= ~CLAMPED
            results = {place: clamped(result, REGISTER) for place, result in results.items()}
        if row["changes"] & SATURATED:
            results = {place: clamped(result, UNIT) for place, result in results.items()}
        known |= results
