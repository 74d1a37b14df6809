"""A button that becomes a progress bar with Stop while its work runs in the background."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from ui.widgets.controls import spoken, tool

STEPS = 1000


class Working(QWidget):
    """`asked`: begin; `stopped`: end it.  `show_progress` says which of the two there is to do."""

    asked = Signal()
    stopped = Signal()

    def __init__(self, words: str, tip: str) -> None:
        super().__init__()
        self.begin = tool(words, tip, text=words)
        self.begin.clicked.connect(self.asked)
        self.bar = spoken(QProgressBar(), f"{words}: progress")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, STEPS)
        self.bar.setFixedWidth(110)
        self.stop = tool(f"Stop: {words}", "Stop", "close")
        self.stop.clicked.connect(self.stopped)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self.begin, self.bar, self.stop):
            row.addWidget(widget)
        self.show_progress(1.0)

    def show_progress(self, fraction: float) -> None:
        """0 to below 1: under way; 1: nothing is."""
        under_way = fraction < 1
        self.bar.setValue(round(fraction * STEPS))
        self.bar.setToolTip(f"{fraction:.0%}")
        self.begin.setVisible(not under_way)
        self.bar.setVisible(under_way)
        self.stop.setVisible(under_way)
