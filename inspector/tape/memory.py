"""A tape in memory."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np

from core.ddi.calls import DdiCall
from core.runtime.calls.columns import Calls
from inspector.tape.pointers import pointer_rows
from inspector.tape.reader import CallIndex
from inspector.tape.sequence import CallSequence
from inspector.tape.writer import record_count


class MemoryTape:
    """A tape in memory: what a Tape offers for reading, and `append`."""

    known_as = ""

    def __init__(self) -> None:
        self.path = None
        self.meta: dict[str, Any] = {}
        self.notices: list[str] = []
        self.annotations: list = []
        self.thumbnail: bytes | None = None
        self.source_count = 0
        self.findings: list = []
        self._calls: list[DdiCall] = []
        self._pointers: list[tuple[int, int, int]] = []

    def append(self, call: DdiCall) -> None:
        """Records a copy of the call."""
        data = {key: value.tobytes() if isinstance(value, np.ndarray) else bytes(value) for key, value in call.data.items()}
        self._calls.append(DdiCall(call.entry, deepcopy(call.args), data, call.result, deepcopy(call.out), call.source))

    @property
    def digest(self) -> str:
        """Empty: there is no file."""
        return ""

    @property
    def calls(self) -> CallSequence:
        return CallSequence(len(self._calls), self._fetch)

    def _fetch(self, number: int) -> DdiCall:
        call = self._calls[number]
        return DdiCall(call.entry, deepcopy(call.args), dict(call.data), call.result, deepcopy(call.out), call.source)

    def call_index(self) -> CallIndex:
        names = {name: number for number, name in enumerate(dict.fromkeys(call.entry for call in self._calls), 1)}
        return CallIndex(
            {number: name for name, number in names.items()},
            np.array([names[call.entry] for call in self._calls], np.uint16),
            np.array([record_count(call) for call in self._calls], np.uint32),
            np.array([call.source for call in self._calls], np.int64),
        )

    def source(self, number: int) -> Any:
        raise IndexError(f"source call {number} of 0")

    def source_columns(self) -> Iterator[Calls]:
        """None are kept."""
        return iter(())

    @property
    def pointers(self) -> np.ndarray:
        return pointer_rows(self._pointers)

    def close(self) -> None:
        """Nothing is open."""
