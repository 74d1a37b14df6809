"""The Direct3D 8 interfaces: every method and its arguments, in the header's order and as apitrace spells them.  Data only.

Source: d3d8.h; apitrace's specs/d3d8.py.
"""

from __future__ import annotations

UNKNOWN = {"QueryInterface": "riid ppvObj", "AddRef": "", "Release": ""}
PRIVATE = {
    "GetDevice": "ppDevice",
    "SetPrivateData": "refguid pData SizeOfData Flags",
    "GetPrivateData": "refguid pData pSizeOfData",
    "FreePrivateData": "refguid",
}
RESOURCE = UNKNOWN | PRIVATE | {"SetPriority": "PriorityNew", "GetPriority": "", "PreLoad": "", "GetType": ""}
TEXTURE = RESOURCE | {"SetLOD": "LODNew", "GetLOD": "", "GetLevelCount": "", "GetLevelDesc": "Level pDesc"}

INTERFACES: dict[str, dict[str, str]] = {
    "IDirect3D8": UNKNOWN
    | {
        "RegisterSoftwareDevice": "pInitializeFunction",
        "GetAdapterCount": "",
        "GetAdapterIdentifier": "Adapter Flags pIdentifier",
        "GetAdapterModeCount": "Adapter",
        "EnumAdapterModes": "Adapter Mode pMode",
        "GetAdapterDisplayMode": "Adapter pMode",
        "CheckDeviceType": "Adapter CheckType DisplayFormat BackBufferFormat Windowed",
        "CheckDeviceFormat": "Adapter DeviceType AdapterFormat Usage RType CheckFormat",
        "CheckDeviceMultiSampleType": "Adapter DeviceType SurfaceFormat Windowed MultiSampleType",
        "CheckDepthStencilMatch": "Adapter DeviceType AdapterFormat RenderTargetFormat DepthStencilFormat",
        "GetDeviceCaps": "Adapter DeviceType pCaps",
        "GetAdapterMonitor": "Adapter",
        "CreateDevice": "Adapter DeviceType hFocusWindow BehaviorFlags pPresentationParameters ppReturnedDeviceInterface",
    },
    "IDirect3DDevice8": UNKNOWN
    | {
        "TestCooperativeLevel": "",
        "GetAvailableTextureMem": "",
        "ResourceManagerDiscardBytes": "Bytes",
        "GetDirect3D": "ppD3D8",
        "GetDeviceCaps": "pCaps",
        "GetDisplayMode": "pMode",
        "GetCreationParameters": "pParameters",
        "SetCursorProperties": "XHotSpot YHotSpot pCursorBitmap",
        "SetCursorPosition": "X Y Flags",
        "ShowCursor": "bShow",
        "CreateAdditionalSwapChain": "pPresentationParameters pSwapChain",
        "Reset": "pPresentationParameters",
        "Present": "pSourceRect pDestRect hDestWindowOverride pDirtyRegion",
        "GetBackBuffer": "BackBuffer Type ppBackBuffer",
        "GetRasterStatus": "pRasterStatus",
        "SetGammaRamp": "Flags pRamp",
        "GetGammaRamp": "pRamp",
        "CreateTexture": "Width Height Levels Usage Format Pool ppTexture",
        "CreateVolumeTexture": "Width Height Depth Levels Usage Format Pool ppVolumeTexture",
        "CreateCubeTexture": "EdgeLength Levels Usage Format Pool ppCubeTexture",
        "CreateVertexBuffer": "Length Usage FVF Pool ppVertexBuffer",
        "CreateIndexBuffer": "Length Usage Format Pool ppIndexBuffer",
        "CreateRenderTarget": "Width Height Format MultiSample Lockable ppSurface",
        "CreateDepthStencilSurface": "Width Height Format MultiSample ppSurface",
        "CreateImageSurface": "Width Height Format ppSurface",
        "CopyRects": "pSourceSurface pSourceRectsArray cRects pDestinationSurface pDestPointsArray",
        "UpdateTexture": "pSourceTexture pDestinationTexture",
        "GetFrontBuffer": "pDestSurface",
        "SetRenderTarget": "pRenderTarget pNewZStencil",
        "GetRenderTarget": "ppRenderTarget",
        "GetDepthStencilSurface": "ppZStencilSurface",
        "BeginScene": "",
        "EndScene": "",
        "Clear": "Count pRects Flags Color Z Stencil",
        "SetTransform": "State pMatrix",
        "GetTransform": "State pMatrix",
        "MultiplyTransform": "State pMatrix",
        "SetViewport": "pViewport",
        "GetViewport": "pViewport",
        "SetMaterial": "pMaterial",
        "GetMaterial": "pMaterial",
        "SetLight": "Index pLight",
        "GetLight": "Index pLight",
        "LightEnable": "Index Enable",
        "GetLightEnable": "Index pEnable",
        "SetClipPlane": "Index pPlane",
        "GetClipPlane": "Index pPlane",
        "SetRenderState": "State Value",
        "GetRenderState": "State pValue",
        "BeginStateBlock": "",
        "EndStateBlock": "pToken",
        "ApplyStateBlock": "Token",
        "CaptureStateBlock": "Token",
        "DeleteStateBlock": "Token",
        "CreateStateBlock": "Type pToken",
        "SetClipStatus": "pClipStatus",
        "GetClipStatus": "pClipStatus",
        "GetTexture": "Stage ppTexture",
        "SetTexture": "Stage pTexture",
        "GetTextureStageState": "Stage Type pValue",
        "SetTextureStageState": "Stage Type Value",
        "ValidateDevice": "pNumPasses",
        "GetInfo": "DevInfoID pDevInfoStruct DevInfoStructSize",
        "SetPaletteEntries": "PaletteNumber pEntries",
        "GetPaletteEntries": "PaletteNumber pEntries",
        "SetCurrentTexturePalette": "PaletteNumber",
        "GetCurrentTexturePalette": "pPaletteNumber",
        "DrawPrimitive": "PrimitiveType StartVertex PrimitiveCount",
        "DrawIndexedPrimitive": "PrimitiveType minIndex NumVertices startIndex primCount",
        "DrawPrimitiveUP": "PrimitiveType PrimitiveCount pVertexStreamZeroData VertexStreamZeroStride",
        "DrawIndexedPrimitiveUP": "PrimitiveType MinVertexIndex NumVertexIndices PrimitiveCount pIndexData IndexDataFormat "
        "pVertexStreamZeroData VertexStreamZeroStride",
        "ProcessVertices": "SrcStartIndex DestIndex VertexCount pDestBuffer Flags",
        "CreateVertexShader": "pDeclaration pFunction pHandle Usage",
        "SetVertexShader": "Handle",
        "GetVertexShader": "pHandle",
        "DeleteVertexShader": "Handle",
        "SetVertexShaderConstant": "Register pConstantData ConstantCount",
        "GetVertexShaderConstant": "Register pConstantData ConstantCount",
        "GetVertexShaderDeclaration": "Handle pData pSizeOfData",
        "GetVertexShaderFunction": "Handle pData pSizeOfData",
        "SetStreamSource": "StreamNumber pStreamData Stride",
        "GetStreamSource": "StreamNumber ppStreamData pStride",
        "SetIndices": "pIndexData BaseVertexIndex",
        "GetIndices": "ppIndexData pBaseVertexIndex",
        "CreatePixelShader": "pFunction pHandle",
        "SetPixelShader": "Handle",
        "GetPixelShader": "pHandle",
        "DeletePixelShader": "Handle",
        "SetPixelShaderConstant": "Register pConstantData ConstantCount",
        "GetPixelShaderConstant": "Register pConstantData ConstantCount",
        "GetPixelShaderFunction": "Handle pData pSizeOfData",
        "DrawRectPatch": "Handle pNumSegs pRectPatchInfo",
        "DrawTriPatch": "Handle pNumSegs pTriPatchInfo",
        "DeletePatch": "Handle",
    },
    "IDirect3DSwapChain8": UNKNOWN
    | {
        "Present": "pSourceRect pDestRect hDestWindowOverride pDirtyRegion",
        "GetBackBuffer": "BackBuffer Type ppBackBuffer",
    },
    "IDirect3DTexture8": TEXTURE
    | {
        "GetSurfaceLevel": "Level ppSurfaceLevel",
        "LockRect": "Level pLockedRect pRect Flags",
        "UnlockRect": "Level",
        "AddDirtyRect": "pDirtyRect",
    },
    "IDirect3DCubeTexture8": TEXTURE
    | {
        "GetCubeMapSurface": "FaceType Level ppCubeMapSurface",
        "LockRect": "FaceType Level pLockedRect pRect Flags",
        "UnlockRect": "FaceType Level",
        "AddDirtyRect": "FaceType pDirtyRect",
    },
    "IDirect3DVolumeTexture8": TEXTURE
    | {
        "GetVolumeLevel": "Level ppVolumeLevel",
        "LockBox": "Level pLockedVolume pBox Flags",
        "UnlockBox": "Level",
        "AddDirtyBox": "pDirtyBox",
    },
    "IDirect3DSurface8": UNKNOWN
    | PRIVATE
    | {
        "GetContainer": "riid ppContainer",
        "GetDesc": "pDesc",
        "LockRect": "pLockedRect pRect Flags",
        "UnlockRect": "",
    },
    "IDirect3DVolume8": UNKNOWN
    | PRIVATE
    | {
        "GetContainer": "riid ppContainer",
        "GetDesc": "pDesc",
        "LockBox": "pLockedVolume pBox Flags",
        "UnlockBox": "",
    },
    "IDirect3DVertexBuffer8": RESOURCE | {"Lock": "OffsetToLock SizeToLock ppbData Flags", "Unlock": "", "GetDesc": "pDesc"},
    "IDirect3DIndexBuffer8": RESOURCE | {"Lock": "OffsetToLock SizeToLock ppbData Flags", "Unlock": "", "GetDesc": "pDesc"},
}

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "Direct3DCreate8": ("SDKVersion",),
    "memcpy": ("dest", "src", "n"),
    **{f"{i}::{name}": ("this", *words.split()) for i, methods in INTERFACES.items() for name, words in methods.items()},
}
"""Arguments by the name that traces spell."""
