"""What crosses the driver seam is a value: one `DdiCall` per driver entry.

Arguments are JSON-able (numbers, strings, tuples or lists of numbers); bulk data travels beside them as bytes-like blobs.
A recorder is a `Driver` that wraps a `Driver`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

DD_OK = 0
S_FALSE = 1
E_FAIL = 0x80004005
E_OUTOFMEMORY = 0x8007000E
E_NOTIMPL = 0x80004001
DDERR_INVALIDPARAMS = 0x80070057
DDERR_GENERIC = 0x80004005
DDERR_OUTOFVIDEOMEMORY = 0x8876017C
DDERR_INVALIDOBJECT = 0x88760082
DDERR_INVALIDRECT = 0x88760096
DDERR_INVALIDPIXELFORMAT = 0x88760091
DDERR_SURFACEBUSY = 0x887601AE
DDERR_NOTLOCKED = 0x88760248
DDERR_UNSUPPORTED = 0x80004001
DDERR_WASSTILLDRAWING = 0x8876021C
D3DERR_COMMAND_UNPARSED = 0x88760BB8
DDHAL_DRIVER_HANDLED = 1


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
        """Carries the call out, fills `result` and `out`, returns the same object."""
        ...
