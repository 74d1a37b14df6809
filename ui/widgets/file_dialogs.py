"""Qt's own file dialogs, which are used where the desktop has none: wide enough for their columns."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QFileDialog, QHeaderView, QTreeView, QWidget

LEAST = 860, 520
"""Pixels of width and height."""
TITLE = 32
"""Pixels of the bar that the desktop puts above a window: the dialog is moved by it."""
SEEN = "columns"
"""A property: the dialog has its size."""


def follow(app: QApplication) -> None:
    """Each file dialog gets its size when it gets the keyboard: Qt makes those of getSaveFileName by itself."""
    app.focusChanged.connect(lambda old, new: widen(new))


def widen(new: QWidget | None) -> None:
    """Makes the dialog that this widget is in large enough, once."""
    dialog = new.window() if new is not None else None
    if not isinstance(dialog, QFileDialog) or dialog.property(SEEN):
        return
    dialog.setProperty(SEEN, True)
    screen = dialog.screen().availableGeometry()
    place = dialog.geometry()
    middle = place.center()
    place.setSize(place.size().expandedTo(QSize(*LEAST)).boundedTo(screen.size() * 0.9))
    place.moveCenter(middle)
    place.moveTop(max(place.top(), screen.top() + TITLE))
    dialog.setGeometry(place)
    if (tree := dialog.findChild(QTreeView, "treeView")) is not None:
        header = tree.header()
        header.setStretchLastSection(False)
        for column in range(header.count()):
            mode = QHeaderView.ResizeMode.ResizeToContents if column else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, mode)
