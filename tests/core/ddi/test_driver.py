"""The driver: entries, results, clears, copies, and what it does with nonsense."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ddi import dp2
from core.ddi.calls import DdiCall
from core.ddi.driver import ENTRIES, EmulatedDriver
from core.spec.enums import DdBlt, HResult
from core.spec.formats import FORMAT_BY_NAME
from core.spec.slots import slot

CONTEXT, TARGET, DEPTH = 1, 10, 11
CLEAR_TARGET, CLEAR_DEPTH, CLEAR_STENCIL, COMPUTE = 1, 2, 4, 8


class Machine:
    """A driver with a context, a 100 x 80 render target and a depth buffer."""

    def __init__(self, color: str = "X8R8G8B8", depth: str = "D24S8", size: tuple[int, int] = (100, 80), **more: Any) -> None:
        self.driver = EmulatedDriver()
        self.surface(TARGET, color, *size, label="render_target", **more)
        self.surface(DEPTH, depth, *size, label="depth", **more)
        self(
            "ContextCreate",
            context=CONTEXT,
            render_target=TARGET,
            depth_stencil=DEPTH,
            width=size[0],
            height=size[1],
            windowed=1,
        )

    def __call__(self, entry: str, data: dict[str, Any] | None = None, expect: int = 0, **args: Any) -> DdiCall:
        call = self.driver.call(DdiCall(entry, args, data or {}))
        assert call.result == expect, (hex(call.result), [f.text for f in self.driver.findings])
        return call

    def surface(self, handle: int, format: str, width: int, height: int, **more: Any) -> DdiCall:
        return self("CreateSurface", handle=handle, width=width, height=height, format=FORMAT_BY_NAME[format].id, **more)

    def fill(self, handle: int, contents: np.ndarray, box: Any = None, pitch: int = 0) -> None:
        self("Lock", handle=handle, box=box, flags=0)
        args = {"pitch": pitch} if pitch else {}
        self("Unlock", {"contents": np.ascontiguousarray(contents).tobytes()}, handle=handle, box=box, **args)

    def draw(self, *tokens: tuple, expect: int = 0, **args: Any) -> DdiCall:
        stream = bytearray()
        for op, items, *fields in tokens:
            dp2.emit(stream, op, items, **(fields[0] if fields else {}))
        return self("DrawPrimitives2", {"commands": bytes(stream)}, expect, context=CONTEXT, command_length=len(stream), **args)

    def clear(self, flags: int, rects: list, color: int = 0, depth: float = 1.0, stencil: int = 0) -> DdiCall:
        return self.draw(("CLEAR", rects, {"flags": flags, "color": color, "depth": depth, "stencil": stencil}))

    def pixels(self, surface: Any = "render_target", **which: int) -> np.ndarray:
        rows, format = self.driver.read(surface, **which)
        return rows.view(f"<u{format.bits // 8}")


# ---- clear ---------------------------------------------------------------------------------------------------


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


# ---- locks -----------------------------------------------------------------------------------------------------


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
    assert machine.driver.read(30, slice=2)[0][1:3, 1:4].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert machine.driver.read(30, slice=3)[0][1:3, 1:4].tolist() == [[6, 7, 8], [9, 10, 11]]
    assert not machine.driver.read(30, slice=1)[0].any()


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


# ---- creation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "result"),
    [
        ({"width": 0}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"width": 1 << 30}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"width": 8192, "height": 8192, "depth": 2048}, HResult.DDERR_OUTOFVIDEOMEMORY),
        ({"samples": 17}, HResult.DDERR_OUTOFVIDEOMEMORY),
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
    assert machine.pixels(100, level=3, face=2).tolist() == [[7, 7], [7, 7]]
    machine("DestroySurface", handle=101, expect=HResult.DDERR_INVALIDOBJECT)
    machine("DestroySurface", handle=100)
    with pytest.raises(LookupError):
        machine.driver.read(113)


# ---- copies -------------------------------------------------------------------------------------------------------------


def picture(width: int, height: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 32, (height, width), dtype=np.uint32)


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
        assert np.array_equal(machine.pixels(300, level=n), level), n


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
    assert machine.driver.read(300, slice=2)[0][0:2, 1:3].tolist() == contents[1, 1:3, 0:2].tolist()
    assert machine.driver.read(300, slice=3)[0][0:2, 1:3].tolist() == contents[2, 1:3, 0:2].tolist()


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


# ---- DrawPrimitives2 --------------------------------------------------------------------------------------------------------


def test_unknown_tokens_fail_at_their_offset() -> None:
    machine = Machine()
    stream = bytearray(b"\0" * 8)
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}])
    bad = len(stream)
    stream += b"\xf0\0\1\0" + b"\0" * 8
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 6}])
    args = {"context": CONTEXT, "command_offset": 8, "command_length": len(stream) - 8}
    call = machine("DrawPrimitives2", {"commands": bytes(stream)}, HResult.D3DERR_COMMAND_UNPARSED, **args)
    assert call.out["error_offset"] == bad  # counted from the start of the buffer, dwCommandOffset included
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 5
    assert machine.driver.findings[-1].offset == bad


def test_a_token_of_a_later_version_fails_at_its_offset() -> None:
    machine = Machine()
    call = machine.draw(
        ("RENDERSTATE", [{"state": 24, "value": 5}]),
        ("SETSCISSORRECT", [{"rect": (0, 0, 1, 1)}]),
        expect=HResult.D3DERR_COMMAND_UNPARSED,
    )
    assert call.out["error_offset"] == 12


def test_a_token_that_is_cut_off() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}, {"state": 25, "value": 3}])
    args = {"context": CONTEXT, "command_length": len(stream) - 1}
    call = machine("DrawPrimitives2", {"commands": bytes(stream)}, HResult.DDERR_INVALIDPARAMS, **args)
    assert call.out["error_offset"] == 0
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 0


def test_success_has_error_offset_zero() -> None:
    assert Machine().draw(("RENDERSTATE", [{"state": 24, "value": 5}])).out == {"error_offset": 0}


def test_bad_contexts_and_lengths_are_refused() -> None:
    machine = Machine()
    machine("DrawPrimitives2", {"commands": b""}, HResult.DDERR_INVALIDPARAMS, context=99)
    machine("DrawPrimitives2", {"commands": b"1234"}, HResult.DDERR_INVALIDPARAMS, context=CONTEXT, command_length=8)
    machine(
        "DrawPrimitives2",
        {"commands": b"", "vertices": b"12"},
        HResult.DDERR_INVALIDPARAMS,
        context=CONTEXT,
        vertex_length=3,
        vertex_size=1,
    )
    assert machine.driver.seq == 3 + 3


def test_events_count_as_the_timeline_does() -> None:
    machine = Machine()
    start = machine.driver.seq
    machine.draw(("RENDERSTATE", [{"state": 24, "value": 5}, {"state": 25, "value": 3}]), ("ZRANGE", [{"min": 0, "max": 1}]))
    assert machine.driver.seq == start + 3
    machine("DrawPrimitives2", {"commands": b""}, context=CONTEXT, command_length=0)
    assert machine.driver.seq == start + 4


def test_a_call_in_parts_is_the_call() -> None:
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": n} for n in range(5)])
    call = DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(stream)}, {"commands": bytes(stream)})
    machine = Machine()
    machine.driver.run(call, 100, 0, 2)
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 1
    assert machine.driver.seq == 102
    machine.driver.run(call, 100, 2)
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 4
    assert machine.driver.seq == 105


def test_legacy_states_reach_stage_0() -> None:
    machine = Machine()
    machine.draw(
        (
            "RENDERSTATE",
            [{"state": 44, "value": 3}, {"state": 17, "value": 2}, {"state": 18, "value": 6}, {"state": 5, "value": 1}],
        )
    )
    vector = machine.driver.device.registers.vector
    names = ("ADDRESSU", "MAGFILTER", "MINFILTER", "MIPFILTER")
    assert [int(vector[slot(("TEXTURESTAGE", 0, name))]) for name in names] == [3, 2, 2, 2]
    assert vector[slot("WRAP0")] == 1


def test_state_sets() -> None:
    machine = Machine()
    begin, end, execute, delete, create = 0, 1, 3, 2, 5

    def state_set(operation: int, kind: int = 0) -> tuple:
        return "STATESET", [{"operation": operation, "handle": 4, "type": kind}]

    machine.draw(state_set(begin), ("RENDERSTATE", [{"state": 24, "value": 5}]), state_set(end))
    vector = machine.driver.device.registers.vector
    assert vector[slot("ALPHAREF")] == 0
    machine.draw(state_set(execute))
    assert vector[slot("ALPHAREF")] == 5
    machine.draw(
        state_set(create, 2), ("RENDERSTATE", [{"state": 24, "value": 9}, {"state": 22, "value": 1}]), state_set(execute)
    )
    assert (vector[slot("ALPHAREF")], vector[slot("CULLMODE")]) == (5, 1)  # pixel state has ALPHAREF, not CULLMODE
    machine.draw(state_set(delete), state_set(execute), state_set(17))
    assert [finding.rule for finding in machine.driver.findings] == ["bad-state-set"] * 2


def test_palettes_show_in_their_surfaces() -> None:
    machine = Machine()
    machine.surface(20, "P8", 2, 1)
    machine.fill(20, np.array([1, 2], np.uint8))
    machine.draw(
        ("SETPALETTE", [{"palette": 3, "flags": 0x2000, "surface": 20}]),
        ("UPDATEPALETTE", None, {"palette": 3, "start": 1, "count": 2, "entries": [0x80332211, 0x40665544]}),
    )
    assert machine.driver.rgba(20).tolist() == [[[0x11, 0x22, 0x33, 0x80], [0x44, 0x55, 0x66, 0x40]]]


# ---- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "pixel", "rgba"),
    [
        ("A8R8G8B8", 0x80FF4020, (255, 64, 32, 128)),
        ("X8R8G8B8", 0x80FF4020, (255, 64, 32, 255)),
        ("R5G6B5", 0xF81F, (255, 0, 255, 255)),
        ("A1R5G5B5", 0x7C00, (255, 0, 0, 0)),
        ("L8", 77, (77, 77, 77, 255)),
        ("V8U8", 0x7F81, (0, 255, 255, 255)),
        ("D16", 0xFFFF, (255, 255, 255, 255)),
    ],
)
def test_rgba(format: str, pixel: int, rgba: tuple) -> None:
    machine = Machine()
    machine.surface(20, format, 1, 1)
    machine.fill(20, np.array([pixel], f"<u{FORMAT_BY_NAME[format].bits // 8}"))
    assert tuple(machine.driver.rgba(20)[0, 0].tolist()) == rgba


def test_multisampled_surfaces_are_resolved_unless_a_sample_is_named() -> None:
    machine = Machine(samples=4)
    part = machine.driver.device.memory.part(TARGET)
    words = part.write_blocks().reshape(4, -1)
    words[:] = np.array([0x000000, 0xFFFFFF, 0xFFFFFF, 0x010101], np.uint32)[:, None]
    assert (machine.pixels() == 0x80 * 0x010101).all()
    assert (machine.driver.read(TARGET, sample=3)[0].view("<u4") == 0x010101).all()
    machine.fill(TARGET, picture(100, 80))
    assert np.array_equal(machine.driver.read(TARGET, sample=2)[0], machine.driver.read(TARGET)[0])


# ---- snapshots -------------------------------------------------------------------------------------------------------


def test_restore_brings_back_everything() -> None:
    machine = Machine()
    first = picture(100, 80)
    machine.fill(TARGET, first)
    machine("CreateD3DBuffer", handle=40, size=4)
    snapshot = machine.driver.snapshot()
    assert sum(array.nbytes for array in snapshot.arrays()) >= first.nbytes
    held = {id(array) for array in snapshot.arrays()}
    shared = [array.nbytes for array in machine.driver.snapshot().arrays() if id(array) in held]
    assert max(shared) >= first.nbytes  # what did not change is the same array
    machine.clear(CLEAR_TARGET, [(0, 0, 100, 80)], 5)
    machine.draw(("RENDERSTATE", [{"state": 24, "value": 5}]))
    machine("LockD3DBuffer", handle=40)
    machine("UnlockD3DBuffer", {"contents": b"abcd"}, handle=40)
    machine("DestroySurface", handle=DEPTH)
    machine.surface(70, "L8", 4, 4)
    machine.driver.restore(snapshot)
    assert np.array_equal(machine.pixels(), first)
    assert machine.driver.seq == snapshot.seq
    memory = machine.driver.device.memory
    assert (bytes(memory.buffers[40].contents), 70 in memory.surfaces, DEPTH in memory.surfaces) == (b"\0" * 4, False, True)
    assert machine.driver.device.registers.vector[slot("ALPHAREF")] == 0
    machine.clear(CLEAR_TARGET, [(0, 0, 1, 1)], 9)
    machine.driver.restore(snapshot)
    assert np.array_equal(machine.pixels(), first)


# ---- nonsense --------------------------------------------------------------------------------------------------------

VALUE = st.one_of(
    st.integers(-5, 300),
    st.integers(),
    st.none(),
    st.text(max_size=3),
    st.lists(st.integers(-10, 200), max_size=6),
    st.floats(),
)
NAMES = st.sampled_from(
    [
        "handle",
        "width",
        "height",
        "depth",
        "levels",
        "faces",
        "format",
        "samples",
        "box",
        "flags",
        "source",
        "destination",
        "source_box",
        "destination_box",
        "color",
        "size",
        "offset",
        "pitch",
        "slice_pitch",
        "context",
        "command_offset",
        "command_length",
        "vertex_size",
        "vertex_length",
        "vertex_offset",
        "vertex_type",
        "surface",
        "rects",
        "low",
        "high",
        "type",
        "index",
        "kind",
        "label",
        "render_target",
    ]
)
SOME_CALL = st.tuples(
    st.sampled_from([*ENTRIES, "DrawPrimitives2", "Nonsense"]),
    st.dictionaries(NAMES, VALUE, max_size=12),
    st.binary(max_size=64),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SOME_CALL, max_size=4))
def test_no_call_can_crash_the_driver(calls: list) -> None:
    machine = Machine(size=(16, 16))
    for entry, args, data in calls:
        # small enough to be created, now and then
        args = {"handle": 10, "width": 8, "height": 8, "format": 21, "context": CONTEXT} | args
        call = machine.driver.call(DdiCall(entry, args, {"contents": data, "commands": data, "vertices": data}))
        assert isinstance(call.result, int)


STATE_OPS = [
    "RENDERSTATE",
    "TEXTURESTAGESTATE",
    "SETLIGHT",
    "CREATELIGHT",
    "SETTRANSFORM",
    "SETPALETTE",
    "UPDATEPALETTE",
    "TEXBLT",
    "VOLUMEBLT",
    "BUFFERBLT",
    "STATESET",
    "SETRENDERTARGET",
    "CLEAR",
    "SETTEXLOD",
    "SETVERTEXSHADER",
    "SETPIXELSHADER",
    "CREATEVERTEXSHADER",
    "CREATEPIXELSHADER",
    "DELETEPIXELSHADER",
    "SETVERTEXSHADERCONST",
    "SETCLIPPLANE",
    "MULTIPLYTRANSFORM",
]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(STATE_OPS),
            st.integers(0, 3),
            st.lists(st.integers(0, 40) | st.integers(0, 0xFFFFFFFF), max_size=30),
        ),
        max_size=5,
    )
)
def test_no_stream_can_crash_the_driver(tokens: list) -> None:
    machine = Machine(size=(16, 16))
    machine.surface(20, "A8R8G8B8", 16, 16, levels=3)
    machine.surface(30, "DXT1", 16, 16, levels=3)
    machine.driver.call(DdiCall("CreateD3DBuffer", {"handle": 40, "size": 64}))
    for op, count, dwords in tokens:
        stream = struct.pack("<BBH", OPS[op], 0, count)
        stream += struct.pack(f"<{len(dwords)}I", *dwords)
        machine.driver.call(
            DdiCall("DrawPrimitives2", {"context": CONTEXT, "command_length": len(stream)}, {"commands": stream})
        )
    machine.driver.rgba(TARGET)


OPS = {row.name: row.op for row in dp2.TOKENS.values()}


def test_the_runtime_may_know_an_unknown_command() -> None:
    machine = Machine()
    stream = bytearray()
    dp2.emit(stream, "RENDERSTATE", [{"state": 24, "value": 5}])
    bad = len(stream)
    stream += b"\xf0\0\1\0" + b"\0" * 8
    dp2.emit(stream, "RENDERSTATE", [{"state": 25, "value": 6}])
    asked = []

    def parse(commands: np.ndarray, offset: int) -> int:
        asked.append((int(commands[offset]), offset))
        return offset + 12

    machine.driver.parse_unknown_command = parse
    call = machine("DrawPrimitives2", {"commands": bytes(stream)}, context=CONTEXT, command_length=len(stream))
    assert call.out["error_offset"] == 0
    assert asked == [(0xF0, bad)]
    vector = machine.driver.device.registers.vector
    assert (vector[slot("ALPHAREF")], vector[slot("ALPHAFUNC")]) == (5, 6)
    machine.driver.parse_unknown_command = lambda commands, offset: None
    call = machine(
        "DrawPrimitives2",
        {"commands": bytes(stream)},
        HResult.D3DERR_COMMAND_UNPARSED,
        context=CONTEXT,
        command_length=len(stream),
    )
    assert call.out["error_offset"] == bad


def test_a_locked_part_of_a_multisampled_surface_leaves_the_rest() -> None:
    """DX8 DDI: a multisampled primary is locked as one sample per pixel; Unlock spreads what was written."""
    machine = Machine(samples=4)
    part = machine.driver.device.memory.part(TARGET)
    samples = np.array([0x000000, 0xFFFFFF, 0xFFFFFF, 0x010101], np.uint32)
    part.write_blocks().reshape(4, -1)[:] = samples[:, None]
    machine.fill(TARGET, np.full((2, 2), 0x123456, np.uint32), (10, 10, 12, 12))
    for n, value in enumerate(samples.tolist()):
        plane = machine.driver.read(TARGET, sample=n)[0].view("<u4")
        assert (plane[10:12, 10:12] == 0x123456).all()
        assert np.count_nonzero(plane != value) <= 4


def test_a_blt_into_a_multisampled_primary_is_spread_and_out_of_it_resolved() -> None:
    machine = Machine(samples=4)
    machine.surface(20, "X8R8G8B8", 2, 2)
    machine.fill(20, np.full((2, 2), 0x0000FF, np.uint32))
    part = machine.driver.device.memory.part(TARGET)
    part.write_blocks().reshape(4, -1)[:] = np.array([0, 0xFFFFFF, 0xFFFFFF, 0x010101], np.uint32)[:, None]
    machine("Blt", destination=TARGET, source=20, destination_box=(4, 4, 6, 6), flags=0)
    for n in range(4):
        plane = machine.driver.read(TARGET, sample=n)[0].view("<u4")
        assert (plane[4:6, 4:6] == 0x0000FF).all()
    assert machine.driver.read(TARGET, sample=3)[0].view("<u4")[0, 0] == 0x010101
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
    words = lambda handle, n: {*machine.driver.read(handle, sample=n)[0].view("<u4").reshape(-1).tolist()}  # noqa: E731
    machine("Flip", surfaces=[20, TARGET, 21])
    assert (machine.pixels(20) == 0x808080).all()
    assert [words(TARGET, n) for n in range(4)] == [{1}, {2}, {3}, {4}]
    assert [words(21, n) for n in range(4)] == [{0xFF}] * 4
    machine("Flip", surfaces=[20, TARGET, 22], expect=HResult.DDERR_INVALIDPARAMS)
    machine("Flip", surfaces=[TARGET, 20], expect=HResult.DDERR_INVALIDPARAMS)


def test_a_multisampled_primary_locks_as_one_sample() -> None:
    machine = Machine()
    machine.surface(60, "X8R8G8B8", 8, 8, samples=4, label="primary")
    assert machine("Lock", handle=60).out["samples"] == 1
    assert "samples" not in machine("Lock", handle=TARGET).out


def test_all_contexts_end_at_once() -> None:
    machine = Machine()
    machine("ContextCreate", context=2, render_target=TARGET)
    machine("ContextDestroyAll", process=7)
    assert machine.driver.device.contexts == {}
