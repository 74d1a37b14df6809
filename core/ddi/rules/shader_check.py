"""Restrictions of the shader models: register files, read ports, modifiers, instruction limits, pairing, phases.

`validate` never raises for code that decodes; it returns every problem with its place.  Rules that the runtime and drivers
treat as mere advice of the assembler (replicate swizzles of scalar instructions) are not checked.

Sources: Microsoft's direct3dhlsl assembler reference (registers and modifiers of vs_1_1 and ps_1_x), DX8 SDK.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from core.ddi.stream.shader_assemble import assembly
from core.ddi.stream.shader_code import Instruction, Shader, Source, decode
from core.ddi.stream.shader_text import register_text
from core.errors import ShaderError
from core.spec.shaders import (
    LIMITS,
    PS_1_4,
    REGISTER_FILES,
    SHIFTS_1_3,
    VS_1_1,
    RastOut,
    Sio,
    Spr,
    Spsm,
    is_pixel,
)


class Problem(NamedTuple):
    """One broken rule: dwords from the version token, one sentence."""

    dword: int
    sentence: str


def validate(code: Any, constants: int = 256) -> list[Problem]:
    """Every broken rule of a shader, in the order of the code; `constants`: the device's MaxVertexShaderConst."""
    try:
        shader = code if isinstance(code, Shader) else decode(code)
    except ShaderError as error:
        return [Problem(error.offset, str(error).partition(": ")[2])]
    rules = PIXEL_RULES if is_pixel(shader.version) else VERTEX_RULES
    problems = [problem for rule in (*COMMON_RULES, *rules) for problem in rule(shader, constants)]
    return sorted(set(problems))


def assemble_checked(text: str, before: Any = None) -> np.ndarray:
    """The code of a shader's text, uint32[:]; ShaderError names the first line that breaks a rule of the version.

    `before` is the code that this one replaces: rules that it breaks, and was accepted with, may stay broken.
    """
    code, lines = assembly(text)
    known = set() if before is None else {problem.sentence for problem in validate(before)}
    for problem in validate(code):
        if problem.sentence not in known:
            raise ShaderError(problem.dword, f"line {lines[problem.dword]}: {problem.sentence}")
    return code


def limits(shader: Shader, constants: int = 256) -> list[Problem]:
    """What no device of the version can run: registers it does not have, more instructions than it holds."""
    size = _pixel_size if is_pixel(shader.version) else _vertex_size
    return sorted({problem for rule in (_registers, size) for problem in rule(shader, constants)})


def _registers(shader: Shader, constants: int) -> Iterator[Problem]:
    """Registers exist."""
    for one, type, index, _ in _operands(shader):
        file = REGISTER_FILES[shader.version].get(type)
        count = constants if type == Spr.CONST and not is_pixel(shader.version) else file.count if file else 0
        if index >= count:
            yield Problem(one.dword, f"{shader.name} has no register {register_text(shader.version, type, index)}")


def _access(shader: Shader, constants: int) -> Iterator[Problem]:
    """Registers may be read or written; def sets constants."""
    for one, type, index, written in _operands(shader):
        file, name = REGISTER_FILES[shader.version].get(type), register_text(shader.version, type, index)
        if file is None:
            continue
        if written and not file.writable and one.op not in (Sio.DEF, Sio.TEXKILL):
            yield Problem(one.dword, f"{name} cannot be written")
        elif not written and not file.readable:
            yield Problem(one.dword, f"{name} cannot be read")
        if written and one.op == Sio.DEF and type != Spr.CONST:
            yield Problem(one.dword, "def sets constant registers only")


def _operands(shader: Shader) -> Iterator[tuple[Instruction, int, int, bool]]:
    """(instruction, register type, number, written) of every register that is named; not those relative to a0.x."""
    for one in shader.instructions:
        for source in one.sources:
            if not source.relative:
                yield one, source.type, source.index, False
        if one.dest:
            yield one, one.dest.type, one.dest.index, True


def _read_ports(shader: Shader, constants: int) -> Iterator[Problem]:
    """How many different registers of a file one instruction may read."""
    files = REGISTER_FILES[shader.version]
    for one in shader.computing:
        for type, file in files.items():
            distinct = {(s.index, s.relative) for s in one.sources if s.type == type}
            if file.readable and len(distinct) > file.read_ports:
                yield Problem(
                    one.dword,
                    f"{one.row.name} reads {len(distinct)} different {file.name} registers, at most {file.read_ports}",
                )


