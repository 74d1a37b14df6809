"""Clip: what comes out lies inside, covers the same area, carries the right attributes; what vanishes says why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.pipeline.geometry import Geometry
from core.pipeline.records.primitives import PROVOKING_SHIFT, PrimitiveFate
from core.pipeline.vertex.fetch import compile_declaration, compile_fvf
from core.spec.enums import PrimitiveType, TextureOp
from tests.core.pipeline.vertex_kit import Scene, fvf_of, perspective, random_affine, vertices_of

FLOAT4 = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 2 << 29 | 3 << 16 | 7, 0xFFFFFFFF], programmable=False)


def clip_space(positions, coordinates=None, scene=None, **draw):
    """Triangles given in clip space, with four texture coordinates."""
    positions = np.asarray(positions, np.float32).reshape(-1, 4)
    coordinates = positions if coordinates is None else np.asarray(coordinates, np.float32).reshape(-1, 4)
    draw = {"kind": PrimitiveType.TRIANGLELIST, "count": len(positions) // 3} | draw
    return (scene or Scene()).process(FLOAT4, [np.concatenate([positions, coordinates], axis=1)], [32], **draw)


def area(corners: np.ndarray) -> np.ndarray:
    """Signed areas of screen triangles [n, 3, >=2] in double precision."""
    a, b, c = (corners[:, i, :2].astype(float) for i in range(3))
    return ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2


def cut_polygon(points: np.ndarray, planes: list[np.ndarray]) -> np.ndarray:
    """Sutherland-Hodgman in double precision, as an oracle."""
    polygon = [np.asarray(p, float) for p in points]
    for plane in planes:
        result = []
        for i, here in enumerate(polygon):
            before = polygon[i - 1]
            d0, d1 = before @ plane, here @ plane
            if (d0 >= 0) != (d1 >= 0):
                result.append(before + (here - before) * (d0 / (d0 - d1)))
            if d1 >= 0:
                result.append(here)
        polygon = result
    return np.array(polygon).reshape(-1, 4)


def guard(width=640, height=480):
    """The planes of the volume that is clipped to: the guard band of 2048 pixels, near, far."""
    x, y = 1 + 2048 / (width / 2), 1 + 2048 / (height / 2)
    return [
        np.array(p, float)
        for p in ((0, 0, 0, 1), (0, 0, 1, 0), (0, 0, -1, 1), (1, 0, 0, x), (-1, 0, 0, x), (0, -1, 0, y), (0, 1, 0, y))
    ]


def screen(points: np.ndarray) -> np.ndarray:
    return np.c_[320 + 320 * points[:, 0] / points[:, 3], 240 - 240 * points[:, 1] / points[:, 3]]


def polygon_area(points: np.ndarray) -> float:
    x, y = points.T
    return (x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 60))
def test_random_triangles(seed, spread):
    """Against the double precision oracle: same area, positions inside, attributes on the triangle's plane."""
    rng = np.random.default_rng(seed)
    points = (rng.normal(size=(3, 4)) * [spread, spread, 1, 1] + [0, 0, 0.5, 0.7]).astype(np.float32)
    coordinates = rng.normal(size=(3, 4)).astype(np.float32)
    out = clip_space(points, coordinates)
    corners = out.corners()
    assert np.isfinite(corners).all()
    assert (corners[..., 0] >= -2048).all() and (corners[..., 0] <= 640 + 2048).all()
    assert (corners[..., 1] >= -2048).all() and (corners[..., 1] <= 480 + 2048).all()
    assert (corners[..., 2] >= 0).all() and (corners[..., 2] <= 1).all() and (corners[..., 3] > 0).all()
    expected = cut_polygon(points, guard())
    inside_view = cut_polygon(
        points, [*guard(), *(np.array(p, float) for p in ((1, 0, 0, 1), (-1, 0, 0, 1), (0, 1, 0, 1), (0, -1, 0, 1)))]
    )
    if len(expected) < 3:
        assert len(corners) == 0 and out.fates[0] != PrimitiveFate.DRAWN
        return
    wanted, made = polygon_area(screen(expected)), area(corners).sum()
    if out.fates[0] != PrimitiveFate.DRAWN:  # beside the viewport
        assert len(inside_view) < 3 or abs(polygon_area(screen(inside_view))) < 1e-2
        return
    scale = np.abs(screen(expected)).max() ** 2 + 1
    assert made == pytest.approx(wanted, rel=2e-3, abs=2e-4 * scale)
    # attributes are linear in clip space: coordinates = points @ M on the plane through the three vertices
    basis = np.linalg.pinv(points.astype(float)) @ coordinates.astype(float)
    w = 1 / corners[..., 3].astype(float)
    clip = np.stack([(corners[..., 0] - 320) / 320 * w, (240 - corners[..., 1]) / 240 * w, corners[..., 2] * w, w], axis=-1)
    if np.linalg.cond(points.astype(float)) < 100 and spread < 5:
        np.testing.assert_allclose(corners[..., 16:20], clip @ basis, atol=5e-3 * np.abs(basis).max() * np.abs(clip).max())


