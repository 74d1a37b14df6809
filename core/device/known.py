"""What the compiled loop over states and draws may take for granted (core.device.draw_loop): learned from draws in Python.

A vertex format or shader, a buffer, a state of the pixel half is known once a draw with it went through Python without a
Finding.  `check` forgets what no longer is as it was; it has to be asked after everything but states and draws.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.device import states
from core.device.draw_loop import (
    BUFFER_PLACES,
    FULL,
    KEY_WORDS,
    KNOWN,
    MOST_STATES,
    ROOM,
    VERTEX_PLACES,
    learn_state,
    walk_draws,
)  # fmt: skip
from core.device.registers import walk_entry
from core.jit import JIT_DISABLED, address_of
from core.pipeline.geometry import NO_PROGRAM
from core.pipeline.setup import SET_UP, set_up
from core.pipeline.vertex_kernel import VERTEX_HALF, vertex_half

if TYPE_CHECKING:
    from core.device.bound_state import Ready
    from core.device.device import PixelShader, Stream, VertexShader
    from core.device.drawing import Drawing
    from core.device.surfaces import Buffer
    from core.pipeline.fetch import VertexLayout

Thing = TypeVar("Thing")
HEAD = struct.Struct("=2I2i15q")  # KNOWN from `target` to `last_seq`


class Known:
    """What is known, by handle, with the objects that the handles named then."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing, self._device = drawing, drawing.device
        self._record = np.zeros(1, KNOWN)
        self._row = self._record[0]
        first = KNOWN.fields["target"][1]  # type: ignore[index]
        self._head = self._record.view(np.uint8)[first : first + HEAD.size].data
        self._keys = np.zeros((MOST_STATES, KEY_WORDS), np.uint32)
        self._vertices: dict[int, tuple[VertexShader | None, VertexLayout, np.ndarray]] = {}
        self._buffers: dict[int, tuple[Buffer, np.ndarray]] = {}
        self._textures: dict[int, tuple[Ready, set[int]]] = {}  # and the states that read them
        self._pixel_shaders: dict[int, tuple[PixelShader, set[int]]] = {}
        self._entered: set[int] = set()  # states
        self._usable = 0  # how many of them
        self._kinds: dict[bytes, int] = {}  # of targets
        self._last = -1  # the state of the last draw
        self._out = np.zeros(2, np.int64)
        self._linked = False

    # ---- learning
    def learn(self, layout: VertexLayout, program: np.ndarray | None, number: int) -> None:
        """A draw with the present registers went through Python, with state `number`."""
        if JIT_DISABLED:
            return
        vector, buffers = self._device.registers.vector, self._device.memory.buffers
        handle = int(vector[states.VERTEX_SHADER])
        if handle not in self._vertices:
            self._learn_vertices(handle, layout, NO_PROGRAM if program is None else program)
        for slot in (*[states.STREAM + 3 * i for i in layout.streams], states.INDICES):
            handle = int(vector[slot])
            if handle not in self._buffers and (buffer := buffers.get(handle)) is not None:
                self._learn_buffer(handle, buffer)
        if number < MOST_STATES and not self._row["usable"][number]:
            self._learn_state(vector, number)

    def _learn_vertices(self, handle: int, layout: VertexLayout, program: np.ndarray) -> None:
        place = (handle ^ handle >> 6) % VERTEX_PLACES
        self._vertices.pop(int(self._row["vertices"][place]["handle"]), None)
        self._vertices[handle] = self._device.context.vertex_shaders.get(handle) if handle & 1 else None, layout, program
        reads = sum(1 << i for i in layout.streams)
        self._row["vertices"][place] = handle, reads, layout.record.ctypes.data, program.ctypes.data, program.size

    def _learn_buffer(self, handle: int, buffer: Buffer) -> None:
        place, contents = handle % BUFFER_PLACES, buffer.contents
        self._buffers.pop(int(self._row["buffers"][place]["handle"]), None)
        self._buffers[handle] = buffer, contents
        self._row["buffers"][place] = handle, 0, contents.ctypes.data, contents.size

    def _learn_state(self, vector: np.ndarray, number: int) -> None:
        textures, handle = self._drawing.bound.plain_textures(), int(vector[states.PIXEL_SHADER])
        if textures is None:
            return
        for ready in textures:
            self._reads(self._textures, ready.surface.handle, ready, number)
        if handle:
            self._reads(self._pixel_shaders, handle, self._device.context.pixel_shaders[handle], number)
        if number not in self._entered:
            self._row["kind"] = self._kind()
            learn_state(self._record, self._keys, vector, number)
            self._entered.add(number)
        self._row["usable"][number] = 1
        self._usable += 1

    def _reads(self, table: dict[int, tuple[Thing, set[int]]], handle: int, thing: Thing, number: int) -> None:
        """A state depends on what a handle names."""
        known = table.get(handle)
        if known is None or known[0] is not thing:
            self._suspend(known[1] if known else set())
            known = table[handle] = thing, set()
        known[1].add(number)

    def _kind(self) -> int:
        """A number that targets of the same size and formats share."""
        target = self._drawing.target
        return self._kinds.setdefault(target.kind, len(self._kinds)) if target is not None else -1

    # ---- forgetting
    def forget_states(self) -> None:
        """The states' numbers mean nothing any more."""
        if self._entered:
            self._row["state_at"][...], self._row["usable"][...] = 0, 0
        self._last, self._usable = -1, 0
        self._entered.clear()
        self._textures.clear()
        self._pixel_shaders.clear()

    def forget(self) -> None:
        """Nothing is known any more."""
        self.forget_states()
        self._row["vertices"][...], self._row["buffers"][...] = 0, 0
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
                self._row["vertices"][(handle ^ handle >> 6) % VERTEX_PLACES] = 0
                del self._vertices[handle]
        for handle, (ready, numbers) in list(self._textures.items()):
            if not bound.is_plain(handle, ready):
                self._suspend(numbers)
                del self._textures[handle]
        for handle, (shader, numbers) in list(self._pixel_shaders.items()):
            if context.pixel_shaders.get(handle) is not shader:
                self._suspend(numbers)
                del self._pixel_shaders[handle]

    def _suspend(self, numbers: set[int]) -> None:
        """These states are not to be used until they are bound again."""
        for number in numbers:
            self._usable -= int(self._row["usable"][number])
            self._row["usable"][number] = 0

    # ---- the loop
    @property
    def ready(self) -> bool:
        """Whether there is something to draw without Python, and nobody who wants to see each draw."""
        device, drawing = self._device, self._drawing
        return (self._usable > 0 or device.skipped is not None) and not JIT_DISABLED and not (
            device.tap or device.checks or device.follower or device.registers.log is not None
            or drawing.described is not None or drawing.only or drawing.stop_after)  # fmt: skip

    def walk(self, stream: Stream, start: int, stop: int) -> int:
        """Carries records start..stop-1 of a stream out; returns the first that Python has to do, or `stop`."""
        registers, drawing = self._device.registers, self._drawing
        if not self._linked:
            self._row["walk"], self._row["vertex_half"], self._row["set_up"] = self._entries()
            self._linked = True
        while True:
            status, wanted, done = self._loop(stream, start, stop)
            registers.changes += done > start
            if status == FULL:
                drawing.relieve()
            elif status == ROOM and drawing.target is not None:
                drawing.target.batch.make_room(wanted)
            else:
                return done
            start = done

    @staticmethod
    def _entries() -> tuple[int, int, int]:
        return walk_entry(), address_of(vertex_half, VERTEX_HALF), address_of(set_up, SET_UP)

    def _loop(self, stream: Stream, start: int, stop: int) -> tuple[int, int, int]:
        """(status, primitives that want room, the first record that is not done)."""
        drawing, registers = self._drawing, self._device.registers
        target, geometry, lights = drawing.target, drawing.geometry, drawing.light_slots()
        if target is None:
            return 0, 0, registers.walk(stream.commands, stream.records, start, stop, stream.first_seq)
        batch, held = target.batch, target.batch.arenas
        references, count = geometry.lend(lights.size)
        address, size = (0, 0) if (user := stream.user_memory) is None else (user.ctypes.data, user.size)
        skipped = 0 if (marks := self._device.skipped) is None else marks.ctypes.data
        HEAD.pack_into(
            self._head, 0, *drawing.handles, self._kind(), self._last, 0, skipped, address, size, references, count,
            batch.waiting, batch.floats, held.edges.size, held.planes.size, 0, drawing.most_waiting, batch.columns,
            drawing.first_seq, drawing.last_seq,
        )  # fmt: skip
        done = walk_draws(
            self._record, geometry.work, registers.vector, registers.fast_lights, stream.commands, stream.records,
            states.PYTHON_STATE, registers.log_words, lights, self._keys, geometry.indices, geometry.vertices,
            geometry.position_rows, geometry.codes, geometry.primitives, geometry.fates, batch.states, held.edges, held.planes,
            batch.counts, self._out, start, stop, stream.first_seq,
        )  # fmt: skip
        found: tuple[Any, ...] = HEAD.unpack_from(self._head)
        self._last, (drawing.first_seq, drawing.last_seq) = found[3], found[17:19]
        batch.take(found[10], found[11])
        return found[4], found[14], done
