"""Draws of Direct3D 7 and 6 as tokens of DirectX 7, compiled, for `convert`.  In Python: core.runtime.directdraw.draws.

A DrawPrimitives2 has one vertex type and one source of vertices: a draw with another asks for what was gathered to be sent
first.  The tokens end where their last index does; here each is filled up to whole dwords, and `close_up` takes that out again.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import allocating, array, i8, kernel, stage
from core.runtime.rows.layout import (
    FLUSH_FIRST,
    FLUSHED,
    GO_ON,
    HEADER,
    NOTHING_SENT,
    OWN,
    POSITION,
    PYTHON_MUST,
    RECORDS,
    SENT_BUFFER,
    SENT_FORMAT,
    SENT_STRIDE,
    USER,
    USER_BASE,
    USER_SPARE,
    VERTEX_BUFFER_KEY,
)
from core.runtime.rows.older_calls import put_state
from core.runtime.rows.older_slots import HAS_MATERIAL, IS_AIMED
from core.runtime.rows.words import blob_at, copy_bytes, find, number_at
from core.spec.enums import Fvf, PrimitiveType
from core.spec.states import RENDER_STATE_ID
from core.spec.tokens import Op

MOST = 0xFFFF  # vertices, and primitives, of a draw (D3DMAXNUMVERTICES, D3DMAXNUMPRIMITIVES)
ANY = (1 << 61) - 1  # numbers that have room for VERTEX_BUFFER_KEY
ROOM, ROOM_BEHIND = 64, 8  # bytes that a draw asks for besides its indices, and that a buffer keeps free
NORMAL, RESERVED, DIFFUSE, SPECULAR, POSITION_BITS = (
    int(bit) for bit in (Fvf.NORMAL, Fvf.PSIZE, Fvf.DIFFUSE, Fvf.SPECULAR, Fvf.POSITION_MASK)
)  # what is the size of a point in Direct3D 8 is four bytes without a meaning in 7
POINTS, FANS = int(PrimitiveType.POINTLIST), int(Op.TRIANGLEFAN_IMM)
LIGHTING = RENDER_STATE_ID["LIGHTING"]
NO_LIGHT = 0x10  # D3DDP_DONOTLIGHT
VERTEX, LIT_VERTEX, TRANSFORMED_VERTEX = 0x112, 0x1E2, 0x1C4  # D3DVT_VERTEX 1, LVERTEX 2, TLVERTEX 3, 32 bytes each


@stage
def vertex_bytes(format):
    """Bytes of a vertex; 0 for a format that has no position."""
    position = (format & POSITION_BITS) >> 1
    if position == 0:
        return np.int64(0)
    size = np.int64(12) if position == 1 else np.int64(16) if position == 2 else 4 * (position + 1)
    if format & NORMAL:
        size += 12
    if format & RESERVED:
        size += 4
    if format & DIFFUSE:
        size += 4
    if format & SPECULAR:
        size += 4
    for i in range(min(format >> 8 & 15, 8)):
        code = format >> (16 + 2 * i) & 3
        size += 4 if code == 3 else 8 + 4 * code
    return size


@stage
def _is_lit(draw, chunk, args, format, here):
    """Whether a draw of Direct3D 6 or 5 is lit: 0 or 1; -1 for draws that Python has to aim lights for."""
    flags = number_at(chunk, args + draw["flags"], ANY)
    if format & NORMAL == 0 or (flags >= 0 and flags & NO_LIGHT != 0) or here.registers[HAS_MATERIAL] == 0:
        return np.int64(0)
    return np.int64(1) if flags >= 0 and here.registers[IS_AIMED] == 0 else np.int64(-1)


@stage
def _tell_light(draw, lit, number, here, out):
    """LIGHTING, before what a draw of Direct3D 6 or 5 sends."""
    if draw["flags"] >= 0:
        put_state(LIGHTING, np.uint32(lit), number, here, out)


@stage
def _format(draw, chunk, args):
    """The format of vertices in memory, which may be one of Direct3D 5; -1 for what is none."""
    format = number_at(chunk, args + draw["format"], 0xFFFFFFFF)
    if draw["typed"] < 0:
        return format
    if not 1 <= format <= 3:
        return np.int64(-1)
    return np.int64(VERTEX if format == 1 else LIT_VERTEX if format == 2 else TRANSFORMED_VERTEX)


@stage
def _other_source(here, number):
    """What was gathered has to be sent, unless it was for this very call."""
    return here.state[FLUSHED] != np.int64(number) + 1


@stage
def _from_memory(draw, chunk, call, count, here, out):
    """Vertices in the program's memory: (their first, reason why not)."""
    state, sent = here.state, here.sent
    format = _format(draw, chunk, call.args)
    stride = vertex_bytes(format) if format > 0 else np.int64(0)
    slot = call.args + draw["vertices"]
    p, size = blob_at(chunk.data, chunk.tags[slot], chunk.values[slot])
    length = count * stride
    lit = _is_lit(draw, chunk, call.args, format, here) if draw["flags"] >= 0 else np.int64(0)
    if stride == 0 or size < length or length > len(out.user) - USER_SPARE or lit < 0:
        return np.int64(0), PYTHON_MUST
    _tell_light(draw, lit, call.number, here, out)
    begin = (state[USER] + stride - 1) // stride * stride
    same = sent[SENT_FORMAT] == format and sent[SENT_STRIDE] == stride and sent[SENT_BUFFER] == NOTHING_SENT
    if not same or begin + length > len(out.user) - USER_SPARE or (begin + length) // stride > MOST:
        if _other_source(here, call.number):
            return np.int64(0), FLUSH_FIRST
        begin = np.int64(0)
    copy_bytes(out.user, state[USER_BASE] + begin, chunk.data, p, length)
    state[USER] = begin + length
    sent[SENT_FORMAT], sent[SENT_STRIDE] = format, stride
    return begin // stride, GO_ON


