"""The slim title above a panel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.plain import PlainLabel


class PanelTitle(QWidget):
    """A dock's name above it, and buttons; drag it to move the dock, double click to let it float."""

    def __init__(self, text: str, buttons: Sequence[QWidget]) -> None:
        super().__init__()
        self.setObjectName("panelTitle")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = PlainLabel(text)
        words.setObjectName("panelTitleText")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.addWidget(words)
        row.addStretch(1)
        for widget in buttons:
            row.addWidget(widget)
        self._row, self._buttons = row, len(buttons)

    def put_beside(self, beside: QWidget | None) -> None:
        """What the panel has before the buttons."""
        if beside is not None:
            self._row.insertWidget(self._row.count() - self._buttons, beside)
