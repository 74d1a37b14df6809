"""Vertex declarations (D3DVSD_* tokens): decode, print, encode.

A declaration tells which element of which stream fills which input register.  Elements lie one after another in their
stream, in the order of the tokens; skips leave dwords out.  With shader code the registers are plain v0..v15; without, they
have the meanings of core.spec.shaders.VsdRegister.

Source: d3d8types.h; DX8 SDK, "Vertex Shader Declaration".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.ddi.stream.shader_code import dwords
from core.ddi.stream.shader_text import literal_text
from core.errors import ShaderError
from core.spec.kinds import float_bits
from core.spec.shaders import VSD_BYTES, VSD_END, VsdRegister, VsdToken, VsdType

STREAM_BIT = 1 << 28  # of a stream token: the tessellator; of a data token: skip; of a tessellator token: texture coordinates
TESSELLATOR = -1  # the stream number of elements the tessellator makes


@dataclass(frozen=True)
class Element:
    """`type` at byte `offset` of `stream` fills input register `register`; `dword` is the place of its token."""

    register: int
    stream: int
    offset: int
    type: int
    dword: int = 0


@dataclass(frozen=True)
class Tessellated:
    """A register the tessellator fills: with the normal of register `source`, or (-1) with the patch's u and v."""

    register: int
    source: int
    dword: int = 0


@dataclass(frozen=True)
class Declaration:
    """A decoded declaration.  `constants`: register -> four dwords, loaded whenever the shader becomes current; `size` in
    dwords, with the end token."""

    elements: tuple[Element, ...]
    tessellated: tuple[Tessellated, ...]
    constants: dict[int, tuple[int, int, int, int]]
    lines: tuple[tuple[int, str], ...]
    size: int

    def stride(self, stream: int) -> int:
        """Bytes of a vertex of that stream as far as elements reach."""
        return max((e.offset + VSD_BYTES[e.type] for e in self.elements if e.stream == stream), default=0)


def _name(kind: type[VsdType] | type[VsdRegister], number: int) -> str:
    return kind(number).name if number in kind.__members__.values() else f"{number}?"


def decode_declaration(code: Any, programmable: bool = True) -> Declaration:
    """Reads declaration tokens up to the end token; ShaderError names the dword that makes no sense.

    `programmable`: print registers as v0..; otherwise by their fixed meaning.
    """
    words = dwords(code).tolist()
    elements: list[Element] = []
    tessellated: list[Tessellated] = []
    constants: dict[int, tuple[int, int, int, int]] = {}
    lines: list[tuple[int, str]] = []
    stream, offset, at = 0, 0, 0
    while _token(words, at) != VSD_END:
        token, extra = words[at], 0
        kind, bit, register = token >> 29, bool(token & STREAM_BIT), token & 31
        name = f"v{register}" if programmable else _name(VsdRegister, register)
        if kind == VsdToken.NOP:
            text = "nop"
        elif kind == VsdToken.STREAM:
            stream, offset = TESSELLATOR if bit else token & 15, 0
            text = "stream tessellator" if bit else f"stream {stream}"
        elif kind == VsdToken.STREAMDATA and bit:
            text = f"skip {token >> 16 & 15}"
            offset += 4 * (token >> 16 & 15)
        elif kind == VsdToken.STREAMDATA:
            text, offset = _element(elements, at, stream, offset, token, name)
        elif kind == VsdToken.TESSELLATOR:
            tessellated.append(Tessellated(register, -1 if bit else token >> 20 & 15, at))
            text = f"tessuv {name}" if bit else f"tessnormal {name}, v{token >> 20 & 15}"
        elif kind == VsdToken.CONSTMEM:
            extra, text = _constants(constants, words, at)
        elif kind == VsdToken.EXT:
            extra = token >> 24 & 31
            text = f"ext {token & 0xFFFFFF:#x} " + " ".join(f"{w:#x}" for w in words[at + 1 : at + 1 + extra])
        else:
            raise ShaderError(at, f"{token:#010x} is not a declaration token")
        lines.append((at, text))
        at += 1 + extra
    return Declaration(tuple(elements), tuple(tessellated), constants, tuple(lines), at + 1)


def _token(words: list[int], at: int) -> int:
    if at >= len(words):
        raise ShaderError(at, "the declaration ends without an end token")
    return words[at]


def _element(elements: list[Element], at: int, stream: int, offset: int, token: int, name: str) -> tuple[str, int]:
    """Notes an element; (its line, the offset after it)."""
    type, register = token >> 16 & 15, token & 31
    if type not in VSD_BYTES:
        raise ShaderError(at, f"{type} is not an element type")
    elements.append(Element(register, stream, offset, type, at))
    return f"load {name}, {VsdType(type).name}", offset + VSD_BYTES[type]


def _constants(constants: dict[int, tuple[int, int, int, int]], words: list[int], at: int) -> tuple[int, str]:
    """Notes the constants of a CONSTMEM token; (dwords after it, its line)."""
    count, first = words[at] >> 25 & 15, words[at] & 0x7F
    data = words[at + 1 : at + 1 + 4 * count]
    if len(data) < 4 * count:
        raise ShaderError(at, f"{count} constants need {4 * count} dwords, {len(data)} left")
    for i in range(count):
        x, y, z, w = data[4 * i : 4 * i + 4]
        constants[first + i] = (x, y, z, w)
    return 4 * count, f"const c{first}" + "".join(f", {literal_text(dword)}" for dword in data)


def declaration_text(code: Any, programmable: bool = True) -> str:
    """One line per token: 'stream 0', 'load v0, FLOAT3', 'skip 2', 'const c4, 1.0, 0.0, 0.0, 0.0', 'tessnormal v3, v0'."""
    return "".join(f"{text}\n" for _, text in decode_declaration(code, programmable).lines)


# ---- writing ---------------------------------------------------------------------------------


def stream_token(stream: int) -> int:
    """D3DVSD_STREAM, or D3DVSD_STREAM_TESS for TESSELLATOR."""
    return VsdToken.STREAM << 29 | (STREAM_BIT if stream == TESSELLATOR else stream)


def load_token(register: int, type: int) -> int:
    """D3DVSD_REG."""
    return VsdToken.STREAMDATA << 29 | type << 16 | register


def skip_token(count: int) -> int:
    """D3DVSD_SKIP: dwords."""
    return VsdToken.STREAMDATA << 29 | STREAM_BIT | count << 16


def tessellator_token(register: int, source: int = -1) -> int:
    """D3DVSD_TESSNORMAL, or D3DVSD_TESSUV without a source register."""
    if source < 0:
        return VsdToken.TESSELLATOR << 29 | STREAM_BIT | 1 << 16 | register
    return VsdToken.TESSELLATOR << 29 | source << 20 | 2 << 16 | register


def constant_tokens(first: int, values: Sequence[float]) -> list[int]:
    """D3DVSD_CONST and its data: four numbers per register."""
    return [VsdToken.CONSTMEM << 29 | len(values) // 4 << 25 | first, *map(float_bits, values)]


def encode_declaration(elements: Iterable[tuple[int, int, int]]) -> np.ndarray:
    """(stream, register, type) in stream order -> tokens, uint32[:], end token included."""
    words: list[int] = []
    current = None
    for stream, register, type in elements:
        if stream != current:
            words.append(stream_token(stream))
            current = stream
        words.append(load_token(register, type))
    return np.array([*words, VSD_END], np.uint32)
