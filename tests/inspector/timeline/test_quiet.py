"""What a walk carries out many calls at a time comes to the same as one call at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import inspector
from core.ddi.calls import DdiCall
from core.spec.enums import HResult
from inspector.imports import import_trace
from inspector.tape import Tape, TapeWriter
from inspector.timeline import quiet
from inspector.timeline.values import packed
from inspector.timeline.walk import Walk, Walker, walk
from tests.driver_calls import CONTEXT, call, tokens
from tests.inspector.conftest import ROOM
from tests.inspector.imports.trace_file import small_program, zstd
from tests.inspector.timeline import random_tape as r

SAMPLES = sorted((ROOM.parent / "samples").glob("*.ddicap"))


class Counted:
    """How many calls walks have carried out one by one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.alone = 0
        go = Walker.go

        def counting(*given: Any) -> None:
            self.alone += 1
            go(*given)

        monkeypatch.setattr(Walker, "go", counting)


def compared(capture: inspector.Capture) -> Walk:
    """The walk over a capture, after it was found to be that over a list of its calls: those are carried out one by one."""
    together, alone = walk(capture.calls, capture.events), walk(list(capture.calls), capture.events)
    for name in ("slots", "seqs", "values"):
        assert np.array_equal(getattr(together.states, name, 0), getattr(alone.states, name, 0))
    assert together.findings == alone.findings
    assert together.liveness._operations == alone.liveness._operations
    (one, arrays), (other, others) = packed(together), packed(alone)
    assert one == other and arrays.keys() == others.keys()
    return together


def taped(path: Path, calls: list[DdiCall]) -> inspector.Capture:
    """A capture file of them."""
    with TapeWriter(path / "a.ddicap", durable=False) as writer:
        for one in calls:
            writer.append(one)
    return inspector.open(path / "a.ddicap")


@pytest.mark.parametrize("path", [ROOM, *SAMPLES], ids=lambda path: path.stem)
def test_real_captures_walk_the_same(path: Path) -> None:
    with inspector.open(path) as capture:
        compared(capture)


def test_a_long_trace_is_walked_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "a.trace"
    trace.write_bytes(zstd(small_program(300).bytes()))
    with TapeWriter(tmp_path / "a.ddicap", durable=False) as writer:
        import_trace(trace, writer)
    counted = Counted(monkeypatch)
    with inspector.open(tmp_path / "a.ddicap") as capture:
        walk(capture.calls, capture.events)
        assert counted.alone < 30 < 600 < len(capture.calls)
        compared(capture)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tape=r.tapes(30, r.LOCKING), size=st.sampled_from([2, 3, 1024]))
def test_random_tapes_walk_the_same(tmp_path: Path, tape: tuple[list[DdiCall], list[int]], size: int) -> None:
    most, quiet.MOST_CALLS = quiet.MOST_CALLS, size
    try:
        with taped(tmp_path, tape[0]) as capture:
            compared(capture)
    finally:
        quiet.MOST_CALLS = most


def states(*pairs: tuple[int, int], **args: Any) -> DdiCall:
    return tokens(("RENDERSTATE", [{"state": state, "value": value} for state, value in pairs]), **args)


def test_draws_wait_for_each_other_and_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two contexts, another stride, a legacy state that Python looks after, commands of count 0, an empty buffer."""
    calls = [*r.setup(), *(r.triangles(seed) for seed in range(1, 7)), r.clear(1), r.clear(1), r.clear(3)]
    calls += [states((27, 1), context=2), states((27, 0), context=2), states((22, 3)), states((22, 3), vertex_size=24)]
    calls += [tokens(("TEXTURESTAGESTATE", [{"stage": 0, "state": 12, "value": 3}])), tokens(("RENDERSTATE", [])), tokens()]
    calls += [states((1, r.OTHER)), r.turn(0), r.clear(5), r.turn(1), r.clear(5), *[states((22, 1))] * 4]
    counted = Counted(monkeypatch)
    with taped(tmp_path, calls) as capture:
        walk(capture.calls, capture.events)
        assert counted.alone < len(calls) - 8
        compared(capture)


def test_what_finds_something_is_carried_out_one_by_one(tmp_path: Path) -> None:
    """Findings are told a few times each, in order, at their own byte."""
    bad, worse = states((22, 99), (7, 1)), tokens(("ZRANGE", [{"min": 2, "max": 1}]), ("CLEAR", [(0, 0, 4, 4)], {"flags": 64}))
    calls = [*r.setup(), states((7, 1)), bad, states((7, 0)), worse, *[worse] * 12, bad, states((22, 98)), states((7, 1))]
    calls += [tokens(("SETSTREAMSOURCE", [{"stream": 99, "buffer": 0, "stride": 4}])), states((7, 0)), states((7, 1))]
    with taped(tmp_path, calls) as capture:
        walked = compared(capture)
    assert {"bad-state-value", "depth-range", "clear-flags", "bad-stream"} <= {found.rule for found in walked.findings}


SEPARATE = call("GetBltStatus", handle=r.TARGET)  # never waits: what does is carried out
BEGIN = states((7, 1))  # changes the context, so it does not wait either


def test_draws_wait_over_locks_and_surfaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each passes draws that wait, but for a surface while one of them wants to know what a handle names."""
    made = [call("CreateSurface", handle=r.PASSING, width=4, height=4, format=21), call("DestroySurface", handle=r.PASSING)]
    between = [call("Lock", handle=r.OTHER), call("Unlock", handle=r.OTHER), *made]
    bind = tokens(("SETSTREAMSOURCE", [{"stream": 0, "buffer": r.PASSING, "stride": 20}]))
    calls = [*r.setup(), BEGIN, *[one for other in between for one in (states((22, 1)), other)] * 6]
    calls += [SEPARATE, bind, made[0], bind]
    counted = Counted(monkeypatch)
    with taped(tmp_path, calls) as capture:
        walk(capture.calls, capture.events)
        assert counted.alone == len(calls) - 24
        assert [one.text for one in compared(capture).findings] == [
            "SETSTREAMSOURCE of handle 60, which names nothing", "SETSTREAMSOURCE of handle 60, which is a surface",
        ]  # fmt: skip


