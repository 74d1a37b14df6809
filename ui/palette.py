"""The command palette: a few letters, the matching commands; Enter runs the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from ui import style
from ui.fuzzy import fit
from ui.keys.commands import BY_NAME
from ui.keys.keymap import KEYS
from ui.widgets.controls import spoken

if TYPE_CHECKING:
    from ui.window import Window

WIDTH, HEIGHT, ROW = 560, 400, 28
NOTHING = "No command that can be used now matches."
MOVES = ("next", "previous", "page-down", "page-up")


def show_palette(window: Window) -> Palette:
    palette = Palette(window)
    palette.open()
    return palette


class Palette(QDialog):
    """The actions that can be done now; the one chosen is done once the palette is gone."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.setWindowTitle("Find a command")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions = window.actions_by_name
        self._chosen: QAction | None = None
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
        there = [name for name, action in self._actions.items() if action.isEnabled() and name != "palette"]
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
            action = self._actions[item.data(0, Qt.ItemDataRole.UserRole)]
            self.accept()
            action.trigger()


def _fit(letters: str, name: str) -> float | None:
    """By its words, or by its group and words."""
    command = BY_NAME[name]
    points = [fit(letters, command.words), fit(letters, f"{command.group} {command.words}")]
    known = [one - number for number, one in enumerate(points) if one is not None]
    return max(known, default=None)
