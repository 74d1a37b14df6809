"""Colour keys: which texels of a texture, or pixels of a Blt, are within a key (DirectX 7; SetColorKey).

A key is a range of packed pixels, both ends included; what lies in it is transparent (source) or replaced (destination).
Bits that no channel has (X8R8G8B8) are whatever the program left there, in pixels and in keys: they do not count.
"""

from __future__ import annotations

import numpy as np

from core.device.memory.surfaces import Surface, SurfacePart
from core.pipeline.surface.formats.texels import words_of
from core.spec.formats import FORMAT_BY_NAME, Format

Key = tuple[int, int]
MASK = FORMAT_BY_NAME["A8R8G8B8"]


def packed_pixels(part: SurfacePart) -> np.ndarray | None:
    """The packed pixels of a level, uint32[slices, height, width]; None for formats whose pixels are stored in blocks."""
    if part.format.block[:2] != (1, 1):
        return None
    rows = part.linear().reshape(part.depth, part.rows, part.pitch)
    return words_of(rows, part.format.bits // 8, part.width)


def within(pixels: np.ndarray, key: Key, format: Format) -> np.ndarray:
    """Which pixels of a format the key names."""
    used = np.uint32(format.used_bits & 0xFFFFFFFF)
    pixels = pixels & used
    return (pixels >= (np.uint32(key[0] & 0xFFFFFFFF) & used)) & (pixels <= (np.uint32(key[1] & 0xFFFFFFFF) & used))


def key_mask(surface: Surface) -> Surface | None:
    """A texture of the same shape that is 0 where the surface has its colour key and white elsewhere; None without a key."""
    key = surface.color_key
    if key is None or surface.format.block[:2] != (1, 1):
        return None
    known = surface.facts.get("key_mask")
    if known is not None and known[:2] == (surface.version, key):
        return known[2]
    shape = surface.width, surface.height, surface.depth, surface.levels, surface.faces
    mask = known[2] if known is not None else Surface(0, MASK, *shape, volume=surface.volume)
    mask.lod = surface.lod
    for part, whole in zip(surface.parts, mask.parts, strict=True):
        pixels = packed_pixels(part)
        assert pixels is not None
        white = np.where(within(pixels, key, part.format), 0, 0xFFFFFFFF)
        whole.write_linear(whole=True).view(np.uint32)[:] = white.reshape(-1)
    surface.facts["key_mask"] = surface.version, key, mask
    return mask
