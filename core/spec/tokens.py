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

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from core.spec.effects import EventKind, Slots, Touches
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


@dataclass(frozen=True, repr=False)
class Token:
    """One row.

    `struct` is the header's structure of the fields.  `since`: the DirectX version that introduced it; rows from 9 on are
    recognised, not executed.  `kind`: what each record is for; `writes`: the registers that it writes; `reads`: fields of the
    register vector that one which does not draw depends on; `touches`: what it changes or reads besides registers.  `makes`,
    `ends`: the kind of shader that gets or loses the name `shader`.
    """

    op: int
    name: str
    struct: str
    fields: tuple[Field, ...] = ()
    repeat: str = "count"
    parts: tuple[Part, ...] = ()
    items: Items | None = None
    since: int = 8
    kind: EventKind = EventKind.OTHER
    touches: Touches = Touches.NOTHING
    writes: Slots | None = None
    reads: tuple[str, ...] = ()
    makes: str = ""
    ends: str = ""

    def __repr__(self) -> str:
        return f"Token({self.op} {self.name})"

    @property
    def draws(self) -> bool:
        """Each record draws."""
        return self.kind is EventKind.DRAW

    @cached_property
    def fields_dtype(self) -> np.dtype:
        """The fixed fields of one record."""
        return dtype_of(self.fields)

    def place(self, name: str) -> tuple[int, int]:
        """(offset, bytes) of a fixed field within its record."""
        fields = self.fields_dtype.fields
        assert fields is not None
        return fields[name][1], fields[name][0].itemsize

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


F = Field


def _row(op: int, name: str, *fields: Field, struct: str | None = None, **rest: Any) -> Token:
    """A row; its structure is D3DHAL_DP2 and its name unless said otherwise."""
    full = f"D3DHAL_DP2{name}" if struct is None else struct and f"D3DHAL_DP2{struct}".replace("DP2D3DHAL_", "")
    return Token(op, name, full, fields, **rest)


_BLOCK_TYPE = enum(StateBlockType)
BLOCK_TYPE = replace(_BLOCK_TYPE, text=lambda raw: _BLOCK_TYPE.text(raw) if raw else "0")
"""D3DSTATEBLOCKTYPE; 0 where the operation is not D3DHAL_STATESETCREATE, which alone has one."""
DRAW, CLEAR, COPY, STATE, RESOURCE = EventKind.DRAW, EventKind.CLEAR, EventKind.COPY, EventKind.STATE, EventKind.RESOURCE
TRANSFORMS, SHADERS = EventKind.TRANSFORM, EventKind.SHADER
SURFACES, READS, BUFFERS, OBJECTS, SETTINGS = Touches
DRAWS: dict[str, Any] = {"kind": DRAW, "touches": SURFACES | READS}
COPIES: dict[str, Any] = {"kind": COPY, "touches": SURFACES | READS}
MAKES_SHADER: dict[str, Any] = {"kind": SHADERS, "touches": OBJECTS}
ASKS: dict[str, Any] = {"touches": OBJECTS}


def _range(op: int, name: str) -> Token:
    """Consecutive vertices from `start`."""
    return _row(op, name, START, repeat="once", since=6, **DRAWS)


def _strip(
    op: int,
    name: str,
    element: tuple[Field, ...] = INDEX,
    *,
    extra: int = 0,
    items: str = "indices",
    struct: str | None = None,
) -> Token:
    """An indexed primitive: STARTVERTEX, then indices relative to it."""
    array = Items(items, element, extra=extra)
    return _row(op, name, START, struct=struct, repeat="once", items=array, since=6, **DRAWS)


def _patch(op: int, name: str, segments: int, info: tuple[Field, ...]) -> Token:
    """A patch: its handle, then the segments of its edges and its shape, each if flagged."""
    parts = (
        Part("segments", (F("segments", "", F32, segments),), "flags", mask=PatchFlag.HASSEGS, equals=PatchFlag.HASSEGS),
        Part("info", info, "flags", mask=PatchFlag.HASINFO, equals=PatchFlag.HASINFO),
    )
    fields = (F("patch", "Handle", HANDLE), F("flags", "Flags", flags(PatchFlag)))
    return _row(op, name, *fields, parts=parts, kind=DRAW, touches=SURFACES | READS | OBJECTS)


