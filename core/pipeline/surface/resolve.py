"""From samples to pixels: the average of each channel, rounded to nearest (semantics section 14), and back."""

from __future__ import annotations

import numpy as np

from core.spec.formats import Format


def resolve(words: np.ndarray, samples: int, format: Format) -> np.ndarray:
    """uint32 of all sample planes -> uint32 of one; depth formats take sample 0."""
    planes = words.reshape(samples, -1)
    if samples == 1 or any(kind in ("depth", "stencil") for *_, kind in format.channels):
        return planes[0].copy()
    result = np.zeros(planes.shape[1], np.uint32)
    for _, shift, bits, _ in format.channels:
        values = planes >> np.uint32(shift) & np.uint32((1 << bits) - 1)
        mean = (values.sum(0, dtype=np.uint64) * 2 + samples) // (2 * samples)
        result |= mean.astype(np.uint32) << np.uint32(shift)
    return result


def expand(words: np.ndarray, samples: int) -> np.ndarray:
    """The same contents in all sample planes."""
    return np.tile(words, samples)
