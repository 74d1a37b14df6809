"""Printing DP2 records: one line each, or field by field with the offset of every byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from core.ddi.stream.shader_code import decode
from core.ddi.stream.shader_text import lines
from core.ddi.stream.vertex_declaration import decode_declaration
from core.device.registers.records import is_empty, token
from core.errors import ShaderError
from core.spec.kinds import HEX8, HEX32, Kind
from core.spec.tokens import TOKENS, Field, Token

UNDEFINED = "undefined"
SHOWN = 16
"""Values of one array that a line shows."""


class FieldText(NamedTuple):
    """A decoded field: its name and text, its value, the bytes [begin, end) of the buffer it stands in, its kind.

    `header`: the member of the header's structure that it is, empty for what is in none.
    """

    name: str
    text: str
    value: Any
    begin: int
    end: int
    kind: Kind
    header: str = ""


def _raw(data: np.ndarray, offset: int, size: int) -> int:
    return int.from_bytes(data[offset : offset + size].tobytes(), "little")


def _fields(data: np.ndarray, fields: tuple[Field, ...], offset: int, prefix: str = "") -> Iterator[FieldText]:
    """Field by field from `offset`; kinds that depend on another field are resolved within `fields`."""
    raws: dict[str, int] = {}
    for field in fields:
        for label in field.labels():
            raw = raws[field.name] = _raw(data, offset, field.kind.bytes)
            kind = field.kind.given(raws[field.kind.field]) if field.kind.field else field.kind
            end = offset + field.kind.bytes
            yield FieldText(prefix + label, kind.text(raw), kind.value(raw), offset, end, kind, field.header)
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


class Span(NamedTuple):
    """What follows a record's fixed fields: a part or the array of items; `array`: any number of elements, not just one."""

    name: str
    element: tuple[Field, ...]
    array: bool
    begin: int
    end: int

    def values(self) -> int:
        """Values in the whole elements."""
        size = sum(field.bytes for field in self.element)
        return (self.end - self.begin) // size * sum(field.count for field in self.element)


def _spans(data: np.ndarray, row: Token, offset: int, end: int) -> Iterator[Span]:
    """Parts, then items, of the record at [offset, end); empty ones are left out."""
    at = offset + row.fields_dtype.itemsize
    for part in row.parts:
        place, width = row.place(part.field)
        value = _raw(data, offset + place, width)
        size = value * part.unit if part.unit else part.dtype.itemsize * (value & part.mask == part.equals)
        if size:
            yield Span(part.name, part.element, bool(part.unit), at, at + size)
        at += size
    if row.items is not None:
        at += -at & 3 if row.items.vertices else 0
        if at < end:
            yield Span(row.items.name, row.items.element, True, at, end)


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


def _readable(data: np.ndarray, row: Token, offset: int, span: Span) -> list[FieldText] | None:
    """The instructions of a part that holds DirectX 8 shader code; None if it does not or makes no sense."""
    if span.name not in ("declaration", "code") or row.since >= 9:
        return None
    try:
        return list(_code(data, row, span.name, offset, span.begin, span.end))
    except ShaderError:
        return None


def describe(commands: Any, record: np.void) -> list[FieldText]:
    """Every field of a record of `dp2.scan`, in the order of its bytes."""
    if is_empty(record):
        return []
    data = np.frombuffer(commands, np.uint8)
    row, offset, end = _place(record)
    fields = list(_fields(data, row.fields, offset))
    for span in _spans(data, row, offset, end):
        code = _readable(data, row, offset, span)
        if code is not None:
            fields += code
        elif span.array:
            elements = _array(data, span.name, span.element, span.begin, span.end)
            fields += map(_undefined, elements) if _is_undefined(row, record) else elements
        else:
            fields += _fields(data, span.element, span.begin, f"{span.name}." if len(span.element) > 1 else "")
    return fields


def _is_undefined(row: Token, record: np.void) -> bool:
    """Whether the items only fill their place, as the RECT of a CLEAR of count 0: their contents are undefined."""
    return row.items is not None and int(record["count"]) < row.items.minimum


def _undefined(field: FieldText) -> FieldText:
    return field._replace(text=UNDEFINED, value=None)


def _place(record: np.void) -> tuple[Token, int, int]:
    """(row, begin, end) of a record."""
    offset = int(record["offset"])
    return TOKENS[int(record["op"])], offset, offset + int(record["size"])


# ---- one line --------------------------------------------------------------------------------


def _listed(texts: list[str], total: int, between: str = " ") -> str:
    """'(a b c)', of long lists the beginning."""
    more = f" ... {total} values" if total > SHOWN else ""
    return f"({between.join(texts[:SHOWN])}{more})"


def _values(data: np.ndarray, fields: tuple[Field, ...], offset: int) -> Iterator[tuple[Field, str]]:
    """Field by field, those of several values in parentheses."""
    raws: dict[str, int] = {}
    for field in fields:
        size = field.kind.bytes
        raw = raws[field.name] = _raw(data, offset, size)
        kind = field.kind.given(raws[field.kind.field]) if field.kind.field else field.kind
        if field.count == 1:
            yield field, kind.text(raw)
        else:
            yield field, _listed([kind.text(_raw(data, offset + size * i, size)) for i in range(field.count)], field.count)
        offset += field.bytes


def _span_words(data: np.ndarray, row: Token, offset: int, span: Span) -> Iterator[str]:
    code = _readable(data, row, offset, span)
    if code is not None:
        yield f"{span.name}={_listed([one.text for one in code], len(code), '; ')}"
    elif span.array:
        shown = [one.text for one in islice(_array(data, span.name, span.element, span.begin, span.end), SHOWN)]
        yield f"{span.name}={_listed(shown, span.values())}"
    else:
        for field, value in _values(data, span.element, span.begin):
            yield f"{span.name if len(span.element) == 1 else f'{span.name}.{field.name}'}={value}"


def text(commands: Any, record: np.void) -> str:
    """One line: 'RENDERSTATE ALPHAFUNC=ALWAYS', 'DRAWPRIMITIVE type=TRIANGLELIST start=0 count=12'.

    A field that says what another means (the state of a RENDERSTATE) becomes its name.
    """
    if is_empty(record):
        row = token(record)
        return f"{row.name} {'wPrimitiveCount' if row.draws else 'wStateCount'}=0"
    data = np.frombuffer(commands, np.uint8)
    row, offset, end = _place(record)
    keys = {field.kind.field for field in row.fields if field.kind.field}
    words, known = [row.name], {}
    for field, value in _values(data, row.fields, offset):
        known[field.name] = value
        if field.name not in keys:
            words.append(f"{known[field.kind.field] if field.kind.field else field.name}={value}")
    for span in _spans(data, row, offset, end):
        undefined = span.array and _is_undefined(row, record)
        words += [f"{span.name}={UNDEFINED}"] if undefined else _span_words(data, row, offset, span)
    if row.repeat == "once" and row.items is None and not row.parts:
        words.append(f"primitives={int(record['count'])}")
    return " ".join(words)
