"""Trees of two levels: groups, and the items of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from ui.roles import ROOT, Index

GROUP = 0
"""internalId of a group's row; that of an item's row is its group's row + 1."""


class TwoLevelModel(QAbstractItemModel):
    """`groups` are the upper rows; what belongs to each, `items` says.  columns: their titles."""

    columns: tuple[str, ...] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: list[Any] = []

    def items(self, group: Any) -> Sequence[Any]:
        """What is below a group's row: the group's own elements, unless a model has them elsewhere."""
        return tuple(group)

    def is_group(self, index: Index) -> bool:
        return bool(index.internalId() == GROUP)

    def at(self, index: Index) -> Any:
        """The group or the item of a valid index."""
        if self.is_group(index):
            return self.groups[index.row()]
        return self.items(self.groups[index.internalId() - 1])[index.row()]

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        there = 0 <= row < self.rowCount(parent) and 0 <= column < self.columnCount(parent)  # hasIndex asks by way of C++
        if not there:
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else GROUP)

    def parent(self, index: Index = ROOT) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or self.is_group(index):
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, GROUP)

    def rowCount(self, parent: Index = ROOT) -> int:
        if not parent.isValid():
            return len(self.groups)
        return len(self.items(self.groups[parent.row()])) if self.is_group(parent) and parent.column() == 0 else 0

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section]
        return None
