"""Names for plain numbers in Direct3D 7 calls: apitrace writes state values as numbers, vertex formats in part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


def meanings(name: str, args: list[tuple[str, Any]]) -> dict[str, str]:
    """Argument -> what its number means, of those that a call of an older device has."""
    if not name.startswith(OLD_DEVICES):
        return {}
    given, found = dict(args), {}
    for argument in VERTEX_FORMATS & given.keys():
        if isinstance(number := given[argument], int) and number >= SMALLEST_FORMAT:
            found[argument] = FVF.text(number & 0xFFFFFFFF)
    if (row := STATES.get(name.rpartition("::")[2])) is not None:
        state, value = given.get(row[0]), given.get(row[1])
        if isinstance(state, int) and isinstance(value, int) and (text := row[2](int(state), value)) not in ("", str(value)):
            found[row[1]] = f"{value} ({text})"
    return found
