"""Target formats, write mask, dithering."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import Blend
from tests.core.pipeline.raster_kit import BY_NAME, Kit, rectangle
from tests.semantics.kit import LockFlag, Screen

FULL = (-1, -1, 9, 9)
SOURCE, DEST = np.array([0.8, 0.4, 0.2, 0.6]), np.array([0.2, 0.6, 1.0, 0.4])
UNORM = sorted(name for name, row in BY_NAME.items() if row.renderable and row.channels
               and all(kind == "unorm" and channel.upper() in "RGBAX" for channel, _, _, kind in row.channels))  # fmt: skip


def channels(name: str) -> dict[str, tuple[int, int]]:
    return {channel.upper(): (shift, bits) for channel, shift, bits, _ in BY_NAME[name].channels if channel not in "xX"}


def packed(name: str, color: np.ndarray) -> int:
    """Round to nearest in each channel."""
    return sum(int(color["RGBA".index(c)] * (2**bits - 1) + 0.5) << shift for c, (shift, bits) in channels(name).items())


def unpacked(name: str, word: int) -> np.ndarray:
    result = np.ones(4)
    for c, (shift, bits) in channels(name).items():
        result["RGBA".index(c)] = (word >> shift & (1 << bits) - 1) / (2**bits - 1)
    return result


def draw(source: np.ndarray, dest: int, name: str = "A8R8G8B8", **states: int) -> int:
    kit = Kit(color_format=name).set(**states)
    kit.color[:] = dest
    image = kit.draw(rectangle(*FULL, diffuse=tuple(source)))
    assert (image == image[0, 0]).all()
    return int(image[0, 0])


def close(a: int, b: int, name: str = "A8R8G8B8") -> bool:
    """Equal but for one step where the exact value lies at the boundary."""
    return all(abs((a >> s & (1 << n) - 1) - (b >> s & (1 << n) - 1)) <= 1 for s, n in channels(name).values())


def test_without_blending_the_source_replaces_alpha_included():
    assert draw(SOURCE, 0x12345678) == packed("A8R8G8B8", SOURCE)


@pytest.mark.parametrize("name", UNORM)
def test_every_target_format_packs_and_unpacks(name):
    random = np.random.default_rng(5)
    for _ in range(3):
        color = random.integers(0, 256, 4) / 255
        exact = packed(name, np.float32(color).astype(float))
        assert close(draw(color, 0, name), exact, name)
        # unpack: the destination times one stays as it is
        word = draw(color, exact, name, ALPHABLENDENABLE=1, SRCBLEND=Blend.ZERO, DESTBLEND=Blend.ONE)
        assert word == exact
        half = draw(np.ones(4), exact, name, ALPHABLENDENABLE=1, SRCBLEND=Blend.DESTCOLOR, DESTBLEND=Blend.ZERO)
        assert half == exact


def test_formats_under_test_cover_the_renderable_ones():
    assert {"R5G6B5", "X1R5G5B5", "A1R5G5B5", "A4R4G4B4", "A8R8G8B8", "X8R8G8B8"} <= set(UNORM)


@pytest.mark.parametrize("samples", [0, 3])
@pytest.mark.parametrize(("name", "word"), [("L8", 0x40), ("A8", 0xFF), ("A8L8", 0xFF40), ("R8G8B8", 0x408040)])
def test_luminance_is_drawn_as_red_and_pixels_have_any_size(name, word, samples):
    """A target takes the channels that it has; L takes red (Direct3D 9's rule for L8 targets; D3D8 leaves it open)."""
    screen = Screen(depth="", format="X8R8G8B8")
    target = screen.device.CreateRenderTarget(70, 20, BY_NAME[name].id, samples)
    screen.device.SetRenderTarget(target, None)
    screen.clear(0)
    screen.colored(0xFF408040)
    rows = target.LockRect(None, LockFlag.READONLY)
    size = BY_NAME[name].bits // 8
    assert rows.shape == (20, 70 * size) and int.from_bytes(rows[19, 69 * size :].tobytes(), "little") == word


def test_color_write_mask():
    for mask in range(16):
        kept = [0xFF0000, 0xFF00, 0xFF, 0xFF000000]
        expected = sum(bits for i, bits in enumerate(kept) if not mask >> i & 1)
        assert draw(np.zeros(4), 0xFFFFFFFF, COLORWRITEENABLE=mask) == expected


def test_dither_averages_to_the_colour_and_only_below_eight_bits():
    level = 10.4 / 31
    shape = rectangle(*FULL, diffuse=(level, level, level, 1))
    image = Kit(color_format="R5G6B5").set(DITHERENABLE=1).draw(shape)
    red = (image >> 11).astype(float)
    assert set(np.unique(red)) == {10, 11} and abs(red.mean() - 10.4) < 1 / 16
    assert len(np.unique(Kit(color_format="R5G6B5").draw(shape))) == 1
    assert len(np.unique(Kit().set(DITHERENABLE=1).draw(shape))) == 1
