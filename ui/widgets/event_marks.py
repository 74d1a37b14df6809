"""Marks of events in lists: their kind, and that the filter finds them."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from ui import style

HIT = 24
"""Opacity, of 255, of the ground of an event that the filter finds: words stay legible on it."""
BAR = 3
"""Pixels of the width of the bar at its right edge."""
PART = 4.6
"""Pixels of each of the two squares that stand for a copy."""


def paint_kind(painter: QPainter, rect: QRectF, kind: str, color: QColor) -> None:
    """A kind's mark: told apart by shape as well as by colour."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    if kind == "draw":
        painter.drawPolygon([rect.topLeft(), rect.bottomLeft(), QRectF(rect).center() + (rect.topRight() - rect.topLeft()) / 2])
    elif kind == "clear":
        painter.drawRoundedRect(rect, 1.5, 1.5)
    elif kind == "copy":
        painter.drawRect(QRectF(rect.left(), rect.top(), PART, PART))
        painter.drawRect(QRectF(rect.right() - PART, rect.bottom() - PART, PART, PART))
    elif kind == "transform":
        painter.drawRect(QRectF(rect.left() + 1, rect.center().y() - 0.9, 6, 1.8))
        painter.drawRect(QRectF(rect.center().x() - 0.9, rect.top() + 1, 1.8, 6))
    elif kind == "present":
        painter.drawRect(QRectF(rect.left(), rect.top() + 1, rect.width(), 2.2))
        painter.drawRect(QRectF(rect.left(), rect.top() + 5, rect.width(), 2.2))
    elif kind in ("resource", "shader"):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 1.5))
        corner = 2 if kind == "resource" else 3.2
        painter.drawRoundedRect(rect.adjusted(0.8, 0.8, -0.8, -0.8), corner, corner)
    else:
        painter.drawEllipse(rect.center(), 2.4, 2.4)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def paint_hit(painter: QPainter, rect: QRect, is_plain: bool) -> QRect:
    """A cell that the filter finds has a bar at its right edge; what is left of the cell.

    is_plain: the row has no ground of its own, and gets a tinted one.
    """
    if is_plain:
        painter.fillRect(rect, style.theme().color("accent", HIT))
    painter.fillRect(QRect(rect.right() - BAR, rect.top() + 2, BAR, rect.height() - 4), style.theme().color("accent"))
    return rect.adjusted(0, 0, -2 * BAR, 0)
