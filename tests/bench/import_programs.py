"""Programs that do the same with Direct3D 8, 7, 6 and 5, for `import_kinds`."""

from __future__ import annotations

from typing import Any

from tests.inspector.imports.trace_file import MATRIX, OK, PRESENT, Enum, Float32, Mask, Pointer, Struct, TraceFile

WIDTH, HEIGHT, EDGE = 640, 480, 64
DRAW, SCREEN, BACK, DIRECT3D, DEVICE, BUFFER, INDICES, SURFACE = (Pointer(0x1000 * (i + 1)) for i in range(8))
TEXTURES = Pointer(0x100000), Pointer(0x200000)
TEXTURES2, VIEWPORT = (Pointer(0x300000), Pointer(0x400000)), Pointer(0x9000)
MEMORY = Pointer(0x7000_0000)
LIST = Enum("D3DPT_TRIANGLELIST", 4)
FVF, STRIDE = 0x144, 28  # XYZRHW | DIFFUSE | TEX1
TL, TL_VERTICES = Enum("D3DVT_TLVERTEX", 3), bytes(range(4 * 32))
VERTICES, ORDER = bytes(range(4 * STRIDE)), bytes((0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0))
PICTURE = bytes(4 * EDGE * EDGE)
WORLD = Enum("D3DTRANSFORMSTATE_WORLD", 1)
MEMBERS = [Struct("D3DMATRIX", {f"_{i + 1}{k + 1}": number for i, row in enumerate(MATRIX) for k, number in enumerate(row)})]
NO_KEY = Struct("DDCOLORKEY", {"dwColorSpaceLowValue": 0, "dwColorSpaceHighValue": 0})
WAIT = Mask((("DDBLT_WAIT", 1 << 24),), 1 << 24)
FILL = Mask((("DDBLT_COLORFILL", 0x400), ("DDBLT_WAIT", 1 << 24)), 0x1000400)


def rgb(bits: int = 32) -> Struct:
    """DDPIXELFORMAT as apitrace writes it: every member of every union."""
    counts = "RGB YUV ZBuffer Alpha Luminance Bump PrivateFormat"
    names: dict[str, Any] = {"dwSize": 32, "dwFlags": Mask((("DDPF_RGB", 0x40),), 0x40), "dwFourCC": 0}
    names |= {f"dw{name}Bit{'Depth' if name in ('ZBuffer', 'Alpha') else 'Count'}": bits for name in counts.split()}
    red, green, blue = "R Y Stencil Luminance BumpDu", "G U Z BumpDv", "B V Stencil BumpLuminance"
    names |= {f"dw{name}Mask1{i}": 0xFF0000 for i, name in enumerate(red.split())} | {"dwOperations": 0xFF0000}
    names |= {f"dw{name}Mask2{i}": 0xFF00 for i, name in enumerate(green.split())}
    names |= {"MultiSampleCaps": Struct("Caps", {"wFlipMSTypes": 0xFF00, "wBltMSTypes": 0})}
    names |= {f"dw{name}Mask3{i}": 0xFF for i, name in enumerate(blue.split())}
    names |= {f"dw{name}BitMask": 0 for name in ("RGBAlpha", "YUVAlpha", "LuminanceAlpha", "RGBZ", "YUVZ")}
    spelt = {"dwRMask10": "dwRBitMask", "dwGMask20": "dwGBitMask", "dwBMask30": "dwBBitMask"}
    return Struct("DDPIXELFORMAT", {spelt.get(name, name): value for name, value in names.items()})


