"""No number is cut: columns grow for single ones, and longer texts end between two of them."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics, QImage, QPainter

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui import style
from ui.models.table import Column, RowsModel
from ui.roles import SWATCH_ROLE
from ui.widgets import cells
from ui.widgets.cells import NumberCell, ValueCell
from ui.widgets.numbers import are_numbers, is_number, shortened
from ui.widgets.tables import Table
from ui.widgets.wrapping import WrappingCell
from ui.window import Window


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What cells write, as it is seen."""
    seen: list[str] = []
    fitted = cells.fitted

    def watch(text: str, painter: QPainter, width: int, *how: Any) -> str:
        seen.append(fitted(text, painter, width, *how))
        return seen[-1]

    monkeypatch.setattr(cells, "fitted", watch)
    return seen


def table_of(qtbot: Any, texts: list[str], cell: type, width: int = 40, swatches: Any = None) -> Table:
    roles = {SWATCH_ROLE: lambda _: swatches}
    model = RowsModel((Column("First", str, roles), Column("Last", str, roles)))
    table = Table(model, "Numbers", (width, width))
    table.setItemDelegate(cell(table))
    qtbot.addWidget(table)
    table.resize(width * 2, 200)
    model.set_rows(texts)
    return table


def look(table: Table, painted: list[str]) -> set[str]:
    """What cells write in a table as wide as its columns have become: what is in sight in part only is not written whole."""
    table.grab()
    painted.clear()
    table.resize(table.horizontalHeader().length() + table.width() - table.viewport().width(), 200)
    table.grab()
    return set(painted)


@pytest.mark.parametrize("cell", [ValueCell, NumberCell])
@pytest.mark.parametrize(
    "text", ["6.12323e-17", "-1.17549e-38", "#327,665", "0x3f800000", "262,144 bytes", "1024×1024", "327665"]
)
def test_columns_grow_for_their_numbers(qtbot: Any, painted: list[str], text: str, cell: type) -> None:
    assert look(table_of(qtbot, ["1", text], cell), painted) == {"1", text}


@pytest.mark.parametrize("cell", [ValueCell, NumberCell, WrappingCell])
def test_a_number_at_the_edge_of_a_scrolled_table_is_whole_or_not_there(qtbot: Any, painted: list[str], cell: type) -> None:
    """Half of -1.17549e-38 reads as another number."""
    text = "-1.17549e-38"
    table = table_of(qtbot, [text], cell, width=120)
    with qtbot.waitExposed(table):
        table.resize(180, 200)
        table.show()
    table.setRowHeight(0, 60)  # room for lines, which a number has no use for
    table.grab()
    bar, room, seen = table.horizontalScrollBar(), table.viewport().width(), set[int]()
    for place in range(0, bar.maximum() + 1, 7):
        bar.setValue(place)
        painted.clear()
        table.grab()
        edges = [(left, left + table.columnWidth(one)) for one in (0, 1) if (left := table.columnViewportPosition(one)) < room]
        whole = sum(left >= 0 and right <= room for left, right in edges)
        assert whole <= painted.count(text) <= len(edges), "a wide cell may have room for it without all of its margins"
        assert all(cells.advance(shown, style.shared_mono_font()) <= min(right, room) - max(left, 0)
                   for shown, (left, right) in zip(painted, [one for one in edges if one[1] > 0], strict=True))  # fmt: skip
        assert {*painted} <= {text, "…", ""}
        seen.add(painted.count(text))
    assert len(seen) > 1


def test_swatches_leave_room_for_the_number(qtbot: Any, painted: list[str]) -> None:
    assert look(table_of(qtbot, ["0.123456789"], ValueCell, swatches=(1, 2, 3)), painted) == {"0.123456789"}


def test_numbers_are_whole_however_the_window_is_resized(qtbot: Any, painted: list[str]) -> None:
    table = table_of(qtbot, ["-1.17549e-38"], ValueCell)
    for width in (80, 900, 60):
        table.resize(width, 200)
        assert look(table, painted) == {"-1.17549e-38"}, width
    table.resize(900, 200)
    assert table.columnWidth(1) > 600, "the last column takes the room again"


