"""What random programs draw with: a device of one of the versions, common states, textures, lights, and draws."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from core.runtime.d3d7 import D3DDP_PTRSTRIDE, D3DDRAWPRIMITIVESTRIDEDDATA, DDPIXELFORMAT, DDSCAPS2, Object7
from core.spec.enums import SurfaceCaps
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from tests.scenes7.kit import D16, D24S8, RGB16, RGB32
from tests.wine.programs7 import (
    OFFSCREEN,
    TARGET,
    TEXTURE,
    VIDEO,
    ZBUFFER,
    pixels,
    surface,
    write,
)  # fmt: skip

WIDTH, HEIGHT = 64, 48
XYZ, XYZRHW, NORMAL, RESERVED, DIFFUSE, SPECULAR = 0x2, 0x4, 0x10, 0x20, 0x40, 0x80
WORLD, VIEW, PROJECTION, TEXTURE0 = 1, 2, 3, 16
DXT1, DXT3, DXT5 = (DDPIXELFORMAT(32, 4, int.from_bytes(name, "little")) for name in (b"DXT1", b"DXT3", b"DXT5"))


def bits(number: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


OF_SAMPLER = frozenset({
    "ADDRESS", "ADDRESSU", "ADDRESSV", "MAGFILTER", "MINFILTER", "MIPFILTER", "MIPMAPLODBIAS", "MAXMIPLEVEL", "MAXANISOTROPY",
    "BORDERCOLOR",
})  # fmt: skip


@dataclass
class Stage:
    """A device of a version, its target, and what scenes make for it."""

    rec: Any
    chance: Random
    version: int = 7
    form: DDPIXELFORMAT = RGB32
    depth_form: DDPIXELFORMAT | None = None
    kept: list[Any] = field(default_factory=list)
    is_recording: bool = False

    def __post_init__(self) -> None:
        rec, suffix = self.rec, {7: "7", 3: "4", 2: "4"}[self.version]
        self.draw = rec.draw if self.version == 7 else rec.query(rec.draw, f"IDirectDraw{suffix}")
        self.d3d = rec.query(self.draw, f"IDirect3D{self.version}")
        self.target = surface(rec, OFFSCREEN | TARGET | VIDEO, WIDTH, HEIGHT, self.form, draw=self.draw)
        if self.depth_form is not None:
            self.depth = surface(rec, ZBUFFER | VIDEO, WIDTH, HEIGHT, self.depth_form, draw=self.draw)
            self.target.AddAttachedSurface(self.depth)
        given = rec.query(self.target, "IDirectDrawSurface") if self.version == 2 else self.target
        self.device = self.d3d.CreateDevice(None, given)
        if self.version < 7:
            self.viewport = self.d3d.CreateViewport()
            self.device.AddViewport(self.viewport)
            self.viewport.SetViewport2((44, 0, 0, WIDTH, HEIGHT, -1.0, 1.0, 2.0, 2.0, 0.0, 1.0))
            self.device.SetCurrentViewport(self.viewport)

    def clear(self) -> None:
        flags = 1 | (2 if self.depth_form is not None else 0) | (4 if self.depth_form is D24S8 else 0)
        color, z, stencil = self.chance.getrandbits(24), self.chance.choice((1.0, 1.0, 0.6)), self.chance.randrange(4)
        if self.version == 7:
            self.device.Clear(0, None, flags, color, z, stencil)
        elif self.version == 3:
            self.viewport.Clear2(1, [(0, 0, WIDTH, HEIGHT)], flags, color, z, stencil)
        else:
            self.viewport.Clear(1, [(0, 0, WIDTH, HEIGHT)], flags & 3)

    def state(self, name: str, value: int | float) -> None:
        self.device.SetRenderState(RENDER_STATE_ID[name], bits(value) if isinstance(value, float) else int(value))

    def stage(self, number: int, name: str, value: int | float) -> None:
        given = bits(value) if isinstance(value, float) else int(value)
        if self.is_recording and name in OF_SAMPLER:  # Wine 8.0 sets them at once
            return
        self.device.SetTextureStageState(number, TEXTURE_STAGE_STATE_ID[name], given)

    def texture(self, form: DDPIXELFORMAT, width: int, height: int, levels: int = 0, caps2: int = 0, few: int = 0) -> Object7:
        """A texture of noise; levels beyond the first by GetAttachedSurface."""
        caps = TEXTURE | (int(SurfaceCaps.MIPMAP | SurfaceCaps.COMPLEX) if levels else 0)
        made = surface(self.rec, caps | (0 if caps2 & 0x20010 else VIDEO), width, height, form, caps2, levels, self.draw)
        one = made
        for level in range(max(levels, 1)):
            if level:
                one = one.GetAttachedSurface(DDSCAPS2(TEXTURE | int(SurfaceCaps.MIPMAP)))
            wide, high = max(width >> level, 1), max(height >> level, 1)
            if form.dwFlags & 4:
                size = 8 if form is DXT1 else 16
                write(one, pixels(self.chance, -(-wide // 4) * size, -(-high // 4), 8))
            else:
                write(one, self.soft(wide, high, form, few))
        return made

    def soft(self, width: int, height: int, form: DDPIXELFORMAT, few: int) -> np.ndarray:
        return pixels(self.chance, width, height, form.dwRGBBitCount, few)

    # ---- vertices ----------------------------------------------------------------------------------

    def vertices(self, format: int, count: int) -> np.ndarray:
        """Random vertices of a format; placed ones in front of the eye of `camera`."""
        chance, parts = self.chance, []
        for _ in range(count):
            if format & XYZRHW == XYZRHW:
                w = chance.uniform(0.5, 4)
                parts.append(
                    struct.pack(
                        "<4f", chance.uniform(-8, WIDTH + 8), chance.uniform(-8, HEIGHT + 8), chance.uniform(0, 1), 1 / w
                    )
                )
            else:
                parts.append(struct.pack("<3f", chance.uniform(-2, 2), chance.uniform(-2, 2), chance.uniform(-2, 2)))
            if format & NORMAL:
                normal = np.array([chance.uniform(-1, 1) for _ in range(3)])
                parts.append(struct.pack("<3f", *(normal / np.linalg.norm(normal))))
            if format & RESERVED:
                parts.append(bytes(4))
            for bit in (DIFFUSE, SPECULAR):
                if format & bit:
                    parts.append(struct.pack("<I", chance.getrandbits(32)))
            for _ in range(format >> 8 & 15):
                parts.append(struct.pack("<2f", chance.uniform(-0.5, 2), chance.uniform(-0.5, 2)))
        return np.frombuffer(b"".join(parts), np.uint8)

    def camera(self) -> float:
        """Matrices of world, view and projection; the factor by which the world grows."""
        chance = self.chance
        angle, tilt = chance.uniform(0, 6.28), chance.uniform(-1, 1)
        turn = np.array(
            [[math.cos(angle), 0, -math.sin(angle), 0], [0, 1, 0, 0], [math.sin(angle), 0, math.cos(angle), 0], [0, 0, 0, 1]]
        )
        tip = np.array(
            [[1, 0, 0, 0], [0, math.cos(tilt), math.sin(tilt), 0], [0, -math.sin(tilt), math.cos(tilt), 0], [0, 0, 0, 1]]
        )
        scale = chance.uniform(0.5, 1.5)
        world = turn @ tip @ np.diag([scale] * 3 + [1])
        view = np.identity(4)
        view[3, :3] = chance.uniform(-0.5, 0.5), chance.uniform(-0.5, 0.5), chance.uniform(2, 6)
        near, far = 1.0, 12.0
        projection = np.array(
            [[1.2, 0, 0, 0], [0, 1.6, 0, 0], [0, 0, far / (far - near), 1], [0, 0, -near * far / (far - near), 0]]
        )
        for number, matrix in ((WORLD, world), (VIEW, view), (PROJECTION, projection)):
            self.device.SetTransform(number, matrix)
        if chance.random() < 0.2:
            more = np.identity(4)
            more[3, 0] = chance.uniform(-0.5, 0.5)
            self.device.MultiplyTransform(chance.choice((WORLD, VIEW)), more)
        return scale

    # ---- draws -------------------------------------------------------------------------------------

    def draw_some(self, format: int, flags: int = 0) -> None:
        """One draw, one way or another."""
        chance, device = self.chance, self.device
        kind = chance.choice((4, 4, 5, 6))
        count = chance.choice((3, 6, 9)) if kind == 4 else chance.randint(3, 7)
        data = self.vertices(format, count)
        way = chance.random()
        indices = np.array([chance.randrange(count) for _ in range(chance.choice((3, 6, 9)))], np.uint16)
        if self.version == 2:
            number = {0x112: 1, 0x1E2: 2, 0x1C4: 3}[format]
            if way < 0.6:
                device.DrawPrimitive(kind, number, data, count, flags)
            else:
                device.DrawIndexedPrimitive(kind, number, data, count, indices, len(indices), flags)
        elif way < 0.4:
            device.DrawPrimitive(kind, format, data, count, flags)
        elif way < 0.65:
            device.DrawIndexedPrimitive(kind, format, data, count, indices, len(indices), flags)
        elif way < 0.8:
            strided = self.strided(format, data, count)
            if way < 0.72:
                device.DrawPrimitiveStrided(kind, format, strided, count, flags)
            else:
                device.DrawIndexedPrimitiveStrided(kind, format, strided, count, indices, len(indices), flags)
        else:
            self.draw_buffer(kind, format, data, count, indices if way > 0.9 else None, flags)

    def draw_buffer(self, kind: int, format: int, data: np.ndarray, count: int, indices: Any, flags: int) -> None:
        buffer = self.buffer(format, data, count)
        if indices is None:
            self.device.DrawPrimitiveVB(kind, buffer, 0, count, flags)
        elif self.version == 7:
            self.device.DrawIndexedPrimitiveVB(kind, buffer, 0, count, indices, len(indices), flags)
        else:
            self.device.DrawIndexedPrimitiveVB(kind, buffer, indices, len(indices), flags)

    def buffer(self, format: int, data: np.ndarray, count: int) -> Object7:
        made: Object7 = self.d3d.CreateVertexBuffer((16, 0x800, format, count), 0)
        made.Lock(0)[:] = data
        made.Unlock()
        return made

    def strided(self, format: int, data: np.ndarray, count: int) -> D3DDRAWPRIMITIVESTRIDEDDATA:
        rows, place, found = data.reshape(count, -1), 0, {}
        sizes = [("position", 16 if format & XYZRHW == XYZRHW else 12), ("normal", 12 * bool(format & NORMAL)),
                 ("diffuse", 4 * bool(format & DIFFUSE)), ("specular", 4 * bool(format & SPECULAR))]  # fmt: skip
        for name, size in sizes:
            if size:
                found[name] = D3DDP_PTRSTRIDE(rows[:, place : place + size].tobytes(), size)
            place += size
        sets = []
        for _ in range(format >> 8 & 15):
            sets.append(D3DDP_PTRSTRIDE(rows[:, place : place + 8].tobytes(), 8))
            place += 8
        coordinates = (*sets, *(D3DDP_PTRSTRIDE() for _ in range(8 - len(sets))))
        return D3DDRAWPRIMITIVESTRIDEDDATA(**found, textureCoords=coordinates)

    def begin(self) -> None:
        self.clear()
        self.state("CULLMODE", 1)
        self.device.BeginScene()

    def finish(self) -> None:
        self.device.EndScene()
        self.rec.read(self.target)


ROUNDS = int(
    os.environ.get("DDI_ROUNDS", "4")
)  # of clearing, setting, drawing and reading in a program: it is devices that take time


def in_rounds(some: Callable[[Stage], None], version: int = 7, depth: bool = True) -> Callable[[Any, Random], None]:
    """A program of several rounds, each of which meets the states of those before."""

    def play(rec: Any, chance: Random) -> None:
        stage = begun(rec, chance, version, depth)
        for number in range(ROUNDS):
            if number:
                stage.begin()
            some(stage)
            stage.finish()

    play.__doc__ = some.__doc__
    return play


def begun(rec: Any, chance: Random, version: int = 7, depth: bool = True) -> Stage:
    form = chance.choice((RGB32, RGB32, RGB16))
    stage = Stage(rec, chance, version, form, chance.choice((None, D16, D24S8)) if depth else None)
    stage.begin()
    return stage


def common_states(stage: Stage) -> None:
    """Depth, blending, alpha test, stencil."""
    chance, state = stage.chance, stage.state
    if stage.depth_form is not None:
        state("ZENABLE", chance.choice((0, 1, 1)))
        state("ZWRITEENABLE", chance.randrange(2))
        state("ZFUNC", chance.randint(1, 8))
    if chance.random() < 0.3:
        state("ALPHABLENDENABLE", 1)
        state("SRCBLEND", chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)))
        state("DESTBLEND", chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10)))
    if chance.random() < 0.2:
        state("ALPHATESTENABLE", 1)
        state("ALPHAREF", chance.choice((0, 64, 128, 255)))
        state("ALPHAFUNC", chance.randint(1, 8))
    if stage.depth_form is D24S8 and stage.version != 2 and chance.random() < 0.5:
        state("STENCILENABLE", 1)
        state("STENCILFUNC", chance.randint(1, 8))
        state("STENCILREF", chance.randrange(4))
        state("STENCILMASK", chance.choice((0xFFFFFFFF, 3, 1)))
        state("STENCILWRITEMASK", chance.choice((0xFFFFFFFF, 2)))
        for name in ("STENCILFAIL", "STENCILZFAIL", "STENCILPASS"):
            state(name, chance.randint(1, 8))
    if chance.random() < 0.2:
        state("SHADEMODE", 1)
    if chance.random() < 0.2:
        state("CULLMODE", chance.randint(2, 3))


def draw_with_blocks(stage: Stage, some: Callable[[], None], count: int, limits: Sequence[float], format: int) -> None:
    """State blocks: recorded, created of each type, applied, captured, deleted; a draw after each.

    `some` sets states; `limits` say how often it is recorded, a block is created, states are set, a block applied and captured:
    below which random number each is the choice.
    """
    chance, device, held = stage.chance, stage.device, list[int]()
    record, create, change, apply, capture = limits
    for _ in range(count):
        what = chance.random()
        if what < record:
            device.BeginStateBlock()
            stage.is_recording = True
            some()
            stage.is_recording = False
            held.append(device.EndStateBlock())
        elif what < create:
            held.append(device.CreateStateBlock(chance.randint(1, 3)))
        elif what < change:
            some()
        elif held and what < apply:
            device.ApplyStateBlock(chance.choice(held))
        elif held and what < capture:
            device.CaptureStateBlock(chance.choice(held))
        elif held:
            device.DeleteStateBlock(held.pop(chance.randrange(len(held))))
        stage.draw_some(format)


def fog(stage: Stage, lowest: float = 0.0, highest: float = 1.0, table: bool = True) -> None:
    chance, state = stage.chance, stage.state
    state("FOGENABLE", 1)
    state("FOGCOLOR", chance.getrandbits(24))
    start = chance.uniform(lowest, highest)
    state("FOGSTART", start)
    state("FOGEND", chance.uniform(start, highest * 1.2) + 0.05)
    state("FOGDENSITY", chance.uniform(0.1, 0.8) / max(highest, 1))
    if table and chance.random() < 0.5:
        state("FOGTABLEMODE", chance.randint(0, 3))
    elif stage.version == 7:
        state("FOGVERTEXMODE", chance.randint(0, 3))
        if chance.random() < 0.3:
            state("RANGEFOGENABLE", 1)


def light(chance: Random) -> list[Any]:
    kind = chance.randint(1, 3)
    direction = np.array([chance.uniform(-1, 1) for _ in range(3)])
    direction /= np.linalg.norm(direction)
    inner = chance.uniform(0.1, 1.2)
    colors = [[chance.random() for _ in range(3)] + [chance.random()] for _ in range(3)]
    place = [chance.uniform(-3, 3) for _ in range(3)]
    return [kind, *colors, place, direction.tolist(), chance.uniform(1, 20), chance.uniform(0.5, 2), chance.uniform(0.1, 1),
            chance.uniform(0, 0.5), chance.uniform(0, 0.1), inner, inner + chance.uniform(0.05, 1)]  # fmt: skip
