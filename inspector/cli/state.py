"""ddi-inspector state: device state after an event."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, unknown
from core.spec.stages import STAGE_NAMES
from inspector.cli.arguments import json_option, number, place
from inspector.cli.opening import event_of, opened, or_last_draw, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.held.things import Palettes
from inspector.query.objects.surfaces import SurfaceInfo
from inspector.query.state.flow import Flow, FlowRow, StateFlow

if TYPE_CHECKING:
    from inspector.capture import Capture

EXAMPLES = (
    "state game.trace",
    "state game.trace --frame 2 --stage alpha_test --all",
    "state game.trace -o state.md",
    "state game.trace --frame 2 --flow --against 40",
)


def declare(command: argparse.ArgumentParser) -> None:
    place(command)
    command.add_argument("--stage", help="only this pipeline stage, such as alpha_test")
    command.add_argument("--all", action="store_true", help="also show values that have their default")
    command.add_argument("--flow", action="store_true", help="the stages of the pipeline, with what matters and why")
    command.add_argument("--against", type=number, metavar="EVENT", help="with --flow: also show the values at another event")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    if chosen.stage is not None and chosen.stage not in STAGE_NAMES:
        raise BadInput(f"--stage: {unknown('stage', chosen.stage, STAGE_NAMES)}")
    with opened(chosen.file) as capture:
        event = or_last_draw(capture, event_of(capture, chosen))
        if chosen.flow or chosen.against is not None:
            return _show_flow(capture.ask(StateFlow(event, chosen.against)), chosen)
        values = [value for value in capture.state(event).rows(chosen.stage) if chosen.all or not value.is_default]
        told, lines = [row(capture, value) for value in values], [line(capture, value) for value in values]
        lines = lines or _nothing(capture, event, chosen.stage)
    if chosen.output is not None:
        save_rows(chosen.output, told)
    if chosen.json:
        print_json({"event": event, "state": told})
    elif chosen.output is None:
        print(f"after event {event}")
        print(*lines, sep="\n")
    return 0


def _nothing(capture: Capture, event: int, stage: str | None) -> list[str]:
    """Why no value is listed; of a program that only copies, what there is instead."""
    if any(call.entry == "ContextCreate" for call in capture.calls):
        place = f"in {stage} " if stage else ""
        return [f"every value {place}is at its default; --all lists them"]
    there = [f"  {one.title:24} {_size(one)}, {one.memory}" for one in capture.surfaces(event)]
    for palette in capture.ask(Palettes(event)):
        users = ", ".join(map(str, palette.surfaces)) or "none"
        there.append(f"  {f'Palette {palette.handle}':24} {len(palette.colors)} entries; surfaces: {users}")
    which = "these exist:" if there else "no surfaces or palettes exist at this event"
    return [f"this capture has no Direct3D device, so no device state; {which}", *there]


def _size(one: SurfaceInfo) -> str:
    return f"{one.size} bytes" if one.kind == "buffer" else f"{one.width} x {one.height} {one.format}"


def _show_flow(flow: Flow, chosen: argparse.Namespace) -> int:
    """Stage by stage; with --all also what does not matter."""
    stages = [stage for stage in flow.stages if chosen.stage in (None, stage.stage.name)]
    shown = {stage.stage.name: stage.rows if chosen.all else stage.wanted for stage in stages}
    if chosen.output is not None:
        save_rows(chosen.output, [_flow_row(row) for rows in shown.values() for row in rows])
    if chosen.json:
        told = {
            stage.stage.name: {
                "runs": stage.runs,
                "summary": stage.summary,
                "state": list(map(_flow_row, shown[stage.stage.name])),
            }
            for stage in stages
        }
        print_json({"event": flow.event, "against": flow.against, "stages": told})
    elif chosen.output is None:
        print(f"after event {flow.event}" + ("" if flow.against is None else f", compared with event {flow.against}"))
        for stage in stages:
            if shown[stage.stage.name] or stage.summary:
                print(f"\n{stage.stage.title}: {stage.summary}")
            print(*map(_flow_line, shown[stage.stage.name]), sep="\n", end="\n" if shown[stage.stage.name] else "")
    return 0


def _flow_line(row: FlowRow) -> str:
    """`  SRCBLEND   SRCALPHA   (blending is on)`."""
    words = "; ".join(f"{name} {text}" for name, text in row.reading) or row.value.text
    there = "" if row.against is None else f"  [{row.against}]"
    return f"  {'' if row.matters else '- '}{row.value.name:28} {words}{there}  ({row.why})"


def _flow_row(row: FlowRow) -> dict[str, Any]:
    value = row.value
    return {"key": list(value.key) if isinstance(value.key, tuple) else value.key, "name": value.name, "stage": value.stage,
            "text": value.text, "writer": value.writer, "matters": row.matters, "neutral": row.neutral, "why": row.why,
            "does": "; ".join(f"{name} {text}" for name, text in row.reading), "against": row.against}  # fmt: skip


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
