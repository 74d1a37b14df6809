"""A brick wall whose relief follows a lamp, and a pond that mirrors it in ripples: bump mapping of both kinds.

What it shows: a normal map and a lamp in tangent space (vs_1_1, ps_1_1: dp3); the mirrored wall rendered to a texture,
projected onto the water and bent by a bump map with luminance (BUMPENVMAPLUMINANCE) that a texture transform moves.
"""

from __future__ import annotations

import math

import numpy as np

from core.ddi.stream.shader_assemble import assemble
from core.runtime.d3d8 import IDirect3DDevice8
from core.spec.enums import (
    Blend,
    ClearFlag,
    Cull,
    Fvf,
    Pool,
    PrimitiveType,
    TextureAddress,
    TextureArg,
    TextureOp,
    TransformState,
    Usage,
)  # fmt: skip
from resources import shapes
from resources.canvas import COLOURED, Canvas, float_bits, format_id, matrix_rows

WIDTH, HEIGHT = 640, 480
TITLE = "Bump mapping: a wall of bricks and a pond that mirrors it"
MIRROR = 256  # the mirrored picture's edge
CAMERA_POSITION = 0x20000  # D3DTSS_TCI_*
TWO, THREE_PROJECTED = 2, 0x103  # D3DTTFF_COUNT2, COUNT3 | PROJECTED
WALL = (9.8, 3.5)  # metres; it stands on y = 0 at z = 0 and faces -z
WATER = Fvf.XYZ | Fvf.TEX1

WALL_VERTEX_SHADER = """
vs_1_1
; c0-c3 world view projection, c4 the lamp, c5 = 0.5 0 1 and 1 / reach squared
m4x4 oPos, v0, c0
sub r0, c4, v0
dp3 r1.w, r0, r0
mul r2.w, r1.w, c5.w
rsq r1.w, r1.w
mul r0.xyz, r0, r1.w
mul r0.z, r0.z, -c5.z
mad oD0.xyz, r0, c5.x, c5.x
; fades with the square of the distance
add r2.w, c5.z, -r2.w
max oD0.w, r2.w, c5.y
mov oT0.xy, v7
mov oT1.xy, v7
"""
WALL_PIXEL_SHADER = """
ps_1_1
; c0 the lamp's colour, c1 what is there without it
tex t0
tex t1
dp3_sat r0, t0_bx2, v0_bx2
mul r0.rgb, r0, v0.a
mad r0.rgb, r0, c0, c1
mul r0.rgb, r0, t1
+ mov r0.a, c1.a
"""


def bricks(size: int = 128) -> tuple[np.ndarray, np.ndarray]:
    """The height of a wall that repeats, 0..1, and the number of the brick at each texel (-1: mortar)."""
    row, column = np.mgrid[:size, :size] / size
    course = (row * 4).astype(int)
    along = (column * 2 + 0.5 * (course % 2)) % 2
    x, y = (along % 1 - 0.5) * 2, ((row * 4) % 1 - 0.5) * 2
    edge = np.minimum((1 - np.abs(x)) * 2, 1 - np.abs(y))
    height = np.clip((edge - 0.10) / 0.16, 0, 1)
    height = height * height * (3 - 2 * height)
    rough = shapes.noise((size, size), 5, 17)
    number = np.where(edge > 0.12, course * 2 + along.astype(int), -1)
    return 0.75 * height + 0.35 * rough * (0.4 + 0.6 * height), number


def normal_map(height: np.ndarray, strength: float) -> np.ndarray:
    """Normals of a height field that repeats, as colours: A8R8G8B8."""
    right = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) * strength
    down = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) * strength
    normal = shapes.unit_rows(np.stack([-right, down, np.ones_like(height)], -1)) * 0.5 + 0.5
    return shapes.argb(np.ones_like(height), normal[..., 0], normal[..., 1], normal[..., 2])


def brick_colours(height: np.ndarray, number: np.ndarray) -> np.ndarray:
    tone = np.random.default_rng(9).random(8)
    shade = (0.62 + 0.38 * tone[number]) * (0.72 + 0.28 * height)
    red, green, blue = shade * 0.86, shade * (0.44 + 0.08 * tone[number]), shade * 0.34
    mortar = number < 0
    grey = 0.42 + 0.2 * height
    return shapes.argb(
        np.ones_like(shade), *(np.where(mortar, grey * g, c) for c, g in ((red, 1.0), (green, 0.97), (blue, 0.9)))
    )


