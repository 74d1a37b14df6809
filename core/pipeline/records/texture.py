"""A bound texture: kind, form, and addresses of its levels (forms: core.pipeline.surface.formats.texels)."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

MAX_LEVELS = 16  # a power of two: level numbers are folded with &; 32768 texels a side

TEXEL_RGBA8, TEXEL_RGBA32F = 0, 1


class TextureKind(IntEnum):
    """How coordinates choose texels."""

    NONE, PLANE, CUBE, VOLUME, SHADOW = range(5)  # SHADOW: a plane of depths, compared with the third coordinate


# One image of a texture, as the 2x2 filter asks for it.
IMAGE = np.dtype([
    ("start", "i4"),                        # word offset into the heap
    ("width", "i4"), ("height", "i4"), ("last_x", "i4"), ("last_y", "i4"),
    ("wide", "f4"), ("high", "f4"),         # width and height in 1/256 texel
], align=True)  # fmt: skip

# A bound texture. All zero: nothing bound. Level n of a face is max(width >> n, 1) x max(height >> n, 1) x max(depth >> n, 1).
TEXTURE = np.dtype([
    ("kind", "i4"),                         # TextureKind
    ("form", "i4"),                         # TEXEL_RGBA8 or TEXEL_RGBA32F
    ("levels", "i4"),                       # 1..MAX_LEVELS
    ("width", "i4"), ("height", "i4"), ("depth", "i4"),        # of level 0
    ("power_of_two", "i4"),                 # width, height and depth all are
    ("lod", "i4"),                          # largest level allowed by SetLOD / SETTEXLOD (0: all)
    ("start", "i4", 6 * MAX_LEVELS),        # word offset into the heap, [face * MAX_LEVELS + level]; faces +X -X +Y -Y +Z -Z
], align=True)  # fmt: skip
