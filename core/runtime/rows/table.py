"""The frequent API calls and their tokens.  Data only.

A row names an API call and its tokens; a token says which argument feeds each of its fields, in the order of the token's own
row in `core.spec.tokens`.  Where its words live in the register vector, `at`, is also in that row (`sets`); a token without an
opcode only keeps words there.  A call whose `needs` are zero, whose key is out of range, or whose object is
unknown is left to Python (`methods.py`).  Structures of Direct3D 8 are dwords in order, so structure arguments need no code.

Only the first token of a row may refuse a call: the loop never half-does one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.runtime.calls.columns import Signature
from core.runtime.rows import layout as c
from core.spec.slots import BASE, REGISTERS, SLOTS, TRANSFORM_SLOTS
from core.spec.tokens import TOKENS, Op

LIGHTS = 256  # lights of the runtime's own vector; an index beyond is left to Python
LIGHT_WORDS, MATRIX = 26, 16
LIGHT = SLOTS  # values, then per light whether it is off and whether it was made
LIGHT_OFF = LIGHT + LIGHTS * LIGHT_WORDS
LIGHT_MADE = LIGHT_OFF + LIGHTS
BASE_VERTEX = LIGHT_MADE + LIGHTS
PALETTE = BASE_VERTEX + 1
OLDER, OLDER_SLOTS = PALETTE + 1, 1200  # of Direct3D 6 and 5: older_slots
RUNTIME_SLOTS = OLDER + OLDER_SLOTS
"""The runtime's vector: the device's registers, and what only the API knows."""


@dataclass(frozen=True)
class FieldSource:
    """Where one field of a token comes from (the kinds stand in layout.py)."""

    kind: int
    arg: str = ""
    a: int = 0
    b: int = 0


@dataclass(frozen=True)
class SlotRule:
    """Slots: base + the sum of key argument times stride, or base by a map over one key argument."""

    base: int
    size: int
    keys: tuple[tuple[str, int], ...] = ()
    map: tuple[int, ...] = ()


@dataclass(frozen=True)
class Emit:
    """One token; `keys`: words before those that live in `at`."""

    op: int
    fields: tuple[FieldSource, ...]
    at: SlotRule | None = None
    keys: int = 0
    merge: bool = False


@dataclass(frozen=True)
class OldDraw:
    """A draw of Direct3D 7 or 6: the names of its arguments.  Vertices are in memory (`format`, `vertices`) or in a `buffer`,
    from `start` on.  flags: where they decide on lighting; typed: the format, if it is a D3DVERTEXTYPE."""

    kind: str
    count: str = ""
    format: str = ""
    vertices: str = ""
    buffer: str = ""
    start: str = ""
    indices: str = ""
    index_count: str = ""
    flags: str = ""
    typed: str = ""


@dataclass(frozen=True)
class OldBlit:
    """A call of DirectDraw that waits in the queue: the names of its arguments.  target: the surface, or the locked memory;
    box: on it; origin, area: the other surface, or the memory; effects: a structure of the call."""

    kind: int
    target: str
    box: str = ""
    origin: str = ""
    area: str = ""
    flags: str = ""
    effects: str = ""
    x: str = ""
    y: str = ""


@dataclass(frozen=True)
class Row:
    """One API call.  `zero`: it does nothing when this argument is 0; `counts`: nothing until it returns 0 references;
    `verdict`: what it is given whatever it made; its method, not the loop, then sends a command buffer that is full.  `within`:
    the loop takes it behind another call only.  `older`: what older_calls does with the fields of its token; `of_viewport`: for
    a viewport, not a device.
    """

    call: str
    emits: tuple[Emit, ...] = ()
    needs: tuple[SlotRule, ...] = ()
    vertices: str = ""
    stride: str = ""
    indices: str = ""
    zero: str = ""
    draws: bool = False
    flushes: bool = False
    counts: bool = False
    verdict: int = -1
    within: bool = False
    draw: OldDraw | None = None
    blit: OldBlit | None = None
    older: int = -1
    of_viewport: bool = False


def arg(name: str) -> FieldSource:
    """The argument's number."""
    return FieldSource(c.ARG, name)


