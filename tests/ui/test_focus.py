"""The one focus: it moves, remembers, and never loops."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.focus import Focus
from ui.focus import HISTORY_LENGTH, FocusModel

places = st.builds(
    Focus,
    event=st.integers(-5, 120),
    surface=st.one_of(st.just("render_target"), st.integers(1, 5)),
    level=st.integers(0, 3),
    pixel=st.one_of(st.none(), st.tuples(st.integers(0, 9), st.integers(0, 9))),
)


@pytest.fixture
def model(qtbot: Any) -> FocusModel:
    model = FocusModel()
    model.reset(lambda: 100)
    return model


def test_moving_is_told_once_with_both_places(model: FocusModel) -> None:
    told: list[tuple[Focus, Focus]] = []
    model.changed.connect(lambda new, old: told.append((new, old)))
    assert model.go(event=7)
    assert not model.go(event=7)
    assert told == [(Focus(event=7), Focus())]


def test_a_panel_that_answers_a_move_with_the_same_move_does_not_loop(model: FocusModel) -> None:
    told = []
    model.changed.connect(lambda new, old: (told.append(new.event), model.go(event=new.event)))
    model.go(event=3)
    assert told == [3]


def test_events_stay_inside_the_capture(model: FocusModel) -> None:
    model.go(event=1000)
    assert model.focus.event == 99
    model.go(event=-1)
    assert model.focus.event == 0


def test_another_surface_forgets_the_pixel_and_the_level(model: FocusModel) -> None:
    model.go(surface=3, level=2)
    model.go(pixel=(4, 5))
    model.go(surface=4)
    assert model.focus == Focus(surface=4)


def test_another_event_keeps_the_pixel_but_not_the_vertex(model: FocusModel) -> None:
    model.go(pixel=(4, 5), vertex=2)
    model.go(event=1)
    assert model.focus.pixel == (4, 5)
    assert model.focus.vertex is None


def test_another_pixel_or_vertex_begins_with_its_first_step(model: FocusModel) -> None:
    for place in ({"vertex": 3}, {"pixel": (4, 5)}):
        model.go(step=7)
        model.go(**place)
        assert model.focus.step is None
    model.go(vertex=5, step=2)
    assert model.focus.step == 2


def test_a_drag_is_one_step_of_the_history(model: FocusModel) -> None:
    model.go(event=10)
    for event in range(20, 30):
        model.go("scrub", event=event)
    model.back()
    assert model.focus.event == 10
    model.forward()
    assert model.focus.event == 29


def test_a_move_after_going_back_forgets_what_was_ahead(model: FocusModel) -> None:
    model.go(event=1)
    model.go(event=2)
    model.back()
    model.go(event=5)
    assert not model.can_go_forward
    model.back()
    assert model.focus.event == 1


def test_the_history_is_bounded(model: FocusModel) -> None:
    for i in range(HISTORY_LENGTH + 50):
        model.go(event=i % 97)
    steps = 0
    while model.can_go_back:
        model.back()
        steps += 1
    assert steps == HISTORY_LENGTH - 1


@given(st.lists(places, max_size=12))
def test_back_and_forward_retrace_every_place(visited: list[Focus]) -> None:
    model = FocusModel()
    model.reset(lambda: 100)
    seen = [model.focus]
    for place in visited:
        if model.go_to(place):
            seen.append(model.focus)
    for place in reversed(seen[:-1]):
        model.back()
        assert model.focus == place
    for place in seen[1:]:
        model.forward()
        assert model.focus == place
    assert not model.can_go_forward


@given(places)
def test_every_place_has_a_text_that_leads_back(place: Focus) -> None:
    assert Focus.parse(place.text()) == place
