"""The wire frame of a draw: only what is in the picture is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from core.errors import BadInput
from inspector.query.looks.wires import CHOSEN, WireFrame, Wires, within

DRAW, WIDTH, HEIGHT = 3026, 8, 6
ENDS = st.tuples(*[st.integers(-20, 20)] * 4)
NONE = np.zeros((0, 4), np.float32)


@given(ENDS)
def test_what_is_left_of_an_edge_are_its_points_in_the_picture(edge: tuple[int, int, int, int]) -> None:
    """Against points along it, one by one."""
    begin, end = np.array(edge[:2], float), np.array(edge[2:], float)
    points = begin + np.linspace(0, 1, 2001)[:, None] * (end - begin)
    inside = points[((points >= 0) & (points <= (WIDTH, HEIGHT))).all(axis=1)]
    found = within(np.array([edge]), WIDTH, HEIGHT)
    if len(inside) > 1:
        assert np.allclose(found, [[*inside[0], *inside[-1]]], atol=np.abs(end - begin).max() / 1000)
    elif len(found):  # it touches the border between two of the points
        assert np.abs(found[0, :2] - found[0, 2:]).max() <= np.abs(end - begin).max() / 1000


def test_a_line_goes_through_the_centres_of_its_pixels() -> None:
    picture = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    row = Wires(NONE, NONE, np.array([[-1e9, 2.5, 1e9, 2.5]], np.float32)).over(picture)
    assert (row[2] == CHOSEN).all() and not row[[0, 1, 3, 4, 5], :, :3].any() and (row[..., 3] == 255).all()


def test_the_chosen_primitive_lies_over_the_others(room: inspector.Capture) -> None:
    wires = room.ask(WireFrame(DRAW, 5))
    shown = wires.over(room.image(DRAW))
    ends = (wires.chosen.reshape(-1, 2) - 0.5).round().astype(int)
    assert len(wires.chosen) >= 3 and (shown[ends[:, 1], ends[:, 0]] == CHOSEN).all()


def test_without_a_draw_there_are_no_wires(room: inspector.Capture) -> None:
    for event in (DRAW + 1, len(room.events)):
        with pytest.raises(BadInput):
            room.ask(WireFrame(event))
