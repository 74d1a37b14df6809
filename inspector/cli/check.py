"""ddi-inspector check: rules broken by the program or the driver."""

from __future__ import annotations

import argparse
import dataclasses

from core.ddi.rules.check import Finding
from core.errors import BadInput
from core.spec.findings import RULES, SYSTEMS
from inspector.capture import Capture
from inspector.cli.arguments import json_option
from inspector.cli.opening import Progress, opened, print_json
from inspector.cli.tables import save_rows, table_option
from inspector.query.events.findings import Findings

FOUND = 1
SEVERAL = True
EXAMPLES = ("check game.trace", "check game.trace -o findings.md", "check --rules")


def declare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--quick", action="store_true", help="check calls and tokens only, without redrawing the capture")
    command.add_argument("--rules", action="store_true", help="list the rules instead of checking a FILE")
    table_option(command)
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if one of the findings is an error, or parts of the file are missing."""
    if chosen.rules:
        show_rules(chosen.json)
        return 0
    if chosen.file is None:
        raise BadInput("check: FILE is required")
    with opened(chosen.file) as capture:
        progress = Progress()
        try:
            findings = capture.ask(Findings(not chosen.quick, progress))
        finally:
            progress.done()
        notices = list(capture.tape.notices)
        rows = [{**dataclasses.asdict(one), "place": place(capture, one)} for one in findings]
        lines = [f"{place(capture, found)}: {found.severity}: {said(found)}" for found in findings]
    if chosen.output is not None:
        save_rows(chosen.output, rows)
    if chosen.json:
        print_json({"findings": [dataclasses.asdict(finding) for finding in findings], "notices": notices})
    elif chosen.output is None:
        for line in (*notices, *lines):
            print(line)
        print(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}")
    return FOUND if notices or any(finding.severity == "error" for finding in findings) else 0


def place(capture: Capture, found: Finding) -> str:
    """Where: the event, its token, and the byte offset in the command buffer of its DrawPrimitives2."""
    if not 0 <= found.seq < len(capture.events):
        return "capture"
    name = capture.name(found.seq)
    at = f" at byte {found.offset:#x}" if found.offset >= 0 else ""
    return f"event {found.seq} {name}{at}"


def said(found: Finding) -> str:
    """What: the sentence, the rule and its section."""
    return f"{found.text} [{found.rule}: {found.section}]"


def show_rules(as_json: bool) -> None:
    """The catalogue, by system."""
    if as_json:
        print_json([row._asdict() for row in RULES.values()])
        return
    for system, title in SYSTEMS.items():
        print(f"{system}. {title}" if system else title)
        for row in RULES.values():
            if row.system == system:
                print(f"  {row.id:24} {row.severity:8} {row.sentence} [{row.section}]")
