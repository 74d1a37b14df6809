"""Blt with colour keys, stretching and conversion; DXT packing; the colour key of a texture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.pipeline.surface.formats.texels import decode_float, encode
from core.spec.enums import DdBlt
from core.spec.formats import FORMAT_BY_NAME
from core.spec.subresource import Subresource
from tests.reference import formats, texels
from tests.reference.dxt import BLOCK_BYTES, texel
from tests.reference.texture import level_bytes
from tests.semantics.kit import UV, Fvf, Screen

KEY = 0xF81F


class Blitter:
    """A driver with surfaces by handle."""

    def __init__(self) -> None:
        self.driver = EmulatedDriver()

    def __call__(self, entry: str, data: dict[str, Any] | None = None, result: int = 0, **args: Any) -> None:
        call = self.driver.call(DdiCall(entry, args, data or {}))
        assert bool(call.result) == bool(result), [f.text for f in self.driver.findings]

    def surface(self, handle: int, format: str, pixels: np.ndarray, **more: Any) -> None:
        """pixels: packed, [(slices,) rows, columns]"""
        height, width = pixels.shape[-2:]
        depth = pixels.shape[0] if pixels.ndim == 3 else 0
        self("CreateSurface", handle=handle, width=width, height=height, depth=depth, format=FORMAT_BY_NAME[format].id, **more)
        self("Lock", handle=handle, box=None, flags=0)
        self("Unlock", {"contents": np.ascontiguousarray(pixels).tobytes()}, handle=handle, box=None)

    def read(self, handle: int, form: str, slice: int = 0) -> np.ndarray:
        return self.driver.read(Subresource(handle, slice=slice))[0].view(form)


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("format", ["R5G6B5", "A8R8G8B8"])
def test_source_key_with_stretching_and_conversion(scale: int, format: str) -> None:
    blitter = Blitter()
    source = np.array([[0xF800, KEY], [0x07E0, 0x001F]], np.uint16)
    words, form = source, "<u2"
    if format == "A8R8G8B8":
        words, form = np.array([[0xFFFF0000, 0], [0xFF00FF00, 0xFF0000FF]], np.uint32), "<u4"
    blitter.surface(1, "R5G6B5", source)
    blitter.surface(2, format, np.full((2 * scale, 2 * scale), 0x1234, words.dtype))
    blitter("SetColorKey", handle=1, flags=8, low=KEY, high=KEY)
    blitter("Blt", destination=2, source=1, destination_box=None, source_box=None, flags=int(DdBlt.KEYSRC))
    expected = words.copy()
    expected[0, 1] = 0x1234
    np.testing.assert_array_equal(blitter.read(2, form), expected.repeat(scale, 0).repeat(scale, 1))


def test_destination_key_says_what_may_be_written() -> None:
    blitter = Blitter()
    blitter.surface(1, "R5G6B5", np.arange(8, dtype=np.uint16).reshape(2, 4))
    held = np.array([[5, 90, 91, 5], [92, 5, 5, 93]], np.uint16)
    blitter.surface(2, "R5G6B5", held)
    blitter("SetColorKey", handle=2, flags=2, low=90, high=92)
    blitter("Blt", destination=2, source=1, destination_box=None, source_box=None, flags=int(DdBlt.KEYDEST))
    expected = np.where((held >= 90) & (held <= 92), np.arange(8).reshape(2, 4), held)
    np.testing.assert_array_equal(blitter.read(2, "<u2"), expected)
    blitter("Blt", result=1, destination=2, source=1, destination_box=None, source_box=None, flags=int(DdBlt.KEYSRC))


def test_conversion_of_all_slices() -> None:
    blitter = Blitter()
    source = np.arange(4 * 2 * 2, dtype=np.uint16).reshape(4, 2, 2) << 11
    blitter.surface(1, "R5G6B5", source)
    blitter.surface(2, "A8R8G8B8", np.zeros((2, 2, 2), np.uint32))
    blitter("Blt", destination=2, source=1, destination_box=None, source_box=(0, 0, 2, 2, 1, 3), flags=0)
    for n in (0, 1):
        red = source[n + 1].astype(np.int64) >> 11
        np.testing.assert_array_equal(blitter.read(2, "<u4", n), 0xFF000000 | (red * 510 + 31) // 62 << 16)


# ---- DXT ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["DXT1", "DXT2", "DXT3", "DXT4", "DXT5"])
def test_dxt_of_two_colours_comes_back(name: str) -> None:
    """Blocks of two representable colours are exact, also at the edge of a picture that is not a multiple of 4."""
    rng = np.random.default_rng(3)
    ends = np.array([[255, 0, 0, 255], [0, 255, 255, 255], [0, 0, 0, 255], [255, 255, 255, 255]]) / 255
    picks = rng.integers(0, 2, (6, 10)) + 2 * (np.arange(10) // 4 == 1)
    rgba = ends[picks]
    rows = encode(FORMAT_BY_NAME[name], rgba)
    back = decode_float(FORMAT_BY_NAME[name], rows.reshape(-1), 10, 6)[0]
    np.testing.assert_allclose(back, rgba, atol=1 / 510)


@pytest.mark.parametrize("name", ["DXT1", "DXT3", "DXT5"])
def test_dxt_of_gradients_stays_near_for_an_independent_decoder(name: str) -> None:
    y, x = np.mgrid[0:16, 0:16] / 15
    t = (x + y) / 2
    rgba = np.stack([t, 1 - t, t * t, np.where(name == "DXT1", 1.0, x)], -1)
    blocks = encode(FORMAT_BY_NAME[name], rgba)
    format = FORMAT_BY_NAME[name].id
    size = BLOCK_BYTES[format]
    cut = [[blocks[row, size * n : size * (n + 1)].tobytes() for n in range(4)] for row in range(4)]
    back = np.array([[texel(format, cut[i // 4][j // 4], j % 4, i % 4) for j in range(16)] for i in range(16)])
    assert np.abs(back - rgba).max() < 0.13 and np.abs(back - rgba).mean() < 0.03


def test_dxt1_keeps_holes() -> None:
    rgba = np.ones((4, 4, 4))
    rgba[1, 2, 3] = rgba[3, 0, 3] = 0.2
    back = decode_float(FORMAT_BY_NAME["DXT1"], encode(FORMAT_BY_NAME["DXT1"], rgba).reshape(-1), 4, 4)[0]
    np.testing.assert_array_equal(back[..., 3], rgba[..., 3] >= 0.5)


# ---- texture colour key -------------------------------------------------------------------------------------------


def keyed(filter: int, blend: int) -> Screen:
    """A red and green chequered texture, four texels a pixel wide, whose red is keyed."""
    screen = Screen().rs(COLORKEYENABLE=1, COLORKEYBLENDENABLE=blend, ALPHABLENDENABLE=blend, SRCBLEND=5, DESTBLEND=6)
    chequers = np.where(np.indices((4, 4)).sum(0) % 2, 0xFF00FF00, 0xFFFF0000)
    texture = screen.texture(chequers)
    screen.device.SetTexture(0, texture)
    key = {"handle": texture.resource.handle, "flags": 8, "low": 0xFFFF0000, "high": 0xFFFF0000}
    screen.driver.call(DdiCall("SetColorKey", key))
    screen.tss(COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2, ADDRESSU=3, ADDRESSV=3)
    screen.tss(MINFILTER=filter, MAGFILTER=filter).clear(0xFF0000FF)
    return screen.quad([*UV], fvf=Fvf.XYZ | Fvf.TEX1)


def test_keyed_texels_are_not_drawn() -> None:
    picture = keyed(1, 0).picture() & 0xFFFFFF
    expected = np.where(np.indices((4, 4)).sum(0) % 2, 0xFF00, 0xFF).repeat(4, 0).repeat(4, 1)
    np.testing.assert_array_equal(picture, expected)


def test_a_filtered_key_discards_what_is_mostly_keyed_or_fades_it() -> None:
    cut, faded = keyed(2, 0).rgba(), keyed(2, 1).rgba()
    cell = np.arange(16) / 4 - 0.5
    near, part = np.clip(np.floor(cell), 0, 3), cell - np.floor(cell)
    weights = np.zeros((16, 4))
    for n in range(16):
        weights[n, int(near[n]) if cell[n] >= 0 else 0] += 1 - part[n]
        weights[n, min(int(np.floor(cell[n])) + 1, 3)] += part[n]
    visible = weights @ (np.indices((4, 4)).sum(0) % 2) @ weights.T
    np.testing.assert_array_equal(cut[..., 2] == 0, visible >= 0.5)
    assert np.abs(faded[..., 1] - 255 * visible * visible).max() <= 2  # the green texels, faded by their share
    assert np.abs(faded[..., 2] - 255 * (1 - visible)).max() <= 2


@pytest.mark.parametrize(("op", "drawn"), [(2, False), (1, True)])
def test_a_texture_is_keyed_though_its_stage_does_not_read_it(op: int, drawn: bool) -> None:
    """docs/decisions.md; a disabled stage has no texture."""
    screen = Screen().rs(COLORKEYENABLE=1).tss(COLOROP=op, COLORARG1=0)
    texture = screen.texture(np.full((4, 4), 0xFF00FF00))
    screen.device.SetTexture(0, texture)
    screen.driver.call(DdiCall("SetColorKey", {"handle": texture.resource.handle, "flags": 8, "low": 0xFF00FF00}))
    screen.clear(0xFF0000FF).quad([(0xFFFF0000, u, v) for u, v in UV], fvf=Fvf.XYZ | Fvf.DIFFUSE | Fvf.TEX1)
    assert screen.rgb() == (0xFF0000 if drawn else 0x0000FF)


def test_the_border_colour_is_never_keyed() -> None:
    """It is no texel, whatever its alpha."""
    screen = Screen().rs(COLORKEYENABLE=1).tss(COLOROP=2, COLORARG1=2, ADDRESSU=4, ADDRESSV=4, BORDERCOLOR=0x00FFFF00)
    texture = screen.texture(np.full((4, 4), 0xFF00FF00))
    screen.device.SetTexture(0, texture)
    screen.driver.call(DdiCall("SetColorKey", {"handle": texture.resource.handle, "flags": 8, "low": 0, "high": 0x00FFFFFF}))
    screen.clear(0xFF0000FF).quad([(u + 1, v) for u, v in UV], fvf=Fvf.XYZ | Fvf.TEX1)
    assert screen.rgb() == 0xFFFF00


# ---- every format -------------------------------------------------------------------------------------------------


LUMINANCE = np.array([0.2125, 0.7154, 0.0721])
SOURCES = [*texels.NARROW, *texels.WIDE_TEXTURES, *texels.BUMPS, *texels.SIGNED, *texels.VIDEO, *BLOCK_BYTES]


def noise(format: int, width: int, height: int) -> tuple[bytes, np.ndarray]:
    """A picture of random bytes, and its colours as the reference reads them: float64[height, width, 4]."""
    data = np.random.default_rng(format).bytes(level_bytes(format, width, height))
    if format in texels.NARROW:  # a copy keeps what a texture, held with 8 bits a channel, does not
        words = np.frombuffer(data, np.uint8).reshape(-1, texels.size(format)) @ (256 ** np.arange(texels.size(format)))
        return data, np.array([formats.unpack(texels.NARROW[format], int(w)) for w in words]).reshape(height, width, 4)
    if format in BLOCK_BYTES:
        size, across = BLOCK_BYTES[format], width // 4
        blocks = [data[n : n + size] for n in range(0, len(data), size)]
        rgba = [texel(format, blocks[y // 4 * across + x // 4], x % 4, y % 4) for y in range(height) for x in range(width)]
    else:
        rgba = [texels.texel(format, data, n, ()) for n in range(width * height)]
    return data, np.array(rgba).reshape(height, width, 4)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("target", [*formats.TARGETS])
def test_blt_converts_every_format_and_stretches(target: int, linear: bool) -> None:
    """Each channel of the nearest texel (or of four, blended) is rounded to the target's; those that it lacks stay 0.

    Luminance is that of BT.709 (docs/decisions.md).
    """
    blitter, made, size = Blitter(), formats.TARGETS[target], (6, 12)
    x, y = (2 * np.arange(size[0]) + 1) * 8 // (2 * size[0]), (2 * np.arange(size[1]) + 1) * 4 // (2 * size[1])
    for handle, source in enumerate(SOURCES, 10):
        data, rgba = noise(source, 8, 4)
        for number, format, shape in ((handle, source, (8, 4)), (1, target, size)):
            blitter("CreateSurface", handle=number, width=shape[0], height=shape[1], format=format)
        blitter("Lock", handle=handle, box=None, flags=0)
        blitter("Unlock", {"contents": data}, handle=handle, box=None)
        filter = {"filter": "linear"} if linear else {}
        blitter("Blt", destination=1, source=handle, destination_box=None, source_box=None, flags=0, **filter)
        octets = blitter.read(1, "u1").reshape(size[1], -1)[:, : size[0] * made.bytes].reshape(size[1], size[0], -1)
        words = sum(octets[..., n].astype(np.int64) << 8 * n for n in range(made.bytes))
        wanted = blended(rgba, *size) if linear else rgba[y[:, None], x]
        for n, channel in enumerate(made.channels):
            if channel is not None:
                value = wanted[..., :3] @ LUMINANCE if target in (50, 51) and n == 0 else wanted[..., n]
                exact = np.clip(value, 0, 1) * channel.top
                assert np.abs((words >> channel.shift & channel.top) - exact).max() <= 0.5 + 2e-3, (source, target, "rgba"[n])
                words = words & ~(channel.top << channel.shift)
        assert not np.any(words), (source, target)


def blended(rgba: np.ndarray, width: int, height: int) -> np.ndarray:
    """Bilinear, edges clamped: along x, then along y."""

    def along(values: np.ndarray, count: int) -> np.ndarray:
        at = np.clip((np.arange(count) + 0.5) * len(values) / count - 0.5, 0, len(values) - 1)
        low = np.minimum(at.astype(int), len(values) - 2)
        part = (at - low)[:, None, None]
        return values[low] * (1 - part) + values[low + 1] * part

    return along(along(rgba, height).swapaxes(0, 1), width).swapaxes(0, 1)


@pytest.mark.parametrize("format", [*texels.NARROW, *texels.WIDE_TEXTURES, *texels.BUMPS, *texels.SIGNED, *texels.PALETTED])
def test_a_colour_fill_is_a_pixel_of_the_format(format: int) -> None:
    """DDBLTFX.dwFillColor: as it is stored; nothing beside the box."""
    blitter, size = Blitter(), texels.size(format)
    blitter("CreateSurface", handle=1, width=7, height=5, format=format)
    blitter("Blt", destination=1, destination_box=(2, 1, 5, 4), flags=int(DdBlt.COLORFILL), color=0xA1B2C3D4)
    octets = blitter.read(1, "u1").reshape(5, -1)[:, : 7 * size].reshape(5, 7, size)
    expected = np.zeros((5, 7, size), np.uint8)
    expected[1:4, 2:5] = [0xA1B2C3D4 >> 8 * n & 0xFF for n in range(size)]
    np.testing.assert_array_equal(octets, expected)
