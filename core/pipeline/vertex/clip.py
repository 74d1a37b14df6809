"""Clip: triangles and lines against the view volume, and vertices to screen space (semantics section 1).

A vertex has a code: one bit per plane it lies outside, in the order of PrimitiveFate.  A primitive outside one plane
with all its vertices vanishes; one that crosses near, far, a user plane, w = 0 or the guard band is cut.  The viewport's sides
only reject: pixels beyond them are left out by the rasteriser.  Cuts interpolate in clip space, always from the inner to the
outer vertex, so that triangles which share an edge get the same new vertex.

With CLIPPING off nothing is cut at user planes.  Near and far do not heed it: they cut untransformed vertices always,
transformed ones while the depth test is on, and what they leave has its depth clamped pixel by pixel (Wine's depth_clamp_test
and zenable_test, which run on Windows).

Whatever comes in, what goes out lies on the screen (VERTEX_STATE.screen), with finite rhw.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import (
    Color,
    absolute,
    any_lane,
    maximum,
    minimum,
    saturate,
    select,
    store_float,
    store_int,
    store_quads,
    transpose,
    vfloat,
    vint,
    with_alpha,
)
from core.matrices import bounded
from core.pipeline.draw_state.vertex_state import SMALLEST_W, VertexKind
from core.pipeline.records.primitives import (
    FATE_DRAWN,
    FATE_NOT_FINITE,
    PROVOKING_SHIFT,
    VERTEX_FLOATS,
    PrimitiveFate,
    PrimitiveKind,
    VertexField,
)  # fmt: skip
from core.pipeline.records.rows import BATCH, OUTPUT, load4, store1, store4
from core.spec.enums import Cull

F = np.float32
LEAST_RHW = 1e-12  # of XYZRHW vertices; smaller ones count as 1
GREATEST = 1e18
"""Positions beyond are not drawn: their products would overflow."""


def code_of(fate: PrimitiveFate) -> int:
    """The bit of a vertex code that stands for a fate."""
    return 1 << (fate - 1)


LEFT, RIGHT, TOP, BOTTOM = (
    code_of(PrimitiveFate.LEFT),
    code_of(PrimitiveFate.RIGHT),
    code_of(PrimitiveFate.TOP),
    code_of(PrimitiveFate.BOTTOM),
)
NEAR, FAR, USER_0 = code_of(PrimitiveFate.NEAR), code_of(PrimitiveFate.FAR), code_of(PrimitiveFate.USER_0)
GUARD_LEFT, GUARD_RIGHT = code_of(PrimitiveFate.GUARD_LEFT), code_of(PrimitiveFate.GUARD_RIGHT)
GUARD_TOP, GUARD_BOTTOM = code_of(PrimitiveFate.GUARD_TOP), code_of(PrimitiveFate.GUARD_BOTTOM)
EYE, NOT_FINITE = code_of(PrimitiveFate.EYE), code_of(PrimitiveFate.NOT_FINITE)
USER = 63 * USER_0
SIDES, GUARD = LEFT | RIGHT | TOP | BOTTOM, GUARD_LEFT | GUARD_RIGHT | GUARD_TOP | GUARD_BOTTOM
CUTTING = NEAR | FAR | USER | GUARD | EYE
EYE_PLANE = PrimitiveFate.EYE - 1
PLANES = 17
POLYGON = 64  # vertices: 3 and one more for each plane

Out = namedtuple("Out", "vertices positions codes primitives fates counters polygon blank")
"""Where results go: VERTEX and clip space floats, codes, PRIMITIVE, fates, counters (VERTICES, PRIMITIVES ...), scratch.

