"""Pixel formats by their channels: where each is in the word, and how wide."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

Color = tuple[float, float, float, float]  # r g b a


class Channel(NamedTuple):
    shift: int
    bits: int

    @property
    def top(self) -> int:
        return (1 << self.bits) - 1

    def of(self, word: int) -> int:
        """The channel's steps in a packed pixel."""
        return word >> self.shift & self.top


class Packed(NamedTuple):
    """A format of whole words; `channels` r g b a, None where it has none."""

    number: int
    bytes: int
    channels: tuple[Channel | None, Channel | None, Channel | None, Channel | None]
    luminance: bool = False


def rgb(number: int, bytes: int, red: tuple[int, int], green: tuple[int, int], blue: tuple[int, int],
        alpha: tuple[int, int] | None = None) -> Packed:  # fmt: skip
    return Packed(number, bytes, (Channel(*red), Channel(*green), Channel(*blue), Channel(*alpha) if alpha else None))


A8R8G8B8 = rgb(21, 4, (16, 8), (8, 8), (0, 8), (24, 8))
X8R8G8B8 = rgb(22, 4, (16, 8), (8, 8), (0, 8))
R5G6B5 = rgb(23, 2, (11, 5), (5, 6), (0, 5))
X1R5G5B5 = rgb(24, 2, (10, 5), (5, 5), (0, 5))
A1R5G5B5 = rgb(25, 2, (10, 5), (5, 5), (0, 5), (15, 1))
A4R4G4B4 = rgb(26, 2, (8, 4), (4, 4), (0, 4), (12, 4))
R8G8B8 = rgb(20, 3, (16, 8), (8, 8), (0, 8))
R3G3B2 = rgb(27, 1, (5, 3), (2, 3), (0, 2))
A8R3G3B2 = rgb(29, 2, (5, 3), (2, 3), (0, 2), (8, 8))
A8 = Packed(28, 1, (None, None, None, Channel(0, 8)))
X4R4G4B4 = rgb(30, 2, (8, 4), (4, 4), (0, 4))
L8 = Packed(50, 1, (Channel(0, 8), Channel(0, 8), Channel(0, 8), None), True)
A8L8 = Packed(51, 2, (Channel(0, 8), Channel(0, 8), Channel(0, 8), Channel(8, 8)), True)
A4L4 = Packed(52, 1, (Channel(0, 4), Channel(0, 4), Channel(0, 4), Channel(4, 4)), True)
A2B10G10R10 = rgb(31, 4, (0, 10), (10, 10), (20, 10), (30, 2))
G16R16 = Packed(34, 4, (Channel(0, 16), Channel(16, 16), None, None))

TARGETS = {f.number: f for f in (A8R8G8B8, X8R8G8B8, R5G6B5, X1R5G5B5, A1R5G5B5, A4R4G4B4)}
TARGETS |= {f.number: f for f in (R3G3B2, X4R4G4B4, A2B10G10R10, G16R16)}
TARGETS |= {f.number: f for f in (R8G8B8, A8, A8R3G3B2)}
# luminance is drawn as red
TARGETS |= {50: Packed(50, 1, (Channel(0, 8), None, None, None)), 51: Packed(51, 2, (Channel(0, 8), None, None, Channel(8, 8)))}
TEXTURES = {f.number: f for f in (A8R8G8B8, X8R8G8B8, R5G6B5, X1R5G5B5, A1R5G5B5, A4R4G4B4, R3G3B2, A8, X4R4G4B4, L8, A8L8)}
MORE_TEXTURES = {f.number: f for f in (R8G8B8, A8R3G3B2, A4L4)}
WIDE_TEXTURES = {f.number: f for f in (A2B10G10R10, G16R16)}  # held with all their bits


class Bump(NamedTuple):
    """Signed du and dv, and luminance if there is any."""

    number: int
    bytes: int
    du: Channel
    dv: Channel
    luminance: Channel | None = None


