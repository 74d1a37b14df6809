"""ddi-inspector pixels: the pixels covered and changed by a draw or one of its primitives; or the primitive at a pixel."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.cli.arguments import json_option, number, output, pixel, place
from inspector.cli.opening import draw_of, opened, print_json
from inspector.exports.formats import format_of
from inspector.files import write_bytes
from inspector.query.comparison.difference import bounding_box
from inspector.query.pixels.writers import Coverage, PixelsOf, PrimitiveAt

COVERED, CHANGED = (90, 90, 90, 255), (255, 255, 255, 255)

EXAMPLES = ("pixels game.trace --frame 2 -o mask.png", "pixels game.trace --frame 2 --pixel 320,240")


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--primitive", type=number, help="one primitive of the draw")
    command.add_argument(
        "--pixel", type=pixel, metavar="X,Y", help="print the last primitive of the draw that covers this pixel"
    )
    output(command, "picture", text="save a mask: changed pixels white, others that were covered grey")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.pixel is not None and chosen.primitive is not None:
        raise BadInput("--pixel cannot be combined with --primitive")
    form = format_of(chosen.output, "picture") if chosen.output else None
    with opened(chosen.file) as capture:
        event = draw_of(capture, chosen, chosen.pixel)
        if chosen.pixel is not None:
            print_primitive(event, chosen.pixel, capture.ask(PrimitiveAt(event, *chosen.pixel)), chosen.json)
            return 0
        found = capture.ask(PixelsOf(event, chosen.primitive))
    if form:
        write_bytes(chosen.output, form.make(picture(found)))
    covered, changed = found.counts
    facts: dict[str, Any] = {
        "event": event, "primitive": found.primitive, "surface": found.surface, "covered": covered, "changed": changed,
        "fragments": int(found.fragments.sum()), "bounds": corners(found.covered),
    }  # fmt: skip
    if chosen.json:
        print_json(facts)
        return 0
    what = f"event {event}" + ("" if found.primitive is None else f", primitive {found.primitive}")
    counts = f"{facts['fragments']:,} fragments, {covered:,} pixels covered, {changed:,} changed"
    print(f"{what}, on surface {found.surface}: {counts}")
    if facts["bounds"]:
        left, top, right, bottom = facts["bounds"]
        print(f"within {left}, {top} to {right}, {bottom}")
    return 0


def print_primitive(event: int, where: tuple[int, int], primitive: int | None, as_json: bool) -> None:
    if as_json:
        print_json({"event": event, "pixel": where, "primitive": primitive})
        return
    found = "no primitive" if primitive is None else f"primitive {primitive}"
    print(f"event {event}, pixel {where[0]}, {where[1]}: {found}")


def corners(mask: np.ndarray) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of what is set, all included."""
    box = bounding_box(mask)
    return (box[0], box[1], box[2] - 1, box[3] - 1) if box else None


def picture(found: Coverage) -> np.ndarray:
    """uint8[height, width, 4]."""
    rgba = np.zeros((*found.covered.shape, 4), np.uint8)
    rgba[..., 3] = 255
    rgba[found.covered], rgba[found.changed] = COVERED, CHANGED
    return rgba
