"""A draw's primitives as a slider: shows the draw up to any of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSlider, QWidget

from ui.widgets.controls import label, spoken
from ui.widgets.key_tips import name_keys

SHORTEST = 64
"""Pixels of the slider; its words give way."""


class Scrubber(QWidget):
    """`scrubbed(primitive)`: the picture after that primitive is wanted; -1: after the whole draw."""

    scrubbed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.slider = spoken(QSlider(Qt.Orientation.Horizontal), "Primitive of the draw")
        name_keys(self.slider, "Step through the draw primitive by primitive", "previous-primitive", "next-primitive")
        self.slider.valueChanged.connect(self._slid)
        self.words = label(kind="muted")
        self.slider.setMinimumWidth(SHORTEST)
        self._row = row = QHBoxLayout(self)
        row.addWidget(self.slider, 1)
        row.addWidget(self.words)
        self.set_upright(False)
        self.setVisible(False)

    def set_upright(self, upright: bool) -> None:
        """The words below the slider, or beside it."""
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if upright else QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(8, 4 * upright, 8 if upright else 2, 4 * upright)

    def show_place(self, count: int, primitive: int | None) -> None:
        """`count` primitives of the draw at hand; hidden where there are less than two."""
        self.slider.blockSignals(True)
        self.slider.setRange(0, count)
        self.slider.setPageStep(max(count // 20, 1))
        self.slider.setValue(count if primitive is None else min(primitive, count))
        self.slider.blockSignals(False)
        whole = "one primitive" if count == 1 else f"all {count:,} primitives"
        self.words.setText(whole if primitive is None else f"primitive {primitive:,} of {count:,}")
        self.setVisible(count > 1)

    def _slid(self, place: int) -> None:
        self.scrubbed.emit(-1 if place == self.slider.maximum() else place)
