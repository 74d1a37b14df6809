"""Captures of DirectDraw alone: what the window shows of programs that have no device."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inspector
from core.runtime.d3d7 import DDPIXELFORMAT, DDSCAPS2, DDSURFACEDESC2
from core.spec.formats import FORMAT_BY_NAME
from inspector import StateFlow
from inspector.focus import Focus
from inspector.imports.apitrace import _begun
from inspector.imports.scripts import record_directdraw
from inspector.query.pixels.pixel import value_of
from inspector.samples import built_in_capture, sample_captures
from tests.ui.conftest import settle
from ui.ask import Progress
from ui.index import build_index
from ui.models.history import swatch
from ui.models.surfaces import Wanted, bound, view
from ui.panels.calls import short_name
from ui.panels.panel import as_sentence

RGB32 = DDPIXELFORMAT(32, 0x40, 0, 32, 0xFF0000, 0, 0xFF00, 0, 0xFF, 0)
COLOR = 0x112233


@pytest.fixture(scope="module")
def copies(tmp_path_factory: Any) -> Iterator[Any]:
    """A picture that is locked, filled by hand, and copied to the screen."""
    path: Path = tmp_path_factory.mktemp("copies") / "copies.ddicap"
    with record_directdraw(path) as draw:
        draw.SetDisplayMode(4, 2, 32, 0, 0)
        asked = DDSURFACEDESC2(dwFlags=0x1007, dwHeight=2, dwWidth=4, ddpfPixelFormat=RGB32, ddsCaps=DDSCAPS2(0x40))
        picture = draw.CreateSurface(asked)
        screen = draw.CreateSurface(DDSURFACEDESC2(dwFlags=0x1, ddsCaps=DDSCAPS2(0x200)))
        picture.Lock().view(np.uint32)[:] = COLOR
        picture.Unlock()
        screen.Blt(None, picture, None, 0x1000000, None)
    with inspector.open(path) as capture:
        yield capture


def shown(capture: Any, event: int) -> Any:
    return view(capture, Focus(event=event), Wanted(), Progress("test", lambda *_: None))


def event_of(capture: Any, name: str) -> int:
    return next(event for event in range(len(capture.events)) if capture.name(event) == name)


def test_the_screen_stands_in_for_the_render_target(copies: Any) -> None:
    found = shown(copies, len(copies.events) - 1)
    assert found.picture is not None and (found.picture.argb & 0xFFFFFF == COLOR).all()
    assert found.picture.title == found.followed and found.followed.startswith("Primary")


def test_what_dxgi_presents_is_shown_and_named(qtbot: Any, make_window: Any) -> None:
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(next(path for _, path in sample_captures() if path.stem == "dxgi-presentation"))
    settle(qtbot, window, 60_000)
    assert window.surface.picture is not None and window.desk.capture.name(window.desk.focus.focus.event) == "DxgiPresent"
    [section] = window.inspector._surface_sections()
    facts = {fact.name: fact.value for fact in section.facts}
    assert (section.title, facts["Handle"], facts["Format"]) == ("DXGI resource 10", "DXGI 10", "B8G8R8A8_UNORM")


def test_swatches_have_the_colours_of_the_picture() -> None:
    """Floats through the sRGB curve, signed channels from -1..1."""
    with inspector.open(next(path for _, path in sample_captures() if path.stem == "dxgi-presentation")) as capture:
        info = next(one for one in capture.surfaces(74) if one.format == "R16G16B16A16_FLOAT")
        found = capture.ask(inspector.PixelHistory(info.handle, 48, 48, last=74))
        red, green, blue, _ = found.end[0].rgba
        encoded = [round(255 * (1.055 * part ** (1 / 2.4) - 0.055)) for part in (red, green, blue)]
        assert swatch(found.end[0]) == 0xFF000000 | encoded[0] << 16 | encoded[1] << 8 | encoded[2]
        assert found.place == "DXGI resource 40"
    signed = value_of(FORMAT_BY_NAME["V8U8"], 0x7F80, 0, 0)  # U -1, V 1
    assert swatch(signed) == 0xFF00FFFF


def test_before_there_is_a_surface_nothing_is_shown(copies: Any) -> None:
    assert shown(copies, 0).picture is None


def test_thumbnails_are_of_what_a_copy_or_a_lock_names(copies: Any) -> None:
    def roles(event: int) -> list[str]:
        return [role for role, _, _ in bound(copies, event, copies.surfaces(event))]

    assert roles(event_of(copies, "Blt")) == ["Destination", "Source"]
    assert roles(event_of(copies, "Lock")) == roles(event_of(copies, "Unlock")) == ["Locked"]
    destination, source = bound(copies, blt := event_of(copies, "Blt"), copies.surfaces(blt))
    assert destination[2].label == "primary" and source[2].label != "primary"


def test_bound_textures_are_shown_whatever_their_handles_are() -> None:
    with inspector.open(built_in_capture()) as capture:
        for event in capture.draws[:: max(len(capture.draws) // 20, 1)].tolist():
            state = capture.state(event)
            wanted = [stage for stage in range(8) if state["TEXTURESTAGE", stage, "TEXTUREMAP"].value]
            rows = bound(capture, event, capture.surfaces(event))
            assert [role for role, _, _ in rows if role.startswith("Texture")] == [f"Texture {stage}" for stage in wanted]


def test_words_do_not_promise_a_draw(copies: Any) -> None:
    assert "Ctrl" not in build_index(copies).way_on(0)
    (first, *_) = copies.ask(StateFlow(len(copies.events) - 1)).stages
    assert "no device" in first.summary and not first.runs


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        ("IDirect3DDevice8::Clear", "Clear"), ("IDirect3DDevice7::Clear", "Clear"),
        ("IDirect3DDevice3::Clear", "Device3::Clear"),
        ("IDirect3DTexture8::LockRect", "Texture8::LockRect"), ("IDirectDrawSurface7::Blt", "Surface7::Blt"),
        ("IDirectDraw7::CreateSurface", "DirectDraw7::CreateSurface"), ("IDirect3D8::CreateDevice", "Direct3D8::CreateDevice"),
        ("DirectDrawCreateEx", "DirectDrawCreateEx"),
    ],
)  # fmt: skip
def test_functions_are_named_shortly_and_clearly(whole: str, short: str) -> None:
    assert short_name(whole) == short


def test_notices_begin_like_sentences() -> None:
    assert _begun("the display mode is not recorded") == "The display mode is not recorded"
    assert _begun("dwFlags of D3DLIGHT2: on") == "dwFlags of D3DLIGHT2: on"
    assert as_sentence("event 3 draws nothing") == "Event 3 draws nothing."
    assert as_sentence("cannot open my.trace: no such file") == "Cannot open my.trace: no such file."
    assert as_sentence("my game.trace: no event 3") == "my game.trace: no event 3.", "a file's name is what it is"
    assert as_sentence("cannot write /a b/c.csv: the disk is full") == "Cannot write /a b/c.csv: the disk is full."


def test_what_a_copy_writes_is_followed(copies: Any) -> None:
    unlocked, copied = shown(copies, event_of(copies, "Unlock")), shown(copies, event_of(copies, "Blt"))
    assert unlocked.picture.title == unlocked.followed != copied.followed == copied.picture.title
    assert unlocked.picture.surface == copied.picture.surface == "render_target"  # it is not pinned
    assert (unlocked.picture.argb & 0xFFFFFF == COLOR).all()
