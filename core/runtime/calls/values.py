"""apitrace's encoding of values: tags, and the small kernels that read one value.

A value is a tag byte and what follows it (apitrace's docs/FORMAT.markdown).  The words of functions, structures, enumerations
and bit masks stand in the stream at their first use only: a *definition*.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage

FUNCTION, STRUCT, ENUM, BITMASK, FRAME = range(5)  # name spaces of definitions
NAME_SPACES = 5
IDS = 4096  # ids per name space; a trace of Direct3D 8 uses fewer than 200

NULL, FALSE, TRUE, SINT, UINT, FLOAT, DOUBLE, STRING, BLOB, ENUMV, MASKV, ARRAY, STRUCTV, OPAQUE, REPR, WSTRING = range(16)
OMITTED = 16  # ours: a blob that was left out; its length and 8 bytes of digest follow
ABSENT = 255  # an argument that the trace does not have

ENTER, LEAVE = 0, 1
END, ARGUMENT, RESULT, THREAD, BACKTRACE, FLAGS = range(6)  # details of an event
MOST_MEMBERS = 1 << 16  # of a definition
MOST_VALUES = 1 << 20  # of arrays and structures in one argument; a shader has some thousands
BROKEN = 1 << 60  # bytes behind the end: what stands there cannot be (a value cut short leads only as far as its length)
OVERLONG = 1 << 61  # the same, of a number that does not end
LONGEST = 10  # bytes of a number: 64 bits, 7 a byte
PADDING = 64  # bytes behind the data that the kernels may read


def leb128(value: int) -> bytes:
    """An unsigned number of at most 64 bits, 7 per byte, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


@stage
def read_uint(data, p):
    """(LEB128 number at data[p:], the offset after it); 64 bits, excess bits are dropped.

    For what `checked_uint` has accepted: at most LONGEST bytes are read.
    """
    b = np.uint64(data[p])
    p += 1
    if b < np.uint64(128):
        return b, p
    v = b & np.uint64(127)
    s = np.uint64(7)
    while s < np.uint64(64):
        b = np.uint64(data[p])
        p += 1
        v |= (b & np.uint64(127)) << s
        if b < np.uint64(128):
            break
        s += np.uint64(7)
    return v, p


@stage
def checked_uint(data, p, end):
    """The same of bytes that nobody has looked at; a number of more than LONGEST bytes leads to end + OVERLONG."""
    v, q = read_uint(data, p)
    if q - p == LONGEST and data[q - 1] > np.uint8(127):
        return np.uint64(0xFFFFFFFFFFFFFFFF), end + OVERLONG
    return v, q


@stage
def past_text(data, p, end):
    """The offset after a string or blob at p; an impossible length leads behind the end, never backwards."""
    n, p = checked_uint(data, p, end)
    return p + np.int64(n) if n <= np.uint64(end) else max(p, end + 1)


@outlined
def past_definition(data, p, end, kind):
    """(members, the offset after the definition's words at p)."""
    if kind in (FUNCTION, STRUCT):
        p = past_text(data, p, end)
    if p > end:
        return np.int64(0), p
    n, p = checked_uint(data, p, end)
    if n > np.uint64(MOST_MEMBERS):
        return np.int64(0), max(p, end + BROKEN)
    count = np.int64(n)
    for _ in range(count):
        if p > end:
            break
        p = past_text(data, p, end)
        if p > end:
            break
        if kind == ENUM:
            _, p = checked_uint(data, p + 1, end)
        elif kind == BITMASK:
            _, p = checked_uint(data, p, end)
    return count, p


@stage
def past_words(data, p, end, kind, number, definitions, defined):
    """p, or the offset after the definition that stands there, if it is among the first `defined` of (kind, number, offset)."""
    for j in range(defined):
        if definitions[j, 2] == p and definitions[j, 0] == kind and definitions[j, 1] == number:
            _, q = past_definition(data, p, end, kind)
            return q
    return p


@stage
def space_of(tag):
    """The name space of an enum, mask or struct value."""
    return ENUM if tag == ENUMV else BITMASK if tag == MASKV else STRUCT
