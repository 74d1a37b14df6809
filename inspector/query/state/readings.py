"""Matrices in words: translation, rotation, scale; the viewpoint of a view; a projection's field of view and depths.

Vectors are rows and multiply from the left, as everywhere in Direct3D (DX8 SDK: Transforms).
"""

from __future__ import annotations

import numpy as np

Reading = tuple[tuple[str, str], ...]
"""(what, how much)"""
CLOSE = 1e-4
"""What rounding may leave of zero, relative to the matrix."""


def reading(name: str, matrix: np.ndarray) -> Reading:
    """What a (4, 4) matrix of this name (WORLD0, VIEW, PROJECTION, TEXTURE0) does; empty for the identity."""
    if not np.isfinite(matrix).all():
        return (("not a number", "it moves vertices nowhere"),)
    found = matrix.astype(np.float64)
    if np.array_equal(found, np.eye(4)):
        return (("identity", "changes nothing"),)
    if name == "PROJECTION":
        return _projection(found)
    if not _near(found[:, 3], (0, 0, 0, 1)):
        return (("projective", "the fourth column is not 0 0 0 1"),)
    if name == "VIEW":
        return _view(found)
    return _texture(found) if name.startswith("TEXTURE") else _affine(found)


def _text(*numbers: float) -> str:
    return ", ".join(f"{0.0 if abs(number) < 5e-7 else number:.4g}" for number in numbers)


def _near(a: np.ndarray, b: tuple[float, ...] | np.ndarray, size: float = 1.0) -> bool:
    return bool(np.allclose(a, b, atol=CLOSE * max(size, 1e-30)))


def _affine(matrix: np.ndarray) -> Reading:
    """Scale, then rotation, then translation."""
    rows, found = matrix[:3, :3], []
    scale = np.sqrt((rows * rows).sum(1))
    if not _near(scale, (1, 1, 1)):
        even = scale.max() - scale.min() <= CLOSE * scale.max()
        found.append(("scale", _text(*(scale[:1] if even else scale))))
    if scale.min() <= 0:
        found.append(("flat", "an axis shrinks to nothing"))
    else:
        found += _rotation(rows / scale[:, None])
    if matrix[3, :3].any():
        found.append(("translation", _text(*matrix[3, :3])))
    return tuple(found)


def _rotation(axes: np.ndarray) -> list[tuple[str, str]]:
    """Of three axes of length 1, as rows: an angle about an axis; a mirror or a skew if it is no rotation."""
    if not _near(axes @ axes.T, np.eye(3)):
        return [("skew", "axes are not at right angles")]
    mirror = np.linalg.det(axes) < 0
    turn = -axes if mirror else axes
    angle = float(np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))))
    found = [("mirrored", "left-handed becomes right-handed")] if mirror else []
    if angle > 0.01:
        found.append(("rotation", f"{angle:.4g}° about {_text(*_axis(turn, angle))}"))
    return found


def _axis(turn: np.ndarray, angle: float) -> np.ndarray:
    """The axis that a rotation of row vectors leaves as it is, turning clockwise seen along it (left-handed)."""
    axis = np.array([turn[1, 2] - turn[2, 1], turn[2, 0] - turn[0, 2], turn[0, 1] - turn[1, 0]])
    if angle > 179.9:
        square = (turn + np.eye(3)) / 2
        axis = square[int(np.argmax(np.diag(square)))]
    length = float(np.sqrt(axis @ axis))
    return axis / length if length else axis


def _view(matrix: np.ndarray) -> Reading:
    """Where the eye is, and where it looks."""
    rows = matrix[:3, :3]
    if abs(np.linalg.det(rows)) < 1e-12:
        return (("flat", "no place of an eye makes this view"),)
    eye = -matrix[3, :3] @ np.linalg.inv(rows)
    found = [("eye at", _text(*eye)), ("looks along", _text(*rows[:, 2])), ("up", _text(*rows[:, 1]))]
    if not _near(rows @ rows.T, np.eye(3)):
        found.append(("scale", _text(*np.sqrt((rows * rows).sum(0)))))
    return tuple(found)


def _projection(matrix: np.ndarray) -> Reading:
    if _near(matrix[:3, 3], (0, 0, 0)) and abs(matrix[3, 3] - 1) < CLOSE:
        return _parallel(matrix)
    w = matrix[2, 3]
    if not _near(matrix[[0, 1, 3], 3], (0, 0, 0)) or not w or not matrix[0, 0] or not matrix[1, 1]:
        return (("projective", "no camera with axes at right angles"),)
    side = w / abs(w)
    found = [("field of view", f"{_degrees(matrix[1, 1] / w):.4g}° high, {_degrees(matrix[0, 0] / w):.4g}° wide"),
             ("aspect", _text(abs(matrix[1, 1] / matrix[0, 0])))]  # fmt: skip
    scale, offset = matrix[2, 2] * side, matrix[3, 2]
    if scale:
        near = -offset / scale
        far = -offset / (scale - abs(w)) if abs(scale - abs(w)) > 1e-12 else np.inf
        found += [("near", _text(near)), ("far", "infinite" if not np.isfinite(far) else _text(far))]
    if not _near(matrix[2, :2], (0, 0)):
        found.append(("off centre", _text(*(matrix[2, :2] / w))))
    return (*found, ("handed", "left" if side > 0 else "right"))


def _degrees(slope: float) -> float:
    """The whole angle whose half has this cotangent."""
    return float(np.degrees(2 * np.arctan(1 / abs(slope))))


def _parallel(matrix: np.ndarray) -> Reading:
    """A box of the world, without perspective."""
    if not matrix[0, 0] or not matrix[1, 1] or not matrix[2, 2]:
        return (("flat", "an axis shrinks to nothing"),)
    near = -matrix[3, 2] / matrix[2, 2]
    far = (1 - matrix[3, 2]) / matrix[2, 2]
    found = [("parallel", f"{_text(2 / abs(matrix[0, 0]))} wide, {_text(2 / abs(matrix[1, 1]))} high"),
             ("near", _text(near)), ("far", _text(far))]  # fmt: skip
    if matrix[3, :2].any():
        found.append(("moved", _text(*matrix[3, :2])))
    return tuple(found)


def _texture(matrix: np.ndarray) -> Reading:
    """Of two coordinates the third row moves, of three the fourth."""
    flat = _near(matrix[2], (0, 0, 1, 0)) or _near(matrix[:2, 2], (0, 0))
    if not flat:
        return _affine(matrix)
    found = list(_affine(np.block([[matrix[:2, :2], np.zeros((2, 2))], [np.zeros((2, 2)), np.eye(2)]])))
    for row, about in ((2, "offset (COUNT2)"), (3, "offset (COUNT3)")):
        if matrix[row, :2].any():
            found.append((about, _text(*matrix[row, :2])))
    return tuple(found)
