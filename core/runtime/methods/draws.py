"""Software vertex processing: the pipeline's vertex half in place of a driver that has none, or whose own is not used.

The same kernels as the device's transform, light and clip; what they make goes to the driver as transformed vertices in user
memory.  A draw of which nothing is clipped keeps its shape (DRAWPRIMITIVE2, DRAWINDEXEDPRIMITIVE2); else runs of whole
triangles and lines become lists, and clipped triangles CLIPPEDTRIANGLEFANs.  Drivers of DirectX 7 get the tokens of DirectX 7.
What only vertex processing needs is kept here and not sent (`core.runtime.software.sieve`).  Each texture stage has its own
coordinates in the vertices, so the driver's TEXCOORDINDEX stays the stage's number.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.methods.managed import upload_bound
from core.runtime.methods.old_draws import draw_in_order, draw_indexed
from core.runtime.objects import Resource
from core.runtime.rows import layout as c
from core.runtime.software.process_vertices import geometry_of, vertex_half
from core.spec.caps import FvfCaps
from core.spec.enums import FillMode, Fvf, PrimitiveType, ShadeMode
from core.spec.slots import BASE, STAGE_STATES, STREAMS, TEXTURE_STAGES
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.pipeline.geometry import Geometry
    from core.runtime.context import Context
    from core.runtime.runtime import Runtime

INDEX16 = 101
SHADE_MODE, POINT_SCALE, POINT_SIZE, FILL_MODE = (
    BASE["render_state"] + RENDER_STATE_ID[name] for name in ("SHADEMODE", "POINTSCALEENABLE", "POINTSIZE", "FILLMODE")
)
WRAP0, COORDINDEX = BASE["render_state"] + RENDER_STATE_ID["WRAP0"], TEXTURE_STAGE_STATE_ID["TEXCOORDINDEX"]
TRIANGLE, LINE = 0, 1
LISTS = {TRIANGLE: PrimitiveType.TRIANGLELIST, LINE: PrimitiveType.LINELIST}
CORNERS = {TRIANGLE: 3, LINE: 2}
MOST_VERTICES = 0xFFFF  # that indices of 16 bits can name


@dataclass(frozen=True, slots=True)
class Request:
    """A draw of the program: what the vertex half is asked for, besides the registers."""

    kind: int
    count: int
    start: int
    streams: list[np.ndarray | None]
    stride: int = 0  # of stream 0, when its vertices are in the program's memory
    index_form: int = 0
    indices: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    index_offset: int = 0


# ---- the API's draws --------------------------------------------------------------------------


def draw_primitive(rt: Runtime, context: Context, kind: int, start: int, count: int) -> None:
    """DrawPrimitive."""
    draw(rt, context, Request(kind, count, start, _streams(rt, context)))


def draw_indexed_primitive(
    rt: Runtime, context: Context, kind: int, least: int, vertices: int, first: int, count: int
) -> None:  # fmt: skip
    """DrawIndexedPrimitive."""
    from core.runtime.rows.table import BASE_VERTEX

    handle, stride = context.registers[BASE["indices"] : BASE["indices"] + 2].tolist()
    held = _contents(rt, handle)
    if held is None:
        return
    base = int(context.registers[BASE_VERTEX : BASE_VERTEX + 1].view(np.int32)[0])
    form = 4 if stride == 4 else 2
    draw(rt, context, Request(kind, count, base, _streams(rt, context), 0, form, held, first * stride))


def draw_primitive_up(rt: Runtime, context: Context, kind: int, count: int, vertices: Any, stride: int) -> None:
    """DrawPrimitiveUP."""
    if vertices is not None:
        draw(rt, context, Request(kind, count, 0, [_bytes(vertices)], stride))
    context.registers[BASE["stream"] : BASE["stream"] + 3] = 0


def draw_indexed_primitive_up(
    rt: Runtime, context: Context, kind: int, least: int, number: int, count: int, indices: Any, form: int, vertices: Any,
    stride: int,
) -> None:  # fmt: skip
    """DrawIndexedPrimitiveUP."""
    if vertices is not None and indices is not None:
        request = Request(kind, count, 0, [_bytes(vertices)], stride, 2 if form == INDEX16 else 4, _bytes(indices))
        draw(rt, context, request)
    context.registers[BASE["stream"] : BASE["stream"] + 3] = 0
    context.registers[BASE["indices"] : BASE["indices"] + 2] = 0


def _bytes(blob: Any) -> np.ndarray:
    return np.frombuffer(blob, np.uint8).copy()


def _contents(rt: Runtime, handle: int) -> np.ndarray | None:
    resource = rt.buffers.get(handle)
    return resource.contents if isinstance(resource, Resource) else None


def _streams(rt: Runtime, context: Context) -> list[np.ndarray | None]:
    handles = context.registers[BASE["stream"] :][: 3 * STREAMS : 3].tolist()
    return [_contents(rt, handle) if handle else None for handle in handles]


# ---- from a draw to tokens ----------------------------------------------------------------------


def draw(rt: Runtime, context: Context, request: Request) -> None:
    """One draw, as transformed vertices."""
    if rt.commands.state[c.DIRTY]:
        upload_bound(rt)
    if request.count <= 0:
        return
    half = vertex_half(context)
    if half is None:
        rt.reject("the draw has no vertex format or shader")
        return
    points = request.kind == PrimitiveType.POINTLIST
    half.vector[FILL_MODE] = (
        FillMode.POINT if points else FillMode.SOLID
    )  # a strip of lines stands for points: with their sizes
    if request.stride:
        half.vector[BASE["stream"] : BASE["stream"] + 2] = (0, request.stride)
    geometry = geometry_of(context)
    kind, count = (PrimitiveType.LINESTRIP, max(request.count - 1, 1)) if points else (request.kind, request.count)
    made = geometry.process(
        half.vector, half.layout, streams=request.streams, kind=kind, count=count, program=half.program,
        light_slots=half.lights, start=request.start, index_form=request.index_form, index_memory=request.indices,
        index_offset=request.index_offset,
    )  # fmt: skip
    format = _format(rt, context, points)
    _send_wraps(rt, context)
    if points:
        _points(rt, context, geometry, format, request.count)
    elif _is_whole(geometry, made[1], count):
        _as_it_was(rt, context, geometry, format, request)
    else:
        _in_pieces(rt, context, geometry, format, made)


def _is_whole(geometry: Geometry, primitives: int, count: int) -> bool:
    """Whether every primitive came out as it went in."""
    drawn = geometry.primitives[:primitives]
    return primitives == count and bool((drawn["vertex"] < len(geometry.numbers)).all())


def _as_it_was(rt: Runtime, context: Context, geometry: Geometry, format: int, request: Request) -> None:
    """The draw in its own shape: all its vertices, and its order of them when it has indices."""
    vertices = _packed(geometry.vertices[: len(geometry.numbers)], format)
    references = geometry.references
    if not request.index_form and np.array_equal(references, np.arange(len(references))):
        _emit_draw(rt, context, format, request.kind, request.count, vertices)
    else:
        _emit_indexed(rt, context, format, request.kind, request.count, vertices, references)


def _points(rt: Runtime, context: Context, geometry: Geometry, format: int, count: int) -> None:
    """Points whose centre lies in the depth range; the driver clips them to the viewport."""
    from core.pipeline.records.primitives import PrimitiveFate

    unseen = (
        1 << PrimitiveFate.NEAR - 1
        | 1 << PrimitiveFate.FAR - 1
        | 1 << PrimitiveFate.EYE - 1
        | sum(1 << PrimitiveFate.USER_0 - 1 + i for i in range(6))
    )
    wanted = geometry.references[:count]
    wanted = wanted[geometry.codes[wanted] & unseen == 0]
    if len(wanted):
        _emit_draw(rt, context, format, PrimitiveType.POINTLIST, len(wanted), _packed(geometry.vertices[wanted], format))


def _in_pieces(rt: Runtime, context: Context, geometry: Geometry, format: int, made: tuple[int, int]) -> None:
    """Runs of whole primitives as indexed lists, clipped triangles as fans, in order."""
    vertices, listed = geometry.vertices[: made[0]], len(geometry.numbers)
    packed = _packed(vertices, format)
    drawn = geometry.primitives[: made[1]]
    flat = int(context.registers[SHADE_MODE]) == ShadeMode.FLAT
    for kind, run in _runs(drawn, listed):
        if kind == LINE or (run["vertex"] < listed).all():
            _emit_list(rt, context, format, kind, packed, _from_provoking(run, kind))
        else:
            _emit_fan(rt, context, format, packed, run, flat)


def _runs(drawn: np.ndarray, listed: int) -> Iterator[tuple[int, np.ndarray]]:
    """(kind, primitives) that go together: whole ones as long as there are, the pieces of a clipped one."""
    pieces = np.bincount(drawn["number"])[drawn["number"]] if len(drawn) else np.zeros(0, np.int64)
    clipped = (drawn["kind"] == TRIANGLE) & ((drawn["vertex"] >= listed).any(axis=1) | (pieces > 1))
    group = np.where(clipped, drawn["number"], -1 - drawn["kind"])
    ends = np.flatnonzero(np.diff(group)) + 1
    for run in np.split(drawn, ends):
        if len(run):
            yield int(run["kind"][0]), run


def _from_provoking(run: np.ndarray, kind: int) -> np.ndarray:
    """Corners [n, 3 or 2], each triangle from its provoking vertex on: a list's first vertex gives the flat colour."""
    corners = run["vertex"][:, : CORNERS[kind]].astype(np.int64)
    if kind == TRIANGLE:
        provoking = (run["flags"] >> 8)[:, None]
        first = np.argmax(corners == provoking, axis=1)
        corners = corners[np.arange(len(corners))[:, None], (first[:, None] + np.arange(3)) % 3]
    return corners


