"""What keeps the window quick while one walks through a million events: nothing is painted or made anew without need."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QHoverEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QTableView

from tests.ui.fake import FakeCapture
from ui import style
from ui.index import build_index
from ui.models.event_columns import SOURCE
from ui.models.events import EventsModel
from ui.models.grid import GridModel
from ui.status import Status
from ui.style import DARK, LIGHT, ROW_HEIGHT
from ui.widgets.banner import Banner
from ui.widgets.cells import NumberCell, ValueCell
from ui.widgets.facts import Fact, Facts, Section
from ui.widgets.tables import SEARCHED, Table


class Painted(QObject):
    """Pixels of a widget's height that were painted."""

    pixels = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.pixels += sum(rect.height() for rect in event.region())  # type: ignore[attr-defined]
        return False


def test_scrolling_by_a_row_paints_only_what_comes_into_sight(qtbot: Any) -> None:
    capture = FakeCapture(200)
    model = EventsModel()
    model.set_capture(capture, build_index(capture))
    table = Table(model, "Events", (58, 52, 300))
    qtbot.addWidget(table)
    table.resize(500, 30 * ROW_HEIGHT)
    with qtbot.waitExposed(table):
        table.show()
    painted = Painted()
    table.viewport().installEventFilter(painted)
    bar = table.verticalScrollBar()
    for row in range(10, 20):
        bar.setValue(row)
        QApplication.processEvents()
    painted.pixels = 0
    bar.setValue(20)
    qtbot.waitUntil(lambda: painted.pixels > 0)
    assert painted.pixels <= 4 * ROW_HEIGHT
    assert table.viewport().height() > 20 * ROW_HEIGHT


class PaintedByQt(Table):
    """Its cells are painted by Qt's own loop if so chosen."""

    by_qt = False

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.by_qt:
            super().paintEvent(event)
            return
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.palette().base())
        self.fit_numbers(event.rect().top(), event.rect().bottom())
        QTableView.paintEvent(self, event)


def point_at(table: Table, row: int, column: int) -> None:
    place = QPointF(table.visualRect(table.model().index(row, column)).center())
    QApplication.sendEvent(table.viewport(), QHoverEvent(QEvent.Type.HoverMove, place, place, QPointF()))


def leave(table: Table) -> None:
    QApplication.sendEvent(table.viewport(), QHoverEvent(QEvent.Type.HoverLeave, QPointF(-1, -1), QPointF(-1, -1), QPointF()))


@pytest.mark.parametrize("dressed", [True, False], ids=["our cells", "Qt's cells"])
def test_cells_are_painted_as_qt_paints_them(qtbot: Any, dressed: bool) -> None:
    model = GridModel()
    names = ["x", "y", "diffuse.r", "diffuse.g", "diffuse.b", "rhw"]
    model.set_grid(names, np.random.default_rng(1).random((300, 6)).astype(np.float32))
    table = PaintedByQt(model, "Vertices", (56,))
    if dressed:
        table.setItemDelegate(ValueCell(table))
        table.setItemDelegateForColumn(0, NumberCell(table))
    qtbot.addWidget(table)
    table.resize(470, 300)
    with qtbot.waitExposed(table):
        table.show()

    header = table.horizontalHeader()

    def pictures() -> list[QImage]:
        """Of the columns that are in sight as a whole: of others, Qt paints a part."""
        found, room = [], table.viewport().width()
        edges = [(left, left + table.columnWidth(one)) for one in range(7) if (left := table.columnViewportPosition(one)) >= 0]
        whole = [edge for edge in edges if edge[1] <= room]
        first, last = min(whole)[0], room if max(edges)[1] <= room else max(whole)[1]
        for table.by_qt in (True, False):
            table.viewport().update()
            found.append(table.viewport().grab().toImage().copy(first, 0, last - first, table.viewport().height()))
        return found

    deeds: list[Callable[[], object]] = [
        lambda: None,
        lambda: table.selectRow(3),
        lambda: point_at(table, 5, 2),
        lambda: leave(table),
        lambda: (table.selectRow(5), table.setFocus()),
        table.selectAll,
        lambda: (table.setColumnHidden(2, True), header.moveSection(1, 4)),
        lambda: table.verticalScrollBar().setValue(100),
        lambda: table.horizontalScrollBar().setValue(77),
        lambda: table.setRowHeight(104, 60),
        table.scrollToBottom,
        lambda: table.setEnabled(False),
    ]
    seen = []
    for deed in deeds:
        deed()
        by_qt, ours = pictures()
        assert ours == by_qt
        seen.append(ours)
    changed = [before != after for before, after in pairwise(seen)]
    assert all(changed[:1] + changed[4:-1])
    assert not dressed or (changed[1] and changed[2])  # only ours light up under the pointer


@pytest.mark.parametrize(("rows", "found"), [(SEARCHED, 700), (SEARCHED + 1, 0)])
def test_letters_look_for_a_row_in_short_lists_only(qtbot: Any, rows: int, found: int) -> None:
    """Qt asks the model for one row after the other until one begins with them: a million for a letter that begins none."""
    model = GridModel()
    model.set_grid(["x"], np.where(np.arange(rows) == 700, 5, 1)[:, None])
    asked: list[int] = []
    text = model.data
    model.data = lambda index, role=0: (asked.append(index.row()), text(index, role))[1]  # type: ignore[method-assign]
    table = Table(model, "Vertices")
    qtbot.addWidget(table)
    table.setCurrentIndex(model.index(0, 1))
    asked.clear()
    table.keyboardSearch("5")
    assert table.currentIndex().row() == len(set(asked)) == found


