"""Findings as shown in lists: colours, positions, and marks at the events that broke a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

TOKENS = {"error": "error", "warning": "warning"}


def token(found: Any) -> str:
    """The theme token of a finding's severity."""
    return TOKENS.get(str(found.severity), "link")


def link(found: Any) -> int | None:
    """The event of a finding; None for what concerns the whole capture."""
    return int(found.seq) if found.seq >= 0 else None


def byte_text(found: Any) -> str:
    """Where in the command buffer, in hexadecimal."""
    return f"{found.offset:#x}" if found.offset >= 0 else ""


def flags(found: Iterable[Any]) -> list[tuple[int, str]]:
    """(event, theme token) of each finding."""
    return [(one.seq, token(one)) for one in found]


def marks(found: Iterable[Any]) -> dict[int, str]:
    """By event: the theme token of the worst that it did; notes are no marks."""
    worst: dict[int, str] = {}
    for event, colour in flags(found):
        if colour in TOKENS and worst.get(event) != "error":
            worst[event] = colour
    return worst
