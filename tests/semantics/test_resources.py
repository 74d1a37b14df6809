"""Textures, dirty regions, palettes and swap chains as programs see them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.ddi.driver.emulated import EmulatedDriver
from core.runtime.calls.source import describe
from core.runtime.d3d8 import D3DPRESENT_PARAMETERS, Direct3DCreate8
from core.spec.enums import ClearFlag, LockFlag, Pool, SwapEffect
from core.spec.formats import FORMAT_BY_NAME
from tests.semantics.kit import UV, Fvf, Screen, near

X8R8G8B8, DYNAMIC = 22, 0x200
RED, GREEN, BLUE = 0xFF0000, 0x00FF00, 0x0000FF


class Shown(Screen):
    """A screen on which textures are looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.rs(ZENABLE=0).tss(COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2)

    def made(self, pool: int, usage: int = 0) -> Any:
        return self.device.CreateTexture(256, 256, 1, usage, X8R8G8B8, pool)

    def show(self, texture: Any, x: int = 8, y: int = 8) -> int:
        self.device.SetTexture(0, texture)
        return self.quad([*UV], fvf=Fvf.XYZ | Fvf.TEX1).rgb(x, y)


def fill(texture: Any, color: int, flags: int = 0) -> Any:
    texture.LockRect(0, None, flags).view(np.uint32)[:] = color
    texture.UnlockRect(0)
    return texture


def test_update_texture_copies_dirty_regions_of_the_source() -> None:
    """Wine's add_dirty_rect_test."""
    shown, update = Shown(), None
    update = shown.device.UpdateTexture
    red, green = (fill(shown.made(Pool.SYSTEMMEM), color) for color in (RED, GREEN))
    first, second = shown.made(Pool.DEFAULT), shown.made(Pool.DEFAULT)
    update(green, first)
    assert shown.show(first) == GREEN
    update(red, second)
    update(green, second)
    assert shown.show(second) == RED, "green was clean"
    second.AddDirtyRect(None)
    update(green, second)
    assert shown.show(second) == RED, "what is dirty in the destination does not matter"
    green.AddDirtyRect(None)
    update(green, second)
    assert shown.show(second) == GREEN
    red.AddDirtyRect((96, 96, 160, 160))
    update(red, second)
    assert (shown.show(second), shown.show(second, 1, 1)) == (RED, GREEN)
    fill(green, BLUE, LockFlag.NO_DIRTY_UPDATE)
    update(green, second)
    assert shown.show(second) == RED
    green.LockRect(0, None, 0)
    green.UnlockRect(0)
    update(green, second)
    assert shown.show(second) == BLUE


