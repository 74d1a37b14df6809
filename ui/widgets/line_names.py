"""The names of a plot's lines, each after a piece of its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style

PIECE, BETWEEN, GAP, MARGIN = 30, 6, 18, 8
"""Pixels of a piece of line, between it and the name, between names, and around all of them."""
STROKES = Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DashDotDotLine
"""Of lines, one after the other: colours alone do not tell them apart for everybody."""


def stroke(number: int) -> Qt.PenStyle:
    return STROKES[number % len(STROKES)]


class LineNames(QWidget):
    """In as many rows as the width needs: nothing of the plot is behind them."""

    def __init__(self, colors: Sequence[str] = (), piece: int = PIECE, gap: int = GAP) -> None:
        """colors: tokens of the theme, one after the other.  piece, gap: pixels of a piece of line, and between names."""
        super().__init__()
        self._colors, self._piece, self._gap = colors, piece, gap
        self.names: tuple[str, ...] = ()
        self._stroked, self._own = True, tuple[QColor, ...]()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_names(self, names: Sequence[str], stroked: bool = True, colors: Sequence[QColor] = ()) -> None:
        """stroked: lines differ in their strokes, too.  colors: those of the lines, instead of the theme's."""
        self.names, self._stroked, self._own = tuple(names), stroked, tuple(colors)
        self.setAccessibleName(f"Lines: {', '.join(names)}")
        self.setVisible(bool(names))
        self._fit()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(2 * MARGIN + self._piece, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        bottom = max((place.bottom() for place, _ in self._places()), default=0)
        self.setFixedHeight(bottom + MARGIN // 2)

    def _places(self) -> Iterator[tuple[QRect, str]]:
        """Where each name is, with its piece of line, and what of it has room."""
        metrics, left, top = self.fontMetrics(), MARGIN, MARGIN // 2
        most = max(self.width() - 2 * MARGIN, self._piece + BETWEEN)
        for name in self.names:
            words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, most - self._piece - BETWEEN)
            width = self._piece + BETWEEN + metrics.horizontalAdvance(words)
            if left > MARGIN and left + width > self.width() - MARGIN:
                left, top = MARGIN, top + metrics.lineSpacing()
            yield QRect(left, top, width, metrics.lineSpacing()), words
            left += width + self._gap

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = style.theme()
        with QPainter(self) as painter:
            for number, (place, words) in enumerate(self._places()):
                line = stroke(number) if self._stroked else Qt.PenStyle.SolidLine
                color = self._own[number] if self._own else theme.color(self._colors[number % len(self._colors)])
                painter.setPen(QPen(color, 2, line))
                painter.drawLine(place.left(), place.center().y(), place.left() + self._piece, place.center().y())
                painter.setPen(theme.color("text"))
                base = place.top() + self.fontMetrics().ascent()
                painter.drawText(QPoint(place.left() + self._piece + BETWEEN, base), words)
