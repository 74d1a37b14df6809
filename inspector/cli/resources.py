"""ddi-inspector resources: the surfaces, buffers, shaders, palettes and lights that an event uses."""

from __future__ import annotations

import argparse

from inspector.cli.arguments import json_option, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.objects.holdings import MemoryOverTime
from inspector.query.objects.usage import ResourcesOf

EXAMPLES = ("resources game.trace --frame 2", "resources game.trace --memory -o memory.csv")


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--memory", action="store_true", help="list the memory that all resources take, event by event")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.memory:
        return show_memory(chosen)
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


def show_memory(chosen: argparse.Namespace) -> int:
    """Bytes in sum and by kind and memory, a row for each event that changes them."""
    with opened(chosen.file) as capture:
        log = capture.ask(MemoryOverTime())
    kinds = {" ".join(filter(None, (kind, memory))): line.tolist() for (kind, memory), line in log.bytes.items()}
    rows = [
        {"event": event, "total": total, **{name: line[row] for name, line in kinds.items()}}
        for row, (event, total) in enumerate(zip(log.events[:-1].tolist(), log.total.tolist(), strict=True))
    ]
    if chosen.output is not None:
        save_rows(chosen.output, rows)
    elif chosen.json:
        print_json(rows)
    else:
        for row in rows:
            parts = ", ".join(f"{name} {row[name]:,}" for name in kinds if row[name])
            print(f"#{row['event']:<7} {row['total']:>13,} bytes  {parts}".rstrip())
    return 0
