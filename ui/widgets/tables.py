"""The base of all tables: fixed row height, rows to select and copy, quick with a million rows."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QHelpEvent,
    QHoverEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QMenu, QTableView, QToolTip

from ui import style
from ui.keys.keymap import KEYS
from ui.roles import DISPLAY_ROLE, HEADING_ROLE, WHOLE_ROLE, Index
from ui.widgets import cells
from ui.widgets.copying import copy_rows
from ui.widgets.lines import BREAK, height_of
from ui.widgets.numbers import are_numbers, is_number
from ui.widgets.row_menu import give_row_menu
from ui.widgets.table_paint import index_maker, paint_cells

CELL_MARGINS, ROUNDED = 10, 1
"""Pixels beside a cell's text, and by which a text may be wider than its measure, which is whole pixels."""
WIDE, LONG = 80, 2000
"""Characters of a tooltip's line, and of a whole tooltip."""
SEARCHED = 1000
"""Rows among which typed letters look for one."""
THIS_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


DIGITS = "0123456789-.,e"


@lru_cache(16)
def _widest(font: QFont) -> tuple[float, float]:
    """Pixels of the widest sign, and of the widest of DIGITS; signs of a text add up to parts of pixels."""
    metrics = QFontMetricsF(font)
    return metrics.maxWidth(), max(map(metrics.horizontalAdvance, DIGITS))