def surface(
    flags: int, caps: int, width: int = 0, height: int = 0, buffers: int = 0, memory: Pointer | None = None
) -> list[Any]:
    """DDSURFACEDESC2 in the same way."""
    first = {"dwSize": 124, "dwFlags": Mask((("DDSD_CAPS", 1),), flags), "dwHeight": height, "dwWidth": width}
    first |= {"lPitch": 4 * width, "dwLinearSize": 4 * width, "dwBackBufferCount": buffers, "dwDepth": buffers}
    first |= dict.fromkeys(("dwMipMapCount", "dwRefreshRate", "dwSrcVBHandle", "dwAlphaBitDepth", "dwReserved"), 0)
    rest = {"lpSurface": memory, "ddckCKDestOverlay": NO_KEY, "dwEmptyFaceColor": 0, "ddckCKDestBlt": NO_KEY,
            "ddckCKSrcOverlay": NO_KEY, "ddckCKSrcBlt": NO_KEY, "ddpfPixelFormat": rgb(), "dwFVF": 32,
            "ddsCaps": Struct("DDSCAPS2", {"dwCaps": Mask((("DDSCAPS_FLIP", 16),), caps), "dwCaps2": 0, "dwCaps3": 0,
                                           "dwCaps4": 0}), "dwTextureStage": 0}  # fmt: skip
    return [Struct("DDSURFACEDESC2", first | rest)]


def effects(color: int) -> list[Any]:
    """DDBLTFX in the same way."""
    names = ("dwDDFX dwROP dwDDROP dwRotationAngle dwZBufferOpCode dwZBufferLow dwZBufferHigh dwZBufferBaseDest "
             "dwZDestConstBitDepth dwZDestConst dwZSrcConstBitDepth dwZSrcConst dwAlphaEdgeBlendBitDepth dwAlphaEdgeBlend "
             "dwReserved dwAlphaDestConstBitDepth dwAlphaDestConst dwAlphaSrcConstBitDepth dwAlphaSrcConst")  # fmt: skip
    fields = {"dwSize": 100} | dict.fromkeys(names.split(), 0) | {"lpDDSAlphaSrc": None}
    fields |= dict.fromkeys(("dwFillColor", "dwFillDepth", "dwFillPixel"), color)
    return [Struct("DDBLTFX", fields | {"ddckDestColorkey": NO_KEY, "ddckSrcColorkey": NO_KEY})]


def rect(left: int, top: int, right: int, bottom: int) -> list[Any]:
    return [Struct("RECT", {"left": left, "top": top, "right": right, "bottom": bottom})]


def whole() -> list[Any]:
    """D3DRECT of the target."""
    return [Struct("D3DRECT", {"x1": 0, "y1": 0, "x2": WIDTH, "y2": HEIGHT})]


class Program:
    """Calls of one API, by the names that both have."""

    def __init__(self) -> None:
        self.trace = TraceFile()

    def call(self, name: str, this: Pointer, out: dict[str, Any] | None = None, **args: Any) -> None:
        self.trace.call(name, {"this": this, **args}, OK, out)

    def copied(self, data: bytes) -> None:
        """The tracer's memcpy."""
        self.trace.call("memcpy", {"dest": MEMORY, "src": data, "n": len(data)})


