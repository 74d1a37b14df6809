"""Keeps the assumptions of the compiled loop over states and draws (core.device.lane.draw_loop), learned from draws in Python.

A vertex format or shader, a buffer, a texture, a pixel shader is known once a draw with it went through Python without a
Finding.  `check` forgets what no longer is as it was; core.device.lane.lane asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.cancel import look
from core.device.lane.draw_facts import (
    BLANK,
    BUFFER_PLACES,
    CALL,
    FULL,
    KNOWN,
    MOST_STATES,
    MOST_TEXTURES,
    PAUSE,
    ROOM,
    SHADER_PLACES,
    SHAPES,
    STATES,
    TEXTURE_PLACES,
    VERTEX_PLACES,
)  # fmt: skip
from core.device.lane.draw_loop import walk_draws
from core.device.lane.draw_states import KEY_WORDS
from core.device.registers import states
from core.device.registers.layout import Layout
from core.device.registers.vector import walk_entry
from core.kernels.jit import JIT_DISABLED, address_of
from core.pipeline.draw_state.bind import bind_entry
from core.pipeline.geometry import NO_PROGRAM
from core.pipeline.pixel.setup import SET_UP, set_up
from core.pipeline.records.texture import TEXTURE
from core.pipeline.vertex.assemble import SHAPES as SHAPES_OF
from core.pipeline.vertex.vertex_kernel import VERTEX_HALF, vertex_half
from core.spec import slots

if TYPE_CHECKING:
    from core.device.device import CommandBuffer, PixelShader, VertexShader
    from core.device.lane.bound_state import Ready
    from core.device.lane.drawing import Drawing
    from core.device.memory.surfaces import Buffer
    from core.pipeline.draw_state.pixel_program import PixelProgram
    from core.pipeline.observe.shapes import Shapes
    from core.pipeline.vertex.fetch import VertexLayout

IN_AND_OUT = Layout(CALL)
A_PIECE = 1 << 20  # vertices that the loop processes before it looks whether to go on: some 50 ms
TABLES = ("vertices", "buffers", "textures", "pixel_shaders", "state_at")  # as bytes: numpy fills rows of fields one by one
NO_SHAPES = np.zeros(0, np.uint32)


class Known:
    """What is known, by handle, with the objects that the handles named then."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing, self._device = drawing, drawing.device
        self._record = np.zeros(1, KNOWN)
        self._row = self._record[0]
        self._tables = {name: self._row[name].view(np.uint8) for name in TABLES}
        self._memory, self._call_at = self._record.view(np.uint8).data, KNOWN.fields["target"][1]  # type: ignore[index]
        self._keys = np.zeros((MOST_STATES, KEY_WORDS), np.uint32)
        self._vertices: dict[int, tuple[VertexShader | None, VertexLayout, np.ndarray]] = {}
        self._buffers: dict[int, tuple[Buffer, np.ndarray]] = {}
        self._textures: dict[int, Ready] = {}
        self._pixel_shaders: dict[int, PixelShader] = {}
        self._records = np.zeros(MOST_TEXTURES, TEXTURE)
        self._row["texture_records"] = self._records.ctypes.data
        self._numbers: dict[bytes, int] = {}  # of texture records
        self._programs: list[PixelProgram] = []  # by number; all that states may have been bound from
        self._kinds: dict[bytes, int] = {}  # of targets
        self._last = -1  # the state of the last draw
        self._out = np.zeros(2, np.int64)
        self._linked = False
        self._generation = self._turns = 0  # of the drawing's states and targets, when these were last looked at
        for kind, (each, more) in SHAPES_OF.items():
            self._row["each"][kind], self._row["more"][kind] = each, more

    # ---- learning
    def learn(self, layout: VertexLayout, program: np.ndarray | None, drawn: bool) -> None:
        """A draw with the present registers went through Python; drawn: it has left primitives."""
        if JIT_DISABLED:
            return
        self._follow()
        vector, buffers = self._device.registers.vector, self._device.memory.buffers
        handle = int(vector[slots.VERTEX_SHADER])
        if handle not in self._vertices:
            self._learn_vertices(handle, layout, NO_PROGRAM if program is None else program)
        for slot in (*[slots.STREAM + 3 * i for i in layout.streams], slots.INDICES):
            handle = int(vector[slot])
            if handle not in self._buffers and (buffer := buffers.get(handle)) is not None:
                self._learn_buffer(handle, buffer)
        self._mark(*((BLANK, 0) if drawn else (0, BLANK)))
        for ready in self._drawing.bound.plain_textures() if drawn else ():
            if ready.surface.handle not in self._textures:
                self._learn_texture(ready.surface.handle, ready)
        handle = int(vector[slots.PIXEL_SHADER])
        shader = self._device.context.pixel_shaders.get(handle) if handle not in self._pixel_shaders else None
        if handle and shader is not None and shader.program is not None:
            self._learn_pixel_shader(handle, shader)

    def _mark(self, before: int, after: int) -> None:
        """Textures of the present state that are not known: BLANK instead of 0, or the reverse."""
        places = self._row["textures"]
        for handle in filter(None, self._drawing.bound.handles()):
            place = handle % TEXTURE_PLACES
            if int(places[place]["number"]) == before and int(places[place]["handle"]) == (handle if before else 0):
                places[place] = (handle, after, 0) if after else (0, 0, 0)

    def _learn_vertices(self, handle: int, layout: VertexLayout, program: np.ndarray) -> None:
        place = handle % VERTEX_PLACES
        self._vertices.pop(int(self._row["vertices"][place]["handle"]), None)
        self._vertices[handle] = self._device.context.vertex_shaders.get(handle) if handle & 1 else None, layout, program
        reads = sum(1 << i for i in layout.streams)
        shader = self._vertices[handle][0]
        constants = 0 if shader is None else len(shader.constants)
        self._row["vertices"][place] = handle, reads, layout.record.ctypes.data, program.ctypes.data, program.size, constants

    def _learn_buffer(self, handle: int, buffer: Buffer) -> None:
        place, contents = handle % BUFFER_PLACES, buffer.contents
        self._buffers.pop(int(self._row["buffers"][place]["handle"]), None)
        self._buffers[handle] = buffer, contents
        self._row["buffers"][place] = handle, 0, contents.ctypes.data, contents.size

    def _learn_texture(self, handle: int, ready: Ready) -> None:
        if len(self._numbers) == MOST_TEXTURES - 1:
            self._forget_named()
        number = self._numbers.setdefault(ready.key, len(self._numbers) + 1)
        self._records[number] = np.frombuffer(ready.key, TEXTURE)[0]
        place = handle % TEXTURE_PLACES
        self._textures.pop(int(self._row["textures"][place]["handle"]), None)
        self._textures[handle] = ready
        self._row["textures"][place] = handle, number, 0

    def _learn_pixel_shader(self, handle: int, shader: PixelShader) -> None:
        program, place = shader.program, handle % SHADER_PLACES
        self._programs.append(program)
        self._pixel_shaders.pop(int(self._row["pixel_shaders"][place]["handle"]), None)
        self._pixel_shaders[handle] = shader
        reads = sum(1 << stage for stage in program.textures)
        where = program.records.ctypes.data, len(program.records)
        constants = len(shader.constants)
        self._row["pixel_shaders"][place] = handle, len(self._programs), reads, program.needs, *where, constants

    def _kind(self) -> int:
        """A number that targets of the same size and formats share."""
        target = self._drawing.target
        return self._kinds.setdefault(target.kind, len(self._kinds)) if target is not None else -1

    # ---- forgetting
    def _follow(self) -> None:
        """Takes account of what Python has done to states and targets."""
        drawing = self._drawing
        if self._generation != drawing.bound.generation:
            self._generation = drawing.bound.generation
            self._forget_states()
        if self._turns != drawing.turns:
            self._turns = drawing.turns
            self.check()  # a texture may have become the target

    def _forget_states(self) -> None:
        """The states' numbers mean nothing any more."""
        self._tables["state_at"][:], self._last = 0, -1

    def _forget_named(self) -> None:
        """Numbers of textures and pixel shaders restart, and what is made from them."""
        self._forget_states()
        self._tables["textures"][:] = self._tables["pixel_shaders"][:] = 0
        for table in (self._textures, self._numbers, self._pixel_shaders, self._programs):
            table.clear()

    def forget(self) -> None:
        """Nothing is known any more."""
        self._forget_named()
        self._tables["vertices"][:] = self._tables["buffers"][:] = 0
        self._vertices.clear()
        self._buffers.clear()

    def check(self) -> None:
        """Forgets what is no longer as it was."""
        context, buffers, bound = self._device.context, self._device.memory.buffers, self._drawing.bound
        for handle, (buffer, contents) in list(self._buffers.items()):
            if buffers.get(handle) is not buffer or buffer.contents is not contents:
                self._row["buffers"][handle % BUFFER_PLACES] = 0
                del self._buffers[handle]
        for handle, (vertex_shader, _, _) in list(self._vertices.items()):
            if vertex_shader is not None and context.vertex_shaders.get(handle) is not vertex_shader:
                self._row["vertices"][handle % VERTEX_PLACES] = 0
                del self._vertices[handle]
        for handle, ready in list(self._textures.items()):
            if not bound.is_plain(handle, ready):
                self._row["textures"][handle % TEXTURE_PLACES] = 0
                del self._textures[handle]
        for handle, pixel_shader in list(self._pixel_shaders.items()):
            if context.pixel_shaders.get(handle) is not pixel_shader:
                self._row["pixel_shaders"][handle % SHADER_PLACES] = 0
                del self._pixel_shaders[handle]

    # ---- the loop
    @property
    def ready(self) -> bool:
        """Whether there is something to draw, or to leave out, without Python."""
        return (bool(self._vertices) or self._device.skipped is not None) and not JIT_DISABLED

    def walk(self, stream: CommandBuffer, start: int, stop: int) -> int:
        """Carries records start..stop-1 of a stream out; returns the first that Python has to do, or `stop`."""
        registers, drawing = self._device.registers, self._drawing
        if not self._linked:
            self._row["walk"], self._row["vertex_half"], self._row["set_up"], self._row["bind"] = self._entries()
            self._linked = True
        while True:
            status, wanted, done = self._loop(stream, start, stop)
            registers.changes += done > start
            if status == FULL:
                drawing.relieve()
            elif status == STATES:
                drawing.renew_states()
            elif status == ROOM and drawing.target is not None:
                drawing.target.batch.make_room(wanted)
            elif status == PAUSE:
                look()
            elif status == SHAPES and (shapes := self._shapes()) is not None:
                shapes.make_room(wanted)
            else:
                return done
            start = done

    @staticmethod
    def _entries() -> tuple[int, int, int, int]:
        return walk_entry(), address_of(vertex_half, VERTEX_HALF), address_of(set_up, SET_UP), bind_entry()

    def _shapes(self) -> Shapes | None:
        """Where shapes are kept, if they are."""
        return self._device.tap.shapes if self._device.tap is not None else None

    def _loop(self, stream: CommandBuffer, start: int, stop: int) -> tuple[int, int, int]:
        """(status, what it wants, the first record that is not done)."""
        self._follow()
        drawing, registers, tap = self._drawing, self._device.registers, self._device.tap
        target, geometry, lights, bound = drawing.target, drawing.geometry, drawing.light_slots(), drawing.bound
        if target is None:
            return 0, 0, registers.walk(stream.commands, stream.records, start, stop, stream.first_seq)
        batch, held, shapes = target.batch, target.batch.arenas, self._shapes()
        references, count = geometry.lend(lights.size)
        address, size = (0, 0) if (user := stream.user_memory) is None else (user.ctypes.data, user.size)
        skipped = 0 if (marks := self._device.skipped) is None else marks.ctypes.data
        surfaces = tap.number_of((target.color, target.depth)) if tap is not None and shapes is not None else -1
        IN_AND_OUT.write(
            self._memory, self._call_at, target=drawing.handles[0], depth=drawing.handles[1], kind=self._kind(),
            state=self._last, status=0, skipped=skipped, user_address=address, user_size=size, references=references,
            count=count, edges=batch.waiting, floats=batch.floats, edge_room=held.edges.size, float_room=held.planes.size,
            wanted=0, full=drawing.most_waiting, columns=batch.columns, first_seq=drawing.first_seq,
            last_seq=drawing.last_seq, states=bound.states.count, target_record=target.record.ctypes.data,
            reported_w=bound.reported_w, surfaces=surfaces, shapes_at=0 if shapes is None else shapes.at, left=A_PIECE,
        )  # fmt: skip
        done = walk_draws(
            self._record, geometry.work, registers.vector, registers.fast_lights, stream.commands, stream.records,
            states.TABLE, registers.log_words, lights, self._keys, geometry.indices, geometry.vertices,
            geometry.position_rows, geometry.codes, geometry.primitives, geometry.fates, batch.states, held.edges, held.planes,
            batch.counts, NO_SHAPES if shapes is None else shapes.chunk, self._out, start, stop, stream.first_seq,
        )  # fmt: skip
        found = IN_AND_OUT.read(self._memory, self._call_at)
        self._last, bound.states.count = found.state, found.states
        drawing.first_seq, drawing.last_seq = found.first_seq, found.last_seq
        batch.take(found.edges, found.floats)
        if shapes is not None:
            shapes.at = found.shapes_at
            self._note_blocks()
        return found.status, found.wanted, done

    def _note_blocks(self) -> None:
        """What the waiting draws read of the texture heap, for their journal."""
        places = self._row["textures"]
        for handle in places["handle"][places["used"] != 0].tolist():
            block = self._textures[handle].block
            self._drawing.bound.blocks[block.words.first] = block
        places["used"] = 0
