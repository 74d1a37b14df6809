"""Points: their size, and the square of two triangles for each (DX8 DDK, Point Sprites; semantics section 3)."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import select, sqrt, vfloat
from core.pipeline.draw_state.vertex_state import POINT_SIZE, VertexKind
from core.pipeline.records.primitives import (
    FATE_BOTTOM,
    FATE_DRAWN,
    FATE_LEFT,
    FATE_NO_SIZE,
    FATE_NOT_FINITE,
    FATE_RIGHT,
    FATE_TOP,
    PROVOKING_SHIFT,
    VERTEX_FLOATS,
    PrimitiveFlag,
    PrimitiveKind,
    VertexField,
)  # fmt: skip
from core.pipeline.records.rows import INPUT, OUTPUT, load1, store1
from core.pipeline.vertex.clip import (
    EYE,
    FAR,
    GUARD,
    NEAR,
    NOT_FINITE,
    USER_0,
    append_vertices,
    clip_polygon,
    component,
    emit,
    first_plane,
)  # fmt: skip
from core.pipeline.vertex.transform import dot3

F = np.float32
REJECTING = NEAR | FAR | GUARD | EYE


@stage
def point_sizes(state, rows, eye, chunk):
    """The size on the screen into the output row: given, scaled with the distance, clamped (the maximum is tested first)."""
    if state.kind == VertexKind.SHADER:
        size = load1(rows, OUTPUT + VertexField.POINT_SIZE, chunk)
    elif state.present >> POINT_SIZE & 1:
        size = load1(rows, INPUT + 4 * POINT_SIZE, chunk)
    else:
        size = vfloat(state.point_size)
    if state.point_scale:
        distance, factor = sqrt(dot3(eye, eye)), state.point_factor
        size = (
            size * state.viewport_height * sqrt(F(1.0) / (distance * factor[1] + factor[0] + distance * distance * factor[2]))
        )
    clamped = select(size < state.point_min, vfloat(state.point_min), size)
    store1(rows, OUTPUT + VertexField.POINT_SIZE, chunk, select(size > state.point_max, vfloat(state.point_max), clamped))


@outlined
def draw_point(state, out, vertex, number):
    """Emits the square of a point; returns its fate.

    The centre decides for depth; in x and y the whole square must be outside; user planes cut the square (the device has
    D3DPMISCCAPS_CLIPPLANESCALEDPOINTS).
    """
    code = out.codes[vertex]
    if code & NOT_FINITE:
        return FATE_NOT_FINITE
    if code & REJECTING:
        return first_plane(code & REJECTING)
    at = vertex * VERTEX_FLOATS
    size = out.vertices[at + VertexField.POINT_SIZE]
    if not size > F(0.0):
        return FATE_NO_SIZE
    half = size * F(0.5)
    outside = beside_viewport(state, out.vertices[at], out.vertices[at + 1], half)
    if outside:
        return outside
    corner = append_vertices(out, 4)
    for k in range(4):
        place_corner(state, out, vertex, corner + k, half if k & 1 else -half, half if k & 2 else -half, k)
    flags = PrimitiveFlag.NO_CULL | PrimitiveFlag.EDGES | vertex << PROVOKING_SHIFT
    if state.user_planes:
        polygon = out.polygon
        polygon[0], polygon[1], polygon[2], polygon[3] = corner, corner + 1, corner + 3, corner + 2
        return clip_polygon(state, out, 4, state.user_planes * USER_0, PrimitiveKind.POINT, flags, number)
    emit(out, PrimitiveKind.POINT, corner, corner + 1, corner + 2, flags, number, 0)
    emit(out, PrimitiveKind.POINT, corner + 1, corner + 3, corner + 2, flags, number, 0)
    return FATE_DRAWN


@stage
def beside_viewport(state, x, y, half):
    """The side of the viewport beyond which the whole square lies; 0: none."""
    frustum, scale, offset = state.frustum, state.scale, state.offset
    down = -scale[1] if state.y_up else scale[1]
    if x + half < offset[0] + frustum[0] * scale[0]:
        return FATE_LEFT
    if x - half > offset[0] + frustum[1] * scale[0]:
        return FATE_RIGHT
    if y + half < offset[1] + frustum[2] * down:
        return FATE_TOP
    if y - half > offset[1] + frustum[3] * down:
        return FATE_BOTTOM
    return 0


@stage
def place_corner(state, out, point, vertex, dx, dy, k):
    """Corner k (right: bit 0, lower: bit 1) of a point, dx and dy pixels away: a copy, with sprite coordinates if asked for."""
    at, to, vertices, positions = point * VERTEX_FLOATS, vertex * VERTEX_FLOATS, out.vertices, out.positions
    for i in range(VERTEX_FLOATS):
        vertices[to + i] = vertices[at + i]
    vertices[to], vertices[to + 1] = vertices[at] + dx, vertices[at + 1] + dy
    if state.point_sprite:
        for i in range(VertexField.TEXCOORD, VERTEX_FLOATS, 4):
            vertices[to + i], vertices[to + i + 1] = F(k & 1), F(k >> 1)
            vertices[to + i + 2], vertices[to + i + 3] = F(0.0), F(1.0)
    for i in range(4):
        positions[component(vertex, i)] = positions[component(point, i)]
    w = positions[component(point, 3)]
    positions[component(vertex, 0)] += dx / state.scale[0] * w
    positions[component(vertex, 1)] += dy / state.scale[1] * w
