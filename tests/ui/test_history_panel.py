"""The pixel history in the window, on the built-in capture."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.history import argb
from ui.panels.history import CAPTURE, DRAW
from ui.roles import LINK_ROLE, SWATCH_ROLE
from ui.window import Window


def shown(qtbot: Any, window: Window, **where: Any) -> Any:
    window.docks.bring("history")
    window.desk.focus.go(**where)
    settle(qtbot, window, 20_000)
    return window.docks.panels["history"]


def test_a_pixel_tells_its_fragments_and_explains_one(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    QAbstractItemModelTester(panel.model)
    assert [row.event for row in panel.model.rows] == [2756, 2790, 2831, 2910, 2945, 2945]
    assert panel.model.index(4, 0).data(LINK_ROLE) == panel.model.rows[4]
    assert panel.model.index(4, 2).data(SWATCH_ROLE)[2] == 0xFFC79277
    assert panel.model.rows[5].sentence.startswith("culled")
    assert panel.table.currentIndex().row() == 4
    titles = [section.title for section in panel.facts.sections]
    assert titles[:2] == ["DRAWINDEXEDPRIMITIVE  #2945", "Interpolated"] and titles[-1] == "Blending"
    qtbot.keyClick(panel.table, Qt.Key.Key_Up)
    settle(qtbot, real, 20_000)
    facts = {fact.name: fact.value for section in panel.facts.sections for fact in section.facts}
    assert facts["fog factor"].startswith("0.468317") and facts["written"] == "0x006f6c75"
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert (real.desk.focus.focus.event, real.desk.focus.focus.primitive) == (2910, 175)
    settle(qtbot, real, 20_000)
    assert panel.table.currentIndex().row() == 3
    where = panel.table.visualRect(panel.model.index(1, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert (real.desk.focus.focus.event, real.desk.focus.focus.primitive) == (2790, 1)


def test_filters_and_ranges(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    panel.missed.setChecked(False)
    panel.failed.setChecked(False)
    assert [row.event for row in panel.model.rows] == [2756, 2790, 2910, 2945]
    panel.edit.setText("blended source")
    qtbot.waitUntil(lambda: len(panel.model.rows) == 1, timeout=2000)
    panel.edit.clear()
    panel.range.setCurrentIndex(CAPTURE)
    panel.range.activated.emit(CAPTURE)
    settle(qtbot, real, 20_000)
    assert len(panel.history.entries) == 36
    panel.range.setCurrentIndex(DRAW)
    panel.range.activated.emit(DRAW)
    settle(qtbot, real, 20_000)
    assert [entry.event for entry in panel.history.entries] == [2945]


def test_a_clear_says_what_there_is_to_say(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    panel.table.setCurrentIndex(panel.model.index(0, 0))
    settle(qtbot, real, 20_000)
    assert panel.facts.sections[0].facts[0].value == "cleared"


def test_what_missed_is_never_what_one_begins_with(qtbot: Any, real: Window) -> None:  # noqa: F811
    """Of this draw one primitive fails the depth test, and one is culled."""
    panel = shown(qtbot, real, event=2347, surface=2, pixel=(440, 200))
    panel.range.setCurrentIndex(DRAW)
    panel.range.activated.emit(DRAW)
    settle(qtbot, real, 20_000)
    assert [row.primitive is not None and row.entry is None for row in panel.model.rows] == [False, True]
    assert panel.table.currentIndex().row() == 0
    assert panel.facts.sections[0].facts[0].value.startswith("depth test failed")


def test_without_a_pixel_there_is_a_hint_and_bad_places_say_why(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, pixel=None)
    assert panel.table.placeholder.startswith("Pick a pixel") and not panel.model.rows
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(9999, 0))
    assert "is outside surface 2" in panel.table.placeholder and not real.banner.isVisible()


def test_swatches_are_within_bytes() -> None:
    assert argb((2.0, -1.0, float("nan"), 1.0)) == 0xFFFF0000
    assert argb(None) is None
