"""Source calls as columns: the contents of a row of the `source` table.

`SourceColumns.pack()` is: three u4 (calls, arguments, heap bytes), then one after the other
    result i8[calls]      the return value as a number (a HRESULT, a pointer, a count)
    values u8[arguments]  per argument the number, or the offset in the heap where the value stands
    signature u2[calls]   which function: `signature` rows of kind 0 hold the name and the argument names
    thread u1[calls], flags u1[calls]  (flags bit 0: the recorder made the call up, like memcpy)
    verdict u1[calls]     what became of it: a place in `core.runtime.rows.verdicts.VERDICTS`, 255 if unknown;
                          files of the first days have no such column
    words u2[arguments]   for tags 9 and 10: which enumeration or mask names the number (`signature` kinds 2, 3)
    tags u1[arguments]    what the value is; 255: not recorded
    heap u1[...]
Arguments of call k are at the sum of the argument counts of the calls before it.  Tags and the encoding of heap
values are apitrace's (numbers LEB128; 0 null, 1 false, 2 true, 3 negative, 4 unsigned, 5 float, 6 double, 7 string, 8
blob, 9 enum, 10 bitmask, 11 array, 12 struct, 13 pointer, 14 repr, 15 wide string), with definitions taken out, and
one addition: 16 stands for a large blob, followed by its size (LEB128) and its id in the `blob` table (u8; 0: not kept).  Tags
0-5, 9, 10 and 13 keep the number in `values` (floats as their 32 bits, negative numbers in two's complement).
"""

from __future__ import annotations  # noqa: I001 - a dense list of constants

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from core.errors import TapeError
from core.runtime.calls.columns import CALL, Calls, Names
from core.runtime.calls.source import Blob, SourceCall, Word, describe
from core.runtime.calls.values import (
    ARRAY, BLOB, DOUBLE, FALSE, FUNCTION, NULL, OMITTED, OPAQUE, REPR, SINT, STRING, STRUCT, STRUCTV, TRUE, UINT, WSTRING,
    leb128,
)  # fmt: skip
from inspector.tape.packing import BlobRef

__all__ = [
    "FUNCTION",
    "INLINE_BLOB",
    "Room",
    "SourceCall",
    "SourceColumns",
    "SourceReader",
    "SourceRows",
    "described",
    "leb128",
]

INLINE_BLOB = 512
UNKNOWN_VERDICT = 255
_IN_HEAP = frozenset({DOUBLE, STRING, BLOB, ARRAY, STRUCTV, REPR, WSTRING, OMITTED})
_DEPTH = 64
_U64 = (1 << 64) - 1


class SourceColumns(NamedTuple):
    """See the module's docstring."""

    signature: np.ndarray
    thread: np.ndarray
    flags: np.ndarray
    verdict: np.ndarray
    result: np.ndarray
    tags: np.ndarray
    words: np.ndarray
    values: np.ndarray
    heap: np.ndarray

    def pack(self) -> bytes:
        """See the module's docstring."""
        return Room().packed(self).tobytes()

    @classmethod
    def unpack(cls, raw: bytes) -> SourceColumns:
        """Raises TapeError if the sizes do not add up."""
        sizes = np.frombuffer(raw, "<u4", 3) if len(raw) >= 12 else np.zeros(3, np.uint32)
        order = _ORDER if len(raw) == _bytes_of(_ORDER, sizes) else _FIRST_ORDER
        if len(raw) != _bytes_of(order, sizes):
            raise TapeError("a batch of source calls has the wrong size")
        columns, at = {"verdict": np.full(int(sizes[0]), UNKNOWN_VERDICT, np.uint8)}, 12
        for name, kind, of in order:
            columns[name] = np.frombuffer(raw, kind, int(sizes[of]), at)
            at += columns[name].nbytes
        return cls(**columns)


