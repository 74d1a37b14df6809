"""Which pixels triangles and lines cover."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.core.pipeline.raster_kit import Kit, lines, rectangle, triangles, vertex


def test_fill_convention_of_four_triangles():
    """Verified on drivers by Wine's test_filling_convention (semantics section 2)."""
    left, top = [(2, 1), (3, 3), (2, 5)], [(2, 1), (4, 1), (3, 3)]
    right, bottom = [(4, 1), (4, 5), (3, 3)], [(3, 3), (4, 5), (2, 5)]
    kit = Kit()
    kit.set(CULLMODE=1)
    codes = {"L": (1, 0, 0, 0), "T": (0, 1, 0, 0), "R": (0, 0, 1, 0), "B": (1, 1, 1, 0)}
    for shape, name in ((left, "L"), (top, "T"), (right, "R"), (bottom, "B")):
        kit.add(np.stack([vertex(x, y, diffuse=codes[name]) for x, y in shape]))
    image = kit.run().image()
    letters = {0: ".", 0xFF0000: "L", 0xFF00: "T", 0xFF: "R", 0xFFFFFF: "B"}
    rows = ["".join(letters[int(word)] for word in row) for row in image]
    assert rows == ["........", "..TT....", "..LT....", "..LR....", "..LB....", "........", "........", "........"]


def test_rectangle_covers_left_and_top_not_right_and_bottom():
    image = Kit().draw(rectangle(0, 0, 5, 5))
    expected = np.zeros((8, 8), bool)
    expected[:5, :5] = True
    assert ((image != 0) == expected).all()


def brute_force(shape: np.ndarray, width: int, height: int) -> np.ndarray:
    """The rule, pixel by pixel, in exact integers (1/256 pixel)."""
    a, b, c = (tuple(int(np.floor(float(v) * 256 + 0.5)) for v in p) for p in shape)
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if area < 0:
        b, c = c, b
    inside = np.full((height, width), area != 0)
    for (px, py), (qx, qy) in ((a, b), (b, c), (c, a)):
        dx, dy = qx - px, qy - py
        for y in range(height):
            for x in range(width):
                e = dx * (y * 256 - py) - dy * (x * 256 - px)
                inside[y, x] &= e > 0 or (e == 0 and (dy < 0 or (dy == 0 and dx > 0)))
    return inside


def test_random_triangles_against_exact_integers():
    random = np.random.default_rng(3)
    for scale in (10.0, 100.0, 3000.0, 32600.0):  # the last reach the guard band: edge values need more than 32 bits
        for _ in range(16):
            shape = np.round(random.uniform(-scale, 70 + scale, (3, 2)) * 4) / 4
            image = Kit(70, 69).draw(np.stack([vertex(x, y) for x, y in shape]))
            assert ((image != 0) == brute_force(shape, 70, 69)).all(), shape


def test_small_triangles_cover_each_pixel_once():
    """More of them than a queue holds, over the corners of four tiles: those of one to four blocks, and larger ones."""
    random, side = np.random.default_rng(5), 24
    kit = Kit(130, 130).set(ALPHABLENDENABLE=1, SRCBLEND=2, DESTBLEND=2, CULLMODE=1)
    expected, shapes = np.zeros((130, 130), int), []
    for _ in range(300):
        x, y = (int(v) for v in random.choice([40, 56, 90], 2) + random.integers(-3, 4, 2))
        grain = random.choice([2, 16])  # of 1/2 pixel: edges go through centres of pixels
        shape = np.round(random.uniform(1, random.choice([4, 7, side - 1]), (3, 2)) * grain) / grain
        expected[y : y + side, x : x + side] += brute_force(shape, side, side)
        shapes += [vertex(px + x, py + y, diffuse=(1 / 255,) * 4) for px, py in shape]
    image = kit.draw(np.stack(shapes), triangles(300))
    assert (image & 255).tolist() == expected.tolist() and expected.max() > 3


def test_nothing_outside_the_viewport():
    kit = Kit(70, 70)
    for name, value in (("X", 5), ("Y", 66), ("Width", 60), ("Height", 3)):
        kit.put(("VIEWPORT", name), value)
    image = kit.draw(rectangle(-100, -100, 200, 200))
    expected = np.zeros((70, 70), bool)
    expected[66:69, 5:65] = True
    assert ((image != 0) == expected).all()


