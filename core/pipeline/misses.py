"""Misses: primitives of a draw that would cover a pixel, were they not culled, clipped or degenerate.

`find_misses` looks at the vertices of a draw and at a pixel; nothing is drawn.  A triangle covers a pixel's centre if the
centre is a combination of its three homogeneous screen positions without a negative weight; that holds behind the eye too.  A
line covers what is within half a pixel, a point its square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.pipeline.fetch import VertexLayout
from core.pipeline.npatch import triangle_corners
from core.pipeline.primitives import Fate
from core.pipeline.vertex_grid import VertexGrid, inspect_vertices
from core.pipeline.vertex_state import USER_PLANES, VertexKind
from core.spec.enums import Cull, PrimitiveType
from core.spec.slots import view
from core.spec.states import RENDER_STATE_ID


@dataclass(frozen=True)
class Miss:
    """A primitive of the draw, as the application counts, and why it left no fragment at the pixel."""

    number: int
    reason: Fate


def find_misses(vector: np.ndarray, layout: VertexLayout, x: float, y: float, *, kind: int, **draw: Any) -> list[Miss]:
    """The misses of a draw at pixel (x, y); arguments as for Geometry.process."""
    grid = inspect_vertices(vector, layout, kind=kind, **draw)
    if not len(grid.references):
        return []
    clip = grid.outputs["clip"].astype(np.float64)
    space = _Space(vector, layout, clip)
    with np.errstate(all="ignore"):
        if kind == PrimitiveType.POINTLIST:
            found = _missed_points(grid, space, x, y)
        elif kind in (PrimitiveType.LINELIST, PrimitiveType.LINESTRIP):
            found = _missed_lines(grid, space, kind, x, y)
        else:
            found = _missed_triangles(grid, space, kind, x, y)
    return [Miss(int(number), Fate(int(found[number]))) for number in np.flatnonzero(found)]


class _Space:
    """The draw's vertices on the screen, homogeneous, and what cuts them."""

    def __init__(self, vector: np.ndarray, layout: VertexLayout, clip: np.ndarray) -> None:
        registers = view(vector)
        states, viewport = registers["render_state"], registers["viewport"].astype(np.float64)
        left, top, width, height = viewport
        self.viewport = left, top, left + width, top + height
        self.cull = int(states[RENDER_STATE_ID["CULLMODE"]])
        self.depth = clip[:, 2]
        clipping, z_enable = (int(states[RENDER_STATE_ID[name]]) for name in ("CLIPPING", "ZENABLE"))
        self.cuts_depth = bool(clipping) and (layout.kind != VertexKind.TRANSFORMED or bool(z_enable))
        self.screen = clip[:, [0, 1, 3]]
        if layout.kind != VertexKind.TRANSFORMED:
            w = clip[:, 3]
            self.screen = np.stack(
                [clip[:, 0] * width / 2 + (left + width / 2) * w, (top + height / 2) * w - clip[:, 1] * height / 2, w], -1
            )
        self.planes = self._user_distances(registers, layout, clip, int(states[RENDER_STATE_ID["CLIPPLANEENABLE"]]))

    @staticmethod
    def _user_distances(registers: np.void, layout: VertexLayout, clip: np.ndarray, enabled: int) -> dict[Fate, np.ndarray]:
        """How far inside of each enabled user plane the vertices are."""
        found: dict[Fate, np.ndarray] = {}
        for k in range(USER_PLANES if layout.kind != VertexKind.TRANSFORMED else 0):
            if enabled >> k & 1:
                plane = registers["clip_plane"][k].astype(np.float64)
                if layout.kind == VertexKind.FIXED:
                    matrix = registers["view"].reshape(4, 4).astype(np.float64) @ registers["projection"].reshape(4, 4)
                    plane = np.linalg.lstsq(matrix, plane, rcond=None)[0]
                found[Fate(Fate.USER_0 + k)] = clip @ plane
        return found

    def beside(self, x: float, y: float) -> Fate:
        """The side of the viewport beyond which a pixel lies."""
        left, top, right, bottom = self.viewport
        sides = ((x < left, Fate.LEFT), (x >= right, Fate.RIGHT), (y < top, Fate.TOP), (y >= bottom, Fate.BOTTOM))
        return next((fate for beyond, fate in sides if beyond), Fate.DRAWN)

    def reasons(self, weights: np.ndarray, corners: np.ndarray, x: float, y: float) -> np.ndarray:
        """Fate of the covered pixel of each primitive: weights [n, k] of vertices corners [n, k], whose w adds up to 1."""
        found = np.full(len(corners), int(self.beside(x, y)))
        depth = (weights * self.depth[corners]).sum(axis=1)
        cuts = [(depth < 0, Fate.NEAR), (depth > 1, Fate.FAR)] if self.cuts_depth else []
        cuts += [((weights * distance[corners]).sum(axis=1) < 0, fate) for fate, distance in self.planes.items()]
        for cut, fate in cuts:
            found = np.where((found == Fate.DRAWN) & cut, int(fate), found)
        return found


