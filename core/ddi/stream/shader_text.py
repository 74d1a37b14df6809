"""Disassembly: instructions in the syntax of the DirectX assembler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.ddi.stream.shader_code import Destination, Instruction, Shader, Source, decode
from core.spec.kinds import float_bits, float_of, float_text
from core.spec.shaders import (
    IDENTITY,
    MODIFIERS,
    REGISTER_FILES,
    REPLICATE,
    SHIFTS,
    Sio,
    is_pixel,
)


def letters(version: int) -> str:
    """Component names: rgba in pixel shaders, xyzw in vertex shaders."""
    return "rgba" if is_pixel(version) else "xyzw"


def register_text(version: int, type: int, index: int) -> str:
    """'r0', 'oPos', 'c12'; 'type5_3' for what the version does not have."""
    file = REGISTER_FILES[version].get(type)
    return file.register(index) if file else f"type{type}_{index}"


def mask_text(version: int, mask: int) -> str:
    """'.xy', empty for all four; '.none' for a destination that writes nothing."""
    if mask == 15:
        return ""
    return "." + ("".join(letter for i, letter in enumerate(letters(version)) if mask >> i & 1) or "none")


def swizzle_text(version: int, swizzle: int) -> str:
    """'.w' for a replicated component, '.yzxw' otherwise, empty for the identity."""
    names = letters(version)
    if swizzle == IDENTITY:
        return ""
    if swizzle in REPLICATE:
        return "." + names[REPLICATE[swizzle]]
    return "." + "".join(names[swizzle >> 2 * i & 3] for i in range(4))


def destination_text(version: int, dest: Destination) -> str:
    return register_text(version, dest.type, dest.index) + mask_text(version, dest.mask)


def source_text(version: int, source: Source) -> str:
    before, after = MODIFIERS.get(source.modifier, ("", f"_modifier{source.modifier}"))
    name = register_text(version, source.type, source.index)
    if source.relative:
        name = f"{name.rstrip('0123456789')}[a0.x + {source.index}]"
    return before + name + after + swizzle_text(version, source.swizzle)


def literal_text(dword: int) -> str:
    """A number that assembles to the same bits: decimal, or hexadecimal for the unusual NaNs."""
    text = float_text(dword)
    value = float_of(dword)
    return text if value == value and float_bits(float(text)) == dword else f"{dword:#010x}"


def _name(one: Instruction) -> str:
    name = one.row.name
    if one.dest is None:
        return name
    shift = SHIFTS.get(one.dest.shift, f"_shift{one.dest.shift}" if one.dest.shift else "")
    modifier = "_sat" if one.dest.modifier == 1 else f"_modifier{one.dest.modifier}" if one.dest.modifier else ""
    return name + shift + modifier


def _operands(version: int, one: Instruction) -> Iterator[str]:
    if one.dest is not None:
        yield destination_text(version, one.dest)
    yield from (source_text(version, source) for source in one.sources)
    if one.op == Sio.DEF:
        yield from map(literal_text, one.literals)


def instruction_text(version: int, one: Instruction) -> str:
    """One line: '+mul_x2_sat r0.rgb, r0, 1-t0.a'."""
    if one.op == Sio.COMMENT:
        return "comment " + " ".join(f"{dword:#010x}" for dword in one.literals)
    operands = ", ".join(_operands(version, one))
    return ("+" if one.coissue else "") + _name(one) + (f" {operands}" if operands else "")


def listing(shader: Shader) -> list[str]:
    """The instructions that compute, one line each."""
    return [instruction_text(shader.version, one) for one in shader.computing]


def disassemble(code: Any) -> str:
    """The whole shader as text that `shader_assemble.assemble` turns back into the same dwords (reserved bits apart)."""
    shader = code if isinstance(code, Shader) else decode(code)
    return "\n".join([shader.name, *(text for _, text in lines(shader))]) + "\n"


def lines(code: Any) -> list[tuple[int, str]]:
    """(dword, text) of each instruction before END: what the shader panel shows."""
    shader = code if isinstance(code, Shader) else decode(code)
    return [(one.dword, instruction_text(shader.version, one)) for one in shader.instructions if one.op != Sio.END]
