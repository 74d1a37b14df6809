"""The DP2 stream: the only decoder and encoder of DrawPrimitives2 command buffers.

`scan` finds the records of a buffer (millions a second), `walk` goes token by token with typed views, `emit` appends a token,
`describe` and `text` print a record.  All of them follow the rows of `core.spec.tokens`; none knows a token by name.

A record is one event: each record of a "count" token, or a "once" token as a whole.  A "count" token with count 0 is one
record without bytes (`is_empty`), that does nothing.  All offsets count from the start of the array given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from core.ddi.stream.dp2_emit import emit
from core.ddi.stream.dp2_text import FieldText, describe, text
from core.device.registers.records import RECORD, is_empty
from core.errors import TokenError
from core.kernels.jit import array, i8, kernel, outlined, stage, types, u1
from core.pipeline.records.recycle import recycled_bytes, recycled_copy
from core.spec.tokens import (
    COMMAND_BYTES,
    FLAG_DRAWS,
    RULE,
    RULE_COUNT,
    RULE_UNKNOWN,
    RULE_VERTICES,
    RULES,
    TOKENS,
    Part,
    Token,
)

__all__ = [
    "RECORD", "FieldText", "Scan", "ScanError", "TokenView", "describe", "emit", "is_empty", "scan", "text", "walk",
]  # fmt: skip
Resume = Callable[[int], int | None]
"""D3dParseUnknownCommand: offset of a command that nobody knows -> where to go on, None if it is not known there either."""


class ScanError(NamedTuple):
    """Where a stream stops making sense: offset of the command, one sentence, its opcode (-1: cut off)."""

    offset: int
    sentence: str
    op: int

    @property
    def unknown(self) -> bool:
        """The stream stops at a command that nobody knows."""
        return self.op >= 0 and (self.op not in TOKENS or TOKENS[self.op].repeat == "none")


class Scan(NamedTuple):
    """The records of a buffer up to its end or its first bad command; of that command there are none.

    `resumed`: offsets of unknown commands, each followed by the offset where the scan went on.
    """

    records: np.ndarray
    error: ScanError | None
    resumed: tuple[int, ...] = ()


_RULES = RULES.view(np.int64).reshape(256, -1)
_FORM, _HEADER, _EACH, _EXTRA, _MINIMUM, _ITEM, _FLAGS, _PARTS, _PART = range(9)
_PART_WIDTH = 6
assert RULE.fields is not None and RULE.fields["part"][1] == 8 * _PART

BAD_NOTHING, BAD_OP, BAD_COMMAND, BAD_SIZE, BAD_STRIDE = range(5)


@stage
def _word(data, offset, width):
    """The unsigned little-endian number of 1, 2 or 4 bytes."""
    value = np.int64(0)
    for i in range(width):
        value |= np.int64(data[offset + i]) << (8 * i)
    return value


@outlined
def _parts_size(data, rules, op, offset):
    """Bytes of the variable parts of the record whose fields stand at `offset`."""
    size = np.int64(0)
    for i in range(rules[op, _PARTS]):
        part = _PART + i * _PART_WIDTH
        value = _word(data, offset + rules[op, part], rules[op, part + 1])
        if rules[op, part + 2]:
            size += value * rules[op, part + 2]
        elif value & rules[op, part + 3] == rules[op, part + 4]:
            size += rules[op, part + 5]
    return size


@outlined
def _record_size(data, rules, op, count, offset, end, stride):
    """Bytes of the record at `offset`: what it needs, never reading at or past `end`; at least the bytes of its fields."""
    size = rules[op, _HEADER]
    if offset + size > end:
        return size
    size += _parts_size(data, rules, op, offset)
    if rules[op, _FORM] == RULE_COUNT:
        return size
    items = rules[op, _EACH] * max(count, rules[op, _MINIMUM]) + rules[op, _EXTRA]
    if rules[op, _FORM] == RULE_VERTICES:
        return size + (-(offset + size) & 3) + items * stride
    return size + items * rules[op, _ITEM]


@stage
def _write_record(record, op, flags, count, at, offset, size, index):
    record["op"] = op
    record["flags"] = flags
    record["count"] = count
    record["token"] = at
    record["offset"] = offset
    record["size"] = size
    record["index"] = index


@stage
def _read_token(data, at, end, rules, stride, records, n):
    """Writes the records of the token at `at` to `records[n:]`; (how many, what is wrong, its end or the bytes it needs)."""
    if at + 4 > end:
        return 0, BAD_COMMAND, np.int64(4)
    op = np.int64(data[at])
    count = np.int64(data[at + 2]) | np.int64(data[at + 3]) << 8
    form = rules[op, _FORM]
    if form == RULE_UNKNOWN:
        return 0, BAD_OP, np.int64(0)
    if form == RULE_VERTICES and stride <= 0:
        return 0, BAD_STRIDE, np.int64(0)
    offset, total = at + 4, count if form == RULE_COUNT else 1
    if total == 0:
        _write_record(records[n], op, rules[op, _FLAGS] & ~FLAG_DRAWS, 0, at, offset, 0, 0)
        return 1, BAD_NOTHING, offset
    alike = form == RULE_COUNT and rules[op, _PARTS] == 0
    size = rules[op, _HEADER]
    if alike and offset + count * size > end:
        return 0, BAD_SIZE, count * size
    for i in range(total):
        if not alike:
            size = _record_size(data, rules, op, count, offset, end, stride)
            if offset + size > end:
                return 0, BAD_SIZE, offset + size - at - 4
        _write_record(records[n + i], op, rules[op, _FLAGS], count, at, offset, size, i)
        offset += size
    return total, BAD_NOTHING, offset


_BYTES = types.Array(u1, 1, "C", readonly=True)  # writable arrays pass too
_COMMON = (_BYTES, i8, i8, array(np.int64, 2), i8, array(RECORD))


@kernel(types.UniTuple(i8, 3)(*_COMMON, i8))
def _token(data, at, end, rules, stride, records, n):
    return _read_token(data, at, end, rules, stride, records, n)


@kernel(types.UniTuple(i8, 4)(*_COMMON))
def _scan(data, start, end, rules, stride, records):
    """Token after token; (how many records, what is wrong, where, bytes needed)."""
    at, n = start, 0
    while at < end:
        count, kind, value = _read_token(data, at, end, rules, stride, records, n)
        if kind != BAD_NOTHING:
            return n, kind, at, value
        n += count
        at = value
    return n, BAD_NOTHING, at, at


def _sentence(kind: int, commands: np.ndarray, at: int, end: int, needed: int) -> tuple[str, int]:
    if kind == BAD_COMMAND:
        return f"a command needs {COMMAND_BYTES} bytes, {end - at} left", -1
    op = int(commands[at])
    name = TOKENS[op].name if op in TOKENS else f"token {op}"
    if kind == BAD_OP:
        return (f"{name} never stands in a command buffer" if op in TOKENS else f"unknown token {op}"), op
    if kind == BAD_STRIDE:
        return f"{name} needs the stride of the vertices", op
    return f"{name} needs {needed} bytes, {end - at - COMMAND_BYTES} left", op


def _bytes(commands: Any) -> np.ndarray:
    """Any bytes-like object or array as uint8[:], without copying when it is contiguous."""
    if isinstance(commands, np.ndarray):
        return np.ascontiguousarray(commands).reshape(-1).view(np.uint8)
    return np.frombuffer(commands, np.uint8)


def _end(data: np.ndarray, start: int, length: int | None) -> int:
    end = len(data) if length is None else start + length
    if not 0 <= start <= end <= len(data) or len(data) > 0xFFFFFFFF:
        raise TokenError(max(start, 0), f"bytes {start}..{end} are not within a buffer of {len(data)} bytes")
    return end


def scan(
    commands: Any, start: int = 0, length: int | None = None, vertex_stride: int = 0, resume: Resume | None = None
) -> Scan:
    """All records of `length` bytes from `start`.

    `vertex_stride` is the size of the immediate vertices of DirectX 6 tokens; without it a token that has some is an error.
    `resume` is asked about unknown commands; nowhere but further on within the range is believed.
    Never reads outside the range; TokenError only when the range itself is not within the buffer.
    """
    data = _bytes(commands)
    end = _end(data, start, length)
    found = _scan_range(data, start, end, vertex_stride)
    pieces, resumed = [found.records], []
    while resume is not None and found.error is not None and found.error.unknown:
        place, after = found.error.offset, resume(found.error.offset)
        if after is None or not place < after <= end:
            break
        resumed += [place, after]
        found = _scan_range(data, after, end, vertex_stride)
        pieces.append(found.records)
    return Scan(np.concatenate(pieces) if resumed else pieces[0], found.error, tuple(resumed))


def _scan_range(data: np.ndarray, start: int, end: int, vertex_stride: int) -> Scan:
    """The records of data[start:end]."""
    most = (end - start) // COMMAND_BYTES  # no record has fewer than four bytes with its share of the command
    records = recycled_bytes(most * RECORD.itemsize).view(RECORD)
    n, kind, at, needed = _scan(data, start, end, _RULES, vertex_stride, records)
    if kind == BAD_NOTHING:
        return Scan(recycled_copy(records[:n]), None)
    sentence, op = _sentence(kind, data, at, end, needed)
    return Scan(recycled_copy(records[:n]), ScanError(int(at), sentence, op))


# ---- token by token --------------------------------------------------------------------------


@dataclass(frozen=True)
class TokenView:
    """One token of a stream, without copies.

    `prefix` is the record of a "once" token's fields (None if it has none), `items` the records of a "count" token or the
    elements of a "once" token.  Records with variable parts differ in size: then `items` is empty and `records` gives each
    one's place, `part` their parts.
    """

    row: Token
    offset: int
    count: int
    prefix: np.void | None
    items: np.ndarray
    records: np.ndarray
    raw: memoryview
    data: np.ndarray

    def part(self, record: int, name: str) -> np.ndarray:
        """The variable part `name` of record number `record`, an array of its elements (empty when it is not there)."""
        at = int(self.records[record]["offset"])
        return _part_arrays(self.data, self.row, at)[name]


def walk(commands: Any, start: int = 0, length: int | None = None, vertex_stride: int = 0) -> Iterator[TokenView]:
    """Token after token; raises TokenError at the first bad one.  A "count" token with count 0 is a token too."""
    data = _bytes(commands)
    end = _end(data, start, length)
    at = start
    scratch = np.empty(0x10000, RECORD)
    while at < end:
        n, kind, value = _token(data, at, end, _RULES, vertex_stride, scratch, 0)
        if kind != BAD_NOTHING:
            raise TokenError(at, _sentence(kind, data, at, end, value)[0])
        view = scratch[:n].copy()
        yield _view(data, at, int(value), view[~is_empty(view)])
        at = int(value)


def _view(data: np.ndarray, at: int, end: int, records: np.ndarray) -> TokenView:
    row = TOKENS[int(data[at])]
    count = int(data[at + 2]) | int(data[at + 3]) << 8
    body = at + COMMAND_BYTES
    prefix = None
    if row.repeat == "once":
        if row.fields:
            prefix = data[body : body + row.fields_dtype.itemsize].view(row.fields_dtype)[0]
        items = _items(data, row, body, end)
    else:
        items = data[body : body if row.parts else end].view(row.fields_dtype) if row.fields else data[:0]
    return TokenView(row, at, count, prefix, items, records, data[at:end].data, data)


def _items(data: np.ndarray, row: Token, body: int, end: int) -> np.ndarray:
    """The elements of a "once" token's array; parts come first where a token has both."""
    if row.items is None:
        return next(iter(_part_arrays(data, row, body).values())) if row.parts else data[:0]
    first = body + row.fields_dtype.itemsize
    if row.items.vertices:
        first += -first & 3
    return _elements(data[first:end], row.item_dtype)


def _part_arrays(data: np.ndarray, row: Token, at: int) -> dict[str, np.ndarray]:
    """The variable parts of the record whose fields stand at `at`."""
    fields = data[at : at + row.fields_dtype.itemsize].view(row.fields_dtype)[0]
    offset, arrays = at + row.fields_dtype.itemsize, {}
    for part in row.parts:
        size = _part_size(part, int(fields[part.field]))
        arrays[part.name] = _elements(data[offset : offset + size], part.dtype)
        offset += size
    return arrays


def _elements(data: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """As many whole elements as the bytes hold."""
    return data[: len(data) - len(data) % dtype.itemsize].view(dtype)


def _part_size(part: Part, value: int) -> int:
    if part.unit:
        return value * part.unit
    return part.dtype.itemsize if value & part.mask == part.equals else 0
