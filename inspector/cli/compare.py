"""ddi-inspector compare: differences between two events, draws, frames or captures."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import Any

from core.errors import BadInput
from inspector.capture import Capture
from inspector.cli.arguments import json_option, number, output
from inspector.cli.opening import opened, print_json
from inspector.cli.terminal import some
from inspector.exports.formats import Format, format_of
from inspector.files import write_bytes
from inspector.query.comparison.compare import PARTS, Compare
from inspector.query.comparison.difference import Difference, StateDifference, SurfaceDifference
from inspector.query.comparison.matching import HANDLE
from inspector.query.comparison.vertices import WHICH, CompareVertices, VertexDifference
from inspector.query.what_if.what_if import WhatIf

DIFFERENT = 1
SHOWN = ("matched", "slice", "count", "largest", "mean", "box")
"""Of a surface, in JSON."""
EXAMPLES = ("compare game.trace --a 'frame 1' --b 'frame 2'", "compare game.trace other.trace --part surfaces",
            "compare game.trace --a 'draw 1' --b 'draw 2' --vertices transformed")  # fmt: skip


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("other", type=Path, nargs="?", metavar="OTHER", help="another capture (default: the same one)")
    command.add_argument("--edits", type=Path, metavar="JSON", help="side B with edits saved by what-if")
    command.add_argument(
        "--a", help='a side, such as "event 812", "draw 3", "frame 2", "frame 2 draw 3" or "all" (default: all)'
    )
    command.add_argument("--b", help="the other side (default with OTHER: the same as --a)")
    command.add_argument("--threshold", type=number, default=0, help="ignore channel differences up to N, 0..255 (default: 0)")
    command.add_argument("--part", choices=PARTS, action="append", help="print only this part of the answer; may be repeated")
    command.add_argument("--vertices", choices=WHICH, help="compare the vertices of the last draw of each side instead")
    command.add_argument("--most", type=number, default=20, help="lines per part (default: 20)")
    output(command, "picture", text="save the difference image of --surface, or of the colour surface that differs most")
    command.add_argument("--surface", type=number, metavar="HANDLE", help="the surface that -o saves the difference of")
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if something differs."""
    a = chosen.a or "all"
    b = chosen.b or (a if chosen.other or chosen.edits else None)
    if b is None:
        raise BadInput("compare: give --a and --b, another capture, or --edits")
    form = format_of(chosen.output, "picture") if chosen.output else None
    with contextlib.ExitStack() as stack:
        capture = stack.enter_context(opened(chosen.file))
        other = stack.enter_context(opened(chosen.other)) if chosen.other else None
        if chosen.edits:
            other = WhatIf.load(chosen.edits).open(other or capture)
        if chosen.vertices:
            return _vertices(capture.ask(CompareVertices(a, b, other, chosen.vertices)), chosen)
        parts = tuple(part for part in PARTS if part in (chosen.part or PARTS))
        found = capture.ask(Compare(a, b, other, chosen.threshold, parts))
        if chosen.json:
            print_json(as_values(found))
        else:
            show(found, capture, other or capture, chosen.most)
        if form:
            save(found, chosen.output, form, chosen.surface)
    return 0 if found.empty else DIFFERENT


def _vertices(found: VertexDifference, chosen: argparse.Namespace) -> int:
    rows = found.rows.differing.tolist()
    if chosen.json:
        print_json({"events": found.events, "which": found.which, "columns": found.columns,
                    "differing": [_vertex_values(found, row) for row in rows]})  # fmt: skip
    else:
        print(f"{len(rows)} of {len(found.rows)} vertices differ, of event {found.events[0]} | event {found.events[1]}")
        for row in rows[: chosen.most]:
            print(f"  {_vertex_text(_vertex_values(found, row))}")
        if len(rows) > chosen.most:
            print(f"  and {len(rows) - chosen.most} more")
    return DIFFERENT if rows else 0


def _vertex_text(one: dict[str, Any]) -> str:
    places = ["nothing" if one[side] is None else str(one[side]) for side in ("a", "b")]
    values = ", ".join(f"{name} {a:.9g} | {b:.9g}" if isinstance(a, float) else f"{name} {a} | {b}"
                       for name, (a, b) in one["values"].items())  # fmt: skip
    return f"{' | '.join(places)}  {values}".rstrip()


