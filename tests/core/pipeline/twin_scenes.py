"""Blocks in many states, run once compiled and once as plain Python.

`python -m tests.core.pipeline.twin_scenes FILE` saves the results."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from core.pipeline.records.texture import TextureKind
from core.spec.enums import TextureAddress
from tests.core.pipeline.pixel.test_combine import random_block
from tests.core.pipeline.pixel.test_pshader import Setup, random_program
from tests.core.pipeline.pixel.test_sample import chain
from tests.core.pipeline.shading import Block


def sampler(seed: int) -> Block:
    """perspective coordinates, random filters, modes, form and kind of texture"""
    rng = np.random.default_rng(seed)
    kind, wide = TextureKind(int(rng.integers(1, 4))), bool(rng.integers(2))
    width = int(rng.integers(3, 17))
    shape = (width, width, wide) if kind == TextureKind.CUBE else (width, int(rng.integers(3, 17)), wide)
    levels = [chain(rng, *shape) for _ in range(6)] if kind == TextureKind.CUBE else chain(
        rng, *shape, depth=4 if kind == TextureKind.VOLUME else 0)  # fmt: skip
    block = Block(rhw=(1.0, 0.03, -0.02)).texture(0, levels, kind)
    slopes = rng.normal(0, 0.15, (4, 2))
    block.coordinates(0, *((float(rng.normal()), *map(float, pair)) for pair in slopes))
    modes = rng.choice(list(TextureAddress), 3)
    filters = rng.integers(1, 4, 2)
    return block.stage(0, COLOROP=2, ALPHAOP=2, ADDRESSU=modes[0], ADDRESSV=modes[1], ADDRESSW=modes[2], MAGFILTER=filters[0],
                       MINFILTER=filters[1], MIPFILTER=rng.integers(0, 3), MAXANISOTROPY=rng.integers(1, 5),
                       MIPMAPLODBIAS=float(rng.normal()), BORDERCOLOR=rng.integers(0, 1 << 32),
                       TEXTURETRANSFORMFLAGS=rng.choice([0, 0x104]))  # fmt: skip


def shadow(seed: int) -> Block:
    """depths compared with the third coordinate"""
    rng = np.random.default_rng(seed)
    depths = rng.uniform(0, 1, (8, 8, 4)).astype(np.float32)
    block = Block(rhw=(1.0, 0.03, -0.02)).texture(0, [depths, depths[::2, ::2]], TextureKind.SHADOW)
    block.coordinates(0, *((float(rng.uniform()), *map(float, pair)) for pair in rng.normal(0, 0.1, (3, 2))), (1.0, 0.0, 0.0))
    return block.stage(0, COLOROP=2, ALPHAOP=2, MAGFILTER=1 + seed % 2, MINFILTER=2, MIPFILTER=2, ADDRESSU=4)


def blocks() -> Iterator[np.ndarray]:
    for seed in range(16):
        yield random_block(seed)[0].run()
        yield sampler(seed).run()
        yield shadow(seed).run()
        yield Setup(random_program(seed), seed).block().run()
    matrix = "ps_1_1\ntex t0\ntexm3x3pad t1, t0_bx2\ntexm3x3pad t2, t0_bx2\ntexm3x3vspec t3, t0_bx2\nmov r0, t3"
    yield Setup(matrix, 1, {3: TextureKind.CUBE}).block().run()
    yield Setup("ps_1_1\ntex t0\ntexbeml t1, t0\ntexkill t2\nmov r0, t1", 2).block().run()
    yield Setup("ps_1_4\ntexcrd r5.rgb, t1\nphase\ntexdepth r5\nmov r0, c0", 3).block().run()
    odd = np.random.default_rng(0).choice([np.nan, np.inf, -np.inf, 1e30, 0.3, -0.7], (16, 3))
    yield np.pad(sampler(4).lookup(odd), ((0, 0), (0, 2)))


def results() -> np.ndarray:
    return np.stack(list(blocks()))


if __name__ == "__main__":
    np.save(sys.argv[1], results())
