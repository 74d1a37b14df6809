"""What tests/bench/raster.py draws: shapes, states by scene, and a frame of 2,000 draws, as batches and as driver calls."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.ddi.calls import DdiCall  # noqa: E402
from core.ddi.driver.emulated import EmulatedDriver  # noqa: E402
from core.ddi.stream import dp2  # noqa: E402
from core.ddi.stream.shader_assemble import assemble  # noqa: E402
from core.ddi.stream.shader_code import program  # noqa: E402
from core.pipeline.draw_state.bind import bind_pixel_state  # noqa: E402
from core.pipeline.draw_state.pixel_program import compile_pixel_program  # noqa: E402
from core.pipeline.records.layout import describe_target  # noqa: E402
from core.pipeline.records.primitives import PRIMITIVE, PROVOKING_SHIFT, VERTEX_FLOATS  # noqa: E402
from core.pipeline.records.texture import TEXTURE, TextureKind  # noqa: E402
from core.pipeline.surface.formats.texels import describe_texture  # noqa: E402
from core.spec.enums import Blend, CmpFunc, FogMode, StencilOp, TextureArg, TextureFilter, TextureOp  # noqa: E402
from core.spec.slots import slot  # noqa: E402
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID  # noqa: E402
from tests.core.pipeline.raster_kit import BY_NAME, Kit, triangles, vertex  # noqa: E402

WIDTH, HEIGHT, LAYERS, PATCHES = 1024, 768, 8, 2000
TEXELS, LEVELS = 256, 9
SHADER = """ps_1_1
tex t0
tex t1
mul r0, t0, v0
mad r0.rgb, t1, c0, r0
+mul r0.a, t0, t1
lrp r0, v0, r0, t1"""


@dataclass(frozen=True)
class Fill:
    """The states of a scene: textures in use, and what differs from plain Gouraud shading with a depth buffer."""

    textures: int = 0
    levels: int = 1
    repeat: float = 1.0  # of the texture coordinates
    samples: int = 1
    shader: bool = False
    states: tuple[tuple[str, int], ...] = ()
    stage: tuple[tuple[str, int], ...] = ()  # of stage 0


BLENDED = (("ALPHABLENDENABLE", 1), ("SRCBLEND", Blend.SRCALPHA), ("DESTBLEND", Blend.INVSRCALPHA), ("FOGENABLE", 1),
           ("FOGTABLEMODE", FogMode.NONE), ("FOGCOLOR", 0x8099B2))  # fmt: skip
TESTED = (("ALPHATESTENABLE", 1), ("ALPHAFUNC", CmpFunc.GREATER), ("ALPHAREF", 64), ("STENCILENABLE", 1),
          ("STENCILFUNC", CmpFunc.GREATEREQUAL), ("STENCILREF", 8), ("STENCILMASK", 255), ("STENCILWRITEMASK", 255),
          ("STENCILZFAIL", StencilOp.INCRSAT), ("STENCILPASS", StencilOp.INCRSAT))  # fmt: skip
FACTOR = (("COLOROP", TextureOp.SELECTARG1), ("ALPHAOP", TextureOp.SELECTARG1), ("COLORARG1", TextureArg.TFACTOR),
          ("ALPHAARG1", TextureArg.TFACTOR))  # fmt: skip
FILLS = {
    "z only": Fill(states=(("COLORWRITEENABLE", 0),)),
    "flat+z": Fill(stage=FACTOR),
    "gouraud+z": Fill(),
    "bilinear x diffuse+z": Fill(1),
    "trilinear x diffuse+z": Fill(1, levels=LEVELS, repeat=4.0),
    "2 tex+blend+fog": Fill(2, states=BLENDED),
    "ps_1_1": Fill(2, shader=True),
    "alpha test+stencil": Fill(1, states=TESTED),
    "gouraud+z, 4 samples": Fill(samples=4),
}
CYCLE = ("gouraud+z", "bilinear x diffuse+z", "2 tex+blend+fog")  # of the frame's draws


def large() -> tuple[np.ndarray, np.ndarray]:
    """Eight layers of two triangles, nearer and nearer, in perspective."""
    shape = []
    for layer in range(LAYERS):
        z = (0.9 - 1.6 * layer / LAYERS) * 0.5 + 0.5
        q = [vertex(fx * WIDTH, fy * HEIGHT, z, 1 / (1 + 0.5 * fy), (fx, fy, 1 - fx, 0.3 + 0.5 * fy), fog=0.2 + 0.7 * fy)
             for fy in (0, 1) for fx in (0, 1)]  # fmt: skip
        for i, v in enumerate(q):
            v[16:18], v[20:22] = (i & 1) * 4, (i & 1) * 2 + 0.1
            v[17], v[21] = (i >> 1) * 3, (i >> 1) * 2
        shape += [q[i] for i in (0, 1, 2, 2, 1, 3)]
    return np.stack(shape), triangles(2 * LAYERS)


def indexed(index: np.ndarray) -> np.ndarray:
    """PRIMITIVE records of an indexed triangle list."""
    items = np.zeros(len(index), PRIMITIVE)
    items["vertex"], items["number"] = index, np.arange(len(index))
    items["flags"] = index[:, 0] << PROVOKING_SHIFT
    return items


def small() -> tuple[np.ndarray, np.ndarray]:
    """A grid of triangles of ten pixels."""
    cell = 4.472
    columns, rows = int(WIDTH / cell), int(HEIGHT / cell)
    y, x = np.mgrid[0 : rows + 1, 0 : columns + 1].astype(np.float32)
    v = np.zeros((rows + 1, columns + 1, VERTEX_FLOATS), np.float32)
    v[..., 0], v[..., 1], v[..., 2], v[..., 3] = x * cell, y * cell, 0.5, 1
    fx, fy = x * cell / WIDTH, y * cell / HEIGHT
    v[..., 4], v[..., 5], v[..., 6], v[..., 7], v[..., 12] = fx, fy, 1 - fx, 0.5, fy
    v[..., 16], v[..., 17], v[..., 20], v[..., 21] = fx * 4, fy * 3, fx * 2, fy * 2
    a = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).reshape(-1, 1)
    b, c, d = a + 1, a + columns + 1, a + columns + 2
    return v.reshape(-1, VERTEX_FLOATS), indexed(np.hstack([a, b, c, c, b, d]).reshape(-1, 3))


def texels() -> np.ndarray:
    """Noise for all levels."""
    noise = np.arange(TEXELS * TEXELS * 2, dtype=np.uint64)
    return ((noise * 2654435761) ^ ((noise >> 3) * 40503)).astype(np.uint32)


class FillKit(Kit):
    """A 1024x768 A8R8G8B8 + D24S8 target whose states are those of a scene."""

    def __init__(self, scene: str) -> None:
        super().__init__(WIDTH, HEIGHT, depth_format="D24S8", samples=FILLS[scene].samples, memory=texels())
        self.set(ZENABLE=1, ZFUNC=CmpFunc.LESSEQUAL, ZWRITEENABLE=1, MULTISAMPLEANTIALIAS=1, TEXTUREFACTOR=0xFF336699)
        code = assemble(SHADER)
        self.program = compile_pixel_program(program(code), int(code[0]))
        self.prepare(scene)

    def prepare(self, scene: str) -> int:
        """Binds the states of a scene; the number of the state in the batch."""
        self.fill = fill = FILLS[scene]
        registers, self.textures = self.registers.copy(), np.zeros(8, TEXTURE)
        for i in range(8):
            self._stage(i, fill)
        self.set(**dict(fill.states))
        constant = slot(("PSCONST", 0))
        self.registers[constant : constant + 4] = np.array([0.25, 0.5, 0.75, 1.0], np.float32).view(np.uint32)
        state = self.batch.new_state()
        target = describe_target(WIDTH, HEIGHT, BY_NAME["A8R8G8B8"], BY_NAME["D24S8"], self.samples)
        bind_pixel_state(self.registers, self.textures, target, self.batch.states, state, self.program if fill.shader else None)
        self.registers = registers
        return state

    def _stage(self, i: int, fill: Fill) -> None:
        operation = TextureOp.MODULATE if i < fill.textures else TextureOp.DISABLE
        states = {
            "COLOROP": operation, "ALPHAOP": operation, "COLORARG1": TextureArg.TEXTURE, "COLORARG2": TextureArg.CURRENT,
            "ALPHAARG1": TextureArg.TEXTURE, "ALPHAARG2": TextureArg.CURRENT, "MAGFILTER": TextureFilter.LINEAR,
            "MINFILTER": TextureFilter.LINEAR, "MIPFILTER": TextureFilter.LINEAR if fill.levels > 1 else TextureFilter.NONE,
        }  # fmt: skip
        for name, value in {**states, **(dict(fill.stage) if i == 0 else {})}.items():
            self.put(("TEXTURESTAGE", i, name), value)
        if i < fill.textures:
            sizes = [(TEXELS >> n) ** 2 for n in range(fill.levels)]
            starts = np.cumsum([0, *sizes[:-1]]).reshape(1, -1)
            describe_texture(self.textures[i], TextureKind.PLANE, BY_NAME["A8R8G8B8"], (TEXELS, TEXELS, 1), starts)

    def clear(self) -> None:
        self.color[:], self.depth[:] = 0, 0xFFFFFF00 if self.fill.states == TESTED else 0xFFFFFFFF


def patches() -> list[np.ndarray]:
    """2,000 times the 36 vertices of a patch of 5 x 5 cells, somewhere."""
    random = np.random.default_rng(1)
    grid = np.stack(np.meshgrid(np.arange(6), np.arange(6)), -1).reshape(-1, 2).astype(np.float32) / 5
    found = []
    for _ in range(PATCHES):
        center, size, turn = random.uniform((0, 0), (WIDTH, HEIGHT)), random.uniform(12, 50), random.uniform(0, 6.3)
        around = (grid - 0.5) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * size + center
        v = np.zeros((36, VERTEX_FLOATS), np.float32)
        v[:, :2], v[:, 2], v[:, 3] = around, random.uniform(0.1, 0.9), 1 / random.uniform(1, 2)
        v[:, 4:7], v[:, 7], v[:, 12] = random.uniform(0, 1, (36, 3)), 0.5, 0.7
        v[:, 16:18], v[:, 20:22] = grid * 2, grid
        found.append(v)
    return found


CELLS = np.array([(b * 6 + a, b * 6 + a + 1, b * 6 + a + 6, b * 6 + a + 6, b * 6 + a + 1, b * 6 + a + 7)
                  for b in range(5) for a in range(5)]).reshape(-1, 3)  # fmt: skip


def peer_patches() -> bytes:
    """The patches as the Vertex records of llvmpipe.c, in clip space."""
    v = np.concatenate(patches())
    out, w = np.zeros((len(v), 16), np.float32), 1 / v[:, 3]
    out[:, 0], out[:, 1] = (v[:, 0] / WIDTH * 2 - 1) * w, (v[:, 1] / HEIGHT * 2 - 1) * w
    out[:, 2], out[:, 3] = (v[:, 2] * 2 - 1) * w, w
    out[:, 4:8], out[:, 8:10], out[:, 10:12], out[:, 12] = v[:, 4:8], v[:, 16:18], v[:, 20:22], v[:, 12]
    return out.tobytes()


class FrameDriver:
    """The frame as one DrawPrimitives2 call for a driver: state changes before each draw, one vertex and one index buffer."""

    def __init__(self, threads: int = 1) -> None:
        self.driver = EmulatedDriver(threads=threads)
        for handle, format, label in ((1, "A8R8G8B8", "render_target"), (2, "D24S8", "depth"), (3, "A8R8G8B8", "texture")):
            size = {"width": TEXELS, "height": TEXELS} if label == "texture" else {"width": WIDTH, "height": HEIGHT}
            self._call("CreateSurface", handle=handle, format=BY_NAME[format].id, label=label, **size)
        self._fill("Lock", "Unlock", texels()[: TEXELS * TEXELS].tobytes(), handle=3, box=None)
        self._call("ContextCreate", context=1, render_target=1, depth_stencil=2, width=WIDTH, height=HEIGHT, windowed=1)
        self._buffer(10, "vertex", self._vertices())
        self._buffer(11, "index", CELLS.astype(np.uint16).tobytes())
        self.clear = self._commands([("CLEAR", [(0, 0, WIDTH, HEIGHT)], {"flags": 3, "color": 0, "depth": 1.0, "stencil": 0})])
        self.frame = self._commands([*self._start(), *self._draws()])

    def run(self) -> None:
        """Draws the frame."""
        self.driver.call(self.frame)
        self.driver.device.flush()

    def wipe(self) -> None:
        """Clears both surfaces."""
        self.driver.call(self.clear)
        self.driver.device.flush()

    def _call(self, entry: str, data: dict[str, Any] | None = None, **args: Any) -> None:
        self.driver.call(DdiCall(entry, args, data or {}))

    def _fill(self, lock: str, unlock: str, contents: bytes, **args: Any) -> None:
        self._call(lock, **args, flags=0)
        self._call(unlock, {"contents": contents}, **args)

    def _buffer(self, handle: int, kind: str, contents: bytes) -> None:
        self._call("CreateD3DBuffer", handle=handle, size=len(contents), kind=kind)
        self._fill("LockD3DBuffer", "UnlockD3DBuffer", contents, handle=handle, offset=0, size=0)

    @staticmethod
    def _vertices() -> bytes:
        v = np.concatenate(patches())
        row = np.zeros(len(v), [("xyzrhw", "f4", 4), ("diffuse", "u4"), ("specular", "u4"), ("uv", "f4", 4)])
        row["xyzrhw"], row["uv"][:, :2], row["uv"][:, 2:] = v[:, :4], v[:, 16:18], v[:, 20:22]
        red, green, blue, alpha = (v[:, 4:8] * 255).astype(np.uint32).T
        row["diffuse"], row["specular"] = alpha << 24 | red << 16 | green << 8 | blue, 178 << 24
        return row.tobytes()

    @staticmethod
    def _commands(tokens: list[tuple]) -> DdiCall:
        stream = bytearray()
        for op, items, *fields in tokens:
            dp2.emit(stream, op, items, **(fields[0] if fields else {}))
        args = {"context": 1, "command_length": len(stream), "vertex_size": 40, "vertex_type": 0x2C4}
        return DdiCall("DrawPrimitives2", args, {"commands": bytes(stream)})

    @staticmethod
    def _start() -> list[tuple]:
        states = {"CULLMODE": 1, "LIGHTING": 0, "ZENABLE": 1, "ZFUNC": 4, "ZWRITEENABLE": 1, "FOGCOLOR": 0x8099B2}
        return [
            ("ZRANGE", [{"min": 0, "max": 1}]), ("SETVERTEXSHADER", [{"shader": 0x2C4}]), _render_states(states),
            ("SETSTREAMSOURCE", [{"stream": 0, "buffer": 10, "stride": 40}]), ("SETINDICES", [{"buffer": 11, "stride": 2}]),
        ]  # fmt: skip

    @staticmethod
    def _draws() -> list[tuple]:
        tokens: list[tuple] = []
        for i in range(PATCHES):
            number, blended = i % 3, i % 3 == 2
            stages = [{"stage": stage, "state": TEXTURE_STAGE_STATE_ID[name], "value": value} for stage in range(number)
                      for name, value in (("TEXTUREMAP", 3), ("COLOROP", 4), ("ALPHAOP", 4), ("COLORARG1", 2), ("COLORARG2", 1),
                                          ("ALPHAARG1", 2), ("ALPHAARG2", 1), ("MAGFILTER", 2), ("MINFILTER", 2))]  # fmt: skip
            stages.append({"stage": number, "state": TEXTURE_STAGE_STATE_ID["COLOROP"], "value": 1})
            states = {"ALPHABLENDENABLE": blended, "SRCBLEND": 5, "DESTBLEND": 6, "FOGENABLE": blended}
            draw = {"type": 4, "base": 36 * i, "min_index": 0, "vertex_count": 36, "start": 0, "count": 50}
            tokens += [("TEXTURESTAGESTATE", stages), _render_states(states), ("DRAWINDEXEDPRIMITIVE", [draw])]
        return tokens


def _render_states(states: dict[str, int]) -> tuple:
    return "RENDERSTATE", [{"state": RENDER_STATE_ID[name], "value": int(value)} for name, value in states.items()]
