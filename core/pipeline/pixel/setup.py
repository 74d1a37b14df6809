"""Triangle setup: from screen vertices to edge functions, attribute planes, bounds; culling, flat shading, wrapping.

Positions are snapped to 1/256 pixel; pixel centres are integers, y points down.  Edges are exact in 64-bit integers.
Attributes are divided by w unless 1/w is the same at all vertices; then they are left alone, so that plain rectangles
come out exactly.
"""

from __future__ import annotations

import math

import numpy as np

from core.kernels.jit import array, i8, kernel, stage
from core.kernels.simd import Pointer, advance, calling, pointer
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.records.layout import EDGES, GUARD_BAND, PIXEL_STATE, SUBPIXELS, Plane
from core.pipeline.records.primitives import PRIMITIVE, PROVOKING_SHIFT, VERTEX_FLOATS, PrimitiveKind
from core.spec.enums import Cull

NO_CULL = 0x10
LAST_PIXEL = 0x20
POLYGON = 0x40


@stage
def snap(value):
    """A coordinate in 1/256 pixel, rounded to nearest."""
    return int(math.floor(np.float64(value) * SUBPIXELS + 0.5))  # noqa: RUF046 (the compiler's floor gives a float)


@stage
def reachable(x, y):
    """Inside the guard band (NaN is not)."""
    return -GUARD_BAND <= x <= GUARD_BAND and -GUARD_BAND <= y <= GUARD_BAND


@stage
def edge_function(edges, k, x0, y0, x1, y1):
    """Edge number k from (x0, y0) to (x1, y1), inside on the right of its direction; pixels on it count if top or left."""
    dx, dy = x1 - x0, y1 - y0
    c = dy * x0 - dx * y0
    if not (dy < 0 or (dy == 0 and dx > 0)):
        c -= 1
    e = edges.edge
    e[3 * k], e[3 * k + 1], e[3 * k + 2] = -dy, dx, c


@stage
def set_bounds(edges, state, left, top, right, bottom):
    """Bounds in pixels within the scissor; False if nothing is left."""
    edges.left, edges.top = max(left, state.left), max(top, state.top)
    edges.right, edges.bottom = min(right, state.right), min(bottom, state.bottom)
    edges.scissored = left < state.left or top < state.top or right > state.right or bottom > state.bottom
    return edges.left <= edges.right and edges.top <= edges.bottom


@stage
def shorter_way(value, reference):
    """A wrapping coordinate, shifted by a whole turn if that is nearer to the reference."""
    if value - reference > np.float32(0.5):
        return value - np.float32(1.0)
    if value - reference < np.float32(-0.5):
        return value + np.float32(1.0)
    return value


@stage
def store_plane(record, p, value, x, y):
    planes = record.plane
    planes[3 * p], planes[3 * p + 1], planes[3 * p + 2] = value, x, y


@stage
def depth_bias(state, x, y, slope):
    """What ZBIAS takes off: its steps of the steepest slope and of the smallest difference."""
    return state.depth_bias * (max(max(abs(x), abs(y)), slope) + 1.0)


@stage
def depth_plane(record, state, z0, x, y, biased, slope):
    """Depth in steps of the target, in doubles and in singles; slope: at least so steep, a pixel, where it is biased."""
    scale = state.depth_scale
    x, y = x * scale, y * scale
    value = np.float64(z0) * scale
    record.bias = np.float32(0.0)
    if biased and state.depth_bias:
        bias = depth_bias(state, x, y, slope * scale)
        value -= bias
        record.bias = np.float32(bias)
    d = record.depth
    d[0], d[1], d[2] = value, x, y
    store_plane(record, Plane.DEPTH, np.float32(value), np.float32(x), np.float32(y))


