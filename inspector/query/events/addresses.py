"""Objects behind the addresses in an API call: the driver's surfaces and buffers, and other addresses of the same object.

One object of DirectDraw has an address for each interface version; QueryInterface and its kin introduce them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from inspector.progress import Cancel

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class Named:
    """The driver's handle behind an address, and the object's other addresses at that time."""

    handle: int
    others: tuple[int, ...]

    def __str__(self) -> str:
        also = f", also {', '.join(f'{one:#x}' for one in self.others)}" if self.others else ""
        return f"#{self.handle}{also}"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Argument -> Named, of the arguments of API call `number` that are addresses of surfaces or buffers.

    What a call makes counts as known to it.  Empty for a number that the capture does not have.
    """

    number: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> dict[str, Named]:
        """The answer."""
        if not 0 <= self.number < capture.tape.source_count:
            return {}
        rows = capture.tape.pointers
        alive = rows[(rows["source"] <= self.number) & (rows["until"] > self.number)]
        found = {}
        for name, value in capture.tape.source(self.number).args:
            address = _address(value)
            own = alive[alive["pointer"] == np.uint64(address & 0xFFFFFFFFFFFFFFFF)] if address else alive[:0]
            if len(own):
                handle = int(own[-1]["handle"])
                same = alive["pointer"][alive["handle"] == handle].tolist()
                found[name] = Named(handle, tuple(dict.fromkeys(one for one in same if one != address)))
        return found


def _address(value: Any) -> int:
    """An argument as an address, or what stands there; 0: it is none."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, int) and value > 0xFFFF else 0
