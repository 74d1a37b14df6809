"""Texture addressing: from coordinates to texels, cube faces, level of detail.

Any coordinate is safe, NaN and infinities too: `fold` ends in a clamp, so every texel index lies in its level."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import absolute, bits_float, float_bits, floor, maximum, minimum, select, to_float, vfloat, vint
from core.spec.enums import TextureAddress


@stage
def fold(mode, coordinate):
    """coordinate brought into 0..1; into -1..2 for BORDER, where the texels outside have the border colour"""
    if mode == TextureAddress.WRAP:
        return maximum(coordinate - floor(coordinate), 0.0)  # never above 1; NaN becomes 0
    elif mode == TextureAddress.MIRROR:
        coordinate = coordinate - floor(coordinate * 0.5) * 2.0
        coordinate = minimum(coordinate, 2.0 - coordinate)
    elif mode == TextureAddress.MIRRORONCE:
        coordinate = absolute(coordinate)
    elif mode == TextureAddress.BORDER:
        return minimum(maximum(coordinate, -1.0), 2.0)
    return minimum(maximum(coordinate, 0.0), 1.0)


@stage
def neighbour(mode, power_of_two, index, size):
    """texel index of a folded coordinate, or the one after, brought back into the level: -1..size becomes 0..size-1"""
    if mode == TextureAddress.WRAP:
        if power_of_two:
            return index & (size - 1)
        index = select(index < 0, index + size, index)
        index = select(index >= size, index - size, index)
    return minimum(maximum(index, 0), size - 1)


@stage
def outside(mode, index, size):
    """lanes whose texel has the border colour"""
    if mode == TextureAddress.BORDER:
        return (index < 0) | (index >= size)
    return vint(0) < 0


@stage
def cube_face(x, y, z):
    """(face number, lanes whose major axis is x, ... y); of equal components z wins over y over x (unspecified by the SDK)"""
    ax, ay, az = absolute(x), absolute(y), absolute(z)
    on_x = (ax > ay) & (ax > az)
    on_y = ~on_x & (ay > az)
    face = select(on_x, select(x < 0.0, vint(1), vint(0)),
                  select(on_y, select(y < 0.0, vint(3), vint(2)), select(z < 0.0, vint(5), vint(4))))  # fmt: skip
    return face, on_x, on_y


@stage
def cube_axes(face, on_x, on_y, x, y, z):
    """(s, t, major): the vector in the frame of the face; major: its length along the face's axis

    Source: DX8 SDK, cubic environment mapping."""
    negative = (face & 1) == 1
    major = select(on_x, x, select(on_y, y, z))
    s = select(on_x, -z, x)
    s = select(negative & ~on_y, -s, s)
    t = select(on_y, select(negative, -z, z), -y)
    return s, t, select(negative, -major, major)


@stage
def cube_place(x, y, z, ux, vx, wx, uy, vy, wy):
    """(face, u, v, ux, vx, uy, vy): where a vector meets a cube, 0..1, and what that gains to the right and downwards

    ux ... wy: what the vector gains."""
    face, on_x, on_y = cube_face(x, y, z)
    s, t, major = cube_axes(face, on_x, on_y, x, y, z)
    sx, tx, mx = cube_axes(face, on_x, on_y, ux, vx, wx)
    sy, ty, my = cube_axes(face, on_x, on_y, uy, vy, wy)
    half = 0.5 / major
    s, t = s / major, t / major
    ux, vx, uy, vy = (sx - s * mx) * half, (tx - t * mx) * half, (sy - s * my) * half, (ty - t * my) * half
    return face, s * 0.5 + 0.5, t * 0.5 + 0.5, ux, vx, uy, vy


@stage
def log2(x):
    """log2, exact at powers of two, elsewhere within 3e-5; x <= 0 and NaN give -100"""
    x = maximum(x, np.float32(7.888609e-31))
    bits = float_bits(x)
    exponent = to_float((bits >> 23) - 127)
    f = bits_float((bits & 0x7FFFFF) | 0x3F800000) - 1.0
    bend = ((f * np.float32(-0.04400469) + np.float32(0.14631434)) * f + np.float32(-0.26602988)) * f + np.float32(0.4417403)
    return exponent + (f + f * (1.0 - f) * bend)


@stage
def level_size(size, level):
    """texels along an axis at a level (vint)"""
    return maximum(vint(size) >> level, 1)


@stage
def texel_length(x, y, z, width, height, depth):
    """squared length in texels of a coordinate difference"""
    x, y, z = x * vfloat(width), y * vfloat(height), z * vfloat(depth)
    return x * x + y * y + z * z
