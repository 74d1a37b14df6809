"""Columns of the event list: which, in which order, and what they say; finding; own filters; what a what if leaves out."""

from __future__ import annotations

import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QInputDialog, QTableView

from inspector.query.events.columns import EventColumn
from inspector.query.what_if.edits import Disable
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.test_failed_calls import opened
from tests.ui.window_kit import Key, Make, Modifier, press
from ui.models.event_columns import (
    COLUMNS,
    COST,
    DRAWN,
    FINDINGS,
    NUMBER,
    PIXELS,
    PRIMITIVES,
    SHOWN,
    SOURCE,
    TARGET,
    TESTS,
    TEXT,
    TEXTURES,
)
from ui.models.events import EventsModel
from ui.panels import event_values
from ui.panels.event_table import EventTable
from ui.roles import HIT_ROLE, OUTCOME_ROLE, PICTURE_ROLE, VALUE_ROLE
from ui.settings import Settings
from ui.widgets.cells import CallCell
from ui.window import Window

ROOM = Path(__file__).resolve().parents[2] / "resources" / "room.ddicap"


def shown(window: Window) -> list[str]:
    table = window.events.table
    order = (table.horizontalHeader().logicalIndex(place) for place in range(len(COLUMNS)))
    return [COLUMNS[column].name for column in order if not table.isColumnHidden(column)]


def test_api_calls_are_wider_in_a_wide_table_until_the_user_says_otherwise(qtbot: Any) -> None:
    model = EventsModel()
    table = EventTable(model)
    qtbot.addWidget(table)
    table.show()
    table._later.stop()
    widths = []
    for width in (400, 520, 1200):
        table.resize(width, 300)
        widths.append(table.columnWidth(SOURCE))
    assert widths[0] == 112 < widths[1] < widths[2] == 186 and not table._later.isActive()
    table.resize(570, 300)  # what a window of 1900 pixels gives it
    assert table.columnWidth(SOURCE) >= table.fontMetrics().horizontalAdvance("DrawIndexedPrimitiveUP") + 10
    table.choose_column(TESTS, True)
    assert table.columnWidth(SOURCE) == 112, "the event needs the room"
    table.resize(400, 300)
    assert table.columnWidth(TEXT) == 280, "one scrolls anyway"
    table.resize(570, 300)
    table.choose_column(TESTS, False)
    assert table.columnWidth(TEXT) < 280 or table.horizontalHeader().length() <= table.viewport().width()
    table._later.stop()
    table.set_columns(table.columns())
    table.resize(400, 300)
    assert table.columnWidth(SOURCE) == 112
    table.setColumnWidth(SOURCE, 130)
    assert table._later.isActive()
    table.resize(1200, 300)
    assert table.columnWidth(SOURCE) == 130 and table.columns()[SOURCE][1] == 130


def test_a_call_without_room_keeps_its_end(qtbot: Any) -> None:
    model = QStandardItemModel(2, 1)
    for row, name in enumerate(("DrawIndexedPrimitive", "DrawIndexedPrimitiveUP")):
        model.setItem(row, QStandardItem(name))
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    table.setItemDelegate(CallCell(table))
    table.setColumnWidth(0, 90)
    pictures = [table.viewport().grab(table.visualRect(model.index(row, 0))).toImage() for row in range(2)]
    assert pictures[0] != pictures[1], "they end otherwise"


def test_columns_are_remembered_with_their_order_and_widths(
    qtbot: Any, window: Window, make_window: Make, file: Path, settings: Settings
) -> None:
    table = window.events.table
    assert set(shown(window)) <= {COLUMNS[column].name for column in SHOWN}
    for column in (PRIMITIVES, TARGET):
        table.column_menu().actions()[column].trigger()
    table.column_menu().actions()[SOURCE].trigger()
    table.horizontalHeader().moveSection(table.horizontalHeader().visualIndex(TARGET), 0)
    table.setColumnWidth(TARGET, 123)
    before = shown(window)
    qtbot.waitUntil(lambda: settings.kept("events/columns", [[""]])[0] == ["target", 123, True])
    assert before[0] == "target" and "primitives" in before
    again = make_window(lambda path, progress: FakeCapture())
    again.open(file)
    settle(qtbot, again)
    assert shown(again) == before
    assert again.events.table.columnWidth(TARGET) == 123
    next(action for action in again.events.table.column_menu().actions() if action.text() == "Default columns").trigger()
    assert shown(again)[0] == "number" and "target" not in shown(again)


