"""A driver call as a value: one `DdiCall` per driver entry.

Arguments are JSON-able (numbers, strings, tuples or lists of numbers); bulk data travels beside them as bytes-like blobs.
A recorder is a `Driver` that wraps a `Driver`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from core.spec.enums import HResult


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


OFFSETS = ("error_offset", "resumed")
"""Results of DrawPrimitives2 that are offsets into its command buffer."""


class Outcome(NamedTuple):
    """What a tape says that its driver made of a DrawPrimitives2.

    `result`; `error_offset` of a call that failed: the first command that was not executed, None for one that succeeded (or
    does not say); `resumed`: unknown commands and where D3dParseUnknownCommand resumed, offset -> offset.  Of a query of
    residency, `status`: a DXGI_DDI_RESIDENCY for each resource.
    """

    result: int = 0
    error_offset: int | None = None
    resumed: dict[int, int] = {}  # noqa: RUF012 - never changed
    status: tuple[int, ...] = ()

    @classmethod
    def of(cls, call: DdiCall) -> Outcome:
        """Of a call as it was read from a tape; what makes no sense is left out."""
        offset, given = call.out.get("error_offset"), call.out.get("resumed")
        failed = call.result >> 31 & 1 and call.result != HResult.DDERR_WASSTILLDRAWING
        places = [n for n in given if isinstance(n, int)] if isinstance(given, tuple | list) else []
        resumed = dict(zip(places[::2], places[1::2], strict=False))
        status = call.out.get("status")
        answers = tuple(n for n in status if isinstance(n, int)) if isinstance(status, tuple | list) else ()
        return cls(call.result, offset if failed and isinstance(offset, int) else None, resumed, answers)


def answered(call: DdiCall) -> int:
    """The HRESULT of a call, unsigned: `recorded` of one that had no effect where it was recorded, before it runs, too."""
    given = call.args.get("recorded", call.result)
    return (given if isinstance(given, int) else call.result) & 0xFFFFFFFF


class Driver(Protocol):
    """Whoever answers driver entries: the emulated driver, or a recorder in front of it."""

    def call(self, call: DdiCall) -> DdiCall:
        """Carries the call out, fills `result` and `out`, returns the same object.

        What `data` holds may be memory that the caller uses again: who keeps it copies it.
        """
        ...
