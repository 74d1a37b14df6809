"""A scalar sampler in double precision, written from semantics section 10: one texel at a time, no tricks."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

WRAP, MIRROR, CLAMP, BORDER, MIRRORONCE = range(1, 6)
NONE, POINT, LINEAR, ANISOTROPIC = range(4)


@dataclass
class Sampler:
    """levels: arrays [(depth,) height, width, 4]; modes: U V (W)"""

    levels: list[np.ndarray]
    modes: tuple[int, ...] = (WRAP, WRAP, WRAP)
    mag: int = POINT
    min: int = POINT
    mip: int = NONE
    border: tuple = (0.0, 0.0, 0.0, 0.0)
    bias: float = 0.0
    first: int = 0  # MAXMIPLEVEL

    def texel(self, level: int, position: tuple[int, ...]) -> np.ndarray:
        """position: x, y (z) in texels, anywhere"""
        image = self.levels[level]
        places = []
        for axis, index in enumerate(position):
            size = image.shape[-2 - axis]
            place = place_of(self.modes[axis], index, size)
            if place is None:
                return np.array(self.border)
            places.append(place)
        return image[tuple(reversed(places))].astype(float)

    def level(self, level: int, filter: int, uvw: tuple[float, ...]) -> np.ndarray:
        image = self.levels[level]
        axes = image.ndim - 1
        scaled = [once(self.modes[axis], uvw[axis]) * image.shape[-2 - axis] for axis in range(axes)]
        if filter < LINEAR:
            return self.texel(level, tuple(math.floor(x) for x in scaled))
        low = [math.floor(x - 0.5) for x in scaled]
        fraction = [x - 0.5 - n for x, n in zip(scaled, low, strict=True)]
        color = np.zeros(4)
        for corner in itertools.product((0, 1), repeat=axes):
            weight = math.prod(f if side else 1 - f for f, side in zip(fraction, corner, strict=True))
            color += weight * self.texel(level, tuple(n + side for n, side in zip(low, corner, strict=True)))
        return color

    def sample(self, uvw: tuple[float, ...], lod: float = 0.0) -> np.ndarray:
        """lod: log2 of the footprint, before the bias"""
        lod += self.bias
        filter = self.mag if lod <= 0 else self.min
        last = len(self.levels) - 1
        if self.mip == NONE:
            return self.level(0, filter, uvw)
        first = min(self.first, last)
        lod = min(max(lod, first), last)
        if self.mip == POINT:
            return self.level(math.floor(lod + 0.5) if lod + 0.5 < last + 1 else last, filter, uvw)
        low = math.floor(lod)
        high = min(low + 1, last)
        return self.level(low, filter, uvw) * (1 - lod + low) + self.level(high, filter, uvw) * (lod - low)


def once(mode: int, coordinate: float) -> float:
    """MIRRORONCE mirrors the coordinate, not the texels"""
    return min(abs(coordinate), 1.0) if mode == MIRRORONCE else coordinate


def place_of(mode: int, index: int, size: int) -> int | None:
    """the texel that an index along an axis means; None: the border colour"""
    if mode == WRAP:
        return index % size
    if mode == MIRROR:
        folded = index % (2 * size)
        return folded if folded < size else 2 * size - 1 - folded
    if mode == BORDER:
        return index if 0 <= index < size else None
    return min(max(index, 0), size - 1)
