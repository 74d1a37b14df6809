"""The built-in scene: a stone room with a mirror floor, drawn through the project's own Direct3D 8 runtime.

What it shows, in the order of a frame: render to texture; a sky of interpolated colours; the stencil mask of the floor and
the mirrored objects behind it (user clip plane); the floor, two texture stages (tiles x light map) blended over its
reflection; a copper torus, lit by two fixed-function lights, with fog; a marble ball, vs_1_1 + ps_1_1 with a volume
texture; the monitor that shows the rendered texture; sparks, alpha blended, drawn from user memory.
"""

from __future__ import annotations

import math

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from core.runtime.d3d8 import IDirect3DDevice8
from core.spec.enums import (
    Blend,
    ClearFlag,
    CmpFunc,
    Cull,
    FogMode,
    Fvf,
    LightType,
    Pool,
    PrimitiveType,
    StencilOp,
    TextureAddress,
    TextureArg,
    TextureOp,
    TransformState,
    Usage,
)
from resources import shapes
from resources.canvas import FLAT, LIT, Canvas, float_bits, format_id, light, matrix_rows, unit

WIDTH, HEIGHT = 640, 480
SCREEN = 128  # the rendered texture's edge
FLOOR = Fvf.XYZ | Fvf.NORMAL | Fvf.TEX2
CAMERA_TARGET = np.array([0.0, 0.8, 0.0])

MARBLE_VERTEX_SHADER = """
vs_1_1
; c0-c3 world view projection, c4-c6 world rotation, c7 to the light, c8 ambient, c9 0.5, c10 eye in world space
m4x4 oPos, v0, c0
m3x3 r0.xyz, v3, c4
dp3 r1.x, r0, c7
max r1.x, r1.x, c9.y
mul r6, r1.x, c11
add oD0, r6, c8
m3x3 r2.xyz, v0, c4
add r3.xyz, c10, -r2
dp3 r3.w, r3, r3
rsq r3.w, r3.w
mul r3, r3, r3.w
add r3, r3, c7
dp3 r3.w, r3, r3
rsq r3.w, r3.w
mul r3, r3, r3.w
dp3 r4.x, r0, r3
dp3 r4.y, r0, r3
mov r4.w, c9.z
lit r5, r4
mov oD1, r5.z
mad oT0, v0, c9.x, c9.x
"""
MARBLE_PIXEL_SHADER = """
ps_1_1
def c0, 1.0, 0.95, 0.8, 1.0
tex t0
mul r0, t0, v0
mad r0.rgb, v1, c0, r0
"""


