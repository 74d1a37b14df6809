"""Coverage of triangles that touch two columns and two rows of blocks at most, which most triangles of games do.

`coverage.cover_triangle` finds the same lanes.  It asks which blocks of a row there are, and each answer is a branch that the
processor guesses wrong half the time; here the four blocks are worked out whether the triangle touches them or not.
"""

from __future__ import annotations

from core.kernels.jit import stage
from core.kernels.simd import lane_x, lane_y, mask_bits, vint
from core.pipeline.pixel.coverage import QUEUE, edge_at
from core.pipeline.pixel.seam import shade_blocks
from core.pipeline.records.layout import ROW_BLOCKS, TILE


@stage
def blocks_touched(edges, x, y):
    """First and last column and row of the blocks of the tile at (x, y) that the bounds of a primitive touch."""
    return (max(edges.left - x, 0) >> 2, min(edges.right - x, TILE - 1) >> 2,
            max(edges.top - y, 0) >> 2, min(edges.bottom - y, TILE - 1) >> 2)  # fmt: skip


@stage
def is_small(edges, x, y):
    """Whether cover_small may be called: four blocks, no scissor, and edges so short that their values fit into 32 bits."""
    left, right, top, bottom = blocks_touched(edges, x, y)
    short = edges.right - edges.left < TILE and edges.bottom - edges.top < TILE
    return right - left < 2 and bottom - top < 2 and short and not edges.scissored


@stage
def values_at(edges, k, x, y):
    """Values of an edge in the block at (x, y), and what it gains per block to the right and downwards, as vectors."""
    a, b, c = edge_at(edges, k, x, y)
    return lane_x() * vint(a) + (lane_y() * vint(b) + vint(c)), vint(4 * a), vint(4 * b)


@stage
def inside(e0, e1, e2):
    """The lanes inside of three edges."""
    return mask_bits((e0 | e1 | e2) >= 0)


@stage
def put_any(queue, count, triangle, block, lanes):
    """Queues a block if it has lanes; there is room.  Returns the new length."""
    item = queue[count]
    item.triangle, item.block, item.lanes, item.more = triangle, block, lanes, 0
    return count + (lanes != 0)


@stage
def cover_small(edges, number, x, y, queue, count, shade, context):
    """cover_triangle where is_small; the bounds of the tile may hide blocks."""
    left, right, top, bottom = blocks_touched(edges, x, y)
    if count + 4 >= QUEUE:  # a queue that is passed on is never full
        shade_blocks(shade, queue, count, x, y, context)
        count = 0
    e0, right0, down0 = values_at(edges, 0, x + 4 * left, y + 4 * top)
    e1, right1, down1 = values_at(edges, 1, x + 4 * left, y + 4 * top)
    e2, right2, down2 = values_at(edges, 2, x + 4 * left, y + 4 * top)
    block, wide, high = top * ROW_BLOCKS + left, right > left, bottom > top
    f0, f1, f2 = e0 + down0, e1 + down1, e2 + down2
    lanes, beside = inside(e0, e1, e2), inside(e0 + right0, e1 + right1, e2 + right2)
    below, across = inside(f0, f1, f2), inside(f0 + right0, f1 + right1, f2 + right2)
    count = put_any(queue, count, number, block, lanes)
    count = put_any(queue, count, number, block + 1, beside if wide else 0)
    count = put_any(queue, count, number, block + ROW_BLOCKS, below if high else 0)
    return put_any(queue, count, number, block + ROW_BLOCKS + 1, across if wide and high else 0)
