"""Vertex shaders vs_1_0 and vs_1_1: runs a program instruction by instruction over batches of 64 vertices.

`compile_program` turns decoded instructions (core.spec.shaders.INSTRUCTION) into rows that address the scratch memory directly;
`run_program` reads like the instruction table.  An instruction reads all its sources before it writes, so m4x4 r0, r0, c0 is
well defined.

Sources: semantics section 11 and the DX8 SDK vertex shader reference.  c[a0.x + n] outside the constants reads as 0.  rcp
and rsq of 0 give infinity, log of 0 minus infinity.  Outputs never written: oD0 1,1,1,1, oD1 0, oT 0,0,0,1, oFog 0, oPts the
state's point size.
"""

from __future__ import annotations

import numpy as np

from core.errors import BadInput
from core.kernels.jit import outlined, stage
from core.kernels.simd import (
    Color,
    absolute,
    bits_float,
    float_bits,
    floor,
    gather_float,
    gray,
    load_float,
    maximum,
    minimum,
    select,
    sqrt,
    store_float,
    to_float,
    to_int,
    vfloat,
    vint,
)  # fmt: skip
from core.kernels.simd.math import exp2, log2, power
from core.pipeline.records.primitives import VertexField
from core.pipeline.records.rows import (
    ADDRESS,
    BATCH,
    CONSTANT_LANES,
    CONSTANT_REGISTERS,
    CONSTANTS,
    INPUT,
    NOTHING,
    OUTPUT,
    TEMPORARY,
)  # fmt: skip
from core.pipeline.vertex.transform import dot3
from core.spec.shaders import RastOut, Sio, Spr, Spsm

F = np.float32
INFINITY = F(np.inf)
TEMPORARIES, INPUTS = 12, 16

SOURCE = np.dtype([
    ("at", "i4", 4),        # floats of lane 0 of the swizzled components in the scratch memory
    ("step", "i4"),         # floats from one component to the next
    ("lanes", "i4"),        # -1: a value per vertex, 0: the same for all (a constant)
    ("swizzle", "i4", 4),
    ("negate", "i4"),
    ("relative", "i4"),     # the constant's number is `number` + a0.x
    ("number", "i4"),
    ("scalar", "i4"),       # the component that scalar instructions read
])  # fmt: skip

VERTEX_INSTRUCTION = np.dtype([
    ("op", "i4"), ("destination", "i4"), ("write_mask", "i4"), ("source_count", "i4"), ("source", SOURCE, 3),
])  # fmt: skip
"""One instruction, ready to run: `destination` is the float of lane 0 of its component x."""

SCALAR = (Sio.RCP, Sio.RSQ, Sio.EXP, Sio.LOG, Sio.EXPP, Sio.LOGP)
MATRIX_ROWS: dict[int, int] = {Sio.M4x4: 4, Sio.M4x3: 3, Sio.M3x4: 4, Sio.M3x3: 3, Sio.M3x2: 2}
SUPPORTED = frozenset({
    Sio.MOV, Sio.ADD, Sio.SUB, Sio.MAD, Sio.MUL, Sio.RCP, Sio.RSQ, Sio.DP3, Sio.DP4, Sio.MIN, Sio.MAX, Sio.SLT, Sio.SGE,
    Sio.EXP, Sio.LOG, Sio.LIT, Sio.DST, Sio.FRC, Sio.EXPP, Sio.LOGP, *MATRIX_ROWS,
})  # fmt: skip


MOV_ADDRESS = 256  # mov a0.x: rounds down


# ---- compilation -------------------------------------------------------------------------------


def compile_program(instructions: np.ndarray) -> np.ndarray:
    """VERTEX_INSTRUCTION rows of a decoded shader (INSTRUCTION rows).

    BadInput names the dword of what a vertex shader cannot do.
    """
    program = np.zeros(len(instructions), VERTEX_INSTRUCTION)
    for row, instruction in zip(program, instructions, strict=True):
        op = int(instruction["op"])
        if op not in SUPPORTED:
            raise BadInput(
                f"vertex shader: instruction {op} at dword {int(instruction['dword'])} is not a vertex shader instruction"
            )
        row["op"], row["write_mask"], row["source_count"] = op, _write_mask(instruction), instruction["source_count"]
        if instruction["dest_type"] == Spr.ADDR:
            row["op"] = _address_move(op, instruction)
        row["destination"] = _destination(instruction) * BATCH
        for number in range(3):
            _compile_source(row["source"][number], instruction, number)
    return program


