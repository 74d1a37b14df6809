"""A chrome knot under an evening sky: environment mapping with a cube map that is drawn anew for every frame.

What it shows: a cube texture that is uploaded (the sky) and one that is a render target, face by face; texture coordinates
that the device makes (camera space position, camera space reflection vector) and a texture transform that turns them back into
the world.
"""

from __future__ import annotations

import math

import numpy as np

from core.runtime.d3d8 import IDirect3DDevice8
from core.spec.enums import ClearFlag, LightType, Pool, TextureArg, TextureOp, TransformState, Usage
from resources import shapes
from resources.canvas import CUBE_FACES, LIT, Canvas, format_id, light

WIDTH, HEIGHT = 640, 480
TITLE = "Reflections: a cube map drawn for every frame"
FACE, SKY_FACE = 128, 128
CAMERA_POSITION, REFLECTION = 0x20000, 0x30000  # D3DTSS_TCI_*
THREE = 3  # D3DTTFF_COUNT3
SUN = np.array([0.02, 0.19, 0.98])
BALLS = (  # colour, angle, height, distance, radius
    ((0.92, 0.22, 0.16, 1.0), 0.0, 0.10, 1.55, 0.30), ((0.98, 0.72, 0.15, 1.0), 1.3, -0.45, 1.75, 0.22),
    ((0.22, 0.65, 0.32, 1.0), 2.6, 0.55, 1.60, 0.26), ((0.15, 0.45, 0.90, 1.0), 3.8, -0.10, 1.70, 0.30),
    ((0.60, 0.25, 0.75, 1.0), 4.5, 0.40, 1.80, 0.20),
)  # fmt: skip


def sky_colour(direction: np.ndarray) -> np.ndarray:
    """Red, green, blue in 0..1 of what these directions (..., 3) see: evening sky, mountains, a lake that mirrors them."""
    x, y, z = np.moveaxis(direction / np.sqrt((direction**2).sum(-1, keepdims=True)), -1, 0)
    up = np.abs(y)
    azimuth = np.arctan2(x, z)
    ripple = np.where(y < 0, 0.012 * np.sin(60 / (up + 0.06)), 0.0)
    high = np.clip(up + ripple, 0, 1)
    zenith, middle, horizon = np.array([0.05, 0.10, 0.30]), np.array([0.45, 0.33, 0.50]), np.array([1.0, 0.62, 0.30])
    low, top = np.clip(high / 0.28, 0, 1)[..., None], np.clip((high - 0.28) / 0.6, 0, 1)[..., None]
    colour = (horizon * (1 - low) + middle * low) * (1 - top) + zenith * top
    sun = SUN / math.sqrt(float(SUN @ SUN))
    toward = np.clip(x * sun[0] + (high * np.sign(up)) * sun[1] + z * sun[2], 0, 1)[..., None]
    colour = colour + toward**24 * np.array([0.5, 0.28, 0.1]) + toward**500 * np.array([0.8, 0.7, 0.5])
    ridge = 0.07 + 0.035 * np.sin(3 * azimuth + 1) + 0.03 * np.sin(7 * azimuth) + 0.012 * np.sin(23 * azimuth + 2)
    far = np.clip((ridge - high) / 0.016 + 0.5, 0, 1)[..., None]  # about one texel wide
    colour = colour * (1 - far) + far * (np.array([0.20, 0.14, 0.24]) + 0.35 * toward**6 * np.array([0.6, 0.3, 0.1]))
    return np.where((y < 0)[..., None], colour * np.array([0.50, 0.58, 0.68]), colour)


def sky_faces(size: int = SKY_FACE) -> list[np.ndarray]:
    """The sky as seen through each face of a cube map."""
    row, column = np.mgrid[:size, :size]
    right, down = (column + 0.5) / size * 2 - 1, (row + 0.5) / size * 2 - 1
    faces = []
    for look, up in CUBE_FACES:
        direction = np.array(look) + right[..., None] * np.cross(up, look) - down[..., None] * np.array(up)
        red, green, blue = np.moveaxis(sky_colour(direction), -1, 0)
        faces.append(shapes.argb(np.ones_like(red), red, green, blue))
    return faces


