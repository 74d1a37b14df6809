"""The device: memory, one register vector per context, findings, and the listeners.

It holds state; core.device.execute executes tokens on it.  Draws may wait to be drawn: whoever reads or changes memory asks
for that first (`flush`, `level`, `before_write`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from core.device.findings import Finding, finding
from core.device.memory.handles import Memory
from core.device.memory.surfaces import Buffer, Surface, SurfacePart
from core.device.memory.textures import TextureHeap
from core.device.memory.transfer import Box
from core.device.registers.vector import Registers
from core.spec import slots

if TYPE_CHECKING:
    from core.device.past.tap import Tap

MOST_FINDINGS = 10_000
Within = tuple[frozenset[int], tuple[int, int, int, int]]
"""Of subresources with these handles, only the pixels of the rectangle matter."""


@dataclass(slots=True)
class CommandBuffer:
    """A command buffer, its records (core.device.registers.records.RECORD), and the user memory vertices of the call.

    Record n is event first_seq + n.
    """

    commands: np.ndarray
    records: np.ndarray
    first_seq: int = 0
    vertices: np.ndarray | None = None  # uint8, from the first vertex on, padded
    vertex_bytes: int = 0
    vertex_type: int = 0
    vertex_stride: int = 0
    buffer: memoryview = field(init=False)
    user_memory: np.ndarray | None = field(init=False)  # the vertices without padding

    def __post_init__(self) -> None:
        self.buffer = memoryview(self.commands)  # type: ignore[arg-type]
        self.user_memory = None if self.vertices is None else self.vertices[: self.vertex_bytes]


@dataclass(slots=True)
class VertexShader:
    """A vertex shader handle: declaration and program, decoded.

    `constants`: (register, dwords) to load when it becomes current.
    """

    declaration: Any
    program: Any
    constants: list[tuple[int, np.ndarray]]
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class PixelShader:
    """A pixel shader handle: program, decoded; `constants` as above."""

    program: Any
    constants: list[tuple[int, np.ndarray]]
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Palette:
    """256 entries as A8R8G8B8, in the form the sampler's decoder takes."""

    colors: np.ndarray
    alpha: bool
    version: int


def attached(entries: bytes) -> Palette:
    """A palette of DirectDraw from its PALETTEENTRYs; its flags are no alpha."""
    given = np.frombuffer(entries, "<u4")
    red, green, blue = given & np.uint32(255), given >> np.uint32(8) & np.uint32(255), given >> np.uint32(16) & np.uint32(255)
    colors = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    return Palette(colors, False, hash(entries) | 1)


class Context:
    """What ContextCreate makes: registers, and the shaders that are alive."""

    def __init__(self, handle: int, interface: int = 0) -> None:
        self.handle, self.interface = handle, interface
        self.registers = Registers()
        self.vertex_shaders: dict[int, VertexShader] = {}
        self.pixel_shaders: dict[int, PixelShader] = {}
        self.palette_alpha: dict[int, bool] = {}
        self.patches: dict[int, Any] = {}

    def snapshot(self) -> tuple:
        """Everything as a value."""
        return (
            self.registers.snapshot(), dict(self.vertex_shaders), dict(self.pixel_shaders), dict(self.palette_alpha),
            dict(self.patches),
        )  # fmt: skip

    def restore(self, state: tuple) -> None:
        """Takes what `snapshot()` returned."""
        self.registers.restore(state[0])
        self.vertex_shaders, self.pixel_shaders, self.palette_alpha, self.patches = (dict(part) for part in state[1:])


class Waiting(Protocol):
    """Draws that have been collected (core.device.lane.lane)."""

    def flush(self) -> None:
        """Draws them."""

    def drop(self) -> None:
        """Forgets them, and all that is bound: surfaces are about to be replaced."""

    def rebind(self) -> None:
        """Nothing that was bound is valid any more, and nothing waits."""

    def abandon(self) -> None:
        """Forgets them, and all that was built for drawing; the next draw rebuilds it."""


