"""Render states and texture stage states: number, name, type and default of each.

A default is the dword a fresh context has.  ZENABLE and POINTSIZE_MAX depend on how the device was created: the runtime
sends them, the row has the neutral value.  States of DirectX 5-7 that a DirectX 8 driver may still receive are rows with
`since` below 8.

Sources: d3d8types.h and d3dtypes.h (numbers); Wine's d3d8 stateblock test, which runs on Windows, and the DX8 SDK (defaults).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.spec.enums import (
    Antialias,
    Blend,
    BlendOp,
    CmpFunc,
    ColorWrite,
    Cull,
    DebugMonitorToken,
    FillMode,
    FogMode,
    LegacyBlend,
    LegacyFilter,
    MaterialColorSource,
    OrderType,
    PatchEdgeStyle,
    ShadeMode,
    StencilOp,
    TextureAddress,
    TextureFilter,
    TextureOp,
    VertexBlend,
    Wrap,
    ZBufferType,
)
from core.spec.kinds import (
    BOOL,
    COLOR,
    COORDINATE_INDEX,
    F32,
    HANDLE,
    HEX8,
    HEX32,
    I32,
    LINE_PATTERN,
    TEXTURE_ARG,
    TEXTURE_TRANSFORM,
    U32,
    Kind,
    enum,
    flags,
)

ONE = 0x3F800000
"""1.0"""

SDK = "DX8 SDK: "


@dataclass(frozen=True)
class State:
    """One render state or texture stage state.

    `default` is a dword, or one per texture stage (`default_at`).  `since` is the DirectX version, `until` the last one
    whose runtimes send it (0: still sent).  `source` names the page that describes it.  `also`: what is set with it: texture
    stage states (of a render state: those of stage 0), a WRAP state, SCENE, the patch that a handle names.
    """

    id: int
    name: str
    kind: Kind
    default: int | Sequence[int]
    stage: str
    source: str
    since: int = 8
    until: int = 0
    also: tuple[str, ...] = ()

    def default_at(self, stage: int) -> int:
        """The starting value in texture stage `stage`."""
        return self.default if isinstance(self.default, int) else self.default[stage]


CMP, STENCIL_OP, BLEND, MATERIAL_SOURCE = enum(CmpFunc), enum(StencilOp), enum(Blend), enum(MaterialColorSource)
FOG_MODE, ORDER, WRAP = enum(FogMode), enum(OrderType), flags(Wrap)


def _legacy(id: int, name: str, kind: Kind, default: int, stage: str, *also: str) -> State:
    return State(id, name, kind, default, stage, "DX7 SDK: D3DRENDERSTATETYPE", 5, 7, also)


def _wrap(i: int) -> State:
    return State(128 + i, f"WRAP{i}", WRAP, 0, "setup", SDK + "Texture Wrapping")


_RENDER_STATES = [
    _legacy(1, "TEXTUREHANDLE", HANDLE, 0, "sample", "TEXTUREMAP"),
    _legacy(2, "ANTIALIAS", enum(Antialias), 0, "coverage"),
    _legacy(3, "TEXTUREADDRESS", enum(TextureAddress), 1, "sample", "ADDRESSU", "ADDRESSV"),
    _legacy(4, "TEXTUREPERSPECTIVE", BOOL, 1, "setup"),
    _legacy(5, "WRAPU", BOOL, 0, "setup", "WRAP0"),
    _legacy(6, "WRAPV", BOOL, 0, "setup", "WRAP0"),
    State(7, "ZENABLE", enum(ZBufferType), 0, "depth_test", SDK + "Depth Buffers"),
    State(8, "FILLMODE", enum(FillMode), 3, "setup", SDK + "Fill Modes"),
    State(9, "SHADEMODE", enum(ShadeMode), 2, "setup", SDK + "Shading State"),
    State(10, "LINEPATTERN", LINE_PATTERN, 0, "coverage", SDK + "Line Pattern State"),
    _legacy(11, "MONOENABLE", BOOL, 0, "output"),
    _legacy(12, "ROP2", U32, 13, "output"),
    _legacy(13, "PLANEMASK", HEX32, 0xFFFFFFFF, "output"),
    State(14, "ZWRITEENABLE", BOOL, 1, "depth_test", SDK + "Depth Buffers"),
    State(15, "ALPHATESTENABLE", BOOL, 0, "alpha_test", SDK + "Alpha Testing State"),
    State(16, "LASTPIXEL", BOOL, 1, "coverage", SDK + "Outline and Fill State"),
    _legacy(17, "TEXTUREMAG", enum(LegacyFilter), 1, "sample", "MAGFILTER"),
    _legacy(18, "TEXTUREMIN", enum(LegacyFilter), 1, "sample", "MINFILTER", "MIPFILTER"),
    State(19, "SRCBLEND", BLEND, 2, "blend", SDK + "Alpha Blending State"),
    State(20, "DESTBLEND", BLEND, 1, "blend", SDK + "Alpha Blending State"),
    _legacy(
        21,
        "TEXTUREMAPBLEND",
        enum(LegacyBlend),
        2,
        "combine",
        "COLOROP",
        "COLORARG1",
        "COLORARG2",
        "ALPHAOP",
        "ALPHAARG1",
        "ALPHAARG2",
    ),
    State(22, "CULLMODE", enum(Cull), 3, "setup", SDK + "Culling State"),
    State(23, "ZFUNC", CMP, 4, "depth_test", SDK + "Depth Buffers"),
    State(24, "ALPHAREF", HEX8, 0, "alpha_test", SDK + "Alpha Testing State"),
    State(25, "ALPHAFUNC", CMP, 8, "alpha_test", SDK + "Alpha Testing State"),
    State(26, "DITHERENABLE", BOOL, 0, "output", SDK + "D3DRENDERSTATETYPE"),
    State(27, "ALPHABLENDENABLE", BOOL, 0, "blend", SDK + "Alpha Blending State"),
    State(28, "FOGENABLE", BOOL, 0, "fog", SDK + "Fog State"),
    State(29, "SPECULARENABLE", BOOL, 0, "combine", SDK + "D3DRENDERSTATETYPE"),
    State(30, "ZVISIBLE", U32, 0, "depth_test", SDK + "D3DRENDERSTATETYPE"),
    _legacy(31, "SUBPIXEL", BOOL, 0, "setup"),
    _legacy(32, "SUBPIXELX", BOOL, 0, "setup"),
    _legacy(33, "STIPPLEDALPHA", BOOL, 0, "coverage"),
    State(34, "FOGCOLOR", COLOR, 0, "fog", SDK + "Fog State"),
    State(35, "FOGTABLEMODE", FOG_MODE, 0, "fog", SDK + "Pixel Fog"),
    State(36, "FOGSTART", F32, 0, "fog", SDK + "Fog Parameters"),
    State(37, "FOGEND", F32, ONE, "fog", SDK + "Fog Parameters"),
    State(38, "FOGDENSITY", F32, ONE, "fog", SDK + "Fog Parameters"),
    _legacy(39, "STIPPLEENABLE", BOOL, 0, "coverage"),
    State(40, "EDGEANTIALIAS", BOOL, 0, "coverage", SDK + "Antialiasing State"),
    _legacy(41, "COLORKEYENABLE", BOOL, 0, "sample"),
    _legacy(43, "BORDERCOLOR", COLOR, 0, "sample", "BORDERCOLOR"),
    _legacy(44, "TEXTUREADDRESSU", enum(TextureAddress), 1, "sample", "ADDRESSU"),
    _legacy(45, "TEXTUREADDRESSV", enum(TextureAddress), 1, "sample", "ADDRESSV"),
    _legacy(46, "MIPMAPLODBIAS", F32, 0, "sample", "MIPMAPLODBIAS"),
    State(47, "ZBIAS", U32, 0, "setup", SDK + "D3DRENDERSTATETYPE"),
    State(48, "RANGEFOGENABLE", BOOL, 0, "light", SDK + "Vertex Fog"),
    _legacy(49, "ANISOTROPY", U32, 1, "sample", "MAXANISOTROPY"),
    _legacy(50, "FLUSHBATCH", U32, 0, "scene"),
    _legacy(51, "TRANSLUCENTSORTINDEPENDENT", BOOL, 0, "blend"),
    State(52, "STENCILENABLE", BOOL, 0, "stencil_test", SDK + "Stencil Buffer State"),
    State(53, "STENCILFAIL", STENCIL_OP, 1, "stencil_test", SDK + "Stencil Buffer State"),
    State(54, "STENCILZFAIL", STENCIL_OP, 1, "stencil_test", SDK + "Stencil Buffer State"),
    State(55, "STENCILPASS", STENCIL_OP, 1, "stencil_test", SDK + "Stencil Buffer State"),
    State(56, "STENCILFUNC", CMP, 8, "stencil_test", SDK + "Stencil Buffer State"),
    State(57, "STENCILREF", I32, 0, "stencil_test", SDK + "Stencil Buffer State"),
    State(58, "STENCILMASK", HEX32, 0xFFFFFFFF, "stencil_test", SDK + "Stencil Buffer State"),
    State(59, "STENCILWRITEMASK", HEX32, 0xFFFFFFFF, "stencil_test", SDK + "Stencil Buffer State"),
    State(60, "TEXTUREFACTOR", COLOR, 0xFFFFFFFF, "combine", SDK + "Texture Blending Operations"),
    State(61, "EVICTMANAGEDTEXTURES", BOOL, 0, "scene", "DDK: D3DRENDERSTATE_EVICTMANAGEDTEXTURES", 7),
    State(62, "SCENECAPTURE", BOOL, 0, "scene", "DDK: D3DRENDERSTATE_SCENECAPTURE (TRUE begins a scene)", 6, 0, ("SCENE",)),
    *(_legacy(64 + i, f"STIPPLEPATTERN{i:02}", HEX32, 0, "coverage") for i in range(32)),
    *(_wrap(i) for i in range(8)),
    State(136, "CLIPPING", BOOL, 1, "clip", SDK + "Clipping State"),
    State(137, "LIGHTING", BOOL, 1, "light", SDK + "Lighting State"),
    _legacy(138, "EXTENTS", BOOL, 0, "clip"),
    State(139, "AMBIENT", COLOR, 0, "light", SDK + "Lighting State"),
    State(140, "FOGVERTEXMODE", FOG_MODE, 0, "light", SDK + "Vertex Fog"),
    State(141, "COLORVERTEX", BOOL, 1, "light", SDK + "Lighting State"),
    State(142, "LOCALVIEWER", BOOL, 1, "light", SDK + "Lighting State"),
    State(143, "NORMALIZENORMALS", BOOL, 0, "transform", SDK + "Vertex Normal Normalization State"),
    _legacy(144, "COLORKEYBLENDENABLE", BOOL, 0, "sample"),
    State(145, "DIFFUSEMATERIALSOURCE", MATERIAL_SOURCE, 1, "light", SDK + "Lighting State"),
    State(146, "SPECULARMATERIALSOURCE", MATERIAL_SOURCE, 2, "light", SDK + "Lighting State"),
    State(147, "AMBIENTMATERIALSOURCE", MATERIAL_SOURCE, 0, "light", SDK + "Lighting State; Wine's test for the default"),
    State(148, "EMISSIVEMATERIALSOURCE", MATERIAL_SOURCE, 0, "light", SDK + "Lighting State"),
    State(151, "VERTEXBLEND", enum(VertexBlend), 0, "transform", SDK + "Geometry Blending"),
    State(152, "CLIPPLANEENABLE", HEX32, 0, "clip", SDK + "User-Defined Clip Planes"),
    State(153, "SOFTWAREVERTEXPROCESSING", BOOL, 0, "scene", SDK + "Processing Vertices"),
    State(154, "POINTSIZE", F32, ONE, "setup", SDK + "Point Sprites"),
    State(155, "POINTSIZE_MIN", F32, 0, "setup", SDK + "Point Sprites; Wine's test for the default (D3D9: 1.0)"),
    State(156, "POINTSPRITEENABLE", BOOL, 0, "setup", SDK + "Point Sprites"),
    State(157, "POINTSCALEENABLE", BOOL, 0, "transform", SDK + "Point Sprites"),
    State(158, "POINTSCALE_A", F32, ONE, "transform", SDK + "Point Sprites"),
    State(159, "POINTSCALE_B", F32, 0, "transform", SDK + "Point Sprites"),
    State(160, "POINTSCALE_C", F32, 0, "transform", SDK + "Point Sprites"),
    State(161, "MULTISAMPLEANTIALIAS", BOOL, 1, "coverage", SDK + "Multisampling"),
    State(162, "MULTISAMPLEMASK", HEX32, 0xFFFFFFFF, "output", SDK + "Multisampling"),
    State(163, "PATCHEDGESTYLE", enum(PatchEdgeStyle), 0, "patch", SDK + "Higher-Order Primitives"),
    State(164, "PATCHSEGMENTS", F32, ONE, "patch", SDK + "Higher-Order Primitives"),
    State(165, "DEBUGMONITORTOKEN", enum(DebugMonitorToken), 0, "scene", SDK + "D3DRENDERSTATETYPE"),
    State(166, "POINTSIZE_MAX", F32, 0x42800000, "setup", SDK + "Point Sprites"),
    State(167, "INDEXEDVERTEXBLENDENABLE", BOOL, 0, "transform", SDK + "Indexed Vertex Blending"),
    State(168, "COLORWRITEENABLE", flags(ColorWrite), 15, "output", SDK + "D3DRENDERSTATETYPE"),
    State(169, "DELETERTPATCH", HANDLE, 0, "patch", "DDK: D3DRS_DELETERTPATCH", 8, 0, ("patch",)),
    State(170, "TWEENFACTOR", F32, 0, "transform", SDK + "Vertex Tweening"),
    State(171, "BLENDOP", enum(BlendOp), 1, "blend", SDK + "Alpha Blending State"),
    State(172, "POSITIONORDER", ORDER, 3, "patch", "DX8.1 SDK: N-Patches"),
    State(173, "NORMALORDER", ORDER, 1, "patch", "DX8.1 SDK: N-Patches"),
    State(174, "SCISSORTESTENABLE", BOOL, 0, "coverage", "DX9 SDK: D3DRENDERSTATETYPE", 9),
]

RENDER_STATES: dict[int, State] = {row.id: row for row in _RENDER_STATES}
RENDER_STATE_ID: dict[str, int] = {row.name: row.id for row in _RENDER_STATES}

LEGACY_BLENDS: dict[int, tuple[TextureOp, TextureOp]] = {
    LegacyBlend.DECAL: (TextureOp.SELECTARG1, TextureOp.SELECTARG1),
    LegacyBlend.COPY: (TextureOp.SELECTARG1, TextureOp.SELECTARG1),
    LegacyBlend.MODULATE: (TextureOp.MODULATE, TextureOp.SELECTARG1),
    LegacyBlend.MODULATEALPHA: (TextureOp.MODULATE, TextureOp.MODULATE),
    LegacyBlend.DECALALPHA: (TextureOp.BLENDTEXTUREALPHA, TextureOp.SELECTARG2),
    LegacyBlend.ADD: (TextureOp.ADD, TextureOp.SELECTARG2),
}
"""TEXTUREMAPBLEND: colour and alpha operation of stage 0 with arguments texture and current (DX6 SDK, D3DTEXTUREBLEND)."""

OP, ADDRESS, FILTER = enum(TextureOp), enum(TextureAddress), enum(TextureFilter)
TSS = SDK + "D3DTEXTURESTAGESTATETYPE"
FIRST_MODULATE, FIRST_SELECT = (4, *(1,) * 7), (2, *(1,) * 7)
"""COLOROP and ALPHAOP: MODULATE and SELECTARG1 in stage 0, DISABLE in the others."""

_TEXTURE_STAGE_STATES = [
    State(0, "TEXTUREMAP", HANDLE, 0, "sample", "DDK: D3DHAL_DP2TEXTURESTAGESTATE (the bound texture)"),
    State(1, "COLOROP", OP, FIRST_MODULATE, "combine", TSS),
    State(2, "COLORARG1", TEXTURE_ARG, 2, "combine", TSS),
    State(3, "COLORARG2", TEXTURE_ARG, 1, "combine", TSS),
    State(4, "ALPHAOP", OP, FIRST_SELECT, "combine", TSS),
    State(5, "ALPHAARG1", TEXTURE_ARG, 2, "combine", TSS),
    State(6, "ALPHAARG2", TEXTURE_ARG, 1, "combine", TSS),
    State(7, "BUMPENVMAT00", F32, 0, "combine", SDK + "Bump Mapping"),
    State(8, "BUMPENVMAT01", F32, 0, "combine", SDK + "Bump Mapping"),
    State(9, "BUMPENVMAT10", F32, 0, "combine", SDK + "Bump Mapping"),
    State(10, "BUMPENVMAT11", F32, 0, "combine", SDK + "Bump Mapping"),
    State(11, "TEXCOORDINDEX", COORDINATE_INDEX, tuple(range(8)), "texgen", TSS),
    State(12, "ADDRESS", ADDRESS, 1, "sample", "DX7 SDK: D3DTSS_ADDRESS (sets U and V)", 6, 7, ("ADDRESSU", "ADDRESSV")),
    State(13, "ADDRESSU", ADDRESS, 1, "sample", TSS),
    State(14, "ADDRESSV", ADDRESS, 1, "sample", TSS),
    State(15, "BORDERCOLOR", COLOR, 0, "sample", TSS),
    State(16, "MAGFILTER", FILTER, 1, "sample", TSS),
    State(17, "MINFILTER", FILTER, 1, "sample", TSS),
    State(18, "MIPFILTER", FILTER, 0, "sample", TSS),
    State(19, "MIPMAPLODBIAS", F32, 0, "sample", TSS),
    State(20, "MAXMIPLEVEL", U32, 0, "sample", TSS),
    State(21, "MAXANISOTROPY", U32, 1, "sample", TSS),
    State(22, "BUMPENVLSCALE", F32, 0, "combine", SDK + "Bump Mapping"),
    State(23, "BUMPENVLOFFSET", F32, 0, "combine", SDK + "Bump Mapping"),
    State(24, "TEXTURETRANSFORMFLAGS", TEXTURE_TRANSFORM, 0, "texgen", TSS),
    State(25, "ADDRESSW", ADDRESS, 1, "sample", TSS),
    State(26, "COLORARG0", TEXTURE_ARG, 1, "combine", TSS),
    State(27, "ALPHAARG0", TEXTURE_ARG, 1, "combine", TSS),
    State(28, "RESULTARG", TEXTURE_ARG, 1, "combine", TSS),
]

TEXTURE_STAGE_STATES: dict[int, State] = {row.id: row for row in _TEXTURE_STAGE_STATES}
TEXTURE_STAGE_STATE_ID: dict[str, int] = {row.name: row.id for row in _TEXTURE_STAGE_STATES}
