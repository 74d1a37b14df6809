"""The button for overlays: layers of colours, their opacity, and the wireframe."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QSlider, QToolButton, QWidget, QWidgetAction

from inspector.query.pixels.overlay import KINDS
from ui.keys.keymap import KEYS
from ui.keys.overlays import NAMES, TITLES
from ui.widgets.controls import label, spoken, strip, tool
from ui.widgets.key_tips import name_keys

FAINTEST = 10


class _Menu(QMenu):
    """Stays open, where `stays` says so, when one of its overlays is chosen: the next one is put on top."""

    def __init__(self, title: str, parent: QWidget, stays: Callable[[], bool]) -> None:
        super().__init__(title, parent)
        self.setToolTipsVisible(True)
        self._stays = stays

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._took(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (KEYS.meant(event, "list") == "follow" and self._took(self.activeAction())):
            super().keyPressEvent(event)

    def _took(self, action: QAction | None) -> bool:
        stays = action is not None and action.isCheckable() and action.isEnabled() and self._stays()
        if stays and action is not None:
            action.trigger()
        return stays


class OverlayMenu:
    """`button` with its menu; `stack`: the overlays that are shown, of ui.keys.overlays.NAMES, the last on top; `wired`: the
    action of the wire frame; `opacity`: 10 to 100 per cent, of the topmost."""

    def __init__(self) -> None:
        self.button: QToolButton = name_keys(
            tool("Overlay", "", "layers"), "Overlay tests, writers, overdraw or wireframe", "overlay", "wires"
        )
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.stack, self._actions = list[str](), dict[str, QAction]()
        self._opacities = dict[str, int]()
        self._does: Callable[[], object] = lambda: None
        self._menu = _Menu("", self.button, lambda: False)
        self._add(self._menu, "", "No overlay", "")
        for section, titles in TITLES:
            menu = _Menu(section, self._menu, lambda: self.several.isChecked())
            self._menu.addMenu(menu)
            for name, title in titles.items():
                self._add(menu, name, title, KINDS[name])
        self._menu.addSeparator()
        self.several = self._menu.addAction("Several at once")
        self.several.setCheckable(True)
        self.several.setToolTip(
            "Put each selected overlay on top of the others, and keep the menu open; select one again to remove it"
        )
        self.opacity = spoken(QSlider(Qt.Orientation.Horizontal), "Opacity of the topmost overlay")
        self.opacity.setRange(FAINTEST, 100)
        self.opacity.setValue(100)
        self.opacity.setFixedWidth(120)
        self.opacity.valueChanged.connect(self._set_opacity)
        held = QWidgetAction(self._menu)
        held.setDefaultWidget(strip(label("Opacity"), self.opacity, name="bare"))
        self._menu.addAction(held)
        self.wired = self._menu.addAction("Draw wireframe")
        self.wired.setCheckable(True)
        self.button.setMenu(self._menu)
        self._show()

    def _add(self, menu: QMenu, name: str, title: str, about: str) -> None:
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setToolTip(about[:1].upper() + about[1:])
        action.triggered.connect(lambda _=False: self.take(name))
        self._actions[name] = action

    def take(self, name: str) -> None:
        """Chosen in a menu or by a command: alone, or on top of others."""
        if not (self.several.isChecked() and name):
            self.choose(name)
        elif name in self.stack:
            self.stack.remove(name)
        else:
            self.stack.append(name)
        self._show()
        self._does()

    def on_choice(self, does: Callable[[], object]) -> None:
        """Calls when the user chose other overlays."""
        self._does = does

    def choose(self, name: str) -> None:
        """This one alone."""
        self.stack = [name] if name else []
        self._show()

    @property
    def chosen(self) -> str:
        """The topmost; empty: none."""
        return self.stack[-1] if self.stack else ""

    @property
    def next(self) -> str:
        """The overlay after the chosen one."""
        return NAMES[NAMES.index(self.chosen) - len(NAMES) + 1]

    def opacity_of(self, name: str) -> float:
        """0 to 1."""
        return self._opacities.get(name, self.opacity.value()) / 100

    def fade(self, name: str, percent: int) -> None:
        """Gives one of the stack an opacity."""
        self._opacities[name] = percent
        if name == self.chosen:
            with QSignalBlocker(self.opacity):
                self.opacity.setValue(percent)

    def remove(self, name: str) -> None:
        """Takes one off the stack."""
        if name in self.stack:
            self.stack.remove(name)
        self._show()

    def _set_opacity(self, percent: int) -> None:
        if self.chosen:
            self._opacities[self.chosen] = percent

    def _show(self) -> None:
        for name, action in self._actions.items():
            action.setChecked(name in self.stack if name else not self.stack)
        if self.chosen:
            shown = self._opacities.setdefault(self.chosen, self.opacity.value())
            self.opacity.setValue(shown)
        self.button.setText(f"{len(self.stack)}" if len(self.stack) > 1 else "")
