"""Scenes on the emulated driver, through the scripting front of Direct3D 8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import Driver
from core.ddi.driver import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS, D3DTSS, Direct3DCreate8
from core.spec.enums import ClearFlag, CreateFlag, Fvf, Pool, PrimitiveType
from tests.reference.formats import DEPTHS, TARGETS
from tests.reference.scene import Draw, Scene
from tests.reference.texture import Texture

VERTEX = np.dtype(
    [("x", "f4"), ("y", "f4"), ("z", "f4"), ("rhw", "f4"), ("diffuse", "u4"), ("specular", "u4"), ("coordinates", "f4", (2, 2))]
)
FVF = Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.SPECULAR | Fvf.TEX2


class Player:
    """A device on which a scene is drawn, draw by draw."""

    def __init__(self, scene: Scene, threads: int = 1, before: Callable[[Driver], Driver] | None = None) -> None:
        """`before`: a driver that is to stand in front of the emulated one."""
        self.scene, self.driver = scene, EmulatedDriver(threads=threads)
        parameters = D3DPRESENT_PARAMETERS(
            scene.width, scene.height, scene.format, EnableAutoDepthStencil=int(scene.depth_format is not None),
            AutoDepthStencilFormat=scene.depth_format or 0,
        )  # fmt: skip
        direct3d = Direct3DCreate8(before(self.driver) if before else self.driver)
        self.device: Any = direct3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        self.device.SetVertexShader(FVF)
        flags = ClearFlag.TARGET
        if scene.depth_format is not None:
            flags |= ClearFlag.ZBUFFER | (ClearFlag.STENCIL if DEPTHS[scene.depth_format].stencil else 0)
        self.device.BeginScene()
        self.device.Clear(0, None, flags, *scene.clear)
        self.device.EndScene()  # sends the command buffer

    def texture(self, made: Texture) -> Any:
        """The API's texture."""
        texture = self.device.CreateTexture(made.width, made.height, len(made.levels), 0, made.format, Pool.MANAGED)
        for level, data in enumerate(made.levels):
            rows = texture.LockRect(level)
            rows[:] = np.frombuffer(data, np.uint8).reshape(rows.shape)
            texture.UnlockRect(level)
        return texture

    def draw(self, *draws: Draw) -> None:
        """Triangles in one DrawPrimitiveUP, with the state of the first."""
        for name, value in draws[0].states.items():
            self.device.SetRenderState(D3DRS[name], value)
        for number, stage in enumerate(draws[0].stages):
            for name, value in stage.items():
                self.device.SetTextureStageState(number, D3DTSS[name], value)
        for number, texture in enumerate(draws[0].textures):
            self.device.SetTexture(number, None if texture is None else self.texture(texture))
        vertices = np.array([tuple(v) for draw in draws for v in draw.vertices], VERTEX)
        self.device.BeginScene()
        self.device.DrawPrimitiveUP(PrimitiveType.TRIANGLELIST, len(draws), vertices, VERTEX.itemsize)
        self.device.EndScene()

    def stored(self) -> tuple[np.ndarray, np.ndarray]:
        """The packed words of the target and of the depth buffer, [height, width] each (without one: zeros)."""
        scene = self.scene
        color = self.words("render_target", TARGETS[scene.format].bytes)
        if scene.depth_format is None:
            return color, np.zeros_like(color)
        return color, self.words("depth", DEPTHS[scene.depth_format].bytes)

    def words(self, surface: str, size: int) -> np.ndarray:
        rows, _ = self.driver.read(surface)
        return rows[: self.scene.height, : self.scene.width * size].copy().view(f"<u{size}").astype(np.int64)