blank: for each set of coordinates, how many vertices from the first on hold 0, 0, 0, 1 there, of whatever draw."""

COORDINATE_SETS = 8
VERTICES, PRIMITIVES, OUTSIDE, INDICES_OUTSIDE, PATTERN, LISTED, CROSSED = range(7)  # CROSSED: 1 if some vertex has a code


# ---- codes and projection, sixteen vertices at a time -----------------------------------------


@stage
def bit(condition, code):
    return select(condition, vint(code), vint(0))


@stage
def vertex_codes(state, position):
    """The code of each vertex from its position in clip space."""
    x, y, z, w = position.r, position.g, position.b, position.a
    frustum, guard = state.frustum, state.guard
    down = -y if state.y_up else y
    code = bit(x < w * frustum[0], LEFT) | bit(x > w * frustum[1], RIGHT)
    code = code | bit(down < w * frustum[2], TOP) | bit(down > w * frustum[3], BOTTOM)
    if state.z_clip:
        code = code | bit(z < F(0.0), NEAR) | bit(z > w, FAR)
    code = code | bit(w < F(SMALLEST_W), EYE)
    code = code | bit(x < w * guard[0], GUARD_LEFT) | bit(x > w * guard[1], GUARD_RIGHT)
    code = code | bit(down < w * guard[2], GUARD_TOP) | bit(down > w * guard[3], GUARD_BOTTOM)
    small = (
        (absolute(x) < F(GREATEST)) & (absolute(y) < F(GREATEST)) & (absolute(z) < F(GREATEST)) & (absolute(w) < F(GREATEST))
    )
    code = code | bit(~small, NOT_FINITE)
    for k in range(6):
        if state.user_planes >> k & 1:
            p = 4 * (6 + k)
            plane = state.plane
            distance = x * plane[p] + y * plane[p + 1] + z * plane[p + 2] + w * plane[p + 3]
            code = code | select(distance < F(0.0), vint(USER_0 << k), vint(0))
    return code


@stage
def within(v, low, high):
    """v within low..high; NaN gives low."""
    return minimum(maximum(v, vfloat(low)), vfloat(high))


# ---- clip space positions: sixteen x, sixteen y, z, w, and so on ----------------------------------


@stage
def component(vertex, k):
    """Where component k of a vertex is in `positions`."""
    return (vertex >> 4) * 64 + 16 * k + (vertex & 15)


@stage
def store_positions(positions, first, position):
    """Sixteen vertices; first is a multiple of 16."""
    store_float(positions, 4 * first, position.r)
    store_float(positions, 4 * first + 16, position.g)
    store_float(positions, 4 * first + 32, position.b)
    store_float(positions, 4 * first + 48, position.a)


# ---- one new vertex ----------------------------------------------------------------------------


@stage
def append_vertices(out, count):
    """Makes room for vertices after those there are; the number of the first."""
    first = out.counters[VERTICES]
    out.counters[VERTICES] = first + count
    for number in range(COORDINATE_SETS):
        out.blank[number] = min(out.blank[number], first)
    return first


@stage
def distance(state, out, vertex, plane):
    """How far inside of a plane a vertex is, in some unit."""
    p, v = state.plane, out.positions
    at, k = component(vertex, 0), 4 * plane
    result = v[at] * p[k] + v[at + 16] * p[k + 1] + v[at + 32] * p[k + 2] + v[at + 48] * p[k + 3]
    return result - F(SMALLEST_W) if plane == EYE_PLANE else result


@outlined
def cut(out, inner, outer, inner_distance, outer_distance):
    """The vertex where an edge meets a plane."""
    t = inner_distance / (inner_distance - outer_distance)
    new = append_vertices(out, 1)
    for k in range(4):
        a, b = out.positions[component(inner, k)], out.positions[component(outer, k)]
        out.positions[component(new, k)] = a + t * (b - a)
    for k in range(VertexField.DIFFUSE, VERTEX_FLOATS):
        a, b = out.vertices[VERTEX_FLOATS * inner + k], out.vertices[VERTEX_FLOATS * outer + k]
        value = a + t * (b - a)
        out.vertices[VERTEX_FLOATS * new + k] = bounded(value, F(0.0), F(1.0)) if k <= VertexField.FOG else value
    return new


@outlined
def project(state, out, vertex):
    """Screen coordinates of a vertex that clipping made; False if it has none."""
    at, to = component(vertex, 0), VERTEX_FLOATS * vertex
    x, y, z, w = out.positions[at], out.positions[at + 16], out.positions[at + 32], out.positions[at + 48]
    if not (w > F(0.0) and abs(x) < F(GREATEST) and abs(y) < F(GREATEST) and abs(z) < F(GREATEST) and w < F(GREATEST)):
        return False
    rhw = F(1.0) / w
    scale, offset, screen, vertices = state.scale, state.offset, state.screen, out.vertices
    vertices[to] = bounded(offset[0] + x * rhw * scale[0], screen[0], screen[1])
    vertices[to + 1] = bounded(offset[1] + y * rhw * scale[1], screen[2], screen[3])
    vertices[to + 2] = bounded(offset[2] + z * rhw * scale[2], screen[4], screen[5])
    vertices[to + 3] = rhw
    return True


# ---- triangles and lines -----------------------------------------------------------------------


@stage
def first_plane(code):
    """The fate that the lowest bit of a code stands for."""
    for k in range(PLANES + 1):
        if code >> k & 1:
            return k + 1
    return 0


@stage
def cut_by_plane(state, out, plane, source, target, count):
    """Keeps the part of the polygon `source` inside of a plane in `target`; returns its size (Sutherland and Hodgman)."""
    kept = 0
    previous = out.polygon[source + count - 1]
    previous_distance = distance(state, out, previous, plane)
    for i in range(count):
        vertex = out.polygon[source + i]
        here = distance(state, out, vertex, plane)
        if (here >= F(0.0)) != (previous_distance >= F(0.0)):
            if here >= F(0.0):
                out.polygon[target + kept] = cut(out, vertex, previous, here, previous_distance)
            else:
                out.polygon[target + kept] = cut(out, previous, vertex, previous_distance, here)
            kept += 1
        if here >= F(0.0):
            out.polygon[target + kept] = vertex
            kept += 1
        previous, previous_distance = vertex, here
    return kept


@outlined
def clip_triangle(state, out, a, b, c, crossed, number):
    """Cuts a triangle by the planes of `crossed` and emits what is left as a fan; returns its fate."""
    out.polygon[0], out.polygon[1], out.polygon[2] = a, b, c
    return clip_polygon(state, out, 3, crossed, PrimitiveKind.TRIANGLE, a << PROVOKING_SHIFT, number)


@outlined
def clip_polygon(state, out, count, crossed, kind, flags, number):
    """Cuts the first `count` vertices of `polygon`, a convex loop, and emits what is left as a fan; returns its fate."""
    polygon, source, old = out.polygon, 0, out.counters[VERTICES]
    for order in range(PLANES):
        plane = EYE_PLANE if order == 0 else order - 1  # w first: the other planes want it positive
        if crossed & CUTTING & (1 << plane):
            count = cut_by_plane(state, out, plane, source, POLYGON - source, count)
            source = POLYGON - source
            if count < 3:
                out.counters[VERTICES] = old
                return plane + 1
    for i in range(count):
        if polygon[source + i] >= old and not project(state, out, polygon[source + i]):
            out.counters[VERTICES] = old
            return FATE_NOT_FINITE
    for i in range(1, count - 1):
        emit(out, kind, polygon[source], polygon[source + i], polygon[source + i + 1], flags, number, 0)
    return FATE_DRAWN


@outlined
def clip_line(state, out, a, b, crossed):
    """Cuts a line; returns its ends and its fate."""
    first, last, old = a, b, out.counters[VERTICES]
    for order in range(PLANES):
        plane = EYE_PLANE if order == 0 else order - 1
        if crossed & CUTTING & (1 << plane):
            at_first, at_last = distance(state, out, first, plane), distance(state, out, last, plane)
            if not (at_first >= F(0.0) or at_last >= F(0.0)):
                return first, last, plane + 1
            if not at_first >= F(0.0):
                first = cut(out, last, first, at_last, at_first)
            elif not at_last >= F(0.0):
                last = cut(out, first, last, at_first, at_last)
    if (first >= old and not project(state, out, first)) or (last >= old and not project(state, out, last)):
        return first, last, FATE_NOT_FINITE
    return first, last, FATE_DRAWN


@stage
def emit(out, kind, a, b, c, flags, number, phase):
    """Appends a primitive."""
    at = out.counters[PRIMITIVES]
    out.counters[PRIMITIVES] = at + 1
    primitive = out.primitives[at]
    primitive.vertex[0], primitive.vertex[1], primitive.vertex[2] = a, b, c
    primitive.kind, primitive.flags, primitive.number = kind, flags, number
    primitive.pattern_phase, primitive.slope = phase, F(0.0)


# ---- culling, for what is not filled ------------------------------------------------------------


@outlined
def culled(state, out, a, b, c):
    """True if the triangle turns away; from clip space, so that vertices behind the eye do no harm (semantics section 2).

    One without an area counts as clockwise.
    """
    if state.cull_mode != Cull.CW and state.cull_mode != Cull.CCW:
        return False
    p = out.positions
    a, b, c = component(a, 0), component(b, 0), component(c, 0)
    x0, y0, w0 = np.float64(p[a]), np.float64(p[a + 16]), np.float64(p[a + 48])
    x1, y1, w1 = np.float64(p[b]), np.float64(p[b + 16]), np.float64(p[b + 48])
    x2, y2, w2 = np.float64(p[c]), np.float64(p[c + 16]), np.float64(p[c + 48])
    if (x0 == x1 and y0 == y1 and w0 == w1) or (x0 == x2 and y0 == y2 and w0 == w2):  # the sum below rounds
        return state.cull_mode == Cull.CW
    area = x0 * (y1 * w2 - y2 * w1) - y0 * (x1 * w2 - x2 * w1) + w0 * (x1 * y2 - x2 * y1)
    if state.y_up:
        area = -area
    counter_clockwise = area < 0.0
    return counter_clockwise if state.cull_mode == Cull.CCW else not counter_clockwise


# ---- a batch onto the screen -------------------------------------------------------------------


@outlined
def place_vertices(state, out, rows, first, lanes):
    """Takes a batch of processed vertices from the output rows to the arenas, as vertices `first` and on."""
    for chunk in range(0, lanes, 16):
        if state.kind == VertexKind.TRANSFORMED:
            place_transformed(state, rows, chunk, out, first)
        else:
            place_clip_space(state, rows, chunk, out, first)
        for row in (OUTPUT + VertexField.DIFFUSE, OUTPUT + VertexField.SPECULAR):
            store4(rows, row, chunk, saturate(load4(rows, row, chunk)))
    copy_vertices(state, out, rows, first, lanes)


@stage
def place_clip_space(state, rows, chunk, out, first):
    """Perspective division and viewport."""
    position = load4(rows, OUTPUT, chunk)
    code = vertex_codes(state, position)
    w = select((code & (EYE | NOT_FINITE)) == 0, position.a, vfloat(F(1.0)))
    rhw = F(1.0) / w
    scale, offset = state.scale, state.offset
    x = position.r * rhw * scale[0] + offset[0]
    y = position.g * rhw * scale[1] + offset[1]
    z = position.b * rhw * scale[2] + offset[2]
    store_screen(state, rows, chunk, Color(x, y, z, rhw), w)
    store_codes(out, first + chunk, code)
    store_positions(out.positions, first + chunk, position)


@stage
def store_codes(out, first, code):
    """The codes of sixteen vertices."""
    store_int(out.codes, first, code)
    if any_lane(code != 0):
        out.counters[CROSSED] = 1


@stage
def place_transformed(state, rows, chunk, out, first):
    """XYZRHW is on the screen already; rhw only weighs the interpolation, so its sign is dropped and 0 counts as 1."""
    given = load4(rows, OUTPUT, chunk)
    rhw = absolute(given.a)
    rhw = select((rhw > F(LEAST_RHW)) & (rhw < F(1.0) / F(LEAST_RHW)), rhw, vfloat(F(1.0)))
    w = F(1.0) / rhw
    position = Color(given.r * w, given.g * w, given.b * w, w)
    store_screen(state, rows, chunk, with_alpha(given, rhw), w)
    store_codes(out, first + chunk, vertex_codes(state, position))
    store_positions(out.positions, first + chunk, position)


@stage
def store_screen(state, rows, chunk, screen, w):
    """Screen position, bounded, in the first four output rows."""
    ends = state.screen
    store1(rows, OUTPUT + VertexField.X, chunk, within(screen.r, ends[0], ends[1]))
    store1(rows, OUTPUT + VertexField.Y, chunk, within(screen.g, ends[2], ends[3]))
    store1(rows, OUTPUT + VertexField.Z, chunk, within(screen.b, ends[4], ends[5]))
    store1(rows, OUTPUT + VertexField.RHW, chunk, screen.a)
    store1(rows, OUTPUT + VertexField.FOG_DISTANCE, chunk, w)


@stage
def copy_vertices(state, out, rows, first, lanes):
    """Rows to vertices, sixteen at a time; the last ones of a batch may be written without being used.

    Texture coordinates that no stage uses are 0, 0, 0, 1 without a look at their rows, and stay where they are so already.
    """
    vertices, blank, end = out.vertices, out.blank, first + (lanes + 15) // 16 * 16
    for at in range(first, end, 16):
        transpose(rows, OUTPUT * BATCH + at - first, BATCH, vertices, at * VERTEX_FLOATS, VERTEX_FLOATS)
    for number in range(COORDINATE_SETS):
        field = VertexField.TEXCOORD + 4 * number
        if number < state.stage_count:
            for at in range(first, end, 16):
                store_quads(vertices, at * VERTEX_FLOATS + field, VERTEX_FLOATS, load4(rows, OUTPUT + field, at - first))
            blank[number] = min(blank[number], first)
        elif blank[number] < end:
            for at in range(first, end, 16):
                store_quads(vertices, at * VERTEX_FLOATS + field, VERTEX_FLOATS, Color(F(0.0), F(0.0), F(0.0), F(1.0)))
            if blank[number] >= first:
                blank[number] = end
