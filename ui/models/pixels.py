"""Pictures for the screen and numbers for people, out of a surface's packed pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from core.spec.formats import FORMAT_BY_NAME
from inspector.query.looks import stored
from inspector.query.looks.stored import HALF, channels, numbers

THUMBNAIL = 40
_SHIFT = {"R": 16, "G": 8, "B": 0, "A": 24}
OPAQUE = np.uint32(0xFF000000)


@dataclass(frozen=True)
class Picture:
    """A surface's subresource at an event.

    `argb` is uint32 (height, width), 0xAARRGGBB, 8 bits per channel.  `raw` is what is stored, (height, width) of an unsigned
    integer, or None where a pixel has no bits of its own (compressed formats).  `format` is its row, None if unknown.
    `primitive`: the last one of the draw that it shows; None: all of them.  `part`: the handle whose first slice it shows as it
    is after all of the event; None: it shows something else.
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

    def words(self, x: int, y: int) -> str:
        """What is stored at a pixel, a line per channel; empty where the 8 bits that are shown are all there is."""
        wide = self.raw is not None and any(bits > 8 for _, _, bits, _ in channels(self.format))
        value = pixel_value(self, x, y) if wide else None
        return "\n".join(f"{number:.4g}" for _, _, number in value.parts) if value else ""


@dataclass(frozen=True)
class PixelValue:
    """`rgba8` as shown; `raw` as stored; `parts`: (channel, stored number, its value)."""

    x: int
    y: int
    rgba8: tuple[int, int, int, int]
    raw: int | None
    digits: int
    parts: tuple[tuple[str, int, float], ...]


def argb_of_rgba(rgba: np.ndarray) -> np.ndarray:
    """uint8 (h, w, 4) R G B A -> uint32 (h, w) 0xAARRGGBB."""
    words = np.ascontiguousarray(rgba, np.uint8).view("<u4")[..., 0]
    byte, half = np.uint32(0xFF), np.uint32(16)
    return (words & np.uint32(0xFF00FF00)) | ((words & byte) << half) | ((words >> half) & byte)


def only(argb: np.ndarray, visible: str, alpha: bool = False) -> np.ndarray:
    """The picture with only the `visible` channels; one channel alone is shown as grey.

    With `alpha` the alpha stays in the picture (for drawing over a checkerboard), otherwise it is made opaque.
    """
    colors = [name for name in "RGB" if name in visible]
    if len(visible) == 1:
        grey = (argb >> np.uint32(_SHIFT[visible])) & np.uint32(0xFF)
        return (grey * np.uint32(0x010101)) | OPAQUE
    mask = sum(0xFF << _SHIFT[name] for name in colors)
    result = argb & np.uint32(mask | 0xFF000000)
    return result if alpha and "A" in visible else result | OPAQUE


def ranged(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Numbers as opaque grey: `low` black, `high` white."""
    scale = 255.0 / (high - low) if high != low else 0.0
    grey = np.clip((values - np.float32(low)) * np.float32(scale), 0, 255).astype(np.uint32)
    return (grey * np.uint32(0x010101)) | OPAQUE


def exposed(picture: Picture, low: float, high: float) -> np.ndarray:
    """uint32 0xAARRGGBB of a picture of floats: `low` black, `high` white, through the sRGB curve."""
    assert picture.raw is not None
    return argb_of_rgba(stored.exposed(picture.raw, picture.format, low, high))


def pixel_value(picture: Picture, x: int, y: int) -> PixelValue | None:
    """What is stored at a pixel; None outside the picture."""
    if not (0 <= x < picture.width and 0 <= y < picture.height):
        return None
    argb = int(picture.argb[y, x])
    rgba8 = ((argb >> 16) & 255, (argb >> 8) & 255, argb & 255, argb >> 24)
    if picture.raw is None:
        return PixelValue(x, y, rgba8, None, 0, ())
    word = picture.raw[y : y + 1, x]
    ordered = sorted(channels(picture.format), key=lambda channel: "rgbadslpxyzuvw".find(channel[0][:1].casefold()))
    parts = tuple(
        (channel[0].upper(), (int(word[0]) >> channel[1]) & ((1 << channel[2]) - 1), float(numbers(word, channel)[0]))
        for channel in ordered
    )
    return PixelValue(x, y, rgba8, int(word[0]), 2 * picture.raw.dtype.itemsize, parts)


def neighbourhood(argb: np.ndarray, x: int, y: int, reach: int) -> np.ndarray:
    """The (2 reach + 1) square around a pixel; transparent beyond the edge."""
    side = 2 * reach + 1
    result = np.zeros((side, side), np.uint32)
    top, left = max(y - reach, 0), max(x - reach, 0)
    part = argb[top : y + reach + 1, left : x + reach + 1]
    row, column = top - (y - reach), left - (x - reach)
    result[row : row + part.shape[0], column : column + part.shape[1]] = part
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


def spread(picture: Picture, channel: Any) -> tuple[float, float, bool]:
    """(black point, white point, whether there are two values) that show all values of a picture with `raw`.

    channel: that of depth or stencil; of a float picture all colours count, and black is never above 0.
    """
    assert picture.raw is not None
    if picture.is_float:
        colours = [numbers(picture.raw, one) for one in channels(picture.format) if one[0] in "rgb"]
        there = np.concatenate([values[np.isfinite(values)] for values in colours])
        return min(float(there.min(initial=0.0)), 0.0), float(there.max(initial=0.0)) or 1.0, True
    values = numbers(picture.raw, channel)
    low, high = float(values.min()), float(values.max())
    return (low, high, True) if low < high else (0.0, 1.0, False)
