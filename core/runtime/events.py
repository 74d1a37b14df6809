"""apitrace event bytes -> columns, in one flat loop.

Nested values are read with a counter instead of recursion: an array adds its length to the number of values still to read, a
structure its member count.  Definitions are stepped over and noted as (name space, id, offset); Python reads their words later.
"""

from __future__ import annotations

import numpy as np

from core.jit import array, i8, kernel, outlined
from core.runtime.values import (
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
    MASKV,
    OPAQUE,
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
    past_definition,
    past_text,
    read_dword,
    read_uint,
    space_of,
)  # fmt: skip

CALL = np.dtype([("signature", "u2"), ("thread", "u1"), ("flags", "u1"), ("args", "u4"), ("result", "i8")], align=True)
MOST_ARGUMENTS = 64
FAKE, DEFINES = 1, 128  # bits of `flags`: a call the tracer made up; a definition stands inside of its values
CALLS, VALUES, PENDING, QUIET_CALLS, QUIET_VALUES, QUIET_OFFSET, QUIET_DEFINITIONS, DEFINITIONS = range(8)  # counts


@outlined
def _define(data, p, end, kind, number, known, definitions, counts):
    """Steps over the words of a first use at p and remembers where they are."""
    n = counts[DEFINITIONS]
    if n < len(definitions):
        definitions[n, 0] = kind
        definitions[n, 1] = number
        definitions[n, 2] = p
    counts[DEFINITIONS] = n + 1
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
    """Steps over `todo` values; end + BROKEN for a value that cannot be."""
    while todo > 0 and p < end:
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
            if v > np.uint64(1 << 24):
                return end + BROKEN
            todo += np.int64(v)
        elif tag in (BLOB, STRING):
            p = past_text(data, p, end)
        elif tag in (ENUMV, MASKV, STRUCTV):
            v, p = read_uint(data, p)
            if v >= np.uint64(IDS):
                return end + BROKEN
            number = np.int64(v)
            kind = space_of(tag)
            if known[kind, number] < 0:
                p = _define(data, p, end, kind, number, known, definitions, counts)
            if p > end:
                return p
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
            while v > np.uint64(0) and p <= end:
                _w, p = read_uint(data, p)
                v -= np.uint64(1)
        else:
            return end + BROKEN
    return p


@outlined
def _backtrace(data, p, end, known):
    """Steps over the frames of a backtrace."""
    count, p = read_uint(data, p)
    while count > np.uint64(0) and p < end:
        count -= np.uint64(1)
        number, p = read_uint(data, p)
        if number >= np.uint64(IDS):
            return end + BROKEN
        if known[FRAME, np.int64(number)] >= 0:
            continue
        known[FRAME, np.int64(number)] = 0
        while p < end:
            detail = data[p]
            p += 1
            if detail == 0:
                break
            if detail <= 3:
                p = past_text(data, p, end)
            else:
                _v, p = read_uint(data, p)
    return p


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
    n, nv, pending = counts[CALLS], counts[VALUES], counts[PENDING]
    while p < end:
        start, start_definitions = p, counts[DEFINITIONS]
        event = data[p]
        p += 1
        if event > 1:
            return -1 - start
        if event == ENTER:
            thread, p = read_uint(data, p)
            number, p = read_uint(data, p)
            if number >= np.uint64(IDS):
                return -1 - start if p <= end else start
            s = np.int64(number)
            if known[FUNCTION, s] < 0:
                p = _define(data, p, end, FUNCTION, s, known, definitions, counts)
                if p <= end and known[FUNCTION, s] > MOST_ARGUMENTS:
                    return -1 - start
            if p > end:
                if p >= end + BROKEN:
                    return -1 - start
                _undo_definitions(known, definitions, start_definitions, counts)
                p = start
                break
            k = n
            if k >= len(calls) or nv + known[FUNCTION, s] > len(values):
                _undo_definitions(known, definitions, start_definitions, counts)
                p = start
                break
            calls[k]["signature"] = np.uint16(s)
            calls[k]["thread"] = np.uint8(thread)
            calls[k]["flags"] = np.uint8(0)
            calls[k]["args"] = np.uint32(nv)
            calls[k]["result"] = 0
            for a in range(known[FUNCTION, s]):
                tags[nv + a] = ABSENT
                values[nv + a] = 0
                words[nv + a] = 0
        else:
            number, p = read_uint(data, p)
            k = np.int64(number) - first
            if p > end:
                p = start
                break
            if k >= n:
                return -1 - start
        args = np.int64(0)
        arguments = np.int64(MOST_ARGUMENTS)
        if k >= 0:  # else the end of a call that was handed over without it: read past
            args = np.int64(calls[k]["args"])
            arguments = np.int64(known[FUNCTION, np.int64(calls[k]["signature"])])
        bad = False
        whole = False
        while p < end:
            detail = data[p]
            p += 1
            if detail == END:
                whole = True
                break
            if detail in (ARGUMENT, RESULT):
                slot = np.int64(0)
                if detail == ARGUMENT:
                    w, p = read_uint(data, p)
                    if w >= np.uint64(arguments):
                        bad = True
                        break
                    slot = np.int64(w)
                at = p
                tag = data[p]
                p += 1
                v = np.uint64(at)
                word = np.uint16(0)
                if tag in (UINT, OPAQUE):
                    v, p = read_uint(data, p)
                elif tag in (ENUMV, MASKV):
                    w, p = read_uint(data, p)
                    if w >= np.uint64(IDS):
                        bad = True
                        break
                    kind = space_of(tag)
                    word = np.uint16(w)
                    if known[kind, np.int64(w)] < 0:
                        p = _define(data, p, end, kind, np.int64(w), known, definitions, counts)
                        if p > end:
                            break
                    sign = np.uint8(UINT)
                    if tag == ENUMV:
                        sign = data[p]
                        p += 1
                    v, p = read_uint(data, p)
                    if sign == SINT:
                        v = np.uint64(0) - v
                elif tag <= TRUE:
                    v = np.uint64(1) if tag == TRUE else np.uint64(0)
                elif tag == SINT:
                    v, p = read_uint(data, p)
                    v = np.uint64(0) - v
                elif tag == FLOAT:
                    v = np.uint64(read_dword(data, p))
                    p += 4
                else:
                    p = _skip(data, at, end, 1, known, definitions, counts)
                if k < 0:
                    continue
                if detail == ARGUMENT:
                    values[args + slot] = v
                    tags[args + slot] = tag
                    words[args + slot] = word
                else:
                    calls[k]["result"] = np.int64(v)
            elif detail == FLAGS:
                w, p = read_uint(data, p)
                if k >= 0:
                    calls[k]["flags"] |= np.uint8(w & np.uint64(127))
            elif detail == BACKTRACE:
                p = _backtrace(data, p, end, known)
            elif detail == THREAD:
                w, p = read_uint(data, p)
            else:
                bad = True
                break
        if (bad and p <= end) or counts[DEFINITIONS] > len(definitions):
            return -1 - start
        if p > end or not whole:  # cut in the middle: as if the event were not there
            if p >= end + BROKEN:
                return -1 - start
            _undo_definitions(known, definitions, start_definitions, counts)
            p = start
            break
        if k < 0:
            continue
        if counts[DEFINITIONS] != start_definitions:
            calls[k]["flags"] |= np.uint8(DEFINES)
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
