"""Assemble: from indices to triangles, lines and points, and from primitive types to fill modes (semantics sections 2 and 3).

The first vertex of an emitted triangle is its provoking vertex: strips keep it first and swap the other two of odd triangles;
fans emit v[k+1], v[k+2], v[0].
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import lane_number, load_int, picking, record_at, select, store_int, vint
from core.pipeline.records.primitives import (
    FATE_CULLED,
    FATE_DRAWN,
    FATE_NOT_FINITE,
    PRIMITIVE,
    PROVOKING_SHIFT,
    VERTEX_FLOATS,
    PrimitiveFlag,
    PrimitiveKind,
)  # fmt: skip
from core.pipeline.records.rows import MOST_NUMBER
from core.pipeline.vertex.clip import (
    CROSSED,
    CUTTING,
    EYE,
    FAR,
    INDICES_OUTSIDE,
    NEAR,
    NOT_FINITE,
    PRIMITIVES,
    SIDES,
    USER,
    VERTICES,
    clip_triangle,
    culled,
    emit,
    first_plane,
)  # fmt: skip
from core.pipeline.vertex.lines import draw_line
from core.pipeline.vertex.points import draw_point
from core.spec.enums import FillMode, PrimitiveType

REJECTING = SIDES | NEAR | FAR | USER | EYE
ROOM_VERTICES, ROOM_PRIMITIVES = 96, 64
"""What one primitive can take at most: the arenas have this much left before each."""


class IndexForm(IntEnum):
    """How the vertices of a draw are numbered."""

    NONE = 0  # one after the other
    WORD = 2
    DWORD = 4
    FLAGGED = 8  # records of three words and the edge flags (D3DHAL_DP2INDEXEDTRIANGLELIST)


DRAW = np.dtype([
    ("type", "i4"),             # PrimitiveType
    ("count", "i4"),            # primitives
    ("index_form", "i4"),       # IndexForm
    ("index_count", "i4"),      # references: vertices the draw names; a FLAGGED triangle takes four, the fourth is its flags
    ("index_offset", "i8"),     # bytes to the first index
    ("index_size", "i8"),       # bytes of the index memory
    ("start", "i8"),            # first vertex, or what is added to each index
    ("limit", "i8"),            # vertices beyond are read as this one, which lies outside all streams; at most MOST_NUMBER
    ("base", "i8"),             # made here: what the first processed vertex is called in the references
    ("edge_flags", "i8"),       # of a fan (bit 0: v0-v1, bit i: v[i]-v[i+1], last: closing); -1: all edges are drawn
])  # fmt: skip


# type -> (vertices per primitive, vertices that the first primitive needs more)
SHAPES: dict[int, tuple[int, int]] = {
    PrimitiveType.POINTLIST: (1, 0),
    PrimitiveType.LINELIST: (2, 0),
    PrimitiveType.LINESTRIP: (1, 1),
    PrimitiveType.TRIANGLELIST: (3, 0),
    PrimitiveType.TRIANGLESTRIP: (1, 2),
    PrimitiveType.TRIANGLEFAN: (1, 2),
}


def reference_count(kind: int, primitives: int) -> int:
    """Vertices that this many primitives of a type name."""
    each, more = SHAPES.get(kind, (0, 0))
    return each * primitives + more if primitives > 0 else 0


def primitive_count(kind: int, references: int) -> int:
    """Primitives of a type that this many vertices make."""
    each, more = SHAPES.get(kind, (1, references))
    return max(references - more, 0) // each


# ---- references: which vertices, each once -----------------------------------------------------

_word_at, _dword_at = record_at(np.dtype([("value", "<u2")])), record_at(np.dtype([("value", "<u4")]))
_integer_at = record_at(np.dtype([("value", "<i4")]))


@outlined
def resolve_references(draw, memory, references, counters):
    """Vertex numbers of all references; returns the least and the greatest."""
    count, offset, start = draw.index_count, draw.index_offset, draw.start
    size = 4 if draw.index_form == IndexForm.DWORD else 0 if draw.index_form == IndexForm.NONE else 2
    if draw.index_form == IndexForm.FLAGGED or offset < 0 or offset + count * size > draw.index_size:
        return resolve_carefully(draw, memory, references, counters)
    if draw.index_form == IndexForm.NONE:
        low, high = start, start + count - 1
        for k in range(count):
            references[k] = start + k
    else:
        low, high = add_to_indices(memory, offset, size, count, start, references)
    if low < 0 or high > draw.limit:
        return resolve_carefully(draw, memory, references, counters)
    return low, high


@stage
def add_to_indices(memory, offset, size, count, start, references):
    """References of indices and a base; returns the least and the greatest.

    Not for indices from 2**31 on (it returns -1), or where these two are no numbers of vertices: references are cut to words.
    """
    low, high = np.int32(MOST_NUMBER), np.int32(0)
    if size == 4:
        for k in range(count):
            index = np.int32(_integer_at(memory, offset + 4 * k).value)
            references[k] = start + index
            low, high = min(low, index), max(high, index)
        if low < 0:
            return np.int64(-1), np.int64(-1)
    else:
        for k in range(count):
            index = np.int32(_word_at(memory, offset + 2 * k).value)
            references[k] = start + index
            low, high = min(low, index), max(high, index)
    return start + low, start + high


@outlined
def resolve_carefully(draw, memory, references, counters):
    """The same where indices have flags between them or lie outside their memory (0 then), or vertices outside their streams:
    these become the one after the last."""
    low, high = draw.limit, np.int64(0)
    size = 4 if draw.index_form == IndexForm.DWORD else 2
    for k in range(draw.index_count):
        at, index = draw.index_offset + k * size, np.int64(0)
        if draw.index_form == IndexForm.NONE:
            index = np.int64(k)
        elif at < 0 or at + size > draw.index_size:
            counters[INDICES_OUTSIDE] += 1
        else:
            index = np.int64(_dword_at(memory, at).value) if size == 4 else np.int64(_word_at(memory, at).value)
        if draw.index_form == IndexForm.FLAGGED and k & 3 == 3:
            references[k] = index
            continue
        number = draw.start + index
        if number < 0 or number > draw.limit:
            number = draw.limit
        references[k] = number
        low, high = min(low, number), max(high, number)
    return low, high


@outlined
def number_vertices(draw, low, high, references, numbers, table, table_size):
    """Fills `numbers`, the vertices to process, and draw.base: reference - base is a place in it.  Returns how many there are.

    A dense range is taken whole; otherwise a hash table (table_size a power of two, two integers an entry) finds each vertex
    once.
    """
    draw.base = 0
    if high - low < 2 * draw.index_count + 64:
        draw.base = low
        total = high - low + 1
        for k in range(total):
            numbers[k] = low + k
        return total
    for k in range(2 * table_size):
        table[k] = -1
    total = np.int64(0)
    for k in range(draw.index_count):
        if draw.index_form != IndexForm.FLAGGED or k & 3 != 3:
            total = place_reference(references, k, numbers, table, table_size - 1, total)
    return total


@stage
def place_reference(references, k, numbers, table, mask, total):
    """Finds or adds the vertex of reference k; returns the number of vertices."""
    number = np.int64(references[k])
    at = (number * 40503) & mask
    while table[2 * at] != -1 and table[2 * at] != number:
        at = (at + 1) & mask
    if table[2 * at] == -1:
        table[2 * at], table[2 * at + 1] = number, total
        numbers[total] = number
        total += 1
    references[k] = table[2 * at + 1]
    return total


# ---- primitives --------------------------------------------------------------------------------

ALL_EDGES = int(PrimitiveFlag.EDGES)
KIND_WORD, FLAGS_WORD, NUMBER_WORD = (PRIMITIVE.fields[name][1] // 4 for name in ("kind", "flags", "number"))  # type: ignore[index]
assert PRIMITIVE.itemsize == 32 and not PrimitiveKind.TRIANGLE  # two fill a vector; what is not set is 0

# Of two triangles that begin at reference 0: their corners, and the first corner where the flags go.
_list_corners = picking(0, 1, 2, 0, 0, 0, 0, 0, 3, 4, 5, 3, 3, 3, 3, 3)
_strip_corners = picking(0, 1, 2, 0, 0, 0, 0, 0, 1, 3, 2, 1, 1, 1, 1, 1)


@outlined
def assemble(state, draw, references, out, first, vertex_room, primitive_room):
    """Emits primitives `first` and on; returns the number of the one that no longer fits, or the count."""
    solid = state.fill_mode != FillMode.WIREFRAME and state.fill_mode != FillMode.POINT
    strip = draw.type == PrimitiveType.TRIANGLESTRIP
    plain = solid and (strip or (draw.type == PrimitiveType.TRIANGLELIST and draw.index_form != IndexForm.FLAGGED))
    k = first
    while k < draw.count:
        if plain and not (strip and k & 1):
            room = primitive_room - ROOM_PRIMITIVES - out.counters[PRIMITIVES]
            end = first_cut(draw, references, out, k, min(draw.count, k + room), strip)
            emit_whole(draw, references, out, k, end, strip)
            k = max(k, end)
            if k == draw.count:
                break
        if out.counters[VERTICES] + ROOM_VERTICES > vertex_room or out.counters[PRIMITIVES] + ROOM_PRIMITIVES > primitive_room:
            return k
        if draw.type == PrimitiveType.POINTLIST:
            out.fates[k] = draw_point(state, out, references[k] - draw.base, k)
        elif draw.type == PrimitiveType.LINELIST:
            a, b = references[2 * k] - draw.base, references[2 * k + 1] - draw.base
            out.fates[k] = draw_line(state, out, a, b, k, True, True)
        elif draw.type == PrimitiveType.LINESTRIP:
            a, b = references[k] - draw.base, references[k + 1] - draw.base
            out.fates[k] = draw_line(state, out, a, b, k, k == 0, k == draw.count - 1)
        else:
            out.fates[k] = assemble_triangle(state, draw, references, out, k, solid)
        k += 1
    return draw.count


@stage
def first_cut(draw, references, out, first, last, strip):
    """The first of these triangles of a list or strip with a vertex outside some plane; `last` if there is none."""
    if not out.counters[CROSSED]:
        return last
    codes, base, each, k = out.codes, draw.base, 1 if strip else 3, first
    while k < last:
        at = each * k
        if codes[references[at] - base] | codes[references[at + 1] - base] | codes[references[at + 2] - base]:
            return k
        k += 1
    return k


@stage
def emit_whole(draw, references, out, first, last, strip):
    """Emits triangles of a list, or of a strip from an even one on, two in one vector: what `emit` does, word by word.

    One more than there are may be written; it is not counted.
    """
    primitives, fates, at = out.primitives, out.fates, out.counters[PRIMITIVES] - first
    base, each, word = draw.base, 1 if strip else 3, lane_number() & 7
    shifts = select(word == FLAGS_WORD, vint(PROVOKING_SHIFT), vint(0))
    kept = select((word < KIND_WORD) | (word == FLAGS_WORD), vint(-1), vint(0))
    rest = select(word == FLAGS_WORD, vint(ALL_EDGES), select(word == NUMBER_WORD, (lane_number() >> 3) + first, vint(0)))
    step = select(word == NUMBER_WORD, vint(2), vint(0))
    for k in range(first, last, 2):
        named = load_int(references, each * k)
        corners = (_strip_corners(named) if strip else _list_corners(named)) - base
        store_int(primitives, at + k, (corners << shifts & kept) + rest)
        rest = rest + step
    for k in range(first, last):
        fates[k] = FATE_DRAWN
    if last > first:
        out.counters[PRIMITIVES] = at + last


@stage
def assemble_triangle(state, draw, references, out, k, solid):
    """Triangle k of a list, strip or fan; returns its fate.  Most are emitted at once."""
    edges = 7
    if draw.type == PrimitiveType.TRIANGLESTRIP:
        a, b, c = k, k + 1 + (k & 1), k + 2 - (k & 1)
    elif draw.type == PrimitiveType.TRIANGLEFAN:
        a, b, c = k + 1, k + 2, 0
        if draw.edge_flags >= 0:
            edges = fan_edges(draw, k)
    elif draw.index_form == IndexForm.FLAGGED:
        a, b, c = 4 * k, 4 * k + 1, 4 * k + 2
        edges = references[4 * k + 3] >> 8 & 7
    else:
        a, b, c = 3 * k, 3 * k + 1, 3 * k + 2
    base, codes = draw.base, out.codes
    a, b, c = references[a] - base, references[b] - base, references[c] - base
    if solid and not (codes[a] | codes[b] | codes[c]):
        emit(out, PrimitiveKind.TRIANGLE, a, b, c, edges | a << PROVOKING_SHIFT, k, 0)
        return FATE_DRAWN
    return draw_triangle(state, out, a, b, c, edges, k)


@stage
def fan_edges(draw, k):
    """Edge flags of triangle (v[k+1], v[k+2], v[0]): its inner edges are not the application's."""
    if k > 29:
        return 1
    edges = draw.edge_flags >> (k + 1) & 1
    if k == draw.count - 1:
        edges |= (draw.edge_flags >> (k + 2) & 1) << 1
    if k == 0:
        edges |= (draw.edge_flags & 1) << 2
    return edges


