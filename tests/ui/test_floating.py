"""Panels out of the window and behind others: what floats while the window changes, tabs without room, the window's size."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QMainWindow, QTabBar

from tests.ui.test_layouts import rearranged, sized
from ui.arranging import fit_on
from ui.floating import SHADOWED
from ui.widgets.tab_list import TabList
from ui.window import Window


def test_tabs_without_room_are_in_a_list(qtbot: Any, window: Window) -> None:
    sized(qtbot, window, 1280, 720)
    docks = window.docks.docks
    wanted = [docks["surface"], *window.tabifiedDockWidgets(docks["surface"])]
    [tabs] = [one for one in window.findChildren(TabList) if one.parent().count() == len(wanted)]
    bar = tabs.parent()
    assert tabs.isVisible() and tabs.geometry().right() >= bar.width() - 2
    bar.grab()
    assert not any(bar.tabRect(n).left() < tabs.x() <= bar.tabRect(n).right() for n in range(bar.count())), "a tab is cut"
    tabs.menu().aboutToShow.emit()
    entries = {action.text(): action for action in tabs.menu().actions()}
    assert set(entries) == {dock.windowTitle() for dock in wanted} and entries["Surface"].isChecked()
    entries["Verify"].trigger()
    qtbot.waitUntil(lambda: not docks["verify"].visibleRegion().isEmpty())
    sized(qtbot, window, 1920, 1080)
    assert not any(one.isVisible() for one in window.findChildren(TabList))


@pytest.mark.parametrize("away", ["calls", "surface", "verify"])
def test_a_floating_panel_stays_where_it_is_while_the_others_follow_the_window(qtbot: Any, window: Window, away: str) -> None:
    docks, other = window.docks, "token"  # below the events, or a tab beside them
    sized(qtbot, window, 1600, 1000)
    stack = docks.docks[{"calls": "calls", "surface": "surface", "verify": "history"}[away]]
    size = stack.size().expandedTo(QSize(320, 240))
    docks.float_panel(away)
    assert docks.docks[away].size() == size, "the same behind another tab"
    qtbot.waitUntil(lambda: not docks.docks[away].windowFlags() & Qt.WindowType.FramelessWindowHint)
    dock = docks.docks[away]
    dock.setGeometry(40, 60, 420, 400)
    for width, height in ((1280, 720), (1600, 1000), (1280, 720)):
        window.resize(width, height)
        rearranged(qtbot, window)
        assert (docks.docks[other] in window.tabifiedDockWidgets(docks.docks["events"])) == (height == 720)
        assert dock.isFloating() and dock.isVisible() and dock.geometry() == QRect(40, 60, 420, 400)
        assert not docks.own and window.size().toTuple() == (width, height)
    docks.float_panel(away)
    assert not dock.isFloating() and not docks.own
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: docks.docks[other] not in window.tabifiedDockWidgets(docks.docks["events"]))


@pytest.mark.parametrize(
    ("size", "wanted", "found", "whole"),
    [
        ((900, 400), None, (900, 400), False),  # kept, and it fits
        ((960, 540), None, (952, 504), False),  # kept on a larger screen: with its frame it would reach beyond this one
        ((900, 600), None, (900, 504), False),
        ((100, 100), (900, 500), (900, 500), False),
        ((100, 100), (1560, 960), (952, 504), True),
    ],
)
def test_a_window_is_not_larger_than_the_screen(
    qtbot: Any, size: tuple[int, int], wanted: tuple[int, int] | None, found: tuple[int, int], whole: bool
) -> None:
    """960 by 540: a screen of 1920 by 1080 at a scale of 200%."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(*size)
    fit_on(window, QRect(0, 0, 960, 540), QSize(*wanted) if wanted else None)
    assert window.size().toTuple() == found and window.isMaximized() == whole


def test_a_tab_dragged_over_a_floating_panel_stays_a_panel_of_its_own(qtbot: Any, window: Window) -> None:
    """Qt would put both in a group, and end the process when that or the window ends."""
    sized(qtbot, window, 1600, 1000)
    docks = window.docks.docks
    window.docks.float_panel("what-if")
    qtbot.waitUntil(lambda: not docks["what-if"].windowFlags() & Qt.WindowType.FramelessWindowHint)
    [bar] = [
        bar
        for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if "Verify" in [bar.tabText(number) for number in range(bar.count())]
    ]
    tab = next(number for number in range(bar.count()) if bar.tabText(number) == "Verify")
    over = bar.mapFromGlobal(docks["what-if"].geometry().center())
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(tab).center())
    for _ in range(3):
        qtbot.mouseMove(bar, over)
        qtbot.wait(1)
    assert docks["verify"].isFloating(), "it is out"
    assert {dock.parent() for dock in docks.values()} == {window}
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=over)
    assert {dock.parent() for dock in docks.values()} == {window}


def test_a_panel_that_floated_at_the_end_leaves_the_keyboard_to_the_window(qtbot: Any, window: Window) -> None:
    """A start gives it its frame, which makes it another window for the desktop."""
    dock = window.docks.docks["inspector"]
    dock.setFloating(True)
    window.docks.restored("inspect", False)
    qtbot.waitUntil(lambda: not dock.windowFlags() & Qt.WindowType.FramelessWindowHint)
    qtbot.waitUntil(window.isActiveWindow, timeout=2000)


def test_a_panel_that_was_hidden_when_it_began_to_float_has_a_frame(qtbot: Any, window: Window) -> None:
    """As one does that was closed before a restart, and is shown again."""
    dock = window.docks.docks["calls"]
    dock.hide()
    dock.setFloating(True)
    dock.hide()
    qtbot.wait(2 * SHADOWED)
    dock.show()
    qtbot.waitUntil(lambda: not dock.windowFlags() & Qt.WindowType.FramelessWindowHint)
    assert dock.isFloating() and dock.isVisible()
