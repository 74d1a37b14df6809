"""The button that chooses what lies over a picture: one layer of colours, how strong it is, and the wire frame."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QSlider, QToolButton, QWidgetAction

from inspector.query.pixels.overlay import KINDS
from ui.widgets.controls import label, spoken, strip, tool
from ui.widgets.key_tips import name_keys

TITLES = (
    ("This draw", {
        "tests": "Tests", "depth": "Depth test", "stencil": "Stencil test", "alpha": "Alpha test", "draw": "Fragments",
    }),
    ("This frame so far", {
        "last_writer": "Last writer", "first_writer": "First writer", "frame": "Overdraw", "written": "Overdraw, written",
        "rejected": "Overdraw, rejected", "clear": "Drawn, cleared", "age": "Age in frames",
    }),
    ("Each pixel's last fragment", {
        "blended": "Blended", "fog": "Fogged", "alpha_tested": "Alpha tested", "shading": "Shading",
        "triangle_size": "Triangle size",
    }),
    ("Values", {"range": "Out of range"}),
)  # fmt: skip
"""Section -> overlay -> title."""
NAMES = ("", *(name for _, titles in TITLES for name in titles))
"""In the order of the menu; empty: none."""
FAINTEST = 10


class OverlayMenu:
    """`button` with its menu; `chosen`: one of NAMES; `wired`: the action of the wire frame; `opacity`: 10 to 100 per cent."""

    def __init__(self) -> None:
        self.button: QToolButton = name_keys(
            tool("Overlay", "", "layers"), "Overlay tests, writers, overdraw or wireframe", "overlay", "wires"
        )
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.chosen, self._actions = "", dict[str, QAction]()
        self._menu = QMenu(self.button)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self.button)
        self._add("", "No overlay", "")
        for section, titles in TITLES:
            self._menu.addSection(section)
            for name, title in titles.items():
                self._add(name, title, KINDS[name])
        self._menu.addSeparator()
        self.opacity = spoken(QSlider(Qt.Orientation.Horizontal), "Opacity of the overlay")
        self.opacity.setRange(FAINTEST, 100)
        self.opacity.setValue(100)
        self.opacity.setFixedWidth(120)
        held = QWidgetAction(self._menu)
        held.setDefaultWidget(strip(label("Opacity"), self.opacity, name="bare"))
        self._menu.addAction(held)
        self.wired = self._menu.addAction("Draw wireframe")
        self.wired.setCheckable(True)
        self.button.setMenu(self._menu)

    def _add(self, name: str, title: str, about: str) -> None:
        action = self._menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(name == self.chosen)
        action.setToolTip(about[:1].upper() + about[1:])
        action.setData(name)
        self._group.addAction(action)
        self._actions[name] = action

    def on_choice(self, does: Callable[[str], object]) -> None:
        """Calls with the overlay that the user chose."""
        self._group.triggered.connect(lambda action: does(action.data()))

    def choose(self, name: str) -> None:
        self.chosen = name
        self._actions[name].setChecked(True)

    @property
    def next(self) -> str:
        """The overlay after the chosen one."""
        return NAMES[NAMES.index(self.chosen) - len(NAMES) + 1]
