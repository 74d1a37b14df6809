"""Misses: primitives that would cover a pixel if they were not culled, clipped or degenerate.

Asked of the shapes of draws (core.pipeline.observe.shapes) and a pixel; nothing is drawn.  A triangle covers a pixel's centre
if the centre is a combination of its three homogeneous screen positions without a negative weight, which holds behind the eye
too; a centre on an edge, if that is a left or a top one.  A line covers what is within half a pixel, a point its square.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.kernels.jit import array, f8, i8, kernel, stage
from core.kernels.simd import pointer
from core.pipeline.draw_state.vertex_state import USER_PLANES
from core.pipeline.observe.shapes import LINES, Shape
from core.pipeline.records.primitives import PrimitiveFate
from core.spec.enums import Cull, PrimitiveType

FEWER = (*LINES, PrimitiveType.POINTLIST)  # corners than three
FIRST_USER = int(PrimitiveFate.USER_0)
NEAR, FAR, CULLED, DEGENERATE = (
    int(PrimitiveFate.NEAR),
    int(PrimitiveFate.FAR),
    int(PrimitiveFate.CULLED),
    int(PrimitiveFate.DEGENERATE),
)
LEFT, RIGHT, TOP, BOTTOM = int(PrimitiveFate.LEFT), int(PrimitiveFate.RIGHT), int(PrimitiveFate.TOP), int(PrimitiveFate.BOTTOM)
AWAY_CLOCKWISE, AWAY_COUNTERCLOCKWISE = int(Cull.CW), int(Cull.CCW)

# A Shape of triangles: those of the joined arrays from `first` on.
JOINED = np.dtype([
    ("viewport", "f8", 4), ("scale", "f8", 4), ("planes", "f8", 4 * USER_PLANES), ("first", "i8"), ("count", "i8"),
    ("cull", "i4"), ("cuts_depth", "i4"), ("clipped", "i4"), ("unused", "i4"),
])  # fmt: skip
HIT = np.dtype([("triangle", "i8"), ("fate", "i8")])


@dataclass(frozen=True, slots=True)
class Miss:
    """A primitive of the draw, as the application counts, and why it left no fragment at the pixel."""

    number: int
    reason: PrimitiveFate


class Misses:
    """Many draws, asked at once: 100,000 triangles in a few milliseconds."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        kept = [shape for shape in shapes if len(shape.corners) and len(shape.clip)]
        self._others = [shape for shape in kept if shape.kind in FEWER]
        self._shapes = [shape for shape in kept if shape.kind not in FEWER]
        vertices = np.cumsum([0, *(len(shape.clip) for shape in self._shapes)])
        corners = [shape.corners + first for shape, first in zip(self._shapes, vertices.tolist(), strict=False)]
        self._corners = np.concatenate([np.zeros((0, 3), np.int32), *corners]).astype(np.int32)
        self._clip = np.concatenate([np.zeros((0, 4), np.float32), *(shape.clip for shape in self._shapes)])
        self._fates = np.concatenate([np.zeros(0, np.uint8), *(shape.fates for shape in self._shapes)])
        self._table = np.zeros(len(self._shapes), JOINED)
        self._firsts = np.cumsum([0, *(len(shape.corners) for shape in self._shapes)])
        for row, shape, first in zip(self._table, self._shapes, self._firsts.tolist(), strict=False):
            row["viewport"], row["scale"], row["planes"] = shape.viewport, shape.scale, shape.planes.reshape(-1)
            row["first"], row["count"], row["cull"] = first, len(shape.corners), shape.cull
            row["cuts_depth"], row["clipped"] = shape.cuts_depth, shape.clipped

    def at(self, x: float, y: float) -> list[tuple[int, Miss]]:
        """(event, miss) by event; generated primitives of one primitive and reason count once."""
        found = [*self._triangles(x, y), *self._lines_and_points(x, y)]
        return sorted(dict.fromkeys(found), key=lambda one: one[0])

    def _triangles(self, x: float, y: float) -> Iterator[tuple[int, Miss]]:
        hits = np.empty(len(self._corners) + 1, HIT)
        count = missed_triangles(self._table, self._corners, self._clip, self._fates, float(x), float(y), hits)
        for triangle, fate in hits[:count].tolist():
            place = int(np.searchsorted(self._firsts, triangle, side="right")) - 1
            shape = self._shapes[place]
            yield shape.event, Miss((triangle - int(self._firsts[place])) // shape.per_primitive, PrimitiveFate(fate))

    def _lines_and_points(self, x: float, y: float) -> Iterator[tuple[int, Miss]]:
        for shape in self._others:
            with np.errstate(all="ignore"):
                found = (_missed_lines if shape.kind in LINES else _missed_points)(shape, x, y)
            for number in np.flatnonzero(found).tolist():
                yield shape.event, Miss(number // shape.per_primitive, PrimitiveFate(int(found[number])))


# ---- triangles ---------------------------------------------------------------------------------------


@stage
def beside(viewport, x, y):
    """PrimitiveFate: the side of the viewport beyond which a pixel lies."""
    if x < viewport[0]:
        return LEFT
    if x >= viewport[2]:
        return RIGHT
    if y < viewport[1]:
        return TOP
    return BOTTOM if y >= viewport[3] else 0


@stage
def near_segment(ax, ay, aw, bx, by, bw, x, y):
    """Whether a pixel is within half a pixel of the segment between homogeneous points before the eye."""
    if not (aw > 0 and bw > 0):
        return False
    px, py, qx, qy = ax / aw, ay / aw, bx / bw, by / bw
    dx, dy = qx - px, qy - py
    t = ((x - px) * dx + (y - py) * dy) / max(dx * dx + dy * dy, 1e-30)
    t = min(max(t, 0.0), 1.0)
    return (x - px - t * dx) * (x - px - t * dx) + (y - py - t * dy) * (y - py - t * dy) <= 0.25


@stage
def within(value, a, b, area):
    """Whether a pixel is inside an edge, whose function rises by a to the right and b downwards, of a triangle with this signed
    area; on the edge, if it is a left or a top one: of two triangles that share an edge, one has its pixels."""
    turn = 1.0 if area > 0 else -1.0
    value, a, b = value * turn, a * turn, b * turn
    return value > 0 or (value == 0 and (a > 0 or (a == 0 and b > 0)))


@stage
def cut_at(shape, clip, i, j, k, u, v, w):
    """PrimitiveFate: what cuts away the point with weights u, v, w of three vertices (rows of clip times four); 0: nothing."""
    if shape.cuts_depth:
        depth = u * clip[i + 2] + v * clip[j + 2] + w * clip[k + 2]
        if depth < 0:
            return NEAR
        if depth > 1:
            return FAR
    if shape.clipped:
        for p in range(USER_PLANES):
            distance = 0.0
            for m in range(4):
                distance += shape.planes[4 * p + m] * (u * clip[i + m] + v * clip[j + m] + w * clip[k + m])
            if distance < 0:
                return FIRST_USER + p
    return 0


@kernel(i8(array(JOINED), array("i4", 2), array("f4", 2), array("u1"), f8, f8, array(HIT)))
def missed_triangles(shapes, corners, clip, fates, x, y, hits):
    """Notes each triangle that would cover the pixel and is not drawn there; returns how many."""
    table, vertex, corner, out, count = pointer(shapes, 0), pointer(clip, 0), pointer(corners, 0), pointer(hits, 0), 0
    for number in range(shapes.size):
        shape = table[number]
        aside = beside(shape.viewport, x, y)
        sx, ox, sy, oy = shape.scale[0], shape.scale[1], shape.scale[2], shape.scale[3]
        for n in range(shape.first, shape.first + shape.count):
            i, j, k = corner[3 * n] * 4, corner[3 * n + 1] * 4, corner[3 * n + 2] * 4
            aw, bw, cw = np.float64(vertex[i + 3]), np.float64(vertex[j + 3]), np.float64(vertex[k + 3])
            ax, ay = vertex[i] * sx + aw * ox, vertex[i + 1] * sy + aw * oy
            bx, by = vertex[j] * sx + bw * ox, vertex[j + 1] * sy + bw * oy
            cx, cy = vertex[k] * sx + cw * ox, vertex[k + 1] * sy + cw * oy
            # weight of a corner: (x, y, 1) in front of the plane through the two others
            ex, ey, ew = by * cw - bw * cy, bw * cx - bx * cw, bx * cy - by * cx
            area = ax * ex + ay * ey + aw * ew
            fate = 0
            if area == 0:
                if near_segment(ax, ay, aw, bx, by, bw, x, y) or near_segment(ax, ay, aw, cx, cy, cw, x, y):
                    fate = DEGENERATE
            elif area > 0 or area < 0:
                fx, fy, fw = cy * aw - cw * ay, cw * ax - cx * aw, cx * ay - cy * ax
                gx, gy, gw = ay * bw - aw * by, aw * bx - ax * bw, ax * by - ay * bx
                u, v, w = ex * x + ey * y + ew, fx * x + fy * y + fw, gx * x + gy * y + gw
                if not (within(u, ex, ey, area) and within(v, fx, fy, area) and within(w, gx, gy, area)):
                    continue
                fate = fates[n]
                if fate == 0 and ((shape.cull == AWAY_CLOCKWISE and area >= 0)
                                  or (shape.cull == AWAY_COUNTERCLOCKWISE and area < 0)):  # fmt: skip
                    fate = CULLED
                if fate == 0:
                    fate = aside
                if fate == 0:
                    fate = cut_at(shape, vertex, i, j, k, u / area, v / area, w / area)
            if fate:
                out[count].triangle, out[count].fate = n, fate
                count += 1
    return count


# ---- lines and points --------------------------------------------------------------------------------


def _screen(shape: Shape, column: int) -> np.ndarray:
    """float64[n, 3]: homogeneous screen positions of one corner of each primitive."""
    x, y, _, w = shape.clip[shape.corners[:, column]].astype(np.float64).T
    sx, ox, sy, oy = shape.scale
    return np.stack([x * sx + w * ox, y * sy + w * oy, w], axis=-1)


def _reasons(shape: Shape, weights: np.ndarray, x: float, y: float) -> np.ndarray:
    """Fate of the covered pixel of each primitive: weights [n, k] of its corners, whose w adds up to 1."""
    found = np.where(shape.fates != PrimitiveFate.DRAWN, shape.fates, _aside(shape, x, y))
    clip = (weights[:, :, None] * shape.clip[shape.corners].astype(np.float64)).sum(axis=1)
    cuts = [(clip[:, 2] < 0, PrimitiveFate.NEAR), (clip[:, 2] > 1, PrimitiveFate.FAR)] if shape.cuts_depth else []
    cuts += [(clip @ plane < 0, PrimitiveFate(PrimitiveFate.USER_0 + k)) for k, plane in enumerate(shape.planes)]
    for cut, fate in cuts:
        found = np.where((found == PrimitiveFate.DRAWN) & cut, int(fate), found)
    return found


def _aside(shape: Shape, x: float, y: float) -> int:
    left, top, right, bottom = shape.viewport
    sides = ((x < left, LEFT), (x >= right, RIGHT), (y < top, TOP), (y >= bottom, BOTTOM))
    return next((side for beyond, side in sides if beyond), 0)


def _missed_lines(shape: Shape, x: float, y: float) -> np.ndarray:
    """Fate of each line that would pass the pixel, 0 for the others."""
    a, b = _screen(shape, 0), _screen(shape, 1)
    p, along = a[:, :2] / a[:, 2:], b[:, :2] / b[:, 2:] - a[:, :2] / a[:, 2:]
    t = np.clip(((np.array([x, y]) - p) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-30), 0, 1)
    distance = np.linalg.norm(np.array([x, y]) - p - along * t[:, None], axis=1)
    covers = (a[:, 2] > 0) & (b[:, 2] > 0) & (distance <= 0.5)
    weights = np.stack([(1 - t) / a[:, 2], t / b[:, 2]], axis=-1)
    return np.where(covers, _reasons(shape, weights, x, y), 0)


def _missed_points(shape: Shape, x: float, y: float) -> np.ndarray:
    """Fate of each point whose square would hold the pixel, 0 for the others."""
    centre = _screen(shape, 0)
    half = shape.sizes[shape.corners[:, 0]] / 2
    off = np.abs(centre[:, :2] / centre[:, 2:] - [x, y]).max(axis=1)
    found = _reasons(shape, 1 / centre[:, 2:], x, y)
    return np.where((centre[:, 2] > 0) & (off <= half), found, 0)
