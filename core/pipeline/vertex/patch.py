"""Patch: rectangle and triangle patches become triangles, before any vertex is processed (semantics section 12).

    patch = read_rect_patch(vector, layout, streams, RectPatch(...))      keep it under its handle
    geometry.process_tessellation(vector, patch.tessellate(segments), ...)

Every input register is interpolated with the same basis; the generated vertices go through the current shader or fixed
function.  Where the documents leave room: segments count along the whole edge; their order is v=0, u=1, v=1, u=0 (rectangles)
and 0-1, 1-2, 2-0 (triangles); the inside takes the finest edge's count, and border vertices move to the nearest point of their
own edge, so neighbours with equal counts meet.  Triangle patches list their control points row by row from corner 0, a Bezier
mosaic shares the points between its patches.  Cells of a rectangle are cut from (u + 1, v) to (u, v + 1), corner (u, v) comes
first, cells row by row.  Generated triangles wind so that cross(dP/du, dP/dv) points to the side that sees them clockwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, factorial

import numpy as np

from core.errors import BadInput
from core.pipeline.records.rows import INPUT_REGISTERS
from core.pipeline.vertex.fetch import VERTEX_LAYOUT, ElementType, VertexLayout
from core.pipeline.vertex.input_registers import input_registers
from core.spec.enums import BasisType, OrderType, PatchEdgeStyle
from core.spec.states import RENDER_STATE_ID

MAX_SEGMENTS = 64
MAX_CONTROL_POINTS = 1 << 16
FAR_BEYOND = 1 << 40  # no vertex has this number
VERTEX_BYTES = 16 * INPUT_REGISTERS
_SEGMENTS, _STYLE = RENDER_STATE_ID["PATCHSEGMENTS"], RENDER_STATE_ID["PATCHEDGESTYLE"]


@dataclass(frozen=True)
class RectPatch:
    """D3DRECTPATCH_INFO."""

    start_width: int
    start_height: int
    width: int
    height: int
    stride: int
    basis: int = BasisType.BEZIER
    order: int = OrderType.CUBIC

    @property
    def numbers(self) -> np.ndarray:
        """int64[height, width]: the vertex that each control point is."""
        rows = [(self.start_height + row) * self.stride + self.start_width for row in range(self.height)]
        return np.array([min(row, FAR_BEYOND) for row in rows])[:, None] + np.arange(self.width)


@dataclass(frozen=True)
class TriPatch:
    """D3DTRIPATCH_INFO."""

    start: int
    count: int
    basis: int = BasisType.BEZIER
    order: int = OrderType.CUBIC

    @property
    def numbers(self) -> np.ndarray:
        """int64[count]: the vertex that each control point is."""
        return self.start + np.arange(self.count, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Tessellation:
    """Triangles over generated vertices, ready for Geometry."""

    layout: VertexLayout
    registers: np.ndarray  # float32[n, 17, 4]: what fetch would have brought
    indices: np.ndarray  # uint32[triangles, 3]
    per_primitive: int  # triangles that each of the application's primitives became
    outside: int = 0  # vertex elements that lay outside their streams
    left_out: int = 0  # primitives beyond what one draw may become


# ---- basis functions -----------------------------------------------------------------------------


def bernstein(degree: int, t: np.ndarray) -> np.ndarray:
    """[..., degree + 1] weights of the Bezier basis."""
    return np.stack([comb(degree, i) * t**i * (1 - t) ** (degree - i) for i in range(degree + 1)], axis=-1)


def uniform_bspline(degree: int, t: np.ndarray) -> np.ndarray:
    """[..., degree + 1] weights of the uniform B-spline, by de Boor's recurrence on the knots 0, 1, 2 ...

    Over a span, the weight of point k is the cardinal B-spline at t + degree - k.
    """
    values = [np.ones_like(t)]
    for d in range(1, degree + 1):
        # cardinal B-splines of degree d at t, t + 1, ... t + d
        lower = [*values, np.zeros_like(t)]
        values = [((t + i) * lower[i] + (d + 1 - t - i) * (lower[i - 1] if i else np.zeros_like(t))) / d for i in range(d + 1)]
    return np.stack(values[::-1], axis=-1)


def catmull_rom(t: np.ndarray) -> np.ndarray:
    """[..., 4] weights of the interpolating cubic."""
    t2, t3 = t * t, t * t * t
    return np.stack([-t3 + 2 * t2 - t, 3 * t3 - 5 * t2 + 2, -3 * t3 + 4 * t2 + t, t3 - t2], axis=-1) / 2


def _basis(basis: int, degree: int, t: np.ndarray) -> np.ndarray:
    if basis == BasisType.BEZIER:
        return bernstein(degree, t)
    return uniform_bspline(degree, t) if basis == BasisType.BSPLINE else catmull_rom(t)


def span_count(basis: int, degree: int, points: int) -> int:
    """Spans that a row of control points makes; excess points are not used."""
    return (points - 1) // degree if basis == BasisType.BEZIER else points - degree


def row_weights(basis: int, degree: int, points: int, parameters: np.ndarray) -> np.ndarray:
    """float64[parameters, points]: the weight of each control point of a row at parameters in 0..1 over all its spans."""
    spans = span_count(basis, degree, points)
    x = np.clip(parameters, 0, 1) * spans
    span = np.minimum(x.astype(np.int64), spans - 1)
    local = _basis(basis, degree, x - span)
    weights = np.zeros((len(parameters), points))
    first = span * (degree if basis == BasisType.BEZIER else 1)
    for k in range(degree + 1):
        np.add.at(weights, (np.arange(len(parameters)), first + k), local[:, k])
    return weights


# ---- edges ---------------------------------------------------------------------------------------


def edge_parameters(segments: float, continuous: bool) -> np.ndarray:
    """Where an edge is divided: equal parts of a rounded count, or parts of 1 / segments with a shorter last one."""
    count = min(max(float(segments), 1.0), float(MAX_SEGMENTS)) if segments == segments else 1.0
    if not continuous:
        whole = int(count + 0.5)
        return np.arange(whole + 1) / whole
    return np.minimum(np.arange(int(np.ceil(count)) + 1) / count, 1.0)


def snapped(edge: np.ndarray, count: int) -> np.ndarray:
    """The points of an edge that count + 1 border vertices move to: each point is met, their order kept."""
    nearest = (np.arange(count + 1) * (len(edge) - 1) * 2 + count) // (2 * count)
    return edge[nearest]


# ---- rectangle patches ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ReadRectPatch:
    """A rectangle patch with its control points: what a driver keeps under a handle."""

    edges = 4
    layout: VertexLayout
    info: RectPatch
    points: np.ndarray  # float32[height, width, 17, 4]
    outside: int = 0  # vertex elements that lay outside their streams

    @np.errstate(all="ignore")  # any floats may come
    def tessellate(self, segments: Sequence[float], continuous: bool = False) -> Tessellation:
        """Triangles for four segment counts (edges v=0, u=1, v=1, u=0)."""
        edges = [edge_parameters(number, continuous) for number in segments]
        columns, rows = (max(len(edges[k]), len(edges[k + 2])) - 1 for k in (0, 1))
        u, v = _rect_parameters(edges, columns, rows)
        registers = self._evaluate(u.ravel(), v.ravel())
        corner = np.arange(rows * (columns + 1)).reshape(rows, columns + 1)[:, :-1].ravel()
        first = np.stack([corner, corner + 1, corner + columns + 1], axis=-1)
        second = np.stack([corner + 1, corner + columns + 2, corner + columns + 1], axis=-1)
        indices = np.stack([first, second], axis=1).reshape(-1, 3).astype(np.uint32)
        return tessellation(self.layout, registers, indices, len(indices))

    def _evaluate(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """All registers at parameters, with what the tessellator makes itself."""
        info, points = self.info, self.points.astype(np.float64)
        across = row_weights(info.basis, info.order, info.width, u)
        down = row_weights(info.basis, info.order, info.height, v)
        values = np.einsum("nh,nw,hwrc->nrc", down, across, points, optimize=True)
        for made in self.layout.tessellator:
            if made.source < 0:
                values[:, made.register] = np.stack([u, v, np.zeros_like(u), np.ones_like(u)], axis=-1)
            else:
                du, dv = (self._slope(u, v, across, down, axis)[:, made.source, :3] for axis in (0, 1))
                values[:, made.register] = _unit(np.cross(du, dv))
        return values

    def _slope(self, u: np.ndarray, v: np.ndarray, across: np.ndarray, down: np.ndarray, axis: int) -> np.ndarray:
        """The derivative along u (axis 0) or v, by central differences that stay within 0..1."""
        info, points, step = self.info, self.points.astype(np.float64), 1e-4
        at, count = (u, info.width) if axis == 0 else (v, info.height)
        high, low = np.minimum(at + step, 1), np.maximum(at - step, 0)
        change = row_weights(info.basis, info.order, count, high) - row_weights(info.basis, info.order, count, low)
        change /= (high - low)[:, None]
        pair = (down, change) if axis == 0 else (change, across)
        return np.einsum("nh,nw,hwrc->nrc", *pair, points, optimize=True)


def _rect_parameters(edges: list[np.ndarray], columns: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """(u, v) of a grid of rows + 1 by columns + 1 vertices; the border on the points of its edges."""
    longest = [max(edges[k], edges[k + 2], key=len) for k in (0, 1)]
    u, v = np.meshgrid(longest[0], longest[1])
    u[0], u[-1] = snapped(edges[0], columns), snapped(edges[2], columns)
    v[:, -1], v[:, 0] = snapped(edges[1], rows), snapped(edges[3], rows)
    return u, v


def read_rect_patch(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], info: RectPatch
) -> ReadRectPatch:
    """The control points of a patch from the current streams; BadInput if there is no such patch."""
    _check_basis(info.basis, info.order)
    if min(info.width, info.height) <= info.order or info.width * info.height > MAX_CONTROL_POINTS:
        raise BadInput(f"rectangle patch: {info.width} x {info.height} control points for order {info.order}")
    values, outside = input_registers(vector, layout, streams, info.numbers.ravel())
    return ReadRectPatch(layout, info, values.reshape(info.height, info.width, INPUT_REGISTERS, 4), outside)


def _check_basis(basis: int, order: int) -> None:
    orders = {
        BasisType.BEZIER: (1, 3, 5),
        BasisType.BSPLINE: (1, 3, 5),
        BasisType.INTERPOLATE: (3,),
    }  # linear, cubic, quintic
    if order not in orders.get(basis, ()):  # type: ignore[call-overload]
        raise BadInput(f"patch: basis {basis} has no order {order}")


# ---- triangle patches -----------------------------------------------------------------------------

TRI_POINTS = {1: 3, 3: 10, 5: 21}


@dataclass(frozen=True, eq=False)
class ReadTriPatch:
    """A triangle patch with its control points, row by row from corner 0."""

    edges = 3
    layout: VertexLayout
    info: TriPatch
    points: np.ndarray  # float32[count, 17, 4]
    outside: int = 0  # as of rectangles

    @np.errstate(all="ignore")  # any floats may come
    def tessellate(self, segments: Sequence[float], continuous: bool = False) -> Tessellation:
        """Triangles for three segment counts (edges 0-1, 1-2, 2-0)."""
        edges = [edge_parameters(number, continuous) for number in segments]
        count = max(map(len, edges)) - 1
        weights = triangle_parameters(edges, count)
        registers = self._evaluate(weights)
        indices = triangle_indices(count)
        return tessellation(self.layout, registers, indices, len(indices))

    def _evaluate(self, weights: np.ndarray) -> np.ndarray:
        points = self.points.astype(np.float64)
        values = np.einsum("np,prc->nrc", triangle_weights(self.info.order, weights), points)
        for made in self.layout.tessellator:
            if made.source < 0:
                uv = weights[:, 1:]
                values[:, made.register] = np.c_[uv, np.zeros(len(uv)), np.ones(len(uv))]
            else:
                slopes = triangle_slopes(self.info.order, weights)
                du, dv = (np.einsum("np,pc->nc", slope, points[:, made.source, :3]) for slope in slopes)
                values[:, made.register] = _unit(np.cross(du, dv))
        return values


def triangle_exponents(degree: int) -> list[tuple[int, int, int]]:
    """(i, j, k) of each control point: powers of the weights of corners 0, 1, 2."""
    return [(degree - row, row - column, column) for row in range(degree + 1) for column in range(row + 1)]


def triangle_weights(degree: int, weights: np.ndarray) -> np.ndarray:
    """[n, points] Bernstein weights at barycentric coordinates [n, 3]."""
    u, v, w = weights.T
    terms = []
    for i, j, k in triangle_exponents(degree):
        terms.append(factorial(degree) / (factorial(i) * factorial(j) * factorial(k)) * u**i * v**j * w**k)
    return np.stack(terms, axis=-1)


def triangle_slopes(degree: int, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of triangle_weights towards corner 1 and towards corner 2, both away from corner 0."""
    lower = triangle_weights(degree - 1, weights)
    place = {exponents: number for number, exponents in enumerate(triangle_exponents(degree - 1))}
    towards = np.zeros((3, len(weights), len(triangle_exponents(degree))))
    for number, exponents in enumerate(triangle_exponents(degree)):
        for corner in range(3):
            less = tuple(e - (corner == axis) for axis, e in enumerate(exponents))
            if min(less) >= 0:
                towards[corner, :, number] = degree * lower[:, place[less]]  # type: ignore[index]
    return towards[1] - towards[0], towards[2] - towards[0]