def _write_mask(instruction: np.ndarray) -> int:
    """Channels written: a matrix makes no more than its rows; a0, oFog and oPts have one."""
    if instruction["dest_type"] == Spr.ADDR or (
        instruction["dest_type"] == Spr.RASTOUT and instruction["dest_index"] != RastOut.POSITION
    ):
        return 1 if instruction["write_mask"] else 0
    rows = MATRIX_ROWS.get(int(instruction["op"]), 4)
    return int(instruction["write_mask"]) & ((1 << rows) - 1)


def _address_move(op: int, instruction: np.ndarray) -> int:
    if op != Sio.MOV:
        raise BadInput(f"vertex shader: instruction {op} at dword {int(instruction['dword'])} writes a0, only mov can")
    return MOV_ADDRESS


def _destination(instruction: np.ndarray) -> int:
    """The scratch row of component x of the destination."""
    kind, index = int(instruction["dest_type"]), int(instruction["dest_index"])
    if kind == Spr.TEMP and index < TEMPORARIES:
        return TEMPORARY + 4 * index
    if kind == Spr.ADDR and index == 0:
        return ADDRESS
    if kind == Spr.RASTOUT and index <= RastOut.POINT_SIZE:
        return OUTPUT + (VertexField.X, VertexField.FOG, VertexField.POINT_SIZE)[index]
    if kind == Spr.ATTROUT and index < 2:
        return OUTPUT + (VertexField.DIFFUSE, VertexField.SPECULAR)[index]
    if kind == Spr.TEXCRDOUT and index < 8:
        return OUTPUT + VertexField.TEXCOORD + 4 * index
    raise BadInput(f"vertex shader: destination register type {kind} number {index} at dword {int(instruction['dword'])}")


def _compile_source(row: np.ndarray, instruction: np.ndarray, number: int) -> None:
    """Where a source is read from; one that the instruction lacks is NOTHING."""
    source = instruction["source"][number]
    at = NOTHING * BATCH
    row["at"], row["step"], row["lanes"] = at, BATCH, -1
    if number >= instruction["source_count"]:
        return
    kind, index = int(source["type"]), int(source["index"])
    last = index + (MATRIX_ROWS.get(int(instruction["op"]), 1) - 1 if number == 1 else 0)
    row["swizzle"] = [int(source["swizzle"]) >> 2 * k & 3 for k in range(4)]
    row["scalar"] = row["swizzle"][3]
    row["negate"] = int(source["modifier"]) == Spsm.NEG
    if int(source["modifier"]) not in (Spsm.NONE, Spsm.NEG):
        raise BadInput(f"vertex shader: source modifier {int(source['modifier'])} at dword {int(instruction['dword'])}")
    if kind == Spr.CONST:
        at = _compile_constant(row, source)
    elif kind == Spr.TEMP and last < TEMPORARIES:
        at = (TEMPORARY + 4 * index) * BATCH
    elif kind == Spr.INPUT and last < INPUTS:
        at = (INPUT + 4 * index) * BATCH
    else:
        raise BadInput(f"vertex shader: source register type {kind} number {index} at dword {int(instruction['dword'])}")
    row["at"] = at + row["step"] * row["swizzle"]


def _compile_constant(row: np.ndarray, source: np.ndarray) -> int:
    """Returns the float of component x."""
    index = int(source["index"])
    row["number"] = index
    if source["relative"]:
        row["relative"] = 1
    elif index < CONSTANT_REGISTERS:
        row["step"], row["lanes"] = CONSTANT_LANES, 0
        return CONSTANTS + 4 * index * CONSTANT_LANES
    return NOTHING * BATCH


# ---- running -----------------------------------------------------------------------------------


