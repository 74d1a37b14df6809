"""Blt, BltFast and Flip: every flag."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.runtime.d3d7 import DDBLTFX, DDSCAPS2, Object7
from core.spec.enums import DdBlt, SurfaceCaps
from tests.scenes7.kit import (
    BLACK,
    BLUE,
    D16,
    D24S8,
    DEPTH,
    GREEN,
    GREY,
    HEIGHT,
    OFFSCREEN,
    RED,
    SCREEN,
    STRIP,
    SYSTEM,
    WHITE,
    WIDTH,
    Stage,
    corners,
    picture,
    scene,
)

WAIT = DdBlt.WAIT
HALVES = [[RED] * 8 + [GREEN] * 8] * 4 + [[BLUE] * 8 + [WHITE] * 8] * 4
KEY_OF_SOURCE, KEY_OF_TARGET = 8, 2  # DDCKEY_SRCBLT, DDCKEY_DESTBLT
QUARTERS = np.array(HALVES, np.uint32)


def quarters(stage: Stage, caps: int = OFFSCREEN) -> Object7:
    """A surface of red, green over blue, white."""
    made = stage.surface(caps)
    stage.write(made, HALVES)
    return made


@scene("blits/fill")
def fill(stage: Stage) -> None:
    target = stage.surface()
    stage.fill(target, GREY)
    stage.fill(target, RED, (2, 1, 5, 4))
    stage.shows(target, picture(((2, 1, 5, 4), RED), ground=GREY))
    target.Blt(None, None, None, DdBlt.COLORFILL | DdBlt.ASYNC | DdBlt.DONOTWAIT, DDBLTFX(dwFillColor=BLUE))
    stage.shows(target, picture(ground=BLUE))


@scene("blits/raster operations")
def raster_operations(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage)
    target.Blt((0, 0, 8, 8), None, None, DdBlt.ROP | WAIT, DDBLTFX(dwROP=0xFF0062))  # WHITENESS
    target.Blt((1, 1, 3, 3), None, None, DdBlt.ROP | WAIT, DDBLTFX(dwROP=0x42))  # BLACKNESS
    stage.shows(target, picture(((0, 0, 8, 8), WHITE), ((1, 1, 3, 3), BLACK)))
    target.Blt(None, source, None, DdBlt.ROP | WAIT, DDBLTFX(dwROP=0xCC0020))  # SRCCOPY
    stage.shows(target, QUARTERS)
    stage.refuses("raster operation 0x5a0049", target.Blt, None, source, None, DdBlt.ROP, DDBLTFX(dwROP=0x5A0049))


@scene("blits/depth")
def depth(stage: Stage) -> None:
    """Depths of 16 bits as they are; of 24 bits in the low part of the number, whatever the stencil above."""
    for form, code, far in ((D16, 0x1000, 0xFFFF), (D24S8, 0x100000, 0xFFFFFF)):
        device, target = stage.device(7, form)
        buffer = target.GetAttachedSurface(DDSCAPS2(DEPTH))
        for value, rect in ((far, None), (code, (0, 0, 8, 8))):
            buffer.Blt(rect, None, None, DdBlt.DEPTHFILL | WAIT, DDBLTFX(dwFillColor=value))
        device.SetRenderState(7, 1)
        device.DrawPrimitive(STRIP, SCREEN, corners((0, 0, WIDTH, HEIGHT), RED, 0.5), 4, 0)
        stage.shows(target, picture(((8, 0, 16, 8), RED)))


@scene("blits/copy")
def copy(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage, OFFSCREEN | SYSTEM)
    target.Blt((0, 0, 16, 8), source, None, WAIT, None)
    stage.shows(target, QUARTERS)
    target.Blt((0, 0, 4, 2), source, (6, 3, 10, 5), WAIT, None)
    stage.shows(target, np.block([[QUARTERS[3:5, 6:10], QUARTERS[:2, 4:]], [QUARTERS[2:]]]))
    stage.refuses("without a source", target.Blt, None, None, None, WAIT, None)


@scene("blits/stretch")
def stretch(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage)
    stage.fill(target, GREY)
    target.Blt((0, 0, 8, 4), source, None, WAIT, None)
    stage.shows(
        target, picture(((0, 0, 4, 2), RED), ((4, 0, 8, 2), GREEN), ((0, 2, 4, 4), BLUE), ((4, 2, 8, 4), WHITE), ground=GREY)
    )
    target.Blt(None, source, (7, 3, 9, 5), WAIT | DdBlt.DDFX, DDBLTFX(dwDDFX=1 | 8))  # ARITHSTRETCHY, NOTEARING: hints
    stage.shows(target, QUARTERS)


@scene("blits/mirror")
def mirror(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage)
    for effect, wanted in (
        (2, QUARTERS[:, ::-1]), (4, QUARTERS[::-1]), (6, QUARTERS[::-1, ::-1]), (0x10, QUARTERS[::-1, ::-1]),
    ):  # fmt: skip
        target.Blt(None, source, None, DdBlt.DDFX | WAIT, DDBLTFX(dwDDFX=effect))
        stage.shows(target, wanted)


@scene("blits/rotation is refused")
def rotation(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage)
    for effect in (0x20, 0x40):
        stage.refuses("does not rotate", target.Blt, None, source, None, DdBlt.DDFX, DDBLTFX(dwDDFX=effect))
    stage.refuses("does not rotate", target.Blt, None, source, None, DdBlt.ROTATIONANGLE, DDBLTFX())
    stage.shows(target, picture())


@scene("blits/source keys")
def source_keys(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage)
    source.SetColorKey(KEY_OF_SOURCE, (GREEN, GREEN))
    stage.fill(target, GREY)
    target.Blt(None, source, None, DdBlt.KEYSRC | WAIT, None)
    stage.shows(target, np.where(QUARTERS == GREEN, GREY, QUARTERS))
    stage.fill(target, GREY)
    target.Blt(None, source, None, DdBlt.KEYSRCOVERRIDE | WAIT, DDBLTFX(ddckSrcColorkey=(BLUE, BLUE)))
    stage.shows(target, np.where(QUARTERS == BLUE, GREY, QUARTERS))
    source.SetColorKey(KEY_OF_SOURCE, None)
    target.BltFast(0, 0, source, None, 0x10)
    stage.shows(target, QUARTERS)


@scene("blits/destination keys")
def destination_keys(stage: Stage) -> None:
    target, source = quarters(stage), stage.surface()
    stage.fill(source, GREY)
    target.SetColorKey(KEY_OF_TARGET, (RED, RED))
    target.Blt(None, source, None, DdBlt.KEYDEST | WAIT, None)
    stage.shows(target, np.where(QUARTERS == RED, GREY, QUARTERS))
    target.Blt(None, source, None, DdBlt.KEYDESTOVERRIDE | WAIT, DDBLTFX(ddckDestColorkey=(WHITE, WHITE)))
    stage.shows(target, np.where((QUARTERS == RED) | (QUARTERS == WHITE), GREY, QUARTERS))


@scene("blits/fast")
def fast(stage: Stage) -> None:
    target, source = stage.surface(), quarters(stage)
    target.BltFast(2, 1, source, (6, 3, 10, 5), 0)
    stage.shows(target, picture(((2, 1, 4, 2), RED), ((4, 1, 6, 2), GREEN), ((2, 2, 4, 3), BLUE), ((4, 2, 6, 3), WHITE)))
    source.SetColorKey(KEY_OF_SOURCE, (RED, RED))
    stage.fill(target, GREY)
    target.BltFast(0, 0, source, None, 1 | 0x10)  # SRCCOLORKEY, WAIT
    stage.shows(target, np.where(QUARTERS == RED, GREY, QUARTERS))
    target.SetColorKey(KEY_OF_TARGET, (GREY, GREY))
    source.SetColorKey(KEY_OF_SOURCE, None)
    target.BltFast(0, 0, source, None, 2 | 0x20)  # DESTCOLORKEY, DONOTWAIT
    stage.shows(target, QUARTERS)


@scene("blits/overlap")
def overlap(stage: Stage) -> None:
    surface = quarters(stage)
    surface.BltFast(4, 2, surface, (0, 0, 12, 6), 0x10)
    wanted = QUARTERS.copy()
    wanted[2:, 4:] = QUARTERS[:6, :12]
    stage.shows(surface, wanted)


@scene("blits/to the screen of a window")
def windowed(stage: Stage) -> None:
    """Each picture that comes from another surface ends a frame."""
    screen = stage.draw.CreateSurface((124, 1, 0, 0, 0, 0, 0, 0, (), (), (int(SurfaceCaps.PRIMARYSURFACE),)))
    clipper = stage.draw.CreateClipper(0)
    clipper.SetHWnd(0, 5)
    screen.SetClipper(clipper)
    screen.Blt(None, quarters(stage), None, WAIT, None)
    stage.shows(screen, QUARTERS)


@scene("blits/flip")
def flip(stage: Stage) -> None:
    """Contents move up by one; with an override two exchange theirs."""
    front, back = stage.screen(2)
    last = back.GetAttachedSurface(DDSCAPS2(SurfaceCaps.FLIP))
    shown = ((front, RED), (back, GREEN), (last, BLUE))
    for surface, color in shown:
        stage.fill(surface, color)
    seen = partial(
        lambda *colors: [stage.shows(one, picture(ground=color)) for (one, _), color in zip(shown, colors, strict=True)]
    )
    for flags in (1, 2, 4, 8, 0x10, 0x20, 0x2000000, 0x3000000, 0x4000000):  # WAIT ... INTERVAL4
        front.Flip(None, flags)
    seen(RED, GREEN, BLUE)  # nine are three times round
    front.Flip(None, 1)
    seen(GREEN, BLUE, RED)
    front.Flip(last, 1)
    seen(RED, BLUE, GREEN)
    stage.refuses("no back buffer", stage.surface().Flip, None, 1)