class Room:
    """Memory, used again and again, in which columns are packed, or made as they are packed."""

    def __init__(self) -> None:
        self._memory = np.empty(0, np.uint8)

    def columns(self, calls: int, values: int, heap: int) -> SourceColumns:
        """Columns to be filled, with room for so many bytes of heap; `taken` ends it."""
        sizes = np.array([calls, values, heap], "<u4")
        length = _AHEAD + _bytes_of(_ORDER, sizes)
        if len(self._memory) < length:
            self._memory = np.empty(length + (length >> 1), np.uint8)
        self._memory[_AHEAD:_BEGIN].view("<u4")[:] = sizes
        made, at = {}, _BEGIN
        for name, kind, of in _ORDER:
            end = at + int(sizes[of]) * np.dtype(kind).itemsize
            made[name] = self._memory[at:end].view(kind)
            at = end
        return SourceColumns(**made)

    def taken(self, heap: int) -> np.ndarray:
        """What was made (uint8), with so many bytes of heap; valid until the next."""
        sizes = self._memory[_AHEAD:_BEGIN].view("<u4")
        sizes[2] = heap
        return self._memory[_AHEAD : _AHEAD + _bytes_of(_ORDER, sizes)]

    def packed(self, columns: SourceColumns) -> np.ndarray:
        """The same of columns that were made elsewhere."""
        for into, given in zip(self.columns(*(len(columns[i]) for i in (0, 7, 8))), columns, strict=True):
            into[:] = given
        return self.taken(len(columns.heap))


def _bytes_of(order: Sequence[tuple[str, str, int]], sizes: np.ndarray) -> int:
    """How long a batch with these columns is."""
    return 12 + sum(int(sizes[of]) * np.dtype(kind).itemsize for _, kind, of in order)


_AHEAD = 4  # bytes that stay free, so that numbers of eight bytes are aligned
_BEGIN = _AHEAD + 12
_ORDER = (  # column, kind, which of the three sizes
    ("result", "<i8", 0), ("values", "<u8", 1), ("signature", "<u2", 0), ("words", "<u2", 1), ("thread", "u1", 0),
    ("flags", "u1", 0), ("verdict", "u1", 0), ("tags", "u1", 1), ("heap", "u1", 2),
)  # fmt: skip
_FIRST_ORDER = tuple(column for column in _ORDER if column[0] != "verdict")
"""Of files of the first days."""


@dataclass(slots=True)
class SourceRows:
    """Source calls from a program of ours, gathered one by one until `take()` makes columns of them."""

    _functions: dict[tuple[str, ...], int] = field(default_factory=dict)
    _structs: dict[tuple[str, ...], int] = field(default_factory=dict)
    _calls: list[tuple[int, int]] = field(default_factory=list)
    _tags: list[int] = field(default_factory=list)
    _values: list[int] = field(default_factory=list)
    _heap: bytearray = field(default_factory=bytearray)
    _verdicts: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._calls)

    def append(
        self,
        name: str,
        args: Mapping[str, Any],
        result: Any,
        keep: Callable[[Any], BlobRef],
        declare: Callable[[int, str, Sequence[str]], int],
    ) -> None:
        """`keep` stores a large blob, `declare(kind, name, members)` a signature."""
        key = (name, *args)
        if key not in self._functions:
            self._functions[key] = declare(FUNCTION, name, list(args))
        self._calls.append((self._functions[key], _number(result)))
        self._verdicts.append(UNKNOWN_VERDICT)
        for value in args.values():
            encoded = bytearray()
            self._encode(encoded, value, keep, declare)
            tag = encoded[0]
            self._tags.append(tag)
            if tag in _IN_HEAP:
                self._values.append(len(self._heap))
                self._heap += encoded
            else:
                self._values.append(_number(value) & _U64)

    def take(self) -> SourceColumns:
        """The columns of everything gathered; starts again."""
        calls = np.array(self._calls, np.int64).reshape(-1, 2)
        zeros = np.zeros(len(calls), np.uint8)
        columns = SourceColumns(
            signature=calls[:, 0].astype(np.uint16),
            thread=zeros,
            flags=zeros,
            verdict=np.array(self._verdicts, np.uint8),
            result=calls[:, 1].copy(),
            tags=np.array(self._tags, np.uint8),
            words=np.zeros(len(self._tags), np.uint16),
            values=np.array(self._values, np.uint64),
            heap=np.frombuffer(bytes(self._heap), np.uint8),
        )
        self._calls, self._tags, self._values, self._heap, self._verdicts = [], [], [], bytearray(), []
        return columns

    def judge(self, verdict: int) -> None:
        """What became of the call that was appended last."""
        if self._verdicts:
            self._verdicts[-1] = verdict

    def _encode(self, out: bytearray, value: Any, keep: Callable, declare: Callable, depth: int = 0) -> None:
        if depth > _DEPTH:
            raise TapeError("an argument of a source call is nested too deeply")
        if isinstance(value, (np.ndarray, bytes, bytearray, memoryview)):
            _encode_blob(out, np.ascontiguousarray(value).tobytes() if isinstance(value, np.ndarray) else bytes(value), keep)
        elif isinstance(value, Blob):
            _encode_blob(out, value.contents or bytes(value.size), keep)
        elif isinstance(value, (list, tuple)):
            out.append(ARRAY)
            out += leb128(len(value))
            for item in value:
                self._encode(out, item, keep, declare, depth + 1)
        elif isinstance(value, Mapping):
            key = tuple(value)
            if key not in self._structs:
                self._structs[key] = declare(STRUCT, "", list(value))
            out.append(STRUCTV)
            out += leb128(self._structs[key])
            for item in value.values():
                self._encode(out, item, keep, declare, depth + 1)
        else:
            _encode_scalar(out, value)