def arg16(name: str) -> FieldSource:
    """Its low 16 bits."""
    return FieldSource(c.ARG16, name)


def const(value: int) -> FieldSource:
    """A fixed dword."""
    return FieldSource(c.CONST, "", value)


def const16(value: int) -> FieldSource:
    """A fixed word."""
    return FieldSource(c.CONST16, "", value)


def held(slot: int) -> FieldSource:
    """What the runtime's vector holds."""
    return FieldSource(c.HELD, "", slot)


def handle(name: str) -> FieldSource:
    """The handle of an object, 0 for NULL."""
    return FieldSource(c.OBJECT, name)


def words(name: str, begin: int, end: int) -> FieldSource:
    """Dwords begin..end of a structure."""
    return FieldSource(c.STRUCT_WORDS, name, begin, end)


def blob(name: str) -> FieldSource:
    """All dwords of a blob."""
    return FieldSource(c.BLOB_WORDS, name)


def at(name: str, size: int, offset: int = 0, **keys: int) -> SlotRule:
    """Slots of a register field by name; keys are argument=stride."""
    return SlotRule(BASE[name] + offset, size, tuple(keys.items()))


def slots(base: int, size: int, **keys: int) -> SlotRule:
    """Slots beyond the device's registers."""
    return SlotRule(base, size, tuple(keys.items()))


