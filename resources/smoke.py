"""Smoke above a camp fire, at night: two volume textures, drawn as slices that face the camera.

What it shows: a volume of noise that wraps and drifts, and one of the plume's shape; texture coordinates made from camera space
positions, so that the slices need no coordinates of their own; three texture stages; flames added as sprites; stars as points.
"""

from __future__ import annotations

import math

import numpy as np

from core.runtime.d3d8 import IDirect3DDevice8
from core.spec.enums import (
    Blend,
    ClearFlag,
    Cull,
    Fvf,
    LightType,
    PrimitiveType,
    TextureAddress,
    TextureArg,
    TextureOp,
    TransformState,
)  # fmt: skip
from resources import shapes
from resources.canvas import LIT, Canvas, light

WIDTH, HEIGHT = 640, 480
TITLE = "Smoke: slices through volume textures"
SLICES = 56
CAMERA_POSITION, THREE = 0x20000, 3  # D3DTSS_TCI_CAMERASPACEPOSITION, D3DTTFF_COUNT3
BOX = np.array([2.5, 3.2, 2.5])  # the plume's size
FOOT = np.array([0.0, 0.25, 0.0])
LOG = np.array([(0.0, 0.0), (0.10, 0.0), (0.10, 0.02), (0.085, 0.5), (0.08, 0.98), (0.08, 1.0), (0.0, 1.0)])
NOISE, SHAPE = 32, (16, 32, 16)  # texels


def noise_volume(size: int = NOISE) -> np.ndarray:
    """Wisps: light and shade in the colours, thickness in alpha; uint32 (depth, height, width)."""
    field = shapes.noise((size, size, size), 3, 21)
    wisp = np.clip((field - 0.42) * 3.2, 0, 1)
    shade = 0.55 + 0.45 * shapes.noise((size, size, size), 2, 4)
    return shapes.argb(np.floor(wisp * 31 + 0.5) / 31, *[np.floor(shade * 15 + 0.5) / 15] * 3)


def shape_volume(shape: tuple[int, int, int] = SHAPE) -> np.ndarray:
    """The plume: narrow and lit by the fire below, wide and grey above, thinning out; 0 at the edges of the volume."""
    depth, height, width = shape
    z, y, x = np.mgrid[:depth, :height, :width]
    x, z, up = (x + 0.5) / width * 2 - 1, (z + 0.5) / depth * 2 - 1, 1 - (y + 0.5) / height
    lean = 0.30 * up**2
    radius = 0.14 + 0.60 * up**0.7
    distance = np.sqrt((x - lean) ** 2 + z**2) / radius
    thick = np.clip(1 - distance, 0, 1) ** 0.8 * np.clip(up * 7 - 0.3, 0, 1) * np.clip((1 - up) * 1.6, 0, 1) ** 1.1
    glow = np.exp(-5.0 * up) * np.clip(1.3 - 0.6 * distance, 0, 1)
    cold = np.array([0.52, 0.56, 0.66])
    warm = np.array([1.3, 0.55, 0.14])
    red, green, blue = (cold[i] * (0.55 + 0.45 * up) + warm[i] * glow for i in range(3))
    return shapes.argb(0.85 * thick, red, green, blue)


