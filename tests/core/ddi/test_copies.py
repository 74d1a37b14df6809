"""Blts, flips, texture and volume blits."""

from __future__ import annotations

import numpy as np
import pytest

from core.spec.enums import DdBlt, HResult
from core.spec.subresource import Subresource
from tests.core.ddi.machine import CLEAR_DEPTH, CLEAR_STENCIL, DEPTH, TARGET, Machine, picture


def test_blt_copies_a_box() -> None:
    machine = Machine()
    machine.surface(20, "X8R8G8B8", 32, 32)
    source = picture(32, 32)
    machine.fill(20, source)
    machine("Blt", destination=TARGET, source=20, destination_box=(40, 50, 50, 55), source_box=(3, 4, 13, 9), flags=0)
    assert np.array_equal(machine.pixels()[50:55, 40:50], source[4:9, 3:13])
    assert np.count_nonzero(machine.pixels()) == 50


def test_blt_within_a_surface_copies_overlaps_whole() -> None:
    machine = Machine()
    source = picture(100, 80)
    machine.fill(TARGET, source)
    machine("Blt", destination=TARGET, source=TARGET, destination_box=(1, 1, 100, 80), source_box=(0, 0, 99, 79), flags=0)
    assert np.array_equal(machine.pixels()[1:, 1:], source[:-1, :-1])


def test_blt_stretches_and_converts() -> None:
    machine = Machine()
    machine.surface(20, "R5G6B5", 2, 1)
    machine.fill(20, np.array([0xF800, 0x07E0], np.uint16))
    machine("Blt", destination=TARGET, source=20, flags=0)
    shown = machine.pixels() & 0xFFFFFF
    assert (shown[:, :50] == 0xFF0000).all() and (shown[:, 50:] == 0x00FF00).all()


def test_blt_fills() -> None:
    machine = Machine()
    machine("Blt", destination=TARGET, destination_box=(1, 2, 3, 4), flags=int(DdBlt.COLORFILL), color=0x89ABCDEF)
    assert np.argwhere(machine.pixels() == 0x89ABCDEF).tolist() == [[2, 1], [2, 2], [3, 1], [3, 2]]
    machine.clear(CLEAR_DEPTH | CLEAR_STENCIL, [(0, 0, 100, 80)], depth=1, stencil=9)
    machine("Blt", destination=DEPTH, flags=int(DdBlt.DEPTHFILL), color=0x123456)
    assert (machine.pixels("depth") == 0x12345609).all()


def test_blt_with_a_colour_key() -> None:
    machine = Machine()
    machine.surface(20, "X8R8G8B8", 2, 1)
    machine.fill(20, np.array([5, 6], np.uint32))
    machine("SetColorKey", handle=20, low=5, high=5, flags=0)
    machine("Blt", destination=TARGET, source=20, destination_box=(0, 0, 2, 1), flags=int(DdBlt.KEYSRC))
    assert machine.pixels()[0, :2].tolist() == [0, 6]


def test_flip_moves_contents_up_the_chain() -> None:
    machine = Machine()
    for handle in (60, 61, 62):
        machine.surface(handle, "X8R8G8B8", 8, 8, label="primary" if handle == 60 else "back_buffer")
        machine.fill(handle, np.full((8, 8), handle, np.uint32))
    machine("Flip", surface=[60, 61, 62], flags=0)
    assert [int(machine.pixels(handle)[0, 0]) for handle in (60, 61, 62)] == [61, 62, 60]
    assert int(machine.pixels("primary")[0, 0]) == 61
    machine("Flip", surface=[60, 60], expect=HResult.DDERR_INVALIDOBJECT)
    machine("Flip", surface=[60, TARGET], expect=HResult.DDERR_INVALIDPARAMS)


def texture_blit_expected(source: list[np.ndarray], target: list[np.ndarray], rect: tuple, point: tuple) -> list[np.ndarray]:
    """The rule of semantics section 17, level by level."""
    left, top, right, bottom = rect
    x, y = point
    result = [level.copy() for level in target]
    for from_level, to_level in zip(source, result, strict=False):
        height, width = from_level.shape
        piece = from_level[top : min(bottom, height), left : min(right, width)]
        room = to_level[y : y + piece.shape[0], x : x + piece.shape[1]]
        room[...] = piece[: room.shape[0], : room.shape[1]]
        left, top, right, bottom = left >> 1, top >> 1, (right + 1) >> 1, (bottom + 1) >> 1
        right, bottom = max(right, left + 1), max(bottom, top + 1)
        x, y = x >> 1, y >> 1
    return result


@pytest.mark.parametrize(("rect", "point"), [((0, 0, 16, 8), (0, 0)), ((3, 1, 8, 6), (5, 2)), ((15, 7, 16, 8), (1, 1))])
def test_texture_blit_copies_all_levels(rect: tuple, point: tuple) -> None:
    machine = Machine()
    sizes = [(16 >> n or 1, 8 >> n or 1) for n in range(5)]
    source, target = ([picture(w, h, n + k) for n, (w, h) in enumerate(sizes)] for k in (0, 10))
    for handle, levels in ((200, source), (300, target)):
        machine.surface(handle, "A8R8G8B8", 16, 8, levels=5)
        for n, level in enumerate(levels):
            machine.fill(handle + n, level)
    machine.draw(("TEXBLT", [{"destination": 300, "source": 200, "point": point, "rect": rect, "flags": 0}]))
    for n, level in enumerate(texture_blit_expected(source, target, rect, point)):
        assert np.array_equal(machine.pixels(Subresource(300, level=n)), level), n


