"""Fog (semantics 6): the factor that the vertices bring, or by table from the pixel's z, or w under a perspective."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from core.spec.enums import FogMode
from tests.reference.doubt import Doubt
from tests.reference.formats import Color, clamp, from_argb


def by_w(projection: np.ndarray) -> bool:
    """Whether table fog takes w: unless the fourth column says that there is no perspective."""
    return projection[:, 3].tolist() != [0.0, 0.0, 0.0, 1.0]


def factor(states: Mapping[str, int | float], z: float, given: float, doubt: Doubt) -> float:
    """1: no fog.  Table fog wins over what the vertices give."""
    start, end, density = (float(states[name]) for name in ("FOGSTART", "FOGEND", "FOGDENSITY"))
    match states["FOGTABLEMODE"]:
        case FogMode.LINEAR if start == end:
            return 0.0 if doubt.positive(z - start, 1e-6, "fog step") else 1.0
        case FogMode.LINEAR:
            return clamp((end - z) / (end - start))
        case FogMode.EXP:
            return clamp(math.exp(-density * z))
        case FogMode.EXP2:
            return clamp(math.exp(-((density * z) ** 2)))
    return given


def apply_fog(color: Color, fog_color: int, f: float) -> Color:
    """Alpha stays."""
    red, green, blue = (f * c + (1 - f) * g for c, g in zip(color[:3], from_argb(fog_color)[:3], strict=True))
    return red, green, blue, color[3]
