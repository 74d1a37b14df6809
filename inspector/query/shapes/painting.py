"""An image of a shape, with the primitive and vertex at each pixel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.cancel import cancellable, look
from core.errors import BadInput, unknown
from inspector.progress import Cancel
from inspector.query.shapes.camera import Camera
from inspector.query.shapes.frustum import EDGES
from inspector.query.shapes.mesh import Mesh

SHADINGS = ("wire", "flat", "smooth", "unlit")
PLAIN, TEXTURE = "", "texture"
AMBIENT = 0.28
REACH = 9.0
"""Pixels from a vertex within which a click takes it, where there is no primitive."""
RAMP = np.array([
    (0.267, 0.005, 0.329), (0.254, 0.265, 0.530), (0.164, 0.471, 0.558), (0.135, 0.659, 0.518), (0.478, 0.821, 0.318),
    (0.993, 0.906, 0.144),
], np.float32)  # fmt: skip
"""From the least value to the largest: dark to light, also for who sees no hues."""
COLORS = ("diffuse", "specular")
DIRECTIONS = ("normal", "normal 2")
PIECE = 1 << 24
"""Pixels of boxes around shapes that are painted between two looks at whether to stop."""
SHAPE = 8
"""Pixels in whose time one shape is prepared."""
POINTS = 1 << 21
"""Points that are projected between two looks."""
NO_VECTORS = np.zeros((1, 3), np.float32)


@dataclass(frozen=True)
class Style:
    """How a shape is drawn.  `shading`: one of SHADINGS; `attribute`: a column that gives the colour, "texture" or ""; `edges`:
    with its wires; `frustum`, `net`: with these.  Colours are red, green, blue, 0..1."""

    shading: str = "flat"
    attribute: str = PLAIN
    edges: bool = True
    frustum: bool = True
    net: bool = True
    ground: tuple[float, float, float] = (0.055, 0.06, 0.07)
    surface: tuple[float, float, float] = (0.66, 0.69, 0.74)
    wire: tuple[float, float, float] = (0.94, 0.53, 0.24)
    guide: tuple[float, float, float] = (0.48, 0.72, 1.0)

    def check(self, mesh: Mesh) -> None:
        """BadInput for a shading or an attribute that there is not."""
        if self.shading not in SHADINGS:
            raise BadInput(unknown("shading", self.shading, SHADINGS))
        if self.attribute not in (PLAIN, TEXTURE, *mesh.columns):
            raise BadInput(unknown("attribute", self.attribute, (TEXTURE, *mesh.columns)))


@dataclass(frozen=True, eq=False)
class Painted:
    """picture: uint8[height, width, 3]; numbers: int32[height, width], the shape of the mesh that each pixel shows, -1: none;
    places: float64[n, 4], camera.Camera.places of its points; least, most: what the ends of the ramp of colours stand for."""

    picture: np.ndarray
    numbers: np.ndarray
    places: np.ndarray
    least: float
    most: float

    def place(self, vertex: int) -> tuple[float, float] | None:
        """Where a vertex is, in pixels; None behind the eye."""
        x, y, _, w = self.places[vertex].tolist()
        return (x / w, y / w) if w > 0 and np.isfinite([x, y]).all() else None

    def at(self, mesh: Mesh, x: float, y: float) -> tuple[int, int]:
        """(primitive, vertex) at a pixel: the corner of what is drawn there that is nearest, or a vertex close by; -1: none."""
        height, width = self.numbers.shape
        inside = 0 <= int(x) < width and 0 <= int(y) < height
        shape = int(self.numbers[int(y), int(x)]) if inside else -1
        if shape >= 0:
            corners = mesh.shapes[shape]
            return int(mesh.primitives[shape]), int(corners[np.argmin(self._distances(corners, x, y))])
        distances = self._distances(np.arange(len(self.places)), x, y)
        if not len(distances) or not distances.min() <= REACH:
            return -1, -1
        vertex = int(np.argmin(distances))
        having = np.flatnonzero((mesh.shapes == vertex).any(axis=1))
        return int(mesh.primitives[having[0]]) if len(having) else -1, vertex

    def _distances(self, vertices: np.ndarray, x: float, y: float) -> np.ndarray:
        places = self.places[vertices]
        with np.errstate(all="ignore"):
            away = np.hypot(places[:, 0] / places[:, 3] - x, places[:, 1] / places[:, 3] - y)
        return np.where((places[:, 3] > 0) & np.isfinite(away), away, np.inf)


def paint(
    mesh: Mesh, camera: Camera, width: int, height: int, style: Style, samples: int = 1, cancel: Cancel | None = None
) -> Painted:
    """The shape as the camera sees it.  samples: per pixel and direction, for smooth edges.  BadInput: see Style.check.
    Cancelled if `cancel` says so."""
    style.check(mesh)
    with cancellable(cancel):
        return _painted(mesh, camera, width, height, style, samples)


def _painted(mesh: Mesh, camera: Camera, width: int, height: int, style: Style, samples: int) -> Painted:
    canvas = _Canvas(camera, width * samples, height * samples, style, samples)
    places, (colors, least, most) = canvas.places(mesh.seen), attribute_colors(mesh, style)
    shapes = np.ascontiguousarray(mesh.shapes[mesh.usable])
    if shapes.shape[1] == 3 and len(shapes):
        canvas.fill(mesh, places, shapes, colors)
    canvas.draw_guides(mesh)
    canvas.draw_edges(mesh, places, shapes, colors)
    numbers = canvas.numbers[samples // 2 :: samples, samples // 2 :: samples]
    numbers = np.where(numbers >= 0, np.flatnonzero(mesh.usable)[numbers] if len(shapes) else -1, -1).astype(np.int32)
    picture = _mean(canvas.picture, samples) if samples > 1 else canvas.picture
    return Painted(picture, numbers, places * (1 / samples, 1 / samples, 1, 1), least, most)


class _Canvas:
    """A picture being made, with the nearness and the shape of each pixel."""

    def __init__(self, camera: Camera, width: int, height: int, style: Style, samples: int) -> None:
        self.camera, self.style, self.samples = camera, style, samples
        self.matrix = camera.matrix(width, height)
        self.picture = np.empty((height, width, 3), np.uint8)
        self.picture[:] = np.array([round(part * 255) for part in style.ground], np.uint8)
        self.nearness, self.numbers = np.full((height, width), -np.inf), np.full((height, width), -1, np.int32)

    def places(self, points: np.ndarray) -> np.ndarray:
        """float64[n, 4]: of points, float64[n, 3]."""
        from inspector.query.shapes.paint_kernels import project  # compiled when a shape is looked at

        found, given = np.empty((len(points), 4)), np.ascontiguousarray(points, np.float64)
        for start in range(0, len(points), POINTS):
            look()
            project(given[start : start + POINTS], self.matrix, found[start : start + POINTS])
        return found

    def _boxes(self, places: np.ndarray, shapes: np.ndarray) -> np.ndarray:
        """float64[n, 2]: pixels in x and y of the box around each shape."""
        from inspector.query.shapes.paint_kernels import boxes

        found = np.empty((len(shapes), 2))
        for start in range(0, len(shapes), POINTS):
            look()
            boxes(places, shapes[start : start + POINTS], *self.numbers.shape[::-1], found[start : start + POINTS])
        return found

    def fill(self, mesh: Mesh, places: np.ndarray, shapes: np.ndarray, colors: np.ndarray) -> None:
        """The triangles; of a wire frame only where they are."""
        from inspector.query.shapes.paint_kernels import fill

        shading, texture = self.style.shading, mesh.texture if self.style.attribute == TEXTURE else None
        coordinates = mesh.coordinates if texture is not None else None
        textured = texture is not None and coordinates is not None
        lit = {"flat": 1, "smooth": 2}.get(shading, 0)
        normals = _unit(mesh.faces if lit == 1 else mesh.normals) if lit else NO_VECTORS
        given = np.array(coordinates, np.float32, order="C") if textured else NO_VECTORS
        texels = np.array(texture[..., :3], order="C") if textured and texture is not None else self.picture[:1, :1].copy()
        mode = 0 if shading == "wire" else 2 if textured else 1
        height, lamp = len(self.picture), self._lamp()
        for start, stop, parts in pieces(self._boxes(places, shapes).prod(axis=1)):
            for part in range(parts):
                look()
                rows = height * part // parts, height * (part + 1) // parts
                fill(places, shapes, colors, normals, lit, lamp, given, texels, mode, self.camera.farthest, self.picture,
                     self.nearness, self.numbers, start, stop, *rows)  # fmt: skip

    def _lamp(self) -> np.ndarray:
        """float32[4]: beside the eye, and how light it is in the shadows."""
        right, up, forward = self.camera.axes
        lamp = -forward + 0.35 * up - 0.25 * right
        return np.append(lamp / np.linalg.norm(lamp), AMBIENT).astype(np.float32)

    def lines(self, places: np.ndarray, edges: np.ndarray, colors: np.ndarray, alpha: float, hidden: bool = True) -> None:
        """Lines between places; `hidden`: by what is nearer."""
        from inspector.query.shapes.paint_kernels import lines

        (factor, offset), given = self.camera.bias, np.ascontiguousarray(edges)
        for start, stop, _ in pieces(self._boxes(places, given).max(axis=1) * self.samples):
            look()
            lines(places, given, colors, alpha, self.samples, factor * hidden, offset, self.camera.farthest, self.picture,
                  self.nearness, start, stop)  # fmt: skip

    def draw_guides(self, mesh: Mesh) -> None:
        """The frustum and the net of control points."""
        guide, scale = np.array([self.style.guide], np.float32), np.asarray(mesh.scale)
        if self.style.frustum and mesh.box is not None:
            self.lines(self.places(mesh.box * scale), EDGES, guide, 0.8)
        if self.style.net and len(mesh.net):
            self.lines(self.places(mesh.net_points * scale), mesh.net, guide, 0.9, hidden=False)

    @staticmethod
    def _weight(places: np.ndarray, edges: np.ndarray) -> float:
        """0.15..1: how strongly edges are drawn; where they are but a few pixels long they would cover everything."""
        some = edges[:: max(len(edges) // 2000, 1)]
        ends = places[some]
        ends = ends[(ends[..., 3] > 0).all(axis=1)]
        if not len(ends):
            return 1.0
        flat = ends[..., :2] / ends[..., 3:]
        return float(np.clip(np.median(np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1)) / 24, 0.15, 1.0))

    def draw_edges(self, mesh: Mesh, places: np.ndarray, shapes: np.ndarray, colors: np.ndarray) -> None:
        """Edges of triangles, lines, or dots."""
        from inspector.query.shapes.paint_kernels import dots

        solid, corners = self.style.shading != "wire", shapes.shape[1] if len(shapes) else 1
        if corners == 3 and (self.style.edges or not solid):
            plain = solid or self.style.attribute in (PLAIN, TEXTURE)
            tint = np.array([self.style.wire], np.float32) if plain else colors
            self.lines(places, mesh.edges, tint, self._weight(places, mesh.edges) * (0.5 if solid else 0.8), solid)
        elif corners == 2:
            self.lines(places, shapes, colors, 1.0)
        elif corners == 1:
            alone = shapes[:, 0] if len(shapes) else np.flatnonzero(np.isfinite(mesh.points).all(axis=1))
            radius, (factor, offset) = self.samples * 2 - self.samples // 2, self.camera.bias
            given = np.ascontiguousarray(alone)
            for start, stop, _ in pieces(np.full(len(given), (2.0 * radius + 1) ** 2)):
                look()
                dots(places, given, colors, radius, factor, offset, self.camera.farthest, self.picture, self.nearness,
                     self.numbers, start, stop)  # fmt: skip
            if not len(shapes):
                self.numbers[:] = -1


def pieces(sizes: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """(start, stop, parts): shapes in their order that have about PIECE pixels together; one that has more alone, in parts.

    sizes: float64[n], the pixels of each."""
    ends, start = np.cumsum(sizes + SHAPE), 0
    while start < len(ends):
        before = ends[start - 1] if start else 0.0
        stop = max(int(np.searchsorted(ends, before + PIECE, "right")), start + 1)
        yield start, stop, max(int(np.ceil(sizes[start] / PIECE)), 1) if stop == start + 1 else 1
        start = stop


def _mean(picture: np.ndarray, samples: int) -> np.ndarray:
    """Of samples x samples pixels each."""
    total = np.zeros((picture.shape[0] // samples, picture.shape[1] // samples, 3), np.uint16)
    for row in range(samples):
        for column in range(samples):
            look()
            total += picture[row::samples, column::samples]
    return (total // samples**2).astype(np.uint8)


def attribute_colors(mesh: Mesh, style: Style) -> tuple[np.ndarray, float, float]:
    """float32[n, 3] in 0..1, or one for all; and the values at the ends of the ramp (0, 1 where there is none)."""
    found = mesh.columns.get(style.attribute)
    if found is None:
        plain = style.wire if mesh.shapes.shape[1] < 3 or not len(mesh.shapes) else style.surface
        white = (1.0, 1.0, 1.0) if style.attribute == TEXTURE and mesh.texture is not None else plain
        return np.array([white], np.float32), 0.0, 1.0
    values = np.nan_to_num(found, posinf=0, neginf=0)
    if style.attribute in COLORS:
        return _three(np.clip(values, 0, 1)), 0.0, 1.0
    if style.attribute in DIRECTIONS:
        return _three(np.clip(values * 0.5 + 0.5, 0, 1)), -1.0, 1.0
    if style.attribute.startswith("texture ") and values.shape[1] > 1:
        return _three(values[:, :2] - np.floor(values[:, :2])), 0.0, 1.0
    chosen = found[:, 0] if found.shape[1] == 1 else found[:, min(2, found.shape[1] - 1)]
    finite = chosen[np.isfinite(chosen)]
    least, most = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    part = (np.nan_to_num(chosen.astype(np.float64), nan=least) - least) / (most - least or 1.0)
    place = np.clip(part, 0, 1) * (len(RAMP) - 1)
    low = np.minimum(place.astype(np.int64), len(RAMP) - 2)
    share = (place - low)[:, None]
    return np.array(RAMP[low] * (1 - share) + RAMP[low + 1] * share, np.float32), least, most


def _three(values: np.ndarray) -> np.ndarray:
    """As red, green and blue; what is missing is 0."""
    found = np.zeros((len(values), 3), np.float32)
    found[:, : min(values.shape[1], 3)] = values[:, :3]
    return found


def _unit(vectors: np.ndarray) -> np.ndarray:
    """float32[n, 3]: of length 1; of those without a direction 0."""
    lengths = np.sqrt(np.einsum("nc,nc->n", vectors, vectors, dtype=np.float32))[:, None]
    with np.errstate(all="ignore"):
        found = np.where((lengths > 0) & np.isfinite(lengths), vectors / lengths, 0.0)
    return np.ascontiguousarray(found, np.float32)
