"""Every texel format against a small decoder of its own, DXT against Pillow, packing against unpacking."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.pipeline.records.texture import TEXEL_RGBA8, TEXTURE, TextureKind
from core.pipeline.surface.formats.texels import (
    can_encode,
    decode,
    decode_float,
    describe_texture,
    encode,
    sampler_form,
    texel_words,
    to_rgba8,
    widen,
)
from core.spec.formats import FORMATS

BY_NAME = {row.name: row for row in FORMATS.values()}


def un(value: int, shift: int, bits: int) -> float:
    return (value >> shift & (1 << bits) - 1) / ((1 << bits) - 1)


def sn(value: int, shift: int, bits: int) -> float:
    code = value >> shift & (1 << bits) - 1
    if code >> bits - 1:
        return max((code - (1 << bits)) / (16 if bits == 5 else (1 << bits - 1) - 1), -1.0)
    return code / ((1 << bits - 1) - 1)


# format -> r, g, b, a of a pixel's number; written out from the D3DFORMAT documentation
DECODERS = {
    "R8G8B8": lambda p: (un(p, 16, 8), un(p, 8, 8), un(p, 0, 8), 1),
    "A8R8G8B8": lambda p: (un(p, 16, 8), un(p, 8, 8), un(p, 0, 8), un(p, 24, 8)),
    "X8R8G8B8": lambda p: (un(p, 16, 8), un(p, 8, 8), un(p, 0, 8), 1),
    "R5G6B5": lambda p: (un(p, 11, 5), un(p, 5, 6), un(p, 0, 5), 1),
    "X1R5G5B5": lambda p: (un(p, 10, 5), un(p, 5, 5), un(p, 0, 5), 1),
    "A1R5G5B5": lambda p: (un(p, 10, 5), un(p, 5, 5), un(p, 0, 5), un(p, 15, 1)),
    "A4R4G4B4": lambda p: (un(p, 8, 4), un(p, 4, 4), un(p, 0, 4), un(p, 12, 4)),
    "R3G3B2": lambda p: (un(p, 5, 3), un(p, 2, 3), un(p, 0, 2), 1),
    "A8": lambda p: (0, 0, 0, un(p, 0, 8)),
    "A8R3G3B2": lambda p: (un(p, 5, 3), un(p, 2, 3), un(p, 0, 2), un(p, 8, 8)),
    "X4R4G4B4": lambda p: (un(p, 8, 4), un(p, 4, 4), un(p, 0, 4), 1),
    "A2B10G10R10": lambda p: (un(p, 0, 10), un(p, 10, 10), un(p, 20, 10), un(p, 30, 2)),
    "G16R16": lambda p: (un(p, 0, 16), un(p, 16, 16), 1, 1),
    "L8": lambda p: (un(p, 0, 8),) * 3 + (1,),
    "A8L8": lambda p: (un(p, 0, 8),) * 3 + (un(p, 8, 8),),
    "A4L4": lambda p: (un(p, 0, 4),) * 3 + (un(p, 4, 4),),
    "V8U8": lambda p: (sn(p, 0, 8), sn(p, 8, 8), 1, 1),
    "L6V5U5": lambda p: (sn(p, 0, 5), sn(p, 5, 5), un(p, 10, 6), 1),
    "X8L8V8U8": lambda p: (sn(p, 0, 8), sn(p, 8, 8), un(p, 16, 8), 1),
    "Q8W8V8U8": lambda p: (sn(p, 0, 8), sn(p, 8, 8), sn(p, 16, 8), sn(p, 24, 8)),
    "V16U16": lambda p: (sn(p, 0, 16), sn(p, 16, 16), 1, 1),
    "W11V11U10": lambda p: (sn(p, 0, 10), sn(p, 10, 11), sn(p, 21, 11), 1),
    "A2W10V10U10": lambda p: (sn(p, 0, 10), sn(p, 10, 10), sn(p, 20, 10), un(p, 30, 2)),
    "D16_LOCKABLE": lambda p: (un(p, 0, 16),) * 3 + (1,),
    "D16": lambda p: (un(p, 0, 16),) * 3 + (1,),
    "D32": lambda p: (un(p, 0, 32),) * 3 + (1,),
    "D15S1": lambda p: (un(p, 1, 15),) * 3 + (1,),
    "D24S8": lambda p: (un(p, 8, 24),) * 3 + (1,),
    "D24X8": lambda p: (un(p, 8, 24),) * 3 + (1,),
    "D24X4S4": lambda p: (un(p, 8, 24),) * 3 + (1,),
}
OTHERS = {"A8P8", "P8", "UYVY", "YUY2", "DXT1", "DXT2", "DXT3", "DXT4", "DXT5"}
WIDTH, HEIGHT, PITCH = 5, 3, 32


def padded_image(size: int, seed: int = 1) -> np.ndarray:
    """three rows of five pixels in a pitch of 32 bytes, with the extreme codes in front"""
    data = np.random.default_rng(seed).integers(0, 256, PITCH * HEIGHT, np.uint8)
    data[: size * 2] = [0] * size + [255] * size
    data[size * 3 - 1], data[size * 2 : size * 3 - 1] = 0x80, 0  # the most negative code
    return data


def pixels_of(data: np.ndarray, size: int) -> list[list[int]]:
    def pixel(x: int, y: int) -> int:
        return int.from_bytes(data[y * PITCH + x * size :][:size].tobytes(), "little")

    return [[pixel(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]


def test_every_format_is_tested() -> None:
    assert {row.name for row in FORMATS.values() if row.family != "buffer" and row.id} <= set(DECODERS) | OTHERS


@pytest.mark.parametrize("name", DECODERS)
def test_decode_follows_the_documentation(name: str) -> None:
    row = BY_NAME[name]
    data = padded_image(row.bits // 8)
    expected = np.array([[DECODERS[name](p) for p in line] for line in pixels_of(data, row.bits // 8)])
    exact = decode_float(row, data, WIDTH, HEIGHT, pitch=PITCH)
    assert np.abs(exact[0] - expected).max() < 1e-7
    sampled = decode(row, data, WIDTH, HEIGHT, pitch=PITCH)
    assert sampled.dtype == (np.uint32 if sampler_form(row) == TEXEL_RGBA8 else np.float32)
    assert np.abs(widen(sampled)[0] - expected).max() <= 0.5 / 255 + 1e-6


@pytest.mark.parametrize("name", DECODERS)
def test_display_maps_signed_channels_to_bytes(name: str) -> None:
    row = BY_NAME[name]
    data = padded_image(row.bits // 8, 2)
    signed = [kind == "snorm" for kind in ("snorm" if row.family == "bump" else "unorm",) * 4]
    signed[2:] = [name in ("Q8W8V8U8", "W11V11U10", "A2W10V10U10"), name == "Q8W8V8U8"]
    expected = np.array([[DECODERS[name](p) for p in line] for line in pixels_of(data, row.bits // 8)])
    expected = np.where(signed, expected / 2 + 0.5, expected) * 255
    shown = to_rgba8(row, data, WIDTH, HEIGHT, pitch=PITCH)
    assert shown.shape == (1, HEIGHT, WIDTH, 4) and shown.flags.c_contiguous
    assert np.abs(shown[0] - expected).max() <= 0.51


@pytest.mark.parametrize("name", [name for name in DECODERS if can_encode(BY_NAME[name]) and not name.startswith("D")])
def test_packing_undoes_unpacking(name: str) -> None:
    row = BY_NAME[name]
    data = padded_image(row.bits // 8, 3)
    rgba = decode_float(row, data, WIDTH, HEIGHT, pitch=PITCH)[0]
    again = encode(row, rgba).reshape(-1)
    assert np.array_equal(decode_float(row, again, WIDTH, HEIGHT)[0], rgba)


def test_packing_rounds_to_nearest_and_clamps() -> None:
    rgba = np.array([[[-1.0, 2.0, 0.49, 1.0], [0.5, 0.5, 0.5, 0.5]]])
    assert encode(BY_NAME["R5G6B5"], rgba).tobytes() == struct.pack("<HH", 63 << 5 | 15, 16 << 11 | 32 << 5 | 16)
    assert encode(BY_NAME["V8U8"], rgba).tobytes() == bytes([0x81, 0x7F, 0x40, 0x40])


def test_luminance_of_a_colour() -> None:
    assert encode(BY_NAME["L8"], np.array([[[0.0, 1.0, 0.0, 1.0]]]))[0, 0] == round(0.7154 * 255)


# ---- palettes --------------------------------------------------------------------------------------

PALETTE = np.random.default_rng(7).integers(0, 1 << 32, 256, np.uint32)


def test_palette_alpha_comes_from_the_palette_or_the_texel() -> None:
    plain = decode(BY_NAME["P8"], np.array([3, 200], np.uint8), 2, 1, palette=PALETTE)
    assert plain.tolist() == [[[PALETTE[3], PALETTE[200]]]]
    both = decode(BY_NAME["A8P8"], np.array([3, 0x11, 200, 0xFE], np.uint8), 2, 1, palette=PALETTE)
    assert both.tolist() == [[[PALETTE[3] & 0xFFFFFF | 0x11000000, PALETTE[200] & 0xFFFFFF | 0xFE000000]]]


def test_packing_finds_the_nearest_entry() -> None:
    palette = np.array([0xFF000000, 0xFFFF0000, 0xFF00FF00] + [0xFF0000FF] * 253, np.uint32)
    rgba = np.array([[[0.9, 0.1, 0.0, 1.0], [0.1, 0.0, 0.1, 1.0], [0.2, 0.8, 0.1, 1.0]]])
    assert encode(BY_NAME["P8"], rgba, palette).tolist() == [[1, 0, 2]]


# ---- YUV -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "order"), [("UYVY", "uyvY"), ("YUY2", "yuYv")])
def test_yuv_is_bt601(name: str, order: str) -> None:
    samples = {"y": 16, "Y": 235, "u": 128, "v": 128}
    data = np.array([samples[letter] for letter in order], np.uint8)
    assert to_rgba8(BY_NAME[name], data, 2, 1)[0, 0].tolist() == [[0, 0, 0, 255], [255, 255, 255, 255]]
    samples = {"y": 81, "Y": 81, "u": 90, "v": 240}  # BT.601's red
    data = np.array([samples[letter] for letter in order], np.uint8)
    assert np.abs(to_rgba8(BY_NAME[name], data, 2, 1)[0, 0, 1].astype(int) - [255, 0, 0, 255]).max() <= 2


@pytest.mark.parametrize("name", ["UYVY", "YUY2"])
def test_yuv_packs_pairs(name: str) -> None:
    rgba = np.repeat(np.random.default_rng(4).random((2, 2, 4)), 2, axis=1)
    rgba[..., 3] = 1.0
    again = decode_float(BY_NAME[name], encode(BY_NAME[name], rgba).reshape(-1), 4, 2)[0]
    assert np.abs(again - rgba).max() < 0.02
    odd = decode_float(BY_NAME[name], encode(BY_NAME[name], rgba[:, :3]).reshape(-1), 3, 2)[0]
    assert np.abs(odd - rgba[:, :3]).max() < 0.02


# ---- blocks ----------------------------------------------------------------------------------------


def pillow(code: bytes, data: bytes, width: int, height: int) -> np.ndarray:
    """a DDS file in memory, decoded by Pillow"""
    header = struct.pack("<4s7I44x", b"DDS ", 124, 0x81007, height, width, len(data), 0, 0)
    header += struct.pack("<II4s20x", 32, 4, code) + struct.pack("<I16x", 0x1000)
    with Image.open(io.BytesIO(header + data)) as image:
        return np.asarray(image.convert("RGBA")).astype(int)


@pytest.mark.parametrize("name", ["DXT1", "DXT2", "DXT3", "DXT4", "DXT5"])
def test_blocks_agree_with_pillow(name: str) -> None:
    code = {"DXT2": b"DXT3", "DXT4": b"DXT5"}.get(name, name.encode())
    data = np.random.default_rng(9).integers(0, 256, 16 * 16 * BY_NAME[name].block[2], np.uint8)
    ours = to_rgba8(BY_NAME[name], data, 64, 64)[0].astype(int)
    assert np.abs(ours - pillow(code, data.tobytes(), 64, 64)).max() <= 3


def test_dxt1_with_descending_ends_has_transparent_black() -> None:
    block = struct.pack("<HHI", 0x001F, 0xF800, 0b11_10_01_00)
    assert to_rgba8(BY_NAME["DXT1"], np.frombuffer(block, np.uint8), 4, 1)[0, 0].tolist() == [
        [0, 0, 255, 255], [255, 0, 0, 255], [128, 0, 128, 255], [0, 0, 0, 0]]  # fmt: skip


def test_blocks_are_cut_at_the_image() -> None:
    data = np.zeros(8 * 2, np.uint8)
    assert decode(BY_NAME["DXT1"], data, 5, 2).shape == (1, 2, 5)


# ---- sizes -----------------------------------------------------------------------------------------


def test_slices_of_a_volume() -> None:
    data = np.arange(2 * 64, dtype=np.uint8)
    volume = decode_float(BY_NAME["L8"], data, 3, 2, 2, pitch=8, slice_pitch=64)
    assert np.allclose(volume[..., 0] * 255, [[[0, 1, 2], [8, 9, 10]], [[64, 65, 66], [72, 73, 74]]])


def test_short_data_is_refused_with_a_reason() -> None:
    with pytest.raises(BadInput, match="A8R8G8B8 4x4x1 at pitch 16 needs 64 bytes, 63 given"):
        decode(BY_NAME["A8R8G8B8"], np.zeros(63, np.uint8), 4, 4)
    with pytest.raises(BadInput, match="cannot be packed"):
        encode(BY_NAME["VERTEXDATA"], np.zeros((4, 4, 4)))


def test_the_record_has_safe_starts_everywhere() -> None:
    record = np.zeros(1, TEXTURE)
    given = np.array([[10 * f, 10 * f + 5] for f in range(6)])
    describe_texture(record[0], TextureKind.CUBE, BY_NAME["V8U8"], (8, 8, 1), given, 1)
    starts = record["start"][0].reshape(6, -1)
    assert starts[:, :2].tolist() == [[10 * f, 10 * f + 5] for f in range(6)]
    assert (starts[:, 2:] == 5).all()
    assert (record["levels"][0], record["power_of_two"][0], record["lod"][0], texel_words(BY_NAME["V8U8"])) == (2, 1, 1, 4)
