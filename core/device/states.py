"""State tokens: what a DP2 stream writes into the register vector.

`walk` is the one implementation, used when the device executes and when the timeline only wants to know who wrote what.
It applies records in order and stops *before* the first that it does not do: draws, clears, copies, objects, and the few states
that need a look at other objects.  Those are done by core.device.draw_loop or in Python (core.device.operations), which writes
through `Registers.write`.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.device.records import RECORD
from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import Pointer, advance, calling, pointer
from core.matrices import as_float, float_bits
from core.matrices import dword_at as _word
from core.spec.slots import BASE, CLIP_PLANES, PIXEL_CONSTANTS, STREAMS, VERTEX_CONSTANTS
from core.spec.slots import LIGHT_SLOTS as LIGHT_WORDS
from core.spec.tokens import Op

FAST_LIGHTS = 256  # lights with lower numbers are found without Python
MOST_WRITES = 64  # of a record without a constant count


RENDER_STATE, TEXTURE_STAGE = BASE["render_state"], BASE["texture_stage"]
VIEW, PROJECTION = BASE["view"], BASE["projection"]
TEXTURE_TRANSFORM, WORLD = BASE["texture_transform"], BASE["world"]
MATERIAL, VIEWPORT, ZRANGE, WINFO = BASE["material"], BASE["viewport"], BASE["zrange"], BASE["winfo"]
CLIP_PLANE, STREAM, INDICES = BASE["clip_plane"], BASE["stream"], BASE["indices"]
VERTEX_SHADER, PIXEL_SHADER = BASE["vertex_shader"], BASE["pixel_shader"]
RENDER_TARGET, DEPTH_STENCIL, SCENE = BASE["render_target"], BASE["depth_stencil"], BASE["scene"]
VS_CONST, PS_CONST = BASE["vs_const"], BASE["ps_const"]

_OP = {name: int(Op[name]) for name in (
    "RENDERSTATE", "TEXTURESTAGESTATE", "VIEWPORTINFO", "WINFO", "ZRANGE", "SETMATERIAL", "SETLIGHT", "CREATELIGHT",
    "SETTRANSFORM", "MULTIPLYTRANSFORM", "SETRENDERTARGET", "SETCLIPPLANE", "SETVERTEXSHADER", "SETVERTEXSHADERCONST",
    "SETSTREAMSOURCE", "SETSTREAMSOURCEUM", "SETINDICES", "SETPIXELSHADER", "SETPIXELSHADERCONST",
)}  # fmt: skip
(OP_RENDERSTATE, OP_TEXTURESTAGESTATE, OP_VIEWPORTINFO, OP_WINFO, OP_ZRANGE, OP_SETMATERIAL, OP_SETLIGHT, OP_CREATELIGHT,
 OP_SETTRANSFORM, OP_MULTIPLYTRANSFORM, OP_SETRENDERTARGET, OP_SETCLIPPLANE, OP_SETVERTEXSHADER, OP_SETVERTEXSHADERCONST,
 OP_SETSTREAMSOURCE, OP_SETSTREAMSOURCEUM, OP_SETINDICES, OP_SETPIXELSHADER, OP_SETPIXELSHADERCONST) = _OP.values()  # fmt: skip

SCENECAPTURE = 62
# Render states that mean something else too: texture states of DirectX 5 and 6, the deletion of a patch.
LEGACY_STATES = (1, 3, 5, 6, 17, 18, 21, 43, 44, 45, 46, 49, 169)
PYTHON_STATE = np.zeros(256, np.uint8)
PYTHON_STATE[list(LEGACY_STATES)] = 1
LEGACY_ADDRESS = 12  # D3DTSS_ADDRESS


Writes = namedtuple("Writes", "vector keys values room seq")
"""Where slots are written: the register vector; the log, and how long it can be (0: there is none); the event."""

PYTHON = -1  # instead of the log's length: the record is none of ours


@stage
def _put(out, slot, value, count):
    """Writes a slot, and logs it when there is a log; returns the log's new length."""
    out.vector[slot] = value
    if out.room == 0:
        return count
    out.keys[count] = np.uint64(slot) << np.uint64(32) | np.uint64(out.seq)
    out.values[count] = value
    return count + 1


