"""The list of events in the window: filtering it, and walking through what is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.window_kit import Key, Make, Modifier, panel, press
from ui.focus import DRAG
from ui.index import DRAW
from ui.models.event_columns import CALL, COLUMNS, SOURCE, TEXT
from ui.panels.resources import ResourcesPanel
from ui.panels.state import StatePanel
from ui.roles import BEGIN_ROLE
from ui.window import Window


def test_a_line_marks_where_a_frame_begins(window: Window) -> None:
    model = window.events.model
    assert [row for row in range(model.rowCount()) if model.index(row, TEXT).data(BEGIN_ROLE)] == [11, 22]
    model.set_rows(np.array([5, 9, 13]))
    assert [bool(model.index(row, TEXT).data(BEGIN_ROLE)) for row in range(3)] == [False, False, True]


def test_the_list_follows_a_dragged_playhead_now_and_then_and_in_the_end(
    qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Painting it for every place would take the time of the images."""
    table, shown = window.events.table, []
    monkeypatch.setattr("ui.panels.events.SELDOM", 1e9)
    window.desk.focus.go(event=2)
    table.selectionModel().currentChanged.connect(lambda index, _: shown.append(index.row()))
    for event in range(3, 20):
        window.desk.focus.go(DRAG, event=event)
    assert not shown
    qtbot.waitUntil(lambda: table.currentIndex().row() == 19)
    assert len(shown) == 1
    window.desk.focus.go(DRAG, event=5)
    window.desk.focus.go(event=7)
    assert table.currentIndex().row() == 7
    monkeypatch.setattr("ui.panels.events.SELDOM", 0.0)
    window.desk.focus.go(DRAG, event=9)
    assert table.currentIndex().row() == 9


def test_filter_words_and_the_draws_toggle_choose_rows(qtbot: Any, window: Window) -> None:
    model = window.events.model
    window.events.edit.setText("+draw -indexed")
    qtbot.waitUntil(lambda: len(model.rows) == 3)
    assert {model.index(row, TEXT).data().partition(" ")[0] for row in range(3)} == {"DRAWPRIMITIVE"}
    assert "3 of 33" in window.events.count.text()
    window.events.edit.setText("zzz yyy")
    qtbot.waitUntil(lambda: len(model.rows) == 0)
    window.events.edit.clear()
    qtbot.waitUntil(lambda: len(model.rows) == 33)
    window.events.actions_only.click()
    assert len(model.rows) == 12
    assert window.desk.index is not None
    assert (window.desk.index.kind[model.rows] == DRAW).sum() == 6


def test_a_wrong_filter_leaves_the_list_and_says_where(qtbot: Any, window: Window) -> None:
    window.events.edit.setText("frame == x")
    qtbot.waitUntil(lambda: window.events.count.text().startswith("column 10: frame == needs a number"))
    assert len(window.events.model.rows) == 33
    assert window.events.edit.property("wrong")
    window.events.edit.setText("+draw clear")
    qtbot.waitUntil(lambda: window.events.count.text().endswith("words without + are ignored when +words are present"))
    assert not window.events.edit.property("wrong")


def test_arrow_keys_in_a_filtered_list_step_through_what_is_shown(qtbot: Any, window: Window) -> None:
    window.events.edit.setText("+draw")
    qtbot.waitUntil(lambda: len(window.events.model.rows) == 6)
    window.desk.focus.go(event=7)
    assert press(qtbot, window, Key.Key_Down) == 9
    assert press(qtbot, window, Key.Key_Down) == 18


def test_a_row_that_stands_for_an_event_nearby_can_be_gone_to(qtbot: Any, window: Window) -> None:
    """The list marks the last row before the event one looks at; Enter and a click go there."""
    window.events.edit.setText("+draw")
    qtbot.waitUntil(lambda: len(window.events.model.rows) == 6)
    table = window.events.table
    click = lambda: table.clicked.emit(table.currentIndex())  # noqa: E731
    for go in (lambda: qtbot.keyClick(table, Key.Key_Return), click):
        window.desk.focus.go(event=8)
        assert int(window.events.model.rows[table.currentIndex().row()]) == 7
        go()
        assert window.desk.focus.focus.event == 7


