"""Blts, flips and locks of DirectDraw, compiled, for `convert`: driver calls that wait in a queue.

A row reads the arguments of a call into a row of the queue; `core.runtime.directdraw.queue` makes the driver's call of it when
the loop ends.  Tokens that were gathered before are sent first, so that what waits is always older than the tokens.  Only what
needs nothing else is queued: rectangles on their surfaces, no effects but mirroring, a lock that the very next calls end.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.runtime.calls.values import (
    ARRAY,
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
    past_words,
    read_uint,
)
from core.runtime.rows.layout import (
    ADDRESS,
    BLT,
    BLT_FAST,
    COPY,
    EFFECTS,
    FILL,
    FILL_VALUE,
    FLIP,
    FLUSH_FIRST,
    GO_ON,
    IS_CLIPPED,
    IS_FLIPPED,
    IS_KEYED,
    IS_LOCKED,
    IS_ODD,
    IS_PRIMARY,
    LOCK,
    MEMCPY,
    PITCH,
    POSITION,
    PRESENT,
    PYTHON_MUST,
    Q_ADDRESS,
    Q_AREA,
    Q_BLOB,
    Q_BLOB_SIZE,
    Q_BOX,
    Q_CALL,
    Q_END,
    Q_FLAGS,
    Q_KIND,
    Q_MIRROR,
    Q_ORIGIN,
    Q_PITCH,
    Q_TARGET,
    Q_VALUE,
    QUEUED,
    SIZE_BITS,
    STATE_BITS,
    SURFACE_KEY,
    UNLOCK,
)
from core.runtime.rows.waiting import note_lock, wait
from core.runtime.rows.words import blob_at, find, named, number_at
from core.spec.enums import DdBlt

LARGEST = 1 << 14  # an edge of a rectangle
SIZE = (1 << SIZE_BITS) - 1
MOST = 0xFFFFFFFF
NOT_FLAT = np.int64(-1)
COLORFILL, DEPTHFILL, KEYSRC, WAIT, DDFX = (
    int(bit) for bit in (DdBlt.COLORFILL, DdBlt.DEPTHFILL, DdBlt.KEYSRC, DdBlt.WAIT, DdBlt.DDFX)
)
MIRROR_X, MIRROR_Y, ROTATE_180, TURNED = 2, 4, 0x10, 0x60  # DDBLTFX_*
FILLS = COLORFILL | DEPTHFILL
OTHER = int(
    DdBlt.ROP | DdBlt.ROTATIONANGLE | DdBlt.KEYDEST | DdBlt.KEYDESTOVERRIDE | DdBlt.KEYSRCOVERRIDE
)  # Blts with these are Python's
FAST_KEYSRC, FAST_KEYDEST = 1, 2  # DDBLTFAST_*
READ_ONLY = 0x10  # DDLOCK_READONLY
SHOWN = 2


@stage
def _struct_at(chunk, slot, defined):
    """(structure, where its members begin) of an argument that points to one; structure -1 if it is none."""
    if chunk.tags[slot] != ARRAY:
        return np.int64(-1), np.int64(0)
    p = np.int64(chunk.values[slot])
    if chunk.data[p] != ARRAY or chunk.data[p + 1] != 1 or chunk.data[p + 2] != STRUCTV:
        return np.int64(-1), np.int64(0)
    v, p = read_uint(chunk.data, p + 3)
    return np.int64(v), past_words(chunk.data, p, len(chunk.data), STRUCT, np.int64(v), chunk.definitions, defined)


@outlined
def _member(data, p, place, definitions, defined):
    """The member of this number, one dword or an address; -1 if it, or one before it, is something else."""
    end = len(data)
    value = NOT_FLAT
    for _ in range(place + 1):
        if p >= end:
            return NOT_FLAT
        tag = data[p]
        p += 1
        value = NOT_FLAT
        if tag in (UINT, OPAQUE):
            v, p = read_uint(data, p)
            value = np.int64(v & np.uint64(0x7FFFFFFFFFFFFFFF))
        elif tag == SINT:
            _, p = read_uint(data, p)
        elif tag in (ENUMV, MASKV):
            v, p = named(data, p, end, tag, definitions, defined)
            value = np.int64(v & np.uint64(0x7FFFFFFFFFFFFFFF))
        elif tag == FLOAT:
            p += 4
        elif tag > TRUE:
            return NOT_FLAT
    return value


@stage
def _rectangle(chunk, slot, defined, width, height, queue, q, at):
    """Writes left, top, right, bottom to queue[q, at:], of NULL 0, 0, width, height; False if it is beyond."""
    if chunk.tags[slot] == NULL:
        queue[q, at], queue[q, at + 1], queue[q, at + 2], queue[q, at + 3] = 0, 0, width, height
        return True
    struct, p = _struct_at(chunk, slot, defined)
    if struct < 0 or chunk.known[STRUCT, struct] != 4:
        return False
    for i in range(4):
        if chunk.data[p] != UINT:
            return False
        v, p = read_uint(chunk.data, p + 1)
        if v > np.uint64(LARGEST):
            return False
        queue[q, at + i] = np.int64(v)
    return queue[q, at] < queue[q, at + 2] <= width and queue[q, at + 1] < queue[q, at + 3] <= height


@stage
def _surface(here, chunk, slot):
    """(handle, width, height, STATE_BITS) of the surface at an address; handle 0 for one that Python must look at."""
    pointer = chunk.values[slot]
    if chunk.tags[slot] != OPAQUE or pointer >= SURFACE_KEY:
        return np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    x = find(here.keys, pointer | SURFACE_KEY)
    info = np.int64(here.infos[x])
    return np.int64(here.handles[x]), info & SIZE, info >> SIZE_BITS & SIZE, info >> STATE_BITS


@stage
def _effect(blit, chunk, call, places, which):
    """A member of a Blt's effects; NOT_FLAT if it cannot be read."""
    struct, p = _struct_at(chunk, call.args + blit["effects"], call.defined)
    if struct < 0 or places[struct, which] < 0:
        return NOT_FLAT
    return _member(chunk.data, p, np.int64(places[struct, which]), chunk.definitions, call.defined)


