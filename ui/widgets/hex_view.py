"""Bytes: offset, hexadecimal, characters.  A range can be highlighted; a click selects a byte."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea

from ui import style
from ui.keys.keymap import KEYS

LEFT = 8.0


class HexView(QAbstractScrollArea):
    """Shows `data`, whose first byte is at `base`.  `picked(offset)` counts from the start of `data`."""

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Bytes")
        self.setMinimumHeight(72)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._data, self._base = b"", 0
        self._lit = (0, 0)
        self._cursor = 0
        self._measure()

    def sizeHint(self) -> QSize:
        return QSize(380, 150)

    def set_data(self, data: bytes, base: int = 0) -> None:
        self._data, self._base = bytes(data), base
        self._lit, self._cursor = (0, 0), 0
        self._arrange()

    def light(self, begin: int, end: int) -> None:
        """Lights up [begin, end) and scrolls to it; an empty range puts the light out."""
        self._lit = (begin, end)
        if end > begin:
            self._cursor = begin
            self._reveal(begin)
        self.viewport().update()

    @property
    def lit(self) -> tuple[int, int]:
        return self._lit

    @property
    def per_row(self) -> int:
        return self._per_row

    # Measures

    def _measure(self) -> None:
        self._font = style.mono_font(9)
        metrics = QFontMetricsF(self._font)
        self._em = metrics.horizontalAdvance("0")
        self._line = metrics.height() + 3
        self.setMinimumWidth(int(self._hex_left() + self._em * 12 + LEFT) + 1)  # four bytes are never cut

    def _arrange(self) -> None:
        digits = self._em * 8 + LEFT
        room = self.viewport().width() - digits - LEFT
        self._per_row = next((n for n in (16, 8, 4) if n * self._em * 3 + n * self._em + self._em * 3 <= room), 4)
        rows = -(-len(self._data) // self._per_row)
        shown = int(self.viewport().height() // self._line)
        self.verticalScrollBar().setRange(0, max(rows - shown, 0))
        self.verticalScrollBar().setPageStep(max(shown, 1))
        self.viewport().update()

    def _hex_left(self) -> float:
        return LEFT + self._em * 7

    def _text_left(self) -> float:
        return self._hex_left() + self._em * (self._per_row * 3 + 1.5)

    def byte_at(self, place: QPoint) -> int | None:
        """The offset of the byte drawn at `place`, in either column."""
        row = int((place.y() - 4) // self._line) + self.verticalScrollBar().value()
        column = int((place.x() - self._hex_left() + self._em / 2) // (self._em * 3))
        if place.x() >= self._text_left():
            column = int((place.x() - self._text_left()) // self._em)
        offset = row * self._per_row + column
        return offset if 0 <= column < self._per_row and 0 <= offset < len(self._data) else None

    def _reveal(self, offset: int) -> None:
        bar, row = self.verticalScrollBar(), offset // self._per_row
        if not bar.value() <= row < bar.value() + max(bar.pageStep(), 1):
            bar.setValue(row)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        offset = self.byte_at(event.position().toPoint())
        if offset is not None:
            self._move_to(offset)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {"row-up": -self._per_row, "row-down": self._per_row}.get(KEYS.meant(event, "bytes"))
        if step is None or not self._data:
            super().keyPressEvent(event)
        else:
            self._move_to(min(max(self._cursor + step, 0), len(self._data) - 1))

    def _move_to(self, offset: int) -> None:
        self._cursor = offset
        self._reveal(offset)
        self.picked.emit(offset)
        self.viewport().update()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), style.theme().color("panel"))
            painter.setFont(self._font)
            first = self.verticalScrollBar().value()
            for line in range(int(self.viewport().height() // self._line) + 1):
                start = (first + line) * self._per_row
                if start >= len(self._data):
                    break
                self._paint_row(painter, start, 4 + line * self._line)

    def _paint_row(self, painter: QPainter, start: int, top: float) -> None:
        theme, em = style.theme(), self._em
        painter.setPen(theme.color("faint"))
        center = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(LEFT, top, em * 7, self._line), center, f"{self._base + start:05x}")
        for column, byte in enumerate(self._data[start : start + self._per_row]):
            box = QRectF(self._hex_left() + column * em * 3, top, em * 2, self._line)
            letter = QRectF(self._text_left() + column * em, top, em, self._line)
            lit = self._lit[0] <= start + column < self._lit[1]
            if lit:
                last = start + column + 1 >= self._lit[1] or column + 1 == self._per_row
                painter.fillRect(box.adjusted(-em / 2, 1, em / 2 + 0.5 * (not last), -1), theme.color("accent", 70))
                painter.fillRect(letter.adjusted(0, 1, 0, -1), theme.color("accent", 70))
            painter.setPen(theme.color("text" if lit or byte else "faint"))
            painter.drawText(box, center, f"{byte:02x}")
            printable = 32 <= byte < 127
            painter.setPen(theme.color("text" if lit else "muted" if printable else "faint"))
            painter.drawText(letter, center, chr(byte) if printable else "·")
