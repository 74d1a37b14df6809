"""ddi-inspector leaks: objects that are never destroyed."""

from __future__ import annotations

import argparse
from typing import Any

from inspector.cli.arguments import json_option
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.timeline.states import NEVER

LEAKS = 1
LONGEST = 100  # letters of an API call
KINDS = ("surface", "buffer", "vertex_shader", "pixel_shader", "dxgi_resource")
SEVERAL = True
EXAMPLES = ("leaks game.trace",)


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--kind", choices=KINDS, action="append", help="only objects of this kind; may be repeated")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if something is never destroyed."""
    with opened(chosen.file) as capture:
        kinds = chosen.kind or KINDS
        lives = [life for life in capture.resources.lives.all if life.last == NEVER and life.kind in kinds]
        rows: list[dict[str, Any]] = []
        for life in lives:
            known = 0 <= life.first < len(capture.events)
            source = capture.event(life.first).source_text if known else ""
            rows.append(
                {"object": life.title, "kind": life.kind, "handle": life.handle, "created": life.first, "source": source}
            )
    if chosen.output is not None:
        save_rows(chosen.output, rows)
    if chosen.json:
        print_json(rows)
    elif chosen.output is None:
        for row in rows:
            print(f"{row['object']}: created at event {row['created']}  {' '.join(row['source'].split())[:LONGEST]}".rstrip())
        print(f"{len(rows)} object{'' if len(rows) == 1 else 's'} never destroyed")
    return LEAKS if rows else 0
