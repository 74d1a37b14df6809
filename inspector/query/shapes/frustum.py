"""The view frustum as a box in object space: eight corners, and the edges between them."""

from __future__ import annotations

import numpy as np

from core.spec.slots import BASE

CLIP_CORNERS = np.array([[x, y, z] for z in (0.0, 1.0) for y in (1.0, -1.0) for x in (-1.0, 1.0)])
"""Of clip space: those of the near plane first, from the upper left, row by row."""
EDGES = np.array([(0, 1), (1, 3), (3, 2), (2, 0), (4, 5), (5, 7), (7, 6), (6, 4), (0, 4), (1, 5), (2, 6), (3, 7)])
CLOSE = 1e-4
"""Of a linear map that a shader is taken to be: the largest error, as a part of the largest value."""


def of_matrices(vector: np.ndarray) -> np.ndarray | None:
    """float64[8, 3]: the corners by WORLD, VIEW and PROJECTION of a state vector; None where they cannot be inverted."""
    matrices = [vector[BASE[name] : BASE[name] + 16].view(np.float32).reshape(4, 4) for name in ("world", "view", "projection")]
    world, view, projection = (matrix.astype(np.float64) for matrix in matrices)
    return _box(world @ view @ projection)


def of_positions(before: np.ndarray, after: np.ndarray) -> np.ndarray | None:
    """float64[8, 3]: the corners by the linear map that takes positions float[n, 3] to clip space float[n, 4], as most vertex
    shaders do; None where no such map does, or where the positions lie in a plane and leave it open."""
    usable = np.isfinite(before).all(axis=1) & np.isfinite(after).all(axis=1)
    before, after = before[usable].astype(np.float64), after[usable].astype(np.float64)
    if len(before) < 5:
        return None
    spread = np.abs(before - before.mean(axis=0)).max() or 1.0
    given = np.column_stack([(before - before.mean(axis=0)) / spread, np.ones(len(before))])
    found, _, rank, values = np.linalg.lstsq(given, after, rcond=1e-5)
    if rank < 4 or values[-1] < 1e-4 * values[0] or np.abs(given @ found - after).max() > CLOSE * np.abs(after).max():
        return None
    corners = _box(found)
    return None if corners is None else corners * spread + before.mean(axis=0)


def _box(matrix: np.ndarray) -> np.ndarray | None:
    """The corners of clip space taken back."""
    if not np.isfinite(matrix).all():
        return None
    try:
        back = np.column_stack([CLIP_CORNERS, np.ones(8)]) @ np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    if (np.abs(back[:, 3]) < 1e-12 * np.abs(back).max()).any():
        return None
    corners = back[:, :3] / back[:, 3:]
    return corners if np.isfinite(corners).all() else None