V8U8 = Bump(60, 2, Channel(0, 8), Channel(8, 8))
L6V5U5 = Bump(61, 2, Channel(0, 5), Channel(5, 5), Channel(10, 6))
X8L8V8U8 = Bump(62, 4, Channel(0, 8), Channel(8, 8), Channel(16, 8))
BUMPS = {f.number: f for f in (V8U8, L6V5U5, X8L8V8U8)}


class Signed(NamedTuple):
    """Signed u v w q; `alpha`: the fourth is not signed."""

    number: int
    bytes: int
    channels: tuple[Channel, Channel, Channel | None, Channel | None]
    alpha: bool = False


Q8W8V8U8 = Signed(63, 4, (Channel(0, 8), Channel(8, 8), Channel(16, 8), Channel(24, 8)))
V16U16 = Signed(64, 4, (Channel(0, 16), Channel(16, 16), None, None))
W11V11U10 = Signed(65, 4, (Channel(0, 10), Channel(10, 11), Channel(21, 11), None))
A2W10V10U10 = Signed(67, 4, (Channel(0, 10), Channel(10, 10), Channel(20, 10), Channel(30, 2)), True)
SIGNED = {f.number: f for f in (Q8W8V8U8, V16U16, W11V11U10, A2W10V10U10)}


def signed(channel: Channel, word: int) -> float:
    """Two's complement; the most negative value means -1 too.

    Five bits (L6V5U5): negative ones count sixteenths, as Wine's test_signed_formats found on Windows.
    """
    half = (channel.top + 1) // 2
    steps = channel.of(word)
    if steps < half:
        return steps / (half - 1)
    return (steps - 2 * half) / half if channel.bits == 5 else max((steps - 2 * half) / (half - 1), -1.0)


def unpack_bump(format: Bump, word: int) -> Color:
    """(du, dv, luminance or 1, 1)"""
    light = 1.0 if format.luminance is None else format.luminance.of(word) / format.luminance.top
    return signed(format.du, word), signed(format.dv, word), light, 1.0


def unpack_signed(format: Signed, word: int) -> Color:
    """Channels that are not there are 1."""
    parts = [1.0 if channel is None else signed(channel, word) for channel in format.channels]
    last = format.channels[3]
    if format.alpha and last is not None:
        parts[3] = last.of(word) / last.top
    red, green, blue, alpha = parts
    return red, green, blue, alpha


class Depth(NamedTuple):
    """A depth format: unsigned steps, and stencil bits beside them."""

    number: int
    bytes: int
    depth: Channel
    stencil: Channel | None = None


D16 = Depth(80, 2, Channel(0, 16))
D24X8 = Depth(77, 4, Channel(8, 24))
D24S8 = Depth(75, 4, Channel(8, 24), Channel(0, 8))
D24X4S4 = Depth(79, 4, Channel(8, 24), Channel(0, 4))
D15S1 = Depth(73, 2, Channel(1, 15), Channel(0, 1))
D16_LOCKABLE = Depth(70, 2, Channel(0, 16))
D32 = Depth(71, 4, Channel(0, 32))
DEPTHS = {f.number: f for f in (D16, D24X8, D24S8, D24X4S4, D15S1, D16_LOCKABLE, D32)}


@cache
def unpack(format: Packed, word: int, absent: float = 0.0) -> Color:
    """v / (2^n - 1) for every channel; alpha that is not there is 1, a colour that is not there `absent` (rgb of A8: 0)."""
    red, green, blue, alpha = (None if c is None else c.of(word) / c.top for c in format.channels)
    return (
        absent if red is None else red,
        absent if green is None else green,
        absent if blue is None else blue,
        1.0 if alpha is None else alpha,
    )


def from_argb(word: int) -> Color:
    """A D3DCOLOR."""
    return unpack(A8R8G8B8, word)


def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    return min(max(value, low), high)


def nearest(value: float) -> int:
    return math.floor(value + 0.5)
