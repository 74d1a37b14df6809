"""The bookmarks of the capture: a list with names, notes below it; keys jump to the first nine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QInputDialog, QMenu, QPlainTextEdit

from inspector.focus import Focus
from inspector.tape.bookmarks import Bookmark
from ui.keys.keymap import KEYS
from ui.models.table import Column, RowsModel
from ui.panels.panel import Panel
from ui.roles import LINK_ROLE, TOKEN_ROLE
from ui.widgets.cells import ValueCell
from ui.widgets.controls import halves, label, single_shot, spoken, strip, tool
from ui.widgets.plain import MOST, put_text
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table
from ui.words import counting

DELAY = 800
"""Milliseconds after the last key until a note is kept."""
KEYED = 9
"""Bookmarks that have a key."""


class Note(QPlainTextEdit):
    """What is written is kept by `done` when the keyboard leaves."""

    done: Callable[[], object] = staticmethod(lambda: None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.done()


class BookmarksPanel(Panel):
    title, name = "Bookmarks", "bookmarks"
    depends = ()

    def build(self) -> None:
        self._shown: Bookmark | None = None
        self.model = RowsModel(
            (
                Column("Key", self._key, {TOKEN_ROLE: lambda _: "faint"}),
                Column("Event", lambda one: f"#{one.focus.event}", {LINK_ROLE: lambda one: one.focus.event}),
                Column("Name", lambda one: one.name or self._words(one)),
                Column("Frame", self._frame, {TOKEN_ROLE: lambda _: "muted"}),
            ),
            self,
        )
        self.table = Table(self.model, "Bookmarks", (36, 70, 220, 56))
        self.table.stretch((2, 150))
        self.table.placeholder = f"No bookmarks. {KEYS.text('bookmark')} sets one at the event."
        cell = ValueCell(self.table)
        cell.followed.connect(lambda event: self.go(event=event))
        self.table.setItemDelegate(cell)
        self.note = spoken(Note(), "Name and notes of the bookmark")
        self.note.setPlaceholderText("Name in the first line, notes below (Markdown)")
        self.note.setTabChangesFocus(True)
        self.note.done = self._keep_note
        self.count = label(kind="faint")
        here = tool("Bookmark this event", f"Set or remove a bookmark at the event ({KEYS.text('bookmark')})", text="Bookmark")
        here.clicked.connect(self.desk.bookmarking.toggle)
        self.box.addWidget(strip(here, None, self.count))
        self.box.addWidget(halves(self.table, self.note, sizes=(200, 90), beside=(360, 240)), 1)
        self._typing = single_shot(self, DELAY, self._keep_note)
        self.note.textChanged.connect(lambda: self._typing.start() if self.note.hasFocus() else None)
        self.table.activated_row.connect(lambda row: self.desk.focus.go_to(self.model.rows[row].focus))
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._show_note(now.row()))
        self.desk.bookmarks_changed.connect(self._show)
        give_row_menu(self.table, self._menu_of)

    def capture_changed(self) -> None:
        self._typing.stop()

    # Showing

    def _show(self) -> None:
        chosen = self._shown.number if self._shown else None
        marks = self.desk.bookmarks
        self.model.set_rows(marks)
        self.count.setText(counting(len(marks), "bookmark") if marks else "")
        row = next((row for row, one in enumerate(marks) if one.number == chosen), -1)
        self.table.show_row(row if row >= 0 else self._row_here())
        self._show_note(self.table.currentIndex().row())
        self.table.viewport().update()

    def catch_up(self) -> None:
        self._show()

    def moved(self, new: Focus, old: Focus) -> None:
        if (row := self._row_here()) >= 0:
            self.table.show_row(row)

    def _row_here(self) -> int:
        event = self.desk.focus.focus.event
        return next((row for row, one in enumerate(self.model.rows) if one.focus.event == event), -1)

    def _show_note(self, row: int) -> None:
        """What is being written stays."""
        self._keep_note()
        self._shown = self.model.rows[row] if 0 <= row < len(self.model.rows) else None
        text = self._shown.text if self._shown else ""
        self.note.setEnabled(self._shown is not None and len(text) <= MOST)
        if not (self.note.hasFocus() and self.note.toPlainText().rstrip() == text.rstrip()):
            self.note.blockSignals(True)
            put_text(self.note, text)
            self.note.blockSignals(False)

    def _keep_note(self) -> None:
        self._typing.stop()
        one, text = self._shown, self.note.toPlainText().rstrip()
        if one is not None and self.note.document().isModified() and text != one.text.rstrip():
            self.note.document().setModified(False)
            self.desk.bookmarking.change(lambda store: store.change(one.number, text))

    def _menu_of(self, index: QModelIndex) -> QMenu:
        menu, one = QMenu(self), self.model.rows[index.row()]
        menu.addAction("Go to the place", partial(self.desk.focus.go_to, one.focus))
        menu.addAction("Rename…", partial(self._ask_name, one))
        menu.addAction("Remove", lambda: self.desk.bookmarking.change(lambda store: store.remove(one.number)))
        return menu

    def _ask_name(self, one: Bookmark) -> None:
        name, is_given = QInputDialog.getText(self, "Rename the bookmark", "Name", text=one.name)
        if is_given:
            self.desk.bookmarking.rename(one, name)

    def first_for_keys(self) -> Any:
        return self.table

    def _key(self, one: Bookmark) -> str:
        row = next((row for row, other in enumerate(self.model.rows) if other is one), KEYED)
        return str(row + 1) if row < KEYED else ""

    def _words(self, one: Bookmark) -> str:
        """What an unnamed one stands at."""
        index = self.desk.index
        return index.name(one.focus.event) if index and one.focus.event < len(index) else one.focus.text()

    def _frame(self, one: Bookmark) -> str:
        index = self.desk.index
        return str(index.frame(one.focus.event)) if index and one.focus.event < len(index) else ""
