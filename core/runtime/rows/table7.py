"""The frequent calls of Direct3D 7 and the tokens they become: data only (see table).

The driver interface is that of Direct3D 8 with two differences that show here: the world matrices have the numbers 1, 4, 5
and 6, and texture filters have numbers of their own, which tokens carry as those of Direct3D 8 (docs/design/direct3d7.md).
"""

from __future__ import annotations

from core.runtime.rows import layout as c
from core.runtime.rows.table import LIGHT as LIGHT_VALUES
from core.runtime.rows.table import (
    LIGHT_DATA,
    LIGHT_MADE,
    LIGHT_OFF,
    LIGHT_WORDS,
    LIGHTS,
    SCENE_CAPTURE,
    Emit,
    FieldSource,
    Row,
    arg,
    arg16,
    const,
    const16,
    handle,
    sets,
    slots,
    words,
)
from core.spec.slots import OLD_TRANSFORM_SLOTS
from core.spec.tokens import Op

DEVICE = "IDirect3DDevice7::"
LIGHT_PLACE = slots(LIGHT_VALUES, LIGHTS * LIGHT_WORDS, dwLightIndex=LIGHT_WORDS)
LIGHT_OFF_PLACE = slots(LIGHT_OFF, LIGHTS, dwLightIndex=1)
LIGHT_IS_MADE = (slots(LIGHT_MADE, LIGHTS, dwLightIndex=1),)


def _row(call: str, *emits: Emit, **more: object) -> Row:
    return Row(DEVICE + call, emits, **more)  # type: ignore[arg-type]


ROWS7: tuple[Row, ...] = (
    _row("SetRenderState", sets(Op.RENDERSTATE, arg("dwRenderStateType"), arg("dwRenderState"), merge=True)),
    _row("SetTextureStageState",
         sets(Op.TEXTURESTAGESTATE, arg16("dwStage"), arg16("d3dTexStageStateType"), FieldSource(c.STAGE_VALUE, "dwState"),
              merge=True)),
    _row("SetTexture", sets(Op.TEXTURESTAGESTATE, arg16("dwStage"), const16(0), handle("lpTexture"), merge=True)),
    _row("SetTransform",
         sets(Op.SETTRANSFORM, arg("dtstTransformStateType"), words("lpD3DMatrix", 0, 16), merge=True,
              transforms=OLD_TRANSFORM_SLOTS)),
    _row("SetViewport",
         sets(Op.VIEWPORTINFO, words("lpData", 0, 4)),
         sets(Op.ZRANGE, words("lpData", 4, 6))),
    _row("SetMaterial", sets(Op.SETMATERIAL, words("lpMat", 0, 17))),
    _row("SetLight",
         Emit(Op.SETLIGHT, (arg("dwLightIndex"), const(LIGHT_DATA), words("lpLight", 0, 26)), LIGHT_PLACE, 2),
         needs=LIGHT_IS_MADE),
    _row("LightEnable",
         Emit(Op.SETLIGHT, (arg("dwLightIndex"), FieldSource(c.NOT, "bEnable")), LIGHT_OFF_PLACE, 1), needs=LIGHT_IS_MADE),
    _row("SetClipPlane", sets(Op.SETCLIPPLANE, arg("dwIndex"), words("pPlaneEquation", 0, 4))),
    _row("BeginScene", Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(1)), merge=True)),
    _row("EndScene", Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(0)), merge=True), flushes=True),
)  # fmt: skip

_ANY = "AddRef"
_DIRECTDRAW = (
    _ANY + " Compact EnumDisplayModes EnumSurfaces FlipToGDISurface GetCaps GetFourCCCodes GetGDISurface GetMonitorFrequency "
    "GetScanLine GetVerticalBlankStatus Initialize WaitForVerticalBlank GetAvailableVidMem GetSurfaceFromDC "
    "TestCooperativeLevel GetDeviceIdentifier StartModeTest EvaluateMode SetCooperativeLevel"
)
_SURFACE = (
    _ANY + " AddOverlayDirtyRect EnumAttachedSurfaces EnumOverlayZOrders GetBltStatus GetCaps GetClipper "
    "BltBatch GetFlipStatus GetOverlayPosition Initialize IsLost SetOverlayPosition UpdateOverlay "
    "UpdateOverlayDisplay UpdateOverlayZOrder PageLock PageUnlock SetPrivateData GetPrivateData "
    "FreePrivateData GetUniquenessValue ChangeUniquenessValue GetPriority GetLOD GetColorKey Restore"
)
_SILENT = {
    "IDirectDraw": _DIRECTDRAW, "IDirectDraw2": _DIRECTDRAW, "IDirectDraw4": _DIRECTDRAW, "IDirectDraw7": _DIRECTDRAW,
    "IDirectDrawSurface": _SURFACE, "IDirectDrawSurface2": _SURFACE, "IDirectDrawSurface3": _SURFACE,
    "IDirectDrawSurface4": _SURFACE, "IDirectDrawSurface7": _SURFACE,
    "IDirectDrawPalette": _ANY + " QueryInterface GetCaps GetEntries Initialize",
    "IDirectDrawClipper": _ANY + " QueryInterface GetClipList GetHWnd Initialize IsClipListChanged",
    "IDirectDrawGammaControl": _ANY + " QueryInterface GetGammaRamp SetGammaRamp",
    "IDirect3D7": _ANY + " EnumDevices EnumZBufferFormats EvictManagedTextures",
    "IDirect3DDevice7": _ANY + " GetCaps EnumTextureFormats GetTransform GetViewport GetMaterial GetLight GetRenderState "
    "SetClipStatus GetClipStatus GetTextureStageState GetLightEnable GetClipPlane GetInfo ComputeSphereVisibility",
    "IDirect3DVertexBuffer7": _ANY + " QueryInterface GetVertexBufferDesc",
}  # fmt: skip
SILENT7: tuple[str, ...] = tuple(f"{interface}::{name}" for interface, names in _SILENT.items() for name in names.split())
"""Calls that make no token and need no method: questions, and what the window system does."""

ROW7_OF: dict[str, Row] = {row.call: row for row in (*ROWS7, *(Row(name) for name in SILENT7))}
