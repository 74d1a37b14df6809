"""Interpolated values at each pixel's pick: depth, fog factor, the size of its texture's texels.

From the planes that its triangle was drawn with, in doubles; the kernels compute the same in singles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.pipeline.explain.redraw import DrawnBatch
from core.pipeline.records.layout import PLANES_START, FogSource, Plane
from core.pipeline.records.texture import TextureKind
from core.spec.enums import TextureFilter

DETAIL = np.dtype([
    ("x", "f8"), ("y", "f8"),                   # the triangle's origin
    ("affine", "?"), ("bias", "f8"),            # planes are not divided by w; ZBIAS, taken off depth
    ("depth", "f8", 3), ("rhw", "f8", 3), ("fog", "f8", 3), ("coordinates", "f8", (4, 3)),
    ("z_enable", "?"), ("w_buffer", "?"), ("w_near", "f8"), ("w_scale", "f8"), ("depth_max", "f8"),
    ("fog_source", "i4"), ("fog_uses_w", "?"), ("fog_start", "f8"), ("fog_end", "f8"), ("fog_density", "f8"),
    ("kind", "i4"), ("width", "f8"), ("height", "f8"), ("texture_depth", "f8"),  # of the first texture; kind 0: none
    ("projected", "i4"), ("mip_bias", "f8"), ("anisotropy", "i4"), ("first_level", "i4"), ("last_level", "i4"),
    ("mip_filter", "i4"), ("min_filter", "i4"), ("mag_filter", "i4"),
])  # fmt: skip
OF_STATE = ("z_enable", "w_buffer", "w_near", "w_scale", "depth_max", "fog_source", "fog_uses_w", "fog_start", "fog_end",
            "fog_density")  # fmt: skip
OF_STAGE = ("projected", "mip_bias", "first_level", "last_level", "mip_filter", "min_filter", "mag_filter")


def details_of(batch: DrawnBatch, rows: np.ndarray) -> np.ndarray:
    """DETAIL[n] of rows of a batch's `edges`."""
    edges = batch.edges[rows]
    used, place = np.unique(edges["state"], return_inverse=True)
    states, found = batch.states[used], np.zeros(len(rows), DETAIL)
    for name in OF_STATE:
        found[name] = states[name][place]
    which, textured = _first_textures(states)
    stages = states["stage"][np.arange(len(states)), which]
    for name in OF_STAGE:
        found[name] = stages[name][place]
    found["anisotropy"] = np.where(stages["anisotropic"] != 0, stages["max_anisotropy"], 1)[place]
    for name, of in (("kind", "kind"), ("width", "width"), ("height", "height"), ("texture_depth", "depth")):
        found[name] = np.where(textured, stages["texture"][of], 0)[place]
    first = edges["planes"].astype(np.int64)
    planes = batch.planes
    found["x"], found["y"], found["bias"] = planes[first], planes[first + 1], planes[first + 3]
    found["affine"] = planes[first + 2].view("<i4") != 0
    found["depth"], found["rhw"] = _plane(planes, first, Plane.DEPTH), _plane(planes, first, Plane.RHW)
    found["fog"] = _plane(planes, first, np.maximum(states["fog_plane"][place], 0))
    coordinates = np.maximum(np.where(textured, stages["coordinate_plane"], 0)[place], 0)
    for number in range(4):
        found["coordinates"][:, number] = _plane(planes, first, coordinates + number)
    return found


