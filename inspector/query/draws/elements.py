"""The vertices, in drawing order, of each primitive of a D3DPRIMITIVETYPE."""

from __future__ import annotations

import numpy as np

CORNERS = {"POINTLIST": 1, "LINELIST": 2, "LINESTRIP": 2, "TRIANGLELIST": 3, "TRIANGLESTRIP": 3, "TRIANGLEFAN": 3}


def elements(primitive: str, count: int) -> np.ndarray:
    """int64[n, corners]: which of `count` vertices in order the primitives of a type have; all turn the same way."""
    corners, order = CORNERS[primitive], np.arange(count)
    if primitive.endswith("LIST"):
        return order[: count // corners * corners].reshape(-1, corners)
    numbers = np.arange(max(count - corners + 1, 0))[:, None]
    if primitive == "TRIANGLEFAN":
        return np.concatenate([np.zeros_like(numbers), numbers + 1, numbers + 2], axis=1)
    strip = numbers + np.arange(corners)
    if primitive == "TRIANGLESTRIP":
        strip[1::2] = strip[1::2][:, [0, 2, 1]]
    return strip
