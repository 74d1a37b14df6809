"""A draw's vertices for other programs: as comma-separated values with units, and as a Wavefront OBJ.

OBJ (Wavefront Technologies, "Appendix B1. Object Files"): right-handed, y up, texture coordinates from the lower left, fronts
counter-clockwise.  Direct3D's space is left-handed, its fronts are clockwise, on the screen and in textures y points down: z
(on the screen y and z) and v are turned round, and corners change their order, so that the shape looks as the program means it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.errors import BadInput
from inspector.query.draws.elements import CORNERS, elements

UNITS = {
    "position": "object space", "position 2": "object space", "screen": "pixels", "clip": "clip space", "rhw": "1/w",
    "diffuse": "0..1", "specular": "0..1", "fog": "0..1", "point size": "pixels", "area": "pixels²", "left": "pixels",
    "top": "pixels", "right": "pixels", "bottom": "pixels",
}  # fmt: skip
"""Of columns, by what precedes the dot; others are plain numbers."""
DEPTH = "0..1"
POSITIONS, NORMALS, COLORS = ("screen", "position", "v0"), ("normal", "v3"), ("diffuse", "v5")
COORDINATES = tuple((f"texture {number}", f"v{7 + number}") for number in range(8))
"""Where each is looked for: by usage, of shaders in the registers of the fixed function (D3DVSDE_*)."""
ELEMENTS = {1: "p", 2: "l", 3: "f"}
FLIP_Z, FLIP_Y_AND_Z = np.array([1, 1, -1], np.float32), np.array([1, -1, -1], np.float32)


class Grid(Protocol):
    """What `capture.vertices` answers (inspector.query.draws.vertices)."""

    @property
    def columns(self) -> list[str]: ...

    @property
    def rows(self) -> np.ndarray: ...

    @property
    def primitive(self) -> str: ...


@dataclass(frozen=True)
class Shape:
    """Triangles, lines or points, right-handed, y up, fronts counter-clockwise.

    `places`, `normals` float32[n, 3]; `colors` float32[n, 4], 0..1; `coordinates`: float32[n, 2] for each set that is not
    all zero, v from the top, and in `sets` which it is; `shapes` int[m, corners]: numbers of vertices.
    """

    places: np.ndarray
    normals: np.ndarray | None
    colors: np.ndarray | None
    coordinates: list[np.ndarray]
    shapes: np.ndarray
    sets: tuple[int, ...] = ()


def vertices_csv(grid: Grid) -> bytes:
    """A line of titles with units ("screen.x [pixels]"), then one per row; floats with the digits that distinguish them."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([f"{name} [{unit}]" if (unit := unit_of(name, grid.columns)) else name for name in grid.columns])
    writer.writerows(zip(*(_texts(grid.rows[name]).tolist() for name in grid.rows.dtype.names or ()), strict=True))
    return stream.getvalue().encode()


def unit_of(column: str, columns: Sequence[str]) -> str:
    """The unit of one of a grid's columns; empty: a plain number."""
    usage, _, part = column.partition(".")
    if usage == "position" and "position.w" in columns:  # transformed by the program
        usage, part = ("rhw", "") if part == "w" else ("screen", part)
    return DEPTH if usage == "screen" and part == "z" else UNITS.get(usage, "")


def _texts(values: np.ndarray) -> np.ndarray:
    """Floats with as few digits as distinguish them."""
    return np.where(values == 0, 0, values).astype(np.str_) if values.dtype.kind == "f" else values.astype(np.str_)


