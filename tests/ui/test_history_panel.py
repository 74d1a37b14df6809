"""The pixel history in the window, on the built-in capture."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester

from inspector.query.pixels.history import PixelHistory
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.history import argb
from ui.panels.history import CAPTURE, DEPTHS, DRAW, FRAME_NUMBER, fates_in_short
from ui.roles import FILL_ROLE, LINK_ROLE, VALUE_ROLE
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
    assert panel.model.index(4, 5).data(FILL_ROLE) == 0xFFC79277
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


def test_depth_and_stencil_are_columns(qtbot: Any, real: Window) -> None:  # noqa: F811
    """What was stored is what the depth buffer holds before and after the event."""
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    assert all(panel.table.isColumnHidden(column) for column in DEPTHS)
    panel.depths.click()
    assert not any(panel.table.isColumnHidden(column) for column in DEPTHS)
    held = []
    for event in (2944, 2945):
        stored, form = real.desk.capture.stored(event, "depth")
        [code] = stored[240, 320 * 4 : 320 * 4 + 4].view("<u4")
        assert form.name == "D24S8"
        held.append(f"{(code >> 8) / 0xFFFFFF:.7g}")
    row = next(n for n, row in enumerate(panel.model.rows) if row.event == 2945 and row.entry)
    said = [panel.model.index(row, column).data() for column in DEPTHS]
    assert said == [held[1], " \N{RIGHTWARDS ARROW} ".join(held), f"{code & 255}"]
    missed = next(n for n, row in enumerate(panel.model.rows) if row.entry is None)
    assert [panel.model.index(missed, column).data() for column in DEPTHS] == ["", "", ""]
    panel.depths.click()
    assert all(panel.table.isColumnHidden(column) for column in DEPTHS)


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
    real.desk.focus.go(pixel=(440, 200))
    assert panel.table.placeholder == "Reading the history…"
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(9999, 0))
    assert "is outside surface 2" in panel.table.placeholder and not real.banner.isVisible()


def test_swatches_are_within_bytes() -> None:
    assert argb((2.0, -1.0, float("nan"), 1.0)) == 0xFFFF0000
    assert argb(None) is None


def test_what_made_the_colour_that_is_shown_is_chosen(qtbot: Any, real: Window) -> None:  # noqa: F811
    """Not what the pixel got later in the frame."""
    panel = shown(qtbot, real, event=3028, surface=2, pixel=(320, 240))
    assert panel.model.rows[panel.table.currentIndex().row()].event == 2945
    panel = shown(qtbot, real, event=2944, surface=2, pixel=(320, 240))
    chosen = panel.model.rows[panel.table.currentIndex().row()]
    color = real.desk.capture.image(2944, 2)[240, 320, :3].tolist()
    assert chosen.event < 2945 and [chosen.swatch(2) >> shift & 255 for shift in (16, 8, 0)] == color


def test_fates_are_counted_in_few_words() -> None:
    fates = {"written": 3, "stencil_test": 1, "depth_test": 1200, "color_write": 4}
    assert fates_in_short(fates) == "3 written, 1,201 killed (stencil test 1, depth test 1,200), 4 masked (colour write mask)"


def test_hits_and_misses_are_in_the_order_of_time(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    assert panel.table.isColumnHidden(FRAME_NUMBER)
    panel.range.setCurrentIndex(CAPTURE)
    panel.range.activated.emit(CAPTURE)
    settle(qtbot, real, 20_000)
    rows = panel.model.rows
    assert [row.event for row in rows] == sorted(row.event for row in rows) and len({row.frame for row in rows}) == 8
    assert not panel.table.isColumnHidden(FRAME_NUMBER)
    assert all(row.frame == real.desk.capture.frame_of(row.event) for row in rows)
    missed = [n for n, row in enumerate(rows) if row.entry is None]
    assert missed and missed[0] < len(rows) - len(missed), "not at the end"
    frame = real.desk.capture.frames[3]
    real.desk.focus.go(event=frame.last_event)
    settle(qtbot, real, 20_000)
    writer = real.desk.capture.ask(PixelHistory(2, 320, 240, first=frame.first_event, last=frame.last_event)).last_writer
    assert panel.model.rows[panel.table.currentIndex().row()].event == writer.event, "what one looks at, not the end"


def test_a_copied_row_has_its_colours_in_numbers(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    entry = panel.model.rows[3].entry
    titles = [panel.model.headerData(column, Qt.Orientation.Horizontal) for column in (3, 4, 5)]
    assert titles == ["Before", "Fragment", "After"]
    values = [panel.model.index(3, column).data(VALUE_ROLE) for column in (3, 4, 5)]
    assert values[0].startswith(entry.before.stored) and values[2].startswith("0x006f6c75")
    assert values[1] == ", ".join(f"{part:.4g}" for part in entry.shaded)


def test_a_value_is_followed_to_the_token_that_set_it(qtbot: Any, real: Window) -> None:  # noqa: F811
    """From the fragment's diffuse colour to a vertex, to a light, to the token: one click each."""
    event = int(real.desk.capture.draws[5])
    panel = shown(qtbot, real, event=event, surface=2, pixel=(400, 280))
    steps: Any = real.docks.panels["stepping"]
    panel.ask_origin("diffuse")
    settle(qtbot, real, 20_000)
    assert steps.raised and [row.kind for row in steps.pages.origins.origins.rows] == ["vertex"] * 3
    trail = []
    for wanted in ("diffuse of vertex", "light 1 diffuse", "light 1 strength", "LIGHT[1].Attenuation0"):
        row = next(row for row in steps.pages.origins.origins.rows if row.name.startswith(wanted))
        trail.append(row.kind)
        steps.pages.origins.followed.emit(row)
        settle(qtbot, real, 20_000)
    assert trail == ["vertex", "step", "step", "state"]
    found = real.desk.focus.focus.event
    assert real.desk.capture.name(found) == "SETLIGHT"
    assert found == real.desk.capture.state(event)["LIGHT", 1, "Attenuation0"].writer
    for _ in trail:
        real.desk.focus.back()
    assert real.desk.focus.focus.event == event


