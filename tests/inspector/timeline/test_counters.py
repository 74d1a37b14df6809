"""Counts of each draw: they add up, and agree with what changed on the surfaces."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings

import inspector
from core.ddi.calls import DdiCall
from core.ddi.driver.emulated import EmulatedDriver
from core.errors import BadInput
from inspector.timeline import listing as event_list
from inspector.timeline.counters import FRAGMENT_FATES, PRIMITIVE_FATES, counters, overdraw
from inspector.timeline.replay import Replay
from tests.driver_calls import tokens
from tests.inspector.timeline import random_tape


def counted(calls: list[DdiCall], threads: int = 1) -> np.ndarray:
    events = event_list.build(calls)
    return Replay(calls, events, [0], driver=EmulatedDriver(threads=threads, follows=True)).counted(0, len(events) - 1)


def pictures(driver: EmulatedDriver) -> dict[int, np.ndarray]:
    """What can be drawn to, a plane a sample: uint[samples, height, width] by handle."""
    found = {}
    driver.device.flush()
    for handle, *_ in random_tape.SURFACES:
        part = driver.device.memory.part(handle)
        if part is not None:
            rows = [part.plane(n) if part.samples else part.linear() for n in range(part.planes)]
            shape = part.height, part.width
            found[handle] = np.stack([row.view(f"<u{part.format.bits // 8}").reshape(shape) for row in rows])
    return found


@settings(max_examples=12, deadline=None)
@given(random_tape.tapes())
def test_counts_add_up_and_pixels_are_those_that_differ(tape: tuple[list[DdiCall], list[int]]) -> None:
    calls, _ = tape
    rows = counted(calls)
    assert (sum(rows[name] for name in FRAGMENT_FATES) == rows["fragments"]).all()
    assert (sum(rows[name] for name in PRIMITIVE_FATES) == rows["primitives"]).all()
    assert (rows["primitives"] == 2).all()
    events, driver, by_event = event_list.build(calls), EmulatedDriver(), {int(row["event"]): row for row in rows}
    for number, call in enumerate(calls):
        span = events.of_call(number)
        for n in range(len(span)):
            before = pictures(driver)
            driver.run(call, span.start, n, n + 1 if events.op[span.start] else None)
            if span.start + n in by_event:
                after, changed = pictures(driver), np.zeros((random_tape.WIDE, random_tape.WIDE), bool)
                for handle in filter(None, driver.device.targets):
                    differs = (before[handle] != after[handle]).any(axis=0)
                    changed[: differs.shape[0], : differs.shape[1]] |= differs
                assert by_event[span.start + n]["pixels"] == changed.sum()


@settings(max_examples=5, deadline=None)
@given(random_tape.tapes())
def test_threads_count_alike(tape: tuple[list[DdiCall], list[int]]) -> None:
    assert np.array_equal(counted(tape[0]), counted(tape[0], threads=4))


def corners(*points: tuple[float, float]) -> bytes:
    return b"".join(struct.pack("<4fI", x, y, 0.5, 1.0, 0xFF00FF00) for x, y in points)


def test_what_becomes_of_primitives() -> None:
    shown, turned = [(2, 2), (30, 2), (2, 30)], [(2, 2), (2, 30), (30, 2)]
    line, beside, small = [(2, 2), (9, 9), (30, 30)], [(50, 50), (60, 50), (50, 60)], [(3.1, 3.1), (3.3, 3.1), (3.1, 3.3)]
    vertices = b"".join(corners(*points) for points in (shown, turned, line, beside, small))
    draw = tokens(
        ("RENDERSTATE", [{"state": 22, "value": 3}, {"state": 7, "value": 0}]),  # cull counter-clockwise; no depth test
        ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}]),
        ("DRAWPRIMITIVE", [{"type": 4, "start": 0, "count": 5}]),
        vertices=vertices,
    )
    row = counted([*random_tape.setup(), draw])[0]
    assert {name: int(row[name]) for name in ("primitives", *PRIMITIVE_FATES)} == {
        "primitives": 5, "rasterised": 1, "culled": 1, "degenerate": 1, "clipped": 1, "empty": 1,
    }  # fmt: skip
    assert row["fragments"] == row["written"] == row["pixels"] > 300


@pytest.mark.parametrize(
    ("states", "fate"),
    [
        ({15: 1, 25: 1}, "alpha_test"),  # ALPHAFUNC NEVER
        ({7: 1, 23: 1}, "depth_test"),  # ZFUNC NEVER
        ({52: 1, 56: 1, 7: 0}, "stencil_test"),  # STENCILFUNC NEVER
        ({168: 0, 7: 0}, "masked"),  # COLORWRITEENABLE 0
        ({7: 0}, "written"),
    ],
)
def test_fates_of_fragments(states: dict[int, int], fate: str) -> None:
    draw = tokens(
        ("RENDERSTATE", [{"state": state, "value": value} for state, value in states.items()]),
        ("SETSTREAMSOURCEUM", [{"stream": 0, "stride": 20}]),
        ("DRAWPRIMITIVE", [{"type": 4, "start": 0, "count": 1}]),
        vertices=corners((2, 2), (30, 2), (2, 30)),
    )
    row = counted([*random_tape.setup(), draw])[0]
    assert row[fate] == row["fragments"] > 300
    assert (row["pixels"] > 0) == (fate == "written")


def test_counters_of_a_frame(room: inspector.Capture) -> None:
    rows = counters(room, 3)
    draws = room.draws[(room.draws >= room.frames[3].first_event) & (room.draws <= room.frames[3].last_event)]
    assert np.array_equal(rows["event"], draws)
    assert rows["primitives"].tolist() == [room.primitives(event) for event in draws.tolist()]
    assert (rows["changed"] >= rows["pixels"]).all()
    assert (overdraw(rows)[rows["pixels"] > 0] >= 1).all()


def test_counters_of_a_numbered_frame_where_only_later_ones_are_listed(room: inspector.Capture) -> None:
    with inspector.open(room.path, frames=(2, 4)) as part:
        assert (counters(part, 3) == counters(room, 3)).all()
        with pytest.raises(BadInput, match=r"frame 1 is out of range \(2 to 3\)"):
            counters(part, 1)