def _missed_triangles(grid: VertexGrid, space: _Space, kind: int, x: float, y: float) -> np.ndarray:
    """Fate of each triangle that would cover the pixel, 0 for the others."""
    corners = grid.references[triangle_corners(kind, len(grid.references))][: len(grid.fates)]
    a, b, c = (space.screen[corners[:, k]] for k in range(3))
    edges = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
    area = (a * edges[:, 0]).sum(axis=1)
    weights = edges @ np.array([x, y, 1.0]) / area[:, None]
    covers = (weights >= 0).all(axis=1)  # not of NaN
    found = np.where(grid.fates != Fate.DRAWN, grid.fates, _culled(area, space.cull))
    found = np.where(found == Fate.DRAWN, space.reasons(weights, corners, x, y), found)
    thin = (area == 0) & (_distance(a, b, x, y) <= 0.5) | (area == 0) & (_distance(a, c, x, y) <= 0.5)
    return np.where(covers, found, np.where(thin, int(Fate.DEGENERATE), 0))


def _culled(area: np.ndarray, cull: int) -> np.ndarray:
    """Fate.CULLED of triangles that turn away; a negative area is counter-clockwise on the screen."""
    away = {Cull.CW: area >= 0, Cull.CCW: area < 0}.get(Cull(cull) if cull in (Cull.CW, Cull.CCW) else Cull.NONE)
    return np.zeros(len(area), np.int64) if away is None else np.where(away, int(Fate.CULLED), 0)


def _distance(a: np.ndarray, b: np.ndarray, x: float, y: float) -> np.ndarray:
    """Pixels from (x, y) to the segments between homogeneous points; NaN or far where they lie behind the eye."""
    p, q = a[:, :2] / a[:, 2:], b[:, :2] / b[:, 2:]
    along, target = q - p, np.array([x, y]) - p
    t = np.clip((along * target).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-30), 0, 1)
    distance = np.linalg.norm(target - along * t[:, None], axis=1)
    return np.where((a[:, 2] > 0) & (b[:, 2] > 0), distance, np.inf)


def _missed_lines(grid: VertexGrid, space: _Space, kind: int, x: float, y: float) -> np.ndarray:
    """Fate of each line that would pass the pixel, 0 for the others."""
    step = 2 if kind == PrimitiveType.LINELIST else 1
    first = np.arange(len(grid.fates)) * step
    corners = grid.references[np.stack([first, first + 1], axis=-1)]
    a, b = space.screen[corners[:, 0]], space.screen[corners[:, 1]]
    covers = _distance(a, b, x, y) <= 0.5
    p, q = a[:, :2] / a[:, 2:], b[:, :2] / b[:, 2:]
    t = np.clip(((q - p) * (np.array([x, y]) - p)).sum(axis=1) / np.maximum(((q - p) ** 2).sum(axis=1), 1e-30), 0, 1)
    weights = np.stack([(1 - t) / a[:, 2], t / b[:, 2]], axis=-1)
    found = np.where(grid.fates != Fate.DRAWN, grid.fates, space.reasons(weights, corners, x, y))
    return np.where(covers, found, 0)


def _missed_points(grid: VertexGrid, space: _Space, x: float, y: float) -> np.ndarray:
    """Fate of each point whose square would hold the pixel, 0 for the others."""
    corners = grid.references[: len(grid.fates), None]
    centre = space.screen[corners[:, 0]]
    half = grid.outputs["point size"][corners[:, 0], 0] / 2
    off = np.abs(centre[:, :2] / centre[:, 2:] - [x, y]).max(axis=1)
    found = np.where(grid.fates != Fate.DRAWN, grid.fates, space.reasons(1 / centre[:, 2:], corners, x, y))
    return np.where((centre[:, 2] > 0) & (off <= half), found, 0)
