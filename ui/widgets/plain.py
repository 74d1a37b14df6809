"""Labels and editors that show text as it is, whatever it is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextEdit

MOST = 200_000
"""Characters of a text that are shown where lines are wrapped."""
LONGEST_WORD = 2_000
"""Of a longer one, Qt needs the square of its length to find out that it has to be broken."""


def wrap(edit: QPlainTextEdit | QTextEdit, text: str) -> None:
    """Wraps lines between words, or anywhere in text that has no words."""
    words = max(map(len, text.split()), default=0) <= LONGEST_WORD
    mode = QTextOption.WrapMode
    edit.setWordWrapMode(mode.WrapAtWordBoundaryOrAnywhere if words else mode.WrapAnywhere)


def put_text(edit: QPlainTextEdit, text: str) -> bool:
    """Shows a text of a file, in no time; whether that is all of it."""
    shown = text[:MOST]
    wrap(edit, shown)
    edit.setPlainText(shown)
    return len(shown) == len(text)


class PlainLabel(QLabel):
    """Every label of the window is one: what comes from a file never is HTML that loads pictures.  Who wants HTML says so."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Backwards, Qt selects the last link again and again, and Shift+Tab gets stuck."""
        if not forward and self.hasSelectedText():
            return bool(self.window().focusNextPrevChild(False))
        return super().focusNextPrevChild(forward)
