"""The Vertices panel's questions, and the links between its rows, points of the shape and primitives."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.query.draws.streams import DrawMemory, Streams
from inspector.query.draws.vertices import Grid
from inspector.query.pixels.writers import PrimitiveAt
from inspector.query.shapes.mesh import Mesh, Shape
from inspector.view import CaptureView
from ui.ask import Progress

IN_ORDER = ("indices", "assembled", "transformed")
"""Rows that are numbered as the focus numbers vertices: in drawing order."""
MOST_MARKED = 64
"""Rows that are selected together."""


@dataclass(frozen=True)
class Seen:
    """What a tab shows: rows of a grid, or memory; the shape; `order` int64, the vertex of each reference, in drawing order;
    of primitives, their fates in words."""

    which: str
    grid: Grid
    memory: DrawMemory | None
    mesh: Mesh | None
    order: np.ndarray
    fates: str = ""


def seen(capture: CaptureView, event: int, which: str, space: str, textured: bool, progress: Progress) -> Seen:
    """What a tab shows: assembled vertices where nothing was tessellated, or there are no indices.  On the asking thread."""
    cancel = progress.stop.is_set
    memory = None
    if which in ("streams", "indices"):
        memory = _memory(capture, event, cancel)
        if memory is None or (which == "indices" and memory.indices is None):
            memory, which = None, "assembled"
    mesh = _mesh(capture, Shape(event, which, space, textured), cancel)
    if memory is not None:
        grid = Grid([], np.zeros(0))
    elif mesh is not None and mesh.grid is not None and mesh.which == which:
        grid = mesh.grid
    else:
        grid, which = vertices(capture, event, which, progress)
    if memory is not None and memory.indices is not None:
        order = memory.indices.vertices
    elif memory is not None and memory.controls is not None:
        order = memory.controls
    elif memory is not None:
        order = capture.vertices(event, "assembled", cancel).rows["vertex"]
    else:
        order = grid.rows["vertex"] if "vertex" in (grid.rows.dtype.names or ()) else np.zeros(0, np.int64)
    return Seen(which, grid, memory, mesh, np.asarray(order, np.int64), fates_of(grid))


def fates_of(grid: Grid) -> str:
    """As in "12 drawn, 3 culled (CCW)", the most frequent first; empty for rows that are no primitives."""
    if "fate" not in (grid.rows.dtype.names or ()) or not len(grid.rows):
        return ""
    counts = Counter(grid.rows["fate"].tolist()).most_common()
    return ", ".join(f"{count:,} {fate}" for fate, count in counts)


def _mesh(capture: CaptureView, asked: Shape, cancel: Any) -> Mesh | None:
    try:
        return capture.ask(asked, cancel)
    except BadInput:
        return None


def _memory(capture: CaptureView, event: int, cancel: Any) -> DrawMemory | None:
    try:
        return capture.ask(Streams(event), cancel)
    except BadInput:
        return None


def place_of(shown: Seen, row: int) -> tuple[int | None, int | None]:
    """(vertex in drawing order, primitive) that a row stands for; None for what it does not say."""
    if shown.which in IN_ORDER:
        return row, None
    if shown.which == "streams":
        found = np.flatnonzero(shown.order == row)
        return (int(found[0]) if len(found) else None), None
    if shown.which in ("primitives", "clipped") and "primitive" in (shown.grid.rows.dtype.names or ()):
        return None, int(shown.grid.rows["primitive"][row])
    return None, None


def primitive_of(shown: Seen, row: int) -> int | None:
    """The (first) primitive that a row is a corner of, or is."""
    vertex, primitive = place_of(shown, row)
    if primitive is not None or shown.mesh is None:
        return primitive
    corner = row if shown.which == "tessellated" else vertex
    return None if corner is None else primitive_with(shown, corner)


def primitive_with(shown: Seen, corner: int) -> int | None:
    """The first primitive that has a point of the shape as a corner."""
    mesh = shown.mesh
    if mesh is None or mesh.which == "clipped":
        return None
    found = np.flatnonzero((mesh.shapes == corner).any(axis=1))
    return int(mesh.primitives[found[0]]) if len(found) else None


def has_corner(shown: Seen, primitive: int | None, vertex: int) -> bool:
    """Whether a vertex in drawing order is a corner of a primitive."""
    mesh = shown.mesh
    if primitive is None or mesh is None or mesh.which not in ("assembled", "transformed"):
        return False
    return bool((mesh.shapes[mesh.primitives == primitive] == vertex).any())


def rows_of(shown: Seen, vertex: int | None, primitive: int | None) -> tuple[list[int], int | None]:
    """The rows that show a vertex, or else a primitive; and the row of the shape that is the vertex."""
    mesh = shown.mesh
    in_order = mesh is not None and mesh.which in ("assembled", "transformed")
    mesh_row = vertex if in_order and shown.which != "tessellated" else None
    names = shown.grid.rows.dtype.names or ()
    if shown.which in ("primitives", "clipped") and primitive is not None and "primitive" in names:
        return np.flatnonzero(shown.grid.rows["primitive"] == primitive)[:MOST_MARKED].tolist(), mesh_row
    corners = [] if vertex is None else [vertex]
    if vertex is None and primitive is not None and mesh is not None and mesh.which != "clipped":
        corners = np.unique(mesh.shapes[mesh.primitives == primitive])[:MOST_MARKED].tolist()
    if shown.which == "streams":
        corners = [int(shown.order[corner]) for corner in corners if corner < len(shown.order)]
    elif (shown.which == "tessellated" and vertex is not None) or shown.which in ("primitives", "clipped"):
        corners = []
    return corners, mesh_row


def pixel_of(capture: CaptureView, event: int, vertex: int, progress: Progress) -> tuple[int, int] | None:
    """The pixel, whose centre is whole, that a vertex in drawing order falls on; None off the target or behind the eye."""
    rows = capture.vertices(event, "transformed", progress.stop.is_set).rows
    if not 0 <= vertex < len(rows):
        return None
    row = rows[vertex]
    x, y = float(row["screen.x"]), float(row["screen.y"])
    if not (np.isfinite([x, y]).all() and row["clip.w"] > 0):
        return None
    height, width = capture.image(event).shape[:2]
    pixel = int(np.floor(x + 0.5)), int(np.floor(y + 0.5))
    return pixel if 0 <= pixel[0] < width and 0 <= pixel[1] < height else None


def primitive_at(capture: CaptureView, event: int, pixel: tuple[int, int], progress: Progress) -> int | None:
    """The last primitive of a draw that covers a pixel of its target; None if none does."""
    try:
        return capture.ask(PrimitiveAt(event, *pixel), progress.stop.is_set)
    except BadInput:
        return None


def vertices(capture: CaptureView, event: int, which: str, progress: Progress) -> tuple[Grid, str]:
    """The grid, and its name: the assembled vertices where nothing was tessellated.  Runs on the asking thread."""
    grid = capture.vertices(event, which, progress.stop.is_set)
    if which == "tessellated" and not len(grid.rows):
        which = "assembled"
        grid = capture.vertices(event, which, progress.stop.is_set)
    return grid, which
