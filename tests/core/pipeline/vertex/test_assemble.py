"""Assemble: every primitive type, winding, provoking vertices, fill modes, edge flags, lines."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.records.primitives import PROVOKING_SHIFT, PrimitiveFate, PrimitiveFlag, PrimitiveKind
from core.pipeline.vertex.assemble import IndexForm, primitive_count, reference_count
from core.spec.enums import Cull, FillMode, PrimitiveType
from tests.core.pipeline.vertex_kit import Scene, perspective, vertices_of

P = PrimitiveType


def strip(count: int) -> np.ndarray:
    """Screen vertices zigzagging to the right; even triangles of the strip are clockwise."""
    k = np.arange(count)
    return vertices_of(count, rhw=np.c_[10 + 10 * k, np.where(k % 2, 10, 40), np.full(count, 0.5), np.ones(count)])


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (P.TRIANGLELIST, [(0, 1, 2), (3, 4, 5)]),
        (P.TRIANGLESTRIP, [(0, 1, 2), (1, 3, 2), (2, 3, 4), (3, 5, 4)]),
        (P.TRIANGLEFAN, [(1, 2, 0), (2, 3, 0), (3, 4, 0), (4, 5, 0)]),
    ],
)
@pytest.mark.parametrize("indexed", [False, True])
def test_triangles(kind, expected, indexed):
    order = [3, 5, 0, 2, 4, 1] if indexed else range(6)
    out = Scene().draw(strip(6), kind=kind, indices=list(order) if indexed else None)
    np.testing.assert_array_equal(out.primitives["vertex"], np.array(order)[np.array(expected)])
    np.testing.assert_array_equal(out.primitives["number"], range(len(expected)))
    np.testing.assert_array_equal(out.primitives["flags"] >> PROVOKING_SHIFT, out.primitives["vertex"][:, 0])
    assert (out.primitives["kind"] == PrimitiveKind.TRIANGLE).all()


@pytest.mark.parametrize("kind", [P.TRIANGLELIST, P.TRIANGLESTRIP, P.TRIANGLEFAN])
@pytest.mark.parametrize("wild", [0, 2, 30])
def test_triangles_together_are_those_alone(kind, wild):
    """Whole ones, and here and there one that a plane cuts or rejects; `wild` vertices of sixty lie anywhere."""
    rng = np.random.default_rng(wild)
    for count in (3, 4, 5, 6, 7, 8, 59, 60):
        points = rng.uniform(-0.9, 0.9, (count, 3)) * [1, 1, 0.4] + [0, 0, 0.5]
        points[rng.permutation(count)[:wild]] *= 2.5
        vertices = vertices_of(count, position=points)
        order = rng.integers(0, count, 2 * count) if count & 1 else np.arange(count)
        together = Scene().draw(vertices, kind=kind, indices=order)
        for k in range(primitive_count(kind, len(order))):
            first = {P.TRIANGLELIST: 3 * k, P.TRIANGLESTRIP: k, P.TRIANGLEFAN: 0}[kind]
            corners = [first, first + k + 1, first + k + 2] if kind == P.TRIANGLEFAN else [first, first + 1, first + 2]
            corners = corners[1:] + corners[:1] if kind == P.TRIANGLEFAN else corners
            corners = [corners[0], corners[2], corners[1]] if kind == P.TRIANGLESTRIP and k & 1 else corners
            alone = Scene().draw(vertices[order[corners]])
            mine = together.primitives["number"] == k
            np.testing.assert_array_equal(together.corners()[mine], alone.corners())
            assert together.fates[k] == alone.fates[0]
            flags = (1 << PROVOKING_SHIFT) - 1
            np.testing.assert_array_equal(together.primitives["flags"][mine] & flags, alone.primitives["flags"] & flags)
            provoking = together.primitives["flags"][mine] >> PROVOKING_SHIFT
            np.testing.assert_array_equal(together.vertices[provoking][:, :3], alone.vertices[[0] * mine.sum()][:, :3])
        assert (np.diff(together.primitives["number"]) >= 0).all()


def test_a_strip_keeps_its_winding():
    out = Scene().draw(strip(8), kind=P.TRIANGLESTRIP)
    a, b, c = (out.corners()[:, i, :2] for i in range(3))
    assert ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0] > 0).all()


@pytest.mark.parametrize(
    ("kind", "expected"), [(P.LINELIST, [(0, 1), (2, 3), (4, 5)]), (P.LINESTRIP, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])]
)
def test_lines(kind, expected):
    out = Scene().draw(strip(6), kind=kind)
    np.testing.assert_array_equal(out.primitives["vertex"][:, :2], expected)
    assert (out.primitives["kind"] == PrimitiveKind.LINE).all()
    last = (out.primitives["flags"] & PrimitiveFlag.LAST_PIXEL) != 0
    np.testing.assert_array_equal(last, [True] * 3 if kind == P.LINELIST else [False] * 4 + [True])
    out = Scene().set("LASTPIXEL", 0).draw(strip(6), kind=kind)
    assert not (out.primitives["flags"] & PrimitiveFlag.LAST_PIXEL).any()


@pytest.mark.parametrize(("kind", "expected"), [(P.LINELIST, [0, 0, 0]), (P.LINESTRIP, [0, 30, 60, 90, 120])])
def test_the_line_pattern_runs_along_a_strip(kind, expected):
    scene = Scene().set("LINEPATTERN", 0xF0F00002)
    np.testing.assert_array_equal(scene.draw(strip(6), kind=kind).primitives["pattern_phase"], expected)


def test_counts():
    for kind in P:
        for count in range(1, 9):
            assert primitive_count(kind, reference_count(kind, count)) == count
    assert reference_count(P.TRIANGLEFAN, 0) == 0 and primitive_count(P.TRIANGLESTRIP, 1) == 0 and reference_count(9, 5) == 0


# ---- fill modes --------------------------------------------------------------------------------


def edges_of(out) -> set[tuple[int, int]]:
    return {tuple(int(v) for v in row[:2]) for row in out.primitives["vertex"]}


def test_wireframe_draws_the_three_edges():
    out = Scene().set("FILLMODE", FillMode.WIREFRAME).set("CULLMODE", Cull.NONE).draw(strip(3))
    assert edges_of(out) == {(0, 1), (1, 2), (2, 0)}
    assert (out.primitives["kind"] == PrimitiveKind.LINE).all()
    assert not (out.primitives["flags"] & PrimitiveFlag.LAST_PIXEL).any()


@pytest.mark.parametrize("rhw", [True, False])
@pytest.mark.parametrize(("cull", "clockwise", "counter"), [(Cull.NONE, 1, 1), (Cull.CW, 0, 1), (Cull.CCW, 1, 0)])
@pytest.mark.parametrize("mode", [FillMode.WIREFRAME, FillMode.POINT])
def test_culling_comes_before_wireframe_and_points(rhw, cull, clockwise, counter, mode):
    """Clockwise on the screen: (x0-x2)(y1-y2) > (x1-x2)(y0-y2) with y downwards."""
    scene = Scene().set("FILLMODE", mode).set("CULLMODE", cull)
    points = np.array([[10, 40], [20, 10], [30, 40]], float)  # clockwise
    for order, drawn in (((0, 1, 2), clockwise), ((0, 2, 1), counter)):
        p = points[list(order)]
        if rhw:
            vertices = vertices_of(3, rhw=np.c_[p, np.full(3, 0.5), np.ones(3)])
        else:
            vertices = vertices_of(3, position=np.c_[p[:, 0] / 320 - 1, 1 - p[:, 1] / 240, np.full(3, 0.5)])
        out = scene.draw(vertices)
        assert (len(out.primitives) > 0) == bool(drawn)
        assert out.fates[0] == (PrimitiveFate.DRAWN if drawn else PrimitiveFate.CULLED)


@pytest.mark.parametrize(("cull", "drawn"), [(Cull.NONE, True), (Cull.CW, False), (Cull.CCW, True)])
def test_triangles_that_repeat_a_vertex_count_as_clockwise(cull, drawn):
    """DX8 SDK: counter-clockwise when (x0-x2)(y1-y2) < (x1-x2)(y0-y2); the corners are at different depths."""
    scene = Scene().set("FILLMODE", FillMode.WIREFRAME).set("CULLMODE", cull).transform("PROJECTION", perspective(near=0.1))
    dice = np.random.default_rng(7)
    for _ in range(20):
        one, other = dice.uniform((-0.5, -0.5, 1), (0.5, 0.5, 3), (2, 3))
        for corners in ((one, one, other), (one, other, one), (other, one, one)):
            out = scene.draw(vertices_of(3, position=np.array(corners)))
            assert (out.fates[0] == PrimitiveFate.DRAWN) == drawn


def test_the_flags_of_indexed_triangles():
    """D3DHAL_DP2INDEXEDTRIANGLELIST: three words and D3DTRIFLAG_EDGEENABLE1..3 = 0x100, 0x200, 0x400."""
    words = np.array([0, 1, 2, 0x500, 2, 1, 3, 0x200], np.uint16)
    scene = Scene().set("CULLMODE", Cull.NONE)
    draw = {"index_memory": words.view(np.uint8), "index_form": IndexForm.FLAGGED, "count": 2, "kind": P.TRIANGLELIST}
    out = scene.draw(strip(4), **draw)
    np.testing.assert_array_equal(out.primitives["vertex"], [(0, 1, 2), (2, 1, 3)])
    np.testing.assert_array_equal(out.primitives["flags"] & 7, [5, 2])
    assert edges_of(scene.set("FILLMODE", FillMode.WIREFRAME).draw(strip(4), **draw)) == {(0, 1), (2, 0), (1, 3)}


def test_the_flags_of_a_fan():
    """Bit 0: v0-v1, bit i: v[i]-v[i+1], last bit: the closing edge; inner edges are never drawn."""
    scene = Scene().set("CULLMODE", Cull.NONE).set("FILLMODE", FillMode.WIREFRAME)
    assert edges_of(scene.draw(strip(5), kind=P.TRIANGLEFAN, edge_flags=0b11111)) == {(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)}
    assert edges_of(scene.draw(strip(5), kind=P.TRIANGLEFAN, edge_flags=0b01010)) == {(1, 2), (3, 4)}
    everything = edges_of(scene.draw(strip(5), kind=P.TRIANGLEFAN))
    assert {(2, 0), (0, 2), (3, 0), (0, 3)} <= everything


def test_wireframe_edges_are_clipped_one_by_one():
    """No edge appears where a plane cuts."""
    scene = Scene().set("CULLMODE", Cull.NONE).set("FILLMODE", FillMode.WIREFRAME)
    out = scene.draw(vertices_of(3, position=[[0, 0, 0.5], [0.5, 0, -0.5], [0, 0.5, -0.5]]))
    assert len(out.primitives) == 2 and (out.vertices[out.primitives["vertex"][:, :2]][..., 2] >= 0).all()


def test_point_fill_draws_the_corners():
    out = Scene().set("CULLMODE", Cull.NONE).set("FILLMODE", FillMode.POINT).set("POINTSIZE", 4.0).draw(strip(3))
    assert len(out.primitives) == 6 and (out.primitives["kind"] == PrimitiveKind.POINT).all()


# ---- lines against the volume ------------------------------------------------------------------


def test_a_line_is_cut_at_the_near_plane():
    out = Scene().draw(vertices_of(2, position=[[0, 0, -0.5], [0.5, 0, 0.5]]), kind=P.LINELIST)
    ends = out.vertices[out.primitives["vertex"][0, :2]]
    np.testing.assert_allclose(ends[:, 0], [400, 480])
    np.testing.assert_allclose(ends[:, 2], [0, 0.5], atol=1e-7)


def test_lines_that_vanish_say_why():
    points = [[0, 0, -0.5], [0.5, 0, -0.1], [0, 0, 1.5], [0.5, 0, 2], [0, 0, np.nan], [0, 0, 0], [90, 0, 0.5], [95, 0, 0.5]]
    out = Scene().draw(vertices_of(8, position=points), kind=P.LINELIST)
    assert (
        list(out.fates) == [PrimitiveFate.NEAR, PrimitiveFate.FAR, PrimitiveFate.NOT_FINITE, PrimitiveFate.GUARD_RIGHT]
        and len(out.primitives) == 0
    )


def test_a_line_across_the_guard_band_stays_on_its_way():
    out = Scene().draw(vertices_of(2, position=[[-100, -50, 0.5], [100, 50, 0.5]]), kind=P.LINELIST)
    ends = out.vertices[out.primitives["vertex"][0, :2], :2].astype(float)
    assert ends.min() >= -2048 and ends.max() <= 2688
    slope = (ends[1, 1] - ends[0, 1]) / (ends[1, 0] - ends[0, 0])
    assert slope == pytest.approx(-50 * 240 / (100 * 320), rel=1e-5)
    assert ends[0, 1] - 240 == pytest.approx(slope * (ends[0, 0] - 320), abs=0.01)