class Program8(Program):
    """Direct3D 8; `shown`: members of D3DPRESENT_PARAMETERS."""

    def __init__(self, **shown: int) -> None:
        super().__init__()
        self.trace.call("Direct3DCreate8", {"SDKVersion": 220}, DIRECT3D)
        asked = PRESENT | {"BackBufferWidth": WIDTH, "BackBufferHeight": HEIGHT, **shown}
        self.call("IDirect3D8::CreateDevice", DIRECT3D, {"ppReturnedDeviceInterface": [DEVICE]}, Adapter=0, DeviceType=1,
                  hFocusWindow=None, BehaviorFlags=0x40,
                  pPresentationParameters=[Struct("D3DPRESENT_PARAMETERS", asked)], ppReturnedDeviceInterface=None)  # fmt: skip
        for texture in TEXTURES:
            self.do("CreateTexture", {"ppTexture": [texture]}, Width=EDGE, Height=EDGE, Levels=1, Usage=0, Format=22, Pool=0)
        self.do("CreateVertexBuffer", {"ppVertexBuffer": [BUFFER]}, Length=len(VERTICES), Usage=0, FVF=FVF, Pool=0)
        self.do("CreateIndexBuffer", {"ppIndexBuffer": [INDICES]}, Length=len(ORDER), Usage=0, Format=101, Pool=0)
        self.do("CreateImageSurface", {"ppSurface": [SURFACE]}, Width=EDGE, Height=EDGE, Format=22)
        self.do("GetBackBuffer", {"ppBackBuffer": [BACK]}, BackBuffer=0, Type=0)
        self.do("SetVertexShader", Handle=FVF)
        self.do("SetStreamSource", StreamNumber=0, pStreamData=BUFFER, Stride=STRIDE)
        self.do("SetIndices", pIndexData=INDICES, BaseVertexIndex=0)

    def do(self, method: str, out: dict[str, Any] | None = None, **args: Any) -> None:
        self.call(f"IDirect3DDevice8::{method}", DEVICE, out, **args)

    def state(self, i: int) -> None:
        self.do("SetRenderState", State=Enum("D3DRS_AMBIENT", 139), Value=i)

    def stage_state(self, i: int) -> None:
        self.do("SetTextureStageState", Stage=0, Type=Enum("D3DTSS_COLOROP", 1), Value=i & 7)

    def texture(self, i: int) -> None:
        self.do("SetTexture", Stage=0, pTexture=TEXTURES[i & 1])

    def transform(self, i: int) -> None:
        self.do("SetTransform", State=Enum("D3DTS_WORLD", 256), pMatrix=[Struct("D3DMATRIX", {"m": MATRIX})])

    def multiply(self, i: int) -> None:
        self.do("MultiplyTransform", State=Enum("D3DTS_WORLD", 256), pMatrix=[Struct("D3DMATRIX", {"m": MATRIX})])

    def draw_up(self, _: int) -> None:
        self.do("DrawPrimitiveUP", PrimitiveType=LIST, PrimitiveCount=1, pVertexStreamZeroData=VERTICES[: 3 * STRIDE],
                VertexStreamZeroStride=STRIDE)  # fmt: skip

    def draw_indexed_up(self, _: int) -> None:
        self.do("DrawIndexedPrimitiveUP", PrimitiveType=LIST, MinVertexIndex=0, NumVertexIndices=4, PrimitiveCount=2,
                pIndexData=ORDER, IndexDataFormat=101, pVertexStreamZeroData=VERTICES,
                VertexStreamZeroStride=STRIDE)  # fmt: skip

    def draw(self, _: int) -> None:
        self.do("DrawPrimitive", PrimitiveType=LIST, StartVertex=0, PrimitiveCount=1)

    def draw_indexed(self, _: int) -> None:
        self.do("DrawIndexedPrimitive", PrimitiveType=LIST, minIndex=0, NumVertices=4, startIndex=0, primCount=2)

    def clear(self, i: int) -> None:
        self.do("Clear", Count=0, pRects=None, Flags=1, Color=i, Z=Float32(1.0), Stencil=0)

    def lock(self, _: int) -> None:
        shown = [Struct("D3DLOCKED_RECT", {"Pitch": 4 * EDGE, "pBits": MEMORY})]
        this = TEXTURES[0]
        self.call("IDirect3DTexture8::LockRect", this, {"pLockedRect": shown}, Level=0, pLockedRect=None, pRect=None, Flags=0)
        self.copied(PICTURE)
        self.call("IDirect3DTexture8::UnlockRect", this, Level=0)

    def lock_buffer(self, _: int) -> None:
        self.call("IDirect3DVertexBuffer8::Lock", BUFFER, {"ppbData": [MEMORY]}, OffsetToLock=0, SizeToLock=0, ppbData=None,
                  Flags=0)  # fmt: skip
        self.copied(VERTICES)
        self.call("IDirect3DVertexBuffer8::Unlock", BUFFER)

    def copy(self, i: int) -> None:
        point = [Struct("POINT", {"x": i & 255, "y": i & 127})]
        self.do("CopyRects", pSourceSurface=SURFACE, pSourceRectsArray=rect(0, 0, EDGE, EDGE), cRects=1,
                pDestinationSurface=BACK, pDestPointsArray=point)  # fmt: skip

    def fill(self, i: int) -> None:
        self.do("Clear", Count=1, pRects=rect(0, 0, EDGE + (i & 255), EDGE), Flags=1, Color=i, Z=Float32(1.0), Stencil=0)

    def show(self, _: int) -> None:
        self.do("Present", pSourceRect=None, pDestRect=None, hDestWindowOverride=None, pDirtyRegion=None)