class Reflections(Canvas):
    """The scene's resources on one device; `draw(time)` draws and presents one frame."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        self.sky = self.cube_texture(sky_faces())
        self.around = device.CreateCubeTexture(FACE, 1, Usage.RENDERTARGET, format_id("X8R8G8B8"), Pool.DEFAULT)
        self.knot = self.mesh(shapes.knot(1.05, 0.21), LIT)
        self.ball = self.mesh(shapes.ball(1.0, 36, 18), LIT)
        self.cube = self.mesh(shapes.cube(2.0), LIT)

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device, angle = self.device, 2 * math.pi * time
        device.BeginScene()
        self.draw_faces(angle)
        turn = 0.25 * angle + 0.35
        eye = np.array([4.5 * math.sin(turn), 0.9, -4.5 * math.cos(turn)])
        view = shapes.look_at(eye, np.array([0.0, 0.0, 0.0]))
        device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(42), WIDTH / HEIGHT, 0.1, 50.0))
        self.draw_world(view, angle)
        self.draw_knot(view, angle)
        device.EndScene()
        device.Present(None, None, None, None)

    def draw_faces(self, angle: float) -> None:
        """What is around the knot, seen from its middle, into the six faces of the cube map."""
        device = self.device
        main, depth = device.GetRenderTarget(), device.GetDepthStencilSurface()
        device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(90), 1.0, 0.1, 50.0))
        for number, (look, up) in enumerate(CUBE_FACES):
            device.SetRenderTarget(self.around.GetCubeMapSurface(number, 0), depth)
            self.draw_world(shapes.look_at(np.zeros(3), np.array(look, float), up), angle)
        device.SetRenderTarget(main, depth)

    def draw_world(self, view: np.ndarray, angle: float) -> None:
        """The sky and the balls."""
        device = self.device
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF000000, 1.0, 0)
        device.SetTransform(TransformState.VIEW, view)
        self.plain_state()
        self.draw_sky(view)
        self.state(LIGHTING=1, ZENABLE=1, ZWRITEENABLE=1, SPECULARENABLE=1, AMBIENT=0xFF3A3450)
        device.SetLight(0, light(LightType.DIRECTIONAL, (1.0, 0.78, 0.55), direction=tuple(-SUN)))
        device.SetLight(1, light(LightType.DIRECTIONAL, (0.75, 0.80, 1.0), direction=(0.5, -0.6, 0.6)))
        for number in range(2):
            device.LightEnable(number, True)
        self.stage(0, COLOROP=TextureOp.SELECTARG2, TEXCOORDINDEX=0, TEXTURETRANSFORMFLAGS=0)
        device.SetTexture(0, None)
        device.SetVertexShader(LIT)
        for colour, start, height, distance, radius in BALLS:
            at = start + angle
            self.material(colour, specular=0.8, power=40.0)
            where = shapes.translation(distance * math.cos(at), height, distance * math.sin(at))
            self.place(shapes.scaling(radius, radius, radius) @ where)
            self.draw_mesh(self.ball)

    def draw_sky(self, view: np.ndarray) -> None:
        """The inside of a cube around the eye: the coordinates are its camera space positions, turned back."""
        device = self.device
        self.state(LIGHTING=0, ZENABLE=0, ZWRITEENABLE=0, CULLMODE=1)
        device.SetTexture(0, self.sky)
        self.stage(0, COLOROP=TextureOp.SELECTARG1, TEXCOORDINDEX=CAMERA_POSITION, TEXTURETRANSFORMFLAGS=THREE)
        device.SetTransform(TransformState.TEXTURE0, turned_back(view))
        device.SetVertexShader(LIT)
        eye = -view[3, :3] @ view[:3, :3].T
        self.place(shapes.translation(*eye))
        self.draw_mesh(self.cube)
        self.state(CULLMODE=3)

    def draw_knot(self, view: np.ndarray, angle: float) -> None:
        device = self.device
        self.state(LIGHTING=1, TEXTUREFACTOR=0xFFE8EEF4, AMBIENT=0)
        device.SetTexture(0, self.around)
        self.stage(0, COLOROP=TextureOp.MODULATE, COLORARG2=TextureArg.TFACTOR)
        self.stage(0, TEXCOORDINDEX=REFLECTION, TEXTURETRANSFORMFLAGS=THREE)
        device.SetTransform(TransformState.TEXTURE0, turned_back(view))
        self.material((0.0, 0.0, 0.0, 1.0), specular=1.0, power=90.0)
        self.place(shapes.rotation_y(angle * 0.5) @ shapes.rotation_x(0.25))
        self.draw_mesh(self.knot)


def turned_back(view: np.ndarray) -> np.ndarray:
    """The texture transform from directions of the camera to directions of the world."""
    matrix = shapes.identity()
    matrix[:3, :3] = view[:3, :3].T
    return matrix
