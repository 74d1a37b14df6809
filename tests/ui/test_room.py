"""Room: what is empty gives it away, what does not fit folds, numbers have arrows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from tests.ui.conftest import settle
from ui import style
from ui.models.table import Column, RowsModel
from ui.widgets.controls import count_box, halves, number_box, single_shot, tool
from ui.widgets.facts import MAY_BREAK, Fact, Facts, Section
from ui.widgets.folding import FoldingStrip
from ui.widgets.tables import Table
from ui.widgets.whole_value import with_whole_value
from ui.window import Window

LEFT = Qt.MouseButton.LeftButton


def show(qtbot: Any, widget: QWidget, width: int, height: int) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()


def test_an_empty_half_leaves_its_room_to_the_other(qtbot: Any) -> None:
    list_, about, hint = QLabel("list"), QLabel("about"), QLabel("hint")
    split = halves(list_, about, hint, sizes=(200, 100, 100))
    split.set_empty(about, True)
    split.set_empty(hint, True, hint=True)
    show(qtbot, split, 900, 200)
    assert list_.width() == split.width() and not about.isVisible() and not hint.isVisible()
    split.set_empty(about, False)
    qtbot.waitUntil(lambda: about.isVisible() and 200 < list_.width() < split.width())
    low = halves(QLabel("list"), other := QLabel("hint"), sizes=(200, 100))
    low.set_empty(other, True, hint=True)  # it was higher before it was shown, as a widget without a place is
    show(qtbot, low, 300, 300)
    assert not other.isVisible()
    split.set_empty(about, True)
    split.resize(300, 700)
    assert hint.isVisible() and not about.isVisible(), "a hint has room below a list"
    split.resize(300, 400)
    assert not hint.isVisible(), "but not below a low one"
    split.resize(300, 700)
    assert hint.isVisible()


def test_nothing_comes_under_the_pointer_between_the_clicks_of_a_double_click(qtbot: Any) -> None:
    """A first click shows what is known of the row, in the place of the last rows: the second one was on that."""
    rows = RowsModel([Column("Row", str)])
    rows.set_rows(range(12))
    table, about = Table(rows, "Rows", (200,)), QLabel("about")
    split = halves(table, about, sizes=(100, 100))
    split.set_empty(about, True)
    split.keep_still(table)
    answered = single_shot(split, 0, lambda: split.set_empty(about, False))
    table.chosen_row.connect(lambda _: answered.start())
    opened: list[int] = []
    table.activated_row.connect(opened.append)
    show(qtbot, split, 300, 400)
    last = table.visualRect(rows.index(11, 0)).center()
    for act in (qtbot.mousePress, qtbot.mouseRelease, qtbot.mouseDClick, qtbot.mouseRelease):
        act(split.window().childAt(table.viewport().mapTo(split, last)), LEFT, pos=last)
        qtbot.waitUntil(lambda: not answered.isActive())
    assert opened == [11]
    qtbot.waitUntil(about.isVisible)
    split.set_empty(about, True)
    split.set_empty(about, False)
    assert about.isVisible(), "without a click it comes at once"


def test_halves_are_side_by_side_only_where_both_have_their_width(qtbot: Any) -> None:
    split = halves(QLabel("list"), QLabel("about"), sizes=(200, 100), beside=(440, 360))
    ways = {}
    for width, height in ((700, 300), (820, 300), (820, 420), (700, 150)):
        show(qtbot, split, width, height)
        qtbot.waitUntil(lambda size=(width, height): (split.width(), split.height()) == size)
        ways[width, height] = split.orientation() == Qt.Orientation.Horizontal
    assert ways == {(700, 300): False, (820, 300): True, (820, 420): False, (700, 150): True}


def test_panels_have_no_empty_halves(qtbot: Any, window: Window) -> None:
    panels: dict[str, Any] = window.docks.panels
    findings, verify, history = panels["findings"], panels["verify"], panels["history"]
    window.docks.bring("findings")
    settle(qtbot, window)
    assert findings.model.rows and findings.about.isVisible()
    findings.search.setText("no such words")
    assert not findings.model.rows and not findings.about.isVisible()
    window.docks.bring("verify")
    assert not verify.about.isVisible()
    window.docks.bring("history")
    assert not history.facts.isVisible()


def test_numbers_have_arrows_to_click(qtbot: Any) -> None:
    for box in (count_box("Level", "level "), number_box("Black", 0.0)):
        show(qtbot, box, 120, 30)
        before = box.value()
        qtbot.mouseClick(box, LEFT, pos=QPoint(box.width() - 9, 8))
        assert box.value() > before
        qtbot.mouseClick(box, LEFT, pos=QPoint(box.width() - 9, box.height() - 8))
        assert box.value() == before
        image, quiet = box.grab().toImage(), style.theme().color("sunken")
        place = [image.pixelColor(x, y) for x in range(box.width() - 16, box.width() - 4) for y in range(5, 25)]
        assert any(color != quiet for color in place), "they can be seen"


def test_a_filter_keeps_its_room_in_a_narrow_panel(qtbot: Any) -> None:
    edit, more = QLineEdit(), [tool(name, name, text=name) for name in ("Find", "Tree", "Draws")]
    strip = FoldingStrip((edit,), more, grows=edit)
    show(qtbot, strip, 700, 36)
    assert not strip.folded and edit.width() > 400
    strip.resize(240, 36)
    assert strip.folded and edit.width() > 120
    for width, least in ((240, 240 - strip.more.width() - 80), (700, 400)):  # what folded, or came back, leaves it all the rest
        strip.resize(width, 36)
        QApplication.processEvents()
        seen = [one for one in (*more, strip.more) if one.isVisible() and one not in strip.folded]
        gap = min(one.x() for one in seen) - edit.geometry().right()
        assert gap < 10 and edit.width() >= least, width


def test_controls_of_a_row_fold_before_they_are_cut(qtbot: Any) -> None:
    names = "Streams", "Indices", "Assembled", "Tessellated", "Transformed"
    controls = [tool(name, name, text=name) for name in names]
    place, strip = QWidget(), FoldingStrip(controls, (), firm=2)
    strip.setParent(place)
    strip.resize(700, 36)
    show(qtbot, place, 700, 36)
    assert not strip.folded
    places = [one.x() for one in controls]
    for width in (420, 300, 240):
        strip.resize(width, 36)
        QApplication.processEvents()
        seen = [one for one in controls if one not in strip.folded]
        assert seen == controls[: len(seen)] and len(seen) >= 2
        assert all(one.width() >= one.sizeHint().width() for one in seen), width
        assert strip.more.isVisible() and strip.more.geometry().right() <= width
    assert len(seen) == 2
    strip.resize(500, 36)
    controls[1].setText("Indices of a draw")
    QApplication.processEvents()
    assert controls[-1] in strip.folded, "words may become longer"
    controls[1].setText("Indices")
    strip.resize(700, 36)
    QApplication.processEvents()
    assert not strip.folded and [one.x() for one in controls] == places, "they come back in their order"


def test_a_long_heading_makes_nothing_else_wider(qtbot: Any) -> None:
    facts = Facts("Facts")
    facts.show_sections([Section("D3DHAL_DRAWPRIMITIVES2DATA", (Fact("Position", "event 411 of 1,093 in its frame"),))])
    show(qtbot, facts, 170, 300)
    assert facts.widget().width() <= facts.viewport().width()


def test_a_long_name_breaks_where_it_has_no_room(qtbot: Any) -> None:
    facts = Facts("Facts")
    name = Fact("In the DDK", "D3DHAL_DP2DRAWINDEXEDPRIMITIVE")
    facts.show_sections([Section("DRAWINDEXEDPRIMITIVE #164841", (name, Fact("Frame", "0", 1)))])
    show(qtbot, facts, 900, 300)
    value = next(one for one in facts.findChildren(QLabel) if "DP2DRAW" in one.text())
    assert value.text() == "D3DHAL_DP2DRAWINDEXEDPRIMITIVE"  # what is selected and copied is the name
    facts.resize(value.fontMetrics().horizontalAdvance("DP2DRAWINDEXEDPRIMITIVE") + 60, 300)
    value = next(one for one in facts.findChildren(QLabel) if "DP2DRAW" in one.text())
    longest = max(map(value.fontMetrics().horizontalAdvance, value.text().split(MAY_BREAK)))
    assert value.text().replace(MAY_BREAK, "") == "D3DHAL_DP2DRAWINDEXEDPRIMITIVE" and longest <= facts.viewport().width()
    facts.resize(150, 300)
    for label in (one for one in facts.findChildren(QLabel) if "<" not in one.text()):
        parts = label.text().replace(" ", MAY_BREAK).split(MAY_BREAK)
        bold = QFont(label.font())
        bold.setWeight(QFont.Weight.DemiBold)
        assert max(map(QFontMetrics(bold).horizontalAdvance, parts)) <= facts.viewport().width(), label.text()
    facts.resize(900, 300)
    assert MAY_BREAK not in next(one for one in facts.findChildren(QLabel) if "DP2DRAW" in one.text()).text()


def test_a_whole_value_takes_the_lines_it_has(qtbot: Any) -> None:
    model = RowsModel((Column("Value", str), Column("Other", lambda _: "")))
    table = Table(model, "Values", (60,))
    both = with_whole_value(table, 0)
    show(qtbot, both, 300, 300)
    pane: Any = both.layout().itemAt(1).widget()
    model.set_rows(["a value too long", " ".join(["many words"] * 40)])
    table.selectRow(0)
    one = pane.height()
    assert pane.isVisible() and one < 2 * pane.fontMetrics().lineSpacing() + 20
    table.selectRow(1)
    assert pane.height() > 2 * one


def test_an_empty_table_does_not_scroll(qtbot: Any) -> None:
    model = RowsModel((Column("A", str), Column("B", str)))
    table = Table(model, "Rows", (300, 300))
    show(qtbot, table, 200, 120)
    assert not table.horizontalScrollBar().isVisible()
    model.set_rows(["x"])
    qtbot.waitUntil(table.horizontalScrollBar().isVisible)
