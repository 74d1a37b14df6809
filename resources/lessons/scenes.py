"""The scenes of the lessons.  Each draws rightly, or with one bug; `self.broken` is read in one place of each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from core.runtime.d3d8 import PALETTEENTRY, IDirect3DDevice8
from core.spec.enums import (
    Blend,
    ClearFlag,
    CmpFunc,
    FogMode,
    Fvf,
    Pool,
    TextureOp,
    Usage,
)
from resources import shapes
from resources.canvas import LIT, float_bits, format_id
from resources.lessons.stage import Stage


class BlendFactor(Stage):
    """Three panes of coloured glass before a copper ring; the middle one forgets what is behind it."""

    GLASS = (0x80D04030, 0x8038B060, 0x803060D0)

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.ring = self.mesh(shapes.torus(1.0, 0.3, 32, 14), LIT)
        self.copper = self.texture(shapes.metal(64), mipmaps=True)

    def scene(self, time: float) -> None:
        self.camera((0.0, 1.9, -5.0), (0.0, 1.0, 0.0))
        self.sky()
        self.ground()
        self.device.SetTexture(0, self.copper)
        self.place(shapes.rotation_x(math.pi / 2.6) @ shapes.rotation_y(0.3 + time) @ shapes.translation(0.0, 1.1, 1.0))
        self.draw_mesh(self.ring)
        self.device.SetTexture(0, None)
        self.stage(0, COLOROP=TextureOp.SELECTARG2, ALPHAOP=TextureOp.SELECTARG2)
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, ZWRITEENABLE=0)
        for number, colour in enumerate(self.GLASS):
            forgets = self.broken and number == 1
            self.state(DESTBLEND=Blend.ZERO if forgets else Blend.INVSRCALPHA)
            self.board((1.3 * (number - 1), 0.0, -0.6), (1.15, 2.2), colour)


class AlphaTest(Stage):
    """A fence and two bushes, cut out of rectangles by their alpha; the fence is cut away."""

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.bush, self.fence = self.texture(bush(64)), self.texture(fence(64))

    def scene(self, time: float) -> None:
        self.camera((0.4 * math.sin(6.28 * time), 1.5, -5.2), (0.0, 1.0, 0.0))
        self.sky()
        self.ground()
        self.state(ALPHATESTENABLE=1, ALPHAFUNC=CmpFunc.GREATEREQUAL, ALPHAREF=0x80)
        self.device.SetTexture(0, self.bush)
        for x in (-1.9, 1.9):
            self.board((x, 0.0, 0.6), (1.9, 1.9))
        self.state(ALPHAREF=0xF0 if self.broken else 0x80)
        self.device.SetTexture(0, self.fence)
        self.board((0.0, 0.0, -0.4), (3.0, 1.5))
        self.state(ALPHATESTENABLE=0)


class ZFighting(Stage):
    """A poster on a wall, in the wall's own plane; nothing says which of them is in front."""

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.poster = self.texture(rays(64), mipmaps=True)

    def scene(self, time: float) -> None:
        self.camera((2.2 * math.sin(1 + 5 * time), 1.7, -4.6), (0.0, 1.3, 0.0))
        self.sky()
        self.ground()
        self.device.SetTexture(0, self.stone)
        self.board((0.0, 0.0, 0.5), (5.0, 2.9), 0xFFB8B0A8)
        self.device.SetTexture(0, self.poster)
        if not self.broken:
            self.state(ZBIAS=8)
        self.board((0.1, 0.5, 0.5), (2.3, 1.9))
        self.state(ZBIAS=0)


class UnsetStage(Stage):
    """Three crates, one texture; before one of them texture stage 0 is emptied."""

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.crate = self.mesh(shapes.cube(1.2), LIT)
        self.wood = self.texture(planks(64), mipmaps=True)

    def scene(self, time: float) -> None:
        self.camera((0.0, 2.0, -5.0), (0.0, 0.7, 0.0))
        self.sky()
        self.ground()
        for number in range(3):
            found = None if self.broken and number == 2 else self.wood  # a name that the loader does not know
            self.device.SetTexture(0, found)
            self.place(shapes.rotation_y(0.5 + number + time) @ shapes.translation(1.8 * (number - 1), 0.6, 0.4 * number))
            self.draw_mesh(self.crate)


