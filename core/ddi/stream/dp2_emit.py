"""Encoding DP2 tokens: appends one token to a command buffer, following its row in `core.spec.tokens`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.errors import TokenError
from core.spec.kinds import Kind
from core.spec.tokens import COMMAND_BYTES, TOKENS, Field, Token


def emit(
    out: bytearray, op: int | str, items: Any = None, *, primitives: int | None = None, vertex_stride: int = 0, **fields: Any
) -> int:
    """Appends one token to `out`; the offset of its command.

    "count" tokens: `items` is an array of the row's fields (copied as it is), or records as mappings (or one, or none and the
    fields as keywords); parts are given by their name as bytes-like, arrays or sequences, and set the field that governs them
    unless it is given.

    "once" tokens: the fields as keywords, the array as `items`; `primitives` is the command's count where no array says it.

    Values may be numbers, member names ("ALWAYS") or raw dwords for fields whose kind depends on another field.
    """
    row = TOKENS[int(op)] if not isinstance(op, str) else next(row for row in TOKENS.values() if row.name == op)
    at = len(out)
    if row.repeat == "once":
        body = _once_body(row, items, fields, at + COMMAND_BYTES)
        number = _once_count(row, items, primitives, vertex_stride)
    else:
        body, number = _count_body(row, items, fields)
    if not 0 <= number <= 0xFFFF:
        raise TokenError(at, f"{row.name} cannot hold {number} records")
    out += bytes((row.op, 0)) + number.to_bytes(2, "little") + body
    return at


def _count_body(row: Token, items: Any, fields: Mapping[str, Any]) -> tuple[bytes, int]:
    if isinstance(items, np.ndarray) and not row.parts:
        return np.ascontiguousarray(items, row.fields_dtype).tobytes(), len(items)
    records: Sequence[Mapping[str, Any]] = [fields] if items is None else [items] if isinstance(items, Mapping) else items
    return b"".join(_record_bytes(row, record) for record in records), len(records)


def _record_bytes(row: Token, record: Mapping[str, Any]) -> bytes:
    values, tail = dict(record), b""
    for part in row.parts:
        data = _raw_bytes(values.pop(part.name, None), part.dtype)
        if part.unit:
            values.setdefault(part.field, len(data) // part.unit)
        elif data and part.mask == 0xFFFFFFFF:
            values.setdefault(part.field, part.equals)
        elif data:
            values[part.field] = int(_field(row, part.field).kind.raw(values.get(part.field, 0))) | part.equals
        tail += data
    return _field_bytes(row, values) + tail


def _field(row: Token, name: str) -> Field:
    return next(field for field in row.fields if field.name == name)


def _raw_bytes(value: Any, dtype: np.dtype) -> bytes:
    """Bytes as given, arrays as they are, sequences and mappings as elements of `dtype`."""
    if value is None:
        return b""
    if isinstance(value, np.ndarray | np.void | memoryview):
        return value.tobytes()
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if isinstance(value, Mapping):
        value = [tuple(value[name] for name in dtype.names or ())]
    if len(dtype.names or ()) == 1:
        return np.asarray(value, dtype[0].base).tobytes()
    if len(value) and np.isscalar(value[0]):
        value = [value]
    return np.array([tuple(element) for element in value], dtype).tobytes()


def _field_bytes(row: Token, values: Mapping[str, Any]) -> bytes:
    known = {field.name for field in row.fields}
    if unknown := set(values) - known:
        raise ValueError(f"{row.name} has no field {', '.join(sorted(unknown))}")
    raws: dict[str, int] = {}
    out = b""
    for field in row.fields:
        value = values.get(field.name, 0)
        for single in value if field.count > 1 and not isinstance(value, int) else [value] * field.count:
            raws[field.name] = _raw(field.kind, single, raws)
            out += raws[field.name].to_bytes(field.kind.bytes, "little")
    return out


def _raw(kind: Kind, value: Any, before: Mapping[str, int]) -> int:
    if kind.table is None:
        return kind.raw(value)
    if isinstance(value, str | float | bool):
        return kind.given(before[kind.field]).raw(value)
    return int(value) & 0xFFFFFFFF


def _once_body(row: Token, items: Any, fields: Mapping[str, Any], at: int) -> bytes:
    if row.parts and items is not None:
        fields = {**fields, row.parts[0].name: items}
    body = _record_bytes(row, fields)
    if row.items is None:
        return body
    if row.items.vertices:
        body += bytes(-(at + len(body)) & 3)
    elements = _raw_bytes(items, row.item_dtype)
    least = row.items.minimum * row.item_dtype.itemsize
    return body + elements + bytes(max(least - len(elements), 0))


def _once_count(row: Token, items: Any, primitives: int | None, vertex_stride: int) -> int:
    """The command's count for an array of this many elements."""
    if primitives is not None or row.items is None or items is None:
        return primitives or 0
    size = vertex_stride if row.items.vertices else row.item_dtype.itemsize
    length = len(_raw_bytes(items, row.item_dtype)) - row.items.extra * size
    elements, left = divmod(length, row.items.each * size) if size else (0, 1)
    if left or elements < 0:
        raise ValueError(f"{row.name} cannot be made of these {row.items.name}")
    return elements
