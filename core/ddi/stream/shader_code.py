"""Shader code: dwords to instructions, and instructions to the records that the kernels run.

`decode` reads the whole code of a shader and says where it breaks; `program` and `constants` are what runs.  Printing,
assembling and checking stand beside it: shader_text, shader_assemble, shader_check; vertex declarations in
vertex_declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import ShaderError
from core.spec.shaders import (
    COISSUE,
    IDENTITY,
    INSTRUCTION,
    MASK_SHIFT,
    MODIFIER_SHIFT,
    PARAMETER,
    REGISTER_MASK,
    RELATIVE,
    REPLICATE,
    SHIFT_SHIFT,
    SOURCE_MODIFIER_SHIFT,
    SWIZZLE_SHIFT,
    TYPE_SHIFT,
    VERSIONS,
    Row,
    Sio,
    instruction,
    is_pixel,
)

DEF_LITERALS = 4


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a result goes: `mask` bits x=1 y=2 z=4 w=8; `shift` a power of two; `modifier` bit 0 saturates."""

    type: int
    index: int
    mask: int = 15
    shift: int = 0
    modifier: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """Where an operand comes from: swizzle first, then the modifier (core.spec.shaders.Spsm)."""

    type: int
    index: int
    swizzle: int = IDENTITY
    modifier: int = 0
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of a shader, comments and END included; `dword` is its place counted from the version token.

    `literals` are the raw dwords of DEF and of comments.
    """

    row: Row
    dword: int
    dest: Destination | None = None
    sources: tuple[Source, ...] = ()
    coissue: bool = False
    phase: int = 0
    literals: tuple[int, ...] = ()

    @property
    def op(self) -> int:
        return int(self.row.op)


@dataclass(frozen=True, slots=True)
class Shader:
    """Decoded code.  `instructions` end with END; `size` is the length in dwords up to and including it."""

    version: int
    instructions: tuple[Instruction, ...]
    size: int

    @property
    def name(self) -> str:
        return VERSIONS[self.version]

    @property
    def computing(self) -> list[Instruction]:
        """The instructions that compute something: no NOP, DEF, comment, PHASE, END."""
        return [one for one in self.instructions if one.row.kind != "other"]


def dwords(code: Any) -> np.ndarray:
    """Shader code given as bytes, sequences or arrays, as uint32[:]; a last incomplete dword is left out."""
    if isinstance(code, bytes | bytearray | memoryview):
        return np.frombuffer(code, "<u4", len(code) // 4)
    array = np.asarray(code)
    return array.view("<u4") if array.dtype.itemsize == 4 else array.astype("<u4")


def decode(code: Any) -> Shader:
    """Reads a whole shader; ShaderError says at which dword it stops making sense."""
    words = dwords(code).tolist()
    if not words:
        raise ShaderError(0, "the shader has no code")
    version = words[0]
    if version not in VERSIONS:
        raise ShaderError(0, f"{version:#010x} is not a version of a DirectX 8 shader")
    instructions: list[Instruction] = []
    at = 1
    while not instructions or instructions[-1].op != Sio.END:
        one, at = _instruction(version, words, at)
        instructions.append(one)
    return Shader(version, tuple(_phased(version, instructions)), at)


def _instruction(version: int, words: list[int], at: int) -> tuple[Instruction, int]:
    if at >= len(words):
        raise ShaderError(at, "the code ends without an END token")
    token = words[at]
    row = instruction(version, token & 0xFFFF)
    if token & PARAMETER:
        raise ShaderError(at, f"{token:#010x} is an operand where an instruction is expected")
    if row is None:
        raise ShaderError(at, f"{VERSIONS[version]} has no instruction {token & 0xFFFF:#x}")
    if row.op == Sio.COMMENT:
        return _literals(row, words, at, at + 1, (token >> 16) & 0x7FFF, None)
    coissue = bool(token & COISSUE) and is_pixel(version)
    dest = _destination(_operand(words, at + 1, row)) if row.dest else None
    if row.op == Sio.DEF:
        return _literals(row, words, at, at + 2, DEF_LITERALS, dest)
    first = at + 1 + row.dest
    sources = tuple(_source(_operand(words, first + i, row)) for i in range(row.sources))
    return Instruction(row, at, dest, sources, coissue), first + row.sources


def _literals(row: Row, words: list[int], at: int, first: int, count: int, dest: Destination | None) -> tuple[Instruction, int]:
    if first + count > len(words):
        raise ShaderError(at, f"{row.name} needs {count} dwords, {len(words) - first} left")
    return Instruction(row, at, dest, literals=tuple(words[first : first + count])), first + count


def _operand(words: list[int], at: int, row: Row) -> int:
    if at >= len(words):
        raise ShaderError(at, f"the code ends within {row.name}")
    if not words[at] & PARAMETER:
        raise ShaderError(at, f"{words[at]:#010x} is not an operand of {row.name}")
    return words[at]


def _destination(token: int) -> Destination:
    shift = token >> SHIFT_SHIFT & 15
    return Destination(
        token >> TYPE_SHIFT & 7,
        token & REGISTER_MASK,
        token >> MASK_SHIFT & 15,
        shift - 16 * (shift > 7),
        token >> MODIFIER_SHIFT & 15,
    )


def _source(token: int) -> Source:
    return Source(
        token >> TYPE_SHIFT & 7,
        token & REGISTER_MASK,
        token >> SWIZZLE_SHIFT & 0xFF,
        token >> SOURCE_MODIFIER_SHIFT & 15,
        bool(token & RELATIVE),
    )


def _phased(version: int, instructions: list[Instruction]) -> Iterator[Instruction]:
    """Instructions of ps_1_4 know their phase: all 2 when there is no marker."""
    marks = [i for i, one in enumerate(instructions) if one.op == Sio.PHASE]
    split = marks[0] if marks else -1
    for i, one in enumerate(instructions):
        phase = (1 if i <= split else 2) if version & 0xFF == 4 else 0
        yield Instruction(one.row, one.dword, one.dest, one.sources, one.coissue, phase, one.literals)


# ---- what the kernels run --------------------------------------------------------------------


def program(code: Any) -> np.ndarray:
    """The instructions that compute, as INSTRUCTION records.

    Scalar instructions of vertex shaders (rcp, rsq, exp, log, expp, logp) get a replicate swizzle: w for the identity
    swizzle, as D3D8 does.  texkill's operand is its destination.
    """
    shader = code if isinstance(code, Shader) else decode(code)
    records = np.zeros(len(shader.computing), INSTRUCTION)
    records["source"]["swizzle"] = IDENTITY
    for record, one in zip(records, shader.computing, strict=True):
        _fill(record, one)
    return records


def _fill(record: np.void, one: Instruction) -> None:
    dest = one.dest
    record["op"], record["dword"], record["coissue"], record["phase"] = one.op, one.dword, one.coissue, one.phase
    record["source_count"] = len(one.sources)
    record["dest_type"], record["dest_index"] = (dest.type, dest.index) if dest else (-1, 0)
    if dest:
        record["write_mask"], record["dest_shift"], record["saturate"] = dest.mask, dest.shift, dest.modifier & 1
    for i, source in enumerate(one.sources):
        record["source"][i] = (
            source.type,
            source.index,
            _scalar_swizzle(one.row, source.swizzle),
            source.modifier,
            source.relative,
        )


def _scalar_swizzle(row: Row, swizzle: int) -> int:
    """The swizzle that takes effect: scalar instructions read one component, w when none is singled out."""
    return swizzle if not row.scalar or swizzle in REPLICATE else (swizzle >> 6) * 0x55


def constants(code: Any) -> dict[int, tuple[float, float, float, float]]:
    """Constant registers that DEF sets whenever the shader becomes current."""
    shader = code if isinstance(code, Shader) else decode(code)
    return {
        one.dest.index: tuple(np.array(one.literals, "<u4").view("<f4").tolist())
        for one in shader.instructions
        if one.op == Sio.DEF and one.dest is not None
    }


def code_size(code: Any) -> int:
    """Bytes of the shader at the start of `code`, END included."""
    return 4 * decode(code).size