class Smoke(Canvas):
    """The scene's resources on one device; `draw(time)` draws and presents one frame."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        self.noise, self.shape = self.volume(noise_volume()), self.volume(shape_volume())
        self.spark = self.texture(shapes.spark())
        self.ground = self.mesh(shapes.grid(18.0, 40, 6.0), LIT)
        self.stone = self.texture(shapes.tiles(64), mipmaps=True)
        self.bark = self.texture(shapes.metal(32), mipmaps=True)
        self.log = self.mesh(shapes.turned(LOG, 12), LIT)
        self.rock = self.mesh(shapes.ball(0.22, 14, 8), LIT)

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device = self.device
        eye = np.array([0.5, 1.35, -4.9])
        self.view = shapes.look_at(eye, np.array([0.0, 1.35, 0.0]))
        device.BeginScene()
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF04060C, 1.0, 0)
        self.plain_state()
        self.draw_sky()
        device.SetTransform(TransformState.VIEW, self.view)
        device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(46), WIDTH / HEIGHT, 0.2, 30.0))
        self.draw_camp(time)
        self.draw_smoke(time)
        self.draw_flames(time)
        device.EndScene()
        device.Present(None, None, None, None)

    def draw_sky(self) -> None:
        """A gradient and stars."""
        ground = HEIGHT * 0.72
        self.draw_gradient(WIDTH, ground, [0xFF03050C, 0xFF03050C, 0xFF16223C, 0xFF1D2A48])
        random = np.random.default_rng(11)
        stars = np.ones((160, 5), np.float32)
        stars[:, 0], stars[:, 1] = random.random(160) * WIDTH, random.random(160) ** 1.5 * ground
        bright = 0.25 + 0.75 * random.random(160) ** 3
        stars.view(np.uint32)[:, 4] = shapes.argb(np.ones(160), bright, bright, np.minimum(bright * 1.15, 1))
        self.device.DrawPrimitiveUP(PrimitiveType.POINTLIST, 160, stars.tobytes(), 20)

    def draw_camp(self, time: float) -> None:
        """The ground, a ring of stones and the logs, in the light of the fire and a little of the moon."""
        device = self.device
        self.plain_state()
        flicker = 1.0 + 0.10 * math.sin(time * 40) + 0.07 * math.sin(time * 64 + 1)
        fire = (1.9 * flicker, 0.95 * flicker, 0.38 * flicker)
        device.SetLight(0, light(LightType.POINT, fire, position=(0.0, 0.75, 0.0), reach=9.0))
        device.SetLight(1, light(LightType.DIRECTIONAL, (0.10, 0.13, 0.22), direction=(0.5, -1.0, 0.4)))
        for number in range(2):
            device.LightEnable(number, True)
        self.state(AMBIENT=0xFF05070C)
        self.material((1.0, 1.0, 1.0, 1.0))
        device.SetVertexShader(LIT)
        device.SetTexture(0, self.stone)
        self.place(shapes.identity())
        self.draw_mesh(self.ground)
        self.material((0.75, 0.72, 0.70, 1.0))
        for number in range(11):
            at = 2 * math.pi * number / 11
            squash = shapes.scaling(1.0 + 0.25 * math.sin(number * 5), 0.75, 1.0 + 0.2 * math.cos(number * 3))
            self.place(squash @ shapes.translation(0.85 * math.cos(at), 0.08, 0.85 * math.sin(at)))
            self.draw_mesh(self.rock)
        device.SetTexture(0, self.bark)
        self.material((0.55, 0.42, 0.34, 1.0))
        for number in range(5):
            at = 2 * math.pi * number / 5 + 0.4
            stand = shapes.rotation_x(math.radians(-56)) @ shapes.translation(0.0, 0.04, 0.62)
            self.place(stand @ shapes.rotation_y(at))
            self.draw_mesh(self.log)

    def draw_flames(self, time: float) -> None:
        """Sprites that rise, added to what is there."""
        self.add_sprites(self.spark, flames(time, self.view))

    def draw_smoke(self, time: float) -> None:
        """Slices from the back to the front; the coordinates are positions in the plume's box."""
        device = self.device
        self.plain_state()
        self.state(LIGHTING=0, ZWRITEENABLE=0, CULLMODE=Cull.NONE)
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.INVSRCALPHA)
        to_world = np.linalg.inv(self.view)
        box = shapes.translation(*(-FOOT)) @ shapes.scaling(1 / BOX[0], -1 / BOX[1], 1 / BOX[2])
        box = box @ shapes.translation(0.5, 1.0, 0.5)
        drift = shapes.scaling(0.75, 1.1, 0.75) @ shapes.translation(0.12 * time, 2.0 * time, 0.0)
        device.SetTransform(TransformState.TEXTURE0, to_world @ box @ drift)
        device.SetTransform(TransformState.TEXTURE0 + 1, to_world @ box)
        clamp = {"ADDRESSU": TextureAddress.CLAMP, "ADDRESSV": TextureAddress.CLAMP, "ADDRESSW": TextureAddress.CLAMP}
        made = {"TEXCOORDINDEX": CAMERA_POSITION, "TEXTURETRANSFORMFLAGS": THREE}
        self.stage(0, COLOROP=TextureOp.SELECTARG1, ALPHAOP=TextureOp.SELECTARG1, **made)
        times = {"COLORARG2": TextureArg.CURRENT, "ALPHAARG2": TextureArg.CURRENT}
        self.stage(1, COLOROP=TextureOp.MODULATE, ALPHAOP=TextureOp.MODULATE, **times, **made, **clamp)
        device.SetTexture(0, self.noise)
        device.SetTexture(1, self.shape)
        device.SetVertexShader(Fvf.XYZ)
        self.place(to_world)  # the slices are made where the camera is
        slices = plume_slices(self.view)
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, len(slices) // 3, slices.tobytes(), 12)
        for number in range(2):
            self.stage(number, TEXCOORDINDEX=number, TEXTURETRANSFORMFLAGS=0)
        device.SetTexture(1, None)


def plume_slices(view: np.ndarray) -> np.ndarray:
    """Squares in camera space that cover the plume's box, the farthest first: float32 (6 * SLICES, 3)."""
    middle = np.append(FOOT + BOX * (0, 0.5, 0), 1.0) @ view
    reach = 0.5 * math.sqrt(float(BOX[0] ** 2 + BOX[2] ** 2))
    depth = middle[2] + np.linspace(reach, -reach, SLICES)
    square = np.array([(-1, 1), (1, 1), (1, -1), (-1, 1), (1, -1), (-1, -1)], float) * (reach, 0.56 * BOX[1])
    vertices = np.empty((SLICES, 6, 3), np.float32)
    vertices[..., :2] = square + middle[:2]
    vertices[..., 2] = depth[:, None]
    return vertices.reshape(-1, 3)


def flames(time: float, view: np.ndarray, count: int = 40) -> np.ndarray:
    """Two triangles a flame, float32 (6 * count, 6): position, diffuse, coordinates."""
    random = np.random.default_rng(3)
    age = (random.random(count) + 3 * time) % 1.0
    at, off = random.random(count) * 2 * math.pi, 0.26 * random.random(count) * (1 - age)
    centre = np.stack([np.cos(at) * off, 0.15 + 0.95 * age, np.sin(at) * off], -1)
    size = np.stack([0.20 * (1 - 0.75 * age), 0.34 * (1 - 0.55 * age)], -1)
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, 1), (1, -1), (-1, -1)], float)
    vertices = np.zeros((count, 6, 6), np.float32)
    for index, (x, y) in enumerate(corners):
        vertices[:, index, :3] = centre + view[:3, 0] * x * size[:, :1] + view[:3, 1] * y * size[:, 1:]
        vertices[:, index, 4:] = (x + 1) / 2, (1 - y) / 2
    bright = 0.75 * np.clip(1.15 - age, 0, 1)
    vertices.view(np.uint32)[:, :, 3] = shapes.argb(bright, np.ones(count), 0.62 - 0.45 * age, 0.22 - 0.2 * age)[:, None]
    return vertices.reshape(-1, 6)
