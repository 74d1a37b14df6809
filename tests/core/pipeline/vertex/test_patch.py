"""Patch: bases against de Casteljau and Cox-de Boor, edges without cracks, N-patches against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import BadInput
from core.pipeline.vertex.assemble import IndexForm
from core.pipeline.vertex.fetch import compile_declaration, compile_fvf
from core.pipeline.vertex.npatch import curve, tessellate_npatches, triangle_corners, wants_npatches
from core.pipeline.vertex.patch import (
    MAX_SEGMENTS,
    RectPatch,
    TriPatch,
    catmull_rom,
    default_segments,
    edge_parameters,
    edge_style_is_continuous,
    read_rect_patch,
    read_tri_patch,
    row_weights,
    triangle_indices,
)  # fmt: skip
from core.spec.enums import BasisType, Fvf, OrderType, PrimitiveType
from tests.core.pipeline.vertex_kit import GEOMETRY, Scene, fvf_of, vertices_of

B = BasisType


# ---- bases -------------------------------------------------------------------------------------


def de_casteljau(points: np.ndarray, t: float) -> np.ndarray:
    while len(points) > 1:
        points = points[:-1] * (1 - t) + points[1:] * t
    return points[0]


def cox_de_boor(i: int, degree: int, x: float) -> float:
    """The B-spline over the integer knots i .. i + degree + 1."""
    if degree == 0:
        return float(i <= x < i + 1)
    return (x - i) / degree * cox_de_boor(i, degree - 1, x) + (i + degree + 1 - x) / degree * cox_de_boor(i + 1, degree - 1, x)


@pytest.fixture
def rng():
    return np.random.default_rng(9)


@pytest.mark.parametrize("degree", [1, 3, 5])
@pytest.mark.parametrize("spans", [1, 2, 3])
def test_bezier_rows(rng, degree, spans):
    points = rng.normal(size=(degree * spans + 1, 3))
    parameters = np.linspace(0, 1, 23)
    actual = row_weights(B.BEZIER, degree, len(points), parameters) @ points
    for value, parameter in zip(actual, parameters, strict=True):
        span = min(int(parameter * spans), spans - 1)
        np.testing.assert_allclose(
            value, de_casteljau(points[span * degree : (span + 1) * degree + 1], parameter * spans - span), atol=1e-12
        )


@pytest.mark.parametrize("degree", [1, 3, 5])
@pytest.mark.parametrize("spans", [1, 4])
def test_bspline_rows(degree, spans):
    count = spans + degree
    parameters = np.linspace(0, 1, 23)[:-1]
    actual = row_weights(B.BSPLINE, degree, count, parameters)
    for row, parameter in zip(actual, parameters, strict=True):
        expected = [cox_de_boor(i, degree, parameter * spans + degree) for i in range(count)]
        np.testing.assert_allclose(row, expected, atol=1e-12)


def test_the_quintic_bspline_begins_with_1_26_66_26_1():
    np.testing.assert_allclose(row_weights(B.BSPLINE, 5, 6, np.array([0.0]))[0] * 120, [1, 26, 66, 26, 1, 0], atol=1e-12)


def test_catmull_rom_passes_through_its_points(rng):
    points = rng.normal(size=(7, 3))
    actual = row_weights(B.INTERPOLATE, 3, 7, np.linspace(0, 1, 5)) @ points
    np.testing.assert_allclose(actual, points[1:6], atol=1e-12)
    slope = (catmull_rom(np.array(1e-6)) - catmull_rom(np.array(0.0))) @ points[:4] / 1e-6
    np.testing.assert_allclose(slope, (points[2] - points[0]) / 2, atol=1e-4)


@pytest.mark.parametrize(("basis", "degree"), [(B.BEZIER, 5), (B.BSPLINE, 3), (B.BSPLINE, 5), (B.INTERPOLATE, 3)])
def test_weights_sum_to_1(basis, degree):
    np.testing.assert_allclose(row_weights(basis, degree, 11, np.linspace(0, 1, 40)).sum(axis=1), 1)


# ---- edges -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("segments", "continuous", "expected"),
    [
        (1.0, False, [0, 1]), (2.4, False, [0, 0.5, 1]), (2.5, False, [0, 1 / 3, 2 / 3, 1]), (0.0, False, [0, 1]),
        (-9.0, True, [0, 1]),
        (float("nan"), False, [0, 1]), (2.5, True, [0, 0.4, 0.8, 1]), (2.0, True, [0, 0.5, 1]),
    ],
)  # fmt: skip
def test_how_an_edge_is_divided(segments, continuous, expected):
    np.testing.assert_allclose(edge_parameters(segments, continuous), expected)


def test_absurd_segments_are_bounded():
    assert len(edge_parameters(1e30, False)) == MAX_SEGMENTS + 1 == len(edge_parameters(float("inf"), True))


def test_states():
    scene = Scene().set("PATCHSEGMENTS", 3.5).set("PATCHEDGESTYLE", 1)
    assert default_segments(scene.vector, 4) == [3.5] * 4 and edge_style_is_continuous(scene.vector)


# ---- rectangle patches -------------------------------------------------------------------------


def grid_scene(rows: int, columns: int, **fields):
    """A stream that is an imaginary array of rows by columns, and its layout."""
    vertices = vertices_of(rows * columns, **{name: np.reshape(v, (rows * columns, -1)) for name, v in fields.items()})
    return Scene().set(("STREAM", 0, "stride"), vertices.itemsize), compile_fvf(fvf_of(vertices.dtype)), vertices.view(np.uint8)


def test_a_bezier_patch_at_its_vertices(rng):
    control, coordinates = rng.normal(size=(6, 7, 3)), rng.normal(size=(6, 7, 2))
    scene, layout, stream = grid_scene(6, 7, position=control, tex0=coordinates)
    patch = read_rect_patch(scene.vector, layout, [stream], RectPatch(2, 1, 4, 4, 7))
    made = patch.tessellate([4, 3, 4, 3])
    assert made.registers.shape == (5 * 4, 17, 4) and made.indices.shape == (24, 3)
    for number, values in enumerate(made.registers):
        u, v = number % 5 / 4, number // 5 / 3
        for register, source in ((0, control), (7, coordinates)):
            rows = np.array([de_casteljau(row, u) for row in source[1:5, 2:6]])
            size = source.shape[-1]
            np.testing.assert_allclose(values[register, :size], de_casteljau(rows, v), atol=1e-5)
            np.testing.assert_array_equal(values[register, size:], [0, 0, 0, 1][size:])


def test_a_flat_patch_covers_its_square_once_and_faces_its_normal():
    y, x = np.mgrid[0:4, 0:4] / 3
    scene, layout, stream = grid_scene(4, 4, position=np.stack([x, y, np.full_like(x, 0.5)], -1))
    patch = read_rect_patch(scene.vector, layout, [stream], RectPatch(0, 0, 4, 4, 4))
    for segments in ([1] * 4, [5] * 4, [7, 3, 2, 5], [1, 9, 1, 1], [2.5] * 4):
        for continuous in (False, True):
            made = patch.tessellate(segments, continuous)
            a, b, c = (made.registers[made.indices[:, k], 0, :3].astype(float) for k in range(3))
            area = np.cross(b - a, c - a)[:, 2] / 2
            assert area.min() >= -1e-9 and area.sum() == pytest.approx(1, abs=1e-6)


def test_borders_lie_on_the_points_of_their_edges(rng):
    """Each edge has exactly its own vertices: neighbours with equal counts meet without cracks."""
    y, x = np.mgrid[0:4, 0:4] / 3
    scene, layout, stream = grid_scene(4, 4, position=np.stack([x, y, np.zeros_like(x)], -1))
    patch = read_rect_patch(scene.vector, layout, [stream], RectPatch(0, 0, 4, 4, 4))
    p = patch.tessellate([7, 3, 2, 5]).registers[:, 0, :2].astype(float)
    for axis, value, along, count in ((1, 0, 0, 7), (0, 1, 1, 3), (1, 1, 0, 2), (0, 0, 1, 5)):
        border = p[np.isclose(p[:, axis], value)]
        np.testing.assert_allclose(np.unique(border[:, along].round(5)), (np.arange(count + 1) / count).round(5))


def test_what_the_tessellator_makes(rng):
    """TESSNORMAL: cross(dP/du, dP/dv) of unit length; TESSUV: (u, v)."""
    tokens = [
        1 << 29,
        2 << 29 | 2 << 16,
        1 << 29 | 1 << 28,
        3 << 29 | 0 << 20 | 2 << 16 | 3,
        3 << 29 | 1 << 28 | 1 << 16 | 7,
        0xFFFFFFFF,
    ]
    layout = compile_declaration(tokens, programmable=True)
    angle = np.linspace(0, 1, 7)
    y, x = np.meshgrid(angle, angle, indexing="ij")
    control = np.stack([x, y, x * x + 0.5 * y], axis=-1).astype(np.float32)  # any smooth surface
    scene = Scene().set(("STREAM", 0, "stride"), 12)
    patch = read_rect_patch(scene.vector, layout, [control.reshape(-1).view(np.uint8)], RectPatch(0, 0, 7, 7, 7, B.INTERPOLATE))
    made = patch.tessellate([4] * 4)
    assert list(made.layout.elements["register"]) == [0, 3, 7]
    inner = made.registers.reshape(5, 5, 17, 4)
    position, normal = inner[:, :, 0, :3].astype(float), inner[:, :, 3, :3].astype(float)
    expected = np.stack([-2 * position[..., 0], np.full((5, 5), -0.5), np.ones((5, 5))], axis=-1)
    expected /= np.linalg.norm(expected, axis=-1, keepdims=True)
    np.testing.assert_allclose(normal, expected, atol=2e-3)
    np.testing.assert_allclose(inner[2, 3, 7], [0.75, 0.5, 0, 1])


@pytest.mark.parametrize(
    "info",
    [RectPatch(0, 0, 3, 4, 4), RectPatch(0, 0, 4, 4, 4, B.INTERPOLATE, 1), RectPatch(0, 0, 4, 4, 4, 7),
     RectPatch(0, 0, 4, 4, 4, 0, 2),
     RectPatch(0, 0, 2**31, 2**31, 1), RectPatch(0, 0, 5, 5, 5, 0, 0)],
)  # fmt: skip
def test_impossible_patches_are_told(info):
    with pytest.raises(BadInput, match="patch"):
        read_rect_patch(Scene().vector, compile_fvf(Fvf.XYZ), [None], info)


def test_a_patch_far_outside_of_its_stream_is_zeros():
    patch = read_rect_patch(
        Scene().vector, compile_fvf(Fvf.XYZ), [np.zeros(48, np.uint8)], RectPatch(2**32 - 1, 2**32 - 1, 4, 4, 2**31)
    )
    assert (patch.points[..., 0, :3] == 0).all()


# ---- triangle patches --------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "count"), [(1, 3), (3, 10), (5, 21)])
def test_triangle_patches(rng, order, count):
    control = rng.normal(size=(count + 2, 3))
    scene, layout, stream = grid_scene(1, count + 2, position=control)
    made = read_tri_patch(scene.vector, layout, [stream], TriPatch(2, count, 0, order)).tessellate([6] * 3)
    points = control[2:]
    by_index = {}
    for row in range(order + 1):
        for column in range(row + 1):
            by_index[order - row, row - column, column] = points[row * (row + 1) // 2 + column]
    number = 0
    for r in range(7):
        for c in range(r + 1):
            u, v, w = 1 - r / 6, (r - c) / 6, c / 6
            level = dict(by_index)
            for degree in range(order - 1, -1, -1):  # de Casteljau on the triangle
                level = {
                    (i, j, degree - i - j): u * level[i + 1, j, degree - i - j] + v * level[i, j + 1, degree - i - j]
                    + w * level[i, j, degree - i - j + 1]
                    for i in range(degree + 1) for j in range(degree + 1 - i)
                }  # fmt: skip
            np.testing.assert_allclose(made.registers[number, 0, :3], level[0, 0, 0], atol=1e-5)
            number += 1
    assert number == len(made.registers)


@pytest.mark.parametrize("segments", [[1, 1, 1], [4, 4, 4], [5, 2, 3], [1, 6, 2]])
def test_a_flat_triangle_patch_is_covered_once(segments):
    scene, layout, stream = grid_scene(1, 3, position=[[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    made = read_tri_patch(scene.vector, layout, [stream], TriPatch(0, 3, 0, 1)).tessellate(segments)
    p = made.registers[:, 0, :3].astype(float)
    a, b, c = (p[made.indices[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)[:, 2] / 2
    assert area.sum() == pytest.approx(0.5, abs=1e-6) and area.min() >= -1e-9
    for along, on, count in ((p[:, 0], np.isclose(p[:, 1], 0), segments[0]),
                             (p[:, 0], np.isclose(p.sum(axis=1), 1), segments[1]),
                             (p[:, 1], np.isclose(p[:, 0], 0), segments[2])):  # fmt: skip
        assert len(np.unique(along[on].round(5))) == count + 1


def test_normals_of_a_triangle_patch(rng):
    tokens = [1 << 29, 2 << 29 | 2 << 16, 1 << 29 | 1 << 28, 3 << 29 | 2 << 16 | 3, 0xFFFFFFFF]
    layout = compile_declaration(tokens, programmable=True)
    control = rng.normal(size=(10, 3)).astype(np.float32)
    scene = Scene().set(("STREAM", 0, "stride"), 12)
    patch = read_tri_patch(scene.vector, layout, [control.reshape(-1).view(np.uint8)], TriPatch(0, 10))
    fine = patch.tessellate([64] * 3)
    made = fine.registers[:, 0, :3].astype(float)
    r, c = 30, 10  # a vertex inside; its neighbours give the slopes
    at = r * (r + 1) // 2 + c
    towards_1, towards_2 = (
        made[(r + 1) * (r + 2) // 2 + c] - made[(r - 1) * r // 2 + c],
        made[(r + 1) * (r + 2) // 2 + c + 1] - made[(r - 1) * r // 2 + c - 1],
    )
    expected = np.cross(towards_1, towards_2)
    np.testing.assert_allclose(fine.registers[at, 3, :3], expected / np.linalg.norm(expected), atol=3e-3)


def test_the_triangles_of_a_grid():
    assert triangle_indices(1).tolist() == [[0, 1, 2]]
    assert triangle_indices(2).tolist() == [[0, 1, 2], [1, 3, 4], [1, 4, 2], [2, 4, 5]]


def test_impossible_triangle_patches_are_told():
    for info in (TriPatch(0, 9), TriPatch(0, 10, 1), TriPatch(0, 6, 0, 2)):
        with pytest.raises(BadInput, match="triangle patch"):
            read_tri_patch(Scene().vector, compile_fvf(Fvf.XYZ), [None], info)


# ---- N-patches ---------------------------------------------------------------------------------


def sphere_corners(rng) -> np.ndarray:
    n = rng.normal(size=(40, 3, 3)) + np.eye(3) * 3
    n /= np.linalg.norm(n, axis=-1, keepdims=True)
    registers = np.zeros((40, 3, 17, 4))
    registers[:, :, 0, :3], registers[:, :, 3, :3], registers[:, :, 5] = n, n, rng.uniform(size=(40, 3, 4))
    return registers


def test_pn_triangles_follow_their_definition(rng):
    """b300 .. b111 of Vlachos and others written out, with w + u + v = 1."""
    corners = sphere_corners(rng)
    weights = rng.dirichlet([1, 1, 1], 12)
    made = curve(corners, weights, True, True)
    for triangle, values in zip(corners, made, strict=True):
        (p1, p2, p3), (n1, n2, n3) = triangle[:, 0, :3], triangle[:, 3, :3]
        wij = lambda a, b, n: (b - a) @ n  # noqa: E731
        b210, b120 = (2 * p1 + p2 - wij(p1, p2, n1) * n1) / 3, (2 * p2 + p1 - wij(p2, p1, n2) * n2) / 3
        b021, b012 = (2 * p2 + p3 - wij(p2, p3, n2) * n2) / 3, (2 * p3 + p2 - wij(p3, p2, n3) * n3) / 3
        b102, b201 = (2 * p3 + p1 - wij(p3, p1, n3) * n3) / 3, (2 * p1 + p3 - wij(p1, p3, n1) * n1) / 3
        e, m = (b210 + b120 + b021 + b012 + b102 + b201) / 6, (p1 + p2 + p3) / 3
        b111 = e + (e - m) / 2
        n110, n011, n101 = (bent(a, b, na, nb) for a, b, na, nb in ((p1, p2, n1, n2), (p2, p3, n2, n3), (p3, p1, n3, n1)))
        for (w, u, v), value in zip(weights, values, strict=True):
            point = (p1 * w**3 + p2 * u**3 + p3 * v**3 + 3 * b210 * w * w * u + 3 * b120 * w * u * u + 3 * b201 * w * w * v
                     + 3 * b021 * u * u * v + 3 * b102 * w * v * v + 3 * b012 * u * v * v + 6 * b111 * w * u * v)  # fmt: skip
            np.testing.assert_allclose(value[0, :3], point, atol=1e-12)
            normal = n1 * w * w + n2 * u * u + n3 * v * v + n110 * w * u + n011 * u * v + n101 * w * v
            np.testing.assert_allclose(value[3, :3], normal / np.linalg.norm(normal), atol=1e-12)
            np.testing.assert_allclose(value[5], np.array([w, u, v]) @ triangle[:, 5], atol=1e-12)


def bent(a, b, na, nb):
    v = 2 * (b - a) @ (na + nb) / ((b - a) @ (b - a))
    normal = na + nb - v * (b - a)
    return normal / np.linalg.norm(normal)


def test_linear_orders_leave_the_triangle_flat(rng):
    corners, weights = sphere_corners(rng), rng.dirichlet([1, 1, 1], 5)
    made = curve(corners, weights, False, False)
    np.testing.assert_allclose(made, np.einsum("nk,tkrc->tnrc", weights, corners))


def test_npatches_bring_a_coarse_ball_nearer_to_the_sphere():
    corners = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], float)
    faces = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    vertices = vertices_of(6, position=corners, normal=corners)
    scene = (
        Scene()
        .set(("STREAM", 0, "stride"), vertices.itemsize)
        .set("PATCHSEGMENTS", 4.0)
        .set("NORMALORDER", OrderType.QUADRATIC)
    )
    layout = compile_fvf(fvf_of(vertices.dtype))
    assert wants_npatches(scene.vector, layout, PrimitiveType.TRIANGLELIST)
    made = tessellate_npatches(
        scene.vector, layout, [vertices.view(np.uint8)], kind=PrimitiveType.TRIANGLELIST, count=8, index_form=IndexForm.WORD,
        index_memory=np.array(faces, np.uint16).reshape(-1).view(np.uint8),
    )  # fmt: skip
    radius = np.linalg.norm(made.registers[:, 0, :3], axis=1)
    assert radius.min() > 0.8 > 3**-0.5 and radius.max() < 1.001 and made.per_primitive == 16 and len(made.indices) == 128
    unit = made.registers[:, 0, :3] / radius[:, None]
    np.testing.assert_allclose(np.abs((made.registers[:, 3, :3] * unit).sum(axis=1)), 1, atol=0.02)


def test_when_triangles_are_not_curved():
    scene = Scene()
    with_normal, without = compile_fvf(Fvf.XYZ | Fvf.NORMAL), compile_fvf(Fvf.XYZ | Fvf.DIFFUSE)
    assert not wants_npatches(scene.vector, with_normal, PrimitiveType.TRIANGLELIST)
    scene.set("PATCHSEGMENTS", 2.0)
    assert wants_npatches(scene.vector, with_normal, PrimitiveType.TRIANGLEFAN)
    assert not wants_npatches(scene.vector, without, PrimitiveType.TRIANGLELIST)
    assert not wants_npatches(scene.vector, with_normal, PrimitiveType.LINELIST)


@pytest.mark.parametrize("kind", [PrimitiveType.TRIANGLELIST, PrimitiveType.TRIANGLESTRIP, PrimitiveType.TRIANGLEFAN])
def test_corners_are_those_that_assembly_emits(kind):
    out = (
        Scene().set("CULLMODE", 1).draw(vertices_of(9, position=np.random.default_rng(1).uniform(0.1, 0.9, (9, 3))), kind=kind)
    )
    np.testing.assert_array_equal(triangle_corners(kind, 9), out.primitives["vertex"])


# ---- through the pipeline ----------------------------------------------------------------------


def test_a_patch_is_drawn_like_any_vertices(rng):
    """The generated vertices go through transform and viewport; the primitive number is the patch."""
    y, x = np.mgrid[0:4, 0:4] / 3 - 0.5
    scene, layout, stream = grid_scene(4, 4, position=np.stack([x, y, np.full_like(x, 0.5)], -1), tex0=np.stack([x, y], -1))
    patch = read_rect_patch(scene.vector, layout, [stream], RectPatch(0, 0, 4, 4, 4))
    scene.set(("STREAM", 0, "stride"), 999)
    vertices, primitives = GEOMETRY.process_tessellation(scene.vector, patch.tessellate([8] * 4))
    assert (vertices, primitives) == (81, 128) and (GEOMETRY.primitives["number"][:128] == 0).all()
    screen = GEOMETRY.vertices[:81]
    np.testing.assert_allclose(screen[:, 0], 320 + 320 * screen[:, 16], atol=1e-3)
    np.testing.assert_allclose(screen[:, 1], 240 - 240 * screen[:, 17], atol=1e-3)
    assert GEOMETRY.elements_outside == 0
