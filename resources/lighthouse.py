"""A lighthouse at dusk, as a program of 1999 draws it: DirectDraw and Direct3D 7.

What it shows: a flip chain with an attached depth buffer; a texture with a palette that turns, so that the sea moves;
textures of 16 bits with mip levels; a directional light, materials and vertex fog; Blt that fills depth, stretches, mirrors
and leaves out a colour key; BltFast of letters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.runtime.d3d7 import D3DMATERIAL7, DDBLTFX, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2, Object7
from core.spec.enums import ClearFlag, DdBlt, FogMode, LightType, PrimitiveType
from core.spec.enums import PixelFormatFlag as Flag
from core.spec.enums import SurfaceCaps as Caps
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from resources import shapes
from resources.canvas import LIT, float_bits, light

WIDTH, HEIGHT = 640, 480
TITLE = "A lighthouse at dusk: DirectDraw and Direct3D 7"
CAPS, SIZE, BUFFERS, FORMAT = 0x1, 0x6, 0x20, 0x1000  # DDSD_*
RGB32 = DDPIXELFORMAT(32, Flag.RGB, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0)
RGB565 = DDPIXELFORMAT(32, Flag.RGB, 0, 16, 0xF800, 0, 0x07E0, 0, 0x1F, 0)
INDEXED = DDPIXELFORMAT(32, Flag.RGB | Flag.PALETTEINDEXED8, 0, 8)
DEPTH16 = DDPIXELFORMAT(32, Flag.ZBUFFER, 0, 16, 0, 0, 0, 0xFFFF)
WORLD, VIEW, PROJECTION = 1, 2, 3  # D3DTRANSFORMSTATE_*
LINEAR_TEXELS, LINEAR_LEVELS = 2, 3  # D3DTFG_LINEAR and D3DTFN_LINEAR; D3DTFP_LINEAR
SOURCE_KEY, MIRROR = 8, 2  # DDCKEY_SRCBLT, DDBLTFX_MIRRORLEFTRIGHT
FAST_KEYED, WAIT = 1, 0x10  # DDBLTFAST_*
ENTRIES_OF_8_BITS = 0x4 | 0x40  # DDPCAPS_8BIT | DDPCAPS_ALLOW256
KEY = 0xFF00FF
HAZE = (0.93, 0.62, 0.44)  # the sky's colour at the horizon, and the fog's
GLYPHS = {  # rows from the top, a bit for each of five pixels
    "A": (14, 17, 17, 31, 17, 17, 17), "C": (14, 17, 16, 16, 16, 17, 14), "D": (30, 17, 17, 17, 17, 17, 30),
    "E": (31, 16, 16, 30, 16, 16, 31), "F": (31, 16, 16, 30, 16, 16, 16), "I": (14, 4, 4, 4, 4, 4, 14),
    "M": (17, 27, 21, 21, 17, 17, 17), "R": (30, 17, 17, 30, 20, 18, 17), "T": (31, 4, 4, 4, 4, 4, 4),
    "1": (4, 12, 4, 4, 4, 4, 14), "2": (14, 17, 1, 6, 8, 16, 31), "3": (30, 1, 1, 14, 1, 1, 30),
    "4": (2, 6, 10, 18, 31, 2, 2), "5": (31, 16, 30, 1, 1, 17, 14), "6": (14, 16, 30, 17, 17, 17, 14),
    "7": (31, 1, 2, 4, 8, 8, 8),
}  # fmt: skip
TILE = 18  # a letter's edge


def sky() -> np.ndarray:
    """A column of the sky, 8 pixels wide: night above, the last light at the horizon."""
    colours = np.array([(0.09, 0.11, 0.27), (0.30, 0.23, 0.45), (0.72, 0.40, 0.46), HAZE])
    at = np.linspace(0, 1, HEIGHT // 2)
    channels = [np.interp(at, (0, 0.45, 0.8, 1), colour) for colour in colours.T]
    return np.repeat((shapes.argb(np.zeros_like(at), *channels))[:, None], 8, 1)


def waves(size: int = 128) -> np.ndarray:
    """Entries of the palette: each texel's place in the wave that passes it."""
    return np.asarray(shapes.noise((size, size), 4, 21) * 768 % 256).astype(np.uint8)


