"""What is said about a surface, on one line or several, with the way to the frame's image where that is at another event."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from ui.widgets.controls import label, tool

GAP = "   "
"""Between the things that are said of a surface."""


class SurfaceAbout(QWidget):
    """`asked(event)`: the frame's image is to be shown."""

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._event = 0
        self.words = label(kind="muted")
        self.complete = tool("Go to the frame's image", "The Flip moved it elsewhere: go to the event before")
        self.complete.clicked.connect(lambda: self.asked.emit(self._event))
        self.said, self._upright = "", False  # on one line
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.words)
        row.addWidget(self.complete)
        row.addStretch(1)
        self.complete.hide()

    def set_upright(self, upright: bool) -> None:
        """A line for each thing that is said, or one for all."""
        self._upright = upright
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if upright else QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(8 * upright, 6 * upright, 8 * upright, 6 * upright)
        self.words.setWordWrap(upright)
        self.words.setText(self._laid(self.said))

    def _laid(self, words: str) -> str:
        return words.replace(GAP, "\n").replace("_", "_\u200b") if self._upright else words  # R16G16B16A16_FLOAT in two lines

    def show_words(self, words: str, complete: int | None = None) -> None:
        """complete: at a Flip, the event at which the frame's image is still in the surface that is followed."""
        self.said = words
        self.words.setText(self._laid(words))
        self.complete.setVisible(complete is not None)
        if complete is not None:
            self._event = complete
            self.complete.setText(f"Image at #{complete}")
