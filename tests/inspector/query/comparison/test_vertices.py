"""The vertices of two draws side by side, against arrays whose differences are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from core import cancel
from core.errors import BadInput, Cancelled
from inspector.query.comparison.vertices import CompareVertices, NextDifferentDraws, _kinds, compared
from tests.inspector.conftest import ROOM

LAYOUT = [("vertex", "i8"), ("x", "f4"), ("y", "f4"), ("outside", "U8")]


def vertices(*rows: tuple[float, float, str]) -> np.ndarray:
    return np.array([(n, *row) for n, row in enumerate(rows)], LAYOUT)


def test_as_many_on_both_sides_correspond_in_drawing_order() -> None:
    a = vertices((0, 0, ""), (1, np.nan, ""), (2, 2, "left"), (0.0, 3, ""))
    b = vertices((0, 0, ""), (1, np.nan, ""), (2, 2.5, ""), (-0.0, 3, ""))
    b["vertex"] += 7  # which number a vertex has says nothing about it
    found = compared((5, 9), "assembled", a, b)
    assert found.rows.a.tolist() == found.rows.b.tolist() == [0, 1, 2, 3]
    assert found.rows.differing.tolist() == [2], "what is no number is as much none on the other side"
    assert found.columns == ("x", "y", "outside") and found.differing == ("y", "outside")
    assert found.differs[2].tolist() == [False, True, True]
    by = found.by("y")
    assert by[2] == 0.5 and by[0] == 0 and np.isnan(by[1]) and np.isnan(found.by("outside")).all()


def test_more_on_one_side_are_aligned_along_what_is_equal() -> None:
    a = vertices((0, 0, ""), (1, 1, ""), (2, 2, ""), (3, 3, ""))
    b = vertices((0, 0, ""), (9, 9, ""), (1, 1, ""), (2, 5, ""), (3, 3, ""))
    found = compared((0, 1), "assembled", a, b)
    assert list(zip(found.rows.a.tolist(), found.rows.b.tolist(), strict=True)) == [(0, 0), (-1, 1), (1, 2), (2, 3), (3, 4)]
    assert [found.rows.kind(row) for row in range(5)] == ["same", "added", "same", "changed", "same"]
    assert found.by("y")[3] == 3 and np.isnan(found.by("y")[1])


def test_columns_of_one_side_alone_and_no_vertices_at_all() -> None:
    a = vertices((0, 0, ""))
    b = np.zeros(1, [("vertex", "i8"), ("x", "f4"), ("w", "f4")])
    found = compared((0, 1), "assembled", a, b)
    assert (found.columns, found.missing) == (("x",), (("y", "outside"), ("w",)))
    nothing = compared((0, 1), "assembled", a[:0], b[:0])
    assert len(nothing.rows) == 0 and nothing.differing == ()
    one_sided = compared((0, 1), "assembled", a, b[:0])
    assert one_sided.rows.kind(0) == "removed" and one_sided.differing == ()


def test_draws_of_a_capture_are_compared_as_their_vertices_are() -> None:
    with inspector.open(ROOM) as capture:
        draw = int(capture.draws[-1])
        before = int(capture.draws[capture.draws < capture.frames[-1].first_event][-1])
        for which in ("assembled", "transformed"):
            found = capture.ask(CompareVertices(f"frame {capture.frames[-2].index}", f"event {draw}", which=which))
            assert found.events == (before, draw)
            a, b = (capture.vertices(event, which).rows for event in found.events)
            assert len(a) == len(b) == len(found.rows)
            for place, name in enumerate(found.columns):
                assert (found.differs[:, place] == ((a[name] != b[name]) & ((a[name] == a[name]) | (b[name] == b[name])))).all()
        assert not len(capture.ask(CompareVertices("all", f"event {draw}")).rows.differing)
        assert capture.ask(CompareVertices(f"event {draw + 1}", f"event {draw}")).events == (draw, draw)


@pytest.mark.parametrize(
    "sides,which,said",
    [
        (("event 0", "draw 1"), "assembled", "event 0 draws nothing"),
        (("draw 1", "draw 99999"), "assembled", "draw 99999"),
        (("draw 1", "draw 2"), "clipped", "clipped"),
    ],
)
def test_what_cannot_be_compared_says_why(sides: tuple[str, str], which: str, said: str) -> None:
    with inspector.open(ROOM) as capture, pytest.raises(BadInput, match=said):
        capture.ask(CompareVertices(*sides, which=which))


def test_columns_of_many_vertices_are_compared_with_looks_at_stop() -> None:
    """A draw may have a million vertices of twenty columns: at least two looks for each."""
    looks = []
    a = np.zeros(9, [("vertex", "i8"), *((f"c{n}", "f4") for n in range(20))])
    with cancel.cancellable(lambda: looks.append(1) or False):  # type: ignore[func-returns-value]
        compared((0, 1), "assembled", a, a[:8])
    assert len(looks) >= 40
    with cancel.cancellable(lambda: True), pytest.raises(Cancelled):
        compared((0, 1), "assembled", a, a)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0.0, -0.0, 1.0, np.nan]), st.sampled_from(["", "x"])), max_size=12)
)
def test_vertices_are_of_one_kind_where_all_their_values_are_the_same(rows: list[tuple[float, float, str]]) -> None:
    made = vertices(*rows)
    kinds = _kinds(made[:5], made[5:], ("x", "y", "outside"))
    for one, kind in zip(rows, kinds, strict=True):
        for other, its in zip(rows, kinds, strict=True):
            same = all(p == q or (p != p and q != q) for p, q in zip(one, other, strict=True))
            assert same == (kind == its)


def test_the_next_pair_that_differs_passes_over_what_is_equal_and_what_has_no_vertices() -> None:
    with inspector.open(ROOM) as capture:
        frames = [capture.draws[capture.frames[n].first_event <= capture.draws] for n in (2, 3)]
        pairs = [(int(a), int(b)) for a, b in zip(*(draws[:10] for draws in frames), strict=True)]
        differ = [
            any((one != other).any() for one, other in zip(*columns, strict=True))
            for columns in (
                [[rows[name] for name in rows.dtype.names if name != "vertex"]
                 for rows in (capture.vertices(event, "transformed").rows for event in pair)]
                for pair in pairs
            )
        ]  # fmt: skip
        assert 0 < sum(differ) < len(pairs), "some are equal, some are not"
        pairs.insert(3, (0, 0))  # which draws nothing
        differ.insert(3, False)
        for number in range(-1, len(pairs)):
            later = next((place for place in range(number + 1, len(pairs)) if differ[place]), None)
            before = next((place for place in range(number - 1, -1, -1) if differ[place]), None)
            for back, expected in ((False, later), (True, before)):
                found = capture.ask(NextDifferentDraws(tuple(pairs), number, back, which="transformed"))
                assert (found and found[0]) == expected
                assert found is None or found[1].events == pairs[found[0]]
