"""Two images together: their difference, each alone, side by side, wiped, or alternating."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.query.comparison.views import GAP, amplified, beside, column_of, whitened
from ui.models.pixels import argb_of_rgba
from ui.widgets.controls import Choice, label, strip
from ui.widgets.picture_view import PictureView

VIEWS = {
    "Difference": "How much each pixel differs, amplified",
    "Mask": "White where a pixel differs, however little: by its stored bytes, where no tolerance was given",
    "A": "Side A",
    "B": "Side B",
    "Side by side": "A on the left, B on the right",
    "Wipe": "A left of a line that can be dragged, B right of it",
    "Flip": "A and B in alternation, so that what differs blinks",
}
GAINS, USUAL = (1, 2, 4, 8, 16, 64, 255), 8
"""A pixel that differs by 8 of 255 is seen."""
UNSEEN = "Less than 1 of 255: see Mask"
TURN = 600
"""Milliseconds that each picture is shown in turn."""
Pair = tuple[np.ndarray, np.ndarray]


class PairView(QWidget):
    """uint8[h, w, 4] twice, of one size.  `picked(x, y)`: a pixel of either."""

    picked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._pair: Pair | None = None
        self._mask: np.ndarray | None = None
        self._turned = False
        self._names = self._short = ("A", "B")
        self.view_of = Choice("Image shown")
        for text, about in VIEWS.items():
            self.view_of.addItem(text)
            self.view_of.setItemData(self.view_of.count() - 1, about, 3)  # the role of tooltips
        self.view_of.activated.connect(lambda _: self._show())
        self.gain = Choice("Amplification of differences")
        for gain in GAINS:
            self.gain.addItem(f"×{gain}", gain)
        self.gain.setCurrentIndex(GAINS.index(USUAL))
        self.gain.activated.connect(lambda _: self._show())
        self.reading = label(kind="muted")
        self.picture = PictureView()
        self.picture.setAccessibleName("What differs")
        self.picture.hovered.connect(self._hover)
        self.picture.picked.connect(self._pick)
        self._turns = QTimer(self)
        self._turns.setInterval(TURN)
        self._turns.timeout.connect(self._turn)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(strip(self.view_of, self.gain, None, self.reading))
        box.addWidget(self.picture, 1)

    @property
    def view(self) -> str:
        return self.view_of.currentText()

    def show_pair(
        self, pair: Pair | None, names: tuple[str, str] = ("A", "B"), mask: np.ndarray | None = None,
        short: tuple[str, str] = ("A", "B"),
    ) -> None:  # fmt: skip
        """Shows these two, with what they are, `short` where that has no room; None: nothing.  mask: bool[h, w], the pixels
        that differ."""
        self._pair, self._names, self._mask, self._short = pair, names, mask, short
        self.picture.set_split(0.5)
        self.reading.setText("")
        self.picture.message = ""
        self._show()

    def _show(self) -> None:
        self.gain.setVisible(self.view == "Difference")
        if self.view == "Flip" and self._pair is not None:
            self._turns.start()
        else:
            self._turns.stop()
        self.picture.set_picture(None if self._pair is None else argb_of_rgba(self._image(*self._pair)))
        wipes = self.view == "Wipe" and self._pair is not None
        self.picture.set_second(argb_of_rgba(self._pair[1]) if wipes and self._pair else None, self._names)
        self._name()

    def _name(self) -> None:
        """What is seen is written on it."""
        alone = self.view in ("A", "B", "Flip") and self._pair is not None
        unseen = self.view == "Difference" and self._pair is not None and not self._image(*self._pair)[..., :3].any()
        self.picture.set_caption(self._names[self._is_b] if alone else UNSEEN if unseen else "")
        halves = self.view == "Side by side" and self._pair is not None
        height, width = self._pair[0].shape[:2] if self._pair is not None else (0, 0)
        places = (QRect(0, 0, width, height), QRect(width + GAP, 0, width, height))
        titles = [(place, tuple(words), False) for place, *words in zip(places, self._names, self._short, "AB", strict=True)]
        self.picture.set_titles(titles if halves else ())

    @property
    def _is_b(self) -> bool:
        return self.view == "B" or (self.view == "Flip" and self._turned)

    def _image(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if self.view == "Side by side":
            return beside(a, b)
        if self.view == "Mask":
            return whitened((a != b).any(-1) if self._mask is None else self._mask)
        if self.view == "Difference":
            return amplified(a, b, int(self.gain.currentData()))
        return b if self._is_b else a

    def _turn(self) -> None:
        """The other picture, if anybody looks."""
        self._turned = not self._turned
        if self.isVisible():
            self._show()

    def _place(self, x: int, y: int) -> tuple[int, int] | None:
        """The pixel that is at a place of what is shown."""
        if self._pair is None:
            return None
        height, width = self._pair[0].shape[:2]
        x = column_of(x, width) if self.view == "Side by side" else x
        return (x, y) if 0 <= x < width and 0 <= y < height else None

    def _hover(self, x: int, y: int) -> None:
        place = self._place(x, y)
        if place is None or self._pair is None:
            self.reading.setText("")
            return
        a, b = (" ".join(map(str, side[place[1], place[0]].tolist())) for side in self._pair)
        self.reading.setText(f"{place[0]}, {place[1]}   A {a}   B {b}")

    def _pick(self, x: int, y: int) -> None:
        place = self._place(x, y)
        if place is not None:
            self.picture.set_pixel((x, y))
            self._hover(x, y)
            self.picked.emit(*place)
