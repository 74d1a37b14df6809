"""Layers over an image: overlays, another image behind a wipe, wires, titles, words; and the highlight under the pointer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from ui.widgets.picture_paint import Titled, Wire

Lines = tuple[str, float, np.ndarray]
"""Theme token, width, float32 (n, 4) x y x y in picture pixels."""


class Layered(QWidget):
    """A widget that paints a picture of `picture_size` and what is set here over it."""

    def __init__(self) -> None:
        super().__init__()
        self._layers: list[tuple[QImage, float]] = []
        self._second: QImage | None = None
        self._names, self._split = ("", ""), 0.5
        self._titles: tuple[Titled, ...] = ()
        self._caption = ""
        self._tag, self._pointer = "", QPointF()
        self._wires: tuple[Wire, ...] = ()
        self._glow: QImage | None = None
        self._glowing: tuple[Wire, ...] = ()

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height; (0, 0) without a picture."""
        return 0, 0

    @property
    def shape(self) -> float:
        """Width by height of the place for a picture."""
        return self.width() / max(self.height(), 1)

    def set_layers(self, layers: Sequence[tuple[np.ndarray, float]]) -> None:
        """(uint8 (h, w, 4) R G B A, opacity 0 to 1) over the picture, the last ones on top."""
        self._layers_kept = [np.ascontiguousarray(rgba) for rgba, _ in layers]
        self._layers = [
            (QImage(rgba.data, rgba.shape[1], rgba.shape[0], 4 * rgba.shape[1], QImage.Format.Format_RGBA8888), opacity)
            for rgba, (_, opacity) in zip(self._layers_kept, layers, strict=True)
        ]
        self.update()

    def set_second(self, argb: np.ndarray | None, names: tuple[str, str] = ("", "")) -> None:
        """Another picture of the same size, to the right of a line that can be dragged; names: of both.  None: no line."""
        self._second_kept = None if argb is None else np.ascontiguousarray(argb)
        self._second, self._names = None, names
        if self._second_kept is not None and self._second_kept.shape[::-1] == self.picture_size:
            height, width = self._second_kept.shape
            self._second = QImage(self._second_kept.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        self.update()

    def set_titles(self, titles: Sequence[Titled]) -> None:
        """Parts of the picture that are framed."""
        if tuple(titles) != self._titles:
            self._titles = tuple(titles)
            self.update()

    def set_caption(self, text: str) -> None:
        """What the picture is, in its corner; empty: nothing."""
        self._caption = text
        self.update()

    @property
    def split(self) -> float:
        """Where the line of the wipe is, 0 to 1 of the picture's width."""
        return self._split

    def set_split(self, split: float) -> None:
        self._split = min(max(split, 0.0), 1.0)
        self.update()

    def set_tag(self, text: str) -> None:
        """Words beside the pointer; empty: none."""
        if text or self._tag:
            self._tag = text
            self.update()

    @property
    def tag(self) -> str:
        return self._tag

    def set_wires(self, *wires: Lines) -> None:
        """(theme token, width, float32 (n, 4) x y x y in picture pixels): lines over the picture, the last ones on top."""
        drawn = _drawn(wires)
        if drawn != self._wires:
            self._wires = drawn
            self.update()

    def set_glow(self, rgba: np.ndarray | None, *lines: Lines) -> None:
        """uint8 (h, w, 4) over everything, and lines: what belongs to the pixel under the pointer.  None: nothing."""
        if rgba is None and self._glow is None and not lines and not self._glowing:
            return  # as with every move of the focus: painting is dear
        self._glow_kept = None if rgba is None else np.ascontiguousarray(rgba)
        self._glow = None
        if self._glow_kept is not None:
            height, width = self._glow_kept.shape[:2]
            self._glow = QImage(self._glow_kept.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        self._glowing = _drawn(lines)
        self.update()


def _drawn(lines: Sequence[Lines]) -> tuple[Wire, ...]:
    return tuple((token, width, [QLineF(*ends) for ends in rows.tolist()]) for token, width, rows in lines)