def sea_colours(turn: float) -> list[tuple[int, int, int, int]]:
    """A palette: dark troughs, a bright crest `turn` of the way round."""
    height = np.cos((np.arange(256) / 256 - turn) * 2 * math.pi) * 0.5 + 0.5
    crest = height**12
    channels = (0.07 + 0.13 * height + 0.5 * crest, 0.16 + 0.2 * height + 0.34 * crest, 0.30 + 0.22 * height + 0.25 * crest)
    red, green, blue = (np.rint(np.clip(one, 0, 1) * 255).astype(int).tolist() for one in channels)
    return [(*colour, 0) for colour in zip(red, green, blue, strict=True)]


def rock(size: int = 64) -> np.ndarray:
    """Grass that thins out over stone."""
    stone, grass = 0.45 + 0.4 * shapes.noise((size, size), 5, 2), shapes.noise((size, size), 3, 4)
    green = np.clip((grass - 0.42) * 5, 0, 1)
    mixed = [stone * one * (1 - green) + (0.3 + 0.4 * stone) * other * green for one, other in
             ((1.0, 0.62), (0.92, 0.85), (0.8, 0.36))]  # fmt: skip
    return shapes.argb(np.ones_like(stone), *mixed)


def stripes(size: int = 64) -> np.ndarray:
    """The tower's paint: red and white, a little weathered."""
    row = np.arange(size)[:, None] * 5 // size % 2
    worn = 0.82 + 0.18 * shapes.noise((size, size), 4, 6)
    return shapes.argb(np.ones_like(worn), worn * (0.95 - 0.15 * row), worn * (0.93 - 0.78 * row), worn * (0.9 - 0.76 * row))


def as_565(image: np.ndarray) -> np.ndarray:
    return (image >> 8 & 0xF800 | image >> 5 & 0x07E0 | image >> 3 & 0x001F).astype(np.uint16)


def gull(width: int = 48, height: int = 20) -> np.ndarray:
    """A gull that turns to the right, on the colour that is left out."""
    y, x = np.mgrid[:height, :width]
    across = (x - 20) / np.where(x < 20, 20, 27)
    middle = 13 - 11 * np.sin(np.abs(across) * 2.2) * (1 - 0.35 * np.abs(across))
    inside = np.abs(y - middle) < 2.6 * (1 - np.abs(across) ** 2) + 0.4
    picture = np.where(y > middle, 0x8C8798, 0xF4EFEA)
    return np.where(inside, np.where(np.abs(across) > 0.8, 0x30303C, picture), KEY).astype(np.uint32)


def letters() -> np.ndarray:
    """All glyphs in a row, each with a shadow, twice as large as they are written."""
    strip = np.full((TILE, TILE * len(GLYPHS)), KEY, np.uint32)
    for number, rows in enumerate(GLYPHS.values()):
        bits = np.array([[row >> (4 - column) & 1 for column in range(5)] for row in rows], bool).repeat(2, 0).repeat(2, 1)
        for shift, colour in ((2, 0x201830), (0, 0xFFE9B8)):
            strip[1 + shift :, number * TILE + 1 + shift :][:14, :10][bits] = colour
    return strip


def island(cells: int = 24, size: float = 7.0) -> shapes.Mesh:
    """A hill that stands out of the water."""
    vertices, indices = shapes.grid(size, cells, 3.0)
    rough = np.asarray(shapes.noise((32, 32), 4, 12))[: cells + 1, : cells + 1].reshape(-1)
    away = np.hypot(vertices[:, 0], vertices[:, 2]) / (size / 2)
    height = 1.5 * np.exp(-2.6 * away**2) * (0.5 + 0.9 * rough) - 0.22 + 0.25 * (rough - 0.5)
    vertices[:, 1] = height - 0.4 * np.clip(away - 0.8, 0, 1)
    surface = vertices[:, 1].reshape(cells + 1, cells + 1)
    slope_x, slope_z = np.gradient(surface, size / cells)
    vertices[:, 3:6] = shapes.unit_rows(np.stack([-slope_x, np.ones_like(surface), -slope_z], -1)).reshape(-1, 3)
    return vertices, indices


