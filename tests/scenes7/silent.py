"""Calls that make nothing happen: questions, waiting, windows; each in every version of its interface."""

from __future__ import annotations

from core.runtime.d3d7 import Object7
from core.runtime.rows.table7 import SILENT7
from tests.scenes7.device7 import LEFT, buffer_of, quad
from tests.scenes7.kit import RED, SCREEN, Stage, corners, picture, scene

HIDE = 0x200  # DDOVER_HIDE


def ask(thing: Object7) -> None:
    """All silent calls of an interface, with what NULL and 0 mean to them."""
    for name in SILENT7:
        interface, _, method = name.partition("::")
        if interface == thing.interface:
            getattr(thing, method)() if method != "QueryInterface" else thing.QueryInterface(interface)


@scene("silent/DirectDraw")
def directdraw(stage: Stage) -> None:
    surface = stage.surface()
    stage.fill(surface, RED)
    for version in ("", "2", "4", "7"):
        draw = stage.draw.QueryInterface(f"IDirectDraw{version}")
        ask(draw)
        draw.FlipToGDISurface()
    for version in ("", "2", "3", "4", "7"):
        other = surface.QueryInterface(f"IDirectDrawSurface{version}")
        ask(other)
        other.UpdateOverlay(None, other, None, HIDE, None)
    ask(stage.draw.CreatePalette(0x44, [(0, 0, 0, 0)] * 256))
    ask(stage.draw.CreateClipper(0))
    ask(surface.QueryInterface("IUnknown"))
    for name in ("Gamma", "Color"):
        ask(surface.QueryInterface(f"IDirectDraw{name}Control"))
    stage.shows(surface, picture(ground=RED))


@scene("silent/Direct3D 7")
def direct3d7(stage: Stage) -> None:
    device, target = stage.device()
    ask(stage.d3d)
    ask(device)
    ask(buffer_of(stage, corners(LEFT), SCREEN))
    quad(device, LEFT)
    stage.shows(target, picture((LEFT, RED)))


@scene("silent/Direct3D 6 and 5")
def older(stage: Stage) -> None:
    for version in (2, 3):
        device, target = stage.device(version)
        ask(stage.d3d)
        ask(device)
        ask(device.QueryInterface("IDirect3DDevice"))
        for name in ("", "2", "3"):
            ask(stage.viewport.QueryInterface(f"IDirect3DViewport{name}"))
        stage.shows(target, picture())
    ask(buffer_of(stage, corners(LEFT), SCREEN))
    texture = stage.texture([[RED]])
    for name in ("", "2"):
        ask(texture.QueryInterface(f"IDirect3DTexture{name}"))
    for name in ("", "2", "3"):
        ask(stage.d3d.CreateMaterial().QueryInterface(f"IDirect3DMaterial{name}"))
    ask(stage.d3d.CreateLight())
    ask(stage.draw.QueryInterface("IDirect3D"))
