"""The command palette: a few letters, the matching commands; Enter runs the first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from ui import style
from ui.fuzzy import fit
from ui.keys.commands import BY_NAME, COMMANDS
from ui.keys.keymap import KEYS
from ui.widgets.controls import spoken

if TYPE_CHECKING:
    from ui.window import Window

WIDTH, HEIGHT, ROW = 560, 400, 28
NOTHING = "No command that can be used now matches."
MOVES = ("next", "previous", "page-down", "page-up")
WIDGETS: dict[str, tuple[str, Callable[[Any], QWidget]]] = {
    "surface": ("surface", lambda panel: panel.view),
    "timeline": ("timeline", lambda panel: panel.strip),
    "mesh": ("vertices", lambda panel: panel.mesh),
    "query": ("query", lambda panel: panel.edit),
    "pairs": ("comparison", lambda panel: panel.vertices_page.table),
}
"""By the `where` of a command the panel, and the widget in it, whose commands are listed as well."""
HELD = ("surface.hold-before", "surface.hold-other")
"""Commands that last as long as a key is held, and therefore need one."""


def show_palette(window: Window) -> Palette:
    palette = Palette(window)
    palette.open()
    return palette


class Palette(QDialog):
    """The commands that can be used now, of the window and of its panels; the selected one is executed after closing."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.setWindowTitle("Find a command")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._does = _deeds(window)
        self.edit = spoken(QLineEdit(), "Find a command")
        self.edit.setPlaceholderText("Type part of a command's name")
        self.list = spoken(QTreeWidget(), "Commands")
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        box = QVBoxLayout(self)
        box.addWidget(self.edit)
        box.addWidget(self.list)
        self.edit.textChanged.connect(self._fill)
        self.edit.installEventFilter(self)
        self.list.itemClicked.connect(lambda item: self._take(item))
        self.resize(min(WIDTH, window.width() - 40), min(HEIGHT, window.height() - 80))
        self._fill("")

    def names(self) -> list[str]:
        """The commands listed, best first."""
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [name for item in items if item is not None and (name := item.data(0, Qt.ItemDataRole.UserRole))]

    def _fill(self, letters: str) -> None:
        there = list(self._does)
        points = {name: _fit(letters, name) for name in there}
        found = sorted((name for name in there if points[name] is not None), key=lambda name: -(points[name] or 0))
        self.list.clear()
        faint = style.theme().color("muted")
        for name in found if letters.strip() else there:
            item = QTreeWidgetItem([BY_NAME[name].words, BY_NAME[name].group, KEYS.text(name)])
            item.setData(0, Qt.ItemDataRole.UserRole, name)
            item.setSizeHint(0, QSize(0, ROW))
            item.setForeground(1, faint)
            self.list.addTopLevelItem(item)
        if not self.list.topLevelItemCount():
            nothing = QTreeWidgetItem(self.list, [NOTHING])
            nothing.setDisabled(True)
            nothing.setForeground(0, faint)
        self.list.setCurrentIndex(self.list.model().index(0, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down are the list's, though letters go on into the line."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            meant = KEYS.meant(event, "typing")
            if meant in MOVES:
                self.list.keyPressEvent(event)
                return True
            if meant == "accept":
                self._take(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _take(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and not item.isDisabled():
            does = self._does[item.data(0, Qt.ItemDataRole.UserRole)]
            self.accept()
            does()


def _deeds(window: Window) -> dict[str, Callable[[], object]]:
    """What the commands do that can be used now, by name."""
    actions: dict[str, Callable[[], object]] = {
        name: one.trigger for name, one in window.actions_by_name.items() if one.isEnabled() and name != "palette"
    }
    if window.desk.capture is None:
        return actions
    local = [one.name for one in COMMANDS if one.where in WIDGETS and not one.fixed and one.name not in HELD]
    return actions | {name: partial(_do_in_widget, window, name) for name in local}


def _do_in_widget(window: Window, name: str) -> None:
    """Brings the panel of the command to the front and executes it there."""
    panel, widget = WIDGETS[BY_NAME[name].where]
    window.docks.bring(panel)
    there = widget(window.docks.panels[panel])
    there.setFocus()
    KEYS.send(there, name)


def _fit(letters: str, name: str) -> float | None:
    """By its words, or by its group and words."""
    command = BY_NAME[name]
    points = [fit(letters, command.words), fit(letters, f"{command.group} {command.words}")]
    known = [one - number for number, one in enumerate(points) if one is not None]
    return max(known, default=None)
