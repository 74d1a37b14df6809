"""ddi-inspector image: a surface after an event, as PNG or DDS; with an overlay that tells what the event did to it."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import BadInput
from inspector.cli.arguments import number, place, subresource, where
from inspector.cli.opening import event_of, opened, or_last_draw, write_file
from inspector.exports.dds import dds
from inspector.exports.png import png
from inspector.query.looks.look import MOMENTS, Look
from inspector.query.looks.wires import WireFrame
from inspector.query.pixels.overlay import KINDS, Overlay

WORDS = {"after": "after", "before": "before", "changed": "changed by"}


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    subresource(command)
    command.add_argument("--primitive", type=number, help="only up to this primitive of the draw")
    command.add_argument("--when", choices=tuple(MOMENTS), default="after", help=_listed(MOMENTS))
    command.add_argument("--wires", action="store_true", help="the wire frame of the draw over it, --primitive in orange")
    command.add_argument("--overlay", choices=tuple(KINDS), help=_listed(KINDS))
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        help="default: FILE's name with the event's number, .png; a .dds holds all levels, faces and slices as stored",
    )


def _listed(choices: dict[str, str]) -> str:
    return "; ".join(f"{name}: {what}" for name, what in choices.items())


def run(chosen: argparse.Namespace) -> int:
    as_stored = chosen.output is not None and chosen.output.suffix.lower() == ".dds"
    if as_stored and (chosen.overlay or chosen.wires or chosen.when != "after"):
        raise BadInput("a DDS file holds the surface as stored after the event: --overlay, --wires, --when go with PNG")
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        if as_stored:
            data = dds(capture.moment(event, chosen.primitive), chosen.surface)
            write_file(chosen.output, lambda part: part.write_bytes(data))
            print(f"{chosen.output}: {len(data):,} bytes, {chosen.surface} after {_when(event, chosen.primitive)}")
            return 0
        rgba = capture.ask(Look(event, where(chosen), chosen.primitive, chosen.when)).rgba
        layer = capture.ask(Overlay(chosen.overlay, event, where(chosen))) if chosen.overlay else None
        wires = capture.ask(WireFrame(event, chosen.primitive)) if chosen.wires else None
    rgba = layer.over(rgba) if layer is not None else rgba
    rgba = wires.over(rgba) if wires is not None else rgba
    output = chosen.output or chosen.file.with_name(f"{chosen.file.stem}_{event}.png")
    write_file(output, lambda part: part.write_bytes(png(rgba)))
    print(
        f"{output}: {rgba.shape[1]} x {rgba.shape[0]}, {chosen.surface} {WORDS[chosen.when]} {_when(event, chosen.primitive)}"
    )
    if layer is not None:
        print("\n".join(["  " + text for text in (*(text for _, text in layer.legend), layer.note) if text]))
    return 0


def _when(event: int, primitive: int | None) -> str:
    return f"event {event}" if primitive is None else f"primitive {primitive} of event {event}"
