"""Looking at surfaces: packed pixels, and 8-bit RGBA for people."""

from __future__ import annotations

import numpy as np

from core.device.surfaces import Level
from core.pipeline.texels import to_rgba8
from core.spec.formats import Format


def packed(part: Level, slice: int = 0, sample: int | None = None) -> np.ndarray:
    """Rows of a slice as stored: uint8[rows of blocks, pitch]; a multisampled level is resolved unless a sample is named."""
    rows = part.linear() if sample is None or not part.samples else part.plane(sample)
    return rows[slice * part.slice_pitch : (slice + 1) * part.slice_pitch].reshape(part.rows, part.pitch)


def rgba(format: Format, rows: np.ndarray, width: int, height: int, palette: np.ndarray | None = None) -> np.ndarray:
    """uint8[height, width, 4]: channels scaled to 0..255.

    Missing alpha is 255, depth grey over its full range, signed -1..1 becomes 0..255.
    """
    return to_rgba8(format, rows, width, height, 1, rows.shape[1], None, palette)[0]