@stage
def triangle_planes(record, state, v0, v1, v2, flat, dx1, dy1, dx2, dy2, inverse, biased, slope):
    """All planes of a triangle; v0..v2: vertices (floats), flat: the one whose colours count, dx1..: pixels from v0."""
    x1, x2, y1, y2 = dy2 * inverse, -dy1 * inverse, -dx2 * inverse, dx1 * inverse
    dz1, dz2 = np.float64(v1[2]) - v0[2], np.float64(v2[2]) - v0[2]
    depth_plane(record, state, v0[2], dz1 * x1 + dz2 * x2, dz1 * y1 + dz2 * y2, biased, slope)
    x1, x2, y1, y2 = np.float32(x1), np.float32(x2), np.float32(y1), np.float32(y2)
    r0, r1, r2 = v0[3], v1[3], v2[3]
    d1, d2 = r1 - r0, r2 - r0
    store_plane(record, Plane.RHW, r0, d1 * x1 + d2 * x2, d1 * y1 + d2 * y2)
    affine = r0 == r1 and r1 == r2
    record.affine = affine
    if affine:
        r0, r1, r2 = np.float32(1.0), np.float32(1.0), np.float32(1.0)
    for p in range(2, state.plane_count):
        k = state.plane_source[p]
        a0, a1, a2 = v0[k], v1[k], v2[k]
        if state.plane_flat[p]:
            a0 = a1 = a2 = flat[k]
        if state.plane_wrap[p]:
            a1, a2 = shorter_way(a1, a0), shorter_way(a2, a0)
        a0 = a0 * r0
        d1, d2 = a1 * r1 - a0, a2 * r2 - a0
        store_plane(record, p, a0, d1 * x1 + d2 * x2, d1 * y1 + d2 * y2)


@stage
def culled(mode, area):
    """area > 0: clockwise on the screen."""
    return (mode == Cull.CW and area > 0) or (mode == Cull.CCW and area < 0)


@stage
def setup_triangle(edges, record, state, v0, v1, v2, flat, keep, biased, slope):
    """False if nothing of the triangle can be seen."""
    x0, y0, x1, y1, x2, y2 = snap(v0[0]), snap(v0[1]), snap(v1[0]), snap(v1[1]), snap(v2[0]), snap(v2[1])
    area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if area == 0 or (not keep and culled(state.cull, area)):
        return False
    a, b = v1, v2
    if area < 0:
        a, b = v2, v1
        x1, y1, x2, y2, area = x2, y2, x1, y1, -area
    # multisampling reaches half a pixel further
    reach = 128 if state.samples > 1 and state.antialias else 0
    if not set_bounds(edges, state, (min(x0, x1, x2) + 255 - reach) >> 8, (min(y0, y1, y2) + 255 - reach) >> 8,
                      (max(x0, x1, x2) + reach) >> 8, (max(y0, y1, y2) + reach) >> 8):  # fmt: skip
        return False
    edge_function(edges, 0, x0, y0, x1, y1)
    edge_function(edges, 1, x1, y1, x2, y2)
    edge_function(edges, 2, x2, y2, x0, y0)
    step = 1.0 / SUBPIXELS
    record.x, record.y = np.float32(x0 * step), np.float32(y0 * step)
    triangle_planes(record, state, v0, a, b, flat, (x1 - x0) * step, (y1 - y0) * step, (x2 - x0) * step,
                    (y2 - y0) * step, SUBPIXELS * SUBPIXELS / np.float64(area), biased, slope)  # fmt: skip
    return True


@stage
def setup_line(edges, record, state, v0, v1, flat, phase, last, biased, slope):
    """A line of one pixel per column, or per row if it is steeper; attributes change along that axis only."""
    x0, y0, x1, y1 = snap(v0[0]), snap(v0[1]), snap(v1[0]), snap(v1[1])
    dx, dy = x1 - x0, y1 - y0
    steep = abs(dy) > abs(dx)
    if dx == 0 and dy == 0:
        return False
    if not set_bounds(edges, state, (min(x0, x1) - 255) >> 8, (min(y0, y1) - 255) >> 8, (max(x0, x1) + 511) >> 8,
                      (max(y0, y1) + 511) >> 8):  # fmt: skip
        return False
    e = edges.edge
    e[0], e[1], e[2], e[3], e[4], e[5], e[6] = x0, y0, dx, dy, steep, last, phase
    step = 1.0 / SUBPIXELS
    record.x, record.y = np.float32(x0 * step), np.float32(y0 * step)
    # as a triangle with a third vertex across the axis that has the first one's attributes
    if steep:
        triangle_planes(record, state, v0, v1, v0, flat, 0.0, dy * step, -1.0, 0.0, SUBPIXELS / np.float64(dy), biased,
                        slope)  # fmt: skip
    else:
        triangle_planes(record, state, v0, v1, v0, flat, dx * step, 0.0, 0.0, 1.0, SUBPIXELS / np.float64(dx), biased, slope)
    return True


