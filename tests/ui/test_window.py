"""The whole window: opening, walking, filtering, looking, saving, and what happens when things go wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QWidget

from core.errors import BadInput, Cancelled
from inspector.focus import Focus
from tests.ui.conftest import settle
from tests.ui.fake import BACK_BUFFER, DEPTH, HEIGHT, TEXTURE, WIDTH, FakeCapture
from ui.index import DRAW
from ui.menus import show_keys
from ui.models.events import CALL, TEXT
from ui.panels.calls import CallsPanel
from ui.panels.findings import FindingsPanel
from ui.panels.inspector import InspectorPanel
from ui.panels.resources import ResourcesPanel
from ui.panels.state import StatePanel
from ui.panels.token import TokenPanel
from ui.panels.vertices import VerticesPanel
from ui.roles import BEGIN_ROLE
from ui.settings import Settings
from ui.window import Window

Key, Modifier = Qt.Key, Qt.KeyboardModifier
Make = Callable[..., Window]


def press(qtbot: Any, window: Window, key: Qt.Key, modifiers: Qt.KeyboardModifier = Modifier.NoModifier) -> int:
    """Presses a key in the event list and gives the event one is at then."""
    window.activateWindow()
    window.events.table.setFocus()
    qtbot.keyClick(window.events.table, key, modifiers)
    settle(qtbot, window)
    return window.desk.focus.focus.event


def panel(window: Window, name: str) -> Any:
    window.docks.bring(name)
    QApplication.processEvents()
    return window.docks.panels[name]


def test_an_opened_capture_is_shown_at_the_end_of_its_first_frame(window: Window) -> None:
    assert window.desk.focus.focus.event == 10
    assert "made-up" in window.windowTitle()
    assert not window.welcome.isVisible()
    assert window.surface.picture is not None
    assert window.surface.picture.event == 10
    assert "3 frames" in window.status.capture.text()
    assert window.status.place.text().startswith("frame 0")


def test_keys_walk_events_draws_and_frames(qtbot: Any, window: Window) -> None:
    control, both = Modifier.ControlModifier, Modifier.ControlModifier | Modifier.ShiftModifier
    assert press(qtbot, window, Key.Key_Right) == 11
    assert press(qtbot, window, Key.Key_J) == 12
    assert press(qtbot, window, Key.Key_K) == 11
    assert press(qtbot, window, Key.Key_Left) == 10
    assert press(qtbot, window, Key.Key_Right, control) == 18
    assert press(qtbot, window, Key.Key_Right, control) == 20
    assert press(qtbot, window, Key.Key_Left, control) == 18
    assert press(qtbot, window, Key.Key_Right, both) == 32
    assert press(qtbot, window, Key.Key_Left, both) == 21
    assert press(qtbot, window, Key.Key_Home) == 0
    assert press(qtbot, window, Key.Key_End) == 32
    assert press(qtbot, window, Key.Key_Right) == 32


def test_stepping_changes_what_every_panel_shows(qtbot: Any, window: Window) -> None:
    token, state, calls = (panel(window, name) for name in ("token", "state", "calls"))
    settle(qtbot, window)
    press(qtbot, window, Key.Key_Right)
    assert token.heading.text() == "CLEAR2"
    assert token.model.rows[1].value == 11
    assert window.events.table.currentIndex().row() == 11
    assert calls._number == 22
    written = {v.name: v.writer for group in state._all for v in group.values}
    assert written["ALPHAREF"] is None
    press(qtbot, window, Key.Key_Right)
    assert {v.name: v.writer for group in state._all for v in group.values}["ALPHAREF"] == 12
    assert state._set_here == {"ALPHAREF"}


def test_a_line_marks_where_a_frame_begins(window: Window) -> None:
    model = window.events.model
    assert [row for row in range(model.rowCount()) if model.index(row, TEXT).data(BEGIN_ROLE)] == [11, 22]
    model.set_rows(np.array([5, 9, 13]))
    assert [bool(model.index(row, TEXT).data(BEGIN_ROLE)) for row in range(3)] == [False, False, True]


def test_panels_nobody_sees_ask_nothing_until_they_are_shown(qtbot: Any, window: Window) -> None:
    panel(window, "surface")
    settle(qtbot, window)
    asked = len(window.desk.capture.images_asked)
    panel(window, "state")
    settle(qtbot, window)
    press(qtbot, window, Key.Key_Right)
    assert len(window.desk.capture.images_asked) == asked
    surface = panel(window, "surface")
    settle(qtbot, window)
    assert surface.picture.event == 11


def test_history_goes_back_to_where_one_was(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=20)
    window.desk.focus.go(surface=TEXTURE)
    assert press(qtbot, window, Key.Key_Left, Modifier.AltModifier) == 20
    assert window.desk.focus.focus.surface == "render_target"
    assert press(qtbot, window, Key.Key_Left, Modifier.AltModifier) == 10
    assert press(qtbot, window, Key.Key_Right, Modifier.AltModifier) == 20


def test_the_event_box_goes_to_an_event(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    qtbot.keyClick(window.events.table, Key.Key_G, Modifier.ControlModifier)
    qtbot.keyClicks(window.place, "17")
    qtbot.keyClick(window.place, Key.Key_Return)
    assert window.desk.focus.focus.event == 17
    assert window.place.maximum() == 32


def test_filter_words_and_the_draws_toggle_choose_rows(qtbot: Any, window: Window) -> None:
    model = window.events.model
    window.events.edit.setText("+draw -indexed")
    qtbot.waitUntil(lambda: len(model.rows) == 3)
    assert {model.index(row, TEXT).data().partition(" ")[0] for row in range(3)} == {"DRAWPRIMITIVE"}
    assert "3 of 33" in window.events.count.text()
    window.events.edit.setText("zzz yyy")
    qtbot.waitUntil(lambda: len(model.rows) == 0)
    window.events.edit.clear()
    qtbot.waitUntil(lambda: len(model.rows) == 33)
    window.events.actions_only.click()
    assert len(model.rows) == 12
    assert window.desk.index is not None
    assert (window.desk.index.kind[model.rows] == DRAW).sum() == 6


def test_a_wrong_filter_leaves_the_list_and_says_where(qtbot: Any, window: Window) -> None:
    window.events.edit.setText("frame == x")
    qtbot.waitUntil(lambda: window.events.count.text().startswith("column 10: frame == wants a number"))
    assert len(window.events.model.rows) == 33
    assert window.events.edit.property("wrong")
    window.events.edit.setText("+draw clear")
    qtbot.waitUntil(lambda: window.events.count.text().endswith("words without + decide nothing"))
    assert not window.events.edit.property("wrong")


def test_arrow_keys_in_a_filtered_list_step_through_what_is_shown(qtbot: Any, window: Window) -> None:
    window.events.edit.setText("+draw")
    qtbot.waitUntil(lambda: len(window.events.model.rows) == 6)
    window.desk.focus.go(event=7)
    assert press(qtbot, window, Key.Key_Down) == 9
    assert press(qtbot, window, Key.Key_Down) == 18


def test_the_filter_key_goes_to_the_filter_of_the_panel_one_is_in(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    state: StatePanel = panel(window, "state")
    qtbot.keyClick(state.view, Key.Key_F, Modifier.ControlModifier)
    assert state.edit.hasFocus()
    qtbot.keyClick(window.surface.view, Key.Key_2, Modifier.ControlModifier)
    qtbot.keyClick(window.events.table, Key.Key_F, Modifier.ControlModifier)
    assert window.events.edit.hasFocus()


def test_typing_in_the_filter_does_not_step(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    qtbot.keyClick(window.events.table, Key.Key_F, Modifier.ControlModifier)
    edit = window.events.edit
    qtbot.keyClicks(edit, "jk")
    qtbot.keyClick(edit, Key.Key_Left)
    qtbot.keyClick(edit, Key.Key_Home)
    assert edit.text() == "jk"
    assert window.desk.focus.focus.event == 10


def test_scrubbing_drops_what_is_late_and_ends_on_the_last_event(qtbot: Any, make_window: Make, file: Path) -> None:
    capture, gate = FakeCapture(100), threading.Event()
    gate.set()
    quick = capture.image
    capture.image = lambda *a, **k: (gate.wait(5), quick(*a, **k))[1]  # type: ignore[method-assign]
    window = make_window(lambda path, progress: capture)
    window.open(file)
    settle(qtbot, window)
    panel(window, "surface")
    settle(qtbot, window)
    capture.images_asked.clear()
    gate.clear()
    scrubbed = window.docks.panels["timeline"].strip.scrubbed  # type: ignore[attr-defined]
    longest = _longest_gap(scrubbed.emit, range(100, 1000, 20))
    gate.set()
    settle(qtbot, window)
    assert window.surface.picture is not None
    assert window.surface.picture.event == window.desk.focus.focus.event == 980
    assert set(capture.images_asked) <= {100, 980}
    assert longest < 0.5
    window.desk.focus.back()
    assert window.desk.focus.focus.event == 10


def _longest_gap(does: Callable[[int], object], events: range) -> float:
    """The longest time the GUI thread was busy with one event of a drag."""
    longest = 0.0
    for event in events:
        begun = time.monotonic()
        does(event)
        QApplication.processEvents()
        longest = max(longest, time.monotonic() - begun)
    return longest


def test_the_last_picture_stays_while_the_next_is_made(qtbot: Any, make_window: Make, file: Path) -> None:
    capture, gate = FakeCapture(), threading.Event()
    gate.set()
    quick = capture.image
    capture.image = lambda *a, **k: (gate.wait(5), quick(*a, **k))[1]  # type: ignore[method-assign]
    window = make_window(lambda path, progress: capture)
    window.open(file)
    settle(qtbot, window)
    gate.clear()
    window.desk.focus.go(event=20)
    qtbot.wait(30)
    assert window.surface.view.picture_size == (WIDTH, HEIGHT)
    assert window.surface.picture is not None
    assert window.surface.picture.event == 10
    qtbot.waitUntil(window.status.bar.isVisible)
    gate.set()
    settle(qtbot, window)
    assert window.surface.picture.event == 20
    assert not window.status.bar.isVisible()


def test_picking_a_pixel_reads_it_out(qtbot: Any, window: Window) -> None:
    surface, inspector = panel(window, "surface"), window.inspector
    settle(qtbot, window)
    qtbot.mouseClick(surface.view, Qt.MouseButton.LeftButton, pos=surface.view.place_of(WIDTH - 1, 0))
    assert window.desk.focus.focus.pixel == (WIDTH - 1, 0)
    assert surface.readout.text().startswith(f"{WIDTH - 1}, 0   ffff000a")
    sections = {section.title: section for section in inspector.facts.sections}
    facts = {fact.name: fact.value for fact in sections[f"Pixel {WIDTH - 1}, 0"].facts}
    assert facts["Stored"] == "ffff000a"
    assert facts["R"].startswith("1.0")
    assert inspector.loupe.isVisible()


def test_any_surface_can_be_chosen_with_its_levels(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)
    row = surface.choice.findData(TEXTURE)
    surface.choice.setCurrentIndex(row)
    surface.choice.activated.emit(row)
    settle(qtbot, window)
    assert surface.view.picture_size == (32, 32)
    assert surface.parts["level"].isVisible()
    assert not surface.parts["face"].isVisible()
    surface.parts["level"].setValue(2)
    settle(qtbot, window)
    assert surface.view.picture_size == (8, 8)


def test_depth_is_shown_as_a_range(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    window.desk.focus.go(surface=DEPTH)
    settle(qtbot, window)
    assert surface.low.isVisible()
    assert not surface.channels["R"].isVisible()
    surface.auto_range.click()
    assert surface.high.value() == pytest.approx(3071 * 1000 / 0xFFFFFF, abs=1e-6)
    shown = surface.view._argb & 0xFF
    assert shown.min() == 0
    assert shown.max() >= 254


def test_controls_that_come_and_go_do_not_move_the_docks(qtbot: Any, window: Window) -> None:
    qtbot.wait(20)
    widths = [dock.width() for dock in window.docks.docks.values()]
    window.desk.focus.go(surface=DEPTH)
    settle(qtbot, window)
    window.desk.focus.go(surface=TEXTURE)
    settle(qtbot, window)
    qtbot.wait(20)
    assert [dock.width() for dock in window.docks.docks.values()] == widths


def test_the_stencil_of_a_depth_surface_can_be_looked_at(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    window.desk.focus.go(surface=DEPTH)
    settle(qtbot, window)
    assert surface.plane.isVisible()
    surface.plane.setCurrentIndex(1)
    surface.plane.activated.emit(1)
    assert not (surface.view._argb & 0xFF).any()


def test_the_surface_before_the_event_and_what_it_changed(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)

    def blue(when: int) -> set[int]:
        surface.when.setCurrentIndex(when)
        surface.when.activated.emit(when)
        settle(qtbot, window)
        return set((surface.picture.argb & 0xFF).flat)

    assert [blue(0), blue(1)] == [{10}, {9}]
    assert blue(2) == {10}
    assert surface.picture.changed_only
    window.desk.focus.go(event=0)
    settle(qtbot, window)
    assert blue(1) == {0}


def test_channels_can_be_turned_off(qtbot: Any, window: Window) -> None:
    surface = panel(window, "surface")
    settle(qtbot, window)
    surface.channels["R"].click()
    assert not (surface.view._argb & 0xFF0000).any()
    surface.channels["B"].click()
    grey = surface.view._argb
    assert np.array_equal((grey >> 8) & 0xFF, grey & 0xFF)


def test_fields_and_bytes_light_each_other_up(qtbot: Any, window: Window) -> None:
    token: TokenPanel = panel(window, "token")
    settle(qtbot, window)
    token.table.setCurrentIndex(token.model.index(1, 0))
    assert token.hex.lit == (8, 12)
    token.hex.picked.emit(5)
    assert token.table.currentIndex().row() == 0
    assert token.hex.lit == (4, 8)
    token.hex.picked.emit(1)
    assert not token.table.currentIndex().isValid()
    assert token.hex.lit == (1, 2)


def test_a_state_leads_to_the_event_that_set_it(qtbot: Any, window: Window) -> None:
    state: StatePanel = panel(window, "state")
    settle(qtbot, window)
    stage = state.model.index(0, 0)
    assert state.view.isExpanded(stage)
    cell = state.model.index(0, 2, stage)
    assert cell.data() == "#1"
    qtbot.mouseClick(state.view.viewport(), Qt.MouseButton.LeftButton, pos=state.view.visualRect(cell).center())
    assert window.desk.focus.focus.event == 1
    settle(qtbot, window)
    state.here_only.click()
    assert [v.name for group in state.model.groups for v in group.values] == ["ALPHAREF"]
    state.here_only.click()
    state.changed_only.click()
    state.edit.setText("zfunc")
    qtbot.waitUntil(lambda: [v.name for group in state.model.groups for v in group.values] == ["ZFUNC"])


def test_vertices_resources_calls_and_findings_show_and_lead_on(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=7)
    vertices: VerticesPanel = panel(window, "vertices")
    settle(qtbot, window)
    assert vertices.model.rowCount() == 3
    vertices.table.setCurrentIndex(vertices.model.index(2, 0))
    assert window.desk.focus.focus.vertex == 2

    resources: ResourcesPanel = panel(window, "resources")
    settle(qtbot, window)
    assert [row.handle for row in resources.model.rows] == [BACK_BUFFER, DEPTH, TEXTURE]
    assert set(resources._pictures) == {BACK_BUFFER, DEPTH, TEXTURE}
    resources.table.activated_row.emit(2)
    assert window.desk.focus.focus.surface == TEXTURE
    assert window.surface.isVisible()

    findings: FindingsPanel = panel(window, "findings")
    findings.table.activated_row.emit(0)
    assert window.desk.focus.focus.event == 4
    settle(qtbot, window)
    inspector: InspectorPanel = window.inspector
    assert "Finding: warning" in [section.title for section in inspector.facts.sections]

    calls: CallsPanel = panel(window, "calls")
    settle(qtbot, window)
    assert calls.heading.text() == "SetRenderState"
    assert calls.arguments.rows == [("State", "D3DRS_ALPHAREF"), ("Value", "8")]


def test_later_jumps_are_prepared_while_nobody_asks(
    qtbot: Any, make_window: Make, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.ahead.CALM", 10)
    capture, steps = FakeCapture(4), [0.25, 0.5, 0.75, 1.0]
    capture.prepare = lambda cancel=None: steps.pop(0)  # type: ignore[method-assign]
    window = make_window(lambda path, progress: capture)
    window.open(file)
    qtbot.waitUntil(lambda: window.ahead.done and window.desk.capture is capture)
    assert not steps
    qtbot.waitUntil(lambda: not window.status.ahead.isVisible())


def test_playing_goes_through_the_frames_and_stops_at_the_end(qtbot: Any, window: Window) -> None:
    seen: list[int] = []
    window.desk.focus.changed.connect(lambda new, old: seen.append(new.event))
    press(qtbot, window, Key.Key_P)
    assert window.steps.playing
    qtbot.waitUntil(lambda: not window.steps.playing)
    assert seen == [21, 32]
    press(qtbot, window, Key.Key_Home)
    press(qtbot, window, Key.Key_P)
    press(qtbot, window, Key.Key_P)
    assert not window.steps.playing


def test_columns_can_be_shown_and_hidden(qtbot: Any, window: Window) -> None:
    table = window.events.table
    assert table.isColumnHidden(CALL)
    menu = table.column_menu()
    assert [action.text() for action in menu.actions()] == ["Number", "Call", "Event", "Source"]
    menu.actions()[CALL].trigger()
    assert not table.isColumnHidden(CALL)
    for column in (0, 1, 3):
        table.column_menu().actions()[column].trigger()
    assert not table.column_menu().actions()[TEXT].isEnabled()


def test_the_menu_of_an_event_filters_by_its_name(qtbot: Any, window: Window) -> None:
    window.events._filter_by("-RENDERSTATE")
    window.events._filter_by("+state")
    qtbot.waitUntil(lambda: len(window.events.model.rows) == 3)
    assert window.events.edit.text() == "-RENDERSTATE +state"


def test_the_picture_is_saved_as_png(qtbot: Any, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "saved.png"
    monkeypatch.setattr("ui.window.QFileDialog.getSaveFileName", lambda *a, **k: (str(target), ""))
    panel(window, "surface")
    settle(qtbot, window)
    window.actions_by_name["save-picture"].trigger()
    saved = QImage(str(target))
    assert (saved.width(), saved.height()) == (WIDTH, HEIGHT)
    assert saved.pixelColor(WIDTH - 1, HEIGHT - 1).getRgb() == (255, 255, 10, 255)


def test_dropping_a_file_opens_it(qtbot: Any, make_window: Make, capture: FakeCapture, file: Path) -> None:
    opened: list[Path] = []
    window = make_window(lambda path, progress: (opened.append(path), capture)[1])
    assert window.welcome.isVisible()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file.with_suffix(".txt"))), QUrl.fromLocalFile(str(file))])
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Modifier.NoModifier))
    settle(qtbot, window)
    assert opened == [file]
    assert window.settings.recent == [str(file.resolve())]
    assert window.desk.capture is capture


def test_a_file_that_cannot_be_read_is_told_in_a_banner_and_the_old_capture_stays(
    qtbot: Any, make_window: Make, capture: FakeCapture, file: Path
) -> None:
    def opener(path: Path, progress: Any) -> Any:
        if path == file:
            return capture
        raise BadInput(f"{path.name}: not a capture (starts with 00 00)")

    window = make_window(opener)
    window.open(file)
    settle(qtbot, window)
    bad = file.with_name("bad.trace")
    bad.touch()
    window.open(bad)
    settle(qtbot, window)
    assert window.banner.isVisible()
    assert window.banner.text == "bad.trace: not a capture (starts with 00 00)"
    assert window.desk.capture is capture
    qtbot.keyClick(window, Key.Key_Escape)
    assert not window.banner.isVisible()
    window.open(file.with_name("gone.trace"))
    assert "not there any more" in window.banner.text


def test_a_question_that_fails_is_told_in_a_banner(qtbot: Any, window: Window) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise BadInput("the tape is damaged behind call 4")

    window.desk.capture.event = refuse
    window.desk.focus.go(event=20)
    settle(qtbot, window)
    assert window.banner.text == "the tape is damaged behind call 4"


def test_a_surface_that_is_not_there_is_told_where_it_would_be(qtbot: Any, window: Window) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise BadInput("there is no surface 77 at event 20")

    window.desk.capture.image = refuse
    window.desk.focus.go(event=20, surface=77)
    settle(qtbot, window)
    assert window.surface.view.message == "there is no surface 77 at event 20"
    assert window.surface.picture is None
    assert not window.banner.isVisible()
    window.grab()


def test_opening_shows_progress_and_can_be_cancelled(qtbot: Any, make_window: Make, file: Path) -> None:
    stopped = threading.Event()

    def opener(path: Path, progress: Any) -> Any:
        for step in range(1000):
            if not progress(step / 1000, "importing"):
                stopped.set()
                raise Cancelled("cancelled")
            time.sleep(0.005)

    window = make_window(opener)
    window.open(file)
    qtbot.waitUntil(lambda: window.status.work.text() == "importing")
    assert window.status.bar.value() < 900
    window.status.stop.click()
    assert stopped.wait(2)
    settle(qtbot, window)
    assert window.welcome.isVisible()
    assert not window.banner.isVisible()
    assert not window.status.stop.isVisible()


def test_closing_while_a_capture_is_opened_stops_it(qtbot: Any, make_window: Make, file: Path) -> None:
    stopped = threading.Event()

    def opener(path: Path, progress: Any) -> Any:
        while progress(0.5, "importing"):
            time.sleep(0.005)
        stopped.set()
        raise Cancelled("cancelled")

    window = make_window(opener)
    window.open(file)
    qtbot.wait(30)
    window.close()
    assert stopped.is_set()


def test_closing_the_capture_shows_the_welcome_again(qtbot: Any, window: Window) -> None:
    window.actions_by_name["close"].trigger()
    assert window.welcome.isVisible()
    assert window.welcome.recent.count() == 1
    assert not any(dock.isVisible() for dock in window.docks.docks.values())
    assert not window.actions_by_name["next-event"].isEnabled()


def test_the_layout_is_remembered(qtbot: Any, window: Window, make_window: Make, capture: FakeCapture, file: Path) -> None:
    window.docks.docks["calls"].hide()
    qtbot.wait(20)
    heights = [window.docks.docks[name].height() for name in ("timeline", "events", "token")]
    window.close()
    again = make_window(lambda path, progress: capture)
    again.resize(window.size())  # the offscreen screen is smaller than the window
    again.open(file)
    settle(qtbot, again)
    assert not again.docks.docks["calls"].isVisible()
    qtbot.wait(20)
    restored = [again.docks.docks[name].height() for name in ("timeline", "events", "token")]
    assert all(abs(a - b) <= 8 for a, b in zip(heights, restored, strict=True)), (heights, restored)
    again.reset_layout()
    assert again.docks.docks["calls"].isVisible()


def test_a_link_leads_to_its_place(qtbot: Any, make_window: Make, capture: FakeCapture, file: Path) -> None:
    window = make_window(lambda path, progress: capture)
    window.open(file, Focus.parse("#event=20&surface=10&level=1&pixel=3,4"))
    settle(qtbot, window)
    assert window.desk.focus.focus == Focus(event=20, surface=10, level=1, pixel=(3, 4))
    window.copy_link()
    assert QApplication.clipboard().text() == "#event=20&surface=10&level=1&pixel=3,4"


def test_a_link_on_the_clipboard_is_followed_or_refused(qtbot: Any, window: Window) -> None:
    QApplication.clipboard().setText(" #event=20&pixel=3,4 ")
    window.paste_link()
    assert window.desk.focus.focus == Focus(event=20, pixel=(3, 4))
    QApplication.clipboard().setText("something else")
    window.paste_link()
    assert "no link" in window.banner.text
    assert window.desk.focus.focus.event == 20


def test_the_keyboard_page_lists_every_action_with_keys(qtbot: Any, window: Window) -> None:
    box = show_keys(window)
    for row in window._rows():
        assert row.text.replace("&", "").rstrip("…") in box.text()
        assert row.keys[0] in box.text()
    box.close()


def test_no_two_actions_share_a_key(window: Window) -> None:
    keys = [key.toString() for action in window.actions() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


def test_every_control_has_a_spoken_name(window: Window) -> None:
    kinds = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
    inside = (QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView)
    unnamed = [
        widget
        for kind in kinds
        for widget in window.findChildren(kind)
        if not widget.accessibleName() and not isinstance(widget.parent(), inside) and not _made_by_qt(widget)
    ]
    assert not [f"{type(widget).__name__} in {type(widget.parent()).__name__}" for widget in unnamed]


def _made_by_qt(widget: QWidget) -> bool:
    """Headers, menus' and toolbars' own buttons say their action's text themselves."""
    names = ("QHeaderView", "QToolBarExtension", "QComboBoxListView", "QTableCornerButton")
    by_action = isinstance(widget, QAbstractButton) and bool(widget.actions())
    return widget.metaObject().className() in names or by_action or "qt_" in widget.objectName()


