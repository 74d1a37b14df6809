"""The DP2 tokens: what follows each D3DHAL_DP2COMMAND in a DrawPrimitives2 command buffer.

A row drives decoding, encoding, printing and checking.  In memory a token is

    D3DHAL_DP2COMMAND {u8 op, u8 reserved, u16 count}, then
    repeat="count":  `count` records, each the row's `fields` and its variable `parts`
    repeat="once":   one record: `fields`, `parts`, then an array of `items` whose length follows from `count`

with no padding between tokens, so that a token after 16-bit payloads is only 16-bit aligned.  Immediate vertices alone are
aligned: they start at the next multiple of four from the start of the command buffer.

Sources: ddk/d3dhal.h (numbers, DX6/7 structures), the DX8 DDI specification and Microsoft's windows-driver-docs (DX8
structures). Where a comment says so, a value is only known from an open-source driver.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np

from core.spec.enums import (
    BasisType,
    ClearFlag,
    LightData,
    LightType,
    OrderType,
    PaletteFlag,
    PatchFlag,
    PrimitiveType,
    StateBlockType,
    StateSetOperation,
    TriangleFlag,
)
from core.spec.kinds import COLOR, F32, HANDLE, HEX32, I32, SHADER, TRANSFORM, U16, U32, Kind, by, enum, flags, row_name
from core.spec.states import RENDER_STATES, TEXTURE_STAGE_STATES


@dataclass(frozen=True)
class Field:
    """`count` values of one kind under one name; `header` is the structure member they are, `components` name them singly."""

    name: str
    header: str
    kind: Kind
    count: int = 1
    components: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        return self.kind.bytes * self.count

    def labels(self) -> tuple[str, ...]:
        """One name per value: ("state",) or ("rect.left", "rect.top", ...)."""
        if self.count == 1:
            return (self.name,)
        return tuple(f"{self.name}.{c}" for c in self.components or map(str, range(self.count)))


def dtype_of(fields: tuple[Field, ...]) -> np.dtype:
    """The packed numpy record of these fields."""
    return np.dtype([(f.name, f.kind.dtype) if f.count == 1 else (f.name, f.kind.dtype, f.count) for f in fields])


@dataclass(frozen=True)
class Part:
    """A variable part after a record's fields, governed by the record's field `field`.

    With `unit`, it has that many bytes per unit of the field.  Otherwise it is there when `field & mask == equals`, once.
    `element` is what it is made of.
    """

    name: str
    element: tuple[Field, ...]
    field: str
    unit: int = 0
    mask: int = 0xFFFFFFFF
    equals: int = 0

    @cached_property
    def dtype(self) -> np.dtype:
        return dtype_of(self.element)


@dataclass(frozen=True)
class Items:
    """The array at the end of a "once" token: `each * max(count, minimum) + extra` elements; `vertices`: of the vertex
    stride each."""

    name: str
    element: tuple[Field, ...]
    each: int = 1
    extra: int = 0
    minimum: int = 0
    vertices: bool = False


@dataclass(frozen=True)
class Token:
    """One row.  `writes` names the registers it sets (a field of `slots.REGISTERS`, or light, palette, patch, ... beyond them);
    `draws`: each record draws; `since`: the DirectX version that introduced it; rows from 9 on are recognised, not executed."""

    op: int
    name: str
    struct: str
    fields: tuple[Field, ...] = ()
    repeat: str = "count"
    parts: tuple[Part, ...] = ()
    items: Items | None = None
    since: int = 8
    draws: bool = False
    writes: str = ""

    @cached_property
    def fields_dtype(self) -> np.dtype:
        """The fixed fields of one record."""
        return dtype_of(self.fields)

    def place(self, name: str) -> tuple[int, int]:
        """(offset, bytes) of a fixed field within its record."""
        fields = self.fields_dtype.fields
        assert fields is not None
        return fields[name][1], fields[name][0].itemsize

    @property
    def prefix_dtype(self) -> np.dtype:
        """What stands once, right after the command."""
        return self.fields_dtype if self.repeat == "once" else np.dtype([])

    @cached_property
    def item_dtype(self) -> np.dtype:
        """What repeats: records of a "count" token, array elements of a "once" token."""
        if self.repeat == "once":
            return dtype_of(self.items.element) if self.items else np.dtype([])
        return self.fields_dtype


def _names(*names: str) -> tuple[str, ...]:
    return names


def _rows(first: str, columns: int = 4) -> tuple[str, ...]:
    return tuple(f"{first}{row}{column}" for row in range(1, 5) for column in range(1, columns + 1))


RGBA, XYZ, EDGES = _names("r", "g", "b", "a"), _names("x", "y", "z"), _names("left", "top", "right", "bottom")
BOX = _names("left", "top", "right", "bottom", "front", "back")

RENDER_STATE = row_name("RENDER_STATE", RENDER_STATES)
STAGE_STATE = row_name("STAGE_STATE", TEXTURE_STAGE_STATES, "<u2")
PRIMITIVE = enum(PrimitiveType)
TRIANGLE_FLAGS = flags(TriangleFlag, "<u2")


def _rect(name: str, header: str) -> Field:
    return Field(name, header, I32, 4, EDGES)


def _color(name: str, header: str) -> Field:
    return Field(name, header, F32, 4, RGBA)


START = Field("start", "wVStart", U16)
MATRIX = Field("matrix", "matrix", F32, 16, _rows("_"))
V1, V2, V3 = Field("v1", "wV1", U16), Field("v2", "wV2", U16), Field("v3", "wV3", U16)
INDEX = (Field("index", "wV", U16),)
DWORD = (Field("dword", "", HEX32),)
CODE = (Field("token", "", HEX32),)
VECTOR = (Field("value", "", F32, 4, _names("x", "y", "z", "w")),)
TRANSFORM_TYPE = Field("type", "xfrmType", TRANSFORM)
DESTINATION, SOURCE = Field("destination", "dwDDDestSurface", HANDLE), Field("source", "dwDDSrcSurface", HANDLE)
REGISTER_COUNT = (Field("register", "dwRegister", U32), Field("count", "dwCount", U32))
VERTEX_SHADER, PIXEL_SHADER = (Field("shader", "dwHandle", SHADER),), (Field("shader", "dwHandle", HANDLE),)

LIGHT = (
    Field("type", "dltType", enum(LightType)),
    _color("diffuse", "dcvDiffuse"),
    _color("specular", "dcvSpecular"),
    _color("ambient", "dcvAmbient"),
    Field("position", "dvPosition", F32, 3, XYZ),
    Field("direction", "dvDirection", F32, 3, XYZ),
    Field("range", "dvRange", F32),
    Field("falloff", "dvFalloff", F32),
    Field("attenuation0", "dvAttenuation0", F32),
    Field("attenuation1", "dvAttenuation1", F32),
    Field("attenuation2", "dvAttenuation2", F32),
    Field("theta", "dvTheta", F32),
    Field("phi", "dvPhi", F32),
)
"""D3DLIGHT7, the layout of D3DLIGHT8."""

RECT_PATCH_INFO = (
    Field("start_width", "StartVertexOffsetWidth", U32),
    Field("start_height", "StartVertexOffsetHeight", U32),
    Field("width", "Width", U32),
    Field("height", "Height", U32),
    Field("stride", "Stride", U32),
    Field("basis", "Basis", enum(BasisType)),
    Field("order", "Order", enum(OrderType)),
)
TRI_PATCH_INFO = (
    Field("start", "StartVertexOffset", U32),
    Field("vertex_count", "NumVertices", U32),
    Field("basis", "Basis", enum(BasisType)),
    Field("order", "Order", enum(OrderType)),
)


def _patch(op: int, name: str, segments: int, info: tuple[Field, ...]) -> Token:
    return Token(
        op,
        name,
        f"D3DHAL_DP2{name}",
        (Field("patch", "Handle", HANDLE), Field("flags", "Flags", flags(PatchFlag))),
        parts=(
            Part(
                "segments", (Field("segments", "", F32, segments),), "flags", mask=PatchFlag.HASSEGS, equals=PatchFlag.HASSEGS
            ),
            Part("info", info, "flags", mask=PatchFlag.HASINFO, equals=PatchFlag.HASINFO),
        ),
        draws=True,
        writes="patch",
    )


def _strip(op: int, name: str, *, extra: int = 0, element: tuple[Field, ...] = INDEX) -> Token:
    """An indexed primitive: STARTVERTEX, then indices relative to it."""
    return Token(
        op, name, f"D3DHAL_DP2{name}", (START,), "once", items=Items("indices", element, extra=extra), since=6, draws=True
    )


def _range(op: int, name: str) -> Token:
    """Consecutive vertices from `start`."""
    return Token(op, name, f"D3DHAL_DP2{name}", (START,), "once", since=6, draws=True)


_TOKENS = [
    Token(1, "POINTS", "D3DHAL_DP2POINTS", (Field("count", "wCount", U16), START), since=6, draws=True),
    Token(2, "INDEXEDLINELIST", "D3DHAL_DP2INDEXEDLINELIST", (), "once", items=Items("lines", (V1, V2)), since=6, draws=True),
    Token(
        3,
        "INDEXEDTRIANGLELIST",
        "D3DHAL_DP2INDEXEDTRIANGLELIST",
        (),
        "once",
        items=Items("triangles", (V1, V2, V3, Field("flags", "wFlags", TRIANGLE_FLAGS))),
        since=6,
        draws=True,
    ),
    Token(4, "RESERVED0", "", repeat="none", since=6),  # never sent to drivers; the number is an open-source driver's
    Token(
        8,
        "RENDERSTATE",
        "D3DHAL_DP2RENDERSTATE",
        (Field("state", "RenderState", RENDER_STATE), Field("value", "dwState", by("state", RENDER_STATES))),
        since=6,
        writes="render_state",
    ),
    _range(15, "LINELIST"),
    _range(16, "LINESTRIP"),
    _strip(17, "INDEXEDLINESTRIP", extra=1),
    _range(18, "TRIANGLELIST"),
    _range(19, "TRIANGLESTRIP"),
    _strip(20, "INDEXEDTRIANGLESTRIP", extra=2),
    _range(21, "TRIANGLEFAN"),
    _strip(22, "INDEXEDTRIANGLEFAN", extra=2),
    Token(
        23,
        "TRIANGLEFAN_IMM",
        "D3DHAL_DP2TRIANGLEFAN_IMM",
        (Field("edge_flags", "dwEdgeFlags", HEX32),),
        "once",
        items=Items("vertices", DWORD, extra=2, vertices=True),
        since=6,
        draws=True,
    ),
    Token(24, "LINELIST_IMM", "", (), "once", items=Items("vertices", DWORD, each=2, vertices=True), since=6, draws=True),
    Token(
        25,
        "TEXTURESTAGESTATE",
        "D3DHAL_DP2TEXTURESTAGESTATE",
        (
            Field("stage", "wStage", U16),
            Field("state", "TSState", STAGE_STATE),
            Field("value", "dwValue", by("state", TEXTURE_STAGE_STATES)),
        ),
        since=6,
        writes="texture_stage",
    ),
    _strip(26, "INDEXEDTRIANGLELIST2", element=(V1, V2, V3)),
    Token(
        27,
        "INDEXEDLINELIST2",
        "D3DHAL_DP2INDEXEDLINELIST",
        (START,),
        "once",
        items=Items("lines", (V1, V2)),
        since=6,
        draws=True,
    ),
    Token(
        28,
        "VIEWPORTINFO",
        "D3DHAL_DP2VIEWPORTINFO",
        (Field("x", "dwX", U32), Field("y", "dwY", U32), Field("width", "dwWidth", U32), Field("height", "dwHeight", U32)),
        since=6,
        writes="viewport",
    ),
    Token(
        29, "WINFO", "D3DHAL_DP2WINFO", (Field("near", "dwWNear", F32), Field("far", "dwWFar", F32)), since=6, writes="winfo"
    ),
    Token(
        30,
        "SETPALETTE",
        "D3DHAL_DP2SETPALETTE",
        (
            Field("palette", "dwPaletteHandle", HANDLE),
            Field("flags", "dwPaletteFlags", flags(PaletteFlag)),
            Field("surface", "dwSurfaceHandle", HANDLE),
        ),
        since=7,
        writes="surface_palette",
    ),
    Token(
        31,
        "UPDATEPALETTE",
        "D3DHAL_DP2UPDATEPALETTE",  # one record whatever the command's count
        (Field("palette", "dwPaletteHandle", HANDLE), Field("start", "wStartIndex", U16), Field("count", "wNumEntries", U16)),
        "once",
        parts=(Part("entries", DWORD, "count", unit=4),),
        since=7,
        writes="palette",
    ),
    Token(
        32, "ZRANGE", "D3DHAL_DP2ZRANGE", (Field("min", "dvMinZ", F32), Field("max", "dvMaxZ", F32)), since=7, writes="zrange"
    ),
    Token(
        33,
        "SETMATERIAL",
        "D3DHAL_DP2SETMATERIAL",
        (
            _color("diffuse", "dcvDiffuse"),
            _color("ambient", "dcvAmbient"),
            _color("specular", "dcvSpecular"),
            _color("emissive", "dcvEmissive"),
            Field("power", "dvPower", F32),
        ),
        since=7,
        writes="material",
    ),
    Token(
        34,
        "SETLIGHT",
        "D3DHAL_DP2SETLIGHT",
        (Field("index", "dwIndex", U32), Field("data", "dwDataType", enum(LightData))),
        parts=(Part("light", LIGHT, "data", equals=LightData.DATA),),
        since=7,
        writes="light",
    ),
    Token(35, "CREATELIGHT", "D3DHAL_DP2CREATELIGHT", (Field("index", "dwIndex", U32),), since=7, writes="light"),
    Token(36, "SETTRANSFORM", "D3DHAL_DP2SETTRANSFORM", (TRANSFORM_TYPE, MATRIX), since=7, writes="transform"),
    Token(
        37,
        "EXT",
        "D3DHAL_DP2EXT",  # the number is an open-source driver's; no use is documented
        (Field("token", "dwExtToken", HEX32), Field("size", "dwSize", U32)),
        since=7,
    ),
    Token(
        38,
        "TEXBLT",
        "D3DHAL_DP2TEXBLT",
        (
            DESTINATION,
            SOURCE,
            Field("point", "pDest", I32, 2, XYZ[:2]),
            _rect("rect", "rSrc"),
            Field("flags", "dwFlags", HEX32),
        ),
        since=7,
        writes="surface",
    ),
    Token(
        39,
        "STATESET",
        "D3DHAL_DP2STATESET",
        (
            Field("operation", "dwOperation", enum(StateSetOperation)),
            Field("handle", "dwParam", HANDLE),
            Field("type", "sbType", enum(StateBlockType)),
        ),
        since=7,
        writes="stateset",
    ),
    Token(
        40,
        "SETPRIORITY",
        "D3DHAL_DP2SETPRIORITY",
        (Field("surface", "dwDDSurface", HANDLE), Field("priority", "dwPriority", U32)),
        since=7,
        writes="surface",
    ),
    Token(
        41,
        "SETRENDERTARGET",
        "D3DHAL_DP2SETRENDERTARGET",
        (Field("render_target", "hRenderTarget", HANDLE), Field("depth_stencil", "hZBuffer", HANDLE)),
        since=7,
        writes="render_target",
    ),
    Token(
        42,
        "CLEAR",
        "D3DHAL_DP2CLEAR",  # a count of 0 still carries one, undefined, rectangle
        (
            Field("flags", "dwFlags", flags(ClearFlag)),
            Field("color", "dwFillColor", COLOR),
            Field("depth", "dvFillDepth", F32),
            Field("stencil", "dwFillStencil", U32),
        ),
        "once",
        items=Items("rects", (_rect("rect", "Rects"),), minimum=1),
        since=7,
        writes="surface",
    ),
    Token(
        43,
        "SETTEXLOD",
        "D3DHAL_DP2SETTEXLOD",
        (Field("surface", "dwDDSurface", HANDLE), Field("lod", "dwLOD", U32)),
        since=7,
        writes="surface",
    ),
    Token(
        44,
        "SETCLIPPLANE",
        "D3DHAL_DP2SETCLIPPLANE",
        (Field("index", "dwIndex", U32), Field("plane", "plane", F32, 4, _names("a", "b", "c", "d"))),
        since=7,
        writes="clip_plane",
    ),
    Token(
        45,
        "CREATEVERTEXSHADER",
        "D3DHAL_DP2CREATEVERTEXSHADER",
        (*VERTEX_SHADER, Field("declaration_size", "dwDeclSize", U32), Field("code_size", "dwCodeSize", U32)),
        parts=(Part("declaration", CODE, "declaration_size", unit=1), Part("code", CODE, "code_size", unit=1)),
        writes="shader",
    ),
    Token(46, "DELETEVERTEXSHADER", "D3DHAL_DP2VERTEXSHADER", VERTEX_SHADER, writes="shader"),
    Token(47, "SETVERTEXSHADER", "D3DHAL_DP2VERTEXSHADER", VERTEX_SHADER, writes="vertex_shader"),
    Token(
        48,
        "SETVERTEXSHADERCONST",
        "D3DHAL_DP2SETVERTEXSHADERCONST",
        REGISTER_COUNT,
        parts=(Part("values", VECTOR, "count", unit=16),),
        writes="vs_const",
    ),
    Token(
        49,
        "SETSTREAMSOURCE",
        "D3DHAL_DP2SETSTREAMSOURCE",
        (Field("stream", "dwStream", U32), Field("buffer", "dwVBHandle", HANDLE), Field("stride", "dwStride", U32)),
        writes="stream",
    ),
    Token(
        50,
        "SETSTREAMSOURCEUM",
        "D3DHAL_DP2SETSTREAMSOURCEUM",
        (Field("stream", "dwStream", U32), Field("stride", "dwStride", U32)),
        writes="stream",
    ),
    Token(
        51,
        "SETINDICES",
        "D3DHAL_DP2SETINDICES",
        (Field("buffer", "dwVBHandle", HANDLE), Field("stride", "dwStride", U32)),
        writes="indices",
    ),
    Token(
        52,
        "DRAWPRIMITIVE",
        "D3DHAL_DP2DRAWPRIMITIVE",
        (Field("type", "primType", PRIMITIVE), Field("start", "VStart", U32), Field("count", "PrimitiveCount", U32)),
        draws=True,
    ),
    Token(
        53,
        "DRAWINDEXEDPRIMITIVE",
        "D3DHAL_DP2DRAWINDEXEDPRIMITIVE",
        (
            Field("type", "primType", PRIMITIVE),
            Field("base", "BaseVertexIndex", U32),
            Field("min_index", "MinIndex", U32),
            Field("vertex_count", "NumVertices", U32),
            Field("start", "StartIndex", U32),
            Field("count", "PrimitiveCount", U32),
        ),
        draws=True,
    ),
    Token(
        54,
        "CREATEPIXELSHADER",
        "D3DHAL_DP2CREATEPIXELSHADER",
        (*PIXEL_SHADER, Field("code_size", "dwCodeSize", U32)),
        parts=(Part("code", CODE, "code_size", unit=1),),
        writes="shader",
    ),
    Token(55, "DELETEPIXELSHADER", "D3DHAL_DP2PIXELSHADER", PIXEL_SHADER, writes="shader"),
    Token(56, "SETPIXELSHADER", "D3DHAL_DP2PIXELSHADER", PIXEL_SHADER, writes="pixel_shader"),
    Token(
        57,
        "SETPIXELSHADERCONST",
        "D3DHAL_DP2SETPIXELSHADERCONST",
        REGISTER_COUNT,
        parts=(Part("values", VECTOR, "count", unit=16),),
        writes="ps_const",
    ),
    Token(
        58,
        "CLIPPEDTRIANGLEFAN",
        "D3DHAL_CLIPPEDTRIANGLEFAN",
        (
            Field("first_offset", "FirstVertexOffset", U32),
            Field("edge_flags", "dwEdgeFlags", HEX32),
            Field("count", "PrimitiveCount", U32),
        ),
        draws=True,
    ),
    Token(
        59,
        "DRAWPRIMITIVE2",
        "D3DHAL_DP2DRAWPRIMITIVE2",
        (
            Field("type", "primType", PRIMITIVE),
            Field("first_offset", "FirstVertexOffset", U32),
            Field("count", "PrimitiveCount", U32),
        ),
        draws=True,
    ),
    Token(
        60,
        "DRAWINDEXEDPRIMITIVE2",
        "D3DHAL_DP2DRAWINDEXEDPRIMITIVE2",  # both offsets count bytes
        (
            Field("type", "primType", PRIMITIVE),
            Field("base_offset", "BaseVertexOffset", I32),
            Field("min_index", "MinIndex", U32),
            Field("vertex_count", "NumVertices", U32),
            Field("start_offset", "StartIndexOffset", U32),
            Field("count", "PrimitiveCount", U32),
        ),
        draws=True,
    ),
    _patch(61, "DRAWRECTPATCH", 4, RECT_PATCH_INFO),
    _patch(62, "DRAWTRIPATCH", 3, TRI_PATCH_INFO),
    Token(
        63,
        "VOLUMEBLT",
        "D3DHAL_DP2VOLUMEBLT",
        (
            DESTINATION,
            SOURCE,
            Field("x", "dwDestX", U32),
            Field("y", "dwDestY", U32),
            Field("z", "dwDestZ", U32),
            Field("box", "srcBox", U32, 6, BOX),
            Field("flags", "dwFlags", HEX32),
        ),
        writes="surface",
    ),
    Token(
        64,
        "BUFFERBLT",
        "D3DHAL_DP2BUFFERBLT",
        (
            DESTINATION,
            SOURCE,
            Field("offset", "dwOffset", U32),
            Field("range", "rSrc", U32, 2, _names("offset", "size")),
            Field("flags", "dwFlags", HEX32),
        ),
        writes="surface",
    ),
    Token(65, "MULTIPLYTRANSFORM", "D3DHAL_DP2MULTIPLYTRANSFORM", (TRANSFORM_TYPE, MATRIX), writes="transform"),
    Token(
        66,
        "ADDDIRTYRECT",
        "D3DHAL_DP2ADDDIRTYRECT",
        (Field("surface", "dwSurface", HANDLE), _rect("rect", "rDirtyArea")),
        writes="surface",
    ),
    Token(
        67,
        "ADDDIRTYBOX",
        "D3DHAL_DP2ADDDIRTYBOX",
        (Field("surface", "dwSurface", HANDLE), Field("box", "DirtyBox", U32, 6, BOX)),
        writes="surface",
    ),
]

HANDLE_FIELD = (Field("handle", "dwHandle", HANDLE),)
QUERY = Field("query", "dwQueryID", HANDLE)
BLT = (
    Field("source", "dwSource", HANDLE),
    _rect("source_rect", "rSource"),
    Field("source_level", "dwSourceMipLevel", U32),
    Field("destination", "dwDest", HANDLE),
    _rect("rect", "rDest"),
    Field("level", "dwDestMipLevel", U32),
    Field("flags", "Flags", HEX32),
)
PAIR = (Field("dwords", "", HEX32, 2),)
QUAD = (Field("dwords", "", HEX32, 4),)


def _dx9(op: int, name: str, struct: str, fields: tuple[Field, ...] = (), *parts: Part, repeat: str = "count") -> Token:
    """A token no DirectX 8 runtime sends: decoded and printed, refused by the device."""
    return Token(op, name, struct and f"D3DHAL_DP2{struct}", fields, repeat, parts, since=9)


_TOKENS += [
    _dx9(
        71,
        "CREATEVERTEXSHADERDECL",
        "CREATEVERTEXSHADERDECL",
        (*HANDLE_FIELD, Field("count", "dwNumVertexElements", U32)),
        Part("elements", PAIR, "count", unit=8),
    ),
    _dx9(72, "DELETEVERTEXSHADERDECL", "VERTEXSHADER", HANDLE_FIELD),
    _dx9(73, "SETVERTEXSHADERDECL", "VERTEXSHADER", HANDLE_FIELD),
    _dx9(
        74,
        "CREATEVERTEXSHADERFUNC",
        "CREATEVERTEXSHADERFUNC",
        (*HANDLE_FIELD, Field("size", "dwSize", U32)),
        Part("code", CODE, "size", unit=1),
    ),
    _dx9(75, "DELETEVERTEXSHADERFUNC", "VERTEXSHADER", HANDLE_FIELD),
    _dx9(76, "SETVERTEXSHADERFUNC", "VERTEXSHADER", HANDLE_FIELD),
    _dx9(77, "SETVERTEXSHADERCONSTI", "SETVERTEXSHADERCONST", REGISTER_COUNT, Part("values", QUAD, "count", unit=16)),
    _dx9(79, "SETSCISSORRECT", "", (_rect("rect", ""),)),
    _dx9(
        80,
        "SETSTREAMSOURCE2",
        "SETSTREAMSOURCE2",
        (
            Field("stream", "dwStream", U32),
            Field("buffer", "dwVBHandle", HANDLE),
            Field("offset", "dwOffset", U32),
            Field("stride", "dwStride", U32),
        ),
    ),
    _dx9(81, "BLT", "BLT", BLT),
    _dx9(
        82,
        "COLORFILL",
        "COLORFILL",
        (Field("surface", "dwSurface", HANDLE), _rect("rect", "rRect"), Field("color", "Color", COLOR)),
    ),
    _dx9(83, "SETVERTEXSHADERCONSTB", "SETVERTEXSHADERCONST", REGISTER_COUNT, Part("values", DWORD, "count", unit=4)),
    _dx9(84, "CREATEQUERY", "CREATEQUERY", (QUERY, Field("type", "QueryType", U32))),
    _dx9(
        85,
        "SETRENDERTARGET2",
        "SETRENDERTARGET2",
        (Field("index", "RTIndex", U32), Field("render_target", "hRenderTarget", HANDLE)),
    ),
    _dx9(86, "SETDEPTHSTENCIL", "SETDEPTHSTENCIL", (Field("depth_stencil", "hZBuffer", HANDLE),)),
    _dx9(87, "RESPONSECONTINUE", "", repeat="none"),  # driver to runtime
    _dx9(88, "RESPONSEQUERY", "RESPONSEQUERY", (QUERY, Field("size", "dwSize", U32)), repeat="none"),
    _dx9(
        89,
        "GENERATEMIPSUBLEVELS",
        "GENERATEMIPSUBLEVELS",
        (Field("surface", "hSurface", HANDLE), Field("filter", "Filter", U32)),
    ),
    _dx9(90, "DELETEQUERY", "DELETEQUERY", (QUERY,)),
    _dx9(91, "ISSUEQUERY", "ISSUEQUERY", (QUERY, Field("flags", "dwFlags", HEX32))),
    _dx9(93, "SETPIXELSHADERCONSTI", "SETPIXELSHADERCONST", REGISTER_COUNT, Part("values", QUAD, "count", unit=16)),
    _dx9(94, "SETPIXELSHADERCONSTB", "SETPIXELSHADERCONST", REGISTER_COUNT, Part("values", DWORD, "count", unit=4)),
    _dx9(
        95, "SETSTREAMSOURCEFREQ", "SETSTREAMSOURCEFREQ", (Field("stream", "dwStream", U32), Field("divider", "dwDivider", U32))
    ),
    _dx9(96, "SURFACEBLT", "SURFACEBLT", BLT),
]

TOKENS: dict[int, Token] = {row.op: row for row in _TOKENS}
"""Rows by opcode.  Rows whose `repeat` is "none" never stand in a command buffer: met there, they are unknown commands."""

Op = IntEnum("Op", {row.name: row.op for row in _TOKENS})  # type: ignore[misc]
"""D3DHAL_DP2OPERATION."""

COMMAND_BYTES = 4
"""D3DHAL_DP2COMMAND."""

RULE_UNKNOWN, RULE_COUNT, RULE_ONCE, RULE_VERTICES = range(4)
FLAG_DRAWS, FLAG_DX9 = 1, 2
MAX_PARTS = 2

RULE = np.dtype([
    ("form", "i8"),                         # RULE_*
    ("header", "i8"),                       # bytes of the fields of one record
    ("each", "i8"),                         # items per unit of the command's count
    ("extra", "i8"),                        # items on top
    ("minimum", "i8"),                      # the least count
    ("item", "i8"),                         # bytes of an item; RULE_VERTICES: unused, it is the vertex stride
    ("flags", "i8"),                        # FLAG_*
    ("parts", "i8"),
    ("part", [
        ("offset", "i8"), ("width", "i8"),  # the governing field
        ("unit", "i8"),                     # bytes per unit of it; 0: `bytes` when field & mask == equals
        ("mask", "i8"), ("equals", "i8"), ("bytes", "i8"),
    ], MAX_PARTS),
])  # fmt: skip


def _fill_rule(rule: np.void, token: Token) -> None:
    vertices = token.items is not None and token.items.vertices
    rule["form"] = RULE_VERTICES if vertices else RULE_ONCE if token.repeat == "once" else RULE_COUNT
    rule["header"] = token.fields_dtype.itemsize
    rule["flags"] = FLAG_DRAWS * token.draws | FLAG_DX9 * (token.since >= 9)
    if token.items is not None:
        rule["each"], rule["extra"], rule["minimum"] = token.items.each, token.items.extra, token.items.minimum
        rule["item"] = token.item_dtype.itemsize
    rule["parts"] = len(token.parts)
    for row, part in zip(rule["part"], token.parts, strict=False):
        row["offset"], row["width"], row["unit"] = *token.place(part.field), part.unit
        row["mask"], row["equals"], row["bytes"] = part.mask, part.equals, part.dtype.itemsize


def _rules() -> np.ndarray:
    rules = np.zeros(256, RULE)
    for token in TOKENS.values():
        if token.repeat != "none":
            _fill_rule(rules[token.op], token)
    return rules


RULES: np.ndarray = _rules()
"""The size rules of all 256 opcodes, the form `core.ddi.dp2.scan` takes."""
