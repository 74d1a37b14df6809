"""All parts of a surface on a sheet, volumes cut in three directions, two pictures together."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from core.spec.subresource import Subresource
from inspector.query.looks.look import Look
from inspector.query.looks.pair import GAP, ONLY_ALPHA, Pair, both
from inspector.query.looks.sheet import Orthoslices, Sheet, SheetOf
from inspector.query.looks.tones import Tones
from tests.inspector.conftest import ROOM
from tests.inspector.query.looks.surfaces import CUBE, FACES, LEVELS, RAMP, SIDES, VOLUME, last, voxel
from tests.scenes.kit import TARGET


def rgb(word: int) -> list[int]:
    return [word >> 16 & 255, word >> 8 & 255, word & 255]


def test_a_sheet_has_every_face_and_level_once(known: inspector.Capture) -> None:
    found: SheetOf = known.ask(Sheet(last(known), CUBE))
    assert [tile.where for tile in found.tiles] == [
        Subresource(CUBE, level, face) for face in range(6) for level in range(LEVELS)
    ]
    assert found.tiles[0].title == "+X  level 0" and found.tiles[-1].title == "-Z  level 2"
    covered = np.zeros(found.rgba.shape[:2], int)
    for tile in found.tiles:
        area = slice(tile.top, tile.top + tile.height), slice(tile.left, tile.left + tile.width)
        covered[area] += 1
        wanted = [*rgb(FACES[tile.where.face] - tile.where.level), 255 if FACES[tile.where.face] else 0]
        assert (found.rgba[area][..., :3] == wanted[:3]).all()
    assert covered.max() == 1 and (found.rgba[covered == 0] == 0).all()


def test_a_place_on_a_sheet_is_a_texel_of_a_tile(known: inspector.Capture) -> None:
    found: SheetOf = known.ask(Sheet(last(known), VOLUME))
    assert [tile.title for tile in found.tiles] == ["slice 0", "slice 1"]
    seen = set()
    for y in range(found.rgba.shape[0]):
        for x in range(found.rgba.shape[1]):
            if hit := found.at(x, y):
                seen.add(hit[1])
                assert tuple(found.rgba[y, x]) == voxel(*hit[1]) and hit[0].where.slice == hit[1][2]
    assert len(seen) == np.prod(SIDES)
    assert found.at(0, 0) is None and found.at(10**6, 5) is None


def test_large_surfaces_show_every_nth_texel(room: inspector.Capture) -> None:
    found: SheetOf = room.ask(Sheet(3026))
    (tile,) = found.tiles
    assert tile.step == 2 and (tile.width, tile.height) == (320, 240)
    picture = room.image(3026)[::2, ::2]
    assert np.array_equal(found.rgba[tile.top : tile.top + 240, tile.left : tile.left + 320], picture)


@pytest.mark.parametrize("cross", [(0, 0, 0), (3, 2, 1), (1, 2, 0)])
def test_three_cuts_go_through_one_texel(known: inspector.Capture, cross: tuple[int, int, int]) -> None:
    found: SheetOf = known.ask(Orthoslices(last(known), VOLUME, 0, cross))
    for tile, fixed in zip(found.tiles, (2, 0, 1), strict=True):
        texels = set()
        for y in range(tile.top, tile.top + tile.height):
            for x in range(tile.left, tile.left + tile.width):
                texel = tile.texel(x, y)
                assert texel is not None and texel[fixed] == cross[fixed]
                assert tuple(found.rgba[y, x]) == voxel(*texel)
                texels.add(texel)
        assert len(texels) == np.prod([side for axis, side in enumerate(SIDES) if axis != fixed])
        assert cross in texels


def test_tones_count_on_sheets_and_cuts(known: inspector.Capture) -> None:
    dark = known.ask(Orthoslices(last(known), VOLUME, 0, (3, 2, 1), Tones(0, 2))).rgba
    plain = known.ask(Orthoslices(last(known), VOLUME, 0, (3, 2, 1))).rgba
    assert np.abs(dark[..., :3].astype(int) * 2 - plain[..., :3]).max() <= 1
    assert known.ask(Sheet(last(known), VOLUME, Tones(1, 0))).rgba[..., 0].max() == 255


def test_what_is_no_volume_or_outside_is_refused(known: inspector.Capture) -> None:
    for query in (
        Orthoslices(last(known), CUBE), Orthoslices(last(known), VOLUME, 1), Orthoslices(last(known), VOLUME, 0, (4, 0, 0)),
        Orthoslices(last(known), VOLUME, 0, (0, 0, 2)), Sheet(last(known), 12345),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            known.ask(query)


def test_two_moments_side_by_side_wiped_and_subtracted(known: inspector.Capture) -> None:
    """Before the last draw the target is black, after it the left half is red."""
    after, before = Look(last(known)), Look(last(known), when="before")
    side = known.ask(Pair(after, before, "side")).rgba
    assert side.shape == (64, 128 + GAP, 4) and (side[:, 64 : 64 + GAP] == 0).all()
    assert (side[:, :32] == [255, 0, 0, 255]).all() and (side[:, 64 + GAP :, :3] == 0).all()
    wiped = known.ask(Pair(after, before, "wipe", split=0.25)).rgba
    assert (wiped[:, :16] == [255, 0, 0, 255]).all() and (wiped[:, 16:, :3] == 0).all()
    apart = known.ask(Pair(after, before))
    assert (apart.changed, apart.largest) == (32 * 64, 255) and (apart.rgba[:, :32] == [255, 0, 0, 255]).all()
    assert known.ask(Pair(after, after)).changed == 0


def test_small_differences_are_amplified_and_alpha_alone_is_marked() -> None:
    first = np.full((1, 3, 4), 100, np.uint8)
    second = first.copy()
    second[0, 0, 1], second[0, 1, 3] = 103, 90
    found = both(first, second, "difference", 8)
    assert found.rgba[0].tolist() == [[0, 24, 0, 255], [*ONLY_ALPHA, 255], [0, 0, 0, 255]]
    assert (found.changed, found.largest) == (2, 10)


def test_other_sizes_only_go_side_by_side(known: inspector.Capture) -> None:
    target, ramp = Look(last(known), TARGET), Look(last(known), RAMP)
    assert known.ask(Pair(target, ramp, "side")).rgba.shape == (64, 64 + GAP + 256, 4)
    for query in (Pair(target, ramp), Pair(target, ramp, "wipe"), Pair(target, target, "flip")):
        with pytest.raises(BadInput):
            known.ask(query)


def test_faces_without_levels_are_three_to_a_row() -> None:
    with inspector.open(ROOM.parent / "samples" / "reflections.ddicap") as capture:
        event = len(capture.events) - 1
        cube = next(info for info in capture.surfaces(event) if info.kind == "cube" and info.levels == 1)
        tiles = capture.ask(Sheet(event, cube.handle)).tiles
        assert [tile.title for tile in tiles] == ["+X", "-X", "+Y", "-Y", "+Z", "-Z"]
        assert len({tile.top for tile in tiles[:3]}) == len({tile.top for tile in tiles[3:]}) == 1
        assert tiles[3].top > tiles[0].top and tiles[3].left == tiles[0].left
        for shape, columns in ((4.0, 6), (0.5, 2)):
            tiles = capture.ask(Sheet(event, cube.handle, shape=shape)).tiles
            assert [tile.top for tile in tiles].count(tiles[0].top) == columns


@pytest.mark.parametrize(("shape", "columns"), [(1.0, 6), (3.0, 10), (0.25, 3), (1e6, 32), (0.0, 1)])
def test_slices_are_laid_out_for_the_place_that_they_have(room: inspector.Capture, shape: float, columns: int) -> None:
    """32 slices of 32 by 32 texels."""
    found = room.ask(Sheet(3026, 39, shape=shape))
    assert [tile.top for tile in found.tiles].count(found.tiles[0].top) == columns
    assert [tile.where.slice for tile in found.tiles] == list(range(32))
    assert found.tiles[31].short == "31"
