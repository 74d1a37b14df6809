"""A scripted device with a small back buffer: states by name, rectangles, pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream.shader_assemble import assemble
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, D3DRS, D3DTSS, Direct3DCreate8
from core.spec.enums import ClearFlag, Fvf, LockFlag, Pool, PrimitiveType, TransformState
from core.spec.formats import FORMAT_BY_NAME

SIZE = 16
IDENTITY = np.eye(4, dtype=np.float32)
TRIANGLES, STRIP, FAN = PrimitiveType.TRIANGLELIST, PrimitiveType.TRIANGLESTRIP, PrimitiveType.TRIANGLEFAN
POINTS, LINES, LINE_STRIP = PrimitiveType.POINTLIST, PrimitiveType.LINELIST, PrimitiveType.LINESTRIP
CORNERS = ((-1, 1), (1, 1), (-1, -1), (1, -1))
UV = ((0, 0), (1, 0), (0, 1), (1, 1))


class Screen:
    """A device that draws to a SIZE x SIZE back buffer without culling and lighting; black, depth 1."""

    def __init__(self, format: str = "A8R8G8B8", depth: str = "D24S8", size: int = SIZE, behavior: int = 0x40,
                 samples: int = 0) -> None:  # fmt: skip
        self.driver, self.size = EmulatedDriver(), size
        parameters = D3DPRESENT_PARAMETERS(size, size, FORMAT_BY_NAME[format].id, 1, samples)
        if depth:
            parameters = parameters._replace(EnableAutoDepthStencil=1, AutoDepthStencilFormat=FORMAT_BY_NAME[depth].id)
        self.device: Any = Direct3DCreate8(self.driver).CreateDevice(0, 1, 0, behavior, parameters)
        self.rs(CULLMODE=1, LIGHTING=0)
        self.clear()

    # ---- state
    def rs(self, **values: Any) -> Screen:
        for name, value in values.items():
            self.device.SetRenderState(D3DRS[name], value)
        return self

    def tss(self, stage: int = 0, **values: Any) -> Screen:
        for name, value in values.items():
            self.device.SetTextureStageState(stage, D3DTSS[name], value)
        return self

    def transform(self, **matrices: Any) -> Screen:
        for name, matrix in matrices.items():
            self.device.SetTransform(TransformState[name] if name != "WORLD" else 256, matrix)
        return self

    def clear(self, color: int = 0xFF000000, z: float = 1.0, stencil: int = 0) -> Screen:
        flags = ClearFlag.TARGET
        if self.device.context.stencil is not None:
            flags |= ClearFlag.ZBUFFER | ClearFlag.STENCIL
        self.device.Clear(0, None, flags, color, z, stencil)
        return self

    # ---- objects
    def texture(self, rows: Any, format: str = "A8R8G8B8", levels: int = 1, pool: int = Pool.MANAGED) -> Any:
        """A texture of A8R8G8B8 words, or of packed texels of another format; `levels`: a list of pictures for several."""
        pictures = rows if levels > 1 else [rows]
        texels = [np.atleast_2d(np.asarray(picture)) for picture in pictures]
        height, width = texels[0].shape
        made = self.device.CreateTexture(width, height, levels, 0, FORMAT_BY_NAME[format].id, pool)
        for level, picture in enumerate(texels):
            size = FORMAT_BY_NAME[format].bits // 8
            octets = picture.astype("<u8").view(np.uint8).reshape(*picture.shape, 8)[..., :size].reshape(picture.shape[0], -1)
            made.LockRect(level)[:] = octets
            made.UnlockRect(level)
        return made

    def vertex_shader(self, text: str, declaration: Any = None) -> int:
        return self.device.CreateVertexShader(declaration or [0x20000000, 0x40020000, 0x40040005, 0xFFFFFFFF], assemble(text))

    def pixel_shader(self, text: str) -> int:
        return self.device.CreatePixelShader(assemble(text))

    # ---- drawing
    def draw(self, fvf: int, kind: int, vertices: Any, count: int | None = None) -> Screen:
        """Vertices: tuples of floats, with colours as ints."""
        rows = [[np.uint32(int(v)) if isinstance(v, (int, np.integer)) and v > 0xFFFFF else np.float32(v).view(np.uint32)
                 for v in vertex] for vertex in vertices]  # fmt: skip
        data = np.array(rows, np.uint32)
        count = count or {1: len(rows), 2: len(rows) // 2, 3: len(rows) - 1, 4: len(rows) // 3}.get(int(kind), len(rows) - 2)
        if fvf:
            self.device.SetVertexShader(int(fvf))
        self.device.BeginScene()
        self.device.DrawPrimitiveUP(kind, count, data, 4 * data.shape[1])
        self.device.EndScene()
        return self

    def quad(self, *extra: Any, z: float = 0.5, fvf: int = 0, corners: Any = CORNERS) -> Screen:
        """A rectangle over everything, untransformed; extra: what each vertex has besides its position (by corner: a list)."""
        vertices = [(x, y, z, *(v for e in extra for v in _of_corner(e, i))) for i, (x, y) in enumerate(corners)]
        return self.draw(fvf or Fvf.XYZ, STRIP, vertices)

    def colored(self, color: int, z: float = 0.5, **more: Any) -> Screen:
        return self.quad(color, z=z, fvf=Fvf.XYZ | Fvf.DIFFUSE, **more)

    def screen_quad(self, *extra: Any, z: float = 0.5, rhw: float = 1.0, fvf: int = 0, box: Any = None) -> Screen:
        """The same with transformed vertices; pixel edges at integers."""
        left, top, right, bottom = box or (0, 0, self.size, self.size)
        corners = [(x - 0.5, y - 0.5) for y in (top, bottom) for x in (left, right)]
        vertices = [(x, y, z, rhw, *(v for e in extra for v in _of_corner(e, i))) for i, (x, y) in enumerate(corners)]
        return self.draw(fvf or Fvf.XYZRHW, STRIP, vertices)

    # ---- reading
    def picture(self) -> np.ndarray:
        """The render target's packed pixels."""
        self.device._desk.runtime.flush()
        rows, format = self.driver.read("render_target")
        return rows.view(f"<u{format.bits // 8}") if format.bits != 24 else rows

    def rgba(self) -> np.ndarray:
        self.device._desk.runtime.flush()
        return self.driver.rgba("render_target")

    def at(self, x: int = 8, y: int = 8) -> int:
        """The pixel's A8R8G8B8 word."""
        r, g, b, a = (int(n) for n in self.rgba()[y, x])
        return a << 24 | r << 16 | g << 8 | b

    def rgb(self, x: int = 8, y: int = 8) -> int:
        return self.at(x, y) & 0xFFFFFF

    @property
    def findings(self) -> list[str]:
        self.device._desk.runtime.flush()
        return [f"{f.rule}: {f.text}" for f in self.driver.findings]


def _of_corner(extra: Any, corner: int) -> tuple[Any, ...]:
    if isinstance(extra, list):
        value = extra[corner]
        return tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return tuple(extra) if isinstance(extra, tuple) else (extra,)


def near(found: int, wanted: int, tolerance: int = 1) -> bool:
    """Whether two words agree in every byte within a tolerance."""
    return all(abs((found >> shift & 255) - (wanted >> shift & 255)) <= tolerance for shift in (0, 8, 16, 24))


__all__ = ["IDENTITY", "SIZE", "ClearFlag", "Fvf", "LockFlag", "Pool", "Screen", "assemble", "near"]
