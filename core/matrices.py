"""Numbers and 4x4 matrices (16 floats, row by row) for compiled code; double precision inside."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage

F, D = np.float32, np.float64


@stage
def as_float(word):
    """The float that a dword holds."""
    return np.uint32(word).view(np.float32)


@stage
def dword_at(data, at):
    """The little-endian dword at a byte offset that need not be aligned."""
    return np.uint32(
        np.uint32(data[at]) | np.uint32(data[at + 1]) << np.uint32(8)
        | np.uint32(data[at + 2]) << np.uint32(16) | np.uint32(data[at + 3]) << np.uint32(24)
    )  # fmt: skip


@stage
def float_bits(number):
    """The dword that holds a float32; written this way because numba alone takes `view` of a conversion only."""
    return np.float32(number).view(np.uint32)


@stage
def bounded(x, low, high):
    """x within low..high; NaN gives low."""
    return high if x > high else x if x > low else low


@outlined
def multiply(a, b, result):
    """result = a * b; result may not be a or b."""
    for i in range(4):
        for j in range(4):
            total = D(0.0)
            for k in range(4):
                total += D(a[4 * i + k]) * D(b[4 * k + j])
            result[4 * i + j] = F(total)


@outlined
def inverse_transpose(m, at, result, to, work, affine):
    """What transforms normals: the upper left 3x3 of the inverse transpose of m[at...], as three rows of 4 floats.

    Of the whole matrix: a projective world or view matrix bends normals (Wine's lighting_test); affine: of the 3x3 alone.
    The cofactors if an affine matrix has no inverse, zeros if another one has none.  work: as for solve4.
    """
    if affine or (m[at + 3] == F(0.0) and m[at + 7] == F(0.0) and m[at + 11] == F(0.0)):
        inverse_transpose_affine(m, at, result, to)
        return
    for row in range(3):
        for k in range(4):
            work[20 + k] = D(1.0) if k == row else D(0.0)
        solve4(m, at, work)
        for k in range(3):
            result[to + 4 * row + k] = F(work[20 + k])
        result[to + 4 * row + 3] = F(0.0)


@outlined
def inverse_transpose_affine(m, at, result, to):
    """The inverse transpose of the upper left 3x3 alone."""
    a, b, c = D(m[at]), D(m[at + 1]), D(m[at + 2])
    d, e, f = D(m[at + 4]), D(m[at + 5]), D(m[at + 6])
    g, h, i = D(m[at + 8]), D(m[at + 9]), D(m[at + 10])
    c0, c1, c2 = e * i - f * h, f * g - d * i, d * h - e * g
    determinant = a * c0 + b * c1 + c * c2
    scale = D(1.0) / determinant if determinant != D(0.0) else D(1.0)
    result[to], result[to + 1], result[to + 2] = F(c0 * scale), F(c1 * scale), F(c2 * scale)
    result[to + 4], result[to + 5] = F((c * h - b * i) * scale), F((a * i - c * g) * scale)
    result[to + 6] = F((b * g - a * h) * scale)
    result[to + 8], result[to + 9] = F((b * f - c * e) * scale), F((c * d - a * f) * scale)
    result[to + 10] = F((a * e - b * d) * scale)
    result[to + 3], result[to + 7], result[to + 11] = F(0.0), F(0.0), F(0.0)


@outlined
def solve4(matrix, at, work):
    """work[20:24] = matrix[at...]**-1 * work[20:24] (a column); zeros if there is no inverse.  work[0:20] is scratch.

    Gaussian elimination with row pivoting over the augmented rows of five.
    """
    for i in range(4):
        for j in range(4):
            work[5 * i + j] = D(matrix[at + 4 * i + j])
        work[5 * i + 4] = work[20 + i]
        work[20 + i] = D(0.0)
    for column in range(4):
        pivot = column
        for row in range(column + 1, 4):
            if abs(work[5 * row + column]) > abs(work[5 * pivot + column]):
                pivot = row
        if not abs(work[5 * pivot + column]) > D(0.0):
            return
        for k in range(5):
            work[5 * column + k], work[5 * pivot + k] = work[5 * pivot + k], work[5 * column + k]
        for row in range(4):
            if row != column:
                factor = work[5 * row + column] / work[5 * column + column]
                for k in range(5):
                    work[5 * row + k] -= factor * work[5 * column + k]
    for i in range(4):
        work[20 + i] = work[5 * i + 4] / work[5 * i + i]
