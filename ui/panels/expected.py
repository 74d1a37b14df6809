"""The colour that a pixel should have, from which its first wrong event is found: from its history, picked or entered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QColorDialog, QInputDialog, QMenu

from inspector.query.comparison.right import COLOR_FORMS
from ui.models.history import Row

if TYPE_CHECKING:
    from ui.panels.history import HistoryPanel

TITLE = "Find the first wrong event"
ENTER = f"The colour that the pixel should have after the last event shown ({COLOR_FORMS}):"
BEFORE, AFTER = 0, 2
"""Moments of a row's colours."""
SIDE = 14
"""Pixels of a colour beside its words."""


def add_expected(menu: QMenu, panel: HistoryPanel, row: Row) -> None:
    """The ways to say what the pixel should have been, as a menu in a row's menu."""
    inside = menu.addMenu(TITLE)
    for moment, when in ((BEFORE, "before"), (AFTER, "after")):
        argb = row.swatch(moment)
        if argb is not None:
            color = QColor.fromRgb(argb)
            inside.addAction(_icon(color), f"It should be as {when} this event", partial(panel.find_wrong, _words(color)))
    begin = QColor.fromRgb(row.swatch(AFTER) or 0)
    inside.addAction("Pick the colour…", partial(_pick, panel, begin))
    inside.addAction("Enter the colour…", partial(_enter, panel, _words(begin)))


def _pick(panel: HistoryPanel, begin: QColor) -> None:
    """From a dialog, or from anywhere on the screen."""
    color = QColorDialog.getColor(begin, panel, "The colour that the pixel should have")
    if color.isValid():
        panel.find_wrong(_words(color))


def _enter(panel: HistoryPanel, begin: str) -> None:
    text, given = QInputDialog.getText(panel, TITLE, ENTER, text=begin)
    if given:
        panel.find_wrong(text)


def _words(color: QColor) -> str:
    return f"{color.red()} {color.green()} {color.blue()}"


def _icon(color: QColor) -> QIcon:
    pixels = QPixmap(SIDE, SIDE)
    pixels.fill(color)
    return QIcon(pixels)