def _vertex_values(found: VertexDifference, row: int) -> dict[str, Any]:
    """Which vertices are compared with each other, and where they differ."""
    a, b = int(found.rows.a[row]), int(found.rows.b[row])
    names = [found.columns[place] for place in found.differs[row].nonzero()[0].tolist()]
    return {
        "a": None if a < 0 else a, "b": None if b < 0 else b,
        "values": {name: (found.a[name][a].item(), found.b[name][b].item()) for name in names},
    }  # fmt: skip


def show(found: Difference, a: Capture, b: Capture, most: int) -> None:
    """A paragraph for each part that differs."""
    if found.empty:
        print("no difference")
    if found.first is not None:
        print(f"first difference: {_event(found.first.a)} | {_event(found.first.b)}")
        if found.first.data:
            print(f"  {found.first.text_a}\n  {found.first.data}")
        else:
            print(f"  - {found.first.text_a}\n  + {found.first.text_b}")
        print(f"  before it, {len(found.first.state)} state values differ")
    rows = found.tokens.differing
    tokens = [_token(found, a, b, int(row)) for row in rows[:most]]
    _part(f"{len(rows)} of {len(found.tokens)} tokens differ", tokens, len(rows))
    _part(some(len(found.state), "state value", "differ"), [_state(one) for one in found.state[:most]], len(found.state))
    _part(some(len(found.surfaces), "surface", "differ"), [_surface(one) for one in found.surfaces[:most]], len(found.surfaces))
    lines = [f"{one.name}: {one.a or 'missing'} | {one.b or 'missing'}" for one in found.resources[:most]]
    _part(some(len(found.resources), "resource", "differ"), lines, len(found.resources))


def _part(title: str, lines: list[str], count: int) -> None:
    if not count:
        return
    print(title)
    for line in lines:
        print(f"  {line}")
    if count > len(lines):
        print(f"  and {count - len(lines)} more")


def _event(event: int | None) -> str:
    return "nothing" if event is None else f"event {event}"


def _token(found: Difference, a: Capture, b: Capture, row: int) -> str:
    left, right = int(found.tokens.a[row]), int(found.tokens.b[row])
    texts = [f"{event} {capture.text(event)[:100]}" for capture, event in ((a, left), (b, right)) if event >= 0]
    return f"{found.tokens.kind(row):8} {' | '.join(texts)}"


def _state(one: StateDifference) -> str:
    sides = [f"{side.text} ({'default' if side.writer is None else f'event {side.writer}'})" if side else "missing"
             for side in (one.a, one.b)]  # fmt: skip
    return f"{one.stage:14} {one.name:32} {sides[0]} | {sides[1]}"


def _surface(one: SurfaceDifference) -> str:
    within = " ".join(map(str, one.box))
    matched = "" if one.matched == HANDLE else f" (matched by {one.matched})"
    return f"{one.name}{matched}: {one.count} of {one.width} x {one.height} pixels in ({within}), {one.by}"


def as_values(found: Difference) -> dict[str, Any]:
    """The answer for JSON."""
    rows = found.tokens.differing.tolist()
    first = found.first
    return {
        "equal": found.empty,
        "first": first and {"a": first.a, "b": first.b, "text_a": first.text_a, "text_b": first.text_b, "data": first.data},
        "tokens": [{"kind": found.tokens.kind(n), "a": int(found.tokens.a[n]), "b": int(found.tokens.b[n])} for n in rows],
        "state": [
            {"key": one.key, **{s: v and {"text": v.text, "writer": v.writer} for s, v in (("a", one.a), ("b", one.b))}}
            for one in found.state
        ],
        "surfaces": [
            {**one.place._asdict(), "b": one.place_b._asdict(), **{name: getattr(one, name) for name in SHOWN}}
            for one in found.surfaces
        ],
        "resources": [one._asdict() for one in found.resources],
    }


def save(found: Difference, path: Path, form: Format, handle: int | None = None) -> None:
    """The difference image of the surface to look at; of one that is asked for, its first slice that differs."""
    shown = [one for one in found.surfaces if handle in (None, one.place.handle)]
    if not shown:
        raise BadInput(
            f"{path} was not written: {'no surface differs' if handle is None else f'surface {handle} does not differ'}"
        )
    worst = shown[0] if handle is not None else found.most_telling
    assert worst is not None
    write_bytes(path, form.make(worst.image))
    print(f"{path}: {worst.name}")
