"""API calls as columns: the only way into the runtime.

A chunk of a trace and a scripted call look alike here: one CALL record a call, one tagged 64-bit value an argument, and the
bytes of nested values (apitrace's encoding).  So everything that can be said about a call is said once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from core.runtime.calls.values import IDS, LONGEST, NAME_SPACES

CALL = np.dtype([("signature", "u2"), ("thread", "u1"), ("flags", "u1"), ("args", "u4"), ("result", "i8")], align=True)
MOST_ARGUMENTS = 64
FAKE, DEFINES = 1, 128  # bits of `flags`: a call the tracer made up; a definition stands inside of its values
ENDLESS = f"a number of more than {LONGEST} bytes"


class Signature(NamedTuple):
    """A function: its name as the trace spells it (`IDirect3DDevice8::SetTexture`), its argument names."""

    name: str
    arguments: tuple[str, ...]


@dataclass(slots=True)
class Names:
    """The words of a trace, by id: functions, structures, enumerations, bit masks.  Grows while the trace is read."""

    functions: dict[int, Signature] = field(default_factory=dict)
    structs: dict[int, Signature] = field(default_factory=dict)
    enums: dict[int, dict[int, str]] = field(default_factory=dict)
    masks: dict[int, list[tuple[str, int]]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain lists and dicts; the inverse of from_json."""
        return {
            "functions": {str(i): [s.name, *s.arguments] for i, s in self.functions.items()},
            "structs": {str(i): [s.name, *s.arguments] for i, s in self.structs.items()},
            "enums": {str(i): [[name, value] for value, name in e.items()] for i, e in self.enums.items()},
            "masks": {str(i): [list(pair) for pair in m] for i, m in self.masks.items()},
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Names:
        """Names from what to_json gave."""
        return cls(
            {int(i): Signature(w[0], tuple(w[1:])) for i, w in plain["functions"].items()},
            {int(i): Signature(w[0], tuple(w[1:])) for i, w in plain["structs"].items()},
            {int(i): {value: name for name, value in e} for i, e in plain["enums"].items()},
            {int(i): [(name, value) for name, value in m] for i, m in plain["masks"].items()},
        )


def uint_at(data: memoryview, p: int) -> tuple[int, int]:
    """(LEB128 number at p, the offset after it); 64 bits, excess bits are dropped.  ValueError if it does not end."""
    value = data[p]
    if value < 128:
        return value, p + 1
    byte = data[p + 1]
    value = value & 127 | (byte & 127) << 7
    if byte < 128:
        return value, p + 2
    for i in range(2, LONGEST):
        byte = data[p + i]
        value |= (byte & 127) << 7 * i
        if byte < 128:
            return value & 0xFFFFFFFFFFFFFFFF, p + i + 1
    raise ValueError(f"{ENDLESS} at byte {p}")


@dataclass(slots=True)
class Calls:
    """Calls `first` .. `first + len(calls) - 1` of a trace or script.

    calls: CALL[n]; values, tags, words (id of the enumeration or mask): one per argument slot from calls[k].args on; data:
    uint8 with PADDING bytes behind the end, valid until the next chunk is decoded; known: int32[5, IDS] member counts (-1:
    not met); definitions: int64[m, 3] rows (name space, id, offset) that stand inside of these calls.
    """

    first: int
    calls: np.ndarray
    values: np.ndarray
    tags: np.ndarray
    words: np.ndarray
    data: np.ndarray
    known: np.ndarray
    definitions: np.ndarray
    names: Names

    def __len__(self) -> int:
        return len(self.calls)

    def signature(self, i: int) -> Signature:
        """The function of the i-th call here."""
        return self.names.functions[int(self.calls["signature"][i])]


def new_known() -> np.ndarray:
    """Member counts of nothing met yet."""
    return np.full((NAME_SPACES, IDS), -1, np.int32)
