"""A small hand for drawing without a device: registers by name, vertices, one call to draw."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.pipeline.draw import Batch, Watch
from core.pipeline.draw_state.bind import bind_pixel_state
from core.pipeline.draw_state.pixel_program import PixelProgram
from core.pipeline.records.layout import describe_target, from_blocks, plane_words
from core.pipeline.records.primitives import PRIMITIVE, PROVOKING_SHIFT, VERTEX_FLOATS, PrimitiveFlag, PrimitiveKind
from core.pipeline.records.texture import TEXTURE
from core.spec.enums import CmpFunc
from core.spec.formats import FORMATS, Format
from core.spec.slots import DEFAULTS, slot

FULL = (-1, -1, 9, 9)
"""A rectangle over the whole of a kit's 8 x 8 pixels."""
COMPARE: dict[CmpFunc, Callable[[float, float], bool]] = {
    CmpFunc.NEVER: lambda a, b: False, CmpFunc.LESS: operator.lt, CmpFunc.EQUAL: operator.eq, CmpFunc.LESSEQUAL: operator.le,
    CmpFunc.GREATER: operator.gt, CmpFunc.NOTEQUAL: operator.ne, CmpFunc.GREATEREQUAL: operator.ge,
    CmpFunc.ALWAYS: lambda a, b: True,
}  # fmt: skip
"""D3DCMPFUNC on (new, stored) or (reference, stored)."""
BY_NAME = {format.name: format for format in FORMATS.values()}


def format_named(name: str | None) -> Format | None:
    return None if name is None else BY_NAME[name]


def vertex(x: float, y: float, z: float = 0.0, rhw: float = 1.0, diffuse: tuple = (1, 1, 1, 1), specular: tuple = (0, 0, 0, 0),
           fog: float = 1.0, uv: tuple = (0, 0, 0, 0)) -> np.ndarray:  # fmt: skip
    """One vertex as geometry hands it over; uv goes to all stages."""
    v = np.zeros(VERTEX_FLOATS, np.float32)
    v[:4], v[4:8], v[8:12], v[12] = (x, y, z, rhw), diffuse, specular, fog
    v[16:].reshape(8, 4)[:, : len(uv)] = uv
    return v


def triangles(count: int, first: int = 0) -> np.ndarray:
    """PRIMITIVE[count] of a triangle list; the first vertex provokes."""
    items = np.zeros(count, PRIMITIVE)
    items["vertex"] = first + np.arange(3 * count).reshape(-1, 3)
    items["number"] = np.arange(count)
    items["flags"] = PrimitiveFlag.EDGES | items["vertex"][:, 0] << PROVOKING_SHIFT
    return items


def lines(count: int, last_pixel: bool = True) -> np.ndarray:
    items = np.zeros(count, PRIMITIVE)
    items["vertex"][:, :2] = np.arange(2 * count).reshape(-1, 2)
    items["kind"], items["number"] = PrimitiveKind.LINE, np.arange(count)
    items["flags"] = (PrimitiveFlag.LAST_PIXEL if last_pixel else 0) | items["vertex"][:, 0] << PROVOKING_SHIFT
    return items


def rectangle(left: float, top: float, right: float, bottom: float, **attributes) -> np.ndarray:
    """Six vertices: two triangles."""
    a, b = vertex(left, top, **attributes), vertex(right, top, **attributes)
    c, d = vertex(left, bottom, **attributes), vertex(right, bottom, **attributes)
    return np.stack([a, b, c, c, b, d])


@dataclass
class Kit:
    """A pair of surfaces and the register vector."""

    width: int = 8
    height: int = 8
    color_format: str | None = "A8R8G8B8"
    depth_format: str | None = None
    samples: int = 1
    memory: np.ndarray = field(default_factory=lambda: np.zeros(64, np.uint32))
    textures: np.ndarray = field(default_factory=lambda: np.zeros(8, TEXTURE))
    program: PixelProgram | None = None

    def __post_init__(self) -> None:
        self.registers = DEFAULTS.copy()
        self.color = np.zeros(plane_words(self.width, self.height) * self.samples, np.uint32)
        self.depth = np.zeros_like(self.color)
        self.batch = Batch(self.width, self.height, self.samples)
        self.seq = 0
        self.set(CULLMODE=1, ZENABLE=0, LIGHTING=0)
        self.put(("VIEWPORT", "Width"), self.width)
        self.put(("VIEWPORT", "Height"), self.height)

    def set(self, **states: int | float) -> Kit:
        """Render states by name."""
        for name, value in states.items():
            self.put(name, value)
        return self

    def put(self, key: object, value: int | float) -> None:
        word = np.float32(value).view(np.uint32) if isinstance(value, float) else np.uint32(int(value) & 0xFFFFFFFF)
        self.registers[slot(key)] = word

    def add(self, vertices: np.ndarray, primitives: np.ndarray | None = None) -> Kit:
        """Queues one draw with the present state."""
        formats = format_named(self.color_format), format_named(self.depth_format)
        target = describe_target(self.width, self.height, *formats, self.samples)
        number = self.batch.new_state()
        bind_pixel_state(self.registers, self.textures, target, self.batch.states, number, self.program)
        vertices = np.ascontiguousarray(vertices, np.float32)
        self.batch.add(vertices, triangles(len(vertices) // 3) if primitives is None else primitives, number, self.seq)
        self.seq += 1
        return self

    def run(self, threads: int = 1, watch: Watch | None = None) -> Kit:
        self.batch.run(self.color, self.depth if self.depth_format else None, self.memory, threads, watch)
        return self

    def draw(self, vertices: np.ndarray, primitives: np.ndarray | None = None) -> np.ndarray:
        """Draws at once; the colour image."""
        return self.add(vertices, primitives).run().image()

    def image(self, sample: int = 0) -> np.ndarray:
        """uint32[height, width] of packed pixels."""
        return from_blocks(self.color[sample * plane_words(self.width, self.height) :], self.width, self.height)

    def depths(self, sample: int = 0) -> np.ndarray:
        return from_blocks(self.depth[sample * plane_words(self.width, self.height) :], self.width, self.height)


# ---- depth and stencil -----------------------------------------------------------------------


def parts(name: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """(shift, bits) of a format's depth and of its stencil."""
    by_kind = {kind: (shift, bits) for _, shift, bits, kind in BY_NAME[name].channels}
    return by_kind["depth"], by_kind.get("stencil", (0, 0))


def depth_kit(name: str = "D24S8", depth: float = 1.0, stencil: int = 0, **more: int) -> Kit:
    """Every pixel at a depth and a stencil value, depth test LESSEQUAL."""
    kit = Kit(depth_format=name, **more).set(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=CmpFunc.LESSEQUAL)
    (shift, bits), (stencil_shift, _) = parts(name)
    kit.depth[:] = round(depth * (2**bits - 1)) << shift | stencil << stencil_shift
    return kit


def stored_depth(kit: Kit) -> np.ndarray:
    shift, bits = parts(kit.depth_format)[0]
    return kit.depths() >> np.uint32(shift) & np.uint32((1 << bits) - 1)


def stored_stencil(kit: Kit) -> np.ndarray:
    shift, bits = parts(kit.depth_format)[1]
    return kit.depths() >> np.uint32(shift) & np.uint32((1 << bits) - 1)
