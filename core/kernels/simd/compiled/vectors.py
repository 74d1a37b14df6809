"""Sixteen-lane vector values for compiled code: LLVM vector types as numba types.

vfloat, vint, vmask: one value per pixel of a 4x4 block, or per vertex of a batch.  Color: four vfloat (r, g, b, a).
Arithmetic is element by element; numbers widen to vectors, vectors to colours; a multiply and an add are two roundings.
"""

from __future__ import annotations

import operator
import platform

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin

from core.kernels.cache import HAS_AVX512
from core.kernels.numba_inside import (
    AbstractTemplate,
    AttributeTemplate,
    cgutils,
    infer_getattr,
    infer_global,
    lower_getattr_generic,
    models,
    register_default,
    signature,
)
from core.kernels.simd.compiled import masks
from core.kernels.simd.compiled.masks import F32, F64, I16, I32, LANES, llvm_call, splat

IS_X86 = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686", "x86")
ROUND_DOWN, NO_EXCEPTIONS = 1, 8  # of conversions


# ---- types -----------------------------------------------------------------------------------


class Vector(types.Type):
    def __init__(self, name, element):
        self.element, self.ir = element, ir.VectorType(element, LANES)
        super().__init__(name)


class ColorType(types.Type):
    def __init__(self):
        super().__init__("Color")


vfloat_t, vdouble_t = Vector("vfloat", F32), Vector("vdouble", F64)
vint_t, vmask_t = Vector("vint", I32), Vector("vmask", masks.ELEMENT)
color_t = ColorType()
FLOATS = (vfloat_t, vdouble_t)
SCALAR = {vfloat_t: types.float32, vint_t: types.int32, vdouble_t: types.float64, vmask_t: types.boolean}


@register_default(Vector)
class VectorModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, fe_type.ir)


@register_default(ColorType)
class ColorModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(c, vfloat_t) for c in "rgba"])


# ---- element-wise lowering -------------------------------------------------------------------


def widen(context, builder, value, ty, vector):
    """A value as one LLVM vector of the given vector type."""
    if isinstance(ty, Vector):
        return value
    wide = splat(builder, context.cast(builder, value, ty, SCALAR[vector]))
    return masks.mask_of(builder, wide) if vector is vmask_t else wide


def split(builder, value):
    return [builder.extract_value(value, i) for i in range(4)]


def join(builder, parts):
    value = ir.Constant(ir.LiteralStructType([vfloat_t.ir] * 4), ir.Undefined)
    for i, part in enumerate(parts):
        value = builder.insert_value(value, part, i)
    return value


def vector_of(tys):
    """The vector type that the arguments widen to (None: no vector among them, or two kinds)."""
    found = {t for t in tys if isinstance(t, Vector) and t is not vmask_t}
    if color_t in tys:
        found.add(vfloat_t)
    if len(found) > 1 or not all(isinstance(t, (Vector, ColorType, types.Number, types.Boolean)) for t in tys):
        return None
    if found:
        return found.pop()
    return vmask_t if vmask_t in tys else None


def elementwise(context, builder, tys, values, vector, emit):
    """emit(builder, *vectors) once, or once per colour channel."""
    if color_t not in tys:
        return emit(builder, *[widen(context, builder, v, t, vector) for v, t in zip(values, tys, strict=True)])
    channels = [split(builder, v) if t is color_t else [widen(context, builder, v, t, vector)] * 4
                for v, t in zip(values, tys, strict=True)]  # fmt: skip
    return join(builder, [emit(builder, *args) for args in zip(*channels, strict=True)])


# ---- operators -------------------------------------------------------------------------------


def _compared(emit, vector):
    """A comparison whose result is a mask."""

    def compare(builder, *values):
        bits = [masks.bits_of(builder, value) if vector is vmask_t else value for value in values]
        return masks.mask_of(builder, emit(builder, *bits))

    return compare


