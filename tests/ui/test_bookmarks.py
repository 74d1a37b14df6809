"""Bookmarks in the window: set by a key, listed, named, noted, jumped to, shown beside rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QInputDialog

from inspector.focus import Focus
from inspector.tape.bookmarks import SUFFIX, Bookmarks
from tests.ui.conftest import settle
from tests.ui.window_kit import Key, Modifier, panel, press
from ui.models.event_columns import NUMBER, TEXT
from ui.roles import BOOKMARK_ROLE
from ui.window import Window

Control = Modifier.ControlModifier


def events(window: Window) -> list[int]:
    return [one.focus.event for one in window.desk.bookmarks]


def test_a_key_sets_and_removes_and_the_row_shows_it(qtbot: Any, window: Window, file: Path) -> None:
    window.desk.focus.go(event=7)
    press(qtbot, window, Key.Key_B, Control)
    window.desk.focus.go(event=3)
    press(qtbot, window, Key.Key_B, Control)
    assert events(window) == [3, 7]
    model = window.events.model
    assert [row for row in range(33) if model.index(row, NUMBER).data(BOOKMARK_ROLE)] == [3, 7]
    assert "bookmarked" in str(model.index(7, TEXT).data(11))  # Qt.AccessibleTextRole
    assert file.with_name(file.name + SUFFIX).is_file()
    press(qtbot, window, Key.Key_B, Control)
    assert events(window) == [7]
    assert not model.index(3, NUMBER).data(BOOKMARK_ROLE)


def test_quick_changes_all_happen(qtbot: Any, window: Window) -> None:
    for event in (2, 4, 6, 8):
        window.desk.focus.go(event=event)
        window.desk.bookmarking.toggle()
    settle(qtbot, window)
    assert events(window) == [2, 4, 6, 8]


def test_digits_jump_to_the_place_with_its_surface_and_pixel(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=7, surface=3, pixel=(4, 5))
    press(qtbot, window, Key.Key_B, Control)
    window.desk.focus.go(event=20, surface="render_target", pixel=None)
    press(qtbot, window, Key.Key_B, Control)
    assert press(qtbot, window, Key.Key_1) == 7
    assert window.desk.focus.focus == Focus(event=7, surface=3, pixel=(4, 5))
    assert press(qtbot, window, Key.Key_2) == 20
    assert press(qtbot, window, Key.Key_9) == 20
    assert window.banner.text.startswith("There is no bookmark 9.")


def test_names_and_notes_are_kept(qtbot: Any, window: Window, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window.desk.focus.go(event=7)
    window.desk.bookmarking.toggle()
    settle(qtbot, window)
    shown = panel(window, "bookmarks")
    assert shown.model.index(0, 2).data() == "DRAWPRIMITIVE"
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("The roof", True))
    next(action for action in shown._menu_of(shown.model.index(0, 0)).actions() if action.text() == "Rename…").trigger()
    settle(qtbot, window)
    assert shown.model.index(0, 2).data() == "The roof"
    shown.table.show_row(0)
    shown.note.setFocus()
    shown.note.moveCursor(shown.note.textCursor().MoveOperation.End)
    qtbot.keyClick(shown.note, Key.Key_Return)
    qtbot.keyClicks(shown.note, "flickers from frame 3 on")
    shown.table.setFocus()
    settle(qtbot, window)
    there = Bookmarks(object(), file).all()
    assert [one.text for one in there] == ["The roof\nflickers from frame 3 on"]
    assert shown.model.index(0, 2).data() == "The roof" and shown.note.toPlainText() == there[0].text
    next(action for action in shown._menu_of(shown.model.index(0, 0)).actions() if action.text() == "Remove").trigger()
    settle(qtbot, window)
    assert not shown.model.rows and not shown.note.isEnabled() and not shown.note.toPlainText()


def test_they_are_there_again_when_the_capture_is_opened_again(qtbot: Any, window: Window, file: Path) -> None:
    Bookmarks(object(), file).add(Focus(event=9), "nine")
    window.open(file)
    settle(qtbot, window)
    assert events(window) == [9]
    window.close_capture()
    assert not window.desk.bookmarks and not window.docks.panels["bookmarks"].model.rows


def test_what_cannot_be_kept_is_reported(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("inspector.tape.bookmarks.write_bytes", refuse)
    window.desk.bookmarking.toggle()
    settle(qtbot, window)
    assert "bookmarks can be kept nowhere" in window.banner.text and not window.desk.bookmarks
