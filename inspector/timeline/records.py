"""The records of one kind of token, collected from a whole tape."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.cancel import look
from core.ddi.calls import DdiCall
from core.device.registers.records import is_empty
from core.spec.enums import Dp2Flag
from core.spec.tokens import TOKEN_BY_NAME, TOKENS
from inspector.timeline.events import Events

GATHERED = 1 << 20
"""Bytes of records that are gathered at once: their places take eight times as many."""


PATCHES = "DRAWRECTPATCH", "DRAWTRIPATCH"
SWAPS = Dp2Flag.SWAPVERTEXBUFFER | Dp2Flag.SWAPCOMMANDBUFFER


def only_draws(calls: Sequence[DdiCall], events: Events, event: int) -> bool:
    """Whether an event draws, and leaves states and buffers as they were: a driver keeps patches, and swaps buffers after the
    last token of a call that says so."""
    row = events.rows[event]
    if not row["draw"] or TOKENS[int(row["op"])].name in PATCHES:
        return False
    return not calls[int(row["call"])].args.get("flags", 0) & SWAPS


def events_of(events: Events, *names: str) -> np.ndarray:
    """The events of these tokens that were executed and do something, ascending, int64."""
    wanted = np.zeros(256, bool)
    wanted[[TOKEN_BY_NAME[name].op for name in names]] = True
    found = np.flatnonzero(wanted[events.rows["op"]])
    idle = is_empty(events.rows[found])
    return found[~(idle | events.undone()[found] if events.failed else idle)]


def fields_of(events: Events, chosen: np.ndarray, name: str) -> np.ndarray:
    """The fixed fields of events that all are tokens of this name: a structured array as long as `chosen` (a copy)."""
    dtype = TOKEN_BY_NAME[name].fields_dtype
    return bytes_of(events, chosen, dtype.itemsize).view(dtype)[:, 0]


def bytes_of(events: Events, chosen: np.ndarray, size: int, look: Callable[[], object] = look) -> np.ndarray:
    """The first `size` bytes of each record: uint8[chosen, size]; records must have as many.  Calls `look` now and then."""
    starts = events.base[events.rows["call"][chosen]] + events.rows["offset"][chosen]
    found, within = np.empty((len(chosen), size), np.uint8), np.arange(size)
    step = max(GATHERED // max(size, 1), 1)
    for at in range(0, len(chosen), step):
        look()
        found[at : at + step] = events.commands[starts[at : at + step, None] + within]
    return found


def payload_of(events: Events, event: int, start: int, size: int) -> np.ndarray:
    """`size` bytes of a record's own bytes from `start` on."""
    begin = int(events.base[events.rows["call"][event]]) + int(events.rows["offset"][event]) + start
    return events.commands[begin : begin + size]
