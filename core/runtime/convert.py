"""The one loop that applies rows to columns of calls.

`convert` does calls in order and stops before the first one that it will not do; it never half-does one.  What it writes -
command buffer, registers, user memory - Python methods write too, for the calls that it leaves.
"""

from __future__ import annotations

import numpy as np

from core.jit import array, i8, kernel, outlined, stage, u4, u8, void
from core.runtime.events import CALL, DEFINES
from core.runtime.values import (
    ARRAY,
    BLOB,
    ENUMV,
    FLOAT,
    MASKV,
    NULL,
    OPAQUE,
    SINT,
    STRUCT,
    STRUCTV,
    TRUE,
    UINT,
    past_definition,
    read_dword,
    read_uint,
    space_of,
)  # fmt: skip

# where the words of a field come from
(ARG, ARG16, CONST, CONST16, HELD, OBJECT, VERTEX_SHADER, PIXEL_SHADER, STRUCT_WORDS, BLOB_WORDS, INDEX_SIZE, ELEMENT_SIZE, NOT,
 VERTEX_START, INDEX_START, INDEX_BUFFER) = range(16)  # fmt: skip
VERTEX_SHADER_KEY, PIXEL_SHADER_KEY = np.uint64(1 << 63), np.uint64(1 << 62)  # shader handles share the table of pointers

FIELD = np.dtype([("kind", "i4"), ("arg", "i4"), ("a", "i4"), ("b", "i4")])
PLACE = [("base", "i4"), ("size", "i4"), ("key0", "i4"), ("stride0", "i4"), ("key1", "i4"), ("stride1", "i4"), ("map", "i4")]
TOKEN = np.dtype([("op", "i4"), ("keys", "i4"), ("merge", "i4"), ("first", "i4"), ("count", "i4"), *PLACE])
NEED = np.dtype(PLACE)
ROW = np.dtype(
    [("known", "i4"), ("first", "i4"), ("count", "i4"), ("need", "i4"), ("needs", "i4"), ("vertices", "i4"), ("stride", "i4"),
     ("indices", "i4"), ("zero", "i4"), ("draws", "i4"), ("flushes", "i4"), ("on_device", "i4")]
)  # fmt: skip

# the numbers of a command buffer in the making
(POSITION, HEADER, RECORDS, USER, INDEX, INDEX_HANDLE, DIRTY, RECORDING, DEVICE, WHY) = range(10)
STATE_SIZE = 16
PYTHON_MUST, IS_FULL, FLUSH_NOW, DONE = range(4)  # why the loop ended
EMITTED, REDUNDANT, SILENT, PYTHON, RECORDED, FAILED = range(6)  # verdicts
RECORD_ONLY, RECORD_AND_EMIT = 1, 2

DIRTY_BIT = np.uint32(0x100)  # in the info of an object: a managed resource whose video copy is out of date
MARGIN = 8192  # bytes that one call may write at most
SCRATCH = 2048
ALONE = 96 << 10  # user memory of this size goes in a DrawPrimitives2 of its own: equal geometry of other frames is stored once


@stage
def _find(keys, key):
    """Index of the key in an open-addressing table of power-of-two length, or of the free place for it."""
    mask = np.uint64(len(keys) - 1)
    h = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    while True:
        h &= mask
        if keys[np.int64(h)] == key or keys[np.int64(h)] == np.uint64(0):
            return np.int64(h)
        h += np.uint64(1)


@kernel(void(array("u8"), array("u4"), array("u4"), u8, u4, u4))
def bind(keys, handles, infos, key, handle, info):
    """Puts (handle, info) at the key."""
    h = _find(keys, key)
    keys[h] = key
    handles[h] = handle
    infos[h] = info


@stage
def _past(data, p, end, kind, number, definitions):
    """p, or the end of the definition that stands at p; `definitions` is empty for calls that hold none."""
    for j in range(len(definitions)):
        if definitions[j, 2] == p and definitions[j, 0] == kind and definitions[j, 1] == number:
            _, q = past_definition(data, p, end, kind)
            return q
    return p


