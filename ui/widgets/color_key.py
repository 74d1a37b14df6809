"""A colour key: small squares with their meanings, in a row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style

MARK, GAP = 10, 14
Rgb = tuple[int, int, int]


class ColorKey(QWidget):
    """What does not fit ends in dots; all of it is the tooltip."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._rows: tuple[tuple[Rgb | None, str], ...] = ()

    def show_key(self, rows: Sequence[tuple[Rgb | None, str]]) -> None:
        """(colour, meaning); None: words alone."""
        self._rows = tuple(rows)
        words = "\n".join(text for _, text in rows)
        self.setAccessibleName(f"Colours: {words}")
        self.setToolTip(words)
        self.updateGeometry()
        self.update()

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self._rows]

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(style.ui_font(9))
        marks = sum(MARK + 5 for color, _ in self._rows if color is not None)
        return QSize(4 + marks + sum(metrics.horizontalAdvance(text) + GAP for _, text in self._rows), 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme, left, middle = style.theme(), 2, self.height() / 2
            painter.setFont(style.ui_font(9))
            metrics = QFontMetrics(painter.font())
            base = int(middle + metrics.capHeight() / 2)
            for color, text in self._rows:
                if color is not None:
                    painter.setPen(QPen(theme.color("border"), 1))
                    painter.setBrush(QColor(*color))
                    painter.drawRoundedRect(QRectF(left, middle - MARK / 2, MARK, MARK), 2, 2)
                    left += MARK + 5
                painter.setPen(theme.color("muted"))
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(self.width() - left, 0))
                painter.drawText(QPoint(left, base), shown)
                left += metrics.horizontalAdvance(text) + GAP
                if left >= self.width():
                    return
