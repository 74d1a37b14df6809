"""Stencil test: comparisons under the mask, operations at each outcome, the write mask."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import CmpFunc, StencilOp
from tests.core.pipeline.raster_kit import (
    COMPARE,
    FULL,
    Kit,
    depth_kit,
    parts,
    rectangle,
    stored_depth,
    stored_stencil,
)

REFERENCE = 0xA7


def every_stencil(name: str = "D24S8", depth: float = 1.0) -> Kit:
    """16 x 16 pixels that hold every stencil value of the format."""
    kit = depth_kit(name, depth, width=16, height=16)
    shift, bits = parts(name)[1]
    kit.depth |= (np.arange(kit.depth.size) % (1 << bits)).astype(np.uint32) << np.uint32(shift)
    return kit


def operated(op: StencilOp, value: int, reference: int, bits: int) -> int:
    """D3DSTENCILOP of the DirectX 8 SDK: INCRSAT and DECRSAT stay within 0 and the largest value, INCR and DECR wrap."""
    top = (1 << bits) - 1
    return {
        StencilOp.KEEP: value, StencilOp.ZERO: 0, StencilOp.REPLACE: reference & top, StencilOp.INCRSAT: min(value + 1, top),
        StencilOp.DECRSAT: max(value - 1, 0), StencilOp.INVERT: ~value & top, StencilOp.INCR: (value + 1) & top,
        StencilOp.DECR: (value - 1) & top,
    }[op]  # fmt: skip


@pytest.mark.parametrize("mask", [0xFF, 0x0F, 0xF0, 0])
@pytest.mark.parametrize("func", list(CmpFunc))
def test_every_value_is_compared_under_the_mask(func, mask):
    """The reference is on the left; both are masked."""
    kit = every_stencil().set(STENCILENABLE=1, STENCILFUNC=func, STENCILREF=0x85, STENCILMASK=mask)
    stored = stored_stencil(kit)
    passed = kit.draw(rectangle(-1, -1, 17, 17)) != 0
    assert passed.tolist() == [[COMPARE[func](0x85 & mask, int(value) & mask) for value in row] for row in stored]


@pytest.mark.parametrize("name", ["D24S8", "D24X4S4", "D15S1"])
@pytest.mark.parametrize("outcome", ["STENCILFAIL", "STENCILZFAIL", "STENCILPASS"])
@pytest.mark.parametrize("op", list(StencilOp))
def test_every_operation_on_every_value(op, outcome, name):
    """The operations of the two other outcomes, INVERT, must not be seen."""
    others = dict.fromkeys(("STENCILFAIL", "STENCILZFAIL", "STENCILPASS"), StencilOp.INVERT)
    func = CmpFunc.NEVER if outcome == "STENCILFAIL" else CmpFunc.ALWAYS
    kit = every_stencil(name, 0.5).set(STENCILENABLE=1, STENCILFUNC=func, STENCILREF=REFERENCE, **others | {outcome: op})
    before = stored_stencil(kit)
    image = kit.draw(rectangle(-1, -1, 17, 17, z=0.7 if outcome == "STENCILZFAIL" else 0.2))
    bits = parts(name)[1][1]
    assert stored_stencil(kit).tolist() == [[operated(op, int(value), REFERENCE, bits) for value in row] for row in before]
    assert image.any() == image.all() == (outcome == "STENCILPASS")


def test_stencil_fails_before_depth_does():
    """Where both tests fail, STENCILFAIL counts, and nothing is drawn."""
    kit = depth_kit(depth=0.2, stencil=5).set(STENCILENABLE=1, STENCILFUNC=CmpFunc.NEVER, STENCILFAIL=StencilOp.INCR,
                                              STENCILZFAIL=StencilOp.DECR)  # fmt: skip
    assert not kit.draw(rectangle(*FULL, z=0.7)).any()
    assert (stored_stencil(kit) == 6).all()


@pytest.mark.parametrize("mask", [0x00, 0x0F, 0x3C, 0xFF])
def test_write_mask_keeps_bits_of_every_value(mask):
    kit = every_stencil().set(STENCILENABLE=1, STENCILPASS=StencilOp.INVERT, STENCILWRITEMASK=mask)
    before = stored_stencil(kit)
    kit.draw(rectangle(-1, -1, 17, 17))
    assert (stored_stencil(kit) == before ^ mask).all()


def test_without_stencilenable_nothing_is_tested_or_written():
    kit = depth_kit(stencil=9).set(
        STENCILENABLE=0, STENCILFUNC=CmpFunc.NEVER, STENCILFAIL=StencilOp.ZERO, STENCILPASS=StencilOp.ZERO
    )
    assert kit.draw(rectangle(*FULL)).all() and (stored_stencil(kit) == 9).all()


def test_stencil_touches_covered_pixels_only_and_works_without_depth_test():
    kit = depth_kit(stencil=1).set(STENCILENABLE=1, STENCILPASS=StencilOp.INCR, ZENABLE=0)
    kit.draw(rectangle(2, 2, 4, 4))
    expected = np.ones((8, 8), int)
    expected[2:4, 2:4] = 2
    assert (stored_stencil(kit) == expected).all() and (stored_depth(kit) == 2**24 - 1).all()


def test_no_stencil_buffer_no_stencil_test():
    assert depth_kit("D16").set(STENCILENABLE=1, STENCILFUNC=CmpFunc.NEVER).draw(rectangle(*FULL)).all()
