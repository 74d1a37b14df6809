"""Cells of the flow of the pipeline: headings as bands, matrices as grids, thumbnails, spheres, and a curve."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionViewItem

from ui import style
from ui.roles import CURVE_ROLE, HEADING_ROLE, LINES_ROLE, LINK_ROLE, PICTURE_ROLE, TOKEN_ROLE, Index
from ui.widgets.cells import ValueCell, draw_text, paint_back, paint_mark

PICTURE, SMALL, PLOT = 64, 32, 150
"""Pixels of a sphere's side, of a thumbnail's, and of a curve's width."""
PADDING = 4


class FlowCell(ValueCell):
    """As ValueCell, for rows of different heights."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.data(HEADING_ROLE) and not option.state & option.state.State_Selected:
            painter.fillRect(option.rect.adjusted(0, 2, 0, 0), style.theme().color("sunken"))
        lines, image, curve = (index.data(role) for role in (LINES_ROLE, LINK_ROLE, PICTURE_ROLE, CURVE_ROLE))
        if index.column() != 1 or not (lines or image is not None or curve is not None):
            super().paint(painter, option, index)
            return
        painter.save()
        paint_back(painter, option)
        paint_mark(painter, option, index)
        rect = option.rect.adjusted(6, PADDING, -4, -PADDING)
        if image is not None:
            side = rect.height()
            self._paint_picture(painter, QRectF(rect.left(), rect.top(), side, side), image)
            rect.adjust(side + 8, 0, 0, 0)
        elif curve is not None:
            paint_curve(painter, QRectF(rect.left(), rect.top(), PLOT, rect.height()), curve)
            rect.adjust(PLOT + 8, 0, 0, 0)
        painter.setFont(style.mono_font())
        painter.setPen(style.theme().color("link" if self._leads(index) else index.data(TOKEN_ROLE) or "text"))
        self._paint_lines(painter, rect, lines or (str(index.data() or ""),))
        painter.restore()

    @staticmethod
    def _leads(index: Index) -> bool:
        return index.data(LINK_ROLE) is not None

    @staticmethod
    def _paint_lines(painter: QPainter, rect: Any, lines: tuple[str, ...]) -> None:
        height = painter.fontMetrics().lineSpacing()
        if len(lines) == 1:
            draw_text(painter, rect, lines[0])
            return
        for number, line in enumerate(lines):
            draw_text(painter, rect.adjusted(0, number * height, 0, (number + 1) * height - rect.height()), line)

    @staticmethod
    def _paint_picture(painter: QPainter, box: QRectF, image: Any) -> None:
        size = image.size().scaled(box.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
        corner = box.center() - QPointF(size.width() / 2, size.height() / 2)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(corner.x(), corner.y(), size.width(), size.height()), image)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Of the column of values, as high as what is painted; the others follow."""
        value = index.siblingAtColumn(1)
        height = style.ROW_HEIGHT + (4 if index.data(HEADING_ROLE) else 0)
        if lines := value.data(LINES_ROLE):
            height = max(height, QFontMetrics(style.mono_font()).lineSpacing() * len(lines) + 2 * PADDING)
        image = value.data(PICTURE_ROLE)
        if image is not None:
            height = max(height, (PICTURE if image.width() == PICTURE else SMALL) + 2 * PADDING)
        if value.data(CURVE_ROLE) is not None:
            height = max(height, PICTURE + 2 * PADDING)
        return QSize(60, height)


def paint_curve(painter: QPainter, box: QRectF, curve: Any) -> None:
    """What is left of a colour (up) over the distance (to the right)."""
    theme = style.theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(box, theme.color("sunken"))
    painter.setPen(QPen(theme.color("border"), 1))
    painter.drawRect(box)
    far = float(curve.distance[-1]) or 1.0
    inner = box.adjusted(2, 3, -2, -3)
    points = [
        QPointF(inner.left() + inner.width() * float(x) / far, inner.bottom() - inner.height() * float(y))
        for x, y in zip(curve.distance, curve.factor, strict=True)
    ]
    painter.setPen(QPen(theme.color("accent"), 1.6))
    painter.drawPolyline(QPolygonF(points))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
