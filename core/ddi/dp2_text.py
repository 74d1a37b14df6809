"""Printing DP2 records: one line each, or field by field with the place of every byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from core.ddi.shader_code import decode
from core.ddi.shader_text import lines
from core.ddi.vertex_declaration import decode_declaration
from core.errors import ShaderError
from core.spec.kinds import HEX8, HEX32, Kind
from core.spec.tokens import TOKENS, Field, Token

SHOWN = 16
"""Values of one array that a line shows."""


class FieldText(NamedTuple):
    """A decoded field: its name and text, its value, the bytes [begin, end) of the buffer it stands in, its kind."""

    name: str
    text: str
    value: Any
    begin: int
    end: int
    kind: Kind


def _raw(data: np.ndarray, offset: int, size: int) -> int:
    return int.from_bytes(data[offset : offset + size].tobytes(), "little")


def _fields(data: np.ndarray, fields: tuple[Field, ...], offset: int, prefix: str = "") -> Iterator[FieldText]:
    """Field by field from `offset`; kinds that depend on another field are resolved within `fields`."""
    raws: dict[str, int] = {}
    for field in fields:
        for label in field.labels():
            raw = raws[field.name] = _raw(data, offset, field.kind.bytes)
            kind = field.kind.given(raws[field.kind.field]) if field.kind.field else field.kind
            yield FieldText(prefix + label, kind.text(raw), kind.value(raw), offset, offset + field.kind.bytes, kind)
            offset += field.kind.bytes


def _array(data: np.ndarray, name: str, element: tuple[Field, ...], begin: int, end: int) -> Iterator[FieldText]:
    """`name[i].field` for every whole element, `name[i]` where elements have one field of one value; then left-over bytes."""
    size = sum(field.bytes for field in element)
    alone = len(element) == 1
    for i, offset in enumerate(range(begin, end - size + 1, size)):
        for row in _fields(data, element, offset):
            tail = row.name[len(element[0].name) :] if alone else f".{row.name}"
            yield row._replace(name=f"{name}[{i}]{tail}")
    for offset in range(end - (end - begin) % size, end):
        yield FieldText(f"{name} byte", HEX8.text(int(data[offset])), int(data[offset]), offset, offset + 1, HEX8)


def _part_spans(data: np.ndarray, row: Token, offset: int) -> Iterator[tuple[str, tuple[Field, ...], bool, int, int]]:
    """(name, element, is an array, begin, end) of the parts of the record whose fields stand at `offset`."""
    at = offset + row.fields_dtype.itemsize
    for part in row.parts:
        place, width = row.place(part.field)
        value = _raw(data, offset + place, width)
        size = value * part.unit if part.unit else part.dtype.itemsize * (value & part.mask == part.equals)
        if size:
            yield part.name, part.element, bool(part.unit), at, at + size
        at += size


def _code(data: np.ndarray, row: Token, name: str, offset: int, begin: int, end: int) -> Iterator[FieldText]:
    """A shader or declaration instruction by instruction, `name[dword]`; ShaderError when it makes no sense."""
    words = np.frombuffer(data[begin:end].tobytes(), "<u4", (end - begin) // 4)
    if name == "declaration":
        place, width = row.place("code_size")
        declaration = decode_declaration(words, programmable=_raw(data, offset + place, width) > 0)
        found, size = declaration.lines, declaration.size
    else:
        shader = decode(words)
        found, size = ((0, shader.name), *lines(shader)), shader.size
    starts = [*(dword for dword, _ in found), size - 1, size]
    for (dword, text), after in zip((*found, (size - 1, "end")), starts[1:], strict=True):
        place = begin + 4 * dword
        yield FieldText(f"{name}[{dword}]", text, int(words[dword]), place, begin + 4 * after, HEX32)
    for at in range(begin + 4 * size, end):
        yield FieldText(f"{name} byte", HEX8.text(int(data[at])), int(data[at]), at, at + 1, HEX8)


def _readable(data: np.ndarray, row: Token, name: str, offset: int, begin: int, end: int) -> list[FieldText] | None:
    """The instructions of a part that holds DirectX 8 shader code; None if it does not or makes no sense."""
    if name not in ("declaration", "code") or row.since >= 9:
        return None
    try:
        return list(_code(data, row, name, offset, begin, end))
    except ShaderError:
        return None


def describe(commands: Any, record: np.void) -> list[FieldText]:
    """Every field of a record of `dp2.scan`, in the order of its bytes."""
    data = np.frombuffer(commands, np.uint8)
    row, offset, end = TOKENS[int(record["op"])], int(record["offset"]), int(record["offset"]) + int(record["size"])
    fields = list(_fields(data, row.fields, offset))
    for name, element, array, begin, stop in _part_spans(data, row, offset):
        code = _readable(data, row, name, offset, begin, stop)
        if code is not None:
            fields += code
            continue
        prefix = f"{name}." if len(element) > 1 else ""
        fields += _array(data, name, element, begin, stop) if array else _fields(data, element, begin, prefix)
    if row.items is not None:
        begin = offset + row.fields_dtype.itemsize
        begin += -begin & 3 if row.items.vertices else 0
        fields += _array(data, row.items.name, row.items.element, begin, end)
    return fields


def _grouped(rows: list[FieldText]) -> Iterator[tuple[str, list[FieldText]]]:
    """Consecutive rows that belong to one value: the components of a field, the elements of an array."""
    group: list[FieldText] = []
    for row in rows:
        if group and _stem(group[0].name) != _stem(row.name):
            yield _stem(group[0].name), group
            group = []
        group.append(row)
    if group:
        yield _stem(group[0].name), group


def _stem(name: str) -> str:
    """What the value is called as a whole: 'rect' for 'rect.left', 'values' for 'values[3].x'."""
    whole = name.split("[")[0]
    return whole if whole != name else name.rpartition(".")[0] if name.rpartition(".")[0] in GROUPS else name


def _groups() -> Iterator[str]:
    for row in TOKENS.values():
        yield from (field.name for field in row.fields if field.count > 1)
        for part in row.parts:
            yield from (
                field.name if len(part.element) == 1 else f"{part.name}.{field.name}"
                for field in part.element
                if field.count > 1
            )


GROUPS = frozenset(_groups())
"""Names whose components are told apart by a dot."""


def _value_text(rows: list[FieldText]) -> str:
    if len(rows) == 1 and "[" not in rows[0].name:
        return rows[0].text
    between = "; " if any(" " in row.text for row in rows) else " "
    shown = between.join(row.text for row in rows[:SHOWN])
    return f"({shown} ... {len(rows)} values)" if len(rows) > SHOWN else f"({shown})"


def text(commands: Any, record: np.void) -> str:
    """One line: 'RENDERSTATE ALPHAFUNC=ALWAYS', 'DRAWPRIMITIVE type=TRIANGLELIST start=0 count=12'.

    A field that says what another means (the state of a RENDERSTATE) becomes its name.
    """
    row = TOKENS[int(record["op"])]
    keyed = {field.name: field.kind.field for field in row.fields if field.kind.field}
    parts, names = [row.name], {}
    for name, group in _grouped(describe(commands, record)):
        names[name] = value = _value_text(group)
        if name not in keyed.values():
            parts.append(f"{names[keyed[name]]}={value}" if name in keyed else f"{name}={value}")
    if row.repeat == "once" and row.items is None and not row.parts:
        parts.append(f"primitives={int(record['count'])}")
    return " ".join(parts)
