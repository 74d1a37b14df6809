"""Vertices as a table: any two-dimensional or structured array, with texts made for visible rows."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from ui.roles import ALIGN_ROLE, DISPLAY_ROLE, RIGHT, ROOT, ROW_FLAGS, SWATCH_ROLE, Index
from ui.words import argb_of, figure


class GridModel(QAbstractTableModel):
    """The first column is the row's number (for indexed draws: its place in the index list)."""

    def __init__(self, parent: QObject | None = None, counts: bool = False) -> None:
        """counts: the whole numbers are counts, to be read with commas and compared from row to row."""
        super().__init__(parent)
        self._counts = counts
        self._columns: list[str] = []
        self._cells: list[Callable[[int], str]] = []
        self._count = 0
        self._colors: dict[int, list[np.ndarray]] = {}

    def set_grid(self, columns: list[str], rows: np.ndarray, absent: Collection[str] = ()) -> None:
        """absent: columns in which NaN says that there is nothing, and no number that went wrong."""
        self.beginResetModel()
        self._count = len(rows)
        self._columns = list(columns)
        arrays = column_arrays(columns, rows)
        cells = [_cell(column, self._counts) for column in arrays]
        self._cells = [_or_empty(cell) if name in absent else cell for name, cell in zip(columns, cells, strict=False)]
        self._colors = {n: arrays[n : n + 3] for n, column in enumerate(columns) if columns[n : n + 3] == _color_names(column)}
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() or not self._columns else len(self._columns) + 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section - 1] if section else "#"
        if role == Qt.ItemDataRole.TextAlignmentRole and (self._counts or not section):
            return RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == DISPLAY_ROLE:
            column, row = index.column(), index.row()
            return (self._cells[column - 1](row) if column else str(row)) if row >= 0 else None
        if role == SWATCH_ROLE and self._colors and (parts := self._colors.get(index.column() - 1)):
            return argb_of([part[index.row()] for part in parts])
        return RIGHT if role == ALIGN_ROLE and self._counts else None


def column_arrays(columns: list[str], rows: np.ndarray) -> list[np.ndarray]:
    """One array per column, whether `rows` is (n, columns) or structured."""
    if rows.dtype.names:
        return [rows[name] for name in rows.dtype.names][: len(columns)]
    return [rows[:, i] for i in range(min(len(columns), rows.shape[1] if rows.ndim == 2 else 0))]


def _cell(column: np.ndarray, counts: bool = False) -> Callable[[int], str]:
    """How a cell of this column is written."""
    if column.ndim > 1:
        return lambda row: "  ".join(_number(item) for item in np.ravel(column[row]))
    if column.dtype.kind == "f":
        return lambda row: _number(column[row])
    if counts and column.dtype.kind != "U":
        return lambda row: f"{column[row]:,}"
    return lambda row: str(column[row])


def _or_empty(cell: Callable[[int], str]) -> Callable[[int], str]:
    """Nothing instead of "nan"."""
    return lambda row: "" if (text := cell(row)) == "nan" else text


def _color_names(red: str) -> list[str]:
    """The three columns of a colour, of which `red` would be the first."""
    name, _, part = red.partition(".r")
    return [f"{name}.{one}" for one in "rgb"] if red.endswith(".r") and not part else []


def _number(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return figure(float(value))
    return str(value)
