"""A button that chooses several names of a list: at least one stays chosen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QToolButton

from ui.widgets.controls import paint_arrow, spoken

MOST_SHOWN = 24
"""Characters of the first name on the button."""


class StayingMenu(QMenu):
    """Stays open while one clicks its switches."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._switch():
            super().mouseReleaseEvent(event)

    def _switch(self) -> bool:
        action = self.activeAction()
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True


class Several(QToolButton):
    """`changed()`: others are chosen.  scaled: whether each is to be shown at its own scale."""

    changed = Signal()

    def __init__(self, name: str, about: str) -> None:
        super().__init__()
        spoken(self, name).setToolTip(about)
        self.setObjectName("several")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.names: tuple[str, ...] = ()
        self.chosen: list[str] = []
        self.scaled = False
        self._menu = StayingMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self._say()

    def offer(self, names: Sequence[str], usual: str = "") -> None:
        """Other names are there; those that were chosen stay so, else the usual one is, or the last."""
        self.names = tuple(names)
        self.chosen = [name for name in self.chosen if name in names] or [
            name for name in (usual, *names[-1:]) if name in names
        ][:1]  # fmt: skip
        self._say()

    def choose(self, *names: str) -> None:
        """These and no others."""
        self.chosen = [name for name in self.names if name in names]
        self._say()
        self.changed.emit()

    def switch(self, name: str) -> None:
        """One more, or one less if others are left."""
        others = [one for one in self.chosen if one != name]
        if name not in self.chosen:
            self.choose(*self.chosen, name)
        elif others:
            self.choose(*others)
        else:
            self._check()

    def set_scaled(self, scaled: bool) -> None:
        self.scaled = scaled
        self.changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            paint_arrow(painter, self)

    def _fill(self) -> None:
        self._menu.clear()
        for name in self.names:
            action = self._menu.addAction(name.replace("&", "&&"), partial(self.switch, name))
            action.setCheckable(True)
        self._check()
        self._menu.addSeparator()
        scaled = self._menu.addAction("Each at its own scale", lambda: self.set_scaled(not self.scaled))
        scaled.setCheckable(True)
        scaled.setChecked(self.scaled)

    def _check(self) -> None:
        for name, action in zip(self.names, self._menu.actions(), strict=False):
            action.setChecked(name in self.chosen)

    def _say(self) -> None:
        self._check()
        more = f" +{len(self.chosen) - 1}" if len(self.chosen) > 1 else ""
        first = self.chosen[0] if self.chosen else "none"
        self.setText(f"{first if len(first) <= MOST_SHOWN else first[:MOST_SHOWN] + '…'}{more}".replace("&", "&&"))
        self.setEnabled(bool(self.names))