class Table(QTableView):
    """`activated_row` on Enter or double click, `chosen_row` when the current row was changed by the user."""

    chosen_row = Signal(int)
    activated_row = Signal(int)

    def __init__(self, model: QAbstractItemModel, name: str, widths: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # scrolling moves what is painted already
        self._placeholder = ""
        self.keeps_lists = False
        """Whether columns have room for short lists of numbers, too; else a list ends between two of them."""
        self.wrapped: tuple[int, ...] = ()
        """Columns whose words have as many lines as their row is high (ui/widgets/wrapping.py)."""
        self.fills = True
        """Whether the last column takes the room that is left."""
        self.worded: dict[int, int] = {}
        """Columns that grow for words as for numbers -> the pixels up to which they do."""
        self._stretched: dict[int, int] = {}  # column -> pixels that it keeps in a narrow table
        self._filling = False
        self._fitted: set[int] = set()  # rows whose numbers have room
        model.modelReset.connect(self.executeDelayedItemsLayout)  # else the first paint does it, which asks for another
        for changed in (model.modelReset, model.layoutChanged, model.dataChanged, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._fitted.clear)
            changed.connect(self._show_bar)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)  # what is in sight in part is painted so
        self._show_bar()
        self._set_headers(widths)
        self._quiet = False
        self._hovered = QPersistentModelIndex()
        self.activated.connect(lambda index: self.activated_row.emit(index.row()))
        give_row_menu(self)

    def _set_headers(self, widths: tuple[int, ...]) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(style.ROW_HEIGHT)
        rows.setMinimumSectionSize(style.ROW_HEIGHT)
        columns.setHighlightSections(False)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setStretchLastSection(True)
        columns.setMinimumSectionSize(28)
        columns.setTextElideMode(Qt.TextElideMode.ElideRight)
        columns.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        columns.setSelectionModel(
            QItemSelectionModel(self.model(), columns)
        )  # else it looks at a million cells when all are chosen
        columns.customContextMenuRequested.connect(self._pop_columns)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, max(width, columns.sectionSizeHint(column)))
        columns.sectionResized.connect(self._resized)

    @property
    def placeholder(self) -> str:
        """What stands instead of rows."""
        return self._placeholder

    @placeholder.setter
    def placeholder(self, sentence: str) -> None:
        if sentence != self._placeholder:
            self._placeholder = sentence
            self.viewport().update()  # a list that had no rows before, either, is not painted by itself

    def paintEvent(self, event: QPaintEvent) -> None:
        self.fit_numbers(event.rect().top(), event.rect().bottom())
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.palette().base())
            paint_cells(self, painter, event.region(), self._hovered)
            if self.placeholder and not self.model().rowCount():
                style.paint_hint(painter, self.viewport().rect(), self.placeholder)

    def fit_numbers(self, top: int, bottom: int) -> None:
        """Widens columns until they have room for each number between two heights of the viewport, in pixels.

        Only what is about to be painted is looked at: a list may have a million rows.
        """
        model, last = self.model(), self.rowAt(bottom)
        first, last = self.rowAt(top), last if last >= 0 else model.rowCount() - 1
        rows = [row for row in range(first, last + 1) if row not in self._fitted] if first >= 0 else []
        if not rows:
            return
        fonts = self.font(), style.shared_mono_font()
        metrics = [QFontMetrics(font) for font in fonts]
        (widest, digit), index_of, data = map(max, *map(_widest, fonts)), index_maker(self), model.data
        for column in range(model.columnCount()):
            width = need = self.columnWidth(column)
            if self.isColumnHidden(column):
                continue
            for row in rows:
                index = index_of(row, column)
                text = str(data(index, DISPLAY_ROLE) or "")
                if len(text) * widest + cells.MARGINS <= width:
                    continue
                if not text.strip(DIGITS) and len(text) * digit + ROUNDED + cells.beside_text(index) <= width:
                    continue  # a number, of which no sign is wider: measuring each is the most of the work
                if is_number(text) or (self.keeps_lists and are_numbers(text)):
                    need = max(need, max(one.horizontalAdvance(text) for one in metrics) + cells.beside_text(index))
                elif column in self.worded:
                    words = (
                        self._width_of(text, index) + cells.beside_text(index) - cells.MARGINS + self._beside(index) + ROUNDED
                    )
                    need = max(need, min(words, self.worded[column]))
            if need > width:
                self._widen(column, need)
        self._fitted.update(rows)

    def _show_bar(self) -> None:
        """Without rows there is nothing to scroll to."""
        as_needed, off = Qt.ScrollBarPolicy.ScrollBarAsNeeded, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(as_needed if self.model().rowCount() else off)

    def changeEvent(self, event: QEvent) -> None:
        """Another font has other widths."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.PaletteChange):
            self._fitted.clear()

    def _widen(self, column: int, width: int) -> None:
        header = self.horizontalHeader()
        if header.stretchLastSection() and header.visualIndex(column) == header.count() - 1:
            header.setStretchLastSection(False)  # Qt gives a stretched section what is left, be it next to nothing
        if column in self._stretched:
            self._stretched[column] = width
            self._fill()
        else:
            self.setColumnWidth(column, width)

    def viewportEvent(self, event: QEvent) -> bool:
        """What does not fit into a cell is its tooltip, unless the model has a better one."""
        if isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            if index.isValid() and index.data(Qt.ItemDataRole.ToolTipRole) is None:
                QToolTip.showText(event.globalPos(), _wrapped(self.whole(index)) if self.is_cut(index) else "", self)
                return True
        elif isinstance(event, QHoverEvent):
            away = event.type() == QEvent.Type.HoverLeave
            self._hovered = QPersistentModelIndex() if away else QPersistentModelIndex(self.indexAt(event.position().toPoint()))
        return super().viewportEvent(event)

    def whole(self, index: QModelIndex) -> str:
        """What a cell says, in full."""
        text = index.data(WHOLE_ROLE)
        text = index.data() if text is None else text
        return "" if text is None else str(text)

    def is_cut(self, index: QModelIndex) -> bool:
        """Whether a cell has no room for all of it."""
        text = self.whole(index)
        if len(text) > LONG:
            return True
        room = self.columnWidth(index.column()) - self._beside(index)
        if index.column() in self.wrapped and room > 0:
            return height_of(text, QFontMetrics(style.mono_font()), room) > self.rowHeight(index.row())
        return self._width_of(text, index) > room

    def _beside(self, index: QModelIndex) -> int:
        """Pixels of a cell that words do not get: margins, and a thumbnail."""
        delegate = self.itemDelegateForIndex(index)
        return CELL_MARGINS + (delegate.side + cells.PICTURE_MARGINS if isinstance(delegate, cells.PictureCell) else 0)

    def _width_of(self, text: str, index: QModelIndex) -> int:
        """Pixels of a cell's text, in the font that it is painted in as far as that is known."""
        delegate, fonts = self.itemDelegateForIndex(index), [self.font(), style.mono_font()]
        if isinstance(delegate, cells.QuietCell | cells.PictureCell):
            fonts = fonts[:1]
        elif isinstance(delegate, cells.ValueCell) and not index.data(HEADING_ROLE):
            fonts = fonts[1:]
        return max(QFontMetrics(font).horizontalAdvance(text) for font in fonts)

    def stretch(self, *columns: tuple[int, int]) -> None:
        """These columns, not the last one, take the room that is left, in the proportion of the pixels that each gets at least:
        (column, pixels).

        To be called before columns are hidden: Qt leaves a gap when the last section stops stretching afterwards.
        """
        self.horizontalHeader().setStretchLastSection(False)
        self._stretched = dict(columns)
        self._fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._stretched:  # a number may have ended that: see _widen
            self.horizontalHeader().setStretchLastSection(self.fills)
        self._fill()

    def _resized(self, column: int, before: int, after: int) -> None:
        if not before:  # it is shown again; Qt knows no width of the title of one that is hidden
            self.setColumnWidth(column, max(after, self.horizontalHeader().sectionSizeHint(column)))
        if after < before or not before:  # and has numbers that were not looked at
            self._fitted.clear()
        self._fill(column)

    def _fill(self, resized: int = -1) -> None:
        """Gives the stretched columns what the others leave, of which one may just have been `resized`."""
        stretched = self._stretched.items()
        least = {column: pixels for column, pixels in stretched if column != resized and not self.isColumnHidden(column)}
        if self._filling or not least:
            return
        room = self.viewport().width() - self.horizontalHeader().length() + sum(map(self.columnWidth, least))
        left, shares = max(room, sum(least.values())), sum(least.values())
        self._filling = True
        for column, pixels in least.items():
            width = left * pixels // shares
            self.setColumnWidth(column, width)
            left, shares = left - width, shares - pixels
        self._filling = False

    def _pop_columns(self, place: QPoint) -> None:
        menu = self.column_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.horizontalHeader().mapToGlobal(place))

    def column_menu(self) -> QMenu:
        """Which columns are shown; the last one that is cannot be hidden."""
        menu, shown = QMenu(self), self.model().columnCount() - self.horizontalHeader().hiddenSectionCount()
        for column in range(self.model().columnCount()):
            hidden = self.isColumnHidden(column)
            name = self.model().headerData(column, Qt.Orientation.Horizontal)
            action = menu.addAction("Number" if name == "#" else str(name))
            action.setCheckable(True)
            action.setChecked(not hidden)
            action.setEnabled(hidden or shown > 1)
            action.toggled.connect(lambda show, column=column: self.setColumnHidden(column, not show))
        return menu

    def show_row(self, row: int) -> None:
        """Makes a row current without telling anyone; what is selected beside it stays if it is current already."""
        self._quiet = True
        try:
            index = self.model().index(row, self._leftmost()) if row >= 0 else QModelIndex()
            if index.isValid():
                known = row == self.currentIndex().row()
                if not known:  # not setCurrentIndex: that minds the keys held down
                    self.selectionModel().setCurrentIndex(index, THIS_ROW)
                if not (known and self._is_pressed):  # when the button is let go, another row would be below it, and selected
                    self._scroll_near(index)
            else:
                self.clearSelection()
                self.selectionModel().clearCurrentIndex()
        finally:
            self._quiet = False

    @property
    def _is_pressed(self) -> bool:
        """Whether a button of the mouse is down on a row."""
        return bool(QApplication.mouseButtons()) and self.viewport().underMouse()

    def _leftmost(self) -> int:
        """The first column that is shown: Qt scrolls to no cell of a hidden one."""
        header = self.horizontalHeader()
        columns = map(header.logicalIndex, range(header.count()))
        return next((column for column in columns if not header.isSectionHidden(column)), 0)

    def _scroll_near(self, index: QModelIndex) -> None:
        """Far away: to the middle; near: so that a few rows of what comes next stay in sight."""
        bar, row = self.verticalScrollBar(), index.row()
        first, shown = bar.value(), max(bar.pageStep(), 1)
        margin = min(3, (shown - 1) // 2)
        if not bar.maximum() or not first - shown <= row < first + 2 * shown:
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        elif row < first + margin:
            bar.setValue(row - margin)
        elif row > first + shown - 1 - margin:
            bar.setValue(row - shown + 1 + margin)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not getattr(self, "_quiet", True) and current.row() != previous.row():
            self.chosen_row.emit(current.row())

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Rows are what one walks: Home and End lead to the first and the last, not to the first and last column."""
        ends = {self.CursorAction.MoveHome: 0, self.CursorAction.MoveEnd: self.model().rowCount() - 1}
        if action in ends:
            return self.model().index(ends[action], max(self.currentIndex().column(), 0))
        return super().moveCursor(action, modifiers)

    def keyboardSearch(self, letters: str) -> None:
        """Letters lead to the row that begins with them, where looking for it takes no time; elsewhere there are filters."""
        if self.model().rowCount() <= SEARCHED:
            super().keyboardSearch(letters)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Who comes with the keyboard stands on the first row, so that Enter does something."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.show_row(0 if self.model().rowCount() else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if KEYS.meant(event, "list") == "copy":
            copy_rows(self)
        else:
            super().keyPressEvent(event)


def _wrapped(text: str) -> str:
    """For a tooltip: long ones on several lines, also where there are no spaces."""
    if len(text) <= WIDE:
        return text
    shown = text if len(text) <= LONG else text[:LONG] + "…"
    return f"<p>{escape(re.sub(r'(?<=[|,=;])', BREAK, shown))}</p>"
