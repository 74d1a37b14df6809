"""Cycles with Qt objects in them end on the GUI thread."""

from __future__ import annotations

import gc
import threading
import weakref
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QSettings

import ui.garbage
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from ui.garbage import Garbage
from ui.settings import Settings
from ui.window import Window


class Knot(QObject):
    """Holds itself."""

    def __init__(self) -> None:
        super().__init__()
        self.me = self


def test_another_thread_collects_nothing_and_the_beat_does(qtbot: Any) -> None:
    garbage = Garbage()
    try:
        gone: list[int] = []
        weakref.finalize(Knot(), lambda: gone.append(threading.get_ident()))

        def allocate() -> None:
            assert len([[number] for number in range(100_000)]) == 100_000

        worker = threading.Thread(target=allocate)
        worker.start()
        worker.join()
        assert not gone
        kept = [[number] for number in range(10_000)]
        assert garbage.look() >= 0
        qtbot.waitUntil(lambda: bool(gone))
        assert gone == [threading.get_ident()] and kept
    finally:
        garbage.give_back()
    assert gc.isenabled()


def test_what_the_program_is_made_of_is_not_looked_at_again(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """But what a capture brought is, when it is closed."""
    monkeypatch.setattr(ui.garbage, "CALM", 10)
    garbage = Garbage()
    try:
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))  # nothing is due
        program = Knot()
        stays, kept = weakref.ref(program), [[number] for number in range(1000)]
        garbage.program_loaded()
        aside = gc.get_freeze_count()
        assert not any(one is kept for one in gc.get_objects())
        gone = weakref.ref(Knot())
        del program
        garbage.capture_closed()
        qtbot.waitUntil(lambda: gone() is None)
        assert stays() is not None and gc.get_freeze_count() == aside and len(kept) == 1000
    finally:
        garbage.give_back()


def test_what_takes_long_to_look_at_is_set_aside_until_a_capture_is_closed(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.garbage, "LONG", 0.0)
    monkeypatch.setattr(ui.garbage, "CALM", 10)
    garbage = Garbage()
    try:
        knot: list[Any] = [[number] for number in range(1000)]
        knot.append(knot)
        gone = weakref.ref(end := Knot())
        knot.append(end)
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 99))
        assert garbage.look() == 2
        assert not any(one is knot for one in gc.get_objects())
        monkeypatch.undo()
        del knot, end
        gc.collect()
        assert gone() is not None
        garbage.capture_closed()
        qtbot.waitUntil(lambda: gone() is None)
    finally:
        garbage.give_back()
    assert gc.get_freeze_count() == 0


def test_what_read_a_capture_is_collected_once_all_of_it_is_there(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.garbage, "CALM", 10)
    garbage = Garbage()
    try:
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))  # nothing is due
        gone = weakref.ref(Knot())
        garbage.capture_grown(complete=False)
        qtbot.wait(50)
        assert gone() is not None
        garbage.capture_grown(complete=True)
        qtbot.waitUntil(lambda: gone() is None)
    finally:
        garbage.give_back()


def test_a_closed_window_leaves_nothing(qtbot: Any, capture: FakeCapture, file: Path) -> None:
    """A QObject without a parent stays, with all that it is connected to, and with it the window and the capture."""
    settings = Settings(QSettings(str(file.with_suffix(".ini")), QSettings.Format.IniFormat))
    window = Window(lambda path, progress: capture, settings)
    window.show()
    window.open(file)
    settle(qtbot, window)
    for name in window.docks.panels:
        window.docks.bring(name)
        settle(qtbot, window)
    ended = weakref.ref(window)
    window.close()
    window.deleteLater()
    del window, settings
    qtbot.waitUntil(lambda: not gc.collect() and ended() is None, timeout=120_000)
