"""Lines: clipped and passed on as lines; the rasteriser selects their pixels (semantics section 3).

The line pattern runs on along a strip and restarts for each line of a list, and for each edge of a wireframe triangle.
"""

from __future__ import annotations

from core.kernels.jit import outlined, stage
from core.pipeline.pixel.coverage import pixels_of_line
from core.pipeline.pixel.setup import snap
from core.pipeline.records.primitives import (
    FATE_DRAWN,
    FATE_NOT_FINITE,
    PROVOKING_SHIFT,
    VERTEX_FLOATS,
    PrimitiveFlag,
    PrimitiveKind,
)
from core.pipeline.vertex.clip import CUTTING, EYE, FAR, GUARD, NEAR, NOT_FINITE, PATTERN, USER, clip_line, emit, first_plane

REJECTING = NEAR | FAR | USER | GUARD | EYE
"""Not the viewport's sides: a line beside the viewport may still touch its outermost pixels."""


@outlined
def draw_line(state, out, a, b, number, starts, ends):
    """Rejects, clips or emits a line; returns its fate.

    starts: the pattern begins here.  ends: nothing continues at b, so LASTPIXEL applies.
    """
    if starts:
        out.counters[PATTERN] = 0
    crossed, common = out.codes[a] | out.codes[b], out.codes[a] & out.codes[b]
    if crossed & NOT_FINITE:
        return FATE_NOT_FINITE
    if common & REJECTING:
        return first_plane(common & REJECTING)
    first, last, fate = a, b, FATE_DRAWN
    if crossed & CUTTING:
        first, last, fate = clip_line(state, out, a, b, crossed)
    if fate == FATE_DRAWN:
        flags = PrimitiveFlag.LAST_PIXEL if ends and state.last_pixel else 0
        emit(out, PrimitiveKind.LINE, first, last, last, flags | a << PROVOKING_SHIFT, number, out.counters[PATTERN])
        if state.line_pattern:
            out.counters[PATTERN] += length_of_line(out, first, last)
    return fate


@stage
def length_of_line(out, a, b):
    """How many pixels a line takes, without its last one."""
    v = out.vertices
    x, y = snap(v[VERTEX_FLOATS * a]), snap(v[VERTEX_FLOATS * a + 1])
    dx, dy = snap(v[VERTEX_FLOATS * b]) - x, snap(v[VERTEX_FLOATS * b + 1]) - y
    if dx == 0 and dy == 0:
        return 0
    return max(pixels_of_line(x, y, dx, dy, abs(dy) > abs(dx), 0)[1], 0)
