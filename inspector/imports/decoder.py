"""apitrace's events as columns of calls, chunk by chunk: the results of `events`, with the names from its definitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import TraceError
from core.runtime.calls.columns import CALL, ENDLESS, MOST_ARGUMENTS, Calls, Names, Signature, new_known, uint_at
from core.runtime.calls.values import BITMASK, ENUM, FRAME, FUNCTION, IDS, NAME_SPACES, PADDING, SINT, STRUCT
from inspector.imports import events
from inspector.imports.events import scan

CHUNK = 1 << 16  # calls decoded at a time
MOST_PROPERTIES = 4096  # apitrace writes four
MOST_WORDS = 1 << 22  # bytes of all definitions of a trace, which stay in memory; those of Direct3D 8 have 30,000
WORDY = f"the names in it have more than {MOST_WORDS:,} bytes"
DEFINITIONS = NAME_SPACES * IDS  # definitions in one chunk: each stands once


def _text_at(data: memoryview, p: int) -> tuple[str, int]:
    n = data[p]
    if n < 128:
        p += 1
    else:
        n, p = uint_at(data, p)
        if n > MOST_WORDS:
            raise TraceError(WORDY)
    return str(data[p : p + n], "latin1"), p + n


def _signature(data: memoryview, p: int, end: int) -> tuple[Signature, int]:
    name, p = _text_at(data, p)
    count, p = uint_at(data, p)
    arguments = []
    for _ in range(count):
        if p > end:
            raise TraceError(WORDY)
        word, p = _text_at(data, p)
        arguments.append(word)
    return Signature(name, tuple(arguments)), p


def _words(data: memoryview, p: int, end: int, kind: int) -> tuple[list[tuple[str, int]], int]:
    count, p = uint_at(data, p)
    words, is_enum = [], kind == ENUM
    for _ in range(count):
        if p > end:
            raise TraceError(WORDY)
        if (n := data[p]) < 128:
            name, p = str(data[p + 1 : p + 1 + n], "latin1"), p + 1 + n
        else:
            name, p = _text_at(data, p)
        sign = data[p]
        if is_enum:
            p += 1
        if (value := data[p]) < 128:
            p += 1
        else:
            value, p = uint_at(data, p)
        words.append((name, -value if is_enum and sign == SINT else value))
    return words, p


def learn(names: Names, data: memoryview, definitions: Sequence[Sequence[int]], most: int = MOST_WORDS) -> int:
    """Reads the words at the offsets of (name space, id, offset) rows; returns their bytes.  TraceError: more than `most`."""
    took = 0
    for kind, number, offset in definitions:
        end = offset + most - took
        if kind in (FUNCTION, STRUCT):
            table = names.functions if kind == FUNCTION else names.structs
            table[number], p = _signature(data, offset, end)
        elif kind in (ENUM, BITMASK):
            words, p = _words(data, offset, end, kind)
            if kind == ENUM:
                names.enums[number] = {value: name for name, value in reversed(words)}
            else:
                names.masks[number] = words
        else:
            continue
        took += p - offset
        if p > end:
            raise TraceError(WORDY)
    return took


class Decoder:
    """Turns event bytes into Calls, chunk by chunk, into one set of columns that is used again and again."""

    def __init__(self, calls: int = CHUNK) -> None:
        self.names = Names()
        self.first = 0
        self.pending = 0  # calls of the last chunk that lack their end
        self._known = new_known()
        self._words_left = MOST_WORDS
        self._calls = np.empty(calls, CALL)
        self._values = np.empty(calls * 6 + MOST_ARGUMENTS, np.uint64)
        self._tags = np.empty(len(self._values), np.uint8)
        self._words = np.empty(len(self._values), np.uint16)
        self._definitions = np.empty((DEFINITIONS, 3), np.int64)
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
        full = n == len(self._calls) or nv + MOST_ARGUMENTS > len(self._values)
        if pending and not last and (quiet or not full):
            for kind, number, _ in self._definitions[quiet_definitions:defined]:
                self._known[kind, number] = -1
            n, nv, offset, defined, pending = quiet, quiet_values, quiet_offset or begin, quiet_definitions, 0
        self.pending = pending
        definitions = self._definitions[:defined]
        if (definitions[:, 0] == FRAME).any():  # known[FRAME] says it; nothing looks for their words
            definitions = definitions[definitions[:, 0] != FRAME]
        self._words_left -= learn(self.names, data.data, definitions.tolist(), self._words_left)
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
        if version < 6:
            return version, properties, p
        _, p = uint_at(view, p)
        for _ in range(MOST_PROPERTIES):
            name, p = _text_at(view, p)
            if not name:
                return version, properties, p
            properties[name], p = _text_at(view, p)
        raise TraceError(f"it has {MOST_PROPERTIES:,} properties or more")
    except IndexError:
        raise TraceError("the file ends within the header of an API trace") from None
    except ValueError as endless:
        raise TraceError(str(endless)) from None
