"""Pointers in compiled code, and which of their accesses are allowed.

Usually it is an address, and nothing is checked.  With DDI_INSPECTOR_BOUNDS=1 it is an address and the range of memory that it
may be used for: that of the array, or of the field that is an array, which it came from.  An access outside of it ends the
process, after a line on standard error that names the place in the source.  `memory_at` knows no range; the allocator of
tests/fuzz/guard.c watches over what it reads.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from llvmlite import binding, ir

from core.kernels.cache import BOUNDS
from core.kernels.numba_inside import cgutils
from core.sources import PROJECT

BYTES, WORDS, I64 = ir.IntType(8).as_pointer(), ir.IntType(32).as_pointer(), ir.IntType(64)
POINTER: Any = ir.LiteralStructType([BYTES, I64, I64]) if BOUNDS else BYTES
"""An address; with bounds, the address, where its range begins, and where it ends."""
FAILED = "ddi_inspector_out_of_bounds"

place: list[tuple[str, int, str]] = []
"""Where the code that is being compiled stands, innermost last: file, line, function."""


@contextmanager
def within(file: str, function: str) -> Iterator[None]:
    """While a function is compiled, whose statements set `place[-1]`."""
    place.append((file, 0, function))
    try:
        yield
    finally:
        place.pop()


# ---- pointers ----------------------------------------------------------------------------------


def pointer_to(builder: Any, start: Any, size: Any) -> Any:
    """A pointer to memory of so many bytes."""
    if not BOUNDS:
        return start
    begin = builder.ptrtoint(start, I64)
    return _pointer(builder, start, begin, builder.add(begin, size))


def pointer_anywhere(builder: Any, address: Any) -> Any:
    """A pointer without a known range."""
    start = builder.inttoptr(address, BYTES)
    return _pointer(builder, start, I64(0), I64(-1)) if BOUNDS else start


def _pointer(builder: Any, start: Any, begin: Any, end: Any) -> Any:
    made = ir.Constant(POINTER, ir.Undefined)
    for number, value in enumerate((start, begin, end)):
        made = builder.insert_value(made, value, number)
    return made


def moved(builder: Any, pointer: Any, offset: Any) -> Any:
    """A pointer so many bytes further."""
    if not BOUNDS:
        return builder.gep(pointer, [offset], inbounds=True)
    return builder.insert_value(pointer, builder.gep(builder.extract_value(pointer, 0), [offset]), 0)


def moved_words(builder: Any, pointer: Any, count: Any) -> Any:
    """A pointer so many dwords further."""
    if not BOUNDS:
        return builder.bitcast(builder.gep(builder.bitcast(pointer, WORDS), [count], inbounds=True), BYTES)
    return moved(builder, pointer, builder.mul(count, I64(4)))


def part(builder: Any, pointer: Any, offset: Any, size: int) -> Any:
    """A pointer to the part that begins so many bytes further, and for nothing else; a part may be cut short."""
    there = moved(builder, pointer, offset)
    if not BOUNDS:
        return there
    start, end = builder.extract_value(there, 0), builder.extract_value(there, 2)
    begin = builder.ptrtoint(start, I64)
    after = builder.add(begin, I64(size))
    last = builder.select(builder.icmp_unsigned("<", after, end), after, end)
    return _pointer(builder, start, begin, builder.select(builder.icmp_unsigned("<", last, begin), begin, last))


# ---- accesses ----------------------------------------------------------------------------------


def unchecked(builder: Any, pointer: Any) -> Any:
    """Where a pointer points to, for what is no access."""
    return builder.extract_value(pointer, 0) if BOUNDS else pointer


def address(builder: Any, pointer: Any, size: int) -> Any:
    """Where a pointer points to, for an access to so many bytes."""
    if not BOUNDS:
        return pointer
    start, begin, end = (builder.extract_value(pointer, number) for number in range(3))
    offset, room = builder.sub(builder.ptrtoint(start, I64), begin), builder.sub(end, begin)
    after = builder.add(offset, I64(size))
    outside = builder.or_(builder.icmp_unsigned(">", after, room), builder.icmp_unsigned("<", after, offset))
    with cgutils.if_unlikely(builder, outside):
        fail(builder, offset, I64(size), room)
    return start


def word_address(builder: Any, pointer: Any, index: Any, size: int = 4) -> Any:
    """Where the dword of a number is, for an access to so many bytes."""
    return address(builder, moved_words(builder, pointer, index), size)


# ---- failures ----------------------------------------------------------------------------------


def fail(builder: Any, offset: Any, size: Any, room: Any) -> None:
    """Reports an access that is not allowed and ends the process; the block goes no further."""
    text = _here() or builder.function.name
    module = builder.module
    name = f".const.bounds {text}"
    constant = module.globals.get(name) or cgutils.global_constant(module, name, cgutils.make_bytearray(text.encode() + b"\0"))
    declared = ir.FunctionType(ir.VoidType(), [BYTES, I64, I64, I64])
    failed = cgutils.get_or_insert_function(module, declared, FAILED)
    builder.call(failed, [builder.bitcast(constant, BYTES), offset, size, room])
    builder.unreachable()


def _here() -> str:
    """The place, with the file as seen from the project; "" in what numba compiles."""
    if not place:
        return ""
    file, line, function = place[-1]
    path = Path(file).resolve()
    return f"{path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else path}:{line} in {function}"


def _end(text: bytes, offset: int, size: int, room: int) -> NoReturn:
    what = f"{size} bytes at {offset} of {room}" if size else "an index of an array"
    sentence = f"{text.decode()}: {what}"
    os.write(2, f"out of bounds: {sentence}\n".encode())
    sys.stdout.flush()
    os.abort()


@cache
def declare() -> Any:
    """Tells LLVM what a failed check calls: before any kernel is compiled or loaded."""
    called = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(_end)
    address_of_it = ctypes.cast(called, ctypes.c_void_p).value
    assert address_of_it is not None
    binding.add_symbol(FAILED, address_of_it)
    return called


if BOUNDS:
    KEPT = declare()
