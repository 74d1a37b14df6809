"""ddi-inspector info: the contents of a capture."""

from __future__ import annotations

import argparse
from typing import Any

from inspector.cli.arguments import json_option
from inspector.cli.opening import opened, print_json
from inspector.exports.report import token_totals

SEVERAL = True
EXAMPLES = ("info game.trace", "info game.trace other.trace --json")


def declare(command: argparse.ArgumentParser) -> None:
    json_option(command)


def run(chosen: argparse.Namespace) -> int:
    with opened(chosen.file) as capture:
        facts = about(capture)
        tokens = {name: count for name, count, _ in token_totals(capture)}
    if chosen.json:
        print_json({**facts, "tokens": tokens})
        return 0
    facts["findings"] = f"{facts['findings']} so far; the command check also draws every frame and lists all"
    for name, value in facts.items():
        if value not in ("", None, [], {}):
            for line in value if isinstance(value, list) else [value]:
                print(f"{name.replace('_', ' '):16} {line}")
    if tokens:
        print("tokens           " + ", ".join(f"{name} {count}" for name, count in tokens.items()))
    return 0


def count(capture: Any, entry: str) -> int:
    """How often a driver entry point was called."""
    index = capture.tape.call_index()
    return sum(int((index.entry == number).sum()) for number, name in index.names.items() if name == entry)


def about(capture: Any) -> dict[str, Any]:
    """Facts by name."""
    meta = capture.tape.meta
    properties = meta.get("trace_properties") or {}
    return {
        "file": str(capture.path),
        "program": properties.get("process.name", ""),
        "adapter": [str(adapter.get("description")) for adapter in meta.get("adapters") or [] if isinstance(adapter, dict)],
        "made_by": meta.get("producer", ""),
        "created": meta.get("created", ""),
        "source_file": meta.get("source_file", ""),
        "frames": len(capture.frames),
        "draws": len(capture.draws),
        "events": len(capture.events),
        "driver_calls": len(capture.calls),
        "surfaces": count(capture, "CreateSurface"),
        "buffers": count(capture, "CreateD3DBuffer"),
        "api_calls": capture.tape.source_count,
        "findings": len(capture.findings),
        "notices": list(capture.tape.notices),
    }
