"""A gallery at night: shadow volumes in the stencil buffer, and a mirror that the same buffer cuts out.

What it shows: the mirrored room behind a mask of the mirror, cut by a user clip plane; the room in ambient light; volumes
pulled out from silhouettes, counted in the stencil buffer where the depth test fails (back faces up, front faces down); the
light added where the count is zero.  The program makes the volumes, from the lamp's place, in a dynamic vertex buffer.
"""

from __future__ import annotations

import math

import numpy as np

from core.runtime.d3d8 import IDirect3DDevice8
from core.spec.enums import (
    Blend,
    ClearFlag,
    CmpFunc,
    Cull,
    Fvf,
    LightType,
    Pool,
    PrimitiveType,
    StencilOp,
    TextureOp,
    TransformState,
    Usage,
)  # fmt: skip
from resources import shapes
from resources.canvas import COLOURED, LIT, Canvas, light

WIDTH, HEIGHT = 640, 480
TITLE = "Stencil: shadow volumes and a mirror"
FAR, INSIDE = 14.0, 0.025  # how far volumes reach, and begin
ROOM_FOR = 24_000  # vertices of volumes
Thing = tuple[str, np.ndarray, tuple[float, float, float]]  # mesh, world matrix, colour
IN_MIRROR = 0x80  # of the stencil buffer; the other bits count
MIRROR_Z, MIRROR = 2.6, (-2.0, 0.55, 2.0, 2.75)  # left, bottom, right, top
FRAME = [
    ("pedestal", shapes.scaling(width, height, 0.08) @ shapes.translation(x, y, MIRROR_Z - 0.04), (0.62, 0.45, 0.20))
    for width, height, x, y in (
        (4.24, 0.12, 0.0, 0.49), (4.24, 0.12, 0.0, 2.81), (0.12, 2.2, -2.06, 1.65), (0.12, 2.2, 2.06, 1.65),
    )
]  # fmt: skip
REFLECT = shapes.scaling(1.0, 1.0, -1.0) @ shapes.translation(0.0, 0.0, 2 * MIRROR_Z)


def silhouette_volume(mesh: shapes.Mesh, world: np.ndarray, lamp: np.ndarray) -> np.ndarray:
    """The closed volume that a mesh shades: float32 (n, 3), triangles whose fronts look outwards.

    Lit triangles are its cap, those away from the lamp, moved away, its end; edges between the two become its sides.  The cap
    lies a little inside of the mesh, lest it fights with the mesh itself.
    """
    vertices, indices = mesh
    places, where = np.unique(np.round(vertices[:, :3].astype(float), 5), axis=0, return_inverse=True)
    faces = where.ravel()[indices.astype(int)]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 0] != faces[:, 2])]
    places = (np.append(places, np.ones((len(places), 1)), 1) @ world)[:, :3]
    a, b, c = (places[faces[:, i]] for i in range(3))
    lit = (np.cross(b - a, c - a) * (lamp - a)).sum(-1) > 0
    away = places - lamp
    distance = np.sqrt((away**2).sum(-1, keepdims=True))
    near, far = (lamp + away * ((distance + more) / distance) for more in (INSIDE, FAR))
    front, back = faces[lit], faces[~lit]
    edges = np.concatenate([front[:, [0, 1]], front[:, [1, 2]], front[:, [2, 0]]])
    known = {(int(p), int(q)) for p, q in edges}
    rim = np.array([(p, q) for p, q in known if (q, p) not in known])
    rim = rim[np.lexsort((rim[:, 1], rim[:, 0]))]
    p, q = near[rim[:, 0]], near[rim[:, 1]]
    far_p, far_q = far[rim[:, 0]], far[rim[:, 1]]
    sides = np.stack([p, far_p, q, q, far_p, far_q], 1).reshape(-1, 3)
    return np.concatenate([near[front].reshape(-1, 3), sides, far[back].reshape(-1, 3)]).astype(np.float32)


