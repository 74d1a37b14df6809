"""State calls and clears of Direct3D 6 and 5 that need more than a row says, compiled, for `convert`.  In Python: `older` and
`viewports` of core.runtime.directdraw.

Texture handles, TEXTUREMAPBLEND and its alpha, light states and materials, rectangles of Clear; matrices are in `products`.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import stage
from core.runtime.calls.values import ARRAY, FLOAT, SINT, STRUCT, STRUCTV, UINT, past_words, read_uint
from core.runtime.rows.append import CHANGED, REFUSED, append
from core.runtime.rows.layout import (
    ALPHA_BIT,
    CLEARED,
    HEADER,
    MATERIAL_KEY,
    OLD_CLEAR,
    OLD_CLEAR2,
    OLD_LIGHT_STATE,
    OLD_STATE,
    OLD_TEXTURE,
    TARGET_HEIGHT,
    TARGET_WIDTH,
    TEXTURE_HANDLE_KEY,
)
from core.runtime.rows.older_slots import (
    BACKGROUND,
    BLEND,
    BLENDED,
    CONTEXT,
    HAS_ALPHA,
    HAS_MATERIAL,
    MATERIAL_WORDS,
)
from core.runtime.rows.products import transform
from core.runtime.rows.words import find, number_at
from core.spec.enums import ClearFlag, LegacyBlend, TextureOp
from core.spec.slots import BASE, STAGE_STATES, TEXTURE_STAGES
from core.spec.states import LEGACY_BLENDS, RENDER_STATE_ID, TEXTURE_STAGE_STATE_ID
from core.spec.tokens import Op

RENDERSTATE, STAGESTATE, SETMATERIAL, CLEARS = (
    np.uint32(int(op)) for op in (Op.RENDERSTATE, Op.TEXTURESTAGESTATE, Op.SETMATERIAL, Op.CLEAR)
)
STATES, STAGES, MATERIAL_SLOT = BASE["render_state"], BASE["texture_stage"], BASE["material"]
VIEWPORT, DEPTH_SURFACE, OF_DEPTH = BASE["viewport"], BASE["depth_stencil"], int(ClearFlag.ZBUFFER | ClearFlag.STENCIL)
TEXTURE_HANDLE, TEXTURE_MAP_BLEND, LIGHTING, LOCAL_VIEWER, NORMALIZE_NORMALS = (
    RENDER_STATE_ID[name] for name in ("TEXTUREHANDLE", "TEXTUREMAPBLEND", "LIGHTING", "LOCALVIEWER", "NORMALIZENORMALS")
)
MATERIAL, COLOR_MODEL = 1, 3  # D3DLIGHTSTATE_*
MODULATE, ALPHA_OPERATION = int(LegacyBlend.MODULATE), TEXTURE_STAGE_STATE_ID["ALPHAOP"]
OF_TEXTURE, OF_VERTICES = int(TextureOp.SELECTARG1), int(TextureOp.SELECTARG2)
OPERATION, BLENDING = TEXTURE_STAGE_STATE_ID["COLOROP"], 6
"""The states of stage 0 that TEXTUREMAPBLEND sets: operation and two arguments of colour, then of alpha."""
MOST_BLENDS = max(LEGACY_BLENDS) + 1
COLORS, ALPHAS = (sum(int(pair[i]) << 6 * blend for blend, pair in LEGACY_BLENDS.items()) for i in range(2))
"""By TEXTUREMAPBLEND, six bits each: the operations; zero for what masks."""
TEXTURE, CURRENT = np.uint32(2), np.uint32(1)  # D3DTA_*
MOST_RECTANGLES = 64


# ---- tokens ------------------------------------------------------------------------------------


@stage
def put_state(state, value, source, here, out):
    """RENDERSTATE, unless the state has this value; how many tokens, and whether one is no mere repetition."""
    if here.registers[STATES + state] == value:
        return np.int64(0)
    here.registers[STATES + state] = value
    out.scratch[0], out.scratch[1] = np.uint32(state), value
    append(RENDERSTATE, True, 2, source, here, out)
    return CHANGED + 1


@stage
def _put_stage(stage, state, value, source, here, out):
    """TEXTURESTAGESTATE."""
    slot = STAGES + stage * STAGE_STATES + state
    told = np.int64(1) if here.registers[slot] == value else CHANGED + 1
    here.registers[slot] = value
    out.scratch[0], out.scratch[1] = np.uint32(stage | state << 16), value
    append(STAGESTATE, True, 2, source, here, out)
    return told


@stage
def _both(one, other):
    """What two parts of a call have made."""
    return ((one | other) & CHANGED) | ((one & ~CHANGED) + (other & ~CHANGED))


# ---- textures ----------------------------------------------------------------------------------


@stage
def _choose_alpha(source, here, out):
    """MODULATE takes alpha of the texture if that has any, else of the vertices, while stage 0 is as it left it."""
    registers = here.registers
    if registers[BLEND] != MODULATE:
        return np.int64(0)
    for i in range(BLENDING):
        if registers[STAGES + OPERATION + i] != registers[BLENDED + i]:
            return np.int64(0)
    wanted = np.uint32(OF_TEXTURE) if registers[HAS_ALPHA] else np.uint32(OF_VERTICES)
    if registers[STAGES + ALPHA_OPERATION] == wanted:
        return np.int64(0)
    told = _put_stage(0, ALPHA_OPERATION, wanted, source, here, out)
    _keep_blended(registers)
    return told


@stage
def _keep_blended(registers):
    """Stage 0 is as TEXTUREMAPBLEND leaves it."""
    for i in range(BLENDING):
        registers[BLENDED + i] = registers[STAGES + OPERATION + i]


@stage
def _bind(stage, key, source, here, out):
    """The texture at a key of the table of pointers, 0 for none; REFUSED if Python has not bound it."""
    handle, info = np.uint32(0), np.uint64(0)
    if key != np.uint64(0):
        x = find(here.keys, key)
        handle, info = here.handles[x], here.infos[x]
        if handle == np.uint32(0):
            return REFUSED
    told = _put_stage(stage, 0, handle, source, here, out)
    if stage == 0:
        here.registers[HAS_ALPHA] = np.uint32(1) if info & ALPHA_BIT else np.uint32(0)
        told = _both(told, _choose_alpha(source, here, out))
    return told


@stage
def _handle_key(value, space, here):
    """The key of a handle of the current device; 0 for none."""
    if value == np.uint64(0):
        return np.uint64(0)
    return value | np.uint64(here.registers[CONTEXT]) << np.uint64(32) | space


@stage
def _blend(value, source, here, out):
    """TEXTUREMAPBLEND: operations of stage 0.  Set again, it leaves them as they are; those that mask are Python's."""
    registers = here.registers
    if registers[STATES + TEXTURE_MAP_BLEND] == value:
        return np.int64(0)
    color = np.uint32(COLORS >> 6 * np.int64(value) & 63) if value < MOST_BLENDS else np.uint32(0)
    if color == 0:
        return REFUSED
    registers[BLEND] = value
    told = put_state(TEXTURE_MAP_BLEND, value, source, here, out)
    alpha = np.uint32(ALPHAS >> 6 * np.int64(value) & 63)
    told = _both(told, _put_stage(0, OPERATION, color, source, here, out))
    told = _both(told, _put_stage(0, ALPHA_OPERATION, alpha, source, here, out))
    for operation in (OPERATION, ALPHA_OPERATION):
        told = _both(told, _put_stage(0, operation + 1, TEXTURE, source, here, out))
        told = _both(told, _put_stage(0, operation + 2, CURRENT, source, here, out))
    _keep_blended(registers)
    return _both(told, _choose_alpha(source, here, out))