@pytest.mark.parametrize("kept", [[1, "x"], [["target", -5, "yes"]], [["colour", 50, True]], [["target", 10**9, None]]])
def test_what_makes_no_sense_in_settings_is_left_out(qtbot: Any, settings: Settings, make_window: Make, kept: Any) -> None:
    settings.keep("events/columns", kept)
    window = make_window(lambda path, progress: FakeCapture())
    assert "target" not in shown(window)
    assert window.events.table.columnWidth(TARGET) < 4000


def answered(qtbot: Any, window: Window) -> None:
    """Waits until cells that were looked at have their values.  Looking again meanwhile would ask again."""
    ask, late = window.desk.ask, window.events.model.late
    qtbot.waitUntil(lambda: not (late.wanted or ask.busy or ask._aside))


def test_values_come_when_a_row_is_seen(qtbot: Any, make_window: Make) -> None:
    window = opened(qtbot, make_window, ROOM)
    table, model, capture = window.events.table, window.events.model, window.desk.capture
    assert capture is not None and window.desk.index is not None
    draw = int(window.desk.index.draws[30])
    window.desk.focus.go(event=draw)
    for column in (DRAWN, PRIMITIVES, TARGET, TEXTURES, PIXELS, TESTS, COST):
        table.choose_column(column, True)
    table.grab()
    row = model.row_of(draw)
    cell = lambda column: model.index(row, column).data()  # noqa: E731
    answered(qtbot, window)
    assert model.index(row, DRAWN).data(VALUE_ROLE) == 30
    assert all(cell(column) for column in (PRIMITIVES, TARGET, TEXTURES, PIXELS, TESTS, COST))
    assert cell(PRIMITIVES) == str(capture.primitives(draw))
    assert cell(TARGET) == f"surface {capture.render_target(draw)}"
    pixels = capture.ask(EventColumn("pixels", (draw,)))[draw]
    assert model.index(row, PIXELS).data(VALUE_ROLE) == pixels
    assert cell(TESTS) == capture.ask(EventColumn("tests", (draw,)))[draw]
    handles = capture.ask(EventColumn("textures", (draw,)))[draw]
    assert cell(TEXTURES).split() == [str(handle) for handle in handles]
    pictures = model.index(row, TEXTURES).data(PICTURE_ROLE)
    assert len(pictures) == len(handles) > 0 and None not in pictures
    state = next(row for row in range(row, 0, -1) if not model.index(row, DRAWN).data())
    for _ in range(2):  # looking is asking
        values = [model.index(state, column).data() for column in (PRIMITIVES, TARGET, PIXELS, COST)]
        answered(qtbot, window)
    assert values == [""] * 4


