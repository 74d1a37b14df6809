"""Texgen: which set, which source, which matrix, for every texture stage."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import TextureOp
from tests.core.pipeline.vertex_kit import Scene, random_affine, vertices_of


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def stages(scene: Scene, count: int) -> Scene:
    for i in range(count):
        scene.set(("TEXTURESTAGE", i, "COLOROP"), TextureOp.MODULATE)
    return scene


def filled(coordinates: np.ndarray) -> np.ndarray:
    """As fetched: missing components 0, 0, 0, 1."""
    count, size = coordinates.shape
    return np.c_[coordinates, np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))[:, size:]]


def padded(coordinates: np.ndarray) -> np.ndarray:
    """As the texture matrix takes them: the component after the last is 1, the rest 0."""
    count, size = coordinates.shape
    return np.c_[coordinates, np.tile([1.0, 0, 0, 0], (count, 1))][:, :4] if size < 4 else coordinates


def test_each_stage_takes_the_set_it_names(rng):
    sets = [rng.normal(size=(9, size)).astype(np.float32) for size in (2, 3, 4, 1, 2, 2, 3, 1)]
    order = [3, 1, 1, 7, 0, 2, 6, 5]
    scene = stages(Scene(), 8)
    for stage, number in enumerate(order):
        scene.set(("TEXTURESTAGE", stage, "TEXCOORDINDEX"), number)
    vertices = vertices_of(9, position=np.zeros((9, 3)), **{f"tex{i}": s for i, s in enumerate(sets)})
    out = scene.draw(vertices, kind=1)
    for stage, number in enumerate(order):
        np.testing.assert_array_equal(
            out.vertices[:9, 16 + 4 * stage : 20 + 4 * stage], filled(sets[number]).astype(np.float32)
        )
    out = scene.draw(vertices_of(9, rhw=np.ones((9, 4)), **{f"tex{i}": s for i, s in enumerate(sets)}), kind=1)
    np.testing.assert_array_equal(out.vertices[:9, 16:20], filled(sets[3]).astype(np.float32))


def test_a_set_the_vertex_lacks_is_0_0_0_1():
    out = stages(Scene(), 2).draw(vertices_of(3, position=np.zeros((3, 3)), tex0=np.ones((3, 2))), kind=1)
    np.testing.assert_array_equal(out.vertices[:3, 20:24], [[0, 0, 0, 1]] * 3)


def test_stages_after_a_disabled_one_get_nothing():
    scene = stages(Scene(), 3).set(("TEXTURESTAGE", 1, "COLOROP"), TextureOp.DISABLE)
    scene.set(("TEXTURESTAGE", 2, "TEXCOORDINDEX"), 0)
    out = scene.draw(vertices_of(3, position=np.zeros((3, 3)), tex0=np.ones((3, 2))), kind=1)
    assert (out.vertices[:3, 16:18] == 1).all() and (out.vertices[:3, 24:28] == [0, 0, 0, 1]).all()


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("projected", [0, 0x100])
def test_texture_matrices(rng, size, count, projected):
    matrix = rng.normal(size=(4, 4))
    coordinates = rng.normal(size=(6, size)).astype(np.float32)
    scene = stages(Scene(), 2).transform("TEXTURE1", matrix)
    scene.set(("TEXTURESTAGE", 1, "TEXCOORDINDEX"), 0).set(("TEXTURESTAGE", 1, "TEXTURETRANSFORMFLAGS"), count | projected)
    out = scene.draw(vertices_of(6, position=np.zeros((6, 3)), tex0=coordinates), kind=1)
    if count < 2:  # COUNT1 alone: as they are
        expected = filled(coordinates)
    else:
        expected = (padded(coordinates.astype(float)) @ matrix)[:, :count]
        expected = np.c_[expected, np.tile([0.0, 0, 0, 1], (6, 1))[:, count:]]
    np.testing.assert_allclose(out.vertices[:6, 20:24], expected, rtol=1e-5, atol=1e-5)


def test_matrices_do_not_touch_screen_vertices(rng):
    scene = stages(Scene(), 1).transform("TEXTURE0", rng.normal(size=(4, 4)))
    scene.set(("TEXTURESTAGE", 0, "TEXTURETRANSFORMFLAGS"), 4)
    out = scene.draw(vertices_of(3, rhw=np.ones((3, 4)), tex0=np.full((3, 2), 0.25)), kind=1)
    np.testing.assert_array_equal(out.vertices[:3, 16:20], [[0.25, 0.25, 0, 1]] * 3)


def test_reflection(rng):
    view = random_affine(rng)
    points, normals = rng.uniform(-3, 3, (40, 3)), rng.normal(size=(40, 3))
    scene = stages(Scene(), 1).transform("VIEW", view).set("NORMALIZENORMALS", 1)
    scene.set(("TEXTURESTAGE", 0, "TEXCOORDINDEX"), 0x30000)
    out = scene.draw(vertices_of(40, position=points, normal=normals), kind=1)
    eye = points @ view[:3, :3] + view[3, :3]
    incoming = eye / np.linalg.norm(eye, axis=1, keepdims=True)
    n = normals @ np.linalg.inv(view[:3, :3]).T
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    expected = incoming - 2 * (n * incoming).sum(axis=1, keepdims=True) * n
    np.testing.assert_allclose(out.vertices[:40, 16:19], expected, atol=2e-5)
    assert (out.vertices[:40, 19] == 1).all()


def test_generated_coordinates_are_transformed_too(rng):
    matrix = rng.normal(size=(4, 4))
    points = rng.uniform(-1, 1, (7, 3))
    scene = stages(Scene(), 1).transform("TEXTURE0", matrix).set(("TEXTURESTAGE", 0, "TEXCOORDINDEX"), 0x20000)
    out = scene.set(("TEXTURESTAGE", 0, "TEXTURETRANSFORMFLAGS"), 3 | 0x100).draw(vertices_of(7, position=points), kind=1)
    expected = (np.c_[points, np.ones(7)] @ matrix)[:, :3]
    np.testing.assert_allclose(out.vertices[:7, 16:19], expected, rtol=1e-5, atol=1e-5)