def test_from_a_shaded_pixel_one_comes_to_the_program_of_its_vertex(qtbot: Any, real: Window) -> None:  # noqa: F811
    event = int(real.desk.capture.draws[4])
    panel = shown(qtbot, real, event=event, surface=2, pixel=(410, 362))
    steps: Any = real.docks.panels["stepping"]
    panel.ask_origin("diffuse", next(row for row in panel.model.rows if row.event == event and row.entry))
    settle(qtbot, real, 20_000)
    corner = steps.pages.origins.origins.rows[0]
    steps.pages.origins.followed.emit(corner)
    settle(qtbot, real, 20_000)
    assert steps.pages.origin_name == "oD0" and not steps.of_pixel
    assert [row.name for row in steps.pages.origins.origins.rows] == ["r6", "VSCONST[8]"], "add oD0, r6, c8"


def test_the_names_of_facts_ask_where_values_come_from(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    asked = {fact.origin for section in panel.facts.sections for fact in section.facts if fact.origin}
    assert {"diffuse", "shaded"} <= asked
    with qtbot.waitSignal(panel.facts.origin_asked) as signal:
        label = next(label for label in panel.facts._labels if ">shaded</a>" in label.text())
        label.linkActivated.emit("#shaded")
    assert signal.args == ["shaded"]


def test_a_row_has_a_menu(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = shown(qtbot, real, event=2945, surface=2, pixel=(320, 240))
    texts = [[action.text() for action in panel.menu_of(panel.model.index(row, 0)).actions()] for row in (0, 4, 5)]
    assert texts[0] == ["Go to event 2756", "Find the first wrong event"]
    assert "Where does its colour come from?" in texts[1] and texts[2][-1] == "What if event 2945 were disabled"


def test_the_first_wrong_event_is_found_in_place(qtbot: Any, real: Window) -> None:  # noqa: F811
    """The pixel should have what it held before the torus: the torus is what made it wrong."""
    panel = shown(qtbot, real, event=3028, surface=2, pixel=(320, 240))
    panel.find_wrong("nonsense")
    assert "three numbers" in panel.count.text()
    panel.find_wrong("#6f6c75")  # 0x006f6c75, from docs/pixel-history.md
    settle(qtbot, real, 30_000)
    assert real.desk.focus.focus.event == 2945 and "2945" in real.banner.text


def test_the_expected_colour_is_taken_from_the_history_or_picked(qtbot: Any, real: Window, monkeypatch: Any) -> None:  # noqa: F811
    for way in ("It should be as before this event", "Pick the colour…"):
        panel = shown(qtbot, real, event=3028, surface=2, pixel=(320, 240))
        row = next(n for n, one in enumerate(panel.model.rows) if one.event == 2945 and one.fate == "written")
        before = panel.model.rows[row].swatch(0)
        monkeypatch.setattr("ui.panels.expected.QColorDialog.getColor", lambda *_, color=before: QColor.fromRgb(color))
        menu = panel.menu_of(panel.model.index(row, 0))
        ways = next(action.menu() for action in menu.actions() if action.text() == "Find the first wrong event")
        next(action for action in ways.actions() if action.text() == way).trigger()
        settle(qtbot, real, 30_000)
        assert real.desk.focus.focus.event == 2945 and "2945" in real.banner.text, way
