"""Fates of the primitives and fragments of draws, counted frame by frame, once for all questions."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from inspector.progress import Cancel
from inspector.timeline.counters import DRAW_COUNTS, counters

COUNTS = tuple(name for name in DRAW_COUNTS.names or () if name not in ("event", "primitives"))
"""Columns that only drawing tells."""
_known: WeakKeyDictionary[Any, dict[int, np.ndarray]] = WeakKeyDictionary()


def counts_of(capture: Any, first: int, last: int, cancel: Cancel | None = None) -> np.ndarray:
    """DRAW_COUNTS of the draws among events first..last that belong to a frame, in order.  Draws every frame met; Cancelled."""
    known = _known.setdefault(capture, {})
    found = [np.zeros(0, DRAW_COUNTS)]
    for frame in capture.frames:
        if frame.first_event > last or frame.last_event < first or not frame.draws:
            continue
        if frame.index not in known:
            known[frame.index] = counters(capture, frame, cancel)
        found.append(known[frame.index])
    rows = np.concatenate(found)
    return rows[(rows["event"] >= first) & (rows["event"] <= last)]
