"""From a chunk of trace columns to the columns that a tape keeps.

The values of a chunk point into the trace's bytes, which hold definitions at first uses and every blob in full.  Here
each value that is not a plain number is copied to a heap of the tape's own: definitions left out, blobs larger than
`sources.INLINE_BLOB` replaced by references.  The vertices and indices of Draw...PrimitiveUP calls are not kept a second
time: they are in the DrawPrimitives2 call made from it (reference 0).
"""

from __future__ import annotations  # noqa: I001 - a dense list of constants

from collections.abc import Callable
from typing import Any

import numpy as np

from core.kernels.jit import allocating, array, i8, kernel, outlined, void
from core.runtime.calls.columns import CALL, DEFINES, Calls
from core.runtime.rows.layout import EMITTED
from core.runtime.calls.values import (
    ABSENT, ARRAY, BLOB, DOUBLE, ENUMV, FLOAT, FUNCTION, IDS, MASKV, OMITTED, OPAQUE, REPR, SINT, STRING, STRUCT, STRUCTV, TRUE,
    UINT, WSTRING, past_text, past_words, read_uint, space_of,
)  # fmt: skip
from inspector.tape.packing import BlobRef
from inspector.tape.sources import INLINE_BLOB, Room

_REFERENCE = 19  # bytes of a blob reference at most: tag, size, id


@allocating
def _copy(data, begin, stop, heap, at):
    """Appends data[begin:stop] to the heap; returns where the next bytes go."""
    into, given = heap[at : at + stop - begin], data[begin:stop]
    for j in range(len(given)):  # the compiler makes a memcpy of it; numba's slice assignment looks for overlaps
        into[j] = given[j]
    return at + stop - begin


@outlined
def _copy_value(data, p, end, call, known, definitions, defined, heap, at, large, found):
    """Appends the value at p to the heap without definitions; returns (heap offset after it, number of large blobs)."""
    todo = np.int64(1)
    mark = p
    while todo > 0 and p < end:
        here = p
        tag = data[p]
        p += 1
        todo -= 1
        if tag == FLOAT:
            p += 4
        elif tag <= TRUE:
            pass
        elif tag in (UINT, OPAQUE, SINT):
            v, p = read_uint(data, p)
        elif tag == ARRAY:
            v, p = read_uint(data, p)
            todo += np.int64(v)
        elif tag in (BLOB, STRING):
            p = past_text(data, p, end)
            size, start = read_uint(data, here + 1)
            if tag == BLOB and size > np.uint64(INLINE_BLOB) and found < len(large):
                at = _copy(data, mark, here, heap, at)
                large[found, 1] = start
                large[found, 2] = np.int64(size)
                large[found, 3] = call
                found += 1
                heap[at] = OMITTED
                at = _copy(data, here + 1, start, heap, at + 1)
                large[found - 1, 0] = at
                for _ in range(8):
                    heap[at] = 0
                    at += 1
                mark = p
        elif tag in (ENUMV, MASKV, STRUCTV):
            v, p = read_uint(data, p)
            number = np.int64(v)
            q = past_words(data, p, end, space_of(tag), number, definitions, defined)
            if q != p:
                at = _copy(data, mark, p, heap, at)
                p = q
                mark = p
            if tag == STRUCTV:
                todo += np.int64(known[STRUCT, number])
            else:
                v, p = read_uint(data, p + 1 if tag == ENUMV else p)
        elif tag == DOUBLE:
            p += 8
        elif tag == REPR:
            todo += 2
        elif tag == WSTRING:
            v, p = read_uint(data, p)
            for _ in range(np.int64(v)):
                _, p = read_uint(data, p)
    return _copy(data, mark, p, heap, at), found


_CONDENSE = void(
    array("u1"), i8, array(CALL), array("u8"), array("u1"), array("u2"), array("i4", 2), array("i8", 2), array("u1"),
    array("u2"), array("u1"), array("u1"), array("u1"), array("i8"), array("u1"), array("u2"), array("u8"), array("u1"),
    array("i8", 2), array("i8"),
)  # fmt: skip


@kernel(_CONDENSE)
def _condense(
    data, end, calls, values, tags, words, known, definitions, verdicts,
    signature, thread, flags, verdict, result, kept_tags, kept_words, out, heap, large, sizes,
):  # fmt: skip
    """Fills the columns of a tape (nested values as heap offsets) and `large` (heap and data offset, size, call)."""
    at, found = np.int64(0), np.int64(0)
    for k in range(len(calls)):
        call = calls[k]
        signature[k], thread[k], verdict[k], result[k] = call["signature"], call["thread"], verdicts[k], call["result"]
        flags[k] = call["flags"] & (255 - DEFINES)
        first = np.int64(call["args"])
        defined = np.int64(len(definitions) if call["flags"] & DEFINES else 0)
        for a in range(first, first + known[FUNCTION, np.int64(call["signature"])]):
            tag = tags[a]
            out[a], kept_tags[a], kept_words[a] = values[a], tag, words[a]
            nested = tag in (STRING, BLOB, DOUBLE) or (tag >= ARRAY and tag != OPAQUE and tag != ABSENT)
            if nested:
                out[a] = np.uint64(at)
                at, found = _copy_value(data, np.int64(values[a]), end, k, known, definitions, defined, heap, at, large, found)
    sizes[0] = at
    sizes[1] = found


class Condenser:
    """Packs decoded chunks as columns of a tape, in memory that is used again; `keep` stores a large blob."""

    def __init__(self, keep: Callable[[Any], BlobRef]) -> None:
        self._keep = keep
        self._room = Room()
        self._large = np.zeros((0, 4), np.int64)
        self._draws = np.zeros(IDS, np.bool_)  # the functions whose vertices a DrawPrimitives2 holds
        self._seen = 0  # functions

    def __call__(self, calls: Calls, end: int, verdicts: np.ndarray) -> np.ndarray:
        """The columns of `calls`, whose bytes end at `end` and of which became `verdicts`, as SourceColumns.pack has them
        (uint8); valid until the next."""
        columns = self._room.columns(len(calls), len(calls.values), end + _REFERENCE)
        if len(self._large) <= end // INLINE_BLOB:
            self._large = np.empty((2 * end // INLINE_BLOB + 1, 4), np.int64)
        sizes = np.zeros(2, np.int64)
        _condense(
            calls.data, end, calls.calls, calls.values, calls.tags, calls.words, calls.known, calls.definitions, verdicts,
            *columns, self._large, sizes,
        )  # fmt: skip
        size, found = (int(n) for n in sizes)
        data, heap = calls.data.data, columns.heap.data
        for at, start, length, _ in self._apart(calls, verdicts, self._large[:found]).tolist():
            heap[at : at + 8] = self._keep(data[start : start + length]).id.to_bytes(8, "little")
        return self._room.taken(size)

    def _apart(self, calls: Calls, verdicts: np.ndarray, large: np.ndarray) -> np.ndarray:
        """The rows of `large` that are to be kept, less those that a DrawPrimitives2 holds."""
        functions = calls.names.functions
        if len(functions) != self._seen:
            self._draws[[number for number, signature in functions.items() if signature.name.endswith("PrimitiveUP")]] = True
            self._seen = len(functions)
        call = large[:, 3]
        return large[(verdicts[call] != EMITTED) | ~self._draws[calls.calls["signature"][call]]]
