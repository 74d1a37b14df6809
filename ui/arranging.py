"""Layouts of the window: the built-in ones, the user's own, and the most recent one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QDataStream, QIODevice, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from ui.layouts import LAYOUTS
from ui.widgets.controls import single_shot

if TYPE_CHECKING:
    from ui.window import Window

FIRST = (1560, 960)
FRAME = 8, 36
"""Pixels that the frame of a window takes beside it and above it, about."""
CALM = 200
"""Milliseconds after the last change of the window's size until panels join or part."""


def take_size(window: Window) -> None:
    """The window is as large as it was, and the first time as large as is comfortable; never larger than the screen."""
    geometry = window.settings.layout()[0]
    kept = geometry is not None and window.restoreGeometry(geometry)
    if QGuiApplication.platformName() != "offscreen":  # whose screen is 800 by 800 and shows nothing
        fit_on(window, window.screen().availableGeometry(), None if kept else QSize(*FIRST))
    elif not kept:
        window.resize(*FIRST)


def fit_on(window: QWidget, room: QRect, wanted: QSize | None = None) -> None:
    """Makes the window small enough for a screen, with its frame; where a size that is wanted does not fit, it takes all."""
    most = QSize(room.width() - FRAME[0], room.height() - FRAME[1])
    size = wanted or window.size()
    if window.isMaximized() or window.isFullScreen() or (wanted is None and size == size.boundedTo(most)):
        return
    window.resize(size.boundedTo(most))
    if size != size.boundedTo(most):
        window.move(room.topLeft())
        if wanted is not None:
            window.setWindowState(Qt.WindowState.WindowMaximized)


def knows(state: QByteArray, name: str) -> bool:
    """Whether a kept state has a dock of this name: not only one whose name ends so."""
    written = QByteArray()
    QDataStream(written, QIODevice.OpenModeFlag.WriteOnly).writeQString(name)  # its length, and UTF-16
    return state.contains(written)


class Arranging:
    """Puts the docks of a window back where they were, and elsewhere."""

    def __init__(self, window: Window) -> None:
        self._window, self._docks = window, window.docks
        self._state = window.settings.layout()[1]
        self._kept = window.settings.arrangement
        self._docks.shelf.set_height(window.settings.value("timeline"))
        self._docks.shelved.connect(self._shelved)
        self._fitting = single_shot(window, CALM, self._docks.fit)

    def _shelved(self, height: int) -> None:
        if self._window.remember:
            self._window.settings.put("timeline", height)

    def resized(self) -> None:
        """The window has another size."""
        self._fitting.start()

    def fit_now(self) -> None:
        """Stacks that are to join or part with the size do so at once."""
        if not self._docks.fits:
            self._fitting.stop()
            self._docks.fit()

    # With the window

    def show(self) -> None:
        """A capture is there: the docks come back as they were.  The surface comes to the front: there is a picture."""
        state = self._state
        if state is None:
            self._docks.arrange()  # for the size that the window has now: too many stacks would make it grow
            QTimer.singleShot(0, self._settle)
            return
        with self._docks.panels.held(hidden=True):
            self._show_new(state)
            there = self._restore(state)
        if there:
            QTimer.singleShot(0, partial(self._again, state))
        else:
            self._docks.arrange()
            QTimer.singleShot(0, self._settle)

    def _show_new(self, state: QByteArray) -> None:
        """Panels that a state of an earlier version does not know; Qt itself shows those that were shown."""
        for dock in self._docks.docks.values():
            if not knows(state, dock.objectName()):
                dock.show()

    def _again(self, state: QByteArray) -> None:
        """Once more when the docks have their sizes: the first time Qt shares out the room anew.

        They were kept in a window of another size, perhaps: then they follow this one, as when it is resized.
        """
        with self._docks.panels.held(hidden=True):
            self._restore(state)
            changed = self._docks.fit()
        if changed:
            self._docks.docks["surface"].raise_()
            QTimer.singleShot(0, self._settle)

    def _restore(self, state: QByteArray) -> bool:
        there = self._window.restoreState(state)
        if there:
            self._docks.restored(*self._kept)
            self._docks.docks["surface"].raise_()
        return there

    def _settle(self) -> None:
        with self._docks.panels.held():
            self._docks.fit()
            self._docks.resize()

    def hide(self) -> None:
        """There is no capture: the docks go."""
        self.keep()
        self._docks.show(False)

    def keep(self) -> None:
        """Remembers where the docks are, while they are there."""
        if not self._window.welcome.isVisibleTo(self._window):
            self._state = self._window.saveState()
            self._kept = self._docks.layout, self._docks.own

    def save(self) -> None:
        """The window closes."""
        self.keep()
        settings = self._window.settings
        settings.save_layout(self._window.saveGeometry(), self._state)
        settings.arrangement = self._kept

    # What the user wants

    def use(self, name: str) -> None:
        """One of LAYOUTS, or one that the user has saved; "": as the present one is at first."""
        if self._window.desk.capture is None:
            return
        own = self._window.settings.layouts
        if name in own:
            with self._docks.panels.held(hidden=True):
                self._window.restoreState(own[name])
            self._docks.restored(self._docks.layout, True)
            first = "events"
        else:
            self._docks.arrange(name)
            QTimer.singleShot(0, self._settle)
            first = self._docks.first
        self._docks.bring(first)  # else the keyboard is left to the place box, which keeps End and the arrows

    def save_as(self) -> None:
        """Asks for a name."""
        if name := self._ask_name("Save layout"):
            self._window.settings.keep_layout(name, self._window.saveState())
            self._window.say(f"Saved the layout {name}. It is in View > Layout.", "note")

    def _ask_name(self, title: str, name: str = "") -> str:
        """A name for a layout; empty: none was given, or one that is taken by a built-in layout."""
        name, taken = QInputDialog.getText(self._window, title, "Name of the layout:", text=name)
        name = name.strip() if taken else ""
        if name.casefold() in (*LAYOUTS, *(layout.title.casefold() for layout in LAYOUTS.values())):
            self._window.say(f"{name} is a layout of DDI Inspector. Choose another name.", "note")
            return ""
        return name

    def rename(self, name: str) -> None:
        """Asks for another name."""
        settings = self._window.settings
        if (other := self._ask_name("Rename layout", name)) and other != name:
            settings.keep_layout(other, settings.layouts[name])
            settings.keep_layout(name, None)

    def delete(self, name: str) -> None:
        self._window.settings.keep_layout(name, None)

    def fill_menu(self, menu: QMenu) -> None:
        """The layouts, and what can be done with the user's own."""
        menu.clear()
        window, own = self._window, self._window.settings.layouts
        there = window.desk.capture is not None
        menu.addActions([window.actions_by_name[f"layout-{name}"] for name in LAYOUTS])
        menu.addSeparator()
        for name in own:
            menu.addAction(name.replace("&", "&&"), partial(self.use, name)).setEnabled(there)
        menu.addActions([window.actions_by_name["save-layout"], window.actions_by_name["reset-layout"]])
        for words, does in (("Rename layout", self.rename), ("Delete layout", self.delete)) if own else ():
            chosen = menu.addMenu(words)
            for name in own:
                chosen.addAction(name.replace("&", "&&"), partial(does, name))

    def fill_panels(self, menu: QMenu) -> None:
        """Every panel, checked while it is shown."""
        menu.clear()
        for dock in self._docks.docks.values():
            menu.addAction(dock.toggleViewAction())
