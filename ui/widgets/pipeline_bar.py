"""The stages of the pipeline as a chart, each a link: those that run for the draw have an outline, those of which the event set
something are underlined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QToolTip

from ui import style
from ui.widgets.items import Items
from ui.words import tip

SHORT = {
    "fetch": "Fetch", "patch": "Patch", "transform": "Transform", "light": "Light", "texgen": "Coords", "vshader": "VS",
    "clip": "Clip", "setup": "Setup", "sample": "Sample", "combine": "Stages", "pshader": "PS", "fog": "Fog",
    "alpha_test": "Alpha", "stencil_test": "Stencil", "depth_test": "Depth", "blend": "Blend", "output": "Output",
}  # fmt: skip
"""What stages are called where there is little room; others are not shown."""
NEW = "\nSet by this event"
HEIGHT, TIP, MARGIN, GAP = 22, 6, 5, 2
"""Pixels: of a row, of a stage's point, beside its words, between stages."""


@dataclass(frozen=True)
class StageMark:
    """about: what it does, or why not; touched: the event sets something of it."""

    name: str
    title: str
    about: str
    runs: bool
    touched: bool


class PipelineBar(Items):
    """`wanted(name)`: a stage was chosen.  As many rows as the width needs."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Stages of the pipeline")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.marks: tuple[StageMark, ...] = ()
        self._places: list[QRect] = []
        self.chosen.connect(lambda number: self.wanted.emit(self.marks[number].name))

    def show_stages(self, marks: Sequence[StageMark]) -> None:
        self.marks = tuple(mark for mark in marks if mark.name in SHORT and (mark.runs or mark.name != "patch"))
        self._lay_out()
        self.update()

    def place_of(self, name: str) -> QRect:
        """Where a stage is; empty if it is not shown."""
        return next((place for mark, place in zip(self.marks, self._places, strict=True) if mark.name == name), QRect())

    def _lay_out(self) -> None:
        metrics, left, top = QFontMetrics(style.ui_font(8)), MARGIN, 3
        self._places = []
        for mark in self.marks:
            width = metrics.horizontalAdvance(SHORT[mark.name]) + 2 * MARGIN + TIP
            if left + width > self.width() - MARGIN and left > MARGIN:
                left, top = MARGIN, top + HEIGHT + GAP
            self._places.append(QRect(left, top, width, HEIGHT))
            left += width + GAP
        self.setFixedHeight(top + HEIGHT + 3)

    def places(self) -> Sequence[QRect]:
        return self._places

    def words_of(self, item: int) -> str:
        mark = self.marks[item]
        return f"{mark.title}: {mark.about}{NEW if mark.touched else ''}"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = style.theme()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("panel"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(style.ui_font(8))
            for number, (mark, place) in enumerate(zip(self.marks, self._places, strict=True)):
                painter.setPen(theme.color("accent") if mark.runs else Qt.PenStyle.NoPen)
                painter.setBrush(_ground(mark, number == self.under))
                painter.drawPolygon(_arrow(place))
                words = place.adjusted(MARGIN + TIP // 2, 0, 0, 0)
                painter.setPen(theme.color("text" if mark.runs or mark.touched else "faint"))
                painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, SHORT[mark.name])
                if mark.touched:
                    painter.fillRect(words.left(), words.bottom() - 4, words.width() - MARGIN - TIP, 2, theme.color("accent"))
            self.paint_ring(painter)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            number = self.item_at(event.pos())
            QToolTip.showText(event.globalPos(), tip(self.words_of(number) if number >= 0 else ""), self)
            return True
        return super().event(event)


def _ground(mark: StageMark, under: bool) -> QColor:
    """A tint of the accent where the stage runs, as of a button that is down."""
    theme = style.theme()
    return theme.color("accent", 90 if under else 40) if mark.runs else theme.color("hover" if under else "sunken")


def _arrow(place: QRect) -> QPolygonF:
    """A box that points to the next stage, with room for its outline, along the middles of pixels: else two rows share it."""
    left, right, top, bottom = place.left(), place.right() - 1, place.top(), place.bottom()
    middle = (top + bottom) // 2
    points = ((left, top), (right - TIP, top), (right, middle), (right - TIP, bottom), (left, bottom), (left + TIP, middle))
    return QPolygonF([QPointF(x + 0.5, y + 0.5) for x, y in points])
