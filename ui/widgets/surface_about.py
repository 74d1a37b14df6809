"""The line about a surface, with the way to the frame's image where that is at another event."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.controls import label, tool


class SurfaceAbout(QWidget):
    """`asked(event)`: the frame's image is to be shown."""

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._event = 0
        self.words = label(kind="muted")
        self.complete = tool("Go to the frame's image", "The Flip moved it elsewhere: go to the event before")
        self.complete.clicked.connect(lambda: self.asked.emit(self._event))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.words)
        row.addWidget(self.complete)
        row.addStretch(1)
        self.complete.hide()

    def show_words(self, words: str, complete: int | None = None) -> None:
        """complete: at a Flip, the event at which the frame's image is still in the surface that is followed."""
        self.words.setText(words)
        self.complete.setVisible(complete is not None)
        if complete is not None:
            self._event = complete
            self.complete.setText(f"Image at #{complete}")
