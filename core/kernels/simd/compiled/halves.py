"""Integers as two 16-bit halves, for compiled code: one instruction multiplies or shifts both."""

from __future__ import annotations

from llvmlite import ir
from numba.extending import intrinsic

from core.kernels.simd.compiled.vectors import I16, I32, LANES, conversion, vector_of, vint_t, widen

I8 = ir.IntType(8)


def halves_function(emit):
    """An @intrinsic that applies emit(builder, *vectors) to the lower and upper halves of integers, each on its own."""
    halves = ir.VectorType(I16, 2 * LANES)

    @intrinsic
    def function(tyctx, a, b):
        if vector_of((a, b)) is not vint_t:
            return None

        def codegen(context, builder, sig, args):
            parts = [
                builder.bitcast(widen(context, builder, v, t, vint_t), halves) for v, t in zip(args, sig.args, strict=True)
            ]
            return builder.bitcast(emit(builder, *parts), vint_t.ir)

        return vint_t(a, b), codegen

    return function


multiply_halves = halves_function(lambda b, x, y: b.mul(x, y))  # the lower 16 bits of each product
shift_right_halves = halves_function(lambda b, x, n: b.lshr(x, n))  # logical


def _byte_in_halves(context, builder, value, ty):
    """One shuffle of bytes where the processor can."""
    kind = ir.VectorType(I8, 4 * LANES)
    pattern = [4 * (byte // 4) if byte % 2 == 0 else 4 * LANES for byte in range(4 * LANES)]
    shuffled = builder.shuffle_vector(builder.bitcast(value, kind), ir.Constant(kind, None),
                                      ir.Constant(ir.VectorType(I32, 4 * LANES), pattern))  # fmt: skip
    return builder.bitcast(shuffled, vint_t.ir)


byte_in_halves = conversion(vint_t, vint_t, _byte_in_halves)  # the lowest byte as both halves
