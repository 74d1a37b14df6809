"""The frequent Direct3D 7 calls and their tokens.  Data only (see table).

The driver interface is that of Direct3D 8 with two differences that show here: the world matrices have the numbers 1, 4, 5
and 6, and texture filters have numbers of their own, which tokens carry as those of Direct3D 8 (docs/design/direct3d7.md).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.runtime.calls.naming7 import LIGHT_STATES
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
    OldBlit,
    OldDraw,
    Row,
    SlotRule,
    arg,
    arg16,
    const,
    const16,
    handle,
    sets,
    slots,
    words,
)
from core.spec.enums import PrimitiveType
from core.spec.slots import BASE, OLD_TRANSFORM_SLOTS
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op

DEVICE = "IDirect3DDevice7::"
LIGHT_PLACE = slots(LIGHT_VALUES, LIGHTS * LIGHT_WORDS, dwLightIndex=LIGHT_WORDS)
LIGHT_OFF_PLACE = slots(LIGHT_OFF, LIGHTS, dwLightIndex=1)
LIGHT_IS_MADE = (slots(LIGHT_MADE, LIGHTS, dwLightIndex=1),)


CORNERS = {
    PrimitiveType.POINTLIST: (1, 0), PrimitiveType.LINELIST: (2, 0), PrimitiveType.LINESTRIP: (1, 1),
    PrimitiveType.TRIANGLELIST: (3, 0), PrimitiveType.TRIANGLESTRIP: (1, 2), PrimitiveType.TRIANGLEFAN: (1, 2),
}  # fmt: skip
"""Vertices that each primitive takes, and that the first takes more."""
LEGACY = {
    PrimitiveType.LINELIST: (Op.LINELIST, Op.INDEXEDLINELIST2), PrimitiveType.LINESTRIP: (Op.LINESTRIP, Op.INDEXEDLINESTRIP),
    PrimitiveType.TRIANGLELIST: (Op.TRIANGLELIST, Op.INDEXEDTRIANGLELIST2),
    PrimitiveType.TRIANGLESTRIP: (Op.TRIANGLESTRIP, Op.INDEXEDTRIANGLESTRIP),
    PrimitiveType.TRIANGLEFAN: (Op.TRIANGLEFAN, Op.INDEXEDTRIANGLEFAN),
}  # fmt: skip
"""The tokens of DirectX 7: vertices in order, vertices by indices."""
SHAPES = np.zeros((max(CORNERS) + 1, 4), np.int32)
"""By type of primitive: its CORNERS, then its tokens; zeros for a type that there is not."""
for _kind, _corners in CORNERS.items():
    SHAPES[_kind] = (*_corners, *LEGACY.get(_kind, (Op.POINTS, 0)))

PROJECTION = 3
OLDER_TRANSFORM_SLOTS = tuple(-1 if i == PROJECTION else slot for i, slot in enumerate(OLD_TRANSFORM_SLOTS))
"""Of Direct3D 6 and 5: a viewport object has a part in the projection, so that Python multiplies."""


def _row(call: str, *emits: Emit, **more: object) -> Row:
    return Row(DEVICE + call, emits, **more)  # type: ignore[arg-type]


def _draws(device: str, **more: str) -> tuple[Row, ...]:
    """The draws that Direct3D 7 and 6 share."""
    memory = OldDraw("d3dptPrimitiveType", "dwVertexCount", "d3dvtVertexType", "lpvVertices", **more)
    buffer = OldDraw("d3dptPrimitiveType", "dwNumVertices", buffer="lpD3DVertexBuf", start="dwStartVertex", **more)
    indexed = {"indices": "lpwIndices", "index_count": "dwIndexCount"}
    of_all = {} if device == DEVICE else {"count": "", "start": ""}
    return tuple(
        Row(device + name, draw=draw, verdict=c.PYTHON) for name, draw in (
            ("DrawPrimitive", memory), ("DrawIndexedPrimitive", replace(memory, **indexed)),
            ("DrawPrimitiveVB", buffer), ("DrawIndexedPrimitiveVB", replace(buffer, **indexed, **of_all)),
        )
    )  # fmt: skip


def _multiply(device: str) -> Row:
    """MultiplyTransform, whose product goes to the driver."""
    matrix = arg("dtstTransformStateType"), words("lpD3DMatrix", 0, 16)
    return Row(device + "MultiplyTransform", (sets(Op.SETTRANSFORM, *matrix, merge=True, transforms=OLD_TRANSFORM_SLOTS),),
               older=c.OLD_MULTIPLY)  # fmt: skip


def _clear(call: str, older: int, *names: str) -> Row:
    """Clear of a viewport: the order of arguments that older_calls reads."""
    fields = tuple(arg(name) for name in ("dwCount", "lpRects", "dwFlags", *names))
    return Row(f"IDirect3DViewport{call}", (Emit(Op.CLEAR, fields),), verdict=c.PYTHON, older=older, of_viewport=True)


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
         sets(Op.ZRANGE, FieldSource(c.DEPTH_RANGE, "lpData", 4, 6))),
    _row("SetMaterial", sets(Op.SETMATERIAL, words("lpMat", 0, 17))),
    _row("SetLight",
         Emit(Op.SETLIGHT, (arg("dwLightIndex"), const(LIGHT_DATA), words("lpLight", 0, 26)), LIGHT_PLACE, 2),
         needs=LIGHT_IS_MADE),
    _row("LightEnable",
         Emit(Op.SETLIGHT, (arg("dwLightIndex"), FieldSource(c.NOT, "bEnable")), LIGHT_OFF_PLACE, 1), needs=LIGHT_IS_MADE),
    _row("SetClipPlane", sets(Op.SETCLIPPLANE, arg("dwIndex"), words("pPlaneEquation", 0, 4))),
    _row("Clear",  # without rectangles
         Emit(Op.CLEAR, (
             FieldSource(c.CLEAR_FLAGS, "dwFlags"), FieldSource(c.NUMBER, "dwColor"), FieldSource(c.FINITE, "dvZ"),
             FieldSource(c.NUMBER, "dwStencil"), FieldSource(c.VISIBLE, "lpRects"))),
         verdict=c.PYTHON),
    _row("BeginScene", Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(1)), merge=True)),
    _row("EndScene", Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(0)), merge=True), flushes=True),
    *_draws(DEVICE),
    _multiply(DEVICE),
)  # fmt: skip


OBJECT_STATES = (1, 21)  # TEXTUREHANDLE, TEXTUREMAPBLEND: Python knows the handles, and what the texture has
LATER_STATES = tuple(RENDER_STATE_ID[name] for name in ("LIGHTING", "LOCALVIEWER", "NORMALIZENORMALS"))
"""States that Direct3D 6 and 5 accept and do not have (Wine's test_specular_lighting)."""
STATES = range(RENDER_STATE_ID["CLIPPLANEENABLE"] + 1)  # of Direct3D 7
DEVICE3, DEVICE2 = "IDirect3DDevice3::", "IDirect3DDevice2::"
OLDER_STATES = tuple(-1 if i in OBJECT_STATES + LATER_STATES else BASE["render_state"] + i for i in STATES)
LIGHT_SLOTS = tuple(BASE["render_state"] + LIGHT_STATES[i] if i in LIGHT_STATES else -1 for i in range(max(LIGHT_STATES) + 1))


def _older_rows(device: str) -> tuple[Row, ...]:
    """What Direct3D 6 and 5 share."""
    return (
        Row(device + "SetRenderState", (
            Emit(Op.RENDERSTATE, (arg("dwRenderStateType"), arg("dwRenderState")),
                 SlotRule(0, len(OLDER_STATES), (("dwRenderStateType", 1),), OLDER_STATES), 1, merge=True),),
            older=c.OLD_STATE),
        Row(device + "SetLightState", (
            Emit(Op.RENDERSTATE, (arg("dwLightStateType"), arg("dwLightState")),
                 SlotRule(0, len(LIGHT_SLOTS), (("dwLightStateType", 1),), LIGHT_SLOTS)),), older=c.OLD_LIGHT_STATE),
        Row(device + "SetTransform", (
            sets(Op.SETTRANSFORM, arg("dtstTransformStateType"), words("lpD3DMatrix", 0, 16), merge=True,
                 transforms=OLDER_TRANSFORM_SLOTS),), older=c.OLD_TRANSFORM),
        _multiply(device),
        Row(device + "BeginScene", (Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(1)), merge=True),)),
        Row(device + "EndScene", (Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(0)), merge=True),), flushes=True),
    )  # fmt: skip


