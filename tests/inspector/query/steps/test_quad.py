"""A fragment's quad, and a value over its primitive: both against the runs of the single pixels."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.pixels.writers import PixelsOf
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.quad import QuadAt
from inspector.query.steps.spread import Spread, SpreadOf

FIXED, SHADED = (5, 400, 280), (4, 410, 362)
"""(draw, x, y): through texture stages, and through a pixel shader."""


def at(capture: inspector.Capture, place: tuple[int, int, int]) -> tuple[int, int, int]:
    return int(capture.draws[place[0]]), place[1], place[2]


@pytest.mark.parametrize("place", [FIXED, SHADED])
def test_the_pixels_of_a_quad_are_those_of_their_own_runs(room: inspector.Capture, place: tuple[int, int, int]) -> None:
    event, x, y = at(room, place)
    quad = room.ask(QuadAt(event, x, y))
    assert quad.places == ((x & ~1, y & ~1), (x | 1, y & ~1), (x & ~1, y | 1), (x | 1, y | 1))
    assert quad.places[quad.at] == (x, y)
    compared = 0
    for n, (px, py) in enumerate(quad.places):
        if not quad.covered[n]:
            continue
        run = room.ask(StepPixel(event, px, py, quad.primitive))
        for step in run.steps:
            for value in step.writes:
                mine = next((row for row in quad.values if (row.step, row.name) == (step.title, value.name)), None)
                if mine is not None:
                    assert mine.values[n] == value.value, (px, py, step.title, value.name)
                    compared += 1
    assert compared >= 4


def test_differences_are_those_between_neighbours(room: inspector.Capture) -> None:
    quad = room.ask(QuadAt(*at(room, FIXED)))
    t0 = next(row for row in quad.values if row.name == "t0")
    np.testing.assert_array_equal(t0.dx, np.array(t0.values[1]) - t0.values[0])
    np.testing.assert_array_equal(t0.dy, np.array(t0.values[2]) - t0.values[0])
    lod = next(row for row in quad.values if row.name == "level of detail")
    step = next(step for step in room.ask(StepPixel(*at(room, FIXED))).steps if step.stage == "sample")
    assert f"level of detail {lod.values[quad.at][0]:.3f}" in step.note


def test_pixels_beside_the_primitive_are_not_covered(room: inspector.Capture) -> None:
    event, x, y = at(room, SHADED)
    primitive = room.ask(StepPixel(event, x, y)).primitive
    covered = room.ask(PixelsOf(event, primitive)).covered
    rows, columns = np.nonzero(covered)
    for px, py in zip(columns.tolist(), rows.tolist(), strict=True):
        quad = room.ask(QuadAt(event, px, py, primitive))
        assert list(quad.covered) == [bool(covered[v, u]) for u, v in quad.places]
    assert not all(room.ask(QuadAt(event, int(columns[0]), int(rows[0]), primitive)).covered), "at its upper edge"


@pytest.mark.parametrize(
    ("place", "names"), [(FIXED, ["diffuse", "t0", "t1", "texture", "current"]), (SHADED, ["v0", "t0", "r0"])]
)
def test_a_value_over_a_primitive_is_that_of_each_pixel(
    room: inspector.Capture, place: tuple[int, int, int], names: list[str]
) -> None:
    event, x, y = at(room, place)
    run = room.ask(StepPixel(event, x, y))
    seen = []
    covered = room.ask(PixelsOf(event, run.primitive)).covered
    for number, step in enumerate(run.steps):
        for name in {value.name for value in step.writes} & set(names):
            spread = room.ask(SpreadOf(event, x, y, number, name))
            seen.append(name)
            window = covered[spread.top : spread.top + len(spread.values), spread.left : spread.left + spread.values.shape[1]]
            np.testing.assert_array_equal(spread.covered, window)
            assert window.sum() == covered.sum()
            for v, u in np.argwhere(window)[:: max(int(window.sum()) // 7, 1)].tolist():
                other = room.ask(StepPixel(event, u + spread.left, v + spread.top, run.primitive)).steps[number]
                value = next(one.value for one in other.writes if one.name == name)
                np.testing.assert_allclose(spread.values[v, u, : len(value)], value, rtol=1e-6, atol=1e-7)
    assert sorted(set(seen)) == sorted(names)


def test_arguments_are_drawn_too(room: inspector.Capture) -> None:
    event, x, y = at(room, FIXED)
    run = room.ask(StepPixel(event, x, y))
    number = next(n for n, step in enumerate(run.steps) if step.title.startswith("stage 1"))
    for value in run.steps[number].reads:
        spread = room.ask(SpreadOf(event, x, y, number, value.name))
        np.testing.assert_array_equal(spread.values[y - spread.top, x - spread.left], value.value)


def test_what_is_no_value_of_every_pixel_is_refused(room: inspector.Capture) -> None:
    event, x, y = at(room, FIXED)
    with pytest.raises(BadInput, match="cannot be drawn over the primitive"):
        room.ask(SpreadOf(event, x, y, 99, "result"))
    with pytest.raises(BadInput, match="unknown value 'r7'"):
        room.ask(SpreadOf(event, x, y, 99, "r7"))
    with pytest.raises(BadInput, match="makes no fragment"):
        room.ask(QuadAt(event, 2, 2))


def test_a_picture_shows_colours_as_they_are_and_others_by_their_range() -> None:
    values = np.full((1, 3, 4), np.nan, np.float32)
    values[0, 0], values[0, 1] = (0.0, 0.5, 1.0, 1.0), (0.2, 0.2, 0.2, 1.0)
    colors = Spread("diffuse", "", 0, 0, values)
    assert colors.image()[0].tolist() == [[0, 128, 255, 255], [51, 51, 51, 255], [0, 0, 0, 0]]
    far = Spread("t0", "", 0, 0, values * 4 - 1)
    assert far.range == (-1.0, 3.0) and far.image()[0, 0].tolist() == [0, 128, 255, 255]
    assert Spread("t0", "", 0, 0, values * 0).image()[0, 0].tolist() == [0, 0, 0, 255], "0 is black"
