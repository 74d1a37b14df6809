"""Views of two images or two tokens: the amplified difference, side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from inspector.query.comparison.difference import SurfaceDifference, difference_image

GAP = 4
"""Pixels between two pictures that stand side by side."""
FEW, SMALL, GROWTH = 100, 128, 2
"""One of so many pixels, of a picture wider than this, is seen only when it is this much larger each way."""
PARTS = 16
"""Parts of a list that are named; a matrix has as many."""
WORD = re.compile(r"([\w.\[\]]+)=(\([^)]*\)|\S+)")


def amplified(a: np.ndarray, b: np.ndarray, gain: int = 1) -> np.ndarray:
    """uint8[h, w, 4]: by how much red, green and blue differ, times `gain`; opaque."""
    image = difference_image(a, b)
    image[..., :3] = np.minimum(image[..., :3].astype(np.uint32) * gain, 255)
    return image


def loudest(one: SurfaceDifference) -> tuple[str, np.ndarray]:
    """What it is, and uint8[h, w, 4]: the difference amplified as far as nothing is cut, or else which pixels differ; where
    they are few, each is larger, so that it is seen in a picture that is made smaller."""
    title, image = "Pixels that differ", whitened(one.mask)
    if one.gain:
        title, image = f"Difference × {one.gain}" if one.gain > 1 else "Difference", amplified(one.a, one.b, one.gain)
    if one.count * FEW < one.width * one.height and one.width > SMALL:
        return f"{title}, each pixel larger", grown(image)
    return title, image


def grown(image: np.ndarray) -> np.ndarray:
    """uint8[h, w, 4]: every pixel is the brightest of those up to GROWTH away, channel by channel."""
    height, width = image.shape[:2]
    padded = np.pad(image, ((GROWTH, GROWTH), (GROWTH, GROWTH), (0, 0)))
    steps = range(2 * GROWTH + 1)
    return np.max([padded[y : y + height, x : x + width] for y in steps for x in steps], 0)


def whitened(mask: np.ndarray) -> np.ndarray:
    """uint8[h, w, 4]: white where bool[h, w] is set, else black; opaque."""
    image = np.repeat(np.where(mask, 255, 0).astype(np.uint8)[..., None], 4, -1)
    image[..., 3] = 255
    return image


def beside(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """uint8[h, 2 w + GAP, 4]: both, of the same size, with nothing between them."""
    return np.concatenate([a, np.zeros((a.shape[0], GAP, 4), np.uint8), b], 1)


def column_of(x: int, width: int) -> int:
    """The column of the pictures that is at `x` where they stand side by side; -1 between them."""
    if x < width:
        return x
    return x - width - GAP if x >= width + GAP else -1


def changed_words(a: str, b: str) -> list[tuple[str, str, str]]:
    """(name, value in a, value in b) of the fields that differ in texts of tokens, as in "value=5"; "" for what one lacks."""
    left, right = (dict(WORD.findall(text)) for text in (a, b))
    names = dict.fromkeys([*left, *right])
    return [(name, left.get(name, ""), right.get(name, "")) for name in names if left.get(name) != right.get(name)]


def what_changed(a: str, b: str) -> str:
    """The fields that differ, as in "ZFUNC: LESS to EQUAL", and the parts of lists that do, as in "matrix[2]: 1.0 to 3.0"."""
    return ", ".join(one for name, old, new in changed_words(a, b) for one in _parts_changed(name, old, new))


def _parts_changed(name: str, old: str, new: str) -> Iterator[str]:
    left, right = (side[1:-1].split() if side.startswith("(") else [] for side in (old, new))
    if len(left) != len(right) or not left:
        yield f"{name}: {old or 'nothing'} to {new or 'nothing'}"
        return
    differing = [n for n, (one, other) in enumerate(zip(left, right, strict=True)) if one != other]
    for n in differing[:PARTS]:
        yield f"{name}[{n}]: {left[n]} to {right[n]}"
    if len(differing) > PARTS:
        yield f"{len(differing) - PARTS} more"
