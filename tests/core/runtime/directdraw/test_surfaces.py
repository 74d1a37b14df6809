"""DirectDraw by scripted calls on the emulated driver: every expected picture is worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.runtime.calls.structs import PALETTEENTRY
from core.runtime.calls.structs7 import DDBLTFX, DDCOLORKEY, DDPIXELFORMAT, DDSCAPS2
from core.runtime.script.script import Array
from core.spec.enums import DdBlt
from tests.core.runtime.directdraw.desk import BACK, COMPLEX, FLIP, OFFSCREEN, P8, PRIMARY, Desk, S

NUMBERS = [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_a_lock_writes_and_a_copy_takes(desk: Desk) -> None:
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, NUMBERS)
    desk.script.call(S + "BltFast", other, 0, 0, one, None, 0)
    assert desk.words(other) == NUMBERS


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        (2, [[4, 3, 2, 1], [8, 7, 6, 5]]),
        (4, [[5, 6, 7, 8], [1, 2, 3, 4]]),
        (6, [[8, 7, 6, 5], [4, 3, 2, 1]]),
        (0x10, [[8, 7, 6, 5], [4, 3, 2, 1]]),
    ],
)
def test_effects_mirror(desk: Desk, effects: int, expected: list[list[int]]) -> None:
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, NUMBERS)
    desk.blt(other, None, one, None, DdBlt.DDFX, DDBLTFX(dwDDFX=effects))
    assert desk.words(other) == expected


def test_a_mirrored_copy_leaves_out_what_the_mirrored_key_names(desk: Desk) -> None:
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, NUMBERS)
    key = DDCOLORKEY(2, 2)
    desk.blt(other, None, one, None, DdBlt.DDFX | DdBlt.KEYSRCOVERRIDE, DDBLTFX(dwDDFX=2, ddckSrcColorkey=key))
    assert desk.words(other) == [[4, 3, 0, 1], [8, 7, 6, 5]]


def test_stretching_takes_the_nearest_pixel(desk: Desk) -> None:
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN, 8, 2)
    desk.write(one, NUMBERS)
    desk.blt(other, None, one, None, 0)
    assert desk.words(other)[0] == [1, 1, 2, 2, 3, 3, 4, 4]


def test_fills_and_raster_operations(desk: Desk) -> None:
    one = desk.surface(OFFSCREEN)
    desk.blt(one, (1, 0, 3, 1), None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=0xABCDEF))
    assert desk.words(one) == [[0, 0xABCDEF, 0xABCDEF, 0], [0, 0, 0, 0]]
    desk.blt(one, None, None, None, DdBlt.ROP, DDBLTFX(dwROP=0xFF0062))
    assert desk.words(one) == [[0xFFFFFFFF] * 4] * 2
    desk.blt(one, None, None, None, DdBlt.ROP, DDBLTFX(dwROP=0x42))
    assert desk.words(one) == [[0] * 4] * 2


def test_keys_of_both_ends(desk: Desk) -> None:
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, NUMBERS)
    desk.script.call(S + "SetColorKey", one, 8, Array([DDCOLORKEY(3, 3)]))
    desk.blt(other, None, one, None, DdBlt.KEYSRC)
    assert desk.words(other) == [[1, 2, 0, 4], [5, 6, 7, 8]]
    desk.script.call(S + "SetColorKey", other, 2, Array([DDCOLORKEY(0, 0)]))
    desk.blt(other, None, one, None, DdBlt.KEYDEST)
    assert desk.words(other) == NUMBERS


def test_what_lies_beside_a_surface_is_left_out(desk: Desk) -> None:
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, NUMBERS)
    desk.blt(other, (-2, 0, 2, 2), one, None, 0)
    assert desk.words(other) == [[3, 4, 0, 0], [7, 8, 0, 0]]


def test_a_flip_moves_contents_and_objects_keep_their_place(desk: Desk) -> None:
    desk.script.call("IDirectDraw7::SetDisplayMode", desk.draw, 4, 2, 32, 0, 0)
    front = desk.surface(PRIMARY | COMPLEX | FLIP, 0, 0, buffers=2)
    first = desk.made(S + "GetAttachedSurface", front, Array([DDSCAPS2(BACK)]), ...)
    second = desk.made(S + "GetAttachedSurface", first, Array([DDSCAPS2(FLIP)]), ...)
    for n, surface in enumerate((front, first, second)):
        desk.write(surface, np.full((2, 4), n))
    desk.script.call(S + "Flip", front, None, 1)
    assert [desk.words(surface)[0][0] for surface in (front, first, second)] == [1, 2, 0]
    desk.script.call(S + "Flip", front, second, 1)
    assert [desk.words(surface)[0][0] for surface in (front, first, second)] == [0, 2, 1]
    again = desk.made(S + "GetAttachedSurface", second, Array([DDSCAPS2(FLIP)]), ...)
    assert desk.words(again) == desk.words(front)


def test_every_address_of_an_object_names_it_until_its_release(desk: Desk) -> None:
    one = desk.surface(OFFSCREEN)
    other = desk.made(S + "QueryInterface", one, None, ...)
    desk.write(other, NUMBERS)
    assert desk.words(one) == NUMBERS
    desk.script.call(S + "Release", one)
    assert desk.words(other) == NUMBERS
    desk.script.call(S + "Release", other)
    assert not desk.driver.device.memory.surfaces


def test_iunknown_is_one_more_address(desk: Desk) -> None:
    """COM: any object answers QueryInterface for IUnknown; it lives until its last reference is released, whatever its name."""
    one = desk.surface(OFFSCREEN)
    unknown = desk.made(S + "QueryInterface", one, None, ...)
    again = desk.made("IUnknown::QueryInterface", unknown, None, ...)
    desk.write(again, NUMBERS)
    desk.script.call("IUnknown::AddRef", unknown)
    for interface, pointer in ((S, one), (S, again)):
        desk.script.call(interface + "Release", pointer)
    assert desk.driver.device.memory.surfaces
    desk.script.call("IUnknown::Release", unknown)
    assert not desk.driver.device.memory.surfaces
    assert desk.said == []


def test_pictures_of_8_bits_show_through_their_palette(desk: Desk) -> None:
    surface = desk.surface(OFFSCREEN, form=P8)
    desk.write(surface, NUMBERS, "u1")
    colors = Array([PALETTEENTRY(n, 2 * n % 256, 255 - n) for n in range(256)])
    palette = desk.made("IDirectDraw7::CreatePalette", desk.draw, 4, colors, ..., None)
    desk.script.call(S + "SetPalette", surface, palette)
    handle = desk.named[-1][1] or desk.named[-2][1]
    assert desk.driver.rgba(handle)[1, 2].tolist() == [7, 14, 248, 255]
    desk.script.call("IDirectDrawPalette::SetEntries", palette, 0, 7, 1, Array([PALETTEENTRY(9, 8, 7)]))
    assert desk.driver.rgba(handle)[1, 2].tolist() == [9, 8, 7, 255]
    assert desk.driver.rgba(handle)[1, 1].tolist() == [6, 12, 249, 255]


def test_what_cannot_be_is_rejected_with_a_sentence(desk: Desk) -> None:
    one = desk.surface(OFFSCREEN)
    desk.blt(one, None, None, None, 0)
    desk.blt(one, None, one, None, DdBlt.DDFX, DDBLTFX(dwDDFX=0x40))
    desk.script.call(S + "Flip", one, None, 1)
    desk.surface(OFFSCREEN, 70000, 4)
    desk.script.call(S + "BltFast", one, 0, 0, 0x99, None, 0)
    assert [text.split(";")[0] for text in desk.said] == [
        "Blt without a source", "Blt does not rotate", "the surface has no back buffer", "a surface of 70000 x 4",
        "0x99 names no surface",
    ]  # fmt: skip


def test_a_depth_buffer_that_is_gone_is_none(desk: Desk) -> None:
    """A trace whose Release answers 0 while the surface is attached, as a damaged one may."""
    target = desk.surface(OFFSCREEN | 0x2000, 4, 4)
    depth = desk.surface(0x20000, 4, 4, DDPIXELFORMAT(32, 0x400, 0, 16, 0, 0, 0, 0xFFFF))
    desk.script.call(S + "AddAttachedSurface", target, depth)
    desk.script.call(S + "Release", depth)
    d3d = desk.made("IDirectDraw7::QueryInterface", desk.draw, None, ...)
    device = desk.made("IDirect3D7::CreateDevice", d3d, None, target, ...)
    desk.script.call("IDirect3DDevice7::SetRenderTarget", device, target, 0)
    assert not desk.said


def test_a_duplicate_has_the_same_memory_until_both_are_gone(desk: Desk) -> None:
    first = desk.surface(OFFSCREEN)
    twin = desk.made("IDirectDraw7::DuplicateSurface", desk.draw, first, ...)
    desk.write(first, NUMBERS)
    assert desk.words(twin) == NUMBERS
    desk.blt(twin, (0, 0, 1, 1), None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=9))
    assert desk.words(first)[0] == [9, 2, 3, 4]
    desk.script.call(S + "Release", first)
    desk.blt(twin, (1, 0, 2, 1), None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=8))
    assert desk.words(twin)[0] == [9, 8, 3, 4]
    handle = next(handle for pointer, handle in desk.named if pointer == twin and handle)
    desk.script.call(S + "Release", twin)
    assert desk.driver.device.memory.part(handle) is None and not desk.said


def test_a_fast_copy_by_a_key_that_the_surface_lacks_takes_the_last_one(desk: Desk) -> None:
    """As Wine 8.0, where such a call succeeds: the key is 0 at first, and one that was taken away stays in force."""
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, [[0, 2, 3, 4], [5, 6, 7, 8]])
    desk.write(other, [[9] * 4] * 2)
    desk.script.call(S + "BltFast", other, 0, 0, one, None, 1)
    assert desk.words(other) == [[9, 2, 3, 4], [5, 6, 7, 8]]
    desk.write(other, [[9] * 4] * 2)
    desk.script.call(S + "SetColorKey", one, 8, Array([DDCOLORKEY(3, 3)]))
    desk.script.call(S + "SetColorKey", one, 8, None)
    desk.script.call(S + "BltFast", other, 0, 0, one, None, 1)
    assert desk.words(other) == [[0, 2, 9, 4], [5, 6, 7, 8]]


def test_keys_leave_out_the_unused_bits_of_pixels(desk: Desk) -> None:
    """The high byte of X8R8G8B8 is whatever a program left there."""
    one, other = desk.surface(OFFSCREEN), desk.surface(OFFSCREEN)
    desk.write(one, [[0x77000003, 2, 3, 0xFF000004], [5, 6, 7, 8]])
    desk.blt(other, None, one, None, DdBlt.KEYSRCOVERRIDE, DDBLTFX(ddckSrcColorkey=DDCOLORKEY(3, 3)))
    assert desk.words(other) == [[0, 2, 0, 0xFF000004], [5, 6, 7, 8]]
    desk.blt(other, None, one, None, DdBlt.KEYSRCOVERRIDE, DDBLTFX(ddckSrcColorkey=DDCOLORKEY(0xAA000005, 0xAA000005)))
    assert desk.words(other) == [[0x77000003, 2, 3, 0xFF000004], [5, 6, 7, 8]]


def test_what_only_the_screen_shows_is_told(desk: Desk) -> None:
    """DirectX 7 SDK, UpdateOverlay (DDOVER_SHOW 0x4000, DDOVER_HIDE 0x200) and FlipToGDISurface."""
    desk.script.call("IDirectDraw7::SetDisplayMode", desk.draw, 4, 2, 32, 0, 0)
    front = desk.surface(PRIMARY | FLIP | COMPLEX, 0, 0, None, 1)
    overlay = desk.surface(0x80)
    before = len(desk.said)
    desk.script.call("IDirectDraw7::FlipToGDISurface", desk.draw)
    desk.script.call(S + "UpdateOverlay", overlay, None, front, None, 0x200, None)
    assert len(desk.said) == before
    desk.script.call(S + "UpdateOverlay", overlay, None, front, None, 0x4000, None)
    desk.script.call(S + "Flip", front, None, 1)
    desk.script.call("IDirectDraw7::FlipToGDISurface", desk.draw)
    assert [text.partition(":")[0] for text in desk.said[before:]] == ["UpdateOverlay", "FlipToGDISurface"]
