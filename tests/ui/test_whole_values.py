"""Values that have no room in their cell: under the table, as a tooltip and on the clipboard they are whole."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.table import Column, RowsModel
from ui.panels.token import PLACES
from ui.roles import WHOLE_ROLE
from ui.widgets.copying import copy_rows
from ui.widgets.hex_view import HexView
from ui.widgets.tables import LONG, Table, _wrapped
from ui.widgets.whole_value import WholeValue, with_whole_value
from ui.window import Window


def pane(parent: Any) -> WholeValue:
    return parent.findChild(WholeValue)


def test_a_long_field_of_a_token_is_shown_in_full(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["token"]
    real.desk.focus.go(event=1)
    settle(qtbot, real)
    row = next(n for n, field in enumerate(panel._fields) if field.name == "TextureOpCaps")
    text = panel._fields[row].text
    assert len(text) > 300
    panel.table.setCurrentIndex(panel.model.index(row, 0))
    assert pane(panel).isVisible() and pane(panel).toPlainText() == text
    qtbot.waitUntil(lambda: panel.table.viewport().rect().intersects(panel.table.visualRect(panel.model.index(row, 0))))
    copy_rows(panel.table)
    assert text in QApplication.clipboard().text().split("\t")
    short = next(n for n, field in enumerate(panel._fields) if field.text == "0.0")
    panel.table.setCurrentIndex(panel.model.index(short, 0))
    assert not pane(panel).isVisible()
    panel.table.setCurrentIndex(panel.model.index(row, 0))
    real.desk.focus.go(event=9)
    settle(qtbot, real)
    assert not pane(panel).isVisible()


def test_what_a_model_shortens_is_copied_whole(qtbot: Any) -> None:
    whole = "0123456789" * 40
    model = RowsModel((Column("Value", lambda row: row[:8] + "…", {WHOLE_ROLE: lambda row: row}),))
    table = Table(model, "Values", (400,))
    qtbot.addWidget(table)
    model.set_rows([whole])
    index = model.index(0, 0)
    assert table.whole(index) == whole and table.is_cut(index)
    table.setCurrentIndex(index)
    copy_rows(table)
    assert QApplication.clipboard().text() == whole


def test_a_value_is_named_by_the_title_that_it_stands_under(qtbot: Any) -> None:
    columns = (
        Column("A", lambda row: "7"),
        Column("", lambda row: row[0]),
        Column("B", lambda row: "9"),
        Column("", lambda row: row[1]),
    )
    model = RowsModel(columns)
    table = Table(model, "Values", (40, 60, 40, 60))
    both = with_whole_value(table, 1, 3)
    qtbot.addWidget(both)
    model.set_rows([("a long sentence of words", ""), ("a long sentence of words", "another one")])
    table.setCurrentIndex(model.index(0, 0))
    assert pane(both).toPlainText() == "A: a long sentence of words"
    table.setCurrentIndex(model.index(1, 0))
    assert pane(both).toPlainText() == "A: a long sentence of words\nB: another one"


def test_long_tooltips_have_lines() -> None:
    assert _wrapped("<b>") == "<b>"
    flags = _wrapped("|".join(["<FLAG>"] * 30))
    assert flags.startswith("<p>&lt;FLAG&gt;|\u200b&lt;FLAG") and "<FLAG>" not in flags
    assert len(_wrapped("x" * 10 * LONG)) < LONG + 20


def test_columns_that_a_call_has_nothing_for_leave_their_room(qtbot: Any, real: Window) -> None:  # noqa: F811
    """A token has bytes, raw numbers and members; a Blt through the driver has none of them."""
    panel: Any = real.docks.panels["token"]
    capture = real.desk.capture
    hidden = {}
    for event in (int(capture.draws[0]), next(n for n in range(len(capture.events)) if not capture.event(n).data)):
        real.desk.focus.go(event=event)
        settle(qtbot, real)
        hidden[bool(capture.event(event).data)] = [panel.table.isColumnHidden(column) for column in PLACES]
    assert hidden == {True: [False] * 3, False: [True] * 3}


def test_four_bytes_are_whole_however_narrow_the_panel(qtbot: Any) -> None:
    view = HexView()
    qtbot.addWidget(view)
    view.set_data(bytes(range(0xA0, 0xA8)))
    view.resize(1, 80)
    view.show()
    seen = [view.byte_at(QPoint(x, 8)) for x in range(view.viewport().width())]
    assert {0, 1, 2, 3} <= {*seen} and seen[-1] is None, "the last digit ends before the edge"
