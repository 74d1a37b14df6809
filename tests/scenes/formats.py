"""One scene for each surface format: as texture, as render target, as depth buffer.  The words and their colours are written
out by hand."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from core.spec.enums import CmpFunc, PaletteFlag
from tests.scenes.kit import BLACK, BLUE, GREEN, RED, SIZE, TEXTURE, WHITE, Stage, add, gray, picture, stage, states, t

QUARTERS = ((0, 0, 32, 32), (32, 0, 64, 32), (0, 32, 32, 64), (32, 32, 64, 64))

# ---- textures: four texels (a word each), and the colours they are ---------------------------------------------------

TEXELS: dict[str, tuple[int, tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    # format: bytes per texel, words, colours
    "R8G8B8": (3, (0xFF0000, 0x00FF00, 0x0000FF, 0x804020), (RED, GREEN, BLUE, 0xFF804020)),
    "A8R8G8B8": (4, (0x00FF0000, 0x8000FF00, 0xFF0000FF, 0x11223344), (0x00FF0000, 0x8000FF00, BLUE, 0x11223344)),
    "X8R8G8B8": (4, (0x00FF0000, 0x8000FF00, 0xFF0000FF, 0x11223344), (RED, GREEN, BLUE, 0xFF223344)),
    "R5G6B5": (2, (0xF800, 0x07E0, 0x001F, 0x8410), (RED, GREEN, BLUE, 0xFF848284)),
    "X1R5G5B5": (2, (0x7C00, 0x83E0, 0x001F, 0x4210), (RED, GREEN, BLUE, 0xFF848484)),
    "A1R5G5B5": (2, (0x7C00, 0x83E0, 0x801F, 0x0000), (0x00FF0000, GREEN, BLUE, 0)),
    "A4R4G4B4": (2, (0xFF00, 0x80F0, 0x000F, 0x1234), (RED, 0x8800FF00, 0x000000FF, 0x11223344)),
    "R3G3B2": (1, (0xE0, 0x1C, 0x03, 0x92), (RED, GREEN, BLUE, 0xFF9292AA)),
    "A8": (1, (0x00, 0x40, 0x80, 0xFF), (0, 0x40000000, 0x80000000, 0xFF000000)),
    "A8R3G3B2": (2, (0xFFE0, 0x801C, 0x0003, 0x4092), (RED, 0x8000FF00, 0x000000FF, 0x409292AA)),
    "X4R4G4B4": (2, (0x0F00, 0xF0F0, 0x000F, 0x1234), (RED, GREEN, BLUE, 0xFF223344)),
    "A2B10G10R10": (4, (0xC00003FF, 0x400FFC00, 0xFFF00000, 0), (RED, 0x5500FF00, BLUE, 0)),
    "G16R16": (4, (0x0000FFFF, 0xFFFF0000, 0xFFFFFFFF, 0), (0xFFFF00FF, 0xFF00FFFF, WHITE, BLUE)),
    "L8": (1, (0x00, 0x55, 0xAA, 0xFF), (BLACK, gray(0x55), gray(0xAA), WHITE)),
    "A8L8": (2, (0x00FF, 0x8055, 0xFFAA, 0x4000), (0x00FFFFFF, 0x80555555, gray(0xAA), 0x40000000)),
    "A4L4": (1, (0x0F, 0x85, 0xFA, 0x40), (0x00FFFFFF, 0x88555555, gray(0xAA), 0x44000000)),
    # signed ones: what is below zero is clamped where it is shown, missing channels read 1
    "V8U8": (2, (0x817F, 0x7F81, 0x7F7F, 0x0000), (0xFFFF00FF, 0xFF00FFFF, WHITE, BLUE)),
    "V16U16": (4, (0x80017FFF, 0x7FFF8001, 0x7FFF7FFF, 0), (0xFFFF00FF, 0xFF00FFFF, WHITE, BLUE)),
    "Q8W8V8U8": (4, (0x7F81817F, 0x7F817F81, 0x7F7F8181, 0), (RED, GREEN, BLUE, 0)),
    "W11V11U10": (4, (0x000001FF, 0x000FFC00, 0x7FE00000, 0), (RED, GREEN, BLUE, BLACK)),
    "A2W10V10U10": (4, (0xC00001FF, 0x4007FC00, 0xDFF00000, 0), (RED, 0x5500FF00, BLUE, 0)),
}  # fmt: skip


def sampled(scene: Stage) -> None:
    """Draws the texture over everything, unfiltered."""
    scene.tokens(stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=2))
    scene.quad(textured=True)


def _texture(name: str) -> None:
    size, words, colors = TEXELS[name]

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, name, 2, 2)
        scene.fill(TEXTURE, b"".join(word.to_bytes(size, "little") for word in words))
        sampled(scene)
        scene.sees(picture(*zip(QUARTERS, colors, strict=True)), tolerance=1)

    add(f"formats/{name}", make, f"format:{name}")


for _name in TEXELS:
    _texture(_name)


def _bump_texture(name: str, data: bytes, shown: Sequence[int]) -> None:
    """Formats with luminance: red and green are u and v, blue reads 1."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, name, 2, 1)
        scene.fill(TEXTURE, data)
        sampled(scene)
        scene.sees(picture(*zip(((0, 0, 32, SIZE), (32, 0, SIZE, SIZE)), shown, strict=True)), tolerance=1)

    add(f"formats/{name}", make, f"format:{name}")


