"""The outcome of each API call: whether it made tokens, was redundant, or never reached the driver."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput, Cancelled
from core.runtime.rows.verdicts import VERDICTS
from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture

UNKNOWN = "unknown"
NAMES = (*VERDICTS, *[UNKNOWN] * (256 - len(VERDICTS)))
A_LOOK = 1024


@dataclass(frozen=True)
class CallVerdicts:
    """`first`: number of the first API call; `codes` uint8, one per call: NAMES[code] is its verdict."""

    first: int
    codes: np.ndarray

    def name(self, call: int) -> str:
        """One of "emitted", "redundant", "silent", "python", "recorded", "failed" and "unknown"."""
        return NAMES[int(self.codes[call - self.first])]

    def where(self, name: str) -> np.ndarray:
        """Numbers of the calls with a verdict."""
        return self.first + np.flatnonzero(self.codes == NAMES.index(name))

    def count(self) -> dict[str, int]:
        """Verdict -> how many calls."""
        return {name: n for code, n in enumerate(np.bincount(self.codes, minlength=256)) if n for name in [NAMES[code]]}


@dataclass(frozen=True)
class Verdicts:
    """The verdict of each API call from `first` to before `last` (None: to the end)."""

    first: int = 0
    last: int | None = None

    def run(self, capture: Capture, cancel: Cancel | None = None) -> CallVerdicts:
        """Raises Cancelled, and BadInput for calls that do not exist."""
        count = capture.tape.source_count
        last = count if self.last is None else self.last
        if not 0 <= self.first <= last <= count:
            raise BadInput(f"{capture.title}: API calls {self.first}..{last} of {count}")
        codes = np.zeros(last - self.first, np.uint8)
        for n in range(len(codes)):
            if cancel and n % A_LOOK == 0 and cancel():
                raise Cancelled("question cancelled")
            codes[n] = capture.tape.verdict(self.first + n)
        return CallVerdicts(self.first, codes)


@dataclass(frozen=True)
class VerdictsByFunction:
    """How often each function of the API was called, and what became of its calls."""

    def run(self, capture: Capture, cancel: Cancel | None = None) -> dict[str, Counter[str]]:
        """Function -> verdict -> calls, the most frequent function first. Raises Cancelled."""
        verdicts = Verdicts().run(capture, cancel)
        found: dict[str, Counter[str]] = {}
        for n in range(len(verdicts.codes)):
            if cancel and n % A_LOOK == 0 and cancel():
                raise Cancelled("question cancelled")
            found.setdefault(capture.tape.source(n).name, Counter())[verdicts.name(n)] += 1
        return dict(sorted(found.items(), key=lambda item: -item[1].total()))
