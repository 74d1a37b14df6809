"""A vase, a flag, petals and a stone in the sand: curved surfaces that the device makes, coarser from frame to frame.

What it shows: rectangular patches on the Bezier basis (the vase: four by two patches from one net), on B-splines (the flag) and
interpolating (the sand); triangular patches (the petals), kept under handles; N-patches (the right stone, the left one is drawn
without); state blocks; their meshes in wire frame; four samples a pixel.
"""

from __future__ import annotations

import math

import numpy as np

from core.runtime.d3d8 import D3DRECTPATCH_INFO, D3DTRIPATCH_INFO, IDirect3DDevice8
from core.spec.enums import (
    BasisType,
    Blend,
    ClearFlag,
    Cull,
    FillMode,
    LightType,
    OrderType,
    Pool,
    TextureOp,
    TransformState,
    Usage,
)  # fmt: skip
from resources import shapes
from resources.canvas import LIT, Canvas, float_bits, light

WIDTH, HEIGHT, SAMPLES = 640, 480, 4
TITLE = "Patches: Bezier, B-spline, interpolating, triangular, N-patches"
SEGMENTS = (12.0, 6.0, 3.0, 2.0)  # of each frame
ARC = 4 * (math.sqrt(2) - 1) / 3  # how far the handles of a quarter of a circle reach
PROFILE = np.array([(0.30, 0.0), (0.52, 0.22), (0.62, 0.50), (0.42, 0.82), (0.30, 1.02), (0.24, 1.22), (0.36, 1.42)])
PETALS = 7


def net_rows(position: np.ndarray, normal: np.ndarray, uv: np.ndarray) -> np.ndarray:
    """Control points in rows, as vertices."""
    return shapes.pack(position, shapes.unit_rows(normal), uv)


def vase_net() -> np.ndarray:
    """13 by 7 points: four quarters of a circle by two pieces of the profile."""
    circle = []
    for quarter in range(4):
        c, s = round(math.cos(quarter * math.pi / 2)), round(math.sin(quarter * math.pi / 2))
        circle += [(c, s), (c - ARC * s, s + ARC * c), (ARC * c - s, ARC * s + c)]
    ring = np.array([*circle, circle[0]])
    radius, height = PROFILE.T
    along = np.gradient(PROFILE, axis=0)
    position = np.stack([radius[:, None] * ring[:, 0], np.repeat(height[:, None], 13, 1), radius[:, None] * ring[:, 1]], -1)
    unit = shapes.unit_rows(ring)
    rise = np.repeat(-along[:, :1], 13, 1)
    normal = np.stack([along[:, 1:] * unit[:, 0], rise, along[:, 1:] * unit[:, 1]], -1)
    u, v = np.meshgrid(np.arange(13) / 3, 1 - height / height[-1])
    return net_rows(position, normal, np.stack([u, v], -1))


def height_net(columns: int, rows: int, size: float, height: np.ndarray) -> np.ndarray:
    """A landscape of heights (rows, columns)."""
    x, z = np.meshgrid((np.arange(columns) / (columns - 1) - 0.5) * size, (np.arange(rows) / (rows - 1) - 0.5) * size)
    dz, dx = np.gradient(height, size / (rows - 1), size / (columns - 1))
    position, normal = np.stack([x, height, z], -1), np.stack([-dx, np.ones_like(dx), -dz], -1)
    return net_rows(position, normal, np.stack([x, -z], -1) * 0.35)


def flag_net(time: float, columns: int = 10, rows: int = 6) -> np.ndarray:
    """Cloth that waves more the farther it is from the pole."""
    u, v = np.meshgrid(np.linspace(-0.12, 1.12, columns), np.linspace(-0.2, 1.2, rows))
    wave = np.clip(u, 0, 2) * 0.42 * np.sin(7.5 * u - 2 * math.pi * time + 0.8 * v)
    position = np.stack([1.55 * u, 2.45 - 0.95 * v - 0.12 * np.clip(u, 0, 2) ** 2, wave], -1)
    across, down = np.gradient(position, axis=1), np.gradient(position, axis=0)
    return net_rows(position, np.cross(across, down), np.stack([u, v], -1))


def petal_net() -> np.ndarray:
    """Ten points, row by row from the stem: a petal that bends down at its tip."""
    points, uv = [], []
    for row in range(4):
        for place in range(row + 1):
            out, side = row / 3, (place - row / 2) / 3
            wide = 1.15 if row < 3 else 0.55
            points.append((side * wide, 0.10 + 0.42 * out - 0.48 * out**3 + 0.22 * side**2, 0.10 + 0.72 * out))
            uv.append((0.5 + side, out))
    position = np.array(points)
    normal = np.stack([-0.6 * position[:, 0], np.ones(10), 0.9 * position[:, 2] ** 2 - 0.5], -1)
    return net_rows(position, normal, np.array(uv))


