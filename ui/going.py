"""Going to a typed place: asks the go-to box's question and handles its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from core.errors import BadInput
from inspector.focus import Focus
from ui.places import place_of

if TYPE_CHECKING:
    from ui.window import Window


def ask_place(window: Window) -> None:
    """Waits for a place to be typed; with the keyboard in the picture, for a pixel."""
    in_picture = window.surface.view.hasFocus()
    window.activateWindow()  # a panel that floats may have the keyboard
    window.place.setFocus(Qt.FocusReason.ShortcutFocusReason)
    window.place.selectAll()
    if in_picture:
        window.place.ask_pixel(window.desk.focus.focus.pixel)


def go_to_text(window: Window, text: str) -> None:
    """Goes where the words say (ui.places), or says why not."""
    capture, index, focus = window.desk.capture, window.desk.index, window.desk.focus
    if capture is None or index is None:
        return
    try:
        found = place_of(text, focus.focus, capture, index)
        if not isinstance(found, Focus):
            _check_pixel(window, found.get("pixel"))
    except BadInput as error:
        window.say(str(error), "note")
        return
    window.say("")
    window.place.give_back()
    if isinstance(found, Focus):
        focus.go_to(found)
        return
    focus.go(None, **found)
    if "pixel" in found:
        window.docks.bring("surface")


def _check_pixel(window: Window, pixel: object) -> None:
    width, height = window.surface.view.picture_size
    if isinstance(pixel, tuple) and width and not (pixel[0] < width and pixel[1] < height):
        raise BadInput(f"Pixel {pixel[0]}, {pixel[1]} is outside the surface ({width} × {height}).")
