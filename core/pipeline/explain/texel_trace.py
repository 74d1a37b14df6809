"""Texels read by one lookup of one pixel: levels, faces, slices, positions and weights.

The sampler keeps no account of that, so its way to the texels is walked again, with its own folding, faces, levels of
detail and neighbours (core.pipeline.pixel.address, sample).  Weights times texels have to add up to what the sampler gave
(`Lookup.total`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.kernels.jit import array, i8, kernel, outlined, stage
from core.kernels.simd import (
    align_stack,
    floor,
    gather,
    lane,
    load_float,
    maximum,
    minimum,
    pointer,
    quad_bottom,
    quad_left,
    quad_right,
    quad_top,
    select,
    shift_right,
    to_float,
    to_int_in_range,
    vfloat,
    vint,
)
from core.pipeline.pixel.address import (
    cube_place,
    fold,
    level_size,
    log2,
    neighbour,
    outside,
    texel_length,
)
from core.pipeline.pixel.bump import displace
from core.pipeline.pixel.interpolate import block_offset, interpolate, interpolate_w
from core.pipeline.pixel.sample import RHW, coordinate, longer_axis, sample_stage, slope_x, slope_y, split_level
from core.pipeline.pixel.seam import triangle_at
from core.pipeline.pixel.texel_filter import around
from core.pipeline.records.layout import PIXEL_STATE
from core.pipeline.records.texture import MAX_LEVELS, TEXEL_RGBA32F, TextureKind
from core.spec.enums import TextureAddress, TextureFilter

Rgba = tuple[float, float, float, float]
READ = np.dtype([
    ("level", "i4"), ("face", "i4"), ("slice", "i4"), ("x", "i4"), ("y", "i4"),
    ("border", "i4"),           # outside the texture: the border colour
    ("address", "i8"),          # word in the heap
    ("weight", "f4"), ("unused", "i4"),
])  # fmt: skip
MOST_READS = 16 * 2 * 2 * 4  # samples, levels, slices, corners
FOUND = np.dtype([("u", "f4"), ("v", "f4"), ("w", "f4"), ("lod", "f4"), ("linear", "i4"), ("samples", "i4"), ("count", "i8")])
BUMP = np.float32(1 / 256)
SIDES = ("+X", "-X", "+Y", "-Y", "+Z", "-Z")
"""The faces of a cube map, in their order."""


@outlined
def corner(s, k, face, level, slice, start, width, height, x, y, weight, border, found, reads):
    """Notes one texel: x, y before they are brought back into the level; start: of the image."""
    power = s.texture.power_of_two
    column, row = neighbour(s.address_u, power, x, width), neighbour(s.address_v, power, y, height)
    words = 4 if s.texture.form == TEXEL_RGBA32F else 1
    one = reads[found.count]
    one.level, one.face, one.slice = lane(level, k), lane(face, k), slice
    one.x, one.y = lane(column, k), lane(row, k)
    beyond = outside(s.address_u, x, width) | outside(s.address_v, y, height)
    one.border = border or lane(select(beyond, vint(1), vint(0)), k) != 0
    one.address, one.weight = lane(start + (row * width + column) * words, k), weight
    found.count = found.count + 1


@outlined
def image(s, k, linear, face, level, slice, start, u, v, weight, border, found, reads):
    """The texels of one image (texel_filter.plane_color)."""
    width, height = level_size(s.texture.width, level), level_size(s.texture.height, level)
    u, v = fold(s.address_u, u), fold(s.address_v, v)
    if not linear:
        x, y = to_int_in_range(floor(u * to_float(width))), to_int_in_range(floor(v * to_float(height)))
        corner(s, k, face, level, slice, start, width, height, x, y, weight, border, found, reads)
        return
    if s.texture.form == TEXEL_RGBA32F:
        x, y, fx, fy = around(u, v, width, height)
        fx, fy = lane(fx, k), lane(fy, k)
        for n in range(4):
            column, row = n & 1, n >> 1
            part = (fx if column else np.float32(1.0) - fx) * (fy if row else np.float32(1.0) - fy)
            corner(s, k, face, level, slice, start, width, height, x + column, y + row, weight * part, border, found, reads)
        return
    x, y = to_int_in_range(floor(u * to_float(width << 8) - 127.5)), to_int_in_range(floor(v * to_float(height << 8) - 127.5))
    wx, wy = x & 255, y & 255
    both = shift_right(wx * wy, 8)
    for n in range(4):
        eighths = both if n == 3 else wy - both if n == 2 else wx - both if n == 1 else 256 - wx - (wy - both)
        part = np.float32(lane(eighths, k)) * BUMP
        corner(s, k, face, level, slice, start, width, height, (x >> 8) + (n & 1), (y >> 8) + (n >> 1), weight * part, border,
               found, reads)  # fmt: skip


@outlined
def one_level(s, k, linear, face, level, u, v, w, weight, found, reads):
    """The texels of one mip level (texel_filter.level_color)."""
    start = gather(s.texture.start, face * MAX_LEVELS + level)
    if s.texture.kind != TextureKind.VOLUME:
        image(s, k, linear, face, level, 0, start, u, v, weight, False, found, reads)
        return
    depth = level_size(s.texture.depth, level)
    words = level_size(s.texture.width, level) * level_size(s.texture.height, level)
    if s.texture.form == TEXEL_RGBA32F:
        words = words * 4
    position = fold(s.address_w, w) * to_float(depth)
    if linear:
        position = position - 0.5
    below = floor(position)
    for upper in range(2 if linear else 1):
        part = np.float32(1.0)
        if linear:
            part = lane(position - below, k) if upper else np.float32(1.0) - lane(position - below, k)
        z = to_int_in_range(below) + upper
        slice = neighbour(s.address_w, s.texture.power_of_two, z, depth)
        beyond = s.address_w == TextureAddress.BORDER and lane(select(outside(s.address_w, z, depth), vint(1), vint(0)), k) != 0
        image(s, k, linear, face, level, lane(slice, k), start + slice * words, u, v, weight * part, beyond, found, reads)


@outlined
def levels(s, k, face, lod, u, v, w, weight, found, reads):
    """The texels at a level of detail (sample.sample_level)."""
    level, fraction = split_level(s, lod)
    magnified = lane(select(lod <= 0.0, vint(1), vint(0)), k) != 0
    linear = (s.mag_filter if magnified else s.min_filter) >= TextureFilter.LINEAR
    found.linear = linear
    part = lane(fraction, k)
    one_level(s, k, linear, face, level, u, v, w, weight * (np.float32(1.0) - part), found, reads)
    if part > 0:
        one_level(s, k, linear, face, minimum(level + 1, s.last_level), u, v, w, weight * part, found, reads)


@stage
def samples(s, k, face, u, v, w, ux, vx, wx, uy, vy, wy, found, reads):
    """The texels of a lookup whose level is wanted (sample.sample_general, sample.sample_anisotropic)."""
    across = texel_length(ux, vx, wx, s.texture.width, s.texture.height, s.texture.depth)
    down = texel_length(uy, vy, wy, s.texture.width, s.texture.height, s.texture.depth)
    if not s.anisotropic:
        lod = log2(maximum(across, down)) * 0.5 + s.mip_bias
        found.lod = lane(lod, k)
        levels(s, k, face, lod, u, v, w, np.float32(1.0), found, reads)
        return
    du, dv, count, lod = longer_axis(s, ux, vx, uy, vy, across, down)
    step = 1.0 / count
    found.lod, found.samples = lane(lod, k), int(lane(count, k))
    for number in range(found.samples):
        offset = (number + vfloat(0.5)) * step - 0.5
        levels(s, k, face, lod, u + du * offset, v + dv * offset, w, lane(step, k), found, reads)


@outlined
def lookup(s, k, u, v, w, ux, vx, wx, uy, vy, wy, found, reads):
    """The texels of a lookup at u, v, w (sample.sample_general)."""
    face = vint(0)
    found.u, found.v, found.w, found.samples = lane(u, k), lane(v, k), lane(w, k), 1
    if s.texture.kind == TextureKind.CUBE:
        face, u, v, ux, vx, uy, vy = cube_place(u, v, w, ux, vx, wx, uy, vy, wy)
        w, wx, wy = vfloat(0.0), vfloat(0.0), vfloat(0.0)
    if s.texture.kind == TextureKind.SHADOW:  # the third coordinate is no place
        wx, wy = vfloat(0.0), vfloat(0.0)
    if s.needs_level:
        samples(s, k, face, u, v, w, ux, vx, wx, uy, vy, wy, found, reads)
    else:
        found.linear = s.mag_filter >= TextureFilter.LINEAR
        one_level(s, k, found.linear, face, vint(s.first_level), u, v, w, np.float32(1.0), found, reads)


@kernel(i8(array(PIXEL_STATE), array("f4"), array("u4"), array(FOUND), array(READ), i8, i8, i8, i8, i8, i8))
def own_lookup(states, planes, memory, found, reads, x, y, number, plane, projected, bumped):
    """Fills found[0] and reads for stage `number` (-1: the colour key's) at its own coordinates (sample.sample_coordinates).

    found[0].u, v come in as what displaces them; bumped: the bump stages before displace them too.  Returns the texels."""
    align_stack()
    state, triangle, heap = pointer(states, 0)[0], triangle_at(pointer(planes, 0), 0), pointer(memory, 0)
    out, list_, k = pointer(found, 0)[0], pointer(reads, 0), (y & 3) * 4 + (x & 3)
    dx, dy = block_offset(triangle, x & ~3, y & ~3)
    w = interpolate_w(triangle, dx, dy)
    du, dv = vfloat(out.u), vfloat(out.v)
    s = state.key_stage
    if number >= 0:
        s = state.stage[number]
        if bumped:
            for n in range(s.bump_first, number):
                bump = state.stage[n]
                texel = sample_stage(triangle, heap, bump, dx, dy, w, du, dv)
                du, dv = displace(bump, vfloat(0.0), vfloat(0.0), texel.r, texel.g)
    out.count = 0
    if s.texture.kind == TextureKind.NONE:
        return 0
    divisor, divided_by = w, RHW
    if projected and plane >= 0:
        divided_by = plane + projected
        divisor = 1.0 / interpolate(triangle, divided_by, dx, dy)
    u, v = coordinate(triangle, plane, 0, dx, dy) * divisor, coordinate(triangle, plane, 1, dx, dy) * divisor
    third = vfloat(0.0)
    ux, vx, wx, uy, vy, wy = vfloat(0.0), vfloat(0.0), vfloat(0.0), vfloat(0.0), vfloat(0.0), vfloat(0.0)
    if s.texture.kind != TextureKind.PLANE:
        third = coordinate(triangle, plane, 2, dx, dy) * divisor
    if plane >= 0:
        qx, qy = slope_x(triangle, divided_by), slope_y(triangle, divided_by)
        ux, uy = (slope_x(triangle, plane) - u * qx) * divisor, (slope_y(triangle, plane) - u * qy) * divisor
        vx, vy = (slope_x(triangle, plane + 1) - v * qx) * divisor, (slope_y(triangle, plane + 1) - v * qy) * divisor
        if s.texture.kind != TextureKind.PLANE:
            wx = (slope_x(triangle, plane + 2) - third * qx) * divisor
            wy = (slope_y(triangle, plane + 2) - third * qy) * divisor
    lookup(s, k, u + du, v + dv, third, ux, vx, wx, uy, vy, wy, out, list_)
    return out.count


@kernel(i8(array(PIXEL_STATE), array("f4"), array(FOUND), array(READ), i8, i8, i8))
def computed_lookup(states, coordinates, found, reads, x, y, number):
    """As own_lookup, at computed coordinates, float32[48] u v w of the block (sample.sample_at)."""
    align_stack()
    state, given = pointer(states, 0)[0], pointer(coordinates, 0)
    out, list_, s = pointer(found, 0)[0], pointer(reads, 0), state.stage[number]
    out.count = 0
    if s.texture.kind == TextureKind.NONE:
        return 0
    u, v, w = load_float(given, 0), load_float(given, 16), load_float(given, 32)
    lookup(s, (y & 3) * 4 + (x & 3), u, v, w, quad_right(u) - quad_left(u), quad_right(v) - quad_left(v),
           quad_right(w) - quad_left(w), quad_bottom(u) - quad_top(u), quad_bottom(v) - quad_top(v),
           quad_bottom(w) - quad_top(w), out, list_)  # fmt: skip
    return out.count


# ---- one pixel ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TexelRead:
    """One texel of a lookup; address: its first word in the sampler's heap; border: it is the border colour instead.

    side: of a cube map, where `face` looks ("-X"); empty of other textures.
    """

    level: int
    face: int
    slice: int
    x: int
    y: int
    border: bool
    address: int
    weight: float
    value: Rgba
    side: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """One lookup of a texture stage.  coordinates: u v w after the divide and displacement (a cube map's: the direction).

    lod: before the clamp to the levels there are; samples: of an anisotropic filter.  reference: of a depth texture, what its
    texels are compared with (1: it is not behind the texel), before they are filtered.
    """

    stage: int
    coordinates: tuple[float, float, float]
    lod: float
    linear: bool
    samples: int
    texels: tuple[TexelRead, ...]
    reference: float | None = None

    @property
    def total(self) -> Rgba:
        """Weights times texels, or times what comparing them gave."""
        if self.reference is not None:
            share = sum(one.weight for one in self.texels if self.reference <= one.value[0])
            return share, share, share, share
        r, g, b, a = (sum(one.weight * one.value[c] for one in self.texels) for c in range(4))
        return r, g, b, a


def own_texels(states: np.ndarray, planes: np.ndarray, memory: np.ndarray, x: int, y: int, number: int, plane: int,
               projected: int, displaced: tuple[float, float] | None = None) -> Lookup | None:  # fmt: skip
    """The texels of stage `number` (-1: of the colour key); displaced None: by the bump stages before.  None: no texture."""
    found, reads = np.zeros(1, FOUND), np.zeros(MOST_READS, READ)
    found["u"], found["v"] = displaced or (0.0, 0.0)
    own_lookup(states, planes, memory, found, reads, x, y, number, plane, projected, displaced is None)
    return _lookup(states, memory, found, reads, number)


def computed_texels(states: np.ndarray, memory: np.ndarray, coordinates: np.ndarray, x: int, y: int,
                    number: int) -> Lookup | None:  # fmt: skip
    """The texels of stage `number` at coordinates float32[48]."""
    found, reads = np.zeros(1, FOUND), np.zeros(MOST_READS, READ)
    computed_lookup(states, np.ascontiguousarray(coordinates, np.float32), found, reads, x, y, number)
    return _lookup(states, memory, found, reads, number)


def _lookup(states: np.ndarray, memory: np.ndarray, found: np.ndarray, reads: np.ndarray, number: int) -> Lookup | None:
    row = states["key_stage"][0] if number < 0 else states["stage"][0][number]
    head = found[0]
    if row["texture"]["kind"] == TextureKind.NONE:
        return None
    texels = tuple(_read(row, memory, one) for one in reads[: int(head["count"])])
    u, v, w = float(head["u"]), float(head["v"]), float(head["w"])
    reference = min(max(w, 0.0), 1.0) if row["texture"]["kind"] == TextureKind.SHADOW else None
    return Lookup(number, (u, v, w), float(head["lod"]), bool(head["linear"]), int(head["samples"]), texels, reference)


def _read(row: np.void, memory: np.ndarray, one: np.void) -> TexelRead:
    level, face, slice, x, y, border, address, weight, _ = one.tolist()
    side = SIDES[face] if row["texture"]["kind"] == TextureKind.CUBE else ""
    return TexelRead(level, face, slice, x, y, bool(border), address, weight, _value(row, memory, one), side)


def _value(row: np.void, memory: np.ndarray, one: np.void) -> Rgba:
    """A texel's value, 0..1 or signed."""
    at = int(one["address"])
    if one["border"]:
        r, g, b, a = map(float, row["border"])
    elif row["texture"]["form"] == TEXEL_RGBA32F:
        r, g, b, a = map(float, memory[at : at + 4].view(np.float32))
    else:
        word = int(memory[at])
        r, g, b, a = ((word >> shift & 255) / 255 for shift in (16, 8, 0, 24))
    return r, g, b, a