class Shadows(Canvas):
    """The scene's resources on one device; `draw(time)` draws and presents one frame."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        super().__init__(device)
        self.tiles = self.texture(shapes.tiles(), mipmaps=True)
        self.metal, self.spark = self.texture(shapes.metal(), mipmaps=True), self.texture(shapes.spark())
        self.white = self.texture(np.full((4, 4), 0xFFFFFFFF, np.uint32))
        self.shapes = {
            "knot": shapes.knot(0.62, 0.13, 84, 8), "ball": shapes.ball(0.42, 20, 12), "pedestal": shapes.cube(1.0),
        }  # fmt: skip
        self.meshes = {name: self.mesh(mesh, LIT) for name, mesh in self.shapes.items()}
        length = 12 * ROOM_FOR
        self.volumes = device.CreateVertexBuffer(length, Usage.DYNAMIC | Usage.WRITEONLY, Fvf.XYZ, Pool.DEFAULT)
        self.floor = self.mesh(shapes.grid(12.0, 24, 6.0), LIT)
        self.wall = self.mesh(shapes.grid(12.0, 24, 4.0), LIT)

    def placed(self, angle: float) -> list[Thing]:
        """Mesh, world matrix and colour of everything that casts shadows."""
        knot = shapes.rotation_x(0.3) @ shapes.rotation_y(angle) @ shapes.translation(-0.75, 1.48, 0.35)
        return [
            ("knot", knot, (0.95, 0.72, 0.30)),
            ("pedestal", shapes.scaling(0.7, 0.75, 0.7) @ shapes.translation(-0.75, 0.375, 0.35), (0.80, 0.78, 0.74)),
            ("ball", shapes.translation(1.15, 0.42 + 0.32 * abs(math.sin(angle)), -0.35), (0.78, 0.16, 0.14)),
            ("pedestal", shapes.scaling(0.5, 1.5, 0.5) @ shapes.rotation_y(0.5) @ shapes.translation(1.7, 0.75, 1.1),
             (0.35, 0.58, 0.74)),
        ]  # fmt: skip

    def draw(self, time: float) -> None:
        """One frame at `time` (0..1 is one turn)."""
        device, angle = self.device, 2 * math.pi * time
        self.lamp = np.array([0.55 + 0.9 * math.cos(angle), 3.3, -1.7 + 0.5 * math.sin(angle)])
        self.view = shapes.look_at(np.array([0.9, 2.2, -5.1]), np.array([0.15, 1.05, 0.6]))
        things = self.placed(angle)
        volumes = [silhouette_volume(self.shapes[name], world, self.lamp) for name, world, _ in things]
        every = np.concatenate(volumes)
        self.volumes.Lock(0, every.nbytes, 0x2000)[: every.nbytes] = every.view(np.uint8).ravel()  # D3DLOCK_DISCARD
        self.volumes.Unlock()
        device.BeginScene()
        device.SetTransform(TransformState.VIEW, self.view)
        device.SetTransform(TransformState.PROJECTION, shapes.perspective(math.radians(44), WIDTH / HEIGHT, 0.3, 60.0))
        device.Clear(0, None, ClearFlag.TARGET | ClearFlag.ZBUFFER | ClearFlag.STENCIL, 0xFF050608, 1.0, 0)
        self.mask_mirror()
        self.draw_room(things, len(every) // 3, mirrored=True)
        self.seal_mirror()
        self.draw_room(things, len(every) // 3, mirrored=False)
        self.draw_lamp()
        device.EndScene()
        device.Present(None, None, None, None)

    # ---- the mirror --------------------------------------------------------------------------------------------------

    def mirror_quad(self, colour: int) -> bytes:
        left, bottom, right, top = MIRROR
        corners = np.zeros((4, 6), np.float32)
        corners[:, :3] = [(x, y, MIRROR_Z - 0.005) for y in (top, bottom) for x in (left, right)]
        corners.view(np.uint32)[:, 3] = colour
        return corners.tobytes()

    def draw_mirror_quad(self, colour: int = 0xFF000000) -> None:
        self.device.SetTexture(0, None)
        self.stage(0, COLOROP=TextureOp.SELECTARG2, ALPHAOP=TextureOp.SELECTARG2)
        self.device.SetVertexShader(COLOURED)
        self.place(shapes.identity())
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, self.mirror_quad(colour), 24)

    def mask_mirror(self) -> None:
        """Sets IN_MIRROR where the mirror is."""
        self.plain_state()
        self.state(LIGHTING=0, CULLMODE=Cull.NONE, COLORWRITEENABLE=0, ZWRITEENABLE=0)
        self.state(STENCILENABLE=1, STENCILFUNC=CmpFunc.ALWAYS, STENCILREF=IN_MIRROR, STENCILPASS=StencilOp.REPLACE)
        self.state(STENCILMASK=0xFF, STENCILWRITEMASK=0xFF)
        self.draw_mirror_quad()
        self.state(COLORWRITEENABLE=15, STENCILENABLE=0)

    def seal_mirror(self) -> None:
        """Darkens what the mirror shows a little, gives it the depth of the glass, and takes the mask away."""
        self.plain_state()
        self.state(LIGHTING=0, CULLMODE=Cull.NONE, ZFUNC=CmpFunc.ALWAYS)
        self.state(STENCILENABLE=1, STENCILFUNC=CmpFunc.LESSEQUAL, STENCILREF=IN_MIRROR, STENCILPASS=StencilOp.ZERO)
        self.state(STENCILMASK=IN_MIRROR, STENCILWRITEMASK=0xFF)
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.INVSRCALPHA)
        self.draw_mirror_quad(0x28182838)
        self.state(STENCILENABLE=0, ALPHABLENDENABLE=0, ZFUNC=CmpFunc.LESSEQUAL)

    # ---- the room ----------------------------------------------------------------------------------------------------

    def draw_room(self, things: list[Thing], triangles: int, mirrored: bool) -> None:
        """Ambient light, shadow volumes, then the lamp's light where no volume is."""
        device, self.world = self.device, REFLECT if mirrored else shapes.identity()
        mask = IN_MIRROR if mirrored else 0
        front, back = (Cull.CW, Cull.CCW) if mirrored else (Cull.CCW, Cull.CW)
        self.plain_state()
        device.SetClipPlane(0, (0.0, 0.0, 1.0, -MIRROR_Z) if mirrored else (0.0, 0.0, -1.0, MIRROR_Z + 0.01))
        self.state(CLIPPLANEENABLE=1, CULLMODE=front, AMBIENT=0xFF343A4A)
        self.state(STENCILENABLE=1, STENCILREF=mask, STENCILMASK=IN_MIRROR, STENCILWRITEMASK=0x7F)
        self.state(STENCILFUNC=CmpFunc.EQUAL, STENCILPASS=StencilOp.KEEP, STENCILFAIL=StencilOp.KEEP)
        device.LightEnable(0, False)
        self.draw_things(things)
        self.draw_volumes(triangles, front, back)
        self.state(STENCILMASK=0xFF, STENCILREF=mask, STENCILFUNC=CmpFunc.EQUAL, STENCILZFAIL=StencilOp.KEEP)
        self.state(COLORWRITEENABLE=15, ALPHABLENDENABLE=1, SRCBLEND=Blend.ONE, DESTBLEND=Blend.ONE, CULLMODE=front)
        self.state(AMBIENT=0, LIGHTING=1, SPECULARENABLE=1, CLIPPLANEENABLE=1)
        where = tuple((np.append(self.lamp, 1.0) @ self.world)[:3])
        device.SetLight(0, light(LightType.POINT, (2.6, 2.3, 1.9), position=where, reach=20.0))
        device.LightEnable(0, True)
        self.draw_things(things)
        self.state(STENCILENABLE=0, CLIPPLANEENABLE=0, ALPHABLENDENABLE=0, ZWRITEENABLE=1, SPECULARENABLE=0)

    def draw_volumes(self, triangles: int, front: Cull, back: Cull) -> None:
        """Counts where the depth test fails: what is inside a volume ends with another count than zero."""
        self.state(COLORWRITEENABLE=0, ZWRITEENABLE=0, LIGHTING=0, CLIPPLANEENABLE=0)  # closed volumes stay closed
        self.device.SetVertexShader(Fvf.XYZ)
        self.device.SetTexture(0, None)
        self.place(self.world)
        self.device.SetStreamSource(0, self.volumes, 12)
        for side, change in ((back, StencilOp.INCR), (front, StencilOp.DECR)):
            self.state(CULLMODE=side, STENCILZFAIL=change)
            self.device.DrawPrimitive(PrimitiveType.TRIANGLELIST, 0, triangles)

    def draw_things(self, things: list[Thing]) -> None:
        device = self.device
        self.stage(0, COLOROP=TextureOp.MODULATE, ALPHAOP=TextureOp.MODULATE)
        device.SetVertexShader(LIT)
        device.SetTexture(0, self.tiles)
        self.material((0.95, 0.92, 0.88, 1.0), specular=0.25, power=30.0)
        self.place(self.world)
        self.draw_mesh(self.floor)
        device.SetTexture(0, self.white)
        self.material((0.62, 0.48, 0.40, 1.0))
        for turn, z in ((-0.5, MIRROR_Z), (0.5, -7.5)):
            self.place(shapes.rotation_x(turn * math.pi) @ shapes.translation(0.0, 3.0, z) @ self.world)
            self.draw_mesh(self.wall)
        for name, world, colour in (*things, *FRAME):
            device.SetTexture(0, self.metal if name == "knot" else self.white)
            self.material((*colour, 1.0), specular=0.7 if name != "pedestal" else 0.0, power=35.0)
            self.place(world @ self.world)
            self.draw_mesh(self.meshes[name])

    def draw_lamp(self) -> None:
        """A sprite where the lamp is."""
        self.plain_state()
        self.state(LIGHTING=0, ZWRITEENABLE=0, CULLMODE=Cull.NONE)
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.ONE)
        self.device.SetTexture(0, self.spark)
        self.device.SetVertexShader(COLOURED)
        self.place(shapes.identity())
        corners = np.zeros((4, 6), np.float32)
        for index, (x, y) in enumerate([(-1, 1), (1, 1), (-1, -1), (1, -1)]):
            corners[index, :3] = self.lamp + (self.view[:3, 0] * x + self.view[:3, 1] * y) * 0.3
            corners[index, 4:] = (x + 1) / 2, (1 - y) / 2
        corners.view(np.uint32)[:, 3] = 0xFFFFF0D0
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners.tobytes(), 24)
