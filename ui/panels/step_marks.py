"""Breakpoints and watched registers, kept for each program between sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST_PROGRAMS = 200
"""Programs whose marks are remembered; those changed last stay."""
BREAKPOINTS, WATCHES = "breakpoints", "watches"
Kept = Callable[[str, Any], Any]


class StepMarks:
    """`kept(name, default)` and `keep(name, value)`: where they are remembered (ui.panels.panel.Panel)."""

    def __init__(self, kept: Kept, keep: Callable[[str, Any], object]) -> None:
        self._kept, self._keep = kept, keep

    def breakpoints(self, program: str) -> frozenset[str]:
        """The marks (inspector.query.steps.walking.mark_of) of a program's breakpoints."""
        return frozenset(self._of(BREAKPOINTS, program))

    def watched(self, program: str) -> tuple[str, ...]:
        """The names of the registers that are watched in a program, in the order in which they were chosen."""
        return tuple(self._of(WATCHES, program))

    def toggle_breakpoint(self, program: str, mark: str) -> None:
        self._toggle(BREAKPOINTS, program, mark)

    def toggle_watch(self, program: str, name: str) -> None:
        self._toggle(WATCHES, program, name)

    def clear_breakpoints(self, program: str) -> None:
        self._put(BREAKPOINTS, program, [])

    def _of(self, what: str, program: str) -> list[str]:
        names = self._kept(what, {}).get(program, [])
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def _toggle(self, what: str, program: str, name: str) -> None:
        names = self._of(what, program)
        self._put(what, program, [one for one in names if one != name] if name in names else [*names, name])

    def _put(self, what: str, program: str, names: list[str]) -> None:
        kept = {one: its for one, its in self._kept(what, {}).items() if one != program}
        if names:
            kept[program] = names
        self._keep(what, dict(list(kept.items())[-MOST_PROGRAMS:]))
