"""Device capabilities: D3DCAPS8, field by field and bit by bit, and the values of our full device.

Sources: d3d8caps.h (fields, bits); the DX8 DDI specification, chapter "Minimum Capability Requirements", for what must be
there; HWVERTEXBUFFER and HWINDEXBUFFER are DDI bits that the runtime hides from programs.  The specification also names
D3DCURSORCAPS_MONO, which no header has.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

import numpy as np

from core.spec.enums import PresentInterval
from core.spec.kinds import F32, U32, Kind, flags
from core.spec.shaders import PS_1_4, VERSIONS, VS_1_1


class DeviceCaps1(IntFlag):
    """D3DCAPS_*."""

    READ_SCANLINE = 0x20000


class DeviceCaps2(IntFlag):
    """D3DCAPS2_*."""

    NO2DDURING3DSCENE = 2
    FULLSCREENGAMMA = 0x20000
    CANRENDERWINDOWED = 0x80000
    CANCALIBRATEGAMMA = 0x100000
    RESERVED = 0x2000000
    CANMANAGERESOURCE = 0x10000000
    DYNAMICTEXTURES = 0x20000000


class DeviceCaps3(IntFlag):
    """D3DCAPS3_*."""

    ALPHA_FULLSCREEN_FLIP_OR_DISCARD = 32
    RESERVED = 0x8000001F


class CursorCaps(IntFlag):
    """D3DCURSORCAPS_*."""

    COLOR = 1
    LOWRES = 2


class DevCaps(IntFlag):
    """D3DDEVCAPS_*."""

    EXECUTESYSTEMMEMORY = 16
    EXECUTEVIDEOMEMORY = 32
    TLVERTEXSYSTEMMEMORY = 64
    TLVERTEXVIDEOMEMORY = 128
    TEXTURESYSTEMMEMORY = 0x100
    TEXTUREVIDEOMEMORY = 0x200
    DRAWPRIMTLVERTEX = 0x400
    CANRENDERAFTERFLIP = 0x800
    TEXTURENONLOCALVIDMEM = 0x1000
    DRAWPRIMITIVES2 = 0x2000
    SEPARATETEXTUREMEMORIES = 0x4000
    DRAWPRIMITIVES2EX = 0x8000
    HWTRANSFORMANDLIGHT = 0x10000
    CANBLTSYSTONONLOCAL = 0x20000
    HWRASTERIZATION = 0x80000
    PUREDEVICE = 0x100000
    QUINTICRTPATCHES = 0x200000
    RTPATCHES = 0x400000
    RTPATCHHANDLEZERO = 0x800000
    NPATCHES = 0x1000000
    HWVERTEXBUFFER = 0x2000000
    HWINDEXBUFFER = 0x4000000


class PrimitiveMiscCaps(IntFlag):
    """D3DPMISCCAPS_*."""

    MASKZ = 2
    LINEPATTERNREP = 4
    CULLNONE = 16
    CULLCW = 32
    CULLCCW = 64
    COLORWRITEENABLE = 128
    CLIPPLANESCALEDPOINTS = 0x100
    CLIPTLVERTS = 0x200
    TSSARGTEMP = 0x400
    BLENDOP = 0x800
    NULLREFERENCE = 0x1000


class RasterCaps(IntFlag):
    """D3DPRASTERCAPS_*."""

    DITHER = 1
    PAT = 8
    ZTEST = 16
    FOGVERTEX = 128
    FOGTABLE = 0x100
    ANTIALIASEDGES = 0x1000
    MIPMAPLODBIAS = 0x2000
    ZBIAS = 0x4000
    ZBUFFERLESSHSR = 0x8000
    FOGRANGE = 0x10000
    ANISOTROPY = 0x20000
    WBUFFER = 0x40000
    WFOG = 0x100000
    ZFOG = 0x200000
    COLORPERSPECTIVE = 0x400000
    STRETCHBLTMULTISAMPLE = 0x800000


class CmpCaps(IntFlag):
    """D3DPCMPCAPS_*."""

    NEVER = 1
    LESS = 2
    EQUAL = 4
    LESSEQUAL = 8
    GREATER = 16
    NOTEQUAL = 32
    GREATEREQUAL = 64
    ALWAYS = 128


class BlendCaps(IntFlag):
    """D3DPBLENDCAPS_*."""

    ZERO = 1
    ONE = 2
    SRCCOLOR = 4
    INVSRCCOLOR = 8
    SRCALPHA = 16
    INVSRCALPHA = 32
    DESTALPHA = 64
    INVDESTALPHA = 128
    DESTCOLOR = 0x100
    INVDESTCOLOR = 0x200
    SRCALPHASAT = 0x400
    BOTHSRCALPHA = 0x800
    BOTHINVSRCALPHA = 0x1000


class ShadeCaps(IntFlag):
    """D3DPSHADECAPS_*."""

    COLORGOURAUDRGB = 8
    SPECULARGOURAUDRGB = 0x200
    ALPHAGOURAUDBLEND = 0x4000
    FOGGOURAUD = 0x80000


class TextureCaps(IntFlag):
    """D3DPTEXTURECAPS_*."""

    PERSPECTIVE = 1
    POW2 = 2
    ALPHA = 4
    SQUAREONLY = 32
    TEXREPEATNOTSCALEDBYSIZE = 64
    ALPHAPALETTE = 128
    NONPOW2CONDITIONAL = 0x100
    PROJECTED = 0x400
    CUBEMAP = 0x800
    VOLUMEMAP = 0x2000
    MIPMAP = 0x4000
    MIPVOLUMEMAP = 0x8000
    MIPCUBEMAP = 0x10000
    CUBEMAP_POW2 = 0x20000
    VOLUMEMAP_POW2 = 0x40000


class TextureFilterCaps(IntFlag):
    """D3DPTFILTERCAPS_*."""

    MINFPOINT = 0x100
    MINFLINEAR = 0x200
    MINFANISOTROPIC = 0x400
    MIPFPOINT = 0x10000
    MIPFLINEAR = 0x20000
    MAGFPOINT = 0x1000000
    MAGFLINEAR = 0x2000000
    MAGFANISOTROPIC = 0x4000000
    MAGFAFLATCUBIC = 0x8000000
    MAGFGAUSSIANCUBIC = 0x10000000


class TextureAddressCaps(IntFlag):
    """D3DPTADDRESSCAPS_*."""

    WRAP = 1
    MIRROR = 2
    CLAMP = 4
    BORDER = 8
    INDEPENDENTUV = 16
    MIRRORONCE = 32


class LineCaps(IntFlag):
    """D3DLINECAPS_*."""

    TEXTURE = 1
    ZTEST = 2
    BLEND = 4
    ALPHACMP = 8
    FOG = 16


class StencilCaps(IntFlag):
    """D3DSTENCILCAPS_*."""

    KEEP = 1
    ZERO = 2
    REPLACE = 4
    INCRSAT = 8
    DECRSAT = 16
    INVERT = 32
    INCR = 64
    DECR = 128


class FvfCaps(IntFlag):
    """D3DFVFCAPS_*."""

    TEXCOORDCOUNTMASK = 0xFFFF
    DONOTSTRIPELEMENTS = 0x80000
    PSIZE = 0x100000


class TextureOpCaps(IntFlag):
    """D3DTEXOPCAPS_*."""

    DISABLE = 1
    SELECTARG1 = 2
    SELECTARG2 = 4
    MODULATE = 8
    MODULATE2X = 16
    MODULATE4X = 32
    ADD = 64
    ADDSIGNED = 128
    ADDSIGNED2X = 0x100
    SUBTRACT = 0x200
    ADDSMOOTH = 0x400
    BLENDDIFFUSEALPHA = 0x800
    BLENDTEXTUREALPHA = 0x1000
    BLENDFACTORALPHA = 0x2000
    BLENDTEXTUREALPHAPM = 0x4000
    BLENDCURRENTALPHA = 0x8000
    PREMODULATE = 0x10000
    MODULATEALPHA_ADDCOLOR = 0x20000
    MODULATECOLOR_ADDALPHA = 0x40000
    MODULATEINVALPHA_ADDCOLOR = 0x80000
    MODULATEINVCOLOR_ADDALPHA = 0x100000
    BUMPENVMAP = 0x200000
    BUMPENVMAPLUMINANCE = 0x400000
    DOTPRODUCT3 = 0x800000
    MULTIPLYADD = 0x1000000
    LERP = 0x2000000


class VertexProcessingCaps(IntFlag):
    """D3DVTXPCAPS_*."""

    TEXGEN = 1
    MATERIALSOURCE7 = 2
    DIRECTIONALLIGHTS = 8
    POSITIONALLIGHTS = 16
    LOCALVIEWER = 32
    TWEENING = 64
    NO_VSDT_UBYTE4 = 128


def _version_text(raw: int) -> str:
    """'vs_1_1'; 0 and version 0.0 mean none."""
    return VERSIONS.get(int(raw), "none" if not raw & 0xFFFF else f"{int(raw):#010x}")


SHADER_VERSION = Kind("SHADER_VERSION", "<u4", int, _version_text, U32.raw)


@dataclass(frozen=True)
class Cap:
    """One dword of D3DCAPS8, with our full device's answer: a number, or names of bits."""

    name: str
    kind: Kind
    full: int | float | str = 0

    @property
    def raw(self) -> int:
        return self.kind.raw(self.full)


