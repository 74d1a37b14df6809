"""One image of a texture: addressing and the point and 2x2 filters, of a plane, a cube face or the slices of a volume.

Bilinear weights of TEXEL_RGBA8 have 8 bits; everything else is float32."""

from __future__ import annotations

import numpy as np

from core.kernels.jit import outlined, stage
from core.kernels.simd import (
    Color,
    advance,
    all_lanes,
    below,
    byte_in_halves,
    floor,
    floor_to_int,
    gather,
    gather_float,
    gather_quads,
    gray,
    maximum,
    minimum,
    multiply_halves,
    select,
    shift_right,
    shift_right_halves,
    to_float,
    to_int_in_range,
    vfloat,
    vint,
)  # fmt: skip
from core.pipeline.pixel.address import fold, level_size, neighbour, outside
from core.pipeline.records.texture import TEXEL_RGBA32F, TextureKind
from core.spec.enums import TextureAddress

FILTERED = np.float32(1 / 65280)  # 8.8 filtered channel to 0..1
CHANNEL = np.float32(1 / 255)
EACH_8, EACH_256 = 8 << 16 | 8, 256 << 16 | 256  # in both halves


@stage
def unpack_texel(t):
    """A8R8G8B8 -> Color"""
    return Color(to_float(shift_right(t, 16) & 255), to_float(shift_right(t, 8) & 255), to_float(t & 255),
                 to_float(shift_right(t, 24))) * CHANNEL  # fmt: skip


@stage
def load_texel(memory, index):
    """four floats at a word offset -> Color"""
    return Color(gather_float(memory, index), gather_float(memory, index + 1), gather_float(memory, index + 2),
                 gather_float(memory, index + 3))  # fmt: skip


@stage
def border_color(s):
    return Color(s.border[0], s.border[1], s.border[2], s.border[3])


@stage
def mix_words(t00, t10, t01, t11, fx, fy):
    """bilinear filter of A8R8G8B8; the weights are the lowest bytes of fx and fy

    Two channels, and the weight twice, are the halves of an integer: no sum of products reaches 65536."""
    fx, fy = byte_in_halves(fx), byte_in_halves(fy)
    w11 = shift_right_halves(multiply_halves(fx, fy), EACH_8)
    w10, w01 = fx - w11, fy - w11
    w00 = EACH_256 - fx - w01
    rb = (multiply_halves(t00 & 0xFF00FF, w00) + multiply_halves(t10 & 0xFF00FF, w10)
          + (multiply_halves(t01 & 0xFF00FF, w01) + multiply_halves(t11 & 0xFF00FF, w11)))  # fmt: skip
    a, b = shift_right_halves(t00, EACH_8), shift_right_halves(t10, EACH_8)
    c, d = shift_right_halves(t01, EACH_8), shift_right_halves(t11, EACH_8)
    ag = (multiply_halves(a, w00) + multiply_halves(b, w10)) + (multiply_halves(c, w01) + multiply_halves(d, w11))
    return Color(to_float(shift_right(rb, 16)), to_float(ag & 0xFFFF), to_float(rb & 0xFFFF),
                 to_float(shift_right(ag, 16))) * FILTERED  # fmt: skip


@outlined
def seam_words(s, memory, x, y, start, width, height):
    """the four texels around (x, y), folded, where some lie at the seam or the border of a texture, or levels differ"""
    power = s.texture.power_of_two
    left, right = neighbour(s.address_u, power, x, width), neighbour(s.address_u, power, x + 1, width)
    top = neighbour(s.address_v, power, y, height) * width + start
    bottom = neighbour(s.address_v, power, y + 1, height) * width + start
    t00, t10 = gather(memory, top + left), gather(memory, top + right)
    t01, t11 = gather(memory, bottom + left), gather(memory, bottom + right)
    if s.bordered:
        out0, out1 = outside(s.address_u, x, width), outside(s.address_u, x + 1, width)
        out_top, out_bottom = outside(s.address_v, y, height), outside(s.address_v, y + 1, height)
        border = vint(s.border_color)
        t00, t10 = select(out0 | out_top, border, t00), select(out1 | out_top, border, t10)
        t01, t11 = select(out0 | out_bottom, border, t01), select(out1 | out_bottom, border, t11)
    return t00, t10, t01, t11