class Program7(Program):
    """DirectDraw and Direct3D 7; `draw_version`, `version`: of the interfaces of DirectDraw and of the device."""

    draw_version, version, buffer_version = "7", "7", "7"

    def __init__(self) -> None:
        super().__init__()
        self.trace.call("DirectDrawCreateEx", {"lpGUID": None, "lplpDD": None, "iid": None, "pUnkOuter": None}, OK,
                        {"lplpDD": [DRAW]})  # fmt: skip
        self.draw7("SetDisplayMode", dwWidth=WIDTH, dwHeight=HEIGHT, dwBPP=32, dwRefreshRate=0, dwFlags=0)
        self.made(SCREEN, surface(0x21, 0x2218, buffers=1))
        caps = [Struct("DDSCAPS2", {"dwCaps": 4, "dwCaps2": 0, "dwCaps3": 0, "dwCaps4": 0})]
        self.on(
            "GetAttachedSurface",
            SCREEN,
            {"lplpDDAttachedSurface": [BACK]},
            lpDDSCaps=caps,
        )
        for texture in TEXTURES:
            self.made(texture, surface(0x1007, 0x1000, EDGE, EDGE))
        self.made(SURFACE, surface(0x1007, 0x40, EDGE, EDGE))
        self.call(f"IDirectDraw{self.draw_version}::QueryInterface", DRAW, {"ppvObj": [DIRECT3D]}, riid=None)
        self.begin()

    def begin(self) -> None:
        """The device, and a vertex buffer."""
        self.call("IDirect3D7::CreateDevice", DIRECT3D, {"lplpD3DDevice": [DEVICE]}, rclsid=None, lpDDS=BACK)
        self.buffer("IDirect3D7::CreateVertexBuffer")

    def buffer(self, create: str) -> None:
        desc = [Struct("D3DVERTEXBUFFERDESC", {"dwSize": 16, "dwCaps": 0, "dwFVF": FVF, "dwNumVertices": 4})]
        self.call(create, DIRECT3D, {"lplpD3DVertBuf": [BUFFER]}, lpD3DVertBufDesc=desc,
                  lplpD3DVertBuf=None, dwFlags=0)  # fmt: skip

    def draw7(self, method: str, **args: Any) -> None:
        self.call(f"IDirectDraw{self.draw_version}::{method}", DRAW, **args)

    def on(self, method: str, this: Pointer, out: dict[str, Any] | None = None, **args: Any) -> None:
        """A call on a surface."""
        self.call(f"IDirectDrawSurface{self.draw_version}::{method}", this, out, **args)

    def made(self, pointer: Pointer, desc: list[Any]) -> None:
        out = {"lplpDDSurface": [pointer]}
        self.call(f"IDirectDraw{self.draw_version}::CreateSurface", DRAW, out, lpDDSurfaceDesc=desc, lplpDDSurface=None,
                  pUnkOuter=None)  # fmt: skip

    def do(self, method: str, **args: Any) -> None:
        self.call(f"IDirect3DDevice{self.version}::{method}", DEVICE, **args)

    def state(self, i: int) -> None:
        self.do("SetRenderState", dwRenderStateType=Enum("D3DRENDERSTATE_AMBIENT", 139), dwRenderState=i)

    def stage_state(self, i: int) -> None:
        self.do("SetTextureStageState", dwStage=0, d3dTexStageStateType=Enum("D3DTSS_COLOROP", 1), dwState=i & 7)

    def texture(self, i: int) -> None:
        self.do("SetTexture", dwStage=0, lpTexture=TEXTURES[i & 1])

    def transform(self, i: int) -> None:
        self.do("SetTransform", dtstTransformStateType=WORLD, lpD3DMatrix=MEMBERS)

    def multiply(self, i: int) -> None:
        self.do("MultiplyTransform", dtstTransformStateType=WORLD, lpD3DMatrix=MEMBERS)

    def draw_up(self, _: int) -> None:
        self.do("DrawPrimitive", d3dptPrimitiveType=LIST, d3dvtVertexType=FVF, lpvVertices=VERTICES[: 3 * STRIDE],
                dwVertexCount=3, dwFlags=0)  # fmt: skip

    def draw_indexed_up(self, _: int) -> None:
        self.do("DrawIndexedPrimitive", d3dptPrimitiveType=LIST, d3dvtVertexType=FVF, lpvVertices=VERTICES, dwVertexCount=4,
                lpwIndices=ORDER, dwIndexCount=6, dwFlags=0)  # fmt: skip

    def draw(self, _: int) -> None:
        self.do("DrawPrimitiveVB", d3dptPrimitiveType=LIST, lpD3DVertexBuf=BUFFER, dwStartVertex=0, dwNumVertices=3, dwFlags=0)

    def draw_indexed(self, _: int) -> None:
        self.do("DrawIndexedPrimitiveVB", d3dptPrimitiveType=LIST, lpD3DVertexBuf=BUFFER, dwStartVertex=0, dwNumVertices=4,
                lpwIndices=ORDER, dwIndexCount=6, dwFlags=0)  # fmt: skip

    def clear(self, i: int) -> None:
        self.do("Clear", dwCount=0, lpRects=None, dwFlags=1, dwColor=i, dvZ=Float32(1.0), dwStencil=0)

    def lock(self, _: int) -> None:
        shown, this = surface(0x100F, 0x1000, EDGE, EDGE, memory=MEMORY), TEXTURES[0]
        self.on("Lock", this, {"lpDDSurfaceDesc": shown}, lpDestRect=None, lpDDSurfaceDesc=shown,
                  dwFlags=1, hEvent=None)  # fmt: skip
        self.copied(PICTURE)
        self.on("Unlock", this, lpRect=None)

    def lock_buffer(self, _: int) -> None:
        shown = {"lplpData": [MEMORY], "lpdwSize": [len(VERTICES)]}
        self.call(f"IDirect3DVertexBuffer{self.buffer_version}::Lock", BUFFER, shown, dwFlags=1,
                  lplpData=None, lpdwSize=None)  # fmt: skip
        self.copied(VERTICES)
        self.call(f"IDirect3DVertexBuffer{self.buffer_version}::Unlock", BUFFER)

    def copy(self, i: int) -> None:
        x, y = i & 255, i & 127
        self.on("Blt", BACK, lpDestRect=rect(x, y, x + EDGE, y + EDGE), lpDDSrcSurface=SURFACE,
                  lpSrcRect=rect(0, 0, EDGE, EDGE), dwFlags=WAIT, lpDDBltFx=None)  # fmt: skip

    def copy_fast(self, i: int) -> None:
        self.on("BltFast", BACK, dwX=i & 255, dwY=i & 127, lpDDSrcSurface=SURFACE,
                  lpSrcRect=rect(0, 0, EDGE, EDGE), dwTrans=16)  # fmt: skip

    def fill(self, i: int) -> None:
        self.on("Blt", BACK, lpDestRect=rect(0, 0, EDGE + (i & 255), EDGE), lpDDSrcSurface=None,
                  lpSrcRect=None, dwFlags=FILL, lpDDBltFx=effects(i))  # fmt: skip

    def show(self, _: int) -> None:
        self.on("Flip", SCREEN, lpDDSurfaceTargetOverride=None, dwFlags=1)


