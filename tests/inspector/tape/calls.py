"""DDI calls for tape tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall

CLEAR_STATE = bytes((8, 0, 1, 0, 7, 0, 0, 0, 1, 0, 0, 0))  # one RENDERSTATE record: ZENABLE = 1


def some_calls(count: int) -> Iterator[DdiCall]:
    """Calls of every shape: boxes, absent boxes, small and large data, streams, results, returned values."""
    for i in range(count):
        kind = i % 4
        if kind == 0:
            yield DdiCall("Lock", {"handle": i, "box": (0, 0, 4, i % 9), "flags": 0x10}, {}, 0, {"pitch": 16}, i)
        elif kind == 1:
            contents = np.full(1500 + i % 700, i % 13, np.uint8)
            yield DdiCall("Unlock", {"handle": i, "box": None, "pitch": 16}, {"contents": contents}, 0, {}, i)
        elif kind == 2:
            sources = np.array([i - 1, i], np.uint32)
            data = {"commands": CLEAR_STATE * 2, "sources": sources, "vertices": b"abc"}
            yield DdiCall("DrawPrimitives2", {"context": 1, "command_length": 24}, data, 0, {"error_offset": 0}, i)
        else:
            args = {"handle": i, "label": "texture", "scale": 0.5}
            yield DdiCall("CreateSurface", args, {}, 0x8876017C, {"pitches": (4, 8)}, -1)


def plain(call: DdiCall) -> tuple[Any, ...]:
    """A call as values that compare by content."""
    return call.entry, call.args, {key: bytes(value) for key, value in call.data.items()}, call.result, call.out, call.source
