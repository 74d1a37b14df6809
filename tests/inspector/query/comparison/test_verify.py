"""Verify: hashes do not depend on threads or on the form the device keeps pixels in, and name what differs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inspector
from core.device.memory.surfaces import Surface
from core.errors import BadInput
from core.pipeline.surface import blit
from core.spec.formats import FORMATS
from inspector.query.comparison.digests import part_digest
from inspector.query.comparison.verify import Hashes, Verify, apart, load_hashes, parting
from inspector.query.what_if.what_if import WhatIf
from tests.inspector.streams import KINDS, TARGET, capture_of, clear, stream

STEPS = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 99)), min_size=2, max_size=6)


@given(steps=STEPS, per=st.sampled_from(["token", "draw", "frame"]))
@settings(max_examples=10, deadline=None)
def test_threads_make_no_difference(tmp_path_factory: pytest.TempPathFactory, steps: list, per: str) -> None:
    with capture_of(stream(steps), tmp_path_factory.mktemp("threads")) as capture:
        one, many = capture.ask(Verify(per, 1)), capture.ask(Verify(per, 4))
        assert one == many and parting(one, many) is None
        assert Hashes.from_json(one.json()) == one


def test_threads_make_no_difference_to_the_room(room: inspector.Capture) -> None:
    assert room.ask(Verify("draw", 1)) == room.ask(Verify("draw", 3))


@given(width=st.integers(1, 150), height=st.integers(1, 150), format=st.sampled_from([21, 23, 28]), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_a_digest_is_of_pixels_not_of_their_form(width: int, height: int, format: int, seed: int) -> None:
    linear, drawn = (Surface(1, FORMATS[format], width, height).part() for _ in range(2))
    rows = np.random.default_rng(seed).integers(0, 256, linear.size, dtype=np.uint8)
    linear.write_linear(whole=True)[:] = rows
    blocks = drawn.write_blocks(whole=True)
    blocks[:] = 0xDEADBEEF  # what lies outside of the picture counts for nothing
    by_tile = np.zeros_like(blocks)
    blit.enter_blocks(rows, linear.pitch, linear.format.bits // 8, width, height, 1, by_tile)
    inside = np.zeros_like(blocks)
    ones = np.full(linear.size, 255, np.uint8)
    blit.enter_blocks(ones, linear.pitch, linear.format.bits // 8, width, height, 1, inside)
    blocks[inside != 0] = by_tile[inside != 0]
    before = part_digest(linear)
    assert part_digest(drawn) == before
    linear.write_linear()[linear.format.bits // 8 * (width - 1)] ^= 1
    assert part_digest(linear) != before


def test_the_first_difference_is_the_planted_one(tmp_path: Path) -> None:
    calls = stream([("draws", 1), ("state", 2), ("clear", 3), ("draws", 4), ("copy", 5)])
    other = calls[:]
    at = next(n for n, call in enumerate(calls) if call.data.get("commands") == clear(3).data["commands"])
    other[at] = clear(44)
    with capture_of(calls, tmp_path) as a, capture_of(other, tmp_path, "other.ddicap") as b:
        for per in ("token", "draw", "frame"):
            hashes = a.ask(Verify(per)), b.ask(Verify(per))
            found = parting(*hashes)
            assert found is not None and found.a is not None
            if per == "token":
                assert a.events.call[found.a] == at
            assert any(place.handle == TARGET for place in found.places)
            surface = next(one for one in apart(a, b, found) if one.place.handle == TARGET)
            differing = (a.image(found.a, TARGET) != b.image(found.a, TARGET)).any(-1)
            assert surface.count == differing.sum()


def test_a_what_if_parts_where_it_differs(room: inspector.Capture) -> None:
    view = WhatIf.of("disable 1340").open(room)
    found = parting(room.ask(Verify("draw")), view.ask(Verify("draw")))
    assert found is not None and (found.a, found.b) == (1340, 1340)
    assert {place.handle for place in found.places} == {2, 3}


def test_hashes_at_any_event_are_those_of_the_last_change(room: inspector.Capture) -> None:
    hashes = room.ask(Verify("token"))
    draws = room.ask(Verify("draw"))
    assert all(hashes.at(step.event) == step.total for step in draws.steps)
    assert hashes.at(1339) == hashes.at(1305) != hashes.at(1340)


def test_what_is_no_hashes_is_refused(room: inspector.Capture, tmp_path: Path) -> None:
    for text in ("", "[]", '{"steps": 3}', '{"per": "draw", "events": 1, "steps": [{"event": 0}]}'):
        with pytest.raises(BadInput):
            Hashes.from_json(text)
    with pytest.raises(BadInput, match="cannot read"):
        load_hashes(tmp_path / "none.json")
    with pytest.raises(BadInput, match="unknown unit of hashes 'pixel'"):
        room.ask(Verify("pixel"))
    with pytest.raises(BadInput, match="cannot compare"):
        parting(Hashes("draw", 1, ()), Hashes("frame", 1, ()))
