"""Panels out of the window: each in a frame of its own, where it stays while the others are arranged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow

from ui.widgets.controls import single_shot

AWAY = 36
"""Pixels by which a panel that is to float moves away, so that one sees it does."""
SMALL = QSize(320, 240)
"""The least size that a panel floats with."""
TITLE = 28
"""Pixels of height that the title of a frame takes at most: it stays on the screen."""
FRAMED = (
    Qt.WindowType.Tool  # in which the keys of the main window work
    | Qt.WindowType.CustomizeWindowHint
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowSystemMenuHint
    | Qt.WindowType.WindowMinMaxButtonsHint
    | Qt.WindowType.WindowCloseButtonHint
)
SHADOWED = 150
"""Milliseconds between two looks at whether the mouse has let go of a floating panel."""


class Floating:
    """What floats of the docks of a window."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        self._window, self._docks = window, docks
        self.framing = single_shot(window, SHADOWED, self._frame)
        self._came_back = False
        for dock in docks.values():
            dock.topLevelChanged.connect(lambda floats: self.framing.start() if floats else None)
            dock.visibilityChanged.connect(partial(self._seen, dock))

    def come_back(self) -> None:
        """They float since an earlier session: the window keeps the keyboard."""
        self._came_back = True
        self.framing.start()

    def _seen(self, dock: QDockWidget, seen: bool) -> None:
        """One that floated while it was hidden has no frame yet."""
        if seen and dock.isFloating():
            self.framing.start()

    def turn(self, dock: QDockWidget) -> None:
        """Takes a panel out of the window, or puts it back."""
        place = self._place_away(dock)
        dock.setFloating(not dock.isFloating())
        if dock.isFloating():
            dock.setGeometry(place)

    def _place_away(self, dock: QDockWidget) -> QRect:
        """Beside where the panel is seen, or, behind another tab, where that is; on the screen."""
        stack = (dock, *self._window.tabifiedDockWidgets(dock))
        seen = next((one for one in stack if not one.visibleRegion().isEmpty()), dock)
        place = QRect(seen.mapToGlobal(QPoint(AWAY, AWAY)), seen.size().expandedTo(SMALL))
        room = self._window.screen().availableGeometry()
        place.moveTo(min(place.x(), room.right() - place.width()), min(place.y(), room.bottom() - place.height()))
        return place.translated(max(room.x() - place.x(), 0), max(room.y() - place.y(), 0))

    @property
    def is_grouped(self) -> bool:
        """Whether several panels were dragged out in one frame."""
        return any(dock.parent() is not self._window for dock in self._docks.values())

    @contextmanager
    def kept(self) -> Iterator[None]:
        """What floats and is seen is out of the window again afterwards, in its place; hidden panels only go back."""
        places = {dock: dock.geometry() for dock in self._docks.values() if dock.isFloating() and dock.isVisible()}
        yield
        for dock, place in places.items():
            dock.setFloating(True)
            self._give_frame(dock)
            dock.setGeometry(place)

    def _frame(self) -> None:
        """Gives floating panels the frame of a window, once the mouse has let go of them: Qt's own have none."""
        waiting = [dock for dock in self._docks.values() if dock.isFloating() and dock.isVisible()]
        if waiting and QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self.framing.start()
            return
        framed = [dock for dock in waiting if self._give_frame(dock)]
        if framed:
            (self._window if self._came_back else framed[-1]).activateWindow()
        self._came_back = False

    def _give_frame(self, dock: QDockWidget) -> bool:
        """Whether it had none."""
        if not dock.windowFlags() & Qt.WindowType.FramelessWindowHint:
            return False
        place = QRect(dock.geometry().topLeft(), dock.size().expandedTo(SMALL))
        place.moveTop(max(place.top(), dock.screen().availableGeometry().top() + TITLE))
        dock.setWindowFlags(FRAMED)
        dock.setGeometry(place)
        dock.show()
        return True
