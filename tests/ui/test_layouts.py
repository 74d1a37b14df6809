"""Room for the picture: layouts, the height of the timeline, and what must not move the picture."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QInputDialog, QMainWindow, QMenu, QTabBar

from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from tests.ui.test_real_capture import real  # noqa: F401
from ui.arranging import knows
from ui.docks import HIGHEST, LOWEST, PANELS
from ui.keys.commands import BY_NAME
from ui.layouts import LAYOUTS, LEAST, NARROW, heights, joined
from ui.settings import Settings
from ui.widgets.banner import NOTES_STAY
from ui.widgets.surface_frame import is_wide
from ui.window import Window

Make = Callable[..., Window]


def sized(qtbot: Any, window: Window, width: int, height: int) -> None:
    for _ in range(2):  # it gets as small when stacks have joined
        window.resize(width, height)
        rearranged(qtbot, window)
    window.arranging.use("")
    qtbot.wait(50)


def rearranged(qtbot: Any, window: Window) -> None:
    """Waits until the docks have followed the size of the window."""
    qtbot.waitUntil(lambda: not window.arranging._fitting.isActive())
    qtbot.wait(20)
    settle(qtbot, window)


def in_window(widget: Any) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def test_a_layout_has_each_panel_once_and_a_command() -> None:
    panels = {panel.name for panel in PANELS}
    for name, layout in LAYOUTS.items():
        named = [panel for _, stacks in layout.columns for stack in stacks for panel in stack.panels]
        assert len(named) == len(set(named)) and set(named) <= panels
        assert sum(width for width, _ in layout.columns) == pytest.approx(1.0)
        assert all(sum(stack.share for stack in stacks) == pytest.approx(1.0) for _, stacks in layout.columns)
        assert sum(width for width, _ in layout.pair) == pytest.approx(1.0)
        assert sorted(itertools.chain(*(numbers for _, numbers in layout.pair))) == [*range(len(layout.columns))]
        assert BY_NAME[f"layout-{name}"].words == f"Layout: {layout.title}"


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("height", [480, 720, 1080, 1440])
@pytest.mark.parametrize("width", [840, 1280])
def test_no_stack_of_a_layout_is_lower_or_narrower_than_of_use(name: str, height: int, width: int) -> None:
    columns = joined(LAYOUTS[name], height, width)
    for share, stacks in columns:
        assert sum(heights(stacks, height)) == pytest.approx(height, abs=2)
        assert len(stacks) == 1 or min(heights(stacks, height)) >= LEAST
        assert share * width > 240, "a list, its filter and a tab or two"
    named = [panel for _, stacks in columns for stack in stacks for panel in stack.panels]
    assert sorted(named) == sorted(panel for _, stacks in LAYOUTS[name].columns for stack in stacks for panel in stack.panels)


def test_the_surface_has_half_of_a_large_screen(qtbot: Any, window: Window) -> None:
    sized(qtbot, window, 1920, 1080)
    assert window.docks.docks["surface"].height() >= 540
    window.docks.bring("surface")
    settle(qtbot, window)
    frame, view = window.surface.frame, window.surface.view
    assert frame.wide and view.height() == frame.height() >= 540, "all of it is for the picture: the rest stands beside it"


def test_the_picture_is_the_larger_one() -> None:
    """Panels that are wide, high, low, and so low that a column would be cut."""
    assert [is_wide(*size) for size in ((934, 590), (530, 440), (330, 210), (330, 120))] == [True, False, True, False]


def test_the_timeline_keeps_its_height(qtbot: Any, window: Window, settings: Settings, make_window: Make, file: Path) -> None:
    dock, heights = window.docks.docks["timeline"], []
    for size in ((1000, 700), (1920, 1080), (1400, 1300)):
        window.resize(*size)
        rearranged(qtbot, window)
        heights.append(dock.height())
    assert len(set(heights)) == 1 and LOWEST <= window.docks.panels["timeline"].height() <= 96
    grip = window.docks.shelf.grip
    qtbot.mousePress(grip, Qt.MouseButton.LeftButton, pos=QPoint(200, 2))
    qtbot.mouseMove(grip, QPoint(200, 42))
    grip.mouseMoveEvent(_moved(grip, QPoint(200, 42)))
    qtbot.wait(50)
    assert dock.height() > heights[0] + 30
    grip.mouseMoveEvent(_moved(grip, QPoint(200, 2000)))
    assert window.docks.panels["timeline"].height() == HIGHEST == settings.value("timeline")


def _moved(widget: Any, place: QPoint) -> Any:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    everywhere = widget.mapToGlobal(place).toPointF()
    left = Qt.MouseButton.LeftButton
    return QMouseEvent(QEvent.Type.MouseMove, place.toPointF(), everywhere, left, left, Qt.KeyboardModifier.NoModifier)


def test_the_picture_stays_where_it_is_while_stepping(qtbot: Any, real: Window) -> None:  # noqa: F811
    """Draws of one and of many primitives, states, clears; before and after; with an overlay and a message."""
    real.resize(1600, 1000)
    rearranged(qtbot, real)
    real.desk.focus.go(event=1083)
    settle(qtbot, real, 20_000)
    expected = in_window(real.surface.view)
    seen = set()
    for event in (870, 878, 813, 779, 1052, 1053, 1400):
        real.desk.focus.go(event=event)
        settle(qtbot, real, 20_000)
        seen.add(real.surface.scrubber.isVisible())
        assert in_window(real.surface.view) == expected, event
    assert seen == {True, False}
    real.surface.set_overlay("tests")
    real.say("A message.", "note")
    real.desk.focus.go(surface="depth")
    settle(qtbot, real, 20_000)
    assert real.surface.range.isVisible() and real.surface.key.isVisible() and real.banner.isVisible()
    assert in_window(real.surface.view) == expected


def test_zoom_stays_through_an_event_without_a_picture(qtbot: Any, window: Window) -> None:
    view = window.surface.view
    view.set_zoom(7.0)
    shown = view._argb
    view.set_picture(None)
    view.set_picture(shown)
    assert view.zoom == 7.0 and not view.fitting


def test_messages_move_nothing_and_notes_go_away(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {name: in_window(dock) for name, dock in window.docks.docks.items() if dock.isVisible()}
    window.say("Something went wrong.")
    qtbot.wait(20)
    assert {name: in_window(window.docks.docks[name]) for name in places} == places
    assert not window.banner._going.isActive()
    window.resize(1280, 720)
    assert not any(window.banner.geometry().intersects(in_window(window.docks.docks[name])) for name in places)
    window.resize(800, 720)  # where the toolbar has no room
    assert window.rect().contains(window.banner.geometry()) and window.banner.geometry().top() > 500
    window.say("Something was done.", "note")
    assert window.banner.isVisible() and window.banner._going.isActive() and window.banner._going.interval() == NOTES_STAY
    assert window.rect().contains(window.banner.geometry())
    window.banner._going.timeout.emit()
    assert not window.banner.isVisible()


def test_a_message_stays_above_panels_that_come_to_the_front(qtbot: Any, window: Window) -> None:
    window.say("Something went wrong.")
    for name in ("state", "vertices", "calls", "surface"):
        window.docks.bring(name)
        qtbot.waitUntil(lambda: not window.banner._rising.isActive())
        assert window.docks.panels.is_raised(name), name
        corner, last = window.banner.geometry().topLeft(), window.banner.geometry().bottomRight()
        for place in (corner, window.banner.geometry().center(), last):
            assert window.banner in (seen := window.childAt(place), seen and seen.parentWidget()), name


def test_what_was_saved_is_shown_in_its_folder(qtbot: Any, window: Window, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    monkeypatch.setattr("ui.window.show_in_folder", shown.append)
    window.say_saved(file)
    qtbot.mouseClick(window.banner._offer, Qt.MouseButton.LeftButton)
    assert shown == [file]


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_puts_its_panels_in_front(qtbot: Any, window: Window, name: str) -> None:
    window.resize(1920, 1080)
    window.actions_by_name[f"layout-{name}"].trigger()
    qtbot.wait(50)
    for _, stacks in joined(LAYOUTS[name], 1080 - 240):
        for above, below in itertools.pairwise(stacks):
            docks = window.docks.docks
            assert in_window(docks[above.panels[0]]).bottom() < in_window(docks[below.panels[0]]).top()
        assert all(window.docks.panels[stack.panels[0]].raised for stack in stacks)
    assert all(dock.isVisible() for dock in window.docks.docks.values())


def test_a_saved_layout_comes_back_and_can_be_renamed_and_deleted(
    qtbot: Any, window: Window, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.docks.docks["calls"].hide()
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, text="": (text or "Mine & yours", True))
    window.actions_by_name["save-layout"].trigger()
    window.arranging.use("")
    assert window.docks.docks["calls"].isVisible()
    menu = QMenu()
    window.arranging.fill_menu(menu)
    next(action for action in menu.actions() if action.text() == "Mine && yours").trigger()
    assert not window.docks.docks["calls"].isVisible()
    window.arranging.rename("Mine & yours")
    kept = settings.layouts
    assert list(kept) == ["Mine & yours"], "the dialog begins with the name, which was left as it is"
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, text="": ("Ours", True))
    next(one for one in menu.findChildren(QMenu) if one.title() == "Rename layout").actions()[0].trigger()
    assert settings.layouts == {"Ours": kept["Mine & yours"]}
    window.arranging.delete("Ours")
    assert settings.layouts == {}
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, text="": ("Pixel", True))
    window.actions_by_name["save-layout"].trigger()
    assert settings.layouts == {} and "Choose another name" in window.banner.text


def test_panels_are_hidden_and_shown(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    window.docks.bring("calls")
    window.actions_by_name["hide-panel"].trigger()
    assert not window.docks.docks["calls"].isVisible()
    menu = QMenu()
    window.arranging.fill_panels(menu)
    action = next(action for action in menu.actions() if action.text() == "API calls")
    assert not action.isChecked()
    action.trigger()
    assert window.docks.docks["calls"].isVisible()


def test_a_floating_panel_has_a_frame_and_is_not_in_place(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    dock = window.docks.docks["calls"]
    before = dock.mapToGlobal(QPoint(0, 0))
    window.docks.bring("calls")
    window.actions_by_name["float-panel"].trigger()
    qtbot.waitUntil(lambda: not dock.windowFlags() & Qt.WindowType.FramelessWindowHint)
    assert dock.isFloating() and dock.isWindow() and dock.isVisible() and dock.pos() != before
    window.docks.float_panel("calls")
    assert not dock.isFloating() and dock.isVisible()


def test_tabs_have_a_menu(qtbot: Any, window: Window) -> None:
    bar = next(bar for bar in window.findChildren(QTabBar) if bar.parent() is window and bar.tabText(0) == "Surface")
    tab = next(tab for tab in range(bar.count()) if bar.tabText(tab) == "State")
    bar.customContextMenuRequested.emit(bar.tabRect(tab).center())
    menu = next(menu for menu in window.findChildren(QMenu) if [a.text() for a in menu.actions()][1:] == ["Float", "Hide"])
    for copy, name in ((menu.actions()[0].trigger, "state"), (window.actions_by_name["copy-panel"].trigger, "calls")):
        window.docks.bring(name)
        copy()
        picture, panel = QApplication.clipboard().pixmap(), window.docks.docks[name].widget()
        assert picture.deviceIndependentSize().toSize() == panel.size(), name
    menu.actions()[2].trigger()
    menu.close()
    assert not window.docks.docks["state"].isVisible()


def test_stacks_join_and_part_with_the_window_unless_panels_were_moved(qtbot: Any, window: Window) -> None:
    docks = window.docks

    def apart() -> bool:
        return docks.docks["history"] not in window.tabifiedDockWidgets(docks.docks["surface"])

    sized(qtbot, window, 1600, 1000)
    assert apart()
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: not apart())
    window.resize(1600, 1000)
    qtbot.waitUntil(apart)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks.docks["calls"])  # as dragging it there
    window.resize(1280, 720)
    rearranged(qtbot, window)
    assert apart()


@pytest.mark.parametrize(
    ("kept", "now"),
    [((1920, 1080), (1280, 720)), ((1280, 720), (1920, 1080)), ((840, 440), (1920, 1080)), ((1920, 1080), (840, 440))],
)
def test_a_kept_layout_follows_the_size_of_the_window_that_comes_back(
    qtbot: Any, make_window: Make, capture: FakeCapture, file: Path, kept: tuple[int, int], now: tuple[int, int]
) -> None:
    """History and surface have tabs together where there is no room for two stacks, and only there."""
    tabbed = {}
    for size in (kept, now):
        window = make_window(lambda path, progress: capture)
        window.resize(*size)
        window.open(file)
        settle(qtbot, window)
        rearranged(qtbot, window)
        history = window.docks.docks["history"]
        tabbed[size] = history in window.tabifiedDockWidgets(window.docks.docks["surface"])
        assert window.docks.panels["surface"].raised and not window.docks.own and window.height() <= size[1] + 8
        inspector = window.docks.docks["inspector"]
        assert (inspector in window.tabifiedDockWidgets(window.docks.docks["events"])) == (size[0] < NARROW)
        window.close()
    assert tabbed == {kept: kept[0] < 1920, now: now[0] < 1920}


@pytest.mark.parametrize("name", ["calls", "history"])  # behind another tab, and at the head of a stack
def test_hidden_panels_stay_hidden_when_stacks_join_and_part(qtbot: Any, window: Window, name: str) -> None:
    docks = window.docks.docks
    sized(qtbot, window, 1600, 1000)
    docks[name].hide()
    for size, in_tabs in (((1280, 720), True), ((1600, 1000), False)):
        window.resize(*size)
        qtbot.waitUntil(lambda: (docks["token"] in window.tabifiedDockWidgets(docks["events"])) == in_tabs)  # noqa: B023
        assert docks[name].isHidden()


def test_the_surface_comes_back_in_front(
    qtbot: Any, window: Window, make_window: Make, capture: FakeCapture, file: Path
) -> None:
    window.docks.bring("vertices")
    window.close()
    again = make_window(lambda path, progress: capture)
    again.open(file)
    settle(qtbot, again)
    qtbot.wait(50)
    assert again.docks.panels["surface"].raised and again.surface.picture is not None
    assert QApplication.focusWidget() is not None


def test_joining_stacks_leaves_the_keyboard_where_it_is(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    sized(qtbot, window, 1600, 1000)
    window.docks.bring("token")
    here = QApplication.focusWidget()
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: window.docks.docks["token"] in window.tabifiedDockWidgets(window.docks.docks["events"]))
    assert here is not None
    qtbot.waitUntil(lambda: QApplication.focusWidget() is here)


@pytest.mark.parametrize("size", [(1280, 720), (840, 440)])  # a screen of 1280 x 720 at 100 %, and, without a title, at 150 %
def test_no_layout_makes_a_small_window_grow(
    qtbot: Any, make_window: Any, capture: FakeCapture, file: Path, size: tuple[int, int]
) -> None:
    window = make_window(lambda path, progress: capture)
    window.resize(*size)
    window.open(file)
    settle(qtbot, window)
    rearranged(qtbot, window)
    assert window.size().toTuple() == size, "the docks were put up for a window of another size"
    for name in LAYOUTS:
        window.arranging.use(name)
        settle(qtbot, window)
        qtbot.wait(1)
        assert window.size().toTuple() == size, name


def test_a_kept_state_knows_whole_names_only(qtbot: Any) -> None:
    """The end of a dock's name is the name of another dock."""
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = QDockWidget("What if", window)
    dock.setObjectName("what-if")
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    assert knows(window.saveState(), "what-if")
    assert not knows(window.saveState(), "if") and not knows(window.saveState(), "what")


