"""The whole of a value that does not fit its cell: on as many lines as needed, to read, select and copy."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontMetrics, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ui import style
from ui.widgets.tables import Table

LINES = 4


def with_whole_value(table: Table, column: int) -> QWidget:
    """The table, and under it what a cell of this column has no room for."""
    both = QWidget()
    box = QVBoxLayout(both)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    box.addWidget(table, 1)
    box.addWidget(WholeValue(table, column))
    return both


class WholeValue(QPlainTextEdit):
    """Stands under a table and shows what is cut in the chosen row's column; hidden where nothing is."""

    def __init__(self, table: Table, column: int) -> None:
        super().__init__()
        self._table, self._column = table, column
        self.setAccessibleName(f"{table.accessibleName()}: the whole value")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFont(style.mono_font())
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setMaximumHeight(LINES * QFontMetrics(self.font()).lineSpacing() + 16)
        self.hide()
        table.selectionModel().currentRowChanged.connect(lambda *_: self._show())
        table.model().modelReset.connect(self._show)
        table.model().dataChanged.connect(lambda *_: self._show())
        table.horizontalHeader().sectionResized.connect(lambda *_: self._show())

    def _show(self) -> None:
        index = self._table.model().index(self._table.currentIndex().row(), self._column)
        cut = index.isValid() and self._table.is_cut(index)
        if cut and self.toPlainText() != self._table.whole(index):
            self.setPlainText(self._table.whole(index))
        if cut and self.isHidden():  # takes room from the table: the chosen row stays in sight
            QTimer.singleShot(0, self._table, lambda: self._table.scrollTo(self._table.currentIndex()))
        self.setVisible(cut)
