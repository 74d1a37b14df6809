"""The event table, which can be a tree: arrow keys, and the keys of trees, open and close its groups."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QMenu

from ui.keys.keymap import KEYS
from ui.models.event_columns import COLUMNS, SHOWN, SOURCE, TEXT, TEXTURES
from ui.models.events import EventsModel
from ui.models.outline import LEVELS
from ui.roles import DEPTH_ROLE, OPEN_ROLE
from ui.widgets.cells import CallCell, EventCell, NumberCell, PicturesCell, QuietCell, arrow_place
from ui.widgets.controls import single_shot
from ui.widgets.table_paint import index_maker
from ui.widgets.tables import Table

PICTURE, DELAY, LEAST = 18, 400, 140
"""Pixels of a thumbnail in a row; milliseconds until changed columns are remembered; pixels that the event keeps."""
SCROLLED = 280
"""The same, where the columns together are wider than the table."""
ROOMY = 360
"""Pixels of the event that are enough for every name."""
NARROW, CALL_MOST = 420, 186
"""Pixels of a table's width from which API calls get half of what is left, and those that are enough for them."""


class EventTable(Table):
    """`arranged`: the user has moved, resized, shown or hidden a column; `columns()` is what to remember."""

    arranged = Signal()

    def __init__(self, model: EventsModel) -> None:
        super().__init__(model, "Events", tuple(column.width for column in COLUMNS))
        self._events = model
        self._call_width = COLUMNS[SOURCE].width
        self.chosen: dict[int, bool] = {}
        """Columns that the user has shown or hidden."""
        delegates = {TEXT: EventCell(self), TEXTURES: PicturesCell(self, PICTURE), SOURCE: CallCell(self)}
        for column, about in enumerate(COLUMNS):
            cell = delegates.get(column) or (NumberCell(self) if about.is_number else QuietCell(self))
            self.setItemDelegateForColumn(column, cell)
        self.stretch((TEXT, LEAST))
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        self._later = single_shot(self, DELAY, self.arranged.emit)
        header.sectionMoved.connect(lambda *_: self._later.start())
        header.sectionResized.connect(self._arrange)
        self.show_default()

    def show_default(self) -> None:
        """The columns of a new user."""
        self.chosen.clear()
        header = self.horizontalHeader()
        for column, about in enumerate(COLUMNS):
            header.moveSection(header.visualIndex(column), column)
            self.setColumnHidden(column, column not in SHOWN)
            self.setColumnWidth(column, max(about.width, header.sectionSizeHint(column)))

        self._follow_width()

    def _follow_width(self) -> None:
        """From now on API calls are wider in a wider table."""
        self._call_width = self.columnWidth(SOURCE)
        self._fit_calls()

    def _arrange(self, column: int, _: int, width: int) -> None:
        """Remembers a width that does not follow from the table's."""
        if column != TEXT and (column, width) != (SOURCE, self._call_width):
            self._later.start()

    def _fit_calls(self) -> None:
        """API calls have what the table's width gives them, unless the user has given them another width."""
        if self.columnWidth(SOURCE) == self._call_width:
            least = COLUMNS[SOURCE].width
            more = sum(self.columnWidth(column) for column in range(len(COLUMNS)) if column not in SHOWN)  # hidden ones: 0
            self._call_width = min(least + max(self.viewport().width() - more - NARROW, 0) // 2, CALL_MOST)
            self.setColumnWidth(SOURCE, self._call_width)

    def _fill(self, resized: int = -1) -> None:
        """Where the columns that were chosen have no room at all, and are scrolled, the event is as wide as it needs."""
        if self._stretched:
            more = any(not self.isColumnHidden(column) for column in range(len(COLUMNS)) if column not in SHOWN)
            room = self.viewport().width() - self.horizontalHeader().length() + self.columnWidth(TEXT)
            self._stretched = {TEXT: max(SCROLLED if more and room < LEAST else LEAST, self._named)}
        super()._fill(resized)

    _named = 0
    """Pixels that the names of the rows seen so far need: in a narrow table, what follows them gives way."""

    def fit_numbers(self, top: int, bottom: int) -> None:
        """And the names between two heights of the viewport."""
        first, last = self.rowAt(top), self.rowAt(bottom)
        if first >= 0 and self.columnWidth(TEXT) < ROOMY:
            font, cell, model = QFont(self.font()), self.itemDelegateForColumn(TEXT), self.model()
            font.setWeight(QFont.Weight.DemiBold)
            assert isinstance(cell, EventCell)
            rows, index_of = range(first, 1 + (last if last >= 0 else model.rowCount() - 1)), index_maker(self)
            new = (row for row in rows if row not in self._fitted)
            needed = max((cell.room_for_name(index_of(row, TEXT), font) for row in new), default=0)
            if needed > max(self._named, self.columnWidth(TEXT)):
                self._named = min(needed, ROOMY)
                self._fill()
        super().fit_numbers(top, bottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_calls()
        super().resizeEvent(event)

    def columns(self) -> list[list[Any]]:
        """[name, width, whether it is shown (None: as it comes)] from left to right."""
        header = self.horizontalHeader()
        order = (header.logicalIndex(place) for place in range(header.count()))
        return [[COLUMNS[column].name, self._width(column), self.chosen.get(column)] for column in order]

    def _width(self, column: int) -> int:
        """Of a hidden column, and of one that follows the table: what it begins with."""
        header = self.horizontalHeader()
        follows = column == SOURCE and header.sectionSize(column) == self._call_width
        return COLUMNS[column].width if follows or header.isSectionHidden(column) else header.sectionSize(column)

    def set_columns(self, kept: list[Any]) -> None:
        """Arranges them as remembered; what makes no sense is left out."""
        names, place, header = [column.name for column in COLUMNS], 0, self.horizontalHeader()
        for entry in kept:
            if not (isinstance(entry, list) and len(entry) == 3 and entry[0] in names):
                continue
            column = names.index(entry[0])
            header.moveSection(header.visualIndex(column), place)
            place += 1
            if isinstance(entry[1], int) and 20 < entry[1] < 4000:
                self.setColumnWidth(column, entry[1])
            if isinstance(entry[2], bool):
                self.choose_column(column, entry[2])
        if self.columnWidth(SOURCE) == COLUMNS[SOURCE].width:
            self._follow_width()

    def choose_column(self, column: int, shown: bool) -> None:
        """Shows or hides a column because the user says so."""
        self.chosen[column] = shown
        self.setColumnHidden(column, not shown)
        self._fit_calls()
        self._later.start()

    def column_menu(self) -> QMenu:
        menu = super().column_menu()
        for column, action in enumerate(menu.actions()):
            action.toggled.connect(partial(self.choose_column, column))
        menu.addSeparator()
        menu.addAction("Default columns", self._start_anew)
        return menu

    def _start_anew(self) -> None:
        self.show_default()
        self._later.start()

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