def _initialised(shader: Shader, constants: int) -> Iterator[Problem]:
    """Components of temporary registers are written before they are read."""
    written: dict[tuple[int, int], int] = {}
    pending: list[tuple[tuple[int, int], int]] = []
    for one in shader.computing:
        if not one.coissue:
            _write(written, pending)
        for source, needed in zip(one.sources, one.row.reads, strict=True):
            if source.type == Spr.TEMP and _needed(one, source, needed) & ~written.get((Spr.TEMP, source.index), 0):
                yield Problem(
                    one.dword, f"{register_text(shader.version, Spr.TEMP, source.index)} is read before it is written"
                )
        if one.dest and one.op != Sio.TEXKILL:
            pending.append(
                ((one.dest.type, one.dest.index), 15 if one.row.kind == "texture" and one.op != Sio.TEXCOORD else one.dest.mask)
            )
    _write(written, pending)


def _write(written: dict[tuple[int, int], int], pending: list[tuple[tuple[int, int], int]]) -> None:
    for key, mask in pending:
        written[key] = written.get(key, 0) | mask
    pending.clear()


def _needed(one: Instruction, source: Source, needed: str) -> int:
    """Bits of the register's components that the instruction looks at through the swizzle."""
    mask = (
        one.dest.mask
        if needed == "mask" and one.dest
        else 15
        if needed == "mask"
        else sum(1 << "xyzw".index(c) for c in needed)
    )
    return sum({1 << (source.swizzle >> 2 * i & 3) for i in range(4) if mask >> i & 1})


# ---- vertex shaders --------------------------------------------------------------------------


def _vertex_size(shader: Shader, constants: int) -> Iterator[Problem]:
    used = 0
    for one in shader.computing:
        used += one.row.slots
        if used > LIMITS[shader.version].total >= used - one.row.slots:
            yield Problem(one.dword, f"more than {LIMITS[shader.version].total} instruction slots")


def _vertex_position(shader: Shader, constants: int) -> Iterator[Problem]:
    mask = sum(
        {
            1 << i
            for one in shader.computing
            if one.dest and (one.dest.type, one.dest.index) == (Spr.RASTOUT, RastOut.POSITION)
            for i in range(4)
            if one.dest.mask >> i & 1
        }
    )
    if mask != 15:
        yield Problem(shader.size - 1, "oPos is not written" if not mask else "not all components of oPos are written")


def _vertex_address(shader: Shader, constants: int) -> Iterator[Problem]:
    """a0.x: vs_1_1 only, written by mov, and before constants are addressed by it."""
    ready = False
    for one in shader.computing:
        for source in one.sources:
            if source.relative and source.type != Spr.CONST:
                yield Problem(one.dword, "only constants can be addressed relative to a0.x")
            elif source.relative and shader.version != VS_1_1:
                yield Problem(one.dword, f"{shader.name} has no address register")
            elif source.relative and not ready:
                yield Problem(one.dword, "a0.x is used before it is written")
        if one.dest and one.dest.type == Spr.ADDR and shader.version == VS_1_1:
            ready = True
            if one.op != Sio.MOV or one.dest.mask != 1:
                yield Problem(one.dword, "only mov writes a0, and only a0.x")


def _vertex_forms(shader: Shader, constants: int) -> Iterator[Problem]:
    """Modifiers vertex shaders lack, masks and operands of single instructions."""
    for one in shader.computing:
        if one.dest and (one.dest.shift or one.dest.modifier):
            yield Problem(one.dword, "vertex shaders have no result modifiers")
        if any(source.modifier not in (Spsm.NONE, Spsm.NEG) for source in one.sources):
            yield Problem(one.dword, "vertex shaders negate sources, nothing else")
        if one.op == Sio.FRC and one.dest and one.dest.mask not in (2, 3):
            yield Problem(one.dword, "frc writes .y or .xy")
        if one.row.rows:
            yield from _matrix(shader, one, constants)


def _matrix(shader: Shader, one: Instruction, constants: int) -> Iterator[Problem]:
    first, second = one.sources[0], one.sources[1]
    if second.type == Spr.CONST and not second.relative and second.index + one.row.rows > constants:
        yield Problem(one.dword, f"{one.row.name} reads constants past c{constants - 1}")
    if one.dest and (one.dest.type, one.dest.index) == (first.type, first.index):
        yield Problem(one.dword, f"{one.row.name} cannot write the register it reads")


# ---- pixel shaders ---------------------------------------------------------------------------


def _pixel_size(shader: Shader, constants: int) -> Iterator[Problem]:
    """Instruction slots: of each kind, in ps_1_4 of each phase; a pair counts once."""
    limits = LIMITS[shader.version]
    used: dict[tuple[int, str], int] = {}
    for one in shader.computing:
        key = (one.phase, one.row.kind)
        most = limits.texture if one.row.kind == "texture" else limits.arithmetic
        used[key] = used.get(key, 0) + (0 if one.coissue else one.row.slots)
        if used[key] > most >= used[key] - one.row.slots and not one.coissue:
            yield Problem(
                one.dword,
                f"more than {most} {one.row.kind} instruction slots" + (f" in phase {one.phase}" if one.phase else ""),
            )


