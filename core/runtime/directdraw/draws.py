"""Draws of IDirect3DDevice7 as DirectX 7 tokens: vertices in memory or in a vertex buffer, indices in the token.

A DrawPrimitives2 has one vertex type and one source of vertices: a draw with another sends what was gathered first.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.methods import draws
from core.runtime.methods.draws import Request
from core.runtime.objects import Resource, resource_of
from core.runtime.rows import layout as c
from core.runtime.rows.old_draws import MOST
from core.runtime.rows.table7 import CORNERS, LEGACY
from core.spec.enums import Fvf, PrimitiveType
from core.spec.slots import BASE
from core.spec.tokens import Op

if TYPE_CHECKING:
    from core.runtime.context import Context
    from core.runtime.runtime import Runtime

POSITION = {2: 12, 4: 16, 6: 16, 8: 20, 10: 24, 12: 28, 14: 32}
COORDINATES = (8, 12, 16, 4)  # bytes of a set by its two bits in the format
RESERVED1 = 0x20


@lru_cache(1024)
def parts_of(format: int) -> list[tuple[str, int]]:
    """(component, bytes) of a vertex in order; empty for a format that has no position."""
    position = POSITION.get(format & Fvf.POSITION_MASK, 0)
    if not position:
        return []
    found = [("position", position)]
    for name, bit, size in (("normal", Fvf.NORMAL, 12), ("reserved", RESERVED1, 4), ("diffuse", Fvf.DIFFUSE, 4),
                            ("specular", Fvf.SPECULAR, 4)):  # fmt: skip
        if format & bit:
            found.append((name, size))
    sets = min((format & Fvf.TEXCOUNT_MASK) >> 8, 8)
    return found + [(f"t{i}", COORDINATES[format >> (16 + 2 * i) & 3]) for i in range(sets)]


@lru_cache(1024)
def stride_of(format: int) -> int:
    """Bytes of a vertex; 0 for a format that has no position."""
    return sum(size for _, size in parts_of(format))


def primitives_of(kind: int, count: int) -> int:
    """Primitives of so many vertices or indices; 0 also for a type that there is not."""
    each, more = CORNERS.get(kind, (1, count))  # type: ignore[call-overload]
    return max((count - more) // each, 0)


# ---- the API's draws ---------------------------------------------------------------------------


def draw_primitive(rt: Runtime, this: int, kind: int, format: int, vertices: Any, count: int, flags: int) -> None:
    """DrawPrimitive."""
    _user(rt, this, kind, format, vertices, count, None)


def draw_indexed_primitive(
    rt: Runtime, this: int, kind: int, format: int, vertices: Any, count: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """DrawIndexedPrimitive: counts of vertices and of indices."""
    _user(rt, this, kind, format, vertices, count, _indices(rt, indices, index_count))


def draw_primitive_strided(rt: Runtime, this: int, kind: int, format: int, data: Any, count: int, flags: int) -> None:
    """DrawPrimitiveStrided: each component from memory of its own."""
    _user(rt, this, kind, format, interleaved(rt, format, data, count), count, None)


def draw_indexed_primitive_strided(
    rt: Runtime, this: int, kind: int, format: int, data: Any, count: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """DrawIndexedPrimitiveStrided."""
    vertices = interleaved(rt, format, data, count)
    _user(rt, this, kind, format, vertices, count, _indices(rt, indices, index_count))


def draw_primitive_vb(rt: Runtime, this: int, kind: int, buffer: int, start: int, count: int, flags: int) -> None:
    """DrawPrimitiveVB."""
    _buffer(rt, this, kind, buffer, start, count, None)


def draw_indexed_primitive_vb(
    rt: Runtime, this: int, kind: int, buffer: int, start: int, count: int, indices: Any, index_count: int, flags: int
) -> None:  # fmt: skip
    """DrawIndexedPrimitiveVB: indices count from the first vertex."""
    _buffer(rt, this, kind, buffer, start, count, _indices(rt, indices, index_count))


def _indices(rt: Runtime, given: Any, count: int) -> np.ndarray:
    """The WORDs of a draw; fewer, with a finding, where the trace has fewer."""
    held = np.frombuffer(given, "<u2", len(given) // 2) if isinstance(given, (bytes, memoryview)) else np.zeros(0, "<u2")
    if len(held) < count:
        rt.note("not-recorded", f"{len(held)} of {count} indices are in the trace")
    return held[:count]


def interleaved(rt: Runtime, format: int, data: Any, count: int) -> bytes:
    """The vertices of D3DDRAWPRIMITIVESTRIDEDDATA in the format's own order; what is missing is 0, with a finding."""
    parts = parts_of(format)
    count = min(max(count, 0), MOST)
    out, at, given = np.zeros((count, stride_of(format)), np.uint8), 0, data[0] if data else None
    for name, size in parts:
        component = _component(given, name)
        if component is not None:
            out[:, at : at + size] = _column(rt, name, *component, size, count)
        at += size
    return out.tobytes()


def _component(given: Any, name: str) -> tuple[Any, int] | None:
    """(memory, stride) of one component."""
    if given is None or name == "reserved":
        return None
    held = given.textureCoords[int(name[1:])] if name[0] == "t" else getattr(given, name)
    return held[0], int(held[1])


