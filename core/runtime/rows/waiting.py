"""What waits for Python while the loop goes on, compiled, for `convert`.

A command buffer that is complete is copied aside (`post`) instead of ending the loop, and calls of Direct3D 8 whose methods do
nothing but call the driver are noted down (`wait`).  Both become rows of the queue, in order; `core.runtime.late` does what
they say when the loop ends.  What waits is older than the tokens.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import allocating, outlined, stage
from core.runtime.calls.values import ARRAY, NULL, OPAQUE, read_uint
from core.runtime.rows.layout import (
    COMMANDS,
    DEVICE,
    GO_ON,
    HEADER,
    INDEX,
    LOCK_BUFFER,
    LOCKED,
    MAY_WAIT,
    MEMCPY,
    METHOD,
    NOTHING_SENT,
    OWN,
    P_AT,
    P_BASE,
    P_BUFFER,
    P_FORMAT,
    P_INDEX,
    P_RECORDS,
    P_SIZE,
    P_SOURCES,
    P_STRIDE,
    P_USER,
    P_USER_AT,
    POSITION,
    POSTED,
    PRESENT,
    PRESENTS,
    PYTHON_MUST,
    Q_KIND,
    QUEUED,
    RECORDS,
    SENT_BUFFER,
    SENT_FORMAT,
    SENT_STRIDE,
    UNLOCK_BUFFER,
    USER,
    USER_AT,
    USER_BASE,
    USER_SPARE,
    W_ADDRESS,
    W_AT,
    W_BYTES,
    W_FLAGS,
    W_OFFSET,
    W_SIZE,
    W_THIS,
)
from core.runtime.rows.old_draws import closed_up
from core.runtime.rows.words import blob_at, find, number_at

MOST_COPIED = 1 << 16  # bytes of indices
MOST = (1 << 58) - 1  # addresses, beside which there is room for the spaces of layout.TEXTURE_HANDLE_KEY and its kin


@allocating
def _copy(target, at, commands, words, sources, records, indices, index):
    """Copies commands, sources and indices, one behind the other, to target[at:]."""
    for given in (commands[:words].view(np.uint8), sources[:records].view(np.uint8), indices[:index]):
        into = target[at : at + len(given)]
        for i in range(len(given)):
            into[i] = given[i]
        at += len(given)


@allocating
def _close_up(posted, at, size, own, count):
    """`closed_up` of posted[at:at + size]."""
    return closed_up(posted[at : at + size], size, own, count)


@outlined
def post(here, out):
    """Has the gathered commands wait, if there are any, and begins the next; False if Python must send them."""
    state, queue, posted = here.state, out.queue, out.posted
    size, records, user, index, q = state[POSITION], state[RECORDS], state[USER], state[INDEX], state[QUEUED]
    if size == 0:
        return True
    base = state[USER_BASE]
    behind = base if state[USER_AT] != 0 else base + ((user + 63) & ~np.int64(63))
    at, length = state[POSTED], size + 4 * records + index
    has_room = q < len(queue) and behind <= USER_SPARE and index <= MOST_COPIED and at + length <= len(posted)
    if state[MAY_WAIT] == 0 or not has_room:
        return False
    _copy(posted, at, out.commands, size >> 2, out.sources, records, out.indices, index)
    queue[q, Q_KIND], queue[q, P_AT], queue[q, P_SIZE] = COMMANDS, at, size
    queue[q, P_SOURCES], queue[q, P_RECORDS] = at + size, records
    if state[OWN] > 0:
        queue[q, P_SIZE] = _close_up(posted, at, size, out.own, state[OWN])
    queue[q, P_USER], queue[q, P_USER_AT], queue[q, P_BASE], queue[q, P_INDEX] = user, state[USER_AT], base, index
    sent = here.sent
    queue[q, P_FORMAT], queue[q, P_STRIDE], queue[q, P_BUFFER] = sent[SENT_FORMAT], sent[SENT_STRIDE], sent[SENT_BUFFER]
    sent[SENT_BUFFER] = NOTHING_SENT
    state[POSTED], state[QUEUED] = at + length, q + 1
    state[POSITION], state[HEADER], state[RECORDS], state[OWN] = 0, -1, 0, 0
    state[USER], state[USER_AT], state[USER_BASE], state[INDEX] = 0, 0, behind, 0
    return True


@stage
def _may_wait(blit, chunk, call, here):
    """Whether what a call does may be done later: it neither sets what the loop reads nor makes tokens."""
    state, kind = here.state, blit["kind"]
    if kind == MEMCPY:
        return True
    slot = call.args + blit["target"]
    this = number_at(chunk, slot, MOST)
    if kind == PRESENT:
        whole = chunk.tags[call.args + blit["box"]] == NULL and chunk.tags[call.args + blit["area"]] == NULL
        return whole and state[PRESENTS] != 0 and this == state[DEVICE]
    if this < 0 or here.handles[find(here.keys, np.uint64(this))] == 0:
        return False
    return state[LOCKED] == (0 if kind == LOCK_BUFFER else this)


@stage
def _address_at(chunk, slot):
    """The address that an argument points to; -1 if there is none."""
    p, data = np.int64(chunk.values[slot]), chunk.data
    if chunk.tags[slot] != ARRAY or data[p] != ARRAY or data[p + 1] != 1 or data[p + 2] != OPAQUE:
        return np.int64(-1)
    address, _ = read_uint(data, p + 3)
    return np.int64(address) if address <= np.uint64(MOST) else np.int64(-1)


@stage
def _note_numbers(blit, chunk, call, queue, q):
    """Writes the numbers of a call to queue[q]; whether there are no others in it."""
    args = call.args
    queue[q, W_THIS] = number_at(chunk, args + blit["target"], MOST)
    if blit["kind"] == LOCK_BUFFER:
        queue[q, W_OFFSET] = number_at(chunk, args + blit["x"], 0xFFFFFFFF)
        queue[q, W_SIZE] = number_at(chunk, args + blit["y"], 0xFFFFFFFF)
        queue[q, W_FLAGS] = number_at(chunk, args + blit["flags"], 0xFFFFFFFF)
        queue[q, W_ADDRESS] = _address_at(chunk, args + blit["area"])
        return min(queue[q, W_OFFSET], queue[q, W_SIZE], queue[q, W_FLAGS], queue[q, W_ADDRESS]) >= 0
    if blit["kind"] == MEMCPY:
        slot = args + blit["origin"]
        queue[q, W_AT], queue[q, W_BYTES] = blob_at(chunk.data, chunk.tags[slot], chunk.values[slot])
        return queue[q, W_THIS] >= 0 and queue[q, W_BYTES] >= 0
    return True


@stage
def wait(blit, chunk, call, here, queue, q):
    """Notes down a call in queue[q]; returns a reason why not."""
    if here.state[MAY_WAIT] == 0 or not _may_wait(blit, chunk, call, here):
        return PYTHON_MUST
    queue[q, Q_KIND] = blit["kind"] if _note_numbers(blit, chunk, call, queue, q) else METHOD
    return GO_ON


@stage
def note_lock(blit, chunk, call, here):
    """After a call was noted down: which buffer is locked."""
    if blit["kind"] == LOCK_BUFFER:
        here.state[LOCKED] = np.int64(chunk.values[call.args + blit["target"]])
    elif blit["kind"] == UNLOCK_BUFFER:
        here.state[LOCKED] = 0
