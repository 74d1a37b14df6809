"""A window on a made-up capture."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import cache, partialmethod
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QIcon, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.conftest import set_aside
from tests.ui.fake import FakeCapture
from tests.ui.real import Stage
from ui import start, style
from ui.index import build_index
from ui.panels.panel import Desk
from ui.settings import Settings
from ui.widgets import copying, reader, welcome
from ui.window import Window

PATIENCE = 60_000
"""Milliseconds."""


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Machines may be busy: who waits for something to become true, or for a signal, waits for a minute at least."""
    until, signal = QtBot.waitUntil, QtBot.waitSignal

    def wait_until(self: QtBot, callback: Callable[[], Any], *, timeout: int = 0) -> None:
        until(self, callback, timeout=max(timeout, PATIENCE))

    QtBot.waitUntil = wait_until  # type: ignore[method-assign]
    QtBot.waitSignal = partialmethod(signal, timeout=PATIENCE)  # type: ignore[method-assign]
    yield
    QtBot.waitUntil, QtBot.waitSignal = until, signal  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def dressed(qapp: QApplication) -> None:
    style.apply(qapp, "dark")


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Iterator[None]:
    """The pictures of samples on the start page, which take an eighth of the time in which a window is made."""
    icons: dict[tuple[int, str], QIcon] = {}
    scales = welcome._icon

    def icon(picture: QImage | None) -> QIcon:
        key = picture.cacheKey() if picture is not None else 0, style.theme().name
        return icons[key] if key in icons else icons.setdefault(key, scales(picture))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(start, "_picture", cache(start._picture))
        patch.setattr(welcome, "_icon", icon)
        yield


@pytest.fixture(scope="session", autouse=True)
def in_one_slice() -> Iterator[None]:
    """What is done in slices so that the window goes on is done at once where it is short, however busy the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copying, "SLICE", float("inf"))
        patch.setattr(reader, "TURN", float("inf"))
        yield


@pytest.fixture(scope="module", autouse=True)
def no_garbage_left() -> Iterator[None]:
    """The windows of a module end with it."""
    yield
    gc.collect()
    set_aside()


@pytest.fixture(autouse=True)
def no_key_is_held(qapp: QApplication) -> None:
    """Qt takes modifiers that the last test sent with a key for held down, and selects otherwise then."""
    if QApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_Shift)
    assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier


@pytest.fixture(autouse=True)
def collected_here(qapp: QApplication) -> Iterator[None]:
    """Garbage is collected on this thread only, as in the program (ui.garbage)."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def capture(file: Path) -> FakeCapture:
    """What is kept beside it (bookmarks, notes) goes to a folder of the test's own."""
    return FakeCapture(path=str(file))


@pytest.fixture
def desk(qtbot: Any, capture: FakeCapture) -> Iterator[Desk]:
    """A desk with the capture on it, and no window."""
    desk = Desk()
    desk.put(capture, build_index(capture))
    yield desk
    desk.ask.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Nothing is remembered but that events and findings are flat lists: a row for each is easier to count."""
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    settings.keep("events/flat", True)
    settings.keep("findings/by_rule", False)
    return settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "made-up.ddicap"
    path.touch()
    return path


@pytest.fixture
def make_window(qtbot: Any, settings: Settings) -> Iterator[Callable[..., Window]]:
    """`make_window(opener)`: a window that opens captures with `opener(path, progress)`."""
    windows = []

    def make(opener: Callable[..., Any]) -> Window:
        window = Window(opener, settings)
        windows.append(window)
        window.show()
        qtbot.waitExposed(window).__enter__()
        return window

    yield make
    for window in windows:
        window.close()
        window.deleteLater()


@pytest.fixture
def window(qtbot: Any, make_window: Callable[..., Window], capture: FakeCapture, file: Path) -> Window:
    """A window with the capture open and everything shown."""
    window = make_window(lambda path, progress: capture)
    window.open(file)
    settle(qtbot, window)
    return window


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A desktop with the program on it, for tests with real keys and clicks."""
    made = Stage(tmp_path_factory.mktemp("stage"))
    yield made
    made.close()


def settle(qtbot: Any, window: Window, patience: int = PATIENCE) -> None:
    """Waits until nothing is being opened or asked any more, and all panels that are seen are there, in their places.

    Panels follow a window that was resized a fifth of a second later: answers may be quicker.
    """
    panels = window.docks.panels
    window.arranging.fit_now()
    qtbot.waitUntil(lambda: window.loading.path is None and not window.desk.ask.busy and not panels.under_way, timeout=patience)
    qtbot.wait(1)
    qtbot.waitUntil(lambda: not window.desk.ask.busy and not panels.under_way, timeout=patience)
