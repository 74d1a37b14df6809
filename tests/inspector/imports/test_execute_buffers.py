"""A program of Direct3D 3: recorders do not wrap IDirect3DDevice, so that its DirectDraw half opens, with a sentence."""

from __future__ import annotations

from pathlib import Path

import inspector
from tests.inspector.imports.trace_file import Enum, Mask, Pointer, Repr, Struct, TraceFile, snappy

DRAW, SURFACE, DEVICE = Pointer(0x1000), Pointer(0x2000), Pointer(0x3000)
OK = Enum("DD_OK", 0)
HAL_DEVICE = {"Data1": 0x84E63DE0, "Data2": 0x46AA, "Data3": 0x11CF, "Data4": [0x81, 0x6F, 0, 0, 0xC0, 0x20, 0x15, 0x6E]}
FORMAT = {
    "dwSize": 32, "dwFlags": 0x40, "dwFourCC": 0, "dwRGBBitCount": 32, "dwRBitMask": 0xFF0000, "dwStencilBitDepth": 0xFF0000,
    "dwGBitMask": 0xFF00, "dwZBitMask": 0xFF00, "dwBBitMask": 0xFF, "dwRGBAlphaBitMask": 0,
}  # fmt: skip
EFFECTS = {"dwSize": 100, "dwDDFX": 0, "dwROP": 0, "dwFillColor": 0x00FF00}


def program() -> TraceFile:
    """A surface that is filled, and asked for a device, which draws what no trace has."""
    trace = TraceFile()
    trace.call("DirectDrawCreate", {"lpGUID": None, "lplpDD": None, "pUnkOuter": None}, OK, {"lplpDD": [DRAW]})
    desc = {
        "dwSize": 108, "dwFlags": 0x1007, "dwHeight": 4, "dwWidth": 6,
        "ddpfPixelFormat": Struct("DDPIXELFORMAT", FORMAT), "ddsCaps": Struct("DDSCAPS", {"dwCaps": 0x2040}),
    }  # fmt: skip
    asked = {"this": DRAW, "lpDDSurfaceDesc": [Struct("DDSURFACEDESC", desc)], "lplpDDSurface": None, "pUnkOuter": None}
    trace.call("IDirectDraw::CreateSurface", asked, OK, {"lplpDDSurface": [SURFACE]})
    riid = Repr("IID_IDirect3DHALDevice", Struct("IID", HAL_DEVICE))
    trace.call("IDirectDrawSurface::QueryInterface", {"this": SURFACE, "riid": riid}, OK, {"ppvObj": [DEVICE]})
    fill = Mask((("DDBLT_COLORFILL", 0x400),), 0x400)
    trace.call("IDirectDrawSurface::Blt", {
        "this": SURFACE, "lpDestRect": None, "lpDDSrcSurface": None, "lpSrcRect": None, "dwFlags": fill,
        "lpDDBltFx": [Struct("DDBLTFX", EFFECTS)]}, OK)  # fmt: skip
    return trace


def test_the_directdraw_half_opens_and_a_sentence_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_bytes(snappy(program().bytes()))
    with inspector.open(path) as capture:
        assert [found.rule for found in capture.findings] == ["not-recorded"]
        assert len(capture.tape.notices) == 1 and "execute buffers" in capture.tape.notices[0]
        last = len(capture.events) - 1
        picture = capture.image(last, capture.surface_of_source(SURFACE.address, last))
        assert picture.shape[:2] == (4, 6) and (picture[..., :3] == (0, 255, 0)).all()