def test_what_passes_draws_that_find_something_is_found_in_its_place(tmp_path: Path) -> None:
    """Within a call, states are looked at before texture stages: findings keep that order, too."""
    stage = "TEXTURESTAGESTATE", [{"stage": 0, "state": 1, "value": 99}]
    bad = tokens(stage, ("RENDERSTATE", [{"state": 22, "value": 99}]))
    unlock = call("Unlock", handle=r.OTHER)
    with taped(tmp_path, [*r.setup(), BEGIN, states((22, 1)), unlock, bad, unlock, states((22, 2)), SEPARATE]) as capture:
        rules = [one.rule for one in compared(capture).findings]
    assert rules == ["bad-lock", "bad-state-value", "bad-state-value", "bad-lock"]


def test_what_was_watched_is_known_afterwards(tmp_path: Path) -> None:
    """The vertex format is set among calls that are carried out together, the draw that breaks it comes alone."""
    untransformed = tokens(("SETVERTEXSHADER", [{"shader": 0x42}]))
    draw = tokens(("DRAWPRIMITIVE2", [{"type": 4, "first_offset": 0, "count": 1}]))
    with taped(tmp_path, [*r.setup(), BEGIN, untransformed, states((7, 1)), SEPARATE, draw]) as capture:
        walked = compared(capture)
    assert "transformed-draw" in {found.rule for found in walked.findings}


def test_findings_while_carrying_out_are_at_their_own_byte(tmp_path: Path) -> None:
    wrong = tokens(("SETSTREAMSOURCE", [{"stream": 99, "buffer": 0, "stride": 4}]))
    with taped(tmp_path, [*r.setup(), BEGIN, states((7, 1)), states((7, 0)), wrong, states((7, 1))]) as capture:
        (found,) = (found for found in compared(capture).findings if found.rule == "bad-stream")
    assert found.offset == 4


def test_clears_are_done_again_only_while_surfaces_are_what_they_were(tmp_path: Path) -> None:
    larger, whole = call("CreateSurface", handle=r.TARGET, width=4 * r.WIDE, height=9, format=21), r.clear(7)
    calls = [*r.setup(), BEGIN, whole, whole, call("DestroySurface", handle=r.TARGET), larger, whole, whole]
    with taped(tmp_path, calls) as capture:
        compared(capture)


def test_presents_are_done_again_only_while_surfaces_are_what_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blt = call("Blt", destination=r.TARGET, source=r.OTHER)
    part = call("Blt", destination=r.TARGET, source=r.OTHER, flags=1 << 24)  # a present that goes on
    refused = DdiCall("Blt", dict(blt.args), {}, int(HResult.DDERR_WASSTILLDRAWING))
    nowhere = call("Blt", destination=9999, source=r.OTHER)
    again = call("CreateSurface", handle=r.OTHER, width=4, height=4, format=21)
    calls = [
        *r.setup(),
        *[blt] * 5,
        r.flip(1),
        r.flip(1),
        r.flip(2),
        part,
        states((7, 1)),
        blt,
        refused,
        refused,
        nowhere,
        nowhere,
    ]
    calls += [call("DestroySurface", handle=r.OTHER), again, blt, blt, r.clear(1)]
    counted = Counted(monkeypatch)
    with taped(tmp_path, calls) as capture:
        walk(capture.calls, capture.events)
        assert 3 <= len(calls) - counted.alone < len(calls) // 2
        compared(capture)


def test_a_call_that_failed_is_never_quiet(tmp_path: Path) -> None:
    failed = DdiCall("DrawPrimitives2", dict(states((7, 0)).args), dict(states((7, 0)).data), 0x8876086C, {"error_offset": 0})
    calls = [
        *r.setup(),
        states((7, 1)),
        failed,
        states((22, 1)),
        tokens(("RENDERSTATE", [{"state": 7, "value": 0}]), context=77),
    ]
    with taped(tmp_path, calls) as capture:
        assert compared(capture).refused


def test_stored_calls_are_equal_where_their_bytes_are(tmp_path: Path) -> None:
    with taped(tmp_path, [*r.setup(), states((7, 1)), states((7, 1)), states((7, 0))]) as capture:
        tape = capture.tape
        assert isinstance(tape, Tape)
        last = len(tape.calls) - 1
        rows = [tape.calls.raw(number) for number in (last - 2, last - 1, last)]
        assert rows[0] is not None and rows[0].entry == "DrawPrimitives2" and rows[0] == rows[1] != rows[2]
        assert tape.calls[last].args["context"] == CONTEXT
