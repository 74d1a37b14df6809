"""Fragments at every pixel of a surface, against the histories of single pixels and the counters of draws."""

from __future__ import annotations

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.pixels.fragments import FURTHEST, FragmentMap, FragmentsOn
from inspector.query.pixels.history import History, PixelHistory
from inspector.timeline.counters import FRAGMENT_FATES, counters

STAGES = {"texkill": "killed", "color_key": "killed", "color_write": "written", "depth_write": "written"}


def furthest(history: History) -> int:
    """The stage that a pixel's fragments came to at best, as the fates of its history say."""
    return max((FURTHEST.index(STAGES.get(one.fate, one.fate)) for one in history.fragments), default=0)


@pytest.mark.parametrize("surface", ["back_buffer", "depth"])
def test_every_pixel_has_the_fragments_of_its_history(room: inspector.Capture, surface: str) -> None:
    frame = room.frames[-1]
    draws = room.draws[(room.draws >= frame.first_event) & (room.draws <= frame.last_event)].tolist()
    rng = np.random.default_rng(7)
    ranges = [(frame.first_event, frame.last_event), *((event, event) for event in draws)]
    stages = set()
    for first, last in ranges:
        found: FragmentMap = room.ask(FragmentsOn(surface, first=first, last=last))
        places = [np.argwhere(found.furthest == stage) for stage in range(len(FURTHEST))]
        for y, x in np.concatenate([rng.permutation(some)[:12] for some in places]).tolist():
            history = room.ask(PixelHistory(surface, x, y, first=first, last=last, misses=False))
            assert found.counts[y, x] == len(history.fragments)
            assert found.furthest[y, x] == furthest(history)
            stages.add(FURTHEST[found.furthest[y, x]])
    assert {"", "depth_test", "written"} <= stages


def test_the_fragments_of_a_frame_are_those_its_draws_count(room: inspector.Capture) -> None:
    frame = room.frames[-1]
    rows = counters(room, frame)
    for row in rows:
        event = int(row["event"])
        found: FragmentMap = room.ask(FragmentsOn(room.render_target(event), first=event, last=event))
        assert found.counts.sum() == row["fragments"]
        assert sum(found.fates.values()) == np.count_nonzero(found.counts)
        assert set(found.fates) <= {STAGES.get(name, name) for name in FRAGMENT_FATES if row[name]} | {"written"}


def test_surfaces_and_events_that_are_not_there_are_refused(room: inspector.Capture) -> None:
    for query in (FragmentsOn(12345), FragmentsOn("back_buffer", last=10**9), FragmentsOn("back_buffer", first=9, last=8)):
        with pytest.raises(BadInput):
            room.ask(query)
