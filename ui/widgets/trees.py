"""What trees have beyond Qt's: Left and Right are theirs, though they walk events everywhere else."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeView

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right)


class Arrows(QObject):
    """Keeps Left and Right for a tree that has the keyboard: they close and open its branches."""

    def __init__(self, tree: QTreeView) -> None:
        super().__init__(tree)
        tree.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and _is_arrow(event):
            event.accept()
            return True
        return False


def _is_arrow(event: QKeyEvent) -> bool:
    return event.key() in ARROWS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
