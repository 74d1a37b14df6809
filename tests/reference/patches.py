"""Random patches: rectangles, triangles and N-patches, tessellated by `tessellation` and drawn triangle by triangle.

The viewport is 32 x 32 and no matrix is set, so that float32 makes one rounding between a vertex and its place on the screen;
the reference makes it too (`on_screen`).  Control points lie near even grids: surfaces do not cover a pixel twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.spec.enums import BasisType, OrderType, PrimitiveType
from tests.reference import tessellation
from tests.reference.coverage import Triangle
from tests.reference.formats import from_argb
from tests.reference.pictures import no_stage
from tests.reference.scene import Draw, Scene, Shape
from tests.reference.scenes import Dice, assembled, render_states, texture
from tests.reference.vertex import Corner, Vertex, World, corner
from tests.reference.worlds import STATES, light, material, number, sampled_by

PATCH_BYTES = 9000
SIDE = 32  # of the viewport
EVERY_ORDER = (OrderType.LINEAR, OrderType.CUBIC, OrderType.QUINTIC)
ORDERS = {BasisType.BEZIER: EVERY_ORDER, BasisType.BSPLINE: EVERY_ORDER, BasisType.INTERPOLATE: (OrderType.CUBIC,)}


@dataclass(frozen=True)
class Curved(Draw):
    """`vertices` are control points; segments None: D3DRS_PATCHSEGMENTS."""

    segments: tuple[float, ...] | None = None

    @property
    def kind(self) -> PrimitiveType:
        return PrimitiveType.TRIANGLELIST

    @property
    def counts(self) -> tuple[float, ...]:
        """Segments of up to four edges."""
        return self.segments or (float(self.states["PATCHSEGMENTS"]),) * 4

    @property
    def continuous(self) -> bool:
        return bool(self.states["PATCHEDGESTYLE"])

    def tessellated(self) -> tuple[tessellation.Values, tessellation.Triples]:
        raise NotImplementedError

    def shapes(self) -> list[tuple[Shape, tuple[Corner, ...]]]:
        values, triples = self.tessellated()
        made = [corner(self, on_screen(split(self.vertices[0], value))) for value in values]
        found = [tuple(made[n] for n in triple) for triple in triples]
        return [(Triangle([(c.x, c.y) for c in three]), three) for three in found]


@dataclass(frozen=True)
class RectPatch(Curved):
    """D3DRECTPATCH_INFO, but that the control points stand within a larger array in memory."""

    width: int = 0
    height: int = 0
    basis: int = 0
    order: int = 0
    start: tuple[int, int] = (0, 0)
    stride: int = 0

    @property
    def info(self) -> tuple[int, ...]:
        return *self.start, self.width, self.height, self.stride, self.basis, self.order

    def memory(self) -> list[Vertex]:
        """What is in the vertex buffer."""
        found = [self.vertices[0]] * (self.stride * (self.start[1] + self.height))
        for n, vertex in enumerate(self.vertices):
            row, column = divmod(n, self.width)
            found[(self.start[1] + row) * self.stride + self.start[0] + column] = vertex
        return found

    def tessellated(self) -> tuple[tessellation.Values, tessellation.Triples]:
        values = [joined(vertex) for vertex in self.vertices]
        net = [values[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return tessellation.rectangle(self.basis, self.order, net, self.counts, self.continuous)


@dataclass(frozen=True)
class TriPatch(Curved):
    """D3DTRIPATCH_INFO."""

    order: int = 0
    start: int = 0

    @property
    def info(self) -> tuple[int, ...]:
        return self.start, len(self.vertices), int(BasisType.BEZIER), self.order

    def memory(self) -> list[Vertex]:
        """What is in the vertex buffer."""
        return [*self.vertices[:1] * self.start, *self.vertices]

    def tessellated(self) -> tuple[tessellation.Values, tessellation.Triples]:
        return tessellation.triangle(self.order, [joined(v) for v in self.vertices], self.counts[:3], self.continuous)


@dataclass(frozen=True)
class NPatch(Curved):
    """A triangle with normals, drawn with D3DRS_PATCHSEGMENTS above 1."""

    def tessellated(self) -> tuple[tessellation.Values, tessellation.Triples]:
        places, triples = tessellation.triangle_grid([tessellation.divided(self.counts[0], False)] * 3)
        values = [joined(vertex) for vertex in self.vertices]
        p, n = [value[:3] for value in values], [value[3:6] for value in values]
        made = []
        for place in places:
            value = sum((w * one for w, one in zip(place, values, strict=True)), 0 * values[0])
            if self.states["POSITIONORDER"] == OrderType.CUBIC:
                value[:3] = tessellation.pn_position(p, n, place)
            if self.states["NORMALORDER"] == OrderType.QUADRATIC:
                value[3:6] = tessellation.pn_normal(p, n, place)
            made.append(value)
        return made, triples


# ---- vertices as numbers --------------------------------------------------------------------------


def joined(vertex: Vertex) -> np.ndarray:
    """Position, normal, diffuse and specular colour, coordinates: as float32 is sent."""
    assert isinstance(vertex.diffuse, int) and isinstance(vertex.specular, int)
    floats = [*vertex.position, *(vertex.normal or ()), *vertex.coordinates[0]]
    sent = np.array(floats, np.float32).astype(float)
    return np.array([*sent[:-2], *from_argb(vertex.diffuse), *from_argb(vertex.specular), *sent[-2:]])


def split(like: Vertex, values: np.ndarray) -> Vertex:
    """The vertex of these numbers, each rounded to float32."""
    numbers = values.astype(np.float32).astype(float).tolist()
    normal, rest = (tuple(numbers[3:6]), numbers[6:]) if like.normal is not None else (None, numbers[3:])
    return replace(
        like, position=tuple(numbers[:3]), normal=normal, diffuse=tuple(rest[:4]), specular=tuple(rest[4:8]),
        coordinates=(tuple(rest[8:]),),
    )  # fmt: skip


def on_screen(vertex: Vertex) -> Vertex:
    """With x and y moved to where float32 puts them on the screen."""
    x, y, z = vertex.position
    half = SIDE / 2
    right, down = (float(np.float32(half + half * c)) for c in (x, -y))
    return replace(vertex, position=(right / half - 1, 1 - down / half, z))


# ---- scenes -----------------------------------------------------------------------------------------


def place(dice: Dice, x: float, y: float, slack: float) -> tuple[float, float, float]:
    """Within `slack` pixels of a place on the screen."""
    near = x + number(dice, -slack, slack), y + number(dice, -slack, slack)
    return near[0] * 2 / SIDE - 1, 1 - near[1] * 2 / SIDE, number(dice, 0.4, 0.6)


def control(dice: Dice, x: float, y: float, slack: float, normal: bool) -> Vertex:
    """A control point; its normal leans towards the viewer."""
    upright = (number(dice, -0.5, 0.5), number(dice, -0.5, 0.5), -number(dice, 0.5, 1.0))
    return Vertex(
        place(dice, x, y, slack), normal=upright if normal else None, diffuse=dice.color(), specular=dice.color(),
        coordinates=((dice.number(-150, 250) / 97, dice.number(-150, 250) / 97),),
    )  # fmt: skip


def segments(dice: Dice, edges: int) -> tuple[float, ...] | None:
    """The same for all edges, one for each, or none."""
    if dice.once_in(3):
        return None
    counts = [dice.number(100, 700) / 100 for _ in range(edges)]
    return tuple(counts) if dice.once_in(2) else (counts[0],) * edges


def spread(corner: tuple[float, float], u: float, v: float, reach: float, flip: bool) -> tuple[float, float]:
    """A place of a square on the screen; flipped: u and v change places, and the surface is seen from behind."""
    across, down = (v, u) if flip else (u, v)
    return corner[0] + across * reach, corner[1] + down * reach


def rect_patch(dice: Dice, draw: Curved) -> Curved:
    basis = dice.pick([*ORDERS])
    order = dice.pick(ORDERS[basis])
    spans = [dice.number(1, 2) for _ in range(2)]
    width, height = (n * order + 1 if basis == BasisType.BEZIER else n + order for n in spans)
    corner, reach, flip = (number(dice, 0, 10), number(dice, 0, 10)), number(dice, 14, 24), dice.once_in(2)
    slack = 0.3 * reach / max(width, height)
    if basis != BasisType.BEZIER:  # the surface covers the inner spans only
        corner, reach = (corner[0] - reach / 2, corner[1] - reach / 2), 2 * reach
    places = [(column / (width - 1), row / (height - 1)) for row in range(height) for column in range(width)]
    vertices = tuple(control(dice, *spread(corner, u, v, reach, flip), slack, False) for u, v in places)
    start = dice.number(0, 2), dice.number(0, 2)
    return RectPatch(
        draw.states, draw.stages, draw.textures, vertices, draw.world, segments=segments(dice, 4), width=width, height=height,
        basis=int(basis), order=int(order), start=start, stride=start[0] + width + dice.number(0, 2),
    )  # fmt: skip


def tri_patch(dice: Dice, draw: Curved) -> Curved:
    order = int(dice.pick(EVERY_ORDER))
    corner, reach, flip = (number(dice, 0, 10), number(dice, 0, 10)), number(dice, 14, 24), dice.once_in(2)
    places = [((row - n) / order, n / order) for row in range(order + 1) for n in range(row + 1)]
    slack = 0.2 * reach / order
    vertices = tuple(control(dice, *spread(corner, u, v, reach, flip), slack, False) for u, v in places)
    return TriPatch(
        draw.states, draw.stages, draw.textures, vertices, draw.world, segments=segments(dice, 3), order=order,
        start=dice.number(0, 3),
    )  # fmt: skip


def n_patch(dice: Dice, draw: Curved) -> Curved:
    corner, reach, flip = (number(dice, 0, 10), number(dice, 0, 10)), number(dice, 14, 24), dice.once_in(2)
    vertices = tuple(control(dice, *spread(corner, u, v, reach, flip), 4, True) for u, v in ((0, 0), (1, 0), (0, 1)))
    states = {**draw.states, "PATCHSEGMENTS": dice.number(110, 600) / 100}
    return NPatch(states, draw.stages, draw.textures, vertices, draw.world)


def curved(dice: Dice, width: int, height: int) -> Draw:
    """A patch of any kind with one texture, or none."""
    states = render_states(dice) | {name: dice.pick(options) for name, options in STATES.items()} | {"AMBIENT": dice.color()}
    states |= {
        "ALPHATESTENABLE": 0, "VERTEXBLEND": 0, "INDEXEDVERTEXBLENDENABLE": 0, "SHADEMODE": 2, "ZBIAS": 0,
        "ZENABLE": int(states["ZENABLE"] != 0), "FOGDENSITY": dice.pick((0.05, 0.2, 1.0)), "PATCHEDGESTYLE": dice.number(0, 1),
        "PATCHSEGMENTS": dice.number(100, 600) / 100, "POSITIONORDER": dice.pick((OrderType.LINEAR, OrderType.CUBIC)),
        "NORMALORDER": dice.pick((OrderType.LINEAR, OrderType.QUADRATIC)),
    }  # fmt: skip
    lights = tuple(light(dice) for _ in range(dice.number(0, 2)))
    there = World((0, 0, SIDE, SIDE, 0.0, 1.0), {}, lights, material(dice))
    stages, textures = (sampled_by(dice), no_stage()), (texture(dice, dice.once_in(2)) if dice.once_in(2) else None, None)
    make = dice.pick((rect_patch, rect_patch, tri_patch, n_patch))
    return make(dice, Curved(states, stages, textures, (), there))


def patch_scene(entropy: bytes) -> Scene:
    """32x32 pixels, one or two patches."""
    return assembled(Dice(entropy), (SIDE, SIDE), 2, curved)


__all__: Sequence[str] = ("PATCH_BYTES", "Curved", "NPatch", "RectPatch", "TriPatch", "patch_scene")