@outlined
def load_constants(program, count, constants, rows):
    """Spreads the constants that a program names over the lanes, once per draw."""
    for pc in range(count):
        for number in range(3):
            source = program[pc].source[number]
            if source.lanes == 0:
                registers = min(4, CONSTANT_REGISTERS - source.number) if program[pc].op >= Sio.M4x4 else 1
                for k in range(4 * source.number, 4 * (source.number + registers)):
                    store_float(rows, CONSTANTS + k * CONSTANT_LANES, vfloat(constants[k]))


@outlined
def run_program(program, count, constants, rows, lanes):
    """Runs a program over the first `lanes` vertices in the input rows; its outputs land in the output rows."""
    for pc in range(count):
        instruction = program[pc]
        op = instruction.op
        for chunk in range(0, lanes, 16):
            a = read(rows, constants, instruction.source[0], chunk)
            if op >= Sio.M4x4 and op <= Sio.M3x2:
                result = matrix(rows, constants, instruction.source[1], op, a, chunk)
            else:
                b = read(rows, constants, instruction.source[1], chunk) if instruction.source_count > 1 else a
                if op == Sio.MAD:
                    result = a * b + read(rows, constants, instruction.source[2], chunk)
                else:
                    result = compute(op, a, b)
            write(rows, instruction.destination, instruction.write_mask, chunk, result)


@stage
def read(rows, constants, source, chunk):
    """A source operand: swizzled, then negated."""
    if source.relative:
        return read_relative(rows, constants, source, 0, chunk)
    return read_rows(rows, source, chunk & source.lanes)


@stage
def read_rows(rows, source, beyond):
    """The components of a source so many floats beyond its own, negated if it asks for that."""
    at = source.at
    value = Color(
        load_float(rows, at[0] + beyond), load_float(rows, at[1] + beyond),
        load_float(rows, at[2] + beyond), load_float(rows, at[3] + beyond),
    )  # fmt: skip
    if source.negate:
        return -value
    return value


@outlined
def read_relative(rows, constants, source, offset, chunk):
    """c[number + offset + a0.x], swizzled, then negated; 0 outside the constants."""
    index = to_int(load_float(rows, ADDRESS * BATCH + chunk))
    near = (index >= -CONSTANT_REGISTERS) & (index < CONSTANT_REGISTERS)
    index = select(near, index, vint(0)) + (source.number + offset)
    inside = near & (index >= 0) & (index < CONSTANT_REGISTERS)
    index = select(inside, index, vint(0)) * 4
    swizzle = source.swizzle
    value = Color(
        gather_float(constants, index + swizzle[0]), gather_float(constants, index + swizzle[1]),
        gather_float(constants, index + swizzle[2]), gather_float(constants, index + swizzle[3]),
    )  # fmt: skip
    value = select(inside, value, gray(F(0.0)))
    if source.negate:
        return -value
    return value


@stage
def write(rows, at, mask, chunk, value):
    """The channels of the write mask."""
    if mask & 1:
        store_float(rows, at + chunk, value.r)
    if mask & 2:
        store_float(rows, at + BATCH + chunk, value.g)
    if mask & 4:
        store_float(rows, at + 2 * BATCH + chunk, value.b)
    if mask & 8:
        store_float(rows, at + 3 * BATCH + chunk, value.a)


@stage
def dot4(a, b):
    return a.r * b.r + a.g * b.g + a.b * b.b + a.a * b.a


@stage
def compute(op, a, b):
    """The result of an instruction of one or two sources, all four channels.

    Scalar instructions read component w of the swizzled source.
    """
    if op == Sio.MOV:
        return a
    if op == Sio.ADD:
        return a + b
    if op == Sio.SUB:
        return a - b
    if op == Sio.MUL:
        return a * b
    if op == Sio.DP3:
        return gray(dot3(a, b))
    if op == Sio.DP4:
        return gray(dot4(a, b))
    if op == Sio.MIN:
        return minimum(a, b)
    if op == Sio.MAX:
        return maximum(a, b)
    if op == Sio.RCP:
        return gray(F(1.0) / a.a)
    if op == Sio.RSQ:
        return gray(F(1.0) / sqrt(absolute(a.a)))
    return compute_rare(op, a, b)


