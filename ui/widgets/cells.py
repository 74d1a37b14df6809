"""Painting of cells: kinds as colours, links, swatches, marks.  One delegate for each look; no per-cell style objects."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui import style
from ui.index import KINDS
from ui.roles import (
    ALIGN_ROLE,
    BEGIN_ROLE,
    BOOKMARK_ROLE,
    DISPLAY_ROLE,
    EVENT_ROLE,
    FILL_ROLE,
    HEADING_ROLE,
    LINK_ROLE,
    MARK_ROLE,
    PICTURE_ROLE,
    SWATCH_ROLE,
    TOKEN_ROLE,
    Index,
)
from ui.widgets.event_marks import paint_hit, paint_kind
from ui.widgets.numbers import shortened

SELECTED, HOVERED = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_MouseOver
IS_SELECTED, IS_HOVERED = SELECTED.value, HOVERED.value
LINE = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
LEFT, RIGHT = int(Qt.AlignmentFlag.AlignLeft), int(Qt.AlignmentFlag.AlignRight)
KIND_TOKENS = tuple(f"kind:{kind}" for kind in KINDS)
INDENT = 14
"""Pixels of a tree's level."""
MARK = 21
"""Pixels of the mark of an event's kind before its name."""
NO_EVENT = False, 0, None, None, None, False, False
FITTED = 8192
"""Texts whose length in a cell is remembered; as many as there are in some dozens of lists."""
MARGINS, SWATCH = 14, 18
"""Pixels on each side of a cell's text, and of a swatch before it."""
PICTURE_MARGINS = 18
"""Pixels before and after a thumbnail in front of a text."""


def asked(index: Index) -> Callable[..., Any]:
    """What answers for a cell, by role: the model itself, which is Python, while `index.data` asks it by way of C++."""
    return partial(index.model().data, index)


def paint_back(painter: QPainter, option: QStyleOptionViewItem) -> int:
    """The row's ground: selected, under the pointer, or plain.  Returns the cell's state."""
    state: int = option.state.value
    if state & (IS_SELECTED | IS_HOVERED):
        painter.fillRect(option.rect, style.theme().color("selection" if state & IS_SELECTED else "hover"))
    return state


