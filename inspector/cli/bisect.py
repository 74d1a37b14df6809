"""ddi-inspector bisect: the token and the primitive that made a pixel, a rectangle or a surface wrong."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
from pathlib import Path
from typing import Any

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import color, json_option, leniency, number, pixel, place, rectangle, surface
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.query.comparison.bisect import Bisect, Verdict
from inspector.query.comparison.right import Against, Color, Picture, Right

FOUND = 1
EXAMPLES = (
    "bisect game.trace --pixel 320,240 --color 255,0,0 --tolerance 2",
    "bisect game.trace --frame 2 --reference right.png --tolerance 8 --allow 0.5% --ignore-edges",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--surface", type=surface, default="render_target", help="handle or role (default: render_target)")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--pixel", type=pixel, metavar="X,Y", help="one pixel")
    where.add_argument(
        "--rect", type=rectangle, metavar="LEFT,TOP,RIGHT,BOTTOM", help="one rectangle (default: the whole surface)"
    )
    right = command.add_mutually_exclusive_group(required=True)
    right.add_argument("--color", type=color, metavar="R,G,B[,A]", help="expect this colour, 0..255; give A if alpha matters")
    right.add_argument("--reference", type=Path, metavar="PNG", help="expect this image")
    right.add_argument("--against", type=Path, metavar="B", help="expect the result in this capture")
    leniency(command)
    command.add_argument("--first", type=number, help="first event to search (default: the first of the frame)")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if it is wrong at the event."""
    with contextlib.ExitStack() as stack:
        capture = stack.enter_context(opened(chosen.file))
        last = or_last_draw(capture, event_of(capture, chosen))
        right = what_is_right(chosen, stack)
        rect = (*chosen.pixel, chosen.pixel[0] + 1, chosen.pixel[1] + 1) if chosen.pixel else chosen.rect
        found = capture.ask(Bisect(right, chosen.surface, rect, first=chosen.first, last=last))
        if chosen.json:
            print_json(as_values(found))
        else:
            show(capture, found)
    return 0 if found.kind == "right" else FOUND


def what_is_right(chosen: argparse.Namespace, stack: contextlib.ExitStack) -> Right:
    if chosen.reference is None and (chosen.allow or chosen.ignore_edges):
        raise BadInput("--allow and --ignore-edges need --reference")
    if chosen.color is not None:
        return Color(chosen.color, chosen.tolerance)
    if chosen.reference is not None:
        return Picture.of(chosen.reference, chosen.tolerance, chosen.allow, chosen.ignore_edges)
    return Against(stack.enter_context(opened(chosen.against)), chosen.tolerance)


def show(capture: Capture, found: Verdict) -> None:
    print(found.sentence)
    if found.first_wrong is None:
        return
    print(f"  {capture.text(found.first_wrong)}")
    source = capture.event(found.first_wrong).source_text
    if source:
        print(f"  {source}")
    if found.last_right is not None:
        print(f"  last right after {moment(found.last_right)}{'' if found.exact else ', or later again'}")
    values = (("before", found.before), ("after", found.after), ("right", found.expected))
    known = [f"{name} {' '.join(map(str, value))}" for name, value in values if value is not None]
    print(f"  pixel {found.pixel[0]},{found.pixel[1]}: {', '.join(known)}" if found.pixel else "")
    print(f"  checked {found.looks} moments")


def moment(where: tuple[int, int | None]) -> str:
    return f"event {where[0]}" + (f", primitive {where[1]}" if where[1] is not None else "")


def as_values(found: Verdict) -> dict[str, Any]:
    return {row.name: getattr(found, row.name) for row in dataclasses.fields(found) if row.name != "entries"}
