"""Lines, bars and points over numbers.  Drawn by pyqtgraph, which is imported when nothing is asked, or with the first plot:
it takes 0.2 s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui import style
from ui.widgets.line_names import LineNames, stroke

SYMBOLS = ("o", "s", "t", "d", "+", "x")
"""Of points, one after the other, as pyqtgraph calls them."""
COLORS = ("accent", "link", "good", "warning", "error", "muted")
"""Theme tokens of lines, one after the other."""


STROKED = 2000
"""Points of a line up to which it is drawn in strokes of its own, which takes many times as long."""
UNITS = ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e4, 1e3, " k"))
"""From which number on, in which unit, numbers along an axis are written."""
LARGEST = 1e300
"""Of either sign: what pyqtgraph makes of larger numbers, as the width of what is shown, is infinite."""


def drawable(values: np.ndarray) -> np.ndarray:
    """bool of the same shape: numbers that can be drawn."""
    return np.isfinite(values) & (np.abs(values) <= LARGEST)


def ticks(values: Sequence[float], spacing: float = 1.0) -> list[str]:
    """How numbers along an axis are written: 1500, 500 k, 2.5 M."""
    top = max(map(abs, values), default=0.0)
    unit, name = next(((unit, name) for least, unit, name in UNITS if top >= least), (1.0, ""))
    if top >= 1e15 or 0 < top < 1e-4:
        return [f"{value:.4g}" for value in values]
    return ["0" if value == 0 else f"{value / unit:.6g}{name}" for value in values]


def whole_ticks(values: Sequence[float], spacing: float) -> list[str]:
    """The same of events, frames and rows, which have no parts, and are names: without units."""
    return [f"{value:.0f}" if spacing >= 1 else "" for value in values]


def load_plots() -> None:
    """On any thread: the first plot would stop the window for as long."""
    import pyqtgraph  # noqa: F401


@dataclass(frozen=True)
class Steps:
    """A line that keeps each value until the next: float64[n + 1] edges in x, n values between them."""

    name: str
    edges: np.ndarray
    values: np.ndarray


class Plot(QWidget):
    """`clicked(x)`: the plot was clicked there.  The wheel zooms in x, dragging moves."""

    clicked = Signal(float)

    def __init__(self, name: str, bottom: str) -> None:
        super().__init__()
        self._name = name
        self.bottom = bottom
        """What steps go across."""
        self._plot: Any = None
        self._place: Any = None
        self._at: float | None = None
        self._draw: Callable[[], None] = lambda: None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self.names = LineNames(COLORS)
        self._box.addWidget(self.names)
        self.setAccessibleName(name)
        style.current().changed.connect(self._redraw)

    def show_steps(self, lines: Sequence[Steps], left: str = "", bars: bool = False) -> None:
        """Shows these lines instead of those before; as bars from zero."""
        self._draw = lambda: self._draw_steps(lines, left, bars)
        self._draw()

    def show_points(self, x: np.ndarray, lines: Sequence[tuple[str, np.ndarray]], bottom: str, left: str) -> None:
        """Shows points of each (name, values), joined in their order if x never goes back; what is not drawable is left out."""
        self._draw = lambda: self._draw_points(x, lines, bottom, left)
        self._draw()

    def show_place(self, x: float | None) -> None:
        """An upright line at x, which stays when other lines are drawn."""
        self._at = x
        if self._place is not None:
            there = x is not None and bool(drawable(np.asarray(x)))
            self._place.setVisible(there)
            self._place.setValue(x if there else 0.0)

    def _redraw(self) -> None:
        """In other colours.  As a method, it is disconnected when the plot ends."""
        self._draw()

    def _draw_steps(self, lines: Sequence[Steps], left: str, bars: bool) -> None:
        stroked = all(len(line.values) <= STROKED for line in lines)
        pg, theme = self._begin(self.bottom, left, [line.name for line in lines], stroked), style.theme()
        for number, line in enumerate(lines):
            color = theme.color(COLORS[number % len(COLORS)])
            fill = {"fillLevel": 0, "brush": pg.mkBrush(color)} if bars else {}
            pen = pg.mkPen(color, width=1 if bars else 1.5, style=stroke(number if stroked else 0))
            values = np.where(drawable(line.values), line.values, 0)
            self._plot.plot(line.edges, values, stepMode="center", pen=pen, **fill)
        edges = np.concatenate([np.zeros(0), *(line.edges for line in lines)])
        self._bound(edges)
        self._write_ticks(2 * edges)
        if left:  # counts: differences look as large as they are
            top = max((float(line.values.max(initial=0, where=drawable(line.values))) for line in lines), default=0)
            self._plot.setYRange(0, 1.05 * top or 1, padding=0)

    def _draw_points(self, x: np.ndarray, lines: Sequence[tuple[str, np.ndarray]], bottom: str, left: str) -> None:
        stroked = len(x) <= STROKED
        pg = self._begin(bottom, left, [name for name, _ in lines], stroked)
        self._bound(x[drawable(x)])
        for number, (_, y) in enumerate(lines):
            color = style.theme().color(COLORS[number % len(COLORS)])
            there = drawable(x) & drawable(y)
            across, up = x[there], y[there]
            joined = bool((np.diff(across) >= 0).all())
            pen = pg.mkPen(color, width=1.5, style=stroke(number if stroked else 0)) if joined else None
            dots = {
                "symbol": SYMBOLS[number % len(SYMBOLS)],
                "symbolSize": 4,
                "symbolPen": None,
                "symbolBrush": pg.mkBrush(color),
            }
            self._plot.plot(across, up, pen=pen, **(dots if len(across) < 5000 or not joined else {}))
        self._write_ticks(x)

    def _write_ticks(self, x: np.ndarray) -> None:
        """Whole numbers across, or any."""
        there = x[drawable(x)]
        across = whole_ticks if bool((there == np.round(there)).all()) else ticks
        for name, written in (("bottom", across), ("left", ticks)):
            axis = self._plot.getAxis(name)
            axis.tickStrings = lambda values, scale, spacing, written=written: written(values, spacing)
            axis.enableAutoSIPrefix(False)

    def _bound(self, x: np.ndarray) -> None:
        """How far one can zoom and move: what is drawn stays in reach, and numbers within what can be computed."""
        if len(x):
            low, high = float(x.min()), float(x.max())
            span = (high - low) or max(abs(high), 1.0)
            self._plot.setLimits(xMin=low - span, xMax=high + span, minXRange=1e-6 * span, maxXRange=3 * span)

    def _begin(self, bottom: str, left: str, lines: Sequence[str], stroked: bool) -> Any:
        """An empty plot in the colours of now; pyqtgraph takes the words of axes for HTML."""
        import pyqtgraph as pg  # 0.2 s that a start does not need

        theme = style.theme()
        if self._plot is None:
            self._plot = pg.PlotWidget(enableMenu=False)
            self._plot.setAccessibleName(self._name)
            self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._plot.setMouseEnabled(y=False)
            self._plot.scene().sigMouseClicked.connect(self._click)
            self._box.addWidget(self._plot)
        self._plot.setBackground(theme.panel)
        self._plot.clear()
        for name, words in (("bottom", bottom), ("left", left)):
            axis = self._plot.getAxis(name)
            axis.setPen(theme.color("faint"))
            axis.setTextPen(theme.color("muted"))
            self._plot.setLabel(name, escape(words))
        self.names.show_names(lines if len(lines) > 1 else (), stroked)  # one is named by its axis
        self._place = pg.InfiniteLine(angle=90, pen=pg.mkPen(theme.color("text"), width=1))
        self._place.setVisible(False)
        self._plot.addItem(self._place, ignoreBounds=True)
        self._plot.enableAutoRange()
        self.show_place(self._at)
        return pg

    def _click(self, event: Any) -> None:
        box = self._plot.getPlotItem().vb
        if box.sceneBoundingRect().contains(event.scenePos()):
            self.clicked.emit(float(box.mapSceneToView(event.scenePos()).x()))
