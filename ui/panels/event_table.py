"""The table of events that can be a tree: arrows, and the keys of trees, open and close its groups."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from ui.keys.keymap import KEYS
from ui.models.events import CALL, COLUMNS, NUMBER, SOURCE, TEXT, EventsModel
from ui.models.outline import LEVELS
from ui.roles import DEPTH_ROLE, OPEN_ROLE
from ui.widgets.cells import EventCell, NumberCell, QuietCell, arrow_place
from ui.widgets.tables import Table

WIDTHS = (58, 52, 300, 112)


class EventTable(Table):
    def __init__(self, model: EventsModel) -> None:
        super().__init__(model, "Events", WIDTHS)
        assert len(WIDTHS) == len(COLUMNS), "each column has a width"
        self._events = model
        for column, kind in ((TEXT, EventCell), (NUMBER, NumberCell), (CALL, NumberCell), (SOURCE, QuietCell)):
            self.setItemDelegateForColumn(column, kind(self))
        self.stretch(TEXT)
        self.setColumnHidden(CALL, True)

    def turn(self, row: int) -> None:
        """Opens a closed group, closes an open one."""
        if row >= 0 and (is_open := self._events.is_open(row)) is not None:
            self.set_open(row, not is_open)

    def set_open(self, row: int, to: bool) -> None:
        """Whoever is on a row that closes away is on the group then; the focus stays."""
        keys, outline, current = self._events.keys, self._events.outline, self.currentIndex().row()
        if not to and row < current and outline and keys[current] < outline.end(int(keys[row])) * LEVELS:
            self.show_row(row)
        self._events.set_open(row, to)

    def event(self, event: QEvent) -> bool:
        """Left, Right and the signs are a tree's, though they walk events everywhere else."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._is_for_tree(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if row < 0 or not self._is_for_tree(event):
            super().keyPressEvent(event)
            return
        to, is_open = KEYS.meant(event, "tree") == "open", self._events.is_open(row)
        if is_open is not None and is_open != to:
            self.set_open(row, to)
        elif to and is_open:
            self._choose(row + 1)
        elif not to and (parent := self._events.parent_row(row)) >= 0:
            self._choose(parent)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the arrow does not choose the row."""
        if (row := self._arrow_at(event)) >= 0:
            self.turn(row)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if (row := self._arrow_at(event)) >= 0:  # there every click counts by itself
            self.turn(row)
            return
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.turn(self.rowAt(event.position().toPoint().y()))

    def _arrow_at(self, event: QMouseEvent) -> int:
        """The row whose arrow is clicked; -1 if none is."""
        place = event.position().toPoint()
        index = self.indexAt(place).siblingAtColumn(TEXT)
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid() or index.data(OPEN_ROLE) is None:
            return -1
        return index.row() if arrow_place(self.visualRect(index), index.data(DEPTH_ROLE)).contains(place) else -1

    def _is_for_tree(self, event: QKeyEvent) -> bool:
        return self._events.fold is not None and KEYS.meant(event, "tree") in ("open", "close")

    def _choose(self, row: int) -> None:
        index: QModelIndex = self.model().index(row, 0)
        if index.isValid():
            self.setCurrentIndex(index)
