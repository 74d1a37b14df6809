"""Which pixels of a 64x64 tile a primitive covers, in 4x4 blocks: triangles by the top-left rule, lines by GDI's diamond rule.

A pixel is the point at its integer coordinates.  Covered blocks go into a queue; a full queue is shaded.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import absolute, first_bit, lane_number, lane_x, lane_y, mask_bits, maximum, prefetch, vint
from core.pipeline.pixel.seam import shade_blocks
from core.pipeline.records.layout import SUBPIXELS

QUEUE = 64  # covered blocks, or runs of them, per call of the pixel pipeline
ALL_LANES = 0xFFFF
MIDDLE = 8  # of a row of blocks: from there an edge gains least to both sides
REPEAT_X, REPEAT_Y = 0x1111, 0x000F  # a row pattern in all rows, all columns of the first row


@stage
def edge_at(edges, k, x, y):
    """Slopes and value of an edge at a pixel."""
    e = edges.edge
    a, b = e[3 * k], e[3 * k + 1]
    return a, b, (e[3 * k + 2] >> 8) + a * x + b * y


@stage
def corner_range(a, b):
    """Least and greatest change of an edge function over the 3 steps of a block."""
    return min(a, 0) * 3 + min(b, 0) * 3, max(a, 0) * 3 + max(b, 0) * 3


@stage
def columns_in(first, left, right):
    """Four bits: which of the pixels first..first+3 lie within left..right."""
    return (15 << max(left - first, 0)) & (15 >> max(first + 3 - right, 0)) & 15


@stage
def cuts_tile(edges, x, y):
    """Whether the bounds cut the triangle within the tile at (x, y)."""
    return edges.scissored and (edges.left > x or edges.top > y or edges.right < x + 63 or edges.bottom < y + 63)


@stage
def lanes_in(edges, x, y):
    """The lanes of the block at (x, y) within the bounds."""
    rows = columns_in(y, edges.top, edges.bottom)
    wide = (rows & 1) | (rows & 2) << 3 | (rows & 4) << 6 | (rows & 8) << 9
    return columns_in(x, edges.left, edges.right) * REPEAT_X & wide * REPEAT_Y


@stage
def put(queue, count, triangle, block, lanes, more, shade, x, y, context):
    """Queues a covered block, and so many more to its right with the same lanes; returns the new length."""
    item = queue[count]
    item.triangle, item.block, item.lanes, item.more = triangle, block, lanes, more
    count += 1
    if count == QUEUE:
        shade_blocks(shade, queue, count, x, y, context)
        count = 0
    return count


@stage
def along_row(a):
    """What an edge gains over a row of sixteen blocks, counted from the ninth."""
    return (lane_number() - MIDDLE) * vint(4 * a)


@stage
def lanes_right_of(dx, e0, e1, e2, a0, a1, a2, step0, step1, step2):
    """The lanes inside of three edges in the block dx pixels to the right of where their values are e0, e1 and e2."""
    return mask_bits((step0 + vint(e0 + a0 * dx) | step1 + vint(e1 + a1 * dx) | step2 + vint(e2 + a2 * dx)) >= 0)


@stage
def cover_triangle(edges, number, x, y, queue, count, shade, context):
    """Queues the blocks of one triangle in the tile at (x, y), a row of blocks at once. Returns the queue length."""
    a0, b0, c0 = edge_at(edges, 0, x, y)
    a1, b1, c1 = edge_at(edges, 1, x, y)
    a2, b2, c2 = edge_at(edges, 2, x, y)
    low0, high0 = corner_range(a0, b0)
    low1, high1 = corner_range(a1, b1)
    low2, high2 = corner_range(a2, b2)
    if c0 + high0 * 21 < 0 or c1 + high1 * 21 < 0 or c2 + high2 * 21 < 0:
        return count
    tile_inside = c0 + low0 * 21 >= 0 and c1 + low1 * 21 >= 0 and c2 + low2 * 21 >= 0
    step0 = lane_x() * vint(a0) + lane_y() * vint(b0)
    step1 = lane_x() * vint(a1) + lane_y() * vint(b1)
    step2 = lane_x() * vint(a2) + lane_y() * vint(b2)
    row0, row1, row2 = along_row(a0), along_row(a1), along_row(a2)
    scissored, color, depth = cuts_tile(edges, x, y), context[3], context[4]
    left, right = max(edges.left - x, 0) >> 2, min(edges.right - x, 63) >> 2
    top, bottom = max(edges.top - y, 0) >> 2, min(edges.bottom - y, 63) >> 2
    columns = (ALL_LANES << left) & (ALL_LANES >> (15 - right))
    for by in range(top, bottom + 1):
        e0 = near(c0 + a0 * (4 * MIDDLE) + b0 * (by * 4))
        e1 = near(c1 + a1 * (4 * MIDDLE) + b1 * (by * 4))
        e2 = near(c2 + a2 * (4 * MIDDLE) + b2 * (by * 4))
        blocks, whole = columns, ALL_LANES
        if not tile_inside:
            blocks = columns & mask_bits((row0 + vint(e0 + high0) | row1 + vint(e1 + high1) | row2 + vint(e2 + high2)) >= 0)
            whole = mask_bits((row0 + vint(e0 + low0) | row1 + vint(e1 + low1) | row2 + vint(e2 + low2)) >= 0)
        while blocks:
            bx = first_bit(blocks)
            lanes, run = ALL_LANES, 1
            if not whole >> bx & 1:
                lanes = lanes_right_of(4 * (bx - MIDDLE), e0, e1, e2, a0, a1, a2, step0, step1, step2)
            elif not scissored:
                run = first_bit(~((blocks & whole) >> bx))  # blocks within stand side by side, as a triangle is convex
            if scissored:
                lanes &= lanes_in(edges, x + bx * 4, y + by * 4)
            blocks &= -1 << (bx + run)
            if lanes == 0:
                continue
            prefetch(color, (by * 16 + bx) * 16)
            prefetch(depth, (by * 16 + bx) * 16)
            count = put(queue, count, number, by * 16 + bx, lanes, run - 1, shade, x, y, context)
    return count


@stage
def near(e):
    """An edge value that fits into the lanes' 32 bits, with what it gains in half a tile (2**29); beyond, its sign matters."""
    return min(max(e, -0x40000000), 0x40000000)


