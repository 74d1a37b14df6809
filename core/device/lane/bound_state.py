"""The pixel half's state of a draw: updates the bound textures and builds the PIXEL_STATE."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.device.device import PixelShader
from core.device.lane.draw_facts import MOST_STATES
from core.device.memory.color_keys import key_mask
from core.device.memory.surfaces import Surface
from core.device.memory.textures import Block, HeapFull
from core.pipeline.draw_state.bind import bind_pixel_state, bound_from
from core.pipeline.pixel.binned import States
from core.pipeline.records.texture import TEXTURE
from core.spec import slots
from core.spec.states import RENDER_STATE_ID

if TYPE_CHECKING:
    from core.device.device import Device
    from core.device.lane.target import Target

COLOROP_DISABLE = 1
NO_W_BUFFER = "ZENABLE = USEW without a range (WINFO): z is used"
NO_SHADER = PixelShader(None, [])
NO_TEXTURE = b""
_COLORKEYENABLE = RENDER_STATE_ID["COLORKEYENABLE"]
_STAGES = slots.TEXTURE_STAGE


class Ready(NamedTuple):
    """A texture without a palette as it was bound last."""

    surface: Surface
    block: Block
    version: int
    lod: int
    key: bytes  # its TEXTURE record

    def holds(self, surface: Surface | None) -> bool:
        """Whether binding the surface (what the handle names now) would come to the same."""
        return (surface is self.surface and surface.version == self.version and surface.heap_block is self.block
                and surface.lod == self.lod and not surface.palette)  # fmt: skip


class BoundState:
    """What draws are bound to: textures by handle, states by what they were made from, of any target."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.target: Target | None = None
        self.states = States(MOST_STATES)
        self.blocks: dict[int, Block] = {}  # what a logged batch reads of the texture heap, by place
        self._bound: tuple[Any, ...] | None = None  # what `_number` is the state of
        self._number = -1
        self._texture_of: list[Surface | None] = [None] * 8
        self._texture_keys: list[bytes] = [NO_TEXTURE] * 8  # their TEXTURE records
        self._ready: dict[int, Ready] = {}  # by handle
        self.generation = 0  # of the states' numbers: counts how often they restarted
        self._numbers: dict[Any, tuple[int, Any]] = {}  # of states, by what they were bound from
        self._fed_back: set[int] = set()  # surfaces reported as texture and target at once
        self._key_texture: Surface | None = None  # core.device.memory.color_keys.key_mask of stage 0's
        self.reported_w = False  # that a w-buffer is not possible

    def draw_to(self, target: Target | None) -> None:
        """Another target."""
        self.target, self._bound = target, None

    def forget(self) -> None:
        """Nothing that was bound is valid any more, and nothing waits."""
        self.draw_to(None)
        self.blocks = {}
        self._ready.clear()
        self.forget_states()

    def forget_states(self) -> None:
        """All states have to be rebuilt; nothing waits."""
        self._bound, self.generation = None, self.generation + 1
        self._numbers.clear()
        self.states.clear()

    def number(self, target: Target, seq: int, offset: int) -> int:
        """The number of the present state, bound again if anything has changed; -1 if nothing can be drawn."""
        shader = self._pixel_shader(seq, offset)
        if shader is not None and shader.program is None:
            return -1
        self._bind_textures(shader, seq, offset)
        key = self._device.registers.changes, self._texture_versions()
        if key != self._bound:
            self._bind(target, shader.program if shader is not None else None, seq, offset)
            self._bound = key
        if self._device.tap is not None:
            bound = [s.heap_block for s in (*self._texture_of, self._key_texture) if s is not None]
            self.blocks |= {block.words.first: block for block in bound}
        return self._number

    def _bind(self, target: Target, program: Any, seq: int, offset: int) -> None:
        """Finds the present state, or makes it."""
        vector, color_key = self._device.registers.vector, self._color_key()
        key = target.kind, *bound_from(vector, self._texture_keys, program)
        if color_key is None and (known := self._numbers.get(key)) is not None:
            self._number = known[0]
            return
        self._number = self.states.new()
        if color_key is None:
            self._numbers[key] = self._number, program  # while it lives no other program has its id
        array = self.states.array
        refused = bind_pixel_state(vector, self._textures(), target.record, array, self._number, program, color_key)
        if refused and not self.reported_w:
            self.reported_w = True
            self._device.find("unimplemented-state", seq, NO_W_BUFFER, offset)

    def _color_key(self) -> np.ndarray | None:
        """TEXTURE[1] that is 0 where the texture of stage 0 has its source colour key; None if the draw has no use for it."""
        surface, self._key_texture = self._texture_of[0], None
        if surface is None or surface.color_key is None or not self._device.registers.render_state(_COLORKEYENABLE):
            return None
        self._key_texture = mask = key_mask(surface)
        return None if mask is None else self._device.heap.bind(mask, None, 0)

    # ---- what depends on handles only
    def plain_textures(self) -> list[Ready]:
        """Those textures of the present state that depend on nothing but handles and versions: no keys, palettes, feedback."""
        found = []
        for handle in filter(None, self.handles()):
            if (ready := self._ready.get(handle)) is not None and self.is_plain(handle, ready):
                found.append(ready)
        return found

    def is_plain(self, handle: int, ready: Ready) -> bool:
        """Whether a texture is still as it was bound, and nothing else about it matters."""
        surface, target = ready.surface, self.target
        return ready.holds(self._device.memory.surfaces.get(handle)) and surface.color_key is None and not (
            target is not None and target.has(surface))  # fmt: skip

    def handles(self) -> Iterable[int]:
        """Handles of the textures that a draw with the present state may read, 0 for none."""
        shader = self._present_shader()
        return () if shader is not None and shader.program is None else self._handles(shader)

    def _handles(self, shader: PixelShader | None) -> Iterable[int]:
        """Handles of the textures that a draw may read."""
        used = self.used_stages(shader)
        bound = self._device.registers.vector[_STAGES : _STAGES + 32 * used.bit_length() : 32].tolist()
        return [handle if used >> i & 1 else 0 for i, handle in enumerate(bound)]

    # ---- shaders
    def _present_shader(self) -> PixelShader | None:
        handle = int(self._device.registers.vector[slots.PIXEL_SHADER])
        return self._device.context.pixel_shaders.get(handle, NO_SHADER) if handle else None

    def _pixel_shader(self, seq: int, offset: int) -> PixelShader | None:
        """The current pixel shader; None for the texture stages. One that cannot be used has no program."""
        shader = self._present_shader()
        if shader is not None and shader.program is None:
            handle = int(self._device.registers.vector[slots.PIXEL_SHADER])
            self._device.find("bad-shader", seq, f"pixel shader {handle:#x} is unusable", offset)
        return shader

    def used_stages(self, shader: PixelShader | None) -> int:
        """Bits of the stages whose textures a draw may read."""
        if shader is not None:
            return sum(1 << stage for stage in shader.program.textures)
        used = 0
        vector = self._device.registers.vector
        for i, operation in enumerate(vector[_STAGES + 1 : _STAGES + 256 : 32].tolist()):
            if operation == COLOROP_DISABLE:
                break
            used |= 1 << i
        return used

    # ---- textures
    def _textures(self) -> np.ndarray:
        """TEXTURE[8] of the bound ones."""
        return np.frombuffer(b"".join([key or bytes(TEXTURE.itemsize) for key in self._texture_keys]), TEXTURE).copy()

    def _texture_versions(self) -> list[int]:
        return [surface.version if surface is not None else 0 for surface in self._texture_of]

    def _bind_textures(self, shader: PixelShader | None, seq: int, offset: int) -> None:
        surfaces, target = self._device.memory.surfaces, self.target
        bound: list[Surface | None] = [None] * 8
        self._texture_of, self._texture_keys = bound, (keys := [NO_TEXTURE] * 8)
        assert target is not None
        for i, handle in enumerate(self._handles(shader)):
            if not handle:
                continue
            ready = self._ready.get(handle)
            if ready is not None and ready.holds(surfaces.get(handle)) and not target.has(ready.surface):
                bound[i], keys[i] = ready.surface, ready.key
            elif (surface := self._texture(handle, seq, offset)) is not None:
                self._bind_texture(i, surface, target, seq, offset)

    def _bind_texture(self, i: int, surface: Surface, target: Target, seq: int, offset: int) -> None:
        device = self._device
        palette = device.palette_of(surface)
        version = palette.version if palette else 0
        if device.checks and palette is None and surface.format.family == "palette":
            device.find("palette-missing", seq, f"surface {surface.handle} has no palette", offset)
        drawn = target.has(surface)
        if drawn and surface.handle not in self._fed_back:
            self._fed_back.add(surface.handle)
            device.find("feedback", seq, f"surface {surface.handle} is both texture and render target", offset)
        if len(target.batch) and (drawn or device.heap.stale(surface, version)):
            device.flush()
        try:
            key = device.heap.bind(surface, palette.colors if palette else None, version).tobytes()
        except HeapFull as full:
            device.find("bad-texture", seq, str(full), offset)
            return
        self._texture_of[i], self._texture_keys[i] = surface, key
        if palette is None and surface.format.family != "palette":
            self._ready[surface.handle] = Ready(surface, surface.heap_block, surface.version, surface.lod, key)

    def _texture(self, handle: int, seq: int, offset: int) -> Surface | None:
        surface = self._device.memory.surfaces.get(handle)
        if surface is None:
            self._device.find("bad-texture", seq, f"no texture {handle}", offset)
            return None
        shadow = surface.format.family == "depth" and surface.faces == 1 and not surface.volume
        if surface.samples or not (surface.format.texture or shadow):
            self._device.find("bad-texture", seq, f"surface {handle}, {surface.format.name}, cannot be sampled", offset)
            return None
        return surface
