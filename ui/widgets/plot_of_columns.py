"""A plot of columns of a table over another, chosen by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.widgets.controls import Choice, label, strip
from ui.widgets.plot import Plot, drawable
from ui.widgets.several import Several
from ui.words import counting, figure

ROW = "row"
ACROSS = ("frame", "event")
"""Columns that are natural to go across, where their numbers ascend."""
SHARE = "share of the largest"


def scaled(lines: Sequence[tuple[str, np.ndarray]]) -> list[tuple[str, np.ndarray]]:
    """Each line as a share of its largest value, which its name says."""
    tops = [float(np.nanmax(np.abs(values[np.isfinite(values)]), initial=0)) for _, values in lines]
    return [(f"{name} (1: {_whole(top)})", values / (top or 1)) for (name, values), top in zip(lines, tops, strict=True)]


def _whole(value: float) -> str:
    """A count with commas; any other number as in tables."""
    return f"{value:,.0f}" if value == round(value) and value < 1e15 else figure(value)


def _as_float(value: Any) -> float:
    try:
        return np.nan if value is None else float(value)
    except OverflowError:
        return np.inf


class PlotOfColumns(QWidget):
    """`rows()` gives what is plotted; `chosen(row)`: the point nearest to a click."""

    chosen = Signal(int)

    def __init__(self, rows: Callable[[], Sequence[Sequence[Any]]]) -> None:
        super().__init__()
        self._rows = rows
        self._columns: tuple[str, ...] = ()
        self._numbers: dict[str, int] = {}  # columns of numbers by name; of two of one name, the first
        self._x = np.zeros(0)
        self.across, self.up = Choice("Column across"), Several("Columns up", "The columns that are plotted")
        self.plot = Plot("Columns as a plot", "")
        self.plot.clicked.connect(self._choose)
        self.note = label(kind="faint")
        self._row: int | None = None
        self._wanted = ""
        """What the user has chosen to go across."""
        self.across.activated.connect(lambda _: self._want())
        self.up.changed.connect(self.draw)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(strip(label("Across"), self.across, label("Up"), self.up, None, self.note))
        box.addWidget(self.plot, 1)

    def show_columns(self, columns: Sequence[str]) -> None:
        """Other rows are there; what was chosen by name stays chosen."""
        self._columns = tuple(columns)
        numbers = [column for column, name in enumerate(columns) if self._is_number(column)]
        self._numbers = {columns[column]: column for column in reversed(numbers)}
        self.across.clear()
        for column in (-1, *numbers):
            self.across.addItem(ROW if column < 0 else columns[column], column)
        wanted = self.across.findText(self._wanted)
        self.across.setCurrentIndex(wanted if wanted >= 0 else self.across.findText(self._natural()))
        self.up.offer(list(dict.fromkeys(columns[column] for column in numbers)))
        self.draw()

    def _want(self) -> None:
        self._wanted = self.across.currentText()
        self.draw()

    def _natural(self) -> str:
        """A frame or event by which the rows are sorted, where another column is left to go up; else the row."""
        rising = (name for name in ACROSS if name in self._numbers and len(self._numbers) > 1)
        return next((name for name in rising if self._rises(self._values(self._numbers[name]))), ROW)

    @staticmethod
    def _rises(values: np.ndarray) -> bool:
        return bool((np.diff(values) > 0).all())

    def _is_number(self, column: int) -> bool:
        values = [row[column] for row in self._rows() if row[column] is not None]
        return bool(values) and all(isinstance(value, (int, float)) for value in values)

    def _values(self, column: int) -> np.ndarray:
        """float64[rows]; NULL is NaN."""
        rows = self._rows()
        if column < 0:
            return np.arange(len(rows), dtype=np.float64)
        return np.array([_as_float(row[column]) for row in rows], np.float64)

    def show_row(self, row: int | None) -> None:
        """An upright line where a row is."""
        self._row = row
        there = row is not None and row < len(self._x)
        self.plot.show_place(float(self._x[row]) if there else None)

    def draw(self) -> None:
        """Plots the columns that are chosen."""
        self._draw()
        self.show_row(self._row)

    def _draw(self) -> None:
        if not self.up.chosen:
            self._x = np.zeros(0)
            self.note.setText("No numeric column" if self._columns else "")
            self.plot.show_points(self._x, [], "", "")
            return
        self._x = self._values(self.across.currentData())
        lines = [(name, self._values(self._numbers[name])) for name in self.up.chosen]
        missing = int((~(drawable(self._x) & drawable(np.array([values for _, values in lines])).all(0))).sum())
        self.note.setText(f"{counting(missing, 'row')} without a number omitted" if missing else "")
        left = self.up.chosen[0] if len(lines) == 1 else ""
        if self.up.scaled and len(lines) > 1:
            lines, left = scaled(lines), SHARE
        self.plot.show_points(self._x, lines, self.across.currentText(), left)

    def _choose(self, x: float) -> None:
        there = np.flatnonzero(drawable(self._x))
        if len(there) and drawable(np.asarray(x)):
            self.chosen.emit(int(there[np.abs(self._x[there] - x).argmin()]))
