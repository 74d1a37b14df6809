"""The selected rows of any list, on the clipboard and in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QTreeView

from tests.ui.window_kit import Key, Modifier
from ui.models.table import Column, RowsModel
from ui.roles import SWATCH_ROLE, VALUE_ROLE
from ui.widgets import copying
from ui.widgets.copying import add_copying, copy_rows, save_rows
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table

COLUMNS = (
    Column("Event", lambda row: f"#{row:,}", {VALUE_ROLE: lambda row: row}),
    Column("Colours", lambda row: "", {SWATCH_ROLE: lambda row: (0xFF112233, None)}),
    Column("Name", lambda row: f"row {row}"),
)


@pytest.fixture
def table(qtbot: Any) -> Table:
    model = RowsModel(COLUMNS)
    model.set_rows(list(range(20)))
    table = Table(model, "Rows", (80, 80, 80))
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(300, 300)
    table.show()
    return table


def clipboard() -> str:
    return QApplication.clipboard().text()


def test_shift_extends_and_ctrl_c_copies_all_columns_with_colours(qtbot: Any, table: Table) -> None:
    table.show_row(3)
    qtbot.keyClick(table, Key.Key_Down, Modifier.ShiftModifier)
    qtbot.keyClick(table, Key.Key_C, Modifier.ControlModifier)
    assert clipboard() == "3\t#112233 none\trow 3\n4\t#112233 none\trow 4"


def test_only_what_is_shown_is_copied_in_the_order_it_has(table: Table) -> None:
    table.show_row(5)
    table.setColumnHidden(1, True)
    table.horizontalHeader().moveSection(2, 0)
    copy_rows(table, "TSV")
    assert clipboard() == "Name\tEvent\nrow 5\t5\n"


def test_ctrl_a_selects_all_and_each_form_has_titles(qtbot: Any, table: Table) -> None:
    table.setFocus()
    qtbot.keyClick(table, Key.Key_A, Modifier.ControlModifier)
    menu = QMenu(table)
    add_copying(menu, table)
    forms = {action.text(): action for action in menu.actions()[1].menu().actions()}
    assert list(forms) == ["TSV", "CSV", "JSON", "Markdown"]
    forms["JSON"].trigger()
    assert [row["Event"] for row in json.loads(clipboard())] == list(range(20))
    forms["Markdown"].trigger()
    assert clipboard().startswith("| Event | Colours | Name |\n")


def test_a_list_that_shows_its_current_row_again_keeps_the_selection(qtbot: Any, table: Table) -> None:
    """Panels do so when the focus has followed the list."""
    table.chosen_row.connect(table.show_row)
    table.show_row(2)
    for _ in range(2):
        qtbot.keyClick(table, Key.Key_Down, Modifier.ShiftModifier)
    copy_rows(table)
    assert clipboard().count("\n") == 2
    table.show_row(9)
    copy_rows(table)
    assert clipboard() == "9\t#112233 none\trow 9"


def test_rows_of_a_tree_are_copied_as_they_are_read(qtbot: Any) -> None:
    model = QStandardItemModel()
    model.setHorizontalHeaderLabels(["Name", "Value"])
    for name in ("a", "b"):
        parent = QStandardItem(name)
        parent.appendRow([QStandardItem(f"{name}1"), QStandardItem("7")])
        model.appendRow([parent, QStandardItem("")])
    view = QTreeView()
    qtbot.addWidget(view)
    view.setModel(model)
    view.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
    view.expandAll()
    give_row_menu(view)
    view.selectAll()
    qtbot.keyClick(view, Key.Key_C, Modifier.ControlModifier)
    assert clipboard() == "a\t\na1\t7\nb\t\nb1\t7"


def test_long_lists_are_read_in_slices_and_given_up_when_they_change(
    qtbot: Any, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "SLICE", 0.0)
    QApplication.clipboard().setText("before")
    table.selectAll()
    copy_rows(table)
    assert clipboard() == "before"
    qtbot.waitUntil(lambda: clipboard().count("\n") == 19)
    copy_rows(table)
    table.model().set_columns(COLUMNS)
    QApplication.clipboard().setText("after")
    qtbot.wait(30)
    assert clipboard() == "after"


def test_selected_rows_are_saved_as_the_suffix_says(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    table.selectRow(7)
    for name in ("rows.md", "rows.xyz"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (str(tmp_path / name), ""))
        save_rows(table, said.append)
    assert (tmp_path / "rows.md").read_text().splitlines()[2] == "| 7 | #112233 none | row 7 |"
    assert len(said) == 1 and ".xyz" in said[0]


def test_all_of_a_million_rows_are_selected_without_looking_at_them(qtbot: Any, table: Table) -> None:
    model = table.model()
    model.set_columns(COLUMNS)
    model.set_rows(range(1_000_000))  # type: ignore[arg-type]
    asked = []
    monkey = type(model).flags
    try:
        type(model).flags = lambda self, index: (asked.append(index.row()), monkey(self, index))[1]
        table.selectAll()
        table.grab()
    finally:
        type(model).flags = monkey
    assert len(asked) < 10_000
    assert table.selectionModel().isRowSelected(999_999)
