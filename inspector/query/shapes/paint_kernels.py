"""The compiled half of `painting`: draws triangles, lines and dots with a depth buffer.

Triangles are drawn in homogeneous coordinates (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous Coordinates",
1997): what lies behind the eye needs no clipping.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import array, f8, i8, kernel, stage, void

PLACES, SHAPES, COLORS, PICTURE = array("f8", 2), array("i8", 2), array("f4", 2), array("u1", 3)
NEARNESS, NUMBERS = array("f8", 2), array("i4", 2)


@kernel(void(array("f8", 2), array("f8", 2), PLACES))
def project(points, matrix, places):
    """places: each point, float64[n, 3], with a 1 behind it, times a matrix [4, 4]; of what is not finite, all 0."""
    for number in range(len(points)):
        x, y, z = points[number, 0], points[number, 1], points[number, 2]
        usable = x - x == 0.0 and y - y == 0.0 and z - z == 0.0
        for part in range(4):
            value = x * matrix[0, part] + y * matrix[1, part] + z * matrix[2, part] + matrix[3, part]
            places[number, part] = value if usable else 0.0


@kernel(void(PLACES, SHAPES, i8, i8, NEARNESS))
def boxes(places, shapes, across, down, found):
    """found: float64[n, 2], how many pixels of a picture of across x down the box around each shape has, in x and in y.

    That of a shape partly behind the eye is the whole picture.
    """
    for number in range(len(shapes)):
        left, right, top, bottom, behind = np.inf, -np.inf, np.inf, -np.inf, 0
        for corner in range(shapes.shape[1]):
            vertex = shapes[number, corner]
            w = places[vertex, 3]
            if w > 0.0:
                x, y = places[vertex, 0] / w, places[vertex, 1] / w
                left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
            else:
                behind += 1
        if behind == shapes.shape[1]:
            found[number, 0], found[number, 1] = 0.0, 0.0
        elif behind > 0:
            found[number, 0], found[number, 1] = float(across), float(down)
        else:
            first, last = _span(left, left, right, across)
            found[number, 0] = float(last - first)
            first, last = _span(top, top, bottom, down)
            found[number, 1] = float(last - first)


FILL = (
    *(PLACES, SHAPES, COLORS, COLORS, i8, array("f4"), COLORS, PICTURE, i8, f8, PICTURE, NEARNESS, NUMBERS),
    *(i8, i8, i8, i8),
)


@kernel(void(*FILL))
def fill(places, shapes, colors, normals, lit, lamp, coordinates, texture, mode, farthest, picture, nearness, numbers,
         start, stop, first_row, last_row):  # fmt: skip
    """Triangles start..stop, in rows first_row..last_row.  places: float64[n, 4], camera.Camera.places; colors: float32[n, 3],
    or one for all.

    lit: 0 not, 1 by normals of triangles, 2 of vertices; lamp: its direction and how light shadows are.  mode: 0 only nearness
    and numbers, 1 colours, 2 the texture (wrapped, the nearest texel).  farthest: the largest 1 / w that is drawn.  numbers:
    the triangle of each pixel.
    """
    tints = 1 if len(colors) > 1 else 0
    for number in range(start, stop):
        first, second, third = shapes[number, 0], shapes[number, 1], shapes[number, 2]
        ax, ay, aw = places[first, 0], places[first, 1], places[first, 3]
        bx, by, bw = places[second, 0], places[second, 1], places[second, 3]
        cx, cy, cw = places[third, 0], places[third, 1], places[third, 3]
        area = ax * (by * cw - cy * bw) + ay * (bw * cx - cw * bx) + aw * (bx * cy - cx * by)
        if not (area > 0.0 or area < 0.0) or (aw <= 0.0 and bw <= 0.0 and cw <= 0.0):
            continue
        scale = 1.0 / area
        e0x, e0y, e0 = (by * cw - bw * cy) * scale, (bw * cx - bx * cw) * scale, (bx * cy - by * cx) * scale
        e1x, e1y, e1 = (cy * aw - cw * ay) * scale, (cw * ax - cx * aw) * scale, (cx * ay - cy * ax) * scale
        e2x, e2y, e2 = (ay * bw - aw * by) * scale, (aw * bx - ax * bw) * scale, (ax * by - ay * bx) * scale
        left, top, right, bottom = 0, 0, picture.shape[1], picture.shape[0]
        if aw > 0.0 and bw > 0.0 and cw > 0.0:
            left, right = _span(ax / aw, bx / bw, cx / cw, right)
            top, bottom = _span(ay / aw, by / bw, cy / cw, bottom)
        for row in range(max(top, first_row), min(bottom, last_row)):
            y = row + 0.5
            for column in range(left, right):
                x = column + 0.5
                u = e0x * x + e0y * y + e0
                v = e1x * x + e1y * y + e1
                w = e2x * x + e2y * y + e2
                if u < 0.0 or v < 0.0 or w < 0.0:
                    continue
                inverse = u + v + w
                near = u * places[first, 2] + v * places[second, 2] + w * places[third, 2]
                if not inverse > 0.0 or inverse > farthest or near <= nearness[row, column]:
                    continue
                nearness[row, column] = near
                numbers[row, column] = number
                if mode == 0:
                    continue
                u, v, w = u / inverse, v / inverse, w / inverse
                shade = 1.0
                if lit == 1:
                    shade = _light(normals, number, lamp)
                elif lit == 2:
                    shade = (
                        u * _light(normals, first, lamp) + v * _light(normals, second, lamp) + w * _light(normals, third, lamp)
                    )
                if mode == 2:
                    texel_x = _wrapped(_mixed(coordinates, 0, first, second, third, u, v, w), texture.shape[1])
                    texel_y = _wrapped(_mixed(coordinates, 1, first, second, third, u, v, w), texture.shape[0])
                    for part in range(3):
                        picture[row, column, part] = _byte(shade * (texture[texel_y, texel_x, part] / 255.0))
                else:
                    for part in range(3):
                        value = _mixed(colors, part, first * tints, second * tints, third * tints, u, v, w)
                        picture[row, column, part] = _byte(shade * value)


@stage
def _mixed(table, part, first, second, third, u, v, w):
    """One part of three rows, by weights."""
    return u * table[first, part] + v * table[second, part] + w * table[third, part]


@stage
def _light(normals, number, lamp):
    """From both sides."""
    toward = normals[number, 0] * lamp[0] + normals[number, 1] * lamp[1] + normals[number, 2] * lamp[2]
    return lamp[3] + (1.0 - lamp[3]) * abs(toward)


@stage
def _span(a, b, c, size):
    """The pixels from the least to the largest of three, within 0..size."""
    low, high = min(min(a, b), c), max(max(a, b), c)
    if not (high >= 0.0 and low <= size):
        return 0, 0
    return np.int64(max(np.floor(low), 0.0)), np.int64(min(np.ceil(high), float(size)))


@stage
def _wrapped(coordinate, size):
    """The texel that a coordinate is in, repeated."""
    part = coordinate - np.floor(coordinate)
    if not (part >= 0.0 and part < 1.0):
        return 0
    return min(np.int64(part * size), size - 1)


@stage
def _byte(value):
    return np.uint8(min(max(value, 0.0), 1.0) * 255.0 + 0.5)


@kernel(void(PLACES, SHAPES, COLORS, f8, i8, f8, f8, f8, PICTURE, NEARNESS, i8, i8))
def lines(places, edges, colors, alpha, width, factor, offset, farthest, picture, nearness, start, stop):
    """Lines start..stop between vertices, int64[n, 2].  colors: float32[vertices, 3], or one for all.

    factor, offset: of their nearness; factor 0: hidden by nothing.
    """
    across, down = float(picture.shape[1]), float(picture.shape[0])
    tints = 1 if len(colors) > 1 else 0
    for number in range(start, stop):
        first_end, last_end = edges[number, 0], edges[number, 1]
        ax, ay, an, aw = places[first_end, 0], places[first_end, 1], places[first_end, 2], places[first_end, 3]
        bx, by, bn, bw = places[last_end, 0], places[last_end, 1], places[last_end, 2], places[last_end, 3]
        least = 1.0 / farthest
        if not (aw >= least or bw >= least):
            continue
        if aw < least or bw < least:  # what is behind the eye is cut off
            part = (least - aw) / (bw - aw)
            x, y, n = ax + (bx - ax) * part, ay + (by - ay) * part, an + (bn - an) * part
            if aw < least:
                ax, ay, an, aw = x, y, n, least
            else:
                bx, by, bn, bw = x, y, n, least
        ax, ay, an, bx, by, bn = ax / aw, ay / aw, an / aw, bx / bw, by / bw, bn / bw
        first, last = _within(ax, bx - ax, across, 0.0, 1.0)
        first, last = _within(ay, by - ay, down, first, last)
        if not first < last:
            continue
        steps = np.int64(max(max(abs(bx - ax), abs(by - ay)) * (last - first), 1.0)) + 1
        steep = abs(by - ay) > abs(bx - ax)
        for step in range(steps + 1):
            part = first + (last - first) * (step / steps)
            x, y, near = ax + (bx - ax) * part, ay + (by - ay) * part, (an + (bn - an) * part) * factor + offset
            for beside in range(width):
                column = np.int64(np.floor(x)) + (beside if steep else 0)
                row = np.int64(np.floor(y)) + (0 if steep else beside)
                if not (0 <= column < picture.shape[1] and 0 <= row < picture.shape[0]):
                    continue
                if factor != 0.0 and near < nearness[row, column]:
                    continue
                for at in range(3):
                    under = picture[row, column, at] / 255.0
                    picture[row, column, at] = _byte(under + (colors[first_end * tints, at] - under) * alpha)


@stage
def _within(start, step, size, first, last):
    """The part of a line within 0..size along one axis (Liang and Barsky)."""
    if step == 0.0:
        if start < 0.0 or start > size:
            return 1.0, 0.0
        return first, last
    one, other = -start / step, (size - start) / step
    return max(first, min(one, other)), min(last, max(one, other))


@kernel(void(PLACES, array("i8"), COLORS, i8, f8, f8, f8, PICTURE, NEARNESS, NUMBERS, i8, i8))
def dots(places, shapes, colors, radius, factor, offset, farthest, picture, nearness, numbers, start, stop):
    """Squares of 2 radius + 1 pixels at the vertices `shapes`, start..stop; numbers: which of them a pixel has."""
    for number in range(start, stop):
        vertex = shapes[number]
        w = places[vertex, 3]
        if not w * farthest >= 1.0:
            continue
        x, y, near = places[vertex, 0] / w, places[vertex, 1] / w, places[vertex, 2] / w
        if not (x >= -radius and y >= -radius and x < picture.shape[1] + radius and y < picture.shape[0] + radius):
            continue
        for row in range(max(np.int64(y) - radius, 0), min(np.int64(y) + radius + 1, picture.shape[0])):
            for column in range(max(np.int64(x) - radius, 0), min(np.int64(x) + radius + 1, picture.shape[1])):
                if near * factor + offset < nearness[row, column]:
                    continue
                nearness[row, column] = near
                numbers[row, column] = number
                for part in range(3):
                    picture[row, column, part] = _byte(colors[vertex if len(colors) > 1 else 0, part])
