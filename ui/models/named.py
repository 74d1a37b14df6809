"""Rows with one editable column: names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt

from ui.models.table import Column, RowsModel
from ui.roles import VALUE_ROLE, Index


class NamedRows(RowsModel):
    """`column` can be edited where `may_be` is not None of a row; `rename(row, name)` is told."""

    def __init__(
        self, columns: Sequence[Column], column: int, may_be: Callable[[Any], object], rename: Callable[[Any, str], object],
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(columns, parent)
        self._column, self._may_be, self._rename = column, may_be, rename

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        editable = index.isValid() and index.column() == self._column and self._may_be(self.rows[index.row()]) is not None
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and index.column() == self._column and int(role) == VALUE_ROLE:
            return super().data(index)
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or index.column() != self._column or not isinstance(value, str):
            return False
        if value != super().data(index):
            self._rename(self.rows[index.row()], value)
        return True