@stage
def place_words(u, v, wide, high):
    """texel coordinates between the centres of four texels, 24.8 fixed point; wide, high: size of the image in 1/256 texel"""
    # rounded to the nearest 1/256: texels drawn one to one come out exactly
    return floor_to_int(u * wide - 127.5), floor_to_int(v * high - 127.5)


@stage
def image_words(s, memory, fx, fy, image):
    """the texels around a place in one image, the same for all lanes: upper left, upper right, lower left, lower right"""
    x, y = fx >> 8, fy >> 8
    if all_lanes(below(x, vint(image.last_x)) & below(y, vint(image.last_y))):  # whatever the address mode
        return gather_quads(advance(memory, image.start), y * vint(image.width) + x, image.width)
    return seam_words(s, memory, x, y, vint(image.start), vint(image.width), vint(image.height))


@stage
def linear_image(s, memory, u, v, image):
    """the 2x2 filter in one image (fields as in IMAGE) for all lanes"""
    fx, fy = place_words(u, v, image.wide, image.high)
    t00, t10, t01, t11 = image_words(s, memory, fx, fy, image)
    return mix_words(t00, t10, t01, t11, fx, fy)


@stage
def linear_pair(s, other, memory, u, v, image, other_u, other_v, other_image):
    """linear_image of two images: while one waits for its words the other is computed"""
    fx, fy = place_words(u, v, image.wide, image.high)
    a, b, c, d = image_words(s, memory, fx, fy, image)
    gx, gy = place_words(other_u, other_v, other_image.wide, other_image.high)
    e, f, g, h = image_words(other, memory, gx, gy, other_image)
    return mix_words(a, b, c, d, fx, fy), mix_words(e, f, g, h, gx, gy)


@stage
def linear_words(s, memory, u, v, start, width, height):
    """the 2x2 filter in an image of its own for each lane"""
    fx, fy = place_words(u, v, to_float(width << 8), to_float(height << 8))
    t00, t10, t01, t11 = seam_words(s, memory, fx >> 8, fy >> 8, start, width, height)
    return mix_words(t00, t10, t01, t11, fx, fy)


@stage
def point_index(s, u, v, width, height):
    """(texel number, lanes outside)"""
    x, y = floor_to_int(u * to_float(width)), floor_to_int(v * to_float(height))
    power = s.texture.power_of_two
    index = neighbour(s.address_v, power, y, height) * width + neighbour(s.address_u, power, x, width)
    return index, outside(s.address_u, x, width) | outside(s.address_v, y, height)


@stage
def point_word(s, memory, u, v, start, width, height):
    index, out = point_index(s, u, v, width, height)
    texel = gather(memory, start + index)
    if s.bordered:
        texel = select(out, vint(s.border_color), texel)
    return unpack_texel(texel)


@stage
def filter_words(s, memory, linear, u, v, start, width, height):
    if linear:
        return linear_words(s, memory, u, v, start, width, height)
    return point_word(s, memory, u, v, start, width, height)


@stage
def point_floats(s, memory, u, v, start, width, height):
    index, out = point_index(s, u, v, width, height)
    texel = load_texel(memory, start + index * 4)
    if s.bordered:
        texel = select(out, border_color(s), texel)
    return texel


@stage
def corner_texel(s, memory, x, y, start, width, height):
    """the texel at a folded place or the one after, of TEXEL_RGBA32F"""
    index = (neighbour(s.address_v, s.texture.power_of_two, y, height) * width
             + neighbour(s.address_u, s.texture.power_of_two, x, width))  # fmt: skip
    texel = load_texel(memory, start + index * 4)
    if s.bordered:
        texel = select(outside(s.address_u, x, width) | outside(s.address_v, y, height), border_color(s), texel)
    return texel