@stage
def _mirrors(blit, chunk, call, places, flags):
    """Bits: left and right, top and bottom exchanged; -1 for what turns, or cannot be read."""
    if flags & DDFX == 0:
        return np.int64(0)
    effects = _effect(blit, chunk, call, places, EFFECTS)
    if effects < 0 or effects & TURNED:
        return np.int64(-1)
    both = np.int64(3) if effects & ROTATE_180 else np.int64(0)
    return np.int64(effects & MIRROR_X != 0) ^ 2 * np.int64(effects & MIRROR_Y != 0) ^ both


@stage
def _fill(blit, chunk, call, places, flags, queue, q):
    """COLORFILL or DEPTHFILL: what is left after the target's box."""
    value = _effect(blit, chunk, call, places, FILL_VALUE)
    if value < 0:
        return PYTHON_MUST
    queue[q, Q_KIND], queue[q, Q_FLAGS], queue[q, Q_VALUE] = FILL, DEPTHFILL if flags & DEPTHFILL else COLORFILL, value & MOST
    return GO_ON


@stage
def _copy(blit, chunk, call, here, places, queue, q):
    """Blt or BltFast from another surface."""
    args = call.args
    flags = number_at(chunk, args + blit["flags"], MOST)
    target, width, height, state = _surface(here, chunk, args + blit["target"])
    origin, wide, high, other = _surface(here, chunk, args + blit["origin"])
    if target == 0 or origin == 0 or flags < 0 or state & IS_CLIPPED:
        return PYTHON_MUST
    if not _rectangle(chunk, args + blit["area"], call.defined, wide, high, queue, q, Q_AREA):
        return PYTHON_MUST
    if blit["kind"] == BLT:
        if flags & OTHER or not _rectangle(chunk, args + blit["box"], call.defined, width, height, queue, q, Q_BOX):
            return PYTHON_MUST
        queue[q, Q_FLAGS], queue[q, Q_MIRROR] = flags & (KEYSRC | WAIT), _mirrors(blit, chunk, call, places, flags)
        if queue[q, Q_MIRROR] < 0:
            return PYTHON_MUST
    else:
        x, y = number_at(chunk, args + blit["x"], LARGEST), number_at(chunk, args + blit["y"], LARGEST)
        right, bottom = x + queue[q, Q_AREA + 2] - queue[q, Q_AREA], y + queue[q, Q_AREA + 3] - queue[q, Q_AREA + 1]
        keyed = flags & FAST_KEYSRC != 0
        if x < 0 or y < 0 or right > width or bottom > height or flags & FAST_KEYDEST or (keyed and not other & IS_KEYED):
            return PYTHON_MUST
        queue[q, Q_BOX], queue[q, Q_BOX + 1], queue[q, Q_BOX + 2], queue[q, Q_BOX + 3] = x, y, right, bottom
        queue[q, Q_FLAGS], queue[q, Q_MIRROR] = WAIT | KEYSRC if keyed else WAIT, 0
    shows = state & (IS_PRIMARY | IS_FLIPPED) == IS_PRIMARY and not other & IS_PRIMARY
    queue[q, Q_KIND], queue[q, Q_TARGET], queue[q, Q_ORIGIN], queue[q, Q_VALUE] = COPY, target, origin, SHOWN if shows else 0
    return GO_ON


