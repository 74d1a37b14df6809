"""The controls above the surface: which one, at which event, which part; its display; its overlays."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QSizePolicy, QToolButton, QWidget

from inspector.query.looks.look import MOMENTS
from ui.widgets.controls import Choice, label, strip, tool
from ui.widgets.folding import FoldingStrip
from ui.widgets.key_tips import name_keys
from ui.widgets.part_boxes import PartBoxes

PIN = "{}: follows the events. Pin the surface to see it at every event"
OF_SHEET = "Zoom of the sheet, on which large parts are reduced and small ones enlarged"
GAP = "   "
"""Between the title of a surface and its size."""
LEAST = 44
"""Pixels for the zoom."""
UNPIN = "Pinned: this surface at every event. Unpin to follow the render target"


class SurfaceChoice(Choice):
    """Surfaces with their sizes, which the line below says of the one that is chosen."""

    def in_short(self, text: str) -> str:
        return text.partition(GAP)[0]


class SurfaceBar(FoldingStrip):
    """`channels_changed()`; the others are signals of the controls themselves.  views, pairs, layers, range: buttons that the
    panel gives it."""

    channels_changed = Signal()

    def __init__(self, views: QWidget, pairs: QWidget, layers: QWidget, range: QWidget) -> None:
        self.choice = SurfaceChoice("Surface")
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(16)
        self.pin = tool("Pin the surface", "", "pin", checkable=True)
        self.when = Choice("When")
        for name, tip in MOMENTS.items():
            self.when.addItem(name.capitalize(), name)
            self.when.setItemData(self.when.count() - 1, tip[0].upper() + tip[1:], Qt.ItemDataRole.ToolTipRole)
        self.when.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        name_keys(self.when, "After the event, before it, or only what it changed", "surface.hold-before")
        self.parts = PartBoxes()
        self.channels = {name: self._make_channel(name) for name in "RGBA"}
        self.checker = tool("Checkerboard", "Show transparency over a checkerboard", "checker", checkable=True)
        self.grid = tool("Pixel grid", "Grid between pixels, at 8x and above", "grid", checkable=True, checked=True)
        self.fit = name_keys(tool("Fit", "", "fit"), "Fit to the window", "surface.fit")
        self.whole = tool("One to one", "One to one", text="1:1")
        self.search = name_keys(tool("Find a value", "", "search"), "Find texels by value", "filter")
        self._zoom, self._sheet = 1.0, False
        self.zoom_text = label("100%", "faint")
        self.zoom_text.setMinimumWidth(LEAST)
        left = (self.choice, self.pin, self.when, *self.parts.boxes.values())
        more = (self.fit, self.zoom_text, self.checker, self.grid, self.search, self.whole)
        colors = strip(*self.channels.values(), name="bare")
        colors.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        colors.layout().setContentsMargins(0, 0, 0, 0)  # type: ignore[union-attr]
        right = (views, layers, pairs, range, colors, *more)
        super().__init__(left, right)
        self.parts.setParent(self)
        self.checker.toggled.connect(lambda _: self.channels_changed.emit())

    def _make_channel(self, name: str) -> QToolButton:
        button = tool(
            f"Channel {name}", f"Channel {name}; with Ctrl, {name} alone", text=name, checkable=True, checked=name != "A"
        )
        button.setObjectName("channel")
        button.clicked.connect(lambda _: self._toggle_channel(name))
        return button

    def _toggle_channel(self, name: str) -> None:
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            for other, button in self.channels.items():
                button.setChecked(other == name)
        self.channels_changed.emit()

    def show_surfaces(self, rows: Sequence[tuple[int | str, str]]) -> None:
        """Those that can be chosen, and what they are called."""
        if list(rows) != [(self.choice.itemData(row), self.choice.itemText(row)) for row in range(self.choice.count())]:
            self.choice.clear()
            for data, text in rows:
                self.choice.addItem(text, data)

    def show_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        text = ("sheet " if self._sheet else "") + f"{zoom * 100:.0f}%"
        self.zoom_text.setText(text)
        self.zoom_text.setMinimumWidth(max(LEAST, self.zoom_text.sizeHint().width()))

    def show_pin(self, pinned: bool, followed: str) -> None:
        self.pin.setChecked(pinned)
        self.pin.setToolTip(UNPIN if pinned else PIN.format(followed))

    def show_kind(self, colors: bool, sheet: bool) -> None:
        """Whether the picture has channels of colour; whether it is a sheet of parts, whose zoom is not theirs."""
        for control in (*self.channels.values(), self.checker):
            control.setVisible(colors)
        self._sheet = sheet
        self.zoom_text.setToolTip(OF_SHEET if sheet else "")
        self.show_zoom(self._zoom)

    @property
    def visible_channels(self) -> str:
        chosen = "".join(name for name, button in self.channels.items() if button.isChecked())
        return chosen + "A" if self.checker.isChecked() and "A" not in chosen and len(chosen) > 1 else chosen

    def set_channels(self, chosen: str) -> None:
        for name, button in self.channels.items():
            button.setChecked(name in chosen)
