"""The filter's words complete themselves: by keyboard alone, and without being in the way of who knows what to type."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.widgets.suggestions import Suggestions
from ui.window import Window

Key = Qt.Key


def typed(qtbot: Any, window: Window, text: str) -> tuple[QLineEdit, Suggestions]:
    window.activateWindow()
    window.focus_filter()
    qtbot.keyClicks(window.events.edit, text)
    return window.events.edit, window.events.suggestions


def words(list_: Suggestions) -> list[str]:
    return [one.word for one in list_.rows]


def test_words_complete_with_the_keyboard(qtbot: Any, real: Window) -> None:  # noqa: F811
    edit, list_ = typed(qtbot, real, "$draw() and alphaf")
    assert list_.isVisible()
    assert words(list_)[0] == "ALPHAFUNC"
    assert "LESSEQUAL" in list_.about.text()
    qtbot.keyClick(edit, Key.Key_Tab)
    assert edit.text() == "$draw() and ALPHAFUNC"
    assert QApplication.focusWidget() is edit
    assert not list_.isVisible()
    qtbot.keyClicks(edit, " == L")
    assert words(list_)[:2] == ["LESS", "LESSEQUAL"]
    qtbot.keyClick(edit, Key.Key_Down)
    qtbot.keyClick(edit, Key.Key_Down)
    qtbot.keyClick(edit, Key.Key_Return)
    assert edit.text() == "$draw() and ALPHAFUNC == LESSEQUAL"
    settle(qtbot, real)
    assert edit.property("wrong") is not True or real.events.model.rowCount() == 0


def test_enter_filters_and_escape_only_puts_the_list_away(qtbot: Any, real: Window) -> None:  # noqa: F811
    edit, list_ = typed(qtbot, real, "$draw")
    assert list_.isVisible()
    qtbot.keyClick(edit, Key.Key_Escape)
    assert not list_.isVisible()
    assert edit.text() == "$draw"
    qtbot.keyClicks(edit, "()")
    qtbot.keyClick(edit, Key.Key_Return)
    settle(qtbot, real)
    assert edit.text() == "$draw()"
    assert QApplication.focusWidget() is real.events.table
    assert real.events.model.rowCount() == len(real.desk.capture.draws)


def test_a_word_in_the_middle_completes_and_the_rest_stays(qtbot: Any, real: Window) -> None:  # noqa: F811
    edit, _ = typed(qtbot, real, " and frame == 1")
    edit.setCursorPosition(0)
    qtbot.keyClicks(edit, "$cop")
    qtbot.keyClick(edit, Key.Key_Tab)
    assert edit.text() == "$copy( and frame == 1"
    assert edit.cursorPosition() == len("$copy(")


def test_an_empty_line_offers_filters_that_have_a_name(qtbot: Any, real: Window) -> None:  # noqa: F811
    edit, list_ = typed(qtbot, real, "")
    assert not list_.isVisible()
    qtbot.keyClick(edit, Key.Key_Down)
    assert "redundant()" in words(list_)
    qtbot.mouseClick(list_.table.viewport(), Qt.MouseButton.LeftButton, pos=row_centre(list_, "redundant()"))
    assert edit.text() == "redundant()"
    qtbot.waitUntil(lambda: 0 < real.events.model.rowCount() < len(real.desk.index or ()))


def row_centre(list_: Suggestions, word: str) -> Any:
    return list_.table.visualRect(list_.table.model().index(words(list_).index(word), 0)).center()


@pytest.mark.parametrize("away", ["focus", "nothing fits"])
def test_the_list_goes_when_it_is_of_no_use(qtbot: Any, real: Window, away: str) -> None:  # noqa: F811
    edit, list_ = typed(qtbot, real, "alpha")
    assert list_.isVisible()
    if away == "focus":
        real.events.table.setFocus()
    else:
        qtbot.keyClicks(edit, "zzz")
    assert not list_.isVisible()


def test_the_list_stays_inside_its_window(qtbot: Any, real: Window) -> None:  # noqa: F811
    _, list_ = typed(qtbot, real, "co")
    assert real.rect().contains(list_.geometry())
    assert list_.table.model().rowCount() > 5
