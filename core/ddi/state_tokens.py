"""The tokens that give slots of the register vector the values they hold: the way back from state to a stream."""

from __future__ import annotations

import numpy as np

from core.device.registers import Registers
from core.spec.enums import LightData
from core.spec.slots import BASE, PIXEL_CONSTANTS, SLOTS, STREAMS, VERTEX_CONSTANTS
from core.spec.tokens import Op

VIEW, PROJECTION, TEXTURE0, WORLD0 = 2, 3, 16, 256  # D3DTRANSFORMSTATETYPE
STAGE_STATES = 32
LIGHT_WORDS = 26
FIELDS = sorted((first, name) for name, first in BASE.items())


def state_tokens(registers: Registers, slot: int, count: int) -> bytes | None:
    """Tokens after which `count` slots from `slot` hold what they hold in `registers`; None if no token sets them.

    A token that sets more than asked for sets the rest to what it is, too.
    """
    if slot >= SLOTS:
        return _numbered(registers, slot, count)
    found = b""
    for at in range(slot, slot + count):
        name = next(name for first, name in reversed(FIELDS) if first <= at)
        made = _token(registers.vector, name, at - BASE[name])
        if made is None:
            return None
        found += made if made not in found else b""
    return found


def _words(op: str, *parts: int | np.ndarray) -> bytes:
    """One token of one record that is made of dwords."""
    body = np.concatenate([np.atleast_1d(np.asarray(part, np.uint32)) for part in parts])
    return bytes((int(Op[op]), 0, 1, 0)) + body.astype("<u4").tobytes()


def _token(vector: np.ndarray, name: str, at: int) -> bytes | None:
    """The token that sets dword `at` of a field of the register vector."""
    field = vector[BASE[name] :]
    match name:
        case "render_state":
            return _words("RENDERSTATE", at, field[at])
        case "texture_stage":
            return _words("TEXTURESTAGESTATE", at // STAGE_STATES | at % STAGE_STATES << 16, field[at])
        case "view" | "projection":
            return _words("SETTRANSFORM", VIEW if name == "view" else PROJECTION, field[:16])
        case "texture_transform" | "world":
            first = at // 16 * 16
            number = (TEXTURE0 if name == "texture_transform" else WORLD0) + at // 16
            return _words("SETTRANSFORM", number, field[first : first + 16])
        case "material":
            return _words("SETMATERIAL", field[:17])
        case "viewport":
            return _words("VIEWPORTINFO", field[:4])
        case "zrange" | "winfo":
            return _words(name.upper(), field[:2])
        case "clip_plane":
            return _words("SETCLIPPLANE", at // 4, field[at // 4 * 4 : at // 4 * 4 + 4])
        case "stream":
            return _stream(vector, at // 3)
        case "indices":
            return _words("SETINDICES", field[:2])
        case "render_target" | "depth_stencil":
            return _words("SETRENDERTARGET", vector[BASE["render_target"]], vector[BASE["depth_stencil"]])
        case "vertex_shader":
            rest = b"".join(_stream(vector, n) for n in range(STREAMS)) if not field[0] else _constants(vector, "VERTEX")
            return _words("SETVERTEXSHADER", field[0]) + rest
        case "pixel_shader":
            return _words("SETPIXELSHADER", field[0]) + (_constants(vector, "PIXEL") if field[0] else b"")
        case "vs_const" | "ps_const":
            kind = "VERTEX" if name == "vs_const" else "PIXEL"
            return _words(f"SET{kind}SHADERCONST", at // 4, 1, field[at // 4 * 4 : at // 4 * 4 + 4])
    return None


def _stream(vector: np.ndarray, number: int) -> bytes:
    handle, stride, user = vector[BASE["stream"] + 3 * number :][:3].tolist()
    return _words("SETSTREAMSOURCEUM", number, stride) if user else _words("SETSTREAMSOURCE", number, handle, stride)


def _constants(vector: np.ndarray, kind: str) -> bytes:
    """All constants of a kind of shader: making a shader current loads those that it defines."""
    count, first = (VERTEX_CONSTANTS, "vs_const") if kind == "VERTEX" else (PIXEL_CONSTANTS, "ps_const")
    return _words(f"SET{kind}SHADERCONST", 0, count, vector[BASE[first] :][: 4 * count])


def _numbered(registers: Registers, slot: int, count: int) -> bytes | None:
    """Lights and palettes."""
    owner = registers.key_of(slot)
    if owner is None:
        return None
    kind, number, word = owner
    first = slot - word
    if kind == "palette":
        return _words("UPDATEPALETTE", number, word | count << 16, registers.vector[slot : slot + count])
    found = b""
    if word < LIGHT_WORDS:
        found += _words("SETLIGHT", number, int(LightData.DATA), registers.vector[first : first + LIGHT_WORDS])
    if word + count > LIGHT_WORDS:
        on = registers.vector[first + LIGHT_WORDS]
        found += _words("SETLIGHT", number, int(LightData.ENABLE if on else LightData.DISABLE))
    return found
