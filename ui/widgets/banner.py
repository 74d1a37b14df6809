"""A calm line on top of the window: what went wrong, in one sentence, until it is put away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy

from ui.widgets.controls import tool
from ui.widgets.icons import icon

MOST = 400
"""Characters of a sentence that are shown; a longer one is the tooltip too."""


class Banner(QFrame):
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        self._icon = QLabel()
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setMinimumWidth(1)  # or a long word makes the window wider than the screen
        close = tool("Dismiss the message", "Dismiss  (Esc)", "close")
        close.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 6, 5)
        row.addWidget(self._icon)
        row.addWidget(self._text)
        row.addWidget(close)

    @property
    def text(self) -> str:
        return self._text.text()

    def say(self, sentence: str, kind: str = "error") -> None:
        """Shows a sentence; `kind` is "error" or "note"."""
        self.setProperty("kind", kind)
        self.style().polish(self)
        name, token = ("error", "error") if kind == "error" else ("note", "link")
        self._icon.setPixmap(icon(name, token).pixmap(16, 16))
        self._text.setText(sentence if len(sentence) <= MOST else f"{sentence[:MOST]}…")
        self._text.setToolTip(sentence if len(sentence) > MOST else "")
        self.setAccessibleDescription(sentence)
