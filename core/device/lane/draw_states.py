"""The pixel half's state in the compiled loop over draws: looked up by its inputs, or bound."""

from __future__ import annotations

import numpy as np

from core.device.lane.draw_facts import BLANK, MOST_STATES, SHADER_PLACES, STATE_PLACES, STATES, TEXTURE_PLACES
from core.kernels.jit import outlined, stage
from core.kernels.simd import advance, any_lane, lane, load_int, memory_at
from core.pipeline.draw_state.bind import (
    CONSTANT_WORDS,
    CONSTANTS,
    PROJECTION,
    STAGE_STATES,
    STAGE_WORDS,
    STATES_END,
    VIEW,
    VIEW_WORDS,
    call_bind,
)  # fmt: skip
from core.pipeline.records.stage_state import STAGES
from core.spec import slots
from core.spec.enums import TextureOp

UNBOUND = -2
"""Instead of the number of a state: it is not bound, because its draws left nothing to bind it for."""
KEY_WORDS = STATES_END + 80
"""What the state of the pixel half is made from, word by word: all render and stage states, projection and viewport of the
register vector (bind.bound_from), `named`, and the constants, if there is a shader."""

_KEY_PROJECTION, _KEY_VIEW, _KEY_NAMED, _KEY_CONSTANTS = STATES_END, STATES_END + 16, STATES_END + 24, STATES_END + 40
_NAMED_SHADER, _NAMED_KIND = STAGES, STAGES + 1
_PIXEL_SHADER = slots.PIXEL_SHADER


@stage
def _same(key, vector, words):
    """Whether this many words (a multiple of 16) are the same."""
    for n in range(0, words, 16):  # noqa: SIM110 (the compiler knows no generators)
        if any_lane(load_int(key, n) != load_int(vector, n)):
            return False
    return True


@outlined
def _find_named(known, vector):
    """Fills `named` for the present state; returns the place of its pixel shader, -1 without; -2 if something is not known;
    -3 if a texture is BLANK."""
    handle, used, shader = vector[_PIXEL_SHADER], np.uint32(0), np.int64(-1)
    known.named[_NAMED_SHADER], known.named[_NAMED_KIND] = 0, known.kind
    if handle != 0:
        shader = np.int64(handle % SHADER_PLACES)
        if known.pixel_shaders[shader].handle != handle:
            return np.int64(-2)
        used, known.named[_NAMED_SHADER] = known.pixel_shaders[shader].textures, known.pixel_shaders[shader].number
    cascade = handle == 0
    for i in range(STAGES):
        at = STAGE_STATES + i * STAGE_WORDS
        cascade = cascade and vector[at + 1] != TextureOp.DISABLE
        known.named[i] = 0
        if vector[at] != 0 and (cascade or used >> i & 1):
            source = known.textures[vector[at] % TEXTURE_PLACES]
            if source.handle != vector[at]:
                return np.int64(-2)
            if source.number == BLANK:
                return np.int64(-3)
            known.named[i], source.used = source.number, 1
    return shader


@stage
def _is_key(known, key, vector):
    """Whether the vector makes the state that this key is of."""
    if not _same(key, vector, STATES_END) or not _same(advance(key, _KEY_NAMED), known.named, 16):
        return False
    for n in range(VIEW_WORDS):
        if key[_KEY_VIEW + n] != vector[VIEW + n]:
            return False
    if not _same(advance(key, _KEY_PROJECTION), advance(vector, PROJECTION), 16):
        return False
    return vector[_PIXEL_SHADER] == 0 or _same(advance(key, _KEY_CONSTANTS), advance(vector, CONSTANTS), CONSTANT_WORDS)


@stage
def _write_key(known, key, vector):
    for n in range(STATES_END):
        key[n] = vector[n]
    for n in range(16):
        key[_KEY_PROJECTION + n], key[_KEY_NAMED + n] = vector[PROJECTION + n], np.uint32(known.named[n])
    for n in range(VIEW_WORDS):
        key[_KEY_VIEW + n] = vector[VIEW + n]
    for n in range(CONSTANT_WORDS):
        key[_KEY_CONSTANTS + n] = vector[CONSTANTS + n]


@stage
def _mixed(total, word):
    return np.uint32((total ^ np.uint32(word)) * np.uint32(0x01000193))


@stage
def _hash(known, vector):
    """A place in the hash table for the key that the vector makes; constants do not count."""
    lanes = load_int(vector, PROJECTION) * 0x01000193 ^ load_int(known.named, 0)
    for n in range(0, STATES_END, 16):
        lanes = (lanes ^ load_int(vector, n)) * 0x01000193
    total = np.uint32(0)
    for n in range(VIEW_WORDS):
        total = _mixed(total, vector[VIEW + n])
    for n in range(16):
        total = _mixed(total, lane(lanes, n))
    return np.int64(total ^ total >> np.uint32(16)) % STATE_PLACES


@outlined
def find_state(known, keys, vector, states):
    """The number of the state that the vector makes, bound if it is new; -1 if nothing can be drawn with it; UNBOUND."""
    shader = _find_named(known, vector)
    if shader < -1:
        return shader + 1
    if known.state >= 0 and _is_key(known, advance(keys, known.state * KEY_WORDS), vector):
        return np.int64(known.state)
    place = _hash(known, vector)
    while known.state_at[place] != 0:
        number = np.int64(known.state_at[place]) - 1
        if _is_key(known, advance(keys, number * KEY_WORDS), vector):
            return number
        place = (place + 1) % STATE_PLACES
    if known.states >= MOST_STATES:
        known.status = STATES
        return np.int64(-1)
    number = known.states
    if _bind(known, vector, shader, states, number) and not known.reported_w:
        return np.int64(-1)
    _write_key(known, advance(keys, number * KEY_WORDS), vector)
    known.state_at[place], known.states = number + 1, number + 1
    return number


@stage
def _bind(known, vector, shader, states, number):
    """Fills states[number]; whether there is something to report."""
    program, instructions, needs = np.int64(0), np.int64(0), np.int64(0)
    if shader >= 0:
        source = known.pixel_shaders[shader]
        program, instructions, needs = source.program, source.instructions, np.int64(source.needs)
    states[number].color_key = 0
    return call_bind(known.bind, (
        vector, vector, memory_at(known.texture_records), known.named, memory_at(known.target_record), memory_at(program),
        instructions, needs, advance(states, number),
    )) != 0  # fmt: skip
