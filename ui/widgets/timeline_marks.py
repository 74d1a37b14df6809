"""Marks of the timeline: events found by questions, each question with its own shape and colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from ui import style

WAITING = "The life of the pixel…"
ROW = 9
"""Pixels of the height of a row of marks."""


@dataclass(frozen=True)
class MarkKind:
    """`row`: marks of a row are painted over each other; `shape` of `paint_shape`; `color` of the theme."""

    name: str
    title: str
    row: int
    shape: str
    color: str


MARKS = (
    MarkKind("history", "Pixel history", 0, "diamond", "accent"),
    MarkKind("state", "Writes of the state", 1, "square", "kind:transform"),
    MarkKind("uses", "Uses of the resource", 2, "ring", "kind:resource"),
    MarkKind("writes", "Writes of the resource", 2, "disc", "kind:resource"),
)
FLAG_SHAPES = {"error": "triangle", "warning": "outline", "link": "disc"}
"""Theme token of a finding, the worst first -> the shape of its flag."""
BY_NAME = {kind.name: kind for kind in MARKS}


def rows_of(marks: Mapping[str, np.ndarray]) -> list[list[MarkKind]]:
    """The kinds that have marks, by row, those without left out."""
    rows: dict[int, list[MarkKind]] = {}
    for kind in MARKS:
        if len(marks.get(kind.name, ())):
            rows.setdefault(kind.row, []).append(kind)
    return list(rows.values())


def places(events: np.ndarray, begin: float, end: float, x_of: Callable[[float], float]) -> list[int]:
    """The columns of pixels that events of [begin, end) fall into, each once, however many events there are."""
    seen = events[np.searchsorted(events, int(begin)) : np.searchsorted(events, end)]
    scale, start = x_of(1.0) - x_of(0.0), x_of(0.5)
    return np.unique((seen * scale + start).astype(np.int64)).tolist()  # type: ignore[no-any-return]


def paint_shape(painter: QPainter, x: float, y: float, shape: str, color: QColor) -> None:
    """Around a place, six to seven pixels wide."""
    hollow = shape in ("ring", "outline")
    painter.setPen(QPen(color, 1.4) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if hollow else color)
    if shape == "diamond":
        painter.drawPolygon([QPointF(x, y - 3.5), QPointF(x + 3.5, y), QPointF(x, y + 3.5), QPointF(x - 3.5, y)])
    elif shape == "square":
        painter.drawRect(QRectF(x - 2.5, y - 2.5, 5, 5))
    elif shape in ("triangle", "outline"):
        painter.drawPolygon([QPointF(x, y - 3), QPointF(x + 3.5, y + 3), QPointF(x - 3.5, y + 3)])
    elif shape == "ribbon":
        painter.drawPolygon([QPointF(x - 3, y - 4.5), QPointF(x + 3, y - 4.5), QPointF(x + 3, y + 4.5), QPointF(x, y + 1.5),
                             QPointF(x - 3, y + 4.5)])  # fmt: skip
    else:
        painter.drawEllipse(QPointF(x, y), 2.6, 2.6)


def paint_row(
    painter: QPainter, y: float, kinds: list[MarkKind], marks: Mapping[str, np.ndarray],
    shown: tuple[float, float], x_of: Callable[[float], float],
) -> None:  # fmt: skip
    """One row of marks, the last kind on top."""
    for kind in kinds:
        color = style.theme().color(kind.color)
        for x in places(marks[kind.name], *shown, x_of):
            paint_shape(painter, x + 0.5, y, kind.shape, color)


def worst_first(flags: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """(event, theme token) of findings, sorted."""
    return sorted(flags, key=lambda flag: list(FLAG_SHAPES).index(flag[1]))


def paint_flags(painter: QPainter, lane: QRectF, flags: list[tuple[int, str]], x_of: Callable[[float], float]) -> None:
    """Findings, under the events; of those at one place only the first."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    seen: set[int] = set()
    for event, token in flags:
        x = x_of(event + 0.5)
        if lane.left() <= x <= lane.right() and int(x) not in seen:
            seen.add(int(x))
            paint_shape(painter, x, lane.bottom() + 5.5, FLAG_SHAPES[token], style.theme().color(token))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def paint_life(painter: QPainter, rect: QRectF, colors: np.ndarray, frames: np.ndarray, ticks: list[int]) -> None:
    """A pixel's life: its colour after each frame (float32[frames, 4]) over the frame, ticks where something wrote it.

    frames: for each pixel column of `rect`, the frame under it.
    """
    theme = style.theme()
    sunken = theme.color("sunken").rgba()
    painted = (np.clip(np.nan_to_num(colors[frames]), 0, 1) * 255).round().astype(np.uint32)
    row = 0xFF000000 | painted[:, 0] << 16 | painted[:, 1] << 8 | painted[:, 2]
    row = np.where(np.isfinite(colors[frames]).all(axis=1), row, np.uint32(sunken)).astype(np.uint32)
    image = QImage(row.data, len(row), 1, 4 * len(row), QImage.Format.Format_ARGB32)
    painter.drawImage(rect, image)
    painter.setPen(QPen(theme.color("text"), 1))
    for x in ticks:
        painter.drawLine(QPointF(x + 0.5, rect.bottom() - 3), QPointF(x + 0.5, rect.bottom()))


def paint_waiting(painter: QPainter, band: QRectF) -> None:
    """Where a pixel's life will be."""
    theme = style.theme()
    painter.fillRect(band, theme.color("sunken"))
    painter.setFont(style.ui_font(7))
    painter.setPen(theme.color("muted"))
    painter.drawText(band.adjusted(4, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), WAITING)