@stage
def _render_state(state, value, source, here, out):
    """What the row of SetRenderState refuses."""
    if here.registers[CONTEXT] == 0 or value < 0:
        return REFUSED
    if state in (LIGHTING, LOCAL_VIEWER, NORMALIZE_NORMALS):  # accepted, and not had
        return np.int64(0)
    if state == TEXTURE_HANDLE:
        return _bind(0, _handle_key(np.uint64(value), TEXTURE_HANDLE_KEY, here), source, here, out)
    if state == TEXTURE_MAP_BLEND:
        return _blend(np.uint32(value), source, here, out)
    return REFUSED


@stage
def _set_texture(stage, tag_is_known, pointer, source, here, out):
    """SetTexture of Direct3D 6."""
    if not 0 <= stage < TEXTURE_STAGES or not tag_is_known or here.registers[CONTEXT] == 0:
        return REFUSED
    return _bind(stage, pointer, source, here, out)


# ---- light states ------------------------------------------------------------------------------


@stage
def _light_state(state, value, place, source, here, out):
    """SetLightState: what is a render state in Direct3D 7, in `place`, or a material's handle."""
    registers = here.registers
    if registers[CONTEXT] == 0 or value < 0:
        return REFUSED
    if state == COLOR_MODEL:
        return np.int64(0)
    if state != MATERIAL:
        return put_state(place - STATES, np.uint32(value), source, here, out) if place >= 0 else REFUSED
    if value == 0:
        registers[HAS_MATERIAL] = 0
        return np.int64(0)
    at = np.int64(here.handles[find(here.keys, _handle_key(np.uint64(value), MATERIAL_KEY, here))])
    if at == 0:
        return REFUSED
    told = np.int64(1)
    for i in range(MATERIAL_WORDS):
        out.scratch[i] = registers[at + i]
        if registers[MATERIAL_SLOT + i] != registers[at + i]:
            registers[MATERIAL_SLOT + i], told = registers[at + i], CHANGED + 1
    registers[HAS_MATERIAL] = 1
    append(SETMATERIAL, False, MATERIAL_WORDS, source, here, out)
    return told


# ---- clears ------------------------------------------------------------------------------------


@stage
def _edge(data, p):
    """(a signed number, what follows it, whether it is one)."""
    v, q = read_uint(data, p + 1)
    fits = (data[p] == UINT or data[p] == SINT) and v <= np.uint64(0x7FFFFFFF)
    return -np.int64(v) if data[p] == SINT else np.int64(v), q, fits


