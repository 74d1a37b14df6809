"""Lines over time.  pyqtgraph draws them; it is imported with the first line, not with the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import style

COLORS = ("accent", "link", "good", "warning")


@dataclass(frozen=True)
class Steps:
    """A line that keeps each value until the next: float64[n + 1] edges in x, n values between them."""

    name: str
    edges: np.ndarray
    values: np.ndarray


class Plot(QWidget):
    def __init__(self, name: str, bottom: str) -> None:
        super().__init__()
        self._name, self._bottom = name, bottom
        self._plot: Any = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self.setAccessibleName(name)

    def show_steps(self, lines: Sequence[Steps]) -> None:
        """Shows these lines instead of those before."""
        import pyqtgraph as pg  # 0.2 s that a start does not need

        if self._plot is None:
            self._plot = pg.PlotWidget()
            self._plot.setAccessibleName(self._name)
            self._plot.setLabel("bottom", self._bottom)
            self._plot.setMouseEnabled(y=False)
            self._box.addWidget(self._plot)
        theme = style.theme()
        self._plot.setBackground(theme.panel)
        self._plot.clear()
        for number, line in enumerate(lines):
            pen = pg.mkPen(theme.color(COLORS[number % len(COLORS)]), width=1.5)
            self._plot.plot(line.edges, line.values, stepMode="center", pen=pen, name=line.name)