@outlined
def _copy(out, slot, commands, at, words, count):
    """Writes consecutive slots from consecutive dwords of the stream."""
    for n in range(words):
        count = _put(out, slot + n, _word(commands, at + 4 * n), count)
    return count


@stage
def _render_state(out, commands, at, python_state, count):
    state, value = _word(commands, at), _word(commands, at + 4)
    if state >= 256 or python_state[state] != 0:
        return PYTHON
    count = _put(out, RENDER_STATE + state, value, count)
    return _put(out, SCENE, value, count) if state == SCENECAPTURE else count


@stage
def _texture_stage_state(out, commands, at, count):
    key = _word(commands, at)
    stage, state = key & 0xFFFF, key >> 16
    if stage >= 8 or state >= 32 or state == LEGACY_ADDRESS:
        return PYTHON
    return _put(out, TEXTURE_STAGE + stage * 32 + state, _word(commands, at + 4), count)


@stage
def _constants(out, commands, at, size, base, most, count):
    """SETVERTEXSHADERCONST, SETPIXELSHADERCONST."""
    first, many = np.int64(_word(commands, at)), np.int64(_word(commands, at + 4))
    if first + many > most or size < 8 + 16 * many:
        return PYTHON
    return _copy(out, base + 4 * first, commands, at + 8, 4 * many, count)


@outlined
def _transform_slot(which):
    """The first slot of D3DTRANSFORMSTATETYPE `which`, -1: no such transform. DirectX 7's 1, 4, 5, 6 are WORLD0..3."""
    if which == 1:
        return WORLD
    if which == 2:
        return VIEW
    if which == 3:
        return PROJECTION
    if which <= 6 and which >= 4:
        return WORLD + 16 * (which - 3)
    if which >= 16 and which < 24:
        return TEXTURE_TRANSFORM + 16 * (which - 16)
    if which >= 256 and which < 512:
        return WORLD + 16 * (which - 256)
    return -1


@outlined
def _multiply(out, slot, commands, at, product, count):
    """new = given * current, in float32, sums from left to right; product: room for 16 words."""
    for row in range(4):
        for column in range(4):
            total = np.float32(0.0)
            for k in range(4):
                left, right = _word(commands, at + 16 * row + 4 * k), out.vector[slot + 4 * k + column]
                total += as_float(left) * as_float(right)
            product[4 * row + column] = np.int64(float_bits(total))
    for n in range(16):
        count = _put(out, slot + n, np.uint32(product[n]), count)
    return count


@stage
def _stream_source(out, commands, at, count):
    stream = _word(commands, at)
    if stream >= STREAMS:
        return PYTHON
    count = _copy(out, STREAM + 3 * stream, commands, at + 4, 2, count)
    return _put(out, STREAM + 3 * stream + 2, 0, count)


@stage
def _user_stream_source(out, commands, at, count):
    stream = _word(commands, at)
    if stream >= STREAMS:
        return PYTHON
    count = _put(out, STREAM + 3 * stream, 0, count)
    count = _put(out, STREAM + 3 * stream + 1, _word(commands, at + 4), count)
    return _put(out, STREAM + 3 * stream + 2, 1, count)


@stage
def _light(out, lights, commands, at, count):
    """SETLIGHT."""
    light, what = _word(commands, at), _word(commands, at + 4)
    if light >= FAST_LIGHTS or lights[light] < 0 or what > 2:
        return PYTHON
    if what == 2:
        return _copy(out, lights[light], commands, at + 8, LIGHT_WORDS - 1, count)
    return _put(out, lights[light] + LIGHT_WORDS - 1, 1 - what, count)


@stage
def _rare(out, lights, commands, op, at, log, count):
    """What is set once in many draws."""
    if op == OP_SETMATERIAL:
        return _copy(out, MATERIAL, commands, at, 17, count)
    if op == OP_SETLIGHT:
        return _light(out, lights, commands, at, count)
    if op == OP_CREATELIGHT:
        light = _word(commands, at)
        return PYTHON if light >= FAST_LIGHTS or lights[light] < 0 else count
    if op == OP_VIEWPORTINFO:
        return _copy(out, VIEWPORT, commands, at, 4, count)
    if op == OP_ZRANGE:
        return _copy(out, ZRANGE, commands, at, 2, count)
    if op == OP_WINFO:
        return _copy(out, WINFO, commands, at, 2, count)
    if op == OP_SETCLIPPLANE:
        plane = _word(commands, at)
        return PYTHON if plane >= CLIP_PLANES else _copy(out, CLIP_PLANE + 4 * plane, commands, at + 4, 4, count)
    if op == OP_MULTIPLYTRANSFORM:
        slot = _transform_slot(np.int64(_word(commands, at)))
        return PYTHON if slot < 0 else _multiply(out, slot, commands, at + 4, log, count)
    return PYTHON