def test_values_come_although_the_rows_are_painted_again_and_again(
    qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time the cells without a value are looked at; the work on them goes on."""
    model, begun, go_on = window.events.model, [], threading.Semaphore(0)

    def in_pieces(capture: Any, name: str, events: list[int]) -> Generator[float, None, dict[int, Any]]:
        begun.append(events)
        for piece in range(5):
            go_on.acquire()
            yield piece / 5
        return dict.fromkeys(events, 0.25)

    monkeypatch.setattr(event_values, "_in_pieces", in_pieces)
    for _ in range(5):
        assert model.late.get(COST, 20) is None
        qtbot.waitUntil(lambda: not model.late.wanted)
        go_on.release()
    qtbot.waitUntil(lambda: model.late.known(COST) == {20: 0.25})
    assert begun == [[20]]
    assert model.late.get(COST, 22) is None  # as the answer has it painted
    go_on.release(5)
    qtbot.waitUntil(lambda: model.late.known(COST) == {20: 0.25, 22: 0.25})


def test_hidden_columns_ask_nothing(qtbot: Any, window: Window) -> None:
    window.events.table.grab()
    assert set(window.events.model.late.wanted) <= {SOURCE}


def test_a_column_that_has_no_answer_is_not_asked_for_again(qtbot: Any, window: Window) -> None:
    """A made-up capture cannot say."""
    table, model = window.events.table, window.events.model
    table.choose_column(TESTS, True)
    table.choose_column(COST, True)
    table.grab()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not window.desk.ask.is_aside("events.cost"))
    table.grab()
    qtbot.wait(50)
    assert not model.late.wanted
    assert model.index(7, TESTS).data() == ""


def test_findings_name_the_rule(qtbot: Any, window: Window) -> None:
    window.desk.find(window.desk.capture.findings)  # type: ignore[union-attr]
    model = window.events.model
    assert model.index(4, FINDINGS).data() == "lock-of-target"
    assert model.index(5, FINDINGS).data() == ""


def test_what_a_what_if_leaves_out_is_struck_through(qtbot: Any, window: Window) -> None:
    window.what_if.add_edits((Disable(3, 5),))
    model = window.events.model
    assert [model.index(row, TEXT).data(OUTCOME_ROLE) is None for row in (2, 3, 5, 6)] == [True, False, False, True]
    assert model.index(4, TEXT).data(OUTCOME_ROLE) == ("disabled", "faint", False)
    window.what_if.list.setCurrentRow(0)
    window.what_if.remove()
    assert model.index(4, TEXT).data(OUTCOME_ROLE) is None


def test_several_edits_are_selected_copied_and_removed(qtbot: Any, window: Window) -> None:
    window.docks.bring("what-if")
    edits = window.what_if.list
    window.what_if.add_edits((Disable(3, 5), Disable(7, 7), Disable(9, 9)))
    settle(qtbot, window)
    qtbot.keyClick(edits, Key.Key_A, Modifier.ControlModifier)
    qtbot.keyClick(edits, Key.Key_C, Modifier.ControlModifier)
    copied = ["disable 3..5", "disable 7", "disable 9"]
    qtbot.waitUntil(lambda: QApplication.clipboard().text().splitlines() == copied)
    edits.item(1).setSelected(False)
    window.what_if.remove()
    assert window.what_if.all_edits == (Disable(7, 7),)
    window.what_if.undo()
    assert len(window.what_if.all_edits) == 3


def test_f3_goes_from_match_to_match(qtbot: Any, window: Window) -> None:
    window.events.edit.setText("+draw")
    qtbot.waitUntil(lambda: len(window.events.model.keys) == 6)
    window.desk.focus.go(event=10)
    assert press(qtbot, window, Key.Key_F3) == 18
    assert press(qtbot, window, Key.Key_F3) == 20
    assert press(qtbot, window, Key.Key_F3, Modifier.ShiftModifier) == 18
    window.desk.focus.go(event=31)
    assert press(qtbot, window, Key.Key_F3) == 31
    assert "No match after" in window.events.count.text()


def test_find_keeps_all_events_and_highlights(qtbot: Any, window: Window) -> None:
    events = window.events
    events.find_only.click()
    events.edit.setText("+indexed")
    qtbot.waitUntil(lambda: "3 matches" in events.count.text())
    assert len(events.model.keys) == 33
    hits = [row for row in range(33) if events.model.index(row, TEXT).data(HIT_ROLE)]
    assert hits == [9, 20, 31]
    window.desk.focus.go(event=0)
    assert press(qtbot, window, Key.Key_F3) == 9
    assert press(qtbot, window, Key.Key_F3) == 20 and events.count.text() == "3 matches highlighted; this is 2"
    events.find_only.click()
    qtbot.waitUntil(lambda: len(events.model.keys) == 3)
    assert not events.model.index(0, TEXT).data(HIT_ROLE)


def test_filters_of_ones_own_are_kept_and_offered(
    qtbot: Any, window: Window, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters = window.events.filters
    filters.fill()
    assert not filters.menu.actions()[0].isEnabled()
    window.events.edit.setText("+draw -indexed")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: (" Mine ", True))
    filters.fill()
    filters.menu.actions()[0].trigger()
    assert settings.kept("events/filters", {}) == {"Mine": "+draw -indexed"}
    window.events.edit.clear()
    assert "+draw -indexed" in [one.word for one in window.events._suggest("")]
    filters.fill()
    filters.menu.actions()[2].trigger()
    assert window.events.edit.text() == "+draw -indexed"
    filters.remove("Mine")
    assert settings.kept("events/filters", {"x": 1}) == {}


def test_numbers_are_copied_as_numbers(window: Window) -> None:
    model = window.events.model
    assert model.index(7, NUMBER).data(VALUE_ROLE) == 7
    assert type(model.index(7, NUMBER).data(VALUE_ROLE)) is int
