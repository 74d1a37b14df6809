"""What crosses the driver seam is a value: one `DdiCall` per driver entry.

Arguments are JSON-able (numbers, strings, tuples or lists of numbers); bulk data travels beside them as bytes-like blobs.
A recorder is a `Driver` that wraps a `Driver`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(slots=True)
class DdiCall:
    """One call of a driver entry point.

    `entry` names a row of core.spec.calls.  The driver fills `result` (a HRESULT, unsigned) and `out`.
    `source` is the number of the API call that caused it, -1 when unknown.
    """

    entry: str
    args: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    result: int = 0
    out: dict[str, Any] = field(default_factory=dict)
    source: int = -1


class Driver(Protocol):
    """Whoever answers driver entries: the emulated driver, or a recorder in front of it."""

    def call(self, call: DdiCall) -> DdiCall:
        """Carries the call out, fills `result` and `out`, returns the same object.

        What `data` holds may be memory that the caller uses again: who keeps it copies it.
        """
        ...
