"""Geometry: the vertex half of the pipeline, one call per draw.

    geometry = Geometry()
    vertices, primitives = geometry.process(vector, layout, streams=[buffer], kind=PrimitiveType.TRIANGLELIST, count=12)
    geometry.vertices[:vertices], geometry.primitives[:primitives], geometry.fates[:12]

The register vector says everything about transform, light, viewport, clip planes and constants; `layout` is a compiled vertex
format or declaration (fetch.compile_fvf, fetch.compile_declaration), `program` a compiled vertex shader
(vshader.compile_program).  The results stay valid until the next call.  Nothing that the arguments or buffers hold can make it
read or write outside them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.kernels.jit import address_of
from core.pipeline.records.primitives import PRIMITIVE, VERTEX_FLOATS
from core.pipeline.records.rows import BATCH
from core.pipeline.vertex.assemble import DRAW, ROOM_PRIMITIVES, ROOM_VERTICES, IndexForm, primitive_count, reference_count
from core.pipeline.vertex.clip import INDICES_OUTSIDE, LISTED, OUTSIDE, PRIMITIVES, VERTICES
from core.pipeline.vertex.fetch import NOTHING, NOTHING_BYTES, VertexLayout
from core.pipeline.vertex.vertex_kernel import VERTEX_HALF, WORK, process_draw, vertex_half
from core.pipeline.vertex.vshader import VERTEX_INSTRUCTION
from core.spec.enums import PrimitiveType
from core.spec.slots import BASE

if TYPE_CHECKING:
    from core.pipeline.vertex.patch import Tessellation

MAX_REFERENCES = 1 << 21
"""Vertices that one draw can name; what is more is not drawn and is reported by `cut_short`."""

MOST_PRIMITIVES = 1 << 17  # that are there at once, when a draw is made in pieces; this many vertices that are made of others
LINE_BYTES = 64  # of the processor's cache
FEW_REFERENCES = 1 << 16  # this many are not checked against the buffers

PACK_DRAW = struct.Struct("=4i6q")  # DRAW: assigning to the record takes as long as half of a small draw's vertices
PACK_COUNTS = struct.Struct("=4q")  # light_count and the three that follow it in WORK
NO_LIGHTS = np.zeros(0, np.int64)
NO_PROGRAM = np.zeros(0, VERTEX_INSTRUCTION)
NO_MEMORY = np.zeros(0, np.uint8)
NOT_BOUND = np.zeros(0, np.uint8)  # what no caller has: stands for streams whose addresses somebody else has set

_WIDTH, _HEIGHT = BASE["viewport"] + 2, BASE["viewport"] + 3
_STRIDE = BASE["stream"] + 1


def _aligned(dtype: np.dtype, *shape: int) -> np.ndarray:
    """Zeros that begin at a cache line: a vector that straddles two costs twice, and kernels write little else."""
    size = math.prod(shape) * dtype.itemsize
    memory = np.zeros(size + LINE_BYTES, np.uint8)
    start = -memory.ctypes.data % LINE_BYTES
    return memory[start : start + size].view(dtype).reshape(shape)


def _vertex_count(stream: np.ndarray, stride: int) -> int:
    """Vertices that begin in a stream; no end with a stride of 0."""
    return stream.size // stride + 1 if stride else MAX_REFERENCES


def tessellated_arguments(tessellation: Tessellation) -> dict[str, Any]:
    """What Geometry.process is asked for the triangles of a tessellated patch, but for program and lights."""
    return {
        "streams": [tessellation.registers.reshape(-1).view(np.uint8)], "kind": PrimitiveType.TRIANGLELIST,
        "count": len(tessellation.indices), "index_form": IndexForm.DWORD,
        "index_memory": tessellation.indices.reshape(-1).view(np.uint8),
    }  # fmt: skip


class Geometry:
    """The arenas of the vertex half, and the way in."""

    def __init__(self) -> None:
        self.vertices = np.zeros((0, VERTEX_FLOATS), np.float32)
        self.position_rows = np.zeros(0, np.float32)  # sixteen x, sixteen y, z, w, and so on
        self.codes = np.zeros(0, np.int32)  # bit f - 1: outside by Fate f
        self.primitives = np.zeros(0, PRIMITIVE)
        self.fates = np.zeros(0, np.uint8)  # Fate of each primitive of the draw
        self.indices = np.zeros(0, np.int32)
        self.cut_short = False
        self._per_primitive = 1
        self._rest: tuple[np.ndarray, VertexLayout, np.ndarray, np.ndarray, np.ndarray, int] | None = None
        self._done = 0  # primitives of the draw
        self.work = _aligned(WORK, 1)
        self._nothing = np.zeros(NOTHING_BYTES, np.uint8)
        self._half = address_of(vertex_half, VERTEX_HALF)
        self._counters = self.work["counters"][0].data
        self._streams = self.work["streams"][0]
        self._draw = self.work["draw"]
        self._draw_bytes = self._bytes("draw", DRAW.itemsize)
        self._count_bytes = self._bytes("light_count", PACK_COUNTS.size)
        self._fitting = (0, 0)  # references and primitives that there is room for
        self._bound: list[np.ndarray | None] = [None] * NOTHING
        self._streams["address"][NOTHING] = self._nothing.ctypes.data
        self._addresses, self._sizes = self._streams["address"], self._streams["size"]
        self._starts = self._streams["start"]

    def _bytes(self, name: str, size: int) -> memoryview:
        """The memory of WORK from a field on."""
        first = WORK.fields[name][1]  # type: ignore[index]
        return self.work.view(np.uint8)[first : first + size].data

    # ---- results -----------------------------------------------------------------------------

    @property
    def elements_outside(self) -> int:
        """How many vertex elements of the last draw lay outside their stream."""
        return self._counters[OUTSIDE]

    @property
    def indices_outside(self) -> int:
        """How many indices of the last draw lay outside the index memory."""
        return self._counters[INDICES_OUTSIDE]

    @property
    def drawn(self) -> tuple[int, int, int]:
        """(PrimitiveType, count, how many of them stand for one primitive of the application) of the last draw."""
        return int(self._draw["type"][0]), int(self._draw["count"][0]), self._per_primitive

    @property
    def positions(self) -> np.ndarray:
        """Clip space positions of `vertices`, float32[n, 4]."""
        return self.first_positions(len(self.position_rows) // 64 * 16)

    def first_positions(self, count: int) -> np.ndarray:
        """Those of the first `count` vertices."""
        batches = self.position_rows[: 64 * -(-count // 16)]
        return batches.reshape(-1, 4, 16).transpose(0, 2, 1).reshape(-1, 4)[:count]

    @property
    def numbers(self) -> np.ndarray:
        """Vertex number (in the streams) of each vertex that the last draw fetched, in the order of `vertices`."""
        first = int(self.work["numbers"][0])
        return self.indices[first : first + self.listed].astype(np.int64)

    @property
    def listed(self) -> int:
        """How many vertices the last draw fetched."""
        return self._counters[LISTED]

    @property
    def references(self) -> np.ndarray:
        """Which of these vertices each index of the last draw names."""
        named = self.indices[: int(self._draw["index_count"][0])]
        if self._draw["index_form"][0] == IndexForm.FLAGGED:
            named = named.reshape(-1, 4)[:, :3].reshape(-1)
        return named.astype(np.int64) - int(self._draw["base"][0])

    # ---- the way in --------------------------------------------------------------------------

    def process(
        self, vector: np.ndarray, layout: VertexLayout, *, streams: Sequence[np.ndarray | None], kind: int, count: int,
        program: np.ndarray | None = None, light_slots: np.ndarray = NO_LIGHTS, start: int = 0, stream_offset: int = 0,
        index_form: int = IndexForm.NONE, index_memory: np.ndarray = NO_MEMORY, index_offset: int = 0, edge_flags: int = -1,
        in_pieces: bool = False,
    ) -> tuple[int, int]:  # fmt: skip
        """Vertices and primitives of one draw; returns how many of each.  in_pieces: perhaps not all at once, see `unfinished`.

        vector: the register vector, uint32; strides come from its streams.  streams: bytes (uint8) of each bound stream, None
        if unbound.  kind: PrimitiveType.  count: primitives.  start: first vertex, or the base added to each index (may be
        negative).  stream_offset: bytes before vertex 0 of stream 0 (may be negative).  light_slots: int64, first slot of each
        light in the vector, in the order in which lights count.  index_memory: uint8; index_offset: bytes.  edge_flags: of a
        fan (-1: all edges).
        """
        self._per_primitive, self._rest = 1, None
        references, self.cut_short = reference_count(kind, count), False
        if not 0 < references <= FEW_REFERENCES:
            references = self._bounded_references(
                vector, layout, streams, references, start, index_form, index_memory, index_offset
            )
            count = min(count, primitive_count(kind, references))
        if count <= 0 or not vector[_WIDTH] or not vector[_HEIGHT]:
            self.work["counters"] = 0
            self._draw["index_count"] = self._draw["count"] = 0
            self.fates = self._grown(self.fates, count)
            self.fates[: max(count, 0)] = 1
            return 0, 0
        if index_form == IndexForm.FLAGGED:
            if kind == PrimitiveType.TRIANGLELIST:
                references = 4 * count
            else:
                index_form = IndexForm.WORD
        if not index_memory.flags.writeable:
            index_memory = index_memory.copy()  # compiled for writable arrays only
        self._bind_streams(streams, layout.streams, stream_offset)
        if references > self._fitting[0] or count > self._fitting[1] or kind == PrimitiveType.POINTLIST:
            self._make_room(references, count, kind)
        PACK_DRAW.pack_into(self._draw_bytes, 0, kind, count, index_form, references, index_offset, index_memory.size, start,
                            0, 0, edge_flags)  # fmt: skip
        self._rest = vector, layout, NO_PROGRAM if program is None else program, light_slots, index_memory, count
        self._done = 0
        return self._run(in_pieces)

    @property
    def unfinished(self) -> bool:
        """Whether the last draw has more primitives, which `go_on` makes."""
        return self._rest is not None

    def go_on(self) -> tuple[int, int]:
        """The next primitives of an unfinished draw, in place of those before; its own vertices stay."""
        self._counters[VERTICES], self._counters[PRIMITIVES] = self._counters[LISTED], 0
        return self._run(True)

    def lend(self, light_count: int) -> tuple[int, int]:
        """For a kernel that does what `process` does; the references and primitives of a draw that there is room for."""
        PACK_COUNTS.pack_into(self._count_bytes, 0, light_count, 0, len(self.codes), len(self.primitives))
        self._bound = [NOT_BOUND] * NOTHING
        return min(self._fitting[0], FEW_REFERENCES), self._fitting[1]

    def process_tessellation(
        self,
        vector: np.ndarray,
        tessellation: Tessellation,
        program: np.ndarray | None = None,
        light_slots: np.ndarray = NO_LIGHTS,
    ) -> tuple[int, int]:
        """Vertices and primitives of a tessellated patch (core.pipeline.vertex.patch); returns how many of each.

        Primitive numbers are those of the application's primitives; `fates` are those of the generated triangles.
        """
        vertices, primitives = self.process(
            vector, tessellation.layout, program=program, light_slots=light_slots, **tessellated_arguments(tessellation)
        )
        self.primitives["number"][:primitives] //= tessellation.per_primitive
        self._per_primitive = tessellation.per_primitive
        return vertices, primitives

    def _run(self, in_pieces: bool) -> tuple[int, int]:
        """Calls the kernel until the draw is done, or a piece of it; with larger arenas where it needs more than there is."""
        assert self._rest is not None
        vector, layout, program, light_slots, memory, count = self._rest
        while True:
            PACK_COUNTS.pack_into(self._count_bytes, 0, light_slots.size, program.size, len(self.codes), len(self.primitives))
            done = process_draw(
                self._half, self.work, layout.record, program, vector, light_slots, memory, self.indices, self.vertices,
                self.position_rows, self.codes, self.primitives, self.fates, self._done,
            )  # fmt: skip
            self._done = max(done, 0)
            if done < 0:  # vertices that the draw names
                self._grow_outputs(ROOM_VERTICES - done + BATCH, 0)
                continue
            if done >= count:
                self._rest = None
            if done >= count or (in_pieces and self._is_a_piece()):
                return self._counters[VERTICES], self._counters[PRIMITIVES]
            self._grow_outputs(*(len(one) + min(len(one), 2 * MOST_PRIMITIVES) for one in (self.codes, self.primitives)))

    def _is_a_piece(self) -> bool:
        """Whether it is time to use what is there, instead of making room for more."""
        made = self._counters[VERTICES] - self._counters[LISTED]
        return max(self._counters[PRIMITIVES], made) + 2 * ROOM_VERTICES > MOST_PRIMITIVES

    def _bounded_references(
        self, vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], wanted: int, start: int,
        index_form: int, memory: np.ndarray, offset: int,
    ) -> int:  # fmt: skip
        """Vertices that the draw names, no more than its buffers can hold (and MAX_REFERENCES)."""
        if wanted <= FEW_REFERENCES:
            return wanted
        there = MAX_REFERENCES
        if index_form:
            there = (memory.size - offset) // (4 if index_form == IndexForm.DWORD else 2)
        else:
            bound = [(i, streams[i]) for i in layout.streams if i < len(streams)]
            counts = [_vertex_count(stream, int(vector[_STRIDE + 3 * i])) for i, stream in bound if stream is not None]
            there = max(counts, default=0) - start
        allowed = max(min(wanted, there, MAX_REFERENCES), 0)
        self.cut_short = allowed < wanted
        return allowed

    # ---- arenas ------------------------------------------------------------------------------

    def _bind_streams(self, streams: Sequence[np.ndarray | None], used: tuple[int, ...], offset: int) -> None:
        """Addresses and sizes of the streams that the layout reads and that changed."""
        self._starts[0] = offset
        for i in used:
            stream = streams[i] if i < len(streams) else None
            if stream is not self._bound[i]:
                address, size = (0, 0) if stream is None else (stream.ctypes.data, stream.size)
                self._bound[i] = NOT_BOUND  # until both are there
                self._addresses[i], self._sizes[i] = address, size
                self._bound[i] = stream

    def _make_room(self, references: int, count: int, kind: int) -> None:
        """Arenas for a draw of this many references; clipping may ask for more later."""
        few, vertices = min(count, FEW_REFERENCES), 2 * min(references, FEW_REFERENCES) + 128 + BATCH  # to begin with
        table = 1 << max(2 * references - 1, 15).bit_length()
        if self.work["table_size"][0] < table:
            room = table // 2
            first = room + 2 * room + 128 + BATCH
            self.indices = _aligned(np.dtype(np.int32), first + 2 * table)  # first: what the kernel is given must be present
            self.work["numbers"], self.work["table"], self.work["table_size"] = room, first, table
        extra = 4 * few if kind == PrimitiveType.POINTLIST else 0
        if len(self.codes) < vertices + extra + ROOM_VERTICES or len(self.primitives) < 2 * few + ROOM_PRIMITIVES:
            self._grow_outputs(vertices + extra + 4 * ROOM_VERTICES, 2 * few + 4 * ROOM_PRIMITIVES)
        self.fates = self._grown(self.fates, count)
        self._fitting = max(self._fitting[0], references), max(self._fitting[1], count)

    def _grow_outputs(self, vertices: int, primitives: int) -> None:
        vertices = -(-vertices // 64) * 64  # whole batches are written
        self.vertices, self.position_rows = self._grown(self.vertices, vertices), self._grown(self.position_rows, 4 * vertices)
        self.codes, self.primitives = self._grown(self.codes, vertices), self._grown(self.primitives, primitives)

    @staticmethod
    def _grown(old: np.ndarray, length: int) -> np.ndarray:
        """An array of at least `length` rows with the contents of `old`."""
        if len(old) >= length:
            return old
        more = min(len(old) // 2, MOST_PRIMITIVES)
        new = _aligned(old.dtype, max(length, len(old) + more), *old.shape[1:])
        new[: len(old)] = old
        return new
