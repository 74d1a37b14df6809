"""Findings of every kind, as one list in tape order."""

from __future__ import annotations

from collections.abc import Iterable

from core.ddi.check import Finding, finding
from inspector.tape import Tape
from inspector.timeline.events import Events


def listed(tape: Tape, events: Events, walked: Iterable[Finding]) -> list[Finding]:
    """What the import noted, streams that break off, and what the walk over the tape found."""
    found = list(walked)
    for note in tape.findings:
        found.append(finding(note.rule, max(events.last_of_source(note.source), 0), note.text))
    return sorted(found, key=lambda each: (each.seq, each.offset))
