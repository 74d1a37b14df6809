"""Cells of the flow of the pipeline: headings as bands, matrices as grids, thumbnails, spheres, and a curve."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeView

from ui import style
from ui.roles import CURVE_ROLE, DISPLAY_ROLE, HEADING_ROLE, LINES_ROLE, PICTURE_ROLE, TALL_ROLE, Index
from ui.widgets.cells import HOVERED, SELECTED, ValueCell, asked, draw_text, ink, paint_back

PICTURE, SMALL, PLOT = 64, 32, 150
"""Pixels of a sphere's side, of a thumbnail's, and of a curve's width."""
PADDING = 4
GAP, VALUES = 28, 1
"""Pixels between two blocks of lines; the column that has values."""


Blocks = tuple[tuple[str, ...], ...]


class FlowCell(ValueCell):
    """As ValueCell, for rows of different heights in a tree whose second column has the values."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        data = asked(index)
        heading = bool(data(HEADING_ROLE))
        if heading and not option.state & SELECTED:
            painter.fillRect(option.rect.adjusted(0, 2, 0, 0), style.theme().color("sunken"))
            option.state &= ~HOVERED  # its value has no ground of its own, and a band of three colours has no meaning
        blocks, image, curve = (data(role) for role in (LINES_ROLE, PICTURE_ROLE, CURVE_ROLE))
        if index.column() != VALUES or not (heading or blocks or image is not None or curve is not None):
            super().paint(painter, self._first_line(painter, option, index), index)
            return
        painter.save()
        if not heading or option.state & SELECTED:
            paint_back(painter, option)
        rect = option.rect.adjusted(6, PADDING, -4, -PADDING)
        if image is not None:
            side = rect.height()
            _paint_picture(painter, QRectF(rect.left(), rect.top(), side, side), image)
            rect.adjust(side + 8, 0, 0, 0)
        elif curve is not None:
            paint_curve(painter, QRectF(rect.left(), rect.top(), PLOT, rect.height()), curve)
            rect.adjust(PLOT + 8, 0, 0, 0)
        painter.setFont(style.shared_ui_font(9) if heading else style.shared_mono_font())
        painter.setPen(ink(data, option))
        if blocks:
            self._paint_blocks(painter, rect, blocks)
        else:
            draw_text(painter, rect, str(data(DISPLAY_ROLE) or ""))
        painter.restore()

    @staticmethod
    def _first_line(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> QStyleOptionViewItem:
        """Beside a value of several lines, the name and the writer stand at the first."""
        if not index.model().data(index.sibling(index.row(), VALUES), LINES_ROLE):
            return option
        paint_back(painter, option)
        line = QStyleOptionViewItem(option)
        line.rect.setHeight(QFontMetrics(style.mono_font()).lineSpacing() + 2 * PADDING)
        return line

    def _paint_blocks(self, painter: QPainter, rect: QRect, blocks: Blocks) -> None:
        height, left, top = painter.fontMetrics().lineSpacing(), rect.left(), rect.top()
        beside = self._beside(blocks, painter.fontMetrics(), rect.width())
        for block in blocks if beside else _broken(blocks, painter.fontMetrics(), rect.width()):
            for number, line in enumerate(block):
                draw_text(painter, QRect(left, top + number * height, rect.right() - left, height), line)
            if beside:
                left += max(map(painter.fontMetrics().horizontalAdvance, block), default=0) + GAP
            else:
                top += len(block) * height

    @staticmethod
    def _beside(blocks: Blocks, metrics: QFontMetrics, width: int) -> bool:
        """Whether there is room for the blocks side by side."""
        return sum(max(map(metrics.horizontalAdvance, block), default=0) + GAP for block in blocks) <= width + GAP

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as what is painted in the column of values; a tree asks for each row of thousands, cell by cell."""
        if index.column() != VALUES or not (data := asked(index))(TALL_ROLE):
            return QSize(60, style.ROW_HEIGHT)
        height = style.ROW_HEIGHT + (4 if data(HEADING_ROLE) else 0)
        if blocks := data(LINES_ROLE):
            metrics = QFontMetrics(style.shared_mono_font())
            room = self._view.columnWidth(VALUES) - 10
            beside = self._beside(blocks, metrics, room)
            lines = max(map(len, blocks)) if beside else sum(map(len, _broken(blocks, metrics, room)))
            height = max(height, metrics.lineSpacing() * lines + 2 * PADDING)
        image = data(PICTURE_ROLE)
        if image is not None or data(CURVE_ROLE) is not None:
            height = max(height, (PICTURE if image is None or image.width() == PICTURE else SMALL) + 2 * PADDING)
        return QSize(60, height)


def _broken(blocks: Blocks, metrics: QFontMetrics, width: int) -> Blocks:
    """The blocks, of which the lines with words break between words where they are too long; rows of a matrix stay whole."""
    return tuple(tuple(part for line in block for part in _parts(line, metrics, width)) for block in blocks)


def _parts(line: str, metrics: QFontMetrics, width: int) -> list[str]:
    if ": " not in line:
        return [line]
    first, *others = line.split(" ")
    parts = [first]
    for word in others:
        longer = f"{parts[-1]} {word}"
        if metrics.horizontalAdvance(longer) <= width:
            parts[-1] = longer
        else:
            parts.append(f"  {word}")
    return parts


def _paint_picture(painter: QPainter, box: QRectF, image: QImage) -> None:
    size = image.size().scaled(box.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
    corner = box.center() - QPointF(size.width() / 2, size.height() / 2)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(QRectF(corner.x(), corner.y(), size.width(), size.height()), image)


def paint_curve(painter: QPainter, box: QRectF, curve: Any) -> None:
    """What is left of a colour (up, 0 to 1) over the distance (to the right), with the numbers at the ends."""
    theme = style.theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(box, theme.color("sunken"))
    painter.setPen(QPen(theme.color("border"), 1))
    painter.drawRect(box)
    far = float(curve.distance[-1]) or 1.0
    painter.setFont(style.ui_font(8))
    inner = box.adjusted(2, 3, -2, -1 - painter.fontMetrics().height())
    points = [
        QPointF(inner.left() + inner.width() * float(x) / far, inner.bottom() - inner.height() * float(y))
        for x, y in zip(curve.distance, curve.factor, strict=True)
    ]
    painter.setPen(theme.color("muted"))
    for corner, number in ((Qt.AlignmentFlag.AlignLeft, 0.0), (Qt.AlignmentFlag.AlignRight, far)):
        painter.drawText(box.adjusted(3, 0, -3, 0), corner | Qt.AlignmentFlag.AlignBottom, f"{number:.4g}")
    painter.setPen(QPen(theme.color("accent"), 1.6))
    painter.drawPolyline(QPolygonF(points))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
