"""ddi-inspector step: one vertex or one pixel of a draw, step by step."""

from __future__ import annotations

import argparse
import dataclasses

from inspector.cli.arguments import json_option, number, pixel, place
from inspector.cli.opening import draw_of, opened, print_json
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run
from inspector.query.steps.vertex import StepVertex

EXAMPLES = ("step game.trace --frame 2 --pixel 320,240", "step game.trace --vertex 0 --json")


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    what = command.add_mutually_exclusive_group()
    what.add_argument("--vertex", type=number, default=0, help="index in drawing order (default: 0)")
    what.add_argument("--pixel", type=pixel, metavar="X,Y", help="a pixel of the render target")
    command.add_argument(
        "--primitive", type=number, help="which primitive, if several cover the pixel (default: the one last written)"
    )
    command.add_argument("--sample", type=number, help="which sample of a multisampled target")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = draw_of(capture, chosen, chosen.pixel)
        if chosen.pixel is None:
            found = capture.ask(StepVertex(event, chosen.vertex))
        else:
            x, y = chosen.pixel
            found = capture.ask(StepPixel(event, x, y, chosen.primitive, chosen.sample))
    if chosen.json:
        print_json(dataclasses.asdict(found))
    else:
        show(found)
    return 0


def show(found: Run) -> None:
    """One paragraph per step: its title, what it read, what it left, why."""
    print(found.title)
    for number_, step in enumerate(found.steps):
        print(f"\n{number_:3}  {step.title}  [{step.stage}]")
        for value in step.reads:
            print(f"       in   {value.text}")
        for value in step.writes:
            print(f"       out  {value.text}")
        if step.note:
            print(f"       {step.note}")
