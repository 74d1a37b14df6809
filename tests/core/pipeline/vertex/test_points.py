"""Points: sizes, clamps, squares, sprite coordinates, and when a point is not drawn."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.draw_state.light_sources import MAX_LIGHTS
from core.pipeline.draw_state.vertex_state import MAX_POINT_SIZE, USER_PLANES
from core.pipeline.records.primitives import PROVOKING_SHIFT, PrimitiveFate, PrimitiveFlag, PrimitiveKind
from core.spec.profiles import caps_dwords
from tests.core.pipeline.vertex_kit import Scene, dword, perspective, vertices_of


def test_the_limits_are_those_of_the_caps():
    caps = caps_dwords("full")
    assert (dword(MAX_POINT_SIZE), USER_PLANES, MAX_LIGHTS) == (
        caps["MaxPointSize"],
        caps["MaxUserClipPlanes"],
        caps["MaxActiveLights"],
    )


def square(out) -> tuple[float, float, float, float]:
    """left, top, right, bottom of the first point's square."""
    corners = out.vertices[np.unique(out.primitives["vertex"][:2])]
    x, y = corners[:, 0], corners[:, 1]
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def point(scene: Scene, x=100.0, y=50.0, **fields):
    return scene.draw(vertices_of(1, rhw=[[x, y, 0.5, 0.25]], **fields), kind=1)


def test_a_point_is_a_square_around_its_vertex():
    out = point(Scene().set("POINTSIZE", 6.0), diffuse=0xFF00FF00)
    assert square(out) == (97, 47, 103, 53)
    assert (out.primitives["kind"] == PrimitiveKind.POINT).all() and len(out.primitives) == 2
    assert (out.primitives["flags"] & PrimitiveFlag.NO_CULL).all() and (out.primitives["flags"] >> PROVOKING_SHIFT == 0).all()
    corners = out.corners()
    area = [np.cross(np.append(c[1, :2] - c[0, :2], 0), np.append(c[2, :2] - c[0, :2], 0))[2] / 2 for c in corners]
    assert area == [18, 18]
    np.testing.assert_array_equal(corners[..., 2:12], np.broadcast_to(out.vertices[0, 2:12], (2, 3, 10)))