class Program6(Program7):
    """DirectDraw 4 and Direct3D 6."""

    draw_version, version, buffer_version = "4", "3", ""

    def begin(self) -> None:
        self.call(f"IDirect3D{self.version}::CreateDevice", DIRECT3D, {f"lplpD3DDevice{self.version}": [DEVICE]}, rclsid=None,
                  lpDDS=BACK)  # fmt: skip
        for texture, address in zip(TEXTURES, TEXTURES2, strict=True):
            self.call("IDirectDrawSurface4::QueryInterface", texture, {"ppvObj": [address]}, riid=None)
        made = f"lplpD3DViewport{self.version}"
        self.call(f"IDirect3D{self.version}::CreateViewport", DIRECT3D, {made: [VIEWPORT]}, **{made: None}, pUnkOuter=None)
        self.do("AddViewport", **{f"lpDirect3DViewport{self.version}": VIEWPORT})
        place = {"dwSize": 44, "dwX": 0, "dwY": 0, "dwWidth": WIDTH, "dwHeight": HEIGHT}
        clip = dict(zip(("dvClipX", "dvClipY", "dvClipWidth", "dvClipHeight", "dvMinZ", "dvMaxZ"),
                        map(Float32, (-1.0, 1.0, 2.0, 2.0, 0.0, 1.0)), strict=True))  # fmt: skip
        self.call(f"IDirect3DViewport{self.version}::SetViewport2", VIEWPORT, lpData=[Struct("D3DVIEWPORT2", place | clip)])
        self.do("SetCurrentViewport", **{f"lpDirect3DViewport{self.version}": VIEWPORT})
        self.resources()

    def resources(self) -> None:
        self.buffer("IDirect3D3::CreateVertexBuffer")

    def texture(self, i: int) -> None:
        self.do("SetTexture", dwStage=0, lpTexture2=TEXTURES2[i & 1])

    def light_state(self, i: int) -> None:
        self.do("SetLightState", dwLightStateType=Enum("D3DLIGHTSTATE_AMBIENT", 2), dwLightState=i)

    def projection(self, i: int) -> None:
        self.do("SetTransform", dtstTransformStateType=Enum("D3DTRANSFORMSTATE_PROJECTION", 3), lpD3DMatrix=MEMBERS)

    def draw_indexed(self, _: int) -> None:
        self.do("DrawIndexedPrimitiveVB", d3dptPrimitiveType=LIST, lpD3DVertexBuf=BUFFER, lpwIndices=ORDER, dwIndexCount=6,
                dwFlags=0)  # fmt: skip

    def clear(self, i: int) -> None:
        self.call("IDirect3DViewport3::Clear2", VIEWPORT, dwCount=1, lpRects=whole(), dwFlags=1, dwColor=i, dvZ=Float32(1.0),
                  dwStencil=0)  # fmt: skip