class Room(Canvas):
    """The scene's resources on one device; `draw(time)` draws and presents one frame."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        self.tiles = self.texture(shapes.tiles(), mipmaps=True)
        self.light_map = self.texture(shapes.light_map())
        self.metal = self.texture(shapes.metal(), mipmaps=True)
        self.spark = self.texture(shapes.spark())
        self.marble = self.volume(shapes.marble())
        self.screen = device.CreateTexture(
            SCREEN, SCREEN, 1, Usage.RENDERTARGET, format_id("X8R8G8B8"), Pool.DEFAULT
        )  # fmt: skip
        self.torus = self.mesh(shapes.torus(0.75, 0.26), LIT)
        self.ball = self.mesh(shapes.ball(0.55), LIT)
        self.cube = self.mesh(shapes.cube(1.0), LIT)
        self.floor = self.mesh(self.floor_mesh(), FLOOR)
        self.marble_vertices = device.CreateVertexShader(self.marble_declaration(), assemble(MARBLE_VERTEX_SHADER), 0)
        self.marble_pixels = device.CreatePixelShader(assemble(MARBLE_PIXEL_SHADER))

    @staticmethod
    def floor_mesh() -> shapes.Mesh:
        vertices, indices = shapes.grid(9.0, 12, 5.0)
        return np.concatenate([vertices, vertices[:, 6:8] / 5.0], 1), indices

    @staticmethod
    def marble_declaration() -> list[int]:
        """stream 0: v0 position FLOAT3, v3 normal FLOAT3, v7 coordinates FLOAT2 (D3DVSD_STREAM, D3DVSD_REG, D3DVSD_END)."""
        return [0x20000000, 0x40020000, 0x40020003, 0x40010007, 0xFFFFFFFF]

    # ---- a frame -----------------------------------------------------------------------------------------------------

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device = self.device
        angle = 2 * math.pi * time
        device.BeginScene()
        self.draw_screen(angle)
        eye = np.array([math.sin(angle * 0.25 - 0.35) * 4.6, 2.1, -math.cos(angle * 0.25 - 0.35) * 4.6])
        self.view = shapes.look_at(eye, CAMERA_TARGET)
        self.projection = shapes.perspective(math.radians(50), WIDTH / HEIGHT, 0.3, 30.0)
        self.eye = eye
        device.SetTransform(TransformState.VIEW, self.view)
        device.SetTransform(TransformState.PROJECTION, self.projection)
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER | ClearFlag.STENCIL, 0xFF101624, 1.0, 0)
        self.draw_sky()
        self.set_lights(angle)
        self.draw_reflection(angle)
        self.draw_floor()
        self.draw_objects(angle, shapes.identity())
        self.draw_monitor()
        self.draw_sparks(time)
        device.EndScene()
        device.Present(None, None, None, None)

    def set_lights(self, angle: float) -> None:
        self.device.SetLight(0, light(LightType.DIRECTIONAL, (1.0, 0.95, 0.85), direction=(-0.5, -1.0, 0.6)))
        lamp = (2.2 * math.cos(angle), 1.6, 2.2 * math.sin(angle))
        self.device.SetLight(1, light(LightType.POINT, (0.35, 0.5, 1.0), position=lamp, reach=6.0))
        self.device.LightEnable(0, True)
        self.device.LightEnable(1, True)

    def draw_screen(self, angle: float) -> None:
        """A turning cube, rendered into the monitor's texture."""
        device = self.device
        main, depth = device.GetRenderTarget(), device.GetDepthStencilSurface()
        surface = self.screen.GetSurfaceLevel(0)
        device.SetRenderTarget(surface, depth)
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF14684C, 1.0, 0)
        self.plain_state()
        device.SetTransform(TransformState.VIEW, shapes.look_at(np.array([0.0, 1.2, -2.2]), np.zeros(3)))
        device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(50), 1.0, 0.3, 10.0))
        device.SetLight(0, light(LightType.DIRECTIONAL, (0.8, 1.0, 0.8), direction=(0.4, -0.8, 0.7)))
        device.LightEnable(0, True)
        self.material((0.6, 1.0, 0.7, 1.0))
        device.SetVertexShader(LIT)
        device.SetTexture(0, self.metal)
        self.state(AMBIENT=0xFF808080)
        self.place(shapes.rotation_x(angle * 0.5) @ shapes.rotation_y(angle * 1.3))
        self.draw_mesh(self.cube)
        device.SetRenderTarget(main, depth)

    def draw_sky(self) -> None:
        device = self.device
        self.plain_state()
        self.state(ZENABLE=0, ZWRITEENABLE=0, LIGHTING=0)
        self.stage(0, COLOROP=TextureOp.SELECTARG2)
        device.SetTexture(0, None)
        device.SetVertexShader(FLAT)
        corners = np.zeros((4, 5), np.float32)
        corners[:, :2] = np.array([[0, 0], [WIDTH, 0], [0, HEIGHT], [WIDTH, HEIGHT]], np.float32) - 0.5
        corners[:, 2:4] = 1.0
        corners.view(np.uint32)[:, 4] = [0xFF05070D, 0xFF0B0F1E, 0xFF3A4A6B, 0xFF54587A]
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners.tobytes(), 20)

    def draw_reflection(self, angle: float) -> None:
        """Marks the floor in the stencil buffer, then draws the objects upside down where it is marked."""
        device = self.device
        self.plain_state()
        self.state(STENCILENABLE=1, STENCILFUNC=CmpFunc.ALWAYS, STENCILREF=1, STENCILPASS=StencilOp.REPLACE)
        self.state(COLORWRITEENABLE=0, ZWRITEENABLE=0)
        device.SetVertexShader(FLOOR)
        self.place(shapes.identity())
        self.draw_mesh(self.floor)
        self.state(COLORWRITEENABLE=15, ZWRITEENABLE=1, STENCILFUNC=CmpFunc.EQUAL, STENCILPASS=StencilOp.KEEP)
        device.SetClipPlane(0, (0.0, -1.0, 0.0, 0.0))
        self.state(CLIPPLANEENABLE=1, CULLMODE=Cull.CW)
        self.draw_objects(angle, shapes.scaling(1.0, -1.0, 1.0), mirrored=True)
        self.state(CLIPPLANEENABLE=0, STENCILENABLE=0, CULLMODE=Cull.CCW)

    def draw_floor(self) -> None:
        device = self.device
        self.plain_state()
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.INVSRCALPHA, AMBIENT=0xFFFFFFFF)
        self.state(FOGENABLE=1, FOGCOLOR=0xFF3A4A6B, FOGVERTEXMODE=FogMode.LINEAR)
        self.state(FOGSTART=float_bits(4.0), FOGEND=float_bits(11.0))
        self.material((1.0, 1.0, 1.0, 0.72))
        device.SetTexture(0, self.tiles)
        device.SetTexture(1, self.light_map)
        self.stage(1, COLOROP=TextureOp.MODULATE2X, COLORARG1=TextureArg.TEXTURE, COLORARG2=TextureArg.CURRENT)
        self.stage(1, TEXCOORDINDEX=1, ADDRESSU=TextureAddress.CLAMP, ADDRESSV=TextureAddress.CLAMP)
        self.stage(1, ALPHAOP=TextureOp.SELECTARG2, ALPHAARG2=TextureArg.CURRENT)
        device.SetVertexShader(FLOOR)
        self.place(shapes.identity())
        self.draw_mesh(self.floor)
        device.SetTexture(1, None)

    def draw_objects(self, angle: float, mirror: np.ndarray, mirrored: bool = False) -> None:
        device = self.device
        if not mirrored:
            self.plain_state()
        self.state(SPECULARENABLE=1)
        self.material((0.95, 0.9, 0.85, 1.0), specular=0.7, power=24.0)
        device.SetTexture(0, self.metal)
        device.SetVertexShader(LIT)
        tilt = shapes.rotation_x(0.5 * math.sin(angle)) @ shapes.rotation_y(angle)
        self.place(tilt @ shapes.translation(-1.0, 0.95, 0.3) @ mirror)
        self.draw_mesh(self.torus)
        self.draw_ball(angle, mirror)

    def draw_ball(self, angle: float, mirror: np.ndarray) -> None:
        device = self.device
        spin = shapes.rotation_y(-angle * 0.7) @ shapes.rotation_x(0.4)
        bob = 0.75 + 0.12 * math.sin(angle * 2)
        world = spin @ shapes.translation(1.15, bob, -0.35) @ mirror
        device.SetVertexShader(self.marble_vertices)
        device.SetPixelShader(self.marble_pixels)
        device.SetTexture(0, self.marble)
        device.SetVertexShaderConstant(0, matrix_rows(world @ self.view @ self.projection), 4)
        device.SetVertexShaderConstant(4, matrix_rows(world)[:3], 3)
        constants = np.array(
            [
                unit((0.5, 1.0, -0.6), 0.0), (0.16, 0.18, 0.26, 1.0), (0.9, 0.0, 40.0, 0.0),
                (*(self.eye - world[3, :3]), 0.0), (0.8, 0.76, 0.68, 1.0),
            ],
            np.float32,
        )  # fmt: skip
        device.SetVertexShaderConstant(7, constants, 5)
        self.draw_mesh(self.ball)
        device.SetPixelShader(0)

    def draw_monitor(self) -> None:
        """The rendered texture on the face of a box."""
        device = self.device
        self.plain_state()
        self.material((1.0, 1.0, 1.0, 1.0))
        device.SetVertexShader(LIT)
        device.SetTexture(0, self.screen)
        self.state(AMBIENT=0xFFE0E0E0)
        self.place(shapes.scaling(1.8, 1.5, 0.2) @ shapes.rotation_y(-0.25) @ shapes.translation(0.3, 1.5, 2.6))
        self.draw_mesh(self.cube)

    def draw_sparks(self, time: float) -> None:
        """A fountain of particles that face the camera, additive, from user memory."""
        self.add_sprites(self.spark, sparks(time, self.view))


