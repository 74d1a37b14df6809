"""The overlays of the surface panel: the menu that chooses them, their layers, and the legend in the corner of the image."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from inspector.query.pixels.layers import Layer
from ui.keys.overlays import OF_NAME
from ui.widgets.overlay_legend import OverlayLegend
from ui.widgets.overlay_menu import OverlayMenu
from ui.widgets.picture_view import PictureView

if TYPE_CHECKING:
    from ui.panels.surface_shown import Glow

OPEN, FOLDED = "open", "folded"
"""What the user wants of the legend; before: what the image has room for."""
Layers = tuple[tuple[str, Layer], ...]


class Overlays(QObject):
    """kept, keep: as of Panel; refresh: asks for the overlays that are wanted now; go: to an event."""

    def __init__(
        self, view: PictureView, glow: Glow, kept: Callable[[str, Any], Any], keep: Callable[[str, Any], object],
        refresh: Callable[[], object], go: Callable[[int], object], parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.layers: Layers = ()
        """(name, layer) of those that are shown, the topmost last."""
        self.menu, self.legend = OverlayMenu(), OverlayLegend(view)
        self._view, self._glow, self._keep, self._refresh, self._note = view, glow, keep, refresh, ""
        self.menu.opacity.setValue(kept("opacity", 100))
        self.menu.on_choice(refresh)
        self.menu.opacity.valueChanged.connect(self._set_opacity)
        self.menu.wired.toggled.connect(lambda _: refresh())
        self.legend.set_open({OPEN: True, FOLDED: False}.get(kept("legend", "")))
        self.legend.faded.connect(self._fade)
        self.legend.removed.connect(self._remove)
        self.legend.folded.connect(self._fold)
        self.legend.chosen.connect(go)
        self.legend.pointed.connect(self._point)

    def show(self, layers: Layers, note: str) -> None:
        """What an answer has of them; note: why one is missing."""
        self.layers, self._note = layers, note
        self._show_layers()
        self._show_legend()

    def clear(self) -> None:
        self.show((), "")

    def faded(self) -> list[tuple[Layer, float]]:
        """Layers with their opacity, 0 to 1."""
        return [(layer, self.menu.opacity_of(name)) for name, layer in self.layers]

    def _show_layers(self) -> None:
        self._view.set_layers([(layer.rgba, opacity) for layer, opacity in self.faded()])

    def _show_legend(self) -> None:
        rows = [(name, OF_NAME[name], layer, round(100 * self.menu.opacity_of(name))) for name, layer in self.layers]
        self.legend.show_layers(rows if self.menu.stack else [], self._note if self.menu.stack else "")

    def _set_opacity(self, percent: int) -> None:
        self._show_layers()
        self._show_legend()
        self._keep("opacity", percent)

    def _fade(self, name: str, percent: int) -> None:
        """In the legend, which stays as it is while its slider is dragged."""
        self.menu.fade(name, percent)
        if name == self.menu.chosen:
            self._keep("opacity", percent)
        self._show_layers()

    def _remove(self, name: str) -> None:
        self.menu.remove(name)
        self._refresh()

    def _fold(self, is_open: bool) -> None:
        self._keep("legend", OPEN if is_open else FOLDED)
        self.legend.set_open(is_open)
        self._show_legend()

    def _point(self, name: str, color: tuple[int, int, int] | None) -> None:
        """Lights up the pixels of a colour."""
        layer = next((layer for kind, layer in self.layers if kind == name), None)
        self._glow.light(layer, color)
