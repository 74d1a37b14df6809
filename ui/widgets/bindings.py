"""The surfaces bound at the event as thumbnails in a row or a column: targets, and textures of the draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListView, QListWidget, QListWidgetItem

from ui import style
from ui.words import tip

PICTURE, NAMED = 40, 18
"""Pixels of a thumbnail's side; letters of a name."""
ROW = PICTURE + 18
"""Pixels of height of the row."""
MOST = 16_777_215
"""As high as there is room."""


@dataclass(frozen=True)
class Binding:
    """`role`: "Target", "Depth", "Texture 0"...; `about`: a few words under it; `name`: the surface's, instead of them."""

    role: str
    handle: int
    about: str = ""
    name: str = ""

    @property
    def words(self) -> str:
        """Below the role, as many as there is room for."""
        short = self.name if len(self.name) <= NAMED else f"{self.name[: NAMED - 1]}…"
        return short or self.about


class Bindings(QListWidget):
    """`chosen(handle)`: a click, or Enter."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Binding, ...] = ()
        self._squares: dict[int, QPixmap] = {}
        self.setAccessibleName("Bound surfaces")
        self.setWrapping(False)
        self.setIconSize(QSize(PICTURE, PICTURE))
        self.setSpacing(2)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_upright(False)
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def set_upright(self, upright: bool) -> None:
        """A column, which takes the height that it is given, or a row."""
        self.setFlow(QListView.Flow.TopToBottom if upright else QListView.Flow.LeftToRight)
        self.setMinimumHeight(0 if upright else ROW)
        self.setMaximumHeight(MOST if upright else ROW)

    def show_bindings(self, bindings: Sequence[Binding], pictures: dict[int, QImage], current: int | None) -> None:
        """Keeps the items while the bindings are the same; only pictures change then."""
        if tuple(bindings) != self._shown:
            self._shown = tuple(bindings)
            self._squares.clear()
            self.clear()
            for binding in bindings:
                item = QListWidgetItem(f"{binding.role}\n{binding.words}")
                item.setData(Qt.ItemDataRole.UserRole, binding.handle)
                named = f"{binding.name}, " if binding.name else ""
                item.setToolTip(tip(f"{binding.role}: {named}surface {binding.handle}  {binding.about}"))
                self.addItem(item)
        for row, binding in enumerate(self._shown):
            if binding.handle in pictures:
                self._squares[binding.handle] = _square(pictures[binding.handle])
                self.item(row).setIcon(_icon(_framed(self._squares[binding.handle])))
        self._mark(current)

    def changeEvent(self, event: QEvent) -> None:
        """The frames are in the theme's colour."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            for row, binding in enumerate(self._shown):
                if binding.handle in self._squares:
                    self.item(row).setIcon(_icon(_framed(self._squares[binding.handle])))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Only the left button chooses."""
        if event.button() == Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)

    def _mark(self, current: int | None) -> None:
        row = next((row for row, binding in enumerate(self._shown) if binding.handle == current), -1)
        self.setCurrentRow(row)

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))


def _icon(pixmap: QPixmap) -> QIcon:
    """Which looks the same when it is chosen: Qt would tint it."""
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


def _square(image: QImage) -> QPixmap:
    """The middle of a picture, as large as the item's."""
    side = min(image.width(), image.height())
    middle = image.copy((image.width() - side) // 2, (image.height() - side) // 2, side, side)
    smooth = Qt.TransformationMode.SmoothTransformation
    return QPixmap.fromImage(middle.scaled(PICTURE * 2, PICTURE * 2, Qt.AspectRatioMode.KeepAspectRatio, smooth))


def _framed(square: QPixmap) -> QPixmap:
    framed = QPixmap(square)
    with QPainter(framed) as painter:
        painter.setPen(QPen(style.theme().color("border"), 2))
        painter.drawRect(framed.rect().adjusted(1, 1, -1, -1))
    return framed
