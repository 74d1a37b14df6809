"""The compiled loop over states and draws: most draws of most programs need no Python.

`walk_draws` applies state records like core.device.registers.states.walk, and executes DRAWPRIMITIVE and DRAWINDEXEDPRIMITIVE
while
everything that they name is KNOWN: vertex format or shader, buffers, textures, pixel shader.  States of the pixel half that are
new it binds, the others it finds again.  It stops before every record that is more than that, and before every draw that would
be reported as a Finding; Python does the record then, and learns for the next one (core.device.lane.known).
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.device.lane.draw_facts import (
    BUFFER_PLACES,
    FULL,
    KNOWN,
    MOST_FLOATS,
    PAUSE,
    PYTHON,
    ROOM,
    SHADER_PLACES,
    SHAPES,
    VERTEX_PLACES,
)
from core.device.lane.draw_states import UNBOUND, find_state
from core.device.registers.states import RECORD, call_walk
from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import memory_at, pointer, record_at
from core.matrices import dword_at
from core.pipeline.observe.shapes import keep_shape
from core.pipeline.pixel.setup import call_set_up
from core.pipeline.records.layout import EDGES, PIXEL_STATE
from core.pipeline.records.primitives import PRIMITIVE
from core.pipeline.records.rows import BATCH
from core.pipeline.vertex.assemble import ROOM_PRIMITIVES, ROOM_VERTICES, IndexForm
from core.pipeline.vertex.clip import INDICES_OUTSIDE, LISTED, OUTSIDE, PRIMITIVES
from core.pipeline.vertex.vertex_kernel import WORK, call_vertex_half
from core.spec import slots
from core.spec.enums import PrimitiveType
from core.spec.slots import STREAMS
from core.spec.states import ONE, RENDER_STATE_ID
from core.spec.tokens import TOKENS, Op

_PATCHSEGMENTS, INFINITY = slots.RENDER_STATE + RENDER_STATE_ID["PATCHSEGMENTS"], 0x7F800000
_VERTEX_SHADER, _PIXEL_SHADER, _STREAM, _INDICES = slots.VERTEX_SHADER, slots.PIXEL_SHADER, slots.STREAM, slots.INDICES
_WIDTH, _HEIGHT = slots.VIEWPORT + 2, slots.VIEWPORT + 3
_TARGET, _DEPTH = slots.RENDER_TARGET, slots.DEPTH_STENCIL
_DRAW, _DRAW_INDEXED = int(Op["DRAWPRIMITIVE"]), int(Op["DRAWINDEXEDPRIMITIVE"])
_SET_VERTEX_SHADER, _SET_PIXEL_SHADER = int(Op["SETVERTEXSHADER"]), int(Op["SETPIXELSHADER"])
_draw_at, _draw_indexed_at = (record_at(TOKENS[op].fields_dtype) for op in (_DRAW, _DRAW_INDEXED))
MOST_TYPE = max(map(int, PrimitiveType))


# ---- what a draw reads --------------------------------------------------------------------------------


@stage
def _find_buffer(known, handle):
    """The place of a buffer, -1 if it is not known."""
    place = handle % BUFFER_PLACES
    return place if handle != 0 and known.buffers[place].handle == handle else -1


@outlined
def _find_vertices(known, job, vector):
    """The place of the vertex format or shader, its streams bound; -1 if something is not known."""
    handle = vector[_VERTEX_SHADER]
    place = handle % VERTEX_PLACES
    if handle == 0 or known.vertices[place].handle != handle:
        return -1
    if vector[_STREAM + 2] != 0 and known.vertices[place].streams > 1:
        return -1  # with user memory in stream 0 the others are unbound, which is reported
    for i in range(STREAMS):
        if known.vertices[place].streams >> i & 1:
            stream, user, at = job.streams[i], vector[_STREAM + 3 * i + 2] != 0, _find_buffer(known, vector[_STREAM + 3 * i])
            if user and known.user_address != 0:
                stream.address, stream.size = known.user_address, known.user_size
            elif not user and at >= 0:
                stream.address, stream.size = known.buffers[at].address, known.buffers[at].size
            else:
                return -1
    job.streams[0].start = 0
    return place


@stage
def _set_draw(known, draw, kind, count):
    """Fills type and counts of DRAW; False if the draw is none of ours."""
    if kind < 1 or kind > MOST_TYPE or count < 1 or count > known.count:
        return False
    references = known.each[kind] * count + known.more[kind]
    draw.type, draw.count, draw.index_count, draw.edge_flags = kind, count, references, -1
    return references <= known.references


@stage
def _read_draw(known, draw, vector, commands, at, indexed):
    """Fills DRAW but for `limit` and `base`; returns the address of the indices (0: none), -1 if it is none of ours."""
    if not indexed:
        plain = _draw_at(commands, at)
        if not _set_draw(known, draw, np.int64(plain.type), np.int64(plain.count)):
            return np.int64(-1)
        draw.index_form, draw.index_size, draw.index_offset, draw.start = IndexForm.NONE, 0, 0, np.int64(plain.start)
        return np.int64(0)
    given, stride, place = _draw_indexed_at(commands, at), np.int64(vector[_INDICES + 1]), _find_buffer(known, vector[_INDICES])
    if not _set_draw(known, draw, np.int64(given.type), np.int64(given.count)):
        return np.int64(-1)
    if place < 0 or (stride != 2 and stride != 4):
        return np.int64(-1)
    draw.index_form = IndexForm.DWORD if stride == 4 else IndexForm.WORD
    draw.start, draw.index_offset = np.int64(given.base), np.int64(given.start) * stride
    draw.index_size = known.buffers[place].size
    return known.buffers[place].address


@stage
def _possible(known, job, vector):
    """Whether the state of the device lets the loop draw at all."""
    segments = vector[_PATCHSEGMENTS]
    if vector[_TARGET] != known.target or vector[_DEPTH] != known.depth:
        return False
    if segments > ONE and segments < INFINITY:  # perhaps N-patches
        return False
    if job.draw.type == PrimitiveType.POINTLIST:  # a point makes four vertices
        if 2 * job.draw.count + 128 + BATCH + 4 * job.draw.count + ROOM_VERTICES > job.vertex_room:
            return False
        if 2 * job.draw.count + ROOM_PRIMITIVES > job.primitive_room:
            return False
    return vector[_WIDTH] != 0 and vector[_HEIGHT] != 0


# ---- the loop ----------------------------------------------------------------------------------------------

Arenas = namedtuple(
    "Arenas", "indices vertices positions codes primitives fates states edges planes counts shapes shape_words out"
)
"""Where the vertex half, setup and keep_shape leave what they make: as they take it."""


@outlined
def _draw(known, work, vector, light_slots, keys, arenas, commands, op, at, seq):
    """Carries a draw out; False if that is not for the loop: `status` says whose it is."""
    job = work[0]
    memory = _read_draw(known, job.draw, vector, commands, at, op == _DRAW_INDEXED)
    if memory < 0 or not _possible(known, job, vector):
        return False
    source = _find_vertices(known, job, vector)
    if source < 0:
        return False
    state = find_state(known, keys, vector, arenas.states)
    if state < 0 and state != UNBOUND:
        return False
    shader = known.vertices[source]
    job.instruction_count = shader.instructions
    done = call_vertex_half(known.vertex_half, (
        work, memory_at(shader.layout), memory_at(shader.program), vector, light_slots, memory_at(memory),
        arenas.indices, arenas.vertices, arenas.positions, arenas.codes, arenas.primitives, arenas.fates, 0,
    ))  # fmt: skip
    counters = job.counters
    known.left -= job.draw.index_count + counters[LISTED] + counters[PRIMITIVES]
    if done < job.draw.count or counters[OUTSIDE] != 0 or counters[INDICES_OUTSIDE] != 0:
        return False
    count = counters[PRIMITIVES]
    if count and state == UNBOUND:
        return False
    if known.edges + count > known.edge_room or known.floats + (count + 1) * MOST_FLOATS > known.float_room:
        known.status, known.wanted = ROOM, count
        return False
    if known.surfaces >= 0:
        end = keep_shape(job, vector, arenas.indices, arenas.vertices, arenas.positions, arenas.fates, arenas.shapes,
                         known.shapes_at, arenas.shape_words, seq, known.surfaces, 1)  # fmt: skip
        if end < 0:
            known.status, known.wanted = SHAPES, -end
            return False
        known.shapes_at = end
    if count:
        call_set_up(known.set_up, (
            arenas.vertices, arenas.primitives, count, arenas.states, state, seq, arenas.edges, known.edges, arenas.planes,
            known.floats, arenas.counts, known.columns, arenas.out,
        ))  # fmt: skip
        known.edges, known.floats = arenas.out[0], arenas.out[1]
        known.state, known.last_seq = state, seq
        if known.first_seq < 0:
            known.first_seq = seq
    return True


@stage
def _set_shader(known, vector, commands, op, at):
    """Sets a vertex or pixel shader that is known and loads no constants; False if the record is another."""
    if op == _SET_VERTEX_SHADER:
        handle = dword_at(commands, at)
        source = known.vertices[handle % VERTEX_PLACES]
        if handle & 1 == 0 or source.handle != handle or source.constants != 0:
            return False
        vector[_VERTEX_SHADER] = handle
        return True
    if op == _SET_PIXEL_SHADER:
        handle = dword_at(commands, at)
        shader = known.pixel_shaders[handle % SHADER_PLACES]
        if handle == 0 or shader.handle != handle or shader.constants != 0:
            return False
        vector[_PIXEL_SHADER] = handle
        return True
    return False


@kernel(i8(array(KNOWN), array(WORK), array("u4"), array("i4"), array("u1"), array(RECORD), array("i4"), array("i8"),
           array("i8"), array("u4", 2), array("i4"), array("f4", 2), array("f4"), array("i4"), array(PRIMITIVE), array("u1"),
           array(PIXEL_STATE), array(EDGES), array("f4"), array("i8"), array("u4"), array("i8"), i8, i8, i8))  # fmt: skip
def walk_draws(known, work, vector, lights, commands, records, table, log, light_slots, keys, indices, vertices,
               positions, codes, primitives, fates, states, edges, planes, counts, shapes, out, start, stop,
               first_seq):  # fmt: skip
    """Carries records[start:stop] out until one needs Python or the batch is full (`status`); returns its index, or `stop`.

    known: KNOWN; vector, lights, records, table, log: as `walk`, without a log of writes; light_slots ... fates: as
    process_draw; keys: uint32[states, KEY_WORDS]; states ... counts, out: as setup_primitives; shapes: as keep_shape.
    """
    facts, job, words, bytes_ = pointer(known, 0)[0], pointer(work, 0), pointer(vector, 0), pointer(commands, 0)
    arenas = Arenas(
        pointer(indices, 0), pointer(vertices, 0), pointer(positions, 0), pointer(codes, 0), pointer(primitives, 0),
        pointer(fates, 0), pointer(states, 0), pointer(edges, 0), pointer(planes, 0), pointer(counts, 0), pointer(shapes, 0),
        shapes.size, pointer(out, 0),
    )  # fmt: skip
    n, facts.status, all_records = start, PYTHON, pointer(records, 0)
    while True:
        n = call_walk(facts.walk, (
            words, pointer(lights, 0), bytes_, all_records, n, stop, first_seq, pointer(out, 0), words, 0, pointer(log, 0),
            pointer(table, 0),
        ))  # fmt: skip
        if n >= stop:
            return n
        record = all_records[n]
        if _set_shader(facts, words, bytes_, record.op, np.int64(record.offset)):
            n += 1
            continue
        if record.op != _DRAW and record.op != _DRAW_INDEXED:
            return n
        left_out = facts.skipped != 0 and memory_at(facts.skipped)[first_seq + n] != 0
        if not left_out and not _draw(facts, job, words, pointer(light_slots, 0), pointer(keys, 0), arenas, bytes_, record.op,
                                      np.int64(record.offset), first_seq + n):  # fmt: skip
            return n
        n += 1
        if facts.edges > facts.full:
            facts.status = FULL
            return n
        if facts.left < 0:
            facts.status = PAUSE
            return n
