"""A draw or a frame on its own: the driver calls that reproduce it, without earlier drawing.

As in a trimmed capture, objects are made as they were and contents uploaded as they stood; of the tokens before, only those
are left that set a value which is still in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.calls import DdiCall
from core.spec.calls import kind_of_call
from core.spec.effects import ACTIONS
from core.spec.tokens import TOKENS, ops_that
from inspector.exports.edited import records
from inspector.exports.trimmed import UPLOADS, states_of, uploads_of, used_in

if TYPE_CHECKING:
    from inspector.capture import Capture

VALUES = (
    *("RENDERSTATE", "TEXTURESTAGESTATE", "SETVERTEXSHADER", "SETPIXELSHADER", "SETVERTEXSHADERCONST", "SETPIXELSHADERCONST"),
    *("SETSTREAMSOURCE", "SETINDICES", "SETTRANSFORM", "VIEWPORTINFO", "ZRANGE", "SETMATERIAL", "SETCLIPPLANE", "SETLIGHT"),
)
"""Tokens that do nothing but set values: one whose values are all overwritten may go."""
REMEMBERING = ("STATESET", "MULTIPLYTRANSFORM")
"""With these in a capture, what a token sets may matter later although it is overwritten."""


def alone(capture: Capture, first: int, last: int, thorough: int = 0) -> list[DdiCall]:
    """The calls that make events first..last.

    `thorough`: 1 keeps every token before that does not draw, 2 also every Flip, as they decide which surface is the back
    buffer, and uploads the contents of what these events do not use.
    Usually 0 is enough; who needs to be sure compares what is drawn.
    """
    used = None if thorough > 1 else used_in(capture, first, last)
    wanted = still_in_force(capture, first) if not thorough and first else None
    return list(_calls(capture, first, last, used, wanted))


def still_in_force(capture: Capture, event: int) -> np.ndarray | None:
    """bool[events]: without the tokens whose values are all overwritten before `event`; None if that cannot be known."""
    ops = capture.events.op
    if np.isin(ops, [op for op, row in TOKENS.items() if row.name in REMEMBERING]).any():
        return None
    wanted = ~ops_that(lambda row: row.name in VALUES)[ops]
    states = capture.walked.states
    writers = states.at(event - 1, np.arange(len(states.first) - 1))[1]
    wanted[writers[writers >= 0]] = True
    return wanted


def _calls(capture: Capture, first: int, last: int, used: set[int] | None, wanted: np.ndarray | None) -> Iterator[DdiCall]:
    events = capture.events
    begin, end = (int(events.rows["call"][event]) for event in (first, last))
    for number in range(begin):
        call = capture.calls[number]
        if call.entry == "DrawPrimitives2":
            yield from states_of(call, events, events.of_call(number), wanted)
        elif (used is None and call.entry == "Flip") or not (
            call.entry in UPLOADS or kind_of_call(call.entry, call.args) in ACTIONS or _asks(call, wanted)
        ):
            yield call
    call = capture.calls[begin]
    if call.entry == "DrawPrimitives2":
        yield from states_of(call, events, range(events.of_call(begin).start, first), wanted)
    if first:
        with capture.replay.before(first) as driver:
            uploads = list(uploads_of(driver, used))
        yield from uploads
    for number in range(begin, end + 1):
        yield _part(capture, capture.calls[number], number, first, last)


def _asks(call: DdiCall, wanted: np.ndarray | None) -> bool:
    """Whether a call only asks the driver, for what nothing depends on."""
    return wanted is not None and call.entry == "GetDriverInfo" and call.args.get("type") != "D3DCAPS8"


def _part(capture: Capture, call: DdiCall, number: int, first: int, last: int) -> DdiCall:
    """The call with those of its records that are among events first..last."""
    span = capture.events.of_call(number)
    if call.entry != "DrawPrimitives2" or (first <= span.start and span.stop - 1 <= last):
        return call
    commands = bytearray()
    for held, _ in records(capture.events, max(first, span.start), min(last + 1, span.stop), 0):
        commands += held
    args = {**call.args, "command_offset": 0, "command_length": len(commands)}
    data = {name: value for name, value in call.data.items() if name not in ("commands", "sources")}
    return DdiCall(call.entry, args, {**data, "commands": bytes(commands)})
