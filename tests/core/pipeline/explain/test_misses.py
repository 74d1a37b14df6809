"""Misses: what would have covered a pixel, and why it did not."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.pipeline.explain.misses import Miss, Misses
from core.pipeline.geometry import Geometry
from core.pipeline.observe.shapes import Shapes
from core.pipeline.records.primitives import PrimitiveFate
from core.pipeline.vertex.fetch import VertexLayout, compile_declaration, compile_fvf
from core.spec.enums import Cull, PrimitiveType
from tests.core.pipeline.vertex_kit import Scene, fvf_of, vertices_of

FLOAT4 = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 0xFFFFFFFF], programmable=False)


def find_misses(vector: np.ndarray, layout: VertexLayout, x: float, y: float, **draw) -> list[Miss]:
    """Of one draw; arguments as for Geometry.process."""
    geometry, shapes = Geometry(), Shapes()
    geometry.process(vector, layout, **draw)
    shapes.add(0, 0, vector, geometry)
    return [miss for _, miss in Misses(list(shapes.of((0,)))).at(x, y)]


def misses(scene: Scene, points, x, y, kind=PrimitiveType.TRIANGLELIST, **draw) -> list[tuple[int, PrimitiveFate]]:
    """(number, reason) for clip space points."""
    points = np.asarray(points, np.float32).reshape(-1, 4)
    scene.set(("STREAM", 0, "stride"), 16)
    draw = {"count": len(points) // 3, **draw}
    found = find_misses(scene.vector, FLOAT4, x, y, streams=[points.reshape(-1).view(np.uint8)], kind=kind, **draw)
    return [(miss.number, miss.reason) for miss in found]


WIDE = [[-3, -1, 0.5, 1], [0, 3, 0.5, 1], [3, -1, 0.5, 1]]  # clockwise over the middle of the screen


def moved(depth: float) -> list[list[float]]:
    return [[x, y, depth, w] for x, y, _, w in WIDE]


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        (WIDE, None),
        (WIDE[::-1], PrimitiveFate.CULLED),
        (moved(-0.5), PrimitiveFate.NEAR),
        (moved(1.5), PrimitiveFate.FAR),
        ([[-3, -1, -0.8, 1], [0, 3, -0.8, 1], [3, -1, 0.9, 1]], PrimitiveFate.NEAR),  # drawn, but cut away at the middle
        ([[-2, 0, 0.5, 1], [0, 0, 0.5, 1], [2, 0, 0.5, 1]], PrimitiveFate.DEGENERATE),
        ([[0.5, 0.5, 0.5, 1], [0.6, 0.9, 0.5, 1], [0.9, 0.5, 0.5, 1]], None),  # elsewhere
        ([[np.nan, -1, 0.5, 1], [0, 3, 0.5, 1], [3, -1, 0.5, 1]], None),
    ],
)
def test_reasons(points, reason):
    assert misses(Scene(), points, 320, 240) == ([] if reason is None else [(0, reason)])


def test_each_primitive_has_its_own_reason():
    points = [*WIDE, *WIDE[::-1], *moved(-0.5), *moved(2), *WIDE]
    assert misses(Scene(), points, 320, 240) == [(1, PrimitiveFate.CULLED), (2, PrimitiveFate.NEAR), (3, PrimitiveFate.FAR)]
    scene = Scene().set("CULLMODE", Cull.CW)
    assert [number for number, reason in misses(scene, points, 320, 240) if reason == PrimitiveFate.CULLED] == [0, 4]
    assert misses(Scene().set("CULLMODE", Cull.NONE), points, 320, 240) == [(2, PrimitiveFate.NEAR), (3, PrimitiveFate.FAR)]


@pytest.mark.parametrize("turned", [1, -1])
def test_neighbours_miss_the_pixels_of_their_edges_once(turned):
    """Around a pixel and along a diagonal: the top-left rule gives each centre to one of the triangles that touch it."""
    around = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1], [-1, -1]])[::turned] / [8, 6]
    fan = [[*corner, 2, 1] for a, b in pairwise(around) for corner in ((0, 0), a, b)]
    quad = [[*corner, 2, 1] for corner in np.array([[-1, -1], [-1, 1], [1, 1], [-1, -1], [1, 1], [1, -1]])[::turned] / [8, 6]]
    scene = Scene().set("CULLMODE", Cull.NONE)
    for points in (fan, quad):
        for x, y in ((320, 240), (330, 230), (310, 250)):
            [(_, reason)] = misses(scene, points, x, y)
            assert reason == PrimitiveFate.FAR


def test_user_planes_and_the_viewport():
    scene = Scene().set(("CLIPPLANE", 1), 1.0, 0.0, 0.0, 0.0).set("CLIPPLANEENABLE", 2)
    assert misses(scene, WIDE, 200, 240) == [(0, PrimitiveFate.USER_1)]
    assert misses(scene, WIDE, 400, 240) == []
    scene = Scene(100, 100).set(("VIEWPORT", "X"), 50)
    assert misses(scene, WIDE, 160, 60) == [(0, PrimitiveFate.RIGHT)] and misses(scene, WIDE, 100, 60) == []


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_drawn_or_missed_for_a_reason(seed):
    """A centre inside of the triangle in clip space is a miss, unless it is inside of the volume and not culled."""
    rng = np.random.default_rng(seed)
    points = (rng.normal(size=(3, 4)) * [2, 2, 1, 1] + [0, 0, 0.5, 0.5]).astype(np.float32)
    weights = rng.dirichlet([1, 1, 1])
    inner = weights @ points.astype(float)
    if inner[3] < 0.05 or np.linalg.cond(points[:, [0, 1, 3]]) > 50:
        return
    x, y = 320 + 320 * inner[0] / inner[3], 240 - 240 * inner[1] / inner[3]
    visible = 0 <= inner[2] <= inner[3] and 0 <= x < 640 and 0 <= y < 480
    scene = Scene().set("CULLMODE", Cull.NONE)
    found = misses(scene, points, x, y)
    margins = [inner[2], inner[3] - inner[2], x, 640 - x, y, 480 - y]
    if min(abs(m) for m in margins) < 1e-3:
        return
    assert (found == []) == visible
    if not visible:
        assert found[0][1] not in (PrimitiveFate.DRAWN, PrimitiveFate.CULLED)


def test_lines_and_points():
    line = [[-0.5, 0, 0.5, 1], [0.5, 0, -0.5, 1], [-0.5, 0, 0.5, 1], [0.5, 0, 0.5, 1]]
    assert misses(Scene(), line, 400, 240, PrimitiveType.LINELIST, count=2) == [(0, PrimitiveFate.NEAR)]
    assert misses(Scene(), line, 240, 240, PrimitiveType.LINELIST, count=2) == []
    assert misses(Scene(), line, 400, 250, PrimitiveType.LINELIST, count=2) == []
    scene = Scene().set("POINTSIZE", 8.0)
    points = [[0, 0, 2, 1], [0.01, 0, 0.5, 1], [0, 0, -1, 1], [0.5, 0, 2, 1]]
    assert misses(scene, points, 323, 243, PrimitiveType.POINTLIST, count=4) == [
        (0, PrimitiveFate.FAR),
        (2, PrimitiveFate.NEAR),
    ]


def test_screen_vertices_and_indices():
    vertices = vertices_of(4, rhw=[[10, 10, 0.5, 1], [100, 10, 0.5, 1], [10, 100, 0.5, 1], [100, 100, 2, 1]])
    scene = Scene().set(("STREAM", 0, "stride"), vertices.itemsize)
    indices = np.array([0, 1, 2, 0, 2, 1, 0, 1, 3], np.uint16)
    found = find_misses(
        scene.vector, compile_fvf(fvf_of(vertices.dtype)), 40, 20, streams=[vertices.view(np.uint8)],
        kind=PrimitiveType.TRIANGLELIST, count=3, index_form=2, index_memory=indices.view(np.uint8),
    )  # fmt: skip
    assert found == [Miss(1, PrimitiveFate.CULLED)]
    assert find_misses(scene.vector, compile_fvf(2), 1, 1, streams=[None], kind=PrimitiveType.TRIANGLELIST, count=0) == []
