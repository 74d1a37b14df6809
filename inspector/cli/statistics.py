"""ddi-inspector statistics: counts per capture, frame or draw."""

from __future__ import annotations

import argparse
import csv
import dataclasses
import sys
from typing import Any

from inspector.cli.arguments import json_option, number
from inspector.cli.opening import opened, print_json
from inspector.cli.tables import save_table, table_option
from inspector.query.tables.statistics import UNITS, Figures, Statistics

SEVERAL = True
EXAMPLES = (
    "statistics game.trace --by frame",
    "statistics game.trace --pixels --json",
    "statistics game.trace --by draw -o draws.csv",
)


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--by", choices=UNITS, default="capture", help="one row per capture, frame or draw (default: capture)")
    command.add_argument("--frame", type=number, help="only this frame")
    command.add_argument("--event", type=number, help="only this draw")
    command.add_argument("--pixels", action="store_true", help="also count primitive and fragment fates (redraws the capture)")
    command.add_argument("--csv", action="store_true", help="write the rows as comma-separated values")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        if chosen.event is not None:
            capture.check_event(chosen.event)
        figures = capture.ask(Statistics(chosen.by, chosen.frame, chosen.event, chosen.pixels))
    if chosen.output is not None:
        save_table(chosen.output, columns(figures), rows(figures))
    if chosen.json:
        print_json(as_json(figures))
    elif chosen.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns(figures))
        writer.writerows(rows(figures))
    elif chosen.output is None:
        show(figures)
    return 0


def columns(figures: Figures) -> list[str]:
    """The titles of `rows`."""
    return [figures.unit, "first_event", "last_event", *figures.columns]


def rows(figures: Figures) -> list[list[Any]]:
    """Number, first and last event, then the columns."""
    values = [figures.number, figures.start, figures.stop, *figures.columns.values()]
    return [list(row) for row in zip(*(column.tolist() for column in values), strict=True)]


def as_json(figures: Figures) -> dict[str, Any]:
    return {
        "rows": [dict(zip(columns(figures), row, strict=True)) for row in rows(figures)],
        "state": [dataclasses.asdict(group) for group in figures.groups],
        "textures": [
            {"handle": use.life.handle, "first_event": use.life.first, "format": use.format, "width": use.width,
             "height": use.height, "bytes": use.bytes, "draws": use.draws, "writes": use.writes}
            for use in figures.textures
        ],
        "shaders": [
            {"kind": use.kind, "handle": use.life.handle if use.life else None, "draws": use.draws} for use in figures.shaders
        ],
    }  # fmt: skip


def show(figures: Figures) -> None:
    """The sums, then what they are made of."""
    for name, values in figures.columns.items():
        most = f"   most {values.max():,} in {figures.unit} {figures.number[values.argmax()]}" if len(figures) > 1 else ""
        whole = figures.total("written") / max(figures.total("pixels"), 1) if name == "overdraw" else values.sum()
        print(f"{name.replace('_', ' '):20} {whole:>14,.{1 if values.dtype.kind == 'f' else 0}f}{most}")
    print("\nstate by pipeline stage      set   changed    unused")
    for group in figures.groups:
        print(f"  {group.stage:20} {group.set:>9,} {group.changed:>9,} {group.unused:>9,}")
    print("\ntextures                   bytes     draws    writes")
    for use in figures.textures:
        name = f"#{use.life.handle:<6} {use.width:>4} x {use.height:<4}"
        print(f"  {name} {use.bytes:>9,} {use.draws:>9,} {use.writes:>9,}  {use.format}")
    print("\nshaders                    draws")
    for shader in figures.shaders:
        name = shader.kind.replace("_", " ") + (f" {shader.life.handle}" if shader.life else ": none")
        print(f"  {name:20} {shader.draws:>9,}")
