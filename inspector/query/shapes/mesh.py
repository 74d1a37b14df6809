"""The shape of a draw: points and primitives in object, clip or screen space, with the known facts on each vertex.

Object space is what the vertex buffers hold (after tessellation, if asked for); clip space what the vertex pipeline makes of
it, divided by w; screen space what goes to the rasteriser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.device.lane.drawing import DrawArguments
from core.errors import BadInput, unknown
from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.vertex.patch import ReadRectPatch
from core.spec.slots import VIEWPORT, ZRANGE
from inspector.progress import Cancel
from inspector.query.draws.elements import CORNERS, elements
from inspector.query.draws.vertices import WHICH, Grid, described, grid_of
from inspector.query.objects.usage import ResourcesOf
from inspector.query.shapes.frustum import CLIP_CORNERS, of_matrices, of_positions
from inspector.timeline.lives import Role

if TYPE_CHECKING:
    from inspector.capture import Capture

SPACES = ("object", "clip", "screen")
SHAPED = {"streams": "assembled", "indices": "assembled", "primitives": "clipped"}
"""Kinds of rows that have no shape of their own, and whose they show."""
NOTHING = np.zeros((0, 3))
NO_EDGES = np.zeros((0, 2), np.int64)
LEVEL = 1e-4
"""How deep a flat shape is at most, as a part of its size."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """points: float64[n, 3], a row for each row of the vertices `which`, NaN where there is none; shapes: int64[m, corners]
    into them; primitives: int64[m], the number of each shape's primitive; columns: numbers by attribute, float32[n, parts].

    net, net_points: edges between control points of a patch; box: float64[8, 3], the view frustum, or None; texture:
    uint8[h, w, 4] of the lowest stage that has one, where it was asked for.  `scale`: what points are multiplied by to be seen
    undistorted, x right, y up.  `spaces`: those that there are of the draw.  `grid`: the rows themselves.
    """

    which: str
    space: str
    points: np.ndarray
    shapes: np.ndarray
    primitives: np.ndarray
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    net_points: np.ndarray = field(default_factory=lambda: NOTHING)
    net: np.ndarray = field(default_factory=lambda: NO_EDGES)
    box: np.ndarray | None = None
    texture: np.ndarray | None = None
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    spaces: tuple[str, ...] = SPACES
    grid: Grid | None = None

    @cached_property
    def flat(self) -> bool:
        """Whether all of it lies in a plane that faces who looks along z: a sprite, an interface, text."""
        return self.space == "screen" or (
            len(self.bounded) > 0 and bool(np.ptp(self.bounded[:, 2]) <= LEVEL * np.ptp(self.bounded))
        )

    @cached_property
    def usable(self) -> np.ndarray:
        """bool[m]: shapes whose points are all finite."""
        finite = np.isfinite(self.points).all(axis=1)
        return finite[self.shapes].all(axis=1) if len(self.shapes) else np.zeros(0, bool)

    @cached_property
    def seen(self) -> np.ndarray:
        """float64[n, 3]: the points as they are looked at."""
        return self.points * np.asarray(self.scale)

    @cached_property
    def bounded(self) -> np.ndarray:
        """Of `seen`, what a fitted view shows: points of primitives, else all, and control points."""
        used = np.unique(self.shapes[self.usable]) if self.usable.any() else np.isfinite(self.points).all(axis=1)
        net = self.net_points * np.asarray(self.scale)
        return np.concatenate([self.seen[used], net[np.isfinite(net).all(axis=1)]])

    @cached_property
    def edges(self) -> np.ndarray:
        """int64[3 triangles, 2]: of the usable triangles."""
        shapes = self.shapes[self.usable]
        return np.concatenate([shapes[:, [0, 1]], shapes[:, [1, 2]], shapes[:, [2, 0]]])

    @cached_property
    def faces(self) -> np.ndarray:
        """float32[m, 3]: across each usable triangle, as long as twice its area."""
        first, second, third = (self.seen[self.shapes[self.usable][:, corner]].astype(np.float32) for corner in range(3))
        with np.errstate(all="ignore"):
            return np.cross(second - first, third - first)

    @cached_property
    def normals(self) -> np.ndarray:
        """float32[n, 3]: those that the vertices have, or else the mean of the triangles around each place, by area."""
        given = self.columns.get("normal", self.columns.get("v3"))
        if given is not None and given.shape[1] >= 3 and given[:, :3].any() and self.space == "object":
            return given[:, :3]
        _, place = np.unique(np.nan_to_num(self.points.astype(np.float32)), axis=0, return_inverse=True)
        place, shapes = place.reshape(-1), self.shapes[self.usable]
        found = np.zeros((int(place.max(initial=-1)) + 1, 3))
        for corner in range(3):
            for axis in range(3):
                found[:, axis] += np.bincount(place[shapes[:, corner]], self.faces[:, axis], len(found))
        return found[place].astype(np.float32)

    @cached_property
    def coordinates(self) -> np.ndarray | None:
        """float32[n, 2]: the first texture coordinates that are not all zero."""
        for name in (*(f"texture {n}" for n in range(8)), *(f"v{7 + n}" for n in range(8))):
            found = self.columns.get(name)
            if found is not None and found.shape[1] >= 2 and found.any():
                return np.nan_to_num(found[:, :2])
        return None


@dataclass(frozen=True)
class Shape:
    """The shape of a draw, of the rows `which` (inspector.query.draws.vertices.WHICH, or "indices").

    `space`: "object", "clip" or "screen"; "": that of the rows.  `textured`: with the texture of its lowest stage.
    """

    event: int
    which: str = "assembled"
    space: str = ""
    textured: bool = False

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Mesh:
        """BadInput for an event that draws nothing, and for rows and spaces that are none.  Raises Cancelled."""
        if self.which not in (*WHICH, "indices"):
            raise BadInput(unknown("kind of vertices", self.which, (*WHICH, "indices")))
        if self.space not in ("", *SPACES):
            raise BadInput(unknown("space", self.space, SPACES))
        event = capture.check_event(self.event)
        with capture.replay.before(event, cancel, drawn=True) as driver:
            draw = described(capture, driver, event)
        if draw is None:
            raise BadInput(f"event {event} draws no primitives: it has no shape")
        mesh = mesh_of(draw, self.which, self.space)
        if not self.textured:
            return mesh
        picture = texture_of(capture, event, cancel)
        return Mesh(**{name: getattr(mesh, name) for name in mesh.__dataclass_fields__} | {"texture": picture})


def texture_of(capture: Capture, event: int, cancel: Cancel | None = None) -> np.ndarray | None:
    """uint8[h, w, 4]: the two-dimensional texture of the lowest stage that a draw samples."""
    flat = {info.handle for info in capture.surfaces(event, cancel) if info.kind == "2d"}
    used = [(use.detail, use.life.handle) for use in capture.ask(ResourcesOf(event), cancel) if use.role == Role.TEXTURE]
    handles = [handle for _, handle in sorted(used) if handle in flat]
    return capture.image(event, handles[0], cancel=cancel) if handles else None


def mesh_of(draw: DrawArguments, which: str, space: str = "") -> Mesh:
    """The shape of a described draw."""
    there: tuple[str, ...] = SPACES
    rows = SHAPED.get(which, which)
    if rows == "tessellated" and draw.curved is None:
        rows = "assembled"
    screen = draw.layout.kind == VertexKind.TRANSFORMED or rows == "clipped"
    if draw.layout.kind == VertexKind.TRANSFORMED:  # their positions are those of the screen, and nothing projects them
        space, there = "screen", ("screen",)
    space = space or ("screen" if screen or rows == "transformed" else "object")
    if space != "object" and rows not in ("transformed", "clipped"):
        rows = "transformed"
    if space == "object" and rows in ("transformed", "clipped"):
        rows = "assembled" if draw.curved is None else "tessellated"
    if space == "clip":
        rows = "transformed"
    grid = grid_of(draw, rows)
    columns = _by_usage(grid)
    points = _points(columns, space, len(grid.rows))
    shapes, primitives = _shapes(grid, draw, rows)
    net_points, net = _net(draw, columns if rows == "assembled" else None, points) if space == "object" else (NOTHING, NO_EDGES)
    box, scale = _box(draw, space, columns)
    return Mesh(rows, space, points, shapes, primitives, columns, net_points, net, box, None, scale, there, grid)


def _by_usage(grid: Grid) -> dict[str, np.ndarray]:
    """The columns of numbers, those of one attribute together: "position.x" and "position.y" are in "position"."""
    found: dict[str, list[np.ndarray]] = {}
    for name in grid.rows.dtype.names or ():
        if grid.rows.dtype[name].kind in "fiu":
            found.setdefault(name.partition(".")[0], []).append(grid.rows[name].astype(np.float32))
    return {usage: np.stack(parts, axis=1) for usage, parts in found.items()}


def _points(columns: dict[str, np.ndarray], space: str, count: int) -> np.ndarray:
    """float64[n, 3]; NaN behind the eye and where there is no position."""
    names = {"object": ("position", "v0"), "clip": ("clip",), "screen": ("screen", "position", "v0")}[space]
    found = next((columns[name] for name in names if name in columns), None)
    points = np.full((count, 3), np.nan)
    if found is None:
        return points
    if space == "clip":
        with np.errstate(all="ignore"):
            divided = found[:, :3].astype(np.float64) / found[:, 3:4]
        return np.where(found[:, 3:4] > 0, divided, np.nan)
    parts = min(found.shape[1], 3)
    points[:, :parts] = found[:, :parts]
    if parts < 3:
        points[:, parts:] = 0
    return points


def _shapes(grid: Grid, draw: DrawArguments, rows: str) -> tuple[np.ndarray, np.ndarray]:
    """(shapes, the number of the primitive of each)."""
    if grid.primitive not in CORNERS:
        return np.zeros((0, 3), np.int64), np.zeros(0, np.int64)
    shapes = elements(grid.primitive, len(grid.rows))
    numbers = np.arange(len(shapes))
    if rows == "clipped" and len(shapes):
        numbers = grid.rows["primitive"][shapes[:, 0]].astype(np.int64)
    elif rows == "assembled" and draw.patch is not None:
        numbers = np.zeros(len(shapes), np.int64)  # control points are of the one patch
    elif rows != "assembled" and draw.curved is not None:
        numbers = numbers // max(draw.curved.per_primitive, 1)
    return shapes, numbers


def _net(draw: DrawArguments, columns: dict[str, np.ndarray] | None, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Control points, float64[n, 3], and the edges between neighbours; of N-patches the flat triangles."""
    if draw.curved is None:
        return NOTHING, NO_EDGES
    if columns is None:
        columns = _by_usage(grid_of(draw, "assembled"))
        points = _points(columns, "object", len(next(iter(columns.values()), ())))
    if draw.patch is None:
        shapes, _ = _shapes(grid_of(draw, "assembled"), draw, "assembled")
        return points, np.concatenate([shapes[:, [0, 1]], shapes[:, [1, 2]], shapes[:, [2, 0]]]) if len(shapes) else NO_EDGES
    if isinstance(draw.patch, ReadRectPatch):
        return points, rectangle_net(*draw.patch.points.shape[:2])
    return points, triangle_net(draw.patch.info.order)