def _pixel_order(shader: Shader, constants: int) -> Iterator[Problem]:
    """Texture instructions stand before arithmetic ones, in each phase; there is one phase marker, def comes first."""
    arithmetic, phases, ran = False, 0, False
    for one in shader.instructions:
        if one.op == Sio.PHASE:
            phases, arithmetic = phases + 1, False
            if phases > 1:
                yield Problem(one.dword, "there is one phase marker at most")
        elif one.op == Sio.DEF and ran:
            yield Problem(one.dword, "def stands before all instructions")
        elif one.row.kind == "texture" and arithmetic:
            yield Problem(one.dword, f"{one.row.name} stands after arithmetic instructions")
        ran |= one.row.kind != "other"
        arithmetic |= one.row.kind == "arithmetic"
        if one.row.phase and one.row.phase != one.phase:
            yield Problem(one.dword, f"{one.row.name} belongs in phase {one.row.phase}")


def _pixel_forms(shader: Shader, constants: int) -> Iterator[Problem]:
    """Modifiers and operands of single instructions."""
    new = shader.version == PS_1_4
    for one in shader.computing:
        if one.dest and not new and one.dest.shift not in SHIFTS_1_3:
            yield Problem(one.dword, f"{shader.name} has no such result shift")
        for source in one.sources:
            yield from _pixel_source(shader, one, source, new)
        if (
            one.op == Sio.CND
            and not new
            and one.sources
            and (one.sources[0].type, one.sources[0].index, one.sources[0].swizzle) != (Spr.TEMP, 0, 0xFF)
        ):
            yield Problem(one.dword, f"cnd of {shader.name} tests r0.a")
        if one.op == Sio.TEXDEPTH and one.dest and (one.dest.type, one.dest.index) != (Spr.TEMP, 5):
            yield Problem(one.dword, "texdepth works on r5")
        if one.op == Sio.TEXCOORD and new and one.dest and one.dest.mask not in (3, 7):
            yield Problem(one.dword, "texcrd writes .rgb or .rg")
        if one.row.kind == "texture" and not new and one.dest and one.dest.type != Spr.TEXTURE:
            yield Problem(one.dword, f"{one.row.name} writes t registers")


def _pixel_source(shader: Shader, one: Instruction, source: Source, new: bool) -> Iterator[Problem]:
    if source.modifier in (Spsm.X2, Spsm.X2NEG, Spsm.DZ, Spsm.DW) and not new:
        yield Problem(one.dword, f"{shader.name} has no such source modifier")
    elif source.modifier in (Spsm.DZ, Spsm.DW) and one.op not in (Sio.TEX, Sio.TEXCOORD):
        yield Problem(one.dword, "_dz and _dw belong to texld and texcrd")
    if new and source.type == Spr.INPUT and one.phase == 1:
        yield Problem(one.dword, "v registers are read in phase 2")
    if new and source.type == Spr.TEXTURE and one.row.kind == "arithmetic":
        yield Problem(one.dword, "t registers are read by texld and texcrd")


def _pixel_pairs(shader: Shader, constants: int) -> Iterator[Problem]:
    """A pair: one writes colour, the other alpha; both arithmetic."""
    before: Instruction | None = None
    for one in shader.computing:
        if one.coissue:
            masks = {one.dest.mask if one.dest else 0, before.dest.mask if before and before.dest else 0}
            if before is None or before.coissue or before.row.kind != "arithmetic" or one.row.kind != "arithmetic":
                yield Problem(one.dword, "+ pairs two arithmetic instructions")
            elif 8 not in masks or masks == {8} or max(masks) > 8:
                yield Problem(one.dword, "of a pair one writes colour, the other alpha")
        before = one


def _pixel_result(shader: Shader, constants: int) -> Iterator[Problem]:
    mask = 0
    for one in shader.computing:
        if one.dest and (one.dest.type, one.dest.index) == (Spr.TEMP, 0) and one.op != Sio.TEXKILL:
            mask |= one.dest.mask
    if mask != 15:
        yield Problem(shader.size - 1, "r0 is not written" if not mask else "not all components of r0 are written")


Rule = Callable[[Shader, int], Iterator[Problem]]
COMMON_RULES: tuple[Rule, ...] = (_registers, _access, _read_ports, _initialised)
VERTEX_RULES: tuple[Rule, ...] = (_vertex_size, _vertex_position, _vertex_address, _vertex_forms)
PIXEL_RULES: tuple[Rule, ...] = (_pixel_size, _pixel_order, _pixel_forms, _pixel_pairs, _pixel_result)
