"""Vertex declarations: tokens | text, offsets, and the header's own macros."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.ddi.stream import vertex_declaration as vd
from core.ddi.stream.vertex_declaration import TESSELLATOR, Element, Tessellated, declaration_text, decode_declaration
from core.errors import ShaderError
from core.spec.shaders import VSD_END, VsdRegister, VsdType
from tests.core.spec.headers import API, wrong_facts

TABLE = [
    (0x20000000, "stream 0"),
    (0x2000000F, "stream 15"),
    (0x30000000, "stream tessellator"),
    (0x40020000, "load v0, FLOAT3"),
    (0x40040005, "load v5, D3DCOLOR"),
    (0x4007000F, "load v15, SHORT4"),
    (0x50030000, "skip 3"),
    (0x70010007, "tessuv v7"),
    (0x60020003, "tessnormal v3, v0"),
    (0x60220003, "tessnormal v3, v2"),
    (0x00000000, "nop"),
]


@pytest.mark.parametrize(("token", "text"), TABLE, ids=[row[1] for row in TABLE])
def test_token(token: int, text: str) -> None:
    assert declaration_text([token, VSD_END]) == text + "\n"


def test_the_headers_macros_make_the_same_tokens(tmp_path: Path) -> None:
    """d3d8types.h is the encoder to agree with."""
    facts = {
        "D3DVSD_STREAM(3)": vd.stream_token(3),
        "D3DVSD_STREAM_TESS()": vd.stream_token(TESSELLATOR),
        "D3DVSD_REG(5, D3DVSDT_D3DCOLOR)": vd.load_token(5, VsdType.D3DCOLOR),
        "D3DVSD_SKIP(7)": vd.skip_token(7),
        "D3DVSD_TESSUV(7)": vd.tessellator_token(7),
        "D3DVSD_TESSNORMAL(2, 3)": vd.tessellator_token(3, 2),
        "D3DVSD_CONST(10, 2)": vd.constant_tokens(10, [0.0] * 8)[0],
    }
    assert wrong_facts(tmp_path, API, facts) == []


def test_elements_lie_one_after_another() -> None:
    code = [
        vd.stream_token(0),
        vd.load_token(0, VsdType.FLOAT3),
        vd.skip_token(2),
        vd.load_token(5, VsdType.D3DCOLOR),
        vd.stream_token(2),
        vd.load_token(7, VsdType.FLOAT2),
        vd.load_token(8, VsdType.SHORT2),
        VSD_END,
    ]
    declaration = decode_declaration(code)
    assert declaration.elements == (
        Element(0, 0, 0, 2, 1),
        Element(5, 0, 20, 4, 3),
        Element(7, 2, 0, 1, 5),
        Element(8, 2, 8, 6, 6),
    )
    assert (declaration.stride(0), declaration.stride(1), declaration.stride(2), declaration.size) == (24, 0, 12, 8)


def test_constants_and_tessellated_registers() -> None:
    code = [
        *vd.constant_tokens(4, [1, 2, 3, 4, 0.5, 0, 0, 1]),
        vd.stream_token(TESSELLATOR),
        vd.tessellator_token(3, 0),
        vd.tessellator_token(7),
        VSD_END,
    ]
    declaration = decode_declaration(code)
    assert sorted(declaration.constants) == [4, 5]
    assert np.array(declaration.constants[5], np.uint32).view(np.float32).tolist() == [0.5, 0, 0, 1]
    assert declaration.tessellated == (Tessellated(3, 0, 10), Tessellated(7, -1, 11))
    assert declaration.lines[0] == (0, "const c4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.0, 0.0, 1.0")


def test_without_code_registers_have_names() -> None:
    code = vd.encode_declaration([(0, VsdRegister.POSITION, VsdType.FLOAT3), (0, VsdRegister.TEXCOORD1, VsdType.FLOAT2)])
    assert declaration_text(code, programmable=False) == "stream 0\nload POSITION, FLOAT3\nload TEXCOORD1, FLOAT2\n"
    assert declaration_text(code.tobytes()) == "stream 0\nload v0, FLOAT3\nload v8, FLOAT2\n"


@pytest.mark.parametrize(
    ("code", "offset", "sentence"),
    [
        ([], 0, "the declaration ends without an end token"),
        ([0x20000000], 1, "the declaration ends without an end token"),
        ([0x20000000, 0x40080000, VSD_END], 1, "8 is not an element type"),
        ([0xC0000000, VSD_END], 0, "0xc0000000 is not a declaration token"),
        ([0x84000000, 0, 0], 0, "2 constants need 8 dwords, 2 left"),
    ],
)
def test_errors_name_the_place(code: list[int], offset: int, sentence: str) -> None:
    with pytest.raises(ShaderError) as caught:
        decode_declaration(code)
    assert str(caught.value) == f"shader+{offset}: {sentence}"
