"""Another theme while windows are open: a little in each turn of the event loop.

A style sheet that is put on or off polishes all widgets at once, which takes a tenth of a second for a thousand.  So they are
taken out before and put back afterwards, a few milliseconds' worth in a turn; in between, Qt finds nothing to do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from ui import style

SLICE = 0.008
"""Seconds of work in a turn, about."""
POLISHED, OWN_STYLE = Qt.WidgetAttribute.WA_WState_Polished, Qt.WidgetAttribute.WA_SetStyle
"""What Qt asks of a widget before it polishes it again, and before it reports another style to it."""


class Change(QObject):
    """Puts on what `ui.style.steps` says; nothing is painted in between, and afterwards a part of a window at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: Iterator[None] | None = None
        self._still: list[QWidget] = []
        self._bare: list[QWidget] = []
        """Widgets that no style is on: of a change that another one took the place of, too."""
        self._unpainted: list[QWidget] = []
        """Parts of windows that are not painted yet in the new style."""
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._go_on)

    @property
    def under_way(self) -> bool:
        return self._steps is not None

    def begin(self, app: QApplication, choice: str, palette: str = "", percent: int = 0) -> None:
        """In place of a change that is under way; as ui.style.steps."""
        for top in app.topLevelWidgets():
            if top.isVisible() and top.updatesEnabled():
                top.setUpdatesEnabled(False)
                self._still.append(top)
        while self._unpainted:
            _allow(self._unpainted.pop())  # with the others, at the end of this change
        put_on = style.steps(app, (choice, palette, percent), self._strip(app), self._dress(app))
        self._steps = chain(put_on, self._paint())
        self._go_on()

    def _go_on(self) -> None:
        if self._steps is not None and next(self._steps, self) is None:
            self._next.start()
        else:
            self._steps = None

    def _paint(self) -> Iterator[None]:
        """The windows without what is in them, then that."""
        still, self._still = self._still, []
        for top in filter(isValid, still):
            parts = [one for one in top.children() if isinstance(one, QWidget) and one.isVisible() and not one.isWindow()]
            for part in parts:
                part.setUpdatesEnabled(False)
            self._unpainted += parts
        for top in still:
            _allow(top)
        yield
        began = time.perf_counter()
        while self._unpainted:
            part = self._unpainted.pop()
            _allow(part)
            if isValid(part):
                part.repaint()
            if time.perf_counter() - began > SLICE:
                yield
                began = time.perf_counter()

    def _strip(self, app: QApplication) -> Iterator[None]:
        """Takes the style off all widgets that have it; one that is made from now on, Qt looks after."""
        began = time.perf_counter()
        for widget in app.allWidgets():
            if not isValid(widget) or not widget.testAttribute(POLISHED) or widget.testAttribute(OWN_STYLE):
                continue
            app.style().unpolish(widget)
            widget.setAttribute(POLISHED, False)
            widget.setAttribute(OWN_STYLE, True)
            self._bare.append(widget)
            if time.perf_counter() - began > SLICE:
                yield
                began = time.perf_counter()

    def _dress(self, app: QApplication) -> Iterator[None]:
        began = time.perf_counter()
        while self._bare:
            if not isValid(widget := self._bare.pop()):
                continue
            widget.setAttribute(OWN_STYLE, False)
            widget.setAttribute(POLISHED, True)
            app.style().polish(widget)
            app.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
            if time.perf_counter() - began > SLICE:
                yield
                began = time.perf_counter()


def _allow(widget: QWidget) -> None:
    """It may be painted again."""
    if isValid(widget):
        widget.setUpdatesEnabled(True)


@cache
def change() -> Change:
    return Change()


def put_on(app: QCoreApplication | None, settings: Any) -> None:
    """As the settings (ui.settings) say."""
    assert isinstance(app, QApplication)
    style.use_fonts(settings.value("family"), settings.value("mono"))
    change().begin(app, settings.value("theme"), settings.value("palette"), settings.value("font"))


def follow_system(app: QApplication) -> None:
    """From now on a change of the desktop's colour scheme changes ours, while "system" is chosen."""

    def follow() -> None:
        if style.current().chosen == "system":
            change().begin(app, "system")

    later = QTimer(app, singleShot=True)  # when Qt is done with the change: it also gives some widgets other fonts
    later.timeout.connect(follow)
    QApplication.styleHints().colorSchemeChanged.connect(lambda _: later.start())
