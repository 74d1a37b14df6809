"""Layouts of bytes: one element after the other, as in "float3 position; d3dcolor color; short2 uv; skip 4".

    TYPE[COUNT] NAME;     the elements lie without gaps; COUNT is 1 to 16, or in brackets after the type: float[3]
    skip BYTES;           what is not shown
    // ...                a comment, to the end of the line; # likewise

Types are little-endian: byte, ubyte, short, ushort, int, uint, long, ulong; half, float, double; xbyte, xshort, xint, xlong
are shown in hexadecimal; bool is four bytes; unormb, unormh are parts of 255 or 65,535, snormb, snormh of 127 or 32,767;
d3dcolor is A8R8G8B8; float4x4 is a matrix of four rows.  Names are optional.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from core.errors import BadInput, unknown

TYPES = {
    "byte": "i1", "ubyte": "u1", "short": "<i2", "ushort": "<u2", "int": "<i4", "uint": "<u4", "long": "<i8", "ulong": "<u8",
    "half": "<f2", "float": "<f4", "double": "<f8", "xbyte": "u1", "xshort": "<u2", "xint": "<u4", "xlong": "<u8",
    "bool": "<u4", "unormb": "u1", "unormh": "<u2", "snormb": "i1", "snormh": "<i2", "d3dcolor": "<u4",
}  # fmt: skip
DIVISORS = {"unormb": 255, "unormh": 65535, "snormb": 127, "snormh": 32767}
DECLARED = {
    "FLOAT1": "float", "FLOAT2": "float2", "FLOAT3": "float3", "FLOAT4": "float4", "D3DCOLOR": "d3dcolor", "UBYTE4": "ubyte4",
    "SHORT2": "short2", "SHORT4": "short4",
}  # fmt: skip
"""What D3DVSDT_* are here."""
LARGEST = 1 << 16
"""Bytes of a row."""
_ELEMENT = re.compile(r"([a-z][a-z0-9]*?)(\d+)?(?:x(\d+))?\s*(?:\[\s*(\d+)\s*\])?(?:\s+([^\s;\[\]]+))?")
_SKIP = re.compile(r"(?:skip|pad)\s+(0x[0-9a-f]+|\d+)")


@dataclass(frozen=True, slots=True)
class Element:
    """`count` numbers of a type (a row of TYPES), `offset` bytes from the start of a row."""

    name: str
    type: str
    count: int
    offset: int

    @property
    def size(self) -> int:
        """In bytes."""
        return np.dtype(TYPES[self.type]).itemsize * self.count

    @property
    def spelled(self) -> str:
        """As in "float3"."""
        return f"{self.type}{self.count}" if self.count > 1 else self.type


@dataclass(frozen=True, slots=True)
class Layout:
    """The elements of a row, and its size in bytes, what is skipped at the end included."""

    elements: tuple[Element, ...]
    size: int

    @classmethod
    def of(cls, text: str) -> Layout:
        """BadInput says what is not understood."""
        elements: list[Element] = []
        offset = 0
        for part in re.split(r"[;\n]", re.sub(r"(//|#).*", "", text)):
            words = part.strip().lower()
            if not words:
                continue
            if skipped := _SKIP.fullmatch(words):
                offset += int(skipped[1], 0)
            else:
                elements.append(_element(part.strip(), offset, len(elements)))
                offset += elements[-1].size
            if offset > LARGEST:
                raise BadInput(f"a row has at most {LARGEST:,} bytes, not {offset:,}")
        if not elements:
            raise BadInput("a format needs an element, as in: float3 position; d3dcolor color; skip 4")
        return cls(tuple(_distinct(elements)), offset)

    @property
    def text(self) -> str:
        """What `of` reads."""
        parts, at = [], 0
        for one in self.elements:
            parts += [f"skip {one.offset - at}"] if one.offset > at else []
            parts.append(f"{one.spelled} {one.name}")
            at = one.offset + one.size
        return "; ".join([*parts, *([f"skip {self.size - at}"] if self.size > at else [])])

    def rows(self, data: np.ndarray, offset: int = 0, stride: int = 0) -> np.ndarray:
        """Structured: a field for each element, of uint8 `data` from byte `offset` on, `stride` bytes apart (0: this size).

        As many rows as lie in it whole.  Not copied.
        """
        step, extent = stride or self.size, max(one.offset + one.size for one in self.elements)
        room = len(data) - offset - extent
        count = 0 if room < 0 else 1 + room // max(step, 1)
        kind = np.dtype({
            "names": [one.name for one in self.elements],
            "formats": [(TYPES[one.type], (one.count,)) if one.count > 1 else TYPES[one.type] for one in self.elements],
            "offsets": [one.offset for one in self.elements], "itemsize": extent,
        })  # fmt: skip
        held = np.ascontiguousarray(data)
        return np.ndarray((count,), kind, held.data, offset if count else 0, (step,)) if count else np.zeros(0, kind)


def _element(text: str, offset: int, number: int) -> Element:
    found = _ELEMENT.fullmatch(text) or _ELEMENT.fullmatch(text.lower())
    if found is None:
        raise BadInput(f"{text!r} is no element, which is written as: float3 position")
    kind, many, by, more, name = found.groups()
    if kind not in TYPES:
        raise BadInput(unknown("type", kind, TYPES))
    count = int(many or 1) * int(by or 1) * int(more or 1)
    if not (1 <= int(many or 1) <= 16 and 1 <= count <= 256):
        raise BadInput(f"{text!r}: an element has 1 to 256 numbers, not {count:,}")
    return Element(name or f"{kind}_{number}", kind, count, offset)


def _distinct(elements: list[Element]) -> list[Element]:
    """Every name once."""
    names: set[str] = set()
    found = []
    for one in elements:
        name, number = one.name, 1
        while name in names:
            number += 1
            name = f"{one.name}_{number}"
        names.add(name)
        found.append(replace(one, name=name))
    return found


def meant(values: np.ndarray, kind: str) -> list:
    """Numbers of a type as what they mean: hexadecimal texts, booleans, parts of 1; else plain numbers."""
    if kind == "bool":
        return [bool(value) for value in np.ravel(values)]
    if kind == "d3dcolor" or kind.startswith("x"):
        digits = np.dtype(TYPES[kind]).itemsize * 2
        return [f"{value:0{digits}x}" for value in np.ravel(values).tolist()]
    if kind in DIVISORS:
        return [max(value / DIVISORS[kind], -1.0) for value in np.ravel(values).tolist()]
    if kind in ("half", "float"):
        return [float(str(value)) for value in np.ravel(values)]  # with as few digits as distinguish it
    return list(np.ravel(values).tolist())
