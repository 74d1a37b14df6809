"""Overlays over sheets: each part has its own, and the legend counts all of them."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector import Overlay, Sheet, SheetOverlay
from inspector.query.looks.sheet import Orthoslices
from inspector.query.pixels.layers import BLUE, GREEN, Layer, Meaning, Rgb
from inspector.query.pixels.sheet_overlay import composed, merged
from tests.inspector.query.looks.surfaces import CUBE, LEVELS, SIDES, VOLUME, last


def test_a_part_shown_at_half_its_size_is_counted_in_full(room: inspector.Capture) -> None:
    sheet, alone = room.ask(Sheet(3026)), room.ask(Overlay("tests", 3026))
    found = room.ask(SheetOverlay("tests", 3026, sheet))
    (tile,) = sheet.tiles
    assert tile.step == 2 and found.legend == alone.legend
    area = found.rgba[tile.top : tile.top + tile.height, tile.left : tile.left + tile.width]
    assert np.array_equal(area, alone.rgba[::2, ::2]) and not found.rgba[~sheet.covered].any()


def test_each_face_and_level_has_its_writer(known: inspector.Capture) -> None:
    event = last(known)
    sheet = known.ask(Sheet(event, CUBE))
    found = known.ask(SheetOverlay("last_writer", event, sheet))
    assert len(found.parts) == 6 * LEVELS
    for tile in sheet.tiles:
        alone = known.ask(Overlay("last_writer", event, tile.where))
        for x, y in ((0, 0), (tile.width - 1, tile.height - 1)):
            texel = tile.texel(tile.left + x, tile.top + y)
            assert texel is not None
            writer = found.writer_at(tile.left + x, tile.top + y)
            assert writer is not None and writer == alone.writer_at(*texel[:2])
            assert (found.rgba[tile.top + y, tile.left + x] == alone.rgba[texel[1], texel[0]]).all()
    assert found.writer_at(0, 0) is None
    sides = [known.image(event, Subresource(CUBE, level)).shape[0] for level in range(LEVELS)]
    assert sum(meaning.pixels for meaning in found.meanings) == 6 * sum(side * side for side in sides)


def test_cuts_show_the_overlay_of_the_slice_that_they_go_through(known: inspector.Capture) -> None:
    event, cross = last(known), (1, 2, 0)
    cuts = known.ask(Orthoslices(event, VOLUME, 0, cross))
    found = known.ask(SheetOverlay("last_writer", event, cuts))
    assert len(found.parts) == SIDES[2] and sum(meaning.pixels for meaning in found.meanings) == np.prod(SIDES)
    for y, x in np.argwhere(cuts.covered).tolist():
        hit = cuts.at(x, y)
        assert hit is not None
        alone = known.ask(Overlay("last_writer", event, Subresource(VOLUME, slice=hit[1][2])))
        assert (found.rgba[y, x] == alone.rgba[hit[1][1], hit[1][0]]).all()
        assert found.writer_at(x, y) == alone.writer_at(*hit[1][:2])


def test_every_pixel_of_a_cut_is_from_the_slice_that_it_shows(known: inspector.Capture) -> None:
    cuts = known.ask(Orthoslices(last(known), VOLUME, 0, (1, 2, 0)))
    places = {n: Subresource(VOLUME, slice=n) for n in range(SIDES[2])}
    layers = {place: Layer(np.full((SIDES[1], SIDES[0], 4), 10 + slice, np.uint8), (), "") for slice, place in places.items()}
    found = composed(cuts, layers)
    for y, x in np.argwhere(cuts.covered).tolist():
        hit = cuts.at(x, y)
        assert hit is not None and found[y, x].tolist() == [10 + hit[1][2]] * 4


def test_the_same_meaning_is_counted_once_and_keeps_its_place() -> None:
    def rows(*parts: tuple[Rgb, str, int]) -> tuple[Meaning, ...]:
        return tuple(Meaning(*part) for part in parts)

    one, other = rows((BLUE, "1", 5), (BLUE, "4", 2)), rows((BLUE, "1", 1), (GREEN, "2", 9), (BLUE, "4", 3))
    assert merged([one, other], False) == rows((BLUE, "1", 6), (GREEN, "2", 9), (BLUE, "4", 5))
    assert merged([one, other], True) == rows((GREEN, "2", 9), (BLUE, "1", 6), (BLUE, "4", 5))


def test_what_needs_many_frames_for_each_part_is_refused(known: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="age is known of one level"):
        known.ask(SheetOverlay("age", last(known), known.ask(Sheet(last(known), CUBE))))
