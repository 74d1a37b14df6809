"""The texels of a lookup: weights times texels are what the sampler gives, and every address holds the texel it is said to."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.explain.pixel_trace import Pixel, trace
from core.pipeline.explain.texel_trace import Lookup, computed_texels
from core.pipeline.records.texture import TextureKind
from core.spec.enums import TextureAddress, TextureFilter, TextureOp
from tests.core.pipeline.pixel.test_pshader import Setup
from tests.core.pipeline.shading import Block

KINDS = TextureKind.PLANE, TextureKind.CUBE, TextureKind.VOLUME, TextureKind.SHADOW
POINT, LINEAR, ANISOTROPIC = TextureFilter.POINT, TextureFilter.LINEAR, TextureFilter.ANISOTROPIC


def levels(rng: np.random.Generator, shape: tuple[int, ...], wide: bool) -> list[np.ndarray]:
    """A mip chain of noise."""
    found = []
    while True:
        image = rng.uniform(-1, 1, (*shape, 4)).astype(np.float32) if wide else rng.integers(0, 1 << 32, shape, dtype=np.uint32)
        found.append(image)
        if max(shape) == 1:
            return found
        shape = tuple(max(n // 2, 1) for n in shape)


def random_block(seed: int) -> Block:
    """Any texture, any sampler state, coordinates that stretch over texels in some direction."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % 4]
    wide = bool(rng.integers(2)) or kind == TextureKind.SHADOW
    edge = int(rng.choice([4, 8, 5, 16]))
    shape = (edge, edge) if kind == TextureKind.CUBE else (edge, int(rng.choice([4, 8, 7])))
    if kind == TextureKind.VOLUME:
        shape = (int(rng.choice([2, 4, 3])), *shape)
    given = [levels(rng, shape, wide) for _ in range(6)] if kind == TextureKind.CUBE else levels(rng, shape, wide)
    pick = lambda *values: int(rng.choice(values))  # noqa: E731
    block = Block().texture(0, given, kind)
    block.stage(0, COLOROP=TextureOp.SELECTARG1, ALPHAOP=TextureOp.SELECTARG1, ADDRESSU=pick(1, 2, 3, 4, 5),
                ADDRESSV=pick(1, 2, 3, 4, 5), ADDRESSW=pick(1, 2, 3, 4, 5), MAGFILTER=pick(POINT, LINEAR),
                MINFILTER=pick(POINT, LINEAR, ANISOTROPIC), MIPFILTER=pick(0, POINT, LINEAR), MAXANISOTROPY=pick(1, 2, 5, 16),
                MIPMAPLODBIAS=float(rng.choice([0.0, -0.7, 1.2])), BORDERCOLOR=pick(0xFF336699, 0x80FF0001))  # fmt: skip
    slope = 0.4 * rng.uniform(-1, 1, (3, 2)) * rng.choice([0.02, 0.3, 1.0])
    block.coordinates(0, *((float(rng.uniform(-1.5, 2)), *map(float, slope[n])) for n in range(3)))
    if rng.integers(2):
        block.rhw = (1.0, 0.02, -0.015)
    return block


def agrees(found: Lookup, value: tuple[float, ...]) -> bool:
    """Up to the rounding of the sampler's steps."""
    scale = max(max(map(abs, one.value)) for one in found.texels)
    assert sum(one.weight for one in found.texels) == pytest.approx(1.0, abs=1e-5)
    return np.allclose(found.total, value, rtol=0, atol=2e-5 * max(scale, 1.0) * max(found.samples, 1))


@pytest.mark.parametrize("seed", range(100))
def test_weights_times_texels_are_the_texel(seed: int) -> None:
    block = random_block(seed)
    for x, y in ((0, 0), (2, 3)):
        step = trace(Pixel(block.state(), block.triangle().view(np.float32), block.memory(), x, y)).steps[0]
        assert step.lookup is not None
        assert agrees(step.lookup, step.values["texture"])


@pytest.mark.parametrize("seed", range(32))
def test_texels_at_computed_coordinates(seed: int) -> None:
    block = random_block(seed)
    uvw = np.random.default_rng(seed).uniform(-1, 2, (1, 3)) + np.random.default_rng(seed).uniform(-0.1, 0.1, (16, 3))
    found = computed_texels(block.state(), block.memory(), uvw.T.reshape(-1), 1, 2, 0)
    assert found is not None
    assert agrees(found, tuple(block.lookup(uvw)[9]))
    u, v, w = found.coordinates
    sides = {abs(u): "-X" if u < 0 else "+X", abs(v): "-Y" if v < 0 else "+Y", abs(w): "-Z" if w < 0 else "+Z"}
    is_cube = block.state()["stage"][0][0]["texture"]["kind"] == TextureKind.CUBE
    assert {one.side for one in found.texels} == {sides[max(sides)] if is_cube else ""}


def test_a_bilinear_lookup_names_its_four_texels() -> None:
    image = np.arange(16, dtype=np.uint32).reshape(4, 4) | np.uint32(0xFF000000)
    block = Block().texture(0, [image]).coordinates(0, 0.5, 0.3125)
    block.stage(0, COLOROP=TextureOp.SELECTARG1, MAGFILTER=LINEAR, MINFILTER=LINEAR, ADDRESSU=TextureAddress.CLAMP)
    pixel = Pixel(block.state(), block.triangle().view(np.float32), block.memory(), 0, 0)
    found = trace(pixel).steps[0].lookup
    assert found is not None and found.linear and found.samples == 1
    assert [(one.x, one.y, one.weight) for one in found.texels] == [(1, 0, 0.125), (2, 0, 0.125), (1, 1, 0.375), (2, 1, 0.375)]
    for one in found.texels:
        assert int(pixel.memory[one.address]) == int(image[one.y, one.x])


@pytest.mark.parametrize(
    "code",
    [
        "ps_1_1\ntex t0\ntex t1\nmov r0, t1",
        "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1",
        "ps_1_1\ntex t0\ntexreg2ar t1, t0\nmov r0, t1",
        "ps_1_2\ntex t0\ntexdp3tex t1, t0\nmov r0, t1",
        "ps_1_1\ntex t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2",
        "ps_1_4\ntexld r0, t0\nphase\ntexld r1, r0\nmov r0, r1",
    ],
)
def test_lookups_of_a_program(code: str) -> None:
    setup = Setup(code)
    steps = [step for step in trace(Pixel(*_parts(setup), 1, 2)).steps if step.lookup is not None]
    assert len(steps) == 2
    for step in steps:
        assert step.lookup is not None
        written = list(step.values.values())
        assert any(np.allclose(step.lookup.total, value, atol=3e-5) for value in written)


def _parts(setup: Setup) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    block = setup.block()
    return block.state(), block.triangle().view(np.float32), block.memory()
