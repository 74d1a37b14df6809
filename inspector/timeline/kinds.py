"""The kind of each event, from its row; for a blt also from its flags."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.device.registers.records import is_empty
from core.spec.calls import CALLS, NO_CALL
from core.spec.effects import EventKind
from core.spec.tokens import TOKENS

KIND_OF_OP = np.array([TOKENS[op].kind if op in TOKENS else EventKind.OTHER for op in range(256)], np.uint8)


def kinds_of(capture: Any) -> np.ndarray:
    """The EventKind of each event of a capture, uint8."""
    events, index = capture.events, capture.tape.call_index()
    rows = {number: CALLS.get(name, NO_CALL) for number, name in index.names.items()}
    of_entry = np.zeros(max(rows, default=0) + 1, np.uint8)
    for number, row in rows.items():
        of_entry[number] = row.kind
    entries = np.asarray(index.entry)[np.asarray(events.call)]
    kinds: np.ndarray = np.where(np.asarray(events.op) != 0, KIND_OF_OP[events.op], of_entry[entries])
    idle = (is_empty(events.rows) | events.undone()) & (np.asarray(events.op) != 0)
    kinds[idle] = EventKind.OTHER  # commands of count 0, and what was not executed
    asked = [number for number, row in rows.items() if row.whens]
    for event in np.flatnonzero((np.asarray(events.op) == 0) & np.isin(entries, asked)).tolist():
        kinds[event] = rows[int(entries[event])].kind_of(capture.calls[int(events.call[event])].args)
    return kinds