HANDLE_FIELD = (F("handle", "dwHandle", HANDLE),)
QUERY = F("query", "dwQueryID", HANDLE)
BLT = (
    F("source", "dwSource", HANDLE),
    _rect("source_rect", "rSource"),
    F("source_level", "dwSourceMipLevel", U32),
    F("destination", "dwDest", HANDLE),
    _rect("rect", "rDest"),
    F("level", "dwDestMipLevel", U32),
    F("flags", "Flags", HEX32),
)
PAIR = (F("dwords", "", HEX32, 2),)
QUAD = (F("dwords", "", HEX32, 4),)


def _dx9(op: int, name: str, *fields: Field, **rest: Any) -> Token:
    """A token no DirectX 8 runtime sends: decoded and printed, refused by the device."""
    return _row(op, name, *fields, since=9, **rest)


# fmt: off
_TOKENS = [
    _row(1, "POINTS", F("count", "wCount", U16), START, since=6, **DRAWS),
    _row(2, "INDEXEDLINELIST", repeat="once", items=Items("lines", (V1, V2)), since=6, **DRAWS),
    _row(3, "INDEXEDTRIANGLELIST", repeat="once",
        items=Items("triangles", (V1, V2, V3, F("flags", "wFlags", TRIANGLE_FLAGS))), since=6, **DRAWS),
    # never sent to drivers; the number is an open-source driver's
    _row(4, "RESERVED0", struct="", repeat="none", since=6),
    _row(8, "RENDERSTATE", F("state", "RenderState", RENDER_STATE), F("value", "dwState", by("state", RENDER_STATES)),
        since=6, kind=STATE,
        writes=Slots("render_state", ("value",), (("state", 1),), also=("scene", "texture_stage"))),
    _range(15, "LINELIST"),
    _range(16, "LINESTRIP"),
    _strip(17, "INDEXEDLINESTRIP", extra=1),
    _range(18, "TRIANGLELIST"),
    _range(19, "TRIANGLESTRIP"),
    _strip(20, "INDEXEDTRIANGLESTRIP", extra=2),
    _range(21, "TRIANGLEFAN"),
    _strip(22, "INDEXEDTRIANGLEFAN", extra=2),
    _row(23, "TRIANGLEFAN_IMM", F("edge_flags", "dwEdgeFlags", HEX32), repeat="once",
        items=Items("vertices", DWORD, extra=2, vertices=True), since=6, **DRAWS),
    _row(24, "LINELIST_IMM", struct="", repeat="once", items=Items("vertices", DWORD, each=2, vertices=True), since=6,
        **DRAWS),
    _row(25, "TEXTURESTAGESTATE", F("stage", "wStage", U16), F("state", "TSState", STAGE_STATE),
        F("value", "dwValue", by("state", TEXTURE_STAGE_STATES)), since=6, kind=STATE,
        writes=Slots("texture_stage", ("value",), (("stage", 32), ("state", 1)))),
    _strip(26, "INDEXEDTRIANGLELIST2", (V1, V2, V3)),
    _strip(27, "INDEXEDLINELIST2", (V1, V2), items="lines", struct="INDEXEDLINELIST"),
    _row(28, "VIEWPORTINFO", F("x", "dwX", U32), F("y", "dwY", U32), F("width", "dwWidth", U32),
        F("height", "dwHeight", U32), since=6, kind=TRANSFORMS,
        writes=Slots("viewport", ("x", "y", "width", "height"))),
    _row(29, "WINFO", F("near", "dwWNear", F32), F("far", "dwWFar", F32), since=6, kind=TRANSFORMS,
        writes=Slots("winfo", ("near", "far"))),
    _row(30, "SETPALETTE", F("palette", "dwPaletteHandle", HANDLE), F("flags", "dwPaletteFlags", flags(PaletteFlag)),
        F("surface", "dwSurfaceHandle", HANDLE), since=7, kind=RESOURCE, touches=OBJECTS),
    # one record whatever the command's count
    _row(31, "UPDATEPALETTE", F("palette", "dwPaletteHandle", HANDLE), F("start", "wStartIndex", U16),
        F("count", "wNumEntries", U16), repeat="once", parts=(Part("entries", DWORD, "count", unit=4),),
        since=7, kind=RESOURCE, touches=OBJECTS,
        writes=Slots("palette", ("entries",), (("palette", 0), ("start", 1)))),
    _row(32, "ZRANGE", F("min", "dvMinZ", F32), F("max", "dvMaxZ", F32), since=7, kind=TRANSFORMS,
        writes=Slots("zrange", ("min", "max"))),
    _row(33, "SETMATERIAL", _color("diffuse", "dcvDiffuse"), _color("ambient", "dcvAmbient"),
        _color("specular", "dcvSpecular"), _color("emissive", "dcvEmissive"), F("power", "dvPower", F32),
        since=7, kind=TRANSFORMS,
        writes=Slots("material", ("diffuse", "ambient", "specular", "emissive", "power"))),
    _row(34, "SETLIGHT", F("index", "dwIndex", U32), F("data", "dwDataType", enum(LightData)),
        parts=(Part("light", LIGHT, "data", equals=LightData.DATA),), since=7, kind=TRANSFORMS,
        writes=Slots("light", ("light",), (("index", 0),))),
    _row(35, "CREATELIGHT", F("index", "dwIndex", U32), since=7, kind=TRANSFORMS, touches=OBJECTS,
        writes=Slots("light", (), (("index", 0),))),
    _row(36, "SETTRANSFORM", TRANSFORM_TYPE, MATRIX, since=7, kind=TRANSFORMS,
        writes=Slots("transform", ("matrix",), (("type", 0),))),
    # the number is an open-source driver's; no use is documented
    _row(37, "EXT", F("token", "dwExtToken", HEX32), F("size", "dwSize", U32), since=7),
    _row(38, "TEXBLT", DESTINATION, SOURCE, F("point", "pDest", I32, 2, XYZ[:2]), _rect("rect", "rSrc"),
        F("flags", "dwFlags", HEX32), since=7, **COPIES),
    _row(39, "STATESET", F("operation", "dwOperation", enum(StateSetOperation)), F("handle", "dwParam", HANDLE),
        F("type", "sbType", BLOCK_TYPE), since=7, kind=STATE, touches=OBJECTS),
    _row(40, "SETPRIORITY", F("surface", "dwDDSurface", HANDLE), F("priority", "dwPriority", U32),
        since=7, kind=RESOURCE, touches=SETTINGS),
    _row(41, "SETRENDERTARGET", F("render_target", "hRenderTarget", HANDLE), F("depth_stencil", "hZBuffer", HANDLE),
        since=7, kind=STATE,
        writes=Slots("render_target", ("render_target", "depth_stencil"))),
    # a count of 0 still carries one, undefined, rectangle
    _row(42, "CLEAR", F("flags", "dwFlags", flags(ClearFlag)), F("color", "dwFillColor", COLOR),
        F("depth", "dvFillDepth", F32), F("stencil", "dwFillStencil", U32), repeat="once",
        items=Items("rects", (_rect("rect", "Rects"),), minimum=1), since=7, kind=CLEAR, touches=SURFACES,
        reads=("render_target", "depth_stencil", "viewport")),
    _row(43, "SETTEXLOD", F("surface", "dwDDSurface", HANDLE), F("lod", "dwLOD", U32),
        since=7, kind=RESOURCE, touches=SETTINGS),
    _row(44, "SETCLIPPLANE", F("index", "dwIndex", U32), F("plane", "plane", F32, 4, ("a", "b", "c", "d")),
        since=7, kind=TRANSFORMS,
        writes=Slots("clip_plane", ("plane",), (("index", 4),))),
    _row(45, "CREATEVERTEXSHADER", *VERTEX_SHADER, F("declaration_size", "dwDeclSize", U32),
        F("code_size", "dwCodeSize", U32),
        parts=(Part("declaration", CODE, "declaration_size", unit=1), Part("code", CODE, "code_size", unit=1)),
        makes="vertex_shader", **MAKES_SHADER),
    _row(46, "DELETEVERTEXSHADER", *VERTEX_SHADER, struct="VERTEXSHADER", ends="vertex_shader", **MAKES_SHADER),
    _row(47, "SETVERTEXSHADER", *VERTEX_SHADER, struct="VERTEXSHADER", kind=SHADERS,
        writes=Slots("vertex_shader", ("shader",), also=("stream", "vs_const"))),
    _row(48, "SETVERTEXSHADERCONST", *REGISTER_COUNT, parts=(Part("values", VECTOR, "count", unit=16),), kind=SHADERS,
        writes=Slots("vs_const", ("values",), (("register", 4),))),
    _row(49, "SETSTREAMSOURCE", F("stream", "dwStream", U32), F("buffer", "dwVBHandle", HANDLE),
        F("stride", "dwStride", U32), kind=STATE,
        writes=Slots("stream", ("buffer", "stride", 0), (("stream", 3),))),
    _row(50, "SETSTREAMSOURCEUM", F("stream", "dwStream", U32), F("stride", "dwStride", U32), kind=STATE,
        writes=Slots("stream", (0, "stride", 1), (("stream", 3),))),
    _row(51, "SETINDICES", F("buffer", "dwVBHandle", HANDLE), F("stride", "dwStride", U32), kind=STATE,
        writes=Slots("indices", ("buffer", "stride"))),
    _row(52, "DRAWPRIMITIVE", F("type", "primType", PRIMITIVE), F("start", "VStart", U32),
        F("count", "PrimitiveCount", U32), **DRAWS),
    _row(53, "DRAWINDEXEDPRIMITIVE", F("type", "primType", PRIMITIVE), F("base", "BaseVertexIndex", I32),
        F("min_index", "MinIndex", U32), F("vertex_count", "NumVertices", U32), F("start", "StartIndex", U32),
        F("count", "PrimitiveCount", U32), **DRAWS),
    _row(54, "CREATEPIXELSHADER", *PIXEL_SHADER, F("code_size", "dwCodeSize", U32),
        parts=(Part("code", CODE, "code_size", unit=1),), makes="pixel_shader", **MAKES_SHADER),
    _row(55, "DELETEPIXELSHADER", *PIXEL_SHADER, struct="PIXELSHADER", ends="pixel_shader", **MAKES_SHADER),
    _row(56, "SETPIXELSHADER", *PIXEL_SHADER, struct="PIXELSHADER", kind=SHADERS,
        writes=Slots("pixel_shader", ("shader",), also=("ps_const",))),
    _row(57, "SETPIXELSHADERCONST", *REGISTER_COUNT, parts=(Part("values", VECTOR, "count", unit=16),), kind=SHADERS,
        writes=Slots("ps_const", ("values",), (("register", 4),))),
    _row(58, "CLIPPEDTRIANGLEFAN", F("first_offset", "FirstVertexOffset", U32), F("edge_flags", "dwEdgeFlags", HEX32),
        F("count", "PrimitiveCount", U32), struct="D3DHAL_CLIPPEDTRIANGLEFAN", **DRAWS),
    _row(59, "DRAWPRIMITIVE2", F("type", "primType", PRIMITIVE), F("first_offset", "FirstVertexOffset", U32),
        F("count", "PrimitiveCount", U32), **DRAWS),
    # both offsets count bytes
    _row(60, "DRAWINDEXEDPRIMITIVE2", F("type", "primType", PRIMITIVE), F("base_offset", "BaseVertexOffset", I32),
        F("min_index", "MinIndex", U32), F("vertex_count", "NumVertices", U32),
        F("start_offset", "StartIndexOffset", U32), F("count", "PrimitiveCount", U32), **DRAWS),
    _patch(61, "DRAWRECTPATCH", 4, RECT_PATCH_INFO),
    _patch(62, "DRAWTRIPATCH", 3, TRI_PATCH_INFO),
    _row(63, "VOLUMEBLT", DESTINATION, SOURCE, F("x", "dwDestX", U32), F("y", "dwDestY", U32), F("z", "dwDestZ", U32),
        F("box", "srcBox", U32, 6, BOX), F("flags", "dwFlags", HEX32), **COPIES),
    _row(64, "BUFFERBLT", DESTINATION, SOURCE, F("offset", "dwOffset", U32),
        F("range", "rSrc", U32, 2, ("offset", "size")), F("flags", "dwFlags", HEX32), kind=COPY, touches=BUFFERS),
    _row(65, "MULTIPLYTRANSFORM", TRANSFORM_TYPE, MATRIX, kind=TRANSFORMS,
        writes=Slots("transform", ("matrix",), (("type", 0),), updates=True)),
    _row(66, "ADDDIRTYRECT", F("surface", "dwSurface", HANDLE), _rect("rect", "rDirtyArea"), kind=RESOURCE, touches=SETTINGS),
    _row(67, "ADDDIRTYBOX", F("surface", "dwSurface", HANDLE), F("box", "DirtyBox", U32, 6, BOX),
        kind=RESOURCE, touches=SETTINGS),
    _dx9(71, "CREATEVERTEXSHADERDECL", *HANDLE_FIELD, F("count", "dwNumVertexElements", U32),
        parts=(Part("elements", PAIR, "count", unit=8),), **MAKES_SHADER),
    _dx9(72, "DELETEVERTEXSHADERDECL", *HANDLE_FIELD, struct="VERTEXSHADER", ends="vertex_shader", **MAKES_SHADER),
    _dx9(73, "SETVERTEXSHADERDECL", *HANDLE_FIELD, struct="VERTEXSHADER", kind=SHADERS),
    _dx9(74, "CREATEVERTEXSHADERFUNC", *HANDLE_FIELD, F("size", "dwSize", U32),
        parts=(Part("code", CODE, "size", unit=1),), **MAKES_SHADER),
    _dx9(75, "DELETEVERTEXSHADERFUNC", *HANDLE_FIELD, struct="VERTEXSHADER", ends="vertex_shader", **MAKES_SHADER),
    _dx9(76, "SETVERTEXSHADERFUNC", *HANDLE_FIELD, struct="VERTEXSHADER", kind=SHADERS),
    _dx9(77, "SETVERTEXSHADERCONSTI", *REGISTER_COUNT, struct="SETVERTEXSHADERCONST",
        parts=(Part("values", QUAD, "count", unit=16),), kind=SHADERS),
    _dx9(79, "SETSCISSORRECT", _rect("rect", ""), struct="", kind=STATE),
    _dx9(80, "SETSTREAMSOURCE2", F("stream", "dwStream", U32), F("buffer", "dwVBHandle", HANDLE),
        F("offset", "dwOffset", U32), F("stride", "dwStride", U32), kind=STATE),
    _dx9(81, "BLT", *BLT, **COPIES),
    _dx9(82, "COLORFILL", F("surface", "dwSurface", HANDLE), _rect("rect", "rRect"), F("color", "Color", COLOR),
        kind=CLEAR, touches=SURFACES),
    _dx9(83, "SETVERTEXSHADERCONSTB", *REGISTER_COUNT, struct="SETVERTEXSHADERCONST",
        parts=(Part("values", DWORD, "count", unit=4),), kind=SHADERS),
    _dx9(84, "CREATEQUERY", QUERY, F("type", "QueryType", U32), **ASKS),
    _dx9(85, "SETRENDERTARGET2", F("index", "RTIndex", U32), F("render_target", "hRenderTarget", HANDLE), kind=STATE),
    _dx9(86, "SETDEPTHSTENCIL", F("depth_stencil", "hZBuffer", HANDLE), kind=STATE),
    # the next two go from the driver to the runtime
    _dx9(87, "RESPONSECONTINUE", struct="", repeat="none"),
    _dx9(88, "RESPONSEQUERY", QUERY, F("size", "dwSize", U32), repeat="none"),
    _dx9(89, "GENERATEMIPSUBLEVELS", F("surface", "hSurface", HANDLE), F("filter", "Filter", U32), **COPIES),
    _dx9(90, "DELETEQUERY", QUERY, **ASKS),
    _dx9(91, "ISSUEQUERY", QUERY, F("flags", "dwFlags", HEX32), **ASKS),
    _dx9(93, "SETPIXELSHADERCONSTI", *REGISTER_COUNT, struct="SETPIXELSHADERCONST",
        parts=(Part("values", QUAD, "count", unit=16),), kind=SHADERS),
    _dx9(94, "SETPIXELSHADERCONSTB", *REGISTER_COUNT, struct="SETPIXELSHADERCONST",
        parts=(Part("values", DWORD, "count", unit=4),), kind=SHADERS),
    _dx9(95, "SETSTREAMSOURCEFREQ", F("stream", "dwStream", U32), F("divider", "dwDivider", U32), kind=STATE),
    _dx9(96, "SURFACEBLT", *BLT, **COPIES),
]
# fmt: on

TOKENS: dict[int, Token] = {}
"""Rows by opcode.  Rows whose `repeat` is "none" never stand in a command buffer: met there, they are unknown commands."""


TOKEN_BY_NAME: dict[str, Token] = {}


def ops_that(test: Callable[[Token], bool]) -> np.ndarray:
    """bool[256]: the opcodes whose row passes a test."""
    return np.array([op in TOKENS and test(TOKENS[op]) for op in range(256)])


def touches_of_ops() -> np.ndarray:
    """uint8[256]: what the token of each opcode touches."""
    return np.array([TOKENS[op].touches if op in TOKENS else 0 for op in range(256)], np.uint8)


def _operations() -> Any:
    return IntEnum("Op", {row.name: row.op for row in _TOKENS})


Op = _operations()
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


RULES: np.ndarray = np.zeros(256, RULE)
"""The size rules of all 256 opcodes, the form `core.ddi.stream.dp2.scan` takes."""


def enter(row: Token) -> None:
    """Makes a row known.  Everybody else reads the rows when imported: enter first, then import."""
    TOKENS[row.op] = TOKEN_BY_NAME[row.name] = row
    if row.repeat != "none":
        _fill_rule(RULES[row.op], row)


for _each in _TOKENS:
    enter(_each)
