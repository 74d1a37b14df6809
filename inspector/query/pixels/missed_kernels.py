"""The compiled half of `missed`."""

from __future__ import annotations

import math

import numpy as np

from core.kernels.jit import array, f8, i8, kernel, stage, void


@stage
def _inside(edges, n, k, x, y):
    """Whether a pixel is inside an edge; one on it, if it is a left or a top edge."""
    a, b = edges[n, k, 0], edges[n, k, 1]
    value = a * x + b * y + edges[n, k, 2]
    return value > 0 or (value == 0 and (a > 0 or (a == 0 and b > 0)))


@stage
def _beside(viewport, left_out, x, y):
    """The side of the viewport beyond which a pixel is: left_out + 0..3 for left, right, top, bottom; 0 within it."""
    if x < viewport[0]:
        return left_out
    if x >= viewport[2]:
        return left_out + 1
    if y < viewport[1]:
        return left_out + 2
    return left_out + 3 if y >= viewport[3] else 0


@stage
def _cut(cuts, names, n, x, y):
    """The first plane that a pixel of triangle n is beyond, by its name; 0: none."""
    for k in range(names.size):
        if cuts[n, k, 0] * x + cuts[n, k, 1] * y + cuts[n, k, 2] < 0:
            return names[k]
    return 0


@kernel(void(array("f8", 3), array("f8", 3), array("i8"), array("i8", 2), array("i8"), array("f8"), i8, i8, f8, array("i4", 2)))
def mark(edges, cuts, names, bounds, fates, viewport, left_out, culled, margin, bits):
    """Sets bit `fate` of each pixel that a triangle would cover and is not drawn at, for one reason.

    edges: [n, 3, 3], positive inside: a * x + b * y + c; cuts: the same of planes by name, negative beyond them; bounds:
    left, top, right, bottom in pixels, the last two excluded; fates: of whole triangles, 0: drawn; left_out: the fate beyond
    the left side of the viewport, the first of four; culled: that of culled ones.  margin: pixels by which rows are looked at
    beyond their ends.
    """
    for n in range(fates.size):
        for y in range(bounds[n, 1], bounds[n, 3]):
            low, high = np.float64(bounds[n, 0]), np.float64(bounds[n, 2])
            for k in range(3):
                a, rest = edges[n, k, 0], edges[n, k, 1] * y + edges[n, k, 2]
                if a > 0:
                    low = max(low, -rest / a - margin)
                elif a < 0:
                    high = min(high, -rest / a + margin)
            if not low < high:
                continue
            for x in range(np.int64(low), np.int64(min(math.ceil(high), np.float64(bounds[n, 2])))):
                if not (_inside(edges, n, 0, x, y) and _inside(edges, n, 1, x, y) and _inside(edges, n, 2, x, y)):
                    continue
                fate = _beside(viewport, left_out, x, y)
                if fate == 0 and (fates[n] == 0 or fates[n] == culled):
                    fate = _cut(cuts, names, n, x, y)
                if fates[n] == culled and fate != 0:  # it would not be drawn there either way
                    continue
                if fate == 0:
                    fate = fates[n]
                if fate != 0:
                    bits[y, x] |= np.int32(1) << np.int32(fate)


@kernel(void(array("f8", 3), array("f8", 3), array("i8"), array("i8", 2), array("i8"), array("f8"), i8, array("i4", 2)))
def mark_lines(ends, cuts, names, bounds, fates, viewport, left_out, bits):
    """Sets bit `fate` of each pixel within half a pixel of a line that is not drawn there.

    ends: [n, 2, 2] in pixels; cuts: [n, k, 2], how far both ends are in front of planes by name; the rest as of `mark`.
    """
    for n in range(fates.size):
        ax, ay = ends[n, 0, 0], ends[n, 0, 1]
        dx, dy = ends[n, 1, 0] - ax, ends[n, 1, 1] - ay
        square = max(dx * dx + dy * dy, 1e-30)
        for y in range(bounds[n, 1], bounds[n, 3]):
            low, high = np.float64(bounds[n, 0]), np.float64(bounds[n, 2] - 1)
            if dy != 0:  # the part of the line that is near the row
                t0, t1 = (y - 0.5 - ay) / dy, (y + 0.5 - ay) / dy
                t0, t1 = max(min(t0, t1), 0.0), min(max(t0, t1), 1.0)
                low = max(low, min(ax + t0 * dx, ax + t1 * dx) - 1.0)
                high = min(high, max(ax + t0 * dx, ax + t1 * dx) + 1.0)
            if not low <= high:  # and may be too large for an integer
                continue
            for x in range(np.int64(math.ceil(low)), np.int64(math.floor(high)) + 1):
                t = min(max(((x - ax) * dx + (y - ay) * dy) / square, 0.0), 1.0)
                off_x, off_y = x - ax - t * dx, y - ay - t * dy
                if off_x * off_x + off_y * off_y > 0.25:
                    continue
                fate = fates[n] if fates[n] != 0 else _beside(viewport, left_out, x, y)
                for k in range(names.size):
                    if fate == 0 and (1.0 - t) * cuts[n, k, 0] + t * cuts[n, k, 1] < 0:
                        fate = names[k]
                if fate != 0:
                    bits[y, x] |= np.int32(1) << np.int32(fate)


@kernel(void(array("f8", 2), array("f8"), array("i8"), array("i8", 2), array("i8"), array("f8"), i8, array("i4", 2)))
def mark_points(centres, halves, cut_off, bounds, fates, viewport, left_out, bits):
    """Sets bit `fate` of each pixel in the square of a point that is not drawn there.

    centres, halves: in pixels; cut_off: the plane that the centre is beyond, 0: none; the rest as of `mark`.
    """
    for n in range(fates.size):
        for y in range(bounds[n, 1], bounds[n, 3]):
            for x in range(bounds[n, 0], bounds[n, 2]):
                if max(abs(x - centres[n, 0]), abs(y - centres[n, 1])) > halves[n]:
                    continue
                fate = fates[n] if fates[n] != 0 else _beside(viewport, left_out, x, y)
                if fate == 0:
                    fate = cut_off[n]
                if fate != 0:
                    bits[y, x] |= np.int32(1) << np.int32(fate)
