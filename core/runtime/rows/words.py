"""The words of a token: the value of each field, from the arguments of a call.  Compiled, for `convert`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.jit import allocating, outlined, stage
from core.matrices import as_float, dword_at, float_bits
from core.runtime.calls.values import (
    ARRAY,
    BLOB,
    ENUMV,
    FALSE,
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
    space_of,
)
from core.runtime.rows.layout import (
    ARG,
    ARG16,
    BLOB_WORDS,
    CLEAR_FLAGS,
    CONST,
    CONST16,
    DEPTH_RANGE,
    DIRTY,
    DIRTY_BIT,
    ELEMENT_SIZE,
    FINITE,
    HELD,
    INDEX_HANDLE,
    INDEX_SIZE,
    INDEX_START,
    NOT,
    OBJECT,
    PIXEL_SHADER,
    PIXEL_SHADER_KEY,
    SCRATCH,
    STAGE_VALUE,
    STRUCT_WORDS,
    TARGET_HEIGHT,
    TARGET_WIDTH,
    THINNEST,
    VERTEX_SHADER,
    VERTEX_SHADER_KEY,
    VERTEX_START,
    VISIBLE,
)
from core.spec.enums import ClearFlag
from core.spec.slots import BASE
from core.spec.states import TEXTURE_STAGE_STATE_ID

INDEX16 = np.uint64(101)  # D3DFMT_INDEX16
OF_DEPTH, DEPTH_SURFACE, VIEWPORT = int(ClearFlag.ZBUFFER | ClearFlag.STENCIL), BASE["depth_stencil"], BASE["viewport"]
DWORD, EXPONENT = np.uint64(0xFFFFFFFF), np.uint64(0x7F800000)
ADDRESS, MAG_FILTER, MIP_FILTER = (
    TEXTURE_STAGE_STATE_ID["ADDRESS"],
    TEXTURE_STAGE_STATE_ID["MAGFILTER"],
    TEXTURE_STAGE_STATE_ID["MIPFILTER"],
)


class Chunk(NamedTuple):
    """Columns of calls (see columns.Calls)."""

    data: np.ndarray
    values: np.ndarray
    tags: np.ndarray
    known: np.ndarray
    definitions: np.ndarray


class Here(NamedTuple):
    """What fields take from elsewhere: objects by pointer, registers, numbers of the command buffer, the call's first vertex
    and index in user memory; what the device was told about vertices."""

    keys: np.ndarray
    handles: np.ndarray
    infos: np.ndarray
    registers: np.ndarray
    state: np.ndarray
    starts: np.ndarray
    sent: np.ndarray


class Call(NamedTuple):
    """A call: where its arguments begin, its number, how many of the chunk's definitions may stand inside of it."""

    args: np.int64
    number: np.uint32
    defined: np.int64


@stage
def find(keys, key):
    """Index of the key in an open-addressing table of power-of-two length, or of the free place for it."""
    mask = np.uint64(len(keys) - 1)
    h = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    while True:
        h &= mask
        if keys[np.int64(h)] == key or keys[np.int64(h)] == np.uint64(0):
            return np.int64(h)
        h += np.uint64(1)


@stage
def named(data, p, end, tag, definitions, defined):
    """(number, what follows it) of the enumeration or mask at p."""
    v, p = read_uint(data, p)
    p = past_words(data, p, end, space_of(tag), np.int64(v), definitions, defined)
    sign = data[p]
    if tag == ENUMV:
        p += 1
    v, p = read_uint(data, p)
    if tag == ENUMV and sign == SINT:
        v = np.uint64(0) - v
    return v, p


@outlined
def _leaves(data, p, known, definitions, defined, out, at, a, b):
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
        leaf = np.uint32(0)
        if tag == FLOAT:
            leaf = dword_at(data, p)
            p += 4
        elif tag == ARRAY:
            v, p = read_uint(data, p)
            todo += np.int64(v)
            continue
        elif tag == STRUCTV:
            v, p = read_uint(data, p)
            p = past_words(data, p, end, STRUCT, np.int64(v), definitions, defined)
            todo += np.int64(known[STRUCT, np.int64(v)])
            continue
        elif tag in (UINT, SINT, OPAQUE):
            v, p = read_uint(data, p)
            leaf = np.uint32((np.uint64(0) - v if tag == SINT else v) & np.uint64(0xFFFFFFFF))
        elif tag in (ENUMV, MASKV):
            v, p = named(data, p, end, tag, definitions, defined)
            leaf = np.uint32(v & np.uint64(0xFFFFFFFF))
        elif tag > TRUE:
            return np.int64(-1)
        elif tag == TRUE:
            leaf = np.uint32(1)
        if a <= n < b:
            out[at + n - a] = leaf
        n += 1
    return n


