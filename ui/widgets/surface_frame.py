"""The picture of a surface with what is said about it: in rows around it, or in a column beside it; the picture decides."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.widgets.bindings import ROW, Bindings
from ui.widgets.controls import strip
from ui.widgets.picture_view import LOWEST
from ui.widgets.readout import Readout
from ui.widgets.scrubber import Scrubber
from ui.widgets.surface_about import SurfaceAbout

RAIL, READOUT = 34, 26
"""Pixels of height of the rows above and below the picture."""
SIDE = 152
"""Pixels of width of the column beside it."""
LEAST, WHOLE = 190, 340
"""Pixels of height that the column needs, and from which on it has room for what is said about the surface, too."""
LOW = RAIL + ROW + READOUT + 90
"""Pixels of height below which the picture has the room of the thumbnails, which Surface's list names, too."""
ASPECT = 4 / 3
"""Width by height of most targets."""


def is_wide(width: int, height: int) -> bool:
    """Whether a picture of four to three is larger with the column beside it than with the rows.

    By the size of the frame alone: whatever is shown, the picture stays where it is."""
    beside = min(width - SIDE, height * ASPECT)
    between = min(width, (height - RAIL - READOUT - ROW * (height >= LOW)) * ASPECT)
    return height >= LEAST and beside > between


class SurfaceFrame(QWidget):
    """pictures, histogram: above each other; about, range, thumbnails, primitives, readout: around them."""

    def __init__(
        self, pictures: QWidget, histogram: QWidget, about: SurfaceAbout, range: QWidget, bindings: Bindings,
        scrubber: Scrubber, readout: Readout,
    ) -> None:  # fmt: skip
        super().__init__()
        self._about, self._range, self._bindings, self._scrubber, self._readout = about, range, bindings, scrubber, readout
        self._rail, self._side, self._wide = strip(), _Side(), False
        self._rail.setFixedHeight(RAIL)
        readout.setMinimumHeight(READOUT)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        for row, widget in enumerate((self._rail, pictures, histogram, bindings, readout)):
            self._grid.addWidget(widget, row, 0)
        self._grid.addWidget(self._side, 0, 1, 3, 1)
        self._grid.setRowStretch(1, 1)
        self._grid.setColumnStretch(0, 1)
        self._put()

    @property
    def wide(self) -> bool:
        """Whether the column stands beside the picture."""
        return self._wide

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), RAIL + LOWEST + READOUT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = is_wide(self.width(), self.height())
        self._bindings.setHidden(not wide and self.height() < LOW)
        self._about.setVisible(not wide or self.height() >= WHOLE)
        if wide != self._wide:
            self._wide = wide
            self._put()
        super().resizeEvent(event)

    def _put(self) -> None:
        for part in (self._about, self._bindings, self._scrubber, self._readout):
            part.set_upright(self._wide)
        _turn(self._range, self._wide)
        self._rail.setVisible(not self._wide)
        self._side.setVisible(self._wide)
        if self._wide:
            for widget in (self._about, self._bindings, self._range, self._scrubber, self._readout):
                self._side.column.addWidget(widget, int(widget is self._bindings))
            return
        row = self._rail.layout()
        assert isinstance(row, QHBoxLayout)
        for widget, share in ((self._about, 3), (self._range, 0), (self._scrubber, 2)):
            row.addWidget(widget, share)
        self._grid.addWidget(self._bindings, 3, 0)
        self._grid.addWidget(self._readout, 4, 0)


class _Side(QWidget):
    """The column: as wide as it is, and as high as there is room; the thumbnails give way."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(SIDE)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)

    def minimumSizeHint(self) -> QSize:
        return QSize(SIDE, 0)


def _turn(row: QWidget, upright: bool) -> None:
    """The controls of a row stand below each other, or beside each other."""
    layout = row.layout()
    assert isinstance(layout, QBoxLayout)
    layout.setContentsMargins(8 * upright, 4 * upright, 0, 4 * upright)
    layout.setDirection(QBoxLayout.Direction.TopToBottom if upright else QBoxLayout.Direction.LeftToRight)