class Device:
    """The machine behind the driver.

    `draws` False: only state is followed (no draw, clear or copy changes memory); the timeline's walk.
    `decode_vertex_shader(declaration, code)` and `decode_pixel_shader(code)` come from the driver, which knows shader code.
    """

    def __init__(self, threads: int = 1, draws: bool = True) -> None:
        self.memory = Memory()
        self.heap = TextureHeap()
        self.contexts: dict[int, Context] = {}
        self.context = Context(0)
        self.draws = draws
        self.findings: list[Finding] = []
        self.threads = threads
        self._tap: Tap | None = None
        self.skipped: np.ndarray | None = None  # bool[events], contiguous: draws, clears and copies to leave out
        self.cleared: Within | None = None  # what of which subresources clears must fill; None: all
        self.waiting: Waiting | None = None  # what draws; None before the first draw
        self.shortages = 0  # how often there was no memory left: from the first one on contents may not be what they should
        self.decode_vertex_shader: Callable[[np.ndarray, np.ndarray], VertexShader] = _no_decoder
        self.decode_pixel_shader: Callable[[np.ndarray], PixelShader] = _no_decoder
        self.checks = False  # look for broken rules that need the contents of buffers
        self.clip_limits: tuple[float, float, float, float] | None = None  # of transformed vertices, where programs must clip
        self.chain: list[int] = []  # presentation chain, primary first

    @property
    def tap(self) -> Tap | None:
        """Sets the listener for writes to surfaces; for draws, from the next one on."""
        return self._tap

    @tap.setter
    def tap(self, tap: Tap | None) -> None:
        self.flush()
        self._tap = tap

    @property
    def registers(self) -> Registers:
        """The registers of the current context."""
        return self.context.registers

    def find(self, rule: str, seq: int, text: str, offset: int = -1) -> None:
        """Reports a finding."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding(rule, seq, text, offset))

    def select(self, context: Context) -> None:
        """Makes a context the current one."""
        if context is not self.context:
            self.flush()
            self.context = context
            if self.waiting is not None:
                self.waiting.rebind()

    def start_context(self, target: int, depth: int, seq: int) -> None:
        """The first state of the current context: its surfaces, and a viewport that covers the render target."""
        registers = self.registers
        self.note(seq, "targets", self.context, registers.targets)
        registers.write(slots.RENDER_TARGET, [target, depth], seq)
        part = self.memory.part(target)
        if part is not None:
            registers.write(slots.VIEWPORT, [0, 0, part.width, part.height], seq)

    def changes_memory(self, seq: int) -> bool:
        """Whether an event that copies or fills is to do so."""
        return self.draws and (self.skipped is None or not self.skipped[seq])

    # ---- draws that wait
    def forget(self, handle: int) -> Surface | Buffer | None:
        """Ends what a handle names, a whole surface or a buffer; returns it."""
        self.flush()
        owner = self.memory.owner(handle)
        gone = self.memory.destroy(owner[0].handle if owner else handle)
        if isinstance(gone, Surface):
            self.heap.forget(gone)
            if self.waiting is not None:
                self.waiting.rebind()  # the handle may come back as another surface
        return gone

    def flush(self) -> None:
        """Carries out all draws that have been collected.  Raises MemoryError, after `recover`, and Cancelled: `give_up`."""
        if self.waiting is None:
            return
        try:
            self.waiting.flush()
        except MemoryError:
            self.recover()
            raise

    def recover(self) -> None:
        """The computer has no memory left: draws that waited are lost, everything built for drawing is rebuilt."""
        self.shortages += 1
        if self.waiting is not None:
            self.waiting.abandon()
        if self._tap is not None:
            self._tap.lose()
        for surface in self.memory.surfaces.values():
            self.heap.forget(surface)
        with suppress(MemoryError):
            self.heap = TextureHeap()

    def renew(self) -> None:
        """Draws what waits; what was built for drawing is rebuilt: somebody who changes it had no memory left."""
        with suppress(MemoryError):
            self.flush()
        if self.waiting is not None:
            self.waiting.abandon()

    def give_up(self) -> None:
        """Forgets queued work and the listener: contents are half drawn until the caller restores others."""
        self._tap = None
        if self.waiting is not None:
            self.waiting.drop()

    def before_write(self, part: SurfacePart, seq: int, *boxes: Box) -> None:
        """Something other than a draw is about to change boxes of a subresource (none: all of it).

        Waiting draws go first; notifies the tap.
        """
        self.flush()
        if self.tap is not None:
            self.tap.overwriting(part, seq, boxes or None)

    def note(self, seq: int, table: str, key: Any, before: Any) -> None:
        """Something other than contents is about to change (core.device.past.tap.Note); notifies the tap."""
        if self.tap is not None:
            self.tap.note(seq, table, key, before)

    # ---- looking (core.device.past.reading.DeviceView)
    @property
    def surfaces(self) -> dict[int, Surface]:
        """By root handle."""
        return self.memory.surfaces

    @property
    def targets(self) -> tuple[int, int]:
        """The handles of the render target and the depth surface."""
        return self.registers.targets

    def stand_in(self) -> int:
        """0: what is presented next; what was copied to is known of the past only."""
        return 0

    def owner(self, handle: int) -> tuple[Surface, int, int] | None:
        """(surface, level, face) of a handle."""
        return self.memory.owner(handle)

    def level(self, part: SurfacePart) -> SurfacePart:
        """A subresource, drawn up to date."""
        self.flush()
        return part

    # ---- palettes
    def palette_of(self, surface: Surface) -> Palette | None:
        """The palette bound to a surface; None without."""
        held = surface.palette
        return attached(held[1]) if isinstance(held, tuple) else self.palette(self.context, held)

    def palette(self, context: Context, handle: int) -> Palette | None:
        """A context's palette; None if there is no such one."""
        slot = context.registers.palette_slot.get(handle) if handle else None
        if slot is None:
            return None
        entries = context.registers.vector[slot : slot + 256]
        alpha = context.palette_alpha.get(handle, False)
        red, green, blue = (
            entries & np.uint32(255),
            entries >> np.uint32(8) & np.uint32(255),
            entries >> np.uint32(16) & np.uint32(255),
        )
        top = entries & np.uint32(0xFF000000) if alpha else np.uint32(0xFF000000)
        colors = red << np.uint32(16) | green << np.uint32(8) | blue | top
        return Palette(colors, alpha, hash(colors.tobytes()) | 1)

    # ---- snapshots
    def snapshot(self) -> tuple:
        """Everything as a value; cheap: contents are shared until written."""
        self.flush()
        contexts = [(context, context.snapshot()) for context in self.contexts.values()]
        return self.memory.snapshot(), contexts, self.context, self.context.snapshot(), list(self.chain)

    def restore(self, state: tuple) -> None:
        """Takes what `snapshot()` returned."""
        if self.waiting is not None:
            self.waiting.drop()
        memory, contexts, current, current_state, chain = state
        for surface in self.memory.restore(memory):
            self.heap.forget(surface)
        self.contexts = {context.handle: context for context, _ in contexts}
        for context, contents in contexts:
            context.restore(contents)
        self.context = current
        current.restore(current_state)
        self.chain = list(chain)


def _no_decoder(*_: Any) -> Any:
    raise ValueError("the device has no shader decoder")