def test_sources_that_arrive_change_only_their_rows() -> None:
    capture = FakeCapture(200)
    model = EventsModel()
    model.set_capture(capture, build_index(capture))
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.set_values(SOURCE, {40: "Clear", 44: "SetTexture", 41: "SetTexture"})
    assert changed == [(40, 44)]
    assert model.index(44, SOURCE).data() == "SetTexture"


def test_events_without_a_source_are_not_asked_about() -> None:
    capture = FakeCapture(2)
    capture.events.source[:] = -1
    model = EventsModel()
    model.set_capture(capture, build_index(capture))
    assert model.index(3, SOURCE).data() == ""
    assert not model.late.wanted


def test_facts_of_the_same_kind_keep_their_labels(qtbot: Any) -> None:
    facts = Facts("Facts")
    qtbot.addWidget(facts)
    facts.resize(400, 300)
    facts.show()
    followed: list[int] = []
    facts.followed.connect(followed.append)

    def show(number: int, *more: Fact) -> list[QLabel]:
        facts.show_sections([Section(f"DRAW #{number}", (Fact("Frame", f"{number}", number), Fact("Kind", "Draw"), *more))])
        return facts.widget().findChildren(QLabel)

    first = show(1)
    second = show(22)
    assert first == second
    assert [label.text().partition("</a>")[0].rpartition(">")[2] for label in second] == [
        "DRAW #22",
        "Frame",
        "22",
        "Kind",
        "Draw",
    ]
    second[2].linkActivated.emit("#22")
    assert followed == [22]
    assert len(show(3, Fact("Call", "7"))) == len(first) + 2


def test_facts_laid_out_anew_keep_their_labels(qtbot: Any) -> None:
    """Making and styling them takes longest.  And a change of theme narrows them while Qt goes through a list of all widgets:
    one that ended in between was a crash."""
    facts = Facts("Facts")
    qtbot.addWidget(facts)
    facts.resize(400, 300)
    facts.show()
    facts.show_sections([Section("DRAW", (Fact("Texture factor", "0x00112233445566778899aabbccddeeff"),))])
    labels = facts.widget().findChildren(QLabel)
    assert labels[2].x() > labels[1].x()
    facts.resize(60, 300)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert facts.widget().findChildren(QLabel) == labels and all(label.isVisible() for label in labels)
    QApplication.processEvents()
    assert labels[2].y() > labels[1].y()
    more = Section("STATE", (Fact("Kind", "State"), Fact("Position", "event 3"), Fact("Frame", "7", 7)))
    facts.show_sections([more, *facts.sections])
    assert {one for one in facts.widget().findChildren(QLabel) if one.isVisible()} > set(labels)
    facts.show_sections([more])
    shown = [one.text() for one in facts.widget().findChildren(QLabel) if one.isVisible()]
    assert sorted(shown) == sorted(label.text() for label in facts._labels) and "Texture factor" not in shown


def test_facts_that_were_others_before_look_like_new_ones(qtbot: Any) -> None:
    """Whatever was shown before: labels that are used again have the places and the sizes that new ones get."""
    chance, words = random.Random(3), "event 697 of 782 in its frame"
    kinds = (
        Fact("Kind", "Draw"), Fact("Frame", "3", 3), Fact("In the DDK", "D3DHAL_DP2DRAWINDEXEDPRIMITIVE"),
        Fact("Shown", "194  136  94  255", mono=True), Fact("", "dwFlags 0x3", mono=True), Fact("Position", words),
        Fact("diffuse", "1.0", origin="diffuse"),
    )  # fmt: skip

    def shown_in(facts: Facts, sections: list[Section]) -> list[tuple[str, Any]]:
        facts.show_sections(sections)
        for _ in range(3):
            QApplication.processEvents()
        return [(label.text(), label.geometry()) for label in facts._labels]

    used, fresh = Facts("Facts"), [Facts("Facts") for _ in range(12)]
    for facts in (used, *fresh):
        qtbot.addWidget(facts)
        facts.resize(254, 280)
        facts.show()
    for one in fresh:
        counts = [chance.randrange(1, 7) for _ in range(chance.randrange(1, 4))]
        sections = [Section(chance.choice(("", "DRAW")), chance.choices(kinds, k=count)) for count in counts]
        assert shown_in(used, sections) == shown_in(one, sections)


def test_links_take_the_colour_of_another_theme(qtbot: Any, qapp: QApplication) -> None:
    facts = Facts("Facts")
    qtbot.addWidget(facts)
    facts.show_sections([Section("DRAW", (Fact("Frame", "7", 7),))])
    link = facts.widget().findChildren(QLabel)[-1]
    try:
        for theme in (LIGHT, DARK):
            style.apply(qapp, theme.name)
            assert theme.link in link.text()
    finally:
        style.apply(qapp, "dark")


def test_words_about_the_place_need_no_room_of_their_own(qtbot: Any) -> None:
    """Or the whole window is laid out anew with every event."""
    status = Status()
    qtbot.addWidget(status)
    before = status.minimumSizeHint().width()
    status.set_place("frame 7   event 1,234,567   DRAWINDEXEDPRIMITIVE " * 9)
    QApplication.processEvents()
    assert status.minimumSizeHint().width() == before


def test_a_long_message_leaves_the_window_as_wide_as_it_is(qtbot: Any) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    banner.say("No.")
    least = banner.minimumSizeHint().width()
    banner.say("DDI Inspector made a mistake (TypeError: " + "array(uint32,1d,C)," * 300)
    assert banner.minimumSizeHint().width() == least
    assert banner.heightForWidth(1200) < 120
