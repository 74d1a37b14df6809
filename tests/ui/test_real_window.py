"""A real window under Xvfb with a window manager: places, frames of panels, restarts (tasks: test_tasks_by_mouse.py)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.focus import Focus
from inspector.samples import built_in_capture
from tests.ui.real import Desktop, Program, needs_desktop

pytestmark = needs_desktop
DOCKS = "{name: [dock.isVisible(), dock.isFloating(), *place(dock)] for name, dock in window.docks.docks.items()}"


def near_the_pixel(program: Program) -> Focus:
    """Waits until pixel 200, 300 is picked, or one beside it: a picture that is made smaller has several under the pointer."""
    program.until("window.desk.focus.focus.pixel is not None")
    x, y = program.focus.pixel or (0, 0)
    assert abs(x - 200) <= 2
    assert abs(y - 300) <= 2
    return program.focus


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(1600, 1000, tmp_path)
    yield made
    made.close()


@pytest.fixture
def program(desktop: Desktop, tmp_path: Path) -> Iterator[Program]:
    started = Program(desktop, built_in_capture())
    yield started
    started.close()


def test_a_pixel_s_history_by_mouse_and_the_event_behind_it_by_keyboard(program: Program) -> None:
    program.click("pixel(200, 300)")
    before = near_the_pixel(program)
    program.until("len(rows('History of the pixel')) > 1")
    program.key("alt+2")
    program.until("keyboard() == 'History of the pixel'")
    program.key("Home")
    assert program.focus == before, "Home belongs to the table"
    program.key("Return")
    program.until(f"window.desk.focus.focus.event != {before.event}")
    program.key("alt+Left")
    program.until(f"focus() == {before.text()!r}")


def test_going_by_keyboard_to_a_frame_a_draw_and_a_pixel(program: Program) -> None:
    places = {"": program.look("focus()")}
    for words in ("frame 3", "draw 12", "40,52"):
        program.key("ctrl+g")
        program.type(words)
        program.key("Return")
        places[words] = program.until(f"focus() not in {[*places.values()]} and focus()")
    assert Focus.parse(places["40,52"]) == Focus.parse(places["draw 12"]).replace(pixel=(40, 52))


def test_a_title_that_is_double_clicked_floats_in_a_frame(program: Program) -> None:
    _, _, x, y, _, _ = program.look(DOCKS)["inspector"]
    program.click(f"[{x + 60}, {y + 12}]", times=2)
    program.until(f"{DOCKS}['inspector'][1]")
    time.sleep(1.0)
    names = program.desktop.do("search", "--onlyvisible", "--name", "^Inspector$").split()
    assert len(names) == 1, "the window manager knows it by its name"
    program.desktop.do("windowactivate", "--sync", names[0])


def test_the_place_comes_back_after_a_restart(desktop: Desktop) -> None:
    with Program(desktop, built_in_capture()) as first:
        first.key("ctrl+Right", "ctrl+Right")
        first.calm()
        first.click("pixel(200, 300)")
        left = near_the_pixel(first)
        first.key("ctrl+6")
    with Program(desktop) as again:
        again.until(f"focus() == {left.text()!r}")
        assert again.look("window.surface.view.width()") > 300, "there is a picture, though the vertices were in front"
