"""Texels of formats that are no blocks: from bytes to r g b a (semantics 10)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.formats import (
    BUMPS,
    MORE_TEXTURES,
    SIGNED,
    TEXTURES,
    WIDE_TEXTURES,
    Color,
    clamp,
    nearest,
    unpack,
    unpack_bump,
    unpack_signed,
)  # fmt: skip

A8P8, P8 = 40, 41
UYVY, YUY2 = (int.from_bytes(name, "little") for name in (b"UYVY", b"YUY2"))
PALETTED, VIDEO = {A8P8: 2, P8: 1}, {UYVY: 2, YUY2: 2}
NARROW = TEXTURES | MORE_TEXTURES


def size(format: int) -> int:
    """Bytes of a texel."""
    if format in PALETTED | VIDEO:
        return (PALETTED | VIDEO)[format]
    return {n: f.bytes for group in (NARROW, WIDE_TEXTURES, BUMPS, SIGNED) for n, f in group.items()}[format]


def texel(format: int, data: bytes, number: int, palette: Sequence[tuple[int, int, int, int]]) -> Color:
    """Texel `number` of a picture.  Formats of at most 8 bits a channel are held with 8, but for signed ones."""
    if format in VIDEO:
        return video(format, data[number // 2 * 4 : number // 2 * 4 + 4], number & 1)
    word = int.from_bytes(data[number * size(format) : (number + 1) * size(format)], "little")
    if format in BUMPS:
        return unpack_bump(BUMPS[format], word)
    if format in SIGNED:
        return unpack_signed(SIGNED[format], word)
    if format in WIDE_TEXTURES:
        return unpack(WIDE_TEXTURES[format], word, 1.0)
    if format in PALETTED:
        red, green, blue, alpha = palette[word & 255]
        return red / 255, green / 255, blue / 255, (word >> 8 if format == A8P8 else alpha) / 255
    red, green, blue, alpha = (nearest(c * 255) / 255 for c in unpack(NARROW[format], word))
    return red, green, blue, alpha


def video(format: int, pair: bytes, second: int) -> Color:
    """BT.601; two texels share U and V."""
    y, u, v = (pair[2 * second], pair[1], pair[3]) if format == YUY2 else (pair[1 + 2 * second], pair[0], pair[2])
    bright = 1.164 * (y - 16)
    red, green, blue = bright + 1.596 * (v - 128), bright - 0.813 * (v - 128) - 0.391 * (u - 128), bright + 2.018 * (u - 128)
    r, g, b = (nearest(clamp(c, 0, 255)) / 255 for c in (red, green, blue))
    return r, g, b, 1.0
