"""Events listed call by call: the same however many calls become rows together."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from core.ddi.calls import DdiCall
from core.spec.enums import HResult
from core.spec.tokens import Op
from inspector.timeline import listing
from inspector.timeline.listing import Listing

RECORDS = 3  # of each stream: two render states, a draw
STREAM = struct.pack("<5I", Op.RENDERSTATE | 2 << 16, 7, 1, 8, 2) + struct.pack("<4I", Op.DRAWPRIMITIVE | 1 << 16, 4, 0, 2)
DRAW_AT = 20  # the offset of the draw's token


def stream(source: int, sources: list[int] | None = None, result: int = 0, **out: object) -> DdiCall:
    data = {"commands": STREAM} | ({} if sources is None else {"sources": np.array(sources, np.uint32)})
    args = {"command_offset": 0, "command_length": len(STREAM)}
    return DdiCall("DrawPrimitives2", args, data, result, dict(out), source)


CALLS = [
    DdiCall("GetHalInfo", source=0),
    stream(5, [1, 2, 3]),
    stream(6, [4, 5]),  # fewer than records: the last one is of the call that sent them
    DdiCall("Flip", {"surface": [1, 2]}, source=7),
    stream(9, result=int(HResult.D3DERR_INVALIDCALL), error_offset=DRAW_AT),
    DdiCall("DrawPrimitives2", {"command_offset": 0, "command_length": 4}, {"commands": b"\xff\0\1\0"}, source=10),
    stream(11, [11, 11, 11]),
]


@pytest.mark.parametrize(("calls", "events"), [(4096, 1 << 18), (1, 1 << 18), (4096, 1), (2, 4)])
def test_events_are_what_the_calls_say(monkeypatch: pytest.MonkeyPatch, calls: int, events: int) -> None:
    monkeypatch.setattr(listing, "FLUSHED", calls)
    monkeypatch.setattr(listing, "FLUSHED_EVENTS", events)
    listed = Listing()
    for call in CALLS:
        listed.append(call)
    found = listed.events()
    rows = found.rows
    assert rows["call"].tolist() == [0, 1, 1, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6]
    assert rows["source"].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 9, 9, 9, 10, 11, 11, 11]
    state, draw = int(Op.RENDERSTATE), int(Op.DRAWPRIMITIVE)
    assert rows["op"].tolist() == [0, *[state, state, draw] * 2, 0, state, state, draw, 0, state, state, draw]
    assert np.flatnonzero(rows["draw"]).tolist() == [3, 6, 14]  # not what the driver refused
    assert rows["token"][1:4].tolist() == [0, 0, DRAW_AT]
    assert rows["offset"][1:4].tolist() == [4, 12, DRAW_AT + 4]
    assert [error.call for error in found.errors] == [5]
    assert {number: one.first for number, one in found.failed.items()} == {4: 10}
