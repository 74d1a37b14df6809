"""Dispatches each call: to a row of the compiled loop, a method, or a drawer for devices with software vertex processing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from core.runtime.calls.columns import Signature
from core.runtime.calls.values import IDS
from core.runtime.directdraw.table import FAILED7, METHODS7
from core.runtime.methods.draws import DRAWS
from core.runtime.methods.table import METHODS
from core.runtime.rows.layout import ENTERED, PLACES
from core.runtime.rows.table import LATE_CALLS, ROW_OF, Tables, compile_rows
from core.runtime.rows.table7 import COPIED, ROW7_OF

NO_HRESULT = frozenset({"AddRef", "Release", "Direct3DCreate8", "memcpy"})
ALL_ROWS, ALL_METHODS = ROW_OF | ROW7_OF | {COPIED.call: COPIED}, METHODS | METHODS7


class Function(NamedTuple):
    """A function that a trace or script declares: its method, how many arguments, whether it answers an HRESULT, whether
    the loop may take it when the method has seen to what the row needs, and what is done when it failed."""

    method: Callable[..., Any] | None
    arguments: int
    answers_hresult: bool
    row: bool
    failed: Callable[..., Any] | None = None


class Dispatch:
    """`functions` and `drawers` by signature; `rows` and `known` (whether the loop is worth entering for the call) twice: for
    drivers that process vertices, and for others, whose draws have no rows."""

    def __init__(self) -> None:
        self.tables: Tables | None = None
        self.rows: list[np.ndarray] = []
        self.known: list[bytes] = []
        self.without_device = b""  # `known` where there is no device
        self.places = np.full((IDS, len(PLACES)), -1, np.int32)
        """By structure: where members are that the loop reads (layout.PLACES)."""
        self.functions: dict[int, Function] = {}
        self.drawers: dict[int, Callable[..., None]] = {}
        self._compiled = self._placed = 0

    def place(self, structs: Mapping[int, Signature]) -> None:
        """Members of structures that were declared since the last time."""
        if len(structs) == self._placed:
            return
        for number in [*structs][self._placed :]:
            members = structs[number].arguments
            for name, column in PLACES.items():
                self.places[number, column] = members.index(name) if name in members else -1
        self._placed = len(structs)

    def compile(self, functions: Mapping[int, Signature]) -> None:
        """Rows and methods of functions that were declared since the last time."""
        if self.tables is not None and len(functions) == self._compiled:
            return
        self.tables, self._compiled = compile_rows(functions, ALL_ROWS), len(functions)
        self.rows = [self.tables.rows, self.tables.rows.copy()]
        for number, (name, arguments) in functions.items():
            answers, row = name.rpartition("::")[2] not in NO_HRESULT, ALL_ROWS.get(name)
            takes_row = row is not None and not row.counts and row.blit is None
            self.functions[number] = Function(
                ALL_METHODS.get(name), len(arguments), answers, takes_row, FAILED7.get(name)
            )  # fmt: skip
            if name in DRAWS or name in LATE_CALLS or (row is not None and row.draw):
                self.rows[True]["known"][number] = 0
            if name in FAILED7 and row is not None and row.blit is None:  # a question whose failure says something
                for rows in self.rows:
                    rows["known"][number] = 0
            if name in DRAWS:
                self.drawers[number] = DRAWS[name]
        self.known = [((rows["known"] == ENTERED) & (rows["counts"] == 0)).tobytes() for rows in self.rows]
        waiting = self.tables.rows
        self.without_device = ((waiting["known"] == ENTERED) & (waiting["blit"] >= 0)).tobytes()
