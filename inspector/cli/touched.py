"""ddi-inspector touched: the events that changed pixels of a surface, or of a rectangle of it."""

from __future__ import annotations

import argparse

from inspector.cli.arguments import json_option, rectangle, subresource, where
from inspector.cli.history import events_of, stretch
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.pixels.writers import Touched

EXAMPLES = ("touched game.trace --frame 2 --rect 300,200,340,260",)


def declare(command: argparse.ArgumentParser) -> None:
    stretch(command)
    subresource(command)
    command.add_argument("--rect", type=rectangle, metavar="LEFT,TOP,RIGHT,BOTTOM", help="right and bottom excluded")
    command.add_argument("--primitives", action="store_true", help="one line per primitive")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        first, last = events_of(capture, chosen)
        found = capture.ask(Touched(where(chosen), chosen.rect, first, last))
    rows = found.primitives
    events = [dict(zip(("event", "token", "primitives", "pixels"), row, strict=True)) for row in found.events]
    primitives = [dict(zip(("event", "primitive", "pixels"), row, strict=True)) for row in rows.tolist()]
    if chosen.output is not None:
        save_rows(chosen.output, primitives if chosen.primitives else events)
    if chosen.json:
        print_json({"surface": found.surface, "events": events, "primitives": primitives})
    elif chosen.output is not None:
        return 0
    elif chosen.primitives:
        for event, primitive, pixels in rows.tolist():
            which = "" if primitive < 0 else f"[{primitive}]"
            print(f"#{event:<7} {found.tokens[event]:22} {which:9} {pixels:9,} pixels")
    else:
        print(f"surface {found.surface}, events {first} to {last}")
        for event, token, count, pixels in found.events:
            which = f"{count:,} primitives" if count else ""
            print(f"#{event:<7} {token:22} {which:18} {pixels:9,} pixels")
    return 0
