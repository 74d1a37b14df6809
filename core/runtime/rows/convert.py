"""The one loop that applies rows to columns of calls.

`convert` does calls in order and stops before the first one that it will not do; it never half-does one.  What it writes -
command buffer, registers, user memory - Python methods write too, for the calls that it leaves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.jit import array, i8, kernel, stage, u4, u8, void
from core.runtime.calls.columns import CALL, DEFINES
from core.runtime.rows.append import CHANGED, REFUSED, append
from core.runtime.rows.layout import (
    ALONE,
    BLIT,
    DEVICE,
    DIRTY,
    DONE,
    DRAW,
    EMITTED,
    FAILED,
    FIELD,
    FIRST_ALONE,
    FLUSH_FIRST,
    FLUSH_NOW,
    FLUSHED,
    GO_ON,
    HEADER,
    INDEX,
    IS_FULL,
    MARGIN,
    NEED,
    NO_DEVICE,
    POSITION,
    PYTHON,
    PYTHON_MUST,
    RECORD_ONLY,
    RECORDED,
    RECORDING,
    RECORDS,
    REDUNDANT,
    ROW,
    SILENT,
    TOKEN,
    USER,
    USER_AT,
    USER_BASE,
    USER_SPARE,
    WHY,
)
from core.runtime.rows.old_blits import is_done, queue_call
from core.runtime.rows.old_draws import old_draw
from core.runtime.rows.older_calls import older_call
from core.runtime.rows.waiting import post
from core.runtime.rows.words import INDEX16, Call, Chunk, Here, blob_at, copy_bytes, find, gather

HAS_EFFECT, PYTHONS = np.int64(-1), np.int64(-2)  # what _verdict_before returns


class Rows(NamedTuple):
    """Compiled rows (see rows.Tables)."""

    tokens: np.ndarray
    fields: np.ndarray
    needs: np.ndarray
    maps: np.ndarray
    draws: np.ndarray
    shapes: np.ndarray
    blits: np.ndarray
    places: np.ndarray


class Out(NamedTuple):
    """What calls write: commands, the call of each record, tokens that are not padded; memory of DrawPrimitiveUP; a state block
    being recorded; calls of the driver that wait, and the command buffers of them."""

    commands: np.ndarray
    sources: np.ndarray
    own: np.ndarray
    user: np.ndarray
    indices: np.ndarray
    recorded: np.ndarray
    touched: np.ndarray
    scratch: np.ndarray
    queue: np.ndarray
    posted: np.ndarray


@kernel(void(array("u8"), array("u4"), array("u8"), u8, u4, u8))
def bind(keys, handles, infos, key, handle, info):
    """Puts (handle, info) at the key."""
    h = find(keys, key)
    keys[h] = key
    handles[h] = handle
    infos[h] = info


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
def _has_needs(row, rows, values, args, here):
    """Whether the registers that the row needs are not 0, and no managed texture waits for an upload before a draw."""
    fine = not (row["draws"] and here.state[DIRTY])
    for q in range(row["need"], row["need"] + row["needs"]):
        at = _place(rows.needs[q], values, args, rows.maps)
        if at < 0 or here.registers[at] == 0:
            fine = False
    return fine


@stage
def _does_nothing(row, values, args):
    """Whether there are no primitives to draw."""
    zero, stride = row["zero"], row["stride"]
    return zero >= 0 and (values[args + zero] == 0 or (stride >= 0 and values[args + stride] == 0))


@stage
def _keep_vertices(row, chunk, args, here, out):
    """Puts vertices of user memory at a multiple of their stride; many stay where they are.  Returns a reason to end."""
    state = here.state
    stride = np.int64(chunk.values[args + row["stride"]])
    slot = args + row["vertices"]
    p, size = blob_at(chunk.data, chunk.tags[slot], chunk.values[slot])
    if size < 0 or stride > 65535:
        return PYTHON_MUST
    begin = state[USER]
    if size >= ALONE:
        if begin > 0:
            return IS_FULL
        here.starts[0] = 0
        state[USER], state[USER_AT] = size, p
        return GO_ON
    start = (begin + stride - 1) // stride * stride
    if start + size > len(out.user) - USER_SPARE:
        return IS_FULL
    base = state[USER_BASE]
    for at in range(base + begin, base + start):
        out.user[at] = 0
    copy_bytes(out.user, base + start, chunk.data, p, size)
    here.starts[0] = start // stride
    state[USER] = start + size
    return GO_ON


@stage
def _keep_indices(row, chunk, args, here, out):
    """Puts indices of user memory at a multiple of four bytes.  Returns a reason to end."""
    slot = args + row["indices"]
    width = np.int64(2) if chunk.values[slot + 1] == INDEX16 else np.int64(4)
    p, size = blob_at(chunk.data, chunk.tags[slot], chunk.values[slot])
    begin = here.state[INDEX]
    start = (begin + 3) & ~np.int64(3)
    if size < 0 or start + size > len(out.indices):
        return PYTHON_MUST if size < 0 else IS_FULL
    for at in range(begin, start):
        out.indices[at] = 0
    copy_bytes(out.indices, start, chunk.data, p, size)
    here.starts[1] = start // width
    here.state[INDEX] = start + size
    return GO_ON


@stage
def _hold(token, at, count, here, out):
    """Writes a token's words behind its keys to the registers, or to the state block being recorded; whether one changed."""
    k = np.int64(token["keys"])
    changed = False
    if here.state[RECORDING] != 0:
        for j in range(count):
            out.recorded[at + j] = out.scratch[k + j]
            out.touched[at + j] = 1
    else:
        for j in range(count):
            if here.registers[at + j] != out.scratch[k + j]:
                changed = True
                here.registers[at + j] = out.scratch[k + j]
    return changed


