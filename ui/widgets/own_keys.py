"""Home, End, arrow, page and menu keys belong to the widget with keyboard focus; elsewhere they navigate."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractSlider, QApplication, QComboBox, QTabBar, QWidget

from ui.keys.keymap import KEYS

OWNERS = (QAbstractItemView, QAbstractSlider, QTabBar, QComboBox)
SIDEWAYS = ("left", "right")
WALKS = "walks"
"""A property of lists in which Left and Right walk events nevertheless: the list of events itself."""
STEPS = "steps"
"""A property of lists in which Shift+F10 goes a step back, and only the menu key opens the row's menu."""


class OwnKeys(QObject):
    """Watches the one widget that has the keyboard; all others cost nothing."""

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        app.focusChanged.connect(self._watch)

    def _watch(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and self._watched is old:
            old.removeEventFilter(self)
        self._watched = new if isinstance(new, OWNERS) or _is_one_of_several(new) else None
        if self._watched is not None:
            self._watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            meant = KEYS.meant(event, "list")
            if isinstance(watched, QAbstractButton):
                others = meant not in SIDEWAYS  # which go to the next button, as Up and Down do
            else:
                walks = watched.property(WALKS) or isinstance(watched, QComboBox)
                others = (meant in SIDEWAYS and walks) or (meant == "menu" and watched.property(STEPS))
            if meant in KEPT and not others:
                event.accept()
                return True
        return False


def _is_one_of_several(widget: QWidget | None) -> bool:
    """Whether it is a button of a group of which one is down."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive()


KEPT = ("first", "last", "page-up", "page-down", "menu", *SIDEWAYS)
"""Of the commands in lists (ui.keys.commands)."""
