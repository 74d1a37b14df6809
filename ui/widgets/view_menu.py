"""The buttons for views of a surface (itself, all its parts, a formula) and for what it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from ui.widgets.controls import tool
from ui.widgets.key_tips import name_keys
from ui.words import tip

AMOUNTS = (1, 4, 8, 16, 64)
NO_PARTNER = ""
BEFORE, KEPT = "before", "kept"


class ViewMenu(QObject):
    """`chosen(mode)`: one of `modes`, with their titles; `formula_chosen(name)`: a formula that was saved."""

    chosen = Signal(str)
    formula_chosen = Signal(str)

    def __init__(self, modes: Mapping[str, str], parent: QObject) -> None:
        super().__init__(parent)
        self._modes = modes
        self.button = name_keys(tool("View", "", "views"), "All parts, cuts, palette or a formula", "surface.next-view")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.button)
        self._group = QActionGroup(self.button)
        self._actions = {name: _checkable(self._menu, self._group, title) for name, title in modes.items()}
        for name, action in self._actions.items():
            action.triggered.connect(lambda _=False, name=name: self.chosen.emit(name))
        self._saved = self._menu.addMenu("Saved formulas")
        self.button.setMenu(self._menu)
        self.show_mode(next(iter(modes)), modes)
        self.show_saved({})

    def show_mode(self, mode: str, there: Sequence[str] | Mapping[str, str]) -> None:
        """there: what this surface has."""
        for name, action in self._actions.items():
            action.setEnabled(name in there or name == mode)
            action.setChecked(name == mode)
        self.button.setText("" if mode == next(iter(self._modes)) else self._modes[mode].split(" through")[0])

    def show_saved(self, formulas: Mapping[str, str]) -> None:
        self._saved.clear()
        for name, text in formulas.items():
            action = self._saved.addAction(name.replace("&", "&&"))
            action.setToolTip(tip(text))
            action.triggered.connect(lambda _=False, name=name: self.formula_chosen.emit(name))
        self._saved.setEnabled(bool(formulas))


class PairMenu(QObject):
    """`changed()`: `partner` ("", BEFORE or KEPT), `how` or `amount` is another; `keep`, `file`: what the user wants kept."""

    changed = Signal()

    def __init__(
        self, ways: Mapping[str, str], keep: Callable[[], object], files: Mapping[str, Callable[[], object]], parent: QObject
    ) -> None:
        """ways: how two images can be shown, with their titles; files: what else can be chosen, by its title."""
        super().__init__(parent)
        self._ways = ways
        self.partner, self.how, self.amount = NO_PARTNER, "difference", 8
        self.button = name_keys(tool("Compare images", "", "pair"), "Compare with another image", "surface.keep-other")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = self._menu = QMenu(self.button)
        with_group, how_group = QActionGroup(self.button), QActionGroup(self.button)
        self._partners = {
            name: _checkable(menu, with_group, title)
            for name, title in ((NO_PARTNER, "No comparison"), (BEFORE, "Surface before the event"), (KEPT, "No image kept"))
        }
        self._partners[NO_PARTNER].setChecked(True)
        self._partners[KEPT].setEnabled(False)
        for name, action in self._partners.items():
            action.triggered.connect(lambda _=False, name=name: self.choose(name))
        menu.addAction("Keep this image for comparison").triggered.connect(lambda: keep())
        for title, choose in files.items():
            menu.addAction(title).triggered.connect(lambda _=False, choose=choose: choose())
        menu.addSeparator()
        self._hows = {name: _checkable(menu, how_group, title) for name, title in ways.items()}
        self._hows[self.how].setChecked(True)
        for name, action in self._hows.items():
            action.triggered.connect(lambda _=False, name=name: self._choose_how(name))
        amounts, amount_group = menu.addMenu("Amplify differences"), QActionGroup(self.button)
        for amount in AMOUNTS:
            action = _checkable(amounts, amount_group, f"× {amount}")
            action.setChecked(amount == self.amount)
            action.triggered.connect(lambda _=False, amount=amount: self._choose_amount(amount))
        self.button.setMenu(menu)

    def choose(self, partner: str) -> None:
        self.partner = partner
        self._partners[partner].setChecked(True)
        self._tell()

    def show_kept(self, title: str) -> None:
        """The image that is kept; empty: none."""
        self._partners[KEPT].setText((title or "No image kept").replace("&", "&&"))
        self._partners[KEPT].setEnabled(bool(title))

    def _choose_how(self, how: str) -> None:
        self.how = how
        if not self.partner:
            self.choose(KEPT if self._partners[KEPT].isEnabled() else BEFORE)
        else:
            self._tell()

    def _choose_amount(self, amount: int) -> None:
        self.amount = amount
        self._choose_how("difference")
        self._hows["difference"].setChecked(True)

    def _tell(self) -> None:
        self.button.setText(self._ways[self.how] if self.partner else "")
        self.changed.emit()


def _checkable(menu: QMenu, group: QActionGroup, title: str) -> QAction:
    action = menu.addAction(title)
    action.setCheckable(True)
    group.addAction(action)
    return action
