"""Drawing: the device's way from a bound state and a range of vertices to pixels.

The vertex half runs at once (a later event may change the buffers); primitives wait in a core.pipeline.draw.Batch until
something needs the pixels: another target, a texture whose texels would change under waiting draws, a clear, a copy, a
lock, a read. This module brings all kernels with it: it is imported at the first draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.device import states
from core.device.color_keys import key_mask
from core.device.device import PixelShader
from core.device.draw_checks import watch_positions, watch_streams
from core.device.surfaces import Level, Surface
from core.device.textures import Block, HeapFull
from core.pipeline.bind import bind_pixel_state, bound_from
from core.pipeline.draw import Batch
from core.pipeline.fetch import VertexLayout, compile_fvf
from core.pipeline.geometry import Geometry, tessellated_arguments
from core.pipeline.layout import describe_target, from_blocks, plane_words, to_blocks
from core.pipeline.npatch import tessellate_npatches, wants_npatches
from core.pipeline.patch import (
    ReadRectPatch,
    ReadTriPatch,
    Tessellation,
    control_points,
    default_segments,
    edge_style_is_continuous,
)
from core.pipeline.texels import TEXTURE
from core.spec.enums import PrimitiveType
from core.spec.states import RENDER_STATE_ID

if TYPE_CHECKING:
    from core.device.device import Device, Stream

MOST_PRIMITIVES = 1 << 17  # in a batch
LOGGED_PRIMITIVES = 1 << 13  # in a batch that is logged: what one look back may have to draw again
MOST_STATES = 256
COLOROP_DISABLE = 1
NO_W_BUFFER = "ZENABLE = USEW without a range (WINFO): z is used"
NO_SHADER = PixelShader(None, [])
NO_TEXTURE = b""
ONE, INFINITY = 0x3F800000, 0x7F800000
_PATCHSEGMENTS = states.RENDER_STATE + RENDER_STATE_ID["PATCHSEGMENTS"]
_COLORKEYENABLE = RENDER_STATE_ID["COLORKEYENABLE"]
_STREAMS = states.STREAM
_STAGES = states.TEXTURE_STAGE


class DrawArguments(NamedTuple):
    """What the vertex half is asked for a draw: process(vector, layout, **arguments), inspect_vertices likewise.

    Of an N-patch draw these are the flat triangles; of a patch, its control points as a list of points.  `curved` is then
    what the tessellator made of them.
    """

    vector: np.ndarray
    layout: VertexLayout
    arguments: dict[str, Any]
    curved: Tessellation | None = None

    @property
    def drawn(self) -> DrawArguments:
        """The draw that reaches the vertex pipeline: the tessellated triangles of a curved one."""
        if self.curved is None:
            return self
        rest = {name: self.arguments[name] for name in ("program", "light_slots")}
        return DrawArguments(self.vector, self.curved.layout, {**tessellated_arguments(self.curved), **rest})


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


class Target:
    """The pair of surfaces that a batch draws to; `depth` is None when there is none that fits."""

    def __init__(self, color: Level | None, depth: Level | None) -> None:
        shape = color or depth
        assert shape is not None
        self.color, self.depth = color, depth
        self.width, self.height, self.planes = shape.width, shape.height, shape.planes
        self.record = describe_target(
            self.width, self.height, color.format if color else None, depth.format if depth else None, self.planes
        )
        self.batch = Batch(self.width, self.height, self.planes)
        self.words = plane_words(self.width, self.height) * self.planes
        self.same_tiles = depth is None or (depth.width + 63) // 64 == (self.width + 63) // 64

    def depth_words(self) -> np.ndarray | None:
        """The depth surface in the target's tiles, to be drawn into."""
        if self.depth is None:
            return None
        if self.same_tiles:
            return self.depth.write_blocks()
        planes = self.depth.blocks().reshape(self.planes, -1)
        cut = [
            to_blocks(from_blocks(plane, self.depth.width, self.depth.height)[: self.height, : self.width]) for plane in planes
        ]
        return np.concatenate(cut)

    def put_depth(self, words: np.ndarray | None) -> None:
        """Takes back what depth_words gave out."""
        if self.depth is None or self.same_tiles or words is None:
            return
        whole = self.depth.write_blocks().reshape(self.planes, -1)
        for plane, drawn in zip(whole, words.reshape(self.planes, -1), strict=True):
            picture = from_blocks(plane, self.depth.width, self.depth.height)
            picture[: self.height, : self.width] = from_blocks(drawn, self.width, self.height)
            plane[:] = to_blocks(picture)