def rectangle_net(height: int, width: int) -> np.ndarray:
    """int64[n, 2]: neighbours in a grid of points, row by row."""
    grid = np.arange(height * width).reshape(height, width)
    across, down = np.stack([grid[:, :-1], grid[:, 1:]], axis=-1), np.stack([grid[:-1], grid[1:]], axis=-1)
    return np.concatenate([across.reshape(-1, 2), down.reshape(-1, 2)])


def triangle_net(order: int) -> np.ndarray:
    """int64[n, 2]: neighbours in a triangle of points, row by row from a corner: 1, 2 ... order + 1 of them."""
    first = [row * (row + 1) // 2 for row in range(order + 2)]
    down = [(first[row] + at, first[row + 1] + at + side) for row in range(order) for at in range(row + 1) for side in (0, 1)]
    across = [(first[row] + at, first[row] + at + 1) for row in range(1, order + 1) for at in range(row)]
    return np.array(down + across, np.int64)


def _box(
    draw: DrawArguments, space: str, columns: dict[str, np.ndarray]
) -> tuple[np.ndarray | None, tuple[float, float, float]]:
    """The view frustum in a space, and the scale in which it is seen."""
    x, y, width, height = draw.vector[VIEWPORT : VIEWPORT + 4].astype(np.float64).tolist()
    near, far = draw.vector[ZRANGE : ZRANGE + 2].view(np.float32).astype(np.float64).tolist()
    wide = width / height if width > 0 and height > 0 else 1.0
    if space == "clip":
        return CLIP_CORNERS, (wide, 1.0, wide)
    if space == "screen":
        inside = (CLIP_CORNERS * (0.5, -0.5, 1) + (0.5, 0.5, 0)) * (width, height, far - near) + (x, y, near)
        return inside, (1.0, -1.0, max(width, height, 1.0) / 2)
    box = of_matrices(draw.vector) if draw.layout.kind == VertexKind.FIXED else _box_of_shader(draw, columns)
    return box, (1.0, -1.0 if turned_over(box) else 1.0, 1.0)


def turned_over(box: np.ndarray | None) -> bool:
    """Whether y of an object grows down the screen, as parallel projections for interfaces let it; `box`: float64[8, 3]."""
    if box is None:
        return False
    across, down, away = (box[corner] - box[0] for corner in (1, 2, 4))  # along x, y and z of clip space
    straight = all(
        np.abs(np.delete(edge, axis)).max() <= LEVEL * np.abs(edge[axis]) for axis, edge in enumerate((across, down, away))
    )
    return bool(straight and down[1] > 0)


def _box_of_shader(draw: DrawArguments, columns: dict[str, np.ndarray]) -> np.ndarray | None:
    if draw.layout.kind != VertexKind.SHADER or "v0" not in columns:
        return None
    after, before = _by_usage(grid_of(draw, "transformed")).get("clip"), _points(columns, "object", len(columns["v0"]))
    return of_positions(before, after) if after is not None and len(after) == len(before) else None