_bump_texture("L6V5U5", struct.pack("<2H", 63 << 10 | 15, 63 << 10 | 15 << 5), (0xFFFF00FF, 0xFF00FFFF))
_bump_texture("X8L8V8U8", struct.pack("<2I", 0xFF007F, 0xFF7F00), (0xFFFF00FF, 0xFF00FFFF))


def _palette(name: str, words: Sequence[int], size: int, colors: Sequence[int]) -> None:
    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, name, 2, 2)
        scene.fill(TEXTURE, b"".join(word.to_bytes(size, "little") for word in words))
        entries = [0xFF0000FF, 0x8000FF00, 0x40FF0000, 0x00FFFFFF]  # red, green, blue, flags (alpha) in bytes
        scene.tokens(
            t("UPDATEPALETTE", palette=2, start=4, entries=entries),
            t("SETPALETTE", palette=2, flags=PaletteFlag.ALPHA, surface=TEXTURE)
        )  # fmt: skip
        sampled(scene)
        scene.sees(picture(*zip(QUARTERS, colors, strict=True)))

    add(f"formats/{name}", make, f"format:{name}", "token:SETPALETTE", "token:UPDATEPALETTE")


_palette("P8", (4, 5, 6, 7), 1, (RED, 0x8000FF00, 0x400000FF, 0x00FFFFFF))
_palette("A8P8", (0x1104, 0x2205, 0x3306, 0xFF07), 2, (0x11FF0000, 0x2200FF00, 0x330000FF, WHITE))


def _yuv(name: str, order: Sequence[int]) -> None:
    """Two texels share U and V; BT.601: 16 is black, 235 white; V of 240 with Y 82 and U 90 is red."""

    def make(scene: Stage) -> None:
        pairs = ((16, 128, 235, 128), (82, 90, 82, 240))  # y0 u y1 v
        data = b"".join(bytes(pair[i] for i in order) for pair in pairs)
        scene.surface(TEXTURE, name, 2, 2)
        scene.fill(TEXTURE, data)
        sampled(scene)
        scene.sees(picture(*zip(QUARTERS, (BLACK, WHITE, RED, RED), strict=True)), tolerance=3)

    add(f"formats/{name}", make, f"format:{name}")


_yuv("YUY2", (0, 1, 2, 3))
_yuv("UYVY", (1, 0, 3, 2))

ROWS = (0x00, 0x55, 0xAA, 0xFF)  # the selectors 0, 1, 2, 3 for a row of four texels each
COLORS = struct.pack("<2H4B", 0xF800, 0x001F, *ROWS)
FOUR = (RED, BLUE, 0xFFAA0055, 0xFF5500AA)


