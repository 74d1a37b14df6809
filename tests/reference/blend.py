"""Framebuffer blending and the write (semantics 5)."""

from __future__ import annotations

from collections.abc import Mapping

from core.spec.enums import Blend, BlendOp
from tests.reference.formats import Color, Packed, clamp


def factor(kind: int, source: Color, destination: Color) -> Color:
    """Of one side, for r g b a."""
    red, green, blue, alpha = source
    stored_alpha = destination[3]
    match kind:
        case Blend.ZERO:
            return 0.0, 0.0, 0.0, 0.0
        case Blend.ONE:
            return 1.0, 1.0, 1.0, 1.0
        case Blend.SRCCOLOR:
            return source
        case Blend.INVSRCCOLOR:
            return 1 - red, 1 - green, 1 - blue, 1 - alpha
        case Blend.SRCALPHA:
            return alpha, alpha, alpha, alpha
        case Blend.INVSRCALPHA:
            return 1 - alpha, 1 - alpha, 1 - alpha, 1 - alpha
        case Blend.DESTALPHA:
            return stored_alpha, stored_alpha, stored_alpha, stored_alpha
        case Blend.INVDESTALPHA:
            return 1 - stored_alpha, 1 - stored_alpha, 1 - stored_alpha, 1 - stored_alpha
        case Blend.DESTCOLOR:
            return destination
        case Blend.INVDESTCOLOR:
            return 1 - destination[0], 1 - destination[1], 1 - destination[2], 1 - destination[3]
        case Blend.SRCALPHASAT:
            f = min(alpha, 1 - stored_alpha)
            return f, f, f, 1.0
    raise AssertionError(f"no blend factor {kind}")


def factors(source_kind: int, destination_kind: int) -> tuple[int, int]:
    """BOTHSRCALPHA and BOTHINVSRCALPHA name both."""
    if source_kind == Blend.BOTHSRCALPHA:
        return Blend.SRCALPHA, Blend.INVSRCALPHA
    if source_kind == Blend.BOTHINVSRCALPHA:
        return Blend.INVSRCALPHA, Blend.SRCALPHA
    return source_kind, destination_kind


def combine(op: int, s: float, d: float, fs: float, fd: float) -> float:
    """MIN and MAX take the colours as they are: they have no factors (as all hardware that has them does)."""
    match op:
        case BlendOp.ADD:
            return s * fs + d * fd
        case BlendOp.SUBTRACT:
            return s * fs - d * fd
        case BlendOp.REVSUBTRACT:
            return d * fd - s * fs
        case BlendOp.MIN:
            return min(s, d)
        case BlendOp.MAX:
            return max(s, d)
    raise AssertionError(f"no blend operation {op}")


def blended(states: Mapping[str, int | float], source: Color, destination: Color) -> Color:
    """Of one pixel; `destination` has alpha 1 where the target has none."""
    if not states["ALPHABLENDENABLE"]:
        return source
    kinds = factors(int(states["SRCBLEND"]), int(states["DESTBLEND"]))
    fs, fd = (factor(kind, source, destination) for kind in kinds)
    red, green, blue, alpha = (
        clamp(combine(int(states["BLENDOP"]), s, d, p, q)) for s, d, p, q in zip(source, destination, fs, fd, strict=True)
    )
    return red, green, blue, alpha


BAYER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))


def dithering(x: int, y: int) -> float:
    """What is added to a channel of less than 8 bits that is then rounded to the nearest: -15/32 to 15/32."""
    return (BAYER[y % 4][x % 4] + 0.5) / 16 - 0.5


def written(format: Packed, color: Color, mask: int, dither: float) -> list[float | None]:
    """Per channel r g b a: what to store, in steps, not yet rounded; None: nothing (masked, or no such channel)."""
    return [
        None if channel is None or not mask >> bit & 1 else value * channel.top + dither * (channel.bits < 8)
        for bit, (channel, value) in enumerate(zip(format.channels, color, strict=True))
    ]