def sets(op: int, *fields: FieldSource, merge: bool = False, transforms: tuple[int, ...] = TRANSFORM_SLOTS) -> Emit:
    """A token that sets registers: where its words live is what its own row says."""
    row = TOKENS[op]
    writes = row.writes
    assert writes is not None
    base, keys = BASE.get(writes.field, 0), []
    for (_, stride), field in zip(writes.keys, fields, strict=False):
        if field.kind in (c.CONST, c.CONST16):
            base += field.a * stride
        else:
            keys.append((field.arg, stride))
    first = next(word for word in writes.words if isinstance(word, str))
    ahead = row.place(first)[0] if first in row.fields_dtype.fields else row.fields_dtype.itemsize  # type: ignore[operator]
    if writes.field == "transform":
        place = SlotRule(0, len(transforms), ((keys[0][0], MATRIX),), transforms)
    else:
        place = SlotRule(base, REGISTERS[writes.field].itemsize // 4, tuple(keys))
    return Emit(op, fields, place, ahead // 4, merge)


LIGHT_PLACE = slots(LIGHT, LIGHTS * LIGHT_WORDS, Index=LIGHT_WORDS)
LIGHT_OFF_PLACE = slots(LIGHT_OFF, LIGHTS, Index=1)
LIGHT_IS_MADE = (slots(LIGHT_MADE, LIGHTS, Index=1),)
LIGHT_ENABLE, LIGHT_DATA = 0, 2  # D3DHAL_SETLIGHT_*
SCENE_CAPTURE = 62

NO_STREAM = Emit(0, (const(0), const(0)), at("stream", 3))
NO_INDICES = Emit(0, (const(0), const(0)), at("indices", 2))
DEVICE = "IDirect3DDevice8::"


def _row(call: str, *emits: Emit, **more: object) -> Row:
    return Row(DEVICE + call, emits, **more)  # type: ignore[arg-type]


ROWS: tuple[Row, ...] = (
    _row("SetRenderState", sets(Op.RENDERSTATE, arg("State"), arg("Value"), merge=True)),
    _row("SetTextureStageState", sets(Op.TEXTURESTAGESTATE, arg16("Stage"), arg16("Type"), arg("Value"), merge=True)),
    _row("SetTexture", sets(Op.TEXTURESTAGESTATE, arg16("Stage"), const16(0), handle("pTexture"), merge=True)),
    _row("SetTransform", sets(Op.SETTRANSFORM, arg("State"), words("pMatrix", 0, 16), merge=True)),
    _row("SetViewport",
         sets(Op.VIEWPORTINFO, words("pViewport", 0, 4)),
         sets(Op.ZRANGE, words("pViewport", 4, 6))),
    _row("SetMaterial", sets(Op.SETMATERIAL, words("pMaterial", 0, 17))),
    _row("SetLight",
         Emit(Op.SETLIGHT, (arg("Index"), const(LIGHT_DATA), words("pLight", 0, 26)), LIGHT_PLACE, 2), needs=LIGHT_IS_MADE),
    _row("LightEnable",
         Emit(Op.SETLIGHT, (arg("Index"), FieldSource(c.NOT, "Enable")), LIGHT_OFF_PLACE, 1), needs=LIGHT_IS_MADE),
    _row("SetClipPlane", sets(Op.SETCLIPPLANE, arg("Index"), words("pPlane", 0, 4))),
    _row("SetVertexShader", sets(Op.SETVERTEXSHADER, FieldSource(c.VERTEX_SHADER, "Handle"))),
    _row("SetPixelShader", sets(Op.SETPIXELSHADER, FieldSource(c.PIXEL_SHADER, "Handle"))),
    _row("SetVertexShaderConstant",
         sets(Op.SETVERTEXSHADERCONST, arg("Register"), arg("ConstantCount"), blob("pConstantData")), zero="ConstantCount"),
    _row("SetPixelShaderConstant",
         sets(Op.SETPIXELSHADERCONST, arg("Register"), arg("ConstantCount"), blob("pConstantData")), zero="ConstantCount"),
    _row("SetStreamSource", sets(Op.SETSTREAMSOURCE, arg("StreamNumber"), handle("pStreamData"), arg("Stride"))),
    _row("SetIndices",
         sets(Op.SETINDICES, handle("pIndexData"), FieldSource(c.ELEMENT_SIZE, "pIndexData")),
         Emit(0, (arg("BaseVertexIndex"),), slots(BASE_VERTEX, 1))),
    _row("DrawPrimitive",
         Emit(Op.DRAWPRIMITIVE, (arg("PrimitiveType"), arg("StartVertex"), arg("PrimitiveCount"))),
         zero="PrimitiveCount", draws=True),
    _row("DrawIndexedPrimitive",
         Emit(Op.DRAWINDEXEDPRIMITIVE, (
             arg("PrimitiveType"), held(BASE_VERTEX), arg("minIndex"), arg("NumVertices"), arg("startIndex"),
             arg("primCount"))),
         zero="primCount", draws=True, needs=(at("indices", 1),)),
    _row("DrawPrimitiveUP",
         Emit(Op.SETSTREAMSOURCEUM, (const(0), arg("VertexStreamZeroStride"))),
         Emit(Op.DRAWPRIMITIVE, (arg("PrimitiveType"), FieldSource(c.VERTEX_START), arg("PrimitiveCount"))),
         NO_STREAM,
         zero="PrimitiveCount", vertices="pVertexStreamZeroData", stride="VertexStreamZeroStride", draws=True),
    _row("DrawIndexedPrimitiveUP",
         Emit(Op.SETSTREAMSOURCEUM, (const(0), arg("VertexStreamZeroStride"))),
         Emit(Op.SETINDICES, (FieldSource(c.INDEX_BUFFER), FieldSource(c.INDEX_SIZE, "IndexDataFormat"))),
         Emit(Op.DRAWINDEXEDPRIMITIVE, (
             arg("PrimitiveType"), FieldSource(c.VERTEX_START), arg("MinVertexIndex"), arg("NumVertexIndices"),
             FieldSource(c.INDEX_START), arg("PrimitiveCount"))),
         NO_STREAM, NO_INDICES,
         zero="PrimitiveCount", vertices="pVertexStreamZeroData", stride="VertexStreamZeroStride", indices="pIndexData",
         draws=True),
    _row("Clear",  # without rectangles
         Emit(Op.CLEAR, (
             FieldSource(c.CLEAR_FLAGS, "Flags"), FieldSource(c.NUMBER, "Color"), FieldSource(c.FINITE, "Z"),
             FieldSource(c.NUMBER, "Stencil"), FieldSource(c.VISIBLE, "pRects"))),
         verdict=c.PYTHON),
    _row("BeginScene", Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(1)), merge=True)),
    _row("EndScene", Emit(Op.RENDERSTATE, (const(SCENE_CAPTURE), const(0)), merge=True), flushes=True),
)  # fmt: skip