@pytest.mark.parametrize(
    "name", ["timeline", "events", "token", "surface", "state", "vertices", "resources", "calls", "findings"]
)
def test_every_panel_is_reached_by_its_keys_and_takes_the_keyboard(qtbot: Any, window: Window, name: str) -> None:
    window.activateWindow()
    keys = {"timeline": "1", "events": "2", "token": "3", "surface": "4", "state": "5", "vertices": "6", "resources": "7"}
    key = keys.get(name) or {"calls": "9", "findings": "0"}[name]
    qtbot.keyClick(window.events.table, Key(ord(key)), Modifier.ControlModifier)
    shown = window.docks.panels[name]
    assert shown.isVisible()
    assert shown.isAncestorOf(QApplication.focusWidget())


def test_both_themes_paint_everything(qtbot: Any, window: Window, settings: Settings) -> None:
    for name in window.docks.panels:
        panel(window, name)
    settle(qtbot, window)
    seen = set()
    for name in ("light", "dark"):
        window.set_theme(name)
        seen.add(window.grab().toImage().pixelColor(QPoint(3, window.height() - 3)).name())
    assert len(seen) == 2
    assert settings.theme == "dark"


def test_an_empty_capture_is_no_trouble(qtbot: Any, make_window: Make, file: Path) -> None:
    window = make_window(lambda path, progress: FakeCapture(0))
    window.open(file)
    settle(qtbot, window)
    for name in window.docks.panels:
        panel(window, name)
    settle(qtbot, window)
    assert press(qtbot, window, Key.Key_Right) == 0
    assert window.events.model.rowCount() == 0
    window.grab()


def test_a_million_events_are_filtered_and_walked(qtbot: Any, make_window: Make, file: Path) -> None:
    window = make_window(lambda path, progress: FakeCapture(90_910))
    window.open(file)
    settle(qtbot, window)
    assert len(window.desk.index or ()) > 1_000_000
    window.events.actions_only.click()
    window.desk.focus.go(event=500_000)
    assert 0 < window.events.model.rowCount() < 500_000
    window.grab()
