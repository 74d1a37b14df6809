"""How a pixel of a primitive got its colour, asked of whole captures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from inspector.query.pixels.shading import Shading, shading


def first_covered(capture: inspector.Capture) -> tuple[int, int, int, Shading]:
    """(event, x, y, its shading): the middle of the first triangle of the first draw where that is visible."""
    for event in capture.draws.tolist():
        corners = capture.vertices(event, "transformed").rows[:3]
        x, y = (round(float(np.mean(corners[name]))) for name in ("screen.x", "screen.y"))
        found = shading(capture, event, 0, x, y)
        if found is not None:
            return event, x, y, found
    raise AssertionError("no draw covers the middle of its first triangle")


def test_stages_of_an_opaque_draw_end_in_the_picture(room: inspector.Capture) -> None:
    event, x, y, found = first_covered(room)
    assert not found.shader and not found.killed
    assert found.steps[-1].title.startswith(f"stage {len(found.steps) - 1}: ")
    assert found.steps[-1].values["current"] == found.result
    shown = room.image(event)[y, x, :3].astype(int)
    assert np.abs(shown - np.array(found.result[:3]) * 255).max() <= 1


def test_a_primitive_that_is_not_there_has_no_shading(room: inspector.Capture) -> None:
    event, x, y, _ = first_covered(room)
    assert shading(room, event, 1_000_000, x, y) is None


def test_asking_leaves_the_replay_as_it_was(room: inspector.Capture) -> None:
    last = int(room.draws[-1])
    before = room.image(last)
    first_covered(room)
    assert np.array_equal(room.image(last), before)


def test_instructions_carry_their_text(captures: Path) -> None:
    with inspector.open(captures / "apps" / "attests_tri_pp.trace") as capture:
        event, x, y, found = first_covered(capture)
        assert found.shader
        assert found.steps[-1].title == "mov r0, v0"
        assert found.steps[-1].values["r0"] == found.result
        assert np.abs(capture.image(event)[y, x, :3] - np.array(found.result[:3]) * 255).max() <= 1


def test_stages_of_a_pixel_are_the_draws_own(room: inspector.Capture) -> None:
    """Of two primitives of one draw, and where neither is."""
    found = shading(room, 2790, 1, 320, 240)
    assert found is not None and not found.shader
    assert list(found.late.colors) == ["stages"] and found.late.fog_factor == 1.0
    assert shading(room, 2790, 0, 320, 240) is None
    fogged = shading(room, 2910, 175, 320, 240)
    assert fogged is not None and list(fogged.late.colors) == ["stages", "fog"]
    assert fogged.late.fog_factor == pytest.approx(0.468317, abs=1e-6)
