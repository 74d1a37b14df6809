"""DDPIXELFORMAT, 32 bytes: the driver interface's encoding of formats, old and new style.

New style (DirectX 8): dwFlags DDPF_D3DFORMAT, the D3DFORMAT in dwFourCC, operations and sample counts where the masks were.
Old style: flags, bit count and masks, or a FOURCC.  Surfaces of three formats are created by FOURCC although DirectX 8 names
them (DX8 DDI, "Surface Formats as FOURCC Codes"); their bit counts and masks are not filled in.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from core.spec.enums import FormatOp
from core.spec.enums import PixelFormatFlag as Flag
from core.spec.formats import FORMAT_BY_NAME, FORMATS, Format

SIZE = 32
AS_FOURCC = ("Q8W8V8U8", "V16U16", "W11V11U10")
"""Formats that reach the driver as FOURCC codes when a surface is created."""


class PixelFormat(NamedTuple):
    """The eight dwords; what the last five hold depends on the flags."""

    size: int
    flags: int
    fourcc: int
    bits: int
    second: int  # red mask, stencil depth, du mask; new style: dwOperations
    third: int  # green mask, depth mask, dv mask; new style: wFlipMSTypes, wBltMSTypes above
    fourth: int
    fifth: int

    def packed(self) -> bytes:
        return struct.pack("<8I", *self)

    @property
    def is_new_style(self) -> bool:
        return bool(self.flags & Flag.D3DFORMAT)

    @property
    def operations(self) -> FormatOp:
        return FormatOp(self.second) if self.is_new_style else FormatOp(0)

    @property
    def private_bits(self) -> int:
        """dwPrivateFormatBitCount: bits per pixel of a format that Direct3D does not define."""
        return self.bits if self.is_new_style and self.fourcc not in FORMATS else 0

    @property
    def flip_samples(self) -> int:
        """wFlipMSTypes: bit n - 1 for n samples when flipping (full screen)."""
        return self.third & 0xFFFF if self.is_new_style else 0

    @property
    def blt_samples(self) -> int:
        """wBltMSTypes: the same for copying (windows)."""
        return self.third >> 16 if self.is_new_style else 0


def unpack(data: bytes, offset: int = 0) -> PixelFormat:
    """The structure at an offset; struct.error if it is cut off."""
    return PixelFormat(*struct.unpack_from("<8I", data, offset))


def new_style(row: Format, operations: int, flip: int = 0, blt: int = 0) -> PixelFormat:
    """As GETFORMAT answers."""
    return PixelFormat(SIZE, int(Flag.D3DFORMAT), row.id, 0, operations, flip | blt << 16, 0, 0)


_OLD: dict[str, Flag] = {"rgb": Flag.RGB, "luminance": Flag.LUMINANCE, "bump": Flag.BUMPDUDV}
_OLD_CHANNELS = {"rgb": "rgb", "luminance": "l", "bump": "uvl"}


def old_style(row: Format) -> PixelFormat | None:
    """As drivers of DirectX 7 and before describe the format; None if they cannot."""
    if row.fourcc:
        return PixelFormat(SIZE, int(Flag.FOURCC), row.id, 0, 0, 0, 0, 0)
    if row.name == "A8":
        return PixelFormat(SIZE, int(Flag.ALPHA), 0, 8, 0, 0, 0, 0)
    if row.name == "P8":
        return PixelFormat(SIZE, int(Flag.RGB | Flag.PALETTEINDEXED8), 0, 8, 0, 0, 0, 0)
    if row.family == "depth":
        flags = Flag.ZBUFFER | (Flag.STENCILBUFFER if row.stencil_bits else Flag(0))
        return PixelFormat(SIZE, int(flags), 0, row.bits, row.stencil_bits, row.mask("z"), row.mask("s"), 0)
    names = {name for name, *_ in row.channels}
    if row.family not in _OLD or names - set(_OLD_CHANNELS[row.family] + "a") or row.name in ("A2B10G10R10", "V16U16"):
        return None
    return _masked(row)


def _masked(row: Format) -> PixelFormat:
    """A format of channels that have masks."""
    flags = _OLD[row.family]
    if row.family == "bump":
        flags |= Flag.BUMPLUMINANCE if row.mask("l") else Flag(0)
    elif row.mask("a"):
        flags |= Flag.ALPHAPIXELS
    first, second, third = (*(row.mask(name) for name in _OLD_CHANNELS[row.family]), 0, 0)[:3]
    return PixelFormat(SIZE, int(flags), 0, row.bits, first, second, third, row.mask("a"))


_BY_OLD_STYLE = {old: row for row in FORMATS.values() if row.family != "buffer" and (old := old_style(row)) is not None}


def format_of(pixels: PixelFormat) -> Format | None:
    """The D3DFORMAT of either style; None if there is none such (what a DirectX 8 runtime maps old formats to)."""
    if pixels.is_new_style:
        return FORMATS.get(pixels.fourcc)
    return FORMATS.get(pixels.fourcc) if pixels.flags & Flag.FOURCC else _BY_OLD_STYLE.get(pixels)


def for_creation(row: Format) -> PixelFormat:
    """How the format stands in a surface's description when the driver is asked to create it."""
    if row.name in AS_FOURCC:
        return PixelFormat(SIZE, int(Flag.FOURCC), row.id, 0, 0, 0, 0, 0)
    return old_style(row) or new_style(row, 0)


def samples_of(mask: int) -> list[int]:
    """Sample counts of wFlipMSTypes or wBltMSTypes."""
    return [n for n in range(2, 17) if mask >> (n - 1) & 1]


def seen_by_dx8(listed: list[PixelFormat]) -> list[PixelFormat]:
    """What a DirectX 8 runtime uses of a texture format list: if one entry is in the new style, those only."""
    new = [one for one in listed if one.is_new_style]
    return new or listed


def seen_by_dx7(listed: list[PixelFormat]) -> list[PixelFormat]:
    """What a DirectX 7 runtime uses: entries in the old style."""
    return [one for one in listed if not one.is_new_style]


__all__ = [
    "AS_FOURCC", "FORMAT_BY_NAME", "SIZE", "PixelFormat", "for_creation", "format_of", "new_style", "old_style", "samples_of",
    "seen_by_dx7", "seen_by_dx8", "unpack",
]  # fmt: skip