def test_texture_blit_matches_levels_by_size() -> None:
    machine = Machine()
    machine.surface(200, "A8R8G8B8", 16, 16, levels=5)
    machine.surface(300, "A8R8G8B8", 4, 4, levels=1)
    level = picture(4, 4)
    machine.fill(202, level)
    machine.draw(("TEXBLT", [{"destination": 300, "source": 200, "point": (0, 0), "rect": (0, 0, 16, 16), "flags": 0}]))
    assert np.array_equal(machine.pixels(300), level)


def test_volume_blit() -> None:
    machine = Machine()
    for handle in (200, 300):
        machine.surface(handle, "L8", 4, 4, depth=4)
    contents = np.arange(64, dtype=np.uint8).reshape(4, 4, 4)
    machine.fill(200, contents)
    machine.draw(
        ("VOLUMEBLT", [{"destination": 300, "source": 200, "x": 1, "y": 0, "z": 2, "box": (0, 1, 2, 3, 1, 3), "flags": 0}])
    )
    assert machine.driver.read(Subresource(300, slice=2))[0][0:2, 1:3].tolist() == contents[1, 1:3, 0:2].tolist()
    assert machine.driver.read(Subresource(300, slice=3))[0][0:2, 1:3].tolist() == contents[2, 1:3, 0:2].tolist()


def test_blits_that_cannot_be() -> None:
    machine = Machine()
    machine.surface(200, "A8R8G8B8", 16, 16)
    machine.surface(300, "R5G6B5", 16, 16)
    blit = {"point": (0, 0), "rect": (0, 0, 16, 16), "flags": 0}
    machine.draw(
        (
            "TEXBLT",
            [
                {"destination": 300, "source": 200, **blit},
                {"destination": 300, "source": 9, **blit},
                {"destination": 200, "source": 200, **blit, "rect": (0, 0, 17, 16)},
                {"destination": 0, "source": 200, **blit},
                {"destination": 200, "source": 200, **blit, "point": (-1, 0)},
            ],
        )
    )
    assert [finding.rule for finding in machine.driver.findings] == ["bad-blit", "bad-handle", "bad-blit", "bad-blit"]


def test_a_blt_into_a_multisampled_primary_is_spread_and_out_of_it_resolved() -> None:
    machine = Machine(samples=4)
    machine.surface(20, "X8R8G8B8", 2, 2)
    machine.fill(20, np.full((2, 2), 0x0000FF, np.uint32))
    part = machine.driver.device.memory.part(TARGET)
    part.write_blocks().reshape(4, -1)[:] = np.array([0, 0xFFFFFF, 0xFFFFFF, 0x010101], np.uint32)[:, None]
    machine("Blt", destination=TARGET, source=20, destination_box=(4, 4, 6, 6), flags=0)
    for n in range(4):
        plane = machine.driver.read(Subresource(TARGET, sample=n))[0].view("<u4")
        assert (plane[4:6, 4:6] == 0x0000FF).all()
    assert machine.driver.read(Subresource(TARGET, sample=3))[0].view("<u4")[0, 0] == 0x010101
    machine("Blt", destination=20, source=TARGET, source_box=(0, 0, 2, 2), flags=0)
    assert (machine.pixels(20) == 0x808080).all()


def test_a_flip_resolves_what_is_shown_and_moves_the_samples_behind_it() -> None:
    machine = Machine(samples=4)
    for handle, more in ((20, {}), (21, {"samples": 4}), (22, {"samples": 2})):
        machine.surface(handle, "X8R8G8B8", 100, 80, **more)
    machine.fill(20, np.full((80, 100), 0x0000FF, np.uint32))
    for handle, samples in ((TARGET, [0, 0xFFFFFF, 0xFFFFFF, 0x010101]), (21, [1, 2, 3, 4])):
        part = machine.driver.device.memory.part(handle)
        part.write_blocks().reshape(4, -1)[:] = np.array(samples, np.uint32)[:, None]
    words = lambda handle, n: {*machine.driver.read(Subresource(handle, sample=n))[0].view("<u4").reshape(-1).tolist()}  # noqa: E731
    machine("Flip", surfaces=[20, TARGET, 21])
    assert (machine.pixels(20) == 0x808080).all()
    assert [words(TARGET, n) for n in range(4)] == [{1}, {2}, {3}, {4}]
    assert [words(21, n) for n in range(4)] == [{0xFF}] * 4
    machine("Flip", surfaces=[20, TARGET, 22], expect=HResult.DDERR_INVALIDPARAMS)
    machine("Flip", surfaces=[TARGET, 20], expect=HResult.DDERR_INVALIDPARAMS)