def ripple_map(size: int = 64) -> np.ndarray:
    """X8L8V8U8 of waves that repeat: slopes in U and V, brightness of the crests in L."""
    y, x = np.mgrid[:size, :size] / size * 2 * math.pi
    waves = ((1, 2, 0.5, 0.0), (3, 1, 0.3, 1.0), (-2, 4, 0.22, 2.0), (5, 5, 0.12, 0.5), (7, -3, 0.08, 4.0))
    height = sum(a * np.sin(i * x + j * y + p) for i, j, a, p in waves)
    du = sum(a * i * np.cos(i * x + j * y + p) for i, j, a, p in waves)
    dv = sum(a * j * np.cos(i * x + j * y + p) for i, j, a, p in waves)
    u, v = (np.clip(np.rint(d / 4.5 * 127), -127, 127).astype(np.int64) & 0xFF for d in (du, dv))
    light = np.rint((np.asarray(height) + 1.3) / 2.6 * 255).clip(0, 255).astype(np.int64)
    return (light << 16 | v << 8 | u).astype(np.uint32)


def wall_mesh(columns: int = 28, rows: int = 12) -> shapes.Mesh:
    u, v = np.meshgrid(np.arange(columns + 1) / columns, np.arange(rows + 1) / rows, indexing="ij")
    position = np.stack([(u - 0.5) * WALL[0], v * WALL[1], np.zeros_like(u)], -1)
    uv = np.stack([u * WALL[0] / 1.4, (1 - v) * WALL[1] / 1.4], -1)
    vertices = np.concatenate([position, uv], -1).reshape(-1, 5).astype(np.float32)
    return vertices, shapes.grid_indices(columns, rows)[:, ::-1]


def water_mesh(cells: int = 12, size: float = 14.0, repeat: float = 9.0) -> shapes.Mesh:
    vertices, indices = shapes.grid(size, cells, repeat)
    moved = vertices[:, [0, 1, 2, 6, 7]].copy()
    moved[:, 2] -= size / 2
    return moved, indices


