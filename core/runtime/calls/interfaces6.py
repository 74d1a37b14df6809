"""The interfaces of Direct3D 6 and 5, and those that Direct3D 3 shares with them: every method and its arguments.  Data only.

Source: d3d.h; apitrace's specs/d3d.py.  No recorder wraps IDirect3DExecuteBuffer, and IDirect3DDevice only where a later
device is asked for it: that has IUnknown's methods here.
"""

from __future__ import annotations

from core.runtime.calls.interfaces import UNKNOWN

_DIRECT3D = UNKNOWN | {
    "CreateLight": "lplpDirect3DLight pUnkOuter",
}
_DEVICE = UNKNOWN | {
    "GetCaps": "lpD3DHWDevDesc lpD3DHELDevDesc",
    "GetStats": "lpD3DStats",
    "BeginScene": "",
    "EndScene": "",
    "SetRenderTarget": "lpNewRenderTarget dwFlags",
    "GetRenderTarget": "lplpRenderTarget",
    "Begin": "d3dptPrimitiveType d3dvtVertexType dwFlags",
    "BeginIndexed": "d3dptPrimitiveType d3dvtVertexType lpvVertices dwNumVertices dwFlags",
    "Vertex": "lpVertex",
    "Index": "wVertexIndex",
    "End": "dwFlags",
    "GetRenderState": "dwRenderStateType lpdwRenderState",
    "SetRenderState": "dwRenderStateType dwRenderState",
    "GetLightState": "dwLightStateType lpdwLightState",
    "SetLightState": "dwLightStateType dwLightState",
    "SetTransform": "dtstTransformStateType lpD3DMatrix",
    "GetTransform": "dtstTransformStateType lpD3DMatrix",
    "MultiplyTransform": "dtstTransformStateType lpD3DMatrix",
    "DrawPrimitive": "d3dptPrimitiveType d3dvtVertexType lpvVertices dwVertexCount dwFlags",
    "DrawIndexedPrimitive": "d3dptPrimitiveType d3dvtVertexType lpvVertices dwVertexCount lpwIndices dwIndexCount dwFlags",
    "SetClipStatus": "lpD3DClipStatus",
    "GetClipStatus": "lpD3DClipStatus",
}
_VIEWPORT = UNKNOWN | {
    "Initialize": "lpDirect3D",
    "GetViewport": "lpData",
    "SetViewport": "lpData",
    "TransformVertices": "dwVertexCount lpData dwFlags lpOffscreen",
    "LightElements": "dwElementCount lpData",
    "SetBackground": "hMat",
    "GetBackground": "lphMat lpValid",
    "SetBackgroundDepth": "lpDDSurface",
    "GetBackgroundDepth": "lplpDDSurface lpValid",
    "Clear": "dwCount lpRects dwFlags",
    "AddLight": "lpDirect3DLight",
    "DeleteLight": "lpDirect3DLight",
    "NextLight": "lpDirect3DLight lplpDirect3DLight dwFlags",
    "GetViewport2": "lpData",
    "SetViewport2": "lpData",
    "SetBackgroundDepth2": "lpDDS",
    "GetBackgroundDepth2": "lplpDDS lpValid",
    "Clear2": "dwCount lpRects dwFlags dwColor dvZ dwStencil",
}
_VIEWPORT1 = {name: words for name, words in _VIEWPORT.items() if not name.endswith("2")}


def _material(device: str) -> dict[str, str]:
    return UNKNOWN | {"SetMaterial": "lpMat", "GetMaterial": "lpMat", "GetHandle": f"{device} lpHandle"}


def _viewports(version: int) -> dict[str, str]:
    name = f"lpDirect3DViewport{version}"
    return {
        "AddViewport": name,
        "DeleteViewport": name,
        "NextViewport": f"{name} lplpDirect3DViewport{version} dwFlags",
        "SetCurrentViewport": name,
        "GetCurrentViewport": f"lp{name}",
        "GetDirect3D": f"lplpDirect3D{version}",
    }


