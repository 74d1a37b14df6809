"""Signatures of events: equal tokens and calls have equal numbers, wherever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from core.cancel import stoppable
from core.ddi.calls import DdiCall
from core.errors import Cancelled
from core.kernels.jit import array, kernel, void
from core.spec.slots import slot
from core.spec.tokens import Op, ops_that

if TYPE_CHECKING:
    from inspector.capture import Capture
    from inspector.progress import Cancel

NOT_PART = ("commands", "sources")  # data of a call that says nothing about what it does, or is in its records
ONCE = ops_that(lambda row: row.repeat == "once")
USER_MEMORY, STRIDE = slot(("STREAM", 0, "user_memory")), slot(("STREAM", 0, "stride"))
CALLS_A_CANCEL = 256
LEFT_OUT = 0  # the signature of every event that a what-if leaves out


@kernel(void(array("u1", readonly=True), array("i8"), array("i8"), array("u8"), array("u8")))
def _hash_records(data, begins, sizes, seeds, out):
    """out: a number for each record, its opcode and its bytes (FNV-1a, 64 bits, and a last mixing)."""
    for n in range(len(begins)):
        value = np.uint64(0xCBF29CE484222325) ^ seeds[n]
        for at in range(begins[n], begins[n] + sizes[n]):
            value = (value ^ np.uint64(data[at])) * np.uint64(0x100000001B3)
        value ^= value >> np.uint64(29)
        value *= np.uint64(0xBF58476D1CE4E5B9)
        out[n] = value ^ (value >> np.uint64(32))


def signatures(capture: Capture, events: range, cancel: Cancel | None = None) -> np.ndarray:
    """uint64[events]: the same for the same token with the same bytes, or the same call with the same arguments and data.

    A draw from user memory is known by the vertices themselves, not by where the runtime put them.
    """
    table = capture.events
    rows = table.rows[events.start : events.stop]
    base = np.maximum(table.base, 0)[rows["call"]]
    seeds = rows["op"].astype(np.uint64) << np.uint64(16) | np.where(ONCE[rows["op"]], rows["count"], 0).astype(np.uint64)
    sizes = np.where(rows["op"] > 0, rows["size"], 0).astype(np.int64)
    found = np.empty(len(rows), np.uint64)
    _hash_records(table.commands, base + rows["offset"], sizes, seeds, found)
    for number in np.unique(rows["call"]).tolist():
        if cancel and not number % CALLS_A_CANCEL and cancel():
            raise Cancelled("comparison cancelled")
        _of_call(capture, number, events, found)
    found[capture.skipped[events.start : events.stop]] = LEFT_OUT
    return found


def _of_call(capture: Capture, number: int, events: range, found: np.ndarray) -> None:
    """Fills in what the records alone do not say."""
    span = capture.events.of_call(number)
    if not capture.events.rows["op"][span.start]:
        found[span.start - events.start] = call_signature(capture.calls[number])
    elif (draws := _draws_in(capture, range(max(span.start, events.start), min(span.stop, events.stop)))) is not None:
        call = capture.calls[number]
        if "vertices" in call.data:
            for event in stoppable(draws):
                found[event - events.start] = _user_draw(capture, call, int(event), int(found[event - events.start]))


def _draws_in(capture: Capture, span: range) -> np.ndarray | None:
    """The draws among these events whose stream 0 may be user memory; None if there are none."""
    states = capture.walked.states
    draws = np.flatnonzero(capture.events.rows["draw"][span.start : span.stop]) + span.start
    if not len(draws):
        return None
    keep = [bool(states.at(event, np.array([USER_MEMORY]))[0][0]) for event in stoppable(draws.tolist())]
    return draws[keep] if any(keep) else None


def _user_draw(capture: Capture, call: DdiCall, event: int, plain: int) -> int:
    """The signature of a draw from the call's own vertices: of those that it uses, which are not all that the call has."""
    row = capture.events.rows[event]
    held = memoryview(call.data["vertices"]).cast("B")
    stride, at = int(capture.walked.states.at(event, np.array([STRIDE]))[0][0]), int(row["offset"])
    fields = np.frombuffer(capture.events.buffer(event)[at : at + int(row["size"])].tobytes(), "<i4").tolist()
    if stride and row["op"] == Op["DRAWPRIMITIVE"]:
        kind, first, primitives = fields[:3]
        count, told = vertices_of(kind, primitives), (kind, primitives)
    elif stride and row["op"] == Op["DRAWINDEXEDPRIMITIVE"]:
        kind, base, lowest, count, *indices = fields
        first, told = base + lowest, (kind, lowest, count, *indices)
    else:
        return xxhash.xxh3_64_intdigest(bytes(held), plain)
    used = held[first * stride : (first + count) * stride]
    return xxhash.xxh3_64_intdigest(repr((told, stride)).encode() + bytes(used))


def vertices_of(kind: int, primitives: int) -> int:
    """How many vertices this many primitives of a D3DPRIMITIVETYPE take."""
    each, more = {1: (1, 0), 2: (2, 0), 3: (1, 1), 4: (3, 0), 5: (1, 2), 6: (1, 2)}.get(kind, (0, 0))
    return each * primitives + more


def call_signature(call: DdiCall) -> int:
    """A number for a call without records: its entry, arguments and data."""
    state = xxhash.xxh3_64(repr((call.entry, sorted(call.args.items(), key=lambda pair: pair[0]))).encode())
    for name in sorted(call.data):
        if name not in NOT_PART:
            state.update(name.encode())
            state.update(memoryview(call.data[name]).cast("B"))
    return state.intdigest()
