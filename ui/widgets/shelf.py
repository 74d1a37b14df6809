"""A panel of fixed height, resized by dragging its lower edge."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import style

GRIP = 4


class Shelf(QWidget):
    """The height stays when the window grows or shrinks: the room is for the picture.  `resized(height)`: it was dragged."""

    resized = Signal(int)

    def __init__(self, panel: QWidget, least: int, most: int) -> None:
        super().__init__()
        self._least, self._most = least, most
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(panel)
        self.grip = _Grip(self)
        column.addWidget(self.grip)

    def set_height(self, height: int) -> None:
        """Of the panel, in pixels, within the bounds."""
        self.setFixedHeight(min(max(height, self._least), self._most) + GRIP)

    def drag_to(self, bottom: int) -> None:
        """The lower edge is dragged there, counted from the top."""
        self.set_height(bottom)
        self.resized.emit(self.height() - GRIP)


class _Grip(QWidget):
    def __init__(self, shelf: Shelf) -> None:
        super().__init__()
        self._shelf = shelf
        self._over = False
        self.setFixedHeight(GRIP)
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        self.setToolTip("Drag to change the height")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._shelf.drag_to(self._shelf.mapFromGlobal(event.globalPosition().toPoint()).y())

    def enterEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._over = True
        self.update()

    def leaveEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._over = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), style.theme().color("accent" if self._over else "window"))
