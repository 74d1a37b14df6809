"""What each argument of a Direct3D 8 method is, as the generator needs it.  Data only.

A row is one of

    u, n, f, bool                a number: DWORD, UINT, float, BOOL
    enum NAME, mask NAME         a number with names: a class of core.spec.enums, or FORMAT
    opaque TYPE                  an address or handle that nothing looks into
    object KIND                  an interface that the program passes: `IDirect3D` left out, so Surface, Texture ...
    in TYPE, in TYPE[COUNT]      a structure, or an array of them, that the call reads; COUNT is C, of the arguments
    blob SIZE                    bytes that the call reads; SIZE is C
    out ROW                      what the call writes, where it points
    inout TYPE                   a structure that it reads and writes
    made KIND                    an interface that it gives, `made *` of a kind that the program asked for
    skip TYPE                    not written down

Names: core.runtime.calls.interfaces; what they are: d3d8.h, whose prototypes the compiler compares with.
"""

from __future__ import annotations

ARGUMENTS: dict[str, str] = {
    **dict.fromkeys(
        (
            "Adapter",
            "Mode",
            "Level",
            "X",
            "Y",
            "XHotSpot",
            "YHotSpot",
            "BackBuffer",
            "Width",
            "Height",
            "Depth",
            "Levels",
            "EdgeLength",
            "Length",
            "cRects",
            "StreamNumber",
            "Stride",
            "BaseVertexIndex",
            "StartVertex",
            "PrimitiveCount",
            "minIndex",
            "NumVertices",
            "startIndex",
            "primCount",
            "VertexStreamZeroStride",
            "MinVertexIndex",
            "NumVertexIndices",
            "SrcStartIndex",
            "DestIndex",
            "VertexCount",
            "PaletteNumber",
            "OffsetToLock",
            "SizeToLock",
        ),
        "n",
    ),
    **dict.fromkeys(
        (
            "Index",
            "Stage",
            "Bytes",
            "Color",
            "Stencil",
            "Register",
            "ConstantCount",
            "Handle",
            "PriorityNew",
            "LODNew",
            "Token",
            "SizeOfData",
            "DevInfoID",
            "DevInfoStructSize",
            "Count",
            "Flags",
            "Value",
        ),
        "u",
    ),
    **dict.fromkeys(("Windowed", "bShow", "Enable", "Lockable"), "bool"),
    **dict.fromkeys(
        (
            "Format",
            "DisplayFormat",
            "BackBufferFormat",
            "AdapterFormat",
            "CheckFormat",
            "SurfaceFormat",
            "RenderTargetFormat",
            "DepthStencilFormat",
            "IndexDataFormat",
        ),
        "enum FORMAT",
    ),
    **dict.fromkeys(("DeviceType", "CheckType"), "enum DeviceType"),
    **dict.fromkeys(("MultiSample", "MultiSampleType"), "enum MultisampleType"),
    "RType": "enum ResourceType",
    "Pool": "enum Pool",
    "FaceType": "enum CubeFace",
    "PrimitiveType": "enum PrimitiveType",
    "Usage": "mask Usage",
    "FVF": "mask Fvf",
    "BehaviorFlags": "mask CreateFlag",
    "Z": "f",
    "hFocusWindow": "opaque HWND",
    "hDestWindowOverride": "opaque HWND",
    "pInitializeFunction": "opaque void *",
    "pDirtyRegion": "opaque const RGNDATA *",
    "riid": "skip REFIID",
    "refguid": "skip REFGUID",
    "ppvObj": "made *",
    "ppContainer": "made *",
    "ppDevice": "made Device8",
    "ppD3D8": "made 8",
    "ppReturnedDeviceInterface": "made Device8",
    "pSwapChain": "made SwapChain8",
    "ppTexture": "made Texture8",
    "ppVolumeTexture": "made VolumeTexture8",
    "ppCubeTexture": "made CubeTexture8",
    "ppVertexBuffer": "made VertexBuffer8",
    "ppStreamData": "made VertexBuffer8",
    "ppIndexBuffer": "made IndexBuffer8",
    "ppIndexData": "made IndexBuffer8",
    **dict.fromkeys(
        ("ppSurface", "ppBackBuffer", "ppRenderTarget", "ppZStencilSurface", "ppSurfaceLevel", "ppCubeMapSurface"),
        "made Surface8",
    ),
    "ppVolumeLevel": "made Volume8",
    **dict.fromkeys(
        ("pCursorBitmap", "pSourceSurface", "pDestinationSurface", "pDestSurface", "pRenderTarget", "pNewZStencil"),
        "object Surface8",
    ),
    **dict.fromkeys(("pTexture", "pSourceTexture", "pDestinationTexture"), "object BaseTexture8"),
    "pStreamData": "object VertexBuffer8",
    "pDestBuffer": "object VertexBuffer8",
    "pPresentationParameters": "inout D3DPRESENT_PARAMETERS",
    "pIdentifier": "out D3DADAPTER_IDENTIFIER8",
    "pMode": "out D3DDISPLAYMODE",
    "pCaps": "out D3DCAPS8",
    "pParameters": "out D3DDEVICE_CREATION_PARAMETERS",
    "pRasterStatus": "out D3DRASTER_STATUS",
    "pLockedRect": "out D3DLOCKED_RECT",
    "pLockedVolume": "out D3DLOCKED_BOX",
    "ppbData": "out pointer",
    "pValue": "out u",
    "pToken": "out u",
    "pHandle": "out u",
    "pNumPasses": "out u",
    "pStride": "out n",
    "pBaseVertexIndex": "out n",
    "pPaletteNumber": "out n",
    "pEnable": "out bool",
    "pRamp": "in D3DGAMMARAMP",
    "pData": "skip void *",
    "pSizeOfData": "skip DWORD *",
    "pDevInfoStruct": "skip void *",
    "pSourceRect": "in RECT",
    "pDestRect": "in RECT",
    "pRect": "in RECT",
    "pDirtyRect": "in RECT",
    "pBox": "in D3DBOX",
    "pDirtyBox": "in D3DBOX",
    "pSourceRectsArray": "in RECT[cRects]",
    "pDestPointsArray": "in POINT[cRects]",
    "pRects": "in D3DRECT[Count]",
    "pMatrix": "in D3DMATRIX",
    "pViewport": "in D3DVIEWPORT8",
    "pMaterial": "in D3DMATERIAL8",
    "pLight": "in D3DLIGHT8",
    "pPlane": "in float[4]",
    "pClipStatus": "in D3DCLIPSTATUS8",
    "pEntries": "in PALETTEENTRY[256]",
    "pDeclaration": "in DWORD[declaration_length(pDeclaration)]",
    "pFunction": "blob code_size(pFunction)",
    "pConstantData": "blob ConstantCount * 16",
    "pVertexStreamZeroData": "blob VERTICES * VertexStreamZeroStride",
    "pIndexData": "object IndexBuffer8",
    "pNumSegs": "in float[SEGMENTS]",
    "pRectPatchInfo": "in D3DRECTPATCH_INFO",
    "pTriPatchInfo": "in D3DTRIPATCH_INFO",
}
"""By the argument's name, where EXCEPTIONS has no row."""

