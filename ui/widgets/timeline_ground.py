"""The timeline's ground: frames as bands, events as density by kind or cost, marks, a pixel's life, and the playhead.

Time runs in events.  What lies under a pixel is a difference of running sums (`EventIndex.before`), so painting costs the
same for a thousand events and for ten million.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui import style
from ui.index import CLEAR, COPY, DRAW, KINDS, PRESENT, RESOURCE, EventIndex
from ui.widgets.controls import single_shot
from ui.widgets.picture_paint import ink_on
from ui.widgets.timeline_marks import (
    BY_NAME,
    ROW,
    MarkKind,
    paint_flags,
    paint_life,
    paint_row,
    paint_shape,
    paint_waiting,
    places,
    rows_of,
    worst_first,
)
from ui.widgets.timeline_room import FLAGS, LIFE, RULER, Room, round_step, share_out

MARGIN = 10
SOLID = 5.0
"""From this many pixels an event on, each is a block of its own."""
SMALLEST_SPAN = 12
BETWEEN = 4
"""Pixels between two pictures."""
STACK = (DRAW, CLEAR, COPY, PRESENT, RESOURCE)


class TimelineGround(QWidget):
    """What the timeline shows of the events [begin, end): all that does not move with the playhead is painted once."""

    moved = Signal()
    """Other events, or another height, came into sight."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(64)
        self._index: EventIndex | None = None
        self._flags: list[tuple[int, str]] = []
        self._event = 0
        self._begin, self._end = 0.0, 1.0
        self._drag: str | None = None
        self._painted: tuple[tuple[object, ...], QPixmap] | None = None
        self._columns: tuple[object, QPixmap] | None = None
        self._new = False  # the ground of these events has not been painted yet
        self._soon = single_shot(self, 0, self._paint_new)
        self._labels = list[QRectF]()
        self._forget()

    def _forget(self) -> None:
        """What belongs to one capture."""
        self._marks: dict[str, np.ndarray] = {}
        self._rows: list[list[MarkKind]] = []
        self._recent: list[int] = []
        self._bookmarks: tuple[tuple[int, str], ...] = ()
        self._life: tuple[np.ndarray, np.ndarray] | None = None
        self._awaits_life = False
        self._costs: np.ndarray | None = None
        self._pictures: dict[int, QImage] | None = None

    def sizeHint(self) -> QSize:
        return QSize(900, 92)

    def set_index(self, index: EventIndex | None) -> None:
        """Shows other events, without flags."""
        self._index, self._flags, self._painted, self._columns = index, [], None, None
        self._event, self._new = 0, True
        self._forget()
        self.fit()

    def grow(self, index: EventIndex | None) -> None:
        """The same events and more after them; a range that was zoomed to stays."""
        whole = self._begin <= 0 and self._end >= float(len(self._index) if self._index else 1)
        self._index, self._painted, self._columns = index, None, None
        if whole:
            self.fit()
        self._repaint()

    def set_flags(self, flags: list[tuple[int, str]]) -> None:
        """`flags`: (event, theme token) for each finding."""
        self._flags = worst_first(flags)
        self._repaint()

    def set_marks(self, name: str, events: np.ndarray) -> None:
        """Marks of a kind (ui.widgets.timeline_marks.MARKS) at these events, ascending."""
        if np.array_equal(self._marks.get(name, ()), events):
            return  # as with every event that has no pixel: the ground is dear to paint
        self._marks[name] = np.asarray(events, np.int64)
        self._rows = rows_of(self._marks)
        self._recent = [BY_NAME[name].row, *(row for row in self._recent if row != BY_NAME[name].row)]
        self._share_again()

    def set_bookmarks(self, bookmarks: Sequence[tuple[int, str]]) -> None:
        """(event, name) of each."""
        self._bookmarks = tuple(bookmarks)
        self._repaint()

    def set_life(self, life: tuple[np.ndarray, np.ndarray] | None, awaited: bool = False) -> None:
        """A pixel's colours (float32[frames, 4], NaN: none) and the events that wrote it; None: no ribbon, or not yet."""
        self._life, self._awaits_life = life, awaited
        self._share_again()

    def set_costs(self, costs: np.ndarray | None) -> None:
        """float64[events + 1]: what all events before each cost; that is the height then.  None: their number is."""
        self._costs, self._columns = costs, None
        self._repaint()

    def set_pictures(self, pictures: Mapping[int, QImage] | None) -> None:
        """Of frames at their ends; None: no row for them."""
        self._pictures = None if pictures is None else dict(pictures)
        self._repaint()

    def _repaint(self) -> None:
        self._painted = None
        self.update()

    def _share_again(self) -> None:
        """The room for pictures is another, perhaps: smaller ones are of more frames."""
        self._repaint()
        if self._pictures is not None:
            self.moved.emit()

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
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def show_range(self, begin: float, end: float) -> None:
        """Shows the events [begin, end), within what there is."""
        total = float(max(len(self._index) if self._index else 1, 1))
        span = min(max(end - begin, min(SMALLEST_SPAN, total)), total)
        self._begin = min(max(begin, 0.0), total - span)
        self._end = self._begin + span
        self.update()
        self.moved.emit()

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

    def _room(self) -> Room:
        return share_out(self.height(), len(self._rows), self._has_life, self._pictures is not None)

    @property
    def _has_life(self) -> bool:
        return self._life is not None or self._awaits_life

    def _lane(self) -> QRectF:
        """Where the events are."""
        room = self._room()
        below = FLAGS + ROW * room.rows + (LIFE if self._has_life else 0)
        return QRectF(MARGIN, RULER + room.above, self.width() - 2 * MARGIN, self.height() - RULER - room.above - below)

    def _shown_rows(self) -> list[list[MarkKind]]:
        """As many as leave room for the events: those that were marked last."""
        there = {kinds[0].row for kinds in self._rows}
        shown = [row for row in self._recent if row in there][: self._room().rows]
        return [kinds for kinds in self._rows if kinds[0].row in shown]

    def picture_places(self) -> list[tuple[int, float]]:
        """(frame, x) of the pictures that there is room for: of the first frame that begins under each."""
        width, found = self._room().width, dict[int, float]()
        if self._index is None or not width:
            return []
        for x in np.arange(MARGIN, self.width() - MARGIN - width / 2, width + BETWEEN).tolist():
            found.setdefault(self._index.frame(self.event_at(x)), x)
        return list(found.items())

    # Painting

    def _is_put_off(self) -> bool:
        """Whether the ground is painted in the next turn: the first one, at which Qt paints the whole window at once."""
        if self._new and self.isVisible():
            self._soon.start()
            return True
        return False

    def _paint_new(self) -> None:
        self._new = False
        if self._index:
            self._ground(self._lane())
        self.update()

    def _key(self) -> tuple[object, ...]:
        """What the ground, and the columns in it, depend on."""
        return self._begin, self._end, self.size().toTuple(), self.devicePixelRatioF(), style.theme().name

    def _ground(self, lane: QRectF) -> QPixmap:
        """All that does not move with the playhead, repainted only when something of it changes."""
        key = self._key()
        if self._painted is None or self._painted[0] != key:
            pixmap = QPixmap(self._bed(key, lane))
            with QPainter(pixmap) as painter:
                paint_flags(painter, lane, self._flags, self.x_of)
                self._paint_found(painter, lane)
                self._paint_pictures(painter)
            self._painted = (key, pixmap)
        return self._painted[1]

    def _bed(self, key: tuple[object, ...], lane: QRectF) -> QPixmap:
        """Frames and events, kept while nothing but marks changes."""
        key = *key, lane.getRect(), style.ui_font(8.5).key()
        if self._columns is None or self._columns[0] != key:
            pixmap = QPixmap(self.size() * self.devicePixelRatioF())
            pixmap.setDevicePixelRatio(self.devicePixelRatioF())
            pixmap.fill(style.theme().color("panel"))
            with QPainter(pixmap) as painter:
                self._paint_frames(painter, lane)
                if self._costs is not None:
                    self._paint_costs(painter, lane, self._costs)
                elif self._scale() >= SOLID:
                    self._paint_blocks(painter, lane)
                else:
                    painter.drawImage(lane.toRect(), self._draw_density(lane))
            self._columns = (key, pixmap)
        return self._columns[1]

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
        self._labels.clear()
        theme, frames = style.theme(), self._visible_frames()
        painter.setFont(style.ui_font(8.5))
        room = QFontMetrics(painter.font()).horizontalAdvance("00000") + 12
        step = round_step(len(frames) * room / max(lane.width(), 1))
        narrow = lane.width() / len(frames) < 3
        for frame in range(-(-frames.start // step) * step, frames.stop, step) if narrow else frames:
            first, after = self._index.frame_range(frame)
            left, right = max(self.x_of(first), lane.left()), min(self.x_of(after), lane.right())
            if frame % 2 and not narrow:
                painter.fillRect(QRectF(left, lane.top(), right - left, lane.height()), theme.color("stripe"))
            cut = first < self._begin and self.x_of(after) - left < room  # the next number would be over its own
            if frame % step == 0 and not cut:
                self._paint_tick(painter, frame, left)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(lane.bottomLeft(), lane.bottomRight())

    def _paint_tick(self, painter: QPainter, frame: int, left: float) -> None:
        theme = style.theme()
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawLine(QPointF(left, RULER - 6), QPointF(left, RULER))
        painter.setPen(theme.color("faint"))
        place = QRectF(left + 4, 1, painter.fontMetrics().horizontalAdvance(str(frame)) + 1, RULER - 3)
        self._labels.append(place)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), str(frame))

    def _draw_density(self, lane: QRectF) -> QImage:
        """Quiet for all events, then the loud kinds stacked, each by its share of the busiest column."""
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
        return QImage(picture.data, width, height, 4 * width, QImage.Format.Format_ARGB32).copy()

    def _paint_costs(self, painter: QPainter, lane: QRectF, costs: np.ndarray) -> None:
        """One column per pixel, as high as what its events cost, by the dearest of them but for one in a hundred."""
        ratio = self.devicePixelRatioF()
        width, height = int(lane.width() * ratio), max(int(lane.height() * ratio), 1)
        edges = np.linspace(self._begin, self._end, width + 1)
        whole = edges.astype(np.int64).clip(0, len(costs) - 2)
        spent = np.diff(costs[whole] + (edges - whole) * (costs[whole + 1] - costs[whole]))
        picture = np.zeros((height, width), np.uint32)
        top = min(spent.max(initial=0.0), 4 * np.quantile(spent[spent > 0], 0.99) if (spent > 0).any() else 0.0)
        tall = np.sqrt(np.minimum(spent / max(top, 1e-12), 1.0)) * (height - 4 * ratio)
        _columns(picture, np.zeros(width), tall, style.theme().color("kind:draw"))
        painter.drawImage(lane.toRect(), QImage(picture.data, width, height, 4 * width, QImage.Format.Format_ARGB32))

    def _paint_found(self, painter: QPainter, lane: QRectF) -> None:
        """Below the flags: rows of marks, then a pixel's life; in the ruler: bookmarks."""
        shown = self.shown
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y = lane.bottom() + FLAGS
        for kinds in self._shown_rows():
            paint_row(painter, y + ROW / 2, kinds, self._marks, shown, self.x_of)
            y += ROW
        color = style.theme().color("link")
        for event, _ in self._bookmarks:
            if shown[0] <= event < shown[1]:
                paint_shape(painter, self.x_of(event + 0.5), RULER - 4, "ribbon", color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self._life is not None and self._index is not None:
            colors, writers = self._life
            events = np.linspace(*shown, int(lane.width()), endpoint=False)
            frames = np.searchsorted(self._index.frame_first, events, "right") - 1
            ticks = places(writers, *shown, self.x_of)
            paint_life(painter, QRectF(lane.left(), y, int(lane.width()), LIFE), colors, frames.clip(0), ticks)
        elif self._awaits_life:
            paint_waiting(painter, QRectF(lane.left(), y, lane.width(), LIFE))

    def _paint_pictures(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        room = self._room()
        for frame, x in self.picture_places():
            box = QRectF(x, RULER, room.width, room.picture)
            painter.fillRect(box, style.theme().color("sunken"))
            image = (self._pictures or {}).get(frame)
            if image is not None and not image.isNull():
                size = image.size().scaled(box.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
                corner = box.center() - QPointF(size.width() / 2, size.height() / 2)
                painter.drawImage(QRectF(corner, size.toSizeF()), image)

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
            color = style.mixed(theme.color(f"kind:{KINDS[kind]}"), theme.color("panel"), 0.9 if kind in STACK else 0.6)
            painter.fillRect(block, color)
            if block.width() > 46:
                painter.setPen(ink_on(color))
                name = metrics.elidedText(self._index.name(event), Qt.TextElideMode.ElideRight, int(block.width()) - 8)
                painter.drawText(block.adjusted(4, 0, -4, -2), int(Qt.AlignmentFlag.AlignBottom), name)


def column_counts(index: EventIndex, begin: float, end: float, width: int) -> np.ndarray:
    """int64 (kinds, width): how many events of each kind lie under each of `width` columns over [begin, end)."""
    edges = np.linspace(begin, end, width + 1).astype(np.int64).clip(0, len(index))
    return np.diff(index.before(edges), axis=1)


def _columns(picture: np.ndarray, floor: np.ndarray, height: np.ndarray, color: QColor) -> None:
    """Fills uint32 (rows, columns) from `floor` up by `height`, both counted in rows from the bottom."""
    rows = picture.shape[0] - 1 - np.arange(picture.shape[0])[:, None]
    picture[(rows >= np.round(floor)) & (rows < np.round(floor + height))] = color.rgba()
