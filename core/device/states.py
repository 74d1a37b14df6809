"""State tokens: what a DP2 stream writes into the register vector.

`walk_states` is the one implementation, used when the device executes and when the timeline only wants to know who wrote what.
It applies records in order and stops *before* the first that it does not do: draws, clears, copies, objects, and the few states
that need a look at other objects.  Those are done in Python (`core.device.execute`), which writes through `Registers.write`.
"""

from __future__ import annotations

import numpy as np

from core.jit import allocating, array, i8, kernel, outlined, stage
from core.spec.slots import BASE, CLIP_PLANES, PIXEL_CONSTANTS, STREAMS, VERTEX_CONSTANTS
from core.spec.slots import LIGHT_SLOTS as LIGHT_WORDS
from core.spec.tokens import Op

RECORD = np.dtype(
    [("op", "u1"), ("flags", "u1"), ("count", "u2"), ("token", "u4"), ("offset", "u4"), ("size", "u4"), ("index", "u4")]
)  # core.ddi.dp2.RECORD; the device is below the mouth and may not import it
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


@stage
def _word(commands, at):  # type: ignore[no-untyped-def]
    """The little-endian dword at a byte offset that need not be aligned."""
    return np.uint32(
        np.uint32(commands[at]) | np.uint32(commands[at + 1]) << np.uint32(8)
        | np.uint32(commands[at + 2]) << np.uint32(16) | np.uint32(commands[at + 3]) << np.uint32(24)
    )  # fmt: skip


@stage
def _put(vector: np.ndarray, slot: int, value: int, seq: int, keys: np.ndarray, values: np.ndarray, count: int) -> int:
    """Writes a slot, and logs it when there is a log; returns the log's new length."""
    vector[slot] = value
    if len(keys) == 0:
        return count
    keys[count] = np.uint64(slot) << np.uint64(32) | np.uint64(seq)
    values[count] = value
    return count + 1


@outlined
def _copy(vector, slot, commands, at, words, seq, keys, values, count):  # type: ignore[no-untyped-def]
    """Writes consecutive slots from consecutive dwords of the stream."""
    for n in range(words):
        count = _put(vector, slot + n, _word(commands, at + 4 * n), seq, keys, values, count)
    return count


@outlined
def _transform_slot(which: int) -> int:
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


@allocating
def _multiply(vector, slot, commands, at, seq, keys, values, count):  # type: ignore[no-untyped-def]
    """new = given * current, in float32, sums from left to right."""
    floats = vector[slot : slot + 16].view(np.float32)
    given = np.empty(16, np.uint32)
    for n in range(16):
        given[n] = _word(commands, at + 4 * n)
    left = given.view(np.float32)
    product = np.empty(16, np.float32)
    for row in range(4):
        for column in range(4):
            total = np.float32(0.0)
            for k in range(4):
                total += left[row * 4 + k] * floats[k * 4 + column]
            product[row * 4 + column] = total
    bits = product.view(np.uint32)
    for n in range(16):
        count = _put(vector, slot + n, bits[n], seq, keys, values, count)
    return count


_WALK = i8(
    array("u4"), array("i4"), array("u1"), array(RECORD), i8, i8, i8, array("u8"), array("u4"), array("i8"), array("u1")
)  # fmt: skip


