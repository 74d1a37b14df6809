"""Captures as recordings of a driver (`.ddirec`), for tools that read or replay them.

DDI calls only: the API calls that caused them, annotations and names stay behind.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from core.ddi.calls import OFFSETS, DdiCall
from core.errors import BadInput, Cancelled
from inspector.progress import Progress
from inspector.tape import Tape
from inspector.tape.recording import Record, pack_header, pack_record, shifted

LEFT_OUT = ("sources",)


def write_recording(tape: Tape, path: Path, progress: Progress | None = None) -> int:
    """Writes every call of a tape; returns how many.  Raises BadInput for calls that a recording cannot hold, Cancelled."""
    with open(path, "wb") as file:
        file.write(pack_header())
        for number, call in enumerate(tape.calls):
            if progress and not number & 1023 and progress(number / len(tape.calls), "writing the recording") is False:
                raise Cancelled("writing cancelled")
            file.write(_packed(number, call))
    return len(tape.calls)


def _packed(number: int, call: DdiCall) -> bytes:
    try:
        return pack_record(number, recorded(call))
    except (struct.error, OverflowError, UnicodeEncodeError) as error:
        raise BadInput(f"call {number}, {call.entry}, does not fit into a recording: {error}") from error


def recorded(call: DdiCall) -> Record:
    """A call as a recorder would have written it."""
    args = {name: _plain(call.entry, name, value) for name, value in call.args.items() if value is not None}
    out = {name: _plain(call.entry, name, value) for name, value in call.out.items() if value is not None}
    data = {name: bytes(value) for name, value in call.data.items() if name not in LEFT_OUT}
    result = args.pop("recorded", call.result)  # of a call that had no effect, which a reader knows by its result
    if "commands" in data:
        begin = int(args.get("command_offset", 0))
        data["commands"] = data["commands"][begin : begin + int(args.get("command_length", len(data["commands"])))]
        args["command_offset"] = offset = args.pop("buffer_offset", begin)
        for name in OFFSETS if offset > begin else ():
            if name in out:
                out[name] = shifted(out[name], offset)
    return Record(call.entry, result, 0, out.pop("thread", 0), out.pop("time", 0), 0, args, out, data)


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _flat(value)
        else:
            yield value


def _plain(entry: str, name: str, value: Any) -> Any:
    """Numbers, flat tuples of numbers and texts as they are, tuples of tuples flat; words of a list with spaces between."""
    if isinstance(value, list | tuple):
        if value and all(isinstance(one, str) for one in value):
            return " ".join(value)
        if any(isinstance(one, str) for one in _flat(value)):
            raise BadInput(f"{entry}: {name} = {value!r} does not fit into a recording")
        return tuple(_plain(entry, name, one) for one in _flat(value))
    if isinstance(value, str | float):
        return value
    if (isinstance(value, int) and -(1 << 31) <= value < 1 << 32) or name == "time":
        return int(value)
    raise BadInput(f"{entry}: {name} = {value!r} does not fit into a recording")