_BUFFERS = ("IDirect3DVertexBuffer8::", "IDirect3DIndexBuffer8::")
_LOCK = OldBlit(c.LOCK_BUFFER, "this", area="ppbData", flags="Flags", x="OffsetToLock", y="SizeToLock")
LATE: tuple[Row, ...] = (
    Row(DEVICE + "Present", blit=OldBlit(c.PRESENT, "this", box="pDestRect", area="pSourceRect")),
    *(Row(name + "Lock", blit=_LOCK) for name in _BUFFERS),
    *(Row(name + "Unlock", blit=OldBlit(c.UNLOCK_BUFFER, "this"), within=True) for name in _BUFFERS),
)
"""Their methods wait until the loop ends (`core.runtime.rows.waiting`)."""
LATE_CALLS = frozenset(row.call for row in LATE)

_RESOURCE = "AddRef QueryInterface GetDevice SetPrivateData GetPrivateData FreePrivateData GetPriority GetType"
_TEXTURE = _RESOURCE + " GetLOD GetLevelCount GetLevelDesc"
_SURFACE = "AddRef QueryInterface GetDevice SetPrivateData GetPrivateData FreePrivateData GetContainer GetDesc"
_SILENT = {
    "IDirect3D8": "AddRef QueryInterface RegisterSoftwareDevice GetAdapterCount GetAdapterIdentifier GetAdapterModeCount "
    "EnumAdapterModes GetAdapterDisplayMode CheckDeviceType CheckDeviceFormat CheckDeviceMultiSampleType "
    "CheckDepthStencilMatch GetAdapterMonitor",
    "IDirect3DDevice8": "AddRef QueryInterface TestCooperativeLevel GetAvailableTextureMem "
    "GetDirect3D SetGammaRamp SetCursorProperties SetCursorPosition ShowCursor GetDisplayMode "
    "GetCreationParameters GetRasterStatus GetGammaRamp GetTransform GetViewport GetMaterial GetLight GetLightEnable "
    "GetClipPlane GetRenderState SetClipStatus GetClipStatus GetTexture GetTextureStageState GetInfo GetPaletteEntries "
    "GetCurrentTexturePalette GetVertexShader GetVertexShaderConstant GetVertexShaderDeclaration GetVertexShaderFunction "
    "GetStreamSource GetIndices GetPixelShader GetPixelShaderConstant GetPixelShaderFunction",
    "IDirect3DSwapChain8": "AddRef QueryInterface",
    "IDirect3DSurface8": _SURFACE,
    "IDirect3DVolume8": _SURFACE,
    "IDirect3DTexture8": _TEXTURE,
    "IDirect3DCubeTexture8": _TEXTURE,
    "IDirect3DVolumeTexture8": _TEXTURE,
    "IDirect3DVertexBuffer8": _RESOURCE + " GetDesc",
    "IDirect3DIndexBuffer8": _RESOURCE + " GetDesc",
}
SILENT: tuple[str, ...] = tuple(f"{interface}::{name}" for interface, names in _SILENT.items() for name in names.split())
"""Calls that make no token and need no method: questions, and what goes to GDI (cursor, gamma ramp)."""