@allocating
def copy_bytes(target, at, source, p, size):
    """Bytes from one array to another; numba's slice assignment allows for overlap: ten times slower."""
    into, given = target[at : at + size], source[p : p + size]
    for i in range(size):
        into[i] = given[i]


@stage
def blob_at(data, tag, value):
    """(offset, size) of a blob argument; size -1 if it is none."""
    if tag != BLOB:
        return np.int64(0), np.int64(-1)
    v, p = read_uint(data, np.int64(value) + 1)
    return p, np.int64(v)


@stage
def number_at(chunk, slot, most):
    """An argument that is a number up to `most`; -1 for all else."""
    tag, v = chunk.tags[slot], chunk.values[slot]
    fits = (FALSE <= tag <= UINT and tag != SINT) or tag in (ENUMV, MASKV, OPAQUE)
    return np.int64(v) if fits and v <= np.uint64(most) else np.int64(-1)


@stage
def _struct(chunk, field, slot, defined, scratch, w):
    """Dwords a..b of a structure; returns where the next word goes, -1 if there are fewer."""
    a, b = np.int64(field["a"]), np.int64(field["b"])
    if chunk.tags[slot] == NULL:
        return np.int64(-1)
    p = np.int64(chunk.values[slot])
    found = _leaves(chunk.data, p, chunk.known, chunk.definitions, defined, scratch, w, a, b)
    return w + b - a if found >= b else np.int64(-1)


@stage
def _blob(chunk, slot, scratch, w):
    """All dwords of a blob; returns where the next word goes, -1 if it is none, or too long."""
    p, size = blob_at(chunk.data, chunk.tags[slot], chunk.values[slot])
    if size < 0 or size > 4 * (SCRATCH - 64) or size & 3:
        return np.int64(-1)
    for _ in range(size >> 2):
        scratch[w] = dword_at(chunk.data, p)
        w += 1
        p += 4
    return w


@stage
def _vertex_shader(here, value):
    """A shader's handle, or the vertex format that the number is (odd ones are shaders); -1 if nothing is known there."""
    handle = here.handles[find(here.keys, value | VERTEX_SHADER_KEY)]  # Wine's handles may be even: ask the table first
    if handle != np.uint32(0):
        return np.int64(handle)
    return np.int64(-1) if value & np.uint64(1) != np.uint64(0) else np.int64(np.uint32(value))


@stage
def _object(here, kind, value):
    """The handle of what the pointer names, 0 for NULL, -1 if nothing is known there; of an index buffer its element size."""
    if kind == VERTEX_SHADER:
        return _vertex_shader(here, value)
    if value == np.uint64(0):
        return np.int64(0)
    x = find(here.keys, value | PIXEL_SHADER_KEY if kind == PIXEL_SHADER else value)
    if here.handles[x] == np.uint32(0):
        return np.int64(-1)
    if kind == ELEMENT_SIZE:
        return np.int64(here.infos[x] & np.uint64(0xFF))
    if here.infos[x] & DIRTY_BIT != np.uint64(0):
        here.state[DIRTY] = 1
    return np.int64(here.handles[x])


@stage
def _number(here, field, value):
    """A field of one dword that is no object."""
    kind = field["kind"]
    if kind == ARG:
        return np.uint32(value & np.uint64(0xFFFFFFFF))
    if kind == CONST:
        return np.uint32(field["a"])
    if kind == HELD:
        return here.registers[field["a"]]
    if kind == INDEX_SIZE:
        return np.uint32(2) if value == INDEX16 else np.uint32(4)
    if kind == NOT:
        return np.uint32(1) if value == np.uint64(0) else np.uint32(0)
    if kind == VERTEX_START:
        return np.uint32(here.starts[0])
    if kind == INDEX_START:
        return np.uint32(here.starts[1])
    return np.uint32(here.state[INDEX_HANDLE])


