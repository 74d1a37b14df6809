"""API calls as columns: the only way into the runtime.

A chunk of a trace and a scripted call look alike here: one CALL record a call, one tagged 64-bit value an argument, and the
bytes of nested values (apitrace's encoding).  So everything that can be said about a call is said once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from core.errors import TraceError
from core.runtime.calls import events
from core.runtime.calls.events import CALL, DEFINES, FAKE, scan
from core.runtime.calls.values import BITMASK, ENUM, FRAME, FUNCTION, IDS, LONGEST, NAME_SPACES, PADDING, SINT, STRUCT

__all__ = ["CALL", "DEFINES", "FAKE", "Calls", "Decoder", "Names", "Signature", "header"]

CHUNK = 1 << 16  # calls decoded at a time
DEFINITIONS = NAME_SPACES * IDS  # definitions in one chunk: each stands once
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

    def learn(self, data: memoryview, definitions: Sequence[Sequence[int]]) -> None:
        """Reads the words that stand at the offsets of (name space, id, offset) rows."""
        for kind, number, offset in definitions:
            if kind in (FUNCTION, STRUCT):
                table = self.functions if kind == FUNCTION else self.structs
                table[number] = _signature(data, offset)
            elif kind in (ENUM, BITMASK):
                words = _words(data, offset, kind)
                if kind == ENUM:
                    self.enums[number] = {value: name for name, value in reversed(words)}
                else:
                    self.masks[number] = words

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
    value = 0
    for i in range(LONGEST):
        byte = data[p + i]
        value |= (byte & 127) << 7 * i
        if byte < 128:
            return value & 0xFFFFFFFFFFFFFFFF, p + i + 1
    raise ValueError(f"{ENDLESS} at byte {p}")


def _text_at(data: memoryview, p: int) -> tuple[str, int]:
    n, p = uint_at(data, p)
    return str(data[p : p + n], "latin1"), p + n


def _signature(data: memoryview, p: int) -> Signature:
    name, p = _text_at(data, p)
    count, p = uint_at(data, p)
    arguments = []
    for _ in range(count):
        word, p = _text_at(data, p)
        arguments.append(word)
    return Signature(name, tuple(arguments))


def _words(data: memoryview, p: int, kind: int) -> list[tuple[str, int]]:
    count, p = uint_at(data, p)
    words = []
    for _ in range(count):
        name, p = _text_at(data, p)
        sign = data[p]
        value, p = uint_at(data, p + 1 if kind == ENUM else p)
        words.append((name, -value if kind == ENUM and sign == SINT else value))
    return words


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


class Decoder:
    """Turns event bytes into Calls, chunk by chunk, into one set of columns that is used again and again."""

    def __init__(self, calls: int = CHUNK) -> None:
        self.names = Names()
        self.first = 0
        self.pending = 0  # calls of the last chunk that lack their end
        self._known = new_known()
        self._calls = np.zeros(calls, CALL)
        self._values = np.zeros(calls * 6 + events.MOST_ARGUMENTS, np.uint64)
        self._tags = np.zeros(len(self._values), np.uint8)
        self._words = np.zeros(len(self._values), np.uint16)
        self._definitions = np.zeros((DEFINITIONS, 3), np.int64)
        self._counts = np.zeros(events.COUNTS, np.int64)

    def decode(self, data: np.ndarray, begin: int, end: int, last: bool) -> tuple[Calls, int]:
        """Reads events from data[begin:end] (uint8, with PADDING bytes behind `end`).

        Returns (the calls, the offset of what was not read).  Unless `last`, stops where no call lacks its end, as far as
        there is such a place.  TraceError when an event makes no sense.
        """
        assert end + PADDING <= len(data)
        counts = self._counts
        counts[:] = 0
        offset = scan(
            data, begin, end, self.first, self._calls, self._values, self._tags, self._words, self._known,
            self._definitions, counts,
        )  # fmt: skip
        if offset < 0:
            what = ENDLESS if counts[events.ENDLESS] else "no event of an API trace"
            raise TraceError(f"call {self.first + int(counts[events.QUIET_CALLS])}: {what} at byte {-1 - offset}")
        n, nv, pending, quiet, quiet_values, quiet_offset, quiet_definitions, defined = (int(v) for v in counts[:8])
        full = n == len(self._calls) or nv + events.MOST_ARGUMENTS > len(self._values)
        if pending and not last and (quiet or not full):
            for kind, number, _ in self._definitions[quiet_definitions:defined]:
                self._known[kind, number] = -1
            n, nv, offset, defined, pending = quiet, quiet_values, quiet_offset or begin, quiet_definitions, 0
        self.pending = pending
        definitions = self._definitions[:defined]
        if (definitions[:, 0] == FRAME).any():  # known[FRAME] says it; nothing looks for their words
            definitions = definitions[definitions[:, 0] != FRAME]
        self.names.learn(data.data, definitions.tolist())
        calls = Calls(
            self.first, self._calls[:n], self._values[:nv], self._tags[:nv], self._words[:nv], data, self._known, definitions,
            self.names,
        )  # fmt: skip
        self.first += n
        return calls, int(offset)


def header(data: bytes | memoryview) -> tuple[int, dict[str, str], int]:
    """(version, properties, offset of the first event) of a trace's unpacked bytes; TraceError when they are none."""
    view = memoryview(data)
    try:
        version, p = uint_at(view, 0)
        if not 4 <= version <= 6:
            raise TraceError(f"apitrace version {version} is not supported (4 to 6 are)")
        properties: dict[str, str] = {}
        if version >= 6:
            _, p = uint_at(view, p)
            while True:
                name, p = _text_at(view, p)
                if not name:
                    break
                properties[name], p = _text_at(view, p)
        return version, properties, p
    except IndexError:
        raise TraceError("the file ends within the header of an API trace") from None
    except ValueError as endless:
        raise TraceError(str(endless)) from None
