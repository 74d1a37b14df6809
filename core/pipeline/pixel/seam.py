"""The call from the raster to the pixel pipeline: one per queue of covered blocks, with each side compiled separately."""

from __future__ import annotations

from core.kernels.jit import i8, named_tuple, stage, void
from core.kernels.simd import Pointer, calling, record_at
from core.pipeline.pixel.observer import FRAGMENT, SETTINGS, Observer
from core.pipeline.records.layout import COVERED, EDGES, PIXEL_STATE, TRIANGLE

SCRATCH_FLOATS = 64 * 64  # a pixel shader's registers of four vectors, and the places of sixteen blocks (plain)
triangle_at = record_at(TRIANGLE)  # (planes, first float) -> the TRIANGLE there

OBSERVER = named_tuple([Pointer(d) for d in (SETTINGS, "i4", FRAGMENT, "i4", "i4", "i8", "i4")], Observer)

# queue, count, x, y, states, edges, planes, color, depth, memory, scratch, observer, first block of the tile
SHADE = void(Pointer(COVERED), i8, i8, i8, Pointer(PIXEL_STATE), Pointer(EDGES), Pointer("f4"), Pointer("u4"), Pointer("u4"),
             Pointer("u4"), Pointer("f4"), OBSERVER, i8)  # fmt: skip
call_shade = calling(SHADE)


@stage
def shade_blocks(shade, queue, count, x, y, context):
    """Calls the kernel of SHADE that stands at the address `shade`; context: what does not change within a tile."""
    states, edges, planes, color, depth, memory, scratch, observer, base = context
    call_shade(shade, (queue, count, x, y, states, edges, planes, color, depth, memory, scratch, observer, base))
