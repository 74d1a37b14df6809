"""The corners of a primitive, and how much each counts at a pixel."""

from __future__ import annotations

import numpy as np

from core.spec.enums import PrimitiveType


def corners_of(kind: str, primitive: int) -> tuple[int, ...]:
    """The places in drawing order of a primitive's vertices."""
    p = primitive
    return {
        PrimitiveType.POINTLIST.name: (p,), PrimitiveType.LINELIST.name: (2 * p, 2 * p + 1),
        PrimitiveType.LINESTRIP.name: (p, p + 1),
        PrimitiveType.TRIANGLESTRIP.name: (p, p + 1, p + 2), PrimitiveType.TRIANGLEFAN.name: (p + 1, p + 2, 0),
    }.get(kind, (3 * p, 3 * p + 1, 3 * p + 2))  # fmt: skip


def weights_at(rows: np.ndarray, corners: tuple[int, ...], x: int, y: int, linear: bool = False) -> tuple[float, ...]:
    """How much each corner's attributes count at a pixel, with perspective (`linear`: without, as depth): they add up to 1."""
    place = np.array([[rows["screen.x"][one], rows["screen.y"][one]] for one in corners], np.float64)
    rhw = np.array([1.0 if linear else float(rows["rhw"][one]) for one in corners])
    point = np.array([x, y], np.float64)
    with np.errstate(all="ignore"):
        if len(corners) == 3:
            (ax, ay), (bx, by) = place[1] - place[0], place[2] - place[0]
            px, py = point - place[0]
            area = ax * by - ay * bx
            b, c = (px * by - py * bx) / area, (ax * py - ay * px) / area
            screen = np.array([1 - b - c, b, c])
        elif len(corners) == 2:
            along = place[1] - place[0]
            t = float((point - place[0]) @ along / (along @ along))
            screen = np.array([1 - t, t])
        else:
            screen = np.ones(1)
        weights = screen * rhw / (screen * rhw).sum()
    return tuple(weights.tolist())
