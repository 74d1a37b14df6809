"""The whole window: walking, going back, playing, and what every panel shows then."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

import ui.status
from core.errors import BadInput
from tests.ui.conftest import settle
from tests.ui.fake import BACK_BUFFER, DEPTH, HEIGHT, TEXTURE, WIDTH, FakeCapture
from tests.ui.window_kit import Key, Make, Modifier, panel, press
from ui.panels.calls import CallsPanel
from ui.panels.findings import FindingsPanel
from ui.panels.inspector import InspectorPanel
from ui.panels.resources import ResourcesPanel
from ui.panels.state import StatePanel
from ui.panels.token import TokenPanel
from ui.panels.vertices import VerticesPanel
from ui.window import Window


def test_an_opened_capture_is_shown_at_the_end_of_its_first_frame(window: Window) -> None:
    """Before the Flip, which exchanges the buffers."""
    assert window.desk.focus.focus.event == 9
    assert "made-up" in window.windowTitle()
    assert not window.welcome.isVisible()
    assert window.surface.picture is not None
    assert window.surface.picture.event == 9
    assert "3 frames" in window.status.capture.text()
    assert window.status.place.text().startswith("frame 0")


def test_keys_walk_events_draws_and_frames(qtbot: Any, window: Window) -> None:
    control, both = Modifier.ControlModifier, Modifier.ControlModifier | Modifier.ShiftModifier
    assert press(qtbot, window, Key.Key_Right) == 10
    assert press(qtbot, window, Key.Key_Right) == 11
    assert press(qtbot, window, Key.Key_J) == 12
    assert press(qtbot, window, Key.Key_K) == 11
    assert press(qtbot, window, Key.Key_Left) == 10
    assert press(qtbot, window, Key.Key_Right, control) == 18
    assert press(qtbot, window, Key.Key_Right, control) == 20
    assert press(qtbot, window, Key.Key_Left, control) == 18
    assert press(qtbot, window, Key.Key_Right, both) == 31
    assert press(qtbot, window, Key.Key_Left, both) == 20
    assert press(qtbot, window, Key.Key_Home) == 0
    assert press(qtbot, window, Key.Key_End) == 32
    assert press(qtbot, window, Key.Key_Right) == 32


def test_left_and_right_close_and_open_the_branches_of_a_tree(qtbot: Any, window: Window) -> None:
    state: StatePanel = panel(window, "state")
    settle(qtbot, window)
    window.activateWindow()
    state.view.setFocus()
    stage = state.model.index(0, 0)
    state.view.setCurrentIndex(stage)
    assert state.view.isExpanded(stage)
    qtbot.keyClick(state.view, Key.Key_Left)
    assert not state.view.isExpanded(stage)
    qtbot.keyClick(state.view, Key.Key_Right)
    assert state.view.isExpanded(stage)
    assert window.desk.focus.focus.event == 9
    qtbot.keyClick(state.view, Key.Key_Right, Modifier.ControlModifier)
    assert window.desk.focus.focus.event == 18


def test_stepping_changes_what_every_panel_shows(qtbot: Any, window: Window) -> None:
    token, state, calls = (panel(window, name) for name in ("token", "state", "calls"))
    window.desk.focus.go(event=10)
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
    assert surface.picture.event == 10


def test_history_goes_back_to_where_one_was(qtbot: Any, window: Window) -> None:
    window.desk.focus.go(event=20)
    window.desk.focus.go(surface=TEXTURE)
    assert press(qtbot, window, Key.Key_Left, Modifier.AltModifier) == 20
    assert window.desk.focus.focus.surface == "render_target"
    assert press(qtbot, window, Key.Key_Left, Modifier.AltModifier) == 9
    assert press(qtbot, window, Key.Key_Right, Modifier.AltModifier) == 20


def test_the_event_box_goes_to_an_event(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    qtbot.keyClick(window.events.table, Key.Key_G, Modifier.ControlModifier)
    qtbot.keyClicks(window.place, "17")
    qtbot.keyClick(window.place, Key.Key_Return)
    assert window.desk.focus.focus.event == 17
    assert window.place.maximum() == 32


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
    assert state.count.text().startswith("1 of ") and "default" not in state.count.text()
    state.changed_only.click()  # it is at its default: named all the same, and that is said
    assert [v.name for group in state.model.groups for v in group.values] == ["ZFUNC"]
    assert state.count.text().endswith("; all have their default values")
    qtbot.keyClick(state.edit, Qt.Key.Key_Return)
    assert state.view.hasFocus() or not window.isActiveWindow()


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
    qtbot.waitUntil(lambda: set(resources._pictures) == {BACK_BUFFER, DEPTH, TEXTURE})
    for words, handles in (("depth", [DEPTH]), (f"{WIDTH}x{HEIGHT} {BACK_BUFFER}", [BACK_BUFFER]), ("nothing", [])):
        resources.edit.setText(words)
        assert [row.handle for row in resources.model.rows] == handles
    assert resources.table.placeholder == "No resource matches."
    resources.edit.clear()
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
    """Before that, what plots need is loaded, once, with room for its types; what questions have left is given back before,
    between and at the end."""
    given, loaded = list[int](), list[object]()
    monkeypatch.setattr("ui.ahead.make_room", lambda: loaded.append(threading.current_thread() is threading.main_thread()))
    monkeypatch.setattr("ui.ahead.load_plots", lambda: loaded.append(len(steps)))
    monkeypatch.setattr("ui.ahead.CALM", 10)
    monkeypatch.setattr("ui.ahead.A_FEW", 2)
    monkeypatch.setattr("ui.ahead.give_back", lambda: given.append(len(steps)))
    capture, steps = FakeCapture(4), [0.25, 0.5, 0.75, 1.0]
    capture.prepare = lambda cancel=None: steps.pop(0)  # type: ignore[method-assign]
    window = make_window(lambda path, progress: capture)
    window.open(file)
    qtbot.waitUntil(lambda: window.ahead.done and window.desk.capture is capture)
    assert not steps
    qtbot.waitUntil(lambda: not window.status.ahead.isVisible())
    qtbot.waitUntil(lambda: bool(given))
    assert loaded == [True, 4]
    settle(qtbot, window)
    qtbot.wait(50)  # a panel that is made late asks, too
    assert given[0] == 4 and 2 in given and given[-1] == 0
    given.clear()
    window.desk.ask("someone", lambda progress: None, lambda _: None)
    qtbot.waitUntil(lambda: given == [0])
    qtbot.wait(50)
    assert given == [0]
    window.desk.ask("question", lambda progress: None, lambda _: None)
    qtbot.waitUntil(lambda: given == [0, 0])


def test_nothing_is_prepared_while_somebody_asks(
    qtbot: Any, make_window: Make, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the moment of calm ends just as a question begins."""
    monkeypatch.setattr("ui.ahead.CALM", 10)
    capture, gate, prepared = FakeCapture(4), threading.Event(), list[bool]()
    capture.prepare = lambda cancel=None: prepared.append(gate.is_set()) or 1.0  # type: ignore[func-returns-value, method-assign]
    window = make_window(lambda path, progress: capture)
    window.desk.ask("slow", lambda progress: gate.wait(60), lambda _: None)
    window.open(file)
    qtbot.waitUntil(lambda: window.desk.capture is capture)
    window.ahead._go_on()
    qtbot.wait(50)
    assert not prepared
    gate.set()
    qtbot.waitUntil(lambda: prepared == [True])