@outlined
def _leaves(data, p, known, definitions, out, at, a, b):
    """The dwords of a structure of dwords are the leaves of its value, in order.

    Writes leaves a..b to out[at:]; returns how many there are, -1 if one is no dword.
    """
    end = len(data)
    todo = np.int64(1)
    n = np.int64(0)
    while todo > 0 and p < end:
        tag = data[p]
        p += 1
        todo -= 1
        if tag == FLOAT:
            if a <= n < b:
                out[at + n - a] = read_dword(data, p)
            p += 4
            n += 1
        elif tag == ARRAY:
            v, p = read_uint(data, p)
            todo += np.int64(v)
        elif tag == STRUCTV:
            v, p = read_uint(data, p)
            p = _past(data, p, end, STRUCT, np.int64(v), definitions)
            todo += np.int64(known[STRUCT, np.int64(v)])
        elif tag in (UINT, SINT, OPAQUE):
            v, p = read_uint(data, p)
            if tag == SINT:
                v = np.uint64(0) - v
            if a <= n < b:
                out[at + n - a] = np.uint32(v & np.uint64(0xFFFFFFFF))
            n += 1
        elif tag in (ENUMV, MASKV):
            v, p = read_uint(data, p)
            p = _past(data, p, end, space_of(tag), np.int64(v), definitions)
            sign = data[p]
            if tag == ENUMV:
                p += 1
            v, p = read_uint(data, p)
            if tag == ENUMV and sign == SINT:
                v = np.uint64(0) - v
            if a <= n < b:
                out[at + n - a] = np.uint32(v & np.uint64(0xFFFFFFFF))
            n += 1
        elif tag <= TRUE:
            if a <= n < b:
                out[at + n - a] = np.uint32(1) if tag == TRUE else np.uint32(0)
            n += 1
        else:
            return np.int64(-1)
    return n


@stage
def _place(where, values, args, maps):
    """Slot of a token's words, or -1 if a key is out of range."""
    s = np.int64(where["base"])
    if where["key0"] >= 0:
        k = values[args + where["key0"]]
        if where["map"] >= 0:
            if k >= np.uint64(where["size"]):
                return np.int64(-1)
            return np.int64(maps[where["map"] + np.int64(k)])
        if k >= np.uint64(where["size"]):
            return np.int64(-1)
        s += np.int64(k) * where["stride0"]
    if where["key1"] >= 0:
        k = values[args + where["key1"]]
        if k >= np.uint64(where["stride0"]):
            return np.int64(-1)
        s += np.int64(k) * where["stride1"]
    return s if s < where["base"] + where["size"] else np.int64(-1)


@stage
def _copy(target, source):
    """Bytes from one array to another of its length; numba's slice assignment allows for overlap: ten times slower."""
    for i in range(len(target)):
        target[i] = source[i]


@stage
def _blob(data, tag, value):
    """(offset, size) of a blob argument; size -1 if it is none."""
    if tag != BLOB:
        return np.int64(0), np.int64(-1)
    v, p = read_uint(data, np.int64(value) + 1)
    return p, np.int64(v)


