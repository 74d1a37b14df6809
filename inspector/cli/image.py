"""ddi-inspector image: a surface after an event, as shown or as stored; with overlays of the event's effects."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, output, place, subresource, where
from inspector.cli.opening import draw_of, event_of, opened, or_last_draw, print_json
from inspector.cli.terminal import some
from inspector.exports.formats import Format, format_of
from inspector.exports.parts import WHOLE, handles_of, save_parts
from inspector.files import unused_name, write_bytes
from inspector.query.looks.look import MOMENTS, Look
from inspector.query.looks.wires import WireFrame
from inspector.query.pixels.layers import Layer
from inspector.query.pixels.overlay import KINDS, Overlay

WORDS = {"after": "after", "before": "before", "changed": "changed by"}
KIND = ("picture", "surface", "slice")
STORED = ("deep", "surface", "slice")
EXAMPLES = (
    "image game.trace --frame 2 -o frame2.png",
    "image game.trace --frame 2 --overlay last_writer --opacity 70",
    "image game.trace --surface depth -o depth.png",
    "image game.trace --surface depth -o depth.tiff",
    "image game.trace --frame 2 -o frame2.npy",
    "image game.trace --surface depth --stored -o depth16.png",
    "image game.trace --frame 2 --all event -o surfaces",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    subresource(command)
    command.add_argument("--primitive", type=number, help="draw only up to this primitive")
    command.add_argument("--when", choices=tuple(MOMENTS), default="after", help=_listed(MOMENTS))
    command.add_argument("--wires", action="store_true", help="overlay the wireframe of the draw, with --primitive in orange")
    command.add_argument("--overlay", choices=tuple(KINDS), metavar="KIND", help=_listed(KINDS))
    command.add_argument("--opacity", type=number, default=100, metavar="PERCENT", help="of the overlay (default: 100)")
    output(command, *KIND, text="default: FILE's name and the event number with .png, in the current folder")
    command.add_argument(
        "--stored", action="store_true", help="save the stored values as a 16-bit .png instead of the image as shown"
    )
    whole = "save all levels, faces and slices of the surface, or of all that the event or its frame uses, into the folder OUT"
    command.add_argument("--all", choices=WHOLE, help=whole)
    command.add_argument("--format", default="png", metavar="SUFFIX", help="with --all: suffix of the files (default: png)")
    json_option(command)


def _listed(choices: dict[str, str]) -> str:
    return "; ".join(f"{name}: {what}" for name, what in choices.items())


def run(chosen: argparse.Namespace) -> int:
    if chosen.all is not None:
        return _write_all(chosen)
    form = format_of(chosen.output or Path("x.png"), *(STORED if chosen.stored else KIND))
    as_stored = form.kind != "picture"
    if as_stored and (chosen.overlay or chosen.wires or chosen.when != "after"):
        raise BadInput(
            f"a {form.name} file holds the surface as stored after the event; "
            "--overlay, --wires and --when need .png, .tga or .bmp"
        )
    with opened(chosen.file) as capture:
        about_a_draw = chosen.overlay or chosen.wires or chosen.when != "after" or chosen.primitive is not None
        event = draw_of(capture, chosen) if about_a_draw else or_last_draw(capture, event_of(capture, chosen))
        if as_stored:
            return _write_stored(capture, event, chosen, form)
        rgba = capture.ask(Look(event, where(chosen), chosen.primitive, chosen.when)).rgba
        layer = capture.ask(Overlay(chosen.overlay, event, where(chosen))) if chosen.overlay else None
        wires = capture.ask(WireFrame(event, chosen.primitive)) if chosen.wires else None
    rgba = layer.over(rgba, min(chosen.opacity, 100) / 100) if layer is not None else rgba
    rgba = wires.over(rgba) if wires is not None else rgba
    written = chosen.output or unused_name(Path(f"{chosen.file.stem}_{event}.png"))
    write_bytes(written, format_of(written, "picture").make(rgba))
    if chosen.json:
        print_json(_facts(written, event, chosen, rgba, layer))
        return 0
    when = f"{WORDS[chosen.when]} {_when(event, chosen.primitive)}"
    print(f"{written}: {rgba.shape[1]} x {rgba.shape[0]}, {chosen.surface} {when}")
    if layer is not None:
        print("\n".join(["  " + text for text in (*(text for _, text in layer.legend), layer.note) if text]))
    return 0


def _facts(written: Path, event: int, chosen: argparse.Namespace, rgba: np.ndarray, layer: Layer | None) -> dict[str, Any]:
    """What was saved, for JSON."""
    facts = {"file": written, "event": event, "primitive": chosen.primitive, "surface": where(chosen), "when": chosen.when}
    facts |= {"width": rgba.shape[1], "height": rgba.shape[0]}
    return facts if layer is None else {**facts, "overlay": chosen.overlay, "legend": layer.legend, "note": layer.note}


def _write_all(chosen: argparse.Namespace) -> int:
    """A file for each part, in a folder."""
    if chosen.overlay or chosen.wires or chosen.when != "after" or chosen.primitive is not None:
        raise BadInput("--all saves surfaces after an event, without --overlay, --wires, --when and --primitive")
    form = format_of(Path(f"x.{chosen.format.lstrip('.')}"), *(STORED if chosen.stored else ("picture", "slice")))
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        folder = chosen.output or Path(f"{chosen.file.stem}_{event}_surfaces")
        saved = save_parts(capture, event, handles_of(capture, chosen.all, event, chosen.surface), form, folder)
    if chosen.json:
        files = [
            {"file": one.file, "surface": one.part.where, "format": one.part.info.format, "bytes": one.size} for one in saved
        ]
        print_json({"event": event, "files": files})
    else:
        print(f"{folder}: {some(len(saved), 'file')}, surfaces after event {event}")
    return 0


def _write_stored(capture: Capture, event: int, chosen: argparse.Namespace, form: Format) -> int:
    """What is stored: all of a surface, or one slice of it."""
    written = chosen.output or unused_name(Path(f"{chosen.file.stem}_{event}.png"))
    part = chosen.surface if form.kind == "surface" else where(chosen)
    data = form.make(capture.moment(event, chosen.primitive), part)
    write_bytes(written, data)
    if chosen.json:
        print_json({"file": written, "event": event, "primitive": chosen.primitive, "surface": part, "bytes": len(data)})
        return 0
    print(f"{written}: {len(data):,} bytes, {part} after {_when(event, chosen.primitive)}")
    return 0


def _when(event: int, primitive: int | None) -> str:
    return f"event {event}" if primitive is None else f"primitive {primitive} of event {event}"
