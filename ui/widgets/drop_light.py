"""A highlight over the whole window while a file that can be dropped is dragged over it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui import style

WORDS = "Drop to open the capture"


class DropLight(QWidget):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def shine(self, on: bool) -> None:
        """On: above everything else in the window."""
        self.setGeometry(self.window().rect())
        self.setVisible(on)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme = style.theme()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), theme.color("window", 170))
            painter.setPen(QPen(theme.color("accent"), 3, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(12, 12, -12, -12), 10, 10)
            painter.setFont(style.ui_font(16))
            painter.setPen(theme.color("text"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, WORDS)
