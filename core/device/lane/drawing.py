"""Drawing: from a bound state and a range of vertices to pixels.

The vertex half runs at once (a later event may change the buffers); primitives wait in a core.pipeline.draw.Batch until
something needs the pixels: another target, a texture whose texels would change under waiting draws, a clear, a copy, a
lock, a read.  A draw whose like was drawn before needs no Python (core.device.lane.lane).  This module brings all kernels with
it: it is imported at the first draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.cancel import look
from core.device.lane.bound_state import BoundState
from core.device.lane.draw_facts import MOST_STATES
from core.device.lane.target import Target
from core.device.tokens.draw_checks import watch_positions, watch_streams
from core.pipeline.geometry import Geometry, tessellated_arguments
from core.pipeline.records.arenas import Arenas
from core.pipeline.records.recycle import forget_spare
from core.pipeline.vertex.fetch import VertexLayout, compile_fvf
from core.pipeline.vertex.npatch import tessellate_npatches, wants_npatches
from core.pipeline.vertex.patch import (
    ReadRectPatch,
    ReadTriPatch,
    Tessellation,
    control_points,
    default_segments,
    edge_style_is_continuous,
)
from core.spec import slots
from core.spec.enums import PrimitiveType
from core.spec.states import RENDER_STATE_ID

if TYPE_CHECKING:
    from core.device.device import CommandBuffer, Device, Within

MOST_PRIMITIVES = 1 << 17  # in a batch
BEGUN_PRIMITIVES = 1 << 12  # with that many, other threads begin to draw
MOST_TARGETS = 64  # that are remembered
LOGGED_PRIMITIVES = 10 << 10  # in a batch that is logged: what one look back may have to draw again
ONE, INFINITY = 0x3F800000, 0x7F800000
_PATCHSEGMENTS = slots.RENDER_STATE + RENDER_STATE_ID["PATCHSEGMENTS"]
_STREAMS = slots.STREAM


class DrawArguments(NamedTuple):
    """What the vertex half is asked for a draw: process(vector, layout, **arguments), inspect_vertices likewise.

    Of an N-patch draw these are the flat triangles; of a patch, its control points as a list of points.  `curved` is then
    what the tessellator made of them, and `patch`, of a patch, what it is; `read`: the streams that its token reads it from,
    None where it was kept.
    """

    vector: np.ndarray
    layout: VertexLayout
    arguments: dict[str, Any]
    curved: Tessellation | None = None
    patch: ReadRectPatch | ReadTriPatch | None = None
    read: list[np.ndarray | None] | None = None

    @property
    def source(self) -> tuple[VertexLayout, list[np.ndarray | None]]:
        """What the draw reads its vertices from, and how: no streams for a patch that was kept."""
        if self.patch is not None:
            return self.patch.layout, self.read or []
        return self.layout, self.arguments.get("streams") or []

    @property
    def drawn(self) -> DrawArguments:
        """The draw that reaches the vertex pipeline: the tessellated triangles of a curved one."""
        if self.curved is None:
            return self
        rest = {name: self.arguments[name] for name in ("program", "light_slots")}
        return DrawArguments(self.vector, self.curved.layout, {**tessellated_arguments(self.curved), **rest})


class Drawing:
    """The device's draw path: geometry, the batch that waits, and what its draws are bound to."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.geometry = Geometry()
        self.described: list[DrawArguments] | None = None  # collects draws instead of drawing them
        self.target: Target | None = None
        self.handles: tuple[int, int] = (-1, -1)  # of the target
        self.turns = 0  # counts turns to other targets
        self._targets: dict[tuple[int, int], Target] = {}  # by handles
        self.bound = BoundState(device)
        self.first_seq, self.last_seq = -1, 0  # events of the batch; -1: none yet
        self._most_waiting = BEGUN_PRIMITIVES
        self._processed = self.drawn = -1  # events of the last draw, and of the last whose primitives are in the batch
        self._lights: tuple[int, np.ndarray] = (-1, np.zeros(0, np.int64))
        self.only: tuple[int, int] | None = None  # first and last primitive of each draw that are drawn
        self.stop_after: tuple[int, int] | None = None  # (event, primitive): what that event draws later is left out
        self.within: Within | None = None

    # ---- the batch ---------------------------------------------------------------------------------------
    @property
    def most_waiting(self) -> int:
        """Primitives after which the batch is to be relieved."""
        if (tap := self.device.tap) is not None:
            return LOGGED_PRIMITIVES if tap.log else MOST_PRIMITIVES
        return self._most_waiting if self.device.threads > 1 else MOST_PRIMITIVES

    def relieve(self) -> None:
        """The batch is full: it is drawn, or other threads begin to, when they are done with what they began before.

        Every part of a batch brings the whole target through the caches: few large parts are better than many.
        """
        target, device = self.target, self.device
        if target is None or device.tap is not None:
            self.flush()
        elif target.batch.idle or target.batch.waiting > MOST_PRIMITIVES:
            target.batch.begin(*target.open(), device.heap.words, device.threads)
            self._most_waiting = BEGUN_PRIMITIVES
        else:
            self._most_waiting = target.batch.waiting + BEGUN_PRIMITIVES

    def flush(self) -> None:
        """Draws what waits."""
        if (target := self.target) is None:
            return
        if len(target.batch):
            self._run(target)
        target.close()
        self.bound.blocks = {}
        self.first_seq, self._most_waiting = -1, BEGUN_PRIMITIVES
        if self.bound.states.count >= MOST_STATES:
            self.bound.forget_states()

    def renew_states(self) -> None:
        """There are as many states as there may be: what waits is drawn, or begun with; the next ones are new."""
        target, device = self.target, self.device
        if target is None or device.tap is not None:
            self.flush()
        else:
            target.batch.begin(*target.open(), device.heap.words, device.threads)
            self.bound.forget_states()

    def _run(self, target: Target) -> None:
        color, depth = target.open()
        tap, heap = self.device.tap, self.device.heap
        watch = tap.watch(target.color, target.depth, target.width, target.words) if tap is not None else None
        if watch is not None and watch.log:
            watch.holds = heap.lend(self.bound.blocks.values())
        target.batch.run(color, depth, heap.words, self.device.threads, watch)
        if watch is not None and tap is not None:
            tap.drawn(target.color, target.depth, self.first_seq, self.last_seq, watch, target.batch.columns)

    def drop(self) -> None:
        """Forgets what waits; surfaces are about to be replaced."""
        if self.target is not None:
            self.target.batch.drop()
        self.rebind()

    def abandon(self) -> None:
        """Nothing of this will be used again, nor what is kept for later batches."""
        if self.target is not None:
            self.target.batch.drop()
        Arenas.forget_spare()
        forget_spare()

    def rebind(self) -> None:
        """Nothing that was bound is valid any more, and nothing waits."""
        self.target, self.handles, self._targets = None, (-1, -1), {}
        self.first_seq, self._most_waiting, self.drawn = -1, BEGUN_PRIMITIVES, -1
        self.bound.forget()
        self._lights = (-1, self._lights[1])

    # ---- one draw ----------------------------------------------------------------------------------------
    def draw(
        self, stream: CommandBuffer, seq: int, offset: int, kind: int, count: int, layout: VertexLayout | None,
        streams: list[np.ndarray | None] | None = None, **more: Any,
    ) -> None:  # fmt: skip
        """`count` primitives through the vertex half into the batch. `more`: as Geometry.process."""
        if not 1 <= kind <= 6:
            self.device.find("bad-draw", seq, f"primitive type {kind}", offset)
            return
        if layout is None or count <= 0:
            return
        registers = self.device.registers
        arguments = {
            "streams": streams or self.streams(stream, layout), "kind": kind, "count": count, "program": self._program(),
            "light_slots": self.light_slots(), **more,
        }  # fmt: skip
        if self.described is not None:
            vector = registers.vector.copy()
            self.described.append(DrawArguments(vector, layout, arguments, self._curve(vector, layout, arguments)))
            return
        target = self._current_target(seq, offset)
        if target is None:
            return
        vector = registers.vector
        if self.device.checks:
            watch_streams(self.device, seq, offset, layout, streams is None)
        if (curved := self._curve(vector, layout, arguments)) is not None:
            self._report_curved(curved, seq, offset)
            made = self.geometry.process_tessellation(vector, curved, arguments["program"], arguments["light_slots"])
        else:
            made = self.geometry.process(vector, layout, in_pieces=True, **arguments)
        if self.device.checks:
            watch_positions(self.device, seq, offset, self.geometry, layout, arguments)
        self._collect(target, seq, offset, made)

    @staticmethod
    def _curve(vector: np.ndarray, layout: VertexLayout, arguments: dict[str, Any]) -> Tessellation | None:
        """N-patches: curved triangles instead of flat ones; None where nothing asks for them."""
        if not (ONE < int(vector[_PATCHSEGMENTS]) < INFINITY and wants_npatches(vector, layout, arguments["kind"])):
            return None
        rest = {name: value for name, value in arguments.items() if name not in ("program", "light_slots", "edge_flags")}
        return tessellate_npatches(vector, layout, **rest)

    def draw_patch(
        self,
        stream: CommandBuffer,
        seq: int,
        offset: int,
        patch: ReadRectPatch | ReadTriPatch,
        segments: list[float] | None,
        edges: int,
        read: list[np.ndarray | None] | None = None,
    ) -> None:
        """A patch with these segment counts (None: those of the render state), through the present vertex shader or fixed
        function, whatever was current when it was kept; `read`: the streams that it was just read from. Raises BadInput."""
        vector, layout = self.device.registers.vector, self.layout(seq, offset)
        target = self._current_target(seq, offset)
        if target is None or layout is None:
            return
        tessellation = patch.tessellate(segments or default_segments(vector, edges), edge_style_is_continuous(vector))
        points = control_points(patch)
        points.layout.record["kind"] = tessellation.layout.record["kind"] = layout.record["kind"]
        if self.described is not None:
            more = {"program": self._program(), "light_slots": self.light_slots()}
            arguments = {**tessellated_arguments(points), "kind": PrimitiveType.POINTLIST, **more}
            self.described.append(DrawArguments(vector.copy(), points.layout, arguments, tessellation, patch, read))
            return
        made = self.geometry.process_tessellation(vector, tessellation, self._program(), self.light_slots())
        self._collect(target, seq, offset, made)

    def _collect(self, target: Target, seq: int, offset: int, made: tuple[int, int]) -> None:
        """Adds what the vertex half has made to the batch, and what it makes of the rest, piece by piece."""
        geometry, tap, self._processed = self.geometry, self.device.tap, seq
        if geometry.elements_outside or geometry.indices_outside or geometry.cut_short:
            self._report_outside(seq, offset)
        self._add(target, seq, offset, *made)
        known = len(self.device.findings)
        while geometry.unfinished:
            look()
            self._add(target, seq, offset, *geometry.go_on())
            del self.device.findings[known:]  # of one draw once
        if tap is not None:
            tap.assembled((target.color, target.depth), seq, self.device.registers.vector, geometry)

    def _add(self, target: Target, seq: int, offset: int, vertices: int, count: int) -> None:
        """Adds vertices and primitives to the batch, which is drawn when it is full."""
        if not count or (state := self.bound.number(target, seq, offset)) < 0:
            return
        geometry, batch, tap = self.geometry, target.batch, self.device.tap
        if self.first_seq < 0:
            self.first_seq = seq
        self.last_seq = self.drawn = seq
        primitives = geometry.primitives[:count]
        if self.stop_after is not None and self.stop_after[0] == seq:
            primitives = primitives[primitives["number"] <= self.stop_after[1]]
        if self.only is not None:
            primitives = primitives[(primitives["number"] >= self.only[0]) & (primitives["number"] <= self.only[1])]
        waiting = batch.waiting
        batch.add(geometry.vertices[:vertices], primitives, state, seq)
        if tap is not None and tap.census is not None:
            drawn = batch.edges["number"][waiting:]
            tap.census.set_up(seq, geometry, primitives, batch.states, state, drawn)
        if self.bound.states.count >= MOST_STATES:
            self.renew_states()
        elif batch.waiting > self.most_waiting:
            self.relieve()

    def _report_curved(self, curved: Tessellation, seq: int, offset: int) -> None:
        if curved.outside:
            self.device.find("vertex-range", seq, f"{curved.outside} vertex elements are outside their stream", offset)
        if curved.left_out:
            self.device.find("bad-draw", seq, f"{curved.left_out} triangles exceed the limit for this many segments", offset)

    def _report_outside(self, seq: int, offset: int) -> None:
        geometry = self.geometry
        if geometry.elements_outside:
            self.device.find(
                "vertex-range", seq, f"{geometry.elements_outside} vertex elements are outside their stream", offset
            )
        if geometry.indices_outside:
            self.device.find("vertex-range", seq, f"{geometry.indices_outside} indices are outside the index buffer", offset)
        if geometry.cut_short:
            self.device.find("bad-draw", seq, "the draw needs more vertices than its buffers hold", offset)

    def vertices_of(self, seq: int) -> tuple[VertexLayout, np.ndarray | None] | None:
        """Layout and program of event `seq`, the last draw; None if it was another."""
        layout = self._usable_layout() if self._processed == seq else None
        return None if layout is None else (layout, self._program())

    # ---- vertex half -------------------------------------------------------------------------------------
    def layout(self, seq: int, offset: int) -> VertexLayout | None:
        """The layout of the current vertex shader or format; None (and a finding) without a usable one."""
        if (layout := self._usable_layout()) is None:
            if handle := int(self.device.registers.vector[slots.VERTEX_SHADER]):
                self.device.find("bad-shader", seq, f"vertex shader {handle:#x} is unusable", offset)
            else:
                self.device.find("bad-draw", seq, "no vertex shader and no vertex format", offset)
        return layout

    def _usable_layout(self) -> VertexLayout | None:
        handle = int(self.device.registers.vector[slots.VERTEX_SHADER])
        if not handle & 1:
            return compile_fvf(handle) if handle else None
        shader = self.device.context.vertex_shaders.get(handle)
        return shader.declaration if shader is not None else None

    def _program(self) -> np.ndarray | None:
        handle = int(self.device.registers.vector[slots.VERTEX_SHADER])
        shader = self.device.context.vertex_shaders.get(handle) if handle & 1 else None
        return shader.program if shader is not None else None

    def streams(self, stream: CommandBuffer, layout: VertexLayout) -> list[np.ndarray | None]:
        """The bytes of each bound stream that the layout reads; stream 0 alone when that is user memory.

        Whatever is bound to others "must be ignored": DX8 DDI, Notification of Stream / Vertex Buffer Binding.
        """
        vector, buffers = self.device.registers.vector, self.device.memory.buffers
        found: list[np.ndarray | None] = [None] * slots.STREAMS
        for i in layout.streams:
            if i and vector[_STREAMS + 2]:
                break
            handle, _, user = vector[_STREAMS + 3 * i : _STREAMS + 3 * i + 3].tolist()
            if user:
                found[i] = stream.user_memory
            elif (buffer := buffers.get(handle)) is not None:
                found[i] = buffer.contents
        return found

    def light_slots(self) -> np.ndarray:
        """The first slot of each light in the vector, by number."""
        lights = self.device.registers.light_slot
        if self._lights[0] != len(lights):
            self._lights = len(lights), np.array([lights[n] for n in sorted(lights)], np.int64)
        return self._lights[1]

    # ---- target ------------------------------------------------------------------------------------------
    def _current_target(self, seq: int, offset: int) -> Target | None:
        vector = self.device.registers.vector
        handles = int(vector[slots.RENDER_TARGET]), int(vector[slots.DEPTH_STENCIL])
        if handles != self.handles or self.target is None:
            self.flush()
            self.handles = handles
            self.target = self._known_target(handles) or self._open_target(handles, seq, offset)
            self.bound.draw_to(self.target)
            self.turns += 1
        return self.target

    def _known_target(self, handles: tuple[int, int]) -> Target | None:
        """The target that these handles named before, if they still do."""
        target, part = self._targets.get(handles), self.device.memory.part
        same = target is not None and target.color is part(handles[0]) and target.depth is part(handles[1])
        return target if same else None

    def _open_target(self, handles: tuple[int, int], seq: int, offset: int) -> Target | None:
        memory, find = self.device.memory, self.device.find
        color, depth = memory.part(handles[0]), memory.part(handles[1])
        if color is None:
            find("no-target", seq, f"no render target {handles[0]}", offset)
            return None
        if not color.format.renderable or color.format.family == "depth" or color.depth > 1:
            find("bad-format", seq, f"{color.format.name} cannot be drawn to", offset)
            return None
        if depth is not None and (depth.format.family != "depth" or depth.width < color.width or depth.height < color.height
                                  or depth.samples != color.samples):  # fmt: skip
            size = f"{depth.width} x {depth.height}"
            find("target-mismatch", seq, f"depth surface {size} {depth.format.name} does not fit the target", offset)
            depth = None
        if len(self._targets) >= MOST_TARGETS:
            self._targets.clear()
        within = self.within[1] if self.within is not None and handles[0] in self.within[0] else None
        target = self._targets[handles] = Target(color, depth, self.bound.states, within)
        return target