def paint_line_above(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
    """Where something new begins (a frame), a line says so."""
    if index.model().data(index, BEGIN_ROLE):
        draw_line_above(painter, option)


def draw_line_above(painter: QPainter, option: QStyleOptionViewItem) -> None:
    painter.setPen(QPen(style.theme().color("border"), 1))
    painter.drawLine(option.rect.topLeft(), option.rect.topRight())


def paint_mark(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
    """A bar at the left edge of a marked row; of a warning, with a gap in the middle."""
    if index.column() == 0 and (mark := index.model().data(index, MARK_ROLE)):
        bar = QRect(option.rect.left(), option.rect.top(), 3, option.rect.height())
        parts = (bar.adjusted(0, 2, 0, 2 - bar.height() // 2), bar.adjusted(0, bar.height() // 2 + 1, 0, -2))
        for part in parts if mark == "warning" else (bar,):
            painter.fillRect(part, style.theme().color(mark))


def ink(data: Callable[[int], Any], option: QStyleOptionViewItem) -> QColor:
    """A cell's colour of words; what is faint is louder on the ground of a chosen row."""
    token = "link" if data(LINK_ROLE) is not None else data(TOKEN_ROLE) or "text"
    return style.theme().color("muted" if token == "faint" and option.state.value & IS_SELECTED else token)


Shorten = Callable[[str, QFontMetrics, int], str]
_FITTED: dict[tuple[str, int, int, QFont, Shorten], str] = {}


def without_middle(text: str, metrics: QFontMetrics, width: int) -> str:
    """The text, of which the middle goes where there is no room."""
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


def fitted(text: str, painter: QPainter, width: int, shorten: Shorten = shortened) -> str:
    """As `shorten`, which sets the text in type to measure it, once for each text, width, screen and font."""
    key = text, width, painter.device().logicalDpiX(), painter.font(), shorten
    known = _FITTED.get(key)
    if known is None:
        if len(_FITTED) >= FITTED:
            _FITTED.clear()
        known = _FITTED[key] = shorten(text, painter.fontMetrics(), width)
    return known


def draw_text(painter: QPainter, rect: QRect, text: str, align: int = LEFT, shorten: Shorten = shortened) -> None:
    if text:
        painter.drawText(rect, align | LINE, fitted(text, painter, rect.width(), shorten))


_ADVANCES: dict[tuple[str, QFont], int] = {}


def advance(text: str, font: QFont) -> int:
    """Pixels of a text in type, measured once for each text and font."""
    key = text, font
    known = _ADVANCES.get(key)
    if known is None:
        if len(_ADVANCES) >= FITTED:
            _ADVANCES.clear()
        known = _ADVANCES[text, QFont(font)] = QFontMetrics(font).horizontalAdvance(text)
    return known


def beside_text(index: Index) -> int:
    """Pixels of a cell that its text does not get: margins and swatches."""
    swatch = index.model().data(index, SWATCH_ROLE)
    return MARGINS + SWATCH * (len(swatch) if isinstance(swatch, tuple) else swatch is not None)


class NumberCell(QStyledItemDelegate):
    """A number, right-aligned and quiet."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        state = paint_back(painter, option)
        painter.setFont(style.shared_mono_font())
        painter.setPen(style.theme().color("text" if state & IS_SELECTED else "faint"))
        data = asked(index)
        draw_text(painter, option.rect.adjusted(4, 0, -8, 0), data(DISPLAY_ROLE) or "", RIGHT)
        paint_mark(painter, option, index)
        if data(BOOKMARK_ROLE):
            paint_ribbon(painter, QRectF(option.rect.left() + 6, option.rect.center().y() - 5, 7, 11))
        if data(BEGIN_ROLE):
            draw_line_above(painter, option)
        painter.restore()


def paint_ribbon(painter: QPainter, rect: QRectF) -> None:
    """A bookmark: a ribbon with a notch."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.theme().color("link"))
    notch = QPointF(rect.center().x(), rect.bottom() - rect.width() / 2)
    painter.drawPolygon([rect.topLeft(), rect.topRight(), rect.bottomRight(), notch, rect.bottomLeft()])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def arrow_place(rect: QRect, depth: int) -> QRect:
    """Where a row of a tree has the arrow that opens it; as wide as one level is indented."""
    return QRect(rect.left() + 2 + depth * INDENT, rect.top(), INDENT, rect.height())


class EventCell(QStyledItemDelegate):
    """An event: a mark in its kind's colour, the name, then the arguments in a quieter voice; indented in a tree."""

    def room_for_name(self, index: Index, font: QFont) -> int:
        """Pixels that a cell needs to show the name in full, in the bold of a draw; 0: the row above says it."""
        data = asked(index)
        _, _, depth, *_, nested = data(EVENT_ROLE) or NO_EVENT
        name, _, rest = (data(DISPLAY_ROLE) or "").partition(" ")
        indent = 0 if depth is None else (depth + 1) * INDENT
        return 0 if nested and rest else indent + MARK + advance(name, font) + 4

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        state = paint_back(painter, option)
        data = asked(index)
        is_hit, kind_number, depth, is_open, outcome, begins, nested = data(EVENT_ROLE) or NO_EVENT
        theme, rect = style.theme(), option.rect
        if is_hit:
            rect = paint_hit(painter, rect, not state & (IS_SELECTED | IS_HOVERED))
        kind = KINDS[kind_number]
        color = theme.color(KIND_TOKENS[kind_number])
        if depth is not None:
            place = arrow_place(rect, depth)
            _paint_arrow(painter, place, is_open)
            rect = rect.adjusted(place.right() - rect.left() - 2, 0, 0, 0)
        paint_kind(painter, QRectF(rect.left() + 6, rect.center().y() - 3.5, 8, 8), kind, color)
        name, _, rest = (data(DISPLAY_ROLE) or "").partition(" ")
        loud = kind in ("draw", "clear", "present")
        quiet = kind in ("state", "transform", "other")
        painter.setPen(color if loud and theme.is_dark else theme.color("muted" if quiet else "text"))
        text, font = rect.adjusted(MARK, 0, -4, 0), option.font
        words, token, done = outcome or ("", "", True)
        if loud or not done:
            font = QFont(font)
        if loud:
            font.setWeight(QFont.Weight.DemiBold)
        if not done:
            font.setStrikeOut(True)
            painter.setPen(theme.color("muted"))
        painter.setFont(font)
        width = 0
        if not (nested and rest):  # the row above says the name of the token
            width = advance(name, font) + 8
            draw_text(painter, text, name, shorten=without_middle)  # what follows gives way
        if words:
            width += _paint_words(painter, text.adjusted(width, 0, 0, 0), words, token)
        if rest and width < text.width() - 20:
            painter.setFont(style.shared_ui_font(9))
            painter.setPen(theme.color("text" if quiet and done else "muted"))
            draw_text(painter, text.adjusted(width, 0, 0, 0), rest)
        if begins:
            draw_line_above(painter, option)
        painter.restore()


def _paint_arrow(painter: QPainter, rect: QRect, is_open: bool | None) -> None:
    """Down for an open group, to the right for a closed one; None: nothing."""
    if is_open is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(style.theme().color("muted"), 1.5))
    middle = QRectF(rect).center()
    ends = ((-3.5, -2), (0, 2), (3.5, -2)) if is_open else ((-2, -3.5), (2, 0), (-2, 3.5))
    painter.drawPolyline([QPointF(middle.x() + x, middle.y() + y) for x, y in ends])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _paint_words(painter: QPainter, rect: QRect, words: str, token: str) -> int:
    """Small words in the colour of a theme token; how wide they are."""
    font = style.ui_font(9)
    painter.setFont(font)
    painter.setPen(style.theme().color(token))
    draw_text(painter, rect, words)
    return QFontMetrics(font).horizontalAdvance(words) + 8


class QuietCell(QStyledItemDelegate):
    """Second-rank text."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_back(painter, option)
        painter.setPen(style.theme().color("muted"))
        draw_text(painter, option.rect.adjusted(6, 0, -4, 0), str(asked(index)(DISPLAY_ROLE) or ""))
        paint_line_above(painter, option, index)
        painter.restore()


class CallCell(QuietCell):
    """A name whose end tells it from others (DrawIndexedPrimitive, DrawIndexedPrimitiveUP): without room its middle goes."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_back(painter, option)
        painter.setPen(style.theme().color("muted"))
        if text := str(asked(index)(DISPLAY_ROLE) or ""):
            room = option.rect.adjusted(6, 0, -4, 0)
            painter.drawText(room, LINE | LEFT, fitted(text, painter, room.width(), without_middle))
        paint_line_above(painter, option, index)
        painter.restore()


class ValueCell(QStyledItemDelegate):
    """A value in the fixed font: a swatch before it if it is a colour (a tuple: several), underlined if it leads somewhere."""

    followed = Signal(object)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """What is being typed stays when other values of the list arrive."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_back(painter, option)
        rect, data = option.rect.adjusted(6, 0, -4, 0), asked(index)
        paint_mark(painter, option, index)
        if (swatch := data(SWATCH_ROLE)) is not None:
            for argb in swatch if isinstance(swatch, tuple) else (swatch,):
                rect = self._paint_swatch(painter, rect, argb)
        if (fill := data(FILL_ROLE)) is not None:
            _paint_fill(painter, option.rect, fill)
            painter.restore()
            return
        link, font = data(LINK_ROLE), style.shared_mono_font()
        if data(HEADING_ROLE):
            font = style.ui_font()
            font.setWeight(QFont.Weight.DemiBold)
        if link is not None and option.state.value & IS_HOVERED:
            font = QFont(font)
            font.setUnderline(True)
        painter.setFont(font)
        painter.setPen(ink(data, option))
        text = data(DISPLAY_ROLE)
        self.write(painter, rect, "" if text is None else str(text), int(data(ALIGN_ROLE) or LEFT))
        painter.restore()

    def write(self, painter: QPainter, rect: QRect, text: str, align: int) -> None:
        draw_text(painter, rect, text, align)

    def _paint_swatch(self, painter: QPainter, rect: QRect, argb: int | None) -> QRect:
        """Returns what is left of the cell; None is an empty place."""
        if argb is None:
            return rect.adjusted(SWATCH, 0, 0, 0)
        box = QRectF(rect.left(), rect.center().y() - 5.5, 12, 12)
        color = QColor.fromRgb((argb >> 16) & 255, (argb >> 8) & 255, argb & 255)
        painter.setPen(QPen(style.theme().color("border"), 1))
        painter.setBrush(color)
        painter.drawRoundedRect(box, 2, 2)
        return rect.adjusted(SWATCH, 0, 0, 0)

    def editorEvent(self, event, model, option: QStyleOptionViewItem, index: Index) -> bool:  # type: ignore[no-untyped-def]
        link = index.data(LINK_ROLE)
        released = event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent)
        if link is not None and released and event.button() == Qt.MouseButton.LeftButton:
            self.followed.emit(link)
            return True
        return super().editorEvent(event, model, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width() + 12, style.ROW_HEIGHT)


def _paint_fill(painter: QPainter, rect: QRect, argb: int) -> None:
    """A colour as large as the cell, but for a margin."""
    painter.setPen(QPen(style.theme().color("border"), 1))
    painter.setBrush(QColor.fromRgb((argb >> 16) & 255, (argb >> 8) & 255, argb & 255))
    painter.drawRect(rect.adjusted(3, 2, -4, -3))


class PictureCell(QStyledItemDelegate):
    """A thumbnail, then the text."""

    def __init__(self, parent: QAbstractItemView, side: int) -> None:
        super().__init__(parent)
        self.side = side

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_back(painter, option)
        theme, side = style.theme(), self.side
        box = QRectF(option.rect.left() + 8, option.rect.center().y() - side / 2 + 0.5, side, side)
        painter.fillRect(box, theme.color("sunken"))
        image = index.data(PICTURE_ROLE)
        if image is not None:
            size = image.size().scaled(box.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
            corner = box.center() - QRectF(0, 0, size.width(), size.height()).center()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(corner.x(), corner.y(), size.width(), size.height()), image)
        painter.setPen(QPen(theme.color("border"), 1))
        painter.drawRect(box)
        painter.setPen(theme.color("text"))
        draw_text(painter, option.rect.adjusted(side + PICTURE_MARGINS, 0, -4, 0), str(index.data() or ""))
        painter.restore()


class PicturesCell(QStyledItemDelegate):
    """Thumbnails side by side, None for those not ready yet; then the text."""

    def __init__(self, parent: QAbstractItemView, side: int) -> None:
        super().__init__(parent)
        self._side = side

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_back(painter, option)
        theme, side, left = style.theme(), self._side, option.rect.left() + 6
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for image in index.data(PICTURE_ROLE) or ():
            box = QRect(left, option.rect.center().y() - side // 2 + 1, side, side)
            painter.fillRect(box, theme.color("sunken"))
            if image is not None:
                size = image.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
                corner = box.center() - QRect(0, 0, size.width(), size.height()).center()
                painter.drawImage(QRect(corner, size), image)
            left += side + 3
        painter.setPen(theme.color("muted"))
        painter.setFont(style.ui_font(9))
        draw_text(painter, option.rect.adjusted(left - option.rect.left() + 3, 0, -4, 0), str(index.data() or ""))
        paint_line_above(painter, option, index)
        painter.restore()
