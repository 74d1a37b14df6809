"""ddi-inspector contents: the contents of a buffer, palette, shader, state set, patch or light; the inputs of a draw."""

from __future__ import annotations

import argparse

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.query.draws.streams import DrawMemory, IndexBytes, StreamBytes, Streams
from inspector.query.held.kept import Kept, Thing

MOST_ROWS = 64
NAMES = "a buffer's handle, or palette:3, shader:5, state-set:1, patch:7, light:0; streams: what a draw reads"
EXAMPLES = ("contents game.trace", "contents game.trace streams")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("thing", type=thing, metavar="OBJECT", nargs="?", default=("", None), help=NAMES)
    place(command)
    json_option(command)


def thing(text: str) -> tuple[str, int | None]:
    """12, palette:3, streams"""
    if text == "streams":
        return text, None
    kind, _, handle = text.rpartition(":")
    return kind.replace("-", "_") or "buffer", number(handle.removeprefix("#"))


def run(chosen: argparse.Namespace) -> int:
    kind, handle = chosen.thing
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        if kind == "streams":
            show_streams(capture.ask(Streams(event)), chosen.json)
            return 0
        show(capture, event, kind, handle, chosen.json)
    return 0


def show(capture: Capture, event: int, kind: str, handle: int | None, as_json: bool) -> None:
    rows = capture.ask(Kept(event, kind, handle))
    if handle is not None and not rows:
        raise BadInput(f"no {kind.replace('_', ' ')} {handle} at event {event}")
    if as_json:
        print_json([row_of(row, handle is not None) for row in rows])
        return
    for row in rows:
        print(f"{row.kind.replace('_', ' ')} {row.handle}: {row.summary}")
        if handle is not None:
            print(*(f"  {line}" for line in row.lines), sep="\n")
    if not rows:
        print(f"at event {event} the driver keeps no palettes, shaders, state sets, patches or lights")


def row_of(row: Thing, whole: bool) -> dict:
    told = {"kind": row.kind, "handle": row.handle, "created": row.created, "summary": row.summary}
    return told | ({"lines": row.lines} if whole else {})


# ---- what a draw reads -----------------------------------------------------------------------------------------------


def show_streams(memory: DrawMemory, as_json: bool) -> None:
    if as_json:
        print_json({"streams": [stream_row(one) for one in memory.streams], "indices": index_row(memory.indices)})
        return
    for stream in memory.streams:
        where = f"buffer {stream.buffer}" if stream.buffer else "memory of the call"
        print(f"stream {stream.number}: {where}, from byte {stream.offset}, stride {stream.stride}, {stream.count:,} vertices")
        for element in stream.elements:
            print(f"  +{element.offset:<3} {element.type:9} {element.name}")
        for n, row in enumerate(stream.values(0, MOST_ROWS)):
            print(f"  {n:5}  {stream.bytes_of(n).hex(' ', 4)}  {' '.join(map(_value, row))}")
        _more(stream.count)
    if memory.indices is not None:
        held = memory.indices
        where = f"buffer {held.buffer}" if held.buffer else "the token"
        print(f"indices: {where}, from byte {held.offset}, {held.width} bytes each, base {held.base}, {held.asked:,} asked for")
        print(f"  {' '.join(map(str, held.indices[:MOST_ROWS].tolist()))}")
        _more(len(held.indices))
        if len(held.indices):
            print(f"  select vertices {held.vertices.min()} to {held.vertices.max()}")


def _more(count: int) -> None:
    if count > MOST_ROWS:
        print(f"  ... {count - MOST_ROWS:,} more")


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return "(" + " ".join(map(_value, value)) + ")"
    return f"{value:g}" if isinstance(value, float) else f"{value:#x}"


def stream_row(stream: StreamBytes) -> dict:
    return {
        "stream": stream.number, "buffer": stream.buffer, "offset": stream.offset, "stride": stream.stride,
        "elements": [{"name": one.name, "register": one.register, "type": one.type, "offset": one.offset}
                     for one in stream.elements],
        "vertices": [dict(zip((one.name for one in stream.elements), row, strict=True)) for row in stream.values()],
    }  # fmt: skip


def index_row(held: IndexBytes | None) -> dict | None:
    if held is None:
        return None
    return {
        "buffer": held.buffer, "offset": held.offset, "width": held.width, "base": held.base, "asked": held.asked,
        "indices": held.indices.tolist(),
    }  # fmt: skip
