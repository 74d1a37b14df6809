"""The strip on top: frames as bands, events as density by kind, findings as flags, and the playhead one drags.

Time runs in events.  What lies under a pixel is a difference of running sums (`EventIndex.sums`), so painting costs the
same for a thousand events and for ten million.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui import style
from ui.index import CLEAR, COPY, DRAW, KIND_TITLES, KINDS, PRESENT, RESOURCE, EventIndex
from ui.keys.keymap import KEYS
from ui.words import tip

RULER = 20
FLAGS = 10
MARGIN = 10
SOLID = 5.0
"""From this many pixels an event on, each is a block of its own."""
SMALLEST_SPAN = 12
STACK = (DRAW, CLEAR, COPY, PRESENT, RESOURCE)


class TimelineStrip(QWidget):
    """`scrubbed(event)` while the playhead is dragged, `placed(event)` on a click."""

    scrubbed = Signal(int)
    placed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(64)
        self._index: EventIndex | None = None
        self._flags: list[tuple[int, str]] = []
        self._event = 0
        self._begin, self._end = 0.0, 1.0
        self._hover: float | None = None
        self._drag: str | None = None
        self._pan_from = 0.0
        self._painted: tuple[object, QPixmap] | None = None

    def sizeHint(self) -> QSize:
        return QSize(900, 92)

    def set_index(self, index: EventIndex | None) -> None:
        """Shows other events, without flags."""
        self._index, self._flags, self._painted = index, [], None
        self._event = 0
        self.fit()

    def set_flags(self, flags: list[tuple[int, str]]) -> None:
        """`flags`: (event, theme token) for each finding."""
        self._flags, self._painted = flags, None
        self.update()

    def set_event(self, event: int) -> None:
        self._event = event
        if self._index and not self._begin <= event < self._end and self._drag is None:
            self._slide_to(event - (self._end - self._begin) / 2)
        self.update()

    @property
    def shown(self) -> tuple[float, float]:
        return self._begin, self._end

    def fit(self) -> None:
        self._begin, self._end = 0.0, float(max(len(self._index) if self._index else 1, 1))
        self.update()

    def show_range(self, begin: float, end: float) -> None:
        """Shows the events [begin, end), within what there is."""
        total = float(max(len(self._index) if self._index else 1, 1))
        span = min(max(end - begin, min(SMALLEST_SPAN, total)), total)
        self._begin = min(max(begin, 0.0), total - span)
        self._end = self._begin + span
        self.update()

    def _slide_to(self, begin: float) -> None:
        self.show_range(begin, begin + self._end - self._begin)

    # Places

    def _scale(self) -> float:
        return max(self.width() - 2 * MARGIN, 1) / (self._end - self._begin)

    def x_of(self, event: float) -> float:
        return MARGIN + (event - self._begin) * self._scale()

    def event_at(self, x: float) -> int:
        event = int(self._begin + (x - MARGIN) / self._scale())
        return min(max(event, 0), max(len(self._index) - 1, 0)) if self._index else 0

    # Pointer and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._index:
            return
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag = "scrub"
            self.placed.emit(self.event_at(event.position().x()))
        elif event.button() in (Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton):
            self._drag, self._pan_from = "pan", event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        self._hover = x
        if self._drag == "scrub":
            self.scrubbed.emit(self.event_at(x))
        elif self._drag == "pan":
            self._slide_to(self._begin - (x - self._pan_from) / self._scale())
            self._pan_from = x
        elif self._index:
            QToolTip.showText(event.globalPosition().toPoint(), tip(self._tip(self.event_at(x))), self)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms to the frame under the pointer, or back out."""
        if not self._index or event.button() != Qt.MouseButton.LeftButton:
            return
        first, after = self._index.frame_range(self._index.frame(self.event_at(event.position().x())))
        if self._begin == first and self._end == after:
            self.fit()
        else:
            self.show_range(first, after)

    def leaveEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._hover = None
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self._index:
            return
        delta = event.angleDelta()
        if (delta.x() and abs(delta.x()) > abs(delta.y())) or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._slide_to(self._begin - (delta.x() or delta.y()) / 120 * 0.1 * (self._end - self._begin))
        else:
            self.zoom(0.8 ** (delta.y() / 120), event.position().x())
        event.accept()

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Shows `factor` times as many events; the one at `x` stays where it is."""
        x = self.x_of(self._event + 0.5) if x is None else x
        still = self._begin + (x - MARGIN) / self._scale()
        self.show_range(still - (still - self._begin) * factor, still + (self._end - still) * factor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match KEYS.meant(event, "timeline"):
            case "zoom-in":
                self.zoom(0.6)
            case "zoom-out":
                self.zoom(1 / 0.6)
            case "fit":
                self.fit()
            case _:
                super().keyPressEvent(event)

    def _tip(self, event: int) -> str:
        assert self._index is not None
        kind = KIND_TITLES[self._index.kind[event]]
        return f"#{event}  {self._index.name(event)}   ·   frame {self._index.frame(event)}   ·   {kind.lower()}"

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if not self._index or not len(self._index):
                painter.fillRect(self.rect(), style.theme().color("panel"))
                return
            lane = QRectF(MARGIN, RULER, self.width() - 2 * MARGIN, self.height() - RULER - FLAGS)
            painter.drawPixmap(0, 0, self._ground(lane))
            self._paint_current_frame(painter, lane)
            self._paint_playhead(painter, lane)
            style.paint_focus(painter, self)

    def _ground(self, lane: QRectF) -> QPixmap:
        """All that does not move with the playhead, repainted only when something of it changes."""
        key = (self._begin, self._end, self.size().toTuple(), self.devicePixelRatioF(), style.theme().name, len(self._flags))
        if self._painted is None or self._painted[0] != key:
            pixmap = QPixmap(self.size() * self.devicePixelRatioF())
            pixmap.setDevicePixelRatio(self.devicePixelRatioF())
            pixmap.fill(style.theme().color("panel"))
            with QPainter(pixmap) as painter:
                self._paint_frames(painter, lane)
                if self._scale() >= SOLID:
                    self._paint_blocks(painter, lane)
                else:
                    self._paint_density(painter, lane)
                self._paint_flags(painter, lane)
            self._painted = (key, pixmap)
        return self._painted[1]

    def _paint_current_frame(self, painter: QPainter, lane: QRectF) -> None:
        assert self._index is not None
        frame = self._index.frame(self._event)
        first, after = self._index.frame_range(frame)
        left, right = max(self.x_of(first), lane.left()), min(self.x_of(after), lane.right())
        if left < right:
            painter.fillRect(QRectF(left, lane.top(), right - left, lane.height()), style.theme().color("accent", 38))

    def _visible_frames(self) -> range:
        assert self._index is not None
        return range(self._index.frame(int(self._begin)), self._index.frame(max(int(self._end) - 1, 0)) + 1)

    def _paint_frames(self, painter: QPainter, lane: QRectF) -> None:
        """Bands, and as many frame numbers as fit."""
        assert self._index is not None
        theme, frames = style.theme(), self._visible_frames()
        painter.setFont(style.ui_font(8.5))
        room = QFontMetrics(painter.font()).horizontalAdvance("00000") + 12
        step = _round_step(len(frames) * room / max(lane.width(), 1))
        narrow = lane.width() / len(frames) < 3
        for frame in frames:
            first, after = self._index.frame_range(frame)
            left, right = max(self.x_of(first), lane.left()), min(self.x_of(after), lane.right())
            if frame % 2 and not narrow:
                painter.fillRect(QRectF(left, lane.top(), right - left, lane.height()), theme.color("stripe"))
            if frame % step == 0:
                self._paint_tick(painter, frame, left)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(lane.bottomLeft(), lane.bottomRight())

    def _paint_tick(self, painter: QPainter, frame: int, left: float) -> None:
        theme = style.theme()
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(QPointF(left, RULER - 6), QPointF(left, RULER))
        painter.setPen(theme.color("faint"))
        painter.drawText(QRectF(left + 4, 1, 90, RULER - 3), int(Qt.AlignmentFlag.AlignVCenter), str(frame))

    def _paint_density(self, painter: QPainter, lane: QRectF) -> None:
        """One column per pixel: quiet for all events, then the loud kinds stacked, each by its share of the busiest column."""
        assert self._index is not None
        theme, ratio = style.theme(), self.devicePixelRatioF()
        width, height = int(lane.width() * ratio), int(lane.height() * ratio)
        counts = column_counts(self._index, self._begin, self._end, width)
        picture = np.zeros((height, width), np.uint32)
        everything, loud = counts.sum(axis=0), counts[list(STACK)]
        quiet = np.sqrt(everything / max(everything.max(initial=1), 1)) * height * 0.45
        _columns(picture, np.zeros(width), quiet, theme.color("kind:other", 120))
        totals = loud.sum(axis=0)
        reach = np.sqrt(totals / max(totals.max(initial=1), 1)) * (height - 4 * ratio)
        floor = np.zeros(width)
        for kind, share in zip(STACK, loud / np.maximum(totals, 1), strict=True):
            tall = np.where(share > 0, np.maximum(reach * share, 2.0 * ratio), 0.0)
            _columns(picture, floor, tall, theme.color(f"kind:{KINDS[kind]}"))
            floor += tall
        painter.drawImage(lane.toRect(), QImage(picture.data, width, height, 4 * width, QImage.Format.Format_ARGB32))

    def _paint_blocks(self, painter: QPainter, lane: QRectF) -> None:
        """Zoomed in: every event is a block, as high as it is loud, with its name if that fits."""
        assert self._index is not None
        theme, scale = style.theme(), self._scale()
        painter.setFont(style.ui_font(8))
        metrics = painter.fontMetrics()
        for event in range(int(self._begin), min(int(np.ceil(self._end)), len(self._index))):
            kind = int(self._index.kind[event])
            height = lane.height() * (0.92 if kind == DRAW else 0.7 if kind in STACK else 0.35)
            block = QRectF(self.x_of(event) + 0.5, lane.bottom() - height, scale - 1.0, height) & lane
            color = theme.color(f"kind:{KINDS[kind]}", 230 if kind in STACK else 150)
            painter.fillRect(block, color)
            if block.width() > 46:
                painter.setPen(_ink(color))
                name = metrics.elidedText(self._index.name(event), Qt.TextElideMode.ElideRight, int(block.width()) - 8)
                painter.drawText(block.adjusted(4, 0, -4, -2), int(Qt.AlignmentFlag.AlignBottom), name)

    def _paint_flags(self, painter: QPainter, lane: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        seen: set[int] = set()
        for event, token in self._flags:
            x = self.x_of(event + 0.5)
            if lane.left() <= x <= lane.right() and int(x) not in seen:
                seen.add(int(x))
                painter.setBrush(style.theme().color(token))
                y = lane.bottom() + 2.5
                painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x + 3.5, y + 6), QPointF(x - 3.5, y + 6)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_playhead(self, painter: QPainter, lane: QRectF) -> None:
        theme = style.theme()
        if self._hover is not None and self._drag is None and lane.left() <= self._hover <= lane.right():
            painter.setPen(QPen(theme.color("faint"), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(self._hover, lane.top()), QPointF(self._hover, lane.bottom()))
        x = self.x_of(self._event + 0.5)
        if not lane.left() - 1 <= x <= lane.right() + 1:
            return
        accent, scale = theme.color("accent"), self._scale()
        if scale >= SOLID:
            painter.setPen(QPen(theme.color("text"), 1.5))
            painter.drawRect(QRectF(self.x_of(self._event), lane.top() + 0.5, scale, lane.height() - 1.5))
        painter.setPen(QPen(accent, 1.5))
        painter.drawLine(QPointF(x, RULER - 2), QPointF(x, lane.bottom() + 3))
        self._paint_bubble(painter, x, accent)

    def _paint_bubble(self, painter: QPainter, x: float, accent: QColor) -> None:
        """The playhead's handle: the event's number."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = style.ui_font(8.5)
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        text = str(self._event)
        width = painter.fontMetrics().horizontalAdvance(text) + 12
        left = min(max(x - width / 2, 2), self.width() - width - 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        bubble = QRectF(left, 1.5, width, RULER - 4)
        painter.drawRoundedRect(bubble, 4, 4)
        painter.setPen(style.theme().color("on_accent"))
        painter.drawText(bubble, int(Qt.AlignmentFlag.AlignCenter), text)


def column_counts(index: EventIndex, begin: float, end: float, width: int) -> np.ndarray:
    """int64 (kinds, width): how many events of each kind lie under each of `width` columns over [begin, end)."""
    edges = np.linspace(begin, end, width + 1).astype(np.int64).clip(0, len(index))
    return np.diff(index.sums[:, edges].astype(np.int64), axis=1)


def _columns(picture: np.ndarray, floor: np.ndarray, height: np.ndarray, color: QColor) -> None:
    """Fills uint32 (rows, columns) from `floor` up by `height`, both counted in rows from the bottom."""
    rows = picture.shape[0] - 1 - np.arange(picture.shape[0])[:, None]
    picture[(rows >= np.round(floor)) & (rows < np.round(floor + height))] = color.rgba()


def _round_step(least: float) -> int:
    """1, 2, 5, 10, 20, 50...: the first that is not below `least`."""
    step = 1
    while True:
        for digit in (1, 2, 5):
            if step * digit >= least:
                return step * digit
        step *= 10


def _ink(ground: QColor) -> QColor:
    return QColor("#14161a") if ground.lightnessF() > 0.5 else QColor("#ffffff")