def _column(rt: Runtime, name: str, memory: Any, stride: int, size: int, count: int) -> np.ndarray:
    """uint8[count, size] of a component."""
    blob = np.frombuffer(memory, np.uint8) if isinstance(memory, (bytes, memoryview)) else np.zeros(0, np.uint8)
    least = max(stride, 0) * (count - 1) + size
    if len(blob) < least:
        rt.note("not-recorded", f"{name} of {count} vertices at a stride of {stride}: {len(blob)} bytes are in the trace")
        blob = np.concatenate([blob, np.zeros(least - len(blob), np.uint8)])
    places = np.arange(count, dtype=np.int64)[:, None] * max(stride, 0) + np.arange(size)
    return blob[places]


# ---- tokens ------------------------------------------------------------------------------------


def _checked(rt: Runtime, kind: int, format: int, count: int, indices: np.ndarray | None) -> int:
    """How many primitives a draw has; 0, with a finding, if it cannot be done."""
    number = count if indices is None else len(indices)
    if kind not in CORNERS or not parts_of(format):
        rt.reject(f"primitive type {kind}, vertex format {format:#x}")
        return 0
    if not 0 <= count <= MOST or number > 3 * MOST or primitives_of(kind, number) > MOST:
        rt.reject(f"a draw of {count} vertices and {number} indices")
        return 0
    return primitives_of(kind, number)


def _user(rt: Runtime, this: int, kind: int, format: int, vertices: Any, count: int, indices: np.ndarray | None) -> None:
    """A draw of vertices in the program's memory."""
    context, primitives = rt.device(this), _checked(rt, kind, format, count, indices)
    if context is None or not primitives:
        return
    stride = stride_of(format)
    data = np.frombuffer(vertices, np.uint8)[: count * stride] if isinstance(vertices, (bytes, memoryview)) else None
    if data is None or len(data) < count * stride:
        rt.note("not-recorded", f"{0 if data is None else len(data)} of {count * stride} bytes of vertices are in the trace")
        return
    if context.is_software:
        _in_software(rt, context, kind, format, primitives, data, 0, indices)
        return
    before_draw(rt, indices)
    if context.sent.buffer:
        rt.flush()
    first = draws.place(rt, context, format, data, stride) // stride
    _token(rt, kind, primitives, first, indices)


def _buffer(rt: Runtime, this: int, kind: int, pointer: int, start: int, count: int, indices: np.ndarray | None) -> None:
    """A draw from a vertex buffer."""
    context, buffer = rt.device(this), resource_of(rt, pointer)
    if context is None or buffer is None:
        return
    primitives, stride = _checked(rt, kind, buffer.fvf, count, indices), stride_of(buffer.fvf)
    if not primitives:
        return
    if start < 0 or (start + count) * stride > buffer.width or start > MOST:
        rt.reject(f"vertices {start} to {start + count} of a buffer of {buffer.width // stride}")
        return
    if context.is_software:
        if buffer.contents is not None:
            _in_software(rt, context, kind, buffer.fvf, primitives, buffer.contents, start, indices)
        return
    before_draw(rt, indices)
    sent = context.sent
    if rt.commands.numbers[c.USER] or sent.buffer not in (0, buffer.handle):
        rt.flush()
    sent.tell(buffer.fvf, stride, buffer.handle)
    _token(rt, kind, primitives, start, indices)


def before_draw(rt: Runtime, indices: np.ndarray | None) -> None:
    """Room for the token: what is sent between vertices and their token takes the vertices along."""
    rt.room_for(64 if indices is None else 64 + 2 * len(indices))


def _token(rt: Runtime, kind: int, primitives: int, first: int, indices: np.ndarray | None) -> None:
    """A draw of the vertices from `first` on, or of those that indices name, counted from there."""
    if kind == PrimitiveType.POINTLIST:
        if indices is None:
            rt.emit_own(Op.POINTS, struct.pack("<2H", primitives, first))
        else:
            rt.reject("points have no indices")
        return
    plain, indexed = LEGACY[kind]  # type: ignore[index]
    if indices is None:
        rt.emit_own(plain, struct.pack("<H", first), primitives)
        return
    each, more = CORNERS[kind]  # type: ignore[index]
    used = indices[: each * primitives + more]
    rt.emit_own(indexed, struct.pack("<H", first) + used.tobytes(), primitives)


def _in_software(
    rt: Runtime, context: Context, kind: int, format: int, count: int, data: np.ndarray, start: int, indices: np.ndarray | None
) -> None:  # fmt: skip
    """The draw for a driver without vertex processing."""
    context.registers[BASE["vertex_shader"]] = format
    words = np.zeros(0, np.uint8) if indices is None else np.ascontiguousarray(indices).view(np.uint8)
    form = 0 if indices is None else 2
    draws.draw(rt, context, Request(kind, count, start, [data.copy()], stride_of(format), form, words))


def buffer_of(rt: Runtime, pointer: int) -> Resource | None:
    """The vertex buffer at an address."""
    found = resource_of(rt, pointer)
    return found if found is not None and found.kind == "vertex" else None
