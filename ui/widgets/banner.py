"""A quiet line over the window: an error or a result, in one sentence.  Nothing moves for it; no foot of a panel is hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolBar, QWidget

from ui import style
from ui.widgets.controls import single_shot, tool
from ui.widgets.icons import icon
from ui.widgets.key_tips import name_keys
from ui.widgets.plain import PlainLabel
from ui.words import tip

LONG_WORD, MOST_SHOWN = 80, 400  # characters: the window would grow with longer ones
NOTES_STAY = 8000  # milliseconds
WIDEST, MARGIN, ABOVE = 680, 14, 44  # pixels; ABOVE: of the window's lower edge, where the status bar is
LEAST_WIDTH = 400  # of the text, pixels: Qt makes room for it at its narrowest
FREE = 560  # pixels of a toolbar without tools in which a message has room
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Banner(QFrame):
    """Says one sentence; what a very long one has no room for is in the tooltip.

    Notes go away by themselves, unless the pointer rests on them; what went wrong stays until it is dismissed.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._below: tuple[QWidget, ...] = ()
        self.hide()
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        self._sentence = ""
        self._going = single_shot(self, NOTES_STAY, self.closed.emit)
        self._rising = single_shot(self, 0, self.raise_)
        self._icon = PlainLabel()
        self._text = PlainLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setMinimumWidth(1)  # or a long word makes the window wider than the screen
        self._text.setMinimumWidth(LEAST_WIDTH)
        self._offer = QPushButton()
        self._offer.setAccessibleName("Suggested action")
        self._offer.setToolTip("Suggested action")
        self._offer.hide()
        self._does: Callable[[], object] = lambda: None
        self._offer.clicked.connect(lambda: self._does())
        close = name_keys(tool("Dismiss the message", "", "close"), "Dismiss", "dismiss")
        close.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 6, 5)
        row.addWidget(self._icon)
        row.addWidget(self._text)
        row.addWidget(self._offer)
        row.addWidget(close)
        style.current().changed.connect(self._restyle)

    @property
    def text(self) -> str:
        return self._sentence

    def say(self, sentence: str, kind: str = "error", offer: tuple[str, Callable[[], object]] | None = None) -> None:
        """Shows a sentence; `kind` is "error" or "note"; `offer`: the text of a button next to it, and what it does."""
        words, self._does = offer or ("", lambda: None)
        self._offer.setText(words)
        self._offer.setVisible(bool(words))
        self.setProperty("kind", kind)
        self.style().polish(self)
        self._show_icon()
        self._sentence = sentence
        shown = re.sub(rf"\S{{{LONG_WORD},}}", _without_middle, sentence)
        shown = shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]} ..."
        self._text.setText(shown)
        self._text.setToolTip(tip(sentence if shown != sentence else ""))
        self.setAccessibleDescription(sentence)
        self._going.stop()
        if kind == "note":
            self._going.start()

    def _show_icon(self) -> None:
        name, token = ("error", "error") if self.property("kind") == "error" else ("note", "link")
        self._icon.setPixmap(icon(name, token).pixmap(16, 16))

    def _restyle(self) -> None:
        """After a change of theme or font: the icon in its colours, and room for letters of another size."""
        self._show_icon()
        if self.isVisible():
            self.place()

    def place(self) -> None:
        """Where the toolbar is empty; if that is too narrow, above the lower right corner.  As large as the sentence needs."""
        window, free = self.window(), self._beside_tools()
        width = min(WIDEST, free.width() if free else window.width() - 2 * MARGIN)
        height = max(self.heightForWidth(width), self.sizeHint().height())
        top = max(free.bottom() - height, MARGIN // 2) if free else window.height() - height - ABOVE
        self.setGeometry(window.width() - width - MARGIN, top, width, height)
        self.raise_()

    def _beside_tools(self) -> QRect | None:
        """The part of the window's toolbar to the right of its tools."""
        bar = self.window().findChild(QToolBar)
        if bar is None or not bar.isVisible():
            return None
        tools = [one.geometry().right() for one in bar.findChildren(QWidget, options=DIRECT) if one.isVisible()]
        used = bar.geometry().left() + max(tools, default=0) + MARGIN
        free = QRect(used, bar.geometry().top(), self.window().width() - used - MARGIN, bar.height())
        return free if free.width() >= FREE else None

    def stay_above(self, widgets: Iterable[QWidget]) -> None:
        """Stays in front of these when they are put on top of all: docks that are raised are."""
        self._below = tuple(widgets)

    def showEvent(self, event: QShowEvent) -> None:
        """Docks have hundreds of events when they are arranged, and only a message that is there looks at them."""
        super().showEvent(event)
        for widget in self._below:
            widget.installEventFilter(self)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for widget in self._below:
            widget.removeEventFilter(self)

    def eventFilter(self, widget: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ZOrderChange and self.isVisible():
            self._rising.start()  # later: a dock becomes the front tab only if it is on top of all now
        return False

    def enterEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._going.stop()

    def leaveEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        if self.property("kind") == "note":
            self._going.start()


def _without_middle(word: re.Match[str]) -> str:
    """The beginning and the end of a path or the like."""
    return f"{word[0][: LONG_WORD // 3]}…{word[0][-LONG_WORD // 2 :]}"
