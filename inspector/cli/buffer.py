"""ddi-inspector buffer: the bytes of a vertex or index buffer after an event."""

from __future__ import annotations

import argparse
from pathlib import Path

from inspector.cli.arguments import json_option, number, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.files import write_bytes
from inspector.query.held.things import Buffer, dump

EXAMPLES = ("buffer game.trace 4", "buffer game.trace 4 --event 812 --offset 0x40 --size 32 -o vertices.bin")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("handle", type=number, metavar="HANDLE", help="the buffer")
    place(command)
    command.add_argument("--offset", type=number, default=0, help="first byte (default: 0)")
    command.add_argument("--size", type=number, help="number of bytes (default: all)")
    command.add_argument("-o", "--output", type=Path, metavar="OUT", help="save the bytes as they are; - is standard output")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
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
