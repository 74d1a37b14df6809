"""SQL in the window: examples, rows that lead to events, errors, exporting, and another capture."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from inspector import Sql
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels import query as query_module
from ui.panels.query import EXAMPLES, QueryPanel
from ui.roles import LINK_ROLE
from ui.window import Window

Key, Control = Qt.Key, Qt.KeyboardModifier.ControlModifier


def query(window: Window) -> QueryPanel:
    window.docks.bring("query")
    panel = window.docks.panels["query"]
    assert isinstance(panel, QueryPanel)
    return panel


def ask(qtbot: Any, window: Window, text: str) -> QueryPanel:
    panel = query(window)
    window.activateWindow()
    panel.edit.setFocus()
    panel.edit.setPlainText("")
    qtbot.keyClicks(panel.edit, text)
    qtbot.keyClick(panel.edit, Key.Key_Return, Control)
    settle(qtbot, window, 20_000)
    return panel


def test_typed_rows_lead_to_their_events(qtbot: Any, real: Window) -> None:  # noqa: F811
    before = real.desk.focus.focus.event
    panel = ask(qtbot, real, "SELECT primitives, event FROM draws ORDER BY primitives DESC LIMIT 3")
    assert panel.model.columns == ("primitives", "event")
    assert panel.model.rows == real.desk.capture.ask(Sql(panel.edit.toPlainText())).rows
    assert real.desk.focus.focus.event == before, "typing J, K and P does not walk"
    assert panel.model.index(0, 1).data(LINK_ROLE) == panel.model.rows[0][1]
    place = panel.table.visualRect(panel.model.index(0, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert real.desk.focus.focus.event == panel.model.rows[0][1]
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Key.Key_Down)
    qtbot.keyClick(panel.table, Key.Key_Return)
    assert real.desk.focus.focus.event == panel.model.rows[1][1]


def test_handles_lead_to_their_surfaces(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = ask(qtbot, real, "SELECT handle, width FROM surfaces WHERE width > 0 AND label LIKE '%texture%' LIMIT 1")
    before, handle = real.desk.focus.focus.event, panel.model.rows[0][0]
    assert panel.count.text().endswith("to go to the surface")
    panel._follow(0)
    assert (real.desk.focus.focus.event, real.desk.focus.focus.surface) == (before, handle)
    panel = ask(qtbot, real, "SELECT handle, 5 AS event FROM surfaces LIMIT 1")
    panel._follow(0)
    assert (real.desk.focus.focus.event, real.desk.focus.focus.surface) == (5, panel.model.rows[0][0])
    panel = ask(qtbot, real, "SELECT kind, handle FROM objects LIMIT 1")
    assert panel.model.surface_at(0) is None


def test_frames_and_draw_numbers_lead_somewhere_too(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = ask(qtbot, real, "SELECT frame, draws FROM frames")
    index = real.desk.index
    assert index is not None
    assert [panel.model.event_at(row) for row in (0, 1)] == [index.frame_range(frame)[1] - 1 for frame in (0, 1)]
    assert panel.table.columnWidth(1) < panel.table.width() // 2, "a number stands beside its row"
    panel = ask(qtbot, real, "SELECT draw, 1 AS frame FROM draws LIMIT 2")
    assert [panel.model.event_at(row) for row in (0, 1)] == index.draws[:2].tolist()
    panel = ask(qtbot, real, "SELECT 99999999 AS event, 'x' AS draw")
    assert panel.model.event_at(0) is None


@pytest.mark.parametrize("title", EXAMPLES)
def test_every_example_answers(real: Window, title: str) -> None:  # noqa: F811
    rows = real.desk.capture.ask(Sql(EXAMPLES[title]))
    assert rows.columns
    assert rows.rows or title == "Findings by rule"


def test_an_example_is_asked_at_once_and_sorts_by_a_click(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = query(real)
    row = panel.examples.findText("Events by name")
    panel.examples.setFocus()
    panel.examples.activated.emit(row)
    assert panel.edit.hasFocus()
    settle(qtbot, real, 20_000)
    assert panel.edit.toPlainText() == EXAMPLES["Events by name"]
    header = panel.table.horizontalHeader()
    name = QPoint(header.sectionViewportPosition(0) + 5, 5)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=name)
    names = [row[0] for row in panel.model.rows]
    assert names == sorted(names)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=name)
    assert [row[0] for row in panel.model.rows] == sorted(names, reverse=True)


def test_what_is_wrong_is_said_where_the_rows_would_be(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = ask(qtbot, real, "SELECT * FROM no_such")
    assert "no such table: no_such" in panel.table.placeholder
    assert panel.edit.property("wrong")
    assert not panel.export.isEnabled()
    panel = ask(qtbot, real, "DELETE FROM draws")
    assert "only SELECT is allowed here" in panel.table.placeholder
    panel = ask(qtbot, real, "SELECT 1 AS one, NULL AS missing, x'00ff' AS bytes, 0.5 AS half")
    assert not panel.edit.property("wrong")
    assert [panel.model.index(0, column).data() for column in range(4)] == ["1", "NULL", "(2 bytes)", "0.5"]
    qtbot.keyClick(panel.edit, Key.Key_Up, Control)
    assert panel.edit.toPlainText() == "DELETE FROM draws"


def test_a_query_that_is_stopped_says_so(qtbot: Any, real: Window) -> None:  # noqa: F811
    ask(qtbot, real, "SELECT nonsense")
    panel = query(real)
    assert panel.edit.property("wrong")
    panel.edit.setPlainText("WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t")
    panel.run()
    assert panel.count.text() == "Running…" and not panel.edit.property("wrong")
    qtbot.waitUntil(lambda: real._reached[0] == "Running the query")
    real.status.cancelled.emit()
    settle(qtbot, real)
    assert panel.count.text() == "Stopped." and panel.table.placeholder == "", "the error of before does not stay"


def test_all_rows_are_exported_though_few_are_listed(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    monkeypatch.setattr(query_module, "MOST", 10)
    panel = ask(qtbot, real, "SELECT event, name FROM events")
    assert len(panel.model.rows) == 10
    assert "first 10 rows (more exist)" in panel.count.text()
    path = tmp_path / "rows.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
    panel.export.click()
    settle(qtbot, real, 20_000)
    lines = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert lines[0] == ["event", "name"]
    assert len(lines) == len(real.desk.index or ()) + 1
    assert real.banner.text == f"Saved {len(lines) - 1:,} rows as {path}." and real.banner.property("kind") == "note"
    assert "first 10 rows" in panel.count.text(), "what is listed is still said"


def test_a_file_that_cannot_be_written_is_told(
    qtbot: Any, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch  # noqa: F811
) -> None:  # fmt: skip
    panel = ask(qtbot, real, "SELECT 1 AS one")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "no" / "rows.csv"), ""))
    panel.export.click()
    settle(qtbot, real)
    assert real.banner.text.startswith("Cannot write ") and "rows.csv" in real.banner.text


def test_tables_are_put_into_the_query(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = query(real)
    (draws,) = panel.tables.findItems("draws", Qt.MatchFlag.MatchExactly)
    panel.tables.itemActivated.emit(draws, 0)
    assert panel.edit.toPlainText() == "SELECT * FROM draws"
    panel.tables.itemActivated.emit(draws.child(0), 0)
    assert panel.edit.toPlainText().endswith("drawsevent")


def test_another_capture_keeps_the_query_and_forgets_the_rows(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = ask(qtbot, real, "SELECT event FROM draws")
    real.open(Path(str(real.desk.capture.path)))
    settle(qtbot, real, 20_000)
    assert panel.edit.toPlainText() == "SELECT event FROM draws"
    assert panel.model.rows == []
    assert panel.table.placeholder == query_module.NOTHING
