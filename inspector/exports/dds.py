"""Surfaces as DDS files: every level, face and slice as stored, nothing converted.

The layout is that of the DirectX SDK ("DDS File Reference": DDS_HEADER, DDS_PIXELFORMAT).
"""

from __future__ import annotations

import struct

import numpy as np

from core.device.memory.surfaces import Surface
from core.device.past.reading import DeviceView, find, packed
from core.errors import BadInput
from core.spec.formats import Format

CAPS, HEIGHT, WIDTH, PITCH, PIXELFORMAT, MIPMAPCOUNT, LINEARSIZE, DEPTH = 1, 2, 4, 8, 0x1000, 0x20000, 0x80000, 0x800000
ALPHAPIXELS, ALPHA, FOURCC, PALETTE8, RGB, LUMINANCE, BUMPLUMINANCE, BUMPDUDV = 1, 2, 4, 0x20, 0x40, 0x20000, 0x40000, 0x80000
COMPLEX, TEXTURE, MIPMAP, CUBEMAP, ALL_FACES, VOLUME = 8, 0x1000, 0x400000, 0x200, 0xFC00, 0x200000
MASKS = {"r": 0, "l": 0, "u": 0, "g": 1, "v": 1, "b": 2, "w": 2, "a": 3, "q": 3}
"""Which of the four masks a channel has; the luminance of a bump map has the third."""


def dds(place: DeviceView, surface: int | str) -> bytes:
    """The file of a whole surface as it is there and then, which may be a capture's moment.

    BadInput for what there is not, and for formats that DDS files do not have: depth, 64 bits a pixel that are no floats.
    """
    part = find(place, surface)
    if part is None:
        raise BadInput(f"unknown surface {surface!r}")
    whole = part.surface
    header, colors = _header(whole), b""
    if whole.format.name == "P8":
        palette = place.palette_of(whole)
        colors = _palette(palette.colors if palette else None)
    return b"DDS " + header + colors + b"".join(_rows(place, whole))


def _rows(place: DeviceView, surface: Surface) -> list[bytes]:
    """By face, level and slice, without anything between the rows."""
    across, _, size = surface.format.block
    found = []
    for part in surface.parts:
        level = place.level(part)
        used = (part.width + across - 1) // across * size
        found += [packed(level, slice)[:, :used].tobytes() for slice in range(part.depth if surface.volume else 1)]
    return found


def _header(surface: Surface) -> bytes:
    """DDS_HEADER."""
    across, down, size = surface.format.block
    pitch = (surface.width + across - 1) // across * size
    blocks = across > 1
    flags = CAPS | HEIGHT | WIDTH | PIXELFORMAT | (LINEARSIZE if blocks else PITCH)
    flags |= MIPMAPCOUNT * (surface.levels > 1) | DEPTH * surface.volume
    cube = surface.faces == 6
    caps = TEXTURE | (MIPMAP | COMPLEX) * (surface.levels > 1) | COMPLEX * (cube or surface.volume)
    caps2 = (CUBEMAP | ALL_FACES) * cube | VOLUME * surface.volume
    first = pitch * ((surface.height + down - 1) // down) if blocks else pitch
    depth = surface.depth if surface.volume else 0
    start = struct.pack("<7I44x", 124, flags, surface.height, surface.width, first, depth, surface.levels)
    return start + _pixel_format(surface.format) + struct.pack("<5I", caps, caps2, 0, 0, 0)


def _pixel_format(format: Format) -> bytes:
    """DDS_PIXELFORMAT."""
    if format.fourcc or format.family == "float":  # of floats that code is the number of their D3DFORMAT
        return struct.pack("<8I", 32, FOURCC, format.id, 0, 0, 0, 0, 0)
    kinds = {"rgb": RGB, "luminance": LUMINANCE, "bump": BUMPDUDV, "palette": PALETTE8}
    if format.family not in kinds or format.bits > 32 or format.name == "A8P8":
        raise BadInput(f"DDS files cannot hold {format.name}; save it as NumPy or TIFF")
    masks, flags = [0, 0, 0, 0], kinds[format.family]
    for name, shift, bits, _ in format.channels:
        if name in MASKS:
            place = 2 if name == "l" and format.family == "bump" else MASKS[name]
            masks[place] = ((1 << bits) - 1) << shift
    if format.family == "bump" and any(name == "l" for name, *_ in format.channels):
        flags = BUMPLUMINANCE
    elif format.alpha:
        flags = ALPHA if format.name == "A8" else flags | ALPHAPIXELS
    return struct.pack("<8I", 32, flags, 0, format.bits, *masks)


def _palette(colors: np.ndarray | None) -> bytes:
    """256 entries of red, green, blue, alpha, from A8R8G8B8; without a palette a ramp of grey."""
    words = np.arange(256, dtype=np.uint32) * 0x010101 | 0xFF000000 if colors is None else colors.astype(np.uint32)
    return words.astype("<u4").view(np.uint8).reshape(-1, 4)[:, [2, 1, 0, 3]].tobytes()