@kernel(_WALK)
def walk_states(vector, lights, commands, records, start, stop, first_seq, keys, values, log, python_state):  # type: ignore[no-untyped-def]
    """Applies records[start:stop] to `vector` until one needs Python; returns its index, or `stop`.

    vector: uint32[>= SLOTS]; lights: int32[FAST_LIGHTS], a light's first slot or -1; record n is event first_seq + n.
    keys (slot << 32 | seq) and values are the log of writes, both empty without one; log[0] is its length, in and out.
    A log with too little room also stops the walk: log[1] is set to 1.
    """
    count = log[0]
    log[1] = 0
    room = len(keys)
    n = start
    while n < stop:
        record = records[n]
        op, at, size = record.op, np.int64(record.offset), np.int64(record.size)
        seq = first_seq + n
        if room != 0 and count + (size >> 2) + MOST_WRITES > room:
            log[1] = 1
            break
        if op == OP_RENDERSTATE:
            state = _word(commands, at)
            if state >= 256 or python_state[state] != 0:
                break
            value = _word(commands, at + 4)
            count = _put(vector, RENDER_STATE + state, value, seq, keys, values, count)
            if state == SCENECAPTURE:
                count = _put(vector, SCENE, value, seq, keys, values, count)
        elif op == OP_TEXTURESTAGESTATE:
            key = _word(commands, at)
            stage, state = key & 0xFFFF, key >> 16
            if stage >= 8 or state >= 32 or state == LEGACY_ADDRESS:
                break
            count = _put(vector, TEXTURE_STAGE + stage * 32 + state, _word(commands, at + 4), seq, keys, values, count)
        elif op in (OP_SETVERTEXSHADERCONST, OP_SETPIXELSHADERCONST):
            first, many = np.int64(_word(commands, at)), np.int64(_word(commands, at + 4))
            base, most = VS_CONST, VERTEX_CONSTANTS
            if op == OP_SETPIXELSHADERCONST:
                base, most = PS_CONST, PIXEL_CONSTANTS
            if first + many > most or size < 8 + 16 * many:
                break
            count = _copy(vector, base + 4 * first, commands, at + 8, 4 * many, seq, keys, values, count)
        elif op in (OP_SETTRANSFORM, OP_MULTIPLYTRANSFORM):
            slot = _transform_slot(np.int64(_word(commands, at)))
            if slot < 0:
                break
            if op == OP_SETTRANSFORM:
                count = _copy(vector, slot, commands, at + 4, 16, seq, keys, values, count)
            else:
                count = _multiply(vector, slot, commands, at + 4, seq, keys, values, count)
        elif op == OP_SETSTREAMSOURCE:
            stream = _word(commands, at)
            if stream >= STREAMS:
                break
            count = _copy(vector, STREAM + 3 * stream, commands, at + 4, 2, seq, keys, values, count)
            count = _put(vector, STREAM + 3 * stream + 2, 0, seq, keys, values, count)
        elif op == OP_SETSTREAMSOURCEUM:
            stream = _word(commands, at)
            if stream >= STREAMS:
                break
            count = _put(vector, STREAM + 3 * stream, 0, seq, keys, values, count)
            count = _put(vector, STREAM + 3 * stream + 1, _word(commands, at + 4), seq, keys, values, count)
            count = _put(vector, STREAM + 3 * stream + 2, 1, seq, keys, values, count)
        elif op == OP_SETINDICES:
            count = _copy(vector, INDICES, commands, at, 2, seq, keys, values, count)
        elif op == OP_SETVERTEXSHADER:
            handle = _word(commands, at)
            if handle == 0 or handle & 1 != 0:
                break
            count = _put(vector, VERTEX_SHADER, handle, seq, keys, values, count)
        elif op == OP_SETPIXELSHADER:
            if _word(commands, at) != 0:
                break
            count = _put(vector, PIXEL_SHADER, 0, seq, keys, values, count)
        elif op == OP_SETMATERIAL:
            count = _copy(vector, MATERIAL, commands, at, 17, seq, keys, values, count)
        elif op == OP_SETLIGHT:
            light, what = _word(commands, at), _word(commands, at + 4)
            if light >= FAST_LIGHTS or lights[light] < 0 or what > 2:
                break
            if what == 2:
                count = _copy(vector, lights[light], commands, at + 8, LIGHT_WORDS - 1, seq, keys, values, count)
            else:
                count = _put(vector, lights[light] + LIGHT_WORDS - 1, 1 - what, seq, keys, values, count)
        elif op == OP_CREATELIGHT:
            light = _word(commands, at)
            if light >= FAST_LIGHTS or lights[light] < 0:
                break
        elif op == OP_VIEWPORTINFO:
            count = _copy(vector, VIEWPORT, commands, at, 4, seq, keys, values, count)
        elif op == OP_ZRANGE:
            count = _copy(vector, ZRANGE, commands, at, 2, seq, keys, values, count)
        elif op == OP_WINFO:
            count = _copy(vector, WINFO, commands, at, 2, seq, keys, values, count)
        elif op == OP_SETCLIPPLANE:
            plane = _word(commands, at)
            if plane >= CLIP_PLANES:
                break
            count = _copy(vector, CLIP_PLANE + 4 * plane, commands, at + 4, 4, seq, keys, values, count)
        else:
            break
        n += 1
    log[0] = count
    return n
