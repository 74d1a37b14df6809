"""Names for plain numbers in calls of Direct3D 7 and DirectDraw: apitrace writes state values as numbers, vertex formats in
part; programs of core.runtime.d3d7 write flags as numbers, too."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntFlag
from typing import Any

from core.spec.enums import ClearFlag, DdBlt, DdFlip, DdLock
from core.spec.kinds import FVF
from core.spec.states import RENDER_STATE_ID, RENDER_STATES, TEXTURE_STAGE_STATE_ID, TEXTURE_STAGE_STATES

FILTERS = {
    TEXTURE_STAGE_STATE_ID["MAGFILTER"]: ("", "POINT", "LINEAR", "FLATCUBIC", "GAUSSIANCUBIC", "ANISOTROPIC"),
    TEXTURE_STAGE_STATE_ID["MINFILTER"]: ("", "POINT", "LINEAR", "ANISOTROPIC"),
    TEXTURE_STAGE_STATE_ID["MIPFILTER"]: ("", "NONE", "POINT", "LINEAR"),
}
"""D3DTFG, D3DTFN, D3DTFP: the filters of Direct3D 7 have numbers of their own."""

LIGHT_STATES = {
    2: RENDER_STATE_ID["AMBIENT"], 4: RENDER_STATE_ID["FOGVERTEXMODE"], 5: RENDER_STATE_ID["FOGSTART"],
    6: RENDER_STATE_ID["FOGEND"], 7: RENDER_STATE_ID["FOGDENSITY"], 8: RENDER_STATE_ID["COLORVERTEX"],
}  # fmt: skip
"""D3DLIGHTSTATE_* of Direct3D 6 and 5 that are render states; 1 is a material's handle, 3 has no effect."""


def render_state(state: int, value: int) -> str:
    """A value of SetRenderState by name; empty if it has none."""
    row = RENDER_STATES.get(state)
    return row.kind.text(value & 0xFFFFFFFF) if row else ""


def stage_state(state: int, value: int) -> str:
    """A value of SetTextureStageState by name; empty if it has none."""
    if state in FILTERS:
        return FILTERS[state][value] if 0 <= value < len(FILTERS[state]) else ""
    row = TEXTURE_STAGE_STATES.get(state)
    return row.kind.text(value & 0xFFFFFFFF) if row else ""


def light_state(state: int, value: int) -> str:
    """A value of SetLightState by name; empty if it has none."""
    return render_state(LIGHT_STATES[state], value) if state in LIGHT_STATES else ""


STATES: dict[str, tuple[str, str, Callable[[int, int], str]]] = {
    "SetRenderState": ("dwRenderStateType", "dwRenderState", render_state),
    "SetTextureStageState": ("d3dTexStageStateType", "dwState", stage_state),
    "SetLightState": ("dwLightStateType", "dwLightState", light_state),
}
VERTEX_FORMATS = frozenset({"d3dvtVertexType", "dwVertexType"})
SMALLEST_FORMAT = 4  # D3DVT_VERTEX, LVERTEX and TLVERTEX are smaller
OLD_DEVICES = ("IDirect3DDevice7::", "IDirect3DDevice3::", "IDirect3DDevice2::")
SURFACES = "IDirectDrawSurface"


class FastBlit(IntFlag):
    """DDBLTFAST (ddraw.h)."""

    SRCCOLORKEY = 1
    DESTCOLORKEY = 2
    WAIT = 16
    DONOTWAIT = 32


class ColorKey(IntFlag):
    """DDCKEY (ddraw.h)."""

    COLORSPACE = 1
    DESTBLT = 2
    DESTOVERLAY = 4
    SRCBLT = 8
    SRCOVERLAY = 16


FLAGS: dict[str, tuple[str, str, type[IntFlag]]] = {
    "Blt": ("dwFlags", "DDBLT_", DdBlt),
    "BltFast": ("dwTrans", "DDBLTFAST_", FastBlit),
    "Flip": ("dwFlags", "DDFLIP_", DdFlip),
    "Lock": ("dwFlags", "DDLOCK_", DdLock),
    "SetColorKey": ("dwFlags", "DDCKEY_", ColorKey),
    "Clear": ("dwFlags", "D3DCLEAR_", ClearFlag),
}
"""Method of a surface or an older device -> the argument that is a mask, how its bits' names begin, and the bits."""


def mask(value: int, prefix: str, bits: type[IntFlag]) -> str:
    """Bits by name, the rest in hex, as apitrace prints masks: "DDBLT_COLORFILL | DDBLT_WAIT"; empty without any name."""
    names, rest = list[str](), value
    for name, bit in sorted(bits.__members__.items(), key=lambda one: -one[1].bit_count()):  # INTERVAL3 before its bits
        if bit and rest & bit == bit:
            names.append(f"{prefix}{name}")
            rest &= ~int(bit)
    return " | ".join([*names, f"{rest:#x}"] if names and rest else names)


def _flags(name: str, given: dict[str, Any]) -> dict[str, str]:
    """What the plain number of a call's mask means."""
    argument, prefix, bits = FLAGS.get(name.rpartition("::")[2], ("", "", IntFlag))
    value = given.get(argument)
    text = mask(value, prefix, bits) if type(value) is int else ""  # a Word has its name already
    return {argument: text} if text else {}


def meanings(name: str, args: list[tuple[str, Any]]) -> dict[str, str]:
    """Argument -> what its number means, of those that a call of an older device or of a surface of DirectDraw has."""
    if name.startswith(SURFACES):
        return _flags(name, dict(args))
    if not name.startswith(OLD_DEVICES):
        return {}
    given = dict(args)
    found = _flags(name, given)
    for argument in VERTEX_FORMATS & given.keys():
        if isinstance(number := given[argument], int) and number >= SMALLEST_FORMAT:
            found[argument] = FVF.text(number & 0xFFFFFFFF)
    if (row := STATES.get(name.rpartition("::")[2])) is not None:
        state, value = given.get(row[0]), given.get(row[1])
        if isinstance(state, int) and isinstance(value, int) and (text := row[2](int(state), value)) not in ("", str(value)):
            found[row[1]] = f"{value} ({text})"
    return found