class WrongFvf(Stage):
    """A ring with baked colours: its vertices have a normal, which their format leaves out."""

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        vertices, indices = shapes.torus(1.0, 0.42, 32, 16)
        self.baked = np.zeros((len(vertices), 9), np.float32)
        self.baked[:, :6], self.baked[:, 7:] = vertices[:, :6], vertices[:, 6:]
        shade = np.clip(0.35 + 0.65 * vertices[:, 4], 0, 1)
        self.baked.view(np.uint32)[:, 6] = shapes.argb(np.ones_like(shade), shade, shade * 0.8, 0.2 + 0.5 * shade)
        self.ring = self.mesh((self.baked, indices), Fvf(0))
        self.copper = self.texture(shapes.metal(64), mipmaps=True)

    def scene(self, time: float) -> None:
        self.camera((0.0, 2.2, -4.2), (0.0, 0.9, 0.0))
        self.sky()
        self.ground()
        self.state(LIGHTING=0)
        self.device.SetTexture(0, self.copper)
        left_out = Fvf(0) if not self.broken else Fvf.NORMAL
        self.device.SetVertexShader((Fvf.XYZ | Fvf.NORMAL | Fvf.DIFFUSE | Fvf.TEX1) & ~left_out)
        self.place(shapes.rotation_x(-0.6) @ shapes.rotation_y(time * 4) @ shapes.translation(0.0, 1.1, 0.4))
        self.draw_mesh(self.ring)
        self.state(LIGHTING=1)


class StaleTarget(Stage):
    """A knot is drawn into one of two textures by turns, and shown on a screen that only knows the first."""

    EDGE = 64

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.knot = self.mesh(shapes.knot(0.7, 0.2, 72, 8), LIT)
        self.copper = self.texture(shapes.metal(64), mipmaps=True)
        self.screens = [
            device.CreateTexture(self.EDGE, self.EDGE, 1, Usage.RENDERTARGET, format_id("X8R8G8B8"), Pool.DEFAULT)
            for _ in range(2)
        ]
        self.drawn = 0

    def scene(self, time: float) -> None:
        device, turn = self.device, shapes.rotation_y(time * 6) @ shapes.rotation_x(time * 2)
        back, depth = device.GetRenderTarget(), device.GetDepthStencilSurface()
        device.SetRenderTarget(self.screens[self.drawn % 2].GetSurfaceLevel(0), depth)
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF183048, 1.0, 0)
        self.camera((0.0, 0.0, -2.6), (0.0, 0.0, 0.0))
        device.SetVertexShader(LIT)
        device.SetTexture(0, self.copper)
        self.place(turn)
        self.draw_mesh(self.knot)
        device.SetRenderTarget(back, depth)
        device.Clear(0, None, ClearFlag.ZBUFFER, 0, 1.0, 0)
        self.camera((0.0, 1.6, -4.6), (0.0, 1.1, 0.0))
        self.sky()
        self.ground()
        device.SetTexture(0, self.copper)
        self.place(turn @ shapes.translation(-1.35, 1.2, 0.0))
        self.draw_mesh(self.knot)
        device.SetTexture(0, self.screens[0 if self.broken else self.drawn % 2])
        self.board((1.25, 0.3, 0.2), (2.1, 1.7))
        self.drawn += 1


class BadPalette(Stage):
    """A fire, a fall and a pool, all of palette indices; the pool is drawn with the colours of the fire."""

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.fire, self.fall, self.water = (self.indices(waves(64, seed)) for seed in (12, 13, 14))
        for number, colours in enumerate((embers(), water())):
            entries = [PALETTEENTRY(*map(int, row), 255) for row in colours]
            device.SetPaletteEntries(number, entries)
        self.pool = self.mesh(shapes.grid(3.4, 2, 2.0), LIT)

    def indices(self, image: np.ndarray) -> Any:
        texture = self.device.CreateTexture(image.shape[1], image.shape[0], 1, 0, format_id("P8"), Pool.MANAGED)
        texture.LockRect(0, None, 0)[: image.shape[0], : image.shape[1]] = image
        texture.UnlockRect(0)
        return texture

    def scene(self, time: float) -> None:
        self.camera((0.0, 2.4, -4.8), (0.0, 0.8, 0.0))
        self.sky()
        self.ground()
        for x, palette, texture in ((-1.7, 0, self.fire), (1.7, 1, self.fall)):
            self.device.SetTexture(0, texture)
            self.device.SetCurrentTexturePalette(palette)
            self.board((x, 0.0, 1.4), (1.3, 1.8))
        self.device.SetTexture(0, self.water)
        self.device.SetCurrentTexturePalette(0 if self.broken else 1)
        self.device.SetVertexShader(LIT)
        self.place(shapes.rotation_y(0.4 + 0.3 * time) @ shapes.translation(0.6, 0.05, -0.6))
        self.draw_mesh(self.pool)


class FogOnPanels(Stage):
    """Hills in fog, and a compass on the screen: transformed vertices, which the fog swallows."""

    background = 0xFFB0BCC4

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.hill = self.mesh(shapes.ball(2.2, 20, 12), LIT)

    def scene(self, time: float) -> None:
        self.camera((0.0, 2.0, -6.0), (0.6 * math.sin(6.28 * time), 1.2, 0.0))
        self.state(FOGENABLE=1, FOGCOLOR=self.background, FOGVERTEXMODE=FogMode.LINEAR,
                   FOGSTART=float_bits(4.0), FOGEND=float_bits(15.0))  # fmt: skip
        self.ground()
        for x, z in ((-4.0, 2.0), (0.0, 7.0), (4.0, 4.0)):
            self.place(shapes.translation(x, -0.6, z))
            self.draw_mesh(self.hill)
        if not self.broken:
            self.state(FOGENABLE=0)
        self.state(ZENABLE=0, LIGHTING=0)
        self.panel((20, 196, 300, 224), [0xFF203040] * 4)
        for number in range(9):
            height = 18 if number % 4 == 0 else 10
            self.panel((38 + number * 30, 219 - height, 42 + number * 30, 219), [0xFFF0D060] * 4)
        self.state(FOGENABLE=0)


