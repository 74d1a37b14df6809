"""Findings: broken rules as values, never exceptions.

The rules are rows of `core.spec.findings`.  The device and the driver emit findings while they execute; `core.ddi.rules.watch`,
`check` and `answers` add those that only watch.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.spec.findings import RULES, UNKNOWN, Rule

__all__ = ["RULES", "Finding", "Rule", "finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule at one place.

    `seq` is the event number, -1 when there is none; `offset` the byte offset in the command buffer, -1 outside streams.
    """

    rule: str
    seq: int
    text: str
    section: str
    severity: str = "warning"
    offset: int = -1


def finding(rule: str, seq: int, text: str, offset: int = -1) -> Finding:
    """A finding of a row in RULES."""
    row = RULES.get(rule, UNKNOWN)
    return Finding(rule, seq, text, row.section, row.severity, offset)
