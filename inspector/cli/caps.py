"""ddi-inspector caps: a driver's reported capabilities, and whether it is a DirectX 8 driver."""

from __future__ import annotations

import argparse
import dataclasses

from core.errors import BadInput
from inspector.cli.arguments import json_option
from inspector.cli.opening import opened, print_json
from inspector.query.driver.caps import DriverCaps, DriverReport, FormatRow, profile_report

FAILED = 1
EXAMPLES = ("caps --profile dx7", "caps game.trace --json")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--profile", help="one of the emulated drivers (full, fixed, stretch, minimum, dx7), instead of a FILE"
    )
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if the driver is not a DirectX 8 driver."""
    if (chosen.file is None) == (chosen.profile is None):
        raise BadInput("caps: FILE or --profile NAME is required")
    if chosen.profile:
        found = profile_report(chosen.profile)
    else:
        with opened(chosen.file) as capture:
            found = capture.ask(DriverCaps())
    if chosen.json:
        print_json(dataclasses.asdict(found))
    else:
        show(found)
    return FAILED if found.qualifies is False else 0


def show(found: DriverReport) -> None:
    """The report in lines."""
    print(found.sentence)
    for clause in found.clauses:
        print(f"  {clause.verdict:9} {clause.sentence} ({clause.found}) [{clause.rule}]")
    for problem in found.problems:
        print(f"  {problem.severity}: {problem.text} [{problem.rule}: {problem.section}]")
    if found.hal_flags:
        print(f"\nDDHALINFO flags: {found.hal_flags}")
    if found.caps:
        print("\nD3DCAPS8")
        for row in found.caps:
            print(f"  {row.name:26} {row.raw:#010x} {row.text}" + (f"; seen: {row.seen}" if row.seen != row.text else ""))
    _formats("formats, new style", found.formats)
    _formats("formats, old style", found.legacy)
    for version, names in ((8, found.dx8), (7, found.dx7)):
        print(f"\na DirectX {version} runtime sees: {' '.join(names) or 'nothing'}")


def _formats(title: str, rows: tuple[FormatRow, ...]) -> None:
    if rows:
        print(f"\n{title}")
    for row in rows:
        counts = f"  flip {_counts(row.flip_samples)} blt {_counts(row.blt_samples)}"
        print(f"  {row.index:3} {row.name:14} {row.operations}" + (counts if row.flip_samples or row.blt_samples else ""))


def _counts(samples: tuple[int, ...]) -> str:
    return ",".join(map(str, samples)) or "-"
