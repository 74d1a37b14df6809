"""How fast each kind of call is imported: Direct3D 7 and DirectDraw beside Direct3D 8.

    python -m tests.bench.import_kinds [KIND...] [--calls 60000] [--runs 3]

For each kind two programs do the same with one API and the other, so many calls of it after what they need.  Processor
microseconds per call, threads that compress included; the median of the runs, after one that loads the compiled kernels.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.bench.import_rate import convert
from tests.bench.machine import machine
from tests.inspector.imports.trace_file import MATRIX, OK, PRESENT, Enum, Float32, Mask, Pointer, Struct, TraceFile, zstd

WIDTH, HEIGHT, EDGE = 640, 480, 64
DRAW, SCREEN, BACK, DIRECT3D, DEVICE, BUFFER, INDICES, SURFACE = (Pointer(0x1000 * (i + 1)) for i in range(8))
TEXTURES = Pointer(0x100000), Pointer(0x200000)
MEMORY = Pointer(0x7000_0000)
LIST = Enum("D3DPT_TRIANGLELIST", 4)
FVF, STRIDE = 0x144, 28  # XYZRHW | DIFFUSE | TEX1
VERTICES, ORDER = bytes(range(4 * STRIDE)), bytes((0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0))
PICTURE = bytes(4 * EDGE * EDGE)
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
    """Direct3D 8."""

    def __init__(self) -> None:
        super().__init__()
        self.trace.call("Direct3DCreate8", {"SDKVersion": 220}, DIRECT3D)
        asked = PRESENT | {"BackBufferWidth": WIDTH, "BackBufferHeight": HEIGHT}
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
    """DirectDraw and Direct3D 7."""

    def __init__(self) -> None:
        super().__init__()
        self.trace.call("DirectDrawCreateEx", {"lpGUID": None, "lplpDD": None, "iid": None, "pUnkOuter": None}, OK,
                        {"lplpDD": [DRAW]})  # fmt: skip
        self.draw7("SetDisplayMode", dwWidth=WIDTH, dwHeight=HEIGHT, dwBPP=32, dwRefreshRate=0, dwFlags=0)
        self.made(SCREEN, surface(0x21, 0x2218, buffers=1))
        caps = [Struct("DDSCAPS2", {"dwCaps": 4, "dwCaps2": 0, "dwCaps3": 0, "dwCaps4": 0})]
        self.call("IDirectDrawSurface7::GetAttachedSurface", SCREEN, {"lplpDDAttachedSurface": [BACK]}, lpDDSCaps=caps)
        for texture in TEXTURES:
            self.made(texture, surface(0x1007, 0x1000, EDGE, EDGE))
        self.made(SURFACE, surface(0x1007, 0x40, EDGE, EDGE))
        self.call("IDirectDraw7::QueryInterface", DRAW, {"ppvObj": [DIRECT3D]}, riid=None)
        self.call("IDirect3D7::CreateDevice", DIRECT3D, {"lplpD3DDevice": [DEVICE]}, rclsid=None, lpDDS=BACK)
        desc = [Struct("D3DVERTEXBUFFERDESC", {"dwSize": 16, "dwCaps": 0, "dwFVF": FVF, "dwNumVertices": 4})]
        self.call("IDirect3D7::CreateVertexBuffer", DIRECT3D, {"lplpD3DVertBuf": [BUFFER]}, lpD3DVertBufDesc=desc,
                  lplpD3DVertBuf=None, dwFlags=0)  # fmt: skip

    def draw7(self, method: str, **args: Any) -> None:
        self.call(f"IDirectDraw7::{method}", DRAW, **args)

    def made(self, pointer: Pointer, desc: list[Any]) -> None:
        self.call("IDirectDraw7::CreateSurface", DRAW, {"lplpDDSurface": [pointer]}, lpDDSurfaceDesc=desc, lplpDDSurface=None,
                  pUnkOuter=None)  # fmt: skip

    def do(self, method: str, **args: Any) -> None:
        self.call(f"IDirect3DDevice7::{method}", DEVICE, **args)

    def state(self, i: int) -> None:
        self.do("SetRenderState", dwRenderStateType=Enum("D3DRENDERSTATE_AMBIENT", 139), dwRenderState=i)

    def stage_state(self, i: int) -> None:
        self.do("SetTextureStageState", dwStage=0, d3dTexStageStateType=Enum("D3DTSS_COLOROP", 1), dwState=i & 7)

    def texture(self, i: int) -> None:
        self.do("SetTexture", dwStage=0, lpTexture=TEXTURES[i & 1])

    def transform(self, i: int) -> None:
        names = [f"_{row}{column}" for row in range(1, 5) for column in range(1, 5)]
        members = dict(zip(names, (number for row in MATRIX for number in row), strict=True))
        self.do(
            "SetTransform",
            dtstTransformStateType=Enum("D3DTRANSFORMSTATE_WORLD", 1),
            lpD3DMatrix=[Struct("D3DMATRIX", members)],
        )

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
        self.call("IDirectDrawSurface7::Lock", this, {"lpDDSurfaceDesc": shown}, lpDestRect=None, lpDDSurfaceDesc=shown,
                  dwFlags=1, hEvent=None)  # fmt: skip
        self.copied(PICTURE)
        self.call("IDirectDrawSurface7::Unlock", this, lpRect=None)

    def lock_buffer(self, _: int) -> None:
        self.call("IDirect3DVertexBuffer7::Lock", BUFFER, {"lplpData": [MEMORY], "lpdwSize": [len(VERTICES)]}, dwFlags=1,
                  lplpData=None, lpdwSize=None)  # fmt: skip
        self.copied(VERTICES)
        self.call("IDirect3DVertexBuffer7::Unlock", BUFFER)

    def copy(self, i: int) -> None:
        x, y = i & 255, i & 127
        self.call("IDirectDrawSurface7::Blt", BACK, lpDestRect=rect(x, y, x + EDGE, y + EDGE), lpDDSrcSurface=SURFACE,
                  lpSrcRect=rect(0, 0, EDGE, EDGE), dwFlags=WAIT, lpDDBltFx=None)  # fmt: skip

    def copy_fast(self, i: int) -> None:
        self.call("IDirectDrawSurface7::BltFast", BACK, dwX=i & 255, dwY=i & 127, lpDDSrcSurface=SURFACE,
                  lpSrcRect=rect(0, 0, EDGE, EDGE), dwTrans=16)  # fmt: skip

    def fill(self, i: int) -> None:
        self.call("IDirectDrawSurface7::Blt", BACK, lpDestRect=rect(0, 0, EDGE + (i & 255), EDGE), lpDDSrcSurface=None,
                  lpSrcRect=None, dwFlags=FILL, lpDDBltFx=effects(i))  # fmt: skip

    def show(self, _: int) -> None:
        self.call("IDirectDrawSurface7::Flip", SCREEN, lpDDSurfaceTargetOverride=None, dwFlags=1)


def frame(program: Any, i: int) -> None:
    """Fifty calls: ten objects."""
    program.clear(i)
    program.do("BeginScene")
    for k in range(10):
        program.texture(k)
        program.transform(k)
        program.state(10 * i + k)
        program.stage_state(k)
        program.draw_up(k)
    program.do("EndScene")
    program.show(i)


KINDS: dict[str, tuple[str, str]] = {
    "SetRenderState": ("state", "state"),
    "SetTextureStageState": ("stage_state", "stage_state"),
    "SetTexture": ("texture", "texture"),
    "SetTransform": ("transform", "transform"),
    "draws of user memory": ("draw_up", "draw_up"),
    "indexed, user memory": ("draw_indexed_up", "draw_indexed_up"),
    "draws of buffers": ("draw", "draw"),
    "indexed, of buffers": ("draw_indexed", "draw_indexed"),
    "Clear": ("clear", "clear"),
    "Lock of a texture": ("lock", "lock"),
    "Lock of a buffer": ("lock_buffer", "lock_buffer"),
    "CopyRects, Blt": ("copy", "copy"),
    "CopyRects, BltFast": ("copy", "copy_fast"),
    "Clear of a box, fill": ("fill", "fill"),
    "Present, Flip": ("show", "show"),
    "whole frames": ("", ""),
}
"""What is measured: its function in Program8, and in Program7."""


def programs(kind: str, calls: int) -> Iterator[bytes]:
    """The traces of both APIs."""
    for make, name in zip((Program8, Program7), KINDS[kind], strict=True):
        program: Any = make()
        do: Callable[[int], None] = getattr(program, name) if name else lambda i, program=program: frame(program, i)
        i, wanted = 0, program.trace.count + calls
        while program.trace.count < wanted:
            do(i)
            i += 1
        yield zstd(program.trace.bytes())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.import_kinds", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], metavar="KIND")
    parser.add_argument("--calls", type=int, default=60_000)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    print(machine())
    print(f"{'us per call':24}{'Direct3D 8':>12}{'7':>8}{'rate of 7':>12}")
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder) / "kind.trace", Path(folder) / "kind.ddicap"
        for kind in chosen.kinds or KINDS:
            spent = [microseconds(path, output, data, chosen.runs) for data in programs(kind, chosen.calls)]
            print(f"{kind:24}{spent[0]:12.2f}{spent[1]:8.2f}{spent[0] / spent[1]:12.0%}")


def microseconds(path: Path, output: Path, data: bytes, runs: int) -> float:
    """Processor time of an import, for each call."""
    path.write_bytes(data)
    calls, spent = convert(path, output), []
    for _ in range(runs):
        began = time.process_time()
        convert(path, output)
        spent.append(time.process_time() - began)
    return statistics.median(spent) / calls * 1e6


if __name__ == "__main__":
    main()
