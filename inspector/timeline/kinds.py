"""The kind of each event, from its row; for a blt also from its flags."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.cancel import stoppable
from core.device.registers.records import is_empty
from core.spec.calls import CALLS, NO_CALL
from core.spec.effects import EventKind
from core.spec.tokens import TOKENS
from inspector.progress import spans

KIND_OF_OP = np.array([TOKENS[op].kind if op in TOKENS else EventKind.OTHER for op in range(256)], np.uint8)


def kinds_of(capture: Any, chosen: np.ndarray | None = None) -> np.ndarray:
    """The EventKind of each event of a capture, or of these events: uint8.  Raises Cancelled."""
    events, index = capture.events, capture.tape.call_index()
    known = {number: CALLS.get(name, NO_CALL) for number, name in index.names.items()}
    of_entry = np.zeros(max(known, default=0) + 1, np.uint8)
    for number, row in known.items():
        of_entry[number] = row.kind
    entry = np.asarray(index.entry)
    asked = [number for number, row in known.items() if row.whens]
    undone = events.undone() if events.failed else None
    kinds = np.empty(len(events) if chosen is None else len(chosen), np.uint8)
    for span in spans(len(kinds)):
        rows = events.rows[span if chosen is None else chosen[span]]
        entries, ops = entry[rows["call"]], rows["op"]
        mine = np.where(ops != 0, KIND_OF_OP[ops], of_entry[entries])
        idle = is_empty(rows)
        if undone is not None:
            idle |= undone[span if chosen is None else chosen[span]]
        mine[idle & (ops != 0)] = EventKind.OTHER  # commands of count 0, and what was not executed
        for place in stoppable(np.flatnonzero((ops == 0) & np.isin(entries, asked)).tolist()):
            mine[place] = known[int(entries[place])].kind_of(capture.calls[int(rows["call"][place])].args)
        kinds[span] = mine
    return kinds
