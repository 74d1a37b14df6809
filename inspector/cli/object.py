"""ddi-inspector object: the history of a surface, buffer, shader, palette, light or resource of DXGI."""

from __future__ import annotations

import argparse

from inspector.cli.arguments import json_option, number
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.objects.usage import ObjectHistory, ObjectLog, Thing, UsersOf
from inspector.timeline.states import NEVER

EXAMPLES = ("object game.trace 1", "object game.trace light:0 --users")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("thing", type=thing, metavar="OBJECT", help="a handle, or light:0, palette:3, shader:5, dxgi:10")
    command.add_argument("--event", type=number, help="only the object that has the handle at this event")
    command.add_argument("--users", action="store_true", help="only the draws that use it")
    table_option(command)
    json_option(command)


def thing(text: str) -> Thing:
    """12, #12, light:0"""
    kind, _, rest = text.rpartition(":")
    handle = number(rest.removeprefix("#"))
    return (kind, handle) if kind else handle


def run(chosen: argparse.Namespace) -> int:
    question = (UsersOf if chosen.users else ObjectHistory)(chosen.thing, chosen.event)
    with opened(chosen.file) as capture:
        if chosen.event is not None:
            capture.check_event(chosen.event)
        log = capture.ask(question)
        if chosen.output is not None:
            save_rows(chosen.output, rows(log))
        if chosen.json:
            print_json(rows(log))
        if chosen.json or chosen.output is not None:
            return 0
        for n, life in enumerate(log.lives):
            until = "" if life.last == NEVER else f" to {life.last}"
            print(f"{life.title}, from event {life.first}{until}")
            for row in (log.life == n).nonzero()[0].tolist():
                event = int(log.event[row])
                print(f"  event {event:<8} {log.text(row):28} version {log.version[row]:<6} {capture.text(event)}")
    return 0


def rows(log: ObjectLog) -> list[dict]:
    """One entry per happening."""
    columns = zip(log.event.tolist(), log.life.tolist(), log.version.tolist(), strict=True)
    return [
        {
            "event": event,
            "what": log.text(row),
            "version": version,
            "kind": log.lives[life].kind,
            "handle": log.lives[life].handle,
        }
        for row, (event, life, version) in enumerate(columns)
    ]
