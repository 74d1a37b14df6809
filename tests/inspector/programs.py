"""Random Direct3D 8 programs, small and fast, recorded as captures: what properties of answers are tested on."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream.shader_assemble import assemble
from core.runtime.d3d8 import D3DLIGHT8, D3DPRESENT_PARAMETERS, D3DRS, D3DTSS
from core.spec.enums import ClearFlag, Fvf, Pool, PrimitiveType, TransformState, Usage
from core.spec.formats import FORMAT_BY_NAME
from inspector.imports.scripts import record

WIDTH, HEIGHT, EDGE = 32, 16, 8
ARGB, INDEX16 = FORMAT_BY_NAME["A8R8G8B8"].id, FORMAT_BY_NAME["INDEX16"].id
FLAT = Fvf.XYZRHW | Fvf.DIFFUSE | Fvf.TEX1
STATES = ("ALPHAREF", "ALPHATESTENABLE", "FOGENABLE", "FOGSTART", "SRCBLEND", "ZENABLE")
VALUES = (0, 1, 2, 8, 0x80, 0x3F000000)
TEXTURES, TARGETS, LIGHTS = 3, 2, 2
PIXEL_SHADERS = ("ps_1_1\ntex t0\nmov r0, t0", "ps_1_1\ntex t1\nmov r0, t1", "ps_1_1\nmov r0, v0")

Step = tuple[str, tuple[int, ...]]


def _steps(name: str, *ranges: int) -> st.SearchStrategy[Step]:
    """A step with numbers below each of the ranges."""
    return st.tuples(st.just(name), st.tuples(*(st.integers(0, most - 1) for most in ranges)))


STEP: st.SearchStrategy[Step] = st.one_of(
    _steps("state", len(STATES), len(VALUES)),
    _steps("stage", 3, 3),
    _steps("texture", 3, TEXTURES + 1),
    _steps("pixel_shader", len(PIXEL_SHADERS) + 1),
    _steps("light", LIGHTS, 4),
    _steps("matrix", 2, 3),
    _steps("target", TARGETS + 1),
    _steps("draw"),
    _steps("draw"),
    _steps("draw_indexed"),
    _steps("clear"),
    _steps("upload", TEXTURES),
    _steps("copy", TARGETS),
    _steps("again", TEXTURES),
    _steps("present"),
)
PROGRAM = st.lists(STEP, max_size=25)


class Program:
    """Carries out steps on a device; each step is a method of its name."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.textures = [self._texture() for _ in range(TEXTURES)]
        self.targets = [device.CreateTexture(EDGE, EDGE, 1, Usage.RENDERTARGET, ARGB, Pool.DEFAULT) for _ in range(TARGETS)]
        self.surfaces = [texture.GetSurfaceLevel(0) for texture in self.targets]
        self.back, self.depth = device.GetRenderTarget(), device.GetDepthStencilSurface()
        self.pixel_shaders = [0, *(device.CreatePixelShader(assemble(code)) for code in PIXEL_SHADERS)]
        self.vertices = device.CreateVertexBuffer(6 * 28, 0, FLAT, Pool.DEFAULT)
        self.vertices.Lock(0, 0, 0)[:] = triangles().view(np.uint8).ravel()
        self.vertices.Unlock()
        self.indices = device.CreateIndexBuffer(12, 0, INDEX16, Pool.DEFAULT)
        self.indices.Lock(0, 0, 0)[:] = np.arange(6, dtype="<u2").view(np.uint8)
        self.indices.Unlock()
        device.SetVertexShader(FLAT)

    def _texture(self) -> Any:
        return self.device.CreateTexture(EDGE, EDGE, 2, 0, ARGB, Pool.MANAGED)

    def state(self, name: int, value: int) -> None:
        self.device.SetRenderState(D3DRS[STATES[name]], VALUES[value])

    def stage(self, stage: int, operation: int) -> None:
        self.device.SetTextureStageState(stage, D3DTSS.COLOROP, (1, 2, 4)[operation])

    def texture(self, stage: int, texture: int) -> None:
        self.device.SetTexture(stage, [None, *self.textures][texture])

    def pixel_shader(self, shader: int) -> None:
        self.device.SetPixelShader(self.pixel_shaders[shader])

    def light(self, light: int, what: int) -> None:
        if what < 2:
            self.device.SetLight(light, D3DLIGHT8(Type=1, Range=float(what + 1)))
        else:
            self.device.LightEnable(light, what - 2)

    def matrix(self, multiply: int, scale: int) -> None:
        given = np.diag([scale, scale, scale, 1]).astype(np.float32)
        (self.device.MultiplyTransform if multiply else self.device.SetTransform)(TransformState.VIEW, given)

    def target(self, target: int) -> None:
        if target == TARGETS:
            self.device.SetRenderTarget(self.back, self.depth)
        else:
            self.device.SetRenderTarget(self.surfaces[target], None)

    def draw(self) -> None:
        self.device.SetStreamSource(0, self.vertices, 28)
        self.device.DrawPrimitive(PrimitiveType.TRIANGLELIST, 0, 2)

    def draw_indexed(self) -> None:
        self.device.SetStreamSource(0, self.vertices, 28)
        self.device.SetIndices(self.indices, 0)
        self.device.DrawIndexedPrimitive(PrimitiveType.TRIANGLELIST, 0, 6, 0, 1)

    def clear(self) -> None:
        self.device.Clear(0, None, ClearFlag.TARGET, 0xFF204060, 1.0, 0)

    def upload(self, texture: int) -> None:
        self.textures[texture].LockRect(0).view(np.uint32)[:] = 0xFF00FF00
        self.textures[texture].UnlockRect(0)

    def copy(self, target: int) -> None:
        self.device.CopyRects(self.surfaces[target], None, 0, self.surfaces[1 - target], None)

    def again(self, texture: int) -> None:
        """Lets go of a texture and makes another in its place."""
        for stage in range(3):
            self.device.SetTexture(stage, None)
        self.textures[texture].Release()
        self.textures[texture] = self._texture()

    def present(self) -> None:
        self.device.Present(None, None, None, None)


def triangles() -> np.ndarray:
    """Two that cover parts of every target."""
    rows = np.zeros(6, [("position", "f4", 4), ("diffuse", "u4"), ("coordinates", "f4", 2)])
    rows["position"] = [(0, 0, 0.5, 1), (8, 0, 0.5, 1), (0, 8, 0.5, 1), (4, 2, 0.2, 1), (30, 2, 0.2, 1), (4, 14, 0.2, 1)]
    rows["diffuse"], rows["coordinates"] = 0x80FF4020, [(0, 0), (1, 0), (0, 1)] * 2
    return rows


@contextmanager
def played(path: Path, steps: list[Step], draws: bool = False) -> Iterator[inspector.Capture]:
    """The capture of a program of these steps; `draws` False: nothing is drawn while it is recorded."""
    with record(path, EmulatedDriver(draws=draws)) as d3d:
        depth = {"EnableAutoDepthStencil": 1, "AutoDepthStencilFormat": FORMAT_BY_NAME["D16"].id}
        program = Program(d3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(WIDTH, HEIGHT, **depth)))
        for name, numbers in steps:
            getattr(program, name)(*numbers)
    with inspector.open(path) as capture:
        yield capture


@contextmanager
def capture_of(steps: list[Step]) -> Iterator[inspector.Capture]:
    """The capture of a program, in a folder that goes with it; nothing is drawn while it is recorded."""
    with tempfile.TemporaryDirectory() as folder, played(Path(folder) / "random.ddicap", steps) as capture:
        yield capture
