"""Draw tokens: from a record to the arguments of a draw.

DirectX 8 draws take the bound streams; those of DirectX 6 and 7 the vertices of the call, or vertices within the stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.device.registers.records import fields, header
from core.device.tokens.draw_checks import watch_indices
from core.device.tokens.patches import draw_patch
from core.pipeline.vertex.assemble import IndexForm
from core.pipeline.vertex.fetch import compile_fvf
from core.spec import slots
from core.spec.enums import PrimitiveType
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.device.device import CommandBuffer
    from core.device.lane.drawing import Drawing

_STREAMS = slots.STREAM


def draw_primitive(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """DRAWPRIMITIVE {type, first vertex, primitives}."""
    draw, offset = fields(stream, record), int(record["offset"])
    drawing.draw(stream, seq, offset, draw.type, draw.count, drawing.layout(seq, offset), start=draw.start)


def draw_indexed_primitive(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """DRAWINDEXEDPRIMITIVE {type, base vertex, least index, vertices, first index, primitives}."""
    draw, offset = fields(stream, record), int(record["offset"])
    _draw_indexed(drawing, stream, seq, offset, draw, draw.base, draw.start, 0)


def _draw_indexed(drawing: Drawing, stream: CommandBuffer, seq: int, offset: int, draw: Any, base: int, first: int,
                  stream_offset: int, first_is_bytes: bool = False) -> None:  # fmt: skip
    device = drawing.device
    handle, stride = device.registers.vector[slots.INDICES : slots.INDICES + 2].tolist()
    buffer = device.memory.buffers.get(handle)
    if buffer is None:
        if handle:
            device.find("bad-handle", seq, f"no index buffer {handle}", offset)
        elif device.checks:
            device.find("no-indices", seq, "an indexed draw without an index buffer", offset)
        return  # no index buffer bound: succeeds and draws nothing (semantics section 21)
    if stride not in (2, 4):
        device.find("bad-draw", seq, f"indices of {stride} bytes", offset)
        return
    if device.checks:
        watch_indices(device, seq, offset, draw)
    drawing.draw(
        stream, seq, offset, draw.type, draw.count, drawing.layout(seq, offset), start=base, stream_offset=stream_offset,
        index_form=IndexForm.DWORD if stride == 4 else IndexForm.WORD, index_memory=buffer.contents,
        index_offset=first if first_is_bytes else first * stride,
    )  # fmt: skip


def draw_primitive2(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """DRAWPRIMITIVE2 {type, byte offset in stream 0, primitives}: transformed vertices."""
    draw, offset = fields(stream, record), int(record["offset"])
    layout = drawing.layout(seq, offset)
    drawing.draw(stream, seq, offset, draw.type, draw.count, layout, stream_offset=draw.first_offset)


def draw_indexed_primitive2(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """DRAWINDEXEDPRIMITIVE2 {type, base in bytes, least index, vertices, first index in bytes, primitives}."""
    draw, offset = fields(stream, record), int(record["offset"])
    base, first = draw.base_offset, draw.start_offset
    _draw_indexed(drawing, stream, seq, offset, draw, 0, first, base, first_is_bytes=True)


def clipped_triangle_fan(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """CLIPPEDTRIANGLEFAN {byte offset in stream 0, edge flags, triangles}."""
    fan, offset = fields(stream, record), int(record["offset"])
    layout = drawing.layout(seq, offset)
    drawing.draw(stream, seq, offset, PrimitiveType.TRIANGLEFAN, fan.count, layout, stream_offset=fan.first_offset,
                 edge_flags=fan.edge_flags)  # fmt: skip


# ---- DirectX 6 and 7: vertices of the call, or in the stream --------------------------------------------------------


def _legacy(drawing: Drawing, stream: CommandBuffer, seq: int, offset: int, kind: int, count: int,
            vertices: np.ndarray | None = None, **more: Any) -> None:  # fmt: skip
    """A draw whose vertices have the call's vertex type, one after the other in one memory."""
    device = drawing.device
    if not stream.vertex_type:
        device.find("bad-draw", seq, "the call has no vertex type", offset)
        return
    layout, vector = compile_fvf(stream.vertex_type), device.registers.vector
    held = vector[_STREAMS : _STREAMS + 3].copy()
    vector[_STREAMS + 1] = stream.vertex_stride or layout.size(0)
    memory = stream.user_memory if vertices is None else vertices
    drawing.draw(stream, seq, offset, kind, count, layout, [memory], **more)
    vector[_STREAMS : _STREAMS + 3] = held