# ---- samples ---------------------------------------------------------------------------------


@stage
def edge_at_sample(edges, k, x, y, sx, sy):
    """Value of an edge at a sample of a pixel; sx, sy: 1/256 pixel."""
    e = edges.edge
    a, b = e[3 * k], e[3 * k + 1]
    return ((e[3 * k + 2] + a * sx + b * sy) >> 8) + a * x + b * y


@stage
def cover_samples(edges, state, item, x, y, inside, whole, step0, step1, step2):
    """Fills in the lanes of each sample of the block at (x, y), of those inside the scissor; returns those of any.

    whole: the block lies within the triangle, with half a pixel to spare.
    """
    lanes = 0
    for sample in range(state.samples):
        if whole or not state.sample_mask >> sample & 1:
            item.sample_lanes[sample] = inside if state.sample_mask >> sample & 1 else 0
            lanes |= item.sample_lanes[sample]
            continue
        sx, sy = state.sample_x[sample], state.sample_y[sample]
        e0 = near(edge_at_sample(edges, 0, x, y, sx, sy))
        e1 = near(edge_at_sample(edges, 1, x, y, sx, sy))
        e2 = near(edge_at_sample(edges, 2, x, y, sx, sy))
        covered = mask_bits((step0 + vint(e0) | step1 + vint(e1) | step2 + vint(e2)) >= 0) & inside
        item.sample_lanes[sample] = covered
        lanes |= covered
    return lanes


@stage
def wider_range(a, b):
    """corner_range with half a pixel to all sides."""
    low, high = corner_range(a, b)
    reach = (abs(a) + abs(b)) // 2 + 1
    return low - reach, high + reach


