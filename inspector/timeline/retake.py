"""Command buffers with edited bytes, and the event list that goes with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.ddi.calls import OFFSETS, DdiCall
from core.errors import BadInput
from inspector.timeline.events import Events, stream_events

Splice = tuple[int, int, bytes]
"""Bytes begin..end-1 of a command buffer become these."""


def spliced(call: DdiCall, splices: Sequence[Splice]) -> DdiCall:
    """A DrawPrimitives2 call with other bytes.  Of changes of the same bytes the last one counts; BadInput if some overlap."""
    commands = bytes(memoryview(call.data["commands"]).cast("B"))
    parts, at = [], 0
    changes = sorted({(begin, end): data for begin, end, data in splices}.items())
    for (begin, end), data in changes:
        if begin < at:
            raise BadInput("two edits change the same bytes")
        parts += [commands[at:begin], data]
        at = end
    edited = b"".join([*parts, commands[at:]])
    args = dict(call.args)
    if "command_length" in args:
        args["command_length"] += len(edited) - len(commands)
    out = {name: _moved(value, changes) if name in OFFSETS else value for name, value in call.out.items()}
    return DdiCall(call.entry, args, {**call.data, "commands": edited}, call.result, out, call.source)


def _moved(places: Any, changes: Sequence[tuple[tuple[int, int], bytes]]) -> Any:
    """Offsets of commands, where they are after the changes."""
    if isinstance(places, tuple):
        return tuple(_moved(place, changes) for place in places)
    if not isinstance(places, int):
        return places
    return places + sum(len(data) - (end - begin) for (begin, end), data in changes if end <= places)


def retaken(events: Events, edited: Mapping[int, DdiCall]) -> Events:
    """The events of a tape some of whose calls have other command buffers.

    Raises BadInput when an edit changes how many tokens there are: event numbers stay what they are.
    """
    streams = {number: call for number, call in sorted(edited.items()) if events.base[number] >= 0}
    if not streams:
        return events
    rows, base = events.rows.copy(), events.base.copy()
    pieces, at = [], 0
    broken = {error.call for error in events.errors}
    for number, call in streams.items():
        buffer = np.frombuffer(call.data["commands"], np.uint8)
        found, error = stream_events(buffer, call, number)
        if error and number not in broken:
            raise BadInput(f"the edit of call {number} leaves a broken stream: {error.sentence}")
        _take_rows(rows, events.of_call(number), found)
        start = int(events.base[number])
        pieces += [events.commands[at:start], buffer]
        at = start + len(events.buffer(events.of_call(number).start))
        base[number + 1 :] += np.where(base[number + 1 :] >= 0, len(buffer) - (at - start), 0)
    pieces.append(events.commands[at:])
    return replace(events, rows=rows, commands=np.concatenate(pieces), base=base)


def _take_rows(rows: np.ndarray, span: range, found: np.ndarray) -> None:
    if len(found) != len(span):
        raise BadInput(f"the edit of events {span.start}..{span.stop - 1} leaves {len(found)} tokens, not {len(span)}")
    found["source"] = rows["source"][span.start : span.stop]
    rows[span.start : span.stop] = found
