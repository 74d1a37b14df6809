"""Position and value of the pixel under the pointer, or of the picked one: a line below the image, or lines beside it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from ui.widgets.controls import label
from ui.widgets.plain import PlainLabel

Rgb = tuple[int, int, int]
GAP = "   "
"""Between the parts of the line."""


class Readout(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = label(kind="muted")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.swatch = PlainLabel()
        self.swatch.setFixedSize(14, 14)
        self._parts: tuple[str, ...] = ()
        self._upright = False
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(6, 4, 6, 4)
        row.addStretch(1)
        row.addWidget(self.swatch)
        row.addWidget(self.words)
        self.show_pixel(None, None)

    def set_upright(self, upright: bool) -> None:
        """A line for each value, or one for all."""
        self._upright = upright
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if upright else QBoxLayout.Direction.LeftToRight)
        self._row.setContentsMargins(8 if upright else 6, 4, 6, 4)
        self.words.setWordWrap(upright)  # several lines
        self._say()

    @property
    def said(self) -> str:
        """On one line."""
        return GAP.join(self._parts)

    def _say(self) -> None:
        lines = "\n".join(part.replace("  ", "\n") for part in self._parts)
        self.words.setText(lines if self._upright else self.said)

    def show_entry(self, number: int, value: Any) -> None:
        """Of a palette; value: a ui.models.pixels.PixelValue."""
        self.show_pixel((number, 0), value, f"entry {number}", where=False)

    def show_pixel(
        self, place: tuple[int, int] | None, value: Any, part: str = "", color: Rgb | None = None, where: bool = True
    ) -> None:
        """value: a ui.models.pixels.PixelValue; None: nothing is shown.  part: what the place is on; where: with the place;
        color: of the swatch, if that is not the value's."""
        self.swatch.setVisible(value is not None)
        if value is None or place is None:
            self._parts = ()
            self._say()
            return
        red, green, blue = color or value.rgba8[:3]
        parts = "  ".join(f"{name} {number:.4g}" for name, _, number in value.parts)
        parts = parts or "  ".join(f"{name} {byte}" for name, byte in zip("RGBA", value.rgba8, strict=True))
        raw = f"{value.raw:0{value.digits}x}" if value.raw is not None else ""
        at = f"{place[0]}, {place[1]}" if where else ""
        self._parts = tuple(words for words in (part, at, raw if where else "", parts) if words)
        self._say()
        self.swatch.setStyleSheet(f"background: rgb({red},{green},{blue}); border: 1px solid palette(mid); border-radius: 3px;")