@stage
def _blt(blit, chunk, call, here, places, queue, q):
    """Blt: a fill or a copy."""
    flags = number_at(chunk, call.args + blit["flags"], MOST)
    if flags < 0 or not flags & FILLS or flags & OTHER:
        return _copy(blit, chunk, call, here, places, queue, q)
    target, width, height, state = _surface(here, chunk, call.args + blit["target"])
    queue[q, Q_TARGET], queue[q, Q_ORIGIN] = target, np.int64(chunk.values[call.args + blit["target"]])
    if (
        target == 0
        or state & IS_CLIPPED
        or not _rectangle(chunk, call.args + blit["box"], call.defined, width, height, queue, q, Q_BOX)
    ):
        return PYTHON_MUST
    return _fill(blit, chunk, call, places, flags, queue, q)


@stage
def _flip(blit, chunk, call, here, queue, q):
    """Flip of a chain that was flipped before, to the next buffer."""
    front, _, _, state = _surface(here, chunk, call.args + blit["target"])
    flags = number_at(chunk, call.args + blit["flags"], MOST)
    if front == 0 or not state & IS_FLIPPED or flags < 0 or chunk.tags[call.args + blit["origin"]] != NULL:
        return PYTHON_MUST
    queue[q, Q_KIND], queue[q, Q_TARGET], queue[q, Q_FLAGS] = FLIP, np.int64(chunk.values[call.args + blit["target"]]), flags
    return GO_ON


@stage
def is_done(call):
    """Whether the API did the call."""
    return call["result"] >= 0 and (call["result"] >> 31) & 1 == 0