def test_a_larger_source_updates_from_the_level_that_fits() -> None:
    """Semantics 17, TEXBLT: levels are matched by size; a rectangle and its place halve from level to level."""
    device = Screen().device
    source = device.CreateTexture(8, 8, 4, 0, X8R8G8B8, Pool.SYSTEMMEM)
    target = device.CreateTexture(4, 4, 3, 0, X8R8G8B8, Pool.DEFAULT)
    for color, flags in ((RED, 0), (BLUE, LockFlag.NO_DIRTY_UPDATE)):
        for level in range(4):
            source.LockRect(level, None, flags).view(np.uint32)[:] = color
            source.UnlockRect(level)
        if color == BLUE:
            source.AddDirtyRect((4, 4, 8, 8))
        device.UpdateTexture(source, target)
    for level, side in enumerate((4, 2)):
        image = device.CreateImageSurface(side, side, X8R8G8B8)
        device.CopyRects(target.GetSurfaceLevel(level), None, 0, image, None)
        expected = np.full((side, side), RED)
        expected[side // 2 :, side // 2 :] = BLUE
        assert (image.LockRect().view(np.uint32) == expected).all()
        image.UnlockRect()


def test_managed_textures_and_what_brings_them_up_to_date() -> None:
    """Wine's add_dirty_rect_test, its managed half."""
    shown = Shown()
    texture = fill(shown.made(Pool.MANAGED), RED)
    assert shown.show(texture) == RED
    fill(texture, GREEN, LockFlag.NO_DIRTY_UPDATE)
    assert shown.show(texture) == RED
    texture.AddDirtyRect(None)
    assert shown.show(texture) == GREEN
    fill(texture, BLUE, LockFlag.NO_DIRTY_UPDATE)
    assert shown.show(texture) == GREEN
    shown.device.ResourceManagerDiscardBytes(0)
    assert shown.show(texture) == BLUE
    fresh = fill(shown.made(Pool.MANAGED), RED, LockFlag.NO_DIRTY_UPDATE)
    assert shown.show(fresh) == RED, "the first upload leaves nothing out"
    dynamic = fill(shown.made(Pool.DEFAULT, DYNAMIC), GREEN, LockFlag.NO_DIRTY_UPDATE)
    assert shown.show(dynamic) == GREEN, "a texture in video memory is written at once"


@pytest.mark.parametrize("windowed", [0, 1])
def test_flipping_moves_back_buffers_up(windowed: int) -> None:
    """Wine's test_flip."""
    parameters = D3DPRESENT_PARAMETERS(16, 16, X8R8G8B8, 3, 0, SwapEffect.FLIP, 0, windowed)
    device: Any = Direct3DCreate8(EmulatedDriver()).CreateDevice(0, 1, 0, 0x40, parameters)
    buffers = [device.GetBackBuffer(n) for n in range(3)]

    def shown() -> list[int]:
        pixels = [int(buffer.LockRect(None, LockFlag.READONLY).view(np.uint32)[1, 1]) & 0xFFFFFF for buffer in buffers]
        for buffer in buffers:
            buffer.UnlockRect()
        return pixels

    for buffer, color in zip(reversed(buffers), (RED, GREEN, BLUE), strict=True):
        device.SetRenderTarget(buffer, None)
        device.Clear(0, None, ClearFlag.TARGET, color, 0, 0)
    assert shown() == [BLUE, GREEN, RED]
    device.Present()
    assert shown()[:2] == [GREEN, RED]
    device.Clear(0, None, ClearFlag.TARGET, 0x808080, 0, 0)
    assert shown()[:2] == [0x808080, RED], "back buffer 0 is still the target"
    device.Present()
    assert shown()[0] == RED and device.GetRenderTarget() is buffers[0]


def test_palettes_and_their_alpha() -> None:
    """Wine's p8_texture_test."""
    shown = Shown().rs(ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6)
    device = shown.device
    device.SetPaletteEntries(0, [(n, 255 - n, 0, 128) for n in range(256)])
    device.SetCurrentTexturePalette(0)
    texture = shown.texture(np.full((4, 4), 255), "P8")
    shown.clear(0xFF0000FF)
    assert near(shown.show(texture), 0x80007F)
    device.SetPaletteEntries(0, [(0, 255, 0, 255)] * 256)
    device.SetPaletteEntries(1, [(255, 0, 0, 255)] * 256)
    assert shown.show(texture) == GREEN
    device.SetCurrentTexturePalette(1)
    assert shown.show(texture) == RED
    shown.clear(0xFF0000FF)
    assert near(shown.show(shown.texture(np.full((4, 4), 0x80FF), "A8P8")), 0x80007F)


@pytest.mark.parametrize("name", ["DXT1", "DXT3", "DXT5"])
def test_compressed_volumes(name: str) -> None:
    """Wine's volume_dxtn_test: blocks lie row by row, slice by slice."""
    shown = Shown()
    volume = shown.device.CreateVolumeTexture(8, 4, 2, 1, 0, FORMAT_BY_NAME[name].id, Pool.MANAGED)
    box = volume.LockBox(0)
    size = FORMAT_BY_NAME[name].block[2]
    for n, color in enumerate((0xF800, 0x07E0, 0x001F, 0xFFFF)):
        block = np.zeros(size, np.uint8)
        block[: size - 8] = 255
        block[size - 8 : size - 6] = color & 255, color >> 8
        box[n // 2, 0, n % 2 * size : (n % 2 + 1) * size] = block
    volume.UnlockBox(0)
    shown.device.SetTexture(0, volume)
    for slice in (0, 1):
        shown.quad([(u, v, slice / 2 + 0.25) for u, v in UV], fvf=Fvf.XYZ | Fvf.TEX1 | 0x10000)
        assert (shown.rgb(2, 8), shown.rgb(13, 8)) == ((RED, GREEN) if slice == 0 else (BLUE, 0xFFFFFF))


@pytest.mark.parametrize(
    ("viewport", "box"),
    [((0, 0, 64, 64), (0, 16, 47, 47)), ((0, 0, 32, 32), (0, 8, 23, 23)), ((0, 0, 128, 128), (0, 32, 63, 63)),
     ((10, 10, 64, 64), (10, 26, 57, 57)), ((0, 0, 8192, 8192), None)],
)  # fmt: skip
def test_viewports_within_and_beyond_the_target(viewport: tuple[int, ...], box: tuple[int, ...] | None) -> None:
    """Wine's test_viewport: the image is cut by viewport and target, not shrunk."""
    screen = Screen(size=64)
    screen.device.SetViewport((*viewport, 0, 1))
    screen.quad(0xFF00FF00, fvf=Fvf.XYZ | Fvf.DIFFUSE, corners=[(-1.5, 0.5), (0.5, 0.5), (-1.5, -0.5), (0.5, -0.5)])
    rows, columns = np.nonzero((screen.picture() & 0xFFFFFF) == GREEN)
    found = (columns.min(), rows.min(), columns.max(), rows.max()) if len(rows) else None
    assert found == box


@pytest.mark.parametrize("viewport", [(0xFFFFFFFF, 0, 16, 16), (20, 0, 16, 16), (0, 0, 0, 16), (3, 0x80000000, 16, 1)])
def test_beside_the_target_nothing_is_cleared(viewport: tuple[int, ...]) -> None:
    screen = Screen()
    screen.device.SetViewport((*viewport, 0, 1))
    screen.clear(0xFFFF0000)
    screen.device.Clear(1, [(0, 0, 16, 16)], ClearFlag.TARGET, 0xFFFF0000, 1, 0)
    assert not screen.picture().astype(np.uint32).view(np.uint8)[:, 2::4].any()


@pytest.mark.parametrize("clipping", [1, 0])
@pytest.mark.parametrize(("kind", "first"), [("shader", (0, 8)), ("fixed", (4, 12)), ("screen", (0, 0))])
def test_user_planes_of_each_kind_of_vertex(kind: str, first: tuple[int, int], clipping: int) -> None:
    """Plane x >= 0: over clip space for shaders, over world space (seen half a unit aside) for the fixed function.

    CLIPPING switches them off too.
    """
    screen = Screen().rs(CLIPPLANEENABLE=1, CLIPPING=clipping)
    screen.device.SetClipPlane(0, (1, 0, 0, 0))
    view = np.eye(4)
    view[3, 0] = 0.5
    screen.transform(VIEW=view)
    if kind == "shader":
        screen.device.SetVertexShader(screen.vertex_shader("vs_1_1\nmov oPos, v0\nmov oD0, v5"))
        screen.draw(0, 5, [(x, y, 0.5, 0xFFFF0000) for x, y in ((-1, 1), (1, 1), (-1, -1), (1, -1))])
    elif kind == "fixed":
        screen.colored(0xFFFF0000)
    else:
        screen.screen_quad(0xFFFF0000, fvf=Fvf.XYZRHW | Fvf.DIFFUSE)
    assert np.flatnonzero((screen.picture()[8] & 0xFFFFFF) == RED).tolist() == list(range(first[clipping], 16))


def test_cursor_and_gamma_ramp_stay_with_the_program() -> None:
    """They are kept as API calls and never become driver calls."""
    names: list[str] = []
    driver = EmulatedDriver()
    direct3d = Direct3DCreate8(driver, source_sink=lambda calls: names.append(describe(calls, 0).name))
    device: Any = direct3d.CreateDevice(0, 1, 0, 0x40, D3DPRESENT_PARAMETERS(16, 16))
    image = device.CreateImageSurface(32, 32, 21)
    direct3d._desk.runtime.flush()
    before = driver.seq
    ramp = np.tile(np.arange(256, dtype=np.uint16)[::-1] * 257, (3, 1))
    device.SetGammaRamp(0, ramp)
    device.SetCursorProperties(0, 0, image)
    device.SetCursorPosition(4, 5)
    assert (device.ShowCursor(True), device.ShowCursor(False)) == (0, 1)
    np.testing.assert_array_equal(device.GetGammaRamp(), ramp)
    direct3d._desk.runtime.flush()
    assert driver.seq == before and not driver.findings
    said = [name.rpartition(":")[2] for name in names]
    for name in ("SetGammaRamp", "SetCursorProperties", "SetCursorPosition", "ShowCursor"):
        assert name in said
