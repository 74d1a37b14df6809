"""Pictures of frames in a row: a click chooses one, Shift+click all up to another."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem

SIZE = QSize(128, 96)
NUMBER = Qt.ItemDataRole.UserRole


class Gallery(QListWidget):
    """In the order of frames, whichever comes first.  `chosen`: the first and the last frame that the user selected."""

    chosen = Signal(int, int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setIconSize(SIZE)
        self.setSpacing(4)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        line, bar = self.fontMetrics().height(), self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(SIZE.height() + line + bar + 24)
        self._numbers: list[int] = []  # of the frames that have a picture, in order
        self.itemSelectionChanged.connect(self._choose)

    def add(self, frame: int, picture: QImage) -> None:
        """The picture of a frame, once."""
        place = bisect_left(self._numbers, frame)
        if place < len(self._numbers) and self._numbers[place] == frame:
            return
        self._numbers.insert(place, frame)
        icon, pixels = QIcon(), QPixmap.fromImage(picture)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # in its own colours then, too
            icon.addPixmap(pixels, mode)
        item = QListWidgetItem(icon, f"Frame {frame:,}")
        item.setData(NUMBER, frame)
        self.insertItem(place, item)

    def clear(self) -> None:
        self._numbers = []
        super().clear()

    def show_range(self, first: int, last: int) -> None:
        """Selects the pictures of frames first..last, and brings the first one into sight."""
        self.select_range(first, last)
        begin = bisect_left(self._numbers, first)
        if begin < len(self._numbers) and self._numbers[begin] <= last:
            self.scrollToItem(self.item(begin))

    def select_range(self, first: int, last: int) -> None:
        """Selects the pictures of frames first..last."""
        begin, end = bisect_left(self._numbers, first), bisect_left(self._numbers, last + 1)
        flags = QItemSelectionModel.SelectionFlag
        selected = QItemSelection()
        if begin < end:
            selected = QItemSelection(self.model().index(begin, 0), self.model().index(end - 1, 0))
        self.blockSignals(True)
        self.selectionModel().select(selected, flags.ClearAndSelect)
        self.blockSignals(False)

    def _choose(self) -> None:
        numbers = [self._numbers[index.row()] for index in self.selectedIndexes()]
        if numbers:
            self.chosen.emit(min(numbers), max(numbers))


def picture_of(rgba: np.ndarray) -> QImage:
    """A picture of a frame, uint8[height, width, 4], as large as the gallery shows it, without its alpha.  Any thread."""
    rgba = np.ascontiguousarray(rgba)
    image = QImage(rgba.data, rgba.shape[1], rgba.shape[0], 4 * rgba.shape[1], QImage.Format.Format_RGBX8888)
    return image.scaled(SIZE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation).copy()
