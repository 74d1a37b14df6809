"""Behaviour that trees add to Qt's: Left and Right belong to them, though elsewhere they step through events."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView

from ui.keys.keymap import KEYS
from ui.roles import Index


class SteadyTree(QTreeView):
    """A tree that measures no row again when values change, if its model says that they are as high as before (`steady`)."""

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        if getattr(self.model(), "steady", False):
            QAbstractItemView.dataChanged(self, first, last, roles)
        else:
            super().dataChanged(first, last, roles)


class Arrows(QObject):
    """Keeps Left and Right for a tree that has the keyboard: they close and open its branches."""

    def __init__(self, tree: QTreeView) -> None:
        super().__init__(tree)
        tree.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and KEYS.meant(event, "tree"):
            event.accept()
            return True
        return False
