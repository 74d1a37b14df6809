"""The history of one thing, one event per row, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from ui.roles import LINK_ROLE, MARK_ROLE, ROOT, ROW_FLAGS, TOKEN_ROLE, Index
from ui.widgets.cells import ValueCell
from ui.widgets.tables import Table

Text = Callable[[int], str]
EVENT = 0


class StoryModel(QAbstractTableModel):
    """`titles` of the columns after the event's number; texts are made for what is seen."""

    def __init__(self, titles: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles = ("Event", *titles)
        self._texts: tuple[Text, ...] = ()
        self._quiet: Callable[[int], bool] = lambda row: False
        self.events = np.zeros(0, np.int64)
        self.here = -1

    def set_rows(self, events: np.ndarray, texts: Sequence[Text], quiet: Callable[[int], bool] = lambda row: False) -> None:
        """One text per title, by row; quiet rows are of second rank."""
        self.beginResetModel()
        self.events, self._texts, self._quiet = np.asarray(events, np.int64), tuple(texts), quiet
        self.endResetModel()

    def set_here(self, event: int) -> int:
        """Marks the last row at or before an event; returns it, -1: none."""
        self.here = int(np.searchsorted(self.events, event, side="right")) - 1
        if len(self.events):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.events) - 1, 0))
        return self.here

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.events)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._titles)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return f"#{self.events[row]}" if column == EVENT else self._texts[column - 1](row)
        if role == LINK_ROLE and column == EVENT:
            return int(self.events[row])
        if role == MARK_ROLE and row == self.here:
            return "accent"
        if role == TOKEN_ROLE:
            return "faint" if self._quiet(row) else "text"
        return None


class Story(Table):
    """The table of a story; `went` says which event was chosen."""

    went = Signal(int)

    def __init__(self, name: str, titles: Sequence[str], widths: tuple[int, ...]) -> None:
        self.story = StoryModel(titles)
        super().__init__(self.story, name, (84, *widths))
        self.story.setParent(self)
        cell = ValueCell(self)
        cell.followed.connect(lambda event: self.went.emit(int(event)))
        self.setItemDelegate(cell)
        self.activated_row.connect(lambda row: self.went.emit(int(self.story.events[row])))

    def show_story(
        self, event: int, events: np.ndarray, texts: Sequence[Text], quiet: Callable[[int], bool] = lambda row: False
    ) -> None:
        """Shows a story with its place at an event."""
        self.story.set_rows(events, texts, quiet)
        self.come_to(event)

    def come_to(self, event: int) -> None:
        """Shows how far the story has come at an event."""
        self.show_row(self.story.set_here(event))

    def hush(self, why: str) -> None:
        """Shows nothing, and says why."""
        self.placeholder = why
        self.story.set_rows(np.zeros(0, np.int64), ())
