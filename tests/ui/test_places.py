"""The go-to box: all forms of places, and what is said about those that are not there."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from inspector.focus import Focus
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.window import Window


def type_place(qtbot: Any, window: Window, text: str) -> Focus:
    """Ctrl+G, the text, Enter: as the user does it."""
    window.actions_by_name["go-to"].trigger()
    qtbot.keyClicks(window.place.lineEdit(), text)
    qtbot.keyClick(window.place, Qt.Key.Key_Return)
    settle(qtbot, window, 20_000)
    return window.desk.focus.focus


def test_all_forms_of_events(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture: Any = real.desk.capture
    frame = capture.frames[3]
    for text, event in {
        "frame 3": frame.last_event, "draw 12": int(capture.draws[12]), "#812": 812, "900": 900, "event 1,024": 1024,
        "call 559": 929, "Frame 3": frame.last_event, "room.ddicap#event=42": 42,
    }.items():  # fmt: skip
        assert type_place(qtbot, real, text).event == event, text
        assert real.place.text() == f"event {event}" and not real.banner.isVisible()
        if text == "draw 12":
            facts = real.docks.panels["inspector"]._event_sections()[0].facts  # type: ignore[attr-defined]
            assert next(fact.value for fact in facts if fact.name == "Draw") == "12 (0 to 79)"


def test_pixels_and_links(qtbot: Any, real: Window) -> None:  # noqa: F811
    event = real.desk.focus.focus.event
    for text, pixel in {"40,52": (40, 52), "7 8": (7, 8), "pixel 100, 200": (100, 200)}.items():
        here = type_place(qtbot, real, text)
        assert (here.event, here.pixel) == (event, pixel)
    assert type_place(qtbot, real, "#event=929&surface=2&pixel=9,10") == Focus(929, surface=2, pixel=(9, 10))
    assert type_place(qtbot, real, "primitive 7").primitive == 7


@pytest.mark.parametrize("text, words", [
    ("frame 100", "Frame 100 is out of range (0 to 7)."), ("draw 80", "Draw 80 is out of range (0 to 79)."),
    ("event 99999", "Event 99,999 is out of range"), ("40,9999", "Pixel 40, 9999 is outside"), ("nowhere", "is not a place"),
    ("#event=1&nonsense=2", "expected one of"), ("call 999999", "API call 999,999 is out of range"),
])  # fmt: skip
def test_what_is_not_there_is_said_and_nothing_moves(qtbot: Any, real: Window, text: str, words: str) -> None:  # noqa: F811
    before = real.desk.focus.focus
    assert type_place(qtbot, real, text) == before
    assert words in real.banner.text and real.place.text() == f"event {before.event}"


def test_in_the_picture_the_box_takes_a_pixel(qtbot: Any, real: Window) -> None:  # noqa: F811
    real.activateWindow()
    real.surface.view.setFocus()
    qtbot.waitUntil(real.surface.view.hasFocus)
    assert type_place(qtbot, real, "300 200").pixel == (300, 200)
    assert real.surface.view.hasFocus() and real.place.prefix() == "event "
    assert type_place(qtbot, real, "nowhere").pixel == (300, 200) and real.place.hasFocus(), "to be typed again"
    assert type_place(qtbot, real, "frame 3").pixel == (300, 200) and real.surface.view.hasFocus()
    assert not real.place.lineEdit().hasSelectedText()
    real.actions_by_name["go-to"].trigger()
    assert real.place.text() == "pixel 300, 200"
    real.surface.view.setFocus()
    assert real.place.text() == f"event {real.desk.focus.focus.event}"
