"""Where a row of tabs has no room for all: a list of them, in place of the arrows that would shift the row."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QMenu, QTabBar, QToolButton

from ui.widgets.controls import spoken

ARROWS = ("ScrollLeftButton", "ScrollRightButton")
"""The names that Qt gives to the arrows of a row of tabs."""
LEAST = 40
"""Pixels that a tab without room for all of it has: a lone one is seen in part."""
MOVES = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move, QEvent.Type.Resize)


class TabList(QToolButton):
    """Lies over the arrows of `bar`, and over a tab that they cut, and is seen when they would be; the tab that is chosen comes
    into sight by itself."""

    def __init__(self, bar: QTabBar) -> None:
        super().__init__(bar)
        self._bar = bar
        spoken(self, "All tabs")
        self.setToolTip("All tabs of this row")
        self.setObjectName("tabList")
        self.setText("»")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # arrow keys go along the tabs
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self.setMenu(menu)
        self._arrows = [arrow for name in ARROWS if (arrow := bar.findChild(QToolButton, name)) is not None]
        for arrow in self._arrows:
            arrow.installEventFilter(self)
        bar.installEventFilter(self)
        self._follow()

    def _fill(self, menu: QMenu) -> None:
        """The panels by their titles, the one in front checked."""
        menu.clear()
        for number in range(self._bar.count()):
            action = menu.addAction(self._bar.tabText(number), partial(self._choose, number))
            action.setCheckable(True)
            action.setChecked(number == self._bar.currentIndex())

    def _choose(self, number: int) -> None:
        """As a click on the tab does."""
        self._bar.setCurrentIndex(number)
        self._bar.tabBarClicked.emit(number)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint if watched is self._bar else event.type() in MOVES:
            self._follow()
        return super().eventFilter(watched, event)

    def _follow(self) -> None:
        seen = [arrow for arrow in self._arrows if not arrow.isHidden()]
        if seen:
            place = seen[0].geometry()
            for arrow in seen[1:]:
                place |= arrow.geometry()
            cut = [tab for tab in map(self._bar.tabRect, range(self._bar.count())) if tab.left() < place.left() <= tab.right()]
            if cut and cut[0].left() > LEAST:
                place.setLeft(cut[0].left())
            if place != self.geometry():
                self.setGeometry(place)
                self.raise_()
        self.setVisible(bool(seen))
