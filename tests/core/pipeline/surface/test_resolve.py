"""From samples to pixels: averages of channels, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from core.pipeline.surface.resolve import expand, resolve
from core.spec.formats import Format
from tests.core.pipeline.raster_kit import BY_NAME

COLORS = sorted(name for name, row in BY_NAME.items() if row.renderable and row.channels
                and all(kind == "unorm" for *_, kind in row.channels))  # fmt: skip
DEPTHS = sorted(name for name, row in BY_NAME.items() if any(kind == "depth" for *_, kind in row.channels))
PIXELS = 64


def channel(words: np.ndarray, shift: int, bits: int) -> list[int]:
    return [int(word) >> shift & (1 << bits) - 1 for word in words]


def samples_of(format: Format, count: int) -> np.ndarray:
    """uint32[count, PIXELS] of random words; the first pixels are all zeros, all ones, and one sample of all ones."""
    words = np.random.default_rng(count).integers(0, 1 << format.bits, (count, PIXELS), dtype=np.uint64).astype(np.uint32)
    words[:, 0], words[:, 1], words[:, 2] = 0, (1 << format.bits) - 1, 0
    words[0, 2] = (1 << format.bits) - 1
    return words


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 16])
@pytest.mark.parametrize("name", COLORS)
def test_each_channel_is_the_nearest_to_the_mean(name, count):
    format = BY_NAME[name]
    words = samples_of(format, count)
    result = resolve(words.ravel(), count, format)
    assert result.shape == (PIXELS,) and result.dtype == np.uint32
    for _, shift, bits, _ in format.channels:
        planes = [channel(plane, shift, bits) for plane in words]
        for got, values in zip(channel(result, shift, bits), zip(*planes, strict=True), strict=True):
            assert abs(got - Fraction(sum(values), count)) <= Fraction(1, 2)


def test_by_hand():
    """R5G6B5: a quarter of 31 is 7.75, a quarter of 63 is 15.75."""
    words = np.array([0xF800, 0x0000, 0x07E0, 0x001F], np.uint32)
    assert resolve(words, 4, BY_NAME["R5G6B5"]).tolist() == [8 << 11 | 16 << 5 | 8]
    assert resolve(np.array([0xFFFF0000, 0xFFFFFFFF], np.uint32), 2, BY_NAME["A8R8G8B8"]).tolist() == [0xFFFF8080]


@pytest.mark.parametrize("name", DEPTHS)
def test_depth_is_that_of_the_first_sample(name):
    words = np.random.default_rng(1).integers(0, 1 << 32, (4, PIXELS), dtype=np.uint32)
    assert (resolve(words.ravel(), 4, BY_NAME[name]) == words[0]).all()


@pytest.mark.parametrize("name", ["A8R8G8B8", "D24S8"])
def test_one_sample_stays_as_it_is_and_is_no_view(name):
    words = np.arange(PIXELS, dtype=np.uint32)
    result = resolve(words, 1, BY_NAME[name])
    assert (result == words).all() and not np.shares_memory(result, words)


@pytest.mark.parametrize("name", COLORS)
def test_spread_and_averaged_is_the_same(name):
    words = samples_of(BY_NAME[name], 1).ravel()
    spread = expand(words, 3)
    assert spread.reshape(3, PIXELS).tolist() == [words.tolist()] * 3
    covered = sum((1 << bits) - 1 << shift for _, shift, bits, _ in BY_NAME[name].channels)
    assert (resolve(spread, 3, BY_NAME[name]) == words & np.uint32(covered)).all()
