"""One vertex through the fixed function, stage by stage: the debugger's substitute for a program.

The same functions run as in a draw; what they pass on to each other is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.kernels.jit import array, i8, kernel, stage, void
from core.kernels.simd import align_stack, gray, lane, maximum, pointer, record_at, vfloat
from core.pipeline.draw_state.light_sources import LIGHT, MAX_LIGHTS
from core.pipeline.draw_state.vertex_state import VERTEX_REGISTERS, VERTEX_STATE, VertexKind, bind
from core.pipeline.records.rows import BATCH, INPUT_REGISTERS, OUTPUT, ROWS
from core.pipeline.vertex.fetch import STREAM, VERTEX_LAYOUT, VertexLayout, default_inputs, fetch
from core.pipeline.vertex.input_registers import ALL_REGISTERS, stream_table
from core.pipeline.vertex.light import (
    dot3,
    highlight,
    illuminate,
    light_terms,
    material_color,
    normalize,
    spot_factor,
    toward_viewer,
)  # fmt: skip
from core.pipeline.vertex.texgen import generated
from core.pipeline.vertex.transform import blend_positions, eye_normal, eye_position, normal_of, position_of
from core.pipeline.vertex.vertex_kernel import default_outputs, fixed_function, pass_through
from core.spec.enums import LightType
from core.spec.slots import WORLD_MATRICES

F = np.float32

LIGHT_STEP = np.dtype([
    ("direction", "f4", 4),     # from the vertex to the light, in eye space, of unit length
    ("strength", "f4"),         # attenuation times spot factor; 0 beyond the range
    ("spot", "f4"),             # 1: no spot light
    ("cosine", "f4"),           # N.L, not below 0
    ("shine", "f4"),            # (N.H)**power
    ("ambient", "f4", 4), ("diffuse", "f4", 4), ("specular", "f4", 4),      # what it adds, before the material
])  # fmt: skip

FIXED_STEPS = np.dtype([
    ("position", "f4", 4), ("normal", "f4", 4),         # in object space, tweened
    ("world", "f4", 4),                                 # vertex blending only: the position in world space
    ("eye", "f4", 4), ("eye_normal", "f4", 4),          # in eye space, as far as some stage wants them
    ("viewer", "f4", 4),                                # direction of the viewer
    ("light", LIGHT_STEP, MAX_LIGHTS),
    ("diffuse_material", "f4", 4), ("ambient_material", "f4", 4), ("specular_material", "f4", 4),
    ("emissive_material", "f4", 4),
    ("generated", "f4", (8, 4)),                        # texture coordinates before their matrix, where they are generated
    ("output", "f4", 48),                              # primitives.VertexField; the position in clip space, colours not clamped
])  # fmt: skip

_registers = record_at(VERTEX_REGISTERS)


@stage
def keep(values, at, color):
    """Lane 0 of a colour into four floats."""
    values[at], values[at + 1] = lane(color.r, 0), lane(color.g, 0)
    values[at + 2], values[at + 3] = lane(color.b, 0), lane(color.a, 0)


@stage
def keep_light(state, step, light, eye, normal, viewer):
    """What one light adds, and why."""
    direction, strength = illuminate(light, eye)
    cosine = maximum(dot3(normal, direction), vfloat(F(0.0)))
    keep(step.direction, 0, direction)
    step.strength, step.cosine, step.spot = lane(strength, 0), lane(cosine, 0), F(1.0)
    if light.type == LightType.SPOT:
        step.spot = lane(spot_factor(light, direction), 0)
    step.shine = lane(highlight(normal, normalize(viewer + direction), cosine, state.material[16]), 0)
    ambient, diffuse, specular = light_terms(state, light, eye, normal, viewer)
    keep(step.ambient, 0, ambient)
    keep(step.diffuse, 0, diffuse)
    keep(step.specular, 0, specular)


@stage
def keep_lighting(state, steps, lights, rows, eye, normal):
    """Every light, and the material colours with their sources."""
    viewer = toward_viewer(state, eye)
    keep(steps.viewer, 0, viewer)
    for k in range(state.light_count):
        keep_light(state, steps.light[k], lights[k], eye, normal, viewer)
    keep(steps.diffuse_material, 0, material_color(state, state.diffuse_source, 0, rows, 0))
    keep(steps.ambient_material, 0, material_color(state, state.ambient_source, 4, rows, 0))
    keep(steps.specular_material, 0, material_color(state, state.specular_source, 8, rows, 0))
    keep(steps.emissive_material, 0, material_color(state, state.emissive_source, 12, rows, 0))


@kernel(void(
    array(VERTEX_LAYOUT), array(STREAM), array("i8"), i8, array("u4"), array("i8"), array(VERTEX_STATE), array(LIGHT),
    array("f4"), array("f4"), array("i8"), array(FIXED_STEPS),
))  # fmt: skip
def trace_fixed(layout, streams, numbers, points, vector, light_slots, states, lights, normals, rows, addresses, found):
    """Fills found[0] for vertex numbers[0], and states[0] with what the stages went by."""
    align_stack()
    shape, scratch, vector = pointer(layout, 0)[0], pointer(rows, 0), pointer(vector, 0)
    state, steps, sources, inverses = pointer(states, 0)[0], pointer(found, 0)[0], pointer(lights, 0), pointer(normals, 0)
    registers = _registers(vector, 0)
    bind(state, shape, points != 0, registers, vector, sources, pointer(light_slots, 0), light_slots.size, inverses)
    default_inputs(shape, scratch, 1)
    default_outputs(state, scratch, 1)
    fetch(shape, ALL_REGISTERS, pointer(streams, 0), pointer(numbers, 0), 0, 1, scratch, pointer(addresses, 0))
    if state.kind == VertexKind.FIXED:
        keep(steps.position, 0, position_of(state, scratch, 0))
        keep(steps.normal, 0, normal_of(state, scratch, 0))
        if state.blend:
            keep(steps.world, 0, blend_positions(state, registers, scratch, position_of(state, scratch, 0), 0))
        eye, normal = eye_position(state, registers, scratch, 0), gray(F(0.0))
        if state.needs_normal:
            normal = eye_normal(state, inverses, scratch, 0)
        keep(steps.eye, 0, eye)
        keep(steps.eye_normal, 0, normal)
        if state.lighting:
            keep_lighting(state, steps, sources, scratch, eye, normal)
        for i in range(state.stage_count):
            if state.stage[i].generate:
                keep(steps.generated, 4 * i, generated(state.stage[i].generate, eye, normal))
        fixed_function(state, registers, sources, inverses, scratch, 0)
    else:
        pass_through(state, scratch, 0)
    for k in range(48):
        steps.output[k] = scratch[(OUTPUT + k) * BATCH]


def trace_fixed_vertex(
    vector: np.ndarray, layout: VertexLayout, streams: Sequence[np.ndarray | None], number: int, light_slots: np.ndarray,
    points: bool = False, stream_offset: int = 0,
) -> tuple[np.ndarray, np.void, np.void]:  # fmt: skip
    """(inputs float32[17, 4], the FIXED_STEPS of vertex `number`, the VERTEX_STATE that they went by).

    Arguments as for Geometry.process; points: the draw makes points.
    """
    table, alive = stream_table(vector, layout, streams, stream_offset)
    rows, state = np.zeros(ROWS * BATCH, np.float32), np.zeros(1, VERTEX_STATE)
    found: Any = np.zeros(1, FIXED_STEPS)
    trace_fixed(
        layout.record, table, np.full(BATCH, number, np.int64), int(points), vector, light_slots, state,
        np.zeros(MAX_LIGHTS, LIGHT), np.zeros(12 * WORLD_MATRICES, np.float32), rows, np.zeros(BATCH, np.int64), found,
    )  # fmt: skip
    del alive
    inputs = rows[: 4 * INPUT_REGISTERS * BATCH : BATCH].reshape(INPUT_REGISTERS, 4)
    return inputs.copy(), found[0], state[0]
