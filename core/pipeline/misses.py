"""Misses: primitives of a draw that would cover a pixel, were they not culled, clipped or degenerate.

What is asked are the Shapes of draws, kept or made from the vertices, and a pixel; nothing is drawn.  A triangle covers a
pixel's centre if the centre is a combination of its three homogeneous screen positions without a negative weight; that holds
behind the eye too.  A line covers what is within half a pixel, a point its square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.jit import njit
from core.pipeline.fetch import VertexLayout
from core.pipeline.geometry import Geometry
from core.pipeline.npatch import triangle_corners
from core.pipeline.primitives import Fate, Field
from core.pipeline.vertex_state import USER_PLANES, VertexKind
from core.spec.enums import Cull, PrimitiveType
from core.spec.slots import BASE
from core.spec.states import RENDER_STATE_ID

SHAPE_STATES = [BASE["render_state"] + RENDER_STATE_ID[name] for name in ("CULLMODE", "CLIPPING", "ZENABLE")]
SHAPE_SLOTS = np.array([
    *(BASE["viewport"] + n for n in range(4)), *SHAPE_STATES, BASE["depth_stencil"],
    BASE["render_state"] + RENDER_STATE_ID["CLIPPLANEENABLE"],
])  # fmt: skip
CLIP_PLANES = BASE["clip_plane"] + np.arange(4 * USER_PLANES).reshape(USER_PLANES, 4)
VIEW, PROJECTION = BASE["view"] + np.arange(16), BASE["projection"] + np.arange(16)
PLANES_END = int(max(CLIP_PLANES.max(), VIEW[-1], PROJECTION[-1])) + 1
NO_SIZES = np.zeros(0, np.float32)
LINES = (PrimitiveType.LINELIST, PrimitiveType.LINESTRIP)
ONE_BEFORE = int(Fate.USER_0) - 1
NEAR, FAR, CULLED, DEGENERATE = int(Fate.NEAR), int(Fate.FAR), int(Fate.CULLED), int(Fate.DEGENERATE)
AWAY_CLOCKWISE, AWAY_COUNTERCLOCKWISE = int(Cull.CW), int(Cull.CCW)


@dataclass(frozen=True, slots=True)
class Miss:
    """A primitive of the draw, as the application counts, and why it left no fragment at the pixel."""

    number: int
    reason: Fate


@dataclass(frozen=True, slots=True)
class Shape:
    """The primitives of one draw on their way to the screen, and what cuts them.

    corners: int32[n, 1..3], rows of clip: float32[v, 4]; fates: uint8[n]; numbers: of the generated primitives per primitive
    of the application.  scale: screen x y w = clip x y w times a matrix, as sx, ox, sy, oy (x * sx + w * ox, y * sy + w * oy).
    planes: float64[6, 4] in clip space, zero where none is enabled.  cuts_depth: near and far cut.
    """

    event: int
    kind: int
    corners: np.ndarray
    clip: np.ndarray
    sizes: np.ndarray
    fates: np.ndarray
    per_primitive: int
    viewport: tuple[float, float, float, float]
    scale: tuple[float, float, float, float]
    cull: int
    cuts_depth: bool
    planes: np.ndarray
    clipped: bool

    @property
    def size(self) -> int:
        """Bytes."""
        return self.corners.nbytes + self.clip.nbytes + self.sizes.nbytes + self.fates.nbytes + self.planes.nbytes


class Assembled:
    """What the vertex half just made of a draw, copied as it lies: a Shape when somebody asks.  `event`: of the draw."""

    __slots__ = (
        "_fates", "_layout", "_matrices", "_named", "_positions", "_rows", "_shape", "_sizes", "_words", "base", "drawn",
        "event", "flagged",
    )  # fmt: skip

    def __init__(self, vector: np.ndarray, layout: VertexLayout, geometry: Geometry, event: int = 0) -> None:
        self.event, self._layout, self.drawn = event, layout, geometry.drawn
        self._rows, self._words = geometry.listed, vector[SHAPE_SLOTS].tolist()
        self._named, self.flagged, self.base = geometry.named
        self._positions = geometry.position_blocks(self._rows).copy()
        points = self.drawn[0] == PrimitiveType.POINTLIST
        self._sizes = geometry.vertices[: self._rows, Field.POINT_SIZE].copy() if points else NO_SIZES
        self._fates = geometry.fates[: self.drawn[1]].copy()
        self._matrices = vector[:PLANES_END].copy() if self._words[-1] else None  # user planes are enabled
        self._shape: Shape | None = None

    @property
    def size(self) -> int:
        """Bytes, when a Shape has been made of it too."""
        return 2 * (self._named.nbytes + self._positions.nbytes) + self._sizes.nbytes + self._fates.nbytes

    @property
    def shape(self) -> Shape:
        """As the question about misses takes it."""
        if self._shape is None:
            self._shape = self._made()
        return self._shape

    def _made(self) -> Shape:
        kind, count, per_primitive = self.drawn
        left, top, width, height = (float(n) for n in self._words[:4])
        cull, clipping, z_enable, depth, enabled = self._words[4:]
        transformed = self._layout.kind == VertexKind.TRANSFORMED
        scale = (1.0, 0.0, 1.0, 0.0) if transformed else (width / 2, left + width / 2, -height / 2, top + height / 2)
        named = self._named.reshape(-1, 4)[:, :3].reshape(-1) if self.flagged else self._named
        corners = (named - self.base)[_corners(kind, len(named))].astype(np.int32)[:count]
        clip = np.ascontiguousarray(self._positions.reshape(-1, 4, 16).transpose(0, 2, 1).reshape(-1, 4)[: self._rows])
        cuts_depth = bool(clipping) and (not transformed or bool(z_enable and depth))  # without a depth buffer nothing is cut
        planes, clipped = np.zeros((USER_PLANES, 4)), False
        if self._matrices is not None:
            planes, clipped = _user_planes(self._matrices, self._layout, enabled)
        return Shape(
            self.event, kind, corners, clip, self._sizes, self._fates[: len(corners)], per_primitive,
            (left, top, left + width, top + height), scale, cull, cuts_depth, planes, clipped,
        )  # fmt: skip


def shape_of(vector: np.ndarray, layout: VertexLayout, geometry: Geometry, event: int = 0) -> Shape:
    """What the last draw of `geometry` was, with these registers."""
    return Assembled(vector, layout, geometry, event).shape


def _corners(kind: int, references: int) -> np.ndarray:
    """int64[primitives, 1..3]: which references each primitive takes."""
    if kind == PrimitiveType.POINTLIST:
        return np.arange(references)[:, None]
    if kind in LINES:
        first = np.arange(0, max(references - 1, 0), 2 if kind == PrimitiveType.LINELIST else 1)
        return np.stack([first, first + 1], axis=-1)
    return triangle_corners(kind, references)


def _user_planes(vector: np.ndarray, layout: VertexLayout, enabled: int) -> tuple[np.ndarray, bool]:
    """The enabled user planes in clip space, and whether there are any."""
    planes = np.zeros((USER_PLANES, 4))
    if layout.kind == VertexKind.TRANSFORMED:
        return planes, False
    given = vector[CLIP_PLANES].view(np.float32).astype(np.float64)
    view, projection = (vector[slots].view(np.float32).reshape(4, 4).astype(np.float64) for slots in (VIEW, PROJECTION))
    for k in range(USER_PLANES):
        if enabled >> k & 1:
            planes[k] = given[k]
            if layout.kind == VertexKind.FIXED:
                planes[k] = np.linalg.lstsq(view @ projection, planes[k], rcond=None)[0]
    return planes, bool(planes.any())


# ---- asking ------------------------------------------------------------------------------------------


def find_misses(vector: np.ndarray, layout: VertexLayout, x: float, y: float, **draw: Any) -> list[Miss]:
    """The misses of a draw at pixel (x, y); arguments as for Geometry.process."""
    geometry = Geometry()
    geometry.process(vector, layout, **draw)
    return list(misses_of(shape_of(vector, layout, geometry), x, y))


def misses_of(shape: Shape, x: float, y: float) -> Iterator[Miss]:
    """The misses of one draw, in order."""
    if not len(shape.corners) or not len(shape.clip):
        return
    found = np.zeros(len(shape.corners), np.int64)
    if shape.kind == PrimitiveType.POINTLIST or shape.kind in LINES:
        with np.errstate(all="ignore"):
            found = (_missed_lines if shape.kind in LINES else _missed_points)(shape, x, y)
    else:
        _missed_triangles(shape.corners, shape.clip, shape.fates, shape.viewport, shape.scale, shape.cull, shape.cuts_depth,
                          shape.planes, shape.clipped, x, y, found)  # fmt: skip
    for number in np.flatnonzero(found).tolist():
        yield Miss(number // shape.per_primitive, Fate(int(found[number])))


def all_misses(shapes: Iterable[Shape], x: float, y: float) -> Iterator[tuple[int, Miss]]:
    """(event, miss) of many draws; generated primitives of one primitive and reason count once."""
    for shape in shapes:
        for miss in dict.fromkeys(misses_of(shape, x, y)):
            yield shape.event, miss


# ---- triangles ---------------------------------------------------------------------------------------


@njit
def _beside(viewport, x, y):  # type: ignore[no-untyped-def]
    """Fate: the side of the viewport beyond which a pixel lies."""
    left, top, right, bottom = viewport
    if x < left:
        return 1
    if x >= right:
        return 2
    if y < top:
        return 3
    return 4 if y >= bottom else 0


@njit
def _near_segment(ax, ay, aw, bx, by, bw, x, y):  # type: ignore[no-untyped-def]
    """Whether a pixel is within half a pixel of the segment between homogeneous points before the eye."""
    if not (aw > 0 and bw > 0):
        return False
    px, py, qx, qy = ax / aw, ay / aw, bx / bw, by / bw
    dx, dy = qx - px, qy - py
    t = ((x - px) * dx + (y - py) * dy) / max(dx * dx + dy * dy, 1e-30)
    t = min(max(t, 0.0), 1.0)
    return (x - px - t * dx) ** 2 + (y - py - t * dy) ** 2 <= 0.25


@njit
def _missed_triangles(corners, clip, fates, viewport, scale, cull, cuts_depth, planes, clipped, x, y, found):  # type: ignore[no-untyped-def]
    """Fate of each triangle that would cover the pixel, 0 for the others."""
    sx, ox, sy, oy = scale
    beside = _beside(viewport, x, y)
    for n in range(len(corners)):
        i, j, k = corners[n, 0], corners[n, 1], corners[n, 2]
        aw, bw, cw = np.float64(clip[i, 3]), np.float64(clip[j, 3]), np.float64(clip[k, 3])
        ax, ay = clip[i, 0] * sx + aw * ox, clip[i, 1] * sy + aw * oy
        bx, by = clip[j, 0] * sx + bw * ox, clip[j, 1] * sy + bw * oy
        cx, cy = clip[k, 0] * sx + cw * ox, clip[k, 1] * sy + cw * oy
        # weight of a corner: (x, y, 1) in front of the plane through the two others
        ex, ey, ew = by * cw - bw * cy, bw * cx - bx * cw, bx * cy - by * cx
        area = ax * ex + ay * ey + aw * ew
        if area == 0:
            if _near_segment(ax, ay, aw, bx, by, bw, x, y) or _near_segment(ax, ay, aw, cx, cy, cw, x, y):
                found[n] = DEGENERATE
            continue
        u = (ex * x + ey * y + ew) / area
        v = ((cy * aw - cw * ay) * x + (cw * ax - cx * aw) * y + (cx * ay - cy * ax)) / area
        w = ((ay * bw - aw * by) * x + (aw * bx - ax * bw) * y + (ax * by - ay * bx)) / area
        if not (u >= 0 and v >= 0 and w >= 0):
            continue
        fate = int(fates[n])
        if fate == 0 and ((cull == AWAY_CLOCKWISE and area >= 0) or (cull == AWAY_COUNTERCLOCKWISE and area < 0)):
            fate = CULLED
        if fate == 0:
            fate = beside
        depth = u * clip[i, 2] + v * clip[j, 2] + w * clip[k, 2]
        if fate == 0 and cuts_depth and depth < 0:
            fate = NEAR
        if fate == 0 and cuts_depth and depth > 1:
            fate = FAR
        if fate == 0 and clipped:
            for p in range(len(planes)):
                q = planes[p]
                distance = 0.0
                for m in range(4):
                    distance += q[m] * (u * clip[i, m] + v * clip[j, m] + w * clip[k, m])
                if fate == 0 and distance < 0:
                    fate = ONE_BEFORE + 1 + p
        found[n] = fate


# ---- lines and points --------------------------------------------------------------------------------


def _screen(shape: Shape, column: int) -> np.ndarray:
    """float64[n, 3]: homogeneous screen positions of one corner of each primitive."""
    x, y, _, w = shape.clip[shape.corners[:, column]].astype(np.float64).T
    sx, ox, sy, oy = shape.scale
    return np.stack([x * sx + w * ox, y * sy + w * oy, w], axis=-1)


def _reasons(shape: Shape, weights: np.ndarray, x: float, y: float) -> np.ndarray:
    """Fate of the covered pixel of each primitive: weights [n, k] of its corners, whose w adds up to 1."""
    found = np.where(shape.fates != Fate.DRAWN, shape.fates, _beside(shape.viewport, x, y))
    clip = (weights[:, :, None] * shape.clip[shape.corners].astype(np.float64)).sum(axis=1)
    cuts = [(clip[:, 2] < 0, Fate.NEAR), (clip[:, 2] > 1, Fate.FAR)] if shape.cuts_depth else []
    cuts += [(clip @ plane < 0, Fate(Fate.USER_0 + k)) for k, plane in enumerate(shape.planes)]
    for cut, fate in cuts:
        found = np.where((found == Fate.DRAWN) & cut, int(fate), found)
    return found


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
