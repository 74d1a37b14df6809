"""Tabs above the image: the surface that follows the events, and the pinned surfaces."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar, QWidget

from inspector.focus import RENDER_TARGET, Focus
from ui.widgets.controls import tool
from ui.widgets.icons import icon
from ui.widgets.tab_list import TabList

MOST = 8
"""Pinned tabs; then the oldest goes."""
ROLES = {RENDER_TARGET: "Render target", "depth": "Depth and stencil", "back_buffer": "Back buffer"}
FOLLOWS = "Follows the events: shows the {} that each of them uses"
PINNED = "Pinned: shows this surface at every event; the middle mouse button closes the tab"
PARTS = ("level", "face", "slice", "sample", "pixel")


class SurfaceTabs(QTabBar):
    """The first tab follows a role.  `chosen(places)`: fields of the focus, as they were when the tab was left."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Pinned surfaces")
        self.setExpanding(False)
        self.setDrawBase(False)
        self._places: list[dict[str, object]] = []
        self._add(RENDER_TARGET, ROLES[RENDER_TARGET])
        self._tell_role(RENDER_TARGET)
        self.tabBarClicked.connect(self._clicked)
        self.currentChanged.connect(self._walked)
        self._showing = False
        TabList(self)
        self.hide()

    def show_place(self, focus: Focus, title: str) -> None:
        """The tab of the surface comes to the front, a new one if it has none."""
        self._showing = True
        tab = self._tab_of(focus.surface)
        if isinstance(focus.surface, str):
            self._tell_role(focus.surface)
        self._places[tab] |= {part: getattr(focus, part) for part in PARTS}
        if tab and title:
            self.setTabText(tab, title)
        self.setCurrentIndex(tab)
        self.setVisible(self.count() > 1)
        self._showing = False

    def retitle(self, titles: Mapping[int, str]) -> None:
        """What surfaces are called now, by handle."""
        for tab, place in enumerate(self._places):
            if title := titles.get(place["surface"]):  # type: ignore[call-overload]
                self.setTabText(tab, title)

    def close_tab(self, tab: int) -> None:
        """What was on the tab shown gives way to the surface that follows."""
        if not tab:
            return
        current = tab == self.currentIndex()
        self._showing = True
        self._places.pop(tab)
        self.removeTab(tab)
        self._showing = False
        self.setVisible(self.count() > 1)
        if current:
            self.setCurrentIndex(0)
            self.chosen.emit(dict(self._places[0]))

    def pixel_of(self, surface: int | str) -> object:
        """The pixel that was picked when the tab of a surface was left; None without one."""
        return next((place.get("pixel") for place in self._places if place["surface"] == surface), None)

    def close_all(self) -> None:
        for tab in range(self.count() - 1, 0, -1):
            self._showing = True
            self._places.pop(tab)
            self.removeTab(tab)
            self._showing = False
        self.hide()

    @property
    def followed(self) -> str:
        """The role of the first tab."""
        return str(self._places[0]["surface"])

    def _tab_of(self, surface: int | str) -> int:
        if isinstance(surface, str):
            return 0
        found = [tab for tab, place in enumerate(self._places) if place["surface"] == surface]
        if not found:
            if len(self._places) > MOST:
                self._places.pop(1)
                self.removeTab(1)
            self._add(surface, f"Surface {surface}")
            self.setTabIcon(self.count() - 1, icon("pin", "accent"))
            self.setTabToolTip(self.count() - 1, PINNED)
            self._give_close_button(self.count() - 1)
            return self.count() - 1
        return found[0]

    def _add(self, surface: int | str, title: str) -> None:
        self._places.append({"surface": surface})
        self.addTab(title)

    def _give_close_button(self, tab: int) -> None:
        close = tool("Close the tab", "Close the tab: the surface is no longer pinned", "close")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.setObjectName("slim")
        close.setIconSize(QSize(12, 12))
        close.setFixedSize(18, 18)
        close.clicked.connect(lambda: self.close_tab(self._tab_with(close)))
        self.setTabButton(tab, self.ButtonPosition.RightSide, close)

    def _tab_with(self, button: QWidget) -> int:
        return next(tab for tab in range(self.count()) if self.tabButton(tab, self.ButtonPosition.RightSide) is button)

    def _tell_role(self, role: str) -> None:
        self._places[0]["surface"] = role
        self.setTabText(0, ROLES[role])
        self.setTabToolTip(0, FOLLOWS.format(ROLES[role].lower()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The middle button closes a pinned tab, as in a browser, and chooses none."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self.close_tab(max(self.tabAt(event.position().toPoint()), 0))
        else:
            super().mousePressEvent(event)

    def _clicked(self, tab: int) -> None:
        if tab >= 0:
            self.chosen.emit(dict(self._places[tab]))

    def _walked(self, tab: int) -> None:
        """With the arrow keys, or because another tab went."""
        if not self._showing and tab >= 0 and self.hasFocus():
            self.chosen.emit(dict(self._places[tab]))
