"""The panel whose tab was clicked last: commands on "the panel" mean it, until the keyboard goes to another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QTabBar, QWidget


class Pointed(QObject):
    """`name`: of the panel; "" after the keyboard went elsewhere.  called(title): the panel of a tab with this title.

    `clicked(name)`: its tab was clicked, and is about to come to the front.
    """

    clicked = Signal(str)

    def __init__(self, parent: QObject, called: Callable[[str], str]) -> None:
        super().__init__(parent)
        self.name = ""
        self._called = called
        QApplication.instance().focusChanged.connect(self._keyboard_went)  # type: ignore[union-attr]

    def follow(self, bar: QTabBar) -> None:
        """Heeds clicks on the tabs of a stack of panels."""
        bar.tabBarClicked.connect(lambda number: self._click(bar, number))

    def _click(self, bar: QTabBar, number: int) -> None:
        self.name = self._called(bar.tabText(number)) if number >= 0 else ""
        self.clicked.emit(self.name)

    def _keyboard_went(self, _: QWidget | None, new: QWidget | None) -> None:
        if new is not None and not isinstance(new, QTabBar):
            self.name = ""
