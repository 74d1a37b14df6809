"""Completions of the word being typed, in a list below the line: Down selects, Tab accepts, Esc closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import QAbstractTableModel, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout

from ui import style
from ui.keys.keymap import KEYS
from ui.roles import ROOT, ROW_FLAGS, TOKEN_ROLE, Index
from ui.widgets.cells import ValueCell
from ui.widgets.controls import spoken
from ui.widgets.plain import PlainLabel
from ui.widgets.tables import Table

MOST = 200
ROWS, WIDTH, WORD_WIDTH = 9, 520, 190
MOVES = {"next": 1, "previous": -1, "page-down": ROWS - 1, "page-up": 1 - ROWS}


class Suggestion(Protocol):
    """text[:begin] + word is the longer text; `about` says what the word means."""

    @property
    def word(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def begin(self) -> int: ...


class _Rows(QAbstractTableModel):
    """A word and what it means."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Suggestion] = []

    def set_rows(self, rows: list[Suggestion]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else 2

    def flags(self, index: Index) -> Qt.ItemFlag:
        return ROW_FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if not index.isValid():
            return None
        if role == TOKEN_ROLE:
            return "muted" if index.column() else "text"
        one = self.rows[index.row()]
        return (one.about if index.column() else one.word) if role == Qt.ItemDataRole.DisplayRole else None


class Suggestions(QFrame):
    """Stands under `edit` while there is something to suggest; the edit keeps the keyboard.

    `suggest(text)`: what could be at the end of the text before the cursor.  While nothing is chosen, Enter is the edit's.
    """

    def __init__(self, edit: QLineEdit, suggest: Callable[[str], Sequence[Suggestion]]) -> None:
        super().__init__(edit)
        self.setObjectName("suggestions")
        self._edit, self._suggest = edit, suggest
        self._model = _Rows(self)
        self.table = Table(self._model, "Suggestions", (WORD_WIDTH, WIDTH - WORD_WIDTH))
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.horizontalHeader().hide()
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setItemDelegate(ValueCell(self.table))
        self.table.clicked.connect(lambda index: self.take(index.row()))
        self.about = spoken(PlainLabel(), "Meaning")
        self.about.setObjectName("muted")
        self.about.setWordWrap(True)
        self.about.setMargin(6)
        box = QVBoxLayout(self)
        box.setContentsMargins(1, 1, 1, 1)
        box.setSpacing(0)
        box.addWidget(self.table)
        box.addWidget(self.about)
        self.hide()
        edit.textEdited.connect(lambda _: self.look())
        edit.installEventFilter(self)

    @property
    def rows(self) -> list[Suggestion]:
        return self._model.rows

    @property
    def chosen(self) -> int:
        """The row that Enter would take; -1: none."""
        return self.table.currentIndex().row()

    def look(self) -> None:
        """Shows what there is to suggest for the text before the cursor."""
        found = list(self._suggest(self._edit.text()[: self._edit.cursorPosition()]))[:MOST]
        self._model.set_rows(found)
        self.table.show_row(-1)
        if found and self._edit.isVisible():
            self._show_about(0)
            self._stand()
        else:
            self.hide()

    def take(self, row: int) -> None:
        """Puts a suggestion in the place of the word before the cursor."""
        one, end = self.rows[row], self._edit.cursorPosition()
        self._edit.setSelection(one.begin, end - one.begin)
        self._edit.insert(one.word)
        self.hide()

    def _stand(self) -> None:
        """Under the edit, in front of everything else in its window, as far as that reaches."""
        window = self._edit.window()
        self.setParent(window)
        corner = self._edit.mapTo(window, QPoint(0, self._edit.height() + 2))
        width = min(WIDTH, window.width() - 8)
        left = max(min(corner.x(), window.width() - width - 4), 4)
        rows = min(len(self.rows), ROWS)
        self.table.setFixedHeight(rows * style.ROW_HEIGHT + 2)
        self.table.setColumnWidth(1, width - WORD_WIDTH)
        self.about.setFixedHeight(2 * self.about.fontMetrics().lineSpacing() + 12)
        self.setGeometry(left, corner.y(), width, self.table.height() + self.about.height() + 2)
        self.raise_()
        self.show()

    def _show_about(self, row: int) -> None:
        one = self.rows[row]
        self.about.setText(f"{one.word}: {one.about}" if one.about else one.word)

    def _move(self, by: int) -> None:
        row = -1 if self.chosen < 0 and by > 0 else self.chosen
        row = min(max(row + by, 0), len(self.rows) - 1)
        self.table.show_row(row)
        self._show_about(row)

    # The keys of the edit

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.hide()
        elif isinstance(event, QKeyEvent) and watched is self._edit:
            if event.type() == QEvent.Type.ShortcutOverride and self._means_something(event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._pressed(event)
        return super().eventFilter(watched, event)

    def _means_something(self, event: QKeyEvent) -> bool:
        return self.isVisible() and bool(KEYS.meant(event, "typing"))

    def _pressed(self, event: QKeyEvent) -> bool:
        """Whether the key was meant for the list."""
        meant = KEYS.meant(event, "typing")
        if not self.isVisible():
            if meant == "next":
                self.look()
            return meant == "next"
        if meant in MOVES:
            self._move(MOVES[meant])
        elif meant == "close":
            self.hide()
        elif meant == "take" or (meant == "accept" and self.chosen >= 0):
            self.take(max(self.chosen, 0))
        else:
            if meant == "accept":
                self.hide()
            return False
        return True
