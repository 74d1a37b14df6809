"""Packed pixels: as pictures and as numbers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from core.device.memory.half_floats import HALF, rgba8
from core.spec.formats import FORMAT_BY_NAME
from inspector.query.looks.look import changed
from inspector.query.looks.stored import numbers, packed
from inspector.query.looks.tones import Tones
from inspector.query.looks.values import of_rgba8
from ui.models.pixels import (
    Picture,
    argb_of_rgba,
    bytes_at,
    neighbourhood,
    only,
    pixel_value,
    ranged,
    rgba_of_argb,
    thumbnail,
    toned,
)

R5G6B5 = SimpleNamespace(name="R5G6B5", bits=16, channels=(("b", 0, 5, "unorm"), ("g", 5, 6, "unorm"), ("r", 11, 5, "unorm")))
D24S8 = SimpleNamespace(name="D24S8", bits=32, channels=(("d", 8, 24, "depth"), ("s", 0, 8, "stencil")))


def test_bytes_become_words() -> None:
    rgba = np.array([[[0x11, 0x22, 0x33, 0x44]]], np.uint8)
    assert argb_of_rgba(rgba)[0, 0] == 0x44112233


@pytest.mark.parametrize(
    ("visible", "alpha", "word"),
    [
        ("RGB", False, 0xFF112233),
        ("RGBA", True, 0x44112233),
        ("RB", False, 0xFF110033),
        ("G", False, 0xFF222222),
        ("A", False, 0xFF444444),
        ("", False, 0xFF000000),
    ],
)
def test_channels_are_masked_and_one_alone_is_grey(visible: str, alpha: bool, word: int) -> None:
    assert only(np.array([[0x44112233]], np.uint32), visible, alpha)[0, 0] == word


def test_numbers_use_the_channels_own_range() -> None:
    raw = np.array([0x0000, 0x001F, 0x8000], np.uint16)
    assert numbers(raw, ("b", 0, 5, "unorm")).tolist() == [0.0, 1.0, 0.0]
    assert numbers(np.array([0x7F, 0x80, 0xFF], np.uint8), ("u", 0, 8, "snorm")).tolist() == [
        1.0,
        -1.0,
        pytest.approx(-1 / 127),
    ]
    assert numbers(np.array([0xFFFFFF07], np.uint32), ("d", 8, 24, "depth")).tolist() == [1.0]
    assert numbers(np.array([0xFFFFFF07], np.uint32), ("s", 0, 8, "stencil")).tolist() == [7.0]


def test_what_did_not_change_is_faded() -> None:
    before = np.array([[0xFF102030, 0xFFFF8040]], np.uint32)
    after = np.array([[0xFF112030, 0xFFFF8040]], np.uint32)
    shown = changed(before, after)[0].tolist()
    assert shown[0] == 0xFF112030
    assert shown[1] == 0xFF000000 | (0x80 >> 2) * 0x010101
    assert changed(before[:, :1], after) is after


def test_a_range_is_stretched_to_grey() -> None:
    grey = ranged(np.array([[0.0, 0.5, 0.75, 2.0]], np.float32), 0.5, 1.0)
    assert grey.tolist() == [[0xFF000000, 0xFF000000, 0xFF7F7F7F, 0xFFFFFFFF]]
    assert ranged(np.ones((1, 1), np.float32), 1.0, 1.0).tolist() == [[0xFF000000]]


def test_a_pixel_is_told_raw_and_by_channel_red_first() -> None:
    picture = Picture(0, 3, "", np.array([[0xFFFF0000]], np.uint32), np.array([[0xF800]], np.uint16), R5G6B5)
    value = pixel_value(picture, 0, 0)
    assert value is not None
    assert (value.raw, value.digits, value.rgba8) == (0xF800, 4, (255, 0, 0, 255))
    assert value.parts == (("R", 31, 1.0), ("G", 0, 0.0), ("B", 0, 0.0))
    assert pixel_value(picture, 1, 0) is None
    assert pixel_value(picture, 0, -1) is None


def test_depth_and_stencil_are_told_apart() -> None:
    picture = Picture(0, 4, "", np.zeros((1, 1), np.uint32), np.array([[0x80000003]], np.uint32), D24S8)
    value = pixel_value(picture, 0, 0)
    assert picture.is_depth
    assert value is not None
    assert [(name, stored) for name, stored, _ in value.parts] == [("D", 0x800000), ("S", 3)]


def test_thumbnails_show_the_alpha_of_what_has_no_colours() -> None:
    rgba = np.full((8, 8, 4), 255, np.uint8)
    rgba[:, :4, 3] = 0
    masked = thumbnail(rgba)
    assert (masked.pixelColor(2, 20).value(), masked.pixelColor(70, 20).value()) == (0, 255)
    rgba[:, :4, 0] = 10
    assert thumbnail(rgba).pixelColor(2, 20).getRgb() == (10, 255, 255, 255)


def test_beyond_the_edge_there_is_nothing() -> None:
    """A pixel whose alpha is 0 is there, however black it is."""
    argb, opaque = np.arange(12, dtype=np.uint32).reshape(3, 4), 0xFF000000
    assert neighbourhood(argb, 0, 0, 1).tolist() == [[0, 0, 0], [0, opaque, opaque + 1], [0, opaque + 4, opaque + 5]]
    assert neighbourhood(argb, 3, 2, 1).tolist() == [[opaque + 6, opaque + 7, 0], [opaque + 10, opaque + 11, 0], [0, 0, 0]]


def floats(*pixels: tuple[float, float, float, float]) -> Picture:
    """A row of pixels of four halves."""
    stored = np.array(pixels, "<f2").view(np.uint8).reshape(1, -1)
    raw = packed(stored, HALF, len(pixels), 1)
    return Picture(0, 1, "floats", argb_of_rgba(rgba8(stored, len(pixels))), raw, HALF, stored=stored)


def test_floats_are_told_as_they_are() -> None:
    picture = floats((3.5, -0.25, 0.125, 1.0))
    value = pixel_value(picture, 0, 0)
    assert value is not None
    assert [(name, number) for name, _, number in value.parts] == [("R", 3.5), ("G", -0.25), ("B", 0.125), ("A", 1.0)]
    assert (value.raw, value.digits) == (0x3C003000B4004300, 16)
    assert value.rgba8 == (255, 0, 99, 255)  # 0.125 through the sRGB curve: 99.1
    assert picture.words(0, 0) == "3.5\n-0.25\n0.125\n1"
    assert picture.is_float


def test_what_is_black_and_white_of_floats_can_be_chosen() -> None:
    picture = floats((4.0, 2.0, 0.0, 1.0), (np.inf, -np.inf, np.nan, 0.5))
    assert (argb_of_rgba(Tones().picture(picture.numbers)) == picture.argb).all()
    assert toned(picture, Tones()) is picture.argb
    assert toned(picture, Tones(0.0, 4.0))[0].tolist() == [0xFFFFBC00, 0x80FF0000]  # one half through the curve: 187.5
    assert toned(picture, Tones(2.0, 2.0))[0, 0] == 0xFF000000


def test_eight_bits_are_toned_by_a_table_as_others_are_by_numbers() -> None:
    argb = np.random.default_rng(3).integers(0, 1 << 32, (5, 7), np.uint32)
    for tones in (Tones(0.2, 0.7), Tones(1.0, 0.0), Tones(0.0, 1.0, 2.2)):
        slow = argb_of_rgba(tones.picture(of_rgba8(rgba_of_argb(argb))))
        assert (toned(Picture(0, 1, "", argb), tones) == slow).all()


def test_eight_bits_have_no_other_words() -> None:
    assert Picture(0, 1, "", np.zeros((1, 1), np.uint32), np.zeros((1, 1), np.uint16), R5G6B5).words(0, 0) == ""
    deep = Picture(0, 1, "", np.zeros((1, 1), np.uint32), np.full((1, 1), 0x80000005, np.uint32), D24S8)
    assert deep.words(0, 0) == "0.5\n5"
    for name, word, said in (("V8U8", 0x8100, "0\n-1"), ("P8", 0xA2, "162"), ("A8P8", 0xFF07, "1\n7")):
        raw = np.full((1, 1), word, np.uint16 if word > 255 else np.uint8)
        assert Picture(0, 1, "", np.zeros((1, 1), np.uint32), raw, FORMAT_BY_NAME[name]).words(0, 0) == said


def test_compressed_pixels_have_the_bytes_of_their_block() -> None:
    stored = np.arange(2 * 2 * 8, dtype=np.uint8).reshape(2, 16)
    picture = Picture(0, 1, "", np.zeros((8, 8), np.uint32), None, FORMAT_BY_NAME["DXT1"], stored=stored)
    assert bytes_at(picture, 3, 3) == "00 01 02 03 04 05 06 07   (block of 4 × 4)"
    assert bytes_at(picture, 4, 7).startswith("18 19 1a 1b")
    assert bytes_at(Picture(0, 1, "", np.zeros((8, 8), np.uint32)), 0, 0) == ""
