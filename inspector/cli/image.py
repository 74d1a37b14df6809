"""ddi-inspector image: a surface after an event, as PNG."""

from __future__ import annotations

import argparse
from pathlib import Path

from inspector.cli.arguments import number, place, subresource
from inspector.cli.opening import event_of, opened, or_last_draw, write_file
from inspector.exports.png import png


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    subresource(command)
    command.add_argument("--primitive", type=number, help="only up to this primitive of the draw")
    command.add_argument("-o", "--output", type=Path, help="default: FILE's name with the event's number, .png")


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        part = chosen.surface, chosen.level, chosen.face, chosen.slice, chosen.sample
        rgba = capture.image(event, *part, primitive=chosen.primitive)
    output = chosen.output or chosen.file.with_name(f"{chosen.file.stem}_{event}.png")
    write_file(output, lambda part: part.write_bytes(png(rgba)))
    print(f"{output}: {rgba.shape[1]} x {rgba.shape[0]}, {chosen.surface} after {_when(event, chosen.primitive)}")
    return 0


def _when(event: int, primitive: int | None) -> str:
    return f"event {event}" if primitive is None else f"primitive {primitive} of event {event}"
