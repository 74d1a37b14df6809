"""Surfaces and buffers: which can be made, and what locks give and take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.spec.enums import HResult
from core.spec.subresource import Subresource
from tests.core.ddi.machine import TARGET, Machine


def test_an_unlocked_box_lands_where_it_belongs() -> None:
    machine = Machine()
    contents = np.arange(5 * 8, dtype=np.uint32).reshape(5, 8)  # rows of 8, of which 6 are the box's
    machine.fill(TARGET, contents, (90, 70, 96, 75), pitch=32)
    expected = np.zeros((80, 100), np.uint32)
    expected[70:75, 90:96] = contents[:, :6]
    assert np.array_equal(machine.pixels(), expected)


def test_a_locked_box_of_blocks() -> None:
    machine = Machine()
    machine.surface(20, "DXT1", 16, 16)
    blocks = np.arange(2 * 8, dtype=np.uint8).reshape(1, 16)
    machine.fill(20, blocks, (4, 8, 12, 12), pitch=16)
    rows, _ = machine.driver.read(20)
    assert rows.shape == (4, 32)
    assert rows[2, 8:24].tolist() == list(range(16))
    assert not rows[[0, 1, 3]].any()


@pytest.mark.parametrize(
    "box", [(0, 0, 101, 80), (5, 5, 5, 6), (-1, 0, 5, 5), (0, 0, 5), "x", (0, 0, 5, 5, 0, 2), (0, 0, 1.5, 2)]
)
def test_boxes_outside_are_refused(box: Any) -> None:
    machine = Machine()
    machine("Lock", handle=TARGET, box=box, flags=0, expect=HResult.DDERR_INVALIDRECT)


def test_short_contents_and_unlocked_surfaces_are_refused() -> None:
    machine = Machine()
    machine("Unlock", {"contents": b"1234"}, handle=TARGET, expect=HResult.DDERR_NOTLOCKED)
    machine("Lock", handle=TARGET)
    machine("Unlock", {"contents": b"1234"}, handle=TARGET, expect=HResult.DDERR_INVALIDPARAMS)
    assert not machine.pixels().any()
    assert {finding.rule for finding in machine.driver.findings} == {"bad-lock", "bad-data"}


def test_volume_slices() -> None:
    machine = Machine()
    machine.surface(30, "L8", 8, 4, depth=4)
    machine.fill(30, np.arange(2 * 2 * 3, dtype=np.uint8), (1, 1, 4, 3, 2, 4))
    assert machine.driver.read(Subresource(30, slice=2))[0][1:3, 1:4].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert machine.driver.read(Subresource(30, slice=3))[0][1:3, 1:4].tolist() == [[6, 7, 8], [9, 10, 11]]
    assert not machine.driver.read(Subresource(30, slice=1))[0].any()


def test_buffers() -> None:
    machine = Machine()
    machine("CreateD3DBuffer", handle=40, size=10, kind="vertex")
    machine("LockD3DBuffer", handle=40, offset=4, size=6)
    machine("UnlockD3DBuffer", {"contents": b"abcdef"}, handle=40, offset=4)
    assert bytes(machine.driver.device.memory.buffers[40].contents) == b"\0\0\0\0abcdef"
    machine("LockD3DBuffer", handle=40, offset=4, size=7, expect=HResult.DDERR_INVALIDPARAMS)
    machine("LockD3DBuffer", handle=40)
    machine("UnlockD3DBuffer", {"contents": b"abcdef"}, handle=40, offset=5, expect=HResult.DDERR_INVALIDPARAMS)
    machine.draw(("BUFFERBLT", [{"destination": 40, "source": 40, "offset": 0, "range": (6, 4), "flags": 0}]))
    assert bytes(machine.driver.device.memory.buffers[40].contents) == b"cdefabcdef"


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ({"width": 0}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"width": 1 << 30}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"width": 8192, "height": 8192, "depth": 2048}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"samples": 17}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"format": 41, "samples": 4}, HResult.DDERR_INVALIDPARAMS),  # P8, which reports no samples
        ({"levels": 12}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"faces": 5}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"faces": 6, "height": 32}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"format": 7}, HResult.DDERR_INVALIDPIXELFORMAT),
        ({"format": "A8R8G8B8"}, HResult.DDERR_INVALIDPARAMS),
        ({"handle": -1}, HResult.DDERR_INVALIDPARAMS),
        ({"width": None}, HResult.DDERR_INVALIDPARAMS),
    ],
)
def test_surfaces_that_cannot_be(change: dict, result: int) -> None:
    machine = Machine()
    args = {"handle": 50, "width": 64, "height": 64, "format": 21} | change
    machine("CreateSurface", expect=result, **args)
    assert len(machine.driver.findings) == 1
    assert 50 not in machine.driver.device.memory.surfaces


def test_handles_of_levels_and_faces() -> None:
    machine = Machine()
    machine.surface(100, "A8R8G8B8", 16, 16, levels=5, faces=6)
    machine.fill(100 + 2 * 5 + 3, np.full((2, 2), 7, np.uint32))
    assert machine.pixels(Subresource(100, level=3, face=2)).tolist() == [[7, 7], [7, 7]]
    machine("DestroySurface", handle=101, expect=HResult.DDERR_INVALIDOBJECT)
    machine("DestroySurface", handle=100)
    with pytest.raises(LookupError):
        machine.driver.read(113)


def test_a_locked_part_of_a_multisampled_surface_leaves_the_rest() -> None:
    """DX8 DDI: a multisampled primary is locked as one sample per pixel; Unlock spreads what was written."""
    machine = Machine(samples=4)
    part = machine.driver.device.memory.part(TARGET)
    samples = np.array([0x000000, 0xFFFFFF, 0xFFFFFF, 0x010101], np.uint32)
    part.write_blocks().reshape(4, -1)[:] = samples[:, None]
    machine.fill(TARGET, np.full((2, 2), 0x123456, np.uint32), (10, 10, 12, 12))
    for n, value in enumerate(samples.tolist()):
        plane = machine.driver.read(Subresource(TARGET, sample=n))[0].view("<u4")
        assert (plane[10:12, 10:12] == 0x123456).all()
        assert np.count_nonzero(plane != value) <= 4


def test_a_multisampled_primary_locks_as_one_sample() -> None:
    machine = Machine()
    machine.surface(60, "X8R8G8B8", 8, 8, samples=4, label="primary")
    assert machine("Lock", handle=60).out["samples"] == 1
    assert "samples" not in machine("Lock", handle=TARGET).out
