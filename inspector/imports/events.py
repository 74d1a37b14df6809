"""apitrace's event bytes to columns, in one flat loop.

Nested values are read with a counter instead of recursion: an array adds its length to the number of values still to read, a
structure its member count.  Definitions are stepped over and noted as (name space, id, offset); Python reads their words later.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined, stage
from core.matrices import dword_at
from core.runtime.calls.columns import CALL, DEFINES, MOST_ARGUMENTS
from core.runtime.calls.values import (
    ABSENT,
    ARGUMENT,
    ARRAY,
    BACKTRACE,
    BLOB,
    BROKEN,
    DOUBLE,
    END,
    ENTER,
    ENUMV,
    FLAGS,
    FLOAT,
    FRAME,
    FUNCTION,
    IDS,
    LEAVE,
    MASKV,
    MOST_VALUES,
    OPAQUE,
    OVERLONG,
    REPR,
    RESULT,
    SINT,
    STRING,
    STRUCT,
    STRUCTV,
    THREAD,
    TRUE,
    UINT,
    WSTRING,
    checked_uint,
    past_definition,
    past_text,
    space_of,
)  # fmt: skip

(CALLS, VALUES, PENDING, QUIET_CALLS, QUIET_VALUES, QUIET_OFFSET, QUIET_DEFINITIONS, DEFINITIONS, THREAD_ID, RESULT_BITS,
 FLAG_BITS, ENDLESS) = range(12)  # counts; three are of the current call; the last: a number did not end  # fmt: skip
COUNTS = 12


class Columns(NamedTuple):
    """Of the calls being read."""

    calls: np.ndarray
    values: np.ndarray
    tags: np.ndarray
    words: np.ndarray


@stage
def _note(kind, number, p, definitions, counts):
    """Remembers that the words of a first use are at p."""
    n = counts[DEFINITIONS]
    if n < len(definitions):
        definitions[n, 0] = kind
        definitions[n, 1] = number
        definitions[n, 2] = p
    counts[DEFINITIONS] = n + 1


@outlined
def _define(data, p, end, kind, number, known, definitions, counts):
    """Steps over the words of a first use at p and remembers where they are."""
    _note(kind, number, p, definitions, counts)
    members, p = past_definition(data, p, end, kind)
    known[kind, number] = np.int32(members)
    return p


@outlined
def _undo_definitions(known, definitions, first, counts):
    """Forgets the definitions of an event that is cut off."""
    for j in range(first, min(counts[DEFINITIONS], len(definitions))):
        known[definitions[j, 0], definitions[j, 1]] = -1
    counts[DEFINITIONS] = first


@outlined
def _skip(data, p, end, todo, known, definitions, counts):
    """Steps over `todo` values; end + BROKEN for an invalid value, or more than MOST_VALUES within it."""
    more = np.int64(0)
    while todo > 0 and p < end:
        tag = data[p]
        p += 1
        todo -= 1
        if tag == FLOAT:
            p += 4
        elif tag <= TRUE:
            pass
        elif tag in (UINT, OPAQUE, SINT):
            v, p = checked_uint(data, p, end)
        elif tag == ARRAY:
            v, p = checked_uint(data, p, end)
            if v > np.uint64(MOST_VALUES):
                return max(p, end + BROKEN)
            more += np.int64(v)
            todo += np.int64(v)
        elif tag in (BLOB, STRING):
            p = past_text(data, p, end)
        elif tag in (ENUMV, MASKV, STRUCTV):
            v, p = checked_uint(data, p, end)
            if v >= np.uint64(IDS):
                return max(p, end + BROKEN)
            number = np.int64(v)
            kind = space_of(tag)
            if known[kind, number] < 0:
                p = _define(data, p, end, kind, number, known, definitions, counts)
            if p > end:
                return p
            if tag == STRUCTV:
                more += np.int64(known[STRUCT, number])
                todo += np.int64(known[STRUCT, number])
            else:
                v, p = checked_uint(data, p + 1 if tag == ENUMV else p, end)
        elif tag == DOUBLE:
            p += 8
        elif tag == REPR:
            todo += 2
        elif tag == WSTRING:
            v, p = checked_uint(data, p, end)
            if v > np.uint64(MOST_VALUES):
                return max(p, end + BROKEN)
            while v > np.uint64(0) and p <= end:
                _w, p = checked_uint(data, p, end)
                v -= np.uint64(1)
        else:
            return end + BROKEN
        if more > MOST_VALUES:
            return max(p, end + BROKEN)
    return p


@outlined
def _backtrace(data, p, end, known, definitions, counts):
    """Steps over the frames of a backtrace; their first uses are also definitions: an event that is cut off is read again."""
    count, p = checked_uint(data, p, end)
    while count > np.uint64(0) and p < end:
        count -= np.uint64(1)
        number, p = checked_uint(data, p, end)
        if number >= np.uint64(IDS):
            return max(p, end + BROKEN)
        if known[FRAME, np.int64(number)] >= 0:
            continue
        _note(FRAME, np.int64(number), p, definitions, counts)
        known[FRAME, np.int64(number)] = 0
        while p < end:
            detail = data[p]
            p += 1
            if detail == 0:
                break
            if detail <= 3:
                p = past_text(data, p, end)
            else:
                _v, p = checked_uint(data, p, end)
    return p


@stage
def _broken(p, end):
    """For invalid data, unless it is after the end, where nothing is valid."""
    return end + BROKEN if p <= end else p


@stage
def _enter(data, p, end, n, nv, columns, known, definitions, counts):
    """The beginning of call n, with room for its arguments: (its function, what follows)."""
    thread, p = checked_uint(data, p, end)
    if p > end:
        return np.int64(0), p
    number, p = checked_uint(data, p, end)
    if number >= np.uint64(IDS):
        return np.int64(0), _broken(p, end)
    s = np.int64(number)
    if known[FUNCTION, s] < 0:
        p = _define(data, p, end, FUNCTION, s, known, definitions, counts)
        if p <= end and known[FUNCTION, s] > MOST_ARGUMENTS:
            return s, _broken(p, end)
    if p > end or n >= len(columns.calls) or nv + known[FUNCTION, s] > len(columns.values):
        return s, max(p, end + 1)
    for slot in range(nv, nv + known[FUNCTION, s]):
        columns.tags[slot] = ABSENT
        columns.values[slot] = 0
        columns.words[slot] = 0
    counts[THREAD_ID], counts[RESULT_BITS], counts[FLAG_BITS] = np.int64(thread), 0, 0
    return s, p


@stage
def _leave(data, p, end, n, first):
    """Ends a call: (its index; negative: it was handed over without its end, what follows)."""
    number, p = checked_uint(data, p, end)
    k = np.int64(number) - first
    return k, _broken(p, end) if k >= n else p


@stage
def _word(data, p, end, tag, known, definitions, counts):
    """An enumeration or mask: (its number, its id, what follows)."""
    w, p = checked_uint(data, p, end)
    if w >= np.uint64(IDS):
        return np.uint64(0), np.uint16(0), _broken(p, end)
    kind = space_of(tag)
    if known[kind, np.int64(w)] < 0:
        p = _define(data, p, end, kind, np.int64(w), known, definitions, counts)
        if p > end:
            return np.uint64(0), np.uint16(0), p
    sign = np.uint8(UINT)
    if tag == ENUMV:
        sign = data[p]
        p += 1
    v, p = checked_uint(data, p, end)
    return np.uint64(0) - v if sign == SINT else v, np.uint16(w), p


@stage
def _value(data, p, end, known, definitions, counts):
    """The value at p as the columns have it: (number or offset, id of its enumeration or mask, what follows)."""
    at, tag, word = p, data[p], np.uint16(0)
    p += 1
    if tag in (UINT, OPAQUE):
        v, p = checked_uint(data, p, end)
    elif tag in (ENUMV, MASKV):
        v, word, p = _word(data, p, end, tag, known, definitions, counts)
    elif tag <= TRUE:
        v = np.uint64(1) if tag == TRUE else np.uint64(0)
    elif tag == SINT:
        v, p = checked_uint(data, p, end)
        v = np.uint64(0) - v
    elif tag == FLOAT:
        v = np.uint64(dword_at(data, p))
        p += 4
    else:
        v = np.uint64(at)
        p = _skip(data, at, end, 1, known, definitions, counts)
    return v, word, p


@stage
def _argument(data, p, end, args, arguments, columns, known, definitions, counts):
    """One argument of a call whose slots begin at `args` (negative: it is read past); returns what follows."""
    w, p = checked_uint(data, p, end)
    if w >= np.uint64(arguments):
        return _broken(p, end)
    tag = data[p]
    v, word, p = _value(data, p, end, known, definitions, counts)
    if p <= end and args >= 0:
        slot = args + np.int64(w)
        columns.values[slot] = v
        columns.tags[slot] = tag
        columns.words[slot] = word
    return p


@stage
def _details(data, p, end, args, arguments, columns, known, definitions, counts):
    """What an event of such a call tells; returns what follows its end."""
    while p < end:
        detail = data[p]
        p += 1
        if detail == END:
            return p
        if detail == ARGUMENT:
            p = _argument(data, p, end, args, arguments, columns, known, definitions, counts)
        elif detail == RESULT:
            v, _word_id, p = _value(data, p, end, known, definitions, counts)
            counts[RESULT_BITS] = np.int64(v)
        elif detail == FLAGS:
            w, p = checked_uint(data, p, end)
            counts[FLAG_BITS] |= np.int64(w & np.uint64(127))
        elif detail == BACKTRACE:
            p = _backtrace(data, p, end, known, definitions, counts)
        elif detail == THREAD:
            w, p = checked_uint(data, p, end)
        else:
            return _broken(p, end)
    return max(p, end + 1)


_SCAN = i8(
    array("u1"), i8, i8, i8, array(CALL), array("u8"), array("u1"), array("u2"), array("i4", 2), array("i8", 2), array("i8")
)  # fmt: skip


@kernel(_SCAN)
def scan(data, p, end, first, calls, values, tags, words, known, definitions, counts):
    """Reads whole events from data[p:end]; `data` has PADDING bytes more.

    calls[k] is call number first + k.  values and tags hold its arguments from calls[k].args on: the number itself for
    scalars (a float32 as its bits), the offset of the tag byte for strings, blobs, arrays, structures and reprs; words the id
    of its enumeration or mask.  counts[QUIET_*] tell where the stream stood last with no call open.  Returns the offset of
    the first event not read, or -1 - offset of a malformed one.
    """
    columns = Columns(calls, values, tags, words)
    n, nv, pending = counts[CALLS], counts[VALUES], counts[PENDING]
    while p < end:
        start, start_definitions = p, counts[DEFINITIONS]
        event = data[p]
        p += 1
        if event > LEAVE:
            return -1 - start
        args, arguments = np.int64(-1), np.int64(MOST_ARGUMENTS)
        if event == ENTER:
            function, p = _enter(data, p, end, n, nv, columns, known, definitions, counts)
            k, args, arguments = n, nv, np.int64(known[FUNCTION, function])
        else:
            k, p = _leave(data, p, end, n, first)
            if k >= 0 and p <= end:
                call = calls[k]
                function, args = np.int64(call["signature"]), np.int64(call["args"])
                arguments = np.int64(known[FUNCTION, function])
                counts[THREAD_ID], counts[RESULT_BITS], counts[FLAG_BITS] = call["thread"], call["result"], call["flags"]
        if p <= end:
            p = _details(data, p, end, args, arguments, columns, known, definitions, counts)
        if p >= end + BROKEN or counts[DEFINITIONS] > len(definitions):
            counts[ENDLESS] = np.int64(p >= end + OVERLONG)
            return -1 - start
        if p > end:  # cut in the middle, or the columns are full: as if there were no such event
            _undo_definitions(known, definitions, start_definitions, counts)
            p = start
            break
        if k < 0:
            continue
        if counts[DEFINITIONS] != start_definitions:
            counts[FLAG_BITS] |= DEFINES
        call = calls[k]
        call["signature"], call["thread"], call["flags"] = function, counts[THREAD_ID], counts[FLAG_BITS]
        call["args"], call["result"] = args, counts[RESULT_BITS]
        if event == ENTER:
            n += 1
            nv += arguments
            pending += 1
        else:
            pending -= 1
        if pending == 0:
            counts[QUIET_CALLS], counts[QUIET_VALUES] = n, nv
            counts[QUIET_OFFSET], counts[QUIET_DEFINITIONS] = p, counts[DEFINITIONS]
    counts[CALLS], counts[VALUES], counts[PENDING] = n, nv, pending
    return p
