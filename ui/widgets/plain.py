"""Labels that show text without interpreting it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


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