@outlined
def cover_triangle_samples(edges, state, number, x, y, queue, count, shade, context):
    """cover_triangle for multisampled targets."""
    a0, b0, c0 = edge_at(edges, 0, x, y)
    a1, b1, c1 = edge_at(edges, 1, x, y)
    a2, b2, c2 = edge_at(edges, 2, x, y)
    step0 = lane_x() * vint(a0) + lane_y() * vint(b0)
    step1 = lane_x() * vint(a1) + lane_y() * vint(b1)
    step2 = lane_x() * vint(a2) + lane_y() * vint(b2)
    # half a pixel further to all sides, and one for the rounding
    low0, high0 = wider_range(a0, b0)
    low1, high1 = wider_range(a1, b1)
    low2, high2 = wider_range(a2, b2)
    scissored = cuts_tile(edges, x, y)
    left, right = max(edges.left - x, 0) >> 2, min(edges.right - x, 63) >> 2
    top, bottom = max(edges.top - y, 0) >> 2, min(edges.bottom - y, 63) >> 2
    for by in range(top, bottom + 1):
        for bx in range(left, right + 1):
            e0, e1, e2 = (c0 + a0 * (bx * 4) + b0 * (by * 4), c1 + a1 * (bx * 4) + b1 * (by * 4),
                          c2 + a2 * (bx * 4) + b2 * (by * 4))  # fmt: skip
            if e0 + high0 < 0 or e1 + high1 < 0 or e2 + high2 < 0:
                continue
            inside = lanes_in(edges, x + bx * 4, y + by * 4) if scissored else ALL_LANES
            whole = e0 + low0 >= 0 and e1 + low1 >= 0 and e2 + low2 >= 0
            lanes = cover_samples(edges, state, queue[count], x + bx * 4, y + by * 4, inside, whole, step0, step1, step2)
            if lanes:
                count = put(queue, count, number, by * 16 + bx, lanes, 0, shade, x, y, context)
    return count


# ---- lines -----------------------------------------------------------------------------------


@stage
def put_all_samples(state, queue, count, triangle, block, lanes, shade, x, y, context):
    """Queues a block of a line, which covers all samples of its pixels."""
    if state.samples > 1:
        item = queue[count]
        for sample in range(state.samples):
            item.sample_lanes[sample] = lanes if state.sample_mask >> sample & 1 else 0
    return put(queue, count, triangle, block, lanes, 0, shade, x, y, context)


