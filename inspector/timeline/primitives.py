"""The number of primitives that a draw requests."""

from __future__ import annotations

import numpy as np

from core.cancel import stoppable
from core.spec.tokens import TOKENS, ops_that
from inspector.timeline.events import Events

PATCHES = ops_that(lambda row: row.draws and row.repeat == "count" and not any(field.name == "count" for field in row.fields))
"""Tokens each of whose records is one primitive: patches, however finely they are tessellated."""


def primitives_of(events: Events, event: int) -> int:
    """Primitives of a draw, as the application counts: later stages number them 0..n-1; 0 for what is not a draw."""
    return int(primitive_counts(events, np.array([event]))[0])


def primitive_counts(events: Events, chosen: np.ndarray) -> np.ndarray:
    """The same for many events: int64[n]."""
    rows = events.rows[chosen]
    counts = np.where(rows["draw"], rows["count"], 0).astype(np.int64)
    counts[PATCHES[rows["op"]] & rows["draw"]] = 1
    starts = events.base[rows["call"]] + rows["offset"]
    for op in stoppable(np.flatnonzero(np.bincount(rows["op"][rows["draw"]])).tolist(), 1):
        row = TOKENS[op]
        if any(field.name == "count" for field in row.fields):
            mine = np.flatnonzero((rows["op"] == op) & rows["draw"])
            offset, size = row.place("count")
            places = starts[mine, None] + offset + np.arange(size)
            counts[mine] = np.ascontiguousarray(events.commands[places]).view(f"<u{size}")[:, 0]
    return counts
