"""The menus, and the table of keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMessageBox

from inspector.samples import sample_captures
from ui.files import in_short
from ui.mistakes import about
from ui.words import tip

if TYPE_CHECKING:
    from ui.window import Window

GO = (
    "back forward",
    "previous-event next-event previous-primitive next-primitive previous-draw next-draw previous-frame next-frame",
    "play first-event last-event",
    "go-to filter",
    "overlay wires",
    "copy-link paste-link",
)
TOOLS = ("check-everything disable side-a side-b", "verify query statistics comparison what-if")
"""Actions by their names, panels by theirs."""
THEMES = (("system", "As the system"), ("dark", "Dark"), ("light", "Light"))


def make_menus(window: Window) -> None:
    bar, act = window.menuBar(), window.actions_by_name
    file = bar.addMenu("&File")
    file.addAction(act["open"])
    recent = file.addMenu("Open &recent")
    recent.aboutToShow.connect(lambda: _fill_recent(window, recent))
    samples = file.addMenu("Open sa&mple")
    for title, path in sample_captures():
        samples.addAction(title, partial(window.open, path))
    samples.setEnabled(not samples.isEmpty())
    file.addActions([act["close"], act["save-picture"], act["save-report"]])
    file.addSeparator()
    file.addAction(act["quit"])
    go = bar.addMenu("&Go")
    for names in GO:
        go.addActions([act[name] for name in names.split()])
        go.addSeparator()
    view = bar.addMenu("&View")
    panels = window.docks.view_actions()
    view.addActions(list(panels.values()))
    view.addSeparator()
    view.addMenu(_theme_menu(window))
    view.addAction(_action(window, "Reset layout", window.reset_layout))
    tools = bar.addMenu("&Tools")
    for names in TOOLS:
        tools.addActions([act[name] if name in act else panels[name] for name in names.split()])
        tools.addSeparator()
    help = bar.addMenu("&Help")
    help.addAction(_action(window, "Keyboard", lambda: show_keys(window), "F1"))
    help.addAction(_action(window, "About DDI Inspector", lambda: about(window)))


def _theme_menu(window: Window) -> QMenu:
    menu, group = QMenu("Colours", window), QActionGroup(window)
    for name, text in THEMES:
        action = _action(window, text, partial(window.set_theme, name))
        action.setCheckable(True)
        action.setChecked(window.settings.theme == name)
        group.addAction(action)
        menu.addAction(action)
    return menu


def _action(window: Window, text: str, does: Callable[[], object], keys: str = "") -> QAction:
    action = QAction(text, window)
    action.setShortcut(keys)
    action.triggered.connect(lambda _=False: does())
    return action


def _fill_recent(window: Window, menu: QMenu) -> None:
    menu.clear()
    for path in map(Path, window.settings.recent):
        words = f"{path.name}\t{in_short(path.parent)}".replace("&", "&&")
        menu.addAction(words, partial(window.open, path)).setToolTip(tip(str(path)))
    if menu.isEmpty():
        menu.addAction("None yet").setEnabled(False)


def show_keys(window: Window) -> QMessageBox:
    """Everything that has keys, in a table."""
    rows = "".join(
        f"<tr><td style='padding:2px 24px 2px 0'>{action.text().replace('&', '').rstrip('…')}</td>"
        f"<td><b>{' or '.join(keys.toString() for keys in action.shortcuts())}</b></td></tr>"
        for action in window.actions()
        if action.shortcuts()
    )
    box = QMessageBox(window)
    box.setWindowTitle("Keyboard")
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(f"<table>{rows}<tr><td>Move the chosen pixel</td><td><b>Shift+arrows</b></td></tr></table>")
    box.open()
    return box
