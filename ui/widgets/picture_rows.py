"""Pictures beside and below each other, in as many rows as make them largest."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from ui.widgets.controls import single_shot

EVEN = 300
"""Pixels that each picture asks for: as much as the others."""
TITLE = 36
"""Pixels of the title above a picture."""
Size = tuple[int, int]
"""width, height."""


class PictureRows(QSplitter):
    """`boxes`: widgets with a title and a picture each; `put` gives others, which stay the caller's."""

    def __init__(self, *boxes: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        _divide(self)
        self.boxes: tuple[QWidget, ...] = ()
        self._rows: list[QSplitter] = []
        self._picture: Size = (4, 3)
        self._later = single_shot(self, 0, self._fit)
        self.put(boxes)

    def put(self, boxes: Iterable[QWidget]) -> None:
        """Shows these, in their order."""
        self.boxes = tuple(boxes)
        self._lay_out(self._best())

    def show_size(self, width: int, height: int) -> None:
        """The size of the pictures that are shown."""
        self._picture = width, height
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.start()

    def _best(self) -> int:
        return rows_for(len(self.boxes), self._picture, (self.width(), self.height()))

    def _fit(self) -> None:
        if (count := self._best()) != len(self._rows):
            self._lay_out(count)

    def _lay_out(self, count: int) -> None:
        before, columns = self._rows, -(-len(self.boxes) // count)
        self._rows = []
        for start in range(0, len(self.boxes), columns):
            row = QSplitter(Qt.Orientation.Horizontal)
            _divide(row)
            self._rows.append(row)
            self.addWidget(row)
            for box in self.boxes[start : start + columns]:
                row.addWidget(box)
            row.setSizes([EVEN] * row.count())
        for row in before:
            row.setParent(None)
            row.deleteLater()
        self.setSizes([EVEN] * len(self._rows))


def rows_for(count: int, picture: Size, room: Size) -> int:
    """In how many rows so many pictures of a size are largest; the fewest of those."""

    def scale(rows: int) -> float:
        columns = -(-count // rows)
        return min(room[0] / columns / picture[0], max(room[1] / rows - TITLE, 1) / picture[1])

    ways = [rows for rows in range(1, count + 1) if -(-count // -(-count // rows)) == rows]
    return max(ways, key=lambda rows: (round(scale(rows), 3), -rows), default=1)


def _divide(splitter: QSplitter) -> None:
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
