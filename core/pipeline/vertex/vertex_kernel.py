"""The geometry half of a draw in one call: references, vertices in batches, primitives.  `geometry.Geometry` calls it."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import Color, Pointer, advance, align_stack, calling, gray, pointer, record_at, saturate, vfloat
from core.pipeline.draw_state.light_sources import LIGHT, MAX_LIGHTS
from core.pipeline.draw_state.vertex_state import VERTEX_REGISTERS, VERTEX_STATE, FogSource, VertexKind, bind
from core.pipeline.records.primitives import PRIMITIVE, VertexField
from core.pipeline.records.rows import BATCH, INPUT, MOST_NUMBER, OUTPUT, SCRATCH_FLOATS, load1, load4, store1, store4
from core.pipeline.vertex.assemble import DRAW, assemble, number_vertices, resolve_references
from core.pipeline.vertex.clip import COORDINATE_SETS, LISTED, OUTSIDE, POLYGON, VERTICES, Out, place_vertices
from core.pipeline.vertex.fetch import STREAM, VERTEX_LAYOUT, default_inputs, fetch
from core.pipeline.vertex.light import fog_factor, light_vertices, vertex_diffuse, vertex_specular
from core.pipeline.vertex.points import point_sizes
from core.pipeline.vertex.texgen import texture_coordinates
from core.pipeline.vertex.transform import clip_position, eye_normal, eye_position
from core.pipeline.vertex.vshader import VERTEX_INSTRUCTION, clear_registers, load_constants, run_program
from core.spec.enums import PrimitiveType
from core.spec.slots import STREAMS, WORLD_MATRICES

F = np.float32

WORK = np.dtype([
    ("rows", "f4", SCRATCH_FLOATS),             # first: vectors want its alignment
    ("normals", "f4", 12 * WORLD_MATRICES),
    ("addresses", "i8", BATCH),
    ("counters", "i8", 8),                      # clip.VERTICES ...
    ("polygon", "i8", 2 * POLYGON),
    ("blank", "i8", COORDINATE_SETS),                         # clip.Out.blank: of the arena, so it outlasts draws
    ("streams", STREAM, STREAMS + 1),
    ("lights", LIGHT, MAX_LIGHTS),
    ("draw", DRAW),
    ("state", VERTEX_STATE),
    ("references", "i8"), ("numbers", "i8"), ("table", "i8"), ("table_size", "i8"),     # where they begin in `indices`
    ("light_count", "i8"), ("instruction_count", "i8"), ("vertex_room", "i8"), ("primitive_room", "i8"),
])  # fmt: skip
"""The scratch memory and the arguments of a draw, in one record: an argument less costs 0.1 us less."""


@outlined
def bind_streams(layout, registers, streams, draw):
    """Strides, and the number of vertices in the longest stream in use (a stride of 0 is no limit)."""
    limit = np.int64(0)
    for e in range(layout.element_count):
        number = layout.element[e].stream
        stream = streams[number]
        stream.stride = np.int64(layout.stride if layout.stride != 0 else registers.stream[3 * number + 1])
        if stream.stride > 0:
            limit = max(limit, (stream.size - stream.start + stream.stride - 1) // stream.stride)
    draw.limit = min(limit, MOST_NUMBER)


@outlined
def list_vertices(job, memory, references, numbers, table):
    """Fills the list of vertices to process, padded to a whole batch; returns its length."""
    counters = job.counters
    for k in range(8):
        counters[k] = 0
    low, high = resolve_references(job.draw, memory, references, counters)
    total = number_vertices(job.draw, low, high, references, numbers, table, job.table_size)
    for k in range(BATCH):
        numbers[total + k] = numbers[total - 1]
    counters[VERTICES], counters[LISTED] = total, total
    return total


@outlined
def process_vertices(job, layout, registers, program, numbers, total, out):
    """Fetches, transforms and places all vertices of the draw, a batch at a time."""
    state, rows = job.state, job.rows
    default_inputs(layout, rows, min(total, BATCH))
    default_outputs(state, rows, min(total, BATCH))
    if state.kind == VertexKind.SHADER:
        clear_registers(rows)
        load_constants(program, job.instruction_count, registers.vs_const, rows)
    for first in range(0, total, BATCH):
        lanes = min(total - first, BATCH)
        out.counters[OUTSIDE] += fetch(layout, state.wanted, job.streams, numbers, first, lanes, rows, job.addresses)
        if state.kind == VertexKind.SHADER:
            run_program(program, job.instruction_count, registers.vs_const, rows, lanes)
        for chunk in range(0, lanes, 16):
            if state.kind == VertexKind.FIXED:
                fixed_function(state, registers, job.lights, job.normals, rows, chunk)
            elif state.kind == VertexKind.TRANSFORMED:
                pass_through(state, rows, chunk)
            else:
                finish_shader(state, rows, chunk)
        place_vertices(state, out, rows, first, lanes)


@outlined
def default_outputs(state, rows, lanes):
    """What outputs are that nothing writes: white, black, all fog, the state's point size, coordinates 0, 0, 0, 1."""
    for chunk in range(0, lanes, 16):
        store4(rows, OUTPUT, chunk, Color(F(0.0), F(0.0), F(0.0), F(1.0)))
        store4(rows, OUTPUT + VertexField.DIFFUSE, chunk, gray(F(1.0)))
        store4(rows, OUTPUT + VertexField.SPECULAR, chunk, gray(F(0.0)))
        store4(rows, OUTPUT + VertexField.FOG, chunk, Color(F(0.0), state.point_size, F(0.0), F(0.0)))
        for i in range(8):
            store4(rows, OUTPUT + VertexField.TEXCOORD + 4 * i, chunk, Color(F(0.0), F(0.0), F(0.0), F(1.0)))