class Lighthouse:
    """The program's surfaces; `draw(time)` draws a frame and flips."""

    def __init__(self, draw: Object7) -> None:
        self.directdraw = draw
        draw.SetCooperativeLevel(0, 0x11)  # DDSCL_EXCLUSIVE | DDSCL_FULLSCREEN
        draw.SetDisplayMode(WIDTH, HEIGHT, 32, 0, 0)
        chain = Caps.PRIMARYSURFACE | Caps.FLIP | Caps.COMPLEX | Caps.DEVICE_3D
        self.screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=CAPS | BUFFERS, dwBackBufferCount=1, ddsCaps=DDSCAPS2(chain)))
        self.back = self.screen.GetAttachedSurface(DDSCAPS2(Caps.BACKBUFFER))
        self.depth = self.surface(WIDTH, HEIGHT, DEPTH16, Caps.ZBUFFER)
        self.back.AddAttachedSurface(self.depth)
        self.device = draw.QueryInterface("IDirect3D7").CreateDevice(None, self.back)
        self.sky = self.picture(sky())
        self.gull, self.letters = (self.picture(image, keyed=True) for image in (gull(), letters()))
        self.rock, self.paint = (self.texture(image, RGB565) for image in (rock(), stripes()))
        self.sea = self.texture(waves(), INDEXED)
        self.colours = draw.CreatePalette(ENTRIES_OF_8_BITS, sea_colours(0))
        self.sea.SetPalette(self.colours)
        self.hill, self.water = island(), shapes.grid(60, 24, 18)
        wall = [(0.36 - 0.13 * part / 8, 1.7 * part / 8) for part in range(9)]
        self.tower = shapes.turned(np.array([*wall, (0.33, 1.72), (0.33, 1.8)]), 20)
        self.roof = shapes.turned(np.array([(0.24, 2.12), (0.24, 2.16), (0.02, 2.42)]), 16)
        self.lamp = shapes.ball(0.17, 16, 8)
        self.prepare()

    def surface(self, width: int, height: int, form: DDPIXELFORMAT, caps: int) -> Object7:
        asked = DDSURFACEDESC2(
            dwFlags=CAPS | SIZE | FORMAT, dwHeight=height, dwWidth=width, ddpfPixelFormat=form, ddsCaps=DDSCAPS2(caps)
        )
        made: Object7 = self.directdraw.CreateSurface(asked)
        return made

    def picture(self, image: np.ndarray, keyed: bool = False) -> Object7:
        """An offscreen surface for Blt."""
        made = self.surface(image.shape[1], image.shape[0], RGB32, Caps.OFFSCREENPLAIN)
        fill(made, image)
        if keyed:
            made.SetColorKey(SOURCE_KEY, (KEY, KEY))
        return made

    def texture(self, image: np.ndarray, form: DDPIXELFORMAT) -> Object7:
        """A square texture with all its levels: means of four texels, or every other one of indices."""
        level = made = self.surface(len(image), len(image), form, Caps.TEXTURE | Caps.MIPMAP | Caps.COMPLEX)
        while True:
            fill(level, as_565(image) if form is RGB565 else image)
            if len(image) == 1:
                return made
            image = shapes.half_size(image) if form is RGB565 else image[::2, ::2]
            level = level.GetAttachedSurface(DDSCAPS2(Caps.TEXTURE | Caps.MIPMAP))

    def prepare(self) -> None:
        """What stays the same in all frames."""
        device = self.device
        device.SetViewport((0, 0, WIDTH, HEIGHT, 0.0, 1.0))
        device.SetTransform(PROJECTION, shapes.perspective(math.radians(48), WIDTH / HEIGHT, 0.5, 60.0))
        device.SetLight(0, light(LightType.DIRECTIONAL, (1.0, 0.72, 0.5), direction=(0.8, -0.42, 0.35)))
        device.LightEnable(0, 1)
        red, green, blue = (round(255 * part) for part in HAZE)
        self.haze = red << 16 | green << 8 | blue
        self.state(
            ZENABLE=1, AMBIENT=0xFF5A5870, SPECULARENABLE=0, DITHERENABLE=0, FOGENABLE=1, FOGVERTEXMODE=FogMode.LINEAR,
            FOGCOLOR=self.haze, FOGSTART=float_bits(5.0), FOGEND=float_bits(26.0),
        )  # fmt: skip
        filters = {"MAGFILTER": LINEAR_TEXELS, "MINFILTER": LINEAR_TEXELS, "MIPFILTER": LINEAR_LEVELS}
        for name, value in filters.items():
            device.SetTextureStageState(0, TEXTURE_STAGE_STATE_ID[name], value)

    def state(self, **states: int) -> None:
        for name, value in states.items():
            self.device.SetRenderState(RENDER_STATE_ID[name], int(value))

    def draw(self, time: float) -> None:
        """One frame at `time`, 0..1."""
        self.colours.SetEntries(0, 0, 256, sea_colours(time))
        self.device.Clear(0, None, ClearFlag.TARGET, 0xFF000000 | self.haze, 1.0, 0)
        self.depth.Blt(None, None, None, DdBlt.DEPTHFILL | DdBlt.WAIT, DDBLTFX(dwFillColor=0xFFFF))
        self.back.Blt((0, 0, WIDTH, HEIGHT // 2), self.sky, None, DdBlt.WAIT, None)
        self.draw_world(time)
        self.draw_gulls(time)
        self.write("DIRECT3D 7", 18, 16)
        self.write(f"FRAME {1 + round(time * 6)}", WIDTH - 18 - 7 * 14, 16)
        self.screen.Flip(None, 1)

    def draw_world(self, time: float) -> None:
        device, angle = self.device, 0.5 + 0.7 * time
        eye = np.array([-6.4 * math.sin(angle), 1.35, -6.4 * math.cos(angle)])
        device.BeginScene()
        device.SetTransform(VIEW, shapes.look_at(eye, np.array([0.0, 1.35, 0.0])))
        self.mesh(self.water, self.sea, shapes.identity(), (1.0, 1.0, 1.0))
        self.mesh(self.hill, self.rock, shapes.identity(), (1.0, 1.0, 1.0))
        top = shapes.translation(0.0, 0.75, 0.0)
        self.mesh(self.tower, self.paint, top, (1.0, 1.0, 1.0))
        self.mesh(self.roof, None, top, (0.7, 0.16, 0.14))
        self.mesh(self.lamp, None, shapes.translation(0.0, 2.72, 0.0), (1.0, 0.9, 0.6), (0.9, 0.78, 0.4))
        device.EndScene()

    def mesh(
        self, mesh: shapes.Mesh, texture: Object7 | None, world: np.ndarray, colour: Sequence[float],
        glow: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> None:  # fmt: skip
        vertices, indices = mesh
        plain = (*colour, 1.0)
        self.device.SetTexture(0, texture)
        self.device.SetMaterial(D3DMATERIAL7(plain, plain, Emissive=(*glow, 1.0)))  # type: ignore[arg-type]
        self.device.SetTransform(WORLD, world)
        self.device.DrawIndexedPrimitive(
            PrimitiveType.TRIANGLELIST, LIT, vertices, len(vertices), indices.reshape(-1), indices.size, 0
        )

    def draw_gulls(self, time: float) -> None:
        """One towards the viewer's right, and two smaller ones the other way."""
        mirrored = DDBLTFX(dwDDFX=MIRROR)
        for x, y, wide, way, effects in (
            (90, 150, 72, 120, None), (500, 96, 48, -90, mirrored), (560, 140, 30, -70, mirrored),
        ):  # fmt: skip
            left, top = round(x + way * time), round(y + 14 * math.sin(5 * time + x))
            box = (left, top, left + wide, top + wide * 20 // 48)
            flags = DdBlt.KEYSRC | DdBlt.WAIT | (DdBlt.DDFX if effects else 0)
            self.back.Blt(box, self.gull, None, flags, effects)

    def write(self, text: str, x: int, y: int) -> None:
        """Letters side by side."""
        for place, letter in enumerate(text):
            if letter in GLYPHS:
                left = TILE * list(GLYPHS).index(letter)
                self.back.BltFast(x + 14 * place, y, self.letters, (left, 0, left + TILE, TILE), FAST_KEYED | WAIT)


def fill(surface: Object7, image: np.ndarray) -> None:
    """All pixels of a surface."""
    surface.Lock().view(image.dtype)[:, : image.shape[1]] = image
    surface.Unlock()
