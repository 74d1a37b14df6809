"""What the scripts of the bundled captures draw with: resources out of numpy arrays, states by name, meshes, lights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.runtime.d3d8 import D3DLIGHT8, D3DMATERIAL8, IDirect3DDevice8
from core.spec.enums import (
    Blend,
    CmpFunc,
    Cull,
    Fvf,
    LightType,
    Pool,
    PrimitiveType,
    TextureArg,
    TextureFilter,
    TextureOp,
    TransformState,
    Usage,
)
from core.spec.formats import FORMAT_BY_NAME
from core.spec.states import RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from resources import shapes

COLOURED = Fvf.XYZ | Fvf.DIFFUSE | Fvf.TEX1
FLAT = Fvf.XYZRHW | Fvf.DIFFUSE
LIT = Fvf.XYZ | Fvf.NORMAL | Fvf.TEX1
CUBE_FACES = (  # where each looks, and what is up there, in the order of D3DCUBEMAP_FACES
    ((1, 0, 0), (0, 1, 0)), ((-1, 0, 0), (0, 1, 0)), ((0, 1, 0), (0, 0, -1)),
    ((0, -1, 0), (0, 0, 1)), ((0, 0, 1), (0, 1, 0)), ((0, 0, -1), (0, 1, 0)),
)  # fmt: skip


def format_id(name: str) -> int:
    return FORMAT_BY_NAME[name].id


def matrix_rows(matrix: np.ndarray) -> np.ndarray:
    """Shader constants of a row-vector matrix: its columns, as m4x4 multiplies with rows."""
    return np.ascontiguousarray(matrix.T, np.float32)


class Canvas:
    """One device, and words for it."""

    def __init__(self, device: IDirect3DDevice8) -> None:
        self.device = device

    # ---- resources ---------------------------------------------------------------------------------------------------

    def texture(self, image: np.ndarray, mipmaps: bool = False, form: str = "A8R8G8B8") -> Any:
        """Texels of 32 bits; smaller levels are means of four."""
        levels = int(math.log2(len(image))) + 1 if mipmaps else 1
        texture = self.device.CreateTexture(
            image.shape[1], image.shape[0], levels, 0, format_id(form), Pool.MANAGED
        )  # fmt: skip
        for level in range(levels):
            bits = texture.LockRect(level, None, 0)
            bits.view(np.uint32)[: len(image), : image.shape[1]] = image
            texture.UnlockRect(level)
            if level < levels - 1:
                image = shapes.half_size(image)
        return texture

    def volume(self, texels: np.ndarray) -> Any:
        depth, height, width = texels.shape
        texture = self.device.CreateVolumeTexture(width, height, depth, 1, 0, format_id("A8R8G8B8"), Pool.MANAGED)
        texture.LockBox(0, None, 0).view(np.uint32)[:, :height, :width] = texels
        texture.UnlockBox(0)
        return texture

    def cube_texture(self, faces: Sequence[np.ndarray]) -> Any:
        """Six square images, in the order of CUBE_FACES."""
        texture = self.device.CreateCubeTexture(len(faces[0]), 1, 0, format_id("A8R8G8B8"), Pool.MANAGED)
        for number, image in enumerate(faces):
            texture.LockRect(number, 0, None, 0).view(np.uint32)[: len(image), : len(image)] = image
            texture.UnlockRect(number, 0)
        return texture

    def mesh(self, mesh: shapes.Mesh, fvf: Fvf) -> dict[str, Any]:
        vertices, indices = mesh
        buffer = self.device.CreateVertexBuffer(vertices.nbytes, Usage.WRITEONLY, fvf, Pool.MANAGED)
        buffer.Lock(0, 0, 0)[:] = vertices.view(np.uint8).ravel()
        buffer.Unlock()
        index_buffer = self.device.CreateIndexBuffer(indices.nbytes, Usage.WRITEONLY, format_id("INDEX16"), Pool.MANAGED)
        index_buffer.Lock(0, 0, 0)[:] = np.ascontiguousarray(indices).view(np.uint8).ravel()
        index_buffer.Unlock()
        return {
            "vertices": buffer,
            "indices": index_buffer,
            "stride": vertices.shape[1] * 4,
            "count": len(vertices),
            "triangles": len(indices),
            "fvf": fvf,
        }

    # ---- small words -------------------------------------------------------------------------------------------------

    def state(self, **states: int) -> None:
        for name, value in states.items():
            self.device.SetRenderState(RENDER_STATE_ID[name], int(value))

    def stage(self, number: int, **states: int) -> None:
        for name, value in states.items():
            self.device.SetTextureStageState(number, TEXTURE_STAGE_STATE_ID[name], int(value))

    def place(self, world: np.ndarray) -> None:
        self.device.SetTransform(TransformState.WORLD, world)

    def draw_mesh(self, mesh: dict[str, Any]) -> None:
        self.device.SetStreamSource(0, mesh["vertices"], mesh["stride"])
        self.device.SetIndices(mesh["indices"], 0)
        self.device.DrawIndexedPrimitive(PrimitiveType.TRIANGLELIST, 0, mesh["count"], 0, mesh["triangles"])

    def material(self, diffuse: tuple[float, ...], specular: float = 0.0, power: float = 20.0) -> None:
        shine = (specular, specular, specular, 1.0)
        self.device.SetMaterial(D3DMATERIAL8(diffuse, diffuse, shine, (0.0, 0.0, 0.0, 0.0), power))

    def plain_state(self) -> None:
        """What every part of the frame starts from."""
        self.state(
            ZENABLE=1, ZWRITEENABLE=1, ZFUNC=CmpFunc.LESSEQUAL, LIGHTING=1, CULLMODE=Cull.CCW, ALPHABLENDENABLE=0,
            FOGENABLE=0, SPECULARENABLE=0, NORMALIZENORMALS=1, STENCILENABLE=0, AMBIENT=0xFF404858,
        )  # fmt: skip
        linear = {"MAGFILTER": TextureFilter.LINEAR, "MINFILTER": TextureFilter.LINEAR, "MIPFILTER": TextureFilter.LINEAR}
        self.stage(0, COLOROP=TextureOp.MODULATE, COLORARG1=TextureArg.TEXTURE, COLORARG2=TextureArg.DIFFUSE, **linear)
        self.stage(0, ALPHAOP=TextureOp.MODULATE, ALPHAARG1=TextureArg.TEXTURE, ALPHAARG2=TextureArg.DIFFUSE)
        self.stage(1, COLOROP=TextureOp.DISABLE, ALPHAOP=TextureOp.DISABLE, **linear)
        self.device.SetPixelShader(0)

    # ---- what several captures draw --------------------------------------------------------------------------------

    def draw_gradient(self, width: float, height: float, colors: list[int]) -> None:
        """The upper part of the picture, behind everything; `colors`: top left, top right, bottom left, bottom right."""
        self.state(LIGHTING=0, ZENABLE=0, ZWRITEENABLE=0)
        self.stage(0, COLOROP=TextureOp.SELECTARG2, ALPHAOP=TextureOp.SELECTARG2)
        self.device.SetTexture(0, None)
        self.device.SetVertexShader(FLAT)
        corners = np.zeros((4, 5), np.float32)
        corners[:, :2] = np.array([[0, 0], [width, 0], [0, height], [width, height]], np.float32) - 0.5
        corners[:, 2:4] = 1.0
        corners.view(np.uint32)[:, 4] = colors
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLESTRIP, 2, corners.tobytes(), 20)

    def add_sprites(self, texture: Any, vertices: np.ndarray) -> None:
        """Triangles of COLOURED vertices in the world's coordinates, added to what is there."""
        self.plain_state()
        self.state(LIGHTING=0, ZWRITEENABLE=0, CULLMODE=Cull.NONE)
        self.state(ALPHABLENDENABLE=1, SRCBLEND=Blend.SRCALPHA, DESTBLEND=Blend.ONE)
        self.device.SetTexture(0, texture)
        self.device.SetVertexShader(COLOURED)
        self.place(shapes.identity())
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, len(vertices) // 3, vertices.tobytes(), 24)


def light(
    kind: LightType,
    colour: tuple[float, float, float],
    position: tuple[float, float, float] = (0.0, 0.0, 0.0),
    direction: tuple[float, float, float] = (0.0, 0.0, 1.0),
    reach: float = 100.0,
) -> D3DLIGHT8:
    """A light that shines alike in diffuse and specular; point lights fade with distance."""
    fading = 0.5 if kind is LightType.POINT else 0.0
    return D3DLIGHT8(
        kind, (*colour, 1.0), (*colour, 1.0), (0.0, 0.0, 0.0, 0.0), position, direction, reach, 1.0,
        1.0 - fading, fading, 0.1 * fading, 0.0, 0.0,
    )  # fmt: skip


def unit(vector: tuple[float, float, float], w: float) -> tuple[float, ...]:
    length = math.sqrt(sum(x * x for x in vector))
    return (*(x / length for x in vector), w)


def float_bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))