@stage
def _apply(out, lights, commands, python_state, op, at, size, log, count):
    """Carries out a record; returns the log's new length, or PYTHON."""
    if op == OP_RENDERSTATE:
        return _render_state(out, commands, at, python_state, count)
    if op == OP_TEXTURESTAGESTATE:
        return _texture_stage_state(out, commands, at, count)
    if op == OP_SETVERTEXSHADERCONST:
        return _constants(out, commands, at, size, VS_CONST, VERTEX_CONSTANTS, count)
    if op == OP_SETPIXELSHADERCONST:
        return _constants(out, commands, at, size, PS_CONST, PIXEL_CONSTANTS, count)
    if op == OP_SETTRANSFORM:
        slot = _transform_slot(np.int64(_word(commands, at)))
        return PYTHON if slot < 0 else _copy(out, slot, commands, at + 4, 16, count)
    if op == OP_SETSTREAMSOURCE:
        return _stream_source(out, commands, at, count)
    if op == OP_SETSTREAMSOURCEUM:
        return _user_stream_source(out, commands, at, count)
    if op == OP_SETINDICES:
        return _copy(out, INDICES, commands, at, 2, count)
    if op == OP_SETVERTEXSHADER:
        handle = _word(commands, at)
        return PYTHON if handle == 0 or handle & 1 != 0 else _put(out, VERTEX_SHADER, handle, count)
    if op == OP_SETPIXELSHADER:
        return PYTHON if _word(commands, at) != 0 else _put(out, PIXEL_SHADER, 0, count)
    return _rare(out, lights, commands, op, at, log, count)


WALK = i8(Pointer("u4"), Pointer("i4"), Pointer("u1"), Pointer(RECORD), i8, i8, i8, Pointer("u8"), Pointer("u4"), i8,
          Pointer("i8"), Pointer("u1"))  # fmt: skip
call_walk = calling(WALK)
LOG_WORDS = 18
"""int64 words of `log`: the log's length, in and out; 1 if it had too little room; room for a matrix."""


@kernel(WALK)
def walk(vector, lights, commands, records, start, stop, first_seq, keys, values, room, log, python_state):
    """Applies records[start:stop] to `vector` until one needs Python; returns its index, or `stop`.

    vector: uint32[>= SLOTS]; lights: int32[FAST_LIGHTS], a light's first slot or -1; record n is event first_seq + n.
    keys (slot << 32 | seq) and values are the log of writes, room their length, 0 without one.  log: LOG_WORDS; a log with too
    little room also stops the walk.
    """
    count = log[0]
    log[1] = 0
    n = start
    while n < stop:
        record = records[n]
        size = np.int64(record.size)
        if room != 0 and count + (size >> 2) + MOST_WRITES > room:
            log[1] = 1
            break
        out = Writes(vector, keys, values, room, first_seq + n)
        after = _apply(out, lights, commands, python_state, record.op, np.int64(record.offset), size, advance(log, 2), count)
        if after == PYTHON:
            break
        count = after
        n += 1
    log[0] = count
    return n


@kernel(i8(i8, array("u4"), array("i4"), array("u1"), array(RECORD), i8, i8, i8, array("u8"), array("u4"), array("i8"),
           array("u1")))  # fmt: skip
def walk_states(entry, vector, lights, commands, records, start, stop, first_seq, keys, values, log, python_state):
    """`walk` (which stands at the address `entry`) over arrays."""
    return call_walk(entry, (
        pointer(vector, 0), pointer(lights, 0), pointer(commands, 0), pointer(records, 0), start, stop, first_seq,
        pointer(keys, 0), pointer(values, 0), keys.size, pointer(log, 0), pointer(python_state, 0),
    ))  # fmt: skip
