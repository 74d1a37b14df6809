"""Environment bump mapping of the fixed pipeline: displacement, luminance, chains, and what a bump stage leaves alone."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import TextureFilter, TextureOp
from tests.core.pipeline.shading import Block
from tests.reference.images import sampled

BUMP, LUMINANCE = TextureOp.BUMPENVMAP, TextureOp.BUMPENVMAPLUMINANCE
MATRIX = ("BUMPENVMAT00", "BUMPENVMAT01", "BUMPENVMAT10", "BUMPENVMAT11")


def bump_texel(du: float, dv: float, third: float = 1.0) -> list[np.ndarray]:
    return [np.full((2, 2, 4), (du, dv, third, 1.0), np.float32)]


def environment(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((8, 8, 4), np.float32)


def scene(op: TextureOp, bump: tuple, matrix: tuple, place: tuple = (0.3, 0.4)) -> tuple[Block, np.ndarray]:
    """stage 0 bumps stage 1, which shows its texture"""
    image = environment()
    block = Block().texture(0, bump_texel(*bump)).texture(1, [image]).coordinates(1, *place)
    block.stage(0, COLOROP=op, **{name: float(value) for name, value in zip(MATRIX, matrix, strict=True)})
    block.stage(1, COLOROP=2, ALPHAOP=2, MAGFILTER=TextureFilter.LINEAR, MINFILTER=TextureFilter.LINEAR)
    return block, image


def expected(image: np.ndarray, u: float, v: float) -> np.ndarray:
    return sampled([image], (u, v))


@pytest.mark.parametrize("seed", range(8))
def test_the_matrix_of_the_bump_stage_displaces_the_next_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    (du, dv), (m00, m01, m10, m11) = rng.uniform(-1, 1, 2), rng.uniform(-0.5, 0.5, 4)
    block, image = scene(BUMP, (du, dv), (m00, m01, m10, m11))
    got = block.pixel()
    assert np.abs(got - expected(image, 0.3 + m00 * du + m10 * dv, 0.4 + m01 * du + m11 * dv)).max() < 1e-4


@pytest.mark.parametrize(("third", "scale", "offset"), [(0.5, 1.0, 0.0), (0.5, 0.5, 0.25), (1.0, 3.0, 0.0), (0.5, -1.0, 0.0)])
def test_luminance_scales_the_texel(third: float, scale: float, offset: float) -> None:
    block, image = scene(LUMINANCE, (0.2, -0.1, third), (1.0, 0.0, 0.0, 1.0))
    block.stage(0, BUMPENVLSCALE=scale, BUMPENVLOFFSET=offset)
    factor = min(max(third * scale + offset, 0.0), 1.0)
    assert np.abs(block.pixel() - expected(image, 0.5, 0.3) * factor).max() < 1e-4


def test_a_bump_stage_leaves_current_alone() -> None:
    block = Block(diffuse=(0.1, 0.2, 0.3, 0.4), factor=(1.0,) * 4).texture(0, bump_texel(1.0, 1.0))
    block.stage(0, COLOROP=BUMP, ALPHAOP=TextureOp.SELECTARG1, ALPHAARG1=3)
    block.stage(1, COLOROP=2, COLORARG1=1, ALPHAOP=2, ALPHAARG1=1)
    assert np.allclose(block.pixel(), [0.1, 0.2, 0.3, 0.4])


def test_chained_bump_stages_displace_each_other() -> None:
    image, mid = environment(), environment(2) * 2 - 1
    block = Block().texture(0, bump_texel(0.5, -0.25)).texture(1, [mid]).texture(2, [image])
    block.coordinates(1, 0.1, 0.6).coordinates(2, 0.3, 0.4)
    for number, matrix in enumerate([(1.0, 0.0, 0.0, 1.0), (0.1, 0.2, -0.3, 0.4)]):
        block.stage(number, COLOROP=BUMP, **dict(zip(MATRIX, matrix, strict=True)))
    for number in (1, 2):
        block.stage(number, MAGFILTER=TextureFilter.LINEAR, MINFILTER=TextureFilter.LINEAR)
    block.stage(2, COLOROP=2, ALPHAOP=2)
    du, dv = expected(mid, 0.6, 0.35)[:2]
    assert np.abs(block.pixel() - expected(image, 0.3 + 0.1 * du - 0.3 * dv, 0.4 + 0.2 * du + 0.4 * dv)).max() < 1e-4


def test_a_bump_stage_without_texture_displaces_nothing() -> None:
    block, image = scene(BUMP, (0.5, 0.5), (1.0, 1.0, 1.0, 1.0))
    block.textures[0] = 0
    assert np.abs(block.pixel() - expected(image, 0.3, 0.4)).max() < 1e-4


def test_only_the_very_next_stage_is_displaced() -> None:
    block, image = scene(BUMP, (0.5, 0.5), (1.0, 0.0, 0.0, 1.0))
    block.stage(1, COLOROP=2, COLORARG1=1, ALPHAOP=2, ALPHAARG1=1)
    block.texture(2, [image]).coordinates(2, 0.3, 0.4)
    block.stage(2, COLOROP=2, ALPHAOP=2, MAGFILTER=TextureFilter.LINEAR, MINFILTER=TextureFilter.LINEAR)
    assert np.abs(block.pixel() - expected(image, 0.3, 0.4)).max() < 1e-4
