"""ddi-inspector driver: a driver's presentations, stalls and renames; the patches it keeps, and its DXGI resources."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from inspector.capture import Capture
from inspector.cli.arguments import json_option, place
from inspector.cli.opening import event_of, opened, print_json
from inspector.query.driver.buffers import Renames, Stalls
from inspector.query.driver.dxgi import DxgiResources, DxgiRow
from inspector.query.driver.patches import Patches
from inspector.query.driver.presentation import Presentation

Row = dict[str, Any]

EXAMPLES = ("driver game.trace presentation", "driver game.trace stalls")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("what", choices=list(VIEWS), help="what to list; dxgi and patches as of an event")
    place(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        event = event_of(capture, chosen)
        rows = VIEWS[chosen.what](capture, len(capture.events) - 1 if event is None else event)
    if chosen.json:
        print_json(rows)
        return 0
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items() if value not in ("", None, (), [])))
    if not rows:
        print(f"nothing about {chosen.what} is in this capture")
    return 0


def _presentation(capture: Capture, event: int) -> list[Row]:
    names = ("event", "frame", "by", "source", "waiting", "refused", "submitted", "shown")
    return [{name: row[name].item() for name in names} for row in capture.ask(Presentation()).rows]


def _stalls(capture: Capture, event: int) -> list[Row]:
    return [
        {"event": row.event, "buffer": row.verdict.buffer, "dx8.0": row.verdict.dx80.reason, "dx8.1": row.verdict.dx81.reason,
         "stalled": row.stalled}
        for row in capture.ask(Stalls(current=True))
    ]  # fmt: skip


def _renames(capture: Capture, event: int) -> list[Row]:
    return [
        {"event": row.event, "buffer": row.buffer, "discards": row.discards, "renamed": row.renamed,
         "fpVidMem": f"{row.vid_mem:#x}", "fpHeapOffset": f"{row.heap_offset:#x}"}
        for row in capture.ask(Renames())
    ]  # fmt: skip


def _patches(capture: Capture, event: int) -> list[Row]:
    return [
        {"patch": one.handle, "kind": one.kind, "defined": one.defined, "drawn": one.drawn, **one.info}
        for one in capture.ask(Patches(event))
    ]


def _dxgi(capture: Capture, event: int) -> list[Row]:
    return [dxgi_row(row) for row in capture.ask(DxgiResources(event))]


def dxgi_row(row: DxgiRow) -> Row:
    names = "" if row.identity == row.handle else f"what was created as {row.identity}"
    return {
        "resource": row.handle, "names": names, "format": row.format, "size": f"{row.width}x{row.height}",
        "samples": row.samples, "pictures": row.subresources, "priority": row.priority_text, "residency": row.residency,
        "views": row.views, "scanned out": "" if row.scanned_out < 0 else f"picture {row.scanned_out}",
    }  # fmt: skip


VIEWS: dict[str, Callable[[Capture, int], list[Row]]] = {
    "presentation": _presentation, "stalls": _stalls, "renames": _renames, "patches": _patches, "dxgi": _dxgi,
}  # fmt: skip
