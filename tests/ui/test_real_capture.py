"""The window on a real capture, the one that comes with the program, through the real facade."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import inspector
from core.spec.subresource import Subresource
from inspector.focus import Focus
from inspector.query.held.kept import Kept
from tests.ui.conftest import settle
from ui import app
from ui.index import DRAW, PRESENT
from ui.models.pixels import argb_of_rgba
from ui.window import Window


@pytest.fixture
def real(qtbot: Any, make_window: Callable[..., Window]) -> Window:
    path = app.built_in_capture()
    assert path is not None
    importlib.import_module("inspector.capture")  # compiles what is not in the cache, faster than beside an event loop
    window = make_window(lambda path, progress: inspector.open(path, progress))
    window.open(path)
    qtbot.waitUntil(lambda: window.loading.path is None, timeout=300_000)
    settle(qtbot, window, 60_000)
    qtbot.waitUntil(lambda: window.surface.picture is not None, timeout=60_000)
    return window


def test_every_panel_shows_a_real_draw(qtbot: Any, real: Window) -> None:
    capture, index = real.desk.capture, real.desk.index
    assert index is not None
    assert int(index.kind[real.desk.focus.focus.event]) == PRESENT
    event = int(capture.draws[len(capture.draws) // 2])
    assert int(index.kind[event]) == DRAW
    real.desk.focus.go(event=event, pixel=(300, 200))
    for name in real.docks.panels:
        real.docks.bring(name)
        settle(qtbot, real, 20_000)
    panels: Any = real.docks.panels
    assert panels["token"].heading.text() == capture.name(event)
    assert panels["token"].hex.isVisible()
    assert len(panels["vertices"].model._columns) > 3
    assert panels["vertices"].mesh.mesh.usable.any()
    resources = [*capture.surfaces(event), *capture.ask(Kept(event))]
    assert len(panels["resources"].model.rows) == len(resources)
    assert (
        panels["calls"]
        .heading.text()
        .endswith(capture.source_text(int(capture.events.source[event])).split("(")[0].split("::")[-1])
    )
    rows = {value.key: value.writer for group in panels["state"].model.groups for value in group.values}
    assert rows["RENDERTARGET"] == capture.state(event)["RENDERTARGET"].writer
    assert not real.banner.isVisible()


def test_the_picture_and_its_numbers_are_the_facades(qtbot: Any, real: Window) -> None:
    capture = real.desk.capture
    real.docks.bring("surface")
    for surface in capture.surfaces(len(capture.events) - 1):
        if surface.kind == "buffer":
            continue
        event, level = capture.frames[-1].last_event, surface.levels - 1
        real.desk.focus.go_to(Focus(event=event, surface=surface.handle, level=level))
        settle(qtbot, real, 20_000)
        picture = real.surface.picture
        assert picture is not None, real.surface.view.message
        assert np.array_equal(picture.argb, argb_of_rgba(capture.image(event, Subresource(surface.handle, level))))
        assert picture.raw is None or picture.raw.shape == picture.argb.shape
        assert picture.format.name == surface.format


def test_what_plays_a_role_is_told_in_full(qtbot: Any, real: Window) -> None:
    """Also of a level, which has a handle of its own."""
    capture, texture = real.desk.capture, 5
    event = next(
        int(draw) for draw in capture.draws if capture.frame_of(int(draw)) == 4 and capture.render_target(int(draw)) == 2
    )
    for surface, handle in (("render_target", 2), ("depth", 3), ("back_buffer", 2), (texture + 1, texture)):
        real.desk.focus.go_to(Focus(event=event, surface=surface))
        settle(qtbot, real, 20_000)
        info = next(one for one in real.desk.capture.surfaces(event) if one.handle == handle)
        shown = next(one for one in real.inspector.facts.sections if any(fact.name == "Handle" for fact in one.facts))
        facts = {fact.name: fact.value for fact in shown.facts}
        assert facts["Handle"] == str(handle) and facts["Format"] == info.format
        assert facts["Size"] == f"{info.width} × {info.height}"


def test_a_draw_is_watched_primitive_by_primitive(qtbot: Any, real: Window) -> None:
    capture, surface = real.desk.capture, real.surface
    event = int(capture.draws[3])
    count = capture.primitives(event)
    real.desk.focus.go(event=event)
    settle(qtbot, real, 20_000)
    assert surface.scrubber.isVisible() and surface.scrubber.slider.value() == count
    surface.scrubber.slider.setValue(count // 2)
    settle(qtbot, real, 20_000)
    assert real.desk.focus.focus.primitive == count // 2
    expected = argb_of_rgba(capture.image(event, primitive=count // 2))
    assert surface.picture is not None and np.array_equal(surface.picture.argb, expected)
    assert not np.array_equal(expected, argb_of_rgba(capture.image(event)))
    surface.scrubber.slider.setValue(count)
    assert real.desk.focus.focus.primitive is None


def test_primitives_are_walked_from_draw_to_draw(qtbot: Any, real: Window) -> None:
    capture, focus = real.desk.capture, real.desk.focus
    first, second = map(int, capture.draws[3:5])
    focus.go(event=first)
    real.actions_by_name["next-primitive"].trigger()
    assert (focus.focus.event, focus.focus.primitive) == (first, 0)
    focus.go(primitive=capture.primitives(first) - 1)
    real.actions_by_name["next-primitive"].trigger()
    assert (focus.focus.event, focus.focus.primitive) == (second, 0)
    real.actions_by_name["previous-primitive"].trigger()
    assert (focus.focus.event, focus.focus.primitive) == (first, capture.primitives(first) - 1)