@stage
def count_bins(edges, counts, columns):
    """One more primitive in each tile that the bounds touch."""
    for ty in range(edges.top >> 6, (edges.bottom >> 6) + 1):
        for tx in range(edges.left >> 6, (edges.right >> 6) + 1):
            counts[ty * columns + tx] += 1


@stage
def vertex_at(vertices, number):
    """The floats of one vertex."""
    return advance(vertices, number * VERTEX_FLOATS)


SET_UP = i8(Pointer("f4"), Pointer(PRIMITIVE), i8, Pointer(PIXEL_STATE), i8, i8, Pointer(EDGES), i8, Pointer("f4"), i8,
            Pointer("i8"), i8, Pointer("i8"))  # fmt: skip
call_set_up = calling(SET_UP)


@kernel(SET_UP)
def set_up(vertex, items, primitive_count, states, state_number, seq, edge, edge_count, floats, plane_count, bins, columns,
           out):  # fmt: skip
    """Sets up the primitives of one draw behind those that stand in edges and planes; their new lengths go into out[0:2].

    bins: primitives per tile.  Returns the number of primitives that reach beyond the guard band and were left out; the caller
    has made room for all.
    """
    state, found, beyond = states[state_number], 0, 0
    for i in range(primitive_count):
        item = items[i]
        line = item.kind == PrimitiveKind.LINE
        v0, v1 = vertex_at(vertex, item.vertex[0]), vertex_at(vertex, item.vertex[1])
        v2 = vertex_at(vertex, item.vertex[1 if line else 2])
        flat = vertex_at(vertex, item.flags >> PROVOKING_SHIFT)
        if not (reachable(v0[0], v0[1]) and reachable(v1[0], v1[1]) and reachable(v2[0], v2[1])):
            beyond += 1
            continue
        record, target = triangle_at(floats, plane_count), edge[edge_count + found]
        polygon = (item.flags & POLYGON) != 0
        if line:
            drawn = setup_line(target, record, state, v0, v1, flat, item.pattern_phase, (item.flags & LAST_PIXEL) != 0, polygon,
                               item.slope)  # fmt: skip
        else:
            drawn = setup_triangle(target, record, state, v0, v1, v2, flat, (item.flags & NO_CULL) != 0,
                                   polygon or item.kind == PrimitiveKind.TRIANGLE, item.slope)  # fmt: skip
        if drawn:
            target.planes, target.state, target.seq = plane_count, state_number, seq
            target.number, target.kind = item.number, item.kind
            count_bins(target, bins, columns)
            plane_count += state.record_floats
            found += 1
    out[0], out[1] = edge_count + found, plane_count
    return beyond


SETUP = i8(i8, array("f4", 2), array(PRIMITIVE), i8, array(PIXEL_STATE), i8, i8, array(EDGES), i8, array("f4"), i8,
           array("i8"), i8, array("i8"))  # fmt: skip


@kernel(SETUP)
def setup_primitives(entry, vertices, primitives, primitive_count, states, state_number, seq, edges, edge_count, planes,
                     plane_count, counts, columns, out):  # fmt: skip
    """set_up (which stands at the address `entry`) over arrays; counts: int64[tiles]."""
    return call_set_up(entry, (
        pointer(vertices, 0), pointer(primitives, 0), primitive_count, pointer(states, 0), state_number, seq,
        pointer(edges, 0), edge_count, pointer(planes, 0), plane_count, pointer(counts, 0), columns, pointer(out, 0),
    ))  # fmt: skip
