"""Shapes: the primitives of draws on their way to the screen, kept for who asks later (core.pipeline.explain.misses)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.pipeline.draw_state.vertex_state import USER_PLANES, VertexKind
from core.pipeline.fetch import VertexLayout
from core.pipeline.geometry import Geometry
from core.pipeline.memory.primitives import Field
from core.pipeline.npatch import triangle_corners
from core.spec.enums import PrimitiveType
from core.spec.slots import BASE
from core.spec.states import RENDER_STATE_ID

LINES = (PrimitiveType.LINELIST, PrimitiveType.LINESTRIP)
SHAPE_STATES = [BASE["render_state"] + RENDER_STATE_ID[name] for name in ("CULLMODE", "CLIPPING", "ZENABLE")]
SHAPE_SLOTS = np.array([
    *(BASE["viewport"] + n for n in range(4)), *SHAPE_STATES, BASE["depth_stencil"],
    BASE["render_state"] + RENDER_STATE_ID["CLIPPLANEENABLE"],
])  # fmt: skip
CLIP_PLANES = BASE["clip_plane"] + np.arange(4 * USER_PLANES).reshape(USER_PLANES, 4)
VIEW, PROJECTION = BASE["view"] + np.arange(16), BASE["projection"] + np.arange(16)
PLANES_END = int(max(CLIP_PLANES.max(), VIEW[-1], PROJECTION[-1])) + 1
NO_SIZES = np.zeros(0, np.float32)


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
        if self._matrices is not None and clipping:
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
