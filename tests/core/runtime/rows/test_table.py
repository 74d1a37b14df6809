"""The rows against the rule book: their tokens have the book's size, every method of the API has its place."""

from __future__ import annotations

import pytest

from core.runtime.calls.interfaces import FUNCTIONS
from core.runtime.calls.interfaces7 import FUNCTIONS7
from core.runtime.directdraw.table import METHODS7
from core.runtime.methods.table import METHODS
from core.runtime.rows import layout as c
from core.runtime.rows.table import ROW_OF, ROWS, Emit, Row
from core.runtime.rows.table7 import ROW7_OF, ROWS6, ROWS7
from core.spec.tokens import TOKENS

WORDS = {c.ARG16: 0.5, c.CONST16: 0.5, c.VISIBLE: 0}  # of the fixed part
OF_CLEAR = {c.CLEAR_FLAGS, c.NUMBER, c.FINITE, c.VISIBLE}
MAY_REFUSE = {c.OBJECT, c.VERTEX_SHADER, c.PIXEL_SHADER, c.STRUCT_WORDS, c.BLOB_WORDS, *OF_CLEAR}


def size_of(emit: Emit) -> float:
    """Bytes of the fixed part that a row writes."""
    return 4 * sum(
        f.b - f.a if f.kind == c.STRUCT_WORDS else WORDS.get(f.kind, 1) for f in emit.fields if f.kind != c.BLOB_WORDS
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.call)
def test_a_row_fills_its_tokens(row: Row) -> None:
    for emit in row.emits:
        if emit.op:
            token = TOKENS[emit.op]
            light = sum(part.dtype.itemsize for part in token.parts if part.name == "light" and len(emit.fields) > 2)
            assert size_of(emit) == token.fields_dtype.itemsize + light, token.name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.call)
def test_only_the_first_token_may_refuse(row: Row) -> None:
    first = [f for f in row.emits[0].fields if f.kind in MAY_REFUSE]
    for emit in row.emits[1:]:
        later = {f.arg for f in emit.fields if f.kind in MAY_REFUSE}
        assert later <= {f.arg for f in first}, "a refusal after the first token would half-do the call"


def test_rows_and_places_speak_of_arguments_that_exist() -> None:
    for row in (*ROWS, *ROWS7, *ROWS6):
        names = {f.arg for emit in row.emits for f in emit.fields} | {row.vertices, row.stride, row.indices, row.zero}
        for where in [*row.needs, *(emit.at for emit in row.emits if emit.at)]:
            names |= {name for name, _ in where.keys}
        assert names - {""} <= set((FUNCTIONS | FUNCTIONS7)[row.call]), row.call


def test_every_method_has_its_place() -> None:
    assert len([name for name in FUNCTIONS if name.startswith("IDirect3DDevice8::")]) == 97
    homeless = [name for name in FUNCTIONS if name not in METHODS and name not in ROW_OF]
    assert not homeless
    assert not [name for name in (*METHODS, *ROW_OF) if name not in FUNCTIONS]


def test_rows_that_can_refuse_have_a_method() -> None:
    assert not [row.call for row in ROWS if row.call not in METHODS]
    assert not [row.call for row in (*ROWS7, *ROWS6) if row.call not in METHODS7]


def test_every_method_of_directdraw_and_direct3d_7_has_its_place() -> None:
    assert len([name for name in FUNCTIONS7 if name.startswith("IDirect3DDevice7::")]) == 49
    assert len([name for name in FUNCTIONS7 if name.startswith("IDirect3DDevice3::")]) == 42
    assert len([name for name in FUNCTIONS7 if name.startswith("IDirect3DDevice2::")]) == 33
    assert not [name for name in FUNCTIONS7 if name not in METHODS7 and name not in ROW7_OF]
    assert not [name for name in (*METHODS7, *ROW7_OF) if name not in FUNCTIONS7]
