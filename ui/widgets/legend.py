"""The meanings of colours in the timeline and of marks in the event list."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style
from ui.index import CLEAR, COPY, DRAW, KIND_TITLES, KINDS, PRESENT, RESOURCE, SHADER, STATE, TRANSFORM
from ui.widgets.event_marks import paint_kind

SHOWN = (DRAW, CLEAR, COPY, PRESENT, RESOURCE, SHADER, TRANSFORM, STATE)
MARK, GAP = 8, 14


class Legend(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Kinds of events: " + ", ".join(KIND_TITLES[kind] for kind in SHOWN))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def _widths(self) -> list[int]:
        metrics = QFontMetrics(style.ui_font(8.5))
        return [MARK + 5 + metrics.horizontalAdvance(KIND_TITLES[kind]) + GAP for kind in SHOWN]

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()), 16)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme, left, middle = style.theme(), 0, self.height() / 2
            painter.setFont(style.ui_font(8.5))
            for kind, width in zip(SHOWN, self._widths(), strict=True):
                if left + width - GAP > self.width():  # whole ones, as many as there is room for
                    break
                paint_kind(painter, QRectF(left, middle - 4, MARK, MARK), KINDS[kind], theme.color(f"kind:{KINDS[kind]}"))
                painter.setPen(theme.color("faint"))
                base = int(middle + painter.fontMetrics().capHeight() / 2)
                painter.drawText(QPoint(left + MARK + 5, base), KIND_TITLES[kind])
                left += width
