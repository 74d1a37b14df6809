"""Panels are made when they are first needed, and know then what they would have heard before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

from inspector.focus import Focus
from inspector.query.what_if.edits import Disable
from inspector.tape.bookmarks import Bookmark
from tests.ui.conftest import settle
from tests.ui.fake import FakeCapture
from ui.layouts import LAYOUTS
from ui.making import Panels
from ui.panels.comparison import ComparisonPanel
from ui.panels.events import EventsPanel
from ui.panels.panel import Desk
from ui.panels.timeline import TimelinePanel
from ui.widgets.banner import Banner
from ui.window import Window


def in_front(window: Window) -> set[str]:
    docks = window.docks
    return {name for name in docks.panels if docks.panels.is_raised(name) and docks.docks[name].isVisible()}


def test_without_a_capture_there_is_none(qtbot: Any, make_window: Callable[..., Window]) -> None:
    window = make_window(lambda path, progress: FakeCapture())
    qtbot.wait(50)
    window.close_capture()
    window.show_place()
    assert not window.docks.panels.made and len(window.docks.panels) == 22


@pytest.mark.parametrize("name", LAYOUTS)
def test_of_a_layout_only_those_in_front_are_made(
    qtbot: Any, make_window: Callable[..., Window], file: Path, name: str
) -> None:  # fmt: skip
    window = make_window(lambda path, progress: FakeCapture())
    window.docks.layout = name
    window.open(file)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: set(window.docks.panels.made) == in_front(window), timeout=5_000)
    assert 5 <= len(window.docks.panels.made) <= 8


def test_commands_that_are_not_about_a_panel_make_none(qtbot: Any, window: Window) -> None:
    before = set(window.docks.panels.made)
    for name in ("next-event", "back", "bookmark", "bookmark-1", "copy-link", "paste-link"):
        window.actions_by_name[name].trigger()
    window.session.keep(picture=True)
    settle(qtbot, window)
    assert set(window.docks.panels.made) == before


def test_bookmarks_are_kept_without_their_panel(qtbot: Any, window: Window) -> None:
    window.actions_by_name["bookmark"].trigger()
    settle(qtbot, window)
    event = window.desk.focus.focus.event
    assert [one.focus.event for one in window.desk.bookmarks] == [event] and "bookmarks" not in window.docks.panels.made
    window.docks.bring("bookmarks")
    panel: Any = window.docks.panels["bookmarks"]
    assert [one.focus.event for one in panel.model.rows] == [event]


def test_findings_are_counted_on_the_tab_without_their_panel(qtbot: Any, window: Window) -> None:
    assert "findings" not in window.docks.panels.made and window.desk.found
    title = window.docks.docks["findings"].windowTitle()
    assert title == f"Findings {len(window.desk.found)}"
    window.docks.bring("findings")
    panel: Any = window.docks.panels["findings"]
    assert len(panel.model.rows) == len(window.desk.found)


def test_what_is_made_late_shows_bookmarks_findings_and_edits(qtbot: Any, desk: Desk) -> None:
    qtbot.waitUntil(lambda: bool(desk.found) and not desk.ask.busy)
    desk.mark([Bookmark(1, Focus(event=7), "seven")])
    desk.edit([Disable(3, 5)])
    events, timeline = EventsPanel(desk), TimelinePanel(desk)
    for made in (events, timeline):
        qtbot.addWidget(made)
    model: Any = events.model
    assert (
        model._bookmarked == {7} and model._disabled == (range(3, 6),) and set(model._marks) == {one.seq for one in desk.found}
    )
    strip: Any = timeline.strip
    assert list(strip._bookmarks) == [(7, "seven")]


def test_steps_go_through_what_was_pointed_at_last(qtbot: Any, window: Window) -> None:
    focus = window.desk.focus
    focus.go(pixel=(2, 3))
    focus.go(vertex=1)
    assert "stepping" not in window.docks.panels.made and focus.focus.pixel == (2, 3)
    panel: Any = window.docks.panels["stepping"]
    assert not panel.of_pixel
    focus.go(pixel=(4, 4))
    assert panel.of_pixel


def test_edits_end_with_their_capture(qtbot: Any, window: Window, file: Path) -> None:
    window.what_if.add_edits((Disable(3, 5),))
    assert window.desk.edits
    window.close_capture()
    assert not window.desk.edits


def test_who_comes_to_a_panel_that_is_made_just_now_has_the_keyboard_there(qtbot: Any, window: Window) -> None:
    """Before the notes are read."""
    window.activateWindow()
    window.docks.bring("notes")
    notes: Any = window.docks.panels["notes"]
    qtbot.waitUntil(lambda: window.focusWidget() is notes.edit)


def test_a_panel_is_built_in_its_place(qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another parent later has Qt style everything in it anew."""
    stood = list[QWidget | None]()
    build = ComparisonPanel.build
    monkeypatch.setattr(ComparisonPanel, "build", lambda self: (stood.append(self.parentWidget()), build(self)))
    panel = window.docks.panels["comparison"]
    assert stood == [window.docks.panels.places["comparison"]] == [panel.parentWidget()]


def test_a_message_stays_in_front_of_docks_and_looks_at_them_only_then(
    qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, dock = list[QEvent.Type](), window.docks.docks["state"]
    watch = window.banner.eventFilter
    monkeypatch.setattr(Banner, "eventFilter", lambda self, of, event: (seen.append(event.type()), False)[1])
    window.docks.arrange("pixel")
    assert not seen
    monkeypatch.setattr(Banner, "eventFilter", lambda self, of, event: watch(of, event))
    for _ in range(2):
        window.say("Something is in the way.")
        dock.raise_()
        qtbot.waitUntil(lambda: window.children()[-1] is window.banner)
        window.say("")


def test_a_panel_is_made_shown_and_painted_in_turns_of_their_own(
    qtbot: Any, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    panels, steps = window.docks.panels, list[str]()

    def noting(step: str) -> Callable[..., Any]:
        does = getattr(Panels, step)
        return lambda self, *name: (steps.append(step), does(self, *name))[1]

    for step in ("_make", "bring", "_paint"):
        monkeypatch.setattr(Panels, step, noting(step))
    monkeypatch.setattr(panels._next, "start", lambda: None)
    window.docks.docks["query"].raise_()
    qtbot.waitUntil(lambda: panels.is_raised("query"))
    for _ in range(3):
        panels._go_on()
        steps.append("turn")
    assert steps == ["_make", "turn", "bring", "turn", "_paint", "turn"]


def test_what_is_brought_soon_gets_the_keyboard_unless_something_has_it(qtbot: Any, window: Window) -> None:
    window.activateWindow()
    window.docks.bring("events")
    for free, expected in ((False, "events"), (True, "notes")):
        if free:
            QApplication.focusWidget().clearFocus()
        window.docks.bring_soon("notes")
        settle(qtbot, window)
        assert window.docks.current() == expected and window.docks.panels.is_raised("notes")
