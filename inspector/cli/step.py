"""ddi-inspector step: one vertex or one pixel of a draw, step by step."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence

from core.errors import BadInput, unknown
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, output, pixel, place
from inspector.cli.opening import draw_of, opened, print_json
from inspector.exports.formats import format_of
from inspector.files import write_bytes
from inspector.query.steps.levers import Lever, Levers
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.quad import QuadAt
from inspector.query.steps.run import Run, Value
from inspector.query.steps.spread import SpreadOf
from inspector.query.steps.vertex import StepVertex
from inspector.query.steps.walking import changes

EXAMPLES = (
    "step game.trace --frame 2 --pixel 320,240",
    "step game.trace --vertex 0 --json",
    "step game.trace --vertex 0 --watch screen",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    what = command.add_mutually_exclusive_group()
    what.add_argument("--vertex", type=number, default=0, help="index in drawing order (default: 0)")
    what.add_argument("--pixel", type=pixel, metavar="X,Y", help="a pixel of the render target")
    command.add_argument(
        "--primitive", type=number, help="which primitive, if several cover the pixel (default: the one last written)"
    )
    command.add_argument("--sample", type=number, help="which sample of a multisampled target")
    command.add_argument("--watch", metavar="NAME", help="only steps that change this register, such as r0 or diffuse")
    command.add_argument("--quad", action="store_true", help="with --pixel: also show the values in its 2 x 2 block of pixels")
    command.add_argument(
        "--over", metavar="NAME", help="with --pixel and -o: save an image of this value over the whole primitive"
    )
    command.add_argument("--at", type=number, metavar="STEP", help="with --over: after this step (default: the last)")
    output(command, "picture", text="for --over")
    command.add_argument("--levers", action="store_true", help="with each step, list the states that decide what it does")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = draw_of(capture, chosen, chosen.pixel)
        if chosen.pixel is None:
            found = capture.ask(StepVertex(event, chosen.vertex))
        else:
            x, y = chosen.pixel
            found = capture.ask(StepPixel(event, x, y, chosen.primitive, chosen.sample))
        if chosen.quad or chosen.over:
            if chosen.pixel is None:
                raise BadInput("--quad and --over are about a pixel: give --pixel X,Y")
            return _over(capture, found, chosen) if chosen.over else _quad(capture, found, chosen)
        levers = capture.ask(Levers(found)) if chosen.levers else ()
    if chosen.json:
        print_json(dataclasses.asdict(found))
    elif chosen.watch:
        show_watch(found, chosen.watch)
    else:
        show(found, levers)
    return 0


def _quad(capture: Capture, found: Run, chosen: argparse.Namespace) -> int:
    """A line per value: in the four pixels, row by row, then its differences to the right and downwards."""
    x, y = chosen.pixel
    quad = capture.ask(QuadAt(found.event, x, y, found.primitive))
    if chosen.json:
        print_json(dataclasses.asdict(quad))
        return 0
    print(f"{found.title}; pixels {' '.join(f'{x},{y}' for x, y in quad.places)}")
    for row in quad.values:
        texts = (", ".join(f"{number:.6g}" for number in numbers) for numbers in (*row.values, row.dx, row.dy))
        print("\n".join(([f"\n{row.step}"] if row.first else []) + [f"  {row.name:24} {'   '.join(texts)}"]))
    return 0


def _over(capture: Capture, found: Run, chosen: argparse.Namespace) -> int:
    """Writes the picture, and says what it spans."""
    if chosen.output is None:
        raise BadInput("--over writes an image: give -o FILE.png")
    at, (x, y) = len(found.steps) - 1 if chosen.at is None else chosen.at, chosen.pixel
    spread = capture.ask(SpreadOf(found.event, x, y, at, chosen.over, found.primitive))
    write_bytes(chosen.output, format_of(chosen.output, "picture").make(spread.image()))
    (low, high), count = spread.range, int(spread.covered.sum())
    print(f"{chosen.output}: {spread.name} after {spread.step!r}, {count} pixels from {spread.left}, {spread.top}, "
          f"{low:.6g} to {high:.6g}")  # fmt: skip
    return 0


def show_watch(found: Run, name: str) -> None:
    """A line per value that the register gets.  BadInput if no step writes it."""
    written = changes(found, name)
    if not written:
        names = dict.fromkeys(value.name for step in found.steps for value in step.writes)
        raise BadInput(unknown("register", name, names))
    print(found.title)
    for number_, value in written:
        print(f"{number_:3}  {found.steps[number_].title:40} {Value(name, value).text}")


def show(found: Run, levers: Sequence[Sequence[Lever]] = ()) -> None:
    """One paragraph per step: its title, what it read, what it left, why; with levers, what decides it."""
    print(found.title)
    for number_, step in enumerate(found.steps):
        print(f"\n{number_:3}  {step.title}  [{step.stage}]")
        for lever in levers[number_] if levers else ():
            print(f"       by   {lever.name} = {lever.value}")
        for value in step.reads:
            print(f"       in   {value.text}")
        for value in step.writes:
            print(f"       out  {value.text}")
        if step.note:
            print(f"       {step.note}")
