"""The toolbar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QToolBar

from ui.going import go_to_text
from ui.places import FORMS
from ui.widgets.key_tips import name_keys
from ui.widgets.place_box import PlaceBox

if TYPE_CHECKING:
    from ui.window import Window

HEIGHT, MARGINS = 36, (6, 2, 6, 2)
"""Pixels: that of the buttons, with four to spare.  Qt would take twelve, which the picture needs."""
ACTIONS = (
    "open",
    "back forward",
    "previous-frame next-frame",
    "previous-draw next-draw",
    "previous-event next-event",
    "play",
)


def make_toolbar(window: Window) -> PlaceBox:
    """The actions used most, and the number of the event: the box is for reading it and for typing another place."""
    bar = _bar(window, "Main", "toolbar")
    bar.setIconSize(bar.iconSize() * 0.8)
    for group in ACTIONS:
        bar.addActions([window.actions_by_name[name] for name in group.split()])
        bar.addSeparator()
    place = PlaceBox()
    name_keys(place, f"Go to a place: {FORMS}", "go-to")
    place.valueChanged.connect(lambda event: window.desk.focus.go(event=event))
    place.asked.connect(lambda text: go_to_text(window, text))
    place.setEnabled(False)
    bar.addWidget(place)
    return place


class _Bar(QToolBar):
    """Its margins stay when the style changes: Qt takes those of the style then."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        layout = self.layout()
        if event.type() == QEvent.Type.StyleChange and layout is not None:
            layout.setContentsMargins(*MARGINS)


def _bar(window: Window, title: str, name: str) -> QToolBar:
    bar = _Bar(title, window)
    bar.setMovable(False)
    bar.setObjectName(name)
    bar.setFixedHeight(HEIGHT)
    layout = bar.layout()
    assert layout is not None
    layout.setContentsMargins(*MARGINS)
    window.addToolBar(bar)
    bar.toggleViewAction().setVisible(False)
    return bar