def define_operator(ops, on_float=None, on_int=None, compare=False):
    def lower(context, builder, sig, args):
        vector = vector_of(sig.args)
        emit = on_float if vector in FLOATS else on_int
        return elementwise(context, builder, sig.args, args, vector, _compared(emit, vector) if compare else emit)

    for op in ops:

        @infer_global(op)
        class Template(AbstractTemplate):
            def generic(self, args, kws):
                vector = vector_of(args)
                if vector is None or (on_float if vector in FLOATS else on_int) is None:
                    return None
                result = vmask_t if compare else color_t if color_t in args else vector
                return signature(result, *args)

        kinds = Vector, ColorType, types.Number
        for a in kinds:
            for b in kinds:
                if not (a is b is types.Number):
                    lower_builtin(op, a, b)(lower)


define_operator([operator.add, operator.iadd], lambda b, x, y: b.fadd(x, y), lambda b, x, y: b.add(x, y))
define_operator([operator.sub, operator.isub], lambda b, x, y: b.fsub(x, y), lambda b, x, y: b.sub(x, y))
define_operator([operator.mul, operator.imul], lambda b, x, y: b.fmul(x, y), lambda b, x, y: b.mul(x, y))
define_operator([operator.truediv, operator.itruediv], lambda b, x, y: b.fdiv(x, y))
define_operator([operator.and_, operator.iand], None, lambda b, x, y: b.and_(x, y))
define_operator([operator.or_, operator.ior], None, lambda b, x, y: b.or_(x, y))
define_operator([operator.xor, operator.ixor], None, lambda b, x, y: b.xor(x, y))
define_operator([operator.lshift], None, lambda b, x, y: b.shl(x, y))
define_operator([operator.rshift], None, lambda b, x, y: b.ashr(x, y))
for _op, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="),
                   (operator.eq, "=="), (operator.ne, "!=")):  # fmt: skip
    _float_compare = "fcmp_unordered" if _sign == "!=" else "fcmp_ordered"
    define_operator([_op], lambda b, x, y, s=_sign, f=_float_compare: getattr(b, f)(s, x, y),
                    lambda b, x, y, s=_sign: b.icmp_signed(s, x, y), compare=True)  # fmt: skip


@infer_global(operator.invert)
class InvertTemplate(AbstractTemplate):
    def generic(self, args, kws):
        if args[0] in (vint_t, vmask_t):
            return signature(args[0], args[0])


@lower_builtin(operator.invert, Vector)
def lower_invert(context, builder, sig, args):
    return builder.not_(args[0])


@infer_global(operator.neg)
class NegateTemplate(AbstractTemplate):
    def generic(self, args, kws):
        if args[0] in (vfloat_t, vint_t, vdouble_t, color_t):
            return signature(args[0], args[0])


@lower_builtin(operator.neg, Vector)
@lower_builtin(operator.neg, ColorType)
def lower_negate(context, builder, sig, args):
    def negate(b, x):
        return b.neg(x) if sig.args[0] is vint_t else b.fneg(x)

    return elementwise(context, builder, sig.args, args, vector_of(sig.args), negate)


# ---- element-wise functions ------------------------------------------------------------------


def function_of(emit, count):
    """An @intrinsic that applies emit(builder, *vectors) element by element."""

    def typed(args):
        vector = vector_of(args)
        if vector is None:
            return None
        result = color_t if color_t in args else vector

        def codegen(context, builder, sig, values):
            return elementwise(context, builder, sig.args, values, vector, emit)

        return signature(result, *args), codegen

    if count == 1:
        return intrinsic(lambda tyctx, a: typed((a,)))
    if count == 2:
        return intrinsic(lambda tyctx, a, b: typed((a, b)))
    return intrinsic(lambda tyctx, a, b, c: typed((a, b, c)))