# ---- transformed vertices -------------------------------------------------------------------------


def _format(rt: Runtime, context: Context, points: bool) -> int:
    """The vertex format that carries what the draw's pixels need; coordinates of four floats for each stage in use."""

    stages = context.registers[BASE["texture_stage"] + 1 : BASE["texture_stage"] + 8 * 32 : 32]
    off = np.flatnonzero(stages == 1)
    used = int(off[0]) if len(off) else 8
    most = int(rt.facts.number("FVFCaps", 8)) & FvfCaps.TEXCOORDCOUNTMASK
    used = min(8 if context.registers[BASE["pixel_shader"]] else used, most or 8)
    format = Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.SPECULAR | used << 8
    if points and rt.facts.has("FVFCaps", FvfCaps.PSIZE):
        format |= Fvf.PSIZE
    for i in range(used):
        format |= 2 << (16 + 2 * i)  # D3DFVF_TEXTUREFORMAT4
    return int(format)


def _send_wraps(rt: Runtime, context: Context) -> None:
    """WRAPn is the coordinate set's, and the driver's set n is what stage n reads."""
    first = BASE["texture_stage"] + COORDINDEX
    sets = context.registers[first : first + TEXTURE_STAGES * STAGE_STATES : STAGE_STATES] & 7
    for stage, wrap in enumerate(context.registers[WRAP0 + sets].tolist()):
        if context.sent.wraps[stage] != wrap:
            context.sent.wraps[stage] = wrap
            rt.emit_own(Op.RENDERSTATE, struct.pack("<2I", RENDER_STATE_ID["WRAP0"] + stage, wrap))


