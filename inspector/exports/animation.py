"""A series of images: as an animation, or side by side on a sheet."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from core.errors import BadInput
from inspector.exports.png import opaque

MARGIN, TITLE_HEIGHT = 4, 14
BACKGROUND, INK = (32, 32, 36), (220, 220, 220)


def animation(pictures: Sequence[np.ndarray], form: str = "WEBP", seconds: float = 5.0, hold: float = 1.5) -> bytes:
    """A WEBP, PNG (APNG) or GIF of uint8[h, w, 4] pictures of one size, shown in `seconds`, the last one `hold` longer.

    It loops, and is opaque.  BadInput without pictures.
    """
    if not pictures:
        raise BadInput("an animation needs at least one image")
    from PIL import Image  # when a picture is written

    frames = [Image.fromarray(opaque(picture)).convert("RGB") for picture in pictures]
    each = max(round(1000 * seconds / len(frames)), 20)
    durations = [each] * (len(frames) - 1) + [each + round(1000 * hold)]
    more = {"lossless": True, "quality": 60} if form == "WEBP" else {}
    file = io.BytesIO()
    frames[0].save(file, form, save_all=True, append_images=frames[1:], duration=durations, loop=0, **more)
    return file.getvalue()


def contact_sheet(pictures: Sequence[np.ndarray], titles: Sequence[str], columns: int = 0, widest: int = 240) -> np.ndarray:
    """uint8[h, w, 4]: pictures in rows, each at most `widest` pixels on a side, with its title; BadInput without pictures."""
    if not pictures:
        raise BadInput("a contact sheet needs at least one image")
    from PIL import Image, ImageDraw

    small = []
    for picture in pictures:
        image = Image.fromarray(opaque(picture))
        image.thumbnail((widest, widest), Image.Resampling.LANCZOS)
        small.append(image)
    columns = columns or max(round(len(small) ** 0.5 * 1.25), 1)
    width, height = (max(image.size[n] for image in small) + MARGIN for n in (0, 1))
    rows = -(-len(small) // columns)
    across = min(columns, len(small))
    sheet = Image.new("RGB", (MARGIN + across * width, MARGIN + rows * (height + TITLE_HEIGHT)), BACKGROUND)
    draw = ImageDraw.Draw(sheet)
    for n, (image, title) in enumerate(zip(small, titles, strict=True)):
        x, y = MARGIN + n % columns * width, MARGIN + n // columns * (height + TITLE_HEIGHT)
        sheet.paste(image, (x, y))
        draw.text((x, y + image.size[1] + 1), title, INK)
    return np.asarray(sheet.convert("RGBA"))