class SourceReader:
    """Describes the calls of one batch.  `names` gives what signatures mean; TapeError if the columns do not fit them."""

    def __init__(self, columns: SourceColumns, names: Names, first: int) -> None:
        counts = np.zeros(1 << 16, np.int64)
        for number, signature in names.functions.items():
            counts[number & 0xFFFF] = len(signature.arguments)
        ends = np.cumsum(counts[columns.signature])
        if (ends[-1] if len(ends) else 0) != len(columns.tags) or not _all_known(columns.signature, names):
            raise TapeError("a batch of source calls does not fit its signatures")
        calls = np.zeros(len(columns.signature), CALL)
        calls["signature"], calls["thread"], calls["flags"] = columns.signature, columns.thread, columns.flags
        calls["args"], calls["result"] = ends - counts[columns.signature], columns.result
        values, tags, words, heap = columns.values, columns.tags, columns.words, columns.heap
        self.verdicts = columns.verdict
        no_counts, no_definitions = np.zeros((0, 0), np.int32), np.zeros((0, 3), np.int64)
        self.calls = Calls(first, calls, values, tags, words, heap, no_counts, no_definitions, names)

    def call(self, index: int) -> SourceCall:
        """Call `index` of the batch; TapeError as `described`."""
        return described(self.calls, index)


def described(calls: Calls, index: int) -> SourceCall:
    """A call of a file; raises TapeError if its values make no sense."""
    try:
        return describe(calls, index)
    except (LookupError, ValueError, TypeError, ArithmeticError, struct.error, RecursionError) as error:
        raise TapeError(f"source call {calls.first + index} is damaged") from error


def _all_known(signatures: np.ndarray, names: Names) -> bool:
    return all(int(number) in names.functions for number in np.unique(signatures))


def _encode_blob(out: bytearray, data: bytes, keep: Callable[[Any], BlobRef]) -> None:
    if len(data) > INLINE_BLOB:
        reference = keep(data)
        out.append(OMITTED)
        out += leb128(reference.size) + reference.id.to_bytes(8, "little")
    else:
        out.append(BLOB)
        out += leb128(len(data)) + data


def _encode_scalar(out: bytearray, value: Any) -> None:
    if value is None or isinstance(value, (bool, np.bool_)):
        out.append(NULL if value is None else TRUE if value else FALSE)
    elif isinstance(value, (float, np.floating)):
        out += bytes((DOUBLE,)) + struct.pack("<d", value)
    elif isinstance(value, (int, np.integer)):
        is_address = isinstance(value, Word) and value.text.startswith("0x")
        out.append(SINT if value < 0 else OPAQUE if is_address else UINT)
        out += leb128(abs(int(value)) & _U64)
    else:
        text = (value if isinstance(value, str) else repr(value)).encode("utf-8", "replace")
        out += bytes((STRING,)) + leb128(len(text)) + text


def _number(value: Any) -> int:
    """A return value or scalar as a signed 64-bit number; 0 for what is none."""
    if not isinstance(value, (int, np.integer, bool, np.bool_)):
        return 0
    number = int(value) & _U64
    return number - (1 << 64) if number >> 63 else number