def sparks(time: float, view: np.ndarray, count: int = 48) -> np.ndarray:
    """Two triangles a particle, float32 (6 * count, 6): position, diffuse, coordinates."""
    random = np.random.default_rng(5)
    birth, heading, speed = random.random(count), random.random(count) * 2 * math.pi, 0.35 + 0.3 * random.random(count)
    age = (birth + time * 2) % 1.0
    height = 0.75 + 3.6 * age - 3.0 * age**2
    centre = np.stack([-1.0 + np.cos(heading) * speed * age, height, 0.3 + np.sin(heading) * speed * age], -1)
    right, up = view[:3, 0], view[:3, 1]
    size = (0.2 * (1 - 0.6 * age))[:, None]
    corners = [(-1, 1), (1, 1), (1, -1), (-1, 1), (1, -1), (-1, -1)]
    vertices = np.zeros((count, 6, 6), np.float32)
    for index, (x, y) in enumerate(corners):
        vertices[:, index, :3] = centre + (right * x + up * y) * size
        vertices[:, index, 4:] = (x + 1) / 2, (1 - y) / 2
    fade = shapes.argb(1 - age, np.ones(count), 0.85 - 0.4 * age, 0.5 - 0.4 * age)
    vertices.view(np.uint32)[:, :, 3] = fade[:, None]
    return vertices.reshape(-1, 6)
