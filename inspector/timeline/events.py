"""The event array: one row per *record* of a DP2 token, or per DDI call that carries no stream.

Event numbers (`seq`) count from 0 in tape order; the device counts the same way when it executes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from core.ddi.calls import DdiCall, Outcome
from core.ddi.stream import dp2
from core.errors import TokenError
from core.spec.enums import HResult
from core.spec.tokens import ops_that

EVENT = np.dtype(
    [
        ("call", "u4"),  # index of the DDI call
        ("op", "u1"),  # DP2 opcode; 0: the DDI call itself
        ("draw", "?"),  # it draws: not what was not executed, not a command of count 0
        ("count", "u2"),  # of the command; dp2.is_empty: the token has no records, the event does nothing
        ("token", "u4"),  # byte offset of the token's D3DHAL_DP2COMMAND
        ("offset", "u4"),  # byte offset of the record
        ("size", "u4"),  # bytes of the record
        ("index", "u4"),  # record number in its token
        ("source", "i8"),  # API call that caused it, -1: none known
    ]
)
DRAW_OPS = ops_that(lambda row: row.draws)

LARGEST_VERTEX = 1 << 16


@dataclass(frozen=True, slots=True)
class StreamError:
    """A DP2 stream that breaks off: everything before `offset` is kept."""

    call: int
    offset: int
    sentence: str


class Failed(NamedTuple):
    """A call that was answered with an error: the HRESULT, and from which event on nothing of it was executed."""

    result: int
    first: int


@dataclass(frozen=True, slots=True)
class Events:
    """All events of a tape, and the command bytes they lie in.

    `rows` is EVENT[n].  `commands` holds the command buffers of all DrawPrimitives2 calls one after the other;
    `base[call]` is where a call's buffer starts, -1 for calls without one.  `failed`: calls by number.
    """

    rows: np.ndarray
    first_of_call: np.ndarray
    commands: np.ndarray
    base: np.ndarray
    errors: tuple[StreamError, ...]
    failed: Mapping[int, Failed] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            return self.rows[name]
        except ValueError:
            raise AttributeError(name) from None

    def of_call(self, call: int) -> range:
        """The events of one DDI call."""
        return range(int(self.first_of_call[call]), int(self.first_of_call[call + 1]))

    def is_done(self, event: int) -> bool:
        """Whether the tape's driver executed an event: not what comes from dwErrorOffset of its call on."""
        failed = self.failed.get(int(self.rows["call"][event]))
        return failed is None or event < failed.first

    def undone(self) -> np.ndarray:
        """bool[events]: what was not executed."""
        mask = np.zeros(len(self), bool)
        for call, failed in self.failed.items():
            mask[failed.first : self.of_call(call).stop] = True
        return mask

    def buffer(self, event: int) -> np.ndarray:
        """The command buffer an event lies in, uint8; empty for a DDI call without one."""
        call = int(self.rows["call"][event])
        start = int(self.base[call])
        if start < 0:
            return self.commands[:0]
        return self.commands[start : self._end_of_buffer(call)]

    def _end_of_buffer(self, call: int) -> int:
        """Where the next buffer starts; calls without one lie in between, seldom many."""
        first, ahead = call + 1, 16
        while first < len(self.base):
            later = self.base[first : first + ahead]
            later = later[later >= 0]
            if len(later):
                return int(later[0])
            first, ahead = first + ahead, 2 * ahead
        return len(self.commands)

    def last_of_source(self, source: int) -> int:
        """The last event caused by API call `source`, or by the nearest earlier call that caused one; -1 if none."""
        return int(np.searchsorted(self.rows["source"], source, side="right")) - 1


def carried_out(call: DdiCall, records: np.ndarray) -> int:
    """How many records of a stream its driver has executed, as the tape says."""
    if call.result == HResult.DDERR_WASSTILLDRAWING:
        return 0
    offset = Outcome.of(call).error_offset
    return len(records) if offset is None else int(np.searchsorted(records["token"], offset))


class Part(NamedTuple):
    """A call whose events are no rows yet.

    source: the API call that caused it.  records: dp2.RECORD of its stream, None for a call that is one event.
    told: uint32, the API calls of the first of them.  done: how many its driver has executed.
    """

    call: int
    source: int
    records: np.ndarray | None = None
    told: np.ndarray | None = None
    done: int = 0

    @property
    def events(self) -> int:
        """How many."""
        return 1 if self.records is None else len(self.records)


def stream_part(buffer: np.ndarray, call: DdiCall, number: int) -> tuple[Part, StreamError | None]:
    """One command buffer."""
    start, stride = call.args.get("command_offset", 0), call.args.get("vertex_size", 0)
    length = call.args.get("command_length", len(buffer))
    nothing = Part(number, call.source, np.zeros(0, dp2.RECORD))
    if not all(isinstance(value, int) for value in (start, stride, length)):
        return nothing, StreamError(number, 0, "offset, length and vertex size are not all whole numbers")
    resume = Outcome.of(call).resumed.get if "resumed" in call.out else None
    try:
        scan = dp2.scan(buffer, start, length, max(0, min(stride, LARGEST_VERTEX)), resume)
    except TokenError as bad:
        return nothing, StreamError(number, bad.offset, str(bad))
    records, sources, told = scan.records, call.data.get("sources"), None
    if sources is not None:
        told = np.frombuffer(sources, np.uint32, memoryview(sources).nbytes // 4)[: len(records)]
    error = StreamError(number, scan.error.offset, scan.error.sentence) if scan.error else None
    done = carried_out(call, records) if call.result else len(records)
    return Part(number, call.source, records, told, done), error


def joined_rows(parts: Sequence[Part]) -> np.ndarray:
    """EVENT[n] of calls, in order."""
    counts = np.array([part.events for part in parts], np.int64)
    rows = np.zeros(int(counts.sum()), EVENT)
    rows["call"] = np.repeat(np.array([part.call for part in parts], np.uint32), counts)
    rows["source"] = np.repeat(np.array([part.source for part in parts], np.int64), counts)
    pieces = [part.records.view(np.uint8) for part in parts if part.records is not None]
    if not pieces:
        return rows
    records = np.concatenate(pieces).view(dp2.RECORD)  # as bytes: numpy copies records field by field
    places = np.flatnonzero(np.repeat([part.records is not None for part in parts], counts))
    for name in ("op", "count", "token", "offset", "size", "index"):
        rows[name][places] = records[name]
    rows["draw"][places] = DRAW_OPS[records["op"]] & ~dp2.is_empty(records)
    draw, source = rows["draw"], rows["source"]
    for part, end in zip(parts, np.cumsum(counts).tolist(), strict=True):
        if part.records is None:
            continue
        begin = end - len(part.records)
        if part.done < len(part.records):
            draw[begin + part.done : end] = False
        if part.told is not None:
            source[begin : begin + len(part.told)] = part.told
    return rows


def stream_events(buffer: np.ndarray, call: DdiCall, number: int) -> tuple[np.ndarray, StreamError | None]:
    """The events of one command buffer."""
    part, error = stream_part(buffer, call, number)
    return joined_rows([part]), error
