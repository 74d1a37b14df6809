"""From DDPIXELFORMAT in traces (a structure with all members of its unions) to D3DFORMAT."""

from __future__ import annotations

from typing import Any

from core.spec.enums import PixelFormatFlag as Flag
from core.spec.formats import FORMAT_BY_NAME, FORMATS
from core.spec.pixel_formats import old_style

KINDS = Flag.RGB | Flag.ALPHAPIXELS | Flag.PALETTEINDEXED8 | Flag.LUMINANCE | Flag.BUMPDUDV | Flag.BUMPLUMINANCE
INDEXED = Flag.PALETTEINDEXED4 | Flag.PALETTEINDEXED1 | Flag.PALETTEINDEXED2
LOW_DEPTH = 0x00FFFFFF
BY_BITS = {8: "P8", 16: "R5G6B5", 24: "R8G8B8", 32: "X8R8G8B8"}


def _by_masks() -> dict[tuple[int, ...], int]:
    """(flags, bits, four masks) -> format, of those that have masks."""
    found: dict[tuple[int, ...], int] = {}
    for row in FORMATS.values():
        old = old_style(row) if row.family in ("rgb", "luminance", "bump", "palette") else None
        if old is not None and not old.flags & Flag.FOURCC:
            found[old.flags, old.bits, *old[4:]] = row.id
    return found


BY_MASKS = _by_masks()


def format_of(pixels: Any) -> int:
    """The D3DFORMAT of a DDPIXELFORMAT, 0 if Direct3D has none such."""
    flags, bits = int(pixels.dwFlags), int(pixels.dwRGBBitCount)
    if flags & Flag.FOURCC:
        return int(pixels.dwFourCC) if pixels.dwFourCC in FORMATS else 0
    if flags & (Flag.ZBUFFER | Flag.STENCILBUFFER):
        return depth_format(bits, int(pixels.dwStencilBitDepth) if flags & Flag.STENCILBUFFER else 0)
    if flags & Flag.ALPHA:
        return FORMAT_BY_NAME["A8"].id if bits == 8 else 0
    if flags & INDEXED:
        return 0
    masks = [int(pixels.dwRBitMask), int(pixels.dwGBitMask), int(pixels.dwBBitMask), int(pixels.dwRGBAlphaBitMask)]
    return _by_mask(flags, bits, masks)


def _by_mask(flags: int, bits: int, masks: list[int]) -> int:
    if flags & Flag.PALETTEINDEXED8:
        masks = [0, 0, 0, 0]
    if not flags & Flag.ALPHAPIXELS:
        masks[3] = 0
    if flags & Flag.LUMINANCE:
        masks[1:3] = 0, 0
    return BY_MASKS.get((flags & int(KINDS), bits, *masks), 0)


def depth_format(bits: int, stencil: int) -> int:
    """A depth format by its bits, those of stencil among them."""
    names = {(16, 0): "D16", (24, 0): "D24X8", (32, 0): "D24X8", (32, 8): "D24S8", (16, 1): "D15S1", (32, 4): "D24X4S4"}
    name = names.get((bits, stencil))
    return FORMAT_BY_NAME[name].id if name else 0


def has_low_depth(pixels: Any) -> bool:
    """Whether depths of 24 bits are in the low part of each dword."""
    return bool(int(pixels.dwFlags) & Flag.ZBUFFER) and int(pixels.dwZBitMask) == LOW_DEPTH


def format_of_mode(bits: int) -> int:
    """The format of a display mode by its bits a pixel, 0 if there is none such."""
    return FORMAT_BY_NAME[BY_BITS[bits]].id if bits in BY_BITS else 0


__all__ = ["depth_format", "format_of", "format_of_mode", "has_low_depth"]
