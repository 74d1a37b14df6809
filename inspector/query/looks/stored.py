"""Packed pixels as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

HALF = "half"
"""The kind of channels that are 16-bit floats."""
Channel = tuple[str, int, int, str]
"""Name, lowest bit, bits, kind (unorm, snorm, half, depth, stencil ...)."""


def channels(format: Any) -> tuple[Channel, ...]:
    """Of a format with plain packed pixels (core.spec.formats); of others, and of None, nothing."""
    rows = getattr(format, "channels", ()) or ()
    return tuple((row[0], int(row[1]), int(row[2]), str(getattr(row[3], "name", row[3]))) for row in rows)


def packed(stored: np.ndarray, format: Any, width: int, height: int) -> np.ndarray | None:
    """Bytes (rows, pitch) as one unsigned integer per pixel, (height, width); None if pixels have no bits of their own."""
    size = getattr(format, "bits", 0) // 8
    if not channels(format) or size not in (1, 2, 3, 4, 8) or stored.shape[0] < height or stored.shape[1] < width * size:
        return None
    rows = np.ascontiguousarray(stored[:height, : width * size])
    if size == 3:
        low, middle, high = (rows[:, part::3].astype(np.uint32) for part in range(3))
        return low | middle << np.uint32(8) | high << np.uint32(16)
    return rows.view(f"<u{size}")


def numbers(raw: np.ndarray, channel: Channel) -> np.ndarray:
    """float32: one channel of packed pixels as numbers in its own range (unorm 0..1, snorm -1..1, the rest as counted)."""
    _, shift, bits, kind = channel
    if kind == HALF:
        return (raw >> np.uint64(shift)).astype("<u2").view("<f2").astype(np.float32)
    mask = np.uint32((1 << bits) - 1)
    stored = (raw.astype(np.uint32, copy=False) >> np.uint32(shift)) & mask
    if kind == "snorm":
        half = 1 << (bits - 1)
        signed = (stored.astype(np.int64) ^ half) - half
        return np.maximum(signed / (half - 1), -1.0).astype(np.float32)
    if kind in ("unorm", "depth"):
        return (stored / np.float64(mask)).astype(np.float32)
    return stored.astype(np.float32)