ROWS6: tuple[Row, ...] = (
    *_older_rows(DEVICE2),
    *_older_rows(DEVICE3),
    *(replace(row, call=row.call.replace(DEVICE, DEVICE3)) for row in ROWS7 if row.call == DEVICE + "SetTextureStageState"),
    Row(DEVICE3 + "SetTexture", (Emit(Op.TEXTURESTAGESTATE, (arg("dwStage"), const16(0), arg("lpTexture2"))),),
        older=c.OLD_TEXTURE),
    *_draws(DEVICE3, flags="dwFlags"),
    *(replace(row, call=row.call.replace(DEVICE3, DEVICE2), draw=replace(row.draw, typed="d3dvtVertexType"))
      for row in _draws(DEVICE3, flags="dwFlags") if row.draw and row.draw.vertices),
    *(_clear(f"{version}::Clear", c.OLD_CLEAR) for version in ("", 2, 3)),
    _clear("3::Clear2", c.OLD_CLEAR2, "dwColor", "dvZ", "dwStencil"),
)  # fmt: skip

QUEUED = {
    "Blt": OldBlit(c.BLT, "this", "lpDestRect", "lpDDSrcSurface", "lpSrcRect", "dwFlags", "lpDDBltFx"),
    "BltFast": OldBlit(c.BLT_FAST, "this", "", "lpDDSrcSurface", "lpSrcRect", "dwTrans", x="dwX", y="dwY"),
    "Flip": OldBlit(c.FLIP, "this", origin="lpDDSurfaceTargetOverride", flags="dwFlags"),
    "Lock": OldBlit(c.LOCK, "this", area="lpDestRect", flags="dwFlags", effects="lpDDSurfaceDesc"),
    "Unlock": OldBlit(c.UNLOCK, "this"),
}
ROWS_DRAW: tuple[Row, ...] = tuple(
    Row(f"IDirectDrawSurface{version}::{name}", blit=blit, within=name == "Unlock")
    for version in ("", 2, 3, 4, 7)
    for name, blit in QUEUED.items()
)
"""Of DirectDraw; `core.runtime.rows.old_blits` does them."""
COPIED = Row("memcpy", blit=OldBlit(c.MEMCPY, "dest", origin="src"), within=True)
"""What the tracer found in locked memory."""

