"""Fetch: from vertex streams to input registers.

A vertex format (FVF) or a declaration is compiled once to a VERTEX_LAYOUT: which bytes of which stream fill which register.
What lies outside its stream, and every element of an unbound stream, reads as zeros and is counted.

Sources: D3DVSD_* and D3DFVF_* of d3d8types.h; DX8 SDK, vertex shader declarations; semantics section 11 for defaults.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

import numpy as np

from core.errors import BadInput
from core.kernels.jit import outlined, stage
from core.kernels.simd import Color, bits_float, memory_at, record_at, to_float, words_at
from core.pipeline.draw_state.vertex_state import (
    BLEND_INDICES,
    BLEND_WEIGHT,
    DIFFUSE,
    NORMAL,
    POINT_SIZE,
    SPECULAR,
    TEXCOORD,
    VertexKind,
)  # fmt: skip
from core.pipeline.records.rows import BATCH, INPUT, INPUT_REGISTERS, store4
from core.spec.enums import Fvf
from core.spec.slots import STREAMS

F = np.float32
MAX_ELEMENTS = 64


class ElementType(IntEnum):
    """D3DVSDT."""

    FLOAT1 = 0
    FLOAT2 = 1
    FLOAT3 = 2
    FLOAT4 = 3
    D3DCOLOR = 4
    UBYTE4 = 5
    SHORT2 = 6
    SHORT4 = 7


SIZES = (4, 8, 12, 16, 4, 4, 4, 8)
COMPONENTS = (1, 2, 3, 4, 4, 4, 2, 4)

ELEMENT = np.dtype([("stream", "i4"), ("offset", "i4"), ("type", "i4"), ("register", "i4"), ("size", "i4")])

VERTEX_LAYOUT = np.dtype([
    ("kind", "i4"),                     # VertexKind
    ("present", "u4"),                  # registers that some element fills
    ("coordinate_size", "i4", 8),       # components of each coordinate set, 0: none (formats and fixed function declarations)
    ("stride", "i4"),                   # of all streams; 0: from the registers
    ("extent", "i4", STREAMS),          # bytes of a vertex that the elements reach into, by stream
    ("element_count", "i4"),
    ("element", ELEMENT, MAX_ELEMENTS),  # by stream
])  # fmt: skip

STREAM = np.dtype([
    ("address", "i8"), ("size", "i8"),  # of the bytes
    ("start", "i8"),                    # bytes before vertex 0, may be negative
    ("stride", "i8"),
])  # fmt: skip

READ = 16  # bytes that are read where an element begins, whatever its size

NOTHING, NOTHING_BYTES = STREAMS, READ * (1 + BATCH)
"""The stream after the last: READ zero bytes, and room for that much of each vertex of a batch."""


@dataclass(frozen=True)
class TessellatorOutput:
    """A register that the tessellator fills: the normal of the patch at a vertex, or its (u, v)."""

    register: int
    source: int  # the register that is differentiated; -1: (u, v)


@dataclass(frozen=True, eq=False)
class VertexLayout:
    """A compiled vertex format or declaration."""

    record: np.ndarray  # VERTEX_LAYOUT[1]
    constants: tuple[
        tuple[int, np.ndarray], ...
    ] = ()  # (first register, float32[n, 4]) to load when the shader becomes current
    tessellator: tuple[TessellatorOutput, ...] = ()
    streams: tuple[int, ...] = ()  # that it reads

    @property
    def kind(self) -> VertexKind:
        return VertexKind(int(self.record["kind"][0]))

    @property
    def elements(self) -> np.ndarray:
        """ELEMENT rows."""
        return self.record["element"][0, : int(self.record["element_count"][0])]

    def size(self, stream: int) -> int:
        """Bytes from the start of a vertex to the end of its last element in a stream."""
        mine = self.elements[self.elements["stream"] == stream]
        return int((mine["offset"] + mine["size"]).max(initial=0))


def _layout(elements: Sequence[tuple[int, int, int, int]], kind: VertexKind, **more: tuple) -> VertexLayout:
    """A VertexLayout of (stream, offset, type, register) rows."""
    if len(elements) > MAX_ELEMENTS:
        raise BadInput(f"vertex declaration: {len(elements)} elements, at most {MAX_ELEMENTS}")
    record = np.zeros(1, VERTEX_LAYOUT)
    record["kind"], record["element_count"] = kind, len(elements)
    for number, (stream, offset, kind_of, register) in enumerate(sorted(elements, key=lambda element: element[0])):
        record["element"][0, number] = (stream, offset, kind_of, register, SIZES[kind_of])
        record["extent"][0, stream] = max(record["extent"][0, stream], offset + SIZES[kind_of])
        record["present"] |= np.uint32(1 << register)
        if TEXCOORD <= register < TEXCOORD + 8:
            record["coordinate_size"][0, register - TEXCOORD] = COMPONENTS[kind_of]
    return VertexLayout(record, streams=tuple(sorted({element[0] for element in elements})), **more)


# ---- flexible vertex formats -------------------------------------------------------------------

BETAS = {Fvf.XYZB1: 1, Fvf.XYZB2: 2, Fvf.XYZB3: 3, Fvf.XYZB4: 4, Fvf.XYZB5: 5}
COORDINATE_FLOATS = (2, 3, 4, 1)  # by the two bits of TEXTUREFORMAT


def _position_elements(fvf: int) -> list[tuple[int, int]]:
    """(type, register) of position and blend weights; a fifth weight has no register (type -1: skipped)."""
    position = fvf & Fvf.POSITION_MASK
    if position == Fvf.XYZRHW:
        return [(ElementType.FLOAT4, 0)]
    betas = BETAS.get(position, 0)
    indices = betas > 0 and fvf & Fvf.LASTBETA_UBYTE4
    weights = betas - 1 if indices else betas
    elements = [(int(ElementType.FLOAT3), 0)]
    if weights:
        elements.append((min(weights, 4) - 1, BLEND_WEIGHT))
    if weights > 4:
        elements.append((ElementType.FLOAT1, -1))
    if indices:
        elements.append((ElementType.UBYTE4, BLEND_INDICES))
    return elements


@cache
def compile_fvf(fvf: int) -> VertexLayout:
    """The layout of a vertex format: everything in stream 0, tightly packed."""
    parts: list[tuple[int, int]] = _position_elements(fvf)
    for bit, kind_of, register in (
        (Fvf.NORMAL, ElementType.FLOAT3, NORMAL), (Fvf.PSIZE, ElementType.FLOAT1, POINT_SIZE),
        (Fvf.DIFFUSE, ElementType.D3DCOLOR, DIFFUSE), (Fvf.SPECULAR, ElementType.D3DCOLOR, SPECULAR),
    ):  # fmt: skip
        if fvf & bit:
            parts.append((kind_of, register))
    count = min((fvf & Fvf.TEXCOUNT_MASK) >> 8, 8)
    parts += [(COORDINATE_FLOATS[fvf >> 16 + 2 * i & 3] - 1, TEXCOORD + i) for i in range(count)]
    elements, offset = [], 0
    for type_, register in parts:
        if register >= 0:
            elements.append((0, offset, int(type_), register))
        offset += SIZES[type_]
    kind = VertexKind.TRANSFORMED if fvf & Fvf.POSITION_MASK == Fvf.XYZRHW else VertexKind.FIXED
    return _layout(elements, kind)


# ---- declarations ------------------------------------------------------------------------------

END = 0xFFFFFFFF


def compile_declaration(tokens: np.ndarray | Sequence[int], programmable: bool) -> VertexLayout:
    """The layout of a vertex shader declaration (D3DVSD tokens, D3DVSD_END last).

    programmable: the shader has code; otherwise the registers have the fixed meaning D3DVSDE.  BadInput names the token.
    """
    words = np.ascontiguousarray(tokens, np.uint32)
    elements: list[tuple[int, int, int, int]] = []
    constants: list[tuple[int, np.ndarray]] = []
    tessellator: list[TessellatorOutput] = []
    stream, offset, at = 0, 0, 0
    while at < len(words) and words[at] != END:
        token = int(words[at])
        kind_of, skip = token >> 29, token >> 28 & 1
        if kind_of == 1:
            stream, offset = (-1 if skip else token & 15), 0
        elif kind_of == 2 and skip:
            offset += 4 * (token >> 16 & 15)
        elif kind_of == 2:
            offset += _load(elements, token, stream, offset, at)
        elif kind_of == 3:
            tessellator.append(_tessellator(token, skip))
        elif kind_of == 4:
            at += _constant(constants, words, at)
        elif kind_of == 5:
            at += token >> 24 & 31
        elif kind_of != 0:
            raise BadInput(f"vertex declaration: unknown token 0x{token:08X} at dword {at}")
        at += 1
    kind = VertexKind.SHADER if programmable else VertexKind.FIXED
    return _layout(elements, kind, constants=tuple(constants), tessellator=tuple(tessellator))


def _load(elements: list[tuple[int, int, int, int]], token: int, stream: int, offset: int, at: int) -> int:
    """A D3DVSD_REG token; returns the bytes that it takes in the stream."""
    kind_of, register = token >> 16 & 15, token & 31
    if kind_of > ElementType.SHORT4 or register >= INPUT_REGISTERS:
        raise BadInput(f"vertex declaration: type {kind_of} for register v{register} at dword {at}")
    if stream >= 0:
        elements.append((stream, offset, kind_of, register))
    return SIZES[kind_of]


def _tessellator(token: int, uv: int) -> TessellatorOutput:
    register = min(token & 31, INPUT_REGISTERS - 1)
    return TessellatorOutput(register, -1 if uv else token >> 20 & 15)


def _constant(constants: list[tuple[int, np.ndarray]], words: np.ndarray, at: int) -> int:
    """A D3DVSD_CONST token; returns the dwords that follow it."""
    count, first = int(words[at]) >> 25 & 15, int(words[at]) & 0x7F
    values = words[at + 1 : at + 1 + 4 * count]
    if len(values) < 4 * count:
        raise BadInput(f"vertex declaration: constants at dword {at} need {4 * count} dwords, {len(values)} left")
    constants.append((first, values.view(np.float32).reshape(-1, 4).copy()))
    return 4 * count


# ---- compiled: a batch of vertices into the input rows -----------------------------------------

_word_at = record_at(np.dtype([("value", "<u4")]))


@outlined
def fetch(layout, wanted, streams, numbers, first, lanes, rows, addresses):
    """Fills the input rows with the vertices numbers[first ...]; returns how many elements lay outside their stream.

    wanted: the registers that are read, one bit each; the others are left out.

    numbers has BATCH valid entries from `first` on, of which the first `lanes` count; addresses is scratch for BATCH.
    """
    outside, current, whole = 0, np.int64(-1), False
    for e in range(layout.element_count):
        element = layout.element[e]
        if not wanted >> element.register & 1:
            continue
        if not whole or element.stream != current:
            current = np.int64(element.stream)
            whole = locate_vertices(streams[current], layout.extent[current], numbers, first, lanes, addresses)
        offset = np.int64(element.offset)
        if not whole:
            outside += locate_element(element, streams, numbers, first, lanes, addresses)
            offset = np.int64(0)
        for chunk in range(0, lanes, 16):
            store4(rows, INPUT + 4 * element.register, chunk, fetch_element(element.type, addresses, chunk, offset))
    return outside


@stage
def locate_vertices(stream, extent, numbers, first, lanes, addresses):
    """Where the vertices begin; False if one of them, and what is read with its last element, is not wholly in the stream."""
    lowest, highest = np.int64(numbers[first]), np.int64(numbers[first])
    begin, stride = stream.address + stream.start, stream.stride
    for lane in range((lanes + 15) // 16 * 16):
        number = np.int64(numbers[first + lane])
        lowest, highest = min(lowest, number), max(highest, number)
        addresses[lane] = begin + number * stride
    last = stream.start + highest * stride + extent + (READ - 4)
    return stream.start + lowest * stride >= 0 and last <= stream.size


@outlined
def locate_element(element, streams, numbers, first, lanes, addresses):
    """Where one element of each vertex is: zeros for those outside, a copy at the end.  Returns how many are outside."""
    stream = streams[element.stream]
    start, stride, last = stream.start + element.offset, stream.stride, stream.size - element.size
    address, nothing = stream.address, streams[NOTHING].address
    outside = 0
    for lane in range((lanes + 15) // 16 * 16):
        offset = start + np.int64(numbers[first + lane]) * stride
        inside = offset >= 0 and offset <= last
        addresses[lane] = address + offset if inside else nothing
        if inside and offset + READ > stream.size:
            addresses[lane] = nothing + READ * (lane + 1)
            copy_words(address + offset, addresses[lane], element.size)
        if lane < lanes and not inside:
            outside += 1
    return outside


@stage
def copy_words(address, to, size):
    """So many bytes from one address to another."""
    for at in range(0, size, 4):
        _word_at(memory_at(to + at), 0).value = _word_at(memory_at(address + at), 0).value


@stage
def fetch_element(kind_of, addresses, chunk, offset):
    """An element of sixteen vertices, at addresses + offset; components that it lacks are 0, 0, 0, 1."""
    x, y, z, w = words_at(addresses, chunk, offset)
    if kind_of == ElementType.FLOAT3:
        return Color(bits_float(x), bits_float(y), bits_float(z), F(1.0))
    if kind_of == ElementType.FLOAT2:
        return Color(bits_float(x), bits_float(y), F(0.0), F(1.0))
    if kind_of == ElementType.FLOAT4:
        return Color(bits_float(x), bits_float(y), bits_float(z), bits_float(w))
    if kind_of == ElementType.D3DCOLOR:
        return bytes_of(x, 16, 0) / F(255.0)
    if kind_of == ElementType.UBYTE4:
        return bytes_of(x, 0, 16)
    if kind_of == ElementType.SHORT2:
        return Color(low_half(x), high_half(x), F(0.0), F(1.0))
    if kind_of == ElementType.SHORT4:
        return Color(low_half(x), high_half(x), low_half(y), high_half(y))
    return Color(bits_float(x), F(0.0), F(0.0), F(1.0))


@stage
def bytes_of(word, x, z):
    """The bytes of a word as numbers; the first and the third are those at bits x and z."""
    return Color(to_float(word >> x & 255), to_float(word >> 8 & 255), to_float(word >> z & 255), to_float(word >> 24 & 255))


@stage
def low_half(word):
    return to_float(word << 16 >> 16)


@stage
def high_half(word):
    return to_float(word >> 16)


@outlined
def default_inputs(layout, rows, lanes):
    """The registers that the layout does not fill: 0, 0, 0, 1.  Once per draw: fetch does not touch them."""
    for register in range(INPUT_REGISTERS):
        if not layout.present >> register & 1:
            for chunk in range(0, lanes, 16):
                store4(rows, INPUT + 4 * register, chunk, Color(F(0.0), F(0.0), F(0.0), F(1.0)))