EXCEPTIONS: dict[str, str] = {
    "GetBackBuffer.Type": "enum BackBufferType",
    "CreateStateBlock.Type": "enum StateBlockType",
    "SetTextureStageState.Type": "enum STAGE_STATE",
    "GetTextureStageState.Type": "enum STAGE_STATE",
    "SetRenderState.State": "enum RENDER_STATE",
    "GetRenderState.State": "enum RENDER_STATE",
    **{f"{name}Transform.State": "enum TransformState" for name in ("Set", "Get", "Multiply")},
    "GetTransform.pMatrix": "out D3DMATRIX",
    "GetViewport.pViewport": "out D3DVIEWPORT8",
    "GetMaterial.pMaterial": "out D3DMATERIAL8",
    "GetLight.pLight": "out D3DLIGHT8",
    "GetClipPlane.pPlane": "skip float *",
    "GetClipStatus.pClipStatus": "out D3DCLIPSTATUS8",
    "GetPaletteEntries.pEntries": "skip PALETTEENTRY *",
    "GetGammaRamp.pRamp": "out D3DGAMMARAMP",
    "GetVertexShaderConstant.pConstantData": "skip void *",
    "GetPixelShaderConstant.pConstantData": "skip void *",
    "GetTexture.ppTexture": "made BaseTexture8",
    "DrawIndexedPrimitiveUP.pIndexData": "blob INDICES * (IndexDataFormat == D3DFMT_INDEX32 ? 4 : 2)",
    "DrawIndexedPrimitiveUP.pVertexStreamZeroData": "blob (MinVertexIndex + NumVertexIndices) * VertexStreamZeroStride",
    "SetVertexShader.Handle": "handle",
    **{f"{name}Patch.Handle": "n" for name in ("DrawRect", "DrawTri", "Delete")},
    "Clear.Flags": "mask ClearFlag",
    **{f"{name}.Flags": "mask LockFlag" for name in ("Lock", "LockRect", "LockBox")},
    **{f"SetPrivateData.{name}": row for name, row in {"pData": "skip const void *"}.items()},
    "DrawRectPatch.pNumSegs": "in float[4]",
    "DrawTriPatch.pNumSegs": "in float[3]",
    "IDirect3DVertexBuffer8::GetDesc.pDesc": "out D3DVERTEXBUFFER_DESC",
    "IDirect3DIndexBuffer8::GetDesc.pDesc": "out D3DINDEXBUFFER_DESC",
    "IDirect3DVolume8::GetDesc.pDesc": "out D3DVOLUME_DESC",
    "IDirect3DVolumeTexture8::GetLevelDesc.pDesc": "out D3DVOLUME_DESC",
    "GetDesc.pDesc": "out D3DSURFACE_DESC",
    "GetLevelDesc.pDesc": "out D3DSURFACE_DESC",
}
"""By method and argument, with the interface where that matters."""