def triangle_parameters(edges: list[np.ndarray], count: int) -> np.ndarray:
    """float64[n, 3]: barycentric coordinates row by row from corner 0, the border on the points of its edges."""
    rows = []
    first, second, third = (snapped(edge, count) for edge in edges)
    for r in range(count + 1):
        c = np.arange(r + 1)
        row = np.stack([np.full(r + 1, 1 - r / count), (r - c) / count, c / count], axis=-1)
        row[0] = 1 - first[r], first[r], 0
        row[-1] = third[count - r], 0, 1 - third[count - r]
        if r == count:
            row[:] = np.stack([np.zeros(r + 1), 1 - second, second], axis=-1)
        rows.append(row)
    rows[0][0] = 1, 0, 0
    return np.concatenate(rows)


def triangle_indices(count: int) -> np.ndarray:
    """uint32[count * count, 3]: triangles of a triangular grid whose vertices are numbered row by row."""
    found = []
    for r in range(count):
        above, below = r * (r + 1) // 2, (r + 1) * (r + 2) // 2
        for c in range(r + 1):
            found.append((above + c, below + c, below + c + 1))
            if c < r:
                found.append((above + c, below + c + 1, above + c + 1))
    return np.array(found, np.uint32)


def read_tri_patch(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], info: TriPatch
) -> ReadTriPatch:
    """The control points of a triangle patch; BadInput if there is no such patch."""
    if info.basis != BasisType.BEZIER or TRI_POINTS.get(info.order) != info.count:
        raise BadInput(f"triangle patch: basis {info.basis}, order {info.order}, {info.count} control points")
    values, outside = input_registers(vector, layout, streams, info.numbers)
    return ReadTriPatch(layout, info, values, outside)


