"""What a mask of sixteen lanes is in registers: bits where the processor has mask registers (AVX-512), words with AVX2.

With AVX2 a lane is a 32-bit word whose uppermost bit counts, as the processor's blends and `vmovmskps` read it.  Vectors of
single bits, which LLVM packs into bytes wherever they outlive a branch, cost six more steps from a comparison to a blend.
"""

from __future__ import annotations

from llvmlite import ir

from core.kernels.cache import WIDE_MASKS
from core.kernels.numba_inside import cgutils

LANES = 16
I1, I16, I32, I64 = ir.IntType(1), ir.IntType(16), ir.IntType(32), ir.IntType(64)
F32, F64 = ir.FloatType(), ir.DoubleType()
ELEMENT = I32 if WIDE_MASKS else I1
MASK, BITS = ir.VectorType(ELEMENT, LANES), ir.VectorType(I1, LANES)
WORDS, EIGHT = ir.VectorType(I32, LANES), ir.VectorType(F32, LANES // 2)
FLOATS = ir.VectorType(F32, LANES)


def llvm_call(builder, name, result, *args):
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, [a.type for a in args]), name)
    return builder.call(function, args)


def splat(builder, scalar):
    undefined = ir.Constant(ir.VectorType(scalar.type, LANES), ir.Undefined)
    first = builder.insert_element(undefined, scalar, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(WORDS, [0] * LANES))


def mask_of(builder, bits):
    """The mask of a vector of bits.  The fence costs nothing: it keeps LLVM from going back to bits."""
    if not WIDE_MASKS:
        return bits
    words = builder.bitcast(builder.sext(bits, WORDS), FLOATS)
    return builder.bitcast(llvm_call(builder, f"llvm.arithmetic.fence.v{LANES}f32", FLOATS, words), WORDS)


def bits_of(builder, mask):
    """A mask as a vector of bits."""
    return builder.icmp_signed("<", mask, ir.Constant(WORDS, None)) if WIDE_MASKS else mask


def _halves(builder, vector):
    """Lanes 0 to 7 and 8 to 15 of 32 bits, as floats."""
    vector = builder.bitcast(vector, FLOATS)
    patterns = (ir.Constant(ir.VectorType(I32, LANES // 2), list(range(k, k + LANES // 2))) for k in (0, LANES // 2))
    return [builder.shuffle_vector(vector, vector, pattern) for pattern in patterns]


def blend(builder, mask, x, y):
    """x where the mask, else y."""
    if not WIDE_MASKS or x.type.element not in (F32, I32):
        return builder.select(bits_of(builder, mask), x, y)
    columns = zip(_halves(builder, y), _halves(builder, x), _halves(builder, mask), strict=True)
    lower, upper = (llvm_call(builder, "llvm.x86.avx.blendv.ps.256", EIGHT, *column) for column in columns)
    both = builder.shuffle_vector(lower, upper, ir.Constant(WORDS, list(range(LANES))))
    return builder.bitcast(both, x.type)


def _signs(builder, eight):
    """The uppermost bits of eight lanes."""
    return llvm_call(builder, "llvm.x86.avx.movmsk.ps.256", I32, eight)


def bits_in_word(builder, mask):
    """A mask as the lower bits of a 64-bit integer, lane 0 in bit 0."""
    if not WIDE_MASKS:
        return builder.zext(builder.bitcast(mask, I16), I64)
    lower, upper = (_signs(builder, half) for half in _halves(builder, mask))
    return builder.zext(builder.or_(lower, builder.shl(upper, I32(LANES // 2))), I64)


def from_word(builder, word):
    """The mask of the lower 16 bits of a 64-bit integer."""
    if not WIDE_MASKS:
        return builder.bitcast(builder.trunc(word, I16), MASK)
    return builder.shl(splat(builder, builder.trunc(word, I32)), ir.Constant(WORDS, list(range(31, 31 - LANES, -1))))


def some(builder, mask):
    """Whether any lane is set."""
    if not WIDE_MASKS:
        return builder.icmp_signed("!=", builder.bitcast(mask, I16), I16(0))
    lower, upper = (builder.bitcast(half, ir.VectorType(I32, LANES // 2)) for half in _halves(builder, mask))
    return builder.icmp_signed("!=", _signs(builder, builder.bitcast(builder.or_(lower, upper), EIGHT)), I32(0))


def every(builder, mask):
    """Whether all lanes are set."""
    if not WIDE_MASKS:
        return builder.icmp_signed("==", builder.bitcast(mask, I16), I16(-1))
    lower, upper = (builder.bitcast(half, ir.VectorType(I32, LANES // 2)) for half in _halves(builder, mask))
    signs = _signs(builder, builder.bitcast(builder.and_(lower, upper), EIGHT))
    return builder.icmp_signed("==", signs, I32((1 << LANES // 2) - 1))
