"""ddi-inspector state: device state after an event."""

from __future__ import annotations

import argparse
from typing import Any

from core.errors import BadInput, unknown
from core.spec.stages import STAGE_NAMES
from inspector.cli.arguments import json_option, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.cli.tables import save_rows, table_option

EXAMPLES = ("state game.trace", "state game.trace --frame 2 --stage alpha_test --all", "state game.trace -o state.md")


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--stage", help="only this pipeline stage, as in alpha_test")
    command.add_argument("--all", action="store_true", help="also values at their defaults")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.stage is not None and chosen.stage not in STAGE_NAMES:
        raise BadInput(f"--stage: {unknown('stage', chosen.stage, STAGE_NAMES)}")
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        values = [value for value in capture.state(event).rows(chosen.stage) if chosen.all or not value.is_default]
        told, lines = [row(capture, value) for value in values], [line(capture, value) for value in values]
    if chosen.output is not None:
        save_rows(chosen.output, told)
    if chosen.json:
        print_json({"event": event, "state": told})
    elif chosen.output is None:
        print(f"after event {event}")
        print(*lines, sep="\n")
    return 0


def line(capture: Any, value: Any) -> str:
    """`alpha_test  ALPHAREF  0x80  <- event 812 (call 40+0x1c, API call 2101), was 0x08, unused`."""
    words = f"{value.stage:14} {value.name:32} {value.text}"
    if value.writer is None:
        return words
    here = capture.events.rows[value.writer]
    place = f"call {here['call']}" + (f"+{int(here['token']):#x}" if here["op"] else "")
    cause = f", API call {here['source']}" if here["source"] >= 0 else ""
    marks = "".join(f", {mark}" for mark in ("redundant", "unused") if getattr(value, mark))
    return f"{words}  <- event {value.writer} ({place}{cause}), was {value.before_text}{marks}"


def row(capture: Any, value: Any) -> dict[str, Any]:
    key = list(value.key) if isinstance(value.key, tuple) else value.key
    told = {
        "key": key, "name": value.name, "stage": value.stage, "text": value.text, "raw": list(value.raw),
        "writer": value.writer, "default": value.is_default, "before": value.before_text, "redundant": value.redundant,
        "unused": value.unused, "draws": value.draws, "following": value.following,
    }  # fmt: skip
    if value.writer is not None:
        here = capture.events.rows[value.writer]
        told |= {"call": int(here["call"]), "token": int(here["token"]), "offset": int(here["offset"])}
        told |= {"source_call": int(here["source"])}
    return told
