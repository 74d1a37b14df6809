"""Assembly: text to shader code.

One instruction a line, as the DirectX 8 assembler takes it: the version first (vs_1_1, vs.1.1), `;` and `//` begin remarks,
`+` pairs an instruction with the one before, result modifiers follow the name (mul_x2_sat), source modifiers the register
(-r0_bx2, 1-r0), then components (.xy, .rgb).  Constants are addressed as c4, c[4], c[a0.x], c[a0.x + 4].
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from core.ddi.stream.shader_code import DEF_LITERALS
from core.errors import ShaderError
from core.spec.kinds import float_bits
from core.spec.shaders import (
    COISSUE,
    MASK_SHIFT,
    MODIFIER_SHIFT,
    MODIFIERS,
    PARAMETER,
    REGISTER_FILES,
    RELATIVE,
    SHIFT_SHIFT,
    SHIFTS,
    SOURCE_MODIFIER_SHIFT,
    SWIZZLE_SHIFT,
    TYPE_SHIFT,
    VERSION_OF,
    Row,
    Sio,
    instruction_named,
)

COMPONENTS = {letter: i for names in ("xyzw", "rgba") for i, letter in enumerate(names)}
MODIFIER_OF = {text: number for number, text in MODIFIERS.items()}
SHIFT_OF = {text: number for number, text in SHIFTS.items()}

_NAME = re.compile(r"(?P<name>[a-z][a-z0-9]*)(?P<suffix>(?:_[a-z0-9]+)*)", re.IGNORECASE)
_OPERAND = re.compile(
    r"(?P<before>1\s*-\s*|-\s*)?(?P<register>o(?:pos|fog|pts)|[a-z]+)(?P<index>\d+)?(?:\[(?P<address>[^\]]*)\])?"
    r"(?P<after>_[a-z0-9]+)?(?:\.(?P<components>[a-z]+))?",
    re.IGNORECASE,
)


class Assembly(NamedTuple):
    """code: uint32[:], END included; lines: for each dword the line of the text that it was made of, from 1."""

    code: np.ndarray
    lines: tuple[int, ...]


def assemble(text: str) -> np.ndarray:
    """The code, uint32[:], END included; ShaderError names the line that cannot be assembled."""
    return assembly(text).code


def assembly(text: str) -> Assembly:
    """The code and where in the text each dword comes from; ShaderError names the line that cannot be assembled."""
    lines = list(_lines(text))
    if not lines:
        raise ShaderError(0, "line 1: missing version")
    number, first = lines[0]
    version = VERSION_OF.get(first.lower().replace(".", "_"))
    if version is None:
        raise ShaderError(0, f"line {number}: {first!r} is not a version of a DirectX 8 shader")
    words, origins = [version], [number]
    for number, line in lines[1:]:
        try:
            words += _line(version, line)
        except ValueError as error:
            raise ShaderError(len(words), f"line {number}: {error}") from None
        origins += [number] * (len(words) - len(origins))
    return Assembly(np.array([*words, int(Sio.END)], np.uint32), (*origins, number))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.split(r";|//", line, maxsplit=1)[0].strip()
        if bare:
            yield number, bare


def _line(version: int, line: str) -> list[int]:
    coissue = COISSUE if line.startswith("+") else 0
    name, _, rest = line.lstrip("+").strip().partition(" ")
    if name.lower() == "comment":
        data = [int(part, 0) for part in rest.split()]
        return [Sio.COMMENT | len(data) << 16, *data]
    row, suffix = _row(version, name)
    operands = [part.strip() for part in rest.split(",")] if rest.strip() else []
    expected = row.dest + (DEF_LITERALS if row.op == Sio.DEF else row.sources)
    if len(operands) != expected:
        raise ValueError(f"{row.name} takes {expected} operands, not {len(operands)}")
    words = [int(row.op) | coissue]
    if row.dest:
        words.append(_destination(version, operands.pop(0), suffix))
    if row.op == Sio.DEF:
        return words + [_literal(part) for part in operands]
    return words + [_source(version, part) for part in operands]


def _row(version: int, name: str) -> tuple[Row, str]:
    match = _NAME.fullmatch(name)
    row = instruction_named(version, match["name"].lower()) if match else None
    if row is None or match is None:
        raise ValueError(f"{name!r} is not an instruction of this version")
    return row, match["suffix"].lower()


def _literal(text: str) -> int:
    return (
        int(text, 16) if text.lower().startswith("0x") else float_bits(float(text.rstrip("fF") if "inf" not in text else text))
    )


def _register(version: int, register: str, index: str | None) -> tuple[int, int]:
    """(type, index) of a register's name."""
    whole = f"{register}{index or ''}".lower()
    for type, file in REGISTER_FILES[version].items():
        named = [name.lower() for name in file.names]
        if whole in named:
            return type, named.index(whole)
        if register.lower() == file.name.lower() and not file.names:
            return type, int(index or 0)
    raise ValueError(f"{whole!r} is not a register of this version")


def _match(text: str) -> re.Match[str]:
    match = _OPERAND.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not an operand")
    return match


def _components(text: str | None) -> list[int]:
    if text is None:
        return [0, 1, 2, 3]
    if not all(letter in COMPONENTS for letter in text.lower()) or len(text) > 4:
        raise ValueError(f"{text!r} are not components")
    return [COMPONENTS[letter] for letter in text.lower()]


def _destination(version: int, text: str, suffix: str) -> int:
    match = _match(text)
    if match["before"] or match["after"] or match["address"] is not None:
        raise ValueError(f"{text!r} cannot be written to")
    type, index = _register(version, match["register"], match["index"])
    mask = 0 if match["components"] == "none" else sum({1 << i for i in _components(match["components"])})
    return _parameter(type, index) | mask << MASK_SHIFT | _result_modifiers(suffix)


def _result_modifiers(suffix: str) -> int:
    """'_x2_sat' -> bits of the destination token."""
    bits = 0
    for part in re.findall(r"_[a-z0-9]+", suffix):
        if part == "_sat":
            bits |= 1 << MODIFIER_SHIFT
        elif part in SHIFT_OF:
            bits |= (SHIFT_OF[part] & 15) << SHIFT_SHIFT
        else:
            raise ValueError(f"{part!r} is not a result modifier")
    return bits


def _source(version: int, text: str) -> int:
    match = _match(text)
    type, index = _register(version, match["register"], match["index"])
    relative, offset = _address(match["address"])
    key = ((match["before"] or "").replace(" ", ""), (match["after"] or "").lower())
    if key not in MODIFIER_OF:
        raise ValueError(f"{text!r} has no such modifier")
    components = _components(match["components"])
    components += components[-1:] * (4 - len(components))
    swizzle = sum(component << 2 * i for i, component in enumerate(components))
    return (
        _parameter(type, index + offset)
        | swizzle << SWIZZLE_SHIFT
        | int(MODIFIER_OF[key]) << SOURCE_MODIFIER_SHIFT
        | (RELATIVE if relative else 0)
    )


def _address(text: str | None) -> tuple[bool, int]:
    """What stands in the brackets: (relative to a0.x, number)."""
    relative, number = False, 0
    for part in (text or "0").replace(" ", "").split("+"):
        if part.lower() in ("a0.x", "a0"):
            relative = True
        elif part.isdigit():
            number += int(part)
        else:
            raise ValueError(f"{text!r} is not an address")
    return relative, number


def _parameter(type: int, index: int) -> int:
    if index > 0x7FF:
        raise ValueError(f"register {index} does not exist")
    return PARAMETER | type << TYPE_SHIFT | index