RESULTS: dict[str, str] = {
    **dict.fromkeys(("AddRef", "Release"), "ULONG"),
    **dict.fromkeys(("GetAdapterCount", "GetAdapterModeCount", "GetAvailableTextureMem"), "UINT"),
    **dict.fromkeys(("SetPriority", "GetPriority", "SetLOD", "GetLOD", "GetLevelCount"), "DWORD"),
    **dict.fromkeys(("SetCursorPosition", "SetGammaRamp", "GetGammaRamp", "PreLoad"), "void"),
    "ShowCursor": "BOOL",
    "GetType": "D3DRESOURCETYPE",
    "GetAdapterMonitor": "HMONITOR",
}
"""What a method returns, if not an HRESULT."""

STATE: dict[str, tuple[str, ...]] = {
    "GetDeviceCaps": (),
    "SetRenderTarget": (),
    "SetTransform": ("State",),
    "SetViewport": (),
    "SetMaterial": (),
    "SetLight": ("Index",),
    "LightEnable": ("Index",),
    "SetClipPlane": ("Index",),
    "SetRenderState": ("State",),
    "SetClipStatus": (),
    "SetTexture": ("Stage",),
    "SetTextureStageState": ("Stage", "Type"),
    "SetPaletteEntries": ("PaletteNumber",),
    "SetCurrentTexturePalette": (),
    "SetVertexShader": (),
    "SetVertexShaderConstant": ("Register", "ConstantCount"),
    "SetStreamSource": ("StreamNumber",),
    "SetIndices": (),
    "SetPixelShader": (),
    "SetPixelShaderConstant": ("Register", "ConstantCount"),
    "CreateVertexShader": ("*pHandle",),
    "CreatePixelShader": ("*pHandle",),
}
"""Methods of the device of which the last call counts, for each value of these (C): what `keep.c` keeps."""

AFTER = {
    "Reset", "BeginStateBlock", "EndStateBlock", "ApplyStateBlock", "CaptureStateBlock", "DeleteStateBlock", "CreateStateBlock",
    "DeleteVertexShader", "DeletePixelShader", "MultiplyTransform", "Present", "SetLOD", "Release", "CreateDevice",
    "Lock", "LockRect", "LockBox", "ProcessVertices", "GetSurfaceLevel", "GetCubeMapSurface", "GetVolumeLevel",
}  # fmt: skip
"""Methods after which `after_NAME` of the hand-written sources is called."""

NOTED = (
    "SetRenderState", "SetTextureStageState", "SetTexture", "SetTransform", "SetMaterial", "SetViewport", "SetLight",
    "LightEnable", "SetClipPlane",
)  # fmt: skip
"""Methods of STATE with a `note_NAME`, which keeps a call of them that nobody made: it sets what the state is."""

BEFORE = {"Unlock", "UnlockRect", "UnlockBox"}
"""Methods before which `before_NAME` is called."""