@pytest.mark.parametrize(
    ("size", "low", "high", "expected"),
    [
        (15.0, 0.0, 1.0, 1.0), (1.0, 15.0, 64.0, 15.0), (5.0, 1.0, 64.0, 5.0), (-3.0, 2.0, 64.0, 2.0),
        (1000.0, 0.0, 5000.0, MAX_POINT_SIZE), (1.0, 1e10, 64.0, MAX_POINT_SIZE), (3.0, 9.0, 5.0, 9.0), (7.0, 9.0, 5.0, 5.0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("from_vertex", [False, True])
def test_sizes_are_clamped_the_maximum_first(size, low, high, expected, from_vertex):
    scene = Scene().set("POINTSIZE_MIN", low).set("POINTSIZE_MAX", high).set("POINTSIZE", 2.5 if from_vertex else size)
    out = point(scene, **({"psize": [size]} if from_vertex else {}))
    left, top, right, bottom = square(out)
    assert (right - left, bottom - top) == (expected, expected)


def test_the_scale_formula():
    """Ss = Vh * Si * sqrt(1 / (A + B*De + C*De**2)), De = distance of the eye space position."""
    scene = Scene().set("POINTSCALEENABLE", 1).set("POINTSCALE_A", 0.5).set("POINTSCALE_B", 0.25).set("POINTSCALE_C", 2.0)
    scene.set("POINTSIZE", 0.1).set("POINTSIZE_MAX", 200.0)
    out = scene.draw(vertices_of(1, position=[[0.3, -0.4, 0.5]]), kind=1)
    distance = np.sqrt(0.5)
    expected = 480 * 0.1 * np.sqrt(1 / (0.5 + 0.25 * distance + 2 * 0.5))
    assert out.vertices[0, 13] == pytest.approx(expected, rel=1e-6)
    assert point(scene.set("POINTSIZE", 3.0)).vertices[0, 13] == 3  # XYZRHW is never scaled


@pytest.mark.parametrize("sprite", [0, 1])
def test_sprite_coordinates(sprite):
    scene = Scene().set("POINTSIZE", 4.0).set("POINTSPRITEENABLE", sprite).set(("TEXTURESTAGE", 1, "COLOROP"), 4)
    out = point(scene, tex0=[[0.25, 0.75]], tex1=[[0.5, 0.125]])
    for corner in out.vertices[np.unique(out.primitives["vertex"])]:
        u, v = float(corner[0] > 100), float(corner[1] > 50)
        np.testing.assert_array_equal(corner[16:20], [u, v, 0, 1] if sprite else [0.25, 0.75, 0, 1])
        np.testing.assert_array_equal(corner[20:24], [u, v, 0, 1] if sprite else [0.5, 0.125, 0, 1])


@pytest.mark.parametrize(
    ("x", "y", "fate"),
    [
        (-7.9, 50, PrimitiveFate.DRAWN), (-8.1, 50, PrimitiveFate.LEFT),
        (647.9, 50, PrimitiveFate.DRAWN), (648.1, 50, PrimitiveFate.RIGHT),
        (50, -7.9, PrimitiveFate.DRAWN), (50, -8.1, PrimitiveFate.TOP),
        (50, 487.9, PrimitiveFate.DRAWN), (50, 488.1, PrimitiveFate.BOTTOM),
        (9e9, 50, PrimitiveFate.GUARD_RIGHT),
    ],
)  # fmt: skip
def test_a_point_is_drawn_while_its_square_touches_the_viewport(x, y, fate):
    out = point(Scene().set("POINTSIZE", 16.0), x, y)
    assert out.fates[0] == fate and (len(out.primitives) > 0) == (fate == PrimitiveFate.DRAWN)
    ndc = [[(x - 320) / 320, (240 - y) / 240, 0.5]]
    assert Scene().set("POINTSIZE", 16.0).draw(vertices_of(1, position=ndc), kind=1).fates[0] == fate


def test_depth_is_decided_by_the_centre():
    scene = Scene().set("POINTSIZE", 16.0).set(("CLIPPLANE", 0), 1.0, 0.0, 0.0, 0.0).set("CLIPPLANEENABLE", 1)
    points = [[0.1, 0, -0.01], [0.1, 0, 1.01], [-0.1, 0, 0.5], [0.1, 0, 0.0], [0.1, 0, 1.0]]
    out = scene.draw(vertices_of(5, position=points), kind=1)
    assert list(out.fates) == [
        PrimitiveFate.NEAR,
        PrimitiveFate.FAR,
        PrimitiveFate.USER_0,
        PrimitiveFate.DRAWN,
        PrimitiveFate.DRAWN,
    ]
    assert list(out.primitives["number"]) == [3, 3, 4, 4]


def test_user_planes_cut_the_square():
    """D3DPMISCCAPS_CLIPPLANESCALEDPOINTS: the plane x >= 0 leaves the right part, its sprite coordinates with it."""
    scene = Scene().set("POINTSIZE", 16.0).set(("CLIPPLANE", 0), 1.0, 0.0, 0.0, 0.0).set("CLIPPLANEENABLE", 1)
    scene.set("POINTSPRITEENABLE", 1).transform("PROJECTION", perspective(near=0.1))
    for offset in (-4, 0, 4):
        x = offset / 320 * 5 / perspective()[0, 0]
        out = scene.draw(vertices_of(1, position=[[x, 0, 5.0]]), kind=1)
        left, top, right, bottom = square(out)
        assert (left, right) == pytest.approx((320, 320 + 8 + offset), abs=1e-3)
        assert (top, bottom) == pytest.approx((232, 248), abs=1e-3)
        corners = out.vertices[np.unique(out.primitives["vertex"])]
        np.testing.assert_allclose(corners[:, 16], (corners[:, 0] - (312 + offset)) / 16, atol=1e-4)
        np.testing.assert_allclose(corners[:, 17], (corners[:, 1] - 232) / 16, atol=1e-4)


@pytest.mark.parametrize("size", [0.0, -1.0, np.nan])
def test_a_point_without_size_is_not_drawn(size):
    out = point(Scene(), psize=[size])
    assert out.fates[0] == PrimitiveFate.NO_SIZE and len(out.primitives) == 0


def test_many_points():
    rng = np.random.default_rng(0)
    out = Scene().draw(vertices_of(5000, position=rng.uniform(-1, 1, (5000, 3)) * [1, 1, 0.5] + [0, 0, 0.5]), kind=1)
    assert len(out.primitives) == 10000 and (out.fates == PrimitiveFate.DRAWN).all()