def unary(name):
    """An LLVM intrinsic with an exactly defined result."""

    def emit(builder, x):
        suffix = {F32: "f32", F64: "f64", I32: "i32"}[x.type.element]
        return llvm_call(builder, f"llvm.{name}.v{LANES}{suffix}", x.type, x)

    return function_of(emit, 1)


def _less(builder, x, y):
    return builder.icmp_signed("<", x, y) if x.type.element == I32 else builder.fcmp_ordered("<", x, y)


def _quiet(builder, x):
    """x, with quiet NaN only (not on x86): arm64 has an instruction for `x if x < y else y` that LLVM takes, but it does not
    give y for a signalling NaN."""
    if IS_X86 or x.type.element == I32:
        return x
    return llvm_call(builder, f"llvm.canonicalize.v{LANES}{'f32' if x.type.element == F32 else 'f64'}", x.type, x)


def _lesser(builder, x, y):
    x = _quiet(builder, x)
    return builder.select(_less(builder, x, y), x, y)


def _greater(builder, x, y):
    x = _quiet(builder, x)
    return builder.select(_less(builder, y, x), x, y)


ONE = ir.Constant(vfloat_t.ir, [1.0] * LANES)
ZERO = ir.Constant(vfloat_t.ir, [0.0] * LANES)


def _saturate(builder, x):
    return _lesser(builder, _greater(builder, x, ZERO), ONE)


mad = function_of(lambda b, x, y, z: b.fadd(b.fmul(x, y), z), 3)  # a*b + c, rounded twice
lerp = function_of(lambda b, x, y, t: b.fadd(b.fmul(t, b.fsub(y, x)), x), 3)  # x + t*(y-x)
minimum = function_of(_lesser, 2)  # y if either is NaN
maximum = function_of(_greater, 2)  # y if either is NaN
saturate = function_of(_saturate, 1)  # to 0..1; NaN gives 0
floor, ceil, trunc, sqrt, absolute = unary("floor"), unary("ceil"), unary("trunc"), unary("sqrt"), unary("fabs")
round_even = unary("rint")
shift_right = function_of(lambda b, x, n: b.lshr(x, n), 2)  # logical
below = intrinsic(lambda tyctx, a, b: (vmask_t(a, b), lambda c, bld, sig, args: elementwise(
    c, bld, sig.args, args, vint_t, _compared(lambda bl, x, y: bl.icmp_unsigned("<", x, y), vint_t))))  # unsigned  # fmt: skip


@intrinsic
def select(tyctx, mask, a, b):
    """a where mask, else b."""
    vector = vector_of((a, b))
    if mask is not vmask_t or vector is None:
        return None
    result = color_t if color_t in (a, b) else vector

    def codegen(context, builder, sig, args):
        def emit(bld, x, y):
            return masks.blend(bld, args[0], x, y)

        return elementwise(context, builder, sig.args[1:], args[1:], vector, emit)

    return result(mask, a, b), codegen


def conversion(result, argument, emit):
    @intrinsic
    def convert(tyctx, value):
        if argument is not None and value is not argument:
            return None

        def codegen(context, builder, sig, args):
            return emit(context, builder, args[0], sig.args[0])

        return result(value), codegen

    return convert


def _to_int(context, builder, value, ty):
    return llvm_call(builder, f"llvm.fptosi.sat.v{LANES}i32.v{LANES}f32", vint_t.ir, value)


def _double_to_bits(context, builder, value, ty):
    return llvm_call(builder, f"llvm.fptoui.sat.v{LANES}i32.v{LANES}f64", vint_t.ir, value)


def _floor_to_int(context, builder, value, ty):
    if HAS_AVX512:
        kind = ir.FunctionType(vint_t.ir, [vfloat_t.ir, vint_t.ir, I16, I32])
        convert = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.mask.cvtps2dq.512")
        return builder.call(convert, [value, ir.Constant(vint_t.ir, None), I16(-1), I32(ROUND_DOWN | NO_EXCEPTIONS)])
    return builder.fptosi(llvm_call(builder, f"llvm.floor.v{LANES}f32", vfloat_t.ir, value), vint_t.ir)


