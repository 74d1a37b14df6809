"""The panels, each made when it is first needed: it comes to the front of its dock, or somebody asks for it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.panels.panel import Desk, Panel
from ui.widgets.controls import single_shot

EMPTY, USUAL = QSize(67, 65), QSize(258, 255)
"""Pixels that the place of a panel takes at least, before it is there, and that it likes to have."""


class Place(QWidget):
    """Where a panel stands in its dock; empty until it is made.

    It has no layout of its own: when something changes within a panel, the window is not laid out again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.panel: QWidget | None = None

    def put(self, panel: QWidget) -> None:
        """The panel is made."""
        self.panel = panel
        panel.setParent(self)
        panel.setGeometry(self.rect())
        panel.show()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return USUAL

    def minimumSizeHint(self) -> QSize:
        return EMPTY if self.panel is None else self.panel.minimumSizeHint().expandedTo(EMPTY)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.panel is not None:
            self.panel.resize(event.size())


class Panels(Mapping[str, Panel]):
    """By name: `panels[name]` makes a panel that is not there; going through the names, or `made`, makes none."""

    def __init__(self, kinds: Sequence[type[Panel]], desk: Desk, seen: Callable[[str], bool]) -> None:
        """seen: whether the dock of that name is shown."""
        self._kinds = {kind.name: kind for kind in kinds}
        self._desk, self._seen = desk, seen
        self.places = {name: Place() for name in self._kinds}
        self.made: dict[str, Panel] = {}
        """Those that are there."""
        self._raised = dict.fromkeys(self._kinds, True)
        self._waiting: dict[str, list[Callable[[Any], object]]] = {name: [] for name in self._kinds}
        self._next = single_shot(desk, 0, self._make_next)

    def __getitem__(self, name: str) -> Panel:
        return self.made[name] if name in self.made else self._make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def title(self, name: str) -> str:
        return self._kinds[name].title

    def when_made(self, name: str, does: Callable[[Any], object]) -> None:
        """Does something to a panel as soon as it is there."""
        if name in self.made:
            does(self.made[name])
        else:
            self._waiting[name].append(does)

    def is_raised(self, name: str) -> bool:
        """Whether its dock is not behind another tab."""
        return self._raised[name]

    def set_raised(self, name: str, raised: bool) -> None:
        """Called by the dock, because Qt reports panels on hidden tabs as visible."""
        self._raised[name] = raised
        if name in self.made:
            self.made[name].set_raised(raised)
        elif raised:
            self._next.start()

    def _make(self, name: str) -> Panel:
        panel = self.made[name] = self._kinds[name](self._desk)
        for does in self._waiting.pop(name):
            does(panel)
        panel.set_raised(self._raised[name])
        self.places[name].put(panel)
        return panel

    def _make_next(self) -> None:
        """One in each turn of the event loop: docks that are arranged come to the front and go again meanwhile."""
        due = [name for name in self._kinds if name not in self.made and self._raised[name] and self._seen(name)]
        for name in due[:1]:
            self._make(name)
        if due[1:]:
            self._next.start()
