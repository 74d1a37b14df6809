"""The pixels around the chosen one, enlarged."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style

LEAST = 72
"""Pixels of height: five for each of the picture's."""


class Loupe(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Pixels around the picked one")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._argb = np.zeros((1, 1), np.uint32)

    def sizeHint(self) -> QSize:
        """At most two fifths of what it is in."""
        parent: QWidget | None = self.parentWidget()
        return QSize(200, 164 if parent is None else min(164, max(parent.height() * 2 // 5, LEAST)))

    def show_pixels(self, argb: np.ndarray) -> None:
        """uint32 (n, n) 0xAARRGGBB; 0 = there is no pixel."""
        self._argb = np.ascontiguousarray(argb, np.uint32)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme, count = style.theme(), self._argb.shape[0]
            side = max((min(self.width(), self.height()) - 20) // count, 1)
            whole = side * count
            area = QRectF((self.width() - whole) // 2, (self.height() - whole) // 2, whole, whole)
            painter.fillRect(area, theme.color("canvas"))
            image = QImage(self._argb.data, count, count, 4 * count, QImage.Format.Format_ARGB32)
            painter.drawImage(area, image)
            painter.setPen(QPen(theme.color("border", 120), 0))
            for line in range(1, count):
                x, y = area.left() + line * side, area.top() + line * side
                painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
                painter.drawLine(QLineF(area.left(), y, area.right(), y))
            middle = count // 2
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for pen in (QPen(QColor(0, 0, 0, 210), 4), QPen(QColor(255, 255, 255), 1.6)):
                painter.setPen(pen)
                painter.drawRect(QRectF(area.left() + middle * side, area.top() + middle * side, side, side))
