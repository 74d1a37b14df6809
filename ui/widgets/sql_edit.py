"""A few lines of SQL with highlighting; Ctrl+Enter runs it, Ctrl+Up and Ctrl+Down recall earlier ones."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from ui import style
from ui.keys.keymap import KEYS
from ui.widgets.controls import spoken

KEYWORDS = (
    "SELECT|FROM|WHERE|AND|OR|NOT|IN|IS|NULL|LIKE|GLOB|BETWEEN|CASE|WHEN|THEN|ELSE|END|JOIN|LEFT|INNER|CROSS|ON|USING|AS|GROUP|ORDER|"
    "BY|HAVING|LIMIT|OFFSET|ASC|DESC|DISTINCT|UNION|ALL|EXCEPT|INTERSECT|WITH|RECURSIVE|EXISTS|OVER|PARTITION"
)


class _Colours(QSyntaxHighlighter):
    """Keywords, names of tables, texts, numbers, comments."""

    def __init__(self, document: QTextDocument, names: Iterable[str]) -> None:
        super().__init__(document)
        words = ((rf"\b(?i:{KEYWORDS})\b", "accent"), (rf"\b(?:{'|'.join(names)})\b", "link"))
        rest = ((r"\b\d[\w.]*", "good"), (r"'[^']*'?", "warning"), (r"--.*", "faint"))
        self._rules = [(re.compile(pattern), token) for pattern, token in (*words, *rest)]

    def highlightBlock(self, text: str) -> None:
        for pattern, token in self._rules:
            look = QTextCharFormat()
            look.setForeground(style.theme().color(token))
            for found in pattern.finditer(text):
                self.setFormat(found.start(), found.end() - found.start(), look)


class SqlEdit(QPlainTextEdit):
    """`asked`: what is written shall be asked."""

    asked = Signal()

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__()
        spoken(self, "SQL query")
        self.setFont(style.mono_font())
        self.setTabChangesFocus(True)
        self._colours = _Colours(self.document(), names)
        self._past: list[str] = []
        self._place = 0
        style.current().changed.connect(self._colours.rehighlight)

    def text(self) -> str:
        """As lines have it."""
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """As of lines."""
        self.setPlainText(text)

    def remember(self) -> None:
        """What is written was asked."""
        text = self.toPlainText()
        self._past = [*(old for old in self._past if old != text), text]
        self._place = len(self._past) - 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match KEYS.meant(event, "query"):
            case "ask":
                self.asked.emit()
            case "earlier":
                self._bring_back(-1)
            case "later":
                self._bring_back(1)
            case _:
                super().keyPressEvent(event)

    def _bring_back(self, step: int) -> None:
        if 0 <= self._place + step < len(self._past):
            self._place += step
            self.setPlainText(self._past[self._place])
            self.selectAll()