def click_tab(qtbot: Any, window: Window, title: str) -> None:
    tabs = ((bar, number) for bar in window.findChildren(QTabBar) for number in range(bar.count()))
    bar, number = next((bar, number) for bar, number in tabs if bar.tabText(number) == title)
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(number).center())


def test_the_keyboard_does_not_stay_in_a_panel_that_a_tab_covers(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    window.docks.bring("state")
    window.docks.panels["state"].edit.setFocus()
    click_tab(qtbot, window, "Resources")
    qtbot.waitUntil(lambda: window.docks.panels.has_keys("resources"))
    window.docks.bring("events")
    click_tab(qtbot, window, "State")
    qtbot.wait(50)
    assert window.docks.panels.has_keys("events"), "it covers nothing that has the keyboard"


def test_commands_on_the_panel_mean_the_tab_that_was_clicked(qtbot: Any, window: Window) -> None:
    window.docks.bring("events")
    click_tab(qtbot, window, "Query")
    window.actions_by_name["float-panel"].trigger()
    assert window.docks.docks["query"].isFloating() and not window.docks.docks["events"].isFloating()
    window.actions_by_name["float-panel"].trigger()
    assert not window.docks.docks["query"].isFloating(), "it has the keyboard, and goes back"
    window.docks.bring("events")
    assert window.docks.current() == "events"
