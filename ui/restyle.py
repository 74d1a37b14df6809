"""Another theme while windows are open: a step in each turn of the event loop, as each goes through all widgets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from ui import style


class Change(QObject):
    """Puts on what `ui.style.steps` says; nothing is painted in between."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: Iterator[None] | None = None
        self._still: list[QWidget] = []
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._go_on)

    @property
    def under_way(self) -> bool:
        return self._steps is not None

    def begin(self, steps: Iterator[None], tops: list[QWidget]) -> None:
        """In place of a change that is under way.  tops: the windows."""
        for top in tops:
            if top.isVisible() and top.updatesEnabled():
                top.setUpdatesEnabled(False)
                self._still.append(top)
        self._steps = steps
        self._go_on()

    def _go_on(self) -> None:
        if self._steps is not None and next(self._steps, self) is None:
            self._next.start()
            return
        self._steps = None
        still, self._still = self._still, []
        for top in still:
            if isValid(top):
                top.setUpdatesEnabled(True)


@cache
def change() -> Change:
    return Change()


def put_on(app: QCoreApplication | None, settings: Any) -> None:
    """As the settings (ui.settings) say."""
    assert isinstance(app, QApplication)
    style.use_fonts(settings.value("family"), settings.value("mono"))
    steps = style.steps(app, settings.value("theme"), settings.value("palette"), settings.value("font"))
    change().begin(steps, app.topLevelWidgets())


def follow_system(app: QApplication) -> None:
    """From now on a change of the desktop's colour scheme changes ours, while "system" is chosen."""

    def follow() -> None:
        if style.current().chosen == "system":
            change().begin(style.steps(app, "system"), app.topLevelWidgets())

    QApplication.styleHints().colorSchemeChanged.connect(lambda _: follow())
