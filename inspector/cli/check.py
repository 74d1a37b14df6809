"""ddi-inspector check: what the program or driver did against the rules."""

from __future__ import annotations

import argparse
import dataclasses

from inspector.cli.arguments import json_option
from inspector.cli.opening import opened, print_json

FOUND = 1


def declare(command: argparse.ArgumentParser) -> None:
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 1 if one of the findings is an error, or parts of the file are missing."""
    with opened(chosen.file) as capture:
        findings, notices = list(capture.findings), list(capture.tape.notices)
    if chosen.json:
        print_json({"findings": [dataclasses.asdict(finding) for finding in findings], "notices": notices})
    else:
        for notice in notices:
            print(notice)
        for finding in findings:
            print(f"event {finding.seq}: {finding.severity}: {finding.text} [{finding.rule}: {finding.section}]")
        print(f"{len(findings)} findings")
    return FOUND if notices or any(finding.severity == "error" for finding in findings) else 0
