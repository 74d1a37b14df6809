"""Encoding DP2 tokens: the bytes, and emit -> scan -> walk for random values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi.stream import dp2
from core.errors import TokenError
from core.spec.enums import CmpFunc
from core.spec.tokens import TOKENS, Field, Op, Token


def of(**fields: Any) -> dict[str, Any]:
    """Fields by name."""
    return fields


# what is emitted | the bytes
TABLE = [
    (of(op=Op.RENDERSTATE, state="ALPHAFUNC", value="ALWAYS"), "08000100 19000000 08000000"),
    (
        of(op="RENDERSTATE", items=[of(state="FOGEND", value=2.5), of(state=24, value=8)]),
        "08000200 25000000 00002040 18000000 08000000",
    ),
    (of(op=Op.RENDERSTATE, state=25, value=CmpFunc.LESS), "08000100 19000000 02000000"),
    (of(op=Op.TEXTURESTAGESTATE, stage=1, state="COLOROP", value="MODULATE"), "19000100 0100 0100 04000000"),
    (of(op=Op.DRAWPRIMITIVE, type="TRIANGLELIST", start=3, count=2), "34000100 04000000 03000000 02000000"),
    (of(op=Op.VIEWPORTINFO, width=640, height=480), "1c000100 00000000 00000000 80020000 e0010000"),
    (of(op=Op.LINELIST, start=5, primitives=2), "0f000200 0500"),
    (of(op=Op.INDEXEDTRIANGLESTRIP, start=5, items=[0, 1, 2, 3]), "14000200 0500 0000 0100 0200 0300"),
    (of(op=Op.INDEXEDTRIANGLELIST, items=[(0, 1, 2, 0x700)]), "03000100 0000 0100 0200 0007"),
    (of(op=Op.LINELIST_IMM, items=bytes(range(16)), vertex_stride=8), "18000100 000102030405060708090a0b0c0d0e0f"),
    (of(op=Op.TRIANGLEFAN_IMM, edge_flags=7, items=bytes(12), vertex_stride=4), "17000100 07000000 000000000000000000000000"),
    (of(op=Op.CLEAR, flags="TARGET", color=0xFF112233), "2a000000 01000000 332211ff 00000000 00000000" + "00" * 16),
    (
        of(op=Op.CLEAR, flags="ZBUFFER", depth=1.0, items=[(0, 0, 8, -8)]),
        "2a000100 02000000 00000000 0000803f 00000000 00000000 00000000 08000000 f8ffffff",
    ),
    (of(op=Op.UPDATEPALETTE, palette=1, start=2, items=[0x01020304]), "1f000000 01000000 0200 0100 04030201"),
    (of(op=Op.SETLIGHT, index=2, data="ENABLE"), "22000100 02000000 00000000"),
    (of(op=Op.SETLIGHT, index=2, light=bytes(104)), "22000100 02000000 02000000" + "00" * 104),
    (
        of(op=Op.SETVERTEXSHADERCONST, register=4, values=[1.0, 0, 0, 0]),
        "30000100 04000000 01000000 0000803f 00000000 00000000 00000000",
    ),
    (
        of(op=Op.CREATEVERTEXSHADER, shader=1, declaration=[0xFFFFFFFF], code=[0xFFFE0101, 0xFFFF]),
        "2d000100 01000000 04000000 08000000 ffffffff 0101feff ffff0000",
    ),
    (of(op=Op.DRAWRECTPATCH, patch=1, segments=[1.0] * 4), "3d000100 01000000 01000000" + "0000803f" * 4),
    (
        of(op=Op.DRAWRECTPATCH, items=[of(patch=0, info=(0, 0, 4, 4, 4, 0, 3)), of(patch=2)]),
        "3d000200 00000000 02000000 00000000 00000000 04000000 04000000 04000000 00000000 03000000 02000000 00000000",
    ),
    (of(op=Op.SETTRANSFORM, type="WORLD1", matrix=np.zeros(16)), "24000100 01010000" + "00" * 64),
]


@pytest.mark.parametrize(("token", "data"), TABLE, ids=[f"{row[0]['op']!s}-{i}" for i, row in enumerate(TABLE)])
def test_bytes(token: dict[str, Any], data: str) -> None:
    out = bytearray(b"\xff" * 4)
    assert dp2.emit(out, **token) == 4
    assert bytes(out[4:]).hex() == data.replace(" ", "")


def test_arrays_are_copied_as_they_are() -> None:
    records = np.array([(24, 7), (25, 8)], TOKENS[Op.RENDERSTATE].fields_dtype)
    out = bytearray()
    dp2.emit(out, Op.RENDERSTATE, records)
    assert np.array_equal(next(dp2.walk(out)).items, records)


def test_refusals() -> None:
    with pytest.raises(ValueError, match="RENDERSTATE has no field stage"):
        dp2.emit(bytearray(), Op.RENDERSTATE, state=1, stage=2)
    with pytest.raises(ValueError, match="SOMETIMES"):
        dp2.emit(bytearray(), Op.RENDERSTATE, state="ALPHAFUNC", value="SOMETIMES")
    with pytest.raises(ValueError, match="INDEXEDTRIANGLESTRIP cannot be made of these indices"):
        dp2.emit(bytearray(), Op.INDEXEDTRIANGLESTRIP, [0])
    with pytest.raises(TokenError, match="CREATELIGHT cannot hold 65536 records"):
        dp2.emit(bytearray(), Op.CREATELIGHT, [of(index=0)] * 65536)


# ---- emit -> scan -> walk --------------------------------------------------------------------


def _field_value(field: Field) -> st.SearchStrategy[Any]:
    raw = st.integers(0, (1 << 8 * field.kind.bytes) - 1)
    if field.kind.dtype == "<f4":
        raw = st.floats(width=32, allow_nan=False)
    elif field.kind.dtype == "<i4":
        raw = st.integers(-(1 << 31), (1 << 31) - 1)
    return raw if field.count == 1 else st.lists(raw, min_size=field.count, max_size=field.count).map(tuple)


def _dtype_values(fields: tuple[Field, ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*map(_field_value, fields))


@st.composite
def emitted(draw: st.DrawFn) -> tuple[Token, dict[str, Any]]:
    """A token row and what to emit for it."""
    row = draw(
        st.sampled_from([row for row in TOKENS.values() if row.repeat != "none" and not (row.items and row.items.vertices)])
    )
    governed = {part.field for part in row.parts}
    fields = {field.name: draw(_field_value(field)) for field in row.fields if field.name not in governed}
    for part in row.parts:
        if part.unit:
            size = np.dtype(part.dtype).itemsize
            fields[part.name] = draw(
                st.binary(max_size=5 * size).map(lambda data, size=size: data[: len(data) - len(data) % size])
            )
        elif draw(st.booleans()):
            fields[part.name] = draw(st.binary(min_size=part.dtype.itemsize, max_size=part.dtype.itemsize))
    if row.items is not None:
        least = row.items.extra + row.items.each * row.items.minimum
        fields["items"] = np.array(
            draw(st.lists(_dtype_values(row.items.element), min_size=least, max_size=least + 4)), row.item_dtype
        )
    return row, fields


@settings(max_examples=120, deadline=None)
@given(st.lists(emitted(), max_size=6))
def test_what_is_emitted_is_read_back(tokens: list[tuple[Token, dict[str, Any]]]) -> None:
    out = bytearray()
    places = [dp2.emit(out, row.op, **fields) for row, fields in tokens]
    assert dp2.scan(out).error is None
    views = list(dp2.walk(out))
    assert [(view.offset, view.row.op) for view in views] == [(at, row.op) for at, (row, _) in zip(places, tokens, strict=True)]
    for view, (row, fields) in zip(views, tokens, strict=True):
        _same(view, row, fields)


def _same(view: dp2.TokenView, row: Token, fields: dict[str, Any]) -> None:
    at = int(view.records[0]["offset"])
    for field in row.fields:
        data = np.frombuffer(view.data, row.fields_dtype, 1, at)[0]
        if field.name in fields:
            assert np.array_equal(np.asarray(data[field.name]), np.asarray(fields[field.name], data[field.name].dtype)), (
                field.name
            )
    for part in row.parts:
        assert view.part(0, part.name).tobytes() == bytes(fields.get(part.name, b""))
    if row.items is not None:
        assert np.array_equal(view.items, fields["items"])
