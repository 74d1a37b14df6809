"""The menus: the place of each command."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from inspector.samples import lesson_captures, sample_captures
from ui.files import in_short
from ui.words import tip

if TYPE_CHECKING:
    from ui.window import Window

GO = (
    "back forward",
    "previous-event next-event previous-primitive next-primitive previous-draw next-draw previous-frame next-frame",
    "play first-event last-event",
    "go-to filter find-next find-previous next-of-rule previous-of-rule",
    "overlay wires",
    "copy-link paste-link",
)
TOOLS = (
    "check-everything disable side-a side-b",
    "panel-verify panel-query panel-console panel-statistics panel-comparison panel-what-if",
)
HELP = ("manual lessons", "palette keys", "log problem about")
SAVE = (
    ("close",),
    ("save-picture", "copy-picture", "save-all", "save-textures"),
    ("save-frames", "save-program", "save-report"),
)
"""Commands by their names (ui.keys.commands)."""
THEMES = ("system", "dark", "light", "contrast")


def make_menus(window: Window) -> None:
    bar, act = window.menuBar(), window.actions_by_name
    file = bar.addMenu("&File")
    file.addActions([act["open"], act["open-frames"]])
    recent = file.addMenu("Open &recent")
    recent.aboutToShow.connect(lambda: _fill_recent(window, recent))
    for words, captures in (("Open sa&mple", sample_captures()), ("Open &lesson", lesson_captures())):
        samples = file.addMenu(words)
        for title, path in captures:
            samples.addAction(title, partial(window.open, path))
        samples.setEnabled(not samples.isEmpty())
    file.addAction(act["record"])
    for group in SAVE:
        file.addActions([act[name] for name in group])
        file.addSeparator()
    file.addAction(act["settings"])
    file.addAction(act["quit"])
    go = bar.addMenu("&Go")
    for names in GO:
        go.addActions([act[name] for name in names.split()])
        go.addSeparator()
    overlays = go.addMenu("O&verlays")
    overlays.addActions([action for name, action in act.items() if name.startswith("overlay-")])
    steps = go.addMenu("&Steps")
    steps.addActions([action for name, action in act.items() if name.startswith("step-")])
    marks = go.addMenu("&Bookmarks")
    marks.addActions([action for name, action in act.items() if name.startswith("bookmark")])
    view = bar.addMenu("&View")
    view.addActions([action for name, action in act.items() if name.startswith("panel-")])
    view.addSeparator()
    layouts = view.addMenu("&Layout")
    layouts.aboutToShow.connect(lambda: window.arranging.fill_menu(layouts))
    window.arranging.fill_menu(layouts)
    shown = view.addMenu("Panels s&hown")
    shown.aboutToShow.connect(lambda: window.arranging.fill_panels(shown))
    view.addActions([act["hide-panel"], act["float-panel"], act["copy-panel"]])
    view.addMenu(_theme_menu(window))
    tools = bar.addMenu("&Tools")
    for names in TOOLS:
        tools.addActions([act[name] for name in names.split()])
        tools.addSeparator()
    help = bar.addMenu("&Help")
    for names in HELP:
        help.addActions([act[name] for name in names.split()])
        help.addSeparator()


def _theme_menu(window: Window) -> QMenu:
    menu, group = QMenu("Theme", window), QActionGroup(window)
    for name in THEMES:
        action = window.actions_by_name[f"theme-{name}"]
        action.setCheckable(True)
        action.setChecked(window.settings.theme == name)
        group.addAction(action)
        menu.addAction(action)
    return menu


def _fill_recent(window: Window, menu: QMenu) -> None:
    menu.clear()
    for path in map(Path, window.settings.recent):
        words = f"{path.name}\t{in_short(path.parent)}".replace("&", "&&")
        menu.addAction(words, partial(window.open, path)).setToolTip(tip(str(path)))
    if menu.isEmpty():
        menu.addAction("No recent captures").setEnabled(False)
