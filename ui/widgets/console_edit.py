"""The two text fields of a console: the input, with history and completion, and the output."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QSyntaxHighlighter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from ui import style
from ui.keys.keymap import KEYS
from ui.widgets.controls import spoken

PROMPT, MORE = ">>> ", "... "
INDENT = 4
HIGHEST = 10
"""Lines of input until it scrolls."""
KEPT = 10_000
"""Lines of output."""
WIDEST = 4_000
"""Characters of a line of output that are shown: laying out one of a quarter of a million stops the window for seconds."""
WRONG = 1
"""State of a line of output that is an error."""
REMEMBERED, LONGEST = 200, 10_000
"""Inputs that are remembered, and characters of one that is."""
Complete = Callable[[str], tuple[int, list[str]]]


class ConsoleEdit(QPlainTextEdit):
    """`entered(text)`: a whole input.  `offered(words)`: what the name could be.  `stopped`: the key for Stop was pressed."""

    entered = Signal(str)
    offered = Signal(list)
    stopped = Signal()

    def __init__(self, is_whole: Callable[[str], bool], complete: Complete, past: Sequence[str]) -> None:
        super().__init__()
        spoken(self, "Python input")
        self.setFont(style.mono_font())
        self.setPlaceholderText("Python, for example: len(capture.draws)")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would cover the only line
        self._is_whole, self._complete = is_whole, complete
        self.past = [text for text in past if isinstance(text, str)][-REMEMBERED:]
        self._place, self._begun = len(self.past), ""
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """As high as what is written; a bar only beyond HIGHEST: rounded, a line may lack a pixel."""
        count = self.document().blockCount()
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if count > HIGHEST else policy.ScrollBarAlwaysOff)
        lines = min(max(count, 1), HIGHEST)
        margins = self.contentsMargins()
        around = margins.top() + margins.bottom() + 2 * int(self.document().documentMargin()) + 4
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + around)

    # Keys

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and KEYS.meant(event, "console"):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        does = {
            "run": self._enter,
            "earlier": self._earlier,
            "later": self._later,
            "complete": self._fill_in,
            "stop": self._stop,
        }
        meant = does.get(KEYS.meant(event, "console"))
        if meant is None or not meant():
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab completes; where there is nothing to complete it goes on."""
        return not forward and bool(self.window().focusNextPrevChild(False))

    def _enter(self) -> bool:
        text = self.toPlainText()
        if self.isReadOnly() or not text.strip():
            return True
        if self._is_whole(text):
            self.remember(text.rstrip())
            self.clear()
            self.entered.emit(text.rstrip())
        else:
            before = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
            depth = len(before) - len(before.lstrip(" ")) + INDENT * before.rstrip().endswith(":")
            self.insertPlainText("\n" + " " * depth)
            self.ensureCursorVisible()
        return True

    def _stop(self) -> bool:
        if self.textCursor().hasSelection():
            return False  # the key copies, too
        self.stopped.emit()
        return True

    def _earlier(self) -> bool:
        return self.textCursor().blockNumber() == 0 and self._bring_back(-1)

    def _later(self) -> bool:
        return self.textCursor().blockNumber() == self.document().blockCount() - 1 and self._bring_back(1)

    def _bring_back(self, step: int) -> bool:
        """Another input of before; after the last one, what was being typed."""
        if not 0 <= self._place + step <= len(self.past):
            return True
        if self._place == len(self.past):
            self._begun = self.toPlainText()
        self._place += step
        self.setPlainText(self.past[self._place] if self._place < len(self.past) else self._begun)
        self.moveCursor(QTextCursor.MoveOperation.End)
        return True

    def remember(self, text: str) -> None:
        """This was entered."""
        if len(text) <= LONGEST:
            self.past = [*(old for old in self.past if old != text), text][-REMEMBERED:]
        self._place, self._begun = len(self.past), ""

    def _fill_in(self) -> bool:
        """Completes the name before the cursor as far as it is clear; indents a line; else goes to the next control."""
        before = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
        if not re.search(r"[\w.]$", before):
            if before or self.document().blockCount() > 1:
                self.insertPlainText(" " * (INDENT - len(before) % INDENT))
            else:
                self.window().focusNextPrevChild(True)
            return True
        begin, words = self._complete(before)
        if words:
            self.insertPlainText(_common(words)[len(before) - begin :])
        if len(words) > 1:
            self.offered.emit(words)
        return True


def _common(words: Sequence[str]) -> str:
    """What all words begin with."""
    alike = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*words, strict=False))
    return "".join(letters[0] for letters in alike)


def narrowed(line: str, begun: int = 0) -> str:
    """What fits of a line of which some characters are there already, and how much is left out."""
    room = max(WIDEST - begun, 0)
    if len(line) <= room:
        return line
    return f"{line[:room]}… ({len(line) - room:,} more characters)" if room else ""


class _Colours(QSyntaxHighlighter):
    """What was typed, and errors, apart from what came of it."""

    def highlightBlock(self, text: str) -> None:
        typed, wrong = text.startswith((PROMPT, MORE)), self.currentBlockState() == WRONG
        if typed or wrong:
            look = QTextCharFormat()
            look.setForeground(style.theme().color("error" if wrong else "accent"))
            self.setFormat(0, len(text), look)

    def mark_last(self, count: int) -> None:
        """So many lines at the end are an error."""
        block = self.document().lastBlock()
        for _ in range(count):
            if block.length() > 1:  # the next output begins in the last one
                block.setUserState(WRONG)
                self.rehighlightBlock(block)
            block = block.previous()


class ConsoleOutput(QPlainTextEdit):
    """Plain text, the newest KEPT lines."""

    def __init__(self) -> None:
        super().__init__()
        spoken(self, "Python output")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFont(style.mono_font())
        self.setMaximumBlockCount(KEPT)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._colours = _Colours(self.document())
        style.current().changed.connect(self._colours.rehighlight)

    def say(self, text: str, wrong: bool = False) -> None:
        """Text at the end; stays there if the end is what is seen.  wrong: it is an error."""
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 1
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        lines = text.replace("\r\n", "\n").replace("\0", "\N{SYMBOL FOR NULL}").split("\n")
        begun, count = self.document().lastBlock().length() - 1, len(lines)
        if wrong and begun:  # on lines of its own
            lines = ["", *lines]
        end.insertText("\n".join([narrowed(lines[0], begun), *map(narrowed, lines[1:])]))
        if wrong:
            self._colours.mark_last(count)
        if follows:
            bar.setValue(bar.maximum())

    def say_line(self, text: str) -> None:
        """The same on a line of its own."""
        last = self.document().lastBlock().text()
        self.say(f"\n{text}\n" if last else f"{text}\n")
