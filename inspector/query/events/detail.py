"""One event in detail: its kind, fields and bytes, and the API call that caused it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall, answered
from core.ddi.stream import dp2
from core.ddi.stream.dp2 import RECORD
from core.spec.calls import CALLS, DRAW_MEMBERS, HRESULT, argument_text
from core.spec.tokens import COMMAND_BYTES, TOKENS
from inspector.tape.sequence import CallData
from inspector.timeline.events import Events

SHOWN_BYTES = 4096  # of a blob of a call without a stream


@dataclass(frozen=True, slots=True)
class FieldText:
    """One decoded field.  [begin, end) are bytes of `EventDetail.data`; begin = end for what has no bytes of its own.

    `header`: the member's name in the DDK's structure.
    """

    name: str
    text: str
    value: Any
    begin: int
    end: int
    kind: str
    header: str = ""


@dataclass(frozen=True, slots=True)
class EventDetail:
    """What the token panel shows.  `data` begins with the D3DHAL_DP2COMMAND; it is at `base_offset` in its buffer.

    `header`: the DDK's name of the token's structure, or of the driver's entry point.  `call_fields`: of a token, the members
    of the D3DHAL_DRAWPRIMITIVES2DATA that it came in.
    """

    seq: int
    frame: int
    name: str
    text: str
    call: int
    source: int
    source_text: str
    fields: tuple[FieldText, ...]
    data: bytes
    base_offset: int
    header: str = ""
    call_fields: tuple[FieldText, ...] = ()


def name_of(events: Events, calls: Any, event: int) -> str:
    """The token, as "RENDERSTATE", or the driver entry point of a call without a stream."""
    op = int(events.rows["op"][event])
    return TOKENS[op].name if op in TOKENS else str(calls[int(events.rows["call"][event])].entry)


def header_of(events: Events, calls: Any, event: int) -> str:
    """The DDK's name: of the structure of a token, "D3DHAL_DP2DRAWPRIMITIVE", or of an entry point, "DdBlt"."""
    op = int(events.rows["op"][event])
    if op in TOKENS:
        return TOKENS[op].struct
    row = CALLS.get(calls[int(events.rows["call"][event])].entry)
    return row.header if row else ""


def line_of(events: Events, calls: Any, event: int) -> str:
    """One line: the token with its fields, or the DDI call with its arguments."""
    if events.rows["op"][event]:
        return dp2.text(events.buffer(event), record_of(events, event))
    return call_text(calls[int(events.rows["call"][event])])


def record_of(events: Events, event: int) -> np.void:
    """The event's row as a record of `dp2.scan`."""
    record = np.zeros(1, RECORD)
    for name in ("op", "count", "token", "offset", "size", "index"):
        record[name] = events.rows[name][event]
    return record[0]


def token_detail(events: Events, event: int) -> tuple[tuple[FieldText, ...], bytes, int]:
    """(fields, bytes, offset of the bytes) of a token record: its command header, then its own bytes."""
    record, buffer = record_of(events, event), events.buffer(event)
    token, offset, size = int(record["token"]), int(record["offset"]), int(record["size"])
    head = buffer[token : token + COMMAND_BYTES]
    data = head.tobytes() + buffer[offset : offset + size].tobytes()
    member = "wPrimitiveCount" if TOKENS[int(record["op"])].draws else "wStateCount"  # of D3DHAL_DP2COMMAND, one word
    fields = [
        FieldText(
            "bCommand", f"{TOKENS[int(record['op'])].name} ({int(record['op'])})", int(record["op"]), 0, 1, "U8", "bCommand"
        ),
        FieldText(member, str(int(record["count"])), int(record["count"]), 2, 4, "U16", member),
    ]
    shift = COMMAND_BYTES - offset
    for field in dp2.describe(buffer, record):
        begin, end = field.begin + shift, field.end + shift
        fields.append(FieldText(field.name, field.text, field.value, begin, end, field.kind.name, field.header))
    return tuple(fields), data, token


def call_detail(call: DdiCall) -> tuple[tuple[FieldText, ...], bytes, int]:
    """(fields, bytes, 0) of a DDI call: arguments, results, and the first bytes of its data."""
    shown = {name: bytes(memoryview(blob).cast("B")[:SHOWN_BYTES]) for name, blob in call.data.items()}
    return _call_fields(call, {name: len(part) for name, part in shown.items()}), b"".join(shown.values()), 0


def call_fields(call: DdiCall) -> tuple[FieldText, ...]:
    """Arguments and results of a call, sizes of its data, which is not looked at."""
    return _call_fields(call, {})


def _call_fields(call: DdiCall, shown: dict[str, int]) -> tuple[FieldText, ...]:
    """Arguments, data (this many bytes of each are shown), results."""
    fields = [
        FieldText(name, argument_text(call.entry, name, value), value, 0, 0, "argument") for name, value in call.args.items()
    ]
    at = 0
    for name in call.data:
        size = call.data.size(name) if isinstance(call.data, CallData) else memoryview(call.data[name]).nbytes
        fields.append(FieldText(name, f"{size} bytes", size, at, at + shown.get(name, 0), "data"))
        at += shown.get(name, 0)
    fields += [
        FieldText(name, argument_text(call.entry, name, value), value, 0, 0, "result") for name, value in call.out.items()
    ]
    fields.append(FieldText("result", result_text(answered(call)), answered(call), 0, 0, "result"))
    return tuple(_as_struct(call, fields) if call.entry == "DrawPrimitives2" else fields)


def result_text(result: int) -> str:
    """`0x88760bb8 D3DERR_COMMAND_UNPARSED`."""
    number, name = f"{result & 0xFFFFFFFF:#010x}", HRESULT.text(result & 0xFFFFFFFF)
    return number if name.rstrip("?").isdigit() else f"{number} {name}"


def _as_struct(call: DdiCall, fields: list[FieldText]) -> Iterator[FieldText]:
    """The fields of a DrawPrimitives2 in the order of its structure, those that the tape lacks included, then all others."""
    known = {field.name: field for field in fields}
    skipped = call.args.get("buffer_offset", 0)  # bytes of the buffer before the commands, which the recorder did not keep
    for header, name in DRAW_MEMBERS.items():
        field = known.pop(name, None)
        if field is None:
            yield FieldText(name, "none" if header.startswith("lp") else "not recorded", None, 0, 0, "argument", header)
        elif name in ("command_offset", "error_offset") and isinstance(field.value, int) and isinstance(skipped, int):
            offset = field.value + skipped
            yield replace(field, header=header, value=offset, text=str(offset))
        else:
            yield replace(field, header=header)
    yield from known.values()


def outcome_of(events: Events, event: int) -> str:
    """What an error of its call means for an event: `failed: D3DERR_COMMAND_UNPARSED`, `not executed`; empty without one."""
    call = int(events.rows["call"][event])
    failed = events.failed.get(call)
    if failed is None:
        return ""
    last = events.of_call(call).stop - 1
    if event == min(failed.first, last):
        return f"failed: {HRESULT.text(failed.result & 0xFFFFFFFF)}"
    return "not executed" if event > failed.first else ""


def call_text(call: DdiCall) -> str:
    """`CreateSurface handle=3 width=64 ...`."""
    return " ".join([call.entry, *_words(call)])


def _words(call: DdiCall) -> Iterator[str]:
    for name, value in call.args.items():
        if value not in (None, 0, "", ()):
            yield f"{name}={argument_text(call.entry, name, value)}"
    for name, blob in call.data.items():
        yield f"{name}=({memoryview(blob).nbytes} bytes)"
