"""Bisect: it finds the bug that was planted, to the event and the primitive."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import inspector
from core.errors import BadInput
from inspector.query.comparison.bisect import FEW, INNER, Bisect, last_right
from inspector.query.comparison.right import Against, Color, Picture, Test, typed_color
from inspector.query.pixels.history import PixelHistory
from inspector.query.what_if.what_if import WhatIf
from tests.inspector.streams import KINDS, SIZE, TARGET, capture_of, stream

STEPS = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 99)), min_size=3, max_size=7)
TORUS, LAST = 1340, 1422


@given(steps=STEPS, data=st.data())
@settings(max_examples=15, deadline=None)
def test_a_planted_bug_is_found(tmp_path_factory: pytest.TempPathFactory, steps: list, data: st.DataObject) -> None:
    """A disabled draw, held against the capture without the bug; the oracle looks at every event and primitive."""
    with capture_of(stream([*steps, ("draws", 5), ("state", 6), ("draws", 7)]), tmp_path_factory.mktemp("bug")) as capture:
        draw = data.draw(st.sampled_from(capture.draws.tolist()))
        broken, last = WhatIf.of(f"disable {draw}").open(capture), len(capture.events) - 1
        moments = [(event, p) for event in range(6, last + 1) for p in (*range(broken.primitives(event)), None)]
        pictures = [[one.image(event, TARGET, primitive=p) for event, p in moments] for one in (capture, broken)]
        right = [n for n, (good, bad) in enumerate(zip(*pictures, strict=True)) if np.array_equal(good, bad)]
        found = broken.ask(Bisect(Against(capture), TARGET, first=6))
        if right[-1] == len(moments) - 1:
            assert found.kind == "right"
            return
        assert found.kind == "became wrong" and found.exact
        event, primitive = moments[right[-1] + 1]
        first, end = moments.index((event, None)) - broken.primitives(event), moments.index((event, None))
        if all(np.array_equal(pictures[1][first - 1], picture) for picture in pictures[1][first : end + 1]):
            primitive = None  # what is missing is missing as a whole
        assert (found.first_wrong, found.primitive) == (event, primitive)
        assert found.pixel is not None and found.expected is not None
        x, y = found.pixel
        assert tuple(pictures[0][moments.index((event, primitive))][y, x]) == found.expected != found.after
        if len(right) == right[-1] + 1:
            assert found.first_wrong == draw


@given(steps=STEPS, x=st.integers(0, SIZE - 1), y=st.integers(0, SIZE - 1))
@settings(max_examples=15, deadline=None)
def test_a_pixel_is_right_until_its_next_writer(tmp_path_factory: pytest.TempPathFactory, steps: list, x: int, y: int) -> None:
    """Right is a colour that the pixel once had: the culprit is the entry of its history that followed."""
    with capture_of(stream([*steps, ("draws", 8)]), tmp_path_factory.mktemp("pixel")) as capture:
        history = capture.ask(PixelHistory(TARGET, x, y, first=6, misses=False))
        changes = [entry for entry in history.entries if entry.changed]
        assume(len(changes) > 1)
        once = changes[-2]
        color = tuple(round(255 * channel) for channel in once.after.rgba or ())
        found = capture.ask(Bisect.pixel(Color(color), x, y, where=TARGET, first=6))
        if once.after.raw == changes[-1].after.raw:
            assert found.kind == "right"
            return
        assert found.first_wrong == changes[-1].event and found.before == color
        assert found.primitive == changes[-1].primitive


def test_right_only_between_two_primitives_of_a_draw(tmp_path: Path) -> None:
    """Opaque triangles: the first one's colour stands until the second one, at no event's end."""
    steps = [("copy", 48), ("state", 13), ("state", 31), ("clear", 93), ("copy", 52), ("draws", 23), ("draws", 8)]
    with capture_of(stream(steps), tmp_path) as capture:
        entries = [e for e in capture.ask(PixelHistory(TARGET, 12, 12, first=6, misses=False)).entries if e.changed]
        assert [(e.event, e.primitive) for e in entries[-2:]] == [(33, 0), (33, 1)]
        color = tuple(round(255 * channel) for channel in entries[-2].after.rgba or ())
        assert color not in {tuple(capture.image(event, TARGET)[12, 12].tolist()) for event in range(6, len(capture.events))}
        found = capture.ask(Bisect.pixel(Color(color), 12, 12, where=TARGET, first=6))
        assert (found.kind, found.last_right, found.first_wrong, found.primitive) == ("became wrong", (33, 0), 33, 1)
        assert found.before == color and found.exact


def test_the_torus_is_to_blame(room: inspector.Capture) -> None:
    x, y = 150, 200
    color = tuple(room.image(TORUS - 1)[y, x, :3].tolist())
    found = room.ask(Bisect.pixel(Color(color), x, y, last=LAST))
    assert (found.kind, found.first_wrong, found.last_right) == ("became wrong", TORUS, (1185, None))
    assert found.primitive is not None and found.exact and found.looks < 12
    assert found.before is not None and found.before[:3] == color == found.expected
    assert [entry.event for entry in found.entries] == [TORUS] * len(found.entries) and found.entries
    assert found.history is not None
    assert {entry.event for entry in room.ask(found.history).entries} == {TORUS}


def test_a_surface_is_halved(room: inspector.Capture) -> None:
    before = room.image(TORUS - 1)
    found = room.ask(Bisect(Picture(before), last=LAST))
    assert (found.kind, found.first_wrong) == ("became wrong", TORUS)
    first = next(p for p in range(1440) if not np.array_equal(room.image(TORUS, primitive=p), before))
    assert found.primitive == first and found.looks < FEW + INNER


def test_a_test_of_yours_says_what_is_right(room: inspector.Capture) -> None:
    found = room.ask(Bisect(Test(lambda pixels, event: bool(pixels[..., 0].max() < 200)), last=LAST))
    assert found.kind == "became wrong" and found.first_wrong is not None
    assert room.image(found.first_wrong)[..., 0].max() >= 200 > room.image(found.first_wrong - 1)[..., 0].max()


def test_what_is_missing_is_found_too(room: inspector.Capture) -> None:
    view = WhatIf.of(f"disable {TORUS}").open(room)
    found = view.ask(Bisect(Against(room), last=LAST))
    assert found.first_wrong == TORUS and not found.entries and "should have been" in found.sentence
    assert room.ask(Bisect(Against(view), last=TORUS - 1)).kind == "right"


def test_what_was_never_right_names_its_last_writer(room: inspector.Capture) -> None:
    found = room.ask(Bisect.pixel(Color((1, 2, 3)), 150, 200, last=LAST))
    assert (found.kind, found.first_wrong) == ("never right", TORUS)


def test_halving_looks_seldom() -> None:
    looks = []

    def right(moment: tuple[int, int | None]) -> bool:
        looks.append(moment)
        return moment[0] < 700

    moments: list = [(n, None) for n in range(1000)]
    assert last_right(moments, right) == 699 and len(looks) <= 12
    assert last_right(moments, lambda moment: moment[0] in (5, 400)) == 400
    assert last_right(moments[:3], lambda moment: False) is None


def test_captures_of_other_length_are_aligned(tmp_path: Path) -> None:
    calls = stream([("draws", 1), ("state", 2), ("draws", 3)])
    more = [*calls[:8], stream([("state", 9)])[-2], *calls[8:]]
    with capture_of(calls, tmp_path) as one, capture_of(more, tmp_path, "more.ddicap") as other:
        found = one.ask(Bisect(Against(other), TARGET, first=6))
        same = np.array_equal(one.image(len(one.events) - 1, TARGET), other.image(len(other.events) - 1, TARGET))
        assert (found.kind == "right") == same


def test_what_makes_no_sense_is_said(room: inspector.Capture, tmp_path: Path) -> None:
    for query in (
        Bisect(Color((1, 2))), Bisect.pixel(Color((1, 2, 3)), 9000, 1), Bisect(Color((1, 2, 3)), last=99999999),
        Bisect(Color((1, 2, 3)), 777), Bisect(Picture(np.zeros((3, 3, 4), np.uint8))),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            room.ask(query)
    with pytest.raises(BadInput, match="no such file"):
        Picture.of(tmp_path / "none.png")


@pytest.mark.parametrize("text", ["77 67 43", "77,67,43", "#4d432b", "0.302, 0.2627, 0.1686", "#4D432B"])
def test_a_colour_is_typed_as_it_is_read_elsewhere(text: str) -> None:
    assert typed_color(text) == (77, 67, 43)
    assert typed_color("0.0 1 1 1") == (0, 255, 255, 255)


@pytest.mark.parametrize("text", ["red", "", "1 2", "256 0 0", "1.5 0 0", "#4d43", "nan. 0 0", "1e999. 0 0", "-1 0 0"])
def test_what_is_no_colour_is_said(text: str) -> None:
    with pytest.raises(BadInput, match="no colour: three numbers from 0 to 255"):
        typed_color(text)