def test_the_filter_key_goes_to_the_filter_of_the_panel_one_is_in(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    state: StatePanel = panel(window, "state")
    qtbot.keyClick(state.view, Key.Key_F, Modifier.ControlModifier)
    assert state.edit.hasFocus()
    resources: ResourcesPanel = panel(window, "resources")
    qtbot.keyClick(resources.table, Key.Key_F, Modifier.ControlModifier)
    assert resources.edit.hasFocus()
    qtbot.keyClick(window.surface.view, Key.Key_2, Modifier.ControlModifier)
    qtbot.keyClick(window.events.table, Key.Key_F, Modifier.ControlModifier)
    assert window.events.edit.hasFocus()


def test_typing_in_the_filter_does_not_step(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    qtbot.keyClick(window.events.table, Key.Key_F, Modifier.ControlModifier)
    edit = window.events.edit
    qtbot.keyClicks(edit, "jk")
    qtbot.keyClick(edit, Key.Key_Left)
    qtbot.keyClick(edit, Key.Key_Home)
    assert edit.text() == "jk"
    assert window.desk.focus.focus.event == 9  # before the Flip, where a window begins


def test_columns_can_be_shown_and_hidden(qtbot: Any, window: Window) -> None:
    table = window.events.table
    assert table.isColumnHidden(CALL)
    menu = table.column_menu()
    titles = [action.text() for action in menu.actions() if action.isCheckable()]
    assert titles == ["Number", *(column.title for column in COLUMNS[1:])]
    menu.actions()[CALL].trigger()
    assert not table.isColumnHidden(CALL)
    for column in (0, 1, 3):
        table.column_menu().actions()[column].trigger()
    assert not table.column_menu().actions()[TEXT].isEnabled()


def test_the_menu_of_an_event_filters_by_its_name(qtbot: Any, window: Window) -> None:
    window.events._filter_by("-RENDERSTATE")
    window.events._filter_by("+state")
    qtbot.waitUntil(lambda: len(window.events.model.rows) == 3)
    assert window.events.edit.text() == "-RENDERSTATE +state"


def test_the_menu_of_an_event_bookmarks_it(qtbot: Any, window: Window) -> None:
    events = window.events
    for wanted in ("Bookmark", "Remove bookmark"):
        menu = events.menu_of(events.model.row_of(5))
        next(action for action in menu.actions() if action.text() == wanted).trigger()
        settle(qtbot, window)
        assert [one.focus.event for one in window.desk.bookmarks] == [5] * (wanted == "Bookmark")


def test_a_million_events_are_filtered_and_walked(qtbot: Any, make_window: Make, file: Path) -> None:
    window = make_window(lambda path, progress: FakeCapture(90_910))
    window.open(file)
    settle(qtbot, window)
    assert len(window.desk.index or ()) > 1_000_000
    window.events.actions_only.click()
    window.desk.focus.go(event=500_000)
    assert 0 < window.events.model.rowCount() < 500_000
    window.grab()


def test_a_narrow_list_gives_the_room_of_the_api_call_to_the_event(qtbot: Any, window: Window) -> None:
    events = window.events
    events.setParent(None)
    events.show()
    for width, hidden in ((360, True), (600, False)):
        events.resize(width, 400)
        QApplication.processEvents()
        assert events.table.isColumnHidden(SOURCE) == hidden


def test_without_api_calls_there_is_no_column_for_them(qtbot: Any, make_window: Make, capture: FakeCapture, file: Path) -> None:
    recorded = FakeCapture()
    recorded.events.source[:] = -1
    captures = iter((capture, recorded, FakeCapture()))
    window = make_window(lambda path, progress: next(captures))
    table, hidden, widths = window.events.table, [], []
    for _ in range(3):
        window.open(file)
        settle(qtbot, window)
        hidden.append(table.isColumnHidden(SOURCE))
        widths.append(table.columnWidth(TEXT))
    assert hidden == [False, True, False]
    assert widths[0] == widths[2] < widths[1]
