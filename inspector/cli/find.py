"""ddi-inspector find: the events that match a filter."""

from __future__ import annotations

import argparse
import sys

from inspector.cli.arguments import json_option, number
from inspector.cli.dump import print_events, save_events
from inspector.cli.opening import opened
from inspector.cli.tables import table_option
from inspector.query.search.search import Search
from inspector.query.search.syntax import notes, parse

EXAMPLES = (
    "find game.trace '$draw() and ALPHABLENDENABLE == TRUE'",
    "find game.trace 'changed(FOG*)' --count",
    "find game.trace '$draw()' -o draws.md",
)


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "filter", metavar="FILTER", help="a filter as in the window's event list, such as '$draw() and ALPHAREF > 128'"
    )
    command.add_argument("--most", type=number, help="show at most this many events")
    command.add_argument("--count", action="store_true", help="show only the number of events")
    table_option(command)
    json_option(command, "one JSON object per line")


def run(chosen: argparse.Namespace) -> int:
    for note in notes(parse(chosen.filter)):
        print(f"ddi-inspector: {note}", file=sys.stderr)
    with opened(chosen.file) as capture:
        found = capture.ask(Search(chosen.filter)).tolist()
        if chosen.count:
            print(len(found))
            return 0
        if chosen.output is not None:
            save_events(capture, found[: chosen.most], chosen.output)
        if chosen.json or chosen.output is None:
            print_events(capture, found[: chosen.most], chosen.json)
        if not found and not chosen.json:
            print("ddi-inspector: no event matches", file=sys.stderr)
    return 0
