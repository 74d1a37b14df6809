"""Uses over time as a strip: the capture from left to right, reads in one colour, writes in another."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from inspector.query.objects.holdings import USED, WRITTEN
from ui import style
from ui.roles import PLACE_ROLE, STRIP_ROLE, Index
from ui.widgets.cells import paint_back

TALL, MARGIN = 12, 6


class StripCell(QStyledItemDelegate):
    """Paints uint8[bins] of USED and WRITTEN, and a line where one looks (0..1)."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_back(painter, option)
        strip = index.data(STRIP_ROLE)
        room = QRectF(option.rect).adjusted(MARGIN, 0, -MARGIN, 0)
        room = QRectF(room.left(), room.center().y() - TALL / 2, room.width(), TALL)
        if strip is not None and len(strip) and room.width() > 0:
            painter.fillRect(room, style.theme().color("sunken"))
            wide = room.width() / len(strip)
            for bit, token, top, height in ((USED, "link", 0.5, 0.5), (WRITTEN, "accent", 0.0, 0.5)):
                for first, last in runs(strip & bit != 0):
                    part = QRectF(room.left() + first * wide, room.top() + top * TALL, (last - first) * wide, height * TALL)
                    painter.fillRect(part, style.theme().color(token))
            if (place := index.data(PLACE_ROLE)) is not None:
                painter.setPen(QPen(style.theme().color("text"), 1))
                x = room.left() + place * room.width()
                painter.drawLine(round(x), round(room.top()) - 2, round(x), round(room.bottom()) + 2)
        painter.restore()


def runs(found: np.ndarray) -> list[tuple[int, int]]:
    """The stretches (first, last + 1) in which a bool array is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], found, [False]]).astype(np.int8)))
    return [(first, last) for first, last in edges.reshape(-1, 2).tolist()]
