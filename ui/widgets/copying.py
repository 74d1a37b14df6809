"""The selected rows of a list as text: on the clipboard by Ctrl+C, from the row's menu as any of `TEXTS`, in a file.

Lists have a million rows: these are read a few at a time, so that the window goes on meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionRange, QModelIndex, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QToolTip, QTreeView

from core.errors import BadInput
from inspector.exports.rows import TEXTS, tsv_text
from inspector.files import write_bytes
from ui.files import ask_where, saving_of
from ui.keys.keymap import KEYS
from ui.roles import SWATCH_ROLE, VALUE_ROLE, WHOLE_ROLE
from ui.words import counting

SLICE = 0.02
"""Seconds of reading between two turns of the event loop."""
Done = Callable[[list[str], list[list[Any]]], None]


def copy_rows(view: QAbstractItemView, form: str = "") -> None:
    """Puts the selected rows on the clipboard: as one of `TEXTS` with their titles, else tab separated without."""

    def put(titles: list[str], rows: list[list[Any]]) -> None:
        text = TEXTS[form](titles, rows) if form else tsv_text((), rows).removesuffix("\n")
        QGuiApplication.clipboard().setText(text)

    _Gathering(view, put).go_on()


def save_rows(view: QAbstractItemView, failed: Callable[[str], object] | None = None) -> None:
    """Asks for a file, and writes the selected rows into it.  The window says what was written;
    failed: says instead of it why nothing was."""
    saving = saving_of(view)
    failed = failed or (saving.refused if saving is not None else lambda _: None)
    try:
        where = ask_where(view, "Save rows", f"{_name_of(view)}.csv", "rows")
    except BadInput as error:
        failed(str(error))
        return

    def write(titles: list[str], rows: list[list[Any]]) -> None:
        assert where is not None, "nothing is gathered without a file"
        try:
            write_bytes(where[0], where[1].make(titles, rows))
            if saving is not None:
                saving.has_saved(where[0])
        except (BadInput, OSError) as error:
            failed(str(error))

    if where is not None:
        _Gathering(view, write).go_on()


def _name_of(view: QAbstractItemView) -> str:
    """Of a file with its rows: "history-of-the-pixel"."""
    return "-".join(re.findall(r"\w+", view.accessibleName().lower())) or "rows"


def add_copying(menu: QMenu, view: QAbstractItemView) -> None:
    """What can be done with the selected rows of any list, at the end of a row's menu."""
    if not menu.isEmpty():
        menu.addSeparator()
    menu.addAction("Copy", lambda: copy_rows(view))
    forms = menu.addMenu("Copy as")
    for form in TEXTS:
        forms.addAction(form, partial(copy_rows, view, form))
    menu.addAction("Save rows…", lambda: save_rows(view))


class CopyKeys(QObject):
    """Ctrl+C of a view that is no `Table`: Qt would copy one cell."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and KEYS.meant(event, "list") == "copy":
            copy_rows(self._view)
            return True
        return False


def titles_of(view: QAbstractItemView) -> list[str]:
    """The titles of the columns that are shown, from left to right."""
    model, across = view.model(), Qt.Orientation.Horizontal
    titles = (model.headerData(column, across) for column in shown_columns(view))
    return ["Number" if title == "#" else str(title or "") for title in titles]


def shown_columns(view: QAbstractItemView) -> list[int]:
    """From left to right."""
    header = _header(view)
    if header is None:
        return [0]
    columns = (header.logicalIndex(place) for place in range(header.count()))
    return [column for column in columns if not header.isSectionHidden(column)]


def selected_rows(view: QAbstractItemView) -> Iterator[QModelIndex]:
    """The first cell of each selected row, from top to bottom; of the current row if none is selected."""
    chosen = view.selectionModel().selection()
    ranges = [part for place in range(chosen.size()) if (part := chosen.at(place)).isValid()]
    if not ranges:
        current = view.currentIndex()
        yield from (current.siblingAtColumn(0),) if current.isValid() else ()
    elif any(part.parent().isValid() for part in ranges):
        yield from sorted((index for part in ranges for index in _rows_of(part)), key=_path)
    else:
        after = 0
        for part in sorted(ranges, key=QItemSelectionRange.top):
            model = part.model()
            yield from (model.index(row, 0) for row in range(max(part.top(), after), part.bottom() + 1))
            after = max(after, part.bottom() + 1)


def value_of(index: QModelIndex) -> Any:
    """What a cell holds: its value if its model tells, else its text in full; colours where there is no text."""
    if (value := index.data(VALUE_ROLE)) is not None:
        return value
    text = index.data(WHOLE_ROLE)
    text = index.data() if text is None else text
    swatch = index.data(SWATCH_ROLE)
    if text or swatch is None:
        return "" if text is None else str(text)
    colors = swatch if isinstance(swatch, tuple) else (swatch,)
    return " ".join("none" if argb is None else f"#{argb & 0xFFFFFF:06x}" for argb in colors)


class _Gathering(QObject):
    """Reads the selected rows of a view a slice at a time, then hands them over; stops when the list becomes another."""

    def __init__(self, view: QAbstractItemView, done: Done) -> None:
        for earlier in view.findChildren(_Gathering):
            earlier.stop()
        super().__init__(view)
        self._view, self._done = view, done
        self._titles, self._columns = titles_of(view), shown_columns(view)
        self._rows: list[list[Any]] = []
        self._left = selected_rows(view)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self.go_on)
        model = view.model()
        for signal in (model.modelReset, model.rowsRemoved, model.rowsInserted, model.layoutChanged):
            signal.connect(self.stop)

    def go_on(self) -> None:
        """One slice; all of it if it is short."""
        end = perf_counter() + SLICE
        for index in self._left:
            self._rows.append([value_of(index.siblingAtColumn(column)) for column in self._columns])
            if perf_counter() > end:
                self._timer.start()
                place = self._view.mapToGlobal(self._view.rect().center())
                QToolTip.showText(place, f"Reading: {counting(len(self._rows), 'row')}", self._view)
                return
        if self._timer.isActive():
            QToolTip.hideText()
        done, titles, rows = self._done, self._titles, self._rows
        self.stop()
        if rows:
            done(titles, rows)

    def stop(self) -> None:
        self._timer.stop()
        self.setParent(None)
        self.deleteLater()


def _rows_of(part: QItemSelectionRange) -> Iterator[QModelIndex]:
    model, parent = part.model(), part.parent()
    return (model.index(row, 0, parent) for row in range(part.top(), part.bottom() + 1))


def _path(index: QModelIndex) -> list[int]:
    """Rows from the root to an index: in this order a tree is read."""
    rows: list[int] = []
    while index.isValid():
        rows.append(index.row())
        index = index.parent()
    return rows[::-1]


def _header(view: QAbstractItemView) -> QHeaderView | None:
    if isinstance(view, QTableView):
        return view.horizontalHeader()
    return view.header() if isinstance(view, QTreeView) else None
