"""Vertex buffers of Direct3D 7: Lock, ProcessVertices, Optimize."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.runtime.context import Context
from core.runtime.directdraw.draws import MOST, buffer_of, interleaved, stride_of
from core.runtime.methods import locks
from core.runtime.methods.buffers import create_buffer
from core.runtime.objects import Lock, Resource
from core.runtime.rows.layout import VERTEX_BUFFER_KEY
from core.runtime.software.process_vertices import COORDINATE_TRANSFORM, COORDINDEX, KEPT_BYTES, LIGHTING, process_vertices
from core.spec.enums import Pool, Usage
from core.spec.slots import BASE, STAGE_STATES, TEXTURE_STAGES

if TYPE_CHECKING:
    from core.runtime.runtime import Runtime

SYSTEM_MEMORY, WRITE_ONLY = 0x800, 0x10000  # D3DVBCAPS_*
LIGHT = 0x400  # D3DVOP_LIGHT


def create_vertex_buffer(rt: Runtime, this: int, desc: Any, out: Any, *more: Any) -> None:
    """CreateVertexBuffer: so many vertices of a format."""
    if not desc or not out or not out[0]:
        return
    _, caps, format, count = (int(number) for number in desc[0][:4])
    size = stride_of(format) * count
    if not 0 < count <= MOST or not size:
        rt.reject(f"a buffer of {count} vertices of format {format:#x}")
        return
    pool = Pool.SYSTEMMEM if caps & SYSTEM_MEMORY else Pool.DEFAULT
    usage = int(Usage.WRITEONLY) if caps & WRITE_ONLY else 0
    buffer = Resource("vertex", rt.new_handle(), 0, size, pool=pool, usage=usage, pointer=out[0], fvf=format)
    if size <= KEPT_BYTES:
        buffer.contents = np.zeros(size, np.uint8)
    create_buffer(rt, buffer.handle, size, "vertex", usage, format, 0, pool)
    rt.buffers[buffer.handle] = buffer
    rt.name(out[0], buffer, buffer.handle)
    if 0 <= format <= 0xFFFFFFFF:
        rt.bind(buffer, format | count << 32, int(VERTEX_BUFFER_KEY))


def lock(rt: Runtime, this: int, flags: int, out: Any, size: Any) -> Lock | None:
    """Lock: always the whole buffer."""
    held = locks.lock_buffer(rt, this, 0, 0, out, flags)
    if held is not None and held.address:
        rt.locks[held.address] = held  # the recorder copies what is only read, too
    return held


def process(
    rt: Runtime, this: int, operation: int, to: int, count: int, source: int, start: int, device: int, flags: int
) -> None:  # fmt: skip
    """ProcessVertices: transformed (and lit) vertices of another buffer."""
    given = buffer_of(rt, source)
    if given is not None:
        _process(rt, this, operation, to, count, given, start, device, flags)


def process_strided(
    rt: Runtime, this: int, operation: int, to: int, count: int, data: Any, format: int, device: int, flags: int
) -> None:  # fmt: skip
    """ProcessVerticesStrided: the same of vertices in the program's memory."""
    held = np.frombuffer(interleaved(rt, format, data, count), np.uint8)
    _process(rt, this, operation, to, count, Resource("vertex", 0, 0, len(held), fvf=format, contents=held), 0, device, flags)


def _process(
    rt: Runtime, this: int, operation: int, to: int, count: int, given: Resource, start: int, device: int, flags: int
) -> None:  # fmt: skip
    """The operation says whether there is light, whatever LIGHTING; coordinates are neither made nor transformed (Wine)."""
    context = rt.objects.get(device)
    if not isinstance(context, Context) or not 0 < count <= MOST:
        rt.reject(f"ProcessVertices of {count} vertices at device {device:#x}")
        return
    rt.select(context)
    registers, kept = context.registers, context.registers.copy()
    stages = registers[BASE["texture_stage"] : BASE["texture_stage"] + TEXTURE_STAGES * STAGE_STATES].reshape(-1, STAGE_STATES)
    stages[:, COORDINDEX], stages[:, COORDINATE_TRANSFORM] = np.arange(TEXTURE_STAGES), 0
    registers[BASE["render_state"] + LIGHTING] = int(bool(operation & LIGHT))
    registers[BASE["vertex_shader"]] = given.fvf
    try:
        process_vertices(rt, device, start, to, count, this, flags, [given.contents], stride_of(given.fvf))
    finally:
        registers[:] = kept
