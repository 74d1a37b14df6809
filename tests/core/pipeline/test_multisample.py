"""Multisampling: coverage, depth and masks per sample, colour per pixel."""

from __future__ import annotations

import numpy as np
import pytest

from core.pipeline.records.layout import from_blocks
from core.pipeline.surface.resolve import resolve
from tests.core.pipeline.raster_kit import Kit, format_named, lines, rectangle, vertex


def resolved(kit: Kit) -> np.ndarray:
    return from_blocks(resolve(kit.color, kit.samples, format_named(kit.color_format)), kit.width, kit.height)


def positions(samples: int) -> np.ndarray:
    kit = Kit(samples=samples).add(rectangle(0, 0, 1, 1))
    state = kit.batch.states[0]
    return np.stack([state["sample_x"], state["sample_y"]], 1)[:samples] / 256


@pytest.mark.parametrize("samples", range(2, 17))
def test_samples_lie_in_columns_and_rows_of_their_own(samples):
    place = positions(samples)
    assert (np.abs(place) < 0.5).all()
    cells = np.floor((place + 0.5) * samples)
    for axis in (0, 1):
        assert sorted(cells[:, axis]) == list(range(samples))


def test_four_samples_are_the_rotated_grid():
    assert sorted(map(tuple, positions(4) * 8)) == [(-3, 1), (-1, -3), (1, 3), (3, -1)]


@pytest.mark.parametrize("samples", [2, 4, 5, 16])
def test_each_sample_is_covered_by_the_rule_at_its_own_place(samples):
    """A vertical edge at x = 3.1: samples whose x lies left of it are in."""
    kit = Kit(samples=samples)
    kit.draw(rectangle(-5, -5, 3.1, 20))
    place = positions(samples)
    for sample in range(samples):
        covered = kit.image(sample)[4] != 0
        assert covered.tolist() == [x + place[sample, 0] < np.round(3.1 * 256) / 256 for x in range(8)]


def test_interior_is_the_same_in_all_samples():
    kit = Kit(70, 70, samples=4)
    shape = np.stack([vertex(3, 3, diffuse=(1, 0, 0, 1)), vertex(60, 5, diffuse=(0, 1, 0, 1)), vertex(10, 66)])
    kit.draw(shape)
    plain = Kit(70, 70).draw(shape)
    inside = np.logical_and.reduce([kit.image(s) != 0 for s in range(4)]) & (plain != 0)
    assert inside.sum() > 1000
    for sample in range(4):
        assert (kit.image(sample)[inside] == plain[inside]).all()


def test_without_antialiasing_samples_take_the_centre():
    kit = Kit(70, 70, samples=4).set(MULTISAMPLEANTIALIAS=0)
    shape = np.stack([vertex(3.3, 3.1), vertex(60, 5.7), vertex(10.2, 66)])
    kit.draw(shape)
    for sample in range(4):
        assert (kit.image(sample) == Kit(70, 70).draw(shape)).all()


def test_sample_mask_half_of_the_samples():
    """Wine's test_sample_mask: red, then white with mask 5 of 4 samples, resolves to 0xffff8080."""
    kit = Kit(samples=4)
    kit.add(rectangle(-1, -1, 9, 9, diffuse=(1, 0, 0, 1))).set(MULTISAMPLEMASK=5).add(rectangle(-1, -1, 9, 9))
    kit.run()
    assert (resolved(kit) == 0xFFFF8080).all()


def test_depth_is_per_sample():
    """Two planes that cross along x = 4: each wins on its own side, sample by sample."""
    kit = Kit(depth_format="D24S8", samples=4).set(ZENABLE=1, ZFUNC=4, ZWRITEENABLE=1)
    kit.depth[:] = 0xFFFFFFFF

    def slope(left: float, right: float, diffuse: tuple) -> np.ndarray:
        shape = rectangle(-1, -1, 9, 9, diffuse=diffuse)
        shape[:, 2] = np.where(shape[:, 0] < 0, left, right)
        return shape

    kit.add(slope(0.0, 1.0, (1, 0, 0, 1))).add(slope(1.0, 0.0, (0, 1, 0, 1))).run()
    place = positions(4)
    for sample in range(4):
        for x in (3, 4):
            red = kit.image(sample)[3, x] == 0xFFFF0000
            assert red == (x + place[sample, 0] < 4)


def test_lines_cover_all_samples():
    kit = Kit(samples=4)
    kit.draw(np.stack([vertex(1, 2), vertex(6, 2)]), lines(1))
    for sample in range(4):
        assert np.nonzero(kit.image(sample)[2])[0].tolist() == [1, 2, 3, 4, 5, 6]