INTERFACES6: dict[str, dict[str, str]] = {
    "IDirect3D": _DIRECT3D
    | {
        "Initialize": "riid",
        "EnumDevices": "lpEnumDevicesCallback lpUserArg",
        "CreateMaterial": "lplpDirect3DMaterial pUnkOuter",
        "CreateViewport": "lplpD3DViewport pUnkOuter",
        "FindDevice": "lpD3DDFS lpD3DFDR",
    },
    "IDirect3D2": _DIRECT3D
    | {
        "EnumDevices": "lpEnumDevicesCallback lpUserArg",
        "CreateMaterial": "lplpDirect3DMaterial2 pUnkOuter",
        "CreateViewport": "lplpD3DViewport2 pUnkOuter",
        "FindDevice": "lpD3DDFS lpD3DFDR",
        "CreateDevice": "rclsid lpDDS lplpD3DDevice2",
    },
    "IDirect3D3": _DIRECT3D
    | {
        "EnumDevices": "lpEnumDevicesCallback lpUserArg",
        "CreateMaterial": "lplpDirect3DMaterial3 pUnkOuter",
        "CreateViewport": "lplpD3DViewport3 pUnkOuter",
        "FindDevice": "lpD3DDFS lpD3DFDR",
        "CreateDevice": "rclsid lpDDS lplpD3DDevice3 lpUnk",
        "CreateVertexBuffer": "lpD3DVertBufDesc lplpD3DVertBuf dwFlags lpUnk",
        "EnumZBufferFormats": "riidDevice lpEnumCallback lpContext",
        "EvictManagedTextures": "",
    },
    "IDirect3DDevice2": _DEVICE
    | _viewports(2)
    | {
        "SwapTextureHandles": "lpD3DTex1 lpD3DTex2",
        "EnumTextureFormats": "lpD3DEnumTextureProc lpArg",
    },
    "IDirect3DDevice3": _DEVICE
    | _viewports(3)
    | {
        "EnumTextureFormats": "lpD3DEnumPixelProc lpArg",
        "DrawPrimitiveStrided": "d3dptPrimitiveType dwVertexType lpStrideData dwVertexCount dwFlags",
        "DrawIndexedPrimitiveStrided": "d3dptPrimitiveType dwVertexType lpStrideData dwVertexCount lpIndex "
        "dwIndexCount dwFlags",
        "DrawPrimitiveVB": "d3dptPrimitiveType lpD3DVertexBuf dwStartVertex dwNumVertices dwFlags",
        "DrawIndexedPrimitiveVB": "d3dptPrimitiveType lpD3DVertexBuf lpwIndices dwIndexCount dwFlags",
        "ComputeSphereVisibility": "lpCenters lpRadii dwNumSpheres dwFlags lpdwReturnValues",
        "GetTexture": "dwStage lplpTexture2",
        "SetTexture": "dwStage lpTexture2",
        "GetTextureStageState": "dwStage d3dTexStageStateType lpdwState",
        "SetTextureStageState": "dwStage d3dTexStageStateType dwState",
        "ValidateDevice": "lpdwPasses",
    },
    "IDirect3DViewport": _VIEWPORT1,
    "IDirect3DViewport2": _VIEWPORT1 | {"GetViewport2": "lpData", "SetViewport2": "lpData"},
    "IDirect3DViewport3": _VIEWPORT,
    "IDirect3DLight": UNKNOWN | {"Initialize": "lpDirect3D", "SetLight": "lpLight", "GetLight": "lpLight"},
    "IDirect3DMaterial": _material("lpDirect3DDevice") | {"Initialize": "lpDirect3D", "Reserve": "", "Unreserve": ""},
    "IDirect3DMaterial2": _material("lpDirect3DDevice2"),
    "IDirect3DMaterial3": _material("lpDirect3DDevice3"),
    "IDirect3DTexture": UNKNOWN
    | {
        "Initialize": "lpDirect3DDevice lpDDSurface",
        "GetHandle": "lpDirect3DDevice lpHandle",
        "PaletteChanged": "dwStart dwCount",
        "Load": "lpD3DTexture",
        "Unload": "",
    },
    "IDirect3DDevice": UNKNOWN,
    "IDirect3DTexture2": UNKNOWN
    | {"GetHandle": "lpDirect3DDevice2 lpHandle", "PaletteChanged": "dwStart dwCount", "Load": "lpD3DTexture2"},
    "IDirect3DVertexBuffer": UNKNOWN
    | {
        "Lock": "dwFlags lplpData lpdwSize",
        "Unlock": "",
        "ProcessVertices": "dwVertexOp dwDestIndex dwCount lpSrcBuffer dwSrcIndex lpD3DDevice dwFlags",
        "GetVertexBufferDesc": "lpD3DVertexBufferDesc",
        "Optimize": "lpD3DDevice dwFlags",
    },
}
FUNCTIONS6: dict[str, tuple[str, ...]] = {
    f"{i}::{name}": ("this", *words.split()) for i, methods in INTERFACES6.items() for name, words in methods.items()
}
"""Arguments by the name that traces spell."""
