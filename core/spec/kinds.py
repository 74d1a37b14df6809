"""Kinds of dwords: as values, as text, and back.

A `Kind` turns the raw bits of a field (an unsigned integer of `bytes` bytes) into a Python value and into text.  Raw bits
are the truth; `value` and `text` never fail, whatever the bits: a number that is not a member of an enumeration stays a
number.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any

import numpy as np

from core.spec.enums import Fvf, TextureArg, TextureCoordinateSource, TextureTransform, TransformState


@dataclass(frozen=True, eq=False, repr=False)
class Kind:
    """How to read one field.

    `value(raw)` gives int, float, bool or an enumeration member; `text(raw)` what is printed; `raw(value)` the bits for a
    value, a member's name or a number (ValueError when there are none).  A kind made with `by` depends on another field of
    its record: `given(that field's raw value)` is the kind to use.
    """

    name: str
    dtype: str
    value: Callable[[int], Any]
    text: Callable[[int], str]
    raw: Callable[[Any], int]
    members: type[IntEnum] | type[IntFlag] | None = None
    field: str = ""
    table: Mapping[int, Any] | None = None

    def __repr__(self) -> str:
        return f"Kind({self.name})"

    @property
    def bytes(self) -> int:
        return int(self.dtype[-1])

    def given(self, key: int) -> Kind:
        """The kind of this field when the field it depends on holds `key`."""
        row = self.table.get(int(key)) if self.table is not None else None
        if row is None:
            return HEX32 if self.table is not None else self
        return row if isinstance(row, Kind) else row.kind


def _integer(dtype: str) -> Callable[[Any], int]:
    size = 8 * int(dtype[-1])

    def raw(value: Any) -> int:
        number = int(value, 0) if isinstance(value, str) else int(value)
        if not -(1 << (size - 1)) <= number < 1 << size:
            raise ValueError(f"{value} does not fit {size} bits")
        return number & ((1 << size) - 1)

    return raw


def _plain(name: str, dtype: str, text: Callable[[int], str] = lambda raw: str(int(raw))) -> Kind:
    return Kind(name, dtype, int, text, _integer(dtype))


def signed(raw: int) -> int:
    """The 32-bit two's complement number with these bits."""
    return (int(raw) & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


def float_of(raw: int) -> float:
    """The float32 with these bits."""
    return struct.unpack("<f", struct.pack("<I", int(raw) & 0xFFFFFFFF))[0]


def float_bits(value: Any) -> int:
    """The bits of the float32 nearest to `value`; too large numbers become infinite."""
    with np.errstate(over="ignore"):
        return int(np.float32(value).view(np.uint32))


def float_text(raw: int) -> str:
    """The shortest decimal that reads back as the same float32."""
    value = float_of(raw)
    if value != value:
        return "nan" if int(raw) == 0x7FC00000 else f"nan({int(raw):#010x})"
    return str(np.float32(value))


def bool_text(raw: int) -> str:
    """BOOLs: any non-zero is true; unusual ones show their bits."""
    return {0: "FALSE", 1: "TRUE"}.get(int(raw), f"TRUE ({int(raw):#x})")


def fourcc_text(raw: int) -> str:
    """'DXT1' for four printable characters, else hexadecimal."""
    characters = int(raw).to_bytes(4, "little")
    return characters.decode("ascii") if all(0x20 < c < 0x7F for c in characters) else f"{int(raw):#x}"


def _bool_raw(value: Any) -> int:
    return _integer("<u4")({"TRUE": 1, "FALSE": 0}.get(value, value) if isinstance(value, str) else value)


def _fourcc_raw(value: Any) -> int:
    if isinstance(value, str) and len(value) == 4 and not value.startswith("0x"):
        return int.from_bytes(value.encode("ascii"), "little")
    return _integer("<u4")(value)


U32 = _plain("U32", "<u4")
U16 = _plain("U16", "<u2")
U8 = _plain("U8", "<u1")
I32 = Kind("I32", "<i4", signed, lambda raw: str(signed(raw)), _integer("<u4"))
F32 = Kind("F32", "<f4", float_of, float_text, float_bits)
BOOL = Kind("BOOL", "<u4", bool, bool_text, _bool_raw)
HEX32 = _plain("HEX32", "<u4", lambda raw: f"{int(raw):#x}")
HEX8 = _plain("HEX8", "<u4", lambda raw: f"{int(raw):#04x}")
COLOR = _plain("COLOR", "<u4", lambda raw: f"{int(raw):#010x}")
HANDLE = _plain("HANDLE", "<u4", lambda raw: f"#{int(raw)}" if raw else "none")
FOURCC = Kind("FOURCC", "<u4", int, fourcc_text, _fourcc_raw)


def _member_raw(cls: Any, dtype: str) -> Callable[[Any], int]:
    number = _integer(dtype)

    def raw(value: Any) -> int:
        if not isinstance(value, str):
            return number(value)
        if value in cls.__members__:
            return int(cls[value])
        try:
            return number(value)
        except ValueError:
            raise ValueError(f"{value!r} is no {cls.__name__}") from None

    return raw


def enum(cls: type[IntEnum], dtype: str = "<u4") -> Kind:
    """One member of an enumeration."""
    names = {int(member): member.name for member in cls}
    values = {int(member): member for member in cls}
    return Kind(
        cls.__name__,
        dtype,
        lambda raw: values.get(int(raw), int(raw)),
        lambda raw: names.get(int(raw)) or f"{int(raw)}?",
        _member_raw(cls, dtype),
        cls,
    )


def flag_text(cls: type[IntFlag], raw: int) -> str:
    """'A|B|0x100': single bits by name, what has none as a number."""
    left, parts = int(raw), []
    for member in cls:
        if int(member) and left & int(member) == int(member):
            parts.append(member.name or "")
            left &= ~int(member)
    if left or not parts:
        parts.append(f"{left:#x}" if left else "0")
    return "|".join(parts)


def flags(cls: type[IntFlag], dtype: str = "<u4") -> Kind:
    """A set of bits; as text 'A|B'."""
    one = _member_raw(cls, dtype)

    def raw(value: Any) -> int:
        if not isinstance(value, str):
            return one(value)
        bits = 0
        for part in value.split("|"):
            bits |= one(part.strip())
        return bits

    return Kind(cls.__name__, dtype, lambda bits: int(bits), lambda bits: flag_text(cls, bits), raw, cls)


def by(field: str, table: Mapping[int, Any], dtype: str = "<u4") -> Kind:
    """A kind that depends on `field`: `table` maps that field's raw value to a Kind or to a row with a `.kind`."""
    return Kind(f"by {field}", dtype, int, lambda raw: f"{int(raw):#x}", _integer(dtype), field=field, table=table)


def row_name(name: str, table: Mapping[int, Any], dtype: str = "<u4") -> Kind:
    """The number of a row of `table` (a render state, a texture stage state, a token), printed by the row's name."""
    numbers = {row.name: key for key, row in table.items()}
    number = _integer(dtype)

    def raw(value: Any) -> int:
        return numbers[value] if isinstance(value, str) and value in numbers else number(value)

    def text(bits: int) -> str:
        row = table.get(int(bits))
        return row.name if row is not None else f"{int(bits)}?"

    return Kind(name, dtype, int, text, raw)


# Dwords with more than one part.

FVF_POSITIONS = {2: "XYZ", 4: "XYZRHW", 6: "XYZB1", 8: "XYZB2", 10: "XYZB3", 12: "XYZB4", 14: "XYZB5"}
FVF_COORDINATE_SIZES = (2, 3, 4, 1)
"""Floats of a coordinate set by its two format bits (D3DFVF_TEXTUREFORMAT2, 3, 4, 1)."""


def fvf_text(raw: int) -> str:
    """'XYZ|NORMAL|TEX2(2,3)': coordinate sizes are shown when one is not 2."""
    raw = int(raw)
    parts = [FVF_POSITIONS[raw & 14]] if raw & 14 in FVF_POSITIONS else []
    for bit in (Fvf.NORMAL, Fvf.PSIZE, Fvf.DIFFUSE, Fvf.SPECULAR, Fvf.LASTBETA_UBYTE4):
        if raw & bit:
            parts.append(bit.name or "")
    count = (raw & Fvf.TEXCOUNT_MASK) >> 8
    sizes = [FVF_COORDINATE_SIZES[raw >> (16 + 2 * i) & 3] for i in range(min(count, 8))]
    if count:
        parts.append(f"TEX{count}" + (f"({','.join(map(str, sizes))})" if set(sizes) != {2} else ""))
    rest = raw & 0xE001 | raw & 0xFFFF0000 & ~((1 << 16 + 2 * min(count, 8)) - 1)
    return "|".join(parts + ([f"{rest:#x}"] if rest or not parts else []))


def shader_text(raw: int) -> str:
    """Vertex shaders: odd numbers are handles, even ones vertex formats, 0 is none."""
    return "none" if not raw else f"shader #{int(raw)}" if raw & 1 else fvf_text(raw)


def texture_arg_text(raw: int) -> str:
    """'TEXTURE|COMPLEMENT'."""
    names = {0: "DIFFUSE", 1: "CURRENT", 2: "TEXTURE", 3: "TFACTOR", 4: "SPECULAR", 5: "TEMP"}
    parts = [names.get(int(raw) & 15, f"{int(raw) & 15}?")]
    parts += [bit.name or "" for bit in (TextureArg.COMPLEMENT, TextureArg.ALPHAREPLICATE) if raw & bit]
    rest = int(raw) & ~0x3F
    return "|".join(parts + ([f"{rest:#x}"] if rest else []))


def coordinate_index_text(raw: int) -> str:
    """'2' or '2|CAMERASPACENORMAL'."""
    index, source = int(raw) & 0xFFFF, int(raw) & 0xFFFF0000
    known = {int(member): member.name for member in TextureCoordinateSource}
    return str(index) if not source else f"{index}|{known.get(source) or f'{source:#x}'}"


def texture_transform_text(raw: int) -> str:
    """'DISABLE', 'COUNT2', 'COUNT3|PROJECTED'."""
    low, rest = int(raw) & 0xFF, int(raw) & ~0x1FF
    parts = ["DISABLE" if not low else f"COUNT{low}" if low <= 4 else f"{low}?"]
    parts += ["PROJECTED"] if raw & TextureTransform.PROJECTED else []
    return "|".join(parts + ([f"{rest:#x}"] if rest else []))


def line_pattern_text(raw: int) -> str:
    """Pattern bits and how often each is repeated."""
    return f"{int(raw) >> 16:#06x} x{int(raw) & 0xFFFF}" if raw else "solid"


def transform_text(raw: int) -> str:
    """'VIEW', 'WORLD0', 'WORLD17', 'TEXTURE3'; DirectX 7 numbers as 'DX7 WORLD1'."""
    raw = int(raw)
    if 256 <= raw < 512:
        return f"WORLD{raw - 256}"
    if raw in (1, 4, 5, 6):
        return f"DX7 WORLD{max(raw - 3, 0)}"
    return TransformState(raw).name if raw in (2, 3, *range(16, 24)) else f"{raw}?"


def _transform_raw(value: Any) -> int:
    if isinstance(value, str) and value.startswith("WORLD"):
        return 256 + int(value[5:] or 0)
    return _member_raw(TransformState, "<u4")(value)


FVF = Kind("FVF", "<u4", int, fvf_text, _integer("<u4"), Fvf)
SHADER = _plain("SHADER", "<u4", shader_text)
TEXTURE_ARG = Kind("TEXTURE_ARG", "<u4", int, texture_arg_text, flags(TextureArg).raw, TextureArg)
COORDINATE_INDEX = _plain("COORDINATE_INDEX", "<u4", coordinate_index_text)
TEXTURE_TRANSFORM = Kind("TEXTURE_TRANSFORM", "<u4", int, texture_transform_text, flags(TextureTransform).raw, TextureTransform)
LINE_PATTERN = _plain("LINE_PATTERN", "<u4", line_pattern_text)
TRANSFORM = Kind("TRANSFORM", "<u4", int, transform_text, _transform_raw, TransformState)
