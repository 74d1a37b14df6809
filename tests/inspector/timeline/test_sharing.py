"""Replays that share budgets: together they hold no more than one may, and what they answer does not depend on it."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import inspector
from inspector.query.what_if.what_if import WhatIf
from inspector.timeline.budgets import Budgets
from tests.inspector.conftest import ROOM

LEAST = 2
"""Keyframes that a replay keeps, whatever the budget."""


def look(*captures: inspector.Capture) -> None:
    for frame in captures[0].frames:
        for capture in captures:
            capture.replay.logged(frame.last_event)


def test_a_capture_and_its_variants_hold_no_more_than_the_capture_alone(room: inspector.Capture) -> None:
    with inspector.open(ROOM, budgets=Budgets(memory=16 << 20)) as capture:
        look(capture)
        alone = sum(capture.held[:2])
        assert 8 << 20 < alone <= 16 << 20
        views = [WhatIf.of(edit).open(capture) for edit in ("force FILLMODE=WIREFRAME", "force CULLMODE=CW", "disable 900")]
        look(capture, *views)
        least = sum(view.replay._keyframes.size for view in views if len(view.replay._keyframes) == LEAST)
        assert sum(capture.held[:2]) <= (16 << 20) + least
        assert capture.held[:2] == views[0].held[:2], "one number for all"
        for frame in room.frames[::3]:
            assert np.array_equal(capture.image(frame.last_event), room.image(frame.last_event))
            whole = WhatIf.of("disable 900").open(room).image(frame.last_event)
            assert np.array_equal(views[2].image(frame.last_event), whole)
        del views
        gc.collect()
        assert len(capture.budgets.sharers.all) == 1
        look(capture)
        assert alone * 0.9 < sum(capture.held[:2]) <= 16 << 20, "what views had is the capture's again"


def test_each_keeps_its_part_of_the_keyframes() -> None:
    with inspector.open(ROOM, budgets=Budgets(memory=48 << 20)) as capture:
        look(capture)
        alone = len(capture.replay._keyframes)
        view = WhatIf.of("force CULLMODE=CW").open(capture)
        look(capture, view)
        sizes = [one.replay._keyframes.size for one in (capture, view)]
        assert alone > len(capture.replay._keyframes) > LEAST
        assert max(sizes) <= 12 << 20, "half of the half"


def test_one_that_is_in_use_keeps_what_it_has() -> None:
    with inspector.open(ROOM) as capture:
        frame = capture.frames[3]
        log = capture.replay.logged(frame.last_event)
        memory, used = capture.replay.memory, threading.Event()
        with capture.replay.at(frame.first_event):
            other = threading.Thread(target=lambda: (memory.let_go(), used.set()))
            other.start()
            assert used.wait(10), "nobody waits for it"
        assert capture.replay.logged(frame.last_event) is log
        memory.let_go()
        assert capture.replay.logged(frame.last_event) is not log


@pytest.mark.parametrize("same", [True, False])
def test_captures_share_what_they_are_opened_with(same: bool) -> None:
    budgets = Budgets()
    with inspector.open(ROOM, budgets=budgets) as one, inspector.open(ROOM, budgets=budgets if same else Budgets()) as other:
        look(one)
        assert (one.held[:2] == other.held[:2]) is same, "what one holds counts for the other"
        look(other)
        assert len(budgets.sharers.all) == 1 + same
