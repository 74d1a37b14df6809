"""Findings: what a program or a driver did against the rules of the interface.

The value and the rule rows live with the device, which emits most of them; the mouth re-exports them here, where the rest of
the project looks for them.
"""

from __future__ import annotations

from core.device.findings import RULES, Finding, Rule, finding

__all__ = ["RULES", "Finding", "Rule", "finding"]
