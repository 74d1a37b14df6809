"""Surface formats: the bits of each channel, the size of a block, the permitted uses.

Channels are given as (name, shift, bits, kind) within the little-endian pixel.  Names: r g b a, l (luminance), p (palette
index), u v w q (signed bump components), z (depth), s (stencil), y (luma), x (unused bits).  Kinds: unorm, snorm, palette,
yuv, dxt, depth, stencil.

Sources: d3d8types.h (numbers), D3DFORMAT names (the component listed first has the most significant bits).  The physical
layout of D15S1 and D24xx is not visible to programs (they cannot be locked); it follows the names.
"""

from __future__ import annotations

from dataclasses import dataclass

Channel = tuple[str, int, int, str]


def fourcc(text: str) -> int:
    """The number of a four-character code."""
    return int.from_bytes(text.encode("ascii"), "little")


@dataclass(frozen=True)
class Format:
    """One D3DFORMAT.

    `bits` per pixel (per texel on average for blocks); `block` is (width, height, bytes) of the smallest unit.  `family`
    groups formats: rgb, luminance, palette, bump, yuv, dxt, depth, buffer.  `renderable`: our device draws to it;
    `texture`: it samples it; `display`: a display mode may have it.
    """

    id: int
    name: str
    bits: int
    family: str
    channels: tuple[Channel, ...] = ()
    block: tuple[int, int, int] = (1, 1, 1)
    renderable: bool = False
    texture: bool = True
    display: bool = False

    @property
    def bytes(self) -> int:
        """Bytes of one block (of one pixel for plain formats)."""
        return self.block[2]

    @property
    def fourcc(self) -> bool:
        return self.id > 0xFFFF

    @property
    def alpha(self) -> bool:
        """A channel named a exists, or the blocks carry alpha."""
        return self.family == "dxt" or any(name == "a" for name, *_ in self.channels)

    @property
    def depth_bits(self) -> int:
        return sum(bits for name, _, bits, _ in self.channels if name == "z")

    @property
    def stencil_bits(self) -> int:
        return sum(bits for name, _, bits, _ in self.channels if name == "s")

    @property
    def used_bits(self) -> int:
        """Mask of the bits of a pixel that any channel has: of X8R8G8B8 the low 24."""
        return sum(((1 << bits) - 1) << shift for _, shift, bits, _ in self.channels) or (1 << self.bits) - 1

    def mask(self, channel: str) -> int:
        """Bit mask of a channel, 0 when the format has none."""
        return sum(((1 << bits) - 1) << shift for name, shift, bits, _ in self.channels if name == channel)

    def pitch(self, width: int) -> int:
        """Bytes of one row of blocks, not padded."""
        return -(-width // self.block[0]) * self.block[2]

    def row_count(self, height: int) -> int:
        """Rows of blocks."""
        return -(-height // self.block[1])

    def size(self, width: int, height: int, depth: int = 1) -> int:
        """Bytes of a tightly packed image."""
        return self.pitch(width) * self.row_count(height) * max(depth, 1)


def _channels(layout: str, kinds: dict[str, str], kind: str) -> tuple[Channel, ...]:
    """'A8 R8 G8 B8', most significant first -> channels, least significant first; X bits are left out."""
    channels, shift = [], 0
    for part in reversed(layout.split()):
        name, bits = part[0].lower(), int(part[1:])
        if name != "x":
            channels.append((name, shift, bits, kinds.get(name, kind)))
        shift += bits
    return tuple(channels)


def _plain(
    id: int,
    layout: str,
    family: str = "rgb",
    kind: str = "unorm",
    name: str = "",
    renderable: bool = False,
    texture: bool = True,
    display: bool = False,
    **kinds: str,
) -> Format:
    bits = sum(int(part[1:]) for part in layout.split())
    channels = _channels(layout, kinds, kind)
    return Format(id, name or layout.replace(" ", ""), bits, family, channels, (1, 1, bits // 8), renderable, texture, display)


def _depth(id: int, layout: str, name: str = "") -> Format:
    name = name or layout.replace(" ", "").replace("Z", "D")
    return _plain(id, layout, "depth", "depth", name, renderable=True, texture=False, s="stencil")


def _dxt(name: str, block_bytes: int) -> Format:
    return Format(fourcc(name), name, block_bytes // 2, "dxt", (), (4, 4, block_bytes))


def _yuv(name: str, layout: str) -> Format:
    return Format(fourcc(name), name, 16, "yuv", _channels(layout, {}, "yuv"), (2, 1, 4))


_FORMATS = [
    _plain(20, "R8 G8 B8", renderable=True),
    _plain(21, "A8 R8 G8 B8", renderable=True, display=False),
    _plain(22, "X8 R8 G8 B8", renderable=True, display=True),
    _plain(23, "R5 G6 B5", renderable=True, display=True),
    _plain(24, "X1 R5 G5 B5", renderable=True, display=True),
    _plain(25, "A1 R5 G5 B5", renderable=True),
    _plain(26, "A4 R4 G4 B4", renderable=True),
    _plain(27, "R3 G3 B2", renderable=True),
    _plain(28, "A8", renderable=True),
    _plain(29, "A8 R3 G3 B2", renderable=True),
    _plain(30, "X4 R4 G4 B4", renderable=True),
    _plain(31, "A2 B10 G10 R10", renderable=True),
    _plain(34, "G16 R16", renderable=True),
    _plain(40, "A8 P8", "palette", p="palette"),
    _plain(41, "P8", "palette", p="palette"),
    _plain(50, "L8", "luminance", renderable=True),
    _plain(51, "A8 L8", "luminance", renderable=True),
    _plain(52, "A4 L4", "luminance"),
    _plain(60, "V8 U8", "bump", "snorm"),
    _plain(61, "L6 V5 U5", "bump", "snorm", l="unorm"),
    _plain(62, "X8 L8 V8 U8", "bump", "snorm", l="unorm"),
    _plain(63, "Q8 W8 V8 U8", "bump", "snorm"),
    _plain(64, "V16 U16", "bump", "snorm"),
    _plain(65, "W11 V11 U10", "bump", "snorm"),
    _plain(67, "A2 W10 V10 U10", "bump", "snorm", a="unorm"),
    _yuv("UYVY", "Y8 V8 Y8 U8"),  # bytes U0 Y0 V0 Y1
    _yuv("YUY2", "V8 Y8 U8 Y8"),  # bytes Y0 U0 Y1 V0
    _dxt("DXT1", 8),
    _dxt("DXT2", 16),
    _dxt("DXT3", 16),
    _dxt("DXT4", 16),
    _dxt("DXT5", 16),
    _depth(70, "Z16", "D16_LOCKABLE"),
    _depth(71, "Z32"),
    _depth(73, "Z15 S1"),
    _depth(75, "Z24 S8"),
    _depth(77, "Z24 X8"),
    _depth(79, "Z24 X4 S4"),
    _depth(80, "Z16"),
    Format(100, "VERTEXDATA", 0, "buffer", (), (1, 1, 1), texture=False),
    Format(101, "INDEX16", 16, "buffer", (), (1, 1, 2), texture=False),
    Format(102, "INDEX32", 32, "buffer", (), (1, 1, 4), texture=False),
]

FORMATS: dict[int, Format] = {row.id: row for row in _FORMATS}
FORMAT_BY_NAME: dict[str, Format] = {row.name: row for row in _FORMATS}
UNKNOWN = 0
"""D3DFMT_UNKNOWN."""


def format_text(id: int) -> str:
    """'A8R8G8B8', the four characters of an unknown FOURCC, or the number."""
    row = FORMATS.get(int(id))
    if row is not None:
        return row.name
    characters = int(id).to_bytes(4, "little")
    return characters.decode("ascii") if all(0x20 < c < 0x7F for c in characters) else "UNKNOWN" if not id else f"{int(id)}?"