@stage
def around(u, v, width, height):
    """(x, y, fx, fy): the texel to the left of and above a place, and how far the place is from there to the next"""
    u, v = u * to_float(width) - 0.5, v * to_float(height) - 0.5
    left, top = floor(u), floor(v)
    return to_int_in_range(left), to_int_in_range(top), u - left, v - top


@outlined
def linear_floats(s, memory, u, v, start, width, height):
    """bilinear filter of TEXEL_RGBA32F, in float32"""
    x, y, fx, fy = around(u, v, width, height)
    color = gray(0.0)
    for corner in range(4):
        column, row = corner & 1, corner >> 1
        texel = corner_texel(s, memory, x + column, y + row, start, width, height)
        color = color + texel * ((fx if column else 1.0 - fx) * (fy if row else 1.0 - fy))
    return color


@stage
def lit(s, texel, reference):
    """1 where the reference is not behind the depth of a texel"""
    return select(reference <= texel.r, vfloat(1.0), vfloat(0.0))


@outlined
def shadow_color(s, memory, linear, u, v, reference, start, width, height):
    """the share of one or four texels whose depth is not before the reference, in all channels: compared, then filtered"""
    u, v, reference = fold(s.address_u, u), fold(s.address_v, v), minimum(maximum(reference, 0.0), 1.0)
    if not linear:
        return gray(lit(s, point_floats(s, memory, u, v, start, width, height), reference))
    x, y, fx, fy = around(u, v, width, height)
    share = vfloat(0.0)
    for corner in range(4):
        column, row = corner & 1, corner >> 1
        texel = corner_texel(s, memory, x + column, y + row, start, width, height)
        share = share + lit(s, texel, reference) * ((fx if column else 1.0 - fx) * (fy if row else 1.0 - fy))
    return gray(share)


@outlined
def plane_color(s, memory, linear, u, v, start, width, height):
    """the filtered texel of one image; start, width, height per lane"""
    u, v = fold(s.address_u, u), fold(s.address_v, v)
    if s.texture.form == TEXEL_RGBA32F:
        if linear:
            return linear_floats(s, memory, u, v, start, width, height)
        return point_floats(s, memory, u, v, start, width, height)
    return filter_words(s, memory, linear, u, v, start, width, height)


@stage
def slice_color(s, memory, linear, u, v, z, start, width, height, depth):
    """one slice of a volume; z: its number, from -1 to depth"""
    words = width * height
    if s.texture.form == TEXEL_RGBA32F:
        words = words * 4
    start = start + neighbour(s.address_w, s.texture.power_of_two, z, depth) * words
    color = plane_color(s, memory, linear, u, v, start, width, height)
    if s.address_w == TextureAddress.BORDER:
        color = select(outside(s.address_w, z, depth), border_color(s), color)
    return color


@outlined
def level_color(s, memory, linear, face, level, u, v, w):
    """the filtered texel of one mip level; face: face number * MAX_LEVELS, and level, per lane"""
    texture = s.texture
    width, height = level_size(texture.width, level), level_size(texture.height, level)
    start = gather(texture.start, face + level)
    if texture.kind == TextureKind.SHADOW:
        return shadow_color(s, memory, linear, u, v, w, start, width, height)
    if texture.kind != TextureKind.VOLUME:
        return plane_color(s, memory, linear, u, v, start, width, height)
    depth = level_size(texture.depth, level)
    position = fold(s.address_w, w) * to_float(depth)
    if not linear:
        return slice_color(s, memory, linear, u, v, to_int_in_range(floor(position)), start, width, height, depth)
    position = position - 0.5
    below = floor(position)
    color = gray(0.0)
    for upper in range(2):
        weight = position - below
        if not upper:
            weight = 1.0 - weight
        z = to_int_in_range(below) + upper
        color = color + weight * slice_color(s, memory, linear, u, v, z, start, width, height, depth)
    return color
