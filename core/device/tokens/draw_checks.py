"""Rules that need the contents of buffers: checked while drawing, if the device is asked to (`Device.checks`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.vertex.assemble import reference_count
from core.pipeline.vertex.input_registers import input_registers
from core.spec import slots

POSITION = 0  # the input register

if TYPE_CHECKING:
    from core.device.device import Device
    from core.pipeline.geometry import Geometry
    from core.pipeline.vertex.fetch import VertexLayout


def watch_streams(device: Device, seq: int, offset: int, layout: VertexLayout, bound: bool) -> None:
    """What the vertex layout reads against what is bound; `bound`: the draw reads the bound streams."""
    vector, handle = device.registers.vector, int(device.registers.vector[slots.VERTEX_SHADER])
    if not bound:
        return
    streams = vector[slots.STREAM : slots.STREAM + 3 * slots.STREAMS].reshape(-1, 3)
    read = [i for i in layout.streams if i == 0 or not streams[0, 2]]
    if ignored := sorted(set(layout.streams) - set(read)):
        device.find("user-memory-only", seq, f"streams {ignored} are ignored while stream 0 is user memory", offset)
    for i in read:
        if not streams[i, 0] and not streams[i, 2]:
            device.find("unbound-stream", seq, f"stream {i} is read but not bound", offset)
    buffer = device.memory.buffers.get(int(streams[0, 0]))
    format = int(buffer.facts.get("fvf") or 0) if buffer is not None else 0
    if format and handle and not handle & 1 and format != handle:
        device.find("format-conflict", seq, f"the buffer's format is {format:#x}, the current one {handle:#x}", offset)


def watch_indices(device: Device, seq: int, offset: int, draw: Any) -> None:
    """Indices against MinIndex and NumVertices; `draw`: the fields of a DRAWINDEXEDPRIMITIVE or DRAWINDEXEDPRIMITIVE2."""
    kind, least, vertices = draw.type, draw.min_index, draw.vertex_count
    handle, stride = device.registers.vector[slots.INDICES : slots.INDICES + 2].tolist()
    buffer = device.memory.buffers.get(handle)
    if buffer is None or stride not in (2, 4) or not 1 <= kind <= 6 or not vertices:
        return
    first = draw.start_offset if hasattr(draw, "start_offset") else draw.start * stride  # StartIndexOffset counts bytes
    used = buffer.contents[first : first + reference_count(kind, draw.count) * stride]
    if len(used) < stride:
        return
    indices = used[: len(used) // stride * stride].view(f"<u{stride}")
    low, high = int(indices.min()), int(indices.max())
    if low < least or high >= least + vertices:
        device.find("index-window", seq, f"indices {low}..{high}, announced range {least}..{least + vertices - 1}", offset)


def watch_positions(
    device: Device, seq: int, offset: int, geometry: Geometry, layout: VertexLayout, draw: dict[str, Any]
) -> None:  # fmt: skip
    """Transformed vertices beyond the depth range or the guard band of a driver that does not clip them.

    They are read as they lie in the stream: what the vertex half hands on has been clipped to our own guard band.
    """
    limits, numbers = device.clip_limits, geometry.numbers
    if limits is None or layout.kind != VertexKind.TRANSFORMED or not len(numbers):
        return
    inputs, _ = input_registers(device.registers.vector, layout, draw["streams"], numbers, draw.get("stream_offset", 0))
    x, y, z = (inputs[:, POSITION, i] for i in range(3))
    left, top, right, bottom = limits
    deep = (z < 0) | (z > 1)
    outside = deep | (x < left) | (x > right) | (y < top) | (y > bottom)
    if outside.any():
        n = int(np.argmax(outside))
        where = "beyond the depth range" if deep[n] else "beyond the guard band"
        device.find("unclipped", seq, f"vertex {numbers[n]}, at {x[n]:g}, {y[n]:g}, is {where}", offset)
