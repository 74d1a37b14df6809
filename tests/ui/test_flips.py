"""Frames that flip: their picture is where it is complete, before the buffers change places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import inspector
from inspector.focus import Focus
from inspector.samples import sample_captures
from tests.ui.conftest import settle
from ui.window import Window

FLIPS = next(path for _, path in sample_captures() if path.stem == "direct3d-7")


@pytest.fixture
def flips(qtbot: Any, make_window: Callable[..., Window]) -> Window:
    window = make_window(lambda path, progress: inspector.open(path, progress=progress))
    window.open(FLIPS, Focus(event=0))
    settle(qtbot, window)
    return window


def flip_events(window: Window) -> list[int]:
    capture: Any = window.desk.capture
    return [event for event in range(len(capture.events)) if capture.name(event) == "Flip"]


def on_the_screen(window: Window, flip: int) -> np.ndarray:
    """What the monitor shows after a Flip: the surface that it presents."""
    capture: Any = window.desk.capture
    [primary] = [one for one in capture.surfaces(flip) if one.title.startswith("Primary")]
    return capture.image(flip, primary.handle)[..., :3]


def test_steps_of_frames_show_what_the_screen_shows_after_the_flip(qtbot: Any, flips: Window) -> None:
    ends = flip_events(flips)
    assert len(ends) > 2
    flips.desk.focus.go(event=ends[0] - 1)
    for flip in ends[1:]:
        flips.steps.frame(+1)
        settle(qtbot, flips)
        assert flips.desk.focus.focus.event == flip - 1
        shown = flips.surface.rgba()
        assert shown is not None
        assert (shown[..., :3] == on_the_screen(flips, flip)).all()


def test_at_a_flip_the_panel_says_where_the_picture_is(qtbot: Any, flips: Window) -> None:
    flip = flip_events(flips)[1]
    for event, said in ((flip - 1, False), (flip, True), (flip + 1, False)):
        flips.desk.focus.go(event=event)
        settle(qtbot, flips)
        button = flips.surface.about.complete
        assert button.isVisible() == said
    flips.desk.focus.go(event=flip)
    settle(qtbot, flips)
    assert button.text() == f"Image at #{flip - 1}"
    button.click()
    assert flips.desk.focus.focus.event == flip - 1


def test_a_pinned_surface_is_looked_at_after_the_flip(qtbot: Any, flips: Window) -> None:
    first, second = flip_events(flips)[:2]
    flips.desk.focus.go(event=first, surface=1)
    flips.steps.frame(+1)
    settle(qtbot, flips)
    assert flips.desk.focus.focus.event == second


def test_a_frame_by_its_number_is_where_it_is_complete(qtbot: Any, flips: Window) -> None:
    flips.place.asked.emit("frame 2")
    settle(qtbot, flips)
    assert flips.desk.focus.focus.event == flip_events(flips)[2] - 1
