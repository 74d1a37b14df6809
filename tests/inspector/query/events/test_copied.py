"""Programs that draw nothing: the surface that they copied to stands in for the render target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import inspector
from core.runtime.d3d7 import DDBLTFX, DDSCAPS2, DDSURFACEDESC2
from inspector import Look
from inspector.imports.scripts import record_directdraw

FILL, WAIT = 0x400, 0x1000000
RED, GREEN, BLUE = 0xFF0000, 0x00FF00, 0x0000FF
SCREEN, PICTURE = (4, 2), (3, 1)
"""Widths and heights."""


@pytest.fixture(scope="module")
def flips(tmp_path_factory: Any) -> Iterator[Any]:
    """Two frames that fill a picture, copy it to the back buffer and fill the picture again; the second is not flipped."""
    path = tmp_path_factory.mktemp("flips") / "flips.ddicap"
    with record_directdraw(path) as draw:
        draw.SetDisplayMode(*SCREEN, 32, 0, 0)
        picture = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x7, dwHeight=1, dwWidth=3, ddsCaps=DDSCAPS2(0x40)))
        screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x21, dwBackBufferCount=1, ddsCaps=DDSCAPS2(0x218)))
        back = screen.GetAttachedSurface(DDSCAPS2(4))
        back.Blt(None, None, None, FILL | WAIT, DDBLTFX(dwFillColor=BLUE))
        for color in (RED, GREEN):
            picture.Blt(None, None, None, FILL | WAIT, DDBLTFX(dwFillColor=color))
            back.Blt((0, 0, 3, 1), picture, None, WAIT, None)
            picture.Blt((0, 0, 1, 1), None, None, FILL | WAIT, DDBLTFX(dwFillColor=BLUE))
            if color == RED:
                screen.Flip(None, 1)
    with inspector.open(path) as capture:
        yield capture


def seen(capture: Any, event: int, **how: Any) -> tuple[tuple[int, int], set[int]]:
    """(width, height) and colours of what is shown."""
    rgb = capture.ask(Look(event, **how)).rgba[..., :3].astype(int)
    return (rgb.shape[1], rgb.shape[0]), set((rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]).ravel().tolist())


def copies(capture: Any) -> list[int]:
    return [event for event in range(len(capture.events)) if capture.name(event) == "Blt"]


def test_what_a_copy_writes_is_shown(flips: Any) -> None:
    ground, filled, copied, _, again, whole, _ = copies(flips)
    assert seen(flips, ground) == (SCREEN, {BLUE})
    assert seen(flips, filled) == (PICTURE, {RED})
    assert seen(flips, copied) == (SCREEN, {RED, BLUE})
    assert seen(flips, again) == (PICTURE, {GREEN}) and seen(flips, whole)[0] == SCREEN


def test_before_a_copy_is_the_surface_it_writes(flips: Any) -> None:
    _, _, copied, _, again, _, _ = copies(flips)
    assert seen(flips, copied, when="before") == (SCREEN, {BLUE})
    assert seen(flips, again, when="before") == (PICTURE, {RED, BLUE})


def test_at_the_end_of_a_frame_that_flips_its_picture_is_shown(flips: Any) -> None:
    [flip] = [event for event in range(len(flips.events)) if flips.name(event) == "Flip"]
    last = copies(flips)[3]
    assert flips.picture_event(flips.frames[0]) == last == flip - 1
    assert seen(flips, last) == (SCREEN, {RED, BLUE}) and seen(flips, flip)[0] == SCREEN
    assert seen(flips, copies(flips)[-1]) == (PICTURE, {GREEN, BLUE})


def test_what_edits_leave_out_is_not_followed(flips: Any) -> None:
    _, filled, copied, *_ = copies(flips)
    assert seen(flips.edited(inspector.WhatIf.of(f"disable {copied}").edits), copied) == seen(flips, filled)
