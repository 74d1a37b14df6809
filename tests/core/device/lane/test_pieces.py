"""A large draw goes through in pieces: the same picture, log, counts and findings as at once."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pytest

from core import cancel
from core.device.lane import drawing
from core.device.past.rewind import Rewind
from core.device.past.tap import Tap
from core.errors import Cancelled
from core.pipeline import geometry
from core.pipeline.observe.census import Census
from tests.core.device.drawn import (
    FAN,
    LINES,
    POINTS,
    SIZE,
    STRIP,
    STRIP_LINES,
    TARGET,
    TRIANGLES,
    Machine,
    states,
    user_memory,
    vertex,
)  # fmt: skip

COUNT = 900
COUNTS = {POINTS: COUNT, LINES: 2 * COUNT, STRIP_LINES: COUNT + 1, TRIANGLES: 3 * COUNT, STRIP: COUNT + 2, FAN: COUNT + 2}
BLENDED = states(ALPHABLENDENABLE=1, SRCBLEND=2, DESTBLEND=2, ZENABLE=0)
WIRES = states(FILLMODE=2, LINEPATTERN=0x00050003)


def corners(count: int) -> bytes:
    """On the screen and far beyond, some not finite; a colour of their own each."""
    random = np.random.default_rng(7)
    places = random.uniform(-9, SIZE + 9, (count, 2))
    places[::17] *= 4000
    colors = random.integers(0, 0x030303, count)
    found = [vertex(x, y, int(color), z) for (x, y), color, z in zip(places, colors, random.uniform(0, 1, count), strict=True)]
    found[40] = vertex(float("nan"), 0.0)
    return b"".join(found)


def drawn(kind: int, *changed: tuple, tap: Tap | None = None) -> Machine:
    machine = Machine()
    machine.driver.device.tap = tap
    token = "DRAWPRIMITIVE", [{"type": kind, "start": 0, "count": COUNT}]
    machine.draw(BLENDED, *changed, user_memory(), token, vertices=corners(COUNTS[kind]))
    machine.driver.device.flush()
    return machine


def small_pieces() -> Any:
    """Of some 200 primitives; batches of a log have 150."""
    return mock.patch.multiple(geometry, FEW_REFERENCES=16, MOST_PRIMITIVES=40)


@pytest.mark.parametrize("kind", COUNTS)
@pytest.mark.parametrize("changed", [(), (WIRES,)])
def test_pieces_change_nothing(kind: int, changed: tuple) -> None:
    whole, (tap, census) = drawn(kind, *changed), (Tap(log=True), Census(0, 50))
    counted = Tap(census=census)
    drawn(kind, *changed, tap=counted)
    made: list[int] = []
    go_on = geometry.Geometry.go_on

    def counting(self: geometry.Geometry) -> tuple[int, int]:
        made.append(1)
        return go_on(self)

    with small_pieces(), mock.patch.object(geometry.Geometry, "go_on", counting):
        pieces = drawn(kind, *changed)
        assert made
        with mock.patch.object(drawing, "LOGGED_PRIMITIVES", 150):
            logged = drawn(kind, *changed, tap=tap)
        again = Census(0, 50)
        drawn(kind, *changed, tap=Tap(census=again))
    for machine in (pieces, logged):
        assert machine.picture().any() and np.array_equal(machine.picture(), whole.picture())
        assert [one.text for one in machine.driver.findings] == [one.text for one in whole.driver.findings]
    assert again.rows.tobytes() == census.rows.tobytes() and len(again.rows) == 1
    assert len(tap.passes) == 1, "the batches of one draw are one pass"
    assert len(tap.passes[0].watch.journals) > 1 or kind in (LINES, STRIP_LINES)


@pytest.mark.parametrize("records", [96 << 20, 0])
def test_any_primitive_of_a_draw_in_pieces(records: int) -> None:
    """Taken back by undo records, or by drawing again."""
    tap = Tap(log=True)
    with small_pieces(), mock.patch.object(drawing, "LOGGED_PRIMITIVES", 150):
        logged = drawn(TRIANGLES, tap=tap)
    seq = tap.passes[0].first_seq
    with mock.patch.multiple("core.device.past.rewind", RECORDS_KEPT=records, A_STAY=1):
        rewind = Rewind(logged.driver.device, tap)
        for primitive in (0, 1, 149, 150, 151, 299, 450, 700, COUNT - 1):
            stopped = Machine()
            with stopped.driver.executor.lane.confined(only=(0, primitive)):
                token = "DRAWPRIMITIVE", [{"type": TRIANGLES, "start": 0, "count": COUNT}]
                stopped.draw(BLENDED, user_memory(), token, vertices=corners(3 * COUNT))
                stopped.driver.device.flush()
            found = rewind.at(TARGET, seq, primitive).linear().view("<u4").reshape(SIZE, SIZE) & 0xFFFFFF
            assert np.array_equal(found, stopped.picture()), primitive


def test_a_stride_of_nothing_takes_little_memory() -> None:
    """Two million points at one place: 16 bytes of a stream asked for 3.2 GB."""
    machine = Machine()
    machine.buffer(40, vertex(3, 3))
    token = "DRAWPRIMITIVE", [{"type": POINTS, "start": 0, "count": 1 << 21}]
    machine.draw(("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 0}]), token)
    machine.driver.device.flush()
    arrays = [*vars(machine.driver.executor.lane.drawing.geometry).values()]
    target = machine.driver.executor.lane.drawing.target
    assert target is not None
    held = sum(one.nbytes for one in arrays if isinstance(one, np.ndarray)) + target.batch.arenas.nbytes
    assert held < 400 << 20
    assert machine.picture()[2:5, 2:5].any()


def test_clears_can_be_given_up() -> None:
    """One token has up to 65,535 rectangles, each as large as the surface."""
    machine, asked = Machine(), []

    def enough() -> bool:
        asked.append(1)
        return len(asked) >= 3

    clear = "CLEAR", [(0, 0, SIZE, SIZE)] * 9, {"flags": 1, "color": 0, "depth": 1.0, "stencil": 0}
    with mock.patch.object(cancel, "SELDOM", 0.0), cancel.cancellable(enough), pytest.raises(Cancelled):
        machine.draw(clear)
    assert len(asked) == 3


def test_such_draws_can_be_given_up() -> None:
    """A thousand of them, at the 20th question; a piece is one question at least."""
    machine, asked = Machine(), []

    def enough() -> bool:
        asked.append(1)
        return len(asked) >= 20

    machine.buffer(40, vertex(3, 3))
    token = "DRAWPRIMITIVE", [{"type": POINTS, "start": 0, "count": 1 << 21}] * 1000
    with mock.patch.object(cancel, "SELDOM", 0.0), cancel.cancellable(enough), pytest.raises(Cancelled):
        machine.draw(("SETSTREAMSOURCE", [{"stream": 0, "buffer": 40, "stride": 0}]), token)
    assert len(asked) == 20
