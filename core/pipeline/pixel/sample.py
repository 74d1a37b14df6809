"""Texture sampling: planes, cubes and volumes; point, linear, mip and anisotropic filters (semantics section 10).

Calls: sample_coordinates (a stage's own coordinates, analytic derivatives) or sample_at (computed coordinates, differences over
2x2 pixels) -> sample_general (cube faces, level of detail) -> sample_level (mag or min filter, two mip levels) -> level_color
(one level, core.pipeline.pixel.texel_filter). Planes of TEXEL_RGBA8 take short cuts: sample_short (sample_pair: two at once)
without level of detail, plane_levels with it. FLATCUBIC and GAUSSIANCUBIC filter like LINEAR."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import (
    Color,
    all_lanes,
    any_lane,
    ceil,
    gather,
    gray,
    lane,
    lerp,
    maximum,
    minimum,
    quad_bottom,
    quad_left,
    quad_right,
    quad_top,
    select,
    sqrt,
    to_float,
    to_int_in_range,
    vfloat,
    vint,
)
from core.pipeline.pixel.address import cube_place, fold, level_size, log2, texel_length
from core.pipeline.pixel.interpolate import interpolate
from core.pipeline.pixel.texel_filter import filter_words, level_color, linear_image, linear_pair, point_word
from core.pipeline.records.layout import Plane
from core.pipeline.records.texture import MAX_LEVELS, TextureKind
from core.spec.enums import TextureFilter

RHW = int(Plane.RHW)
MAX_ANISOTROPY = 16

Image = namedtuple("Image", "start width height last_x last_y wide high")  # the fields of IMAGE


# ---- levels --------------------------------------------------------------------------------------


@stage
def mip_color(s, memory, linear, face, level, fraction, u, v, w):
    color = level_color(s, memory, linear, face, level, u, v, w)
    if any_lane(fraction > 0.0):
        color = lerp(color, level_color(s, memory, linear, face, minimum(level + 1, s.last_level), u, v, w), fraction)
    return color


@stage
def split_level(s, lod):
    """(level, how far from there to the next); lod: before the clamp to the levels there are"""
    lod = minimum(maximum(lod, vfloat(s.first_level)), vfloat(s.last_level))
    if s.mip_filter >= TextureFilter.LINEAR:
        level = to_int_in_range(lod)
    else:
        level = to_int_in_range(lod + 0.5)
        lod = to_float(level)
    return level, lod - to_float(level)


@stage
def level_images(s, level):
    """start, width and height of a mip level of a plane, per lane"""
    return gather(s.texture.start, level), level_size(s.texture.width, level), level_size(s.texture.height, level)


@stage
def image_at(s, level):
    """one mip level of a plane, for all lanes"""
    texture = s.texture
    width, height = max(texture.width >> level, 1), max(texture.height >> level, 1)
    return Image(texture.start[level], width, height, width - 1, height - 1, np.float32(width << 8), np.float32(height << 8))


@stage
def linear_levels(s, memory, u, v, level, further):
    """the texels of two mip levels, the same ones for all lanes"""
    return linear_pair(s, s, memory, u, v, image_at(s, level), u, v, image_at(s, further))


@stage
def filter_levels(s, memory, linear, u, v, level, further):
    """the texels of two mip levels of each lane's own"""
    return (filter_words(s, memory, linear, u, v, *level_images(s, level)),
            filter_words(s, memory, linear, u, v, *level_images(s, further)))  # fmt: skip


@outlined
def plane_levels(s, memory, u, v, lod):
    """as sample_level at folded coordinates, of a plane of TEXEL_RGBA8 with one filter for mag and min: the most common case"""
    level, fraction = split_level(s, lod)
    linear = s.min_filter >= TextureFilter.LINEAR
    number = lane(level, 0)
    one = linear and all_lanes(level == number)
    if not any_lane(fraction > 0.0):
        if one:
            return linear_image(s, memory, u, v, image_at(s, number))
        return filter_words(s, memory, linear, u, v, *level_images(s, level))
    if one:
        color, other = linear_levels(s, memory, u, v, number, min(number + 1, s.last_level))
    else:
        color, other = filter_levels(s, memory, linear, u, v, level, minimum(level + 1, s.last_level))
    return lerp(color, other, fraction)


@outlined
def sample_level(s, memory, face, u, v, w, lod):
    """the filtered texel at a level of detail (before the clamp to the levels there are)"""
    magnified = lod <= 0.0
    level, fraction = split_level(s, lod)
    mag_linear, min_linear = s.mag_filter >= TextureFilter.LINEAR, s.min_filter >= TextureFilter.LINEAR
    if mag_linear == min_linear or not any_lane(magnified):
        return mip_color(s, memory, min_linear, face, level, fraction, u, v, w)
    color = mip_color(s, memory, mag_linear, face, level, fraction, u, v, w)
    if not all_lanes(magnified):
        color = select(magnified, color, mip_color(s, memory, min_linear, face, level, fraction, u, v, w))
    return color