@stage
def _end_of_lock(calls, i, table, blits, chunk, queue, q):
    """How many calls a lock at calls[i] takes: Lock, what the tracer copied, Unlock; 0 if other calls come between."""
    this, done = chunk.values[np.int64(calls[i]["args"])], np.int64(1)
    queue[q, Q_BLOB_SIZE] = -1
    for _ in range(2):
        if i + done >= len(calls):
            return np.int64(0)
        call = calls[i + done]
        which, args = np.int64(table[np.int64(call["signature"])]["blit"]), np.int64(call["args"])
        if which < 0 or not is_done(call):
            return np.int64(0)
        blit = blits[which]
        if blit["kind"] == UNLOCK:
            same = chunk.tags[args + blit["target"]] == OPAQUE and chunk.values[args + blit["target"]] == this
            return done + 1 if same else np.int64(0)
        if blit["kind"] != MEMCPY or chunk.values[args + blit["target"]] != np.uint64(queue[q, Q_ADDRESS]):
            return np.int64(0)
        p, size = blob_at(chunk.data, chunk.tags[args + blit["origin"]], chunk.values[args + blit["origin"]])
        if size < 0 or queue[q, Q_FLAGS] & READ_ONLY or chunk.tags[args + blit["target"]] != OPAQUE:
            return np.int64(0)
        queue[q, Q_BLOB], queue[q, Q_BLOB_SIZE] = p, size
        done += 1
    return np.int64(0)


@stage
def _lock(blit, chunk, call, here, places, queue, q):
    """Lock of a surface: where, at which address and pitch."""
    args = call.args
    handle, width, height, state = _surface(here, chunk, args + blit["target"])
    flags = number_at(chunk, args + blit["flags"], MOST)
    if handle == 0 or state & (IS_LOCKED | IS_ODD) or flags < 0:
        return PYTHON_MUST
    queue[q, Q_BOX] = -1
    whole = chunk.tags[args + blit["area"]] == NULL
    if not whole and not _rectangle(chunk, args + blit["area"], call.defined, width, height, queue, q, Q_BOX):
        return PYTHON_MUST
    struct, p = _struct_at(chunk, args + blit["effects"], call.defined)
    if struct < 0 or places[struct, PITCH] < 0 or places[struct, ADDRESS] < 0:
        return PYTHON_MUST
    queue[q, Q_PITCH] = _member(chunk.data, p, np.int64(places[struct, PITCH]), chunk.definitions, call.defined)
    queue[q, Q_ADDRESS] = _member(chunk.data, p, np.int64(places[struct, ADDRESS]), chunk.definitions, call.defined)
    if queue[q, Q_PITCH] <= 0 or queue[q, Q_ADDRESS] <= 0:
        return PYTHON_MUST
    queue[q, Q_KIND], queue[q, Q_TARGET], queue[q, Q_FLAGS] = LOCK, np.int64(chunk.values[args + blit["target"]]), flags
    return GO_ON


@stage
def queue_call(i, calls, table, blits, chunk, call, here, places, queue):
    """Queues a call, and those that end its lock: (how many calls, why none)."""
    record = calls[i]
    blit = blits[np.int64(table[np.int64(record["signature"])]["blit"])]
    kind = blit["kind"]
    state = here.state
    if not is_done(record) or state[QUEUED] >= len(queue):
        return np.int64(0), PYTHON_MUST
    q = state[QUEUED]
    done, why = np.int64(1), PYTHON_MUST
    if kind == BLT:
        why = _blt(blit, chunk, call, here, places, queue, q)
    elif kind == BLT_FAST:
        why = _copy(blit, chunk, call, here, places, queue, q)
    elif kind == FLIP:
        why = _flip(blit, chunk, call, here, queue, q)
    elif kind == LOCK:
        why = _lock(blit, chunk, call, here, places, queue, q)
        if why == GO_ON:
            done = _end_of_lock(calls, i, table, blits, chunk, queue, q)
    elif kind >= PRESENT or kind == MEMCPY:
        why = wait(blit, chunk, call, here, queue, q)
    if why != GO_ON or done == 0:
        return np.int64(0), PYTHON_MUST
    if state[POSITION] != 0 and kind != MEMCPY:
        return np.int64(0), FLUSH_FIRST
    note_lock(blit, chunk, call, here)
    queue[q, Q_CALL], queue[q, Q_END] = np.int64(call.number), np.int64(call.number) + done - 1
    state[QUEUED] += 1
    return done, GO_ON