@stage
def _tokens(row, rows, chunk, call, here, out):
    """Makes the tokens of a call: how many, plus CHANGED if one is no mere repetition; REFUSED if Python must do the call."""
    told = np.int64(0)
    recording = here.state[RECORDING]
    for t in range(row["first"], row["first"] + row["count"]):
        token = rows.tokens[t]
        w = gather(token, rows.fields, chunk, here, call, out.scratch)
        if w < 0:
            return REFUSED
        holds = token["base"] >= 0
        if holds:
            at = _place(token, chunk.values, call.args, rows.maps)
            count = w - np.int64(token["keys"])
            if at < 0 or (token["map"] < 0 and at + count > token["base"] + token["size"]):
                return REFUSED
            if _hold(token, at, count, here, out):
                told |= CHANGED
        if token["op"] != 0 and not (holds and recording == RECORD_ONLY):
            append(np.uint32(token["op"]), token["merge"], w, call.number, here, out)
            told = told + 1 if holds else (told + 1) | CHANGED
        elif holds and recording != 0:
            told += 1
    return told


@stage
def _judge(told, emitted):
    """The verdict of a call that was done."""
    if told & ~CHANGED == 0:
        return SILENT
    if not emitted:
        return RECORDED
    return EMITTED if told & CHANGED else REDUNDANT


@stage
def _verdict_before(row, call, this, state):
    """The verdict of a call without effect; HAS_EFFECT, or PYTHONS for a call that is Python's."""
    if row["known"] == 0 or (row["on_device"] and this != np.uint64(state[DEVICE])):
        return PYTHONS
    if row["blit"] >= 0:
        return HAS_EFFECT
    if state[DEVICE] == NO_DEVICE or (row["counts"] and call["result"] == 0):
        return PYTHONS
    if row["counts"]:
        return np.int64(SILENT)  # references are left
    return HAS_EFFECT if is_done(call) else np.int64(FAILED)  # the API refused the call: nothing happened


@stage
def _do(row, rows, chunk, call, here, out):
    """Does one call of a row: (what _tokens returns, why not if that is REFUSED)."""
    if row["draw"] >= 0:
        why = old_draw(rows.draws[row["draw"]], rows.shapes, chunk, call, here, out)
        return np.int64(0) if why == GO_ON else REFUSED, why
    state = here.state
    user, index = state[USER], state[INDEX]
    position, header, records = state[POSITION], state[HEADER], state[RECORDS]
    why, told = GO_ON, REFUSED
    if row["vertices"] >= 0:
        why = _keep_vertices(row, chunk, call.args, here, out)
    if why == GO_ON and row["indices"] >= 0:
        why = _keep_indices(row, chunk, call.args, here, out)
    if why == GO_ON and row["older"] < FIRST_ALONE:
        told = _tokens(row, rows, chunk, call, here, out)
    if why == GO_ON and told == REFUSED and row["older"] >= 0:
        token = rows.tokens[row["first"]]
        place = _place(token, chunk.values, call.args, rows.maps)
        told = older_call(row["older"], token, place, rows.fields, chunk, call, here, out)
    if told == REFUSED:
        state[USER], state[USER_AT] = user, 0
        state[INDEX], state[POSITION], state[HEADER], state[RECORDS] = index, position, header, records
    return told, PYTHON_MUST if why == GO_ON else why


