"""A driver's recording, and the samples, in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import inspector
from tests.inspector.imports.test_recording import packed
from tests.ui.conftest import settle
from ui.window import CAPTURES, Window

Make = Callable[..., Window]


def open_in(qtbot: Any, window: Window, path: Path) -> None:
    window.open(path)
    qtbot.waitUntil(lambda: window.loading.path is None, timeout=300_000)
    settle(qtbot, window, 60_000)


def test_a_recording_opens_in_the_window(
    qtbot: Any, make_window: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.imports import cache

    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    path = tmp_path / "driver.ddirec"
    path.write_bytes(b"".join(packed())[:-3])
    window = make_window(lambda path, progress: inspector.open(path, progress))
    open_in(qtbot, window, path)
    assert "*.ddirec" in CAPTURES
    assert window.desk.capture.title == "driver.ddirec"
    assert window.banner.isVisible() and "breaks off at byte" in window.banner.text
    assert len(window.desk.capture.frames) == 1


def test_samples_are_in_the_file_menu(qtbot: Any, make_window: Make) -> None:
    window = make_window(lambda path, progress: inspector.open(path, progress))
    menus = [action.menu() for action in window.menuBar().actions()[0].menu().actions() if action.menu() is not None]
    samples = next(menu for menu in menus if "sa&mple" in menu.title())
    entry = next(action for action in samples.actions() if action.text() == "Tokens")
    entry.trigger()
    qtbot.waitUntil(lambda: window.loading.path is None, timeout=300_000)
    settle(qtbot, window, 60_000)
    assert window.desk.capture.title == "tokens.ddicap"
