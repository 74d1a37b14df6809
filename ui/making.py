"""The panels, each made when it is first needed: it comes to the front of its dock, or somebody asks for it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from ui.panels.panel import Desk, Panel
from ui.widgets.controls import single_shot

EMPTY, USUAL = QSize(67, 65), QSize(258, 255)
"""Pixels that the place of a panel takes at least, before it is there, and that it likes to have."""
NOBODY: tuple[str, Callable[[], object]] = ("", lambda: None)
FIRST = "surface"
"""The panel that is made before the others: it asks for the picture."""


class Place(QWidget):
    """Where a panel stands in its dock; empty until it is made.

    It has no layout of its own: when something changes within a panel, the window is not laid out again.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.panel: QWidget | None = None
        self.held = False
        """The panel keeps its size until `fit`: the place is being laid out, and may have others in between."""

    def put(self, panel: QWidget) -> None:
        """The panel is made."""
        self.panel = panel
        panel.setGeometry(self.rect())
        panel.show()
        self.updateGeometry()

    @property
    def fits(self) -> bool:
        return self.panel is None or self.panel.size() == self.size()

    def fit(self) -> None:
        if self.panel is not None:
            self.panel.resize(self.size())

    def sizeHint(self) -> QSize:
        return USUAL

    def minimumSizeHint(self) -> QSize:
        return EMPTY if self.panel is None else self.panel.minimumSizeHint().expandedTo(EMPTY)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.held:
            self.fit()


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
        self._next = single_shot(desk, 0, self._go_on)
        self._held = False
        self._unseen = False
        """Docks came or moved: Qt paints the window before anything else is done, in a turn of its own."""
        self._had_keys: QWidget | None = None
        self._wanted = NOBODY
        self._bare = ""
        """The panel that was shown and is not painted yet."""

    def __getitem__(self, name: str) -> Panel:
        return self._put(name)

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

    @property
    def under_way(self) -> bool:
        """Whether panels that are seen are still being made, shown or fitted to their places."""
        return self._next.isActive()

    def is_raised(self, name: str) -> bool:
        """Whether its dock is not behind another tab."""
        return self._raised[name]

    def set_raised(self, name: str, raised: bool) -> None:
        """Called by the dock, because Qt reports panels on hidden tabs as visible."""
        self._raised[name] = raised
        if name in self.made:
            self.made[name].set_raised(raised)
        if raised and self._is_due(name):
            self._next.start()

    def _make(self, name: str) -> Panel:
        """The panel, not in its place yet."""
        panel = self.made[name] = self._kinds[name](self._desk, self.places[name])
        for does in self._waiting.pop(name):
            does(panel)
        panel.set_raised(self._raised[name])
        return panel

    def _put(self, name: str) -> Panel:
        """The panel, in its place."""
        panel, place = self.made[name] if name in self.made else self._make(name), self.places[name]
        if place.panel is None:
            place.put(panel)
        return panel

    @contextmanager
    def held(self, hidden: bool = False) -> Iterator[None]:
        """While docks get other sizes, nothing is laid out within panels; afterwards one in each turn of the event loop.

        hidden: they move, too: a hidden panel is not shown again and again meanwhile.
        """
        outermost = not self._held
        if hidden:
            self._hide()
        self._hold(True)
        try:
            yield
        finally:
            if outermost:
                self._hold(False)
                self._unseen = True
                self._next.start()

    def _hold(self, held: bool) -> None:
        self._held = held
        for place in self.places.values():
            place.held = held

    def _hide(self) -> None:
        self._take_keys()
        for panel in self.made.values():
            panel.hide()

    def _take_keys(self) -> None:
        """What has the keyboard gets it back with its panel: else Qt walks all widgets for another that takes it."""
        here = QApplication.focusWidget()
        if here is not None and any(place.isAncestorOf(here) for place in self.places.values()):
            self._had_keys = here
            here.clearFocus()

    def bring_soon(self, name: str, then: Callable[[], object]) -> None:
        """Brings the panel in the next turns of the event loop, before others, and does something then."""
        self._wanted = name, then
        self._next.start()

    def _give_keys(self, name: str) -> None:
        """Unless something else has taken the keyboard meanwhile."""
        if self._had_keys is not None and self.has_keys(name):
            if QApplication.focusWidget() is None:
                self._had_keys.setFocus()
            self._had_keys = None

    def holding(self, widget: QWidget | None) -> str:
        """The panel that a widget is in; "" for none."""
        within = (name for name, place in self.places.items() if widget is not None and place.isAncestorOf(widget))
        return next(within, "")

    def has_keys(self, name: str) -> bool:
        """Whether the keyboard is in the panel, or was when docks were about to be arranged."""
        here = self._had_keys or QApplication.focusWidget()
        return here is not None and isValid(here) and self.places[name].isAncestorOf(here)

    def bring(self, name: str) -> Panel:
        """The panel, as large as its place."""
        panel = self[name]
        self.places[name].fit()
        panel.show()
        self._give_keys(name)
        return panel

    def _go_on(self) -> None:
        """Makes a panel that is seen, fits it to its place or paints it: one of that in each turn of the event loop.

        Docks that are arranged come to the front and go again meanwhile; those that are behind others wait until they are seen.
        """
        if self._held:
            return
        if self._unseen:
            self._unseen = False
        elif self._bare:
            self._paint()
        else:
            due = [name for name in self._kinds if self._raised[name] and self._seen(name) and self._is_due(name)]
            for name in sorted(due, key=lambda name: (not self.has_keys(name), name != FIRST, name != self._wanted[0]))[:1]:
                self._advance(name)
        if self._bare or any(self._raised[name] and self._seen(name) and self._is_due(name) for name in self._kinds):
            self._next.start()
        elif self._wanted[0]:
            self._do_wanted()

    def _advance(self, name: str) -> None:
        """One step towards a panel in its place."""
        if name not in self.made:
            self._make(name)
        else:
            self.bring(name)
            self._bare = name
            if name == self._wanted[0]:
                self._do_wanted()

    def _do_wanted(self) -> None:
        (_, then), self._wanted = self._wanted, NOBODY
        then()

    def _paint(self) -> None:
        """By itself: else Qt paints at once what several turns have shown."""
        name, self._bare = self._bare, ""
        self.made[name].repaint()

    def _is_due(self, name: str) -> bool:
        return name not in self.made or self.made[name].isHidden() or not self.places[name].fits
