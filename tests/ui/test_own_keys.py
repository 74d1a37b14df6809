"""Keys that belong to what has the keyboard, and controls that Tab does not reach."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from tests.ui.conftest import settle
from tests.ui.window_kit import Key, panel
from ui.widgets.reading_order import in_reading_order
from ui.window import Window


@pytest.mark.parametrize("key", [Key.Key_Home, Key.Key_End, Key.Key_Left, Key.Key_Right, Key.Key_PageUp, Key.Key_PageDown])
def test_a_table_keeps_its_keys(qtbot: Any, window: Window, key: Qt.Key) -> None:
    window.desk.focus.go(event=20)
    table = panel(window, "resources").table
    settle(qtbot, window)
    window.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    qtbot.keyClick(table, key)
    settle(qtbot, window)
    assert window.desk.focus.focus.event == 20
    if key == Key.Key_End:
        assert table.currentIndex().row() == table.model().rowCount() - 1


def test_end_belongs_to_a_choice_that_has_the_keyboard(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=20)
    choice = panel(window, "history").range
    settle(qtbot, window)
    window.activateWindow()
    choice.setFocus()
    qtbot.waitUntil(choice.hasFocus)
    qtbot.keyClick(choice, Key.Key_End)
    settle(qtbot, window)
    assert (window.desk.focus.focus.event, choice.currentIndex()) == (20, choice.count() - 1)


def test_left_and_right_belong_to_buttons_of_which_one_is_down(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=20)
    window.docks.bring("vertices")
    settle(qtbot, window)
    first, second = panel(window, "vertices").buttons.buttons()[:2]
    window.activateWindow()
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    for pressed, key, then in ((first, Key.Key_Right, second), (second, Key.Key_Left, first)):
        qtbot.keyClick(pressed, key)
        settle(qtbot, window)
        assert (QApplication.focusWidget(), window.desk.focus.focus.event) == (then, 20)
    qtbot.keyClick(first, Key.Key_Home)
    assert window.desk.focus.focus.event < 20, "other keys walk"


def test_left_and_right_walk_in_the_list_of_events(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    window.desk.focus.go(event=20)
    window.events.table.setFocus()
    for key, event in ((Key.Key_Right, 21), (Key.Key_Left, 20)):
        qtbot.keyClick(window.events.table, key)
        assert window.desk.focus.focus.event == event


def test_tab_reaches_nothing_that_is_behind_another_tab(qtbot: Any, window: Window) -> None:
    """All around, both ways: each stop lies within the window and is of a panel in front."""
    window.activateWindow()
    window.docks.bring("history")
    settle(qtbot, window)
    for key in (Key.Key_Tab, Key.Key_Backtab):
        start, seen = QApplication.focusWidget(), set[QWidget]()
        for pressed in range(200):
            here = QApplication.focusWidget()
            assert here is not None
            if here is start and pressed:
                break
            seen.add(here)
            assert window.rect().contains(here.mapTo(window, QPoint(0, 0))), (here, here.accessibleName())
            qtbot.keyClick(here, key)
        assert here is start and len(seen) > 20
        assert any(window.docks.panels["events"].isAncestorOf(widget) for widget in seen)
        assert not any(window.docks.panels["statistics"].isAncestorOf(widget) for widget in seen)


def test_tab_goes_round_the_start_page_only(qtbot: Any, window: Window) -> None:
    window.close_capture()
    settle(qtbot, window)
    seen = dict.fromkeys([window.docks.next_stop(None, True)])
    while (here := window.docks.next_stop(next(reversed(seen)), True)) not in seen:
        seen[here] = None
    assert len(seen) > 5 and all(one is not None and window.welcome.isAncestorOf(one) for one in seen)


@pytest.mark.parametrize("name", ["vertices", "comparison", "stepping"])
def test_tab_comes_to_the_button_that_is_down(qtbot: Any, window: Window, name: str) -> None:
    """Both ways, of buttons of which one is down."""
    panel(window, name)
    settle(qtbot, window)
    window.activateWindow()
    grouped = [one for one in window.docks.panels[name].findChildren(QToolButton) if one.group() is not None]
    group = grouped[0].group()
    assert group is not None
    buttons = [one for one in grouped if one.group() is group]
    for chosen in (buttons[1], buttons[0]):
        chosen.click()
        settle(qtbot, window)
        down = group.checkedButton()
        for key in (Key.Key_Tab, Key.Key_Backtab):
            window.events.table.setFocus()
            for _ in range(200):
                here = QApplication.focusWidget()
                if here in buttons:
                    break
                qtbot.keyClick(here, key)
            assert here is down
    qtbot.keyClick(down, Key.Key_Left if down is buttons[-1] else Key.Key_Right)
    assert QApplication.focusWidget() in {*buttons} - {down}, "arrows lead to the others"


def test_the_wheel_over_a_choice_chooses_nothing(qtbot: Any, window: Window) -> None:
    choice, before = window.surface.when, window.surface.when.currentIndex()
    middle = choice.rect().center().toPointF()
    wheel = QWheelEvent(
        middle, choice.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(choice, wheel)
    assert choice.currentIndex() == before


def test_tab_goes_by_rows_whatever_covers_what(qtbot: Any) -> None:
    whole = QWidget()
    qtbot.addWidget(whole)
    places = {"left": (0, 5, 40, 90), "right": (50, 0, 40, 100), "foot": (0, 110, 90, 20), "hidden": (0, 140, 9, 9)}
    for name in ("foot", "right", "hidden", "left"):
        one = QWidget(whole, objectName=name)  # type: ignore[call-overload]
        one.setGeometry(*places[name])
        one.setVisible(name != "hidden")
    assert [one.objectName() for one in in_reading_order(whole)] == ["", "left", "right", "foot"]