COUNTED: tuple[str, ...] = tuple(f"{interface}::Release" for interface in _SILENT if interface != "IDirect3D8")
"""Release: a method has the last one."""

ROW_OF: dict[str, Row] = {
    row.call: row for row in (*ROWS, *LATE, *(Row(name) for name in SILENT), *(Row(name, counts=True) for name in COUNTED))
}


@dataclass(frozen=True)
class Tables:
    """Rows as the loop reads them, by signature id."""

    rows: np.ndarray
    tokens: np.ndarray
    fields: np.ndarray
    needs: np.ndarray
    maps: np.ndarray
    draws: np.ndarray
    blits: np.ndarray


def compile_rows(functions: Mapping[int, Signature], row_of: Mapping[str, Row] = ROW_OF) -> Tables:
    """The rows of the functions that a trace or script declares, up to the highest of their numbers."""
    rows = np.zeros(max(functions, default=-1) + 1, c.ROW)
    rows["blit"] = rows["older"] = -1
    tokens: list[tuple[int, ...]] = []
    fields: list[tuple[int, ...]] = []
    needs: list[tuple[int, ...]] = []
    maps: list[int] = []
    draws: list[tuple[int, ...]] = []
    blits: list[tuple[int, ...]] = []

    def index(name: str, arguments: tuple[str, ...]) -> int:
        return arguments.index(name) if name else -1

    def place(where: SlotRule | None, arguments: tuple[str, ...]) -> tuple[int, ...]:
        if where is None:
            return (-1, 0, -1, 0, -1, 0, -1)
        keys = [(index(name, arguments), stride) for name, stride in where.keys] + [(-1, 0)] * 2
        start = -1
        if where.map:
            start = len(maps)
            maps.extend(where.map)
        return (where.base, where.size, *keys[0], *keys[1], start)

    for number, (name, arguments) in functions.items():
        row = row_of.get(name)
        if row is None or not _fits(row, arguments):
            continue
        rows[number] = (
            c.BEHIND if row.within else c.ENTERED, len(tokens), len(row.emits), len(needs), len(row.needs),
            index(row.vertices, arguments), index(row.stride, arguments), index(row.indices, arguments),
            index(row.zero, arguments), row.draws, row.flushes,
            bool(row.emits or row.draw) and not row.of_viewport, row.counts, row.verdict, len(draws) if row.draw else -1,
            len(blits) if row.blit else -1, row.older,
        )  # fmt: skip
        if row.draw:
            draws.append(tuple(index(getattr(row.draw, name), arguments) for name in c.DRAW.names or ()))
        if row.blit:
            blits.append((row.blit.kind, *(index(getattr(row.blit, name), arguments) for name in (c.BLIT.names or ())[1:])))
        needs += [place(where, arguments) for where in row.needs]
        for emit in row.emits:
            tokens.append((emit.op, emit.keys, emit.merge, len(fields), len(emit.fields), *place(emit.at, arguments)))
            fields += [(f.kind, index(f.arg, arguments), int(np.uint32(f.a).view(np.int32)), f.b) for f in emit.fields]
    return Tables(
        rows, np.array(tokens, c.TOKEN), np.array(fields, c.FIELD), np.array(needs, c.NEED), np.array(maps or [0], np.int32),
        np.array(draws, c.DRAW), np.array(blits, c.BLIT),
    )  # fmt: skip


def _fits(row: Row, arguments: tuple[str, ...]) -> bool:
    """Whether the declared arguments are those that the row speaks of; a trace may name them otherwise."""
    names = {f.arg for emit in row.emits for f in emit.fields} | {row.vertices, row.stride, row.indices, row.zero}
    names |= set(vars(row.draw).values()) if row.draw else set()
    names |= set(vars(row.blit).values()) - {row.blit.kind} if row.blit else set()
    places = [*row.needs, *(emit.at for emit in row.emits if emit.at)]
    names |= {key for where in places for key, _ in where.keys}
    return names - {""} <= set(arguments)
