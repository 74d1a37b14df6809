"""Scenes on the emulated driver, through the scripting front of Direct3D 8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall, Driver
from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS, D3DTSS, Direct3DCreate8
from core.spec.enums import ClearFlag, CreateFlag, Pool
from core.spec.subresource import Subresource
from tests.reference.formats import DEPTHS, TARGETS
from tests.reference.patches import RectPatch, TriPatch
from tests.reference.scene import Draw, Scene
from tests.reference.texture import Texture
from tests.reference.vertex import World

MOST_LIGHTS = 3
SOURCE_KEY = 8  # DDCKEY_SRCBLT


class Player:
    """A device on which a scene is drawn, draw by draw."""

    def __init__(self, scene: Scene, threads: int = 1, before: Callable[[Driver], Driver] | None = None) -> None:
        """`before`: a driver that is to stand in front of the emulated one."""
        self.scene, self.driver, self.lights = scene, EmulatedDriver(threads=threads), 0
        parameters = D3DPRESENT_PARAMETERS(
            scene.width, scene.height, scene.format, MultiSampleType=scene.samples,
            EnableAutoDepthStencil=int(scene.depth_format is not None), AutoDepthStencilFormat=scene.depth_format or 0,
        )  # fmt: skip
        direct3d = Direct3DCreate8(before(self.driver) if before else self.driver)
        self.device: Any = direct3d.CreateDevice(0, 1, 0, CreateFlag.HARDWARE_VERTEXPROCESSING, parameters)
        flags = ClearFlag.TARGET
        if scene.depth_format is not None:
            flags |= ClearFlag.ZBUFFER | (ClearFlag.STENCIL if DEPTHS[scene.depth_format].stencil else 0)
        self.device.BeginScene()
        self.device.Clear(0, None, flags, *scene.clear)
        self.device.EndScene()  # sends the command buffer

    def texture(self, made: Texture) -> Any:
        """The API's texture; colour keys are set behind its back, as they are DirectX 7's."""
        texture = self.uploaded(made)
        if made.key is not None:
            key = {"handle": texture.resource.handle, "flags": SOURCE_KEY, "low": made.key[0], "high": made.key[1]}
            self.driver.call(DdiCall("SetColorKey", key))
        return texture

    def uploaded(self, made: Texture) -> Any:
        create, format, levels = self.device, made.format, len(made.levels)
        if made.palette:
            create.SetPaletteEntries(0, made.palette)
            create.SetCurrentTexturePalette(0)
        if made.depth:
            shape = made.width, made.height, made.depth
            return self.filled(create.CreateVolumeTexture(*shape, levels, 0, format, Pool.MANAGED), made.levels, "Box")
        if not made.faces:
            return self.filled(create.CreateTexture(made.width, made.height, levels, 0, format, Pool.MANAGED), made.levels)
        cube = create.CreateCubeTexture(made.width, levels, 0, format, Pool.MANAGED)
        for face, pictures in enumerate((made.levels, *made.faces)):
            self.filled(cube, pictures, "Rect", face)
        return cube

    @staticmethod
    def filled(texture: Any, levels: tuple[bytes, ...], what: str = "Rect", *face: int) -> Any:
        for level, data in enumerate(levels):
            rows = getattr(texture, "Lock" + what)(*face, level)
            rows[:] = np.frombuffer(data, np.uint8).reshape(rows.shape)
            getattr(texture, "Unlock" + what)(*face, level)
        return texture

    def draw(self, *draws: Draw) -> None:
        """Triangles (or points) in one DrawPrimitiveUP, with the state of the first."""
        first = draws[0]
        for name, value in first.states.items():
            self.device.SetRenderState(D3DRS[name], value)
        for number, stage in enumerate(first.stages):
            for name, value in stage.items():
                self.device.SetTextureStageState(number, D3DTSS[name], value)
        for number, texture in enumerate(first.textures):
            self.device.SetTexture(number, None if texture is None else self.texture(texture))
        self.device.SetPixelShader(self.device.CreatePixelShader(first.machine.code) if first.shader else 0)
        if first.constants:
            self.device.SetPixelShaderConstant(0, first.constants, len(first.constants))
        self.enter(first.world)
        self.device.SetVertexShader(first.vertices[0].format())
        self.device.BeginScene()
        if isinstance(first, RectPatch | TriPatch):
            self.draw_patch(first)
        else:
            vertices = [vertex.packed() for draw in draws for vertex in draw.vertices]
            self.device.DrawPrimitiveUP(first.kind, len(draws), np.frombuffer(b"".join(vertices), np.uint8), len(vertices[0]))
        self.device.EndScene()

    def draw_patch(self, patch: RectPatch | TriPatch) -> None:
        """From a vertex buffer, under no handle."""
        vertices = [vertex.packed() for vertex in patch.memory()]
        data = np.frombuffer(b"".join(vertices), np.uint8)
        buffer = self.device.CreateVertexBuffer(len(data), 0, patch.vertices[0].format(), Pool.MANAGED)
        buffer.Lock()[:] = data
        buffer.Unlock()
        self.device.SetStreamSource(0, buffer, len(vertices[0]))
        draw = self.device.DrawRectPatch if isinstance(patch, RectPatch) else self.device.DrawTriPatch
        draw(0, patch.segments, patch.info)

    def enter(self, world: World) -> None:
        """Viewport (within the target), matrices, lights, material."""
        left, top, width, height, near, far = world.viewport
        size = min(width, self.scene.width - left), min(height, self.scene.height - top)
        self.device.SetViewport((left, top, *size, near, far))
        for number, matrix in world.matrices.items():
            self.device.SetTransform(number, matrix)
        self.device.SetMaterial(world.material)
        for number in range(MOST_LIGHTS):
            lit = number < len(world.lights)
            if lit:
                one = world.lights[number]
                self.device.SetLight(number, (*one[:8], *one.attenuation, one.theta, one.phi))
            if lit or number < self.lights:
                self.device.LightEnable(number, lit)
        self.lights = max(self.lights, len(world.lights))

    def stored(self, sample: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """The packed words of the target and of the depth buffer, [height, width] each (without one: zeros)."""
        scene = self.scene
        color = self.words("render_target", TARGETS[scene.format].bytes, sample)
        if scene.depth_format is None:
            return color, np.zeros_like(color)
        return color, self.words("depth", DEPTHS[scene.depth_format].bytes, sample)

    def words(self, surface: str, size: int, sample: int) -> np.ndarray:
        rows, _ = self.driver.read(Subresource(surface, sample=sample if self.scene.samples else None))
        octets = rows[: self.scene.height, : self.scene.width * size].reshape(self.scene.height, self.scene.width, size)
        return sum(octets[..., n].astype(np.int64) << 8 * n for n in range(size))  # type: ignore[return-value]
