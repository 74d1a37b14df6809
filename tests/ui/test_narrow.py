"""Narrow and low windows: two columns of panels, six rows of history, controls and columns that fit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.conftest import settle
from tests.ui.test_layouts import rearranged, sized
from tests.ui.test_real_capture import real  # noqa: F401
from ui.window import Window

DRAW = {"event": 697, "pixel": (250, 246)}
"""A draw of the built-in capture, at which the pixel has a history."""


@pytest.mark.parametrize("layout", ["inspect", "pixel"])
def test_the_history_shows_six_rows(qtbot: Any, real: Window, layout: str) -> None:  # noqa: F811
    """The first size: a screen of 1280 x 720 at 150 %, without the window's frame."""
    real.docks.layout = layout
    real.desk.focus.go(**DRAW)
    for size in ((840, 440), (1280, 720), (1600, 1000), (1920, 1080)):
        sized(qtbot, real, *size)
        real.docks.bring("history")
        settle(qtbot, real)
        panel: Any = real.docks.panels["history"]
        assert real.size().toTuple() == size and panel.model.rows
        assert panel.table.viewport().height() >= 6 * panel.table.verticalHeader().defaultSectionSize(), size
        assert panel.table.horizontalScrollBar().maximum() == 0, f"all columns at {size}"


def test_what_has_no_room_beside_the_history_is_shown_instead(qtbot: Any, real: Window) -> None:  # noqa: F811
    sized(qtbot, real, 840, 440)
    real.desk.focus.go(**DRAW)
    real.docks.bring("history")
    settle(qtbot, real)
    panel: Any = real.docks.panels["history"]
    panel.details.click()
    assert panel.facts.isVisible() and not panel.table.isVisible()
    panel.edit.setText("no such words")
    qtbot.waitUntil(lambda: panel.table.isVisible() and not panel.facts.isVisible())  # it says that nothing matches
    panel.edit.clear()
    qtbot.waitUntil(lambda: panel.facts.isVisible() and not panel.table.isVisible())
    real.resize(1600, 1000)
    rearranged(qtbot, real)
    assert panel.table.isVisible() and panel.facts.isVisible() and not panel.details.isVisible()


def test_three_columns_become_two_in_a_narrow_window_and_come_back(qtbot: Any, window: Window) -> None:
    docks, tabs = window.docks, window.tabifiedDockWidgets

    def beside(one: str, other: str) -> bool:
        return docks.docks[one] not in tabs(docks.docks[other])

    for name, pair in (("inspect", ("events", "inspector")), ("pixel", ("events", "surface"))):
        window.arranging.use(name)
        for width, apart in ((1280, True), (1000, False), (1280, True)):
            window.resize(width, 720)
            rearranged(qtbot, window)
            assert beside(*pair) == apart, (name, width)
            assert beside("surface", "events" if name == "inspect" else "history")
    window.resize(1000, 720)
    rearranged(qtbot, window)
    for name, first in (("pixel", "surface"), ("geometry", "vertices"), ("compare", "comparison"), ("driver", "events")):
        window.arranging.use(name)
        settle(qtbot, window)
        assert window.docks.panels.is_raised(first), f"{name} is for {first}, which the events are behind"


def test_steps_and_their_values_take_turns_where_one_would_be_cut(qtbot: Any, real: Window) -> None:  # noqa: F811
    sized(qtbot, real, 840, 440)
    real.docks.layout = "pixel"
    sized(qtbot, real, 840, 440)
    real.desk.focus.go(**DRAW)
    real.docks.bring("stepping")
    settle(qtbot, real)
    panel: Any = real.docks.panels["stepping"]
    assert panel.pages.list.isChecked() and panel.table.isVisible() and not panel.values.isVisible()
    panel.pages.tabs[0].click()
    settle(qtbot, real)
    assert panel.values.isVisible() and not panel.table.isVisible() and not panel.pages.list.isChecked()
    assert {row.name for row in panel.registers.rows} >= {"diffuse"} and panel.values.horizontalScrollBar().maximum() == 0
    panel.pages.list.click()
    assert panel.table.isVisible() and not panel.values.isVisible()
    panel.show_origins("diffuse")
    assert panel.pages.origins.isVisible() and panel.pages.tabs[3].isChecked(), "asked for from elsewhere, it is shown"
    real.resize(1920, 1080)
    rearranged(qtbot, real)
    assert panel.table.isVisible() and panel.pages.isVisible() and not panel.pages.list.isVisible()


@pytest.mark.parametrize("layout", ["inspect", "pixel"])
def test_the_numbers_of_steps_and_tokens_are_in_sight(qtbot: Any, real: Window, layout: str) -> None:  # noqa: F811
    """All four components of a register, and the value and raw value of each field: nothing to scroll to."""
    real.docks.layout = layout
    real.desk.focus.go(**DRAW)
    for size in ((840, 440), (1280, 720), (1366, 768), (1560, 960), (1920, 1080)):
        sized(qtbot, real, *size)
        for name in ("stepping", "token"):
            real.docks.bring(name)
            settle(qtbot, real)
        steps, token = (real.docks.panels[name] for name in ("stepping", "token"))
        steps.pages.tabs[0].click()  # type: ignore[attr-defined]
        settle(qtbot, real)
        for table, last in ((steps.values, 5), (token.table, 2)):  # type: ignore[attr-defined]
            table.grab()
            if table is not steps.values and (layout == "pixel" or size[0] < 840):  # type: ignore[attr-defined]
                continue  # a third of the width of a small screen has no room for a token
            assert table.columnViewportPosition(last) + table.columnWidth(last) <= table.viewport().width(), (size, last)