_ANY = "AddRef"
_DIRECTDRAW = (
    _ANY + " Compact EnumDisplayModes GetCaps GetFourCCCodes GetMonitorFrequency "
    "GetScanLine GetVerticalBlankStatus Initialize WaitForVerticalBlank GetAvailableVidMem "
    "TestCooperativeLevel GetDeviceIdentifier StartModeTest EvaluateMode SetCooperativeLevel"
)
_SURFACE = (
    _ANY + " AddOverlayDirtyRect EnumOverlayZOrders GetBltStatus GetCaps GetClipper "
    "BltBatch GetFlipStatus GetOverlayPosition Initialize IsLost SetOverlayPosition "
    "UpdateOverlayDisplay UpdateOverlayZOrder PageLock PageUnlock SetPrivateData GetPrivateData "
    "FreePrivateData GetUniquenessValue ChangeUniquenessValue GetPriority GetLOD GetColorKey"
)
_OLDER_DEVICE = (
    _ANY + " GetCaps GetStats EnumTextureFormats GetRenderState GetLightState GetTransform SetClipStatus GetClipStatus"
)
_OLDER_DEVICE_3 = _OLDER_DEVICE + " GetTextureStageState ComputeSphereVisibility"
_VIEWPORT = _ANY + " Initialize GetViewport GetBackground GetBackgroundDepth TransformVertices LightElements NextLight"
_SILENT = {
    "IDirectDraw": _DIRECTDRAW, "IDirectDraw2": _DIRECTDRAW, "IDirectDraw4": _DIRECTDRAW, "IDirectDraw7": _DIRECTDRAW,
    "IDirectDrawSurface": _SURFACE, "IDirectDrawSurface2": _SURFACE, "IDirectDrawSurface3": _SURFACE,
    "IDirectDrawSurface4": _SURFACE, "IDirectDrawSurface7": _SURFACE,
    "IDirectDrawPalette": _ANY + " QueryInterface GetCaps GetEntries Initialize",
    "IDirectDrawClipper": _ANY + " QueryInterface GetClipList GetHWnd Initialize IsClipListChanged",
    "IDirectDrawGammaControl": _ANY + " QueryInterface GetGammaRamp SetGammaRamp",
    "IDirectDrawColorControl": _ANY + " QueryInterface GetColorControls SetColorControls",
    "IDirect3D7": _ANY + " EnumDevices EnumZBufferFormats",
    "IDirect3DDevice7": _ANY + " GetCaps EnumTextureFormats GetTransform GetViewport GetMaterial GetLight GetRenderState "
    "SetClipStatus GetClipStatus GetTextureStageState GetLightEnable GetClipPlane GetInfo ComputeSphereVisibility",
    "IDirect3DVertexBuffer7": _ANY + " QueryInterface GetVertexBufferDesc",
    "IUnknown": _ANY,
    "IDirect3DDevice": _ANY,
    "IDirect3D": _ANY + " Initialize EnumDevices FindDevice",
    "IDirect3D2": _ANY + " EnumDevices FindDevice",
    "IDirect3D3": _ANY + " EnumDevices FindDevice EnumZBufferFormats",
    "IDirect3DDevice2": _OLDER_DEVICE,
    "IDirect3DDevice3": _OLDER_DEVICE_3,
    "IDirect3DViewport": _VIEWPORT,
    "IDirect3DViewport2": _VIEWPORT + " GetViewport2",
    "IDirect3DViewport3": _VIEWPORT + " GetViewport2 GetBackgroundDepth2",
    "IDirect3DLight": _ANY + " Initialize GetLight",
    "IDirect3DMaterial": _ANY + " Initialize Reserve Unreserve GetMaterial",
    "IDirect3DMaterial2": _ANY + " GetMaterial",
    "IDirect3DMaterial3": _ANY + " GetMaterial",
    "IDirect3DTexture": _ANY + " Initialize PaletteChanged Unload",
    "IDirect3DTexture2": _ANY + " PaletteChanged",
    "IDirect3DVertexBuffer": _ANY + " QueryInterface GetVertexBufferDesc",
}  # fmt: skip
SILENT7: tuple[str, ...] = tuple(f"{interface}::{name}" for interface, names in _SILENT.items() for name in names.split())
"""Calls that make no token and need no method: questions, and what the window system does."""

ROW7_OF: dict[str, Row] = {row.call: row for row in (*ROWS7, *ROWS6, *ROWS_DRAW, *(Row(name) for name in SILENT7))}
