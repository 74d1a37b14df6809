"""DXT blocks to texels (semantics 10), 8 bits per channel."""

from __future__ import annotations

from tests.reference.formats import Color, nearest

DXT1, DXT2, DXT3, DXT4, DXT5 = (int.from_bytes(b"DXT%d" % n, "little") for n in range(1, 6))
BLOCK_BYTES = {DXT1: 8, DXT2: 16, DXT3: 16, DXT4: 16, DXT5: 16}


def expand565(word: int) -> tuple[int, int, int]:
    """Nearest 8-bit values of v/31 and v/63."""
    return nearest((word >> 11) * 255 / 31), nearest((word >> 5 & 63) * 255 / 63), nearest((word & 31) * 255 / 31)


def palette(block: bytes, four: bool) -> list[Color]:
    """The block's four colours; `four`: never the three-colour mode."""
    first, second = (int.from_bytes(block[i : i + 2], "little") for i in (0, 2))
    c0, c1 = expand565(first), expand565(second)
    if four or first > second:
        rest = [[(2 * p + q) / 3 for p, q in zip(c0, c1, strict=True)], [(p + 2 * q) / 3 for p, q in zip(c0, c1, strict=True)]]
        alpha = 1.0
    else:
        rest = [[(p + q) / 2 for p, q in zip(c0, c1, strict=True)], [0, 0, 0]]
        alpha = 0.0
    shades: list[tuple[Color, float]] = []
    for number, shade in enumerate((c0, c1, *rest)):
        red, green, blue = (nearest(c) / 255 for c in shade)
        shades.append(((red, green, blue, 1.0), 1.0 if number < 3 else alpha))
    return [(*color[:3], a) for color, a in shades]


def explicit_alpha(block: bytes, texel: int) -> float:
    return (int.from_bytes(block, "little") >> 4 * texel & 15) / 15


def interpolated_alpha(block: bytes, texel: int) -> float:
    a0, a1 = block[0], block[1]
    i = int.from_bytes(block[2:8], "little") >> 3 * texel & 7
    if i < 2:
        return (a0, a1)[i] / 255
    if a0 > a1:
        return nearest(((8 - i) * a0 + (i - 1) * a1) / 7) / 255
    if i < 6:
        return nearest(((6 - i) * a0 + (i - 1) * a1) / 5) / 255
    return float(i == 7)


def texel(format: int, block: bytes, x: int, y: int) -> Color:
    """One of a block's 4 x 4 texels."""
    number = 4 * y + x
    colors = block[-8:]
    color = palette(colors, format != DXT1)[int.from_bytes(colors[4:], "little") >> 2 * number & 3]
    if format == DXT1:
        return color
    alpha = (explicit_alpha if format in (DXT2, DXT3) else interpolated_alpha)(block[:8], number)
    return *color[:3], alpha
