"""Another theme, a step at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QImage
from PySide6.QtWidgets import QApplication, QLabel, QToolBar

from tests.ui.conftest import settle
from ui import style
from ui.restyle import OWN_STYLE, change, follow_system
from ui.widgets.bindings import Binding, Bindings
from ui.window import Window


def test_a_change_takes_several_turns_and_nothing_is_painted_in_between(qtbot: Any, window: Window, qapp: QApplication) -> None:
    """Some widgets in each: together they would stop the window for a fifth of a second."""
    window.set_theme("light")
    assert style.theme().name == "light" and change().under_way and not window.updatesEnabled()
    qtbot.waitUntil(lambda: not change().under_way)
    assert qapp.styleSheet() == style.style_sheet(style.LIGHT) and window.updatesEnabled()
    assert qapp.palette().window().color().name() == style.LIGHT.window


def test_every_widget_looks_as_if_all_had_changed_at_once(
    qtbot: Any, window: Window, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Those behind tabs too; a slice is as short as can be, and a widget goes and another comes meanwhile."""
    monkeypatch.setattr("ui.restyle.SLICE", 0.0)
    for name in ("query", "surface"):
        window.docks.bring(name)
    settle(qtbot, window)
    gone = QLabel("gone", window)
    gone.show()
    window.set_theme("light")
    QApplication.processEvents()
    gone.deleteLater()
    come = QLabel("come", window)
    come.show()
    qtbot.waitUntil(lambda: not change().under_way, timeout=60_000)
    come.deleteLater()
    assert not [one for one in qapp.allWidgets() if one.testAttribute(OWN_STYLE)]
    docks = [window.docks.docks[name] for name in ("events", "surface", "query", "timeline")]
    slowly = [dock.grab().toImage() for dock in docks]
    style.apply(qapp, "dark")
    style.apply(qapp, "light")
    assert [dock.grab().toImage() for dock in docks] == slowly
    style.apply(qapp, "dark")


def test_a_theme_comes_back_as_it_was(qtbot: Any, window: Window, qapp: QApplication) -> None:
    """Frames of thumbnails are part of pictures that were made before; Qt gives a toolbar other margins with every style."""
    settle(qtbot, window)
    assert style.theme().name == "dark"
    bound, picture = Bindings(), QImage(8, 8, QImage.Format.Format_RGB32)
    qtbot.addWidget(bound)
    picture.fill(QColor("black"))
    bound.show_bindings([Binding("Target", 1)], {1: picture}, None)
    bound.show()
    parts = [bound, window.findChild(QToolBar, "toolbar")]
    looks = [[part.grab().toImage() for part in parts]]
    for name in ("light", "dark"):
        window.set_theme(name)
        qtbot.waitUntil(lambda: not change().under_way)
        looks.append([part.grab().toImage() for part in parts])
    dark, light, again = looks
    assert again[1] == dark[1]
    icon = light[0].copy(bound.visualItemRect(bound.item(0)))
    hues = {icon.pixelColor(x, y).name() for x in range(icon.width()) for y in range(icon.height())}
    assert style.LIGHT.border in hues and style.DARK.border not in hues


def test_the_last_of_several_changes_holds(qtbot: Any, window: Window, qapp: QApplication) -> None:
    for name in ("light", "contrast", "dark"):
        window.set_theme(name)
    qtbot.waitUntil(lambda: not change().under_way)
    assert qapp.styleSheet() == style.style_sheet(style.DARK)
    assert all(one.updatesEnabled() for one in qapp.allWidgets())


def test_windows_are_painted_a_part_in_each_turn(
    qtbot: Any, window: Window, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """A change that begins while the last one is being painted takes what is not painted yet along."""
    monkeypatch.setattr("ui.restyle.SLICE", 0.0)
    docks = [dock for dock in window.docks.docks.values() if dock.isVisible()]
    window.set_theme("light")
    qtbot.waitUntil(lambda: window.updatesEnabled() and not all(dock.updatesEnabled() for dock in docks))
    waiting = [sum(not dock.updatesEnabled() for dock in docks)]
    while change().under_way and len(waiting) < len(docks) // 2:
        qapp.processEvents()
        waiting.append(sum(not dock.updatesEnabled() for dock in docks))
    assert all(0 <= before - now <= 1 for before, now in pairwise(waiting))
    window.set_theme("dark")
    assert not window.updatesEnabled()
    qtbot.waitUntil(lambda: not change().under_way)
    assert all(one.updatesEnabled() for one in qapp.allWidgets())


def test_a_window_that_closes_meanwhile_is_left_alone(qtbot: Any, window: Window, qapp: QApplication) -> None:
    window.set_theme("light")
    window.close()
    style.apply(qapp, "dark")
    qtbot.waitUntil(lambda: not change().under_way)
    assert style.theme() is style.DARK and qapp.styleSheet() == style.style_sheet(style.DARK)


def test_the_window_follows_the_system_until_another_theme_is_chosen(
    qtbot: Any, window: Window, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """A desktop that changes its theme also gives lists another font."""
    follow_system(qapp)
    window.set_theme("system")
    qtbot.waitUntil(lambda: not change().under_way)
    for theme, scheme in ((style.LIGHT, Qt.ColorScheme.Light), (style.DARK, Qt.ColorScheme.Dark)):
        monkeypatch.setattr(style, "system_theme", lambda theme=theme: theme)
        qapp.setFont(QFont("monospace", 14), style.LISTS)
        assert window.events.table.font() != style.ui_font()
        qapp.styleHints().colorSchemeChanged.emit(scheme)
        qtbot.waitUntil(lambda theme=theme: style.theme() is theme and not change().under_way)
        assert window.events.table.font().family() == style.ui_font().family()
        assert window.events.table.font().pointSizeF() == style.ui_font().pointSizeF()
    window.set_theme("dark")
    monkeypatch.setattr(style, "system_theme", lambda: style.LIGHT)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    qtbot.wait(1)
    qtbot.waitUntil(lambda: not change().under_way)
    assert style.theme() is style.DARK


def test_a_message_has_room_for_larger_letters_and_an_icon_in_the_new_colours(
    qtbot: Any, window: Window, qapp: QApplication
) -> None:  # fmt: skip
    window.say(f"Something went wrong. {'Details are in a file. ' * 12}")
    before = window.banner._icon.pixmap().toImage()
    style.apply(qapp, "light", percent=130)
    try:
        needed = window.banner.heightForWidth(window.banner.width())
        assert window.banner.height() >= needed
        assert window.banner._icon.pixmap().toImage() != before
    finally:
        style.apply(qapp, "dark", percent=100)