def _first_textures(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(int[n], bool[n]): the first stage whose texture is read at coordinates, and whether there is one."""
    stages = states["stage"]
    reads = (stages["textured"] != 0) | (states["pixel_shader"] != 0)[:, None]
    reads &= (stages["texture"]["kind"] != TextureKind.NONE) & (stages["coordinate_plane"] >= 0)
    return reads.argmax(axis=1), reads.any(axis=1)


def _plane(planes: np.ndarray, first: np.ndarray, number: np.ndarray | int) -> np.ndarray:
    """float64[n, 3]: constant, gain to the right, gain downwards."""
    at = first + PLANES_START + 3 * np.asarray(number, np.int64)
    with np.errstate(invalid="ignore"):  # beyond a draw's planes there may be any bits, signalling NaN too: nobody reads them
        return planes[np.minimum(at[:, None] + np.arange(3), len(planes) - 1)].astype(np.float64)


@dataclass(frozen=True)
class Interpolated:
    """`rows` DETAIL[n] of n pixels at x, y."""

    rows: np.ndarray
    x: np.ndarray
    y: np.ndarray

    def at(self, planes: np.ndarray) -> np.ndarray:
        """Of planes float64[n, 3] the values at the pixels, not times w."""
        dx, dy = self.x - self.rows["x"], self.y - self.rows["y"]
        value: np.ndarray = planes[:, 0] + planes[:, 1] * dx + planes[:, 2] * dy
        return value

    @property
    def w(self) -> np.ndarray:
        """1 where planes are not divided by it."""
        rhw = self.at(self.rows["rhw"])
        return np.where(self.rows["affine"], 1.0, 1.0 / np.where(rhw == 0, 1.0, rhw))

    @property
    def depth(self) -> np.ndarray:
        """In steps of the depth buffer, not rounded."""
        rows = self.rows
        rhw = self.at(rows["rhw"])
        linear = (1.0 / np.where(rhw == 0, 1.0, rhw) - rows["w_near"]) * rows["w_scale"]
        return np.clip(np.where(rows["w_buffer"], linear, self.at(rows["depth"])), 0, rows["depth_max"])

    @property
    def fog_factor(self) -> np.ndarray:
        """1: no fog (core.pipeline.pixel.fog)."""
        rows, source = self.rows, self.rows["fog_source"]
        rhw = self.at(rows["rhw"])
        near = (self.at(rows["depth"]) + rows["bias"]) / np.where(rows["depth_max"] == 0, 1.0, rows["depth_max"])
        distance = np.where(rows["fog_uses_w"], 1.0 / np.where(rhw == 0, 1.0, rhw), near)
        span = rows["fog_end"] - rows["fog_start"]
        step = np.where(distance > rows["fog_end"], 0.0, 1.0)
        linear = np.where(span == 0, step, (rows["fog_end"] - distance) / np.where(span == 0, 1.0, span))
        power = distance * rows["fog_density"]
        factors = {
            FogSource.NONE: np.ones(len(rows)), FogSource.VERTEX: self.at(rows["fog"]) * self.w, FogSource.LINEAR: linear,
            FogSource.EXP: np.exp(-power), FogSource.EXP2: np.exp(-power * power),
        }  # fmt: skip
        return np.clip(np.select([source == one for one in factors], list(factors.values()), 1.0), 0, 1)

    @property
    def texels(self) -> np.ndarray:
        """Texels of the first level along a pixel's longer side, over the samples of anisotropic filtering; nan: no texture."""
        rows = self.rows
        across, down = self._steps()
        longest, shortest = np.maximum(across, down), np.minimum(across, down)
        count = np.ceil(np.sqrt(longest / np.maximum(shortest, 1e-12)))
        count = np.where(longest <= 1, 1, np.clip(count, 1, np.maximum(rows["anisotropy"], 1)))
        return np.where(rows["kind"] == TextureKind.NONE, np.nan, np.sqrt(longest) / count)

    @property
    def level(self) -> np.ndarray:
        """The level of detail before it is held to the levels there are; nan: no texture."""
        with np.errstate(divide="ignore"):
            level: np.ndarray = np.log2(self.texels) + self.rows["mip_bias"]
        return level

    @property
    def sampled_level(self) -> np.ndarray:
        """int: the mip level that is read, of two the nearer one; -1: no texture."""
        rows = self.rows
        none = rows["kind"] == TextureKind.NONE
        near = np.clip(np.nan_to_num(self.level, nan=0.0, neginf=0.0), rows["first_level"], rows["last_level"])
        level = np.where(rows["mip_filter"] == TextureFilter.NONE, rows["first_level"], np.floor(near + 0.5))
        return np.where(none, -1, level).astype(np.int64)

    def _steps(self) -> tuple[np.ndarray, np.ndarray]:
        """Squared lengths in texels of the steps to the right and downwards."""
        rows = self.rows
        planes = rows["coordinates"]
        divisor_plane = np.where((rows["projected"] > 0)[:, None], planes[np.arange(len(rows)), rows["projected"]], rows["rhw"])
        plain = rows["affine"] & (rows["projected"] == 0)
        divisor_plane = np.where(plain[:, None], (1.0, 0.0, 0.0), divisor_plane)
        q = self.at(divisor_plane)
        q = np.where(q == 0, 1.0, q)
        values = [self.at(planes[:, number]) / q for number in range(3)]
        steps = [
            [(planes[:, number, side] - values[number] * divisor_plane[:, side]) / q for number in range(3)] for side in (1, 2)
        ]
        flat = rows["kind"] != TextureKind.VOLUME
        cube = rows["kind"] == TextureKind.CUBE
        steps = [[np.where(cube, one, step) for one, step in zip(_on_cube(values, way), way, strict=True)] for way in steps]
        sizes = rows["width"], rows["height"], np.where(flat, 0.0, rows["texture_depth"])
        right, below = (sum((step * size) ** 2 for step, size in zip(way, sizes, strict=True)) for way in steps)
        return right, below  # type: ignore[return-value]


def _on_cube(values: list[np.ndarray], steps: list[np.ndarray]) -> list[np.ndarray]:
    """What the place on a cube's face gains while a vector gains `steps`; the third: nothing."""
    vector, gains = np.abs(np.stack(values)), np.stack(steps)
    axis = vector.argmax(axis=0)
    pixels = np.arange(vector.shape[1])
    major = np.stack(values)[axis, pixels]
    major = np.where(major == 0, 1.0, major)
    gained = gains[axis, pixels]
    others = [np.where(axis == 0, 1, 0), np.where(axis == 2, 1, 2)]
    on_face = [(gains[one, pixels] - np.stack(values)[one, pixels] / major * gained) * 0.5 / major for one in others]
    return [*on_face, np.zeros(vector.shape[1])]
