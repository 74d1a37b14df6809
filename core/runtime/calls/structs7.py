"""Structures of DirectDraw and Direct3D 7 in scripts.  Members: ddraw.h; of unions, those that are read."""

from __future__ import annotations

from typing import NamedTuple


class DDCOLORKEY(NamedTuple):
    """A range of pixel values."""

    dwColorSpaceLowValue: int = 0
    dwColorSpaceHighValue: int = 0


class DDPIXELFORMAT(NamedTuple):
    """What the bits of a pixel are; each union has the name that DirectDraw's documents use most, and those read here."""

    dwSize: int = 32
    dwFlags: int = 0
    dwFourCC: int = 0
    dwRGBBitCount: int = 0
    dwRBitMask: int = 0
    dwStencilBitDepth: int = 0
    dwGBitMask: int = 0
    dwZBitMask: int = 0
    dwBBitMask: int = 0
    dwRGBAlphaBitMask: int = 0


class DDSCAPS2(NamedTuple):
    """What a surface is for."""

    dwCaps: int = 0
    dwCaps2: int = 0
    dwCaps3: int = 0
    dwCaps4: int = 0


class DDSURFACEDESC2(NamedTuple):
    """A surface."""

    dwSize: int = 124
    dwFlags: int = 0
    dwHeight: int = 0
    dwWidth: int = 0
    lPitch: int = 0
    dwBackBufferCount: int = 0
    dwMipMapCount: int = 0
    lpSurface: int = 0
    ddckCKSrcBlt: DDCOLORKEY = DDCOLORKEY()
    ddpfPixelFormat: DDPIXELFORMAT = DDPIXELFORMAT()
    ddsCaps: DDSCAPS2 = DDSCAPS2()


class DDBLTFX(NamedTuple):
    """What a Blt does besides copying."""

    dwSize: int = 100
    dwDDFX: int = 0
    dwROP: int = 0
    dwFillColor: int = 0
    ddckDestColorkey: DDCOLORKEY = DDCOLORKEY()
    ddckSrcColorkey: DDCOLORKEY = DDCOLORKEY()


class D3DDP_PTRSTRIDE(NamedTuple):
    """A component of strided vertices: its memory, and the bytes from one vertex to the next."""

    lpvData: bytes | None = None
    dwStride: int = 0


NO_COMPONENT = D3DDP_PTRSTRIDE()


class D3DDRAWPRIMITIVESTRIDEDDATA(NamedTuple):
    """Vertices whose components are in memory of their own."""

    position: D3DDP_PTRSTRIDE = NO_COMPONENT
    normal: D3DDP_PTRSTRIDE = NO_COMPONENT
    diffuse: D3DDP_PTRSTRIDE = NO_COMPONENT
    specular: D3DDP_PTRSTRIDE = NO_COMPONENT
    textureCoords: tuple[D3DDP_PTRSTRIDE, ...] = (NO_COMPONENT,) * 8


class D3DVERTEXBUFFERDESC(NamedTuple):
    """A vertex buffer: D3DVBCAPS_*, the format of its vertices, how many."""

    dwSize: int = 16
    dwCaps: int = 0
    dwFVF: int = 0
    dwNumVertices: int = 0


STRUCTS7: tuple[type, ...] = (
    DDCOLORKEY, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2, DDBLTFX, D3DDP_PTRSTRIDE, D3DDRAWPRIMITIVESTRIDEDDATA,
    D3DVERTEXBUFFERDESC,
)  # fmt: skip
