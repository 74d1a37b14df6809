"""Pixels of four 16-bit floats in DXGI resources: stored unchanged, displayed through the sRGB curve."""

from __future__ import annotations

import numpy as np

from core.spec.formats import Format

KIND = "half"
HALF = Format(113, "R16G16B16A16_FLOAT", 64, "float", tuple((name, 16 * n, 16, KIND) for n, name in enumerate("rgba")),
              (1, 1, 8), texture=False)  # fmt: skip
"""Not a format of Direct3D 8: surfaces of it only show what a resource of DXGI holds.  113 is D3DFMT_A16B16G16R16F."""


def encode_gamma(linear: np.ndarray) -> np.ndarray:
    """The sRGB curve."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055)


def remove_gamma(encoded: np.ndarray) -> np.ndarray:
    """The inverse of the sRGB curve."""
    return np.where(encoded <= 0.04045, encoded / 12.92, np.power((encoded + 0.055) / 1.055, 2.4))


def values_of(rows: np.ndarray, width: int) -> np.ndarray:
    """float16[height, width, 4] of uint8[height, pitch]."""
    return np.ascontiguousarray(rows[:, : 8 * width]).view("<f2").reshape(len(rows), width, 4)


def rgba8(rows: np.ndarray, width: int) -> np.ndarray:
    """uint8[height, width, 4]: 0..1 as a screen shows it, alpha as it is; what is no number is black."""
    shown = np.clip(np.nan_to_num(values_of(rows, width).astype(np.float64), posinf=1.0, neginf=0.0), 0, 1)
    shown[..., :3] = encode_gamma(shown[..., :3])
    return np.floor(shown * 255 + 0.5).astype(np.uint8)
