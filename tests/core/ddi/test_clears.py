"""Clears: formats, rectangles, depth and stencil."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from core.ddi.stream import dp2
from tests.core.ddi.machine import CLEAR_DEPTH, CLEAR_STENCIL, CLEAR_TARGET, COMPUTE, CONTEXT, TARGET, Machine


@pytest.mark.parametrize(
    ("format", "value"),
    [  # semantics section 5: the high-order bits of each channel of 0x9A7F55C3, X channels zero
        ("A8R8G8B8", 0x9A7F55C3),
        ("X8R8G8B8", 0x007F55C3),
        ("R5G6B5", (0x7F >> 3) << 11 | (0x55 >> 2) << 5 | 0xC3 >> 3),
        ("X1R5G5B5", (0x7F >> 3) << 10 | (0x55 >> 3) << 5 | 0xC3 >> 3),
        ("A1R5G5B5", 1 << 15 | (0x7F >> 3) << 10 | (0x55 >> 3) << 5 | 0xC3 >> 3),
        ("A4R4G4B4", 0x975C),
        ("R3G3B2", (0x7F >> 5) << 5 | (0x55 >> 5) << 2 | 0xC3 >> 6),
        ("X4R4G4B4", 0x075C),
        ("A2B10G10R10", (0x9A >> 6) << 30 | (0xC3 << 2) << 20 | (0x55 << 2) << 10 | 0x7F << 2),
    ],
)
def test_clear_keeps_the_high_order_bits(format: str, value: int) -> None:
    machine = Machine(format)
    machine.clear(CLEAR_TARGET, [(0, 0, 100, 80)], 0x9A7F55C3)
    assert (machine.pixels() == value).all()


@pytest.mark.parametrize(
    ("format", "depth_bits", "depth_shift", "stencil_bits", "stencil_shift"),
    [("D16", 16, 0, 0, 0), ("D24S8", 24, 8, 8, 0), ("D24X8", 24, 8, 0, 0), ("D15S1", 15, 1, 1, 0), ("D32", 32, 0, 0, 0)],
)
@pytest.mark.parametrize("depth", [0.0, 0.25, 0.6, 1.0, 7.0, -1.0, math.nan])
def test_clear_depth_and_stencil(
    format: str, depth_bits: int, depth_shift: int, stencil_bits: int, stencil_shift: int, depth: float
) -> None:
    machine = Machine(depth=format)
    machine.clear(CLEAR_DEPTH, [(0, 0, 100, 80)], depth=depth)
    single = struct.unpack("<f", struct.pack("<f", depth))[0]
    inside = min(max(single, 0.0), 1.0) if single == single else 0.0
    code = math.floor(inside * (2**depth_bits - 1) + 0.5) << depth_shift
    assert (machine.pixels("depth") == code).all()
    machine.clear(CLEAR_STENCIL, [(0, 0, 100, 80)], stencil=0x1A5)
    assert (machine.pixels("depth") == (code | (0x1A5 & (1 << stencil_bits) - 1) << stencil_shift)).all()


def test_clear_rectangles_only_and_none_without_rectangles() -> None:
    machine = Machine()
    rects = [(10, 20, 30, 40), (95, 75, 300, 400), (-5, -5, 2, 3), (50, 50, 50, 60), (60, 60, 50, 50)]
    machine.clear(CLEAR_TARGET, rects, 0xFFFFFF)
    expected = np.zeros((80, 100), np.uint32)
    expected[20:40, 10:30] = expected[75:80, 95:100] = expected[0:3, 0:2] = 0xFFFFFF
    assert np.array_equal(machine.pixels(), expected)
    stream = bytearray()
    dp2.emit(stream, "CLEAR", [(0, 0, 100, 80)], flags=CLEAR_TARGET, color=0x123456, depth=0, stencil=0)
    stream[2:4] = b"\0\0"  # a count of 0 still carries a rectangle, which means nothing
    machine("DrawPrimitives2", {"commands": bytes(stream)}, context=CONTEXT, command_length=len(stream))
    assert np.array_equal(machine.pixels(), expected)


def test_computed_rectangles_are_clipped_to_the_viewport() -> None:
    machine = Machine()
    machine.draw(("VIEWPORTINFO", [{"x": 8, "y": 4, "width": 16, "height": 12}]))
    machine.clear(CLEAR_TARGET | COMPUTE, [(0, 0, 12, 100)], 0xFF)
    expected = np.zeros((80, 100), np.uint32)
    expected[4:16, 8:12] = 0xFF
    assert np.array_equal(machine.pixels(), expected)
    stream = bytearray()
    dp2.emit(stream, "CLEAR", [(0, 0, 0, 0)], flags=CLEAR_TARGET | COMPUTE, color=0xAA, depth=0, stencil=0)
    stream[2:4] = b"\0\0"
    machine("DrawPrimitives2", {"commands": bytes(stream)}, context=CONTEXT, command_length=len(stream))
    expected[4:16, 8:24] = 0xAA
    assert np.array_equal(machine.pixels(), expected)


def test_clear_of_a_part_keeps_the_other_bits() -> None:
    machine = Machine()
    machine.clear(CLEAR_DEPTH | CLEAR_STENCIL, [(0, 0, 100, 80)], depth=0.5, stencil=0x33)
    machine.clear(CLEAR_STENCIL, [(3, 3, 70, 70)], stencil=0x44)
    depth = machine.pixels("depth")
    assert (depth >> 8 == math.floor(0.5 * (2**24 - 1) + 0.5)).all()
    expected = np.full((80, 100), 0x33)
    expected[3:70, 3:70] = 0x44
    assert np.array_equal(depth & 0xFF, expected)


def test_clear_without_a_depth_buffer_is_a_finding() -> None:
    machine = Machine()
    machine.draw(("SETRENDERTARGET", [{"render_target": TARGET, "depth_stencil": 0}]))
    machine.clear(CLEAR_DEPTH, [(0, 0, 100, 80)])
    assert [finding.rule for finding in machine.driver.findings] == ["bad-clear"]