# ---- results --------------------------------------------------------------------------------------


def unit_length(v: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return v / np.where(length > 0, length, 1)


def _unit(v: np.ndarray) -> np.ndarray:
    """Unit vectors as (x, y, z, 1); a vector of length 0 stays."""
    return np.concatenate([unit_length(v), np.ones((*v.shape[:-1], 1))], axis=-1)


def tessellation(layout: VertexLayout, registers: np.ndarray, indices: np.ndarray, per_primitive: int) -> Tessellation:
    """Generated vertices as a draw: all registers in one stream, each as FLOAT4.

    registers: float32[n, 17, 4]; indices: uint32[primitives, corners]; per_primitive: how many of these stand for one primitive
    of the application.
    """
    record = np.zeros(1, VERTEX_LAYOUT)
    for name in ("kind", "coordinate_size"):
        record[name] = layout.record[name]
    made = [output.register for output in layout.tessellator]
    present = int(layout.record["present"][0]) | sum(1 << register for register in set(made))
    for register in range(INPUT_REGISTERS):
        if present >> register & 1:
            at = record["element_count"][0]
            record["element"][0, at] = (0, 16 * register, ElementType.FLOAT4, register, 16)
            record["element_count"] += 1
    record["present"], record["stride"], record["extent"][0, 0] = present, VERTEX_BYTES, VERTEX_BYTES
    generated = replace(layout, record=record, streams=(0,), tessellator=())
    return Tessellation(generated, np.ascontiguousarray(registers, np.float32), indices, per_primitive)


def control_points(patch: ReadRectPatch | ReadTriPatch) -> Tessellation:
    """The control points of a patch, as a list of points instead of triangles."""
    registers = patch.points.reshape(-1, *patch.points.shape[-2:])
    return tessellation(replace(patch.layout, tessellator=()), registers, np.arange(len(registers), dtype=np.uint32), 1)


def edge_style_is_continuous(vector: np.ndarray) -> bool:
    """D3DRS_PATCHEDGESTYLE."""
    return int(vector[_STYLE]) == PatchEdgeStyle.CONTINUOUS


def default_segments(vector: np.ndarray, edges: int) -> list[float]:
    """D3DRS_PATCHSEGMENTS for every edge, where a patch brings no counts of its own."""
    return [float(vector[_SEGMENTS : _SEGMENTS + 1].view(np.float32)[0])] * edges
