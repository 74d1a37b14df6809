"""Images as PNG, TGA and BMP files."""

from __future__ import annotations

import base64
import io

import numpy as np


def png(rgba: np.ndarray, widest: int | None = None) -> bytes:
    """A PNG of (h, w, 4) uint8 pixels, made smaller (never larger) to at most `widest` pixels on a side."""
    assert rgba.dtype == np.uint8 and rgba.ndim == 3 and rgba.shape[2] == 4, "pictures are (h, w, 4) uint8"
    from PIL import Image  # when a picture is written

    picture = Image.fromarray(np.ascontiguousarray(rgba))
    if widest and max(picture.size) > widest:
        picture.thumbnail((widest, widest), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=False, compress_level=6)
    return file.getvalue()


def tga(rgba: np.ndarray) -> bytes:
    """A Targa of (h, w, 4) uint8 pixels, 32 bits each, not compressed."""
    return _saved(rgba, "TGA")


def bmp(rgba: np.ndarray) -> bytes:
    """A Windows bitmap of 24 bits a pixel: most programs ignore the alpha that a bitmap may have."""
    return _saved(np.ascontiguousarray(rgba[..., :3]), "BMP")


def _saved(pixels: np.ndarray, format: str) -> bytes:
    from PIL import Image  # when a picture is written

    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(file, format)
    return file.getvalue()


def opaque(rgba: np.ndarray) -> np.ndarray:
    """The same pixels with alpha 255: what a monitor shows."""
    shown = rgba.copy()
    shown[..., 3] = 255
    return shown


def data_uri(image: bytes) -> str:
    """A PNG as the address of an <img>."""
    return "data:image/png;base64," + base64.b64encode(image).decode("ascii")
