"""Rows of plain values, such as those of SQL: numbers aligned right, events as links, sorted by any column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from ui.index import EventIndex
from ui.roles import LINK_ROLE, RIGHT, ROOT, ROW_FLAGS, TOKEN_ROLE, Index
from ui.words import figure

NULL = "NULL"
EVENTS = ("event", "first_event", "last_event", "writer", "until")
"""Columns that hold events, the one to go to first."""


class AnswersModel(QAbstractTableModel):
    """What a query answered; `event_at(row)` is where a row leads."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[str, ...] = ()
        self.rows: list[tuple[Any, ...]] = []
        self._leads: dict[int, Callable[[Any], int | None]] = {}

    def set_answer(self, columns: Sequence[str], rows: list[tuple[Any, ...]], index: EventIndex | None) -> None:
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), rows
        self._leads = {} if index is None else _leads(self.columns, index)
        self.endResetModel()

    def event_at(self, row: int) -> int | None:
        """The event of the first column that leads to one."""
        places = (lead(self.rows[row][column]) for column, lead in self._leads.items())
        return next((place for place in places if place is not None), None)

    def surface_at(self, row: int) -> int | None:
        """The handle of the row's surface; None where the handles are also those of other things."""
        if "handle" not in self.columns or "kind" in self.columns:
            return None
        handle = self.rows[row][self.columns.index("handle")]
        return handle if isinstance(handle, int) else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Numbers before texts; NULL comes last, whichever way."""
        there = [row for row in self.rows if row[column] is not None]
        there.sort(key=lambda row: (isinstance(row[column], str), row[column]), reverse=order == Qt.SortOrder.DescendingOrder)
        self.beginResetModel()
        self.rows = there + [row for row in self.rows if row[column] is None]
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and self.rows:
            return RIGHT if isinstance(self.rows[0][section], (int, float)) else None
        return self.columns[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        value = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text_of(value)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if isinstance(value, (int, float)) else None
        if role == LINK_ROLE and self.columns[index.column()] in EVENTS and index.column() in self._leads:
            return self._leads[index.column()](value)
        if role == TOKEN_ROLE:
            return "faint" if value is None else "text"
        return None


def text_of(value: Any) -> str:
    """A value of SQLite in words."""
    if isinstance(value, float):
        return figure(value)
    return NULL if value is None else f"({len(value):,} bytes)" if isinstance(value, bytes) else str(value)


def _leads(columns: Sequence[str], index: EventIndex) -> dict[int, Callable[[Any], int | None]]:
    """By column, the event that a value leads to: itself, the draw's of that number, the frame's complete picture."""
    ways: dict[str, tuple[int, Callable[[int], int]]] = {name: (len(index), int) for name in EVENTS}
    ways["draw"] = len(index.draws), lambda number: int(index.draws[number])
    ways["frame"] = len(index.frame_first), index.picture_event

    def lead(name: str) -> Callable[[Any], int | None]:
        count, way = ways[name]
        return lambda value: way(value) if isinstance(value, int) and 0 <= value < count else None

    return {column: lead(name) for name in ways for column, title in enumerate(columns) if title == name}
