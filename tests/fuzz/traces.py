"""API traces: bytes changed before they are packed, or after; imported, then asked."""

from __future__ import annotations

import random
from pathlib import Path

import inspector
from inspector.imports import import_trace
from inspector.tape import TapeWriter
from tests.fuzz.harness import main
from tests.inspector.imports import trace_file as t
from tests.inspector.test_hostile import damaged


def case(chooser: random.Random, folder: Path) -> None:
    """A small program of some frames."""
    data = t.small_program(chooser.choice([1, 3]), chooser.choice([5, 6])).bytes()
    before = chooser.random() < 0.8
    packed = t.snappy(damaged(data, chooser) if before else data)
    trace, kept = folder / "a.trace", folder / "a.ddicap"
    trace.write_bytes(packed if before else damaged(packed, chooser))
    kept.unlink(missing_ok=True)
    with TapeWriter(kept, durable=False) as writer:
        import_trace(trace, writer)
    with inspector.open(kept) as capture:
        for _ in range(2 if len(capture.events) else 0):
            event = chooser.randrange(len(capture.events))
            capture.image(event)
            capture.state(event)
        assert all(finding.text for finding in capture.findings)


if __name__ == "__main__":
    main(case)