def stone() -> shapes.Mesh:
    """An icosahedron, with the normals of the sphere."""
    golden = (1 + math.sqrt(5)) / 2
    corners = []
    for a in (-1.0, 1.0):
        for b in (-golden, golden):
            corners += [(0.0, a, b), (a, b, 0.0), (b, 0.0, a)]
    position = shapes.unit_rows(np.array(corners))
    faces = []
    for i in range(12):
        for j in range(i + 1, 12):
            for k in range(j + 1, 12):
                near = [float(((position[p] - position[q]) ** 2).sum()) < 1.2 for p, q in ((i, j), (j, k), (i, k))]
                if all(near):
                    out = float(np.cross(position[j] - position[i], position[k] - position[i]) @ position[i]) > 0
                    faces.append((i, j, k) if out else (i, k, j))
    uv = position[:, :2] * 0.5 + 0.5
    return shapes.pack(position, position, uv), np.array(faces, np.uint16)


def cloth(size: int = 64) -> np.ndarray:
    """Teal, with two light diagonal bands."""
    y, x = np.mgrid[:size, :size] / size
    weave = 0.92 + 0.08 * np.sin(x * size * 2.1) * np.sin(y * size * 2.1)
    band = sum(np.clip((0.07 - np.abs(x * 0.9 + y * 0.5 - at)) * 40, 0, 1) for at in (0.55, 0.85))
    red, green, blue = (weave * (low + (high - low) * band) for low, high in ((0.05, 1.0), (0.50, 0.82), (0.52, 0.45)))
    return shapes.argb(np.ones_like(weave), red, green, blue)


def glaze(size: int = 64) -> np.ndarray:
    """Blue glaze with two light bands."""
    y, x = np.mgrid[:size, :size] / size
    wave = y + 0.02 * np.sin(x * 8 * math.pi)
    band = np.exp(-(((wave - 0.38) / 0.035) ** 2)) + np.exp(-(((wave - 0.60) / 0.05) ** 2)) + np.exp(-((wave / 0.05) ** 2))
    tone = 0.85 + 0.15 * shapes.noise((size, size), 4, 6)
    return shapes.argb(
        np.ones_like(band), (0.10 + 0.80 * band) * tone, (0.32 + 0.52 * band) * tone, (0.55 + 0.25 * band) * tone
    )


def sand(size: int = 64) -> np.ndarray:
    y = np.mgrid[:size, :size][0] / size
    tone = 0.75 + 0.2 * shapes.noise((size, size), 5, 2) + 0.05 * np.sin(y * 8 * math.pi)
    return shapes.argb(np.ones_like(tone), tone * 0.93, tone * 0.78, tone * 0.56)


