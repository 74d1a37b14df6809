"""Painting over an image: grid, values, wires, titles, the picked pixel, the tag at the pointer, the line of a wipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from ui import style

MIDDLE = 0.179
"""The luminance to which black and white have the same contrast: (1.05 * 0.05) ** 0.5 - 0.05."""
GRID_FROM = 8.0
CHECK = 8
SMOOTH_WIRES = 20_000
Words = Callable[[int, int], str]
Wire = tuple[str, float, list[QLineF]]
Titled = tuple[QRect, tuple[str, ...], bool]
"""Pixels of the picture, titles from the longest to the shortest, whether it is the chosen one."""


@dataclass(frozen=True)
class Frame:
    """Where the picture is in the widget: its corner, widget units per picture pixel, and the pixels in sight."""

    offset: QPointF
    scale: float
    zoom: float
    source: QRect

    @property
    def target(self) -> QRectF:
        """Of the pixels in sight."""
        return QRectF(self.place(self.source.topLeft().toPointF()), self.source.size().toSizeF() * self.scale)

    def place(self, pixel: QPointF) -> QPointF:
        """Where a place in the picture is in the widget."""
        return self.offset + pixel * self.scale

    def box(self, x: int, y: int) -> QRectF:
        """Of one pixel."""
        return QRectF(self.place(QPointF(x, y)), QSizeF(self.scale, self.scale))


def checkers(painter: QPainter, area: QRectF) -> None:
    theme = style.theme()
    tile = QImage(2 * CHECK, 2 * CHECK, QImage.Format.Format_RGB32)
    tile.fill(theme.color("checker_a"))
    with QPainter(tile) as inside:
        inside.fillRect(0, 0, CHECK, CHECK, theme.color("checker_b"))
        inside.fillRect(CHECK, CHECK, CHECK, CHECK, theme.color("checker_b"))
    painter.fillRect(area, QBrush(tile))


def wires(painter: QPainter, frame: Frame, rows: Sequence[Wire]) -> None:
    """As thin as the screen allows, however far one has zoomed."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, sum(len(lines) for _, _, lines in rows) < SMOOTH_WIRES)
    painter.translate(frame.offset)
    painter.scale(frame.scale, frame.scale)
    for token, width, lines in rows:
        pen = QPen(style.theme().color(token), width)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawLines(lines)
    painter.restore()


def grid(painter: QPainter, frame: Frame) -> None:
    strength = min(int((frame.zoom - GRID_FROM) * 6) + 22, 70)
    painter.setPen(QPen(QColor(128, 128, 128, strength), 0))
    area, source = frame.target, frame.source
    for column in range(source.width() + 1):
        x = area.left() + column * frame.scale
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
    for row in range(source.height() + 1):
        y = area.top() + row * frame.scale
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))


def labels(painter: QPainter, frame: Frame, argb: np.ndarray, alpha: bool, words: Words) -> None:
    """What is stored in each pixel."""
    painter.setFont(style.mono_font(7.5))
    source = frame.source
    for y in range(source.top(), source.bottom() + 1):
        for x in range(source.left(), source.right() + 1):
            word = int(argb[y, x])
            color = QColor.fromRgb(word & 0xFFFFFF)
            painter.setPen(ink_on(color))
            more = f"\n{word >> 24}" if alpha else ""
            text = words(x, y) or f"{color.red()}\n{color.green()}\n{color.blue()}{more}"
            painter.drawText(frame.box(x, y), int(Qt.AlignmentFlag.AlignCenter), text)


def ink_on(color: QColor) -> QColor:
    """Black or white, whichever has more contrast to a colour, by relative luminance (WCAG 2.1, 1.4.3)."""
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return QColor("#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE else "#ffffff")


def titles(painter: QPainter, frame: Frame, rows: Sequence[Titled]) -> None:
    """A frame around each, with the longest title that there is room for: half of a number would be another."""
    theme = style.theme()
    painter.setFont(style.ui_font(8))
    metrics = painter.fontMetrics()
    for area, texts, chosen in rows:
        box = QRectF(frame.place(QPointF(area.topLeft())), QSizeF(area.size()) * frame.scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent" if chosen else "border"), 2 if chosen else 1))
        painter.drawRect(box.adjusted(-1, -1, 1, 1))
        words = next((text for text in texts if metrics.horizontalAdvance(text) + 6 <= box.width()), "")
        if not words or box.height() < metrics.height():
            continue
        ground = QRectF(box.left(), box.top(), metrics.horizontalAdvance(words) + 6, metrics.height())
        painter.fillRect(ground, theme.color("panel", 200))
        painter.setPen(theme.color("text"))
        painter.drawText(ground, int(Qt.AlignmentFlag.AlignCenter), words)


def outline(painter: QPainter, frame: Frame) -> None:
    """Where the picture ends, which a dark one does not show on a dark canvas."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(style.theme().color("border"), 1))
    painter.drawRect(frame.target.adjusted(-1, -1, 0, 0))


def tag(painter: QPainter, text: str, pointer: QPointF, area: QRect) -> None:
    """Words beside the pointer, within the widget."""
    theme = style.theme()
    painter.setFont(style.ui_font(9))
    size = painter.fontMetrics().size(0, text)
    box = QRectF(pointer + QPointF(14, 16), QSizeF(size.width() + 12, size.height() + 6))
    box.moveRight(min(box.right(), area.width() - 2))
    if box.bottom() > area.height():
        box.moveBottom(pointer.y() - 6)
    painter.setPen(QPen(theme.color("border"), 1))
    painter.setBrush(theme.color("panel"))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.color("text"))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


def marker(painter: QPainter, frame: Frame, pixel: tuple[int, int]) -> None:
    """The chosen pixel: a frame around it, and hair lines to find it by."""
    side = max(frame.scale, 5.0)
    middle = frame.place(QPointF(pixel[0] + 0.5, pixel[1] + 0.5))
    box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(QColor(0, 0, 0, 210), 3.5), QPen(QColor(255, 255, 255), 1.5)):
        painter.setPen(pen)
        painter.drawRect(box)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            start = middle + QPointF(dx, dy) * (side / 2 + 3)
            painter.drawLine(start, start + QPointF(dx, dy) * 7)


def wipe_line(painter: QPainter, x: float, height: int, names: tuple[str, str]) -> None:
    """Where one picture ends and the other begins, with what they are on either side."""
    theme = style.theme()
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.drawLine(QPointF(x, 0), QPointF(x, height))
    painter.setBrush(theme.color("accent"))
    painter.drawEllipse(QPointF(x, height / 2), 5, 9)
    painter.setFont(style.ui_font(8.5))
    metrics = painter.fontMetrics()
    for text, right in zip(names, (True, False), strict=True):
        width = metrics.horizontalAdvance(text) + 10
        box = QRectF(x - width - 6 if right else x + 6, 6, width, metrics.height() + 4)
        painter.fillRect(box, theme.color("panel", 210))
        painter.setPen(theme.color("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


def caption(painter: QPainter, text: str) -> None:
    """What the picture is, in the upper left corner."""
    theme = style.theme()
    painter.setFont(style.ui_font(8.5))
    metrics = painter.fontMetrics()
    box = QRectF(6, 6, metrics.horizontalAdvance(text) + 10, metrics.height() + 4)
    painter.fillRect(box, theme.color("panel", 210))
    painter.setPen(theme.color("text"))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
