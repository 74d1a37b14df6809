"""Alpha test: alpha in eight bits against ALPHAREF."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import CmpFunc, StencilOp
from tests.core.pipeline.raster_kit import COMPARE, FULL, Kit, depth_kit, rectangle, stored_depth, stored_stencil

REFERENCES = (0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF)


def every_alpha() -> np.ndarray:
    """Pixel (x, y) of 16 x 16 has the alpha (16 y + x) / 255, on white."""
    cells = [(x, y) for y in range(16) for x in range(16)]
    return np.concatenate([rectangle(x, y, x + 1, y + 1, diffuse=(1, 1, 1, (16 * y + x) / 255)) for x, y in cells])


@pytest.mark.parametrize("func", list(CmpFunc))
def test_every_alpha_is_compared(func):
    for reference in REFERENCES:
        kit = Kit(16, 16).set(ALPHATESTENABLE=1, ALPHAFUNC=func, ALPHAREF=reference)
        drawn = kit.draw(every_alpha()) & 0xFFFFFF != 0
        assert drawn.ravel().tolist() == [COMPARE[func](alpha, reference) for alpha in range(256)], reference


@pytest.mark.parametrize(("offset", "level"), [(-0.51, 0x7F), (-0.49, 0x80), (0.49, 0x80), (0.51, 0x81)])
def test_alpha_is_rounded_to_eight_bits_before(offset, level):
    alpha = (0x80 + offset) / 255
    for reference in (0x7F, 0x80, 0x81):
        kit = Kit().set(ALPHATESTENABLE=1, ALPHAFUNC=CmpFunc.EQUAL, ALPHAREF=reference)
        image = kit.draw(rectangle(*FULL, diffuse=(1, 1, 1, alpha)))
        assert image.any() == image.all() == (reference == level)


def test_without_alphatestenable_everything_passes():
    for func in CmpFunc:
        assert Kit().set(ALPHATESTENABLE=0, ALPHAFUNC=func, ALPHAREF=0x80).draw(rectangle(*FULL)).all()


@pytest.mark.parametrize("name", ["X8R8G8B8", "R5G6B5"])
def test_a_target_without_alpha_is_tested_all_the_same(name):
    """It is the fragment's alpha that is compared."""
    for alpha, passes in ((0.25, False), (0.75, True)):
        kit = Kit(color_format=name).set(ALPHATESTENABLE=1, ALPHAFUNC=CmpFunc.GREATER, ALPHAREF=0x80)
        assert kit.draw(rectangle(*FULL, diffuse=(1, 1, 1, alpha))).any() == passes


def test_what_fails_writes_neither_colour_nor_depth_nor_stencil():
    kit = depth_kit(stencil=3).set(ALPHATESTENABLE=1, ALPHAFUNC=CmpFunc.GREATER, ALPHAREF=200, STENCILENABLE=1,
                                   STENCILPASS=StencilOp.ZERO)  # fmt: skip
    assert not kit.draw(rectangle(*FULL, z=0.5, diffuse=(1, 1, 1, 0.5))).any()
    assert (stored_depth(kit) == 2**24 - 1).all() and (stored_stencil(kit) == 3).all()
