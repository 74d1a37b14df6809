"""Boxes of numbers with arrows, which follow the theme and the pointer."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from ui import style
from ui.widgets.icons import paint

SIDE = 10
"""Pixels of an arrow; `style.qss` keeps a column of 16 for the two."""
UP, DOWN = QAbstractSpinBox.StepEnabledFlag.StepUpEnabled, QAbstractSpinBox.StepEnabledFlag.StepDownEnabled


def _paint_arrows(box: QAbstractSpinBox) -> None:
    """At the right end, one above the other: dim where there is nowhere to go."""
    theme, able = style.theme(), box.stepEnabled() if box.isEnabled() else UP & DOWN
    left, middle = box.width() - SIDE - 5, box.height() / 2
    with QPainter(box) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for name, flag, top in (("up", UP, middle - SIDE + 1), ("down", DOWN, middle - 1)):
            paint(painter, name, QRectF(left, top, SIDE, SIDE), theme.color("muted" if able & flag else "disabled").name(), 2.6)


class StepBox(QSpinBox):
    """Whole numbers."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _paint_arrows(self)


class NumberBox(QDoubleSpinBox):
    """Shows six digits, and no zeros after them: whatever the number is, it fits."""

    def textFromValue(self, value: float) -> str:
        return f"{value:.6g}"

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        _paint_arrows(self)
