"""Surfaces that follow the events, and surfaces that are pinned: visible, in tabs, with the pixel that was picked."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from inspector.focus import RENDER_TARGET
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.inspector import REACH
from ui.widgets.tab_list import TabList
from ui.window import Window

DRAW = 929
"""Room: a draw with textures."""


def click_thumbnail(qtbot: Any, window: Window, role: str) -> None:
    row = window.surface.bindings
    item = next(row.item(n) for n in range(row.count()) if row.item(n).text().startswith(role))
    row.scrollToItem(item)
    qtbot.mouseClick(row.viewport(), Qt.MouseButton.LeftButton, pos=row.visualItemRect(item).center())
    settle(qtbot, window, 20_000)


def test_target_and_depth_follow_and_textures_are_pinned(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface = real.surface
    real.desk.focus.go(event=DRAW)
    settle(qtbot, real, 20_000)
    click_thumbnail(qtbot, real, "Target")
    assert real.desk.focus.focus.surface == RENDER_TARGET and not surface.pin.isChecked() and not surface.tabs.isVisible()
    click_thumbnail(qtbot, real, "Depth")
    assert real.desk.focus.focus.surface == "depth" and not surface.pin.isChecked()
    click_thumbnail(qtbot, real, "Texture 0")
    assert isinstance(real.desk.focus.focus.surface, int) and surface.pin.isChecked()
    assert surface.tabs.count() == 2 and surface.tabs.isVisible() and surface.tabs.currentIndex() == 1
    qtbot.mouseClick(surface.pin, Qt.MouseButton.LeftButton)
    assert real.desk.focus.focus.surface == "depth" and surface.tabs.count() == 1 and not surface.tabs.isVisible()
    click_thumbnail(qtbot, real, "Target")
    click_thumbnail(qtbot, real, "Texture 0")
    click_thumbnail(qtbot, real, "Target")
    for tab, left in ((0, 2), (1, 1)):  # the tab that follows stays; another goes without being shown
        qtbot.mouseClick(surface.tabs, Qt.MouseButton.MiddleButton, pos=surface.tabs.tabRect(tab).center())
        assert surface.tabs.count() == left and real.desk.focus.focus.surface == RENDER_TARGET


def test_a_tab_comes_back_with_its_pixel(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface, focus = real.surface, real.desk.focus
    focus.go(event=DRAW, pixel=(300, 200))
    settle(qtbot, real, 20_000)
    click_thumbnail(qtbot, real, "Texture 0")
    assert focus.focus.pixel is None
    focus.go(pixel=(3, 4), level=0)
    texture = focus.focus.surface
    settle(qtbot, real, 20_000)
    for tab, expected in ((0, (RENDER_TARGET, (300, 200))), (1, (texture, (3, 4)))):
        qtbot.mouseClick(surface.tabs, Qt.MouseButton.LeftButton, pos=surface.tabs.tabRect(tab).center())
        settle(qtbot, real, 20_000)
        assert (focus.focus.surface, focus.focus.pixel) == expected
    click_thumbnail(qtbot, real, "Target")
    assert (focus.focus.surface, focus.focus.pixel) == (RENDER_TARGET, (300, 200)), "by its thumbnail, too"
    click_thumbnail(qtbot, real, "Depth")
    shown, words = surface.view.color_at(300, 200), surface.readout.swatch.styleSheet()
    assert shown is not None and "rgb({},{},{})".format(*shown) in words and len(set(shown)) == 1
    for low, high in ((0.0, 1.0), (0.5, 1.5)):  # what is enlarged has the range of the picture
        surface.toning.controls.low.setValue(low)
        surface.toning.controls.high.setValue(high)
        middle, enlarged = surface.view.color_at(300, 200), int(real.inspector.loupe._argb[REACH, REACH])
        assert middle is not None and (enlarged >> 16 & 255, enlarged >> 8 & 255, enlarged & 255) == tuple(middle)
    assert tuple(middle) != tuple(shown)


def test_pinned_surfaces_without_room_are_in_a_list(qtbot: Any, real: Window) -> None:  # noqa: F811
    surface, focus = real.surface, real.desk.focus
    handles = [one.handle for one in real.desk.capture.surfaces(DRAW) if one.kind in ("2d", "volume")][:8]
    for handle in handles:
        focus.go(event=DRAW, surface=handle)
        settle(qtbot, real, 20_000)
    surface.tabs.resize(300, surface.tabs.height())
    [more] = surface.tabs.findChildren(TabList)
    qtbot.waitUntil(lambda: more.isVisible())
    more.menu().aboutToShow.emit()
    assert len(more.menu().actions()) == 1 + len(handles)
    more.menu().actions()[2].trigger()
    settle(qtbot, real, 20_000)
    assert focus.focus.surface == handles[1] and surface.tabs.currentIndex() == 2


def test_surfaces_of_the_same_size_keep_the_pixel(qtbot: Any, real: Window) -> None:  # noqa: F811
    focus = real.desk.focus
    focus.go(event=DRAW, pixel=(300, 200))
    settle(qtbot, real, 20_000)
    assert focus.sizes[RENDER_TARGET] == focus.sizes["depth"]
    focus.go(surface="depth")
    assert focus.focus.pixel == (300, 200)
    other = next(handle for handle, size in focus.sizes.items() if size != focus.sizes["depth"])
    focus.go(surface=other)
    assert focus.focus.pixel is None


def test_a_pinned_surface_stays_from_event_to_event(qtbot: Any, real: Window) -> None:  # noqa: F811
    focus = real.desk.focus
    focus.go(event=DRAW, pixel=(300, 200))
    settle(qtbot, real, 20_000)
    qtbot.mouseClick(real.surface.pin, Qt.MouseButton.LeftButton)
    settle(qtbot, real, 20_000)
    handle = focus.focus.surface
    assert isinstance(handle, int) and focus.focus.pixel == (300, 200)
    focus.go(event=real.desk.capture.frames[2].last_event)  # type: ignore[union-attr]
    settle(qtbot, real, 20_000)
    assert focus.focus.surface == handle and real.surface.pin.isChecked()
    assert real.surface.picture is not None and real.surface.picture.info.handle == handle
