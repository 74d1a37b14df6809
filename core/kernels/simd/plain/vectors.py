"""Plain Python twin of compiled.vectors: the same names, the same rounding, over numpy arrays of 16.

Used with NUMBA_DISABLE_JIT=1, so that every stage runs under a debugger.  Numbers read from memory are Python ints (the
compiler's 64-bit arithmetic) and np.float32; what is stored wraps as in compiled code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LANES = 16
F4, I4, B1, F8 = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.bool_), np.dtype(np.float64)


# ---- values ----------------------------------------------------------------------------------


Operators: Any = object  # the base of values whose operators _define_operators adds


class Vector(Operators):
    """Sixteen float32, int32, bool or float64 values."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("value",)

    def __init__(self, value: np.ndarray) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"{self.value.dtype.name}{self.value.tolist()}"

    def __bool__(self) -> bool:
        raise TypeError("a vector is no condition: use any_lane or select")


class Color(Operators):
    """Four float32 vectors."""

    __slots__ = ("a", "b", "g", "r")

    def __init__(self, r: Any, g: Any, b: Any, a: Any) -> None:
        self.r, self.g, self.b, self.a = vfloat(r), vfloat(g), vfloat(b), vfloat(a)

    def __repr__(self) -> str:
        return f"Color({self.r}, {self.g}, {self.b}, {self.a})"

    def channels(self) -> tuple[Vector, Vector, Vector, Vector]:
        return self.r, self.g, self.b, self.a


def _broadcast(x: Any, dtype: np.dtype) -> np.ndarray:
    """A vector or a number as an array of 16."""
    if isinstance(x, Vector):
        return x.value
    if dtype == I4:
        return np.full(LANES, int(x) & 0xFFFFFFFF, np.uint32).view(I4)
    return np.full(LANES, x, dtype)


def _kind(args: tuple[Any, ...]) -> np.dtype:
    """The element type that the arguments widen to."""
    kinds = {a.value.dtype for a in args if isinstance(a, Vector)} | {F4 for a in args if isinstance(a, Color)}
    if len(kinds) > 1:
        kinds.discard(B1)
    if len(kinds) != 1:
        raise TypeError(f"cannot mix {args}")
    return kinds.pop()


def _apply(function: Any, *args: Any) -> Any:
    """function(arrays...) over vectors and numbers, channel by channel if a colour is among them."""
    if any(isinstance(a, Color) for a in args):
        split = [a.channels() if isinstance(a, Color) else (a,) * 4 for a in args]
        parts = [[vfloat(a) for a in channel] for channel in zip(*split, strict=True)]
        return Color(*[_apply(function, *channel) for channel in parts])
    kind = _kind(args)
    with np.errstate(all="ignore"):
        return Vector(function(*[_broadcast(a, kind) for a in args]))


def _define_operators() -> None:
    functions = {
        "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide, "and": np.bitwise_and,
        "or": np.bitwise_or, "xor": np.bitwise_xor, "lshift": np.left_shift, "rshift": np.right_shift,
        "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
        "eq": np.equal, "ne": np.not_equal,
    }  # fmt: skip
    for cls in (Vector, Color):
        for name, function in functions.items():
            setattr(cls, f"__{name}__", lambda self, other, f=function: _apply(f, self, other))
            if name not in ("lt", "le", "gt", "ge", "eq", "ne"):
                setattr(cls, f"__r{name}__", lambda self, other, f=function: _apply(f, other, self))
        setattr(cls, "__neg__", lambda self: _apply(np.negative, self))  # noqa: B010
        setattr(cls, "__invert__", lambda self: _apply(np.invert, self))  # noqa: B010


_define_operators()


# ---- conversions -----------------------------------------------------------------------------


def vfloat(x: Any) -> Vector:
    return x if isinstance(x, Vector) else Vector(_broadcast(x, F4))


def vint(x: Any) -> Vector:
    return x if isinstance(x, Vector) else Vector(_broadcast(x, I4))


def vdouble(x: Any) -> Vector:
    return Vector(x.value.astype(F8) if isinstance(x, Vector) else _broadcast(x, F8))


def to_int(v: Vector) -> Vector:
    """Towards zero; beyond int32: its ends; NaN: 0."""
    wide = np.nan_to_num(v.value.astype(F8), nan=0.0, posinf=2.0**31, neginf=-(2.0**31))
    return Vector(np.clip(np.trunc(wide), -(2.0**31), 2.0**31 - 1).astype(I4))


