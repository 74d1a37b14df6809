"""The menu of the picked pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from ui.models.pixels import PixelValue, pixel_value

if TYPE_CHECKING:
    from ui.panels.surface import SurfacePanel


def show_menu(panel: SurfacePanel, place: QPoint) -> None:
    """Opens it at a place of the screen; on a sheet nothing but the image is meant."""
    menu = menu_of(panel)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)


def menu_of(panel: SurfacePanel) -> QMenu:
    """What can be asked about the picked pixel, and done with the image."""
    menu, desk, picture, pixel = QMenu(panel), panel.desk, panel.picture, panel.desk.focus.focus.pixel
    value = pixel_value(picture, *pixel) if picture is not None and picture.has_texels and pixel else None
    if value is not None:
        menu.addAction("Show the pixel history", lambda: desk.wanted.emit("panel", "history"))
        menu.addAction("Step through the pixel", lambda: desk.wanted.emit("origin", ""))
        menu.addAction("Where does its colour come from?", lambda: desk.wanted.emit("origin", "color"))
        menu.addSeparator()
        menu.addAction("Find this value in the image", lambda: panel.views.find(sought(value)))
        menu.addAction("Copy the pixel", lambda: QGuiApplication.clipboard().setText(words_of_pixel(value)))
    menu.addAction("Copy the image as it is shown", panel.copy_image)
    menu.addAction("Keep the image to compare with", panel.views.keep_other)
    return menu


def sought(value: PixelValue) -> str:
    """As the line that finds texels takes it: a depth, or a colour."""
    return next((repr(number) for name, _, number in value.parts if name.casefold() == "depth"), hex_of(value))


def hex_of(value: PixelValue) -> str:
    red, green, blue, _ = value.rgba8
    return f"#{red:02x}{green:02x}{blue:02x}"


def words_of_pixel(value: PixelValue) -> str:
    """For a text: "40, 52: #336699, stored ff336699"."""
    stored = f", stored {value.raw:0{value.digits}x}" if value.raw is not None else ""
    return f"{value.x}, {value.y}: {hex_of(value)}{stored}"
