"""The timeline's widget: pointer and key handling, and the playhead over the ground (ui.widgets.timeline_ground)."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QToolTip

from ui import style
from ui.index import KIND_TITLES
from ui.keys.keymap import KEYS
from ui.widgets.timeline_ground import MARGIN, SOLID, TimelineGround
from ui.widgets.timeline_room import RULER
from ui.words import tip

SNAP = 24.0
"""Pixels of an average frame below which dragging goes from frame end to frame end."""


class TimelineStrip(TimelineGround):
    """`scrubbed(event)` while the playhead is dragged, `placed(event)` on a click."""

    scrubbed = Signal(int)
    placed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._hover: float | None = None
        self._pan_from = 0.0

    def _scrubbed_to(self, x: float) -> int:
        """Where dragging leads: zoomed out, to ends of frames, whose pictures are complete."""
        event = self.event_at(x)
        assert self._index is not None
        if self._lane().width() / len(self._visible_frames()) >= SNAP:
            return event
        return self._index.picture_event(self._index.frame(event))

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
            self.scrubbed.emit(self._scrubbed_to(x))
        elif self._drag == "pan":
            self._slide_to(self._begin - (x - self._pan_from) / self._scale())
            self._pan_from = x
        elif self._index:
            QToolTip.showText(event.globalPosition().toPoint(), tip(self._tip(self.event_at(x), x)), self)
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
            self.slide(-(delta.x() or delta.y()) / 120)
        else:
            self.zoom(0.8 ** (delta.y() / 120), event.position().x())
        event.accept()

    def slide(self, steps: float) -> None:
        """Shows later events (or earlier ones, if negative), a tenth of those that are seen in each step."""
        self._slide_to(self._begin + steps * 0.1 * (self._end - self._begin))

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
            case "left":
                self.slide(-1)
            case "right":
                self.slide(1)
            case "fit":
                self.fit()
            case _:
                super().keyPressEvent(event)

    def _tip(self, event: int, x: float) -> str:
        assert self._index is not None
        kind = KIND_TITLES[self._index.kind[event]]
        lines = [f"#{event}  {self._index.name(event)}   ·   frame {self._index.frame(event)}   ·   {kind.lower()}"]
        reach = 4 / self._scale()
        middle = self._begin + (x - MARGIN) / self._scale()
        for about in (one for row in self._rows for one in row):
            events = self._marks[about.name]
            first, last = np.searchsorted(events, (middle - reach, middle + reach))
            if first < last:
                more = f" and {last - first - 1} more" if last - first > 1 else ""
                lines.append(f"{about.title}: #{events[first]}{more}")
        lines += [f"Bookmark: {name or f'#{at}'}" for at, name in self._bookmarks if abs(at - middle) <= reach]
        lines += self._tip_of_life(self._index.frame(event), middle, reach)
        return "\n".join(lines)

    def _tip_of_life(self, frame: int, middle: float, reach: float) -> list[str]:
        """The picked pixel's colour after a frame, and what wrote it nearby."""
        if self._life is None:
            return []
        colors, writers = self._life
        color = colors[frame] if frame < len(colors) else colors[:0]
        known = len(color) and np.isfinite(color).all()
        after = " ".join(str(round(float(part) * 255)) for part in np.clip(color, 0, 1)) if known else "unknown"
        first, last = np.searchsorted(writers, (middle - reach, middle + reach))
        more = f" and {last - first - 1} more" if last - first > 1 else ""
        return [f"Pixel after the frame: {after}", *([f"Pixel written: #{writers[first]}{more}"] if first < last else [])]

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if not self._index or not len(self._index) or self._is_put_off():
                painter.fillRect(self.rect(), style.theme().color("panel"))
                return
            lane = self._lane()
            painter.drawPixmap(self.rect(), self._stretched() or self._ground(lane))
            self._paint_current_frame(painter, lane)
            self._paint_playhead(painter, lane)
            style.paint_focus(painter, self)

    def _stretched(self) -> QPixmap | None:
        """The ground of another size, until the next turn: with the window's size everything is painted at once."""
        (old, pixmap), now = self._painted or ((), None), self._key()
        if old == now or (*old[:2], *old[3:]) != (*now[:2], *now[3:]) or not self.isVisible():
            return None
        self._soon.start()
        return pixmap

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
        bubble = QRectF(left, 1.5, width, RULER - 4)
        for hidden in filter(bubble.intersects, self._labels):  # the rest of a number would read as another one
            painter.fillRect(hidden, style.theme().color("panel"))
        painter.setBrush(accent)
        painter.drawRoundedRect(bubble, 4, 4)
        painter.setPen(style.theme().color("on_accent"))
        painter.drawText(bubble, int(Qt.AlignmentFlag.AlignCenter), text)
