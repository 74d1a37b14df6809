"""A draw's inputs in memory: each stream with its declared types and bytes, and the index buffer.

Where the grids of vertices show what fetching makes of streams, this shows what is there: stream by stream, with bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.device.lane.drawing import DrawArguments
from core.errors import BadInput
from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.explain.vertex_grid import NAMES
from core.pipeline.vertex.assemble import IndexForm
from core.pipeline.vertex.fetch import ElementType
from core.spec.enums import PrimitiveType
from core.spec.slots import slot
from inspector.progress import Cancel
from inspector.query.draws.vertices import described

if TYPE_CHECKING:
    from inspector.capture import Capture

STORED = {
    "FLOAT1": "<f4", "FLOAT2": "(2,)<f4", "FLOAT3": "(3,)<f4", "FLOAT4": "(4,)<f4", "D3DCOLOR": "<u4", "UBYTE4": "(4,)u1",
    "SHORT2": "(2,)<i2", "SHORT4": "(4,)<i2",
}  # fmt: skip
"""How each declared type lies in memory."""


@dataclass(frozen=True, slots=True)
class Element:
    """One declared element: `register` of the vertex, `name` (v3, or what it means to the fixed function), `type` (D3DVSDT),
    `offset` in bytes from the start of a vertex."""

    register: int
    name: str
    type: str
    offset: int
    size: int


@dataclass(frozen=True, eq=False)
class StreamBytes:
    """One stream of a draw.  `buffer`: a handle, 0: memory of the call or of the token; `data` uint8: all of it; vertices
    begin at byte `offset` and are `stride` bytes apart (0: the same one for all)."""

    number: int
    buffer: int
    offset: int
    stride: int
    data: np.ndarray
    elements: tuple[Element, ...]

    @property
    def count(self) -> int:
        """How many vertices lie in it whole."""
        room = len(self.data) - self.offset - self.extent
        return 0 if room < 0 else 1 + room // self.stride if self.stride else 1

    @property
    def extent(self) -> int:
        """Bytes from the start of a vertex to the end of its last element."""
        return max((element.offset + element.size for element in self.elements), default=0)

    @cached_property
    def rows(self) -> np.ndarray:
        """The vertices as stored: a structured array with a field an element, of its declared type."""
        kind = np.dtype({
            "names": [element.name for element in self.elements], "formats": [STORED[one.type] for one in self.elements],
            "offsets": [element.offset for element in self.elements], "itemsize": max(self.extent, 1),
        })  # fmt: skip
        return np.ndarray((self.count,), kind, np.ascontiguousarray(self.data).data, self.offset, (self.stride,)).copy()

    def values(self, first: int = 0, last: int | None = None) -> list[tuple[Any, ...]]:
        """Vertices first..last-1 as plain numbers: a value, or a list of them, for each element."""
        return list(zip(*(self.rows[one.name][first:last].tolist() for one in self.elements), strict=True))

    def bytes_of(self, vertex: int) -> bytes:
        """The bytes of one vertex, a whole stride where the stream has one."""
        first = self.offset + vertex * self.stride
        return self.data[first : first + (self.stride or self.extent)].tobytes()


@dataclass(frozen=True, eq=False)
class IndexBytes:
    """The indices of a draw.  `buffer`: a handle, 0: in the token; they begin at byte `offset`, `width` bytes each; `indices`
    int64: as stored, as many as the draw asks for and the memory has; `base` is added to each."""

    buffer: int
    offset: int
    width: int
    base: int
    indices: np.ndarray
    asked: int

    @property
    def vertices(self) -> np.ndarray:
        """The vertex numbers that they select, in drawing order: int64."""
        return self.indices + self.base


@dataclass(frozen=True, slots=True)
class DrawMemory:
    """What a draw reads: its streams in order, and its indices (None: it is not indexed).

    controls: of a patch, int64: the vertex that each control point is.
    """

    streams: tuple[StreamBytes, ...]
    indices: IndexBytes | None
    controls: np.ndarray | None = None


@dataclass(frozen=True)
class Streams:
    """The memory that a draw reads: bytes of each stream with declared types, and of the index buffer what it selects.

    Control points of a patch that a driver keeps lie in no stream any more.
    """

    event: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> DrawMemory:
        """Raises Cancelled, and BadInput for an event that draws nothing."""
        event = capture.check_event(self.event)
        with capture.replay.before(event, cancel, drawn=True) as driver:
            draw = described(capture, driver, event)
            if draw is None:
                raise BadInput(f"event {event} draws no primitives: it reads no streams")
            buffers = {id(one.contents): handle for handle, one in driver.device.memory.buffers.items()}
            controls = None if draw.patch is None or not draw.read else draw.patch.info.numbers.ravel()
            return DrawMemory(tuple(_streams(draw, buffers)), _indices(draw, buffers), controls)


def _streams(draw: DrawArguments, buffers: dict[int, int]) -> list[StreamBytes]:
    layout, bound = draw.source
    own_stride = int(layout.record["stride"][0])
    found = []
    for number in layout.streams:
        data = bound[number] if number < len(bound) else None
        if data is None:
            continue
        stride = own_stride or int(draw.vector[slot(("STREAM", number, "stride"))])
        offset = int(draw.arguments.get("stream_offset", 0)) if number == 0 else 0
        elements = tuple(_element(one, layout.kind) for one in layout.elements if one["stream"] == number)
        found.append(StreamBytes(number, buffers.get(id(data), 0), offset, stride, data.copy(), elements))
    return found


def _element(element: np.void, kind: VertexKind) -> Element:
    register = int(element["register"])
    name = f"v{register}" if kind == VertexKind.SHADER else NAMES[register]
    return Element(register, name, ElementType(int(element["type"])).name, int(element["offset"]), int(element["size"]))


def _indices(draw: DrawArguments, buffers: dict[int, int]) -> IndexBytes | None:
    more = draw.arguments
    form, memory = IndexForm(more.get("index_form", IndexForm.NONE)), more.get("index_memory")
    if form is IndexForm.NONE or memory is None:
        return None
    asked, offset = _asked(PrimitiveType(more["kind"]), int(more["count"])), int(more.get("index_offset", 0))
    width = 4 if form is IndexForm.DWORD else 2
    if form is IndexForm.FLAGGED:  # three indices and the edge flags
        room = max(len(memory) - offset, 0)
        held = (
            np.frombuffer(memory.tobytes(), "<u2", room // 8 * 4, offset if room else 0).reshape(-1, 4)[:, :3].ravel()[:asked]
        )
    else:
        held = stored_indices(memory, offset, width, asked)
    return IndexBytes(buffers.get(id(memory), 0), offset, width, int(more.get("start", 0)), held.astype(np.int64), asked)


def stored_indices(memory: np.ndarray, offset: int, width: int, asked: int) -> np.ndarray:
    """Up to `asked` indices of `width` bytes from byte `offset` on: int64, fewer where the memory ends."""
    room = max(len(memory) - offset, 0)
    return np.frombuffer(memory.tobytes(), f"<u{width}", min(room // width, asked), offset if room else 0).astype(np.int64)


def _asked(kind: PrimitiveType, count: int) -> int:
    """How many indices this many primitives have."""
    each, more = {
        PrimitiveType.POINTLIST: (1, 0), PrimitiveType.LINELIST: (2, 0), PrimitiveType.LINESTRIP: (1, 1),
        PrimitiveType.TRIANGLELIST: (3, 0), PrimitiveType.TRIANGLESTRIP: (1, 2), PrimitiveType.TRIANGLEFAN: (1, 2),
    }[kind]  # fmt: skip
    return each * count + more
