"""A window that is watched: what is raised in any slot, what Qt complains about, how long the GUI thread does nothing else."""

from __future__ import annotations

import gc
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PySide6.QtCore import QEvent, QEventLoop, QPoint, QPointF, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu, QMessageBox, QWidget
from shiboken6 import isValid

from ui import style
from ui.settings import Settings
from ui.widgets.plot import load_plots
from ui.window import Window

BLOCK = 0.1
"""Seconds of CPU of the GUI thread after which a handler, or what a click does, is listed as a block."""
LEFT_OUT = ("quit",)
"""Actions that are not tried: it ends the window."""
BUTTONS = {"left": Qt.MouseButton.LeftButton, "right": Qt.MouseButton.RightButton, "middle": Qt.MouseButton.MiddleButton}
HARMLESS = ("propagateSizeHints", "This plugin does not support", "Populating font family", "OpenType support missing",
            "raise()", "setMask", "grabbing the mouse")  # fmt: skip
"""What the offscreen platform says of itself."""


def application() -> QApplication:
    app = QApplication.instance() or QApplication(["fuzz"])
    assert isinstance(app, QApplication)
    return app


@dataclass
class Watched:
    """A window, what went wrong in it, and the longest blocks: (seconds, what was done)."""

    window: Window
    folder: Path
    wrong: list[str] = field(default_factory=list)
    blocks: list[tuple[float, str]] = field(default_factory=list)
    doing: str = ""
    counted: float = 0.0
    """Seconds of CPU that have been looked at."""

    # ---- time
    def turn(self, seconds: float = 0.0) -> None:
        """Lets the window live for so long, a handler at a time."""
        end = time.monotonic() + seconds
        while True:
            self._timed(lambda: QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5))
            if time.monotonic() >= end:
                return

    def settle(self, seconds: float = 20.0) -> None:
        """Until nothing is opened or asked any more."""
        end = time.monotonic() + seconds
        self.turn()
        while time.monotonic() < end and (self.window.loading.path is not None or self.window.desk.ask.busy):
            self.turn(0.005)
        self.turn()

    def _timed(self, deed: Callable[[], object]) -> None:
        """Does something, and notes what it takes by itself: turns of the event loop on the way, and keys, count alone."""
        began, counted = time.thread_time(), self.counted
        deed()
        whole = time.thread_time() - began
        alone = whole - (self.counted - counted)
        self.counted = counted + whole
        if alone > BLOCK:
            self.blocks.append((round(alone, 2), self.doing))

    # ---- deeds
    def open(self, path: Path) -> None:
        self.window.open(path)
        self.settle()

    def act(self, action: list[Any]) -> None:
        """One thing a user does; what cannot be done here is nothing."""
        self.doing = str(action)
        self._timed(lambda: getattr(self, f"_{action[0]}")(*action[1:]))
        self.turn()

    def _widget(self, top: int, x: float, y: float) -> tuple[QWidget, QPoint]:
        """What is at a place of one of the windows, and the place in it."""
        tops = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()] or [self.window]
        if self.window in tops and top % 3:
            whole: QWidget = self.window
        else:
            whole = sorted(tops, key=lambda widget: (type(widget).__name__, widget.width()))[top % len(tops)]
        place = QPoint(int(x * whole.width()), int(y * whole.height()))
        found = whole.childAt(place) or whole
        return found, found.mapFrom(whole, place)

    def _panel(self, name: str) -> None:
        if self.window.desk.capture is not None and name in self.window.docks.panels:
            self.window.docks.bring(name)

    def _action(self, number: int) -> None:
        actions = [
            action
            for name, action in sorted(self.window.actions_by_name.items())
            if name not in LEFT_OUT and action.isEnabled()
        ]
        self.doing += f" {actions[number % len(actions)].text()}"
        actions[number % len(actions)].trigger()

    def _mouse(self, deed: Callable[..., object], widget: QWidget, *about: Any) -> None:
        """A deed of the mouse; none on a widget that an earlier deed, or the end of its window, has removed."""
        if isValid(widget):
            deed(widget, *about)

    def _click(self, top: int, x: float, y: float, button: str = "left", modifiers: int = 0) -> None:
        widget, place = self._widget(top, x, y)
        self.doing += f" on {type(widget).__name__}"
        self._mouse(QTest.mouseClick, widget, BUTTONS[button], Qt.KeyboardModifier(modifiers), place)

    def _double(self, top: int, x: float, y: float) -> None:
        widget, place = self._widget(top, x, y)
        self.doing += f" on {type(widget).__name__}"
        self._mouse(QTest.mouseDClick, widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    def _drag(self, top: int, x: float, y: float, dx: int, dy: int, button: str = "left") -> None:
        widget, place = self._widget(top, x, y)
        self.doing += f" on {type(widget).__name__}"
        none = Qt.KeyboardModifier.NoModifier
        self._mouse(QTest.mousePress, widget, BUTTONS[button], none, place)
        for part in (0.3, 0.6, 1.0):
            self._mouse(QTest.mouseMove, widget, place + QPoint(int(dx * part), int(dy * part)))
            self.turn()
        self._mouse(QTest.mouseRelease, widget, BUTTONS[button], none, place + QPoint(dx, dy))

    def _wheel(self, top: int, x: float, y: float, by: int, modifiers: int = 0) -> None:
        widget, place = self._widget(top, x, y)
        if not isValid(widget):
            return
        event = QWheelEvent(QPointF(place), QPointF(widget.mapToGlobal(place)), QPoint(0, 0), QPoint(0, by),
                            Qt.MouseButton.NoButton,
                            Qt.KeyboardModifier(modifiers), Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
        QApplication.sendEvent(widget, event)

    def _focused(self) -> QWidget:
        return QApplication.focusWidget() or self.window

    def _key(self, key: int, modifiers: int = 0) -> None:
        QTest.keyClick(self._focused(), Qt.Key(key), Qt.KeyboardModifier(modifiers))

    def _type(self, text: str) -> None:
        for letter in text:
            self._timed(partial(QTest.keyClicks, self._focused(), letter))

    def _resize(self, width: int, height: int) -> None:
        self.window.resize(width, height)

    def _wait(self, milliseconds: int) -> None:
        self.turn(milliseconds / 1000)

    def _settle(self) -> None:
        self.settle()

    def _open(self, name: str) -> None:
        trace = self.folder / f"{name}.trace"
        self.window.open(trace if trace.exists() else self.folder / f"{name}.ddicap")

    def _clipboard(self, text: str) -> None:
        QApplication.clipboard().setText(text)


@contextmanager
def shown(settings: Settings, opener: Callable[..., Any], folder: Path | None = None) -> Iterator[Watched]:
    """A window for as long as the block runs; afterwards nothing may have gone wrong."""
    app = application()
    load_plots()  # as ui.ahead has it done by now
    style.apply(app, "dark")
    with _collected_here():
        yield from _shown(Window(opener, settings), folder or Path())


def _shown(window: Window, folder: Path) -> Iterator[Watched]:
    watched = Watched(window, folder)
    with _watching(watched), _no_dialogs(watched.folder):
        window.show()
        watched.turn()
        try:
            yield watched
            watched.settle()
        finally:
            window.close()
            for top in QApplication.topLevelWidgets():
                if top is not window and top.isVisible():
                    top.close()
            window.deleteLater()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            watched.turn()
    assert not watched.wrong, "; ".join(dict.fromkeys(watched.wrong))


@contextmanager
def _collected_here() -> Iterator[None]:
    """Garbage is collected on this thread only, as in the program (ui.garbage)."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        if was:
            gc.enable()


@contextmanager
def _watching(watched: Watched) -> Iterator[None]:
    """Collects what nobody catches, and Qt's complaints."""

    def hook(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        places = " ".join(f"{Path(one.filename).name}:{one.lineno}" for one in traceback.extract_tb(trace)[-3:])
        watched.wrong.append(f"{kind.__name__}: {error} ({places}) after {watched.doing}")

    def handler(kind: QtMsgType, context: Any, text: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not any(words in text for words in HARMLESS):
            watched.wrong.append(f"Qt: {text} after {watched.doing}")

    before, sys.excepthook = sys.excepthook, hook
    former = qInstallMessageHandler(handler)
    try:
        yield
    finally:
        sys.excepthook = before
        qInstallMessageHandler(former)


@contextmanager
def _no_dialogs(folder: Path) -> Iterator[None]:
    """Questions to the user are answered: files with a name in the folder; menus and dialogs that wait are put away."""
    timer = QTimer()
    timer.timeout.connect(_put_away)
    timer.start(30)
    names = iter(range(1 << 30))

    def save(*args: Any, **more: Any) -> tuple[str, str]:
        suffix = next((word.strip(" *();") for word in str(args).split() if word.startswith(("*.", "(*."))), ".png")
        return str(folder / f"saved{next(names)}{suffix}"), ""

    def some(*args: Any, **more: Any) -> tuple[str, str]:
        return "", ""

    with (
        patch.object(QFileDialog, "getSaveFileName", save), patch.object(QFileDialog, "getOpenFileName", some),
        patch.object(QFileDialog, "getExistingDirectory", lambda *a, **k: ""),
        patch.object(QDesktopServices, "openUrl", lambda url: True),
        patch.object(QMessageBox, "exec", lambda self: QMessageBox.StandardButton.Cancel),
    ):  # fmt: skip
        yield
    timer.stop()


def _put_away() -> None:
    """Ends what waits for the user in a loop of its own."""
    popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
    if isinstance(popup, QMenu):
        popup.close()
    if isinstance(modal, QDialog):
        modal.reject()
