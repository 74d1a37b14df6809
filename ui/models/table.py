"""A list of values as a table: a column is a title and a function from a row to its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from ui.roles import DISPLAY_ROLE, ROOT, ROW_FLAGS, Index


@dataclass(frozen=True)
class Column:
    """`roles` answer for other item roles than the text."""

    title: str
    text: Callable[[Any], str]
    roles: dict[int, Callable[[Any], Any]] = field(default_factory=dict)


class RowsModel(QAbstractTableModel):
    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self.rows: list[Any] = []

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Other columns, and no rows yet."""
        self.beginResetModel()
        self._columns, self.rows = tuple(columns), []
        self.endResetModel()

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Keeps the view's place if only the values changed."""
        if len(rows) == len(self.rows) and rows:
            self.rows = list(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self._columns) - 1))
            return
        if not rows and not self.rows:
            return  # a reset paints the list anew
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def set_titles(self, *titles: str) -> None:
        """Other titles of the last columns."""
        kept = self._columns[: len(self._columns) - len(titles)]
        changed = self._columns[len(kept) :]
        self._columns = (*kept, *(replace(column, title=title) for column, title in zip(changed, titles, strict=True)))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, len(kept), len(self._columns) - 1)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self._columns[index.column()]
        answer = column.text if role == DISPLAY_ROLE else column.roles.get(role)
        return answer(self.rows[index.row()]) if answer else None
