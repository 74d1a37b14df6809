"""ddi-inspector writes: the history of one value of device state."""

from __future__ import annotations

import argparse

from core.errors import BadInput
from inspector.cli.arguments import json_option
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.state.history import Changes, changes_of
from inspector.query.state.places import meant, places_like, spelled

EXAMPLES = ("writes game.trace ALPHAREF", "writes game.trace 'FOG*'")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "key", metavar="STATE", help="a state, such as ALPHAREF, COLOROP[0], WORLD0 or LIGHT[0].Range, or several: FOG*"
    )
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        walked = capture.walked
        lights = walked.lights_at(len(capture.events))
        places = places_like(chosen.key, lights)
        if not places:
            raise BadInput(f"unknown state {chosen.key!r}{meant(chosen.key, lights)}")
        told = [changes_of(walked, place) for place in places]
        if chosen.output is not None:
            save_rows(chosen.output, [{"state": spelled(one.place.key), **row} for one in told for row in rows(one)])
        if chosen.json:
            print_json({spelled(changes.place.key): rows(changes) for changes in told})
        if chosen.json or chosen.output is not None:
            return 0
        for changes in told:
            show(changes)
    return 0


def rows(changes: Changes) -> list[dict]:
    """One entry per write."""
    names = ("event", "redundant", "draws", "unused", "by_runtime")
    columns = [getattr(changes, name).tolist() for name in names]
    return [
        dict(zip(names, values, strict=True)) | {"text": changes.text(n), "raw": changes.words[n].tolist()}
        for n, values in enumerate(zip(*columns, strict=True))
    ]


def show(changes: Changes) -> None:
    """One line per write."""
    print(f"{spelled(changes.place.key)}: {len(changes)} write{'' if len(changes) == 1 else 's'}")
    for row in rows(changes):
        marks = [name for name in ("redundant", "unused") if row[name]] + (["set up"] if row["by_runtime"] else [])
        print(f"  event {row['event']:<8} {row['text']:24} {row['draws']} draws" + "".join(f", {mark}" for mark in marks))
