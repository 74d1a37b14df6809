"""ddi-inspector history: the history of one pixel."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, pixel, place, subresource, where
from inspector.cli.opening import event_of, opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.events.spans import span
from inspector.query.pixels.explain import Explain, Explanation
from inspector.query.pixels.explain_text import numbers
from inspector.query.pixels.fates import FATE_TITLES
from inspector.query.pixels.history import Entry, History, PixelHistory

SHADED_WIDTH = 29
EXAMPLES = (
    "history game.trace --frame 2 --pixel 320,240",
    "history game.trace --pixel 320,240 --all",
    "history game.trace --pixel 320,240 -o history.csv",
)


def declare(command: argparse.ArgumentParser) -> None:
    stretch(command)
    subresource(command)
    command.add_argument("--pixel", type=pixel, required=True, metavar="X,Y", help="the pixel")
    command.add_argument("--explain", type=number, metavar="N", help="explain entry N in full: texels, stages, blending")
    table_option(command)
    json_option(command)


def stretch(command: argparse.ArgumentParser) -> None:
    """Which events; `events_of` reads it."""
    place(command)
    command.add_argument("--all", action="store_true", help="the whole capture, not only the event's frame up to the event")
    command.add_argument("--draw", action="store_true", help="only the event")
    command.add_argument("--whole-frame", action="store_true", help="the event's whole frame, including later events")


def events_of(capture: Capture, chosen: argparse.Namespace) -> tuple[int, int]:
    """(first, last) event: of a frame, of the frame of an event up to it, of the event alone, or of everything."""
    event = event_of(capture, chosen)
    if event is None:
        event = capture.frames[-1].last_event if capture.frames else 0
        name = "frame"
    else:
        name = "event" if chosen.draw else "frame" if chosen.whole_frame or chosen.frame is not None else "until"
    return span(capture, event, "capture" if chosen.all else name)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        first, last = events_of(capture, chosen)
        x, y = chosen.pixel
        found = capture.ask(PixelHistory(where(chosen), x, y, first, last))
        explained = _explained(capture, found, chosen.explain) if chosen.explain is not None else None
        if chosen.output is not None:
            save_rows(chosen.output, table_rows(capture, found))
        if chosen.json:
            print_json(as_json(capture, found, explained))
        elif explained is not None:
            print(_line(capture, chosen.explain, explained.entry))
            print("\n".join(f"     {line}" for line in explained.lines))
        elif chosen.output is None:
            show(capture, found)
    return 0


def _explained(capture: Capture, found: History, chosen: int) -> Explanation:
    if not chosen < len(found.entries) or found.entries[chosen].kind != "fragment":
        fragments = [str(n) for n, entry in enumerate(found.entries) if entry.kind == "fragment"]
        raise BadInput(f"--explain {chosen}: this pixel's fragments are {', '.join(fragments) or 'none'}")
    return capture.ask(Explain(found.entries[chosen]))


def show(capture: Capture, found: History) -> None:
    """One line per entry, then the misses."""
    sample = "" if found.sample is None else f" sample {found.sample}"
    print(f"{found.place}, {found.format}, pixel {found.x}, {found.y}{sample}, events {found.first} to {found.last}")
    print(f"{'':47}{'before':{SHADED_WIDTH}}  {' / '.join(value.stored for value in found.start)}")
    for number_, entry in enumerate(found.entries):
        print(_line(capture, number_, entry))
    for note in found.notes:
        print(f"     {note}")
    counts = ", ".join(f"{count} {FATE_TITLES[fate]}" for fate, count in found.fates.items())
    number = len(found.fragments)
    print(f"{number} fragment{'s' * (number != 1)}{': ' if counts else ''}{counts}")
    if found.misses:
        print("missed:")
        for miss in found.misses:
            print(f"     #{miss.event:<7} {capture.name(miss.event):22} [{miss.primitive}]  {miss.reason}")


def table_rows(capture: Capture, found: History) -> list[dict[str, Any]]:
    """A row per entry, then one per primitive that missed the pixel."""
    rows: list[dict[str, Any]] = [
        {
            "entry": n, "event": one.event, "frame": one.frame, "name": capture.name(one.event), "kind": one.kind,
            "primitive": one.primitive, "sample": one.sample, "fate": one.fate, "shaded": one.shaded, "depth": one.depth,
            "before": one.before.stored, "after": one.after.stored, "reason": one.reason, "writer": one.writer,
        }
        for n, one in enumerate(found.entries)
    ]  # fmt: skip
    rows += [
        {"event": one.event, "frame": one.frame, "name": capture.name(one.event), "kind": "miss",
         "primitive": one.primitive, "fate": one.cause, "reason": one.reason, "writer": one.writer}
        for one in found.misses
    ]  # fmt: skip
    return rows


def _line(capture: Capture, number_: int, entry: Entry) -> str:
    which = "" if entry.primitive is None else f"[{entry.primitive}]"
    which += "" if entry.sample is None else f".{entry.sample}"
    shaded = numbers(entry.shaded) if entry.shaded is not None else ""
    mark = "+" if entry.passed else "x"
    return f"{number_:3} {mark} #{entry.event:<7} {capture.name(entry.event):22} {which:9} {shaded:{SHADED_WIDTH}}  " \
           f"{entry.after.stored}  {entry.reason}"  # fmt: skip


def as_json(capture: Capture, found: History, explained: Explanation | None) -> dict[str, Any]:
    """The history with the names of its events; with the explanation of an entry if asked for."""
    answer = dataclasses.asdict(found)
    for row in (*answer["entries"], *answer["misses"]):
        row["token"] = capture.name(row["event"])
    answer["fates"] = found.fates
    if explained is not None:
        answer["explanation"] = explained.lines
    return answer