@outlined
def compute_rare(op, a, b):
    """The instructions that are long or seldom."""
    if op == Sio.SLT:
        return below4(a, b)
    if op == Sio.SGE:
        return not_below4(a, b)
    if op == Sio.EXP:
        return gray(exp2(a.a))
    if op == Sio.LOG:
        return gray(log2(absolute(a.a)))
    if op == Sio.EXPP:
        whole = floor(a.a)
        return Color(exp2(whole), a.a - whole, exp2(a.a), F(1.0))
    if op == Sio.LOGP:
        return log_parts(absolute(a.a))
    if op == Sio.LIT:
        return lit(a)
    if op == Sio.DST:
        return Color(F(1.0), a.g * b.g, a.b, b.a)
    if op == MOV_ADDRESS:
        return floor(a)
    return a - floor(a)  # FRC


@stage
def step(condition):
    return select(condition, vfloat(F(1.0)), vfloat(F(0.0)))


@stage
def below4(a, b):
    return Color(step(a.r < b.r), step(a.g < b.g), step(a.b < b.b), step(a.a < b.a))


@stage
def not_below4(a, b):
    return Color(step(a.r >= b.r), step(a.g >= b.g), step(a.b >= b.b), step(a.a >= b.a))


@stage
def log_parts(v):
    """logp: exponent, mantissa in 1..2, log2, 1; of 0: -infinity, 1, -infinity, 1 (DX8 SDK; in Direct3D 9 all are log2)."""
    bits = float_bits(v)
    exponent = to_float((bits >> 23) - 127)
    mantissa = bits_float((bits & 0x7FFFFF) | 0x3F800000)
    zero = v < F(1.17549435e-38)
    return Color(select(zero, vfloat(-INFINITY), exponent), select(zero, vfloat(F(1.0)), mantissa), log2(v), F(1.0))


@stage
def lit(a):
    """Diffuse and specular factors from (N.L, N.H, -, power)."""
    exponent = minimum(maximum(a.a, vfloat(F(-127.9961))), vfloat(F(127.9961)))
    shine = power(maximum(a.g, vfloat(F(0.0))), exponent)
    lighted = a.r > F(0.0)
    zero = vfloat(F(0.0))
    return Color(F(1.0), select(lighted, a.r, zero), select(lighted & (a.g > F(0.0)), shine, zero), F(1.0))


@outlined
def matrix(rows, constants, source, op, a, chunk):
    """m4x4 and its family: the dot products with consecutive registers from `source` on."""
    zero = vfloat(F(0.0))
    first = matrix_row(rows, constants, source, 0, op, a, chunk)
    second = matrix_row(rows, constants, source, 1, op, a, chunk)
    if op == Sio.M3x2:
        return Color(first, second, zero, zero)
    third = matrix_row(rows, constants, source, 2, op, a, chunk)
    if op == Sio.M4x3 or op == Sio.M3x3:
        return Color(first, second, third, zero)
    return Color(first, second, third, matrix_row(rows, constants, source, 3, op, a, chunk))


@stage
def matrix_row(rows, constants, source, offset, op, a, chunk):
    """The dot product with register `offset` of the matrix; 0 where there is no such register."""
    row = register_after(rows, constants, source, offset, chunk)
    return dot4(a, row) if op <= Sio.M4x3 else dot3(a, row)


@outlined
def register_after(rows, constants, source, offset, chunk):
    """The register `offset` after a source, swizzled and negated like it."""
    if source.relative:
        return read_relative(rows, constants, source, offset, chunk)
    return read_rows(rows, source, 4 * offset * source.step + (chunk & source.lanes))


@outlined
def clear_registers(rows):
    """Temporaries and a0 are 0 before the first instruction of a draw (what a program reads before it writes is undefined)."""
    for at in range(TEMPORARY * BATCH, (NOTHING + 4) * BATCH, 16):
        store_float(rows, at, vfloat(F(0.0)))