def obj(grid: Grid, title: str = "", coordinates_set: int = 0, library: str = "") -> bytes:
    """Positions, texture coordinates and normals, as far as the grid has them, and its points, lines or triangles.

    `coordinates_set`: which texture coordinates, OBJ has room for one.  `library`: a material file, its material is "draw".
    Elements with a position that is not finite or with fewer than this many different corners are omitted.  BadInput if the
    grid has no position, or its rows make no primitives in their order.
    """
    shape = shape_of(grid)
    coordinates = _part(grid.rows[_merged(grid)[0]], COORDINATES[coordinates_set], 2)
    lines = [f"# {' '.join(title.split())}"] if title else []
    lines += [f"mtllib {library}", "usemtl draw"] if library else []
    lines += _lines("v", shape.places)
    if coordinates is not None:
        lines += _lines("vt", coordinates * np.array([1, -1], np.float32) + np.array([0, 1], np.float32))
    if shape.normals is not None:
        lines += _lines("vn", shape.normals)
    lines += _elements(shape.shapes, coordinates is not None, shape.normals is not None)
    return ("\n".join(lines) + "\n").encode()


def shape_of(grid: Grid) -> Shape:
    """Each vertex once; elements with a position that is not finite or with fewer different corners are omitted.

    BadInput if the grid has no position, or its rows make no primitives in their order.
    """
    if grid.primitive not in CORNERS:
        raise BadInput("these vertices form no triangles, lines or points; a shape needs the vertices of a draw")
    first, number = _merged(grid)
    rows = grid.rows[first]
    places, normals, colors = _positions(rows), _part(rows, NORMALS, 3), _part(rows, COLORS, 4)
    every = [(n, part) for n, usages in enumerate(COORDINATES) if (part := _part(rows, usages, 2)) is not None]
    sets = [(n, part) for place, (n, part) in enumerate(every) if not place or part.any()]
    shapes = number[elements(grid.primitive, len(number))]
    usable = np.isfinite(places).all(axis=1)[shapes].all(axis=1)
    ordered = np.sort(shapes, axis=1)
    usable &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return Shape(
        np.where(np.isfinite(places), places, 0),
        None if normals is None else normals * FLIP_Z,
        None if colors is None else np.clip(np.nan_to_num(colors), 0, 1),
        [np.where(np.isfinite(part), part, 0) for _, part in sets],
        shapes[usable][:, ::-1],
        tuple(n for n, _ in sets),
    )


def _merged(grid: Grid) -> tuple[np.ndarray, np.ndarray]:
    """(rows that are each vertex's first, number of the vertex of each row): a vertex that is drawn often is written once."""
    if grid.columns[:1] != ["vertex"]:
        return np.arange(len(grid.rows)), np.arange(len(grid.rows))
    _, first, number = np.unique(grid.rows["vertex"], return_index=True, return_inverse=True)
    return first, number


def _positions(rows: np.ndarray) -> np.ndarray:
    names = rows.dtype.names or ()
    found = _part(rows, POSITIONS, 3)
    if found is None:
        raise BadInput("these vertices have no position: neither position nor v0")
    on_screen = "screen.x" in names or "position.w" in names
    return found * (FLIP_Y_AND_Z if on_screen else FLIP_Z)


def _part(rows: np.ndarray, usages: Sequence[str], count: int) -> np.ndarray | None:
    """float32[rows, count]: the first components of the first of these usages that has any; missing ones are 0."""
    names = rows.dtype.names or ()
    for usage in usages:
        if found := [name for name in names if name == usage or name.startswith(f"{usage}.")][:count]:
            columns = [rows[name].astype(np.float32) for name in found]
            return np.stack(columns + [np.zeros(len(rows), np.float32)] * (count - len(found)), axis=1)
    return None


def _lines(word: str, values: np.ndarray) -> Iterator[str]:
    return (f"{word} {' '.join(row)}" for row in _texts(values).tolist())


def _elements(shapes: np.ndarray, with_coordinates: bool, with_normals: bool) -> Iterator[str]:
    """Points have no texture coordinates in OBJ, only triangles have normals."""
    count = shapes.shape[1]
    coordinates, normals = with_coordinates and count > 1, with_normals and count > 2
    form = "{0}/{0}/{0}" if coordinates and normals else "{0}//{0}" if normals else "{0}/{0}" if coordinates else "{0}"
    word = ELEMENTS[count]
    return (f"{word} " + " ".join(form.format(corner) for corner in row) for row in (shapes + 1).tolist())
