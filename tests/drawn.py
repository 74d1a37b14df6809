"""Captures as their scripts decide them, and whether two are the same on any processor.

The libraries behind numpy add the terms of a matrix product in an order that depends on the processor: what is 0 by the
formulas comes out as 1e-17 on one and as 0 on another.  Nothing that is drawn depends on it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from inspector.tape import Tape

NOISE = 1e-12
SMALLEST = 1e-34
"""Counts, indices and most flags are smaller than this as floats, colours much larger than NOISE."""


def contents(path: Path) -> list[tuple]:
    """Everything that a script decides, call by call."""
    with Tape(path) as tape:
        return [
            (call.entry, call.result, repr(call.args), repr(call.out), {name: bytes(data) for name, data in call.data.items()})
            for call in tape.calls
        ]


def first_difference(made: list[tuple], shipped: list[tuple]) -> int | None:
    """The first call that differs by more than floats that are 0 but for rounding."""
    for number, (new, old) in enumerate(zip(made, shipped, strict=True)):
        same = new[:4] == old[:4] and new[4].keys() == old[4].keys()
        if not same or not all(same_bytes(new[4][name], old[4][name]) for name in new[4]):
            return number
    return None


def same_bytes(one: bytes, other: bytes) -> bool:
    whole = len(one) // 4 * 4
    if one == other or len(one) != len(other) or one[whole:] != other[whole:]:
        return one == other
    words = np.stack([np.frombuffer(data[:whole], "<u4") for data in (one, other)])
    floats = np.abs(words[:, words[0] != words[1]].view("<f4"))
    return bool(((floats == 0) | ((floats > SMALLEST) & (floats < NOISE))).all())
