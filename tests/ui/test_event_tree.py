"""The list of events as a tree: frames, driver calls, tokens, records."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QStyleOptionViewItem

from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.test_failed_calls import failed, opened  # noqa: F401
from tests.ui.window_kit import Key, Make, press
from ui.index import build_index
from ui.models.event_columns import TEXT
from ui.models.events import EventsModel
from ui.models.group_texts import told_apart
from ui.models.outline import CALL, EVENT, FRAME, LEVELS, TOKEN, UNFOLDED, Fold, Outline
from ui.roles import DEPTH_ROLE, NESTED_ROLE, OPEN_ROLE, OUTCOME_ROLE
from ui.settings import Settings
from ui.widgets import cells
from ui.widgets.cells import arrow_place
from ui.window import Window

ROOM = Path(__file__).resolve().parents[2] / "resources" / "room.ddicap"


@pytest.fixture
def tree(window: Window) -> Window:
    """The made-up capture of three frames, eleven calls each, in a tree; the last event of the first frame is looked at."""
    window.events.as_tree.setChecked(True)
    return window


def levels(window: Window) -> list[int]:
    return (window.events.model.keys % LEVELS).tolist()  # type: ignore[no-any-return]


def text(window: Window, row: int) -> str:
    return str(window.events.model.index(row, TEXT).data())


def current(window: Window) -> int:
    return window.events.table.currentIndex().row()


def test_a_new_user_sees_the_tree_and_the_choice_is_kept(qtbot: Any, tmp_path: Path, file: Path) -> None:
    store = str(tmp_path / "new.ini")
    for wanted in (True, False):
        window = Window(lambda path, progress: FakeCapture(), Settings(QSettings(store, QSettings.Format.IniFormat)))
        qtbot.addWidget(window)
        assert window.events.as_tree.isChecked() is wanted
        window.events.as_tree.setChecked(False)
        window.close()


def test_frames_are_closed_but_for_the_one_that_is_looked_at(tree: Window) -> None:
    assert levels(tree).count(FRAME) == 3
    assert text(tree, 0) == "Frame\u00a00 2 draws, 11 events"
    assert text(tree, 1).startswith("DrawPrimitives2 1 event")
    assert [tree.events.model.index(row, TEXT).data(OPEN_ROLE) for row in (0, 1, 2)] == [True, True, None]
    assert [tree.events.model.index(row, TEXT).data(DEPTH_ROLE) for row in (0, 1, 2)] == [0, 1, 2]
    assert levels(tree)[-2:] == [FRAME, FRAME]
    tree.desk.focus.go(event=15)
    assert text(tree, current(tree)).startswith("LOCK") or tree.events.model.rows[current(tree)] == 15
    assert levels(tree)[:2] == [FRAME, FRAME] and levels(tree)[2] != FRAME


def test_keys_open_close_and_climb(qtbot: Any, tree: Window) -> None:
    tree.desk.focus.go(event=2)
    model = tree.events.model
    leaf = current(tree)
    assert levels(tree)[leaf] == EVENT
    assert press(qtbot, tree, Key.Key_Left) == 2 and levels(tree)[current(tree)] == CALL
    shown = len(model.keys)
    press(qtbot, tree, Key.Key_Left)
    assert len(model.keys) == shown - 1 and model.is_open(current(tree)) is False
    assert press(qtbot, tree, Key.Key_Left) == 0 and levels(tree)[current(tree)] == FRAME
    press(qtbot, tree, Key.Key_Minus)
    assert levels(tree) == [FRAME] * 3
    press(qtbot, tree, Key.Key_Plus)
    assert len(model.keys) == shown - 1
    press(qtbot, tree, Key.Key_Right)
    assert current(tree) == 1


def test_the_rows_are_walked_one_by_one_through_groups_too(qtbot: Any, tree: Window) -> None:
    """A group and its first event are two rows, though both lead to the same event."""
    press(qtbot, tree, Key.Key_Home)
    tree.events.table.show_row(0)
    visited = []
    for _ in range(4):
        press(qtbot, tree, Key.Key_Down)
        visited.append(current(tree))
    assert visited == [1, 2, 3, 4]
    assert tree.desk.focus.focus.event == 1


def test_a_click_on_the_arrow_folds(qtbot: Any, tree: Window) -> None:
    table = tree.events.table
    table.scrollToTop()
    rect = table.visualRect(tree.events.model.index(0, TEXT))
    before = len(tree.events.model.keys)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=arrow_place(rect, 0).center())
    assert levels(tree) == [FRAME] * 3 and current(tree) == 0
    assert tree.desk.focus.focus.event == 9  # before the Flip, where a window begins
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=arrow_place(rect, 0).center())
    assert len(tree.events.model.keys) == before
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center() + QPoint(20, 0))
    assert len(tree.events.model.keys) == before


def test_what_a_filter_finds_keeps_what_it_is_in(qtbot: Any, tree: Window) -> None:
    tree.events.edit.setText("+indexed")
    qtbot.waitUntil(lambda: len(tree.events.model.keys) == 9)
    assert levels(tree) == [FRAME, CALL, EVENT] * 3
    assert "3 of 33" in tree.events.count.text()
    tree.desk.focus.go(event=20)
    assert press(qtbot, tree, Key.Key_Up) == 20
    tree.events.edit.clear()
    qtbot.waitUntil(lambda: levels(tree).count(CALL) == 8)


def test_all_can_be_opened_and_closed(tree: Window) -> None:
    actions = {action.text(): action for action in tree.events.menu_of(0).actions()}  # type: ignore[union-attr]
    actions["Expand all"].trigger()
    assert levels(tree).count(EVENT) == 33
    actions["Collapse all"].trigger()
    assert levels(tree) == [FRAME] * 3
    tree.events.as_tree.click()
    assert levels(tree) == [EVENT] * 33


def test_the_model_keeps_qts_rules_while_it_is_folded() -> None:
    capture = FakeCapture(5)
    model = EventsModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_capture(capture, build_index(capture))
    model.set_rows(None, Fold())
    model.set_open(3, True)
    model.set_open(1, True)
    model.set_open(3, False)
    model.set_open(1, False)
    model.set_rows(build_index(capture).draws, UNFOLDED)
    model.set_open(0, False)
    model.set_capture(None, None)


def test_tokens_of_several_records_hold_them(qtbot: Any, make_window: Make) -> None:
    window = opened(qtbot, make_window, ROOM)
    window.events.as_tree.setChecked(True)
    model = window.events.model
    row = levels(window).index(TOKEN)
    records = model.outline.end(int(model.keys[row])) - int(model.rows[row])  # type: ignore[union-attr]
    assert levels(window)[row + 1 : row + 1 + records] == [EVENT] * records
    assert text(window, row).endswith(f" {records} records")
    assert model.index(row + 1, TEXT).data(DEPTH_ROLE) == 3
    assert model.index(row + 1, TEXT).data(NESTED_ROLE) and not model.index(row, TEXT).data(NESTED_ROLE)
    call = levels(window).index(CALL)
    assert "dwVertexSize = " in str(model.index(call, TEXT).data(Qt.ItemDataRole.ToolTipRole))


def test_the_cell_of_a_record_does_not_repeat_its_token(qtbot: Any, make_window: Make, monkeypatch: Any) -> None:
    window = opened(qtbot, make_window, ROOM)
    window.events.as_tree.setChecked(True)
    row = levels(window).index(TOKEN)
    name, _, rest = text(window, row + 1).partition(" ")
    said = list[str]()
    monkeypatch.setattr("ui.widgets.cells.draw_text", lambda painter, rect, words, *_, **__: said.append(words))
    table = window.events.table
    with QPainter(image := QImage(300, 20, QImage.Format.Format_RGB32)) as painter:
        option = QStyleOptionViewItem()
        option.rect, option.font = image.rect(), table.font()
        for at in (row, row + 1):
            table.itemDelegateForColumn(TEXT).paint(painter, option, window.events.model.index(at, TEXT))
    assert said[0] == name and said[-1] == rest and said.count(name) == 1


@pytest.mark.parametrize("width", [150, 700])
def test_names_are_whole_in_a_narrow_tree(tree: Window, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    said = list[str]()
    fitted = cells.fitted
    monkeypatch.setattr(cells, "fitted", lambda *given: (said.append(fitted(*given)), said[-1])[1])
    table = tree.events.table
    table.resize(width, 400)
    table.grab()  # columns grow
    said.clear()
    table.grab()
    names = {text(tree, row).partition(" ")[0] for row in range(table.rowAt(0), table.rowAt(300))}
    assert (longest := max(names, key=len)) in said and len(longest) > 12


@pytest.mark.parametrize(
    ("line", "primitives", "told"),
    [
        ("DRAWPRIMITIVE type=TRIANGLELIST start=6 count=2", 2, "DRAWPRIMITIVE count=2 start=6 type=TRIANGLELIST"),
        (
            "INDEXEDTRIANGLELIST2 start=1 indices=(0 1 2 1 3 2)",
            2,
            "INDEXEDTRIANGLELIST2 primitives=2 start=1 indices=(0 1 2 1 3 2)",
        ),
        ("TRIANGLEFAN start=0 primitives=4", 4, "TRIANGLEFAN primitives=4 start=0"),
        ("Blt destination=#1 source=#2 destination_box=(0 0 8 8) flags=WAIT", None, "Blt (0 0 8 8) on #1 from #2 flags=WAIT"),
        ("Blt destination=#3 destination_box=(0 0 6 4) color=0x1", None, "Blt (0 0 6 4) on #3 color=0x1"),
        ("RENDERSTATE ZENABLE=TRUE", None, "RENDERSTATE ZENABLE=TRUE"),
    ],
)
def test_what_tells_an_event_from_its_neighbours_comes_first(line: str, primitives: int | None, told: str) -> None:
    assert told_apart(line, primitives) == told


def test_a_failed_call_looks_failed(qtbot: Any, make_window: Make, failed: Path) -> None:  # noqa: F811
    window = opened(qtbot, make_window, failed)
    window.events.as_tree.setChecked(True)
    row = len(levels(window)) - 1 - levels(window)[::-1].index(CALL)
    index = window.events.model.index(row, TEXT)
    assert index.data(OUTCOME_ROLE) == ("failed: D3DERR_COMMAND_UNPARSED", "error", True)
    assert "expanded" in str(index.data(Qt.ItemDataRole.AccessibleTextRole))
    assert "failed: D3DERR" in str(index.data(Qt.ItemDataRole.ToolTipRole))


def test_findings_of_a_closed_group_mark_it(tree: Window) -> None:
    model = tree.events.model
    model.set_marks({3: "warning", 5: "error", 30: "warning"})
    model.set_rows(None, Fold((False, True, True)))
    assert [model._mark_in(row, int(model.keys[row])) for row in range(3)] == ["error", None, "warning"]


def threads_of_rows(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Where the rows of trees are found from now on: of a long list it takes longer than the window may stand still."""
    threads, rows = list[threading.Thread](), Outline.rows
    monkeypatch.setattr(Outline, "rows", lambda *given: (threads.append(threading.current_thread()), rows(*given))[1])
    return threads


def test_rows_with_matches_are_found_aside(qtbot: Any, tree: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = threads_of_rows(monkeypatch)
    tree.events.edit.setText("DRAWPRIMITIVE")
    tree.events.apply_filter()
    settle(qtbot, tree)
    assert levels(tree) == 3 * [FRAME, CALL, EVENT]
    assert threads and threading.main_thread() not in threads


def test_a_million_events_are_folded_and_walked(
    qtbot: Any, make_window: Make, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window(lambda path, progress: FakeCapture(90_910))
    window.open(file)
    settle(qtbot, window)
    window.events.as_tree.setChecked(True)
    threads = threads_of_rows(monkeypatch)
    window.events.fold_all(UNFOLDED)
    settle(qtbot, window)
    assert threads and threading.main_thread() not in threads
    assert window.events.model.rowCount() == 90_910 * (1 + 8 + 11)
    window.desk.focus.go(event=500_000)
    window.grab()
    window.events.as_tree.setChecked(False)
    assert window.events.model.rowCount() == 1_000_010
