"""Device profiles: the capabilities an emulated driver reports, one row each.

`full` is everything the emulator has.  The others leave things out, and the driver and the runtime obey: without transform
and lighting the runtime processes vertices itself (DRAWPRIMITIVE2, DRAWINDEXEDPRIMITIVE2, CLIPPEDTRIANGLEFAN), a driver of
DirectX 7 gets the tokens of DirectX 7, formats that are not reported cannot be created.

Sources: DX8 DDI, "Minimum Capability Requirements" and "Minimal DirectX 8.0 DDI Support".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from functools import cached_property

import numpy as np

from core.spec.caps import CAPS8, DevCaps, RasterCaps, TextureCaps
from core.spec.enums import FormatOp, HalInfoFlag
from core.spec.formats import FORMATS, Format
from core.spec.pixel_formats import PixelFormat, new_style, old_style

Value = int | float | str
KIND_OF = {cap.name: cap.kind for cap in CAPS8}
FULL = {cap.name: cap.raw for cap in CAPS8}


@dataclass(frozen=True)
class Profile:
    """One driver.  `caps`: what differs from the full device's D3DCAPS8; `formats`: those it reports (names; empty: all);
    `samples`: sample counts of its render targets and depth surfaces; `ddi`: its DirectX version."""

    name: str
    title: str
    caps: Mapping[str, Value] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    samples: tuple[int, ...] = tuple(range(2, 17))
    ddi: int = 8
    depth_textures: tuple[str, ...] = ("D16", "D32", "D15S1", "D24S8", "D24X8", "D24X4S4")  # shadow maps
    conservative: bool = False  # cannot tell when a presentation is retired, so queues none

    @cached_property
    def dwords(self) -> dict[str, int]:
        """D3DCAPS8: field -> raw dword, in order."""
        return {name: KIND_OF[name].raw(self.caps[name]) if name in self.caps else raw for name, raw in FULL.items()}

    @cached_property
    def caps_bytes(self) -> bytes:
        """D3DCAPS8 as the driver copies it."""
        return np.array(list(self.dwords.values()), "<u4").tobytes()

    def has(self, bit: IntFlag, name: str = "DevCaps") -> bool:
        """Whether a caps field has a bit."""
        return bool(self.dwords[name] & bit)

    def number(self, name: str) -> int | float:
        """A caps field as the number it is."""
        return KIND_OF[name].value(self.dwords[name])

    @property
    def processes_vertices(self) -> bool:
        """Whether the driver transforms and lights."""
        return self.ddi >= 8 and self.has(DevCaps.HWTRANSFORMANDLIGHT)

    @property
    def hal_flags(self) -> HalInfoFlag:
        """dwFlags of DDHALINFO."""
        flags = HalInfoFlag.ISPRIMARYDISPLAY | HalInfoFlag.GETDRIVERINFOSET
        return flags | HalInfoFlag.GETDRIVERINFO2 if self.ddi >= 8 else flags

    @cached_property
    def rows(self) -> tuple[Format, ...]:
        """Formats in the order in which GETFORMAT counts them."""
        known = [row for row in FORMATS.values() if row.family != "buffer"]
        return tuple(row for row in known if not self.formats or row.name in self.formats)

    def operations(self, row: Format) -> FormatOp:
        """dwOperations of a format: what its surfaces may be used for."""
        ops = FormatOp(0)
        if row.texture:
            ops |= FormatOp.TEXTURE
            if self.has(TextureCaps.CUBEMAP, "TextureCaps"):
                ops |= FormatOp.CUBETEXTURE
            if self.has(TextureCaps.VOLUMEMAP, "TextureCaps") and row.family != "yuv":
                ops |= FormatOp.VOLUMETEXTURE
        if row.family == "depth":
            ops |= FormatOp.ZSTENCIL | FormatOp.ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH
            if row.name in self.depth_textures:
                ops |= FormatOp.TEXTURE
        elif row.renderable:
            ops |= FormatOp.OFFSCREEN_RENDERTARGET | FormatOp.SAME_FORMAT_RENDERTARGET
            ops |= FormatOp.SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET
        if row.display:
            ops |= FormatOp.DISPLAYMODE | FormatOp.ACCELERATION_3D
        return ops

    def sample_mask(self, row: Format) -> int:
        """wFlipMSTypes, and wBltMSTypes unless the samples are stretched at a flip: bit n - 1 for n samples."""
        return sum(1 << (n - 1) for n in self.samples) if row.renderable else 0

    @cached_property
    def new_formats(self) -> tuple[PixelFormat, ...]:
        """The list of DirectX 8; empty for older drivers."""
        if self.ddi < 8:
            return ()
        blt = 0 if self.has(RasterCaps.STRETCHBLTMULTISAMPLE, "RasterCaps") else -1
        masks = [(row, self.sample_mask(row)) for row in self.rows]
        return tuple(new_style(row, int(self.operations(row)), mask, mask & blt) for row, mask in masks)

    @cached_property
    def old_formats(self) -> tuple[PixelFormat, ...]:
        """Texture formats in the old style, as D3DHAL_GLOBALDRIVERDATA lists them."""
        found = [old_style(row) for row in self.rows if row.texture]
        return tuple(one for one in found if one is not None)

    @cached_property
    def depth_formats(self) -> tuple[PixelFormat, ...]:
        """Depth formats in the old style, as GUID_ZPixelFormats lists them; those that lock like others once."""
        found = [old_style(row) for row in self.rows if row.family == "depth"]
        return tuple(dict.fromkeys(one for one in found if one is not None))


_RASTERIZER: dict[str, Value] = {
    "DevCaps": "EXECUTESYSTEMMEMORY|TLVERTEXSYSTEMMEMORY|TEXTUREVIDEOMEMORY|DRAWPRIMTLVERTEX|CANRENDERAFTERFLIP"
    "|TEXTURENONLOCALVIDMEM|DRAWPRIMITIVES2|DRAWPRIMITIVES2EX|HWRASTERIZATION",
    "VertexProcessingCaps": 0,
    "MaxActiveLights": 0,
    "MaxUserClipPlanes": 0,
    "MaxVertexBlendMatrices": 0,
    "MaxVertexBlendMatrixIndex": 0,
    "MaxVertexIndex": 0xFFFF,
    "MaxStreams": 1,
    "VertexShaderVersion": 0,
    "MaxVertexShaderConst": 0,
    "PixelShaderVersion": 0,
    "MaxPixelShaderValue": 0.0,
}
"""What a device that only draws transformed vertices leaves out."""

_MINIMUM: dict[str, Value] = {
    **_RASTERIZER,
    "PrimitiveMiscCaps": "MASKZ|CULLNONE|CULLCW|CULLCCW|CLIPTLVERTS",
    "RasterCaps": "DITHER|ZTEST|FOGVERTEX",
    "MaxPointSize": 1.0,
    "FVFCaps": 2,
    "MaxTextureBlendStages": 2,
    "MaxSimultaneousTextures": 1,
    "MaxTextureWidth": 1024,
    "MaxTextureHeight": 1024,
    "MaxTextureAspectRatio": 1024,
    "MaxAnisotropy": 1,
    "MaxVolumeExtent": 0,
    "CubeTextureFilterCaps": 0,
    "VolumeTextureFilterCaps": 0,
    "VolumeTextureAddressCaps": 0,
    "TextureAddressCaps": "WRAP|CLAMP",
    "TextureFilterCaps": "MINFPOINT|MINFLINEAR|MIPFPOINT|MAGFPOINT|MAGFLINEAR",
    "TextureCaps": "PERSPECTIVE|POW2|ALPHA|MIPMAP",
    "TextureOpCaps": "DISABLE|SELECTARG1|SELECTARG2|MODULATE|ADD|BLENDTEXTUREALPHA",
    "StencilCaps": 0,
    "Caps2": "CANRENDERWINDOWED",
    "CursorCaps": 0,
}
_STRETCH: dict[str, Value] = {
    "RasterCaps": "DITHER|ZTEST|FOGVERTEX|FOGTABLE|MIPMAPLODBIAS|ZBIAS|FOGRANGE|ANISOTROPY|STRETCHBLTMULTISAMPLE",
}
_MINIMUM_FORMATS = ("X8R8G8B8", "A8R8G8B8", "R5G6B5", "A1R5G5B5", "A4R4G4B4", "D16", "D24X8")
_DX7_FORMATS = (
    *_MINIMUM_FORMATS, "X1R5G5B5", "L8", "A8L8", "P8", "A8", "DXT1", "DXT2", "DXT3", "DXT4", "DXT5", "D24S8", "V8U8", "L6V5U5",
)  # fmt: skip

PROFILES: dict[str, Profile] = {
    row.name: row
    for row in (
        Profile("full", "everything this emulator has"),
        Profile("fixed", "fixed function, no vertex processing", _RASTERIZER),
        Profile("stretch", "multisampling by stretch blts", _STRETCH),
        Profile("minimum", "minimum DX8", _MINIMUM, _MINIMUM_FORMATS, (), depth_textures=(), conservative=True),
        Profile("dx7", "DX7 class", {
            **_RASTERIZER, "MaxPointSize": 0.0, "MaxStreams": 0, "MaxVolumeExtent": 0, "VolumeTextureFilterCaps": 0,
            "VolumeTextureAddressCaps": 0, "TextureCaps": "PERSPECTIVE|ALPHA|ALPHAPALETTE|PROJECTED|CUBEMAP|MIPMAP|MIPCUBEMAP",
            "Caps2": "CANRENDERWINDOWED",
        }, _DX7_FORMATS, (), 7, depth_textures=()),
    )
}  # fmt: skip


def caps_dwords(profile: str = "full") -> dict[str, int]:
    """Field -> raw dword of a profile's D3DCAPS8."""
    return PROFILES[profile].dwords
