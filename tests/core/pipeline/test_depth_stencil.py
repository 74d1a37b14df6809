"""Depth test, depth formats, w buffer, bias; stencil test and operations; alpha test."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from raster_kit import Kit, format_named, lines, rectangle, vertex

from core.spec.enums import CmpFunc, StencilOp

COMPARE = {
    CmpFunc.NEVER: lambda a, b: False, CmpFunc.LESS: operator.lt, CmpFunc.EQUAL: operator.eq, CmpFunc.LESSEQUAL: operator.le,
    CmpFunc.GREATER: operator.gt, CmpFunc.NOTEQUAL: operator.ne, CmpFunc.GREATEREQUAL: operator.ge,
    CmpFunc.ALWAYS: lambda a, b: True,
}  # fmt: skip
FULL = (-1, -1, 9, 9)
DEPTH_FORMATS = ["D16", "D16_LOCKABLE", "D15S1", "D24S8", "D24X8", "D24X4S4", "D32"]


def parts(name: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """(shift, bits) of depth and stencil."""
    by_kind = {kind: (shift, bits) for _, shift, bits, kind in format_named(name).channels}
    return by_kind["depth"], by_kind.get("stencil", (0, 0))


def depth_kit(name: str = "D24S8", depth: float = 1.0, stencil: int = 0) -> Kit:
    """Every pixel at a depth and a stencil value, depth test LESSEQUAL."""
    kit = Kit(depth_format=name).set(ZENABLE=1, ZWRITEENABLE=1, ZFUNC=CmpFunc.LESSEQUAL)
    (shift, bits), (stencil_shift, _) = parts(name)
    kit.depth[:] = round(depth * (2**bits - 1)) << shift | stencil << stencil_shift
    return kit


def stored_depth(kit: Kit) -> np.ndarray:
    shift, bits = parts(kit.depth_format)[0]
    return kit.depths() >> np.uint32(shift) & np.uint32((1 << bits) - 1)


def stored_stencil(kit: Kit) -> np.ndarray:
    shift, bits = parts(kit.depth_format)[1]
    return kit.depths() >> np.uint32(shift) & np.uint32((1 << bits) - 1)


@pytest.mark.parametrize("func", list(CmpFunc))
def test_depth_compare(func):
    for new in (0.25, 0.5, 0.75):
        image = depth_kit(depth=0.5).set(ZFUNC=func).draw(rectangle(*FULL, z=new))
        assert image.any() == image.all() == COMPARE[func](new, 0.5)


@pytest.mark.parametrize("name", DEPTH_FORMATS)
def test_depth_is_rounded_to_the_format_and_leaves_other_bits_alone(name):
    (shift, bits), (stencil_shift, stencil_bits) = parts(name)
    stencil = (1 << stencil_bits) - 1 & 0x55
    for z in (0.0, 1 / 3, 0.7, 1.0):
        kit = depth_kit(name, 1.0, stencil)
        kit.draw(rectangle(*FULL, z=z))
        exact = float(np.float32(z)) * (2**bits - 1)
        assert abs(int(stored_depth(kit)[3, 3]) - exact) <= 0.5 + exact * 2**-23 * (bits < 32)
        assert int(kit.depths()[3, 3]) & ~(((1 << bits) - 1) << shift) == stencil << stencil_shift


def test_depth_32_orders_as_unsigned():
    kit = depth_kit("D32", 1.0)
    kit.draw(rectangle(*FULL, z=0.4))
    assert kit.draw(rectangle(*FULL, z=0.6, diffuse=(1, 0, 0, 1)))[0, 0] == 0xFFFFFFFF
    assert kit.draw(rectangle(*FULL, z=0.3, diffuse=(1, 0, 0, 1)))[0, 0] == 0xFFFF0000


def test_depth_is_affine_on_the_screen():
    kit = depth_kit()
    shape = rectangle(0, 0, 8, 8, rhw=1.0)
    shape[:, 2] = shape[:, 0] / 8
    shape[:, 3] = 1 / (1 + shape[:, 0])
    kit.draw(shape)
    assert np.abs(stored_depth(kit)[2] - np.arange(8) / 8 * (2**24 - 1)).max() < 4


def test_no_write_without_zwriteenable_or_zenable_or_surface():
    for states in ({"ZWRITEENABLE": 0}, {"ZENABLE": 0}):
        kit = depth_kit().set(**states)
        assert kit.draw(rectangle(*FULL, z=0.2)).all()
        assert (stored_depth(kit) == 2**24 - 1).all()
    assert Kit().set(ZENABLE=1, ZFUNC=CmpFunc.NEVER).draw(rectangle(*FULL)).all()


def test_w_buffer_maps_near_to_far():
    kit = depth_kit().set(ZENABLE=2)
    kit.put(("WINFO", "Near"), 2.0)
    kit.put(("WINFO", "Far"), 10.0)
    kit.draw(rectangle(*FULL, z=0.9, rhw=1 / 4))
    assert np.abs(stored_depth(kit).astype(np.int64) - (2**24 - 1) * 2 // 8).max() <= 2


def test_bias_brings_nearer_but_not_lines():
    kit = depth_kit().set(ZFUNC=CmpFunc.LESS)
    shape = rectangle(*FULL, z=0.5)
    kit.draw(shape)
    assert not (kit.draw(rectangle(*FULL, z=0.5, diffuse=(1, 0, 0, 1))) == 0xFFFF0000).any()
    kit.set(ZBIAS=1)
    line = np.stack([vertex(0, 3, 0.5, diffuse=(1, 0, 0, 1)), vertex(7, 3, 0.5, diffuse=(1, 0, 0, 1))])
    assert not (kit.draw(line, lines(1)) == 0xFFFF0000).any()
    assert (kit.draw(rectangle(*FULL, z=0.5, diffuse=(1, 0, 0, 1))) == 0xFFFF0000).all()


# ---- stencil ---------------------------------------------------------------------------------


@pytest.mark.parametrize("func", list(CmpFunc))
def test_stencil_compare_has_the_reference_on_the_left(func):
    for reference in (0x11, 0x12, 0x13):
        kit = depth_kit(stencil=0xF2).set(STENCILENABLE=1, STENCILFUNC=func, STENCILREF=reference, STENCILMASK=0x0F)
        assert kit.draw(rectangle(*FULL)).any() == COMPARE[func](reference & 15, 2)


def operated(op: StencilOp, value: int, reference: int, bits: int) -> int:
    top = (1 << bits) - 1
    return {
        StencilOp.KEEP: value, StencilOp.ZERO: 0, StencilOp.REPLACE: reference & top, StencilOp.INCRSAT: min(value + 1, top),
        StencilOp.DECRSAT: max(value - 1, 0), StencilOp.INVERT: ~value & top, StencilOp.INCR: (value + 1) & top,
        StencilOp.DECR: (value - 1) & top,
    }[op]  # fmt: skip


@pytest.mark.parametrize("op", list(StencilOp))
def test_stencil_operations_at_each_outcome(op):
    for name in ("D24S8", "D24X4S4", "D15S1"):
        bits = parts(name)[1][1]
        for value in sorted({0, 1, (1 << bits) - 1, 5 & (1 << bits) - 1}):
            for outcome in ("STENCILFAIL", "STENCILZFAIL", "STENCILPASS"):
                kit = depth_kit(name, 0.5, value).set(
                    STENCILENABLE=1, STENCILFUNC=CmpFunc.NEVER if outcome == "STENCILFAIL" else CmpFunc.ALWAYS, STENCILREF=0xA7,
                    **{outcome: op},
                )  # fmt: skip
                image = kit.draw(rectangle(*FULL, z=0.7 if outcome == "STENCILZFAIL" else 0.2))
                assert (stored_stencil(kit) == operated(op, value, 0xA7, bits)).all(), (name, value, outcome)
                assert image.any() == (outcome == "STENCILPASS")


def test_stencil_write_mask_keeps_bits():
    kit = depth_kit(stencil=0xC3).set(STENCILENABLE=1, STENCILPASS=StencilOp.REPLACE, STENCILREF=0x3C, STENCILWRITEMASK=0x0F)
    kit.draw(rectangle(*FULL))
    assert (stored_stencil(kit) == 0xCC).all()


def test_stencil_touches_covered_pixels_only_and_works_without_depth_test():
    kit = depth_kit(stencil=1).set(STENCILENABLE=1, STENCILPASS=StencilOp.INCR, ZENABLE=0)
    kit.draw(rectangle(2, 2, 4, 4))
    expected = np.ones((8, 8), int)
    expected[2:4, 2:4] = 2
    assert (stored_stencil(kit) == expected).all() and (stored_depth(kit) == 2**24 - 1).all()


def test_no_stencil_buffer_no_stencil_test():
    assert depth_kit("D16").set(STENCILENABLE=1, STENCILFUNC=CmpFunc.NEVER).draw(rectangle(*FULL)).all()


# ---- alpha -----------------------------------------------------------------------------------


@pytest.mark.parametrize("func", list(CmpFunc))
def test_alpha_compare_in_eight_bits(func):
    for reference in (0x70, 0x80, 0x90):
        kit = Kit().set(ALPHATESTENABLE=1, ALPHAFUNC=func, ALPHAREF=reference)
        image = kit.draw(rectangle(*FULL, diffuse=(1, 1, 1, 0x80 / 255)))
        assert image.any() == image.all() == COMPARE[func](0x80, reference)


def test_alpha_failure_writes_neither_depth_nor_stencil():
    kit = depth_kit(stencil=3).set(ALPHATESTENABLE=1, ALPHAFUNC=CmpFunc.GREATER, ALPHAREF=200, STENCILENABLE=1,
                                   STENCILPASS=StencilOp.ZERO)  # fmt: skip
    kit.draw(rectangle(*FULL, z=0.5, diffuse=(1, 1, 1, 0.5)))
    assert (stored_depth(kit) == 2**24 - 1).all() and (stored_stencil(kit) == 3).all()
