"""Differences between two events that read the same: vertices, or the data of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

VERTEX = "vertex"


def data_difference(a: Capture, event_a: int, b: Capture, event_b: int, cancel: Cancel | None = None) -> str:
    """One sentence: the first vertex of a draw, or the first byte of a call's data, that is not the same; empty without one."""
    if a.events.rows["draw"][event_a] and b.events.rows["draw"][event_b]:
        return _vertices(a, event_a, b, event_b, cancel)
    calls = (side.calls[int(side.events.rows["call"][event])] for side, event in ((a, event_a), (b, event_b)))
    data_a, data_b = (call.data for call in calls)
    return _blobs(data_a, data_b)


def _vertices(a: Capture, event_a: int, b: Capture, event_b: int, cancel: Cancel | None) -> str:
    try:
        rows_a, rows_b = a.vertices(event_a, "assembled", cancel).rows, b.vertices(event_b, "assembled", cancel).rows
    except BadInput:
        return ""
    if len(rows_a) != len(rows_b):
        return f"vertices: {len(rows_a)} | {len(rows_b)}"
    names = [name for name in rows_a.dtype.names or () if name in (rows_b.dtype.names or ()) and name != VERTEX]
    differs = {name: np.flatnonzero(unequal(rows_a[name], rows_b[name])) for name in names}
    first = min((int(rows[0]) for rows in differs.values() if len(rows)), default=None)
    if first is None:
        return ""
    count = len(np.unique(np.concatenate(list(differs.values()))))
    values = [
        f"{name} {rows_a[name][first]:.9g} | {rows_b[name][first]:.9g}"
        for name, rows in differs.items()
        if len(rows) and rows[0] == first
    ]
    return f"{count} of {len(rows_a)} vertices differ; in drawing order the first is {first}: {', '.join(values)}"


def unequal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """bool[n]; two values that are not numbers are equal."""
    differs = a != b
    return differs & ~(np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" and b.dtype.kind == "f" else differs


def _blobs(a: Mapping[str, Any], b: Mapping[str, Any]) -> str:
    for name in a:
        if name not in b:
            continue
        left, right = (np.frombuffer(memoryview(side[name]).cast("B"), np.uint8) for side in (a, b))
        if len(left) != len(right):
            return f"{name}: {len(left)} bytes | {len(right)} bytes"
        places = np.flatnonzero(left != right)
        if len(places):
            at = int(places[0])
            values = f"{left[at]:#04x} | {right[at]:#04x}"
            return f"{name}: {len(places)} of {len(left)} bytes differ; the first is byte {at:#x}: {values}"
    return ""