def _dxt(name: str, block: bytes, colors: Sequence[int], what: str = "") -> None:
    """One block, a colour a row."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, name, 4, 4)
        scene.fill(TEXTURE, block)
        sampled(scene)
        rows = [((0, 16 * n, SIZE, 16 * n + 16), color) for n, color in enumerate(colors)]
        scene.sees(picture(*rows), tolerance=1)

    add(f"formats/{name}{what}", make, f"format:{name}")


def with_alpha(alphas: Sequence[int]) -> list[int]:
    return [alpha << 24 | color & 0xFFFFFF for alpha, color in zip(alphas, FOUR, strict=True)]


_dxt("DXT1", COLORS, FOUR)
_dxt("DXT1", struct.pack("<2H4B", 0x001F, 0xF800, *ROWS), (BLUE, RED, 0xFF800080, 0), " with transparency")
EXPLICIT = struct.pack("<4H", 0x0000, 0x5555, 0xAAAA, 0xFFFF)
INTERPOLATED = bytes((255, 0)) + sum(
    code << 3 * (4 * row + column) for row, code in enumerate((0, 1, 2, 7)) for column in range(4)
).to_bytes(6, "little")
for _format in ("DXT2", "DXT3"):
    _dxt(_format, EXPLICIT + COLORS, with_alpha((0, 0x55, 0xAA, 0xFF)))
for _format in ("DXT4", "DXT5"):
    _dxt(_format, INTERPOLATED + COLORS, with_alpha((255, 0, round(6 * 255 / 7), round(255 / 7))))


# ---- render targets --------------------------------------------------------------------------------------------------

TARGETS = {
    # format: bits of red, green, blue, alpha (0: none)
    "A8R8G8B8": (8, 8, 8, 8), "X8R8G8B8": (8, 8, 8, 0), "R5G6B5": (5, 6, 5, 0), "X1R5G5B5": (5, 5, 5, 0),
    "A1R5G5B5": (5, 5, 5, 1), "A4R4G4B4": (4, 4, 4, 4), "R3G3B2": (3, 3, 2, 0), "X4R4G4B4": (4, 4, 4, 0),
    "A2B10G10R10": (10, 10, 10, 2), "G16R16": (16, 16, 0, 0),
}  # fmt: skip


def stored(color: int, bits: tuple[int, int, int, int]) -> int:
    """A drawn colour, rounded to the nearest code of each channel, as it is shown; no alpha shows 255, no blue 255."""
    shown = 0
    for shift, count in zip((16, 8, 0, 24), bits, strict=True):
        value, top = color >> shift & 0xFF, (1 << count) - 1
        shown |= (round(round(value / 255 * top) / top * 255) if count else 255) << shift
    return shown


def _target(name: str) -> None:
    colors = (0xFF0000FF, 0x80FF0000, 0x4000FF00, 0xFF5A96D2)

    def make(scene: Stage) -> None:
        for box, color in zip(QUARTERS, colors, strict=True):
            scene.quad(box, color)
        shown = [stored(color, TARGETS[name]) for color in colors]
        scene.sees(picture(*zip(QUARTERS, shown, strict=True)), tolerance=1)

    add(f"formats/target {name}", make, f"format:{name}", "flag:D3DFORMAT_OP_OFFSCREEN_RENDERTARGET", format=name)


for _name in TARGETS:
    _target(_name)


# ---- depth and stencil -----------------------------------------------------------------------------------------------

DEPTHS = {"D16_LOCKABLE": 0, "D32": 0, "D15S1": 1, "D24S8": 8, "D24X8": 0, "D24X4S4": 4, "D16": 0}


def _depth(name: str) -> None:
    """Depth 0.25 left; drawn on where it equals that; the stencil has as many bits as the format."""
    bits = DEPTHS[name]

    def make(scene: Stage) -> None:
        scene.tokens(t("CLEAR", [(0, 0, 32, SIZE)], flags=2, depth=0.25))
        scene.quad((0, 0, SIZE, SIZE), GREEN, 0.25, states(ZENABLE=1, ZFUNC=CmpFunc.EQUAL))
        scene.sees(picture(((0, 0, 32, SIZE), GREEN)))
        scene.sees(picture(((0, 0, 32, SIZE), gray(64)), ground=WHITE), surface="depth", tolerance=1, alpha=False)
        if bits:
            scene.tokens(t("CLEAR", [(0, 0, SIZE, 16)], flags=4, stencil=0xF5))
            kept = 0xF5 & ((1 << bits) - 1)
            scene.quad(
                (0, 0, SIZE, SIZE), RED, 0.25, states(ZENABLE=0, STENCILENABLE=1, STENCILFUNC=CmpFunc.EQUAL, STENCILREF=kept)
            )
            scene.sees(picture(((0, 0, 32, SIZE), GREEN), ((0, 0, SIZE, 16), RED)))

    add(f"formats/{name}", make, f"format:{name}", depth=name)


for _name in DEPTHS:
    _depth(_name)


# ---- buffers ---------------------------------------------------------------------------------------------------------


def _indices(name: str, size: int) -> None:
    def make(scene: Stage) -> None:
        from tests.scenes.kit import BUFFER, INDICES, corners

        scene.buffer(BUFFER, b"".join(corners((4, 4, 20, 20))))
        scene.buffer(INDICES, np.array([0, 1, 2, 3], f"<u{size}").tobytes(), "index")
        scene.tokens(t("SETSTREAMSOURCE", stream=0, buffer=BUFFER, stride=20), t("SETINDICES", buffer=INDICES, stride=size))
        scene.tokens(t("DRAWINDEXEDPRIMITIVE", type="TRIANGLESTRIP", base=0, min_index=0, vertex_count=4, start=0, count=2))
        scene.sees(picture(((4, 4, 20, 20), WHITE)))

    add(f"formats/{name}", make, f"format:{name}")


_indices("INDEX16", 2)
_indices("INDEX32", 4)


def _vertex_data(scene: Stage) -> None:
    """The format of vertex buffers: bytes."""
    scene("CreateD3DBuffer", handle=50, size=40, kind="vertex", format=100)
    scene.says("VERTEXDATA")


add("formats/VERTEXDATA", _vertex_data, "format:VERTEXDATA")