class MissingLevel(Stage):
    """A runway whose texture has seven levels; one of them is never filled."""

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device, broken)
        self.strip = self.levels(shapes.tiles(64), left_out=2 if broken else None)
        self.runway = self.mesh(shapes.grid(24.0, 12, 12.0), LIT)

    def levels(self, image: np.ndarray, left_out: int | None) -> Any:
        """A texture with all levels but one."""
        count = int(math.log2(len(image))) + 1
        texture = self.device.CreateTexture(image.shape[1], image.shape[0], count, 0, format_id("A8R8G8B8"), Pool.MANAGED)
        for level in range(count):
            if level != left_out:
                texture.LockRect(level, None, 0).view(np.uint32)[: len(image), : len(image)] = image
                texture.UnlockRect(level)
            image = shapes.half_size(image) if len(image) > 1 else image
        return texture

    def scene(self, time: float) -> None:
        self.camera((0.0, 1.2, -9.0 + time), (0.0, 0.7, 0.0))
        self.sky()
        self.device.SetVertexShader(LIT)
        self.device.SetTexture(0, self.strip)
        self.place(shapes.identity())
        self.draw_mesh(self.runway)


# ---- pictures ---------------------------------------------------------------------------------------------------------


def _square(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates 0..1 of texel centres."""
    y, x = (np.mgrid[:size, :size] + 0.5) / size
    return x, y


def bush(size: int) -> np.ndarray:
    """A round bush: alpha 1 inside, 0 outside."""
    x, y = _square(size)
    leaf = shapes.noise((size, size), 4, 3)
    inside = np.hypot(x - 0.5, (y - 0.55) * 1.05) + 0.16 * (leaf - 0.5) < 0.42
    return shapes.argb(inside * 1.0, 0.10 + 0.25 * leaf, 0.25 + 0.55 * leaf, 0.08 + 0.15 * leaf)


def fence(size: int) -> np.ndarray:
    """Pales and two rails; alpha 0.9 where there is wood."""
    x, y = _square(size)
    pale = np.abs((x * 7) % 1 - 0.5) < 0.28
    rail = (np.abs(y - 0.35) < 0.06) | (np.abs(y - 0.75) < 0.06)
    wood = (pale & (y > 0.08)) | rail
    grain = 0.6 + 0.35 * shapes.noise((size, size), 3, 9)
    return shapes.argb(wood * 0.9, grain, grain * 0.85, grain * 0.62)


def rays(size: int) -> np.ndarray:
    """A rising sun."""
    x, y = _square(size)
    angle = np.arctan2(1.0 - y, x - 0.5)
    lit = (np.floor(angle * 14 / math.pi) % 2 == 0) | (np.hypot(x - 0.5, y - 1.0) < 0.3)
    return shapes.argb(np.ones_like(x), 0.85 + 0.1 * lit, 0.25 + 0.6 * lit, 0.15 + 0.1 * lit)


def planks(size: int) -> np.ndarray:
    """The side of a crate."""
    x, y = _square(size)
    frame = (np.maximum(np.abs(x - 0.5), np.abs(y - 0.5)) > 0.4) | (np.abs(x - y) < 0.07)
    grain = 0.55 + 0.3 * shapes.noise((size, size), 3, 4) - 0.25 * (np.abs((y * 5) % 1 - 0.5) > 0.46)
    shade = np.clip(grain + 0.18 * frame, 0, 1)
    return shapes.argb(np.ones_like(x), shade, shade * 0.72, shade * 0.42)


def waves(size: int, seed: int) -> np.ndarray:
    """Palette indices, uint8[size, size]."""
    return np.floor(shapes.noise((size, size), 3, seed) * 255.99).astype(np.uint8)


def embers() -> np.ndarray:
    """Black, red, yellow: uint8[256, 3]."""
    heat = np.arange(256) / 255
    return np.rint(np.clip(np.stack([heat * 2.4, heat * 2.0 - 0.6, heat * 2.0 - 1.5], -1), 0, 1) * 255).astype(np.uint8)


def water() -> np.ndarray:
    """Dark blue to foam: uint8[256, 3]."""
    depth = np.arange(256) / 255
    return np.rint(np.stack([0.05 + 0.6 * depth**2, 0.2 + 0.6 * depth, 0.45 + 0.5 * depth], -1) * 255).astype(np.uint8)
