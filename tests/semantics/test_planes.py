"""Which pixels near, far and user planes leave of random triangles, behind the eye too.

The oracle clips nothing: barycentric coordinates of a pixel come from the inverse of the vertices' x, y, w (rasterisation in
homogeneous coordinates), and a pixel is left if it lies inside of every plane there.  Pixels next to a border are not compared.
"""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import Fvf
from tests.semantics.kit import TRIANGLES, Screen

SIDE, NEAR, FAR = 32, 1.0, 9.0
Array = np.ndarray


def matrices(random: np.random.Generator) -> tuple[Array, Array]:
    """A view a little askew, and a perspective."""
    view, projection = np.eye(4), np.zeros((4, 4))
    view[:3, :3] += random.uniform(-0.3, 0.3, (3, 3))
    view[3, :3] = random.uniform(-0.5, 0.5, 3)
    projection[0, 0], projection[1, 1] = random.uniform(0.5, 2, 2)
    projection[2, 2], projection[3, 2], projection[2, 3] = FAR / (FAR - NEAR), -NEAR * FAR / (FAR - NEAR), 1
    return view, projection


def inside(clip: Array, distances: list[Array]) -> tuple[Array, Array]:
    """Pixels of a triangle inside of planes, and those too close to a border to tell.

    clip: positions [3, 4]; distances: of the vertices from each plane.
    """
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    inverse = np.linalg.inv(clip[:, [0, 1, 3]].T)
    parts = np.stack([x * 2 / SIDE - 1, 1 - y * 2 / SIDE, np.ones((SIDE, SIDE))], -1) @ inverse.T
    covered = (parts > 0).all(-1)
    close = np.abs(parts / np.linalg.norm(inverse, axis=1)).min(-1) < 0.004
    shares = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-12)
    for distance in distances:
        here = shares @ distance
        close |= np.abs(here) < 0.02 * sum(np.abs(slope) for slope in np.gradient(here)) + 1e-4
        covered &= here >= 0
    return covered, close


@pytest.mark.parametrize("shader", [False, True])
@pytest.mark.parametrize(("clipping", "z_enable"), [(1, 1), (1, 0), (0, 1), (0, 0)])
def test_what_planes_leave(shader: bool, clipping: int, z_enable: int) -> None:
    """Planes are in world space for the fixed function and in clip space for shaders (semantics 1)."""
    random, seen = np.random.default_rng(8 * shader + 2 * clipping + z_enable), 0
    for _ in range(25):
        screen, (view, projection) = Screen(size=SIDE), matrices(random)
        planes, mask = np.column_stack([random.uniform(-1, 1, (6, 3)), random.uniform(-1, 3, 6)]), int(random.integers(64))
        screen.rs(CLIPPLANEENABLE=mask, CLIPPING=clipping, ZENABLE=z_enable, ZFUNC=8).transform(
            VIEW=view, PROJECTION=projection
        )
        for number, plane in enumerate(planes):
            screen.device.SetClipPlane(number, plane.tolist())
        world = np.column_stack([random.uniform(-4, 4, (3, 2)), random.uniform(-3, 11, 3), np.ones(3)])
        clip = np.column_stack([world[:, :2], random.uniform(-2, 5, 3), random.uniform(-1, 4, 3)])
        if shader:
            declaration = [0x20000000, 0x40030000, 0xFFFFFFFF]
            screen.device.SetVertexShader(screen.vertex_shader("vs_1_1\nmov oPos, v0", declaration))
            screen.draw(0, TRIANGLES, clip.tolist())
        else:
            clip = world @ view @ projection
            screen.draw(Fvf.XYZ, TRIANGLES, world[:, :3].tolist())
        distances = [clip[:, 2], clip[:, 3] - clip[:, 2]]
        if clipping:
            distances += [(clip if shader else world) @ plane for n, plane in enumerate(planes) if mask >> n & 1]
        expected, close = inside(clip, distances)
        found = (screen.picture() & 0xFFFFFF) != 0
        np.testing.assert_array_equal(found[~close], expected[~close])
        seen += int(expected.sum())
    assert seen > 400