@stage
def longer_axis(s, ux, vx, uy, vy, across, down):
    """(du, dv, count, lod): the longer axis of a pixel's footprint, and how many samples of which level lie along it

    across, down: squared lengths in texels of the steps to the right and downwards"""
    longest, shortest = maximum(across, down), minimum(across, down)
    along_x = across >= down
    count = minimum(maximum(ceil(sqrt(longest / maximum(shortest, np.float32(1e-12)))), 1.0), vfloat(s.max_anisotropy))
    lod = log2(longest) * 0.5 + s.mip_bias
    count = select(lod <= 0.0, vfloat(1.0), count)
    return select(along_x, ux, uy), select(along_x, vx, vy), count, lod - log2(count)


@outlined
def sample_anisotropic(s, memory, face, u, v, ux, vx, uy, vy, across, down):
    """the mean of 1 to MAXANISOTROPY samples along the longer axis of the pixel's footprint

    across, down: as for longer_axis"""
    du, dv, count, lod = longer_axis(s, ux, vx, uy, vy, across, down)
    step = 1.0 / count
    color = gray(0.0)
    for number in range(MAX_ANISOTROPY):
        active = count > number
        if not any_lane(active):
            break
        offset = (number + vfloat(0.5)) * step - 0.5
        if s.plain:
            part = plane_levels(s, memory, fold(s.address_u, u + du * offset), fold(s.address_v, v + dv * offset), lod)
        else:
            part = sample_level(s, memory, face, u + du * offset, v + dv * offset, vfloat(0.0), lod)
        color = select(active, color + part * step, color)
    return color


@outlined
def sample_general(s, memory, u, v, w, ux, vx, wx, uy, vy, wy):
    """the filtered texel of any texture at u, v, w; ux ... wy: what they gain from pixel to pixel to the right and downwards"""
    texture = s.texture
    face = vint(0)
    if texture.kind == TextureKind.CUBE:
        face, u, v, ux, vx, uy, vy = cube_place(u, v, w, ux, vx, wx, uy, vy, wy)
        w, wx, wy = vfloat(0.0), vfloat(0.0), vfloat(0.0)
        face = face * MAX_LEVELS
    if not s.needs_level:
        return level_color(s, memory, s.mag_filter >= TextureFilter.LINEAR, face, vint(s.first_level), u, v, w)
    if texture.kind == TextureKind.SHADOW:  # the third coordinate is no place
        wx, wy = vfloat(0.0), vfloat(0.0)
    across = texel_length(ux, vx, wx, texture.width, texture.height, texture.depth)
    down = texel_length(uy, vy, wy, texture.width, texture.height, texture.depth)
    if s.anisotropic:
        return sample_anisotropic(s, memory, face, u, v, ux, vx, uy, vy, across, down)
    return sample_level(s, memory, face, u, v, w, log2(maximum(across, down)) * 0.5 + s.mip_bias)


# ---- stages --------------------------------------------------------------------------------------


@stage
def null_texel():
    """what a pixel shader reads from a stage without texture"""
    return Color(0.0, 0.0, 0.0, 1.0)


@stage
def sample_folded(s, memory, u, v):
    """sample_short at folded coordinates"""
    image = s.image
    if s.mag_filter >= TextureFilter.LINEAR:
        return linear_image(s, memory, u, v, image)
    return point_word(s, memory, u, v, vint(image.start), vint(image.width), vint(image.height))


@outlined
def sample_short(s, memory, u, v):
    """a plane of TEXEL_RGBA8 without level of detail"""
    return sample_folded(s, memory, fold(s.address_u, u), fold(s.address_v, v))


@stage
def sample_pair(s, other, memory, u, v, other_u, other_v):
    """the texels of two stages as sample_short filters them linearly"""
    u, v = fold(s.address_u, u), fold(s.address_v, v)
    other_u, other_v = fold(other.address_u, other_u), fold(other.address_v, other_v)
    return linear_pair(s, other, memory, u, v, s.image, other_u, other_v, other.image)


@stage
def slope_x(triangle, plane):
    return triangle.plane[plane * 3 + 1]


@stage
def slope_y(triangle, plane):
    return triangle.plane[plane * 3 + 2]


@stage
def coordinate(triangle, plane, number, dx, dy):
    """u, v, w (number 0..2) before the divide; 0 without coordinates"""
    if plane < 0:
        return vfloat(0.0)
    return interpolate(triangle, plane + number, dx, dy)