def test_progress_shows_when_a_question_takes_long(qtbot: Any, window: Window) -> None:
    gate = threading.Event()
    window._slow.setInterval(60_000)
    window.desk.ask("slow", lambda progress: (progress(0.5, "Half of it"), gate.wait(60)), lambda _: None)
    qtbot.waitUntil(lambda: window._reached == ("Half of it", 0.5))
    assert window.status.bar.isHidden() and window.status.stop.isHidden()
    window._slow.start(1)
    qtbot.waitUntil(lambda: not window.status.bar.isHidden())
    assert window.status.work.text() == "Half of it" and window.status.bar.value() == 500
    gate.set()
    qtbot.waitUntil(lambda: window.status.bar.isHidden())


def test_playing_goes_through_the_frames_and_stops_at_the_end(qtbot: Any, window: Window) -> None:
    seen: list[int] = []
    window.desk.focus.changed.connect(lambda new, old: seen.append(new.event))
    press(qtbot, window, Key.Key_P)
    assert window.steps.playing
    qtbot.waitUntil(lambda: not window.steps.playing)
    assert seen == [20, 31], "before each Flip"
    press(qtbot, window, Key.Key_Home)
    press(qtbot, window, Key.Key_P)
    press(qtbot, window, Key.Key_P)
    assert not window.steps.playing


def test_a_question_that_fails_is_told_in_a_banner(qtbot: Any, window: Window) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise BadInput("the tape is damaged behind call 4")

    window.desk.capture.event = refuse
    window.desk.focus.go(event=20)
    settle(qtbot, window)
    assert window.banner.text == "The tape is damaged behind call 4."


def test_a_message_that_goes_leaves_the_timeline_as_high_as_it_was(qtbot: Any, window: Window) -> None:
    timeline = window.docks.docks["timeline"]
    before = timeline.height()
    for _ in range(3):
        window.say("something")
        qtbot.wait(50)
        window.say("")
        qtbot.wait(50)
    assert timeline.height() == before


def test_after_opening_and_arranging_the_keyboard_is_the_list_s(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    table = window.events.table
    assert QApplication.focusWidget() is table
    window.actions_by_name["go-to"].trigger()
    window.arranging.use("")
    assert QApplication.focusWidget() is table
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_End)
    assert window.desk.focus.focus.event == 32


def test_the_status_bar_says_how_much_memory_is_used(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    status = window.status
    assert status.memory.isHidden()
    monkeypatch.setattr(ui.status, "process_memory", lambda: 612 << 20)
    status.show_memory(window.desk.capture)
    assert status.memory.text() == "612 MB" and status.memory.isVisible()
    status.set_capture("")  # it is closed
    assert status.memory.isHidden()
    status.show_memory(window.desk.capture)
    assert status.memory.isVisible()
    monkeypatch.setattr(ui.status, "process_memory", lambda: None)  # other systems
    status.show_memory(window.desk.capture)
    assert status.memory.isHidden()
