"""Surfaces as numbers, their tones and distributions, texels down to the bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector.query.looks.custom import Custom
from inspector.query.looks.look import Look
from inspector.query.looks.texel import PaletteOf, Texel
from inspector.query.looks.tones import Histogram, Tones, distribution, fitting
from inspector.query.looks.values import Numbers, Values, of_rgba8
from tests.inspector.query.looks.surfaces import BLOCKS, BUMP, CUBE, DEPTH, DRAWN_DEPTH, INDEXED, RAMP, VOLUME, last
from tests.scenes import all_scenes, opened


def test_channels_are_what_the_format_stores(known: inspector.Capture) -> None:
    def ask(where: int | Subresource) -> Numbers:
        found: Numbers = known.ask(Values(last(known), where))
        return found

    ramp = ask(RAMP)
    assert list(ramp.planes) == ["r", "g", "b", "a"] and ramp.shape == (2, 256)
    assert np.allclose(ramp.planes["r"][0] * 255, np.arange(256)) and np.allclose(ramp.planes["a"][1] * 255, np.arange(256))
    bump = ask(BUMP)
    assert np.allclose(bump.planes["u"], [[1, 0]]) and np.allclose(bump.planes["v"], [[-1, 64 / 127]])
    assert bump.default_range == (-1, 1) and ramp.default_range == (0, 1)
    assert ask(INDEXED).planes["index"].tolist() == [[0, 1], [16, 255]]
    assert (ask(BLOCKS).rgba == [1, 0, 0, 1]).all()
    depth = ask(DEPTH)
    assert np.allclose(depth.planes["depth"][:, :32], DRAWN_DEPTH, atol=2**-23) and (depth.planes["depth"][:, 32:] == 1).all()
    assert (depth.planes["stencil"] == 0).all() and (depth.rgba[..., 0] == depth.planes["depth"]).all()
    assert ask(Subresource(CUBE, level=1, face=2)).shape == (2, 2)
    assert np.allclose(ask(Subresource(VOLUME, slice=1)).planes["b"] * 255, 40)
    with pytest.raises(BadInput):
        ask(12345)
    with pytest.raises(BadInput):
        ask(Subresource(VOLUME, slice=2))


def test_stored_bytes_are_in_the_order_of_memory(known: inspector.Capture) -> None:
    """A8R8G8B8 has blue first, V8U8 u; D24S8 depth above the stencil."""

    def ask(where: int) -> Numbers:
        found: Numbers = known.ask(Values(last(known), where, raw=True))
        return found

    ramp, channels = ask(RAMP), known.ask(Values(last(known), RAMP)).planes
    assert list(ramp.planes) == ["byte0", "byte1", "byte2", "byte3"]
    for name, plane in zip("bgra", ramp.planes.values(), strict=True):
        assert (plane == np.rint(channels[name] * 255)).all()
    assert np.array_equal(ramp.rgba[..., 0], ramp.planes["byte0"]) and (ramp.rgba[..., 3] == 1).all()
    assert [plane.tolist() for plane in ask(BUMP).planes.values()] == [[[127, 0]], [[129, 64]]]
    indexed = ask(INDEXED)
    assert list(indexed.planes) == ["byte0"] and indexed.rgba[0, 1].tolist() == [1, 1, 1, 1]
    assert (ask(DEPTH).planes["byte3"][:, 32:] == 255).all() and (ask(DEPTH).planes["byte0"] == 0).all()
    bit = known.ask(Custom("floor(byte2 / 4) % 2", Look(last(known), RAMP))).rgba[0, :, 0]
    assert bit.tolist() == [n >> 2 & 1 for n in range(256)]
    with pytest.raises(BadInput, match="blocks of 4 x 4"):
        ask(BLOCKS)


def test_tones_put_black_white_and_gamma_where_they_are_said() -> None:
    values = np.array([-1, 0, 0.25, 0.5, 1, 2, np.nan, np.inf, -np.inf], np.float32)
    assert Tones().shown(values).tolist() == [0, 0, 64, 128, 255, 255, 0, 255, 0]
    assert Tones(-1, 1).shown(values[:5]).tolist() == [0, 128, 159, 191, 255]
    assert Tones(1, 0).shown(values[1:5]).tolist() == [255, 191, 128, 0]
    assert Tones(gamma=2).shown(np.float32([0.25])).tolist() == [128]
    assert Tones(0.5, 0.5).shown(values[:5]).tolist() == [0] * 5
    picture = Tones(0, 0.5).picture(of_rgba8(np.array([[[64, 128, 255, 10]]], np.uint8)))
    assert picture.tolist() == [[[128, 255, 255, 10]]]


def test_a_histogram_counts_each_value_once(known: inspector.Capture) -> None:
    found = known.ask(Histogram(last(known), RAMP, 256, 0.0, 1.0))
    red = found.counts[found.names.index("r")]
    assert red[0] == 1 + 256 and red[1:].tolist() == [1] * 255  # the second row has no red
    assert found.counts.sum(axis=1).tolist() == [512] * 4
    assert found.low.tolist() == [0, 0, 0, 0] and found.high.tolist() == [1, 0, 0, 1]
    bump = known.ask(Histogram(last(known), BUMP))
    assert bump.fitting == (-1, 1) and bump.counts.sum() == 4
    depth = distribution(known.ask(Values(last(known), DEPTH)), 4, names=("depth",))
    assert depth.fitting == pytest.approx((DRAWN_DEPTH, 1)) and depth.counts.tolist() == [[2048, 0, 0, 2048]]
    narrow = known.ask(Histogram(last(known), RAMP, 10, 10.5 / 255, 20.5 / 255))
    assert narrow.counts[0].tolist() == [1] * 10 and narrow.below[0] == 11 + 256 and narrow.above[0] == 235


def test_numbers_that_are_none_stay_out_of_the_fit() -> None:
    plane = np.array([[np.nan, np.inf, -3, 5]], np.float32)
    found = distribution(Numbers(np.zeros((1, 4, 4), np.float32), {"r": plane}))
    assert found.fitting == (-3, 5) and found.odd.tolist() == [2] and found.counts.sum() == 2
    none = distribution(Numbers(np.zeros((1, 1, 4), np.float32), {"r": np.full((1, 1), np.nan, np.float32)}))
    assert none.fitting == (0, 1) and none.counts.sum() == 0
    assert fitting([(0.5, 0.5)]) == (0, 1) and fitting([(7, 7)]) == (0, 7) and fitting([(-2, -2)]) == (-2, 0)


def test_values_at_the_ends_are_inside() -> None:
    plane = np.array([[0, 1, 2, 3, 4]], np.float32)
    found = distribution(Numbers(np.zeros((1, 5, 4), np.float32), {"r": plane}), 2, 1.0, 3.0)
    assert (found.below.tolist(), found.counts.tolist(), found.above.tolist()) == ([1], [[1, 2]], [1])


def test_bins_that_make_no_sense_are_refused(known: inspector.Capture) -> None:
    for bins, low, high in ((0, None, None), (10**6, None, None), (8, 1.0, 1.0), (8, 2.0, 1.0), (8, 0.0, np.nan)):
        with pytest.raises(BadInput):
            known.ask(Histogram(last(known), RAMP, bins, low, high))
    with pytest.raises(BadInput):
        distribution(known.ask(Values(last(known), RAMP)), names=("depth",))


def test_a_texel_has_its_bytes_and_the_place_of_them(known: inspector.Capture) -> None:
    ramp = known.ask(Texel(last(known), 3, 1, RAMP))
    assert (ramp.hex, ramp.offset) == ("00 00 00 03", 256 * 4 + 12)
    assert {name: stored for name, stored, _ in ramp.parts} == {"r": 0, "g": 0, "b": 0, "a": 3}
    bump = known.ask(Texel(last(known), 0, 0, BUMP))
    assert bump.hex == "7f 81" and bump.parts == (("u", 0x7F, 1.0), ("v", 0x81, -1.0))
    block = known.ask(Texel(last(known), 3, 2, BLOCKS))
    assert block.block == (4, 4) and block.hex == "00 f8 1f 00 00 00 00 00" and block.rgba == (1, 0, 0, 1)
    slice = known.ask(Texel(last(known), 1, 2, Subresource(VOLUME, slice=1)))
    assert slice.hex == "28 28 0a ff" and slice.offset == (2 * 4 + 1) * 4
    with pytest.raises(BadInput):
        known.ask(Texel(last(known), 256, 0, RAMP))


def test_a_palette_is_a_picture_of_its_entries(tmp_path: Path, known: inspector.Capture) -> None:
    scene = next(scene for scene in all_scenes() if scene.name == "formats/P8")
    with opened(scene, tmp_path) as capture:
        handle = next(info.handle for info in capture.surfaces(last(capture)) if info.format == "P8")
        found = capture.ask(PaletteOf(last(capture), handle, 3))
        assert found.shape == (48, 48, 4)
        assert found[0, 12:24:3].tolist() == [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 64], [255, 255, 255, 0]]
        indices = capture.ask(Values(last(capture), handle)).planes["index"]
        assert sorted(indices.ravel().tolist()) == [4, 5, 6, 7]
    with pytest.raises(BadInput, match="has no palette"):
        known.ask(PaletteOf(last(known), RAMP))