@stage
def _rectangles(chunk, slot, count, defined, here, out):
    """Writes the rectangles of a clear to out.scratch[4:], cut to the viewport on the target; how many, -1 if Python must."""
    data, registers, scratch = chunk.data, here.registers, out.scratch
    x, y = np.int64(registers[VIEWPORT]), np.int64(registers[VIEWPORT + 1])
    last = min(x + np.int64(registers[VIEWPORT + 2]), here.state[TARGET_WIDTH])
    bottom = min(y + np.int64(registers[VIEWPORT + 3]), here.state[TARGET_HEIGHT])
    p = np.int64(chunk.values[slot])
    if chunk.tags[slot] != ARRAY or data[p] != ARRAY:
        return np.int64(-1)
    given, p = read_uint(data, p + 1)
    if given < np.uint64(count):
        return np.int64(-1)
    found = np.int64(0)
    for _ in range(count):
        if data[p] != STRUCTV:
            return np.int64(-1)
        v, p = read_uint(data, p + 1)
        if chunk.known[STRUCT, np.int64(v)] != 4:
            return np.int64(-1)
        p = past_words(data, p, len(data), STRUCT, np.int64(v), chunk.definitions, defined)
        a, p, one = _edge(data, p)
        b, p, two = _edge(data, p)
        c, p, three = _edge(data, p)
        d, p, four = _edge(data, p)
        if not (one and two and three and four):
            return np.int64(-1)
        a, b, c, d = max(a, x), max(b, y), min(c, last), min(d, bottom)
        if a < c and b < d:
            w = 4 + 4 * found
            scratch[w], scratch[w + 1], scratch[w + 2], scratch[w + 3] = np.uint32(a), np.uint32(b), np.uint32(c), np.uint32(d)
            found += 1
    return found


@stage
def _clear(kind, fields, first, chunk, call, here, out):
    """Clear and Clear2 of the viewport that Python cleared last."""
    state, args = here.state, call.args
    count = number_at(chunk, args + fields[first]["arg"], MOST_RECTANGLES)
    flags = number_at(chunk, args + fields[first + 2]["arg"], 0xFFFFFFFF)
    depth_fits = flags & OF_DEPTH == 0 or here.registers[DEPTH_SURFACE] != 0
    is_known = state[CLEARED] > 0 and chunk.values[args] == np.uint64(state[CLEARED])
    if not is_known or count <= 0 or flags < 0 or not depth_fits:
        return REFUSED
    color, stencil, z = np.int64(here.registers[BACKGROUND]), np.int64(0), np.uint32(0x3F800000)
    if kind == OLD_CLEAR2:
        color = number_at(chunk, args + fields[first + 3]["arg"], 0xFFFFFFFF)
        slot = args + fields[first + 4]["arg"]
        stencil = number_at(chunk, args + fields[first + 5]["arg"], 0xFFFFFFFF)
        z = np.uint32(chunk.values[slot] & np.uint64(0xFFFFFFFF))
        if color < 0 or stencil < 0 or chunk.tags[slot] != FLOAT or z & np.uint32(0x7F800000) == np.uint32(0x7F800000):
            return REFUSED
    found = _rectangles(chunk, args + fields[first + 1]["arg"], count, call.defined, here, out)
    if found <= 0:
        return found
    scratch = out.scratch
    scratch[0], scratch[1], scratch[2], scratch[3] = np.uint32(flags), np.uint32(color), z, np.uint32(stencil)
    append(CLEARS, False, 4 + 4 * found, call.number, here, out)
    out.commands[state[HEADER]] += np.uint32(found - 1) << np.uint32(16)
    state[HEADER] = -1
    return CHANGED + 1


# ---- all of them -------------------------------------------------------------------------------


@stage
def older_call(kind, token, place, fields, chunk, call, here, out):
    """Does a call by the fields of its row's token, whose key names the slot `place`, -1 for none.

    Returns how many tokens it made, plus CHANGED if one is no mere repetition; REFUSED, with nothing done, if Python must.
    """
    first = np.int64(token["first"])
    if kind >= OLD_CLEAR:
        return _clear(kind, fields, first, chunk, call, here, out)
    one, two = call.args + np.int64(fields[first]["arg"]), call.args + np.int64(fields[first + 1]["arg"])
    state = number_at(chunk, one, 0xFFFF)
    if kind == OLD_STATE:
        return _render_state(state, number_at(chunk, two, 0xFFFFFFFF), call.number, here, out)
    if kind == OLD_LIGHT_STATE:
        return _light_state(state, number_at(chunk, two, 0xFFFFFFFF), place, call.number, here, out)
    if kind == OLD_TEXTURE:
        three = call.args + np.int64(fields[first + 2]["arg"])
        is_pointer = number_at(chunk, three, (1 << 58) - 1) >= 0 or chunk.tags[three] == 0
        return _set_texture(state, is_pointer, chunk.values[three], call.number, here, out)
    return transform(kind, state, place, chunk, two, call.defined, call.number, here, out)
