"""Calls of DirectDraw that answer with an object, end one's memory, or hand out what the trace lacks."""

from __future__ import annotations

import struct

import pytest

from core.runtime.script.script import Array, Pointer
from tests.core.runtime.directdraw.desk import COMPLEX, FLIP, OFFSCREEN, PRIMARY, Desk, S

DEVICE_3D = 0x2000
NUMBERS = [[1, 2, 3, 4], [5, 6, 7, 8]]
EVICT = 61  # D3DRENDERSTATE_EVICTMANAGEDTEXTURES


def primary(desk: Desk) -> Pointer:
    desk.script.call("IDirectDraw7::SetDisplayMode", desk.draw, 4, 2, 32, 0, 0)
    return desk.surface(PRIMARY | COMPLEX | FLIP, 0, 0, buffers=1)


def test_the_gdi_surface_is_the_primary(desk: Desk) -> None:
    front = primary(desk)
    other = desk.made("IDirectDraw7::GetGDISurface", desk.draw, ...)
    desk.write(other, NUMBERS)
    assert desk.words(front) == NUMBERS


def test_a_device_context_leads_to_its_surface_until_it_is_given_back(desk: Desk) -> None:
    one = desk.surface(OFFSCREEN)
    desk.script.call(S + "GetDC", one, Array([77]))
    other = desk.made("IDirectDraw7::GetSurfaceFromDC", desk.draw, 77, ...)
    desk.write(other, NUMBERS)
    assert desk.words(one) == NUMBERS
    desk.script.call(S + "ReleaseDC", one, 77)
    late = desk.made("IDirectDraw7::GetSurfaceFromDC", desk.draw, 77, ...)
    assert late not in desk.runtime.objects


def test_what_an_enumeration_hands_out_is_told_where_there_is_anything(desk: Desk) -> None:
    desk.script.call(S + "EnumAttachedSurfaces", desk.surface(OFFSCREEN), None, None)
    desk.script.call("IDirectDraw7::EnumSurfaces", desk.draw, 1, None, None, None)  # what could be made
    assert not desk.said
    desk.script.call(S + "EnumAttachedSurfaces", primary(desk), None, None)
    desk.script.call("IDirectDraw7::EnumSurfaces", desk.draw, 6, None, None, None)
    assert [text.split()[2] for text in desk.said] == ["EnumAttachedSurfaces", "EnumSurfaces"]


def test_a_second_object_has_the_mode_that_the_first_has_set(desk: Desk) -> None:
    desk.script.call("IDirectDraw7::SetDisplayMode", desk.draw, 4, 2, 16, 0, 0)
    desk.draw = desk.made("DirectDrawCreateEx", None, ..., None, None)
    front = desk.surface(PRIMARY, 0, 0, form=None)
    desk.write(front, NUMBERS, "<u2")
    assert desk.words(front, "<u2") == NUMBERS
    assert not desk.said


def test_evicting_is_said_to_each_device_of_the_object(desk: Desk) -> None:
    target = desk.surface(OFFSCREEN | DEVICE_3D)
    desk.made("IDirect3D7::CreateDevice", desk.draw, None, target, ...)
    desk.runtime.flush()
    sent: list[bytes] = []
    desk.runtime.send = lambda call: sent.append(bytes(call.data["commands"]))  # type: ignore[assignment, method-assign]
    desk.script.call("IDirect3D7::EvictManagedTextures", desk.made("DirectDrawCreateEx", None, ..., None, None))
    desk.runtime.flush()
    assert not sent
    desk.script.call("IDirect3D7::EvictManagedTextures", desk.draw)
    desk.runtime.flush()
    assert sent[0][4:] == struct.pack("<2I", EVICT, 1)


LOST = 0x887601C2 - (1 << 32)  # DDERR_SURFACELOST


@pytest.mark.parametrize("call, args", [
    ("IsLost", ()), ("Lock", (None, None, 1, None)), ("Blt", (None, None, None, 0x400, None)), ("GetDC", (None,)),
])  # fmt: skip
def test_what_a_lost_surface_held_is_undefined_after_restore(desk: Desk, call: str, args: tuple[None, ...]) -> None:
    """Contents stay; Restore says so at the first call after the loss, and not where nothing was lost."""
    one = desk.surface(OFFSCREEN)
    desk.write(one, NUMBERS)
    desk.script.call(S + "Restore", one)
    assert not desk.said
    desk.script.call(S + call, one, *args, result=LOST)
    assert desk.words(one) == NUMBERS
    desk.script.call(S + "Restore", one)
    desk.script.call(S + "Restore", one)
    assert [text.split(" is undefined")[0] for text in desk.said] == ["Restore: what the surface held"]
    assert desk.words(one) == NUMBERS


def test_all_surfaces_of_an_object_are_restored(desk: Desk) -> None:
    front = primary(desk)
    desk.script.call(S + "Flip", front, None, 1, result=LOST)
    desk.script.call("IDirectDraw7::RestoreAllSurfaces", desk.draw)
    desk.script.call(S + "Restore", front)
    assert [text.split(" is undefined")[0] for text in desk.said] == ["Restore: what lost surfaces held"]


def test_a_second_primary_has_memory_of_its_own_and_says_so(desk: Desk) -> None:
    one = primary(desk)
    desk.write(one, NUMBERS)
    assert not desk.said
    first, desk.draw = desk.draw, desk.made("DirectDrawCreateEx", None, ..., None, None)
    other = desk.surface(PRIMARY, 0, 0)
    desk.write(other, [[9] * 4] * 2)
    assert desk.words(one) == NUMBERS and desk.words(other) == [[9] * 4] * 2
    assert [text.split(":")[0] for text in desk.said] == ["another primary surface exists"]
    shown = desk.made("IDirectDraw7::GetGDISurface", first, ...)
    assert desk.words(shown) == NUMBERS
    for surface in (other, one, shown):
        desk.script.call(S + "Release", surface, result=0)
    desk.surface(PRIMARY, 0, 0)
    assert len(desk.said) == 1, "one after the other is usual"
