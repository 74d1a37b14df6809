"""The line below the image: position and value of the pixel under the pointer, or of the picked one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.controls import label
from ui.widgets.plain import PlainLabel

Rgb = tuple[int, int, int]


class Readout(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = label(kind="muted")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.swatch = PlainLabel()
        self.swatch.setFixedSize(14, 14)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 4, 6, 4)
        row.addStretch(1)
        row.addWidget(self.swatch)
        row.addWidget(self.words)
        self.show_pixel(None, None)

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
            self.words.setText("")
            return
        red, green, blue = color or value.rgba8[:3]
        parts = "  ".join(f"{name} {number:.4g}" for name, _, number in value.parts)
        parts = parts or "  ".join(f"{name} {byte}" for name, byte in zip("RGBA", value.rgba8, strict=True))
        raw = f"   {value.raw:0{value.digits}x}" if value.raw is not None else ""
        at = f"{place[0]}, {place[1]}{raw}" if where else ""
        self.words.setText("   ".join(words for words in (part, at, parts) if words))
        self.swatch.setStyleSheet(f"background: rgb({red},{green},{blue}); border-radius: 3px;")