@stage
def plane_lod(triangle, s, plane, divided_by, u, v, divisor):
    """the level of detail of a plane at coordinates that `divisor` times the plane `divided_by` gave"""
    qx, qy = slope_x(triangle, divided_by), slope_y(triangle, divided_by)
    width, height = vfloat(s.texture.width), vfloat(s.texture.height)
    ux, uy = (slope_x(triangle, plane) - u * qx) * width, (slope_y(triangle, plane) - u * qy) * width
    vx, vy = (slope_x(triangle, plane + 1) - v * qx) * height, (slope_y(triangle, plane + 1) - v * qy) * height
    footprint = maximum(ux * ux + vx * vx, uy * uy + vy * vy) * (divisor * divisor)
    return log2(footprint) * 0.5 + s.mip_bias


@outlined
def sample_coordinates(triangle, memory, s, plane, projected, dx, dy, w, du, dv):
    """the texel of stage s at the coordinates whose planes start at `plane` (-1: all 0), displaced by (du, dv) after the divide

    projected: component that divides the others (1..3), 0: none. dx, dy: pixels from the triangle's origin; w: 1 / rhw."""
    if s.texture.kind == TextureKind.NONE:
        return null_texel()
    divisor, divided_by = w, RHW
    if projected and plane >= 0:
        divided_by = plane + projected
        divisor = 1.0 / interpolate(triangle, divided_by, dx, dy)
    u, v = coordinate(triangle, plane, 0, dx, dy) * divisor, coordinate(triangle, plane, 1, dx, dy) * divisor
    if s.short:
        return sample_short(s, memory, u + du, v + dv)
    if s.plain and not s.anisotropic and plane >= 0:
        lod = plane_lod(triangle, s, plane, divided_by, u, v, divisor)
        return plane_levels(s, memory, fold(s.address_u, u + du), fold(s.address_v, v + dv), lod)
    third = vfloat(0.0)
    if s.texture.kind != TextureKind.PLANE:
        third = coordinate(triangle, plane, 2, dx, dy) * divisor
    ux, vx, wx, uy, vy, wy = vfloat(0.0), vfloat(0.0), vfloat(0.0), vfloat(0.0), vfloat(0.0), vfloat(0.0)
    if s.needs_level and plane >= 0:
        qx, qy = slope_x(triangle, divided_by), slope_y(triangle, divided_by)
        ux, uy = (slope_x(triangle, plane) - u * qx) * divisor, (slope_y(triangle, plane) - u * qy) * divisor
        vx, vy = (slope_x(triangle, plane + 1) - v * qx) * divisor, (slope_y(triangle, plane + 1) - v * qy) * divisor
        if s.texture.kind != TextureKind.PLANE:
            wx = (slope_x(triangle, plane + 2) - third * qx) * divisor
            wy = (slope_y(triangle, plane + 2) - third * qy) * divisor
    return sample_general(s, memory, u + du, v + dv, third, ux, vx, wx, uy, vy, wy)


@stage
def is_near(s, plane, projected):
    """sample_short at coordinates that are not divided"""
    return s.short and plane >= 0 and not projected


@stage
def near_place(triangle, plane, dx, dy, w):
    """u, v"""
    return interpolate(triangle, plane, dx, dy) * w, interpolate(triangle, plane + 1, dx, dy) * w


@stage
def sample_near(triangle, memory, s, plane, projected, dx, dy, w):
    """sample_coordinates without displacement, the most common case at once"""
    if is_near(s, plane, projected):
        u, v = near_place(triangle, plane, dx, dy, w)
        return sample_short(s, memory, u, v)
    return sample_coordinates(triangle, memory, s, plane, projected, dx, dy, w, vfloat(0.0), vfloat(0.0))


@stage
def sample_stage(triangle, memory, s, dx, dy, w, du, dv):
    """the texel of a stage of the cascade at its own coordinates"""
    return sample_coordinates(triangle, memory, s, s.coordinate_plane, s.projected, dx, dy, w, du, dv)


@outlined
def sample_at(s, memory, u, v, w):
    """the texel of a stage at computed coordinates; the level of detail comes from their differences over 2x2 pixels"""
    if s.texture.kind == TextureKind.NONE:
        return null_texel()
    return sample_general(s, memory, u, v, w, quad_right(u) - quad_left(u), quad_right(v) - quad_left(v),
                          quad_right(w) - quad_left(w), quad_bottom(u) - quad_top(u), quad_bottom(v) - quad_top(v),
                          quad_bottom(w) - quad_top(w))  # fmt: skip
