"""What tests do to a window: press keys, look at panels, hold a picture up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from tests.ui.conftest import PATIENCE, settle
from tests.ui.fake import FakeCapture
from ui.window import Window

Key, Modifier = Qt.Key, Qt.KeyboardModifier
Make = Callable[..., Window]


def press(qtbot: Any, window: Window, key: Qt.Key, modifiers: Qt.KeyboardModifier = Modifier.NoModifier) -> int:
    """Presses a key in the event list and gives the event one is at then."""
    window.activateWindow()
    window.events.table.setFocus()
    qtbot.keyClick(window.events.table, key, modifiers)
    settle(qtbot, window)
    return window.desk.focus.focus.event


def grab_all(view: QAbstractItemView) -> None:
    """Paints a list with each of its columns at the left edge: one that is in sight in part only is not written whole."""
    bar, header = view.horizontalScrollBar(), getattr(view, "horizontalHeader", None)
    view.grab()  # columns get their widths
    edges = [header().sectionPosition(column) for column in range(header().count())] if header and bar.maximum() else []
    before = bar.value()
    for edge in edges:
        bar.setValue(edge)
        view.grab()
    bar.setValue(before)


def panel(window: Window, name: str) -> Any:
    """Brought forward; one that is made for it has read what it shows."""
    new, end = name not in window.docks.panels.made, time.monotonic() + PATIENCE / 1000
    window.docks.bring(name)
    QApplication.processEvents()
    while new and window.desk.ask.busy:
        assert time.monotonic() < end, f"{name} still asks"
        QApplication.processEvents()
        time.sleep(0.001)
    return window.docks.panels[name]


def gated(capture: FakeCapture) -> threading.Event:
    """From now on the capture's pictures wait until the event is set, as it is at first."""
    gate, quick = threading.Event(), capture.image
    gate.set()
    capture.image = lambda *a, **k: (gate.wait(60), quick(*a, **k))[1]  # type: ignore[method-assign]
    return gate
