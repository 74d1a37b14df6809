"""The range of an image: black value, white value, gamma; and below the image a histogram in which to drag them."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from inspector.query.looks.tones import Distribution, Tones
from ui import style
from ui.widgets.controls import Choice, label, number_box, spoken, strip, tool
from ui.widgets.key_tips import name_keys
from ui.widgets.line_names import LineNames, stroke
from ui.widgets.step_box import NumberBox

HEIGHT, PIECE, GAP = 104, 18, 10
"""Pixels of the histogram, of a piece of line in its legend, and between the names there."""
COLORS = {
    "r": (220, 70, 70),
    "g": (70, 180, 80),
    "b": (80, 120, 240),
    "u": (220, 70, 70),
    "v": (70, 180, 80),
    "w": (80, 120, 240),
}


class Tone(QObject):
    """`changed()`: low, high or gamma is another; `fit()`: they shall fit; `plane`: depth or stencil, where both are there."""

    changed = Signal()
    fit = Signal()
    plane_chosen = Signal()
    asked = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.low, self.high = number_box("Black point", 0.0), number_box("White point", 1.0)
        self.gamma = spoken(NumberBox(), "Gamma")
        self.gamma.setRange(0.1, 10.0)
        self.gamma.setSingleStep(0.1)
        self.gamma.setValue(1.0)
        self.gamma.setPrefix("γ ")
        self.gamma.setFixedWidth(72)
        self.gamma.setToolTip("Gamma: values above 1 brighten dark parts")
        self.auto_range = tool("Fit range", "Fit the range to the values present", "range")
        self.auto = tool("Fit always", "Fit the range at every event", text="Auto", checkable=True)
        self.reset = tool("Reset range", "Restore the black, white and gamma of the format", text="Reset")
        self.plane = Choice("Depth or stencil")
        self.plane.addItems(["Depth", "Stencil"])
        self.opened = name_keys(tool("Histogram", "", "histogram", checkable=True), "Range and histogram", "surface.histogram")
        self.opened.toggled.connect(self.asked.emit)
        for box in (self.low, self.high, self.gamma):
            box.valueChanged.connect(lambda _: self.changed.emit())
        self.auto_range.clicked.connect(self.fit.emit)
        self.auto.toggled.connect(lambda on: self.fit.emit() if on else None)
        self.plane.activated.connect(lambda _: self.plane_chosen.emit())
        self.range = strip(self.plane, label("Black"), self.low, label("White"), self.high, self.auto_range, name="bare")
        self.range.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.range.layout().setContentsMargins(0, 0, 0, 0)  # type: ignore[union-attr]
        self.range.hide()

    @property
    def tones(self) -> Tones:
        return Tones(self.low.value(), self.high.value(), self.gamma.value())

    def put(self, tones: Tones) -> None:
        """Without a word to anybody."""
        for box, value in ((self.low, tones.low), (self.high, tones.high), (self.gamma, tones.gamma)):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)


class HistogramBar(QWidget):
    """How often values occur; the two lines are black and white.  `dragged(low, high)`."""

    dragged = Signal(float, float)

    def __init__(self, tone: Tone) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.setFixedHeight(HEIGHT)
        self.words = LineNames(piece=PIECE, gap=GAP)
        keeps_room = self.words.sizePolicy()
        keeps_room.setRetainSizeWhenHidden(True)
        self.words.setSizePolicy(keeps_room)
        self._plot: Any = None
        self._region: Any = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(6, 2, 6, 2)
        self._box.setSpacing(0)
        row = QHBoxLayout()
        row.addWidget(self.words, 1)
        for control in (tone.gamma, tone.auto, tone.reset):
            row.addWidget(control)
        self._box.addLayout(row)
        self.hide()

    def show_counts(self, found: Distribution, tones: Tones) -> None:
        """One curve for each channel, in a stroke of its own, on a scale of roots: few are seen beside many."""
        import pyqtgraph as pg  # 0.2 s that a start does not need

        if self._plot is None:
            self._make_plot(pg)
        theme = style.theme()
        self._plot.setBackground(theme.panel)
        for item in self._plot.listDataItems():
            self._plot.removeItem(item)
        colors = [QColor(*COLORS[name]) if name in COLORS else theme.color("text") for name in found.names]
        for number, (color, counts) in enumerate(zip(colors, found.counts, strict=True)):
            filled = QColor(color)
            filled.setAlpha(70)
            pen = pg.mkPen(color, width=1.5, style=stroke(number))
            self._plot.plot(found.edges, np.sqrt(counts), stepMode="center", fillLevel=0, brush=filled, pen=pen)
        self._plot.setXRange(found.edges[0], found.edges[-1], padding=0.02)
        self.show_tones(tones)
        self.words.show_names([_range_words(found, n) for n in range(len(found.names))], colors=colors)

    def show_tones(self, tones: Tones) -> None:
        if self._region is not None:
            self._region.blockSignals(True)
            self._region.setRegion((min(tones.low, tones.high), max(tones.low, tones.high)))
            self._region.blockSignals(False)

    def _make_plot(self, pg: Any) -> None:
        self._plot = pg.PlotWidget()
        self._plot.setAccessibleName("Histogram")
        self._plot.setMouseEnabled(y=False)
        self._plot.hideAxis("left")
        self._plot.setMenuEnabled(False)
        self._plot.hideButtons()
        self._region = pg.LinearRegionItem(brush=(128, 128, 128, 30))
        self._region.setZValue(10)
        self._region.sigRegionChanged.connect(lambda region: self.dragged.emit(*region.getRegion()))
        self._plot.addItem(self._region)
        self._box.addWidget(self._plot, 1)


def _range_words(found: Distribution, n: int) -> str:
    odd = f", {found.odd[n]:,} NaN or infinite" if found.odd[n] else ""
    return f"{found.names[n]} {found.low[n]:.3g} to {found.high[n]:.3g}{odd}"