def test_rows_are_read_once_and_again_when_they_change(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    monkeypatch.setattr("ui.widgets.tables.is_number", lambda text: asked.append(text) or is_number(text))
    table = table_of(qtbot, ["-1.17549e-38"], ValueCell)
    table.grab()
    assert asked
    asked.clear()
    table.grab()
    assert not asked
    table.setColumnWidth(0, 30)  # someone makes it narrower: no number is cut
    table.grab()
    assert asked and table.columnWidth(0) > 60
    model = table.model()
    assert isinstance(model, RowsModel)
    width = table.columnWidth(0)
    model.set_rows(["-1.17549e-38 ms".replace("38", "3800")])
    table.grab()
    assert table.columnWidth(0) > width


def test_a_column_that_is_shown_again_has_room_for_its_numbers(qtbot: Any, painted: list[str]) -> None:
    table = table_of(qtbot, ["-1.17549e-38"], ValueCell)
    table.setColumnHidden(0, True)
    table.grab()
    table.setColumnHidden(0, False)
    assert look(table, painted) == {"-1.17549e-38"} and len(painted) == 2


def test_only_rows_that_are_seen_are_read(qtbot: Any) -> None:
    read: list[int] = []

    def text(row: int) -> str:
        read.append(row)
        return str(row)

    model = RowsModel((Column("Number", text),))
    table = Table(model, "Many", (40,))
    qtbot.addWidget(table)
    model.set_rows(range(500_000))
    table.resize(200, 300)
    table.grab()
    assert len(set(read)) < 40


def test_a_long_text_ends_between_two_numbers() -> None:
    metrics = QFontMetrics(style.mono_font())
    matrix = "1.0322864 0.0 0.0 0.0 | 0.0 1.3763819 0.0 0.0"
    whole = matrix.split()
    for width in range(20, metrics.horizontalAdvance(matrix) + 10, 3):
        shown = shortened(matrix, metrics, width)
        words = shown.removesuffix("…").split()
        assert words == whole[: len(words)], f"{shown!r} at {width}"
        assert shown == matrix or not shown[:-1][-1:].isdigit(), f"{shown!r} could be a part of a number"
    size = "Render target   800 × 600"
    shown = {shortened(size, metrics, width) for width in range(20, metrics.horizontalAdvance(size) + 10)}
    assert not any("800" in one for one in shown - {size}) and "Render target   …" in shown, "no half of a size"
    assert shortened("a sentence without figures", metrics, 100).endswith("…")
    assert shortened("D3DHAL_DRAWPRIMITIVES2DATA", metrics, 100).startswith("D3DHAL_"), "a name, not a number"


def test_what_is_a_number() -> None:
    for text in ("0", "-1.5", "6.1e-17", "nan", "-inf", "#12", "12 %", "640x480", "3/8", "event 812"):
        assert is_number(text), text
    for text in ("", "TRIANGLELIST", "m4x4 oPos, v0, c0", "v3.x", "none", "1 2 3", "D24S8"):
        assert not is_number(text), text


def test_what_is_a_list_of_numbers() -> None:
    for text in ("7", "1 2 3", "640, 352, 1056", "0.909629  0.859643  -8.1e-17  1"):
        assert are_numbers(text), text
    for text in ("", "1 2 | 3 4", "c0 1 2", "1 2 of 3", "1 " * 40):
        assert not are_numbers(text), text


def test_a_table_can_keep_lists_whole(qtbot: Any, painted: list[str]) -> None:
    text = "0.909629  0.859643  0.809528  1"
    table = table_of(qtbot, [text], ValueCell, width=100)
    table.grab()
    assert all(shown.endswith("…") for shown in painted)
    table = table_of(qtbot, [text], ValueCell, width=100)
    table.keeps_lists = True
    assert look(table, painted) == {text}


def test_steps_and_history_show_theirs(qtbot: Any, real: Window, painted: list[str]) -> None:  # noqa: F811
    """Room, event 929: v3.x is cos(90 degrees) as a float."""
    real.desk.focus.go(event=929, vertex=0)
    real.docks.bring("stepping")
    settle(qtbot, real, 20_000)
    panel: Any = real.docks.panels["stepping"]
    painted.clear()
    panel.values.grab()
    row = next(row for row in panel.registers.rows if row.name == "v3")
    assert {f"{part:.6g}" for part in row.value} <= set(painted)
    assert any("e-" in text for text in painted) and not any("…" in text for text in painted)


def test_text_is_drawn_through_the_one_function(painted: list[str], qtbot: Any) -> None:
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        cells.draw_text(painter, QRect(0, 0, 40, 20), "0.123456789 and more")
    assert painted == ["…"]


def test_what_is_remembered_of_a_text_is_of_its_font_and_width(qtbot: Any) -> None:
    text, image = "SetTextureStageState of stage one", QImage(400, 20, QImage.Format.Format_RGB32)
    found = set()
    with QPainter(image) as painter:
        for _ in range(2):  # the second time, it is remembered
            for font in (style.ui_font(), style.mono_font(), style.ui_font(14)):
                for width in (60, 140, 400):
                    painter.setFont(font)
                    assert cells.fitted(text, painter, width) == shortened(text, painter.fontMetrics(), width)
                    found.add(cells.fitted(text, painter, width))
    assert len(found) > 3


def test_no_more_texts_are_remembered_than_fit(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "FITTED", 8)
    monkeypatch.setattr(cells, "_FITTED", {})
    with QPainter(image := QImage(400, 20, QImage.Format.Format_RGB32)) as painter:
        for number in range(50):
            assert cells.fitted(str(number), painter, image.width()) == str(number)
            assert 0 < len(cells._FITTED) <= 8