class Relief(Canvas):
    """The scene's resources on one device; `draw(time)` draws and presents one frame."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        height, number = bricks()
        self.normals = self.texture(normal_map(height, 2.6), mipmaps=True)
        self.colours = self.texture(brick_colours(height, number), mipmaps=True)
        self.spark = self.texture(shapes.spark())
        self.ripples = self.texture(ripple_map(), form="X8L8V8U8")
        self.mirror = device.CreateTexture(MIRROR, MIRROR, 1, Usage.RENDERTARGET, format_id("X8R8G8B8"), Pool.DEFAULT)
        self.mirror_depth = device.CreateDepthStencilSurface(MIRROR, MIRROR, format_id("D24S8"))
        self.wall = self.mesh(wall_mesh(), Fvf.XYZ | Fvf.TEX1)
        self.water = self.mesh(water_mesh(), WATER)
        declaration = [0x20000000, 0x40020000, 0x40010007, 0xFFFFFFFF]  # stream 0: v0 FLOAT3, v7 FLOAT2
        self.wall_vertices = device.CreateVertexShader(declaration, assemble(WALL_VERTEX_SHADER), 0)
        self.wall_pixels = device.CreatePixelShader(assemble(WALL_PIXEL_SHADER))

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device, angle = self.device, 2 * math.pi * time
        self.lamp = np.array([1.9 * math.sin(angle + 0.6), 1.30 + 0.35 * math.cos(2 * angle), -0.75])
        self.view = shapes.look_at(np.array([-0.7, 1.6, -6.2]), np.array([0.1, 0.42, 0.0]))
        self.projection = shapes.perspective(math.radians(46), WIDTH / HEIGHT, 0.2, 40.0)
        device.BeginScene()
        self.draw_mirrored()
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF05070E, 1.0, 0)
        self.draw_wall(shapes.identity())
        self.draw_water(time)
        self.draw_lamp(shapes.identity())
        device.EndScene()
        device.Present(None, None, None, None)

    def draw_mirrored(self) -> None:
        """The wall and the lamp upside down, as the water shows them, into a texture."""
        device = self.device
        main, depth = device.GetRenderTarget(), device.GetDepthStencilSurface()
        device.SetRenderTarget(self.mirror.GetSurfaceLevel(0), self.mirror_depth)
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF05070E, 1.0, 0)
        upside_down = shapes.scaling(1.0, -1.0, 1.0)
        self.draw_wall(upside_down)
        self.draw_lamp(upside_down)
        device.SetRenderTarget(main, depth)

    def draw_wall(self, world: np.ndarray) -> None:
        device = self.device
        self.plain_state()
        self.state(LIGHTING=0, CULLMODE=Cull.NONE)
        device.SetVertexShader(self.wall_vertices)
        device.SetPixelShader(self.wall_pixels)
        device.SetTexture(0, self.normals)
        device.SetTexture(1, self.colours)
        device.SetVertexShaderConstant(0, matrix_rows(world @ self.view @ self.projection), 4)
        constants = np.array([(*self.lamp, 1.0), (0.5, 0.0, 1.0, 1 / 4.0**2)], np.float32)
        device.SetVertexShaderConstant(4, constants, 2)
        device.SetPixelShaderConstant(0, np.array([(1.0, 0.86, 0.62, 1.0), (0.14, 0.15, 0.21, 1.0)], np.float32), 2)
        self.draw_mesh(self.wall)
        device.SetPixelShader(0)
        device.SetTexture(1, None)

    def draw_water(self, time: float) -> None:
        """The mirrored picture, bent by the ripples."""
        device = self.device
        self.plain_state()
        self.state(LIGHTING=0, CULLMODE=Cull.NONE, TEXTUREFACTOR=0xFFB8D0E0)
        device.SetTransform(TransformState.VIEW, self.view)
        device.SetTransform(TransformState.PROJECTION, self.projection)
        device.SetTexture(0, self.ripples)
        device.SetTexture(1, self.mirror)
        self.stage(0, COLOROP=TextureOp.BUMPENVMAPLUMINANCE, TEXTURETRANSFORMFLAGS=TWO)
        self.stage(0, COLORARG2=TextureArg.CURRENT, ALPHAOP=TextureOp.SELECTARG2)
        bend = {"BUMPENVMAT00": 0.016, "BUMPENVMAT01": 0.0, "BUMPENVMAT10": 0.0, "BUMPENVMAT11": 0.024}
        self.stage(0, **{name: float_bits(value) for name, value in bend.items()})
        self.stage(0, BUMPENVLSCALE=float_bits(0.5), BUMPENVLOFFSET=float_bits(0.7))
        self.stage(1, COLOROP=TextureOp.MODULATE, COLORARG1=TextureArg.TEXTURE, COLORARG2=TextureArg.TFACTOR)
        self.stage(1, TEXCOORDINDEX=CAMERA_POSITION, TEXTURETRANSFORMFLAGS=THREE_PROJECTED)
        self.stage(1, ADDRESSU=TextureAddress.CLAMP, ADDRESSV=TextureAddress.CLAMP)
        device.SetTransform(TransformState.TEXTURE0, drift(0.35 * time, 0.15 * time))
        device.SetTransform(TransformState.TEXTURE0 + 1, self.screen_coordinates())
        device.SetVertexShader(WATER)
        self.place(shapes.identity())
        self.draw_mesh(self.water)
        for number in range(2):
            self.stage(number, TEXCOORDINDEX=number, TEXTURETRANSFORMFLAGS=0, COLORARG2=TextureArg.DIFFUSE)
        device.SetTexture(1, None)

    def screen_coordinates(self) -> np.ndarray:
        """From camera space to the mirrored picture's coordinates times w, with w third: what PROJECTED divides by."""
        to_texture = np.array([[0.5, 0.0, 0.0, 0.0], [0.0, -0.5, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 1.0, 0.0]])
        return self.projection @ to_texture

    def draw_lamp(self, world: np.ndarray) -> None:
        """A sprite where the lamp is."""
        device = self.device
        self.plain_state()
        self.state(LIGHTING=0, ZWRITEENABLE=0, CULLMODE=Cull.NONE)
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.ONE)
        device.SetTransform(TransformState.VIEW, self.view)
        device.SetTransform(TransformState.PROJECTION, self.projection)
        device.SetTexture(0, self.spark)
        device.SetVertexShader(COLOURED)
        self.place(world)
        vertices = np.zeros((4, 6), np.float32)
        for index, (x, y) in enumerate([(-1, 1), (1, 1), (-1, -1), (1, -1)]):
            vertices[index, :3] = self.lamp + (self.view[:3, 0] * x + self.view[:3, 1] * y) * 0.34
            vertices[index, 4:] = (x + 1) / 2, (1 - y) / 2
        vertices.view(np.uint32)[:, 3] = 0xFFFFF0D0
        device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, vertices.tobytes(), 24)


def drift(u: float, v: float) -> np.ndarray:
    """The texture transform of two coordinates that moves them: their third row is added."""
    matrix = shapes.identity()
    matrix[2, :2] = u, v
    return matrix
