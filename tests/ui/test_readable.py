"""Nothing is too pale, cut off without a way to read it, or out of the keyboard's reach."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QLabel,
    QRadioButton,
    QToolTip,
    QWidget,
)

from ui import style
from ui.models.table import Column, RowsModel
from ui.style import PALETTES, THEMES, Theme, with_palette
from ui.widgets.controls import label, strip
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.tables import Table
from ui.window import Window

WORDS = ("text", "muted", "faint", "link", "error", "warning", "good", "changed", "accent")
GROUNDS = ("panel", "window", "raised", "sunken", "stripe")
LEGIBLE = 4.5
"""WCAG 2.1, 1.4.3: contrast of text, level AA."""
VISIBLE = 3.0
"""WCAG 2.1, 1.4.11: contrast of the parts of controls."""


def luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: QColor, b: QColor) -> float:
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


THEMES_IN_ALL_HUES = [with_palette(theme, palette) for theme in THEMES.values() for palette in PALETTES]


@pytest.mark.parametrize("theme", THEMES_IN_ALL_HUES, ids=lambda theme: theme.name)
def test_every_text_stands_out_from_every_ground(theme: Theme) -> None:
    pairs = product(WORDS, GROUNDS)
    pale = [(words, ground) for words, ground in pairs if contrast(theme.color(words), theme.color(ground)) < LEGIBLE]
    assert not pale
    assert contrast(theme.color("text"), theme.color("selection")) >= LEGIBLE
    assert contrast(theme.color("on_accent"), theme.color("accent")) >= LEGIBLE


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("kind", [QRadioButton, QCheckBox])
def test_a_choice_that_is_not_made_can_be_seen(qtbot: Any, qapp: QApplication, name: str, kind: type[QAbstractButton]) -> None:
    style.apply(qapp, name)
    button = kind("")
    qtbot.addWidget(button)
    button.show()
    image = button.grab().toImage()
    ground = THEMES[name].color("window")
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    style.apply(qapp, "dark")
    assert max(contrast(QColor(color), ground) for color in seen) >= VISIBLE


def hover(widget: QWidget, place: QPoint) -> str:
    """What the tooltip at a place says."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
    return QToolTip.text() if QToolTip.isVisible() else ""


def test_a_line_that_does_not_fit_gives_way_and_says_the_rest(qtbot: Any) -> None:
    words = label("a sentence that is far longer than the strip that it stands in")
    row = strip(words, None)
    qtbot.addWidget(row)
    row.resize(900, 30)
    row.show()
    assert hover(words, QPoint(5, 5)) == ""
    row.resize(120, 30)
    QApplication.processEvents()
    assert words.width() <= 120
    assert hover(words, QPoint(5, 5)) == words.text()


def test_a_cell_that_is_cut_says_the_rest_and_a_stretched_column_stays_legible(qtbot: Any) -> None:
    model = RowsModel((Column("Number", str), Column("Words", lambda n: "word " * n), Column("More", str)))
    table = Table(model, "Table", (60, 40, 300))
    table.stretch((1, 150))
    qtbot.addWidget(table)
    table.resize(700, 200)
    table.show()
    model.set_rows([1, 60])
    QApplication.processEvents()
    assert sum(table.columnWidth(column) for column in range(3)) == table.viewport().width()
    cells = [table.visualRect(model.index(row, 1)).center() for row in range(2)]
    assert [hover(table.viewport(), cell) for cell in cells] == ["", f"<p>{'word ' * 60}</p>"]
    table.resize(200, 200)
    assert table.columnWidth(1) >= 150
    table.setColumnHidden(2, True)
    table.resize(701, 200)
    assert table.columnWidth(0) + table.columnWidth(1) == table.viewport().width()


def test_several_columns_share_the_room_that_is_left(qtbot: Any) -> None:
    model = RowsModel((Column("Number", str), Column("A", lambda _: "a"), Column("B", lambda n: str(10**n))))
    table = Table(model, "Table", (60, 40, 40))
    table.stretch((1, 100), (2, 200))
    qtbot.addWidget(table)
    table.resize(660, 200)
    table.show()
    room = table.viewport().width() - table.columnWidth(0)
    assert (table.columnWidth(1), table.columnWidth(2)) == (room // 3, room - room // 3)
    table.setColumnWidth(1, 300)  # by its edge
    assert table.columnWidth(1) == 300 and table.horizontalHeader().length() == table.viewport().width()
    table.resize(240, 200)
    assert (table.columnWidth(1), table.columnWidth(2)) == (100, 200)
    model.set_rows([30, 31])  # 32 digits
    table.grab()
    assert table.columnWidth(2) > 220, "a number gets its room"
    table.setColumnHidden(2, True)
    table.resize(600, 200)
    assert table.columnWidth(0) + table.columnWidth(1) == table.viewport().width()


def test_headers_are_as_wide_as_their_words(qtbot: Any) -> None:
    table = Table(RowsModel((Column("A long title", str), Column("B", str))), "Table", (20, 20))
    qtbot.addWidget(table)
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance("A long title")


@pytest.mark.parametrize("name", ["state", "resources", "stepping", "statistics", "history", "vertices", "what-if"])
def test_a_panel_that_is_brought_forward_begins_at_its_first_list(qtbot: Any, window: Window, name: str) -> None:
    window.activateWindow()
    window.docks.bring(name)
    qtbot.wait(1)
    panel, here = window.docks.panels[name], QApplication.focusWidget()
    assert here is not None
    assert panel.isAncestorOf(here)
    place = here.mapTo(panel, QPoint(0, 0))
    others = [
        other.mapTo(panel, QPoint(0, 0))
        for other in panel.findChildren(QAbstractScrollArea)
        if other.isVisible() and other.focusPolicy() & Qt.FocusPolicy.TabFocus and other is not here
    ]
    assert all((place.y(), place.x()) <= (other.y(), other.x()) for other in others)


def test_a_hidden_column_leaves_no_gap(window: Window) -> None:
    columns = window.events.table.horizontalHeader()
    shown = [column for column in range(columns.count()) if not columns.isSectionHidden(column)]
    assert len(shown) < columns.count()
    for left, right in pairwise(shown):
        assert columns.sectionPosition(right) == columns.sectionPosition(left) + columns.sectionSize(left)


def test_values_stand_under_their_names_where_there_is_no_room_beside(qtbot: Any) -> None:
    facts = Facts("Facts")
    qtbot.addWidget(facts)
    facts.resize(500, 400)
    facts.show()
    facts.show_sections([Section("What there is", [Fact("a rather long name", "0x00112233445566778899", mono=True)])])

    def labels() -> list[QLabel]:
        QApplication.processEvents()
        return facts.widget().findChildren(QLabel)[-2:]

    name, value = labels()
    assert value.x() > name.x()
    facts.resize(230, 400)
    name, value = labels()
    assert value.y() > name.y()
    assert value.geometry().right() <= facts.viewport().width()
    facts.resize(500, 400)
    name, value = labels()
    assert value.x() > name.x()
