"""Saved sets of edits, each with its image, next to the current one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from inspector.focus import Focus
from inspector.query.what_if.edits import Edit
from inspector.query.what_if.what_if import WhatIf
from inspector.view import CaptureView
from ui.models.pixels import argb_of_rgba
from ui.widgets.controls import label, titled, tool
from ui.widgets.picture_rows import PictureRows
from ui.widgets.picture_view import PictureView

MOST = 4
"""Variants that are kept; the oldest one goes."""
Edits = tuple[Edit, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The picture without and with the edits, and those of the variants."""

    before: np.ndarray
    after: np.ndarray
    others: list[np.ndarray]


@dataclass(frozen=True, slots=True)
class Refused:
    """These edits cannot be, and why."""

    sentence: str


class Variants(QObject):
    """Adds a picture to the others for each set of edits that is kept.  `chosen(edits)`: it is to be edited again."""

    chosen = Signal(object)
    changed = Signal()
    picked = Signal(int, int)

    def __init__(self, rows: PictureRows) -> None:
        super().__init__(rows)
        self._rows, self._first = rows, rows.boxes
        self.kept: list[Edits] = []
        self._views: dict[Edits, CaptureView] = {}
        self.pictures: list[PictureView] = []
        self._boxes: list[QWidget] = []

    def keep(self, edits: Edits) -> None:
        """Keeps a set of edits, once."""
        if edits and edits not in self.kept:
            self.kept = [*self.kept, edits][-MOST:]
            self._lay_out()

    def drop(self, edits: Edits) -> None:
        self.kept = [one for one in self.kept if one != edits]
        self._lay_out()

    def clear(self) -> None:
        """Another capture: its edits are others."""
        self._views.clear()
        if self.kept:
            self.kept = []
            self._lay_out()

    def images(self, capture: CaptureView, focus: Focus, surface: str, cancel: Any) -> list[np.ndarray]:
        """The image with each set.  Runs on the asking thread."""
        self._views = {edits: view for edits, view in self._views.items() if edits in self.kept}
        found = []
        for edits in list(self.kept):
            view = self._views.get(edits) or capture.ask(WhatIf(edits), cancel)
            self._views[edits] = view
            found.append(view.image(focus.event, surface, cancel=cancel))
        return found

    def show_images(self, images: list[np.ndarray], pixel: tuple[int, int] | None) -> None:
        for picture, image in zip(self.pictures, images, strict=False):
            picture.set_picture(argb_of_rgba(image))
            picture.set_pixel(pixel)

    def _lay_out(self) -> None:
        before = self._boxes
        self.pictures, self._boxes = [], []
        for number, edits in enumerate(self.kept, 1):
            self._add(number, edits)
        self._rows.put((*self._first, *self._boxes))
        for box in before:
            box.setParent(None)
            box.deleteLater()
        self._align()
        self.changed.emit()

    def _align(self) -> None:
        """All pictures begin at one height: titles without buttons are as high as those with."""
        layouts = filter(None, (box.layout() for box in self._rows.boxes))
        heads = [head for there in layouts if (top := there.itemAt(0)) and (head := top.widget())]
        highest = max(head.sizeHint().height() for head in heads) if self.kept else 0
        for head in heads:
            head.setMinimumHeight(highest)

    def _add(self, number: int, edits: Edits) -> None:
        title = label(f"{number}  {', '.join(map(str, edits))}")
        title.setToolTip("\n".join([f"Variant {number}", *map(str, edits)]))
        title.setMinimumWidth(title.fontMetrics().horizontalAdvance(f"{number}  ab…"))
        use = tool(f"Edit variant {number}", "Use these edits", text="Edit")
        use.clicked.connect(lambda: self.chosen.emit(edits))
        drop = tool(f"Remove variant {number}", "Remove this variant", sign="close")
        drop.clicked.connect(lambda: self.drop(edits))
        picture = PictureView()
        picture.setAccessibleName(f"Image of variant {number}")
        box = titled(title, picture, use, drop)
        picture.picked.connect(self.picked)
        self.pictures.append(picture)
        self._boxes.append(box)
