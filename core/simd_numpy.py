"""Plain Python twin of simd_jit and simd_struct: the same names, the same rounding, over numpy arrays of 16.

Used with NUMBA_DISABLE_JIT=1, so that every stage runs under a debugger.  Numbers read from memory are Python ints (the
compiler's 64-bit arithmetic) and np.float32; what is stored wraps as in compiled code.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import types

from core.jit import plain_kernels

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


def below(x: Any, y: Any) -> Vector:
    """Unsigned x < y."""
    return Vector(_broadcast(x, I4).view(np.uint32) < _broadcast(y, I4).view(np.uint32))


def select(mask: Vector, a: Any, b: Any) -> Any:
    """a where mask, else b."""
    return _apply(lambda x, y: np.where(mask.value, x, y), a, b)


# ---- memory ----------------------------------------------------------------------------------


class View:
    """Items of one dtype in a byte array, from some byte on: the twin of a pointer."""

    __slots__ = ("data", "dtype", "offset")

    def __init__(self, data: np.ndarray, offset: int, dtype: np.dtype) -> None:
        self.data, self.offset, self.dtype = data, offset, dtype

    def items(self, index: Any, count: int) -> np.ndarray:
        """A writable numpy view of count items."""
        at = self.offset + int(index) * self.dtype.itemsize
        assert at >= 0 and at + count * self.dtype.itemsize <= self.data.size, "out of bounds"
        return self.data[at : at + count * self.dtype.itemsize].view(self.dtype)

    def __getitem__(self, index: Any) -> Any:
        if self.dtype.names:
            return Record(self.data, self.offset + int(index) * self.dtype.itemsize, self.dtype)
        value = self.items(index, 1)[0]
        return value if self.dtype.kind == "f" else value.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        _assign(self.items(index, 1), value)


class Record:
    """One record in a byte array: the twin of a struct."""

    __slots__ = ("_data", "_dtype", "_offset")

    def __init__(self, data: np.ndarray, offset: int, dtype: np.dtype) -> None:
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_offset", offset)
        object.__setattr__(self, "_dtype", dtype)

    def __getattr__(self, name: str) -> Any:
        try:
            dtype, offset = self._dtype.fields[name][:2]
        except (KeyError, TypeError):
            raise AttributeError(name) from None
        if dtype.subdtype:
            return View(self._data, self._offset + offset, dtype.base)
        return View(self._data, self._offset + offset, dtype)[0]

    def __setattr__(self, name: str, value: Any) -> None:
        dtype, offset = self._dtype.fields[name][:2]
        View(self._data, self._offset + offset, dtype)[0] = value


def _assign(items: np.ndarray, value: Any) -> None:
    """Stores a number; integers wrap."""
    if items.dtype.kind in "iu":
        size = items.dtype.itemsize
        items.view(f"u{size}")[0] = int(value) & ((1 << (8 * size)) - 1)
    else:
        items[0] = value


def Pointer(dtype: Any) -> Any:
    """A placeholder: signatures are not used without the compiler."""
    return types.voidptr


def pointer(array: np.ndarray, start: int) -> View:
    """The items of a C-contiguous array from index start."""
    assert array.flags.c_contiguous
    return View(array.reshape(-1).view(np.uint8), int(start) * array.itemsize, np.dtype(array.dtype))


def advance(memory: View, start: int) -> View:
    return View(memory.data, memory.offset + int(start) * memory.dtype.itemsize, memory.dtype)


def memory_at(address: int) -> View:
    """The 16 bytes from an absolute address on; the caller keeps what owns them alive."""
    return View(np.ctypeslib.as_array((ctypes.c_uint8 * 16).from_address(int(address))), 0, np.dtype(np.uint8))


def record_at(dtype: Any) -> Any:
    """A function (memory, index) -> Record: the bytes from item `index` on, read as one record of dtype."""
    struct = np.dtype(dtype)
    return lambda memory, index: Record(memory.data, memory.offset + int(index) * memory.dtype.itemsize, struct)


def calling(callee: Any) -> Any:
    """A function (address, (arguments ...)) -> result: calls the kernel that stands at jit.address_of."""
    return lambda address, arguments: plain_kernels[address](*arguments)


def atomic_add(memory: View, index: int, amount: int) -> int:
    before = memory[index]
    memory[index] = before + amount
    return before


def prefetch(memory: View, index: int) -> None:
    """Nothing to do without the compiler."""


def align_stack() -> None:
    """Nothing to do without the compiler."""


def load_float(memory: View, index: int) -> Vector:
    return Vector(memory.items(index, LANES).view(F4).copy())


def load_int(memory: View, index: int) -> Vector:
    return Vector(memory.items(index, LANES).view(I4).copy())


def store_float(memory: View, index: int, value: Vector) -> None:
    memory.items(index, LANES).view(F4)[:] = value.value


def store_int(memory: View, index: int, value: Vector) -> None:
    memory.items(index, LANES).view(I4)[:] = value.value


def gather(memory: View, index: Vector) -> Vector:
    """memory[index] per lane, unsigned."""
    return Vector(np.concatenate([memory.items(i, 1) for i in index.value.view(np.uint32)]).view(I4))


def gather_quads(memory: View, index: Vector, pitch: int) -> tuple[Vector, Vector, Vector, Vector]:
    """memory[index], [index + 1], [index + pitch], [index + pitch + 1] per lane, unsigned."""
    return tuple(gather(memory, index + Vector(np.full(LANES, step, I4))) for step in (0, 1, pitch, pitch + 1))  # type: ignore[return-value]


def gather_float(memory: View, index: Vector) -> Vector:
    return bits_float(gather(memory, index))


def scatter(memory: View, index: Vector, value: Vector, mask: Vector) -> None:
    """memory[index] = value in the lanes of mask, in lane order."""
    for number in np.flatnonzero(mask.value):
        memory.items(index.value.view(np.uint32)[number], 1).view(value.value.dtype)[0] = value.value[number]


scatter_float = scatter


def transpose(source: View, at: int, stride: int, target: View, to: int, pitch: int) -> None:
    """target[to + i * pitch + j] = source[at + j * stride + i] for 16 x 16 floats."""
    block = np.stack([source.items(at + j * stride, LANES).view(F4) for j in range(LANES)])
    for i in range(LANES):
        target.items(to + i * pitch, LANES).view(F4)[:] = block[:, i]


# ---- lanes as the pixels of a 4x4 block --------------------------------------------------------

_NUMBER = np.arange(LANES, dtype=I4)


def lane_number() -> Vector:
    return Vector(_NUMBER)


def lane_x() -> Vector:
    return Vector(_NUMBER & 3)


def lane_y() -> Vector:
    return Vector(_NUMBER >> 2)


def quad_left(v: Vector) -> Vector:
    return Vector(v.value[_NUMBER & ~1])


def quad_right(v: Vector) -> Vector:
    return Vector(v.value[_NUMBER | 1])


def quad_top(v: Vector) -> Vector:
    return Vector(v.value[_NUMBER & ~4])


def quad_bottom(v: Vector) -> Vector:
    return Vector(v.value[_NUMBER | 4])