@stage
def _gather(
    token, fields, data, values, tags, args, known, definitions, keys, handles, infos, registers, state, starts, scratch
):
    """The words of a token in order; returns how many, -1 if Python must do the call."""
    w = np.int64(0)
    half = False
    for f in range(token["first"], token["first"] + token["count"]):
        field = fields[f]
        kind = field["kind"]
        slot = args + field["arg"]
        if kind == ARG:
            scratch[w] = np.uint32(values[slot] & np.uint64(0xFFFFFFFF))
            w += 1
        elif kind == CONST:
            scratch[w] = np.uint32(field["a"])
            w += 1
        elif kind in (ARG16, CONST16):
            v = np.uint32(field["a"]) if kind == CONST16 else np.uint32(values[slot] & np.uint64(0xFFFF))
            if half:
                scratch[w] |= v << np.uint32(16)
                w += 1
            else:
                scratch[w] = v
            half = not half
        elif kind == STRUCT_WORDS:
            if (
                tags[slot] == NULL
                or _leaves(data, np.int64(values[slot]), known, definitions, scratch, w, field["a"], field["b"]) < field["b"]
            ):
                return np.int64(-1)
            w += field["b"] - field["a"]
        elif kind in (OBJECT, VERTEX_SHADER, PIXEL_SHADER, ELEMENT_SIZE):
            v = values[slot]
            handle = np.uint32(0)
            if kind == VERTEX_SHADER:
                handle = handles[_find(keys, v | VERTEX_SHADER_KEY)]  # Wine's handles may be even: ask the table first
                if handle == np.uint32(0):
                    if v & np.uint64(1) != np.uint64(0):
                        return np.int64(-1)
                    handle = np.uint32(v)
            elif v != np.uint64(0):
                if kind == PIXEL_SHADER:
                    v |= PIXEL_SHADER_KEY
                x = _find(keys, v)
                if handles[x] == np.uint32(0):
                    return np.int64(-1)
                handle = handles[x]
                if kind == ELEMENT_SIZE:
                    handle = infos[x] & np.uint32(0xFF)
                elif infos[x] & DIRTY_BIT:
                    state[DIRTY] = 1
            scratch[w] = handle
            w += 1
        elif kind == HELD:
            scratch[w] = registers[field["a"]]
            w += 1
        elif kind == BLOB_WORDS:
            p, size = _blob(data, tags[slot], values[slot])
            if size < 0 or size > 4 * (SCRATCH - 64) or size & 3:
                return np.int64(-1)
            for _ in range(size >> 2):
                scratch[w] = read_dword(data, p)
                w += 1
                p += 4
        elif kind == INDEX_SIZE:
            scratch[w] = np.uint32(2) if values[slot] == np.uint64(101) else np.uint32(4)
            w += 1
        elif kind == NOT:
            scratch[w] = np.uint32(1) if values[slot] == np.uint64(0) else np.uint32(0)
            w += 1
        elif kind == VERTEX_START:
            scratch[w] = np.uint32(starts[0])
            w += 1
        elif kind == INDEX_START:
            scratch[w] = np.uint32(starts[1])
            w += 1
        else:
            scratch[w] = np.uint32(state[INDEX_HANDLE])
            w += 1
    return w


_CONVERT = i8(
    i8, i8, i8, array("u1"), array(CALL), array("u8"), array("u1"), array("i4", 2), array("i8", 2), array(ROW), array(TOKEN),
    array(FIELD), array(NEED), array("i4"), array("u8"), array("u4"), array("u4"), array("u4"), array("u4"), array("u1"),
    array("u4"), array("u4"), array("u1"), array("u1"), array("i8"), array("u1"), array("u4"), array("i8"),
)  # fmt: skip


