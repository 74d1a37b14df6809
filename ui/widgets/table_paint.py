"""Paints a table's cells from Python: what Qt's own loop does, without its dozen calls into Python for each cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTableView

SELECTED, HOVERED, FOCUSED = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_MouseOver, QStyle.StateFlag.State_HasFocus


def paint_cells(table: QTableView, painter: QPainter, region: QRegion, hovered: QPersistentModelIndex) -> None:
    """The cells of a region of the viewport; hovered: the one under the pointer."""
    option = QStyleOptionViewItem()
    table.initViewItemOption(option)
    plain, index_of, chosen_in = option.state, index_maker(table), _chosen(table)
    states = plain, plain | SELECTED, plain | HOVERED, plain | SELECTED | HOVERED  # made once: flags are slow to join
    focused = table.currentIndex() if table.hasFocus() else QModelIndex()
    under, at = (hovered.row(), hovered.column()), (focused.row(), focused.column())
    painted, last, focused_last = set[tuple[int, int]](), 0, False  # what `option.state` says: to set it is slow
    several = region.rectCount() > 1
    for area in region:  # type: ignore[attr-defined]
        columns = list(_columns(table, area))
        for row, top, height in _rows(table, area):
            chosen = chosen_in(row)
            for column, left, width, paint in columns:
                place = row, column
                if several:
                    if place in painted:
                        continue
                    painted.add(place)
                state = any(first <= column <= end for first, end in chosen) if chosen else 0
                state += 2 * (place == under)
                if state != last or place == at or focused_last:
                    focused_last, last = place == at, state
                    option.state = states[state] | FOCUSED if focused_last else states[state]
                option.rect = QRect(left, top, width, height)
                paint(painter, option, index_of(row, column))


def _rows(table: QTableView, area: QRect) -> Iterator[tuple[int, int, int]]:
    """(row, top, height) of those that an area shows."""
    first, last = table.rowAt(area.top()), table.rowAt(area.bottom())
    for row in range(first, (last if last >= 0 else table.model().rowCount() - 1) + 1) if first >= 0 else ():
        yield row, table.rowViewportPosition(row), table.rowHeight(row)


def _columns(table: QTableView, area: QRect) -> Iterator[tuple[int, int, int, Callable[..., None]]]:
    """(column, left, width, what paints a cell) of those that an area shows, from left to right.

    Of one that is scrolled to in part, only that part: a number that lost digits at the edge would read as another one.  Not of
    one that never is in sight as a whole.
    """
    header, room = table.horizontalHeader(), table.viewport().width()
    for place in range(header.count()):
        column = header.logicalIndex(place)
        left, width = header.sectionViewportPosition(column), header.sectionSize(column)
        if width and left <= area.right() and left + width > area.left():
            if width <= room:
                left, width = max(left, 0), min(left + width, room) - max(left, 0)
            yield column, left, width, (table.itemDelegateForColumn(column) or table.itemDelegate()).paint


def index_maker(table: QTableView) -> Callable[[int, int], QModelIndex]:
    """Makes the index of a cell that is known to exist."""
    model = table.model()
    known = isinstance(model, QAbstractTableModel) and type(model).index is QAbstractTableModel.index
    return model.createIndex if known else model.index  # `index` asks the model how many rows and columns there are


def _chosen(table: QTableView) -> Callable[[int], list[tuple[int, int]]]:
    """(first, last) of the columns of a row that are selected."""
    chosen = table.selectionModel().selection()
    parts = [(part.top(), part.bottom(), part.left(), part.right()) for part in chosen]  # type: ignore[attr-defined]
    return lambda row: [(left, right) for top, end, left, right in parts if top <= row <= end]