COMPARE = flags(CmpCaps)
BLENDS, FILTERS, ADDRESSES = flags(BlendCaps), flags(TextureFilterCaps), flags(TextureAddressCaps)
ALL_COMPARE = "NEVER|LESS|EQUAL|LESSEQUAL|GREATER|NOTEQUAL|GREATEREQUAL|ALWAYS"
FILTERS_2D = "MINFPOINT|MINFLINEAR|MINFANISOTROPIC|MIPFPOINT|MIPFLINEAR|MAGFPOINT|MAGFLINEAR|MAGFANISOTROPIC"
FILTERS_CUBE = "MINFPOINT|MINFLINEAR|MIPFPOINT|MIPFLINEAR|MAGFPOINT|MAGFLINEAR"
ALL_ADDRESS = "WRAP|MIRROR|CLAMP|BORDER|INDEPENDENTUV|MIRRORONCE"

CAPS8: tuple[Cap, ...] = (
    Cap("DeviceType", U32),  # left to the runtime, as the DDI specification asks
    Cap("AdapterOrdinal", U32),
    Cap("Caps", flags(DeviceCaps1), "READ_SCANLINE"),
    Cap("Caps2", flags(DeviceCaps2), "FULLSCREENGAMMA|CANRENDERWINDOWED|DYNAMICTEXTURES"),
    Cap("Caps3", flags(DeviceCaps3), "ALPHA_FULLSCREEN_FLIP_OR_DISCARD"),
    Cap("PresentationIntervals", flags(PresentInterval), "ONE|TWO|THREE|FOUR|IMMEDIATE"),
    Cap("CursorCaps", flags(CursorCaps), "COLOR|LOWRES"),
    Cap(
        "DevCaps",
        flags(DevCaps),
        "EXECUTESYSTEMMEMORY|EXECUTEVIDEOMEMORY|TLVERTEXSYSTEMMEMORY|TLVERTEXVIDEOMEMORY|TEXTURESYSTEMMEMORY|TEXTUREVIDEOMEMORY"
        "|DRAWPRIMTLVERTEX|CANRENDERAFTERFLIP|TEXTURENONLOCALVIDMEM|DRAWPRIMITIVES2|DRAWPRIMITIVES2EX|HWTRANSFORMANDLIGHT"
        "|CANBLTSYSTONONLOCAL|HWRASTERIZATION|PUREDEVICE|QUINTICRTPATCHES|RTPATCHES|RTPATCHHANDLEZERO|NPATCHES"
        "|HWVERTEXBUFFER|HWINDEXBUFFER",
    ),
    Cap(
        "PrimitiveMiscCaps",
        flags(PrimitiveMiscCaps),
        "MASKZ|LINEPATTERNREP|CULLNONE|CULLCW|CULLCCW|COLORWRITEENABLE|CLIPPLANESCALEDPOINTS|CLIPTLVERTS|TSSARGTEMP|BLENDOP",
    ),
    Cap(
        "RasterCaps",
        flags(RasterCaps),
        "DITHER|PAT|ZTEST|FOGVERTEX|FOGTABLE|MIPMAPLODBIAS|ZBIAS|FOGRANGE|ANISOTROPY|WBUFFER|WFOG|ZFOG|COLORPERSPECTIVE",
    ),
    Cap("ZCmpCaps", COMPARE, ALL_COMPARE),
    Cap(
        "SrcBlendCaps",
        BLENDS,
        "ZERO|ONE|SRCCOLOR|INVSRCCOLOR|SRCALPHA|INVSRCALPHA|DESTALPHA|INVDESTALPHA|DESTCOLOR|INVDESTCOLOR|SRCALPHASAT"
        "|BOTHSRCALPHA|BOTHINVSRCALPHA",
    ),
    Cap(
        "DestBlendCaps",
        BLENDS,
        "ZERO|ONE|SRCCOLOR|INVSRCCOLOR|SRCALPHA|INVSRCALPHA|DESTALPHA|INVDESTALPHA|DESTCOLOR|INVDESTCOLOR|SRCALPHASAT",
    ),
    Cap("AlphaCmpCaps", COMPARE, ALL_COMPARE),
    Cap("ShadeCaps", flags(ShadeCaps), "COLORGOURAUDRGB|SPECULARGOURAUDRGB|ALPHAGOURAUDBLEND|FOGGOURAUD"),
    Cap(
        "TextureCaps",
        flags(TextureCaps),
        "PERSPECTIVE|ALPHA|ALPHAPALETTE|PROJECTED|CUBEMAP|VOLUMEMAP|MIPMAP|MIPVOLUMEMAP|MIPCUBEMAP",
    ),
    Cap("TextureFilterCaps", FILTERS, FILTERS_2D),
    Cap("CubeTextureFilterCaps", FILTERS, FILTERS_CUBE),
    Cap("VolumeTextureFilterCaps", FILTERS, FILTERS_CUBE),
    Cap("TextureAddressCaps", ADDRESSES, ALL_ADDRESS),
    Cap("VolumeTextureAddressCaps", ADDRESSES, ALL_ADDRESS),
    Cap("LineCaps", flags(LineCaps), "TEXTURE|ZTEST|BLEND|ALPHACMP|FOG"),
    Cap("MaxTextureWidth", U32, 4096),
    Cap("MaxTextureHeight", U32, 4096),
    Cap("MaxVolumeExtent", U32, 512),
    Cap("MaxTextureRepeat", U32, 8192),
    Cap("MaxTextureAspectRatio", U32, 4096),
    Cap("MaxAnisotropy", U32, 16),
    Cap("MaxVertexW", F32, 1e10),
    Cap("GuardBandLeft", F32, -2048.0),
    Cap("GuardBandTop", F32, -2048.0),
    Cap("GuardBandRight", F32, 6144.0),
    Cap("GuardBandBottom", F32, 6144.0),
    Cap("ExtentsAdjust", F32, 0.0),
    Cap("StencilCaps", flags(StencilCaps), "KEEP|ZERO|REPLACE|INCRSAT|DECRSAT|INVERT|INCR|DECR"),
    Cap("FVFCaps", flags(FvfCaps), 8 | FvfCaps.PSIZE),  # eight coordinate sets
    Cap("TextureOpCaps", flags(TextureOpCaps), 0x03FFFFFF),  # every operation
    Cap("MaxTextureBlendStages", U32, 8),
    Cap("MaxSimultaneousTextures", U32, 8),
    Cap(
        "VertexProcessingCaps",
        flags(VertexProcessingCaps),
        "TEXGEN|MATERIALSOURCE7|DIRECTIONALLIGHTS|POSITIONALLIGHTS|LOCALVIEWER|TWEENING",
    ),
    Cap("MaxActiveLights", U32, 64),
    Cap("MaxUserClipPlanes", U32, 6),
    Cap("MaxVertexBlendMatrices", U32, 4),
    Cap("MaxVertexBlendMatrixIndex", U32, 255),
    Cap("MaxPointSize", F32, 256.0),
    Cap("MaxPrimitiveCount", U32, 0xFFFFF),
    Cap("MaxVertexIndex", U32, 0xFFFFFF),  # above 0xFFFF: 32-bit indices
    Cap("MaxStreams", U32, 16),
    Cap("MaxStreamStride", U32, 255),
    Cap("VertexShaderVersion", SHADER_VERSION, VS_1_1),
    Cap("MaxVertexShaderConst", U32, 256),
    Cap("PixelShaderVersion", SHADER_VERSION, PS_1_4),
    Cap("MaxPixelShaderValue", F32, 8.0),
)

CAPS8_DTYPE = np.dtype([(cap.name, cap.kind.dtype) for cap in CAPS8])
CAPS8_BYTES = CAPS8_DTYPE.itemsize
