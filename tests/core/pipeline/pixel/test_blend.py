"""Frame buffer blending: source * factor OP destination * factor, in each channel (DirectX 8 SDK, "Alpha Blending State").

Expected values are worked out in floats; a stored channel may be half a step off, as rounding has it, and no more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from core.spec.enums import Blend, BlendOp
from tests.core.pipeline.raster_kit import FULL, Kit, rectangle

Color = np.ndarray
"""float64[4]: red, green, blue, alpha in 0..1."""

COLORS = [np.array(levels) / 255 for levels in ((204, 102, 51, 153), (51, 153, 255, 102), (0, 255, 128, 230), (13, 77, 201, 0))]
OPS: dict[BlendOp, Callable[[Color, Color], Color]] = {
    BlendOp.ADD: lambda s, d: s + d, BlendOp.SUBTRACT: lambda s, d: s - d, BlendOp.REVSUBTRACT: lambda s, d: d - s,
    BlendOp.MIN: np.minimum, BlendOp.MAX: np.maximum,
}  # fmt: skip
SOURCE_FACTORS = [mode for mode in Blend if mode <= Blend.SRCALPHASAT]
DEST_FACTORS = [mode for mode in Blend if mode < Blend.SRCALPHASAT]


def factor(mode: Blend, s: Color, d: Color) -> Color:
    """D3DBLEND."""
    one = np.ones(4)
    return {
        Blend.ZERO: 0 * one, Blend.ONE: one, Blend.SRCCOLOR: s, Blend.INVSRCCOLOR: one - s, Blend.SRCALPHA: s[3] * one,
        Blend.INVSRCALPHA: (1 - s[3]) * one, Blend.DESTALPHA: d[3] * one, Blend.INVDESTALPHA: (1 - d[3]) * one,
        Blend.DESTCOLOR: d, Blend.INVDESTCOLOR: one - d, Blend.SRCALPHASAT: np.array([min(s[3], 1 - d[3])] * 3 + [1.0]),
    }[mode]  # fmt: skip


def word(color: Color) -> int:
    r, g, b, a = (round(float(c) * 255) for c in color)
    return a << 24 | r << 16 | g << 8 | b


def drawn(source: Color, dest: Color, name: str = "A8R8G8B8", **states: int) -> Color:
    """Levels 0..255 (float64[4]) after drawing `source` over `dest`."""
    kit = Kit(color_format=name).set(**states)
    kit.color[:] = word(dest)
    image = kit.draw(rectangle(*FULL, diffuse=tuple(source)))
    assert (image == image[0, 0]).all()
    return np.array([int(image[0, 0]) >> shift & 255 for shift in (16, 8, 0, 24)], float)


def agree(levels: Color, expected: Color) -> bool:
    """Rounded to nearest; what lies within a thousandth of the middle may go either way."""
    return bool((np.abs(levels - np.clip(expected, 0, 1) * 255) <= 0.501).all())


@pytest.mark.parametrize("source", SOURCE_FACTORS)
@pytest.mark.parametrize("dest", DEST_FACTORS)
def test_every_pair_of_factors(source, dest):
    for s, d in ((COLORS[0], COLORS[1]), (COLORS[2], COLORS[3])):
        levels = drawn(s, d, ALPHABLENDENABLE=1, SRCBLEND=source, DESTBLEND=dest)
        assert agree(levels, s * factor(source, s, d) + d * factor(dest, s, d)), (s, d)


@pytest.mark.parametrize("op", [op for op in BlendOp if op not in (BlendOp.MIN, BlendOp.MAX)])
def test_operations_act_on_the_products_and_clamp(op):
    for s in COLORS:
        for d in COLORS:
            for source, dest in (
                (Blend.ONE, Blend.ONE),
                (Blend.SRCALPHA, Blend.INVSRCALPHA),
                (Blend.DESTCOLOR, Blend.SRCCOLOR),
            ):
                levels = drawn(s, d, ALPHABLENDENABLE=1, BLENDOP=op, SRCBLEND=source, DESTBLEND=dest)
                assert agree(levels, OPS[op](s * factor(source, s, d), d * factor(dest, s, d))), (s, d, source)


@pytest.mark.parametrize("op", [BlendOp.MIN, BlendOp.MAX])
def test_min_and_max_take_the_colours_themselves(op):
    """Without the factors, as docs/decisions.md has it."""
    for s in COLORS:
        for d in COLORS:
            assert agree(drawn(s, d, ALPHABLENDENABLE=1, BLENDOP=op, SRCBLEND=Blend.ZERO, DESTBLEND=Blend.ZERO), OPS[op](s, d))


@pytest.mark.parametrize("dest", [Blend.ZERO, Blend.ONE, Blend.DESTCOLOR])
def test_both_source_alpha_override_the_destination(dest):
    s, d = COLORS[:2]
    both = drawn(s, d, ALPHABLENDENABLE=1, SRCBLEND=Blend.BOTHSRCALPHA, DESTBLEND=dest)
    assert agree(both, s * s[3] + d * (1 - s[3]))
    inverse = drawn(s, d, ALPHABLENDENABLE=1, SRCBLEND=Blend.BOTHINVSRCALPHA, DESTBLEND=dest)
    assert agree(inverse, s * (1 - s[3]) + d * s[3])


def test_a_target_without_alpha_has_alpha_one():
    s, d = COLORS[:2]
    assert agree(drawn(s, d, "X8R8G8B8", ALPHABLENDENABLE=1, SRCBLEND=Blend.DESTALPHA, DESTBLEND=Blend.ZERO)[:3], s[:3])
    assert agree(drawn(s, d, "X8R8G8B8", ALPHABLENDENABLE=1, SRCBLEND=Blend.ZERO, DESTBLEND=Blend.INVDESTALPHA)[:3], 0 * s[:3])


def test_without_alphablendenable_the_source_replaces_alpha_included():
    s, d = COLORS[:2]
    for op in BlendOp:
        assert agree(drawn(s, d, ALPHABLENDENABLE=0, BLENDOP=op, SRCBLEND=Blend.ZERO, DESTBLEND=Blend.ONE), s)
