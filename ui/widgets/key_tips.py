"""Tooltips with keys: always the current ones, also after the user changes them."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from ui.keys.keymap import KEYS

W = TypeVar("W", bound=QWidget)


class _Tip(QObject):
    """Lives as long as its widget."""

    def __init__(self, widget: QWidget, words: str, names: tuple[str, ...]) -> None:
        super().__init__(widget)
        self._widget, self._words, self._names = widget, words, names
        KEYS.changed.connect(self.show)
        self.show()

    def show(self) -> None:
        self._widget.setToolTip(KEYS.hint(self._words, *self._names))


def name_keys(widget: W, words: str, *names: str) -> W:
    """Gives a widget the tooltip `words`, followed by the keys of these commands."""
    _Tip(widget, words, names)
    return widget