@stage
def minor_at(major, start_major, start_minor, d_major, d_minor):
    """The pixel of a line at a column (or row): nearest to the exact crossing; midway the smaller one (upper, or left)."""
    # crossing = start_minor + (major * 256 - start_major) * d_minor / d_major;  pixel = ceil(crossing / 256 - 1/2)
    if d_major < 0:
        d_major, d_minor = -d_major, -d_minor
    numerator = start_minor * d_major + (major * SUBPIXELS - start_major) * d_minor
    return -((128 * d_major - numerator) // (SUBPIXELS * d_major))


@stage
def inside_diamond(x, y, px, py, slope_one):
    """Whether a point (1/256 pixel) belongs to the diamond of a pixel: its inside, its lower right edges excluded.

    Edges and corners follow GDI's table: the left and the upper corner belong to the diamond, and at slope 1 the right one
    instead of the left one.
    """
    dx, dy = x - px * SUBPIXELS, y - py * SUBPIXELS
    distance = abs(dx) + abs(dy)
    if distance != 128:
        return distance < 128
    if dy == 0:
        return (dx > 0) == slope_one
    if dx == 0:
        return dy < 0
    return dy < 0


@stage
def line_ends(edges):
    """pixels_of_line of a line that is set up."""
    e = edges.edge
    return pixels_of_line(e[0], e[1], e[2], e[3], e[4], e[5])


@stage
def pixels_of_line(x0, y0, dx, dy, steep, last):
    """First pixel, number of pixels and direction (+-1) along the major axis; the last pixel is left out unless asked for.

    A pixel belongs to the line if the line leaves its diamond (or, for the last one, ends in it).
    """
    slope_one = abs(dx) == abs(dy) and ((dx < 0) == (dy < 0))
    start, minor = (y0, x0) if steep else (x0, y0)
    d_major, d_minor = (dy, dx) if steep else (dx, dy)
    direction = 1 if d_major > 0 else -1
    first = end_pixel(start, minor, start, minor, d_major, d_minor, direction, steep, slope_one, False)
    stop = end_pixel(start + d_major, minor + d_minor, start, minor, d_major, d_minor, direction, steep, slope_one, last != 0)
    return first, (stop - first) * direction, direction


@stage
def end_pixel(major, minor, start_major, start_minor, d_major, d_minor, direction, steep, slope_one, beyond):
    """The first pixel along the axis that a line starting at this point draws; beyond: or the one after its diamond's."""
    pixel = (major + 128) >> 8  # the nearest column: the point lies within half a pixel of it
    at = minor_at(pixel, start_major, start_minor, d_major, d_minor)
    px, py = (at, pixel) if steep else (pixel, at)
    x, y = (minor, major) if steep else (major, minor)
    if inside_diamond(x, y, px, py, slope_one):
        return pixel + direction if beyond else pixel
    passed = (major - pixel * SUBPIXELS) * direction > 0  # outside its diamond: behind it or still before it
    return pixel + direction if passed else pixel


@stage
def pattern_bit(state, position):
    """Whether the line pattern draws this pixel of the line; repeat 0: solid."""
    if state.line_repeat == 0:
        return True
    return (state.line_pattern >> (position // state.line_repeat & 15)) & 1 == 1


@outlined
def cover_smooth_line(edges, state, number, x, y, queue, count, shade, context):
    """Queues the two pixels of each column (or row) between which an antialiased line passes; one where it meets a centre."""
    e = edges.edge
    x0, y0, dx, dy, steep, phase = e[0], e[1], e[2], e[3], e[4], e[6]
    first, length, direction = line_ends(edges)
    start, minor, d_major, d_minor = (y0, x0, dy, dx) if steep else (x0, y0, dx, dy)
    left, right = max(edges.left, x), min(edges.right, x + 63)
    top, bottom = max(edges.top, y), min(edges.bottom, y + 63)
    for i in range(length):
        major = first + i * direction
        crossing = minor * d_major + (major * SUBPIXELS - start) * d_minor
        if not pattern_bit(state, phase + i):
            continue
        nearest = crossing // (SUBPIXELS * d_major)
        for beyond in range(2 if crossing != nearest * SUBPIXELS * d_major else 1):
            px, py = (nearest + beyond, major) if steep else (major, nearest + beyond)
            if px >= left and px <= right and py >= top and py <= bottom:
                block = ((py - y) >> 2) * 16 + ((px - x) >> 2)
                lanes = 1 << ((py & 3) * 4 + (px & 3))
                count = put_all_samples(state, queue, count, number, block, lanes, shade, x, y, context)
    return count


@stage
def line_coverage(edges, dx, dy):
    """How much an antialiased line covers of pixels dx, dy from its start: 1 less the distance along the minor axis."""
    e = edges.edge
    if e[4]:
        off = dx - dy * np.float32(np.float64(e[2]) / np.float64(e[3]))
    else:
        off = dy - dx * np.float32(np.float64(e[3]) / np.float64(e[2]))
    return maximum(1.0 - absolute(off), 0.0)


@stage
def cover_line(edges, state, number, x, y, queue, count, shade, context):
    """Queues the pixels of one line in the tile at (x, y), block by block. Returns the queue length."""
    e = edges.edge
    x0, y0, dx, dy, steep, phase = e[0], e[1], e[2], e[3], e[4], e[6]
    first, length, direction = line_ends(edges)
    left, right = max(edges.left, x), min(edges.right, x + 63)
    top, bottom = max(edges.top, y), min(edges.bottom, y + 63)
    low, high = (top, bottom) if steep else (left, right)
    begin = max((low - first) if direction > 0 else (first - high), 0)
    end = min((high - first) if direction > 0 else (first - low), length - 1)
    block, lanes = -1, 0
    for i in range(begin, end + 1):
        major = first + i * direction
        if steep:
            px, py = minor_at(major, y0, x0, dy, dx), major
        else:
            px, py = major, minor_at(major, x0, y0, dx, dy)
        if px < left or px > right or py < top or py > bottom or not pattern_bit(state, phase + i):
            continue
        here = ((py - y) >> 2) * 16 + ((px - x) >> 2)
        if here != block and lanes:
            count = put_all_samples(state, queue, count, number, block, lanes, shade, x, y, context)
            lanes = 0
        block = here
        lanes |= 1 << ((py & 3) * 4 + (px & 3))
    if lanes:
        count = put_all_samples(state, queue, count, number, block, lanes, shade, x, y, context)
    return count
