"""What the scenes of the lessons have in common: a camera, a sky, a ground, rectangles in the world and on the screen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.runtime.d3d8 import IDirect3DDevice8
from core.spec.enums import ClearFlag, Cull, LightType, PrimitiveType, TextureArg, TextureOp, TransformState
from resources import shapes
from resources.canvas import COLOURED, FLAT, LIT, Canvas, light

WIDTH, HEIGHT = 320, 240
NEAR, FAR = 0.5, 60.0
Point = tuple[float, float, float]


class Stage(Canvas):
    """`draw(time)` presents one frame; subclasses draw theirs in `scene`.  `broken`: with the planted bug."""

    background = 0xFF8FA6B8

    def __init__(self, device: IDirect3DDevice8, broken: bool) -> None:
        super().__init__(device)
        self.broken = broken
        self.stone = self.texture(shapes.tiles(64), mipmaps=True)
        self.plain = self.mesh(shapes.grid(16.0, 8, 8.0), LIT)

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device = self.device
        device.BeginScene()
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, self.background, 1.0, 0)
        self.plain_state()
        device.SetLight(0, light(LightType.DIRECTIONAL, (0.95, 0.90, 0.80), direction=(0.5, -1.0, 0.6)))
        device.LightEnable(0, True)
        self.material((1.0, 1.0, 1.0, 1.0))
        self.scene(time)
        device.EndScene()
        device.Present(None, None, None, None)

    def scene(self, time: float) -> None:
        raise NotImplementedError

    def camera(self, eye: Point, target: Point, angle: float = 50) -> None:
        view = shapes.look_at(np.array(eye), np.array(target))
        self.device.SetTransform(TransformState.VIEW, view)
        self.device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(angle), WIDTH / HEIGHT, NEAR, FAR))

    def sky(self, top: int = 0xFF4A78B0, horizon: int = 0xFFD6E2E8) -> None:
        """A gradient behind everything."""
        self.state(ZENABLE=0, LIGHTING=0)
        self.panel((0, 0, WIDTH, HEIGHT * 3 // 5), (top, top, horizon, horizon))
        self.state(ZENABLE=1, LIGHTING=1)

    def ground(self) -> None:
        """Stone tiles, lit."""
        self.device.SetVertexShader(LIT)
        self.device.SetTexture(0, self.stone)
        self.place(shapes.identity())
        self.draw_mesh(self.plain)

    def panel(self, box: tuple[int, int, int, int], colours: Sequence[int]) -> None:
        """A rectangle of screen coordinates: left, top, right, bottom; colours of its corners, row by row."""
        self.device.SetTexture(0, None)
        self.stage(0, COLOROP=TextureOp.SELECTARG2, COLORARG2=TextureArg.DIFFUSE)
        left, top, right, bottom = box
        corners = np.zeros((4, 5), np.float32)
        corners[:, :2] = np.array([(left, top), (right, top), (left, bottom), (right, bottom)], np.float32) - 0.5
        corners[:, 3] = 1.0
        corners.view(np.uint32)[:, 4] = colours
        self.device.SetVertexShader(FLAT)
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners.tobytes(), 20)
        self.stage(0, COLOROP=TextureOp.MODULATE)

    def board(self, at: Point, size: tuple[float, float], colour: int = 0xFFFFFFFF) -> None:
        """An upright rectangle that faces the camera: unlit, seen from both sides, with the texture that is set."""
        (x, y, z), (width, height) = at, size
        corners = np.zeros((4, 6), np.float32)
        corners[:, :3] = [(x + dx * width, y + dy * height, z) for dx, dy in ((-0.5, 1), (0.5, 1), (-0.5, 0), (0.5, 0))]
        corners[:, 4:] = [(0, 0), (1, 0), (0, 1), (1, 1)]
        corners.view(np.uint32)[:, 3] = colour
        self.state(LIGHTING=0, CULLMODE=Cull.NONE)
        self.device.SetVertexShader(COLOURED)
        self.place(shapes.identity())
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners.tobytes(), 24)
        self.state(LIGHTING=1, CULLMODE=Cull.CCW)
