"""Keys, spoken names and themes: everything can be reached, heard and seen."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QTabBar,
    QWidget,
)

from tests.ui.conftest import settle
from tests.ui.window_kit import Key, Modifier, panel
from ui.keyboard import show_keys
from ui.palette import show_palette
from ui.preferences import show_settings
from ui.restyle import change
from ui.settings import Settings
from ui.window import Window


def test_no_two_actions_share_a_key(window: Window) -> None:
    keys = [key.toString() for action in window.actions() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


@pytest.fixture
def whole(window: Window) -> Window:
    """With every panel, and the dialogs."""
    for name in window.docks.panels:
        panel(window, name)
    for shows in (show_settings, show_keys, show_palette):
        shows(window)
    return window


def test_every_control_has_a_spoken_name(whole: Window) -> None:
    kinds = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
    inside = (QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView)
    unnamed = [
        widget
        for kind in kinds
        for widget in whole.findChildren(kind)
        if not widget.accessibleName() and not isinstance(widget.parent(), inside) and not _made_by_qt(widget)
        and not (isinstance(widget, QPushButton) and widget.text())
    ]  # fmt: skip
    assert not [f"{type(widget).__name__} in {type(widget.parent()).__name__}" for widget in unnamed]


def test_every_control_says_what_it_is_for_under_the_pointer(qtbot: Any, window: Window) -> None:
    for name in window.docks.panels:
        panel(window, name)
    inside = (QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView, QTabBar)
    silent = [
        widget.accessibleName() or type(widget).__name__
        for kind in (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
        for widget in window.findChildren(kind)
        if not widget.toolTip() and not isinstance(widget.parent(), inside)
        and not _made_by_qt(widget)
        and not window.welcome.isAncestorOf(widget)
    ]  # fmt: skip
    assert not silent


def _made_by_qt(widget: QWidget) -> bool:
    """Headers, menus' and toolbars' own buttons say their action's text themselves."""
    names = ("QHeaderView", "QToolBarExtension", "QComboBoxListView", "QTableCornerButton")
    by_action = isinstance(widget, QAbstractButton) and bool(widget.actions())
    return widget.metaObject().className() in names or by_action or "qt_" in widget.objectName()


@pytest.mark.parametrize(
    "name", ["timeline", "events", "token", "surface", "state", "vertices", "resources", "calls", "findings"]
)
def test_every_panel_is_reached_by_its_keys_and_takes_the_keyboard(qtbot: Any, window: Window, name: str) -> None:
    window.activateWindow()
    keys = {"timeline": "1", "events": "2", "token": "3", "surface": "4", "state": "5", "vertices": "6", "resources": "7"}
    key = keys.get(name) or {"calls": "9", "findings": "0"}[name]
    qtbot.keyClick(window.events.table, Key(ord(key)), Modifier.ControlModifier)
    shown = window.docks.panels[name]
    assert shown.isVisible()
    assert shown.isAncestorOf(QApplication.focusWidget())


def test_both_themes_paint_everything(qtbot: Any, window: Window, settings: Settings) -> None:
    for name in window.docks.panels:
        panel(window, name)
    settle(qtbot, window)
    seen = set()
    for name in ("light", "dark"):
        window.set_theme(name)
        qtbot.waitUntil(lambda: not change().under_way)
        seen.add(window.grab().toImage().pixelColor(QPoint(3, window.height() - 3)).name())
    assert len(seen) == 2
    assert settings.theme == "dark"