@stage
def _stage_value(state, value):
    """The value of a texture stage state of Direct3D 7 with the filter numbers of 8; -1: Python sets ADDRESS, which is two."""
    if state == ADDRESS:
        return np.int64(-1)
    v = np.int64(np.uint32(value & np.uint64(0xFFFFFFFF)))
    if state == MAG_FILTER and 3 <= v <= 5:  # FLATCUBIC, GAUSSIANCUBIC, ANISOTROPIC
        return np.int64(3) if v == 5 else v + 1
    if state == MIP_FILTER and 1 <= v <= 3:  # NONE, POINT, LINEAR
        return v - 1
    return v


@stage
def _visible(here, scratch, w):
    """The viewport's part of the render target: left, top, right, bottom.  Returns -1 if it is empty or no size is known."""
    x, y = np.int64(here.registers[VIEWPORT]), np.int64(here.registers[VIEWPORT + 1])
    right = min(x + np.int64(here.registers[VIEWPORT + 2]), here.state[TARGET_WIDTH])
    bottom = min(y + np.int64(here.registers[VIEWPORT + 3]), here.state[TARGET_HEIGHT])
    scratch[w], scratch[w + 1], scratch[w + 2], scratch[w + 3] = np.uint32(x), np.uint32(y), np.uint32(right), np.uint32(bottom)
    return w + 4 if x < right and y < bottom else np.int64(-1)


@stage
def _clear(here, kind, tag, value, scratch, w):
    """A field of CLEAR: returns where the next word goes, -1 for what Python is to refuse, and for rectangles."""
    if kind == VISIBLE:
        return _visible(here, scratch, w) if tag == NULL else np.int64(-1)
    scratch[w] = np.uint32(value & DWORD)
    if kind == FINITE:
        fine = tag == FLOAT and value & EXPONENT != EXPONENT
    else:
        fine = FALSE <= tag <= UINT or tag in (ENUMV, MASKV, OPAQUE)
    if kind == CLEAR_FLAGS:
        depth_fits = here.registers[DEPTH_SURFACE] != 0 or value & np.uint64(OF_DEPTH) == np.uint64(0)
        fine = fine and value <= DWORD and depth_fits
    return w + 1 if fine else np.int64(-1)


@stage
def _far(near, far):
    """The greater end of a depth range: THINNEST beyond the lesser at least.  What is not a number stays."""
    least = as_float(near) + np.float32(THINNEST)
    return float_bits(least) if as_float(far) < least else np.uint32(far)


@stage
def gather(token, fields, chunk, here, call, scratch):
    """Puts the words of a token into scratch in order; returns how many, -1 if Python must do the call."""
    w = np.int64(0)
    half = False
    for f in range(token["first"], token["first"] + token["count"]):
        field = fields[f]
        kind = field["kind"]
        slot = call.args + max(np.int64(field["arg"]), np.int64(0))
        if kind in (ARG16, CONST16):
            v = np.uint32(field["a"]) if kind == CONST16 else np.uint32(chunk.values[slot] & np.uint64(0xFFFF))
            scratch[w] = scratch[w] | v << np.uint32(16) if half else v
            w += np.int64(half)
            half = not half
        elif kind == STRUCT_WORDS:
            w = _struct(chunk, field, slot, call.defined, scratch, w)
        elif kind == DEPTH_RANGE:
            w = _struct(chunk, field, slot, call.defined, scratch, w)
            if w >= 2:
                scratch[w - 1] = _far(scratch[w - 2], scratch[w - 1])
        elif kind == BLOB_WORDS:
            w = _blob(chunk, slot, scratch, w)
        elif kind in (OBJECT, VERTEX_SHADER, PIXEL_SHADER, ELEMENT_SIZE):
            handle = _object(here, kind, chunk.values[slot])
            scratch[w] = np.uint32(handle)
            w = w + 1 if handle >= 0 else np.int64(-1)
        elif kind == STAGE_VALUE:
            number = _stage_value(np.int64(scratch[w - 1] >> np.uint32(16)), chunk.values[slot])
            scratch[w] = np.uint32(number)
            w = w + 1 if number >= 0 else np.int64(-1)
        elif kind >= CLEAR_FLAGS:
            w = _clear(here, kind, chunk.tags[slot], chunk.values[slot], scratch, w)
        else:
            scratch[w] = _number(here, field, chunk.values[slot])
            w += 1
        if w < 0:
            break
    return w