@stage
def _from_buffer(draw, chunk, call, count, here, out):
    """Vertices of a vertex buffer: (their first, reason why not)."""
    pointer, start = number_at(chunk, call.args + draw["buffer"], ANY), np.int64(0)
    x = find(here.keys, np.uint64(pointer) | VERTEX_BUFFER_KEY)
    handle, vertices = np.int64(here.handles[x]), np.int64(here.infos[x] >> np.uint64(32))
    format = np.int64(here.infos[x] & np.uint64(0xFFFFFFFF))
    if draw["start"] >= 0:
        start = number_at(chunk, call.args + draw["start"], MOST)
    lit = _is_lit(draw, chunk, call.args, format, here) if draw["flags"] >= 0 else np.int64(0)
    if pointer < 0 or handle == 0 or start < 0 or start + count > vertices or lit < 0:
        return np.int64(0), PYTHON_MUST
    _tell_light(draw, lit, call.number, here, out)
    sent = here.sent
    other = sent[SENT_BUFFER] != NOTHING_SENT and sent[SENT_BUFFER] != handle
    if (here.state[USER] != 0 or other) and _other_source(here, call.number):
        return np.int64(0), FLUSH_FIRST
    sent[SENT_BUFFER], sent[SENT_FORMAT], sent[SENT_STRIDE] = handle, format, vertex_bytes(format)
    return start, GO_ON


@stage
def _vertex_count(draw, chunk, args, here):
    """How many vertices a draw has; those of its buffer where the call does not say."""
    if draw["count"] >= 0:
        return number_at(chunk, args + draw["count"], MOST)
    x = find(here.keys, chunk.values[args + draw["buffer"]] | VERTEX_BUFFER_KEY)
    return np.int64(here.infos[x] >> np.uint64(32))


