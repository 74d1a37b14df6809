"""Texels: the sampler's form of textures, and conversion to and from every Direct3D 8 format.

A texture lives in one heap, ``memory: uint32[:]``. Each level of each face is a plain row-major array of texels at a word
offset (a volume level: its slices one after another, no padding). Two forms:

* ``TEXEL_RGBA8``   one word a texel, A8R8G8B8 (alpha in bits 31..24); for every format whose channels are unsigned and at most
  8 bits wide. Narrower channels are rounded to the nearest of the 256 values (error <= 1/510), as the hardware of the time did.
* ``TEXEL_RGBA32F`` four words a texel, float32 r g b a; for signed, wide and depth formats.

Sources: DX8 SDK D3DFORMAT; semantics section 10. Missing channels: alpha 1; L -> (l, l, l); A8 -> (0, 0, 0, a);
bump formats (u, v, w or luminance or 1, q or a or 1); depth (z, z, z, 1).

Signed components of n bits are s / (2**(n-1) - 1), at least -1. The 5-bit ones of L6V5U5 are s / 16 where negative: Windows
drivers do so, says Wine's test_signed_formats (-12 and -15 are -0.75 and -0.94)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.pipeline.records.texture import MAX_LEVELS, TEXEL_RGBA8, TEXEL_RGBA32F, TextureKind
from core.pipeline.surface.formats.block_encode import encode_blocks
from core.pipeline.surface.formats.blocks import BLOCK_DECODERS

if TYPE_CHECKING:
    from core.spec.formats import Format

RED, GREEN, BLUE, ALPHA = range(4)
# Where a format's channel goes. "l" is red = green = blue, but blue in a bump format.
TARGET = {"r": (RED,), "g": (GREEN,), "b": (BLUE,), "a": (ALPHA,), "l": (RED, GREEN, BLUE), "u": (RED,), "v": (GREEN,),
          "w": (BLUE,), "q": (ALPHA,), "d": (RED, GREEN, BLUE), "z": (RED, GREEN, BLUE)}  # fmt: skip
# D3DX8's weights: luminance of a colour that goes into an L format.
LUMINANCE = np.array([0.2125, 0.7154, 0.0721])


# ---- the record ----------------------------------------------------------------------------------


def describe_texture(record: np.ndarray, kind: TextureKind, format: Format, size: tuple[int, int, int], starts: np.ndarray,
                     lod: int = 0) -> None:  # fmt: skip
    """Fills a TEXTURE record (``texture[()]`` or an array's element).

    size: width, height, depth of level 0. starts: word offsets, int32[faces, levels] as given out by the heap's owner."""
    starts = np.atleast_2d(np.asarray(starts, np.int32))
    record["kind"], record["form"], record["levels"] = kind, sampler_form(format), starts.shape[1]
    record["width"], record["height"], record["depth"] = size
    record["power_of_two"] = all(n & (n - 1) == 0 for n in size)
    record["lod"] = lod
    table = np.zeros((6, MAX_LEVELS), np.int32)
    table[:, :] = starts[0, -1]  # levels and faces that are not there read the smallest level: never a wild address
    table[: starts.shape[0], : starts.shape[1]] = starts
    record["start"] = table.reshape(-1)


# ---- what a format row says ------------------------------------------------------------------------


@lru_cache
def channels_of(format: Format) -> dict[str, tuple[int, int, str]]:
    """channel letter -> shift, bits, kind; X and stencil left out"""
    return {name.lower(): (shift, bits, kind) for name, shift, bits, kind in format.channels
            if name.lower() != "x" and kind != "stencil"}  # fmt: skip


def is_signed(format: Format) -> bool:
    return any(kind == "snorm" for _, _, kind in channels_of(format).values())


@lru_cache
def sampler_form(format: Format) -> int:
    """TEXEL_RGBA8 where 8 unsigned bits a channel hold the format, else TEXEL_RGBA32F"""
    if format.name in BLOCK_DECODERS or format.name in YUV_ORDER:
        return TEXEL_RGBA8
    narrow = all(bits <= 8 and kind in ("unorm", "palette") for _, bits, kind in channels_of(format).values())
    return TEXEL_RGBA8 if narrow else TEXEL_RGBA32F


def texel_words(format: Format) -> int:
    """heap words of one texel in sampler form"""
    return 4 if sampler_form(format) == TEXEL_RGBA32F else 1


# ---- reading ---------------------------------------------------------------------------------------


def decode(format: Format, data: np.ndarray, width: int, height: int, depth: int = 1, pitch: int | None = None,
           slice_pitch: int | None = None, palette: np.ndarray | None = None) -> np.ndarray:  # fmt: skip
    """A subresource in sampler form, ready to be stored in the heap.

    data: its bytes, rows (of blocks) at pitch, slices at slice_pitch; default: packed. palette: uint32[256] A8R8G8B8.
    Returns uint32[depth, height, width] (TEXEL_RGBA8) or float32[depth, height, width, 4] (TEXEL_RGBA32F).
    Raises BadInput when data is too short."""
    rows = rows_of(format, data, width, height, depth, pitch, slice_pitch)
    if format.name in BLOCK_DECODERS:
        return BLOCK_DECODERS[format.name](rows, width, height)
    if format.name in YUV_ORDER:
        return decode_yuv(rows, width, YUV_ORDER[format.name])
    words = words_of(rows, format.bits // 8, width)
    if "p" in channels_of(format):
        return decode_palette(format, words, palette)
    if sampler_form(format) == TEXEL_RGBA8:
        return decode_narrow(format, words)
    return decode_wide(format, words)


def decode_float(format: Format, data: np.ndarray, width: int, height: int, depth: int = 1, pitch: int | None = None,
                 slice_pitch: int | None = None, palette: np.ndarray | None = None) -> np.ndarray:  # fmt: skip
    """As decode, but float32[depth, height, width, 4] for every format; narrow channels at full precision."""
    if format.family in ("dxt", "yuv", "palette"):
        return widen(decode(format, data, width, height, depth, pitch, slice_pitch, palette))
    rows = rows_of(format, data, width, height, depth, pitch, slice_pitch)
    return decode_wide(format, words_of(rows, format.bits // 8, width))


def to_rgba8(format: Format, data: np.ndarray, width: int, height: int, depth: int = 1, pitch: int | None = None,
             slice_pitch: int | None = None, palette: np.ndarray | None = None) -> np.ndarray:  # fmt: skip
    """For display: uint8[depth, height, width, 4], C-contiguous.

    Signed channels -1..1 become 0..255, missing alpha 255, depth is grey."""
    texels = decode(format, data, width, height, depth, pitch, slice_pitch, palette)
    if texels.ndim == 3:
        return np.ascontiguousarray(texels).view(np.uint8).reshape(*texels.shape, 4).take([2, 1, 0, 3], axis=-1)
    if is_signed(format):
        for letter, (_, _, kind) in channels_of(format).items():
            if kind == "snorm":
                texels[..., TARGET[letter][0]] = texels[..., TARGET[letter][0]] * 0.5 + 0.5
    return np.floor(np.clip(texels, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def rows_of(format: Format, data: np.ndarray, width: int, height: int, depth: int, pitch: int | None,
            slice_pitch: int | None) -> np.ndarray:  # fmt: skip
    """uint8[depth, rows, bytes of a row]: a view of data without its padding"""
    block_width, block_height, block_bytes = format.block
    row_bytes = -(-width // block_width) * block_bytes
    row_count = -(-height // block_height)
    pitch = row_bytes if pitch is None else pitch
    slice_pitch = pitch * row_count if slice_pitch is None else slice_pitch
    flat = np.frombuffer(data, np.uint8) if not isinstance(data, np.ndarray) else data.reshape(-1).view(np.uint8)
    needed = (depth - 1) * slice_pitch + (row_count - 1) * pitch + row_bytes
    if pitch < row_bytes or flat.size < needed:
        raise BadInput(f"{format.name} {width}x{height}x{depth} at pitch {pitch} needs {needed} bytes, {flat.size} given")
    return np.lib.stride_tricks.as_strided(flat, (depth, row_count, row_bytes), (slice_pitch, pitch, 1), writeable=False)


def words_of(rows: np.ndarray, size: int, width: int) -> np.ndarray:
    """the little-endian numbers of size bytes in each row, as uint32"""
    octets = np.ascontiguousarray(rows[..., : width * size])
    if size == 3:
        octets = octets.reshape(*octets.shape[:2], width, 3).astype(np.uint32)
        return octets[..., 0] | octets[..., 1] << 8 | octets[..., 2] << 16
    return octets.view(f"<u{size}").astype(np.uint32, copy=False)


def field(words: np.ndarray, shift: int, bits: int) -> np.ndarray:
    return words >> np.uint32(shift) & np.uint32((1 << bits) - 1)


@lru_cache
def expansion(bits: int) -> np.ndarray:
    """n-bit channel -> nearest 8-bit one"""
    top = (1 << bits) - 1
    return ((np.arange(top + 1, dtype=np.uint32) * 510 + top) // (2 * top)).astype(np.uint32)


def decode_narrow(format: Format, words: np.ndarray) -> np.ndarray:
    """words of unsigned channels of at most 8 bits -> A8R8G8B8"""
    channels = channels_of(format)
    missing = np.uint32(0 if "a" in channels else 0xFF000000)
    if {**A8R8G8B8_CHANNELS, **channels} == A8R8G8B8_CHANNELS and {"r", "g", "b"} <= channels.keys():
        return words | missing
    result = np.full(words.shape, missing, np.uint32)
    for letter, (shift, bits, _) in channels.items():
        value = expansion(bits)[field(words, shift, bits)]
        for target in TARGET[letter]:
            result |= value << np.uint32((16, 8, 0, 24)[target])
    return result


def decode_wide(format: Format, words: np.ndarray) -> np.ndarray:
    """words -> float32 r g b a"""
    channels = channels_of(format)
    result = np.ones((*words.shape, 4), np.float32)
    if set(channels) == {"a"}:
        result[..., :3] = 0.0
    for letter, (shift, bits, kind) in channels.items():
        value = field(words, shift, bits)
        for target in (BLUE,) if letter == "l" and "u" in channels else TARGET[letter]:
            result[..., target] = signed_value(value, bits) if kind == "snorm" else value / ((1 << bits) - 1)
    return result


def signed_value(value: np.ndarray, bits: int) -> np.ndarray:
    """two's complement of n bits -> -1..1"""
    half = 1 << (bits - 1)
    number = (value.astype(np.int64) ^ half) - half
    return np.maximum(np.where(number < 0, number / negative_steps(bits), number / (half - 1)), -1.0)


def negative_steps(bits: int) -> int:
    """the negative number that means -1"""
    return 16 if bits == 5 else (1 << (bits - 1)) - 1


def decode_palette(format: Format, words: np.ndarray, palette: np.ndarray | None) -> np.ndarray:
    """indices -> A8R8G8B8; without a palette a grey ramp shows the indices"""
    channels = channels_of(format)
    colors = np.arange(256, dtype=np.uint32) * 0x010101 | 0xFF000000 if palette is None else np.asarray(palette, np.uint32)
    shift, bits, _ = channels["p"]
    result = colors[field(words, shift, bits)]
    if "a" in channels:
        shift, bits, _ = channels["a"]
        result = result & np.uint32(0xFFFFFF) | field(words, shift, bits) << np.uint32(24)
    return result


# ---- YUV, ITU-R BT.601 ---------------------------------------------------------------------------

YUV_ORDER = {"UYVY": (1, 0, 3, 2), "YUY2": (0, 1, 2, 3)}  # byte of Y0 U Y1 V in a pair of texels


def decode_yuv(rows: np.ndarray, width: int, order: tuple[int, int, int, int]) -> np.ndarray:
    pairs = rows.reshape(*rows.shape[:2], -1, 4)[..., list(order)].astype(np.float64)
    y = 1.164 * (pairs[..., [0, 2]] - 16)
    u, v = pairs[..., 1:2] - 128, pairs[..., 3:4] - 128
    rgb = np.stack([y + 1.596 * v, y - 0.813 * v - 0.391 * u, y + 2.018 * u])
    r, g, b = np.floor(np.clip(rgb, 0, 255) + 0.5).astype(np.uint32)
    words = np.uint32(0xFF000000) | r << np.uint32(16) | g << np.uint32(8) | b
    return np.ascontiguousarray(words.reshape(*rows.shape[:2], -1)[..., :width])


def encode_yuv(rgba: np.ndarray, order: tuple[int, int, int, int]) -> np.ndarray:
    """float rgba[height, width, 4] -> uint8[height, row bytes]; the two texels of a pair share the mean chroma"""
    if rgba.shape[1] % 2:
        rgba = np.concatenate([rgba, rgba[:, -1:]], axis=1)
    r, g, b = np.moveaxis(np.clip(rgba[..., :3], 0, 1) * 255.0, -1, 0)
    y = 16 + 0.257 * r + 0.504 * g + 0.098 * b
    u = (128 - 0.148 * r - 0.291 * g + 0.439 * b).reshape(len(rgba), -1, 2).mean(-1)
    v = (128 + 0.439 * r - 0.368 * g - 0.071 * b).reshape(len(rgba), -1, 2).mean(-1)
    pairs = np.empty((*u.shape, 4))
    for place, value in zip(order, (y[:, 0::2], u, y[:, 1::2], v), strict=True):
        pairs[..., place] = value
    return np.floor(np.clip(pairs, 0, 255) + 0.5).astype(np.uint8).reshape(len(rgba), -1)


# ---- writing ---------------------------------------------------------------------------------------


def can_encode(format: Format) -> bool:
    return bool(format.channels) or format.name in BLOCK_DECODERS or format.name in YUV_ORDER


def encode(format: Format, rgba: np.ndarray, palette: np.ndarray | None = None) -> np.ndarray:
    """float rgba[height, width, 4] -> packed uint8[height, row bytes], each channel rounded to nearest.

    Palette formats take the nearest of the 256 colours; DXT: see block_encode. Raises BadInput for buffers."""
    if not can_encode(format):
        raise BadInput(f"{format.name} texels cannot be packed")
    if format.name in YUV_ORDER:
        return encode_yuv(rgba, YUV_ORDER[format.name])
    if format.name in BLOCK_DECODERS:
        return encode_blocks(format.name, rgba)
    channels = channels_of(format)
    words = np.zeros(rgba.shape[:2], np.uint64)
    for letter, (shift, bits, kind) in channels.items():
        words |= channel_code(letter, bits, kind, rgba, palette, "u" in channels) << np.uint64(shift)
    octets = words.astype("<u8").view(np.uint8).reshape(*words.shape, 8)[..., : format.bits // 8]
    return np.ascontiguousarray(octets).reshape(len(rgba), -1)


def channel_code(letter: str, bits: int, kind: str, rgba: np.ndarray, palette: np.ndarray | None, bump: bool) -> np.ndarray:
    if letter == "p":
        return nearest_entry(rgba, palette)
    if letter == "l" and not bump:
        value = rgba[..., :3] @ LUMINANCE
    else:
        value = rgba[..., BLUE if letter == "l" else TARGET[letter][0]].astype(np.float64)
    if kind == "snorm":
        steps = np.where(value < 0, negative_steps(bits), (1 << (bits - 1)) - 1)
        code = np.floor(np.clip(value, -1, 1) * steps + 0.5).astype(np.int64)
        return (code & ((1 << bits) - 1)).astype(np.uint64)
    return np.floor(np.clip(value, 0, 1) * ((1 << bits) - 1) + 0.5).astype(np.uint64)


def nearest_entry(rgba: np.ndarray, palette: np.ndarray | None) -> np.ndarray:
    if palette is None:
        raise BadInput("packing palette texels needs a palette")
    entries = np.asarray(palette, np.uint32)
    colors = np.stack([entries >> 16 & 255, entries >> 8 & 255, entries & 255], -1).astype(np.float64)
    distinct, where = np.unique(np.floor(np.clip(rgba[..., :3], 0, 1) * 255 + 0.5).reshape(-1, 3), axis=0, return_inverse=True)
    best = np.array([np.argmin(((colors - color) ** 2).sum(-1)) for color in distinct], np.uint64)
    return best[where.reshape(-1)].reshape(rgba.shape[:2])


def widen(texels: np.ndarray) -> np.ndarray:
    """TEXEL_RGBA8 words -> float32 r g b a; the float form unchanged"""
    if texels.ndim == 4:
        return texels
    octets = np.ascontiguousarray(texels).view(np.uint8).reshape(*texels.shape, 4)
    return octets[..., [2, 1, 0, 3]].astype(np.float32) / np.float32(255)


A8R8G8B8_CHANNELS = {"a": (24, 8, "unorm"), "r": (16, 8, "unorm"), "g": (8, 8, "unorm"), "b": (0, 8, "unorm")}
