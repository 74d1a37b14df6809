"""ddi-inspector step: one vertex or one pixel of a draw, step by step."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence

from core.errors import BadInput, unknown
from inspector.cli.arguments import json_option, number, pixel, place
from inspector.cli.opening import draw_of, opened, print_json
from inspector.query.steps.levers import Lever, Levers
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run, Value
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
    command.add_argument("--watch", metavar="NAME", help="only the steps that give this register another value: r0, diffuse")
    command.add_argument("--levers", action="store_true", help="with each step, the states that decide what it does")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = draw_of(capture, chosen, chosen.pixel)
        if chosen.pixel is None:
            found = capture.ask(StepVertex(event, chosen.vertex))
        else:
            x, y = chosen.pixel
            found = capture.ask(StepPixel(event, x, y, chosen.primitive, chosen.sample))
        levers = capture.ask(Levers(found)) if chosen.levers else ()
    if chosen.json:
        print_json(dataclasses.asdict(found))
    elif chosen.watch:
        show_watch(found, chosen.watch)
    else:
        show(found, levers)
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
