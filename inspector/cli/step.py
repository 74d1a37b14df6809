"""ddi-inspector step: one vertex of a draw, step by step."""

from __future__ import annotations

import argparse
import dataclasses

from inspector.cli.arguments import json_option, number, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.query.stepping import StepVertex
from inspector.query.steps import Run


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--vertex", type=number, default=0, help="its place in drawing order (0)")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        found = capture.ask(StepVertex(event, chosen.vertex))
    if chosen.json:
        print_json(dataclasses.asdict(found))
    else:
        show(found)
    return 0


def show(found: Run) -> None:
    """A paragraph a step: its title, what it read, what it left, why."""
    print(found.title)
    for number_, step in enumerate(found.steps):
        print(f"\n{number_:3}  {step.title}  [{step.stage}]")
        for value in step.reads:
            print(f"       in   {value.text}")
        for value in step.writes:
            print(f"       out  {value.text}")
        if step.note:
            print(f"       {step.note}")
