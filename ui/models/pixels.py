"""From a surface's packed pixels to images for the screen and numbers as text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from core.spec.formats import FORMAT_BY_NAME
from inspector.query.looks.sheet import SheetOf
from inspector.query.looks.stored import HALF, channels, numbers
from inspector.query.looks.tones import Tones, distribution
from inspector.query.looks.values import Numbers, numbers_of, of_rgba8

THUMBNAIL = 40
_SHIFT = {"R": 16, "G": 8, "B": 0, "A": 24}
OPAQUE = np.uint32(0xFF000000)

UNSEEN = ("snorm", "palette")
"""Kinds of channels of which the picture shows something else than what is stored."""


@dataclass(frozen=True)
class Picture:
    """A surface's subresource at an event.

    `argb` is uint32 (height, width), 0xAARRGGBB, 8 bits per channel.  `raw` is what is stored, (height, width) of an unsigned
    integer, or None where a pixel has no bits of its own (compressed formats).  `format` is its row, None if unknown.
    `primitive`: the last one of the draw that it shows; None: all of them.  `part`: the handle whose first slice it shows as it
    is after all of the event; None: it shows something else.  `stored`: its bytes; `values`: what was computed to be shown;
    `sheet`: the parts that it is put together from; `entry`: of a palette's, pixels of an entry's side, else 0.
    """

    event: int
    surface: int | str
    title: str
    argb: np.ndarray
    raw: np.ndarray | None = None
    format: Any = None
    info: Any = None
    primitive: int | None = None
    part: int | None = None
    changed_only: bool = False
    stored: np.ndarray | None = None
    values: Numbers | None = None
    sheet: SheetOf | None = None
    entry: int = 0

    @property
    def has_texels(self) -> bool:
        """Whether a place on it is a texel of the surface's part that is chosen."""
        return self.sheet is None and not self.entry

    @cached_property
    def numbers(self) -> Numbers:
        """What the range is about: the numbers that were computed, or those that are stored (palettes and blocks: as shown)."""
        if self.values is not None:
            return self.values
        family = getattr(self.format, "family", "palette")
        if self.stored is None or family in ("palette", "dxt", "yuv"):
            return of_rgba8(rgba_of_argb(self.argb))
        return numbers_of(self.stored, self.format, self.width, self.height)

    @property
    def default_tones(self) -> Tones:
        """Black and white unless something else is chosen; as `argb` has them."""
        if self.values is not None and {"index", "byte0"} & set(self.values.planes):
            return Tones(0.0, 255.0)
        if any(channel[3] == "snorm" for channel in channels(self.format)) and self.values is None:
            return Tones(-1.0, 1.0)
        return Tones()

    @property
    def width(self) -> int:
        return self.argb.shape[1]

    @property
    def height(self) -> int:
        return self.argb.shape[0]

    @property
    def is_depth(self) -> bool:
        return any(channel[3] in ("depth", "stencil") for channel in channels(self.format))

    @property
    def is_float(self) -> bool:
        """Whether it may hold more than black and white: what is shown as these can be chosen."""
        return self.raw is not None and any(channel[3] == HALF for channel in channels(self.format))

    @property
    def is_computed(self) -> bool:
        """Whether its numbers are a formula's: nothing is stored of them."""
        return self.values is not None and self.raw is None and self.sheet is None

    def words(self, x: int, y: int) -> str:
        """What is stored at a pixel, a line per channel or byte; empty where the 8 bits that are shown are all there is."""
        if self.values is not None and "byte0" in self.values.planes:
            return bytes_at(self, x, y).replace(" ", "\n")
        parts = channels(self.format) if self.raw is not None else ()
        wide = self.is_computed or any(bits > 8 or kind in UNSEEN for _, _, bits, kind in parts)
        value = pixel_value(self, x, y) if wide else None
        return "\n".join(f"{number:.4g}" for _, _, number in value.parts) if value else ""


@dataclass(frozen=True)
class PixelValue:
    """`rgba8` as shown; `raw` as stored; `parts`: (channel, stored number or None, its value)."""

    x: int
    y: int
    rgba8: tuple[int, int, int, int]
    raw: int | None
    digits: int
    parts: tuple[tuple[str, int | None, float], ...]


def argb_of_rgba(rgba: np.ndarray) -> np.ndarray:
    """uint8 (h, w, 4) R G B A -> uint32 (h, w) 0xAARRGGBB."""
    words = np.ascontiguousarray(rgba, np.uint8).view("<u4")[..., 0]
    argb, red = words & np.uint32(0xFF00FF00), words & np.uint32(0xFF)  # as few large arrays as can be: new memory is slow
    argb |= np.left_shift(red, np.uint32(16), out=red)
    blue = np.right_shift(words, np.uint32(16), out=red)
    blue &= np.uint32(0xFF)
    argb |= blue
    return argb


def rgba_of_argb(argb: np.ndarray) -> np.ndarray:
    """The inverse: uint8 (h, w, 4) R G B A."""
    return np.ascontiguousarray(argb).view(np.uint8).reshape(*argb.shape, 4)[..., [2, 1, 0, 3]]


def only(argb: np.ndarray, visible: str, alpha: bool = False) -> np.ndarray:
    """The picture with only the `visible` channels; one channel alone is shown as grey.

    With `alpha` the alpha stays in the picture (for drawing over a checkerboard), otherwise it is made opaque.
    """
    colors = [name for name in "RGB" if name in visible]
    if len(visible) == 1:
        grey = (argb >> np.uint32(_SHIFT[visible])) & np.uint32(0xFF)
        return (grey * np.uint32(0x010101)) | OPAQUE
    mask = sum(0xFF << _SHIFT[name] for name in colors)
    result = argb if len(colors) == 3 else argb & np.uint32(mask | 0xFF000000)
    return result if alpha and "A" in visible else result | OPAQUE


