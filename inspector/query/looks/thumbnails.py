"""A small image: where pixels have bits of their own, only the needed ones are decoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.device.past.reading import rgba
from core.spec.subresource import Where
from inspector.progress import Cancel
from inspector.query.looks.stored import packed

if TYPE_CHECKING:
    from inspector.capture import Capture


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A surface with about `pixels` pixels along the shorter side, or all it has: uint8[height, width, 4] RGBA.

    Formats whose pixels share bits (compressed ones) are shown whole, palettes too.
    """

    event: int
    where: Where = "render_target"
    pixels: int = 160

    def run(self, capture: Capture, cancel: Cancel | None = None) -> np.ndarray:
        """BadInput if there is no such surface or event."""
        rows, form = capture.stored(self.event, self.where, cancel=cancel)
        size = max(form.bits // 8, 1)
        words = packed(rows, form, rows.shape[1] // size, rows.shape[0])
        step = min(words.shape) // self.pixels if words is not None else 0
        if words is None or step < 2 or words.dtype.itemsize != size:
            return capture.image(self.event, self.where, cancel=cancel)
        few = np.ascontiguousarray(words[::step, ::step])
        height, width = few.shape
        return rgba(form, few.view(np.uint8).reshape(height, width * size), width, height)
