"""The scratch memory of one batch of vertices: rows of BATCH floats, one row per register component.

Stages read rows sixteen lanes at a time (`chunk` = 0, 16, 32, 48) and write rows.
A four-component value is a `Color`; where it is a position, read r g b a as x y z w.
"""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import Color, load_float, store_float

BATCH = 64
MOST_NUMBER = 0x7FFFFFFF
"""The greatest number of a vertex in its stream: numbers and references are words."""

INPUT = 0  # 17 registers: what the vertex brings (numbers of D3DVSDE)
INPUT_REGISTERS = 17
OUTPUT = INPUT + 4 * INPUT_REGISTERS  # 48 rows in the order of primitives.VertexField; the position is in clip space
TEMPORARY = OUTPUT + 48  # r0..r11
ADDRESS = TEMPORARY + 48  # a0.x
NOTHING = ADDRESS + 4  # the source that an instruction does not have
ROWS = NOTHING + 4

CONSTANT_LANES = 16  # constants follow: 4 rows of 16 equal floats each
CONSTANTS = ROWS * BATCH
CONSTANT_REGISTERS = 256
SCRATCH_FLOATS = (
    CONSTANTS + (CONSTANT_REGISTERS + 3) * 4 * CONSTANT_LANES
)  # the last three stay 0: a matrix may reach beyond c255


@stage
def load4(rows, row, chunk):
    """Four rows."""
    at = row * BATCH + chunk
    return Color(
        load_float(rows, at), load_float(rows, at + BATCH), load_float(rows, at + 2 * BATCH), load_float(rows, at + 3 * BATCH)
    )


@stage
def load1(rows, row, chunk):
    return load_float(rows, row * BATCH + chunk)


@stage
def store4(rows, row, chunk, value):
    at = row * BATCH + chunk
    store_float(rows, at, value.r)
    store_float(rows, at + BATCH, value.g)
    store_float(rows, at + 2 * BATCH, value.b)
    store_float(rows, at + 3 * BATCH, value.a)


@stage
def store1(rows, row, chunk, value):
    store_float(rows, row * BATCH + chunk, value)
