"""Tabs that are dragged out of their stack: each panel alone, and never into another panel that floats."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

GROUPED = QMainWindow.DockOption.GroupedDragging


class Tearing(QObject):
    """Turns Qt's grouped dragging on while the mouse holds a tab, and off once the tab's panel is out.

    Without the option Qt takes no tab out.  With it, a panel that passes over a floating one is made a group with it, of
    which Qt (seen in 6.11) keeps an item that it has deleted: the process ends when the window does.
    """

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget]) -> None:
        super().__init__(window)
        self._window = window
        for dock in docks:
            dock.topLevelChanged.connect(lambda _: self._group(False))

    def follow(self, bar: QTabBar) -> None:
        """Heeds the mouse on the tabs of a stack of panels."""
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            assert isinstance(event, QMouseEvent)
            self._group(bool(event.buttons() & Qt.MouseButton.LeftButton))
        return super().eventFilter(watched, event)

    def _group(self, on: bool) -> None:
        options = self._window.dockOptions()
        self._window.setDockOptions(options | GROUPED if on else options & ~GROUPED)
