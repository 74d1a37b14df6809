"""The event number in the toolbar, which also accepts other places."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QValidator
from PySide6.QtWidgets import QApplication, QSpinBox, QWidget

from ui.keys.keymap import KEYS

EVENT, PIXEL = "event ", "pixel "


class PlaceBox(QSpinBox):
    """Its value is the event.  `asked(text)`: Enter was pressed after something was typed, a place as `ui.places` has them."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Place")
        self.setKeyboardTracking(False)
        self.setObjectName("place")
        self.lineEdit().setTextMargins(6, 0, 2, 0)
        self.setMinimumWidth(130)
        self.setPrefix(EVENT)
        self._before: Callable[[], QWidget | None] = lambda: None
        QApplication.instance().focusChanged.connect(self._note_keyboard)  # type: ignore[union-attr]

    def _note_keyboard(self, old: QWidget | None, new: QWidget | None) -> None:
        """What had the keyboard before."""
        if new is self and old is not None:
            self._before = weakref.ref(old)

    def give_back(self) -> None:
        """The keyboard goes where it was: arrows walk through the events again."""
        before = self._before()
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus()
            before.activateWindow()  # of a panel that floats
        else:
            self.clearFocus()

    def ask_pixel(self, pixel: tuple[int, int] | None) -> None:
        """Waits for a pixel until Enter is pressed or the keyboard goes elsewhere."""
        self.setPrefix(PIXEL)
        self.lineEdit().setText(PIXEL + ("" if pixel is None else f"{pixel[0]}, {pixel[1]}"))
        self.lineEdit().setSelection(len(PIXEL), len(self.lineEdit().text()))

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        return QValidator.State.Acceptable, text, place

    def valueFromText(self, text: str) -> int:
        """Text that is not an event number leaves the event as it is."""
        digits = text.removeprefix(self.prefix()).strip()
        return min(int(digits), self.maximum()) if digits.isdecimal() else self.value()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if KEYS.meant(event, "typing") != "accept":
            super().keyPressEvent(event)
            return
        text = self.lineEdit().text().removeprefix(self.prefix()).strip()
        pixel = self.prefix() == PIXEL
        self._show_event()
        if text:
            self.asked.emit(PIXEL + text if pixel and text[0].isdigit() else text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_event()

    def _show_event(self) -> None:
        self.setPrefix(EVENT)
        self.lineEdit().setText(f"{EVENT}{self.value()}")
        if self.hasFocus():
            self.selectAll()