@kernel(_CONVERT)
def convert(
    i, n, first, data, calls, values, tags, known, definitions, rows, tokens, fields, needs, maps, keys, handles, infos,
    registers, recorded, touched, out, sources, user, indices, state, verdicts, scratch, starts,
):  # fmt: skip
    """Applies rows to calls i..n; returns the first call not done, state[WHY] tells why.

    data..definitions: columns of calls (see Calls; `first` is the number of calls[0]).  rows..maps: compiled rows.  keys,
    handles, infos: objects by pointer.  registers: the API's view of device state; recorded, touched: values and flags of the
    state block being recorded. out: dwords of the command buffer; sources: call number per record; user, indices: memory of
    DrawPrimitiveUP; state: see POSITION...
    """
    nothing = definitions[:0]
    state[WHY] = DONE
    while i < n:
        call = calls[i]
        row = rows[np.int64(call["signature"])]
        args = np.int64(call["args"])
        if row["known"] == 0 or (row["on_device"] and values[args] != np.uint64(state[DEVICE])):
            state[WHY] = PYTHON_MUST
            break
        if call["result"] < 0 or (call["result"] >> 31) & 1:  # the program was told no: nothing happened
            verdicts[i] = FAILED
            i += 1
            continue
        inside = definitions if call["flags"] & DEFINES else nothing
        position = state[POSITION]
        if position + MARGIN > 4 * len(out) or state[RECORDS] + 8 > len(sources):
            state[WHY] = IS_FULL
            break
        fine = not (row["draws"] and state[DIRTY])
        for q in range(row["need"], row["need"] + row["needs"]):
            at = _place(needs[q], values, args, maps)
            if at < 0 or registers[at] == 0:
                fine = False
        if not fine:
            state[WHY] = PYTHON_MUST
            break
        if row["zero"] >= 0 and (values[args + row["zero"]] == 0 or (row["stride"] >= 0 and values[args + row["stride"]] == 0)):
            verdicts[i] = SILENT  # no primitives
            i += 1
            continue
        begin_user, begin_index = state[USER], state[INDEX]
        if row["vertices"] >= 0:  # vertices of user memory start at a multiple of their stride
            stride = np.int64(values[args + row["stride"]])
            p, size = _blob(data, tags[args + row["vertices"]], values[args + row["vertices"]])
            start = (begin_user + stride - 1) // stride * stride
            if size < 0 or stride > 65535 or start + size > len(user) or (size >= ALONE and begin_user > 0):
                state[WHY] = PYTHON_MUST if size < 0 or stride > 65535 else IS_FULL
                break
            user[begin_user:start] = 0
            _copy(user[start : start + size], data[p : p + size])
            starts[0] = start // stride
            state[USER] = start + size
        if row["indices"] >= 0:
            width = np.int64(2) if values[args + row["indices"] + 1] == np.uint64(101) else np.int64(4)
            p, size = _blob(data, tags[args + row["indices"]], values[args + row["indices"]])
            start = (begin_index + 3) & ~np.int64(3)
            if size < 0 or start + size > len(indices):
                state[WHY] = PYTHON_MUST if size < 0 else IS_FULL
                state[USER] = begin_user
                break
            indices[begin_index:start] = 0
            _copy(indices[start : start + size], data[p : p + size])
            starts[1] = start // width
            state[INDEX] = start + size
        header, records, told, changed = state[HEADER], state[RECORDS], np.int64(0), False
        begin_records = records
        for t in range(row["first"], row["first"] + row["count"]):
            token = tokens[t]
            w = _gather(
                token, fields, data, values, tags, args, known, inside, keys, handles, infos, registers, state, starts, scratch
            )  # fmt: skip
            if w < 0:
                fine = False
                break
            recording = False
            if token["base"] >= 0:
                at = _place(token, values, args, maps)
                k = np.int64(token["keys"])
                m = w - k
                if at < 0 or (token["map"] < 0 and at + m > token["base"] + token["size"]):
                    fine = False
                    break
                recording = state[RECORDING] != 0
                for j in range(m):
                    if recording:
                        recorded[at + j] = scratch[k + j]
                        touched[at + j] = 1
                    elif registers[at + j] != scratch[k + j]:
                        changed = True
                        registers[at + j] = scratch[k + j]
            if token["op"] == 0 or (recording and state[RECORDING] == RECORD_ONLY):
                if recording:
                    told += 1
                continue
            told += 1
            if token["base"] < 0:
                changed = True
            p = position >> 2
            if (
                token["merge"]
                and header >= 0
                and (out[header] & 0xFF) == np.uint32(token["op"])
                and out[header] < np.uint32(0xFFFF0000)
            ):
                out[header] += np.uint32(0x10000)
            else:
                header = p
                out[p] = np.uint32(token["op"]) | np.uint32(0x10000)
                p += 1
            for j in range(w):
                out[p + j] = scratch[j]
            position = (p + w) << 2
            sources[records] = np.uint32(first + i)
            records += 1
        if not fine:
            state[USER], state[INDEX] = begin_user, begin_index
            state[WHY] = PYTHON_MUST
            break
        state[POSITION], state[HEADER], state[RECORDS] = position, header, records
        if told == 0:
            verdicts[i] = SILENT
        elif records == begin_records:
            verdicts[i] = RECORDED
        else:
            verdicts[i] = EMITTED if changed else REDUNDANT
        i += 1
        if row["flushes"] or state[USER] >= begin_user + ALONE:
            state[WHY] = FLUSH_NOW
            break
    return i