def _packed(vertices: np.ndarray, format: int) -> np.ndarray:
    """Vertices of the pipeline (records.primitives.VertexField) in a transformed format; fog is specular alpha."""
    from core.pipeline.records.primitives import VertexField
    from core.runtime.software.process_vertices import one_nan, output_format, packed_color

    kind = output_format(format)
    vertices = one_nan(vertices)
    out = np.zeros(len(vertices), kind)
    out["position"] = vertices[:, 0:4]
    if "psize" in (kind.names or ()):
        out["psize"] = vertices[:, VertexField.POINT_SIZE]
    specular = vertices[:, VertexField.SPECULAR : VertexField.SPECULAR + 4].copy()
    specular[:, 3] = vertices[:, VertexField.FOG]
    for name, color in (("diffuse", vertices[:, VertexField.DIFFUSE : VertexField.DIFFUSE + 4]), ("specular", specular)):
        out[name] = packed_color(color)
    for i in range(format >> 8 & 15):
        out[f"t{i}"] = vertices[:, VertexField.TEXCOORD + 4 * i : VertexField.TEXCOORD + 4 * i + 4]
    return out


# ---- tokens ---------------------------------------------------------------------------------------


def _emit_list(rt: Runtime, context: Context, format: int, kind: int, packed: np.ndarray, corners: np.ndarray) -> None:
    """A list of triangles or lines: the vertices that it names, once each."""
    each = MOST_VERTICES // CORNERS[kind]
    for begin in range(0, len(corners), each):
        part = corners[begin : begin + each]
        named, order = np.unique(part, return_inverse=True)
        _emit_indexed(rt, context, format, LISTS[kind], len(part), packed[named], order.reshape(-1))


def _place(rt: Runtime, context: Context, format: int, vertices: np.ndarray, indices: int = 0) -> int:
    """The same of an array of vertices."""
    return place(rt, context, format, vertices.view(np.uint8).reshape(-1), vertices.itemsize, indices)


