"""Texture sampling against a scalar reference: addressing, filters, levels of detail, cubes, volumes, safety."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.pipeline.records.texture import TextureKind
from core.spec.enums import TextureAddress, TextureFilter
from tests.core.pipeline.shading import Block
from tests.reference.images import sampled

POINT, LINEAR, ANISOTROPIC = TextureFilter.POINT, TextureFilter.LINEAR, TextureFilter.ANISOTROPIC
MODES = list(TextureAddress)
SELECT_TEXTURE = {"COLOROP": 2, "COLORARG1": 2, "ALPHAOP": 2, "ALPHAARG1": 2}


def words(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.integers(0, 1 << 32, shape, np.uint32)


def floats_of(image: np.ndarray) -> np.ndarray:
    """r g b a of A8R8G8B8 words; float images unchanged"""
    if image.dtype == np.float32:
        return image
    return np.stack([(image >> shift & 255) / 255 for shift in (16, 8, 0, 24)], -1)


def chain(rng: np.random.Generator, width: int, height: int, wide: bool, depth: int = 0) -> list[np.ndarray]:
    """a full mip chain of random texels"""
    levels = []
    for n in range(max(width, height, depth).bit_length()):
        shape = [max(side >> n, 1) for side in ((depth,) if depth else ()) + (height, width)]
        levels.append(rng.random((*shape, 4), np.float32) * 2 - 1 if wide else words(rng, *shape))
    return levels


def close(got: np.ndarray, expected: np.ndarray, wide: bool) -> bool:
    """8-bit weights: 1/256 of the range in each direction, and a half for the channel"""
    return bool(np.abs(got - expected).max() < (2e-4 if wide else 3.5 / 256))


# ---- addressing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("mode", MODES)
def test_each_mode_finds_the_texel_that_the_sdk_says(mode: TextureAddress, size: int) -> None:
    row = np.arange(1, size + 1, dtype=np.uint32)[None, :].repeat(size, 0) << 16
    block = Block().texture(0, [row]).stage(0, ADDRESSU=mode, ADDRESSV=TextureAddress.CLAMP, BORDERCOLOR=0x00FF0000)
    places = [-2 * size, -size - 1, -size, -2, -1, 0, 1, size - 1, size, size + 1, 2 * size - 1, 2 * size, 3 * size, 9, -9, 2]
    texels = np.array(places)
    expected = {
        TextureAddress.WRAP: [1, size, 1, size - 1, size, 1, 2, size, 1, 2, size, 1, 1, 9 % size + 1, -9 % size + 1, 3],
        TextureAddress.CLAMP: [min(max(t, 0), size - 1) + 1 for t in texels],
        TextureAddress.BORDER: [t + 1 if 0 <= t < size else 255 for t in texels],
        TextureAddress.MIRROR: [[*range(1, size + 1), *range(size, 0, -1)][t % (2 * size)] for t in texels],
        TextureAddress.MIRRORONCE: [min(t if t >= 0 else -t - 1, size - 1) + 1 for t in texels],
    }[mode]
    uvw = np.zeros((16, 3))
    uvw[:, 0] = (texels + 0.5) / size
    assert np.round(block.lookup(uvw)[:, 0] * 255).tolist() == expected


def test_v_and_w_have_modes_of_their_own() -> None:
    volume = (np.arange(64, dtype=np.uint32) << 16).reshape(4, 4, 4)
    block = Block().texture(0, [volume], TextureKind.VOLUME)
    block.stage(0, ADDRESSU=TextureAddress.CLAMP, ADDRESSV=TextureAddress.WRAP, ADDRESSW=TextureAddress.MIRROR)
    got = block.lookup(np.full((16, 3), 1.125))[0, 0] * 255
    assert round(got) == 3 * 16 + 0 * 4 + 3


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e30, -1e30, 3e38, 1e-40])
@pytest.mark.parametrize("filter", [POINT, LINEAR, ANISOTROPIC])
@pytest.mark.parametrize("kind", [TextureKind.PLANE, TextureKind.CUBE, TextureKind.VOLUME])
def test_no_coordinate_reads_outside_the_texture(kind: TextureKind, filter: TextureFilter, value: float) -> None:
    """the heap around the texture holds white, the texture black"""
    rng = np.random.default_rng(3)
    block = Block(heap=[np.full(64, 0xFFFFFFFF, np.uint32)])
    shape = (5, 5, 5) if kind == TextureKind.VOLUME else (5, 5)
    levels = [np.zeros([max(n >> level, 1) for n in shape], np.uint32) for level in range(3)]
    block.texture(0, [levels] * 6 if kind == TextureKind.CUBE else levels, kind)
    block.heap.append(np.full(64, 0xFFFFFFFF, np.uint32))
    for mode in MODES:
        block.stage(0, ADDRESSU=mode, ADDRESSV=mode, ADDRESSW=mode, MAGFILTER=filter, MINFILTER=filter, MIPFILTER=LINEAR,
                    MAXANISOTROPY=16, MIPMAPLODBIAS=value)  # fmt: skip
        uvw = rng.choice([value, 0.5, -3.0], (16, 3))
        assert np.abs(block.lookup(uvw)).max() == 0


# ---- filters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_random_planes_and_volumes_follow_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wide, volume = bool(rng.integers(2)), bool(rng.integers(3) == 0)
    width, height, depth = (int(n) for n in rng.integers(1, 13, 3))
    levels = chain(rng, width, height, wide, depth if volume else 0)
    modes = tuple(int(m) for m in rng.choice(MODES, 3))
    filter, first = int(rng.choice([POINT, LINEAR])), int(rng.integers(0, len(levels)))
    border = int(rng.integers(0, 1 << 32))
    block = Block().texture(0, levels, TextureKind.VOLUME if volume else TextureKind.PLANE)
    block.stage(0, ADDRESSU=modes[0], ADDRESSV=modes[1], ADDRESSW=modes[2], MAGFILTER=filter, MINFILTER=filter,
                MAXMIPLEVEL=first, BORDERCOLOR=border)  # fmt: skip
    uvw = rng.uniform(-2.5, 2.5, (16, 3)).astype(np.float32)
    floats, states = [floats_of(level) for level in levels], {"modes": modes, "mag": filter, "min": filter}
    expected = np.array([sampled(floats, place.tolist(), border=border, first=first, **states) for place in uvw])
    assert close(block.lookup(uvw), expected, wide)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("width", "height"), [(16, 8), (13, 11)])
def test_the_way_of_blocks_inside_a_texture_gives_the_same_bits(width: int, height: int, mode: TextureAddress) -> None:
    """one lane at the seam sends the whole block the other way"""
    rng = np.random.default_rng(width)
    image = words(rng, height, width)
    block = Block().texture(0, [image]).stage(0, MAGFILTER=LINEAR, MINFILTER=LINEAR, ADDRESSU=mode, ADDRESSV=mode)
    inside = np.zeros((16, 3), np.float32)
    inside[:, :2] = rng.uniform(0.5, (width - 1.51, height - 1.51), (16, 2)) / (width, height)
    seam = inside.copy()
    seam[0] = 0.0
    got, other = block.lookup(inside), block.lookup(seam)
    assert (got[1:] == other[1:]).all()
    expected = np.array([sampled([floats_of(image)], place.tolist(), modes=(mode,) * 3) for place in inside])
    assert close(got, expected, wide=False)


def test_linear_at_texel_centres_is_exact() -> None:
    image = words(np.random.default_rng(0), 4, 4)
    block = Block().texture(0, [image]).stage(0, MAGFILTER=LINEAR, MINFILTER=LINEAR)
    y, x = np.divmod(np.arange(16), 4)
    for error in (0.0, 1e-4, -1e-4):
        got = block.lookup(np.stack([(x + 0.5 + error) / 4, (y + 0.5 - error) / 4, x * 0], -1))
        assert np.abs(got - floats_of(image).reshape(16, 4)).max() < 1e-6


# ---- level of detail -------------------------------------------------------------------------------


def flat_levels(count: int = 6, size: int = 32) -> list[np.ndarray]:
    """level n is all (n + 1) / 255"""
    return [np.full((max(size >> n, 1),) * 2, (n + 1) * 0x01010101, np.uint32) for n in range(count)]


def level_seen(block: Block) -> float:
    return round(float(block.pixel()[0] * 255 - 1), 3)


@pytest.mark.parametrize("lod", [-1.0, 0.0, 0.25, 0.5, 1.0, 1.4, 1.5, 2.0, 2.75, 4.9, 5.0, 9.0])
@pytest.mark.parametrize("mip", [TextureFilter.NONE, POINT, LINEAR])
def test_the_level_follows_the_footprint(mip: TextureFilter, lod: float) -> None:
    step = 2.0**lod / 32
    block = Block().texture(0, flat_levels()).stage(0, MIPFILTER=mip, **SELECT_TEXTURE)
    block.coordinates(0, (0.0, step, 0.0), (0.0, 0.0, step / 3))
    clamped = min(max(lod, 0.0), 5.0)
    expected = {TextureFilter.NONE: 0.0, POINT: math.floor(clamped + 0.5), LINEAR: clamped}[mip]
    assert level_seen(block) == pytest.approx(expected, abs=1e-3)
    block.coordinates(0, (0.0, 0.0, step), (0.0, step / 3, 0.0))
    assert level_seen(block) == pytest.approx(expected, abs=1e-3)


def test_log2_between_powers_of_two() -> None:
    for footprint in np.linspace(1.05, 7.9, 23):
        block = Block().texture(0, flat_levels()).stage(0, MIPFILTER=LINEAR, **SELECT_TEXTURE)
        block.coordinates(0, (0.0, footprint / 32, 0.0), 0.0)
        assert level_seen(block) == pytest.approx(math.log2(footprint), abs=1e-3)


def test_bias_and_largest_level() -> None:
    block = Block().texture(0, flat_levels(), lod=1).stage(0, MIPFILTER=POINT, MIPMAPLODBIAS=1.0, **SELECT_TEXTURE)
    block.coordinates(0, (0.0, 2 / 32, 0.0), 0.0)
    assert level_seen(block) == 2
    assert level_seen(block.stage(0, MIPMAPLODBIAS=-3.0)) == 1  # SETTEXLOD
    assert level_seen(block.stage(0, MAXMIPLEVEL=3)) == 3
    assert level_seen(block.stage(0, MAXMIPLEVEL=77)) == 5
    assert level_seen(block.stage(0, MIPFILTER=0, MAXMIPLEVEL=4)) == 1  # MAXMIPLEVEL is of mipmapping


def test_magnified_pixels_take_the_mag_filter() -> None:
    image = np.array([[0, 0xFFFFFFFF]], np.uint32)
    block = Block().texture(0, [image]).stage(0, MAGFILTER=LINEAR, MINFILTER=POINT, ADDRESSU=TextureAddress.CLAMP)
    block.coordinates(0, (0.45, 0.02, 0.0), 0.0).stage(0, **SELECT_TEXTURE)
    assert 0 < block.pixel()[0] < 1
    block.coordinates(0, (0.45, 0.8, 0.0), 0.0)
    assert block.pixel()[0] == 0


def test_mag_and_min_filter_in_one_block() -> None:
    """a perspective coordinate whose footprint passes 1 inside the block, against the reference pixel by pixel"""
    rng = np.random.default_rng(5)
    levels = chain(rng, 16, 16, True)
    block = Block(rhw=(1.0, -0.12, 0.01)).texture(0, levels).coordinates(0, (0.1, 0.006, 0.002), (0.3, 0.002, 0.015))
    block.stage(0, MAGFILTER=LINEAR, MINFILTER=POINT, MIPFILTER=LINEAR, **SELECT_TEXTURE)
    lods, got = [], block.run()[:, :4]
    for n in range(16):
        uv, lod = perspective(block, n % 4, n // 4, 16)
        lods.append(lod)
        assert np.abs(got[n] - np.clip(sampled(levels, uv, lod, min=POINT, mip=LINEAR), 0, 1)).max() < 2e-3
    assert min(lods) < -0.05 and max(lods) > 0.05


def perspective(block: Block, x: int, y: int, size: int) -> tuple[tuple[float, float], float]:
    """(u, v) and log2 of the footprint by central differences"""

    def at(x: float, y: float) -> np.ndarray:
        plane = [value + x * dx + y * dy for value, dx, dy in (block.planes[10], block.planes[11], block.rhw)]
        return np.array(plane[:2]) / plane[2]

    h = 1e-5
    across, down = (at(x + h, y) - at(x - h, y)) / (2 * h) * size, (at(x, y + h) - at(x, y - h)) / (2 * h) * size
    return tuple(at(x, y)), math.log2(max(np.hypot(*across), np.hypot(*down)))


def test_projected_coordinates_divide_and_so_do_their_derivatives() -> None:
    rng = np.random.default_rng(8)
    levels = chain(rng, 16, 16, True)
    plain = Block(rhw=(1.0, 0.05, 0.1)).texture(0, levels).coordinates(0, (0.2, 0.1, 0.0), (0.3, 0.0, 0.2))
    projected = Block().texture(0, levels).coordinates(0, (0.2, 0.1, 0.0), (0.3, 0.0, 0.2), (1.0, 0.05, 0.1))
    projected.stage(0, TEXTURETRANSFORMFLAGS=0x103)
    fourth = Block().texture(0, levels).coordinates(0, (0.2, 0.1, 0.0), (0.3, 0.0, 0.2), 9.0, (1.0, 0.05, 0.1))
    fourth.stage(0, TEXTURETRANSFORMFLAGS=0x104)
    results = [block.stage(0, MIPFILTER=LINEAR, MAGFILTER=LINEAR, MINFILTER=LINEAR, **SELECT_TEXTURE).run()
               for block in (plain, projected, fourth)]  # fmt: skip
    assert np.abs(results[0] - results[1]).max() < 1e-5
    assert np.abs(results[0] - results[2]).max() < 1e-5
    assert results[0][:, :3].std() > 0.01


def test_projection_without_a_count_divides_by_q() -> None:
    block = Block().texture(0, [words(np.random.default_rng(2), 8, 8)]).coordinates(0, 0.5, 1.0, 9.0, 2.0)
    plain = Block().texture(0, [words(np.random.default_rng(2), 8, 8)]).coordinates(0, 0.25, 0.5)
    results = [b.stage(0, **SELECT_TEXTURE).pixel().tolist() for b in (block.stage(0, TEXTURETRANSFORMFLAGS=0x100), plain)]
    assert results[0] == results[1]


def test_a_computed_coordinate_takes_its_level_from_the_quad() -> None:
    y, x = np.divmod(np.arange(16), 4)
    uvw = np.stack([x * 4 / 32, y * 0, y * 0], -1)
    block = Block().texture(0, flat_levels()).stage(0, MIPFILTER=POINT)
    assert np.allclose(block.lookup(uvw)[:, 0] * 255 - 1, 2)


@pytest.mark.parametrize(("most", "level"), [(1, 3), (2, 2), (4, 1), (8, 0), (16, 0)])
def test_anisotropy_trades_level_for_samples(most: int, level: int) -> None:
    block = Block().texture(0, flat_levels()).coordinates(0, (0.0, 8 / 32, 0.0), (0.0, 0.0, 1 / 32))
    block.stage(0, MIPFILTER=POINT, MAGFILTER=LINEAR, MINFILTER=ANISOTROPIC, MAXANISOTROPY=most, **SELECT_TEXTURE)
    assert level_seen(block) == pytest.approx(level, abs=0.02)


def test_anisotropic_samples_lie_along_the_longer_axis() -> None:
    """a footprint of 4 x 1 texels over stripes of 4: the mean of one pixel is the mean of its four texels"""
    stripes = np.tile(np.array([0, 0, 0, 0xFFFFFFFF] * 8, np.uint32), (32, 1))
    block = Block().texture(0, [stripes, stripes[::2, ::2]]).coordinates(0, (2 / 32, 4 / 32, 0.0), (0.5 / 32, 0.0, 1 / 32))
    block.stage(0, MIPFILTER=LINEAR, MAGFILTER=POINT, MINFILTER=ANISOTROPIC, MAXANISOTROPY=4, **SELECT_TEXTURE)
    assert np.abs(block.run()[:, :4] - 0.25).max() < 0.01


# ---- cubes and volumes -----------------------------------------------------------------------------


def cube_of_faces() -> list[list[np.ndarray]]:
    """face f, texel (x, y): red f, green x, blue y"""
    y, x = np.mgrid[0:4, 0:4].astype(np.uint32)
    return [[(np.uint32(f) << 16 | x << 8 | y).astype(np.uint32)] for f in range(6)]


@pytest.mark.parametrize(("direction", "face", "column", "row"), [
    # DX8 SDK, cubic environment mapping: the face's u and v axes
    ((1, 0.6, 0.2), 0, 1, 0), ((-1, 0.6, 0.2), 1, 2, 0), ((0.6, 1, 0.2), 2, 3, 2), ((0.6, -1, 0.2), 3, 3, 1),
    ((0.6, 0.2, 1), 4, 3, 1), ((0.6, 0.2, -1), 5, 0, 1), ((9, -8, 2), 0, 1, 3), ((-1e-3, 2e-3, -5e-3), 5, 2, 1),
])  # fmt: skip
def test_a_direction_finds_its_face_and_texel(direction: tuple, face: int, column: int, row: int) -> None:
    block = Block().texture(0, cube_of_faces(), TextureKind.CUBE).stage(0, ADDRESSU=TextureAddress.WRAP)
    got = np.round(block.lookup(np.tile(direction, (16, 1)))[0, :3] * 255)
    assert got.tolist() == [face, column, row]


def test_the_zero_vector_is_safe() -> None:
    block = Block().texture(0, cube_of_faces(), TextureKind.CUBE).stage(0, MAGFILTER=LINEAR, MINFILTER=LINEAR)
    assert np.isfinite(block.lookup(np.zeros((16, 3)))).all()


def test_faces_do_not_filter_across_edges() -> None:
    block = Block().texture(0, cube_of_faces(), TextureKind.CUBE).stage(0, MAGFILTER=LINEAR, MINFILTER=LINEAR)
    got = block.lookup(np.tile((1.0, 0.0, 0.9999), (16, 1)))[0] * 255
    assert got[:3] == pytest.approx([0, 0, 1.5], abs=0.02)


def test_level_of_detail_of_a_cube() -> None:
    faces = [[np.full((32 >> n,) * 2, (n + 1) << 16, np.uint32) for n in range(6)] for _ in range(6)]
    y, x = np.divmod(np.arange(16), 4)
    uvw = np.stack([np.ones(16), y * 0, x * 2 * 4 / 32], -1)  # 4 texels a pixel near the centre of +X
    block = Block().texture(0, faces, TextureKind.CUBE).stage(0, MIPFILTER=POINT)
    assert np.round(block.lookup(uvw)[:2, 0] * 255 - 1).tolist() == [2, 2]


def test_level_of_detail_of_a_volume_counts_depth() -> None:
    volumes = [np.full((32 >> n,) * 3, (n + 1) << 16, np.uint32) for n in range(6)]
    block = Block().texture(0, volumes, TextureKind.VOLUME).coordinates(0, 0.0, 0.0, (0.0, 8 / 32, 0.0))
    block.stage(0, MIPFILTER=POINT, **SELECT_TEXTURE)
    assert level_seen(block) == 3


def test_a_stage_without_texture_gives_opaque_black() -> None:
    assert Block().lookup(np.zeros((16, 3)))[0].tolist() == [0, 0, 0, 1]
