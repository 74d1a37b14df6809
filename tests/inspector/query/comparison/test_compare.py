"""Comparison: nothing differs from itself, and what was changed is found, exactly."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inspector
from core.ddi.calls import DdiCall
from core.errors import BadInput, Cancelled
from inspector.query.comparison import subsequence
from inspector.query.comparison.alignment import align, common
from inspector.query.comparison.compare import Compare, side
from inspector.query.comparison.difference import bounding_box
from tests.inspector.streams import KINDS, TARGET, TEXTURE, capture_of, draws, state, stream, tokens

STEPS = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 99)), min_size=2, max_size=6)
SYMBOLS = st.lists(st.integers(0, 5), max_size=90)


def longest(a: list[int], b: list[int]) -> int:
    """The length of the longest common subsequence, by the book."""
    row = [0] * (len(b) + 1)
    for one in a:
        before = row[:]
        for j, other in enumerate(b):
            row[j + 1] = before[j] + 1 if one == other else max(before[j + 1], row[j])
    return row[-1]


@pytest.mark.parametrize("limits", [{}, {"ROUNDS": 1}, {"FEW": 0}, {"FEW": 0, "CELLS": 100}, {"FEW": 3, "CELLS": 1}], ids=str)
@given(a=SYMBOLS, b=SYMBOLS)
@settings(max_examples=60, deadline=None)
def test_alignment_is_a_longest_one_in_whatever_pieces(limits: dict[str, int], a: list[int], b: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(subsequence, name, value)
        pairs = common(np.array(a, np.uint64), np.array(b, np.uint64))
    assert [a[i] for i in pairs[:, 0]] == [b[j] for j in pairs[:, 1]]
    assert (np.diff(pairs, axis=0) > 0).all()
    assert len(pairs) == longest(a, b)


@pytest.mark.parametrize(("few", "patience"), [(1500, 1), (0, 1), (0, 4)])
def test_a_large_alignment_stops_soon_after_it_is_cancelled(
    few: int, patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """A tape of a million events beside another: minutes of work, a tenth of a second between two looks."""
    monkeypatch.setattr(subsequence, "FEW", few)
    random, looks = np.random.default_rng(1), []
    a, b = (random.integers(0, 6, 120_000).astype(np.uint64) for _ in range(2))
    with pytest.raises(Cancelled):
        common(a, b, lambda: looks.append(time.process_time()) or len(looks) > patience)
    assert len(looks) == patience + 1
    assert max(np.diff(looks), default=0) < 2


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.data())
@settings(max_examples=60, deadline=None)
def test_one_edit_is_one_row(a: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(a) - 1))
    change = data.draw(st.sampled_from(["change", "remove", "add"]))
    b = a[:at] + {"change": [100], "remove": [], "add": [100, a[at]]}[change] + a[at + 1 :]
    kinds = np.zeros(len(a), np.uint64), np.zeros(len(b), np.uint64)
    rows = align(np.array(a, np.uint64), np.array(b, np.uint64), *kinds)
    assert (~rows.same).sum() == 1
    row = rows.first_difference
    assert row is not None
    sides = {"change": (True, True), "remove": (True, False), "add": (False, True)}
    assert (rows.a[row] >= 0, rows.b[row] >= 0) == sides[change]
    assert sorted(rows.a[rows.a >= 0]) == list(range(len(a))) and sorted(rows.b[rows.b >= 0]) == list(range(len(b)))


@given(steps=STEPS)
@settings(max_examples=8, deadline=None)
def test_nothing_differs_from_itself(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]) -> None:
    folder = tmp_path_factory.mktemp("same")
    calls = stream(steps)
    with capture_of(calls, folder) as one, capture_of(calls, folder, "again.ddicap") as other:
        last = len(one.events) - 1
        assert one.ask(Compare("all", "all")).empty
        assert one.ask(Compare("all", "all", other)).empty
        assert one.ask(Compare(f"event {last // 2}", f"event {last // 2}", other)).empty


def test_an_edit_of_a_copy_is_found(tmp_path: Path) -> None:
    calls = stream([("draws", 1), ("state", 2), ("draws", 3), ("clear", 4)])
    edited = calls[:]
    edited[8] = state(1)
    edited[9] = draws(33)
    with capture_of(calls, tmp_path) as one, capture_of(edited, tmp_path, "edited.ddicap") as other:
        found = one.ask(Compare("all", "all", other))
        rows = found.tokens.differing
        changed = {int(one.events.call[found.tokens.a[row]]) for row in rows if found.tokens.a[row] >= 0}
        assert changed <= {8, 9} and 9 in changed
        assert found.first is not None and one.events.call[found.first.a or 0] == 8
        pictures = [capture.image(len(capture.events) - 1, TARGET) for capture in (one, other)]
    apart = (pictures[0] != pictures[1]).any(-1)
    surface = next(each for each in found.surfaces if each.place.handle == TARGET)
    assert (surface.count, surface.box) == (int(apart.sum()), bounding_box(apart))
    assert np.array_equal(surface.a, pictures[0]) and np.array_equal(surface.b, pictures[1])
    largest = np.abs(pictures[0].astype(int) - pictures[1]).max(-1)
    assert surface.largest == largest.max() and surface.mean == pytest.approx(largest.mean())
    assert (surface.image[~apart][:, :3] == 0).all() and surface.image[..., :3].any()


def test_where_vertices_lie_in_user_memory_does_not_matter(tmp_path: Path) -> None:
    same, moved = draws(5), draws(5)
    vertices = moved.data["vertices"]
    stride = len(vertices) // 12
    um = ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": stride}])
    two = [{"type": 4, "count": 2, "start": start} for start in (7, 1)]
    moved = tokens(um, ("DRAWPRIMITIVE", two), vertices=bytes(stride) + vertices[6 * stride :] + vertices[: 6 * stride])
    before = stream([])
    with capture_of([*before, same], tmp_path) as one, capture_of([*before, moved], tmp_path, "moved.ddicap") as other:
        assert one.ask(Compare("all", "all", other)).empty


@pytest.mark.parametrize("indexed", (False, True))
def test_a_draw_differs_by_the_vertices_that_it_uses(indexed: bool, tmp_path: Path) -> None:
    """Two draws share a call's vertices, of which only the second one's change."""
    calls = draws(5)
    vertices = bytearray(calls.data["vertices"])
    stride = len(vertices) // 12
    um = ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": stride}])

    def one_call() -> DdiCall:
        if not indexed:
            each = [("DRAWPRIMITIVE", [{"type": 4, "count": 2, "start": start}]) for start in (0, 6)]
        else:
            each = [
                ("DRAWINDEXEDPRIMITIVE", [{"type": 4, "base": base, "min_index": 1, "vertex_count": 5, "start": 0, "count": 1}])
                for base in (0, 6)
            ]
        return tokens(um, *each, vertices=bytes(vertices))

    before = [*stream([]), one_call()]
    vertices[7 * stride] ^= 1
    with capture_of(before, tmp_path) as one, capture_of([*before[:-1], one_call()], tmp_path, "other.ddicap") as other:
        found = one.ask(Compare("all", "all", other, parts=("tokens",)))
        last = len(one.events) - 1
        assert found.tokens.a[found.tokens.differing].tolist() == [last] and one.name(last).startswith("DRAW")


def test_events_differ_by_what_lies_between(room: inspector.Capture) -> None:
    draw = int(room.draws[23])
    found = room.ask(Compare(f"event {draw - 1}", f"event {draw}", parts=("state", "surfaces", "resources")))
    assert not found.state and not found.resources
    assert {one.label for one in found.surfaces} <= {"back_buffer", "depth", "texture"} and found.surfaces
    value = room.state(draw)["AMBIENT"]
    assert value.writer is not None
    found = room.ask(Compare(f"event {value.writer - 1}", f"event {value.writer}", parts=("state",)))
    assert [(one.key, one.b.writer) for one in found.state if one.b] in ([], [("AMBIENT", value.writer)])


def test_frames_align_token_by_token(room: inspector.Capture) -> None:
    found = room.ask(Compare("frame 2", "frame 3"))
    assert len(found.tokens) == 321 and found.tokens.first_difference == 39
    assert {found.tokens.kind(int(row)) for row in found.tokens.differing} == {"changed"}
    assert {room.name(int(found.tokens.a[row])) for row in found.tokens.differing} <= {
        "SETTRANSFORM", "SETLIGHT", "SETVERTEXSHADERCONST", "DRAWPRIMITIVE",
    }  # fmt: skip
    depth = next(one for one in found.surfaces if one.label == "depth")
    a, b = (side.stored()[:, : 4 * depth.width].view("<u4").astype(int) for side in (depth.picture_a, depth.picture_b))
    by = (int(abs((a >> 8) - (b >> 8)).max()), int(abs((a & 255) - (b & 255)).max()))
    assert depth.by == f"depth by up to {by[0]:,} of 16,777,215, stencil by up to {by[1]} of 255"
    assert np.array_equal(depth.mask, a != b) and depth.count == depth.mask.sum()
    back = room.ask(Compare("frame 3", "frame 2"))
    assert [one.count for one in back.surfaces] == [one.count for one in found.surfaces]


def test_what_only_one_side_has_is_a_resource(tmp_path: Path) -> None:
    with capture_of(stream([("draws", 1)]), tmp_path) as one:
        found = one.ask(Compare("event 1", "all"))
    assert [(each.kind, each.handle, each.a) for each in found.resources] == [("surface", TEXTURE, None)]


def test_sides_are_read_or_refused(room: inspector.Capture) -> None:
    assert side(room, "frame 2") == range(1103, 1424)
    assert side(room, "frame 2 draw 0") == range(1103, 1146) and side(room, "draw 21") == range(1146, 1186)
    assert side(room, "event 7") == range(7, 8) and side(room, "all") == range(len(room.events))
    for text in ("", "frame", "draw x", "frame 99", "frame 2 draw 10", "frame 2 event 7", "event 99999999", "scene 3"):
        with pytest.raises(BadInput):
            side(room, text)
