"""ddi-inspector buffer: the bytes of a vertex or index buffer after an event."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, place
from inspector.cli.contents import show_streams
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.files import write_bytes
from inspector.query.draws.streams import DrawMemory
from inspector.query.held.buffer_read import BufferRead
from inspector.query.held.things import Buffer, dump

EXAMPLES = (
    "buffer game.trace 4",
    "buffer game.trace 4 --declared",
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
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
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
