"""ddi-inspector buffer: the bytes of a vertex or index buffer after an event."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, place
from inspector.cli.contents import show_streams
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.cli.tables import save_rows, save_table
from inspector.files import write_bytes
from inspector.query.draws.streams import DrawMemory
from inspector.query.held.buffer_read import BufferRead
from inspector.query.held.buffer_table import BufferTable
from inspector.query.held.buffer_versions import BufferVersions, writers
from inspector.query.held.things import Buffer, dump

EXAMPLES = (
    "buffer game.trace 4",
    "buffer game.trace 4 --declared",
    "buffer game.trace 4 --format 'float3 position; d3dcolor color; skip 8' --rows 10",
    "buffer game.trace 4 --format 'ushort index' -o indices.csv",
    "buffer game.trace 4 --versions --offset 0x40 --size 32",
    "buffer game.trace 4 --event 812 --offset 0x40 --size 32 -o vertices.bin",
)


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("handle", type=number, metavar="HANDLE", help="the buffer")
    place(command)
    command.add_argument("--offset", type=number, default=0, help="first byte (default: 0)")
    command.add_argument("--size", type=number, help="number of bytes (default: all)")
    command.add_argument("-o", "--output", type=Path, metavar="OUT", help="save the bytes as they are; - is standard output")
    command.add_argument(
        "--declared", action="store_true",
        help="show vertices or indices, with the types that the nearest draw declares for them",
    )  # fmt: skip
    command.add_argument(
        "--format", metavar="FORMAT", help="the format of a row: 'float3 position; ubyte4 color; short[2] uv; skip 4'"
    )
    command.add_argument(
        "--stride", type=number, default=0, help="bytes from one row to the next (default: the size of the format)"
    )
    command.add_argument("--rows", type=number, metavar="N", help="show at most N rows (default: all)")
    command.add_argument(
        "--versions", action="store_true", help="list everything that wrote the buffer, or the chosen bytes, up to the event"
    )
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        if chosen.versions:
            return show_versions(capture, event, chosen)
        if chosen.format is not None:
            return show_table(capture, event, chosen)
        if chosen.declared:
            return show_declared(capture, event, chosen)
        found = capture.ask(Buffer(chosen.handle, event, chosen.offset, chosen.size))
    data = found.data.tobytes()
    if chosen.output is not None:
        write_bytes(chosen.output, data)
        print(f"{chosen.output}: {len(data):,} bytes, {found.usage} buffer {chosen.handle} after event {event}")
    elif chosen.json:
        print_json(
            {"event": event, "handle": found.handle, "usage": found.usage, "created": found.created, "bytes": data.hex()}
        )
    else:
        print(f"{found.usage} buffer {chosen.handle} after event {event}: {len(data):,} bytes")
        print(*dump(found.data, chosen.offset), sep="\n")
    return 0


def show_declared(capture: Capture, event: int, chosen: argparse.Namespace) -> int:
    """The whole buffer as vertices or indices; where and how it is saved are choices for plain bytes."""
    if chosen.output is not None or chosen.offset or chosen.size is not None:
        raise BadInput("--declared shows the whole buffer: leave out --offset, --size and -o")
    found = capture.ask(BufferRead(chosen.handle, event))
    if found.draw is None:
        raise BadInput(f"no draw reads buffer {chosen.handle}: nothing declares its types")
    if not chosen.json:
        print(f"{found.buffer.summary}, after event {event}, as draw {found.draw} reads it")
    show_streams(DrawMemory(found.streams, found.indices), chosen.json)
    return 0


def show_table(capture: Capture, event: int, chosen: argparse.Namespace) -> int:
    """In a format: a row a line, or as a table in a file."""
    if chosen.size is not None:
        raise BadInput("--format takes --rows, not --size")
    found = capture.ask(BufferTable(chosen.handle, event, chosen.format, chosen.offset, chosen.stride))
    rows = found.table(0, chosen.rows)
    if chosen.output is not None:
        save_table(chosen.output, found.columns, rows)
    elif chosen.json:
        print_json({"event": event, "handle": chosen.handle, "format": found.layout.text, "columns": found.columns,
                    "rows": list(rows)})  # fmt: skip
    else:
        print(f"{found.usage} buffer {chosen.handle} after event {event}: {len(found.rows):,} rows of {found.layout.text}")
        print("  ".join(found.columns))
        for row in rows:
            print("  ".join(map(str, row)))
    return 0


def show_versions(capture: Capture, event: int, chosen: argparse.Namespace) -> int:
    """What wrote it, or the bytes from --offset on."""
    versions = capture.ask(BufferVersions(chosen.handle, event))
    last = max(versions[0].last, 1) if chosen.size is None else chosen.offset + chosen.size
    found = writers(versions, chosen.offset, last, event)
    if chosen.output is not None:
        save_rows(chosen.output, [dataclasses.asdict(one) for one in found])
    elif chosen.json:
        print_json([dataclasses.asdict(one) for one in found])
    else:
        for one in found:
            api = f", API call {one.source}" if one.source >= 0 else ""
            print(f"#{one.event:<7} frame {one.frame:<5} {one.what:9} bytes {one.first:#x} to {one.last:#x}, "
                  f"{one.changed:,} changed, {one.entry}{api}")  # fmt: skip
    return 0