@outlined
def draw_triangle(state, out, a, b, c, edges, number):
    """Rejects, clips or emits a triangle; wireframe and point fill take it apart.  Returns its fate."""
    codes = out.codes
    crossed, common = codes[a] | codes[b] | codes[c], codes[a] & codes[b] & codes[c]
    if crossed & NOT_FINITE:
        return FATE_NOT_FINITE
    if common & REJECTING:
        return first_plane(common & REJECTING)
    if state.fill_mode == FillMode.WIREFRAME or state.fill_mode == FillMode.POINT:
        return draw_outline(state, out, a, b, c, edges, number)
    if crossed & CUTTING:
        return clip_triangle(state, out, a, b, c, crossed, number)
    emit(out, PrimitiveKind.TRIANGLE, a, b, c, edges | a << PROVOKING_SHIFT, number, 0)
    return FATE_DRAWN


@outlined
def draw_outline(state, out, a, b, c, edges, number):
    """The edges or the vertices of a triangle that is not culled."""
    if culled(state, out, a, b, c):
        return FATE_CULLED
    before, slope = out.counters[PRIMITIVES], steepest_slope(state, out, a, b, c)
    if state.fill_mode == FillMode.POINT:
        draw_point(state, out, a, number)
        draw_point(state, out, b, number)
        draw_point(state, out, c, number)
        for k in range(before, out.counters[PRIMITIVES]):
            out.primitives[k].flags, out.primitives[k].slope = out.primitives[k].flags | PrimitiveFlag.POLYGON, slope
        return FATE_DRAWN
    if edges & PrimitiveFlag.EDGE_0:
        draw_line(state, out, a, b, number, True, not edges & PrimitiveFlag.EDGE_1)
    if edges & PrimitiveFlag.EDGE_1:
        draw_line(state, out, b, c, number, True, not edges & PrimitiveFlag.EDGE_2)
    if edges & PrimitiveFlag.EDGE_2:
        draw_line(state, out, c, a, number, True, not edges & PrimitiveFlag.EDGE_0)
    for k in range(before, out.counters[PRIMITIVES]):
        out.primitives[k].flags = out.primitives[k].flags & 0xFF | PrimitiveFlag.POLYGON | a << PROVOKING_SHIFT
        out.primitives[k].slope = slope
    return FATE_DRAWN


@stage
def steepest_slope(state, out, a, b, c):
    """The greatest change of z from pixel to pixel of a triangle on the screen; 0 if it has none."""
    if (out.codes[a] | out.codes[b] | out.codes[c]) & EYE:
        return np.float32(0.0)
    v, a, b, c = out.vertices, a * VERTEX_FLOATS, b * VERTEX_FLOATS, c * VERTEX_FLOATS
    x1, y1, z1 = np.float64(v[b]) - v[a], np.float64(v[b + 1]) - v[a + 1], np.float64(v[b + 2]) - v[a + 2]
    x2, y2, z2 = np.float64(v[c]) - v[a], np.float64(v[c + 1]) - v[a + 1], np.float64(v[c + 2]) - v[a + 2]
    area = x1 * y2 - x2 * y1
    if area == 0.0:
        return np.float32(0.0)
    return np.float32(max(abs(z1 * y2 - z2 * y1), abs(z2 * x1 - z1 * x2)) / abs(area))
