"""Sentences in lists are on as many lines as they need; names and values of a token have room before what repeats them."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QWidget

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from tests.ui.window_kit import grab_all
from ui import style
from ui.models.table import Column, RowsModel
from ui.panels.history import WHY
from ui.panels.resources import BOUND
from ui.widgets import cells
from ui.widgets.lines import BREAK, broken
from ui.widgets.tables import Table
from ui.widgets.whole_value import WholeValue, with_whole_value
from ui.widgets.wrapping import MOST, Wrapping, WrappingCell
from ui.window import Window

SENTENCE = "This driver reports no formats in the new style, and none in the old one."
LONG_NAME = "D3DHAL_DRAWPRIMITIVES2DATA" * 2


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What goes into cells of one line: (text, as it is written)."""
    found = list[tuple[str, str]]()
    fitted = cells.fitted
    monkeypatch.setattr(cells, "fitted", lambda text, *more: found.append((text, fitted(text, *more))) or found[-1][1])
    return found


def cut(view: QWidget, written: list[tuple[str, str]]) -> list[str]:
    """Texts that are shortened."""
    written.clear()
    grab_all(view)
    whole = {text for text, shown in written if shown == text}
    return [text for text, _ in written if text not in whole]


def made(qtbot: Any, width: int, lines: int = MOST) -> tuple[RowsModel, Table, QWidget]:
    model = RowsModel((Column("Words", str), Column("Length", lambda text: str(len(text)))))
    table = Table(model, "Words", (100, 60))
    table.setItemDelegate(WrappingCell(table))
    table.stretch((0, 60))
    Wrapping(table, lines).wrap(0)
    both = with_whole_value(table, 0)
    qtbot.addWidget(both)
    both.resize(width, 300)
    with qtbot.waitExposed(both):
        both.show()
    return model, table, both


def test_a_row_is_as_high_as_its_words_need(qtbot: Any, written: list[tuple[str, str]]) -> None:
    model, table, both = made(qtbot, 240)
    model.set_rows([SENTENCE, "short", LONG_NAME])
    metrics = QFontMetrics(style.mono_font())
    room = QRect(0, 0, table.columnWidth(0) - 10, 1000)
    needed = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), SENTENCE).height()
    assert needed > 2 * metrics.height() and needed <= table.rowHeight(0) < needed + metrics.height()
    assert table.rowHeight(1) == style.ROW_HEIGHT < table.rowHeight(2), "a name without spaces breaks anywhere"
    assert not cut(table, written)
    table.selectRow(0)
    pane: Any = both.findChild(WholeValue)
    assert not table.is_cut(model.index(0, 0)) and not pane.isVisible(), "it is whole where it is"
    both.resize(1200, 300)
    assert [table.rowHeight(row) for row in range(3)] == [style.ROW_HEIGHT] * 3
    both.resize(240, 300)
    model.set_rows([SENTENCE] * (MOST + 1))
    assert table.rowHeight(0) == style.ROW_HEIGHT and cut(table, written) and table.is_cut(model.index(0, 0))


def test_what_needs_more_lines_than_are_wanted_has_one_and_is_whole_below(qtbot: Any, written: list[tuple[str, str]]) -> None:
    model, table, both = made(qtbot, 240, lines=2)
    model.set_rows([SENTENCE, SENTENCE[:30]])
    assert table.rowHeight(0) == style.ROW_HEIGHT < table.rowHeight(1) and cut(table, written) == [SENTENCE]
    table.selectRow(0)
    pane: Any = both.findChild(WholeValue)
    assert pane.isVisible() and pane.toPlainText() == SENTENCE


def test_requirements_of_a_driver_are_whole_in_a_narrow_panel(
    qtbot: Any, real: Window, written: list[tuple[str, str]]  # noqa: F811
) -> None:  # fmt: skip
    real.resize(1280, 720)
    real.docks.bring("driver")
    settle(qtbot, real, 20_000)
    panel: Any = real.docks.panels["driver"]
    assert len(panel.model.rows) > 4 and panel.table.viewport().width() < 700
    assert not cut(panel.table, written)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_six_rows_of_a_history_are_in_sight_and_the_chosen_ones_reason_is_whole(
    qtbot: Any, real: Window, size: tuple[int, int]  # noqa: F811
) -> None:  # fmt: skip
    real.resize(*size)
    real.docks.bring("history")
    real.desk.focus.go(event=2945, surface=2, pixel=(320, 240))
    settle(qtbot, real, 20_000)
    panel: Any = real.docks.panels["history"]
    table, view = panel.table, panel.table.viewport().rect()
    cells = [table.visualRect(panel.model.index(row, WHY)) for row in range(len(panel.model.rows))]
    assert len(cells) == 6 and all(map(view.contains, cells))
    for number, row in enumerate(panel.model.rows):
        table.selectRow(number)
        settle(qtbot, real, 20_000)
        reason = next(label for label in panel.facts.findChildren(QLabel) if label.text() == row.sentence)
        corner = reason.mapTo(panel.facts, reason.rect().bottomLeft())
        assert panel.facts.rect().contains(corner), "all its lines are in sight"


def test_names_break_between_their_parts(qtbot: Any) -> None:
    metrics = QFontMetrics(style.mono_font())
    width = metrics.horizontalAdvance("PrimitiveMisc")
    assert broken("PrimitiveMiscCaps was", metrics, width).split(BREAK) == ["Primitive", "Misc", "Caps was"]
    assert broken("D3DHAL_DP2OPERATION", metrics, width).split(BREAK)[0] == "D3DHAL_"
    assert broken("0" * 20, metrics, width) == BREAK.join("0" * 20), "anywhere, where it has no parts"


def test_what_a_resource_is_bound_as_takes_two_lines(
    qtbot: Any, real: Window, written: list[tuple[str, str]]  # noqa: F811
) -> None:  # fmt: skip
    real.resize(1280, 720)
    real.docks.bring("resources")
    real.desk.focus.go(event=697)
    settle(qtbot, real, 20_000)
    panel: Any = real.docks.panels["resources"]
    panel.edit.setText("stage")
    settle(qtbot, real, 20_000)
    bound = panel.model.index(0, BOUND)
    assert " " in bound.data() and panel.table.columnWidth(BOUND) < 110
    assert bound.data() not in cut(panel.table, written)


def test_fields_of_a_token_have_room_for_their_words(
    qtbot: Any, real: Window, written: list[tuple[str, str]]  # noqa: F811
) -> None:  # fmt: skip
    real.resize(1280, 720)
    real.docks.bring("token")
    panel: Any = real.docks.panels["token"]
    for event in (697, 574):
        real.desk.focus.go(event=event)
        settle(qtbot, real, 20_000)
        panel.table.grab()
        assert not [text for text in cut(panel.table, written) if "E (" in text or "_" in text or "Count" in text]


def test_a_long_list_is_not_gone_through(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the rows that were higher before are looked at: a driver may have presented a million times."""
    model, table, both = made(qtbot, 240)
    model.set_rows([SENTENCE] * 3)
    looked, height = list[int](), table.rowHeight
    monkeypatch.setattr(table, "rowHeight", lambda row: looked.append(row) or height(row))
    for _ in range(2):
        model.set_rows([SENTENCE] * (MOST + 1))
    assert both.isVisible() and set(looked) <= {0, 1, 2} and {height(row) for row in range(MOST + 1)} == {style.ROW_HEIGHT}
