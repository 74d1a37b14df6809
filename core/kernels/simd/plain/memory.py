"""Plain Python twin of compiled.memory and compiled.structures: pointers and structures over numpy arrays, lanes as pixels
of a block."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import types

from core.kernels.jit import plain_kernels
from core.kernels.simd.plain.vectors import F4, I4, LANES, Vector, bits_float


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

    def words(self, index: Any) -> np.ndarray:
        """A writable numpy view, uint8[4 * LANES], of what a vector holds, from an item of any type on."""
        at = self.offset + int(index) * self.dtype.itemsize
        assert at >= 0 and at + 4 * LANES <= self.data.size, "out of bounds"
        return self.data[at : at + 4 * LANES]

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
    return Vector(memory.words(index).view(F4).copy())


def load_int(memory: View, index: int) -> Vector:
    return Vector(memory.words(index).view(I4).copy())


def store_float(memory: View, index: int, value: Vector) -> None:
    memory.words(index).view(F4)[:] = value.value


def store_int(memory: View, index: int, value: Vector) -> None:
    memory.words(index).view(I4)[:] = value.value


def stream_int(memory: View, index: int, value: Vector) -> None:
    items = memory.words(index)
    assert items.ctypes.data % 64 == 0, "not at a cache line"
    items.view(I4)[:] = value.value


def gather(memory: View, index: Vector) -> Vector:
    """memory[index] per lane, unsigned."""
    return Vector(np.concatenate([memory.items(i, 1) for i in index.value.view(np.uint32)]).view(I4))


def gather_quads(memory: View, index: Vector, pitch: int) -> tuple[Vector, Vector, Vector, Vector]:
    """memory[index], [index + 1], [index + pitch], [index + pitch + 1] per lane, unsigned."""
    return tuple(gather(memory, index + Vector(np.full(LANES, step, I4))) for step in (0, 1, pitch, pitch + 1))  # type: ignore[return-value]


def words_at(addresses: View, first: int, offset: int) -> tuple[Vector, Vector, Vector, Vector]:
    """Four words of each of sixteen absolute addresses, `offset` bytes further: all first words, all second, third, fourth."""
    quads = np.stack([memory_at(addresses[first + n] + offset).items(0, 16).view(I4) for n in range(LANES)])
    return tuple(Vector(quads[:, k].copy()) for k in range(4))  # type: ignore[return-value]


def store_quads(target: View, at: int, pitch: int, color: Any) -> None:
    """target[at + i * pitch ...] = the four channels of lane i, for all sixteen."""
    for number in range(LANES):
        items = target.items(at + number * pitch, 4).view(F4)
        items[:] = [channel.value[number] for channel in (color.r, color.g, color.b, color.a)]


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


# ---- lanes, also as the pixels of a 4x4 block --------------------------------------------------

_NUMBER = np.arange(LANES, dtype=I4)


def picking(*lanes: int) -> Any:
    """A function (vector) -> the vector of these sixteen lanes of it."""
    return lambda v: Vector(v.value[list(lanes)])


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
