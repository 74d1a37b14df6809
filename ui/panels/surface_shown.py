"""The surface panel's image as shown, for saving; and the highlight under the pointer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QGuiApplication, QImage

from inspector.focus import Focus
from inspector.query.looks.pair import both
from inspector.query.looks.wires import Wires, wires_of
from inspector.query.pixels.layers import Layer
from ui.models.pixels import Picture, pixel_value
from ui.models.surface_words import writer_at, writer_words
from ui.widgets.picture_view import PictureView

if TYPE_CHECKING:
    from ui.panels.panel import Desk
    from ui.panels.surface import SurfacePanel

GLOW, LIT = (255, 255, 255, 70), (255, 255, 255, 150)
ENTRIES = 16
"""Of a palette, in each row of its picture."""


def composed(
    picture: np.ndarray, second: np.ndarray | None, how: str, split: float, layers: Iterable[tuple[Layer, float]],
    wires: Wires | None,
) -> np.ndarray:  # fmt: skip
    """uint8[h, w, 4]: a picture with another one beside it or behind a wipe, layers with their opacities, and wires over it."""
    if second is not None and how == "wipe":
        picture = both(picture, second, "wipe", split=split).rgba
    for layer, opacity in layers:
        picture = layer.over(picture, opacity)
    picture = wires.over(picture) if wires is not None else picture
    return both(picture, second, "side").rgba if second is not None and how == "side" else picture


def copied(rgba: np.ndarray | None) -> str:
    """Puts a picture, uint8[h, w, 4], on the clipboard; a sentence about it."""
    if rgba is None:
        return "There is no image to copy."
    height, width = rgba.shape[:2]
    rows = np.ascontiguousarray(rgba)
    QGuiApplication.clipboard().setImage(QImage(rows.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy())
    return f"Copied the image: {width} × {height}."


def words_of(picture: Picture | None, focus: Focus, mode: str, overlays: Iterable[str], name: str = "") -> str:
    """The surface (its name, if the user gave it one), its part unless all are shown, the view and the overlays, as
    "volume-39-slice7-formula"."""
    title = [name or picture.title] if picture is not None and picture.info is not None else []
    one = picture is None or picture.sheet is None
    parts = [f"{part}{getattr(focus, part)}" for part in ("level", "face", "slice") if one and getattr(focus, part)]
    words = [*title, *parts, *([] if mode == "image" else [mode]), *overlays]
    return "-".join(re.sub(r"[^a-z0-9_]+", "-", word.lower()).strip("-") for word in words)


def show_hover(panel: SurfacePanel, x: int, y: int) -> None:
    """The pixel under the pointer, with who wrote it; (-1, -1): the picked one."""
    picture, layers = panel.picture, panel.layering.layers
    panel.view.set_tag(writer_words(panel.desk.capture, layers, x, y))
    panel.glow.show(layers if picture is None or picture.sheet is None else (), x, y)
    picked = panel.desk.focus.focus.pixel if picture is not None and picture.has_texels else None
    place = (x, y) if x >= 0 else picked
    value = pixel_value(picture, *place) if picture is not None and place else None
    if picture is None or place is None or value is None:
        panel.readout.show_pixel(None, None)
    elif picture.entry:
        panel.readout.show_entry(place[1] // picture.entry * ENTRIES + place[0] // picture.entry, value)
    elif picture.sheet is None:
        panel.readout.show_pixel(place, value, color=panel.view.color_at(*place) if panel.toning.plane(picture) else None)
    elif hit := picture.sheet.at(*place):
        panel.readout.show_pixel(hit[1][:2], value, hit[0].title)


class Glow:
    """Lights up the draw, and the primitive, that an overlay names for the pixel under the pointer."""

    def __init__(self, desk: Desk, view: PictureView) -> None:
        self._desk, self._view = desk, view
        self._writer: tuple[int, int] | None = None
        self._mask: tuple[int, np.ndarray] | None = None

    def show(self, layers: tuple[tuple[str, Layer], ...], x: int, y: int) -> None:
        """Of the pixel; (-1, -1): nothing."""
        writer = writer_at(layers, x, y)
        if writer == self._writer:
            return
        self._writer = writer
        if writer is None or writer[1] < 0:
            self._desk.ask.cancel("writer")
            self._view.set_glow(None)
            return
        event, primitive = writer
        if self._mask is None or self._mask[0] != event:
            self._mask = event, mask_of(layers, event)
        self._view.set_glow(self._mask[1])
        capture = self._desk.capture
        if capture is None:
            return
        asked = lambda progress: wires_of(capture.vertices(event, "clipped", progress.stop.is_set), primitive)  # noqa: E731
        self._desk.ask("writer", asked, lambda wires: self._light(writer, wires), lambda error: None)

    def _light(self, writer: tuple[int, int], wires: Wires) -> None:
        """The answer, if the pointer is still there."""
        if writer == self._writer and self._mask is not None:
            self._view.set_glow(self._mask[1], ("accent", 2.5, wires.chosen))

    def light(self, layer: Layer | None, color: tuple[int, int, int] | None) -> None:
        """The pixels to which a layer gives a colour; None: nothing."""
        self.forget()
        if layer is None or color is None:
            return
        rgba = np.zeros_like(layer.rgba)
        rgba[(layer.rgba[..., :3] == color).all(axis=-1) & (layer.rgba[..., 3] > 0)] = LIT
        self._view.set_glow(rgba)

    def forget(self) -> None:
        """Another picture is shown."""
        self._mask = self._writer = None
        self._view.set_glow(None)


def mask_of(layers: Iterable[tuple[str, Layer]], event: int) -> np.ndarray:
    """uint8[h, w, 4]: light over the pixels that the topmost overlay about writers has an event for."""
    picks = [layer.picks for _, layer in layers if layer.picks is not None][-1]
    rgba = np.zeros((*picks.index.shape, 4), np.uint8)
    rgba[picks.of("event", -1) == event] = GLOW
    return rgba
