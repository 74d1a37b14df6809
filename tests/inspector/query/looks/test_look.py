"""Pictures before and after events, and what changed between them."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.subresource import Subresource
from core.spec.tokens import Op
from inspector.query.looks.look import Look, changed
from inspector.query.looks.thumbnails import Thumbnail
from tests.inspector.query.looks.surfaces import BLOCKS, BUMP, CUBE, DEPTH, INDEXED, RAMP, TARGET

TORUS = 1340


def test_before_and_after_are_the_pictures_of_these_moments(room: inspector.Capture) -> None:
    for primitive, before in ((None, (TORUS - 1, None)), (0, (TORUS - 1, None)), (300, (TORUS, 299))):
        found = room.ask(Look(TORUS, "render_target", primitive, "before"))
        assert (found.event, found.primitive) == before
        assert np.array_equal(found.rgba, room.image(before[0], primitive=before[1]))
        assert np.array_equal(room.ask(Look(TORUS, "render_target", primitive)).rgba, room.image(TORUS, primitive=primitive))


def test_only_what_changed_keeps_its_colour(room: inspector.Capture) -> None:
    old, new = room.image(TORUS - 1), room.image(TORUS)
    same = (old == new).all(-1)
    found = room.ask(Look(TORUS, when="changed"))
    assert found.changed_only and 0 < same.sum() < same.size
    assert np.array_equal(found.rgba[~same], new[~same])
    dark = new[same][:, 1] // 4
    assert np.array_equal(found.rgba[same], np.stack([dark, dark, dark, np.full_like(dark, 255)], axis=-1))


@pytest.mark.parametrize("handle", [RAMP, CUBE, BUMP, INDEXED, BLOCKS, DEPTH, TARGET])
def test_what_did_not_change_is_grey_in_every_format(known: inspector.Capture, handle: int) -> None:
    found = known.ask(Look(len(known.events) - 1, handle, when="changed"))
    same = known.image(len(known.events) - 2, handle) == known.image(len(known.events) - 1, handle)
    greys = found.rgba[same.all(-1)]
    assert found.changed_only and len(greys) and (greys[:, :3] == greys[:, :1]).all() and greys[:, :3].max() < 64


def test_another_render_target_is_compared_with_itself(room: inspector.Capture) -> None:
    """An event that only sets the target changes no pixel."""
    sets = np.flatnonzero(room.events.op == Op["SETRENDERTARGET"]).tolist()
    event = next(event for event in sets if room.render_target(event - 1) not in (None, room.render_target(event)))
    found = room.ask(Look(event, when="changed"))
    assert found.handle == room.render_target(event) and found.changed_only
    assert (found.rgba[..., 0] == found.rgba[..., 1]).all() and found.rgba[..., 1].max() < 64


def test_of_a_new_surface_everything_is_new(room: inspector.Capture) -> None:
    info = next(one for one in room.surfaces(len(room.events) - 1) if one.kind == "2d" and one.created > 0)
    found = room.ask(Look(info.created, info.handle, when="changed"))
    assert not found.changed_only and np.array_equal(found.rgba, room.image(info.created, info.handle))
    with pytest.raises(BadInput):
        room.ask(Look(info.created, info.handle, when="before"))


def test_a_subresource_says_whose_it_is(room: inspector.Capture) -> None:
    found = room.ask(Look(1423, Subresource(23, level=2)))
    assert found.resource == 23 and found.handle == room.resolve(1423, Subresource(23, level=2))[1] != 23  # type: ignore[index]
    rows, form = room.stored(1423, Subresource(23, level=2))
    assert np.array_equal(found.stored, rows) and found.format is form


def test_unknown_moments_are_refused(room: inspector.Capture) -> None:
    for query in (Look(0, when="before"), Look(5, when="later"), Look(len(room.events)), Look(5, 12345)):
        with pytest.raises(BadInput):
            room.ask(query)


def test_other_sizes_are_all_new() -> None:
    after = np.array([[1, 2]], np.uint32)
    assert changed(np.array([[1]], np.uint32), after) is after


def test_a_thumbnail_is_every_nth_pixel(room: inspector.Capture) -> None:
    whole = room.image(TORUS)
    assert np.array_equal(room.ask(Thumbnail(TORUS, pixels=160)), whole[::3, ::3])
    assert np.array_equal(room.ask(Thumbnail(TORUS, pixels=400)), whole)