def test_a_triangle_inside_is_not_touched():
    points = np.array([[-2, -2, 0.5, 1], [2, -2, 0.5, 1], [0, 3, 0.5, 1]])  # beyond the viewport, within the guard band
    out = clip_space(points)
    assert len(out.primitives) == 1 and len(out.vertices) == 3
    assert (out.primitives["vertex"][0] == [0, 1, 2]).all() and out.primitives["flags"][0] & 7 == 7


@pytest.mark.parametrize(
    ("points", "fate"),
    [
        ([[-2, 0, 0.5, 1], [-3, 0, 0.5, 1], [-2, 1, 0.5, 1]], PrimitiveFate.LEFT),
        ([[2, 0, 0.5, 1], [3, 0, 0.5, 1], [2, 1, 0.5, 1]], PrimitiveFate.RIGHT),
        ([[0, 2, 0.5, 1], [1, 3, 0.5, 1], [0, 3, 0.5, 1]], PrimitiveFate.TOP),
        ([[0, -2, 0.5, 1], [1, -3, 0.5, 1], [0, -3, 0.5, 1]], PrimitiveFate.BOTTOM),
        ([[0, 0, -0.5, 1], [1, 0, -0.5, 1], [0, 1, -0.5, 1]], PrimitiveFate.NEAR),
        ([[0, 0, 1.5, 1], [1, 0, 1.5, 1], [0, 1, 1.5, 1]], PrimitiveFate.FAR),
        ([[0, 0, np.nan, 1], [1, 0, 0.5, 1], [0, 1, 0.5, 1]], PrimitiveFate.NOT_FINITE),
        ([[0, 0, 0.5, 1], [np.inf, 0, 0.5, 1], [0, 1, 0.5, 1]], PrimitiveFate.NOT_FINITE),
        ([[0, 0, 0.5, 1], [0, 0, 0.5, 1e30], [0, 1, 0.5, 1]], PrimitiveFate.NOT_FINITE),
        ([[-1.5, 0.5, 0.5, 1], [0.5, -1.5, -1, 0.4], [0, -4, 0.5, 1]], PrimitiveFate.DRAWN),
    ],
)
def test_fates(points, fate):
    out = clip_space(points)
    assert out.fates[0] == fate and (len(out.primitives) > 0) == (fate == PrimitiveFate.DRAWN)


def test_a_triangle_that_no_plane_rejects_but_clipping_empties():
    """Its corners lie outside of different planes; the planes are tried in the order of PrimitiveFate."""
    out = clip_space([[0, 0, -1, 1], [0.1, 0, 2.2, 1], [40, 0, -30, 1]])
    assert out.fates[0] in (PrimitiveFate.DRAWN, PrimitiveFate.FAR, PrimitiveFate.GUARD_RIGHT)
    out = clip_space([[0, 0, -1, 1], [0, 0.1, 3, 2], [0, 0, -1, -1]])
    assert np.isfinite(out.vertices[out.primitives["vertex"]][..., :4]).all()


def test_behind_the_eye():
    out = clip_space([[0, 0, -2, -1], [1, 0, -2, -1], [0, 1, -2, -1]])
    assert out.fates[0] != PrimitiveFate.DRAWN
    crossing = clip_space([[0, 0, 0.5, 1], [0.2, 0, 0.5, 1], [0, 0.2, -1, -0.5]])
    assert crossing.fates[0] == PrimitiveFate.DRAWN and (crossing.corners()[..., 3] > 0).all()


