"""Transform: positions and normals from object space to eye space and clip space (semantics section 8).

Vectors are rows, v * M.  Blending sums weighted positions in world space: the same as weighted matrices, in fewer
multiplications.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import Color, gather_float, lerp, select, sqrt, to_int, vfloat, vint
from core.pipeline.draw_state.vertex_state import BLEND_INDICES, BLEND_WEIGHT, NORMAL, NORMAL_2, POSITION_2
from core.pipeline.records.rows import INPUT, load1, load4

F = np.float32


@stage
def transform(m, v):
    """v * M."""
    return Color(
        v.r * m[0] + v.g * m[4] + v.b * m[8] + v.a * m[12],
        v.r * m[1] + v.g * m[5] + v.b * m[9] + v.a * m[13],
        v.r * m[2] + v.g * m[6] + v.b * m[10] + v.a * m[14],
        v.r * m[3] + v.g * m[7] + v.b * m[11] + v.a * m[15],
    )


@stage
def rotate(m, v):
    """v * the upper left 3x3 of M; the fourth component is 0."""
    return Color(
        v.r * m[0] + v.g * m[4] + v.b * m[8],
        v.r * m[1] + v.g * m[5] + v.b * m[9],
        v.r * m[2] + v.g * m[6] + v.b * m[10],
        F(0.0),
    )


@stage
def dot3(a, b):
    return a.r * b.r + a.g * b.g + a.b * b.b


@stage
def normalize(v):
    """v at length 1; a vector of length 0 stays."""
    length = sqrt(dot3(v, v))
    return select(length > F(0.0), v / length, v)


@stage
def position_of(state, rows, chunk):
    """Object space position, tweened."""
    position = load4(rows, INPUT, chunk)
    if state.tween:
        position = lerp(position, load4(rows, INPUT + 4 * POSITION_2, chunk), state.tween_factor)
    return position


@stage
def normal_of(state, rows, chunk):
    """Object space normal, tweened; zero if the vertex has none."""
    if not state.present >> NORMAL & 1:
        return Color(F(0.0), F(0.0), F(0.0), F(0.0))
    normal = load4(rows, INPUT + 4 * NORMAL, chunk)
    if state.tween:
        normal = lerp(normal, load4(rows, INPUT + 4 * NORMAL_2, chunk), state.tween_factor)
    return normal


@stage
def clip_position(state, registers, rows, chunk):
    """Position in clip space."""
    position = position_of(state, rows, chunk)
    if state.blend:
        return transform(state.view_projection, blend_positions(state, registers, rows, position, chunk))
    return transform(state.world_view_projection, position)


@stage
def eye_position(state, registers, rows, chunk):
    """Position in eye space."""
    position = position_of(state, rows, chunk)
    if state.blend:
        return transform(registers.view_matrix, blend_positions(state, registers, rows, position, chunk))
    return transform(state.world_view, position)


@stage
def eye_normal(state, normals, rows, chunk):
    """Normal in eye space, by the inverse transpose; of length 1 only if the state asks for it."""
    normal = normal_of(state, rows, chunk)
    if state.blend:
        normal = rotate(state.view_normal, blend_normals(state, normals, rows, normal, chunk))
    else:
        normal = rotate(state.normal, normal)
    if state.normalize:
        normal = normalize(normal)
    return normal


# ---- vertex blending -------------------------------------------------------------------------


@stage
def blend_weight(state, rows, chunk, k, rest):
    """Weight of matrix k; the last one gets the rest."""
    return load1(rows, INPUT + 4 * BLEND_WEIGHT + k, chunk) if k < state.weights else rest


@stage
def blend_index(state, rows, chunk, k):
    """Number of world matrix k of each vertex."""
    if state.indexed:
        return to_int(load1(rows, INPUT + 4 * BLEND_INDICES + k, chunk)) & 255
    return vint(k)


@outlined
def blend_positions(state, registers, rows, position, chunk):
    """World space position: the weighted sum over the world matrices."""
    result, rest = Color(F(0.0), F(0.0), F(0.0), F(0.0)), vfloat(F(1.0))
    for k in range(state.weights + 1):
        weight = blend_weight(state, rows, chunk, k, rest)
        rest = rest - weight
        result = result + transform_gathered(registers.world, blend_index(state, rows, chunk, k) * 16, position) * weight
    return result


@outlined
def blend_normals(state, normals, rows, normal, chunk):
    """World space normal: the weighted sum over the inverse transposes, three rows of 4 floats each."""
    result, rest = Color(F(0.0), F(0.0), F(0.0), F(0.0)), vfloat(F(1.0))
    for k in range(state.weights + 1):
        weight = blend_weight(state, rows, chunk, k, rest)
        rest = rest - weight
        at = blend_index(state, rows, chunk, k) * 12
        result = result + rotate_gathered(normals, at, normal) * weight
    return result


@outlined
def gathered_column(m, at, v, column):
    """x y z times a column of each lane's matrix."""
    return (
        v.r * gather_float(m, at + column) + v.g * gather_float(m, at + (4 + column)) + v.b * gather_float(m, at + (8 + column))
    )


@stage
def transform_gathered(m, at, v):
    """v * M, a matrix for each lane."""
    return Color(
        gathered_column(m, at, v, 0) + v.a * gather_float(m, at + 12),
        gathered_column(m, at, v, 1) + v.a * gather_float(m, at + 13),
        gathered_column(m, at, v, 2) + v.a * gather_float(m, at + 14),
        gathered_column(m, at, v, 3) + v.a * gather_float(m, at + 15),
    )


@stage
def rotate_gathered(m, at, v):
    """v * the 3x3 of M, a matrix for each lane."""
    return Color(gathered_column(m, at, v, 0), gathered_column(m, at, v, 1), gathered_column(m, at, v, 2), F(0.0))