@stage
def _makes_room(why, call, here, out):
    """Has what was gathered wait for later, if that is all that hinders a call."""
    if not (why == FLUSH_FIRST or (why == IS_FULL and here.state[POSITION] > 0)) or not post(here, out):
        return False
    if why == FLUSH_FIRST:
        here.state[FLUSHED] = np.int64(call.number) + 1
    return True


@stage
def _end(i, why, state):
    """The loop ends before call i, for a reason."""
    state[WHY] = why
    return i


_CONVERT = i8(
    i8, i8, i8, array("u1"), array(CALL), array("u8"), array("u1"), array("i4", 2), array("i8", 2), array(ROW), array(TOKEN),
    array(FIELD), array(NEED), array("i4"), array(DRAW), array("i4", 2), array("u8"), array("u4"), array("u8"), array("u4"),
    array("u4"), array("u1"), array("u4"), array("u4"), array("i4", 2), array("u1"), array("u1"), array("i8"), array("i8"),
    array("u1"), array("u4"), array("i8"), array(BLIT), array("i4", 2), array("i8", 2), array("u1"),
)  # fmt: skip


@kernel(_CONVERT)
def convert(
    i, n, first, data, calls, values, tags, known, definitions, table, tokens, fields, needs, maps, draws, shapes, keys,
    handles, infos, registers, recorded, touched, commands, sources, own, user, indices, state, sent, verdicts, scratch, starts,
    blits, places, queue, posted,
):  # fmt: skip
    """Applies rows to calls i..n; returns the first call not done, state[WHY] tells why.

    data..definitions: columns of calls (see Calls; `first` is the number of calls[0]).  table..shapes: compiled rows.  keys,
    handles, infos: objects by pointer.  registers: the API's view of device state; recorded, touched: values and flags of the
    state block being recorded. commands: dwords of the command buffer; sources: call number per record; own: where tokens
    are that are not padded; user, indices: memory of DrawPrimitiveUP; state, sent: see layout.  blits: rows, too; places: of
    members of structures; queue: see layout; posted: what its command buffers hold.
    """
    rows = Rows(tokens, fields, needs, maps, draws, shapes, blits, places)
    here = Here(keys, handles, infos, registers, state, starts, sent)
    out = Out(commands, sources, own, user, indices, recorded, touched, scratch, queue, posted)
    chunk = Chunk(data, values, tags, known, definitions)
    state[WHY] = PYTHON_MUST
    while i < n:
        call = calls[i]
        row = table[np.int64(call["signature"])]
        args = np.int64(call["args"])
        verdict = _verdict_before(row, call, values[args], state)
        if verdict == PYTHONS:
            return i
        if verdict != HAS_EFFECT:
            verdicts[i] = verdict
            i += 1
            continue
        here_call = Call(args, np.uint32(first + i), np.int64(len(definitions) if call["flags"] & DEFINES else 0))
        if row["blit"] >= 0:
            waiting, why = queue_call(i, calls, table, rows.blits, chunk, here_call, here, rows.places, out.queue)
            if waiting == 0 and not _makes_room(why, here_call, here, out):
                return _end(i, why, state)
            for _ in range(waiting):
                verdicts[i] = PYTHON
                i += 1
            continue
        begin, records = state[USER], state[RECORDS]
        if row["draw"] < 0 and (state[POSITION] + MARGIN > 4 * len(commands) or records + 8 > len(sources)):
            if row["verdict"] < 0 and _makes_room(IS_FULL, here_call, here, out):
                continue
            return _end(i, IS_FULL if row["verdict"] < 0 else PYTHON_MUST, state)
        if not _has_needs(row, rows, values, args, here):
            return i
        if _does_nothing(row, values, args):
            verdicts[i] = SILENT
            i += 1
            continue
        told, why = _do(row, rows, chunk, here_call, here, out)
        if told == REFUSED:
            if _makes_room(why, here_call, here, out):
                continue
            return _end(i, why, state)
        verdicts[i] = _judge(told, state[RECORDS] > records) if row["verdict"] < 0 else row["verdict"]
        i += 1
        if (row["flushes"] or (row["vertices"] >= 0 and state[USER] >= begin + ALONE)) and not post(here, out):
            return _end(i, FLUSH_NOW, state)
    return _end(i, DONE, state)
