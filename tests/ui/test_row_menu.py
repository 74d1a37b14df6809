"""Menus of rows: a click is about the row under it, a key about the current row."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from ui.models.table import Column, RowsModel
from ui.widgets.row_menu import give_row_menu
from ui.widgets.tables import Table

KEYBOARD, MOUSE = QContextMenuEvent.Reason.Keyboard, QContextMenuEvent.Reason.Mouse


@pytest.fixture
def table(qtbot: Any) -> Table:
    model = RowsModel((Column("Row", str),))
    model.set_rows(list(range(20)))
    table = Table(model, "Rows", (80,))
    model.setParent(table)
    qtbot.addWidget(table)
    table.resize(200, 300)
    table.show()
    return table


def ask(target: QWidget, place: QPoint, reason: QContextMenuEvent.Reason) -> None:
    QApplication.sendEvent(target, QContextMenuEvent(reason, place, target.mapToGlobal(place)))


def test_a_key_asks_about_the_current_row_and_a_click_about_the_one_under_it(qtbot: Any, table: Table) -> None:
    asked: list[int] = []

    def menu_of(index: QModelIndex) -> QMenu:
        asked.append(index.row())
        menu = QMenu(table)
        menu.addAction("Look")
        return menu

    give_row_menu(table, menu_of)
    table.show_row(3)
    cursor = table.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()  # where Qt puts the menu of a key
    ask(table, cursor, KEYBOARD)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu) and popup.actions()[0].text() == "Look"
    popup.close()
    ask(table.viewport(), table.visualRect(table.model().index(5, 0)).topLeft() + QPoint(2, 2), MOUSE)
    assert asked == [3, 5]
    QApplication.activePopupWidget().close()


def test_columns_are_chosen_by_the_keyboard(qtbot: Any) -> None:
    model = RowsModel((Column("Row", str), Column("A title that is long", str)))
    model.set_rows(list(range(20)))
    table = Table(model, "Rows", (80, 30))
    model.setParent(table)
    qtbot.addWidget(table)
    table.stretch((0, 80))
    table.setColumnWidth(1, 40)
    table.hideColumn(1)
    table.resize(400, 300)
    table.show()
    table.show_row(3)
    qtbot.keyClick(table, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    [columns] = [action.menu() for action in popup.actions() if action.text() == "Columns"]
    assert [(action.text(), action.isChecked()) for action in columns.actions()] == [
        ("Row", True),
        (model.headerData(1, Qt.Orientation.Horizontal), False),
    ]
    columns.actions()[1].trigger()
    popup.close()
    metrics = table.horizontalHeader().fontMetrics()
    assert table.columnWidth(1) > metrics.horizontalAdvance("A title that is long"), "its title has room"


def test_beside_the_rows_there_is_nothing_to_choose(table: Table) -> None:
    give_row_menu(table, lambda index: pytest.fail("no row was asked about"))
    table.model().set_rows([])
    ask(table.viewport(), QPoint(5, 5), MOUSE)
    assert QApplication.activePopupWidget() is None
