"""Depth test: every comparison, every depth format, w buffer, bias."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import CmpFunc
from tests.core.pipeline.raster_kit import (
    COMPARE,
    FULL,
    Kit,
    depth_kit,
    lines,
    parts,
    rectangle,
    stored_depth,
    vertex,
)

DEPTH_FORMATS = ["D16", "D16_LOCKABLE", "D15S1", "D24S8", "D24X8", "D24X4S4", "D32"]


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


@pytest.mark.parametrize("name", DEPTH_FORMATS)
@pytest.mark.parametrize("func", list(CmpFunc))
def test_neighbouring_depths_are_told_apart(func, name):
    """Stored depths just below, at and above the fragment's; what passes leaves its own depth."""
    (shift, bits), _ = parts(name)
    middle, step = 1 << bits - 1, 1 << max(0, bits - 22)  # single precision has 24 bits
    z = middle / (2**bits - 1)
    always = depth_kit(name).set(ZFUNC=CmpFunc.ALWAYS)
    always.draw(rectangle(*FULL, z=z))
    own = int(stored_depth(always)[0, 0])
    assert abs(own - middle) <= step // 2
    kit = depth_kit(name).set(ZFUNC=func)
    kit.depth[:] = (own + step * (np.arange(kit.depth.size) % 3 - 1) << shift).astype(np.uint32)
    before = stored_depth(kit)
    passed = kit.draw(rectangle(*FULL, z=z)) != 0
    assert passed.tolist() == [[COMPARE[func](own, int(there)) for there in row] for row in before]
    assert (stored_depth(kit) == np.where(passed, own, before)).all()