vfloat = conversion(vfloat_t, None, lambda c, b, v, t: widen(c, b, v, t, vfloat_t))
vint = conversion(vint_t, None, lambda c, b, v, t: widen(c, b, v, t, vint_t))
vdouble = conversion(vdouble_t, None, lambda c, b, v, t: (
    b.fpext(v, vdouble_t.ir) if t is vfloat_t else widen(c, b, v, t, vdouble_t)))  # fmt: skip
to_int = conversion(vint_t, vfloat_t, _to_int)  # towards zero; beyond int32: its ends; NaN: 0
to_int_in_range = conversion(vint_t, vfloat_t, lambda c, b, v, t: b.fptosi(v, vint_t.ir))  # for values known to fit
floor_to_int = conversion(vint_t, vfloat_t, _floor_to_int)  # to_int_in_range(floor(v)), in one where the processor can
to_uint = conversion(vint_t, vdouble_t, _double_to_bits)  # bits of the unsigned integer; beyond: its ends; NaN: 0
to_float = conversion(vfloat_t, vint_t, lambda c, b, v, t: b.sitofp(v, vfloat_t.ir))
float_bits = conversion(vint_t, vfloat_t, lambda c, b, v, t: b.bitcast(v, vint_t.ir))
bits_float = conversion(vfloat_t, vint_t, lambda c, b, v, t: b.bitcast(v, vfloat_t.ir))
mask_bits = conversion(types.int64, vmask_t, lambda c, b, v, t: masks.bits_in_word(b, v))
any_lane = conversion(types.boolean, vmask_t, lambda c, b, v, t: masks.some(b, v))
all_lanes = conversion(types.boolean, vmask_t, lambda c, b, v, t: masks.every(b, v))
first_bit = conversion(
    types.int64, None, lambda c, b, v, t: b.cttz(c.cast(b, v, t, types.int64), ir.Constant(ir.IntType(1), 1))
)
mask_from_bits = conversion(vmask_t, None, lambda c, b, v, t: masks.from_word(b, c.cast(b, v, t, types.int64)))


@intrinsic
def lane(tyctx, vector, number):
    """One element."""
    if not isinstance(vector, Vector) or not isinstance(number, types.Integer):
        return None

    def codegen(context, builder, sig, args):
        source = masks.bits_of(builder, args[0]) if vector is vmask_t else args[0]
        return builder.extract_element(source, context.cast(builder, args[1], sig.args[1], types.int32))

    return SCALAR[vector](vector, number), codegen


# ---- colours ---------------------------------------------------------------------------------


@intrinsic
def Color(tyctx, r, g, b, a):
    """Four channels, each a vector or a number."""

    def codegen(context, builder, sig, args):
        return join(builder, [widen(context, builder, v, t, vfloat_t) for v, t in zip(args, sig.args, strict=True)])

    return color_t(r, g, b, a), codegen


@intrinsic
def gray(tyctx, v):
    """The same value in all four channels."""

    def codegen(context, builder, sig, args):
        return join(builder, [widen(context, builder, args[0], sig.args[0], vfloat_t)] * 4)

    return color_t(v), codegen


@intrinsic
def with_alpha(tyctx, color, alpha):
    """The colour with another alpha."""

    def codegen(context, builder, sig, args):
        return builder.insert_value(args[0], widen(context, builder, args[1], sig.args[1], vfloat_t), 3)

    return color_t(color, alpha), codegen


@infer_getattr
class ColorAttributes(AttributeTemplate):
    key = ColorType

    def generic_resolve(self, ty, attr):  # type: ignore[override]
        return vfloat_t if attr in tuple("rgba") else None


@lower_getattr_generic(ColorType)
def lower_channel(context, builder, ty, value, attr):
    return builder.extract_value(value, "rgba".index(attr))