class Drawing:
    """The device's draw path: geometry, the batch that waits, and the states it was bound from."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.geometry = Geometry()
        self.described: list[DrawArguments] | None = None  # collects draws instead of drawing them
        self.target: Target | None = None
        self._handles: tuple[int, int] = (-1, -1)
        self._bound: tuple[Any, ...] | None = None
        self._state = -1
        self._texture_of: list[Surface | None] = [None] * 8
        self._texture_keys: list[bytes] = [NO_TEXTURE] * 8  # their TEXTURE records
        self._ready: dict[int, Ready] = {}  # by handle
        self._states: dict[Any, tuple[int, Any]] = {}  # of the batch, by what they were bound from
        self._blocks: dict[int, Block] = {}  # what the batch reads of the texture heap, by place
        self._first_seq = self._last_seq = 0
        self._fed_back: set[int] = set()  # surfaces told to be texture and target at once
        self._key_texture: Surface | None = None  # core.device.color_keys.key_mask of stage 0's
        self._told_w = False  # that a w-buffer cannot be
        self._lights: tuple[int, np.ndarray] = (-1, np.zeros(0, np.int64))
        self.only: tuple[int, int] | None = None  # first and last primitive of each draw that are drawn
        self.stop_after: tuple[int, int] | None = None  # (event, primitive): what that event draws later is left out

    # ---- the batch ---------------------------------------------------------------------------------------
    def flush(self) -> None:
        """Draws what waits."""
        target = self.target
        if target is None or not len(target.batch):
            if target is not None:
                target.batch.clear()
                self._bound, self._blocks = None, {}
            return
        color = target.color.write_blocks() if target.color else None
        depth = target.depth_words()
        tap = self.device.tap
        watch = tap.watch(target.color, target.depth, target.width, target.words) if tap is not None else None
        if watch is not None and watch.log:
            watch.holds = self.device.heap.lend(self._blocks.values())
        self._blocks = {}
        target.batch.run(color, depth, self.device.heap.words, self.device.threads, watch)
        target.put_depth(depth)
        if watch is not None and tap is not None:
            tap.drawn(target.color, target.depth, self._first_seq, self._last_seq, watch, target.batch.columns)
        self._bound = None

    def drop(self) -> None:
        """Forgets what waits; surfaces are about to be replaced."""
        if self.target is not None:
            self.target.batch.clear()
        self.rebind()

    def rebind(self) -> None:
        """Nothing that was bound is valid any more."""
        self.target, self._handles, self._bound, self._blocks = None, (-1, -1), None, {}
        self._ready.clear()
        self._lights = (-1, self._lights[1])

    # ---- one draw ----------------------------------------------------------------------------------------
    def draw(
        self, stream: Stream, seq: int, offset: int, kind: int, count: int, layout: VertexLayout | None,
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
            "light_slots": self._light_slots(), **more,
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
            layout = curved.layout
            made = self.geometry.process_tessellation(vector, curved, arguments["program"], arguments["light_slots"])
        else:
            made = self.geometry.process(vector, layout, **arguments)
        if self.device.checks:
            watch_positions(self.device, seq, offset, self.geometry, made[0])
        self._collect(target, seq, offset, made, layout)

    @staticmethod
    def _curve(vector: np.ndarray, layout: VertexLayout, arguments: dict[str, Any]) -> Tessellation | None:
        """N-patches: curved triangles instead of flat ones; None where nothing asks for them."""
        if not (ONE < int(vector[_PATCHSEGMENTS]) < INFINITY and wants_npatches(vector, layout, arguments["kind"])):
            return None
        rest = {name: value for name, value in arguments.items() if name not in ("program", "light_slots", "edge_flags")}
        return tessellate_npatches(vector, layout, **rest)

    def draw_patch(
        self,
        stream: Stream,
        seq: int,
        offset: int,
        patch: ReadRectPatch | ReadTriPatch,
        segments: list[float] | None,
        edges: int,
    ) -> None:
        """A patch with these segment counts (None: those of the render state). Raises BadInput."""
        vector = self.device.registers.vector
        target = self._current_target(seq, offset)
        if target is None:
            return
        tessellation = patch.tessellate(segments or default_segments(vector, edges), edge_style_is_continuous(vector))
        if self.described is not None:
            points = control_points(patch)
            more = {"program": self._program(), "light_slots": self._light_slots()}
            arguments = {**tessellated_arguments(points), "kind": PrimitiveType.POINTLIST, **more}
            self.described.append(DrawArguments(vector.copy(), points.layout, arguments, tessellation))
            return
        made = self.geometry.process_tessellation(vector, tessellation, self._program(), self._light_slots())
        self._collect(target, seq, offset, made, tessellation.layout)

    def _collect(self, target: Target, seq: int, offset: int, made: tuple[int, int], layout: VertexLayout) -> None:
        """Adds what the vertex half has made to the batch."""
        geometry, (vertices, count) = self.geometry, made
        if geometry.elements_outside or geometry.indices_outside or geometry.cut_short:
            self._tell_outside(seq, offset)
        tap = self.device.tap
        if tap is not None:
            tap.assembled((target.color, target.depth), seq, self.device.registers.vector, layout, geometry)
        if not count:
            return
        state = self._pixel_state(target, seq, offset)
        batch = target.batch
        if state < 0:
            return
        if not len(batch):
            self._first_seq = seq
        self._last_seq = seq
        primitives = geometry.primitives[:count]
        if self.stop_after is not None and self.stop_after[0] == seq:
            primitives = primitives[primitives["number"] <= self.stop_after[1]]
        if self.only is not None:
            primitives = primitives[(primitives["number"] >= self.only[0]) & (primitives["number"] <= self.only[1])]
        waiting = len(batch)
        batch.add(geometry.vertices[:vertices], primitives, state, seq)
        if tap is not None and tap.census is not None:
            drawn = batch.edges["number"][waiting:]
            tap.census.set_up(seq, geometry, primitives, batch.states, state, drawn)
        logging = tap is not None and tap.log
        if len(batch) > (LOGGED_PRIMITIVES if logging else MOST_PRIMITIVES) or batch.state_count >= MOST_STATES:
            self.flush()

    def _tell_outside(self, seq: int, offset: int) -> None:
        geometry = self.geometry
        if geometry.elements_outside:
            self.device.find(
                "vertex-range", seq, f"{geometry.elements_outside} vertex elements lie outside of their stream", offset
            )
        if geometry.indices_outside:
            self.device.find("vertex-range", seq, f"{geometry.indices_outside} indices lie outside of the index buffer", offset)
        if geometry.cut_short:
            self.device.find("bad-draw", seq, "the draw names more vertices than its buffers have", offset)

    # ---- vertex half -------------------------------------------------------------------------------------
    def layout(self, seq: int, offset: int) -> VertexLayout | None:
        """The layout of the current vertex shader or format; None (and a finding) without a usable one."""
        handle = int(self.device.registers.vector[states.VERTEX_SHADER])
        if handle & 1:
            shader = self.device.context.vertex_shaders.get(handle)
            if shader is None or shader.declaration is None:
                self.device.find("bad-shader", seq, f"vertex shader {handle:#x} cannot be used", offset)
                return None
            return shader.declaration
        if not handle:
            self.device.find("bad-draw", seq, "no vertex shader and no vertex format", offset)
            return None
        return compile_fvf(handle)

    def _program(self) -> np.ndarray | None:
        handle = int(self.device.registers.vector[states.VERTEX_SHADER])
        shader = self.device.context.vertex_shaders.get(handle) if handle & 1 else None
        return shader.program if shader is not None else None

    def streams(self, stream: Stream, layout: VertexLayout) -> list[np.ndarray | None]:
        """The bytes of each bound stream that the layout reads."""
        vector, buffers = self.device.registers.vector, self.device.memory.buffers
        found: list[np.ndarray | None] = [None] * states.STREAMS
        for i in layout.streams:
            handle, _, user = vector[_STREAMS + 3 * i : _STREAMS + 3 * i + 3].tolist()
            if user:
                found[i] = stream.user_memory
            elif (buffer := buffers.get(handle)) is not None:
                found[i] = buffer.contents
        return found

    def _light_slots(self) -> np.ndarray:
        lights = self.device.registers.light_slot
        if self._lights[0] != len(lights):
            self._lights = len(lights), np.array([lights[n] for n in sorted(lights)], np.int64)
        return self._lights[1]

    # ---- target ------------------------------------------------------------------------------------------
    def _current_target(self, seq: int, offset: int) -> Target | None:
        vector = self.device.registers.vector
        handles = int(vector[states.RENDER_TARGET]), int(vector[states.DEPTH_STENCIL])
        if handles != self._handles or self.target is None:
            self.flush()
            self._handles, self._bound = handles, None
            self.target = self._open_target(handles, seq, offset)
        return self.target

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
            find(
                "target-mismatch", seq, f"depth surface {depth.width} x {depth.height} {depth.format.name} does not fit", offset
            )
            depth = None
        return Target(color, depth)

    # ---- pixel half --------------------------------------------------------------------------------------
    def _pixel_state(self, target: Target, seq: int, offset: int) -> int:
        """The number of the bound state in the batch, bound anew when anything has changed; -1: the draw cannot be."""
        shader = self._pixel_shader(seq, offset)
        if shader is not None and shader.program is None:
            return -1
        self._bind_textures(shader, seq, offset)
        key = self.device.registers.changes, self._texture_versions()
        if key != self._bound or self._state >= target.batch.state_count:
            self._bind(target, shader.program if shader is not None else None, seq, offset)
            self._bound = key
        return self._state

    def _bind(self, target: Target, program: Any, seq: int, offset: int) -> None:
        """Makes the present state one of the batch's, if it is none of them."""
        vector, batch, color_key = self.device.registers.vector, target.batch, self._color_key()
        if not batch.state_count:
            self._states.clear()
        key = bound_from(vector, self._texture_keys, program)
        if color_key is None and (known := self._states.get(key)) is not None:
            self._state = known[0]
            return
        self._state = batch.new_state()
        if color_key is None:
            self._states[key] = self._state, program  # while it lives no other program has its id
        refused = bind_pixel_state(vector, self._textures(), target.record, batch.states, self._state, program, color_key)
        if refused and not self._told_w:
            self._told_w = True
            self.device.find("unimplemented-state", seq, NO_W_BUFFER, offset)
        self._blocks |= {s.heap_block.first: s.heap_block for s in (*self._texture_of, self._key_texture) if s is not None}

    def _color_key(self) -> np.ndarray | None:
        """TEXTURE[1] that is 0 where the texture of stage 0 has its source colour key; None if the draw has no use for it."""
        surface, self._key_texture = self._texture_of[0], None
        if surface is None or surface.color_key is None or not self.device.registers.render_state(_COLORKEYENABLE):
            return None
        self._key_texture = mask = key_mask(surface)
        return None if mask is None else self.device.heap.bind(mask, None, 0)

    def _pixel_shader(self, seq: int, offset: int) -> PixelShader | None:
        """The current pixel shader; None for the texture stages. One that cannot be used has no program."""
        handle = int(self.device.registers.vector[states.PIXEL_SHADER])
        if not handle:
            return None
        shader = self.device.context.pixel_shaders.get(handle, NO_SHADER)
        if shader.program is None:
            self.device.find("bad-shader", seq, f"pixel shader {handle:#x} cannot be used", offset)
        return shader

    def _textures(self) -> np.ndarray:
        """TEXTURE[8] of the bound ones."""
        return np.frombuffer(b"".join([key or bytes(TEXTURE.itemsize) for key in self._texture_keys]), TEXTURE).copy()

    def _texture_versions(self) -> list[int]:
        return [surface.version if surface is not None else 0 for surface in self._texture_of]

    def _bind_textures(self, shader: PixelShader | None, seq: int, offset: int) -> None:
        used, surfaces = self._used_stages(shader), self.device.memory.surfaces
        bound: list[Surface | None] = [None] * 8
        self._texture_of, self._texture_keys = bound, (keys := [NO_TEXTURE] * 8)
        for i, handle in enumerate(self.device.registers.vector[_STAGES : _STAGES + 32 * used.bit_length() : 32].tolist()):
            if not handle or not used >> i & 1:
                continue
            ready = self._ready.get(handle)
            if ready is not None and ready.holds(surfaces.get(handle)) and not self._is_target(ready.surface):
                bound[i], keys[i] = ready.surface, ready.key
            elif (surface := self._texture(handle, seq, offset)) is not None:
                self._bind_texture(i, surface, seq, offset)

    def _bind_texture(self, i: int, surface: Surface, seq: int, offset: int) -> None:
        device = self.device
        palette = device.palette_of(surface)
        version = palette.version if palette else 0
        if self.device.checks and palette is None and surface.format.family == "palette":
            device.find("palette-missing", seq, f"surface {surface.handle} has no palette", offset)
        drawn = self._is_target(surface)
        if drawn and surface.handle not in self._fed_back:
            self._fed_back.add(surface.handle)
            device.find("feedback", seq, f"surface {surface.handle} is texture and render target", offset)
        if self.target is not None and len(self.target.batch) and (drawn or device.heap.stale(surface, version)):
            self.flush()
        try:
            key = device.heap.bind(surface, palette.colors if palette else None, version).tobytes()
        except HeapFull as full:
            device.find("bad-texture", seq, str(full), offset)
            return
        self._texture_of[i], self._texture_keys[i] = surface, key
        if palette is None and surface.format.family != "palette":
            self._ready[surface.handle] = Ready(surface, surface.heap_block, surface.version, surface.lod, key)

    def _is_target(self, surface: Surface) -> bool:
        """Whether the batch draws to the surface."""
        target = self.target
        if target is None:
            return False
        color, depth = target.color, target.depth
        return (color is not None and color.surface is surface) or (depth is not None and depth.surface is surface)

    def _texture(self, handle: int, seq: int, offset: int) -> Surface | None:
        surface = self.device.memory.surfaces.get(handle)
        if surface is None:
            self.device.find("bad-texture", seq, f"no texture {handle}", offset)
            return None
        shadow = surface.format.family == "depth" and surface.faces == 1 and not surface.volume
        if surface.samples or not (surface.format.texture or shadow):
            self.device.find("bad-texture", seq, f"surface {handle}, {surface.format.name}, cannot be sampled", offset)
            return None
        return surface

    def _used_stages(self, shader: PixelShader | None) -> int:
        """Bits of the stages whose textures a draw may read."""
        if shader is not None:
            return sum(1 << stage for stage in shader.program.textures)
        used = 0
        vector = self.device.registers.vector
        for i, operation in enumerate(vector[_STAGES + 1 : _STAGES + 256 : 32].tolist()):
            if operation == COLOROP_DISABLE:
                break
            used |= 1 << i
        return used
