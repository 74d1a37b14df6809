"""Matrices of Direct3D 7, 6 and 5 that the runtime multiplies, compiled, for `convert`: MultiplyTransform, and the
projection of 6 and 5 with the clip volume behind it.  Sums are in double precision, to be the same on all machines.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, i8, kernel, stage, void
from core.matrices import as_float, dword_at, float_bits
from core.runtime.calls.values import ARRAY, FLOAT, STRUCT, STRUCTV, past_words, read_uint
from core.runtime.rows.append import CHANGED, REFUSED, append
from core.runtime.rows.layout import OLD_MULTIPLY, OLD_TRANSFORM
from core.runtime.rows.older_slots import CLIP, CONTEXT, HAS_CLIP, PROJECTION
from core.spec.slots import BASE
from core.spec.tokens import Op

SETTRANSFORM, MATRIX_SLOT = np.uint32(int(Op.SETTRANSFORM)), BASE["projection"]
PROJECTION_STATE = 3  # D3DTRANSFORMSTATE_PROJECTION
GIVEN, MADE = 20, 40  # where in `scratch` matrices are; the token's begin at 1


@stage
def _product(a, at, b, to, out, place):
    """out[place:] = a[at:] * b[to:], 16 dwords of floats each; sums in double precision."""
    for i in range(4):
        for j in range(4):
            total = np.float64(0.0)
            for k in range(4):
                total += np.float64(as_float(a[at + 4 * i + k])) * np.float64(as_float(b[to + 4 * k + j]))
            out[place + 4 * i + j] = float_bits(np.float32(total))


@kernel(void(array("u4"), array("u4"), i8, array("u4"), i8))
def product(first, second, at, out, place):
    """out[place:] = first * second[at:], matrices of 16 dwords that are floats, as the loop multiplies them."""
    _product(first, 0, second, at, out, place)


@stage
def _matrix(chunk, slot, defined, out, at):
    """Writes the 16 floats of a D3DMATRIX to out.scratch[at:]; False for all else."""
    if chunk.tags[slot] != ARRAY:
        return False
    p = np.int64(chunk.values[slot])
    data = chunk.data
    if data[p] != ARRAY or data[p + 1] != 1 or data[p + 2] != STRUCTV:
        return False
    v, p = read_uint(data, p + 3)
    if chunk.known[STRUCT, np.int64(v)] != 16:
        return False
    p = past_words(data, p, len(data), STRUCT, np.int64(v), chunk.definitions, defined)
    for i in range(16):
        if data[p] != FLOAT:
            return False
        out.scratch[at + i] = dword_at(data, p + 1)
        p += 5
    return True


@stage
def _put_transform(state, slot, at, always, source, here, out):
    """SETTRANSFORM of out.scratch[at:], if it is another matrix than before."""
    told, registers, scratch = np.int64(1), here.registers, out.scratch
    scratch[0] = np.uint32(state)
    for i in range(16):
        scratch[1 + i] = scratch[at + i]
        if registers[slot + i] != scratch[at + i]:
            registers[slot + i], told = scratch[at + i], CHANGED + 1
    if not always and told == 1:
        return np.int64(0)
    append(SETTRANSFORM, True, 17, source, here, out)
    return told


@stage
def _project(source, here, out):
    """The projection times the clip volume."""
    registers = here.registers
    if registers[HAS_CLIP]:
        _product(registers, PROJECTION, registers, CLIP, out.scratch, MADE)
    else:
        for i in range(16):
            out.scratch[MADE + i] = registers[PROJECTION + i]
    return _put_transform(PROJECTION_STATE, MATRIX_SLOT, MADE, False, source, here, out)


@stage
def transform(kind, state, place, chunk, slot, defined, source, here, out):
    """SetTransform of the projection, or MultiplyTransform of any matrix, in `place`."""
    registers = here.registers
    is_projection = state == PROJECTION_STATE and registers[CONTEXT] != 0
    if (not is_projection and (kind == OLD_TRANSFORM or place < 0)) or not _matrix(chunk, slot, defined, out, GIVEN):
        return REFUSED
    if is_projection:
        if kind == OLD_MULTIPLY:
            _product(out.scratch, GIVEN, registers, PROJECTION, out.scratch, MADE)
        for i in range(16):
            registers[PROJECTION + i] = out.scratch[(MADE if kind == OLD_MULTIPLY else GIVEN) + i]
        return _project(source, here, out)
    _product(out.scratch, GIVEN, registers, place, out.scratch, MADE)
    return _put_transform(state, place, MADE, True, source, here, out)
