"""DirectDraw and Direct3D 7 from Python: pictures worked out by hand, and a capture of them that opens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput
from core.runtime.d3d7 import (
    D3DVERTEXBUFFERDESC,
    DDPIXELFORMAT,
    DDSCAPS2,
    DDSURFACEDESC2,
    D3DError,
    DirectDrawCreateEx,
)
from core.spec.enums import ClearFlag, Fvf, PrimitiveType
from core.spec.profiles import PROFILES
from inspector.imports.scripts import record_directdraw

RGB32 = DDPIXELFORMAT(32, 0x40, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0)
VERTEX = np.dtype([("position", "f4", 4), ("diffuse", "u4"), ("t0", "f4", 2)])
TEXTURED = Fvf.XYZRHW | Fvf.DIFFUSE | 0x100
LIGHTING, COLOR_KEY = 137, 41


def quad(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """A strip that covers pixels left..right, top..bottom and all of a texture."""
    corners = np.zeros(4, VERTEX)
    for n, (x, y) in enumerate(((0, 0), (1, 0), (0, 1), (1, 1))):
        corners[n]["position"] = (left + x * (right - left) - 0.5, top + y * (bottom - top) - 0.5, 0.5, 1)
        corners[n]["t0"] = (x, y)
    corners["diffuse"] = 0xFFFFFFFF
    return corners


def draw_frame(draw: Any) -> Any:
    """A texture of four pixels, one of them keyed, over half of the screen; the screen."""
    draw.SetDisplayMode(4, 2, 32, 0, 0)
    screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x21, dwBackBufferCount=1, ddsCaps=DDSCAPS2(0x2218)))
    back = screen.GetAttachedSurface(DDSCAPS2(4))
    device = draw.QueryInterface("IDirect3D7").CreateDevice(None, back)
    asked = DDSURFACEDESC2(dwFlags=0x1007, dwHeight=2, dwWidth=2, ddpfPixelFormat=RGB32, ddsCaps=DDSCAPS2(0x1000))
    texture = draw.CreateSurface(asked)
    texture.Lock().view(np.uint32)[:] = [[0xFF0000, 0x00FF00], [0x123456, 0x0000FF]]
    texture.Unlock()
    texture.SetColorKey(8, (0x123456, 0x123456))
    device.Clear(0, None, ClearFlag.TARGET, 0xFF808080, 1.0, 0)
    device.BeginScene()
    device.SetRenderState(LIGHTING, 0)
    device.SetRenderState(COLOR_KEY, 1)
    device.SetTexture(0, texture)
    device.DrawPrimitive(PrimitiveType.TRIANGLESTRIP, TEXTURED, quad(0, 0, 2, 2), 4, 0)
    device.EndScene()
    screen.Flip(None, 1)
    return screen


EXPECTED = [[0xFF0000, 0x00FF00, 0x808080, 0x808080], [0x808080, 0x0000FF, 0x808080, 0x808080]]


def colors(picture: np.ndarray) -> list[list[int]]:
    rgb = picture[..., :3].astype(int)
    return (rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]).tolist()  # type: ignore[no-any-return]


def test_a_keyed_texture_is_drawn_and_shown() -> None:
    driver = EmulatedDriver()
    draw_frame(DirectDrawCreateEx(driver))
    assert colors(driver.rgba("primary")) == EXPECTED


def test_a_recorded_program_opens(tmp_path: Path) -> None:
    with record_directdraw(tmp_path / "program.ddicap") as draw:
        screen = draw_frame(draw)
        pointer = int(screen.pointer)
    capture = inspector.open(tmp_path / "program.ddicap")
    assert len(capture.frames) == 1 and len(capture.draws) == 1
    last = capture.frames[0].last_event
    assert colors(capture.image(last, capture.surface_of_source(pointer, last))) == EXPECTED
    drawn = capture.ask(inspector.PixelHistory("back_buffer", 1, 0, last=last - 1))
    assert len(drawn.entries) >= 2  # a clear, a fragment


def test_without_a_device_the_screen_is_what_is_looked_at(tmp_path: Path) -> None:
    """A program that only copies has no render target: questions that name no surface ask of the primary."""
    with record_directdraw(tmp_path / "copies.ddicap") as draw:
        draw.SetDisplayMode(4, 2, 32, 0, 0)
        screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x1, ddsCaps=DDSCAPS2(0x200)))
        asked = DDSURFACEDESC2(dwFlags=0x1007, dwHeight=2, dwWidth=4, ddpfPixelFormat=RGB32, ddsCaps=DDSCAPS2(0x40))
        picture = draw.CreateSurface(asked)
        picture.Lock().view(np.uint32)[:] = EXPECTED
        picture.Unlock()
        screen.Blt(None, picture, None, 0x1000000, None)
    with inspector.open(tmp_path / "copies.ddicap") as capture:
        last = len(capture.events) - 1
        assert colors(capture.image(last)) == EXPECTED
        (entry,) = capture.ask(inspector.PixelHistory(x=1, y=0, last=last)).entries
        assert "copied from surface" in str(entry)


def test_drivers_of_directx_7_are_asked_for_their_depth_formats() -> None:
    """The runtime's IDirect3D7::EnumZBufferFormats needs them: GUID_ZPixelFormats."""
    driver, asked = EmulatedDriver(PROFILES["dx7"]), []
    call = driver.call
    driver.call = lambda one: (asked.append((one.entry, one.args.get("guid"))), call(one))[1]  # type: ignore[method-assign]
    draw_frame(DirectDrawCreateEx(driver))
    assert ("GetDriverInfo", "ZPixelFormats") in asked