def place(rt: Runtime, context: Context, format: int, data: np.ndarray, stride: int, indices: int = 0) -> int:
    """Puts vertices (uint8) into the call's user memory, with their format and stream told; their byte offset."""
    commands, numbers = rt.commands, rt.commands.numbers
    told = context.sent.format == format and context.sent.stride == stride
    if not told and context.is_legacy:
        rt.flush()  # the call has one vertex type
    begin = -(-numbers[c.USER] // stride) * stride
    too_far = context.is_legacy and (begin + len(data)) // stride > MOST_VERTICES
    if too_far or begin + len(data) > len(commands.user) or numbers[c.INDEX] + indices > len(commands.indices):
        rt.flush()
        begin = 0
        commands.grow_user(len(data), False)
        if indices:
            commands.grow_user(indices, True)
            rt.fit_index_buffer()
    commands.user[begin : begin + len(data)] = data
    numbers[c.USER] = begin + len(data)
    if not told:
        context.sent.tell(format, stride, context.sent.buffer)
        if not context.is_legacy:
            rt.emit_own(Op.SETVERTEXSHADER, struct.pack("<I", format))
            rt.emit_own(Op.SETSTREAMSOURCEUM, struct.pack("<2I", 0, stride))
    return begin


def _emit_draw(rt: Runtime, context: Context, format: int, kind: int, count: int, vertices: np.ndarray) -> None:
    """Vertices in order."""
    begin = _place(rt, context, format, vertices)
    if context.is_legacy:
        draw_in_order(rt, kind, count, begin // vertices.itemsize)
    else:
        rt.emit_own(Op.DRAWPRIMITIVE2, struct.pack("<3I", kind, begin, count))


def _emit_indexed(
    rt: Runtime, context: Context, format: int, kind: int, count: int, vertices: np.ndarray, order: np.ndarray
) -> None:  # fmt: skip
    """Vertices by indices."""
    if len(vertices) > MOST_VERTICES:
        _emit_draw(rt, context, format, kind, count, vertices[order])
        return
    indices = order.astype("<u2")
    if context.is_legacy:
        begin = _place(rt, context, format, vertices)
        draw_indexed(rt, kind, count, begin // vertices.itemsize, indices)
        return
    begin = _place(rt, context, format, vertices, indices.nbytes)
    commands = rt.commands
    first = int(commands.state[c.INDEX])
    commands.indices[first : first + indices.nbytes] = indices.view(np.uint8)
    commands.state[c.INDEX] = first + (indices.nbytes + 3 & ~3)
    if not context.sent.indices:
        context.sent.indices = True
        rt.emit_own(Op.SETINDICES, struct.pack("<2I", context.up_indices, 2))
    rt.emit_own(Op.DRAWINDEXEDPRIMITIVE2, struct.pack("<IiIIII", kind, begin, 0, len(vertices), first, count))


def _emit_fan(rt: Runtime, context: Context, format: int, packed: np.ndarray, run: np.ndarray, flat: bool) -> None:
    """The pieces of one clipped triangle, each a fan of its own or one fan if they share their first corner."""
    corners, flags = run["vertex"], run["flags"]
    chained = len(run) == 1 or (
        bool((corners[1:, 0] == corners[0, 0]).all()) and bool((corners[1:, 1] == corners[:-1, 2]).all())
    )  # fmt: skip
    if not chained:
        for n in range(len(run)):
            _emit_fan(rt, context, format, packed, run[n : n + 1], flat)
        return
    polygon = [int(corners[0, 0]), int(corners[0, 1]), *corners[:, 2].tolist()]
    edges = int(flags[0]) & 1
    for i in range(len(run)):
        edges |= (int(flags[i]) >> 1 & 1) << (i + 1)
    edges |= (int(flags[-1]) >> 2 & 1) << (len(run) + 1)
    vertices = packed[polygon].copy()
    if flat:
        vertices["diffuse"] = packed["diffuse"][flags[0] >> 8]
        fog, color = vertices["specular"] & np.uint32(0xFF000000), packed["specular"][flags[0] >> 8] & np.uint32(0xFFFFFF)
        vertices["specular"] = fog | color  # fog is never flat
    if context.is_legacy:
        _place(rt, context, format, vertices[:1])  # the call's vertex type and stride
        body = struct.pack("<I", edges) + vertices.tobytes()
        rt.emit_own(Op.TRIANGLEFAN_IMM, body, len(run))
        return
    begin = _place(rt, context, format, vertices)
    rt.emit_own(Op.CLIPPEDTRIANGLEFAN, struct.pack("<3I", begin, edges, len(run)))


DRAWS: dict[str, Callable[..., None]] = {
    "IDirect3DDevice8::DrawPrimitive": draw_primitive, "IDirect3DDevice8::DrawIndexedPrimitive": draw_indexed_primitive,
    "IDirect3DDevice8::DrawPrimitiveUP": draw_primitive_up,
    "IDirect3DDevice8::DrawIndexedPrimitiveUP": draw_indexed_primitive_up,
}  # fmt: skip
