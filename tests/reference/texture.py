"""Texture sampling (semantics 10): texels of a level, addressing, filters, cube faces, the choice of the mip level."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.spec.enums import TextureAddress, TextureFilter
from tests.reference import dxt, texels
from tests.reference.doubt import Doubt
from tests.reference.formats import Color, from_argb

WEIGHT_SLACK = 3 / 256  # bilinear weights of 8 bits: each axis is rounded, and so is the weight of the fourth texel
TEXEL_MARGIN = 1e-3  # of a texel: coordinates reach about 64 texels, where float32 steps are 4e-6, and a few add up
LEVEL_MARGIN = 2e-3  # of a mip level
FACE_MARGIN = 1e-4  # of the greatest component
AXES = ("ADDRESSU", "ADDRESSV", "ADDRESSW")

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Texture:
    """`levels`: the bytes of each, rows of texels or blocks without padding, slices one after another.

    depth 0: not a volume.  faces: the levels of the other five faces of a cube.  palette: 256 r g b a of 0..255.
    key: the packed texels, from the first to the second, that its colour key names.
    """

    format: int
    width: int
    height: int
    levels: tuple[bytes, ...]
    depth: int = 0
    faces: tuple[tuple[bytes, ...], ...] = ()
    palette: tuple[tuple[int, int, int, int], ...] = ()
    key: tuple[int, int] | None = None

    @property
    def axes(self) -> int:
        return 3 if self.depth else 2

    def size(self, level: int) -> tuple[int, int, int]:
        return max(self.width >> level, 1), max(self.height >> level, 1), max(self.depth >> level, 1)

    def texel(self, face: int, level: int, x: int, y: int, z: int = 0) -> Color:
        width, height, _ = self.size(level)
        data = (self.levels, *self.faces)[face][level]
        if z:
            slice_bytes = level_bytes(self.format, width, height)
            data = data[z * slice_bytes : (z + 1) * slice_bytes]
        if self.format in dxt.BLOCK_BYTES:
            size = dxt.BLOCK_BYTES[self.format]
            start = (y // 4 * -(-width // 4) + x // 4) * size
            return dxt.texel(self.format, data[start : start + size], x % 4, y % 4)
        return self.color(data, y * width + x)

    def color(self, data: bytes, index: int) -> Color:
        return texels.texel(self.format, data, index, self.palette)


class KeyMask(Texture):
    """A texture that is 0 where the colour key names its texel, else 1."""

    def color(self, data: bytes, index: int) -> Color:
        size = texels.size(self.format)
        assert self.key is not None
        visible = not self.key[0] <= int.from_bytes(data[index * size : (index + 1) * size], "little") <= self.key[1]
        return (float(visible),) * 4


def level_bytes(format: int, width: int, height: int, depth: int = 1) -> int:
    if format in dxt.BLOCK_BYTES:
        return -(-width // 4) * -(-height // 4) * dxt.BLOCK_BYTES[format] * depth
    return width * height * texels.size(format) * depth


def address(mode: int, index: int, size: int) -> int | None:
    """The texel that an index outside the level means; None: the border."""
    if 0 <= index < size:
        return index
    match mode:
        case TextureAddress.WRAP:
            return index % size
        case TextureAddress.MIRROR:
            back = index % (2 * size)
            return back if back < size else 2 * size - 1 - back
        case TextureAddress.CLAMP:
            return 0 if index < 0 else size - 1
        case TextureAddress.BORDER:
            return None
        case TextureAddress.MIRRORONCE:
            return min(-1 - index if index < 0 else index, size - 1)
    raise AssertionError(f"no address mode {mode}")


# ---- cubes -----------------------------------------------------------------------------------------


def face_axes(face: int, v: Sequence[float]) -> tuple[float, float, float]:
    """(sc, tc, ma) of a vector in the frame of a face, +X -X +Y -Y +Z -Z; ma is positive for vectors that hit it."""
    x, y, z = v
    table = ((-z, -y, x), (z, -y, -x), (x, z, y), (x, -z, -y), (x, -y, z), (-x, -y, -z))
    return table[face]


def face_of(v: Sequence[float], doubt: Doubt) -> int:
    """By the component that is largest."""
    sizes = sorted(abs(c) for c in v)
    if sizes[2] - sizes[1] <= FACE_MARGIN * max(sizes[2], 1e-6):
        doubt.reasons.add("cube face")
    axis = max(range(3), key=lambda n: abs(v[n]))
    return 2 * axis + (v[axis] < 0)


def on_face(v: Sequence[float], dx: Sequence[float], dy: Sequence[float], doubt: Doubt) -> tuple[int, Vector, Vector, Vector]:
    """(face, (u, v) there, and their derivatives)"""
    face = face_of(v, doubt)
    s, t, major = face_axes(face, v)
    major = max(major, 1e-9)
    slopes = []
    for step in (dx, dy):
        ds, dt, dm = face_axes(face, step)
        slopes.append(((ds - s / major * dm) / major / 2, (dt - t / major * dm) / major / 2))
    return face, ((s / major + 1) / 2, (t / major + 1) / 2), slopes[0], slopes[1]


# ---- the sampler -------------------------------------------------------------------------------------


class Sampler:
    """One stage's texture and sampling states, for one pixel."""

    def __init__(self, texture: Texture, states: Mapping[str, int | float], doubt: Doubt) -> None:
        self.texture, self.states, self.doubt, self.face = texture, states, doubt, 0
        self.slack = [0.0] * 4  # how far 8-bit weights may lead from the exact filter, r g b a

    def sample(self, place: Sequence[float], dx: Sequence[float], dy: Sequence[float]) -> Color:
        """At (u, v, w), whose derivatives to the right and down are dx and dy."""
        if self.texture.faces:
            self.face, place, dx, dy = on_face(place, dx, dy, self.doubt)
        place = place[: self.texture.axes]
        if self.states["MAGFILTER"] == self.states["MINFILTER"] and len(self.texture.levels) == 1 and not self.is_anisotropic:
            return self.filtered(int(self.states["MAGFILTER"]), 0, place)
        (longer, step), (shorter, _) = self.footprint(dx, dy)
        lod = (math.log2(longer) if longer > 0 else -math.inf) + float(self.states["MIPMAPLODBIAS"])
        if not self.is_anisotropic:
            return self.at_level(lod, place)
        count = self.samples(longer, shorter) if self.doubt.positive(lod, LEVEL_MARGIN, "minification") else 1
        offsets = [(n + 0.5) / count - 0.5 for n in range(count)]
        along = [tuple(c + d * offset for c, d in zip(place, step, strict=False)) for offset in offsets]
        found = [self.at_level(lod - math.log2(count), one) for one in along]
        red, green, blue, alpha = (sum(color[n] for color in found) / count for n in range(4))
        return red, green, blue, alpha

    @property
    def is_anisotropic(self) -> bool:
        """Minified, and not volumes."""
        anisotropic = self.states["MINFILTER"] == TextureFilter.ANISOTROPIC and int(self.states["MAXANISOTROPY"]) > 1
        return anisotropic and not self.texture.depth

    def samples(self, longer: float, shorter: float) -> int:
        """How many lie along the longer of the footprint's two steps: each is to cover what is about as wide as long."""
        most = int(self.states["MAXANISOTROPY"])
        ratio = longer / shorter if shorter > 0 else math.inf
        if ratio >= most:
            return most
        return max(self.doubt.floor(ratio, LEVEL_MARGIN, "anisotropy") + 1, 1)

    def at_level(self, lod: float, place: Vector) -> Color:
        """At a level of detail, within the levels there are or beyond."""
        minified = self.doubt.positive(lod, LEVEL_MARGIN, "minification")
        most = int(self.states["MAXMIPLEVEL"])
        last = len(self.texture.levels) - 1
        if self.states["MIPFILTER"] == TextureFilter.NONE:
            filter = int(self.states["MINFILTER" if minified else "MAGFILTER"])
            return self.filtered(filter, 0, place)
        if not minified:
            return self.filtered(int(self.states["MAGFILTER"]), min(most, last), place)
        return self.between(min(max(lod, most), last), last, place)

    def between(self, lod: float, last: int, place: Vector) -> Color:
        """Minified, at a level of detail within the levels there are."""
        filter = int(self.states["MINFILTER"])
        if self.states["MIPFILTER"] == TextureFilter.POINT:
            level = self.doubt.floor(lod + 0.5, LEVEL_MARGIN, "mip level")
            return self.filtered(filter, min(level, last), place)
        below = math.floor(lod)
        return mix(self.filtered(filter, below, place), self.filtered(filter, min(below + 1, last), place), lod - below)

    def footprint(self, dx: Sequence[float], dy: Sequence[float]) -> list[tuple[float, Sequence[float]]]:
        """The steps to the right and down, the longer one first, and how many texels of level 0 they are."""
        sizes = self.texture.size(0)[: self.texture.axes]
        steps = [(math.hypot(*(s * d for s, d in zip(sizes, step, strict=False))), step) for step in (dx, dy)]
        return sorted(steps, key=lambda one: -one[0])

    def filtered(self, filter: int, level: int, place: Vector) -> Color:
        scaled = [self.once(n, c) * size for n, (c, size) in enumerate(zip(place, self.texture.size(level), strict=False))]
        if filter == TextureFilter.POINT:
            # a coordinate that is 0 everywhere is exact
            return self.fetch(level, [self.doubt.floor(c, TEXEL_MARGIN, "texel") if c else 0 for c in scaled])
        low = [math.floor(c - 0.5) for c in scaled]
        shares = [c - 0.5 - n for c, n in zip(scaled, low, strict=True)]
        corners = list(itertools.product((0, 1), repeat=len(low)))
        found = [self.fetch(level, [n + side for n, side in zip(low, corner, strict=True)]) for corner in corners]
        contrast = [max(channel) - min(channel) for channel in zip(*found, strict=True)]
        self.slack = [max(old, WEIGHT_SLACK * new) for old, new in zip(self.slack, contrast, strict=True)]
        weights = [math.prod(s if side else 1 - s for s, side in zip(shares, corner, strict=True)) for corner in corners]
        red, green, blue, alpha = (sum(w * c[n] for w, c in zip(weights, found, strict=True)) for n in range(4))
        return red, green, blue, alpha

    def mode(self, axis: int) -> int:
        """Cubes are clamped to their face."""
        return TextureAddress.CLAMP if self.texture.faces else int(self.states[AXES[axis]])

    def once(self, axis: int, coordinate: float) -> float:
        """MIRRORONCE takes the coordinate without its sign, then clamps."""
        return abs(coordinate) if self.mode(axis) == TextureAddress.MIRRORONCE else coordinate

    def fetch(self, level: int, place: Sequence[int]) -> Color:
        sizes = self.texture.size(level)
        found = [address(self.mode(n), index, sizes[n]) for n, index in enumerate(place)]
        inside = [index for index in found if index is not None]
        if len(inside) < len(found):
            return from_argb(int(self.states["BORDERCOLOR"]))
        return self.texture.texel(self.face, level, *inside)


def mix(a: Color, b: Color, share: float) -> Color:
    """`share` of b."""
    red, green, blue, alpha = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return red, green, blue, alpha