class Tessellation(Canvas):
    """The scene's resources on one device; `draw(time)` draws and presents one frame."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        self.vase, self.petal = self.net(vase_net()), self.net(petal_net())
        hills = 0.30 * shapes.noise((8, 8), 2, 5) - 0.22
        self.ground = self.net(height_net(8, 8, 14.0, hills))
        self.flag = device.CreateVertexBuffer(60 * 32, Usage.DYNAMIC | Usage.WRITEONLY | Usage.RTPATCHES, LIT, Pool.DEFAULT)
        self.stone = self.mesh(stone(), LIT)
        self.pole = self.mesh(shapes.turned(np.array([(0.035, -0.5), (0.035, 2.5), (0.07, 2.5), (0.0, 2.62)]), 10), LIT)
        self.cloth, self.glaze = self.texture(cloth(), mipmaps=True), self.texture(glaze(), mipmaps=True)
        self.sand, self.plain = self.texture(sand(), mipmaps=True), self.texture(np.full((4, 4), 0xFFFFFFFF, np.uint32))
        self.solid, self.wire = self.wire_block(False), self.wire_block(True)

    def net(self, points: np.ndarray) -> object:
        """A vertex buffer of control points."""
        buffer = self.device.CreateVertexBuffer(points.nbytes, Usage.WRITEONLY | Usage.RTPATCHES, LIT, Pool.MANAGED)
        buffer.Lock(0, 0, 0)[:] = points.view(np.uint8).ravel()
        buffer.Unlock()
        return buffer

    def wire_block(self, on: bool) -> int:
        """A state block that draws meshes as dark lines over what is there, or ends that."""
        self.device.BeginStateBlock()
        self.state(FILLMODE=FillMode.WIREFRAME if on else FillMode.SOLID, ZBIAS=4 if on else 0, LIGHTING=not on)
        self.state(ALPHABLENDENABLE=on, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.INVSRCALPHA, TEXTUREFACTOR=0x38102030)
        operation = {"COLOROP": TextureOp.SELECTARG1, "COLORARG1": 3, "ALPHAOP": TextureOp.SELECTARG1, "ALPHAARG1": 3}
        plain = {"COLOROP": TextureOp.MODULATE, "COLORARG1": 2, "ALPHAOP": TextureOp.MODULATE, "ALPHAARG1": 2}
        self.stage(0, **(operation if on else plain))
        return int(self.device.EndStateBlock())

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is all of them)."""
        device = self.device
        self.segments = SEGMENTS[int(time * len(SEGMENTS) + 0.5) % len(SEGMENTS)]
        net = flag_net(time)
        self.flag.Lock(0, 0, 0x2000)[:] = net.view(np.uint8).ravel()  # D3DLOCK_DISCARD
        self.flag.Unlock()
        device.BeginScene()
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER, 0xFF9CC4E4, 1.0, 0)
        self.plain_state()
        self.draw_sky()
        device.SetTransform(TransformState.VIEW, shapes.look_at(np.array([0.5, 1.75, -4.9]), np.array([0.05, 0.95, 0.0])))
        device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(42), WIDTH / HEIGHT, 0.2, 40.0))
        device.SetLight(0, light(LightType.DIRECTIONAL, (1.0, 0.94, 0.82), direction=(0.6, -0.9, 0.75)))
        device.LightEnable(0, True)
        self.state(AMBIENT=0xFF5A6478, CULLMODE=Cull.NONE, SPECULARENABLE=1)
        device.SetVertexShader(LIT)
        for block in (self.solid, self.wire):
            device.ApplyStateBlock(block)
            self.draw_patches(block == self.solid)
            self.draw_stones()
        device.ApplyStateBlock(self.solid)
        device.EndScene()
        device.Present(None, None, None, None)

    def draw_sky(self) -> None:
        self.draw_gradient(WIDTH, HEIGHT * 0.6, [0xFF2F6FB4, 0xFF2F6FB4, 0xFFDCE9F0, 0xFFDCE9F0])
        self.state(ZENABLE=1, ZWRITEENABLE=1)

    def draw_patches(self, solid: bool) -> None:
        """The sand, the vase, the flag and the petals."""
        device = self.device
        self.material((1.0, 1.0, 1.0, 1.0))
        device.SetTexture(0, self.sand)
        self.place(shapes.identity())
        self.rectangle(self.ground, 8, 8, BasisType.INTERPOLATE)
        device.SetTexture(0, self.cloth)
        self.place(shapes.translation(-1.75, 0.0, 1.0))
        self.rectangle(self.flag, 10, 6, BasisType.BSPLINE)
        if solid:
            device.SetTexture(0, self.plain)
            self.material((0.55, 0.40, 0.25, 1.0))
            self.draw_mesh(self.pole)
        device.SetTexture(0, self.glaze)
        self.material((1.0, 1.0, 1.0, 1.0), specular=0.9, power=35.0)
        self.place(shapes.translation(0.15, -0.05, 0.0))
        self.rectangle(self.vase, 13, 7, BasisType.BEZIER)
        self.draw_flower(solid)

    def rectangle(self, net: object, columns: int, rows: int, basis: BasisType) -> None:
        self.device.SetStreamSource(0, net, 32)
        info = D3DRECTPATCH_INFO(0, 0, columns, rows, columns, basis, OrderType.CUBIC)
        self.device.DrawRectPatch(0, [self.segments] * 4, info)

    def draw_flower(self, first: bool) -> None:
        """The petals are one patch, kept under a handle: its information is sent once a frame."""
        device = self.device
        device.SetTexture(0, self.plain)
        self.material((0.98, 0.62, 0.12, 1.0), specular=0.2)
        device.SetStreamSource(0, self.petal, 32)
        info = D3DTRIPATCH_INFO(0, 10, BasisType.BEZIER, OrderType.CUBIC)
        for number in range(PETALS):
            turn = shapes.rotation_y(2 * math.pi * number / PETALS + 0.2)
            self.place(turn @ shapes.rotation_x(-0.25) @ shapes.translation(0.15, 1.38, 0.0))
            device.DrawTriPatch(1, [max(self.segments / 2, 1.0)] * 3, info if first and number == 0 else None)

    def draw_stones(self) -> None:
        """The same twenty triangles, as they are and as N-patches."""
        device = self.device
        device.SetTexture(0, self.plain)
        self.material((0.62, 0.64, 0.68, 1.0), specular=0.4, power=25.0)
        for x, segments in ((1.15, 1.0), (1.95, max(self.segments / 2, 1.0))):
            self.state(PATCHSEGMENTS=float_bits(segments))
            self.place(shapes.scaling(0.36, 0.36, 0.36) @ shapes.translation(x, 0.24, -0.55 + 0.5 * (x > 1.5)))
            self.draw_mesh(self.stone)
        self.state(PATCHSEGMENTS=float_bits(1.0))