class Program5(Program6):
    """DirectDraw 4 and Direct3D 5: textures have handles, vertices types."""

    version = "2"

    def resources(self) -> None:
        for i, address in enumerate(TEXTURES2):
            self.call("IDirect3DTexture2::GetHandle", address, {"lpHandle": [i + 1]}, lpDirect3DDevice2=DEVICE)

    def texture(self, i: int) -> None:
        self.do("SetRenderState", dwRenderStateType=Enum("D3DRENDERSTATE_TEXTUREHANDLE", 1), dwRenderState=1 + (i & 1))

    def stage_state(self, i: int) -> None:
        self.do("SetRenderState", dwRenderStateType=Enum("D3DRENDERSTATE_TEXTUREMAPBLEND", 21), dwRenderState=2 + 2 * (i & 1))

    def draw_up(self, _: int) -> None:
        self.do("DrawPrimitive", d3dptPrimitiveType=LIST, d3dvtVertexType=TL, lpvVertices=TL_VERTICES[: 3 * 32],
                dwVertexCount=3, dwFlags=0)  # fmt: skip

    def draw_indexed_up(self, _: int) -> None:
        self.do("DrawIndexedPrimitive", d3dptPrimitiveType=LIST, d3dvtVertexType=TL, lpvVertices=TL_VERTICES, dwVertexCount=4,
                lpwIndices=ORDER, dwIndexCount=6, dwFlags=0)  # fmt: skip

    def clear(self, i: int) -> None:
        self.call("IDirect3DViewport2::Clear", VIEWPORT, dwCount=1, lpRects=whole(), dwFlags=1)
