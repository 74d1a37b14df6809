"""Kinds: raw bits to value and text and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.spec import kinds
from core.spec.enums import Blend, ClearFlag, CmpFunc
from core.spec.kinds import Kind, by, enum, flags

TEXTS = [
    (kinds.U32, 4294967295, "4294967295"),
    (kinds.I32, 0xFFFFFFFE, "-2"),
    (kinds.HEX32, 0x1F, "0x1f"),
    (kinds.HEX8, 0x8, "0x08"),
    (kinds.COLOR, 0xFF00FF, "0x00ff00ff"),
    (kinds.HANDLE, 0, "none"),
    (kinds.HANDLE, 17, "#17"),
    (kinds.F32, 0x3F800000, "1.0"),
    (kinds.F32, 0x3DCCCCCD, "0.1"),
    (kinds.F32, 0x80000000, "-0.0"),
    (kinds.F32, 0x7F800000, "inf"),
    (kinds.F32, 0x7FC00000, "nan"),
    (kinds.F32, 0xFFC00001, "nan(0xffc00001)"),
    (kinds.BOOL, 0, "FALSE"),
    (kinds.BOOL, 1, "TRUE"),
    (kinds.BOOL, 0x80000000, "TRUE (0x80000000)"),
    (kinds.FOURCC, 0x31545844, "DXT1"),
    (kinds.FOURCC, 21, "0x15"),
    (enum(CmpFunc), 8, "ALWAYS"),
    (enum(CmpFunc), 9, "9?"),
    (flags(ClearFlag), 3, "TARGET|ZBUFFER"),
    (flags(ClearFlag), 0x11, "TARGET|0x10"),
    (flags(ClearFlag), 0, "0"),
    (kinds.FVF, 0x142, "XYZ|DIFFUSE|TEX1"),
    (kinds.FVF, 0x10244, "XYZRHW|DIFFUSE|TEX2(3,2)"),
    (kinds.FVF, 0x1152, "XYZ|NORMAL|DIFFUSE|LASTBETA_UBYTE4|TEX1"),
    (kinds.FVF, 0, "0x0"),
    (kinds.SHADER, 3, "shader #3"),
    (kinds.SHADER, 0x44, "XYZRHW|DIFFUSE"),
    (kinds.SHADER, 0, "none"),
    (kinds.TEXTURE_ARG, 0x32, "TEXTURE|COMPLEMENT|ALPHAREPLICATE"),
    (kinds.COORDINATE_INDEX, 0x10002, "2|CAMERASPACENORMAL"),
    (kinds.TEXTURE_TRANSFORM, 0x103, "COUNT3|PROJECTED"),
    (kinds.TEXTURE_TRANSFORM, 0, "DISABLE"),
    (kinds.LINE_PATTERN, 0xAAAA0002, "0xaaaa x2"),
    (kinds.TRANSFORM, 2, "VIEW"),
    (kinds.TRANSFORM, 256 + 17, "WORLD17"),
    (kinds.TRANSFORM, 1, "DX7 WORLD0"),
    (kinds.TRANSFORM, 5, "DX7 WORLD2"),
    (kinds.TRANSFORM, 99, "99?"),
]


@pytest.mark.parametrize(("kind", "raw", "text"), TEXTS, ids=[f"{kind.name}-{raw:x}" for kind, raw, _ in TEXTS])
def test_text(kind: Kind, raw: int, text: str) -> None:
    assert kind.text(raw) == text


RAWS = [
    (kinds.I32, -2, 0xFFFFFFFE),
    (kinds.F32, 0.1, 0x3DCCCCCD),
    (kinds.F32, 1e40, 0x7F800000),
    (kinds.BOOL, "TRUE", 1),
    (kinds.FOURCC, "DXT5", 0x35545844),
    (enum(CmpFunc), "LESSEQUAL", 4),
    (enum(CmpFunc), CmpFunc.NEVER, 1),
    (enum(CmpFunc), "0x7", 7),
    (flags(ClearFlag), "TARGET | STENCIL", 5),
    (kinds.TRANSFORM, "WORLD3", 259),
    (kinds.TRANSFORM, "PROJECTION", 3),
    (kinds.TEXTURE_ARG, "TEXTURE|COMPLEMENT", 0x12),
]


@pytest.mark.parametrize(("kind", "value", "raw"), RAWS, ids=[f"{kind.name}-{value}" for kind, value, _ in RAWS])
def test_raw(kind: Kind, value: object, raw: int) -> None:
    assert kind.raw(value) == raw


@pytest.mark.parametrize(("kind", "value"), [(enum(CmpFunc), "SOMETIMES"), (kinds.U16, 65536), (kinds.U32, -(1 << 31) - 1)])
def test_raw_refuses(kind: Kind, value: object) -> None:
    with pytest.raises(ValueError):
        kind.raw(value)


ALL = [value for value in vars(kinds).values() if isinstance(value, Kind)] + [enum(CmpFunc), flags(ClearFlag)]


@given(st.integers(0, 0xFFFFFFFF))
def test_any_bits_have_value_and_text(bits: int) -> None:
    for kind in ALL:
        raw = bits & ((1 << 8 * kind.bytes) - 1)
        kind.value(raw)
        assert kind.text(raw)


@given(st.integers(0, 0xFFFFFFFF))
def test_floats_keep_their_bits(bits: int) -> None:
    value = kinds.float_of(bits)
    if value == value:
        assert kinds.float_bits(value) == bits
        assert kinds.float_bits(np.float32(kinds.float_text(bits))) == bits


def test_a_kind_that_depends_on_a_field() -> None:
    kind = by("state", {1: enum(CmpFunc), 2: kinds.F32})
    assert kind.given(1).text(8) == "ALWAYS"
    assert kind.given(2).text(0x40000000) == "2.0"
    assert kind.given(3).text(0x40000000) == "0x40000000"


def test_enumerations_give_members() -> None:
    assert enum(Blend).value(5) is Blend.SRCALPHA
    assert enum(Blend).value(99) == 99
