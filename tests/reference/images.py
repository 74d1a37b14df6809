"""The sampler of the reference on plain arrays, for tests of single stages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.spec.enums import TextureAddress, TextureFilter
from tests.reference.doubt import Doubt
from tests.reference.formats import Color
from tests.reference.texture import AXES, Sampler, Texture


class Image(Texture):
    """A texture whose levels are arrays, [(depth,) height, width, 4]: r g b a."""

    def texel(self, face: int, level: int, x: int, y: int, z: int = 0) -> Color:
        levels: Sequence[np.ndarray] = self.levels  # type: ignore[assignment]
        red, green, blue, alpha = (float(c) for c in levels[level][(z, y, x) if self.depth else (y, x)])
        return red, green, blue, alpha


def image_of(levels: Sequence[np.ndarray]) -> Image:
    *depth, height, width, _ = levels[0].shape
    return Image(0, width, height, tuple(levels), depth[0] if depth else 0)  # type: ignore[arg-type]


def sampled(levels: Sequence[np.ndarray], place: Sequence[float], lod: float = 0.0, *,
            modes: Sequence[int] = (TextureAddress.WRAP,) * 3, mag: int = TextureFilter.LINEAR,
            min: int = TextureFilter.LINEAR, mip: int = TextureFilter.NONE, border: int = 0,
            first: int = 0) -> np.ndarray:  # fmt: skip
    """r g b a at (u, v, w), float64[4]; lod: log2 of the footprint; border: a D3DCOLOR; first: MAXMIPLEVEL."""
    states = {"MAGFILTER": mag, "MINFILTER": min, "MIPFILTER": mip, "MAXMIPLEVEL": first, "BORDERCOLOR": border}
    image = image_of(levels)
    sampler = Sampler(image, states | dict(zip(AXES, modes, strict=True)), Doubt())
    return np.array(sampler.at_level(lod, tuple(place[: image.axes])))