def ranged(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Numbers as opaque grey: `low` black, `high` white."""
    scale = 255.0 / (high - low) if high != low else 0.0
    grey = np.clip((values - np.float32(low)) * np.float32(scale), 0, 255).astype(np.uint32)
    return (grey * np.uint32(0x010101)) | OPAQUE


def toned(picture: Picture, tones: Tones, plane: str = "") -> np.ndarray:
    """uint32 0xAARRGGBB of a picture by these tones; plane: one channel of it, grey."""
    if plane:
        return argb_of_rgba(tones.grey(picture.numbers.planes[plane]))
    if picture.changed_only or picture.sheet is not None or tones == picture.default_tones:
        return picture.argb
    if picture.values is None and all(bits <= 8 and kind != "snorm" for _, _, bits, kind in channels(picture.format)):
        return _looked_up(picture.argb, tones)
    return argb_of_rgba(tones.picture(picture.numbers))


def _looked_up(argb: np.ndarray, tones: Tones) -> np.ndarray:
    """`toned` of colours of 8 bits: all there are, once."""
    table = tones.shown(np.arange(256, dtype=np.float32) / np.float32(255)).astype(np.uint32)
    byte = np.uint32(255)
    result = argb & OPAQUE
    for shift in (16, 8, 0):
        result |= table[(argb >> np.uint32(shift)) & byte] << np.uint32(shift)
    return result


def fitted(picture: Picture, names: tuple[str, ...]) -> tuple[float, float, bool]:
    """(black point, white point, whether there are two values) that show all values of these channels; of a picture of floats
    black is never above 0."""
    found = distribution(picture.numbers, 1, names=tuple(name for name in names if name in picture.numbers.planes))
    low, high = found.fitting
    varied = bool(len(found.low)) and float(found.low.min()) < float(found.high.max())
    return (min(low, 0.0), high, varied) if picture.is_float else (low, high, varied)


def pixel_value(picture: Picture, x: int, y: int) -> PixelValue | None:
    """What is stored at a pixel; None outside the picture."""
    if not (0 <= x < picture.width and 0 <= y < picture.height):
        return None
    argb = int(picture.argb[y, x])
    rgba8 = ((argb >> 16) & 255, (argb >> 8) & 255, argb & 255, argb >> 24)
    if picture.raw is None:
        computed = picture.values.rgba[y, x].tolist() if picture.is_computed and picture.values is not None else ()
        return PixelValue(x, y, rgba8, None, 0, tuple((name, None, one) for name, one in zip("RGBA", computed, strict=False)))
    word = picture.raw[y : y + 1, x]
    ordered = sorted(channels(picture.format), key=lambda channel: "rgbadslpxyzuvw".find(channel[0][:1].casefold()))
    parts = tuple(
        (channel[0].upper(), (int(word[0]) >> channel[1]) & ((1 << channel[2]) - 1), float(numbers(word, channel)[0]))
        for channel in ordered
    )
    return PixelValue(x, y, rgba8, int(word[0]), 2 * picture.raw.dtype.itemsize, parts)


def bytes_at(picture: Picture, x: int, y: int) -> str:
    """The bytes of a pixel in the order of memory, of a compressed one those of its block: "0a 00 ff ff"; empty: not known."""
    if picture.stored is None or picture.format is None:
        return ""
    width, height, size = picture.format.block
    found: bytes = picture.stored[y // height, x // width * size : (x // width + 1) * size].tobytes()
    return found.hex(" ") + (f"   (block of {width} × {height})" if (width, height) != (1, 1) else "")


def neighbourhood(argb: np.ndarray, x: int, y: int, reach: int) -> np.ndarray:
    """The (2 reach + 1) square around a pixel, opaque; transparent beyond the edge."""
    side = 2 * reach + 1
    result = np.zeros((side, side), np.uint32)
    top, left = max(y - reach, 0), max(x - reach, 0)
    part = argb[top : y + reach + 1, left : x + reach + 1]
    row, column = top - (y - reach), left - (x - reach)
    result[row : row + part.shape[0], column : column + part.shape[1]] = part | OPAQUE
    return result


def is_depth(name: str) -> bool:
    """Whether a format, by its name, holds depth or stencil."""
    return name in FORMAT_BY_NAME and FORMAT_BY_NAME[name].family == "depth"


def thumbnail(rgba: np.ndarray, depth: bool = False) -> QImage:
    """A thumbnail, twice THUMBNAIL large for dense screens.  Any thread.

    Its colours are shown opaque; where they are all the same (a mask, a particle) the alpha is what there is to see.  Depth
    is shown from black, the smallest value present, to white, the largest.
    """
    return thumbnail_of(argb_of_rgba(rgba), depth)


def thumbnail_of(argb: np.ndarray, depth: bool = False) -> QImage:
    """`thumbnail` of uint32 0xAARRGGBB."""
    if depth and (grey := argb & np.uint32(0xFF)).size and np.ptp(grey):
        return _small(ranged(grey, float(grey.min()), float(grey.max())))
    colors = argb & ~OPAQUE
    return _small(only(argb, "A") if colors.size and (colors == colors.flat[0]).all() and np.ptp(argb) else argb | OPAQUE)


def _small(argb: np.ndarray) -> QImage:
    step = max(min(argb.shape) // (4 * THUMBNAIL), 1)  # twice as many pixels as the picture has are enough
    argb = np.ascontiguousarray(argb[::step, ::step])
    image = QImage(argb.data, argb.shape[1], argb.shape[0], 4 * argb.shape[1], QImage.Format.Format_RGB32)
    size = QSize(THUMBNAIL * 2, THUMBNAIL * 2)
    return image.scaled(size, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation).copy()
