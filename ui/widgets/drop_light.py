"""A highlight over the whole window while a file that can be dropped is dragged over it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui import style


class DropLight(QWidget):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words = ""
        self.hide()

    def shine(self, captures: Sequence[Path]) -> None:
        """Above everything else in the window, with the name of what a drop opens; without captures, no longer."""
        several = f" (the first of {len(captures)})" if len(captures) > 1 else ""
        self.words = f"Drop to open {captures[0].name}{several}" if captures else ""
        self.setGeometry(self.window().rect())
        self.setVisible(bool(captures))
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
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.words)
