"""A trace's bytes as a tape."""

from __future__ import annotations

from pathlib import Path

from inspector.imports import import_trace
from inspector.tape import Tape, TapeWriter


def imported(data: bytes, folder: Path, name: str = "a", profile: str = "") -> Tape:
    """The tape of a trace whose file holds `data`."""
    trace, kept = folder / f"{name}.trace", folder / f"{name}.ddicap"
    trace.write_bytes(data)
    with TapeWriter(kept, durable=False) as writer:
        import_trace(trace, writer, profile=profile)
    return Tape(kept)


def sources(tape: Tape) -> bytes:
    """The API calls of all records, in order."""
    return b"".join(bytes(call.data.get("sources", b"")) for call in tape.calls)


def ops(tape: Tape) -> list[int]:
    """The opcodes of every token of a tape, by walking command headers whose size follows from the next one's place."""
    from core.ddi.stream import dp2

    found = []
    for call in tape.calls:
        if call.entry == "DrawPrimitives2":
            found += [token.row.op for token in dp2.walk(call.data["commands"], 0, call.args["command_length"])]
    return found
