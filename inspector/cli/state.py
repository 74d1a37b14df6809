"""ddi-inspector state: device state after an event."""

from __future__ import annotations

import argparse
from typing import Any

from core.errors import BadInput
from core.spec.stages import STAGE_NAMES
from inspector.cli.arguments import json_option, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--stage", help="only this pipeline stage, e.g. alpha_test")
    command.add_argument("--all", action="store_true", help="values at their default too")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.stage is not None and chosen.stage not in STAGE_NAMES:
        raise BadInput(f"--stage {chosen.stage}: the stages are {', '.join(STAGE_NAMES)}")
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        values = [value for value in capture.state(event).rows(chosen.stage) if chosen.all or not value.is_default]
    if chosen.json:
        print_json({"event": event, "state": [row(value) for value in values]})
        return 0
    print(f"after event {event}")
    for value in values:
        writer = f"  <- event {value.writer}" if value.writer is not None else ""
        print(f"{value.stage:14} {value.name:32} {value.text}{writer}")
    return 0


def row(value: Any) -> dict[str, Any]:
    key = list(value.key) if isinstance(value.key, tuple) else value.key
    return {
        "key": key, "name": value.name, "stage": value.stage, "text": value.text, "raw": list(value.raw),
        "writer": value.writer, "default": value.is_default,
    }  # fmt: skip
