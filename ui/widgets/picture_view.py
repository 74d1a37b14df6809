"""A zoomable image: zoom at the pointer, pan, pick pixels, read their values, and see the grid between them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy

from ui import style
from ui.keys.keymap import KEYS
from ui.widgets import picture_paint as paint
from ui.widgets.controls import single_shot
from ui.widgets.picture_layers import Layered
from ui.widgets.picture_paint import GRID_FROM, Frame, Words

SMALLEST, LARGEST = 1 / 32, 128.0
LABELS_FROM = 46.0
LOWEST = 56
"""Pixels of height that a picture keeps in the smallest window."""
GRAB = 7
"""Widget units beside the line of a wipe where it can be taken."""
_MOVES = {"pixel-left": (-1, 0), "pixel-right": (1, 0), "pixel-up": (0, -1), "pixel-down": (0, 1)}
_ZOOMS = {"zoom-in": 1, "zoom-out": -1}
_WIPES = {"wipe-left": -0.05, "wipe-right": 0.05}
_COMMANDS = ("next-view", "histogram", "keep-other", "fit-range", "copy-image")
_HELD = ("hold-before", "hold-other")
LET_GO = 60
"""Milliseconds after which a released key is up: X11 repeats one that is held as a release and a press, and Qt does not
always notice."""


class PictureView(Layered):
    """`picked(x, y)`: chosen with a click, the right button held down, or Shift and the arrow keys.
    `hovered(x, y)`: under the pointer, (-1, -1) when it leaves.  `zoomed(factor)`: screen pixels per picture pixel."""

    picked = Signal(int, int)
    hovered = Signal(int, int)
    zoomed = Signal(float)
    followed = Signal(int, int)
    """Clicked, without Ctrl, where a tag says that this leads on."""
    opened = Signal(int, int)
    """Clicked twice."""
    commanded = Signal(str)
    """One of _COMMANDS: its key was pressed."""
    held = Signal(str)
    """One of _HELD while its key is down, then ""."""
    menu_wanted = Signal(QPoint)
    """The menu of the picked pixel, at this place of the screen: the right button was clicked, or the menu key."""
    moved = Signal(float, QPointF)
    """Zoom and offset are others because the user moved the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Image of the surface")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, LOWEST)
        self._image: QImage | None = None
        self._argb: np.ndarray | None = None
        self._alpha = self._checkers = False
        self._size = (0, 0)
        self._zoom, self._fitting = 1.0, True
        self._offset = QPointF(0, 0)
        self._pixel: tuple[int, int] | None = None
        self._press: QPointF | None = None
        self._dragged = False
        self.grid = True
        self._splitting, self._holding = False, ""
        self._letting_go = single_shot(self, LET_GO, lambda: self._hold(""))
        self.message = ""
        self._words: Words = lambda x, y: ""

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    def set_picture(
        self, argb: np.ndarray | None, alpha: bool = False, words: Words = lambda x, y: "", checkers: bool = True
    ) -> None:
        """Shows uint32 (h, w) 0xAARRGGBB without copying it; keeps zoom and place while the size stays, be there
        no picture in between.

        `alpha`: what is transparent shows the ground, a checkerboard or (`checkers` False) the widget's.
        `words(x, y)`: what large pixels have written in them; empty: the 8-bit numbers that are shown.
        """
        self._alpha, self._words, self._checkers = alpha, words, alpha and checkers
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

    @property
    def holding(self) -> str:
        """One of _HELD while its key is down."""
        return self._holding

    def _split_place(self) -> float:
        return float(self._offset.x() + self._split * self.picture_size[0] * self._scale)

    def place(self, zoom: float, offset: QPointF) -> None:
        """Zoom and place of another view of a picture of the same size."""
        self._fitting, self._zoom, self._offset = False, zoom, QPointF(offset)
        self.update()

    def set_pixel(self, pixel: tuple[int, int] | None) -> None:
        if pixel != self._pixel:
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
        self.moved.emit(self._zoom, self._offset)
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

    def color_at(self, x: int, y: int) -> tuple[int, int, int] | None:
        """Red, green and blue of a pixel as it is shown, 0 to 255; None outside the picture."""
        width, height = self.picture_size
        if self._argb is None or not (0 <= x < width and 0 <= y < height):
            return None
        argb = int(self._argb[y, x])
        return argb >> 16 & 255, argb >> 8 & 255, argb & 255

    def place_of(self, x: int, y: int) -> QPoint:
        """Where the middle of a pixel is in the widget."""
        return (self._offset + QPointF(x + 0.5, y + 0.5) * self._scale).toPoint()

    # Pointer and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press, self._dragged = event.position(), False
        left = event.button() == Qt.MouseButton.LeftButton
        self._splitting = left and self._second is not None and abs(event.position().x() - self._split_place()) <= GRAB
        if event.button() == Qt.MouseButton.RightButton:
            self._pick(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = place = event.position()
        x, y = self.pixel_at(place) or (-1, -1)
        self.hovered.emit(x, y)
        if self._press is None:
            return
        if self._splitting:
            self._dragged = True
            self.set_split(self._to_picture(place).x() / max(self.picture_size[0], 1))
        elif event.buttons() & Qt.MouseButton.RightButton:
            self._dragged |= self.pixel_at(place) != self.pixel_at(self._press)
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
        self.moved.emit(self._zoom, self._offset)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._dragged:
            pixel = self.pixel_at(event.position())
            if pixel and self._tag and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.followed.emit(*pixel)
            elif pixel:
                self.picked.emit(*pixel)
        elif event.button() == Qt.MouseButton.RightButton and not self._dragged and self.pixel_at(event.position()):
            self.menu_wanted.emit(event.globalPosition().toPoint())
        self._press, self._splitting = None, False
        self.unsetCursor()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu key; the mouse has its menu when the button is released, as it picks pixels while it is held."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self._pixel is not None:
            self.menu_wanted.emit(self.mapToGlobal(self.place_of(*self._pixel)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.fit()
        elif pixel := self.pixel_at(event.position()):
            self.opened.emit(*pixel)

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
        elif meant in _WIPES and self._second is not None:
            self.set_split(self._split + _WIPES[meant])
        elif meant in _COMMANDS:
            self.commanded.emit(meant)
        elif meant in _HELD:
            self._hold(meant)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._holding and not event.isAutoRepeat():
            self._letting_go.start()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._hold("")
        super().focusOutEvent(event)

    def _hold(self, name: str) -> None:
        self._letting_go.stop()
        if name != self._holding:
            self._holding = name
            self.held.emit(name)

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
            painter.fillRect(self.rect(), style.theme().color("canvas"))
            if self._image is None or self._argb is None:
                style.paint_hint(painter, self.rect(), self.message)
                style.paint_focus(painter, self)
                return
            frame = Frame(self._offset, self._scale, self._zoom, self._visible_pixels())
            if self._checkers:
                paint.checkers(painter, frame.target)
            self._paint_pictures(painter, frame)
            paint.outline(painter, frame)
            paint.wires(painter, frame, (*self._wires, *self._glowing))
            if self.grid and self._zoom >= GRID_FROM:
                paint.grid(painter, frame)
            if self._zoom >= LABELS_FROM and not self._titles:
                paint.labels(painter, frame, self._argb, self._alpha, self._words)
            paint.titles(painter, frame, self._titles)
            if self._pixel is not None and all(n < size for n, size in zip(self._pixel, self.picture_size, strict=True)):
                paint.marker(painter, frame, self._pixel)
            if self._second is not None:
                paint.wipe_line(painter, self._split_place(), self.height(), self._names)
            if self._caption:
                paint.caption(painter, self._caption)
            if self._tag:
                paint.tag(painter, self._tag, self._pointer, self.rect())
            style.paint_focus(painter, self)

    def _paint_pictures(self, painter: QPainter, frame: Frame) -> None:
        """The picture, to the right of a wipe's line the other one, over both the layers."""
        assert self._image is not None
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._zoom < 2 and self._zoom != 1)
        painter.drawImage(frame.target, self._image, QRectF(frame.source))
        if self._second is not None:
            painter.save()
            painter.setClipRect(QRectF(self._split_place(), 0, self.width(), self.height()))
            painter.drawImage(frame.target, self._second, QRectF(frame.source))
            painter.restore()
        for layer, opacity in self._layers:
            if (layer.width(), layer.height()) == self.picture_size:
                painter.setOpacity(opacity)
                painter.drawImage(frame.target, layer, QRectF(frame.source))
        painter.setOpacity(1.0)
        if self._glow is not None and (self._glow.width(), self._glow.height()) == self.picture_size:
            painter.drawImage(frame.target, self._glow, QRectF(frame.source))

    def _visible_pixels(self) -> QRect:
        first = self._to_picture(QPointF(0, 0))
        last = self._to_picture(QPointF(self.width(), self.height()))
        corners = (QPoint(int(np.floor(corner.x())), int(np.floor(corner.y()))) for corner in (first, last))
        return QRect(*corners) & QRect(0, 0, *self.picture_size)


def _next_zoom(zoom: float, notches: float) -> float:
    """Eight steps to a doubling below 1, and to whole factors above 4."""
    zoom = zoom * 2 ** (notches / 3)
    return float(round(zoom)) if zoom > 6 else zoom
