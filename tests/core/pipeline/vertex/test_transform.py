"""Transform: positions and normals against double precision formulas of the semantics page, section 8."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.vertex.fetch import compile_declaration
from core.spec.enums import Fvf, VertexBlend
from core.spec.slots import BASE
from tests.core.pipeline.vertex_kit import Scene, perspective, random_affine, vertices_of

NORMAL_TO_COORDINATES = (("TEXTURESTAGE", 0, "TEXCOORDINDEX"), 0x10000)
POSITION_TO_COORDINATES = (("TEXTURESTAGE", 0, "TEXCOORDINDEX"), 0x20000)


def homogeneous(points: np.ndarray) -> np.ndarray:
    return np.c_[points, np.ones(len(points))]


def close(actual: np.ndarray, expected: np.ndarray, tolerance: float = 2e-5) -> None:
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance * max(1.0, abs(expected).max()))


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def test_positions_go_through_world_view_projection(rng):
    world, view, projection = random_affine(rng), random_affine(rng), perspective()
    points = rng.uniform(-3, 3, (200, 3))
    scene = Scene().transform("WORLD0", world).transform("VIEW", view).transform("PROJECTION", projection)
    out = scene.draw(vertices_of(200, position=points), kind=1)
    close(out.positions[:200], homogeneous(points) @ world @ view @ projection)


def test_the_viewport(rng):
    points = rng.uniform(-0.9, 0.9, (50, 3)) * [1, 1, 0.5] + [0, 0, 0.5]
    w = rng.uniform(0.5, 20, 50)
    scene = Scene().set(("VIEWPORT", "X"), 100).set(("VIEWPORT", "Y"), 30)
    scene.set(("VIEWPORT", "MinZ"), 0.25).set(("VIEWPORT", "MaxZ"), 0.75)
    layout = compile_declaration([1 << 29, 2 << 29 | 3 << 16, 0xFFFFFFFF], programmable=False)  # FLOAT4 position
    given = np.c_[points * w[:, None], w].astype(np.float32)
    out = scene.process(layout, [given], [16], kind=1, count=50)
    expected = np.c_[100 + (1 + points[:, 0]) * 320, 30 + (1 - points[:, 1]) * 240, 0.25 + points[:, 2] * 0.5, 1 / w]
    close(out.vertices[:50, :4], expected, 1e-5)
    np.testing.assert_allclose(out.vertices[:50, 14], w, rtol=1e-6)


def test_vertices_on_the_screen_pass_unchanged(rng):
    points = np.c_[rng.uniform(0, 600, (64, 2)), rng.uniform(0, 1, 64), rng.uniform(0.01, 1, 64)].astype(np.float32)
    out = Scene().draw(vertices_of(64, rhw=points, diffuse=0x80402010), kind=1)
    np.testing.assert_array_equal(out.vertices[:64, :4], points)
    np.testing.assert_array_equal(out.vertices[0, 4:8], np.float32([0x40, 0x20, 0x10, 0x80]) / np.float32(255))


@pytest.mark.parametrize(("rhw", "taken"), [(0.0, 1.0), (-0.5, 0.5), (np.nan, 1.0), (np.inf, 1.0), (1e-30, 1.0)])
def test_an_rhw_that_is_none_counts_as_1(rhw, taken):
    out = Scene().draw(vertices_of(3, rhw=[[10, 10, 0.5, rhw], [90, 10, 0.5, rhw], [10, 90, 0.5, rhw]]))
    assert len(out.primitives) == 1
    np.testing.assert_allclose(out.vertices[:3, 3], taken)


# ---- eye space ---------------------------------------------------------------------------------


def test_eye_position(rng):
    world, view = random_affine(rng), random_affine(rng)
    points = rng.uniform(-3, 3, (70, 3))
    scene = Scene().transform("WORLD0", world).transform("VIEW", view).set(*POSITION_TO_COORDINATES)
    out = scene.draw(vertices_of(70, position=points), kind=1)
    close(out.vertices[:70, 16:20], homogeneous(points) @ world @ view)


@pytest.mark.parametrize("normalize", [0, 1])
def test_normals_by_the_inverse_transpose(rng, normalize):
    world, view = random_affine(rng), random_affine(rng)
    normals = rng.normal(size=(70, 3))
    scene = Scene().transform("WORLD0", world).transform("VIEW", view).set(*NORMAL_TO_COORDINATES)
    scene.set("NORMALIZENORMALS", normalize)
    out = scene.draw(vertices_of(70, position=rng.normal(size=(70, 3)), normal=normals), kind=1)
    expected = normals @ np.linalg.inv((world @ view)[:3, :3]).T
    if normalize:
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    close(out.vertices[:70, 16:19], expected)


def test_a_projective_matrix_bends_normals(rng):
    """The 3x3 of the inverse transpose of the whole matrix, not the inverse transpose of the 3x3 (Wine's lighting_test)."""
    world = random_affine(rng)
    world[:, 3] = 0.2, -0.3, 0.5, 1.5
    normals = rng.normal(size=(20, 3))
    scene = Scene().transform("WORLD0", world).set(*NORMAL_TO_COORDINATES)
    out = scene.draw(vertices_of(20, position=rng.normal(size=(20, 3)), normal=normals), kind=1)
    close(out.vertices[:20, 16:19], normals @ np.linalg.inv(world).T[:3, :3])


def test_before_direct3d_7_the_3x3_part_alone_turns_normals(rng):
    """Wine's test_lighting for Direct3D 6 and 5: the fourth column has no say."""
    world = random_affine(rng)
    world[:, 3] = 0.2, -0.3, 0.5, 1.5
    normals = rng.normal(size=(20, 3))
    scene = Scene().transform("WORLD0", world).set(*NORMAL_TO_COORDINATES)
    scene.vector[BASE["before_7"]] = 1
    out = scene.draw(vertices_of(20, position=rng.normal(size=(20, 3)), normal=normals), kind=1)
    close(out.vertices[:20, 16:19], normals @ np.linalg.inv(world[:3, :3]).T)


def test_a_normal_of_length_0_stays():
    scene = Scene().set(*NORMAL_TO_COORDINATES).set("NORMALIZENORMALS", 1)
    out = scene.draw(vertices_of(3, position=np.zeros((3, 3)), normal=np.zeros((3, 3))), kind=1)
    assert (out.vertices[:3, 16:19] == 0).all()


# ---- blending ----------------------------------------------------------------------------------


def blended(points, normals, weights, worlds, view):
    """Weighted sums over world matrices (one per vertex and weight), in eye space."""
    position = (
        sum(w[:, None] * np.einsum("vi,vij->vj", homogeneous(points), m) for w, m in zip(weights, worlds, strict=True)) @ view
    )
    inverse = [np.linalg.inv(m[:, :3, :3]).transpose(0, 2, 1) for m in worlds]
    normal = sum(w[:, None] * np.einsum("vi,vij->vj", normals, m) for w, m in zip(weights, inverse, strict=True))
    return position, normal @ np.linalg.inv(view[:3, :3]).T


@pytest.mark.parametrize("count", [1, 2, 3])
def test_vertex_blending(rng, count):
    worlds, view, projection = [random_affine(rng) for _ in range(count + 1)], random_affine(rng), perspective()
    points, normals, betas = rng.uniform(-3, 3, (50, 3)), rng.normal(size=(50, 3)), rng.uniform(-0.2, 0.6, (50, count))
    weights = [*betas.T, 1 - betas.sum(axis=1)]
    position, normal = blended(points, normals, weights, [np.tile(m, (50, 1, 1)) for m in worlds], view)
    scene = Scene().transform("VIEW", view).transform("PROJECTION", projection).set("VERTEXBLEND", count)
    for i, world in enumerate(worlds):
        scene.transform(f"WORLD{i}", world)
    vertices = vertices_of(50, position=points, betas=betas, normal=normals)
    out = scene.set(*NORMAL_TO_COORDINATES).draw(vertices, kind=1)
    close(out.positions[:50], position @ projection)
    close(out.vertices[:50, 16:19], normal)
    out = scene.set(*POSITION_TO_COORDINATES).draw(vertices, kind=1)
    close(out.vertices[:50, 16:20], position)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_indexed_vertex_blending(rng, count):
    worlds, view = [random_affine(rng) for _ in range(256)], random_affine(rng)
    points, normals, betas = rng.uniform(-3, 3, (50, 3)), rng.normal(size=(50, 3)), rng.uniform(0, 0.3, (50, count))
    indices = rng.integers(0, 256, (50, 4))
    weights = [*betas.T, 1 - betas.sum(axis=1)]
    chosen = [np.array(worlds)[indices[:, k]] for k in range(count + 1)]
    position, normal = blended(points, normals, weights, chosen, view)
    scene = Scene().transform("VIEW", view).set("INDEXEDVERTEXBLENDENABLE", 1)
    scene.set("VERTEXBLEND", count or VertexBlend.WEIGHTS_0)
    for i, world in enumerate(worlds):
        scene.transform(f"WORLD{i}", world)
    packed = (indices << [0, 8, 16, 24]).sum(axis=1).astype(np.uint32).view(np.float32)
    vertices = vertices_of(50, position=points, betas=np.c_[betas, packed], normal=normals)
    fvf = {0: Fvf.XYZB1, 1: Fvf.XYZB2, 3: Fvf.XYZB4}[count] | Fvf.LASTBETA_UBYTE4 | Fvf.NORMAL
    out = scene.set(*NORMAL_TO_COORDINATES).draw(vertices, kind=1, fvf=fvf)
    close(out.positions[:50], position)
    close(out.vertices[:50, 16:19], normal)


def test_weights_without_blending_are_ignored(rng):
    points = rng.uniform(-1, 1, (5, 3))
    scene = Scene().transform("WORLD1", random_affine(rng))
    out = scene.draw(vertices_of(5, position=points, betas=rng.uniform(0, 1, (5, 3))), kind=1)
    close(out.positions[:5], homogeneous(points))


def test_tweening(rng):
    first, second, n1, n2 = (rng.normal(size=(20, 3)).astype(np.float32) for _ in range(4))
    tokens = [1 << 29, *(2 << 29 | 2 << 16 | register for register in (0, 3, 15, 16)), 0xFFFFFFFF]
    scene = Scene().set("VERTEXBLEND", VertexBlend.TWEENING).set("TWEENFACTOR", 0.3).set(*NORMAL_TO_COORDINATES)
    stream = np.concatenate([first, n1, second, n2], axis=1)
    out = scene.process(compile_declaration(tokens, False), [stream], [48], kind=1, count=20)
    close(out.positions[:20, :3], 0.7 * first + 0.3 * second)
    close(out.vertices[:20, 16:19], 0.7 * n1 + 0.3 * n2)
