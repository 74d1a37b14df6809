"""The names of a plot's lines, each after a piece of its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style

PIECE, BETWEEN, GAP, MARGIN = 16, 6, 18, 8
"""Pixels of a piece of line, between it and the name, between names, and around all of them."""


class LineNames(QWidget):
    """In as many rows as the width needs: nothing of the plot is behind them."""

    def __init__(self, colors: Sequence[str]) -> None:
        """colors: tokens of the theme, one after the other."""
        super().__init__()
        self._colors = colors
        self.names: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_names(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.setAccessibleName(f"Lines: {', '.join(names)}")
        self.setVisible(bool(names))
        self._fit()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(2 * MARGIN + PIECE, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        bottom = max((place.bottom() for place, _ in self._places()), default=0)
        self.setFixedHeight(bottom + MARGIN // 2)

    def _places(self) -> Iterator[tuple[QRect, str]]:
        """Where each name is, with its piece of line, and what of it has room."""
        metrics, left, top = self.fontMetrics(), MARGIN, MARGIN // 2
        most = max(self.width() - 2 * MARGIN, PIECE + BETWEEN)
        for name in self.names:
            words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, most - PIECE - BETWEEN)
            width = PIECE + BETWEEN + metrics.horizontalAdvance(words)
            if left > MARGIN and left + width > self.width() - MARGIN:
                left, top = MARGIN, top + metrics.lineSpacing()
            yield QRect(left, top, width, metrics.lineSpacing()), words
            left += width + GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = style.theme()
        with QPainter(self) as painter:
            for number, (place, words) in enumerate(self._places()):
                painter.setPen(QPen(theme.color(self._colors[number % len(self._colors)]), 2))
                painter.drawLine(place.left(), place.center().y(), place.left() + PIECE, place.center().y())
                painter.setPen(theme.color("text"))
                base = place.top() + self.fontMetrics().ascent()
                painter.drawText(QPoint(place.left() + PIECE + BETWEEN, base), words)