@pytest.mark.parametrize("mode, drawn", [(1, (True, True)), (2, (False, True)), (3, (True, False))])
def test_culling(mode, drawn):
    """CULL_CW drops clockwise triangles, CULL_CCW counter-clockwise ones (as seen, y down)."""
    clockwise = np.stack([vertex(0, 0), vertex(6, 0), vertex(0, 6)])
    for shape, expected in ((clockwise, drawn[0]), (clockwise[::-1], drawn[1])):
        assert Kit().set(CULLMODE=mode).draw(np.ascontiguousarray(shape)).any() == expected


def test_primitives_beyond_the_guard_band_and_nan_are_counted():
    kit = Kit()
    shape = np.stack([vertex(0, 0), vertex(1e9, 0), vertex(0, 6), vertex(np.nan, 0), vertex(5, 5), vertex(0, 5)])
    kit.add(shape[:0])
    assert kit.batch.add(shape, triangles(2), 0, 0) == 2 and len(kit.batch) == 0


# ---- lines: GDI's diamond rule -----------------------------------------------------------------


def pixels_of(*ends: tuple[float, float], last: bool = False) -> set[tuple[int, int]]:
    image = Kit(16, 16).draw(np.stack([vertex(x, y) for x, y in ends]), lines(len(ends) // 2, last))
    return {(int(x), int(y)) for y, x in zip(*np.nonzero(image), strict=True)}


def test_line_leaves_out_its_last_pixel_unless_asked_for():
    assert pixels_of((2, 3), (6, 3)) == {(x, 3) for x in range(2, 6)}
    assert pixels_of((2, 3), (6, 3), last=True) == {(x, 3) for x in range(2, 7)}
    assert pixels_of((6, 3), (2, 3)) == {(x, 3) for x in range(3, 7)}
    assert pixels_of((4, 9), (4, 5)) == {(4, y) for y in range(6, 10)}


def test_diagonal_lines():
    assert pixels_of((1, 1), (5, 5)) == {(i, i) for i in range(1, 5)}
    assert pixels_of((5, 5), (1, 1), last=True) == {(i, i) for i in range(1, 6)}
    assert pixels_of((1, 9), (4, 6)) == {(1, 9), (2, 8), (3, 7)}


def test_one_pixel_per_column_nearest_to_the_line():
    assert pixels_of((0, 0), (8, 3)) == {(x, round(x * 3 / 8 - 1e-6)) for x in range(8)}


def test_midway_the_upper_or_left_pixel_is_drawn():
    assert pixels_of((2, 3.5), (6, 3.5)) == {(x, 3) for x in range(2, 6)}
    assert pixels_of((3.5, 2), (3.5, 6)) == {(3, y) for y in range(2, 6)}


def test_line_within_one_diamond_draws_nothing():
    assert pixels_of((4, 4), (4.25, 4.125)) == set()


def test_connected_lines_draw_each_pixel_once():
    points = [(1.0, 1.0), (5.25, 2.75), (6.5, 9.0), (2.0, 12.0), (1.0, 1.0)]
    kit = Kit(16, 16).set(ALPHABLENDENABLE=1, SRCBLEND=2, DESTBLEND=2)
    ends = [p for pair in pairwise(points) for p in pair]
    quarter = (0.25, 0.25, 0.25, 0.25)
    image = kit.draw(np.stack([vertex(x, y, diffuse=quarter) for x, y in ends]), lines(4, False))
    assert set(np.unique(image & 255)) == {0, 64}


def test_line_crosses_tiles_and_the_scissor():
    kit = Kit(130, 70)
    kit.put(("VIEWPORT", "X"), 3)
    kit.put(("VIEWPORT", "Width"), 120)
    image = kit.draw(np.stack([vertex(-20, 66), vertex(200, 66)]), lines(1))
    assert np.nonzero(image)[1].tolist() == list(range(3, 123)) and (np.nonzero(image)[0] == 66).all()


def test_line_pattern_repeats_each_bit():
    kit = Kit(32, 4).set(LINEPATTERN=0b1011 << 16 | 2)
    image = kit.draw(np.stack([vertex(0, 1), vertex(32, 1)]), lines(1))
    bits = "".join("1" if word else "0" for word in image[1])
    assert bits == "11110011" + "0" * 24


def test_line_colours_run_from_end_to_end():
    image = Kit(16, 4).draw(np.stack([vertex(0, 1, diffuse=(0, 0, 0, 1)), vertex(10, 1, diffuse=(1, 1, 1, 1))]), lines(1))
    assert (image[1, :11] & 255).tolist() == [int(255 * i / 10 + 0.5) for i in range(11)]
