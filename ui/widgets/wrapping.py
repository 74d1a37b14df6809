"""Rows of a table that are as high as their words need: sentences are read, not cut, where there is room below them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from ui import style
from ui.widgets.cells import ValueCell
from ui.widgets.lines import WRAPPED, broken, height_of
from ui.widgets.numbers import is_number
from ui.widgets.tables import CELL_MARGINS, Table

MOST = 400
"""Rows of a list whose heights follow their words; a longer one is scanned, not read."""
AROUND = 6
"""Pixels above and below a cell's words."""


class WrappingCell(ValueCell):
    """A value on as many lines as its row has room for; the table's `wrapped` says in which columns."""

    def write(self, painter: QPainter, rect: QRect, text: str, align: int) -> None:
        metrics, width = painter.fontMetrics(), rect.width()
        wraps = metrics.horizontalAdvance(text) > width > 0 and not is_number(text)
        if wraps and height_of(text, metrics, width) <= rect.height():
            painter.drawText(rect, align | int(Qt.AlignmentFlag.AlignVCenter) | WRAPPED, broken(text, metrics, width))
        else:
            super().write(painter, rect, text, align)


class Wrapping(QObject):
    """Gives each row of a table the height that its words need in some columns."""

    def __init__(self, table: Table, lines: int = MOST) -> None:
        """lines: a cell that needs more has one, and ends in dots."""
        super().__init__(table)
        self._table, self._lines = table, lines
        self._rows = 0
        """So many rows had their heights from here."""
        model = table.model()
        model.modelReset.connect(self.fit)
        model.dataChanged.connect(lambda *_: self.fit())
        table.horizontalHeader().sectionResized.connect(lambda column, *_: self.fit() if column in table.wrapped else None)
        table.installEventFilter(self)

    def wrap(self, *columns: int) -> None:
        """Only these columns from now on."""
        self._table.wrapped = columns
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another font has other widths."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()
        return False

    def fit(self) -> None:
        table, count = self._table, self._table.model().rowCount()
        metrics = QFontMetrics(style.mono_font())
        columns = [column for column in table.wrapped if not table.isColumnHidden(column)] if count <= MOST else []
        fitting = count if columns else min(self._rows, count)  # of a long list, none but those that were higher before
        self._rows = count if columns else 0
        for row in range(fitting):
            height = max((self._height(metrics, row, column) for column in columns), default=style.ROW_HEIGHT)
            if table.rowHeight(row) != height:
                table.setRowHeight(row, height)

    def _height(self, metrics: QFontMetrics, row: int, column: int) -> int:
        text = str(self._table.model().index(row, column).data() or "")
        width = self._table.columnWidth(column) - CELL_MARGINS
        if width <= 0 or metrics.horizontalAdvance(text) <= width:
            return style.ROW_HEIGHT
        height = height_of(text, metrics, width)
        return max(height + AROUND, style.ROW_HEIGHT) if height <= self._lines * metrics.lineSpacing() else style.ROW_HEIGHT
