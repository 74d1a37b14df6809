"""Surfaces of every kind, and every version of DirectDraw, its surfaces, palettes and clippers."""

from __future__ import annotations

import numpy as np

from core.runtime.d3d7 import DDBLTFX, DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2
from core.runtime.script.script import Array
from core.spec.enums import DdBlt, SurfaceCaps, SurfaceCaps2
from core.spec.enums import PixelFormatFlag as Flag
from tests.scenes7.kit import (
    BLACK,
    BLUE,
    CAPS,
    D16,
    D24S8,
    DEPTH,
    DEVICE,
    FORMAT,
    GREEN,
    GREY,
    HEIGHT,
    KEY,
    OFFSCREEN,
    P8,
    RED,
    RGB16,
    RGB32,
    SCREEN,
    SIZE,
    STRIP,
    SYSTEM,
    TEXTURE,
    WHITE,
    WIDTH,
    Stage,
    corners,
    picture,
    scene,
)

COMPLEX, MIPMAP = int(SurfaceCaps.COMPLEX), int(SurfaceCaps.MIPMAP)
VIDEO = int(SurfaceCaps.VIDEOMEMORY | SurfaceCaps.LOCALVIDMEM)
FOUR_COLORS = [(255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (255, 255, 255, 0)] + [(128, 128, 128, 0)] * 252
PALETTE = 0x44  # DDPCAPS_8BIT, ALLOW256


@scene("surfaces/in memory of every kind")
def memories(stage: Stage) -> None:
    for caps in (
        OFFSCREEN,
        OFFSCREEN | SYSTEM,
        OFFSCREEN | VIDEO,
        OFFSCREEN | int(SurfaceCaps.NONLOCALVIDMEM),
        TEXTURE | DEVICE,
    ):
        surface = stage.surface(caps)
        stage.fill(surface, GREY)
        stage.fill(surface, BLUE, (1, 1, 3, 3))
        stage.shows(surface, picture(((1, 1, 3, 3), BLUE), ground=GREY))


@scene("surfaces/formats")
def formats(stage: Stage) -> None:
    """Half of each is filled with its raw value of a colour."""
    masked = DDPIXELFORMAT(32, Flag.RGB | Flag.ALPHAPIXELS, 0, 16, 0x7C00, 0, 0x3E0, 0, 0x1F, 0x8000)
    nibbles = DDPIXELFORMAT(32, Flag.RGB | Flag.ALPHAPIXELS, 0, 16, 0xF00, 0, 0xF0, 0, 0xF, 0xF000)
    luminance = DDPIXELFORMAT(32, Flag.LUMINANCE, 0, 8, 0xFF)
    for form, raw, shown in (
        (RGB32, 0xFF0000, RED), (RGB16, 0xF800, RED), (masked, 0xFC00, RED), (nibbles, 0xFF00, RED), (luminance, 0xFF, WHITE),
    ):  # fmt: skip
        surface = stage.surface(form=form)
        stage.fill(surface, raw, (0, 0, 8, 8))
        stage.shows(surface, picture(((0, 0, 8, 8), shown)))


@scene("surfaces/palettes")
def palettes(stage: Stage) -> None:
    surface = stage.surface(form=P8)
    palette = stage.draw.CreatePalette(PALETTE, FOUR_COLORS)
    surface.SetPalette(palette)
    stage.write(surface, [[0, 1, 2, 3] * 4] * 8, "u1")
    wanted = np.array([[RED, GREEN, BLUE, WHITE] * 4] * 8, np.uint32)
    stage.shows(surface, wanted)
    same = surface.GetPalette()
    same.SetEntries(0, 1, 1, [(128, 128, 128, 0)])
    stage.shows(surface, np.where(wanted == GREEN, GREY, wanted))
    surface.SetPalette(None)
    palette.Release()


@scene("surfaces/levels")
def levels(stage: Stage) -> None:
    top = stage.surface(TEXTURE | MIPMAP | COMPLEX, 8, 8, levels=3)
    at, size = top, 8
    for color in (RED, GREEN, BLUE):
        stage.fill(at, color)
        stage.shows(at, picture(ground=color, size=(size, size)))
        at, size = at.GetAttachedSurface(DDSCAPS2(TEXTURE | MIPMAP)) if color != BLUE else at, size // 2
    stage.device()
    top.SetLOD(1)
    managed = stage.surface(TEXTURE, 4, 4, caps2=int(SurfaceCaps2.TEXTUREMANAGE | SurfaceCaps2.HINTSTATIC))
    managed.SetPriority(3)
    stage.surface(TEXTURE, 4, 4, caps2=int(SurfaceCaps2.D3DTEXTUREMANAGE | SurfaceCaps2.HINTDYNAMIC))


@scene("surfaces/cubes")
def cubes(stage: Stage) -> None:
    cube = stage.cube()
    stage.fill(cube, RED)
    other = cube.GetAttachedSurface(DDSCAPS2(0, int(SurfaceCaps2.CUBEMAP | SurfaceCaps2.CUBEMAP_NEGATIVEZ)))
    stage.fill(other, BLUE)
    stage.shows(cube, picture(ground=RED, size=(4, 4)))
    stage.shows(other, picture(ground=BLUE, size=(4, 4)))
    stage.cube(3)


@scene("surfaces/the first attached")
def first_attached(stage: Stage) -> None:
    """Of a cube the last face comes before the next level, as in Wine; DDSCAPS2_MIPMAPSUBLEVEL asks for the level."""
    cube = stage.cube(levels=2)
    stage.fill(cube.GetAttachedSurface(DDSCAPS2(TEXTURE, SurfaceCaps2.CUBEMAP_NEGATIVEZ)), RED)
    stage.fill(cube.GetAttachedSurface(DDSCAPS2(TEXTURE, SurfaceCaps2.MIPMAPSUBLEVEL)), BLUE)
    stage.shows(cube.GetAttachedSurface(DDSCAPS2(TEXTURE)), picture(ground=RED, size=(4, 4)))
    stage.shows(cube.GetAttachedSurface(DDSCAPS2(TEXTURE, SurfaceCaps2.MIPMAPSUBLEVEL)), picture(ground=BLUE, size=(2, 2)))


@scene("surfaces/a chain of 8 bits")
def indexed_chain(stage: Stage) -> None:
    """Buffers of a palettised screen flip; DDSCAPS_3DDEVICE makes no difference."""
    stage.draw.SetDisplayMode(WIDTH, HEIGHT, 8, 0, 0)
    screen, back = stage.screen()
    palette = stage.draw.CreatePalette(0x44, [(0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 0, 0), *[(0, 0, 0, 0)] * 253])
    screen.SetPalette(palette)
    stage.fill(screen, 1)
    stage.fill(back, 2)
    stage.shows(screen, picture(ground=RED))
    screen.Flip(None, 1)
    stage.shows(screen, picture(ground=GREEN))
    stage.shows(back, picture(ground=RED))


@scene("surfaces/depth buffers")
def depths(stage: Stage) -> None:
    """With a device: their depth decides what is seen."""
    for form in (D16, D24S8):
        device, target = stage.device(7, form)
        device.Clear(0, None, 3, BLACK, 0.5, 0)
        for z, rect in ((0.25, (0, 0, 8, 8)), (0.75, (8, 0, 16, 8))):
            device.DrawPrimitive(STRIP, SCREEN, corners(rect, RED, z), 4, 0)
        stage.shows(target, picture(((0, 0, 8, 8), RED)))
        target.DeleteAttachedSurface(0, target.GetAttachedSurface(DDSCAPS2(DEPTH)))
        device.SetRenderTarget(target, 0)
        device.SetRenderState(7, 0)
        device.DrawPrimitive(STRIP, SCREEN, corners((8, 0, 16, 8), RED, 0.75), 4, 0)
        stage.shows(target, picture(ground=RED))


@scene("surfaces/duplicates")
def duplicates(stage: Stage) -> None:
    surface = stage.surface()
    twin = stage.draw.DuplicateSurface(surface)
    stage.fill(surface, RED)
    stage.fill(twin, GREEN, (0, 0, 4, 8))
    for one in (surface, twin):
        stage.shows(one, picture(((0, 0, 4, 8), GREEN), ground=RED))


@scene("surfaces/a key from the start")
def keyed(stage: Stage) -> None:
    desc = DDSURFACEDESC2(124, CAPS | SIZE | FORMAT | KEY, HEIGHT, WIDTH, ddckCKSrcBlt=(RED, RED), ddpfPixelFormat=RGB32,
                          ddsCaps=DDSCAPS2(OFFSCREEN))  # fmt: skip
    source, target = stage.draw.CreateSurface(desc), stage.surface()
    stage.fill(source, RED)
    stage.fill(source, BLUE, (0, 0, 3, 3))
    stage.fill(target, GREY)
    target.BltFast(0, 0, source, None, 1)
    stage.shows(target, picture(((0, 0, 3, 3), BLUE), ground=GREY))


@scene("surfaces/every version")
def every_version(stage: Stage) -> None:
    """A surface by each of its interfaces: the calls that do something."""
    for version in ("", "2", "3", "4", "7"):
        surface, source = (stage.surface(DEVICE | OFFSCREEN).QueryInterface(f"IDirectDrawSurface{version}") for _ in range(2))
        stage.write(source, np.full((HEIGHT, WIDTH), GREEN))
        surface.Blt((0, 0, 8, 8), source, None, DdBlt.WAIT, None)
        surface.BltFast(8, 0, source, (0, 0, 4, 8), 0)
        stage.shows(surface, picture(((0, 0, 12, 8), GREEN)))
        surface.SetColorKey(8, (0, 0))
        surface.AddAttachedSurface(stage.surface(DEPTH, form=D16))
        depth = surface.GetAttachedSurface(DDSCAPS2(DEPTH))
        surface.DeleteAttachedSurface(0, depth)
        surface.SetClipper(stage.draw.CreateClipper(0))
        surface.SetPalette(None)
        surface.GetPalette()
        surface.GetDDInterface().Compact()
        asked = DDSURFACEDESC2(dwHeight=HEIGHT, dwWidth=WIDTH, ddpfPixelFormat=RGB32)
        surface.GetSurfaceDesc(asked)
        surface.GetPixelFormat(RGB32)
        surface.SetPriority(1)
        surface.SetLOD(0)
        surface.Restore()
        context = surface.GetDC()
        stage.fill(stage.draw.GetSurfaceFromDC(context), RED, (0, 0, 1, 1))
        surface.ReleaseDC(context)
        stage.shows(surface, picture(((0, 0, 12, 8), GREEN), ((0, 0, 1, 1), RED)))
        surface.EnumAttachedSurfaces()
        surface.SetSurfaceDesc(asked, 0)
        front, _ = stage.screen()
        front.QueryInterface(f"IDirectDrawSurface{version}").Flip(None, 1)
        unknown = surface.QueryInterface("IUnknown")
        unknown.QueryInterface("IDirectDrawSurface7").Release()
        unknown.Release()
        surface.Release()


@scene("surfaces/every version of DirectDraw")
def every_directdraw(stage: Stage) -> None:
    first = stage.draw
    desc = DDSURFACEDESC2(124, CAPS | SIZE | FORMAT, HEIGHT, WIDTH, ddpfPixelFormat=RGB32, ddsCaps=DDSCAPS2(OFFSCREEN))
    for version in ("", "2", "4", "7"):
        draw = first.QueryInterface(f"IDirectDraw{version}")
        draw.SetDisplayMode(WIDTH, HEIGHT, 32, 0, 0)
        draw.GetDisplayMode(DDSURFACEDESC2(dwHeight=HEIGHT, dwWidth=WIDTH, ddpfPixelFormat=RGB32))
        surface = draw.CreateSurface(desc)
        draw.DuplicateSurface(surface).Blt(None, None, None, DdBlt.COLORFILL, DDBLTFX(dwFillColor=BLUE))
        stage.shows(surface, picture(ground=BLUE))
        clipper, palette = draw.CreateClipper(0), draw.CreatePalette(PALETTE, FOUR_COLORS)
        clipper.SetHWnd(0, 7)
        clipper.SetClipList(None, 0)
        draw.RestoreAllSurfaces()
        screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=CAPS, ddsCaps=DDSCAPS2(SurfaceCaps.PRIMARYSURFACE)))
        shown = draw.GetGDISurface()
        stage.fill(shown, GREEN)
        stage.shows(screen, picture(ground=GREEN))
        draw.EnumSurfaces(2)
        draw.GetSurfaceFromDC(surface.GetDC())
        screen.Release()
        shown.Release()
        draw.RestoreDisplayMode()
        for thing in (clipper, palette, surface, draw.QueryInterface(f"IDirectDraw{version}")):
            thing.Release()
    for name in ("Gamma", "Color"):
        stage.surface().QueryInterface(f"IDirectDraw{name}Control").Release()
    for name in ("DirectDrawEnumerateA", "DirectDrawEnumerateW"):
        stage.script.call(name, None, None)
    for name in ("DirectDrawEnumerateExA", "DirectDrawEnumerateExW"):
        stage.script.call(name, None, None, 0)
    stage.script.call("DirectDrawCreate", None, Array([stage.script.new_pointer()]), None)
    stage.script.call("DirectDrawCreateClipper", 0, Array([stage.script.new_pointer()]), None)
    draw.Release()