@outlined
def fixed_function(state, registers, lights, normals, rows, chunk):
    """Transform, light, fog, texture coordinates."""
    store4(rows, OUTPUT, chunk, clip_position(state, registers, rows, chunk))
    eye, normal = gray(F(0.0)), gray(F(0.0))
    if state.needs_eye:
        eye = eye_position(state, registers, rows, chunk)
    if state.needs_normal:
        normal = eye_normal(state, normals, rows, chunk)
    diffuse, specular = vertex_diffuse(state, rows, chunk), vertex_specular(state, rows, chunk)
    store1(rows, OUTPUT + VertexField.FOG, chunk, fog_factor(state, eye, specular.a))
    if state.lighting:
        diffuse, specular = light_vertices(state, lights, rows, eye, normal, chunk)
    store4(rows, OUTPUT + VertexField.DIFFUSE, chunk, diffuse)
    store4(rows, OUTPUT + VertexField.SPECULAR, chunk, specular)
    if state.points:
        point_sizes(state, rows, eye, chunk)
    texture_coordinates(state, rows, eye, normal, chunk)


@outlined
def pass_through(state, rows, chunk):
    """XYZRHW vertices: colours and coordinates as they are."""
    nowhere = gray(F(0.0))
    store4(rows, OUTPUT, chunk, load4(rows, INPUT, chunk))
    diffuse, specular = vertex_diffuse(state, rows, chunk), vertex_specular(state, rows, chunk)
    store1(rows, OUTPUT + VertexField.FOG, chunk, fog_factor(state, nowhere, specular.a))
    store4(rows, OUTPUT + VertexField.DIFFUSE, chunk, diffuse)
    store4(rows, OUTPUT + VertexField.SPECULAR, chunk, specular)
    if state.points:
        point_sizes(state, rows, nowhere, chunk)
    texture_coordinates(state, rows, nowhere, nowhere, chunk)


@stage
def finish_shader(state, rows, chunk):
    """Fog and point size of a vertex shader; its other outputs are in place."""
    fog = saturate(load1(rows, OUTPUT + VertexField.FOG, chunk))
    store1(rows, OUTPUT + VertexField.FOG, chunk, fog if state.fog_source == FogSource.SHADER else vfloat(F(1.0)))
    if state.points:
        point_sizes(state, rows, gray(F(0.0)), chunk)


# ---- the entry point ---------------------------------------------------------------------------

_registers = record_at(VERTEX_REGISTERS)

VERTEX_HALF = i8(
    Pointer(WORK), Pointer(VERTEX_LAYOUT), Pointer(VERTEX_INSTRUCTION), Pointer("u4"), Pointer("i8"), Pointer("u1"),
    Pointer("i4"), Pointer("f4"), Pointer("f4"), Pointer("i4"), Pointer(PRIMITIVE), Pointer("u1"), i8,
)  # fmt: skip
call_vertex_half = calling(VERTEX_HALF)


@kernel(VERTEX_HALF)
def vertex_half(
    work, layout, program, vector, light_slots, memory, indices, vertices, positions, codes, primitives, fates, first
):  # fmt: skip
    """Processes the vertices (if first is 0) and assembles primitives `first` and on; returns the primitive to go on with.

    Negative: there is no room for this many vertices, and nothing is done.
    """
    align_stack()
    job, shape = work[0], layout[0]
    references = advance(indices, job.references)
    out = Out(vertices, positions, codes, primitives, fates, job.counters, job.polygon, job.blank)
    if first == 0:
        registers = _registers(vector, 0)
        points = job.draw.type == PrimitiveType.POINTLIST
        bind(job.state, shape, points, registers, vector, job.lights, light_slots, job.light_count, job.normals)
        bind_streams(shape, registers, job.streams, job.draw)
        numbers = advance(indices, job.numbers)
        total = list_vertices(job, memory, references, numbers, advance(indices, job.table))
        if total + BATCH > job.vertex_room:
            return -total
        process_vertices(job, shape, registers, program, numbers, total, out)
    return assemble(job.state, job.draw, references, out, first, job.vertex_room, job.primitive_room)


PROCESS = i8(
    i8, array(WORK), array(VERTEX_LAYOUT), array(VERTEX_INSTRUCTION), array("u4"), array("i8"), array("u1"), array("i4"),
    array("f4", 2), array("f4"), array("i4"), array(PRIMITIVE), array("u1"), i8,
)  # fmt: skip


@kernel(PROCESS)
def process_draw(
    half, work, layout, program, vector, light_slots, memory, indices, vertices, positions, codes, primitives, fates, first
):  # fmt: skip
    """The vertex half (which stands at the address `half`) over arrays."""
    return call_vertex_half(half, (
        pointer(work, 0), pointer(layout, 0), pointer(program, 0), pointer(vector, 0), pointer(light_slots, 0),
        pointer(memory, 0), pointer(indices, 0), pointer(vertices, 0), pointer(positions, 0), pointer(codes, 0),
        pointer(primitives, 0), pointer(fates, 0), first,
    ))  # fmt: skip
