"""The whole of a value that does not fit its cell: on as many lines as needed, to read, select and copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ui import style
from ui.widgets.plain import put_text
from ui.widgets.tables import Table

LINES = 4
AROUND = 20
"""Pixels of the margins above and below."""


def with_whole_value(table: Table, *columns: int) -> QWidget:
    """The table, and under it what the cells of these columns have no room for."""
    both = QWidget()
    box = QVBoxLayout(both)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    box.addWidget(table, 1)
    box.addWidget(WholeValue(table, *columns))
    return both


class WholeValue(QPlainTextEdit):
    """Stands under a table and shows what is cut in the chosen row's columns, with their titles if there are several, without
    those that are empty; hidden where nothing is cut."""

    def __init__(self, table: Table, *columns: int) -> None:
        super().__init__()
        self._table, self._columns = table, columns
        self.setAccessibleName(f"{table.accessibleName()}: the whole value")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFont(style.mono_font())
        self.hide()
        table.selectionModel().currentRowChanged.connect(lambda *_: self._show())
        table.model().modelReset.connect(self._show)
        table.model().dataChanged.connect(lambda *_: self._show())
        table.horizontalHeader().sectionResized.connect(lambda *_: self._show())

    def _show(self) -> None:
        text = self._text()
        cut = bool(text)
        if cut and self.toPlainText() != text:
            put_text(self, text)
            self._fit()
        if cut and self.isHidden():
            self._keep_row()
        self.setVisible(cut)

    def _keep_row(self) -> None:
        """What takes room from the table leaves the chosen row in sight."""
        QTimer.singleShot(0, self._table, lambda: self._table.scrollTo(self._table.currentIndex()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if event.oldSize().height() < event.size().height():
            self._keep_row()

    def _fit(self) -> None:
        """As many lines as it has, up to LINES."""
        lines = min(max(round(self.document().size().height()), 1), LINES)
        self.setFixedHeight(lines * QFontMetrics(self.font()).lineSpacing() + AROUND)

    def _text(self) -> str:
        """All of the columns as soon as one is cut: they are there to be compared."""
        table, row = self._table, self._table.currentIndex().row()
        cells = [table.model().index(row, column) for column in self._columns]
        if not all(cell.isValid() for cell in cells) or not any(map(table.is_cut, cells)):
            return ""
        if len(cells) == 1:
            return table.whole(cells[0])
        return "\n".join(f"{self._title(cell.column())}: {text}" for cell in cells if (text := table.whole(cell)))

    def _title(self, column: int) -> str:
        """A column's title; without one, that of the columns on its left to which it belongs."""
        titles = (self._table.model().headerData(one, Qt.Orientation.Horizontal) for one in range(column, -1, -1))
        return str(next(filter(None, titles), ""))