def test_a_buffer_is_described_by_name() -> None:
    draw = DirectDrawCreateEx(EmulatedDriver())
    buffer = draw.QueryInterface("IDirect3D7").CreateVertexBuffer(D3DVERTEXBUFFERDESC(dwFVF=0x44, dwNumVertices=3), 0)
    assert buffer.Lock(0).shape == (60,)


def test_processed_vertices_keep_coordinates_that_the_source_lacks() -> None:
    draw = DirectDrawCreateEx(EmulatedDriver())
    draw.SetDisplayMode(4, 2, 32, 0, 0)
    screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x21, dwBackBufferCount=1, ddsCaps=DDSCAPS2(0x2218)))
    d3d = draw.QueryInterface("IDirect3D7")
    device = d3d.CreateDevice(None, screen.GetAttachedSurface(DDSCAPS2(4)))
    source, made = (d3d.CreateVertexBuffer((16, 0x800, form, 1), 0) for form in (0x142, 0x244))
    source.Lock(0).view("<f4")[:] = (0.5, 0, 0.25, 0, 3, 4)
    made.Lock(0).view("<f4")[5:] = (5, 6, 7, 8)
    for one in (source, made):
        one.Unlock()
    made.ProcessVertices(1, 0, 1, source, 0, device, 0)
    assert made.Lock(0).view("<f4").tolist() == [3, 1, 0.25, 1, 0, 3, 4, 7, 8]


def test_state_blocks_give_back_what_they_held() -> None:
    driver = EmulatedDriver()
    draw = DirectDrawCreateEx(driver)
    draw.SetDisplayMode(4, 2, 32, 0, 0)
    screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x21, dwBackBufferCount=1, ddsCaps=DDSCAPS2(0x2218)))
    device = draw.QueryInterface("IDirect3D7").CreateDevice(None, screen.GetAttachedSurface(DDSCAPS2(4)))
    block = device.CreateStateBlock(1)
    device.SetRenderState(22, 1)
    device.SetTextureStageState(0, 12, 3)  # ADDRESS: both directions
    device.SetTextureStageState(0, 16, 5)  # D3DTFG_ANISOTROPIC
    draw._desk.runtime.flush()
    registers = driver.device.registers
    stage = registers.view["texture_stage"][0]
    assert (registers.render_state(22), int(stage[13]), int(stage[14]), int(stage[16])) == (1, 3, 3, 3)
    device.ApplyStateBlock(block)
    draw._desk.runtime.flush()
    assert (registers.render_state(22), int(stage[13]), int(stage[14]), int(stage[16])) == (3, 1, 1, 1)


def test_what_cannot_be_raises() -> None:
    draw = DirectDrawCreateEx(EmulatedDriver())
    with pytest.raises(D3DError, match="70000"):
        draw.CreateSurface(DDSURFACEDESC2(dwFlags=7, dwHeight=4, dwWidth=70000, ddsCaps=DDSCAPS2(0x40)))
    with pytest.raises(AttributeError, match="no method Present"):
        draw.Present()
    with pytest.raises(BadInput, match="too many"):
        draw.SetDisplayMode(1, 2, 3, 4, 5, 6)
