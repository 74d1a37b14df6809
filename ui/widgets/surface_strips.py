"""Strips over an image, shown while in use: a formula, and a search for a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLineEdit, QWidget

from inspector.query.looks.custom import EXAMPLES, NAMES
from inspector.query.looks.expression import FUNCTIONS
from ui.keys.keymap import KEYS
from ui.widgets.controls import label, search_box, spoken, tool
from ui.words import tip

LEAST = 220
"""Pixels of width that what is typed keeps."""


def _row(strip: QWidget, *widgets: QWidget) -> None:
    strip.setObjectName("strip")
    strip.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row = QHBoxLayout(strip)
    row.setContentsMargins(6, 3, 6, 3)
    row.setSpacing(4)
    for widget in widgets:
        row.addWidget(widget, 1 if isinstance(widget, QLineEdit) else 0)
        if isinstance(widget, QLineEdit):
            widget.setMinimumWidth(LEAST)  # whatever is said about it


class FormulaStrip(QWidget):
    """`entered(text)`: with Enter; `closed()`; `saved(formulas)`: by name, all of them."""

    entered = Signal(str)
    closed = Signal()
    saved = Signal(dict)

    def __init__(self, formulas: Mapping[str, Any]) -> None:
        super().__init__()
        self.formulas = {str(name): str(text) for name, text in formulas.items()}
        self.edit = spoken(QLineEdit(), "Formula over the surface")
        self.edit.setPlaceholderText(f"A formula, as {EXAMPLES[0]}  or  {EXAMPLES[1]}")
        self.edit.setClearButtonEnabled(True)
        names = ", ".join(NAMES)
        self.edit.setToolTip(tip(f"Names: {names}.\nFunctions: {', '.join(FUNCTIONS)}.\nComponents: this.rgb, other.r"))
        self.edit.returnPressed.connect(lambda: self.entered.emit(self.edit.text()))
        self.problem = label(kind="muted")
        self.edit.textChanged.connect(self._typed)
        keep, drop = (
            tool("Save the formula", "Save the formula by a name", "save"),
            tool("Delete", "Delete the saved formula", "close"),
        )
        keep.clicked.connect(self._save)
        drop.clicked.connect(self._drop)
        close = tool("Show the surface as it is", "Show the surface as it is", text="Done")
        close.clicked.connect(self.closed.emit)
        about = label("Formula")
        about.setMinimumWidth(about.sizeHint().width())
        _row(self, about, self.edit, self.problem, keep, drop, close)
        self.hide()

    def show_problem(self, sentence: str) -> None:
        """What is wrong with the formula; empty: nothing."""
        self.problem.setText(sentence)
        self.edit.setProperty("wrong", bool(sentence))
        self.edit.style().polish(self.edit)

    def _typed(self, text: str) -> None:
        """What was said was about another text; without one the surface is shown as it is."""
        self.show_problem("")
        if not text:
            self.entered.emit("")

    def use(self, name: str) -> None:
        """A formula that was saved."""
        self.edit.setText(self.formulas[name])
        self.entered.emit(self.edit.text())

    def _save(self) -> None:
        text = self.edit.text().strip()
        if not text:
            return
        name, sure = QInputDialog.getText(self, "Save the formula", "Name:", text=text[:40])
        if sure and name.strip():
            self.formulas[name.strip()] = text
            self.saved.emit(dict(self.formulas))

    def _drop(self) -> None:
        for name in [name for name, text in self.formulas.items() if text == self.edit.text().strip()]:
            del self.formulas[name]
        self.saved.emit(dict(self.formulas))


class FindStrip(QWidget):
    """`sought(value, backwards)`: with Enter, Shift+Enter or the buttons; Esc hides it."""

    sought = Signal(str, bool)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.edit = search_box("Value to find", "A value: 0.5   128   0.2..0.4   #ff8000   nan   r > 0.5 and a == 0")
        self.edit.installEventFilter(self)
        self.words = label(kind="muted")
        before, after = tool("Previous", "Previous texel", "previous-event"), tool("Next", "Next texel", "next-event")
        before.clicked.connect(lambda: self.seek(True))
        after.clicked.connect(lambda: self.seek(False))
        close = tool("Close", "Close", "close")
        close.clicked.connect(self.closed.emit)
        _row(self, self.edit, self.words, before, after, close)
        self.hide()

    def seek(self, backwards: bool) -> None:
        if self.edit.text().strip():
            self.sought.emit(self.edit.text().strip(), backwards)

    def eventFilter(self, watched: Any, event: Any) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        meant = KEYS.meant(event, "texels")
        if event.type() == QKeyEvent.Type.ShortcutOverride and meant == "close":
            event.accept()  # else it dismisses a message
            return True
        if event.type() != QKeyEvent.Type.KeyPress or not meant:
            return False
        if meant == "close":
            self.closed.emit()
        else:
            self.seek(meant == "previous")
        return True