def test_the_near_plane_cuts_where_z_is_0():
    out = clip_space([[-0.5, 0, -0.5, 1], [0.5, 0, 0.5, 1], [-0.5, 0.5, 0.5, 1]], np.arange(12))
    assert len(out.primitives) == 2
    new = out.vertices[3:]
    np.testing.assert_allclose(new[:, 2], 0, atol=1e-7)
    np.testing.assert_allclose(sorted(new[:, 0]), [320 - 160, 320])
    assert (out.primitives["flags"] >> PROVOKING_SHIFT == 0).all()


def test_neighbours_share_the_new_vertices_exactly():
    """A cut edge gives the same bits in both triangles, whichever way round it is named."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b, c, d = (rng.normal(size=(4, 4)) * [2, 2, 1, 1] + [0, 0, 0, 2]).astype(np.float32)
        out = clip_space([a, b, c, b, a, d])
        points = {v[:4].tobytes() for v in out.vertices[6:]}
        edges = [{out.vertices[i][:4].tobytes() for i in row} for row in out.primitives["vertex"]]
        first = set().union(*[e for e, n in zip(edges, out.primitives["number"], strict=True) if n == 0])
        second = set().union(*[e for e, n in zip(edges, out.primitives["number"], strict=True) if n == 1])
        ends = {out.vertices[i][:4].tobytes() for i in range(6)}
        on_edge = [t for t in (first - ends) | (second - ends) if self_on_edge(np.frombuffer(t, np.float32), a, b)]
        assert all(t in first and t in second for t in on_edge if len(first) and len(second)) or not points


def self_on_edge(vertex, a, b) -> bool:
    """Whether a screen vertex lies on the edge a-b (in clip space), clearly."""
    w = 1 / float(vertex[3])
    p = np.array([(vertex[0] - 320) / 320 * w, (240 - vertex[1]) / 240 * w, vertex[2] * w, w])
    a, b = a.astype(float), b.astype(float)
    t = (p - a) @ (b - a) / ((b - a) @ (b - a))
    return np.abs(a + t * (b - a) - p).max() < 1e-5 and 0 <= t <= 1


# ---- user planes -------------------------------------------------------------------------------


def test_user_planes_are_in_world_space():
    rng = np.random.default_rng(2)
    world, view, projection = random_affine(rng), random_affine(rng, 0.3), perspective(near=0.1)
    view[3, 2] += 8
    plane = np.array([0.3, -0.8, 0.5, 0.1])
    points = rng.uniform(-2, 2, (300, 3))
    scene = Scene().transform("WORLD0", world).transform("VIEW", view).transform("PROJECTION", projection)
    scene.set(("CLIPPLANE", 3), plane).set("CLIPPLANEENABLE", 8).set("POINTSIZE", 0.001)
    out = scene.draw(vertices_of(300, position=points), kind=PrimitiveType.POINTLIST)
    inside = np.c_[points, np.ones(300)] @ world @ plane
    clear = abs(inside) > 1e-3
    decided = clear & np.isin(out.fates, (PrimitiveFate.USER_3, PrimitiveFate.DRAWN))
    assert decided.sum() > 200
    np.testing.assert_array_equal((out.fates == PrimitiveFate.USER_3)[decided], (inside < 0)[decided])
    out = scene.draw(vertices_of(300, position=points))
    corners = out.corners()
    w = 1 / corners[..., 3]
    clip = np.stack([(corners[..., 0] - 320) / 320 * w, (240 - corners[..., 1]) / 240 * w, corners[..., 2] * w, w], axis=-1)
    back = clip.astype(float) @ np.linalg.inv(view @ projection)
    assert (back @ plane).min() > -2e-3


def test_a_user_plane_cuts():
    scene = Scene().set(("CLIPPLANE", 0), 1.0, 0.0, 0.0, 0.0).set("CLIPPLANEENABLE", 1)
    out = scene.draw(vertices_of(3, position=[[-0.5, 0, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0.5]]))
    assert area(out.corners()).sum() == pytest.approx(-(320 * 120 / 2 - 160 * 60 / 2), rel=1e-5)
    scene.set("CLIPPLANEENABLE", 0)
    assert len(scene.draw(vertices_of(3, position=[[-0.5, 0, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0.5]])).primitives) == 1


def test_screen_vertices_know_no_user_planes_but_depth():
    scene = Scene().set(("CLIPPLANE", 0), -1.0, 0.0, 0.0, -1.0).set("CLIPPLANEENABLE", 1)
    scene.set("ZENABLE", 1).set("DEPTHSTENCIL", 1)
    out = scene.draw(vertices_of(3, rhw=[[10, 10, -0.5, 1], [100, 10, 0.5, 1], [100, 100, 0.5, 1]]))
    assert out.fates[0] == PrimitiveFate.DRAWN and len(out.primitives) == 2
    corners = out.corners()
    assert corners[..., 2].min() == 0 and abs(area(corners).sum()) == pytest.approx(4050 - 45 * 45 / 2, rel=1e-5)


def test_perspective_of_screen_vertices_survives_the_cut():
    """z is linear on the screen, coordinates are linear in clip space (times rhw on the screen)."""
    rhw = np.array([1.0, 0.25, 0.5])
    out = Scene().set("ZENABLE", 1).set("DEPTHSTENCIL", 1).draw(
        vertices_of(3, rhw=np.c_[[[10, 10], [210, 10], [10, 210]], [-0.5, 0.5, 0.5], rhw], tex0=[[0, 0], [1, 0], [0, 1]])
    )  # fmt: skip
    new = out.vertices[3:]
    np.testing.assert_allclose(new[:, 2], 0, atol=1e-6)
    np.testing.assert_allclose(sorted(new[:, 0]), [10, 110], atol=1e-3)
    along = new[np.argmax(new[:, 0])]
    assert along[3] == pytest.approx((1 + 0.25) / 2, rel=1e-5)
    assert along[16] == pytest.approx(0.5 * 0.25 / ((1 + 0.25) / 2), rel=1e-5)


def test_clipping_goes_on_with_larger_arenas():
    """More cut vertices than there was room for: nothing is lost."""
    rng = np.random.default_rng(5)
    count = 4000
    points = rng.normal(size=(3 * count, 4)) * [3, 3, 1, 1] + [0, 0, 0.5, 1]
    together = clip_space(points)
    one_by_one = sum(len(clip_space(points[3 * k : 3 * k + 3]).primitives) for k in range(0, count, 40))
    counts = np.bincount(together.primitives["number"], minlength=count)
    assert counts[::40].sum() == one_by_one
    assert ((counts > 0) == (together.fates == PrimitiveFate.DRAWN)).all()


@pytest.mark.parametrize("place", [(0, 0, 0, 0), (2**31, 2**31, 100, 100), (0, 0, 2**32 - 1, 2**32 - 1), (30000, 0, 64, 64)])
def test_absurd_viewports(place):
    scene = Scene()
    for name, value in zip(("X", "Y", "Width", "Height"), place, strict=True):
        scene.set(("VIEWPORT", name), value)
    rng = np.random.default_rng(6)
    out = clip_space(rng.normal(size=(300, 4)), scene=scene)
    assert np.isfinite(out.corners()[..., :4]).all()
    assert (abs(out.corners()[..., :2]) <= 16384).all()


def test_coordinates_of_draws_before_are_not_seen():
    """Coordinates of unused stages are blank, whatever stood there: the same as in arenas that nothing has used."""
    rng = np.random.default_rng(11)
    for _ in range(300):
        count, stages, spread = int(rng.integers(1, 150)), int(rng.integers(0, 9)), float(rng.choice([0.5, 3]))
        scene = Scene()
        for stage in range(8):
            operation = TextureOp.MODULATE if stage < stages else TextureOp.DISABLE
            scene.set(("TEXTURESTAGE", stage, "COLOROP"), operation)
        kind = int(rng.choice([PrimitiveType.POINTLIST, PrimitiveType.LINELIST, PrimitiveType.TRIANGLESTRIP]))
        scene.set("POINTSPRITEENABLE", int(rng.integers(0, 2))).set("POINTSIZE", 3.0)
        points = rng.uniform(-spread, spread, (count, 3)) + 0.5
        vertices = vertices_of(count, position=points, tex0=rng.normal(size=(count, 2)), tex1=rng.normal(size=(count, 4)))
        used = scene.draw(vertices, kind)
        clean, layout = Geometry(), compile_fvf(fvf_of(vertices.dtype))
        streams = [vertices.view(np.uint8).reshape(-1)]
        made = clean.process(scene.vector, layout, streams=streams, kind=kind, count=len(used.fates))
        assert made == (len(used.vertices), len(used.primitives))
        np.testing.assert_array_equal(used.corners(), clean.vertices[clean.primitives["vertex"][: made[1]]])
