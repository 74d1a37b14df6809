"""A picture one can go into: zoom at the pointer, pan, pick pixels, read them, and see the grid between them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style
from ui.keys.keymap import KEYS

SMALLEST, LARGEST = 1 / 32, 128.0
GRID_FROM = 8.0
LABELS_FROM = 46.0
CHECK = 8
SMOOTH_WIRES = 20_000
_MOVES = {"pixel-left": (-1, 0), "pixel-right": (1, 0), "pixel-up": (0, -1), "pixel-down": (0, 1)}
_ZOOMS = {"zoom-in": 1, "zoom-out": -1}


Words = Callable[[int, int], str]


class PictureView(QWidget):
    """`picked(x, y)`: chosen with a click, the right button held down, or Shift and the arrow keys.
    `hovered(x, y)`: under the pointer, (-1, -1) when it leaves.  `zoomed(factor)`: screen pixels per picture pixel."""

    picked = Signal(int, int)
    hovered = Signal(int, int)
    zoomed = Signal(float)
    followed = Signal(int, int)
    """Clicked with Ctrl."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Image of the surface")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 90)
        self._image: QImage | None = None
        self._argb: np.ndarray | None = None
        self._alpha = False
        self._size = (0, 0)
        self._zoom, self._fitting = 1.0, True
        self._offset = QPointF(0, 0)
        self._pixel: tuple[int, int] | None = None
        self._press: QPointF | None = None
        self._dragged = False
        self.grid = True
        self._overlay: QImage | None = None
        self._opacity = 1.0
        self._tag, self._pointer = "", QPointF()
        self._wires: tuple[tuple[str, float, list[QLineF]], ...] = ()
        self.message = ""
        self._words: Words = lambda x, y: ""

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    def set_picture(self, argb: np.ndarray | None, alpha: bool = False, words: Words = lambda x, y: "") -> None:
        """Shows uint32 (h, w) 0xAARRGGBB without copying it; keeps zoom and place while the size stays, be there
        no picture in between.

        `words(x, y)`: what large pixels have written in them; empty: the 8-bit numbers that are shown.
        """
        self._alpha, self._words = alpha, words
        self._argb = None if argb is None else np.ascontiguousarray(argb)
        self._image = None
        if self._argb is not None:
            height, width = self._argb.shape
            form = QImage.Format.Format_ARGB32 if alpha else QImage.Format.Format_RGB32
            self._image = QImage(self._argb.data, width, height, 4 * width, form)
        if self._argb is not None and (self.picture_size != self._size or self._fitting):
            self._size = self.picture_size
            self.fit()
        self.update()

    def set_overlay(self, rgba: np.ndarray | None) -> None:
        """uint8 (h, w, 4) R G B A over the picture, without copying it; None: nothing."""
        self._overlay_rgba = None if rgba is None else np.ascontiguousarray(rgba)
        self._overlay = None
        if self._overlay_rgba is not None:
            height, width = rgba.shape[:2]  # type: ignore[union-attr]
            self._overlay = QImage(self._overlay_rgba.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        self.update()

    def set_opacity(self, opacity: float) -> None:
        """Of the overlay, 0 to 1."""
        self._opacity = opacity
        self.update()

    def set_tag(self, text: str) -> None:
        """Words beside the pointer; empty: none."""
        if text or self._tag:
            self._tag = text
            self.update()

    @property
    def tag(self) -> str:
        return self._tag

    def set_wires(self, *wires: tuple[str, float, np.ndarray]) -> None:
        """(theme token, width, float32 (n, 4) x y x y in picture pixels): lines over the picture, the last ones on top."""
        self._wires = tuple((token, width, [QLineF(*ends) for ends in lines.tolist()]) for token, width, lines in wires)
        self.update()

    def set_pixel(self, pixel: tuple[int, int] | None) -> None:
        self._pixel = pixel
        self.update()

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height; (0, 0) without a picture."""
        return (self._argb.shape[1], self._argb.shape[0]) if self._argb is not None else (0, 0)

    @property
    def zoom(self) -> float:
        """Device pixels per picture pixel."""
        return self._zoom

    @property
    def fitting(self) -> bool:
        return self._fitting

    def fit(self) -> None:
        """As large as fits, whole; enlarged only by whole factors, so that pixels stay square."""
        width, height = self.picture_size
        self._fitting = True
        if width and self.width() > 0:
            zoom = min((self.width() - 16) / width, (self.height() - 16) / height) * self.devicePixelRatioF()
            self._set_zoom(np.floor(zoom) if zoom >= 2 else zoom)
            self._center()

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Zooms so that the picture's point at `about` (widget coordinates; default: the middle) stays where it is."""
        about = about or QPointF(self.width() / 2, self.height() / 2)
        still = self._to_picture(about)
        self._fitting = False
        self._set_zoom(zoom)
        self._offset = about - still * self._scale
        self._keep_in_sight()
        self.update()

    def _set_zoom(self, zoom: float) -> None:
        self._zoom = float(min(max(zoom, SMALLEST), LARGEST))
        self.zoomed.emit(self._zoom)

    @property
    def _scale(self) -> float:
        """Widget units per picture pixel."""
        return self._zoom / self.devicePixelRatioF()

    def _center(self) -> None:
        width, height = self.picture_size
        self._offset = QPointF((self.width() - width * self._scale) / 2, (self.height() - height * self._scale) / 2)
        self.update()

    def _keep_in_sight(self) -> None:
        """At least a quarter of the widget, or the whole picture, stays visible."""
        width, height = (side * self._scale for side in self.picture_size)
        keep_x, keep_y = min(width, self.width() / 4), min(height, self.height() / 4)
        x = min(max(self._offset.x(), keep_x - width), self.width() - keep_x)
        y = min(max(self._offset.y(), keep_y - height), self.height() - keep_y)
        self._offset = QPointF(x, y)

    def _to_picture(self, place: QPointF) -> QPointF:
        return (place - self._offset) / self._scale

    def pixel_at(self, place: QPointF) -> tuple[int, int] | None:
        """The picture's pixel at a place in the widget."""
        point, (width, height) = self._to_picture(place), self.picture_size
        x, y = int(np.floor(point.x())), int(np.floor(point.y()))
        return (x, y) if 0 <= x < width and 0 <= y < height else None

    def place_of(self, x: int, y: int) -> QPoint:
        """Where the middle of a pixel is in the widget."""
        return (self._offset + QPointF(x + 0.5, y + 0.5) * self._scale).toPoint()

    # Pointer and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press, self._dragged = event.position(), False
        if event.button() == Qt.MouseButton.RightButton:
            self._pick(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = place = event.position()
        x, y = self.pixel_at(place) or (-1, -1)
        self.hovered.emit(x, y)
        if self._press is None:
            return
        if event.buttons() & Qt.MouseButton.RightButton:
            self._pick(place)
        elif event.buttons() & (Qt.MouseButton.LeftButton | Qt.MouseButton.MiddleButton):
            self._pan(place)

    def _pan(self, place: QPointF) -> None:
        assert self._press is not None
        if not self._dragged and (place - self._press).manhattanLength() < 4:
            return
        self._dragged, self._fitting = True, False
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._offset += place - self._press
        self._press = place
        self._keep_in_sight()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._dragged:
            pixel = self.pixel_at(event.position())
            if pixel and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.followed.emit(*pixel)
            elif pixel:
                self.picked.emit(*pixel)
        self._press = None
        self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.fit()

    def leaveEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self.hovered.emit(-1, -1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / 120
        if notches and self._image is not None:
            self.set_zoom(_next_zoom(self._zoom, notches), event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        meant = KEYS.meant(event, "surface")
        if meant in _ZOOMS:
            self.set_zoom(_next_zoom(self._zoom, _ZOOMS[meant]))
        elif meant == "fit":
            self.fit()
        elif meant in _MOVES:
            self._nudge(*_MOVES[meant])
        else:
            super().keyPressEvent(event)

    def _pick(self, place: QPointF) -> None:
        if pixel := self.pixel_at(place):
            self.picked.emit(*pixel)

    def _nudge(self, dx: int, dy: int) -> None:
        width, height = self.picture_size
        if width:
            x, y = self._pixel or (width // 2 - dx, height // 2 - dy)
            self.picked.emit(min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._fitting:
            self.fit()
        else:
            self._keep_in_sight()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            theme = style.theme()
            painter.fillRect(self.rect(), theme.color("canvas"))
            if self._image is None:
                style.paint_hint(painter, self.rect(), self.message)
                style.paint_focus(painter, self)
                return
            source = self._visible_pixels()
            target = QRectF(self._offset + QPointF(source.topLeft()) * self._scale, source.size().toSizeF() * self._scale)
            if self._alpha:
                _paint_checkers(painter, target)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._zoom < 2 and self._zoom != 1)
            painter.drawImage(target, self._image, QRectF(source))
            if self._overlay is not None and (self._overlay.width(), self._overlay.height()) == self.picture_size:
                painter.setOpacity(self._opacity)
                painter.drawImage(target, self._overlay, QRectF(source))
                painter.setOpacity(1.0)
            self._paint_wires(painter)
            if self.grid and self._zoom >= GRID_FROM:
                self._paint_grid(painter, source)
            if self._zoom >= LABELS_FROM:
                self._paint_labels(painter, source)
            self._paint_marker(painter)
            self._paint_tag(painter)
            style.paint_focus(painter, self)

    def _paint_wires(self, painter: QPainter) -> None:
        """As thin as the screen allows, however far one has zoomed."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, sum(len(lines) for _, _, lines in self._wires) < SMOOTH_WIRES)
        painter.translate(self._offset)
        painter.scale(self._scale, self._scale)
        for token, width, lines in self._wires:
            pen = QPen(style.theme().color(token), width)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawLines(lines)
        painter.restore()

    def _visible_pixels(self) -> QRect:
        first = self._to_picture(QPointF(0, 0))
        last = self._to_picture(QPointF(self.width(), self.height()))
        corners = (QPoint(int(np.floor(corner.x())), int(np.floor(corner.y()))) for corner in (first, last))
        return QRect(*corners) & QRect(0, 0, *self.picture_size)

    def _paint_grid(self, painter: QPainter, source: QRect) -> None:
        strength = min(int((self._zoom - GRID_FROM) * 6) + 22, 70)
        painter.setPen(QPen(QColor(128, 128, 128, strength), 0))
        corner = self._offset + QPointF(source.topLeft()) * self._scale
        width, height = source.width() * self._scale, source.height() * self._scale
        for column in range(source.width() + 1):
            x = corner.x() + column * self._scale
            painter.drawLine(QPointF(x, corner.y()), QPointF(x, corner.y() + height))
        for row in range(source.height() + 1):
            y = corner.y() + row * self._scale
            painter.drawLine(QPointF(corner.x(), y), QPointF(corner.x() + width, y))

    def _paint_labels(self, painter: QPainter, source: QRect) -> None:
        """What is stored in each pixel."""
        assert self._argb is not None
        painter.setFont(style.mono_font(7.5))
        for y in range(source.top(), source.bottom() + 1):
            for x in range(source.left(), source.right() + 1):
                word = int(self._argb[y, x])
                color = QColor.fromRgb(word & 0xFFFFFF)
                painter.setPen(QColor("#000000") if color.lightnessF() > 0.5 else QColor("#ffffff"))
                box = QRectF(self._offset + QPointF(x, y) * self._scale, QSizeF(self._scale, self._scale))
                alpha = f"\n{word >> 24}" if self._alpha else ""
                text = self._words(x, y) or f"{color.red()}\n{color.green()}\n{color.blue()}{alpha}"
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)

    def _paint_tag(self, painter: QPainter) -> None:
        """Beside the pointer, within the widget."""
        if not self._tag:
            return
        theme = style.theme()
        painter.setFont(style.ui_font(9))
        size = painter.fontMetrics().size(0, self._tag)
        box = QRectF(self._pointer + QPointF(14, 16), QSizeF(size.width() + 12, size.height() + 6))
        box.moveRight(min(box.right(), self.width() - 2))
        if box.bottom() > self.height():
            box.moveBottom(self._pointer.y() - 6)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.setBrush(theme.color("panel"))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.color("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self._tag)

    def _paint_marker(self, painter: QPainter) -> None:
        """The chosen pixel: a frame around it, and hair lines to find it by."""
        if self._pixel is None:
            return
        side = max(self._scale, 5.0)
        middle = self._offset + QPointF(self._pixel[0] + 0.5, self._pixel[1] + 0.5) * self._scale
        box = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(QColor(0, 0, 0, 210), 3.5), QPen(QColor(255, 255, 255), 1.5)):
            painter.setPen(pen)
            painter.drawRect(box)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                start = middle + QPointF(dx, dy) * (side / 2 + 3)
                painter.drawLine(start, start + QPointF(dx, dy) * 7)


def _next_zoom(zoom: float, notches: float) -> float:
    """Eight steps to a doubling below 1, and to whole factors above 4."""
    zoom = zoom * 2 ** (notches / 3)
    return float(round(zoom)) if zoom > 6 else zoom


def _paint_checkers(painter: QPainter, area: QRectF) -> None:
    theme = style.theme()
    tile = QImage(2 * CHECK, 2 * CHECK, QImage.Format.Format_RGB32)
    tile.fill(theme.color("checker_a"))
    with QPainter(tile) as inside:
        inside.fillRect(0, 0, CHECK, CHECK, theme.color("checker_b"))
        inside.fillRect(CHECK, CHECK, CHECK, CHECK, theme.color("checker_b"))
    painter.fillRect(area, QBrush(tile))