to_int_in_range = to_int


def floor_to_int(v: Vector) -> Vector:
    return to_int(Vector(np.floor(v.value)))


def to_uint(v: Vector) -> Vector:
    """The bits of the unsigned integer; beyond uint32: its ends; NaN: 0."""
    wide = np.nan_to_num(v.value, nan=0.0, posinf=2.0**32, neginf=0.0)
    return Vector(np.clip(np.trunc(wide), 0.0, 2.0**32 - 1).astype(np.uint32).view(I4))


def to_float(v: Vector) -> Vector:
    return Vector(v.value.astype(F4))


def float_bits(v: Vector) -> Vector:
    return Vector(np.ascontiguousarray(v.value).view(I4))


def bits_float(v: Vector) -> Vector:
    return Vector(np.ascontiguousarray(v.value).view(F4))


def any_lane(mask: Vector) -> bool:
    return bool(mask.value.any())


def all_lanes(mask: Vector) -> bool:
    return bool(mask.value.all())


def mask_bits(mask: Vector) -> int:
    return int((mask.value.astype(np.int64) << np.arange(LANES)).sum())


def first_bit(bits: Any) -> int:
    return (int(bits) & -int(bits)).bit_length() - 1


def mask_from_bits(bits: Any) -> Vector:
    return Vector((int(bits) >> np.arange(LANES) & 1).astype(B1))


def lane(v: Vector, number: int) -> Any:
    value = v.value[number]
    return value if v.value.dtype.kind == "f" else value.item()


def gray(v: Any) -> Color:
    return Color(v, v, v, v)


def with_alpha(color: Color, alpha: Any) -> Color:
    return Color(color.r, color.g, color.b, alpha)


# ---- element-wise functions ------------------------------------------------------------------


def mad(a: Any, b: Any, c: Any) -> Any:
    return _apply(lambda x, y, z: x * y + z, a, b, c)


def lerp(x: Any, y: Any, t: Any) -> Any:
    return _apply(lambda a, b, c: c * (b - a) + a, x, y, t)


def minimum(x: Any, y: Any) -> Any:
    return _apply(lambda a, b: np.where(a < b, a, b), x, y)


def maximum(x: Any, y: Any) -> Any:
    return _apply(lambda a, b: np.where(b < a, a, b), x, y)


def saturate(x: Any) -> Any:
    return minimum(_apply(lambda a: np.where(a > 0, a, np.float32(0)), x), np.float32(1))


def floor(x: Any) -> Any:
    return _apply(np.floor, x)


def ceil(x: Any) -> Any:
    return _apply(np.ceil, x)


def trunc(x: Any) -> Any:
    return _apply(np.trunc, x)


def sqrt(x: Any) -> Any:
    return _apply(np.sqrt, x)


def absolute(x: Any) -> Any:
    return _apply(np.abs, x)


def round_even(x: Any) -> Any:
    return _apply(np.rint, x)


def shift_right(x: Any, n: Any) -> Vector:
    """Logical."""
    return _apply(lambda a, b: (a.view(np.uint32) >> b.view(np.uint32)).view(I4), x, n)


def multiply_halves(x: Any, y: Any) -> Vector:
    """The lower 16 bits of the products of the lower and of the upper halves."""
    return _apply(lambda a, b: (a.view(np.uint16) * b.view(np.uint16)).view(I4), x, y)


def shift_right_halves(x: Any, n: Any) -> Vector:
    """Logical, of the lower and the upper halves."""
    return _apply(lambda a, b: (a.view(np.uint16) >> b.view(np.uint16)).view(I4), x, n)


def byte_in_halves(x: Vector) -> Vector:
    """The lowest byte as both halves."""
    return _apply(lambda a: (a & 255) * I4.type(0x10001), x)


def below(x: Any, y: Any) -> Vector:
    """Unsigned x < y."""
    return Vector(_broadcast(x, I4).view(np.uint32) < _broadcast(y, I4).view(np.uint32))


def select(mask: Vector, a: Any, b: Any) -> Any:
    """a where mask, else b."""
    return _apply(lambda x, y: np.where(mask.value, x, y), a, b)
