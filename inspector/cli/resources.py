"""ddi-inspector resources: the surfaces, buffers, shaders, palettes and lights that an event works with."""

from __future__ import annotations

import argparse

from inspector.cli.arguments import json_option, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.objects.usage import ResourcesOf

EXAMPLES = ("resources game.trace --frame 2",)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        uses = capture.ask(ResourcesOf(event))
        line = capture.text(event)
    told = [
        {"what": use.text, "kind": use.life.kind, "handle": use.life.handle, "label": use.life.label, "version": use.version}
        for use in uses
    ]
    if chosen.output is not None:
        save_rows(chosen.output, told)
    if chosen.json:
        print_json({"event": event, "resources": told})
    elif chosen.output is None:
        print(f"event {event}: {line}")
        for use in uses:
            print(f"  {use.text:24} {use.life.title}, version {use.version}")
    return 0
