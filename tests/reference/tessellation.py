"""Patches and N-patches by construction: de Casteljau, de Boor, Hermite, Vlachos' control points (semantics 12 and 13).

All that a vertex has is one array of float64, interpolated alike; surfaces are (values, triangles of numbers of values).
What the documents leave open (order of edges, uneven edges, diagonals) is as `core.pipeline.vertex.patch` says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.spec.enums import BasisType

MOST_SEGMENTS = 64
Values = list[np.ndarray]
Triples = list[tuple[int, int, int]]


# ---- curves ------------------------------------------------------------------------------------------


def de_casteljau(points: Values, t: float) -> np.ndarray:
    while len(points) > 1:
        points = [(1 - t) * a + t * b for a, b in pairwise(points)]
    return points[0]


def de_boor(points: Values, t: float) -> np.ndarray:
    """The span between the knots 0 and 1 of the uniform B-spline with integer knots."""
    degree = len(points) - 1
    for level in range(1, degree + 1):
        wide = degree + 1 - level
        shares = [(t + degree - n) / wide for n in range(level, degree + 1)]
        points = [(1 - s) * a + s * b for s, (a, b) in zip(shares, pairwise(points), strict=True)]
    return points[0]


def catmull_rom(points: Values, t: float) -> np.ndarray:
    """Hermite's cubic between the middle points; slopes are half the chords of their neighbours."""
    before, start, end, after = points
    leave, arrive = (end - before) / 2, (after - start) / 2
    weights = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, -2 * t**3 + 3 * t**2, t**3 - t**2
    return sum((w * p for w, p in zip(weights, (start, leave, end, arrive), strict=True)), 0 * start)


def along(basis: int, order: int, points: Values, t: float) -> np.ndarray:
    """A row of points at 0..1 over all its spans; Bezier spans share their ends."""
    step = order if basis == BasisType.BEZIER else 1
    spans = (len(points) - 1) // order if basis == BasisType.BEZIER else len(points) - order
    span = min(int(t * spans), spans - 1)
    chosen = points[span * step : span * step + order + 1]
    curve = {BasisType.BEZIER: de_casteljau, BasisType.BSPLINE: de_boor, BasisType.INTERPOLATE: catmull_rom}[BasisType(basis)]
    return curve(chosen, t * spans - span)


def divided(segments: float, continuous: bool) -> list[float]:
    """Where an edge is divided: into a rounded count of equal parts, or parts of 1 / segments and what is left."""
    count = min(max(segments, 1.0), float(MOST_SEGMENTS))
    if not continuous:
        whole = math.floor(count + 0.5)
        return [k / whole for k in range(whole + 1)]
    return [min(k / count, 1.0) for k in range(math.ceil(count) + 1)]


def nearest(edge: list[float], k: int, count: int) -> float:
    """Where border vertex k of count moves to: the nearest of the edge's own, by number."""
    return edge[math.floor(k * (len(edge) - 1) / count + 0.5)]


# ---- rectangles --------------------------------------------------------------------------------------


def rectangle(basis: int, order: int, net: list[Values], segments: Sequence[float], continuous: bool) -> tuple[Values, Triples]:
    """net: rows of control points; segments of the edges v = 0, u = 1, v = 1, u = 0."""
    low, right, high, left = (divided(number, continuous) for number in segments)
    across, down = max(low, high, key=len), max(right, left, key=len)
    columns, rows = len(across) - 1, len(down) - 1
    made: Values = []
    for j in range(rows + 1):
        for i in range(columns + 1):
            u = nearest(low, i, columns) if j == 0 else nearest(high, i, columns) if j == rows else across[i]
            v = nearest(right, j, rows) if i == columns else nearest(left, j, rows) if i == 0 else down[j]
            made.append(along(basis, order, [along(basis, order, row, u) for row in net], v))
    triples: Triples = []
    for j in range(rows):
        for i in range(columns):
            at = j * (columns + 1) + i
            triples += [(at, at + 1, at + columns + 1), (at + 1, at + columns + 2, at + columns + 1)]
    return made, triples


# ---- triangles ---------------------------------------------------------------------------------------


def pyramid(order: int, points: Values, weights: tuple[float, float, float]) -> np.ndarray:
    """De Casteljau over a triangle of points, listed row by row from corner 0."""
    for size in range(order, 0, -1):
        rows = [points[row * (row + 1) // 2 :][: row + 1] for row in range(size + 1)]
        points = [
            weights[0] * above[n] + weights[1] * below[n] + weights[2] * below[n + 1]
            for above, below in pairwise(rows)
            for n in range(len(above))
        ]
    return points[0]


def triangle_grid(edges: Sequence[list[float]]) -> tuple[list[tuple[float, float, float]], Triples]:
    """Barycentric weights row by row from corner 0; edges 0-1, 1-2, 2-0, as divided."""
    count = max(map(len, edges)) - 1
    places = []
    for row in range(count + 1):
        for n in range(row + 1):
            place = 1 - row / count, (row - n) / count, n / count
            if row == count:
                t = nearest(edges[1], n, count)
                place = 0.0, 1 - t, t
            elif n == 0:
                t = nearest(edges[0], row, count)
                place = 1 - t, t, 0.0
            elif n == row:
                t = nearest(edges[2], count - row, count)
                place = t, 0.0, 1 - t
            places.append(place)
    triples: Triples = []
    for row in range(count):
        above, below = row * (row + 1) // 2, (row + 1) * (row + 2) // 2
        for n in range(row + 1):
            triples.append((above + n, below + n, below + n + 1))
            if n < row:
                triples.append((above + n, below + n + 1, above + n + 1))
    return places, triples


def triangle(order: int, points: Values, segments: Sequence[float], continuous: bool) -> tuple[Values, Triples]:
    places, triples = triangle_grid([divided(number, continuous) for number in segments])
    return [pyramid(order, points, place) for place in places], triples


# ---- N-patches ---------------------------------------------------------------------------------------


def pn_position(p: Values, n: Values, weights: tuple[float, float, float]) -> np.ndarray:
    """The cubic of Vlachos and others (2001); p and n: positions and normals of the corners."""
    w, u, v = weights

    def near(i: int, j: int) -> np.ndarray:
        """The control point near corner i on the edge to j: in the plane of i's normal."""
        return (2 * p[i] + p[j] - ((p[j] - p[i]) @ n[i]) * n[i]) / 3

    inner = [near(0, 1), near(1, 0), near(1, 2), near(2, 1), near(2, 0), near(0, 2)]
    mean, middle = sum(inner, 0 * p[0]) / 6, (p[0] + p[1] + p[2]) / 3
    center = mean + (mean - middle) / 2
    return (
        p[0] * w**3 + p[1] * u**3 + p[2] * v**3 + 6 * w * u * v * center
        + 3 * (inner[0] * w * w * u + inner[1] * w * u * u + inner[2] * u * u * v)
        + 3 * (inner[3] * u * v * v + inner[4] * w * v * v + inner[5] * w * w * v)
    )  # fmt: skip


def pn_normal(p: Values, n: Values, weights: tuple[float, float, float]) -> np.ndarray:
    """Quadratic; of unit length."""
    w, u, v = weights

    def middle(i: int, j: int) -> np.ndarray:
        """Between two corners: their sum, mirrored at the plane across the edge."""
        edge, both = p[j] - p[i], n[i] + n[j]
        return unit(both - 2 * (edge @ both) / (edge @ edge) * edge)

    ends = n[0] * w * w + n[1] * u * u + n[2] * v * v
    return unit(ends + middle(0, 1) * w * u + middle(1, 2) * u * v + middle(2, 0) * w * v)


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)
