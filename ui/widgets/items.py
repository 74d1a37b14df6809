"""A painted row or column of items that mouse and keyboard reach alike: a legend's rows, a chart's stages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from ui import style
from ui.keys.keymap import KEYS

RING = 3
"""Pixels of radius."""


class Items(QWidget):
    """`pointed(item)`: under the pointer, or gone to with the keys; -1: none.  `chosen(item)`: by a click, or Enter.

    Tab reaches it; a click leaves the keyboard where it is.
    """

    pointed, chosen = Signal(int), Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.under = -1
        """The item that is pointed at."""

    # What a kind of items fills in

    def places(self) -> Sequence[QRect]:
        """Where each of them is."""
        return ()

    def words_of(self, item: int) -> str:
        """What a screen reader says of it."""
        return ""

    # Mouse and keyboard

    def item_at(self, place: QPoint) -> int:
        return next((number for number, one in enumerate(self.places()) if one.contains(place)), -1)

    def point_at(self, item: int) -> None:
        """-1: at none."""
        if item == self.under:
            return
        self.under = item
        if item >= 0 and self.hasFocus():
            self.setAccessibleDescription(self.words_of(item))
        self.pointed.emit(item)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.point_at(self.item_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self.point_at(-1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        item = self.item_at(event.position().toPoint())
        if item >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(item)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.under < 0 and self.places():
            self.point_at(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.point_at(-1)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        meant = KEYS.meant(event, "items")
        if meant in ("next", "previous") and self.places():
            step = 1 if meant == "next" else -1
            self.point_at(min(max(self.under + step, 0), len(self.places()) - 1))
        elif meant == "follow" and self.under >= 0:
            self.chosen.emit(self.under)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Arrows belong to it while it has the keyboard: elsewhere they step through events."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and KEYS.meant(event, "items"):
            event.accept()
            return True
        return super().event(event)

    def paint_ring(self, painter: QPainter) -> None:
        """Around the item that the keys have gone to."""
        places = self.places()
        if not self.hasFocus() or not 0 <= self.under < len(places):
            return
        painter.setPen(QPen(style.theme().color("accent"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(places[self.under]).adjusted(1, 1, -1, -1), RING, RING)