def points(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
    """POINTS {count, first}."""
    count, first = fields(stream, record)
    _legacy(drawing, stream, seq, int(record["offset"]), PrimitiveType.POINTLIST, count, start=first)


def consecutive(kind: PrimitiveType) -> Any:
    """LINELIST, LINESTRIP, TRIANGLELIST, TRIANGLESTRIP, TRIANGLEFAN {first}; primitives by the command's count."""

    def operation(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
        first = fields(stream, record).start
        _legacy(drawing, stream, seq, int(record["offset"]), kind, int(record["count"]), start=first)

    return operation


def indexed(kind: PrimitiveType, form: IndexForm = IndexForm.WORD) -> Any:
    """Indices in the stream, after a STARTVERTEX if the token has one."""

    def operation(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
        offset, size = int(record["offset"]), int(record["size"])
        first = getattr(fields(stream, record), "start", 0)
        indices = stream.commands[offset + header(record) : offset + size]
        _legacy(drawing, stream, seq, offset, kind, int(record["count"]), start=first, index_form=form,
                index_memory=np.ascontiguousarray(indices))  # fmt: skip

    return operation


def immediate(kind: PrimitiveType) -> Any:
    """TRIANGLEFAN_IMM {edge flags}, LINELIST_IMM: vertices in the stream, from the next multiple of four."""

    def operation(drawing: Drawing, stream: CommandBuffer, record: Any, seq: int) -> None:
        offset, size = int(record["offset"]), int(record["size"])
        edges = getattr(fields(stream, record), "edge_flags", -1)
        begin = offset + header(record)
        vertices = stream.commands[begin + (-begin & 3) : offset + size].copy()
        _legacy(drawing, stream, seq, offset, kind, int(record["count"]), vertices, edge_flags=edges)

    return operation


DRAW_OPERATIONS: dict[int, Any] = {
    Op["POINTS"]: points,
    Op["LINELIST"]: consecutive(PrimitiveType.LINELIST),
    Op["LINESTRIP"]: consecutive(PrimitiveType.LINESTRIP),
    Op["TRIANGLELIST"]: consecutive(PrimitiveType.TRIANGLELIST),
    Op["TRIANGLESTRIP"]: consecutive(PrimitiveType.TRIANGLESTRIP),
    Op["TRIANGLEFAN"]: consecutive(PrimitiveType.TRIANGLEFAN),
    Op["INDEXEDLINELIST"]: indexed(PrimitiveType.LINELIST),
    Op["INDEXEDLINELIST2"]: indexed(PrimitiveType.LINELIST),
    Op["INDEXEDLINESTRIP"]: indexed(PrimitiveType.LINESTRIP),
    Op["INDEXEDTRIANGLELIST"]: indexed(PrimitiveType.TRIANGLELIST, IndexForm.FLAGGED),
    Op["INDEXEDTRIANGLELIST2"]: indexed(PrimitiveType.TRIANGLELIST),
    Op["INDEXEDTRIANGLESTRIP"]: indexed(PrimitiveType.TRIANGLESTRIP),
    Op["INDEXEDTRIANGLEFAN"]: indexed(PrimitiveType.TRIANGLEFAN),
    Op["TRIANGLEFAN_IMM"]: immediate(PrimitiveType.TRIANGLEFAN),
    Op["LINELIST_IMM"]: immediate(PrimitiveType.LINELIST),
    Op["DRAWPRIMITIVE"]: draw_primitive,
    Op["DRAWINDEXEDPRIMITIVE"]: draw_indexed_primitive,
    Op["DRAWPRIMITIVE2"]: draw_primitive2,
    Op["DRAWINDEXEDPRIMITIVE2"]: draw_indexed_primitive2,
    Op["CLIPPEDTRIANGLEFAN"]: clipped_triangle_fan,
    Op["DRAWRECTPATCH"]: draw_patch,
    Op["DRAWTRIPATCH"]: draw_patch,
}
