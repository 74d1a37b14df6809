"""Scripted calls: one row of columns each, run like a trace."""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, get_type_hints

import numpy as np

from core.errors import BadInput
from core.runtime.calls.columns import CALL, FAKE, MOST_ARGUMENTS, Calls, Names, Signature, new_known
from core.runtime.calls.interfaces import FUNCTIONS
from core.runtime.calls.structs import STRUCTS
from core.runtime.calls.structs7 import STRUCTS7
from core.runtime.calls.values import ARRAY, BLOB, FLOAT, NULL, OPAQUE, PADDING, SINT, STRUCT, STRUCTV, UINT, leb128
from core.runtime.runtime import Runtime

STRUCT_ID = {cls: number for number, cls in enumerate((*STRUCTS, *STRUCTS7))}
BEYOND = "a number is beyond the range of float32"
FIRST_ADDRESS = 0x10000000  # where scripted objects and locked memory seem to live


class Pointer(int):
    """An address."""


class Array(list):
    """Values that a pointer argument points to."""


@cache
def members_of(cls: type) -> tuple[tuple[str, type], ...]:
    """The members of a structure and their types: int, float, or a structure."""
    return tuple(get_type_hints(cls).items())


def fit(cls: type, value: Any) -> Any:
    """A value as the member type asks: numbers as int or float, sequences as structures."""
    if cls is float:
        try:
            return float(value)
        except OverflowError:  # of a whole number: encode refuses what this becomes, and its caller can name the call
            return sys.float_info.max
    if cls is int:
        return int(value)
    members = members_of(cls)
    if len(value) > len(members):
        raise BadInput(f"{cls.__name__} has {len(members)} members, {len(value)} are given")
    given: Any = value if isinstance(value, cls) else cls(*value)
    return cls(*(fit(kind, member) for (_, kind), member in zip(members, given, strict=True)))


def float_bytes(value: Any) -> bytes:
    """A float32, infinity or NaN included.  BadInput if the number is out of range."""
    try:
        return struct.pack("<f", value)
    except OverflowError:
        raise BadInput(BEYOND) from None


def floats(values: Any) -> np.ndarray:
    """An array of float32.  BadInput: a number is beyond them."""
    try:
        with np.errstate(over="raise"):
            return np.asarray(values, np.float32)
    except (FloatingPointError, OverflowError):
        raise BadInput(BEYOND) from None


def encode(out: bytearray, value: Any) -> None:
    """A value as apitrace writes it.  Raises BadInput."""
    if value is None:
        out.append(NULL)
    elif isinstance(value, Pointer):
        out += bytes([OPAQUE]) + leb128(value)
    elif isinstance(value, (bool, int, np.integer)):
        number = int(value)
        out += bytes([UINT if number >= 0 else SINT]) + leb128(abs(number))
    elif isinstance(value, (float, np.floating)):
        out += bytes([FLOAT]) + float_bytes(value)
    elif type(value) in STRUCT_ID:
        out += bytes([STRUCTV]) + leb128(STRUCT_ID[type(value)])
        for member in value:
            encode(out, member)
    elif isinstance(value, (list, tuple)):
        out += bytes([ARRAY]) + leb128(len(value))
        for member in value:
            encode(out, member)
    else:
        blob = _bytes(value)
        out += bytes([BLOB]) + leb128(len(blob)) + blob


def _bytes(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).tobytes()
    try:
        return bytes(memoryview(value).cast("B"))
    except TypeError:
        raise BadInput(f"an argument of type {type(value).__name__} cannot be passed to Direct3D") from None


class Script:
    """Makes calls one at a time and has a Runtime do them."""

    def __init__(
        self, runtime: Runtime, functions: Mapping[str, tuple[str, ...]] = FUNCTIONS,
        structs: tuple[type, ...] = STRUCTS,
    ) -> None:  # fmt: skip
        """`functions`: those that can be called, with their arguments (core.runtime.calls.interfaces); `structs`: what they
        take."""
        self.runtime = runtime
        self._numbers = {name: number for number, name in enumerate(functions)}
        names = Names({number: Signature(name, arguments) for number, (name, arguments) in enumerate(functions.items())})
        known = new_known()
        for cls in structs:
            number = STRUCT_ID[cls]
            names.structs[number] = Signature(cls.__name__, tuple(name for name, _ in members_of(cls)))
            known[STRUCT, number] = len(members_of(cls))
        for number, (_, arguments) in names.functions.items():
            known[0, number] = len(arguments)
        self._calls = Calls(
            0, np.zeros(1, CALL), np.zeros(MOST_ARGUMENTS, np.uint64), np.zeros(MOST_ARGUMENTS, np.uint8),
            np.zeros(MOST_ARGUMENTS, np.uint16), np.zeros(1 << 16, np.uint8), known, np.zeros((0, 3), np.int64), names,
        )  # fmt: skip
        self._next_address = FIRST_ADDRESS

    def new_pointer(self) -> Pointer:
        """An address that nothing has."""
        self._next_address += 0x100
        return Pointer(self._next_address)

    def new_memory(self, size: int) -> Pointer:
        """An address with room for this many bytes behind it."""
        pointer = Pointer(self._next_address + 0x100)
        self._next_address += (size + 0x1FF) & ~0xFF
        return pointer

    def call(self, name: str, *args: Any, result: int = 0) -> Any:
        """Does one call (`args`: with `this`); returns what its method answered.  Raises D3DError, BadInput.

        An argument that is a function is called for its value: its BadInput errors are reported with call and argument.
        """
        calls, number = self._calls, self._numbers[name]
        arguments = calls.names.functions[number].arguments
        if len(args) != len(arguments):
            raise BadInput(f"{name} takes {len(arguments)} arguments, {len(args)} are given")
        row = calls.calls
        row["signature"], row["result"], row["args"] = number, result, 0
        row["flags"] = FAKE if name == "memcpy" else 0
        heap = bytearray()
        for i, value in enumerate(args):
            try:
                self._place(i, value() if callable(value) else value, heap)
            except BadInput as error:
                raise BadInput(f"{name}, {arguments[i]}: {error}") from None
        self._keep(heap)
        runtime = self.runtime
        runtime.answer = None
        try:
            runtime.run(calls)
        finally:
            calls.first += 1
        return runtime.answer

    def _place(self, i: int, value: Any, heap: bytearray) -> None:
        calls = self._calls
        encoded = bytearray()
        encode(encoded, value)
        tag = calls.tags[i] = encoded[0]
        if tag == NULL:
            calls.values[i] = 0
        elif tag in (UINT, SINT, OPAQUE):
            calls.values[i] = int(value) & 0xFFFFFFFFFFFFFFFF
        elif tag == FLOAT:
            calls.values[i] = int.from_bytes(encoded[1:5], "little")
        else:
            calls.values[i] = len(heap)
            heap += encoded

    def _keep(self, heap: bytearray) -> None:
        calls = self._calls
        if len(heap) + PADDING > len(calls.data):
            calls.data = np.zeros(2 * len(heap) + PADDING, np.uint8)
        calls.data[: len(heap)] = np.frombuffer(bytes(heap), np.uint8)


__all__ = ["Array", "Pointer", "Script", "encode", "fit", "float_bytes", "floats"]
