"""ddi-inspector dump: one line per event."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import BadInput
from inspector.cli.arguments import json_option, number
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_table, table_option
from inspector.exports.report import hexdump
from inspector.query.events.detail import FieldText, outcome_of
from inspector.query.events.texts import texts_in_order

AT_ONCE = 1 << 12  # lines that are written together
EXAMPLES = ("dump game.trace --frame 2", "dump game.trace --event 100", "dump game.trace --frame 2 -o frame2.csv")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--frame", type=number, help="only this frame")
    command.add_argument("--event", type=number, help="only this event, with its fields")
    command.add_argument("--source-call", type=number, help="only the events of this API call")
    table_option(command)
    json_option(command, "one JSON object per line")


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        if chosen.event is not None and chosen.output is None:
            show(capture, capture.check_event(chosen.event), chosen.json)
            return 0
        events = wanted(capture, chosen)
        if chosen.output is not None:
            save_events(capture, events, chosen.output)
        if chosen.json or chosen.output is None:
            print_events(capture, events, chosen.json)
            if not len(events) and not chosen.json:
                print("ddi-inspector: no events", file=sys.stderr)
    return 0


def print_events(capture: Any, events: Sequence[int], as_json: bool) -> None:
    """A line each."""
    if as_json:
        for event in events:
            print(json.dumps(row(capture, event), ensure_ascii=False))
        return
    for start in range(0, len(events), AT_ONCE):
        print("\n".join(lines(capture, events[start : start + AT_ONCE])))


COLUMNS = ("event", "frame", "call", "name", "text", "source_call", "outcome")


def save_events(capture: Any, events: Sequence[int], path: Path) -> None:
    """The same as a table in a file."""
    save_table(path, COLUMNS, _cells(capture, events))


def _cells(capture: Any, events: Sequence[int]) -> Iterator[list[Any]]:
    for start in range(0, len(events), AT_ONCE):
        some = events[start : start + AT_ONCE]
        for text, event in zip(texts_in_order(capture, np.asarray(some, np.int64)), map(int, some), strict=True):
            here = capture.events.rows[event]
            source = int(here["source"]) if here["source"] >= 0 else None
            outcome = outcome_of(capture.events, event) or None
            yield [event, capture.frame_of(event), int(here["call"]), capture.name(event), text, source, outcome]


def lines(capture: Any, events: Sequence[int]) -> Iterator[str]:
    """`line` of many events."""
    rows = capture.events.rows
    places = np.asarray(events, np.int64)
    outcomes = bool(capture.events.failed)
    columns = zip(places.tolist(), rows["call"][places].tolist(), rows["source"][places].tolist(), strict=True)
    for text, (event, call, source) in zip(texts_in_order(capture, places), columns, strict=True):
        outcome = outcome_of(capture.events, event) if outcomes else ""
        yield _line(event, call, source, text, outcome)


def wanted(capture: Any, chosen: argparse.Namespace) -> Sequence[int]:
    """The events asked for."""
    if chosen.event is not None:
        return [capture.check_event(chosen.event)]
    if chosen.source_call is not None:
        found = np.flatnonzero(capture.events.rows["source"] == chosen.source_call)
        if not len(found):
            raise BadInput(f"{capture.path}: API call {chosen.source_call} caused no event")
        return [int(event) for event in found]
    if chosen.frame is not None:
        frame = capture.frame(chosen.frame)
        return range(frame.first_event, frame.last_event + 1)
    return range(len(capture.events))


def line(capture: Any, event: int) -> str:
    """`812  call 40  RENDERSTATE ALPHAREF = 8  <- API call 2101`."""
    here = capture.events.rows[event]
    return _line(event, int(here["call"]), int(here["source"]), capture.text(event), outcome_of(capture.events, event))


def _line(event: int, call: int, source: int, text: str, outcome: str) -> str:
    cause = f"  <- API call {source}" if source >= 0 else ""
    return f"{event}  call {call}  {text}{f'  [{outcome}]' * bool(outcome)}{cause}"


def row(capture: Any, event: int) -> dict[str, Any]:
    here = capture.events.rows[event]
    return {
        "event": event, "call": int(here["call"]), "name": capture.name(event), "text": capture.text(event),
        "source_call": int(here["source"]) if here["source"] >= 0 else None,
        "outcome": outcome_of(capture.events, event) or None,
    }  # fmt: skip


def show(capture: Any, event: int, as_json: bool) -> None:
    """One event with its fields and bytes."""
    detail = capture.event(event)
    if as_json:
        fields, members = _as_json(detail.fields), _as_json(detail.call_fields)
        print_json({**row(capture, event), "header": detail.header, "frame": detail.frame, "source": detail.source_text,
                    "fields": fields, "call_fields": members,
                    "bytes": detail.data.hex()})  # fmt: skip
        return
    print(line(capture, event))
    if detail.source_text:
        print(f"  {detail.source_text}")
    if detail.header:
        print(f"  {detail.header}")
    _print_fields(detail.fields)
    print(hexdump(detail.data, detail.base_offset))
    if detail.call_fields:
        print(f"  call {detail.call}: D3DHAL_DRAWPRIMITIVES2DATA")
        _print_fields(detail.call_fields)


def _print_fields(fields: Sequence[FieldText]) -> None:
    widest = max((len(field.header) for field in fields), default=0)
    for field in fields:
        print(f"  {field.name:24} {field.header:{widest}} {field.text}" if widest else f"  {field.name:24} {field.text}")


def _as_json(fields: Sequence[FieldText]) -> list[dict[str, str]]:
    return [{"name": field.name, "header": field.header, "text": field.text} for field in fields]
