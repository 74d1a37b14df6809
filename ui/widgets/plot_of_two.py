"""A plot of two columns of a table, chosen by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.widgets.controls import Choice, label, strip
from ui.widgets.plot import Plot
from ui.words import counting

ROW = "row"


class PlotOfTwo(QWidget):
    """`rows()` gives what is plotted; `chosen(row)`: the point nearest to a click."""

    chosen = Signal(int)

    def __init__(self, rows: Callable[[], Sequence[Sequence[Any]]]) -> None:
        super().__init__()
        self._rows = rows
        self._columns: tuple[str, ...] = ()
        self._x = np.zeros(0)
        self.across, self.up = Choice("Column across"), Choice("Column up")
        self.plot = Plot("Two columns as a plot", "")
        self.plot.clicked.connect(self._choose)
        self.note = label(kind="faint")
        for choice in (self.across, self.up):
            choice.activated.connect(lambda _: self.draw())
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(strip(label("Across"), self.across, label("Up"), self.up, None, self.note))
        box.addWidget(self.plot, 1)

    def show_columns(self, columns: Sequence[str]) -> None:
        """Other rows are there; what was chosen by name stays chosen."""
        self._columns = tuple(columns)
        numbers = [column for column, name in enumerate(columns) if self._is_number(column)]
        for choice, items, usual in ((self.across, [-1, *numbers], 0), (self.up, numbers, -1)):
            before = choice.currentText()
            choice.clear()
            for column in items:
                choice.addItem(ROW if column < 0 else columns[column], column)
            place = choice.findText(before) if before else -1
            choice.setCurrentIndex(place if place >= 0 else usual % max(choice.count(), 1))
        self.draw()

    def _is_number(self, column: int) -> bool:
        values = [row[column] for row in self._rows() if row[column] is not None]
        return bool(values) and all(isinstance(value, (int, float)) for value in values)

    def _values(self, column: int) -> np.ndarray:
        """float64[rows]; NULL is NaN."""
        rows = self._rows()
        if column < 0:
            return np.arange(len(rows), dtype=np.float64)
        return np.array([np.nan if row[column] is None else float(row[column]) for row in rows])

    def draw(self) -> None:
        """Plots the columns that are chosen."""
        if self.up.count() == 0:
            self._x = np.zeros(0)
            self.note.setText("No column of numbers" if self._columns else "")
            self.plot.show_points(self._x, self._x, "", "")
            return
        self._x, y = self._values(self.across.currentData()), self._values(self.up.currentData())
        missing = int((~(np.isfinite(self._x) & np.isfinite(y))).sum())
        self.note.setText(f"{counting(missing, 'row')} without a number left out" if missing else "")
        self.plot.show_points(self._x, y, self.across.currentText(), self.up.currentText())

    def _choose(self, x: float) -> None:
        if np.isfinite(self._x).any():
            self.chosen.emit(int(np.nanargmin(np.abs(self._x - x))))