@stage
def _write(out, here, op, count, body, first, second, p, indices, data, source):
    """A token of one record of its own: two words, of which there may be one, and indices from data[p:]."""
    state, commands = here.state, out.commands
    at = state[POSITION] >> 2
    out.own[state[OWN], 0], out.own[state[OWN], 1] = np.int32(state[POSITION]), np.int32(body)
    out.own[state[OWN], 2] = np.int32(state[RECORDS])
    state[OWN] += 1
    commands[at] = np.uint32(op) | np.uint32(count) << np.uint32(16)
    commands[at + 1] = np.uint32(first) | np.uint32(second) << np.uint32(16)
    for i in range(indices):
        index = np.uint32(data[p + 2 * i]) | np.uint32(data[p + 2 * i + 1]) << np.uint32(8)
        place = at + 1 + ((i + 1) >> 1)
        if i & 1:
            commands[place] = index
        else:
            commands[place] |= index << np.uint32(16)
    state[POSITION] += 4 + ((body + 3) & ~np.int64(3))
    state[HEADER] = -1
    out.sources[state[RECORDS]] = source
    state[RECORDS] += 1


@stage
def old_draw(draw, shapes, chunk, call, here, out):
    """Does a draw; returns GO_ON, or the reason why not: what is invalid or not in the trace is Python's."""
    kind = number_at(chunk, call.args + draw["kind"], len(shapes) - 1)
    count = _vertex_count(draw, chunk, call.args, here)
    p, size, indices = np.int64(0), np.int64(0), np.int64(0)
    if draw["indices"] >= 0:
        slot = call.args + draw["indices"]
        p, size = blob_at(chunk.data, chunk.tags[slot], chunk.values[slot])
        indices = number_at(chunk, call.args + draw["index_count"], 3 * MOST)
        if indices <= 0 or size < 2 * indices or kind == POINTS:
            return PYTHON_MUST
    if kind < 0 or shapes[kind, 0] == 0 or not 0 < count <= MOST:
        return PYTHON_MUST
    number = indices if draw["indices"] >= 0 else count
    each, more = np.int64(shapes[kind, 0]), np.int64(shapes[kind, 1])
    primitives = (number - more) // each
    needed = here.state[POSITION] + ROOM + 2 * indices + ROOM_BEHIND
    full = needed > 4 * len(out.commands) or here.state[RECORDS] + 1 >= len(out.sources)
    if number < more + each or primitives > MOST or full:
        return PYTHON_MUST
    if draw["buffer"] >= 0:
        first, why = _from_buffer(draw, chunk, call, count, here, out)
    else:
        first, why = _from_memory(draw, chunk, call, count, here, out)
    if why != GO_ON:
        return why
    if kind == POINTS:
        _write(out, here, shapes[kind, 2], 1, 4, primitives, first, p, 0, chunk.data, call.number)
    elif indices == 0:
        _write(out, here, shapes[kind, 2], primitives, 2, first, 0, p, 0, chunk.data, call.number)
    else:
        used = each * primitives + more
        _write(out, here, shapes[kind, 3], primitives, 2 + 2 * used, first, 0, p, used, chunk.data, call.number)
    return GO_ON


@allocating
def _move(data, to, begin, end):
    """Moves bytes towards the front; returns where they end."""
    if to != begin:
        for i in range(end - begin):
            data[to + i] = data[begin + i]
    return to + end - begin


@allocating
def closed_up(data, size, own, count):
    """The stream data[:size] with its tokens of whole bytes as long as they are: those of DirectX 7 are not padded.

    own[:count]: where each begins, bytes of its body, its record.  Vertices within the stream begin at a multiple of four.
    Returns the new size.
    """
    to = at = np.int64(0)
    for k in range(count):
        begin, length = np.int64(own[k, 0]), np.int64(own[k, 1])
        to = _move(data, to, at, begin + 4)
        at = begin + 4
        if data[begin] == FANS:
            to = _move(data, to, at, at + 4)
            while to & 3:
                data[to] = 0
                to += 1
            to = _move(data, to, at + 4, at + length)
        else:
            to = _move(data, to, at, at + length)
        at = begin + 4 + ((length + 3) & ~np.int64(3))
    return _move(data, to, at, size)


@kernel(i8(array("u1"), i8, array("i4", 2), i8))
def close_up(data, size, own, count):
    """`closed_up`, for Python."""
    return closed_up(data, size, own, count)
