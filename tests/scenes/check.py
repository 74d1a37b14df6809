"""Whether what must be seen of a scene is seen: AssertionError if not."""

from __future__ import annotations

from typing import Any

import numpy as np

import inspector
from core.spec.subresource import Subresource
from tests.scenes.kit import ANYBODY, TARGET, Pixels, Property, Seen, Value


def check_pixels(capture: inspector.Capture, expected: Pixels) -> None:
    given = capture.image(expected.event, Subresource(expected.surface, **expected.where)).astype(int)
    wanted = np.stack([expected.picture >> shift & 0xFF for shift in (16, 8, 0, 24)], -1).astype(int)
    assert given.shape == wanted.shape
    wrong = (np.abs(given - wanted) > expected.tolerance)[..., : 4 if expected.alpha else 3].any(-1)
    if expected.mask is not None:
        wrong &= expected.mask
    first = [f"{x},{y}: {given[y, x]} instead of {wanted[y, x]}" for y, x in np.argwhere(wrong)[:4]]
    assert not first, f"{wrong.sum()} pixels after event {expected.event}: {first}"


def same_value(given: Any, wanted: Any) -> bool:
    """Exactly equal; the expected floats are rounded to single precision first, as registers hold no others."""
    left, right = np.asarray(given), np.asarray(wanted)
    floats = "f" in (left.dtype.kind, right.dtype.kind)
    return np.array_equal(left.astype(np.float32), right.astype(np.float32)) if floats else np.array_equal(left, right)


def check_value(capture: inspector.Capture, expected: Value) -> None:
    value = capture.state(expected.event)[expected.key]
    assert same_value(value.value, expected.value), f"{expected.key} = {value.text} instead of {expected.value}"
    assert expected.writer in (ANYBODY, value.writer), expected.key


def check_property(capture: inspector.Capture, expected: Property) -> None:
    r, g, b, a = np.moveaxis(capture.image(expected.event, Subresource(TARGET)).astype(np.uint32), -1, 0)
    assert expected.holds(a << 24 | r << 16 | g << 8 | b), f"not so after event {expected.event}: {expected.text}"


def check_pictures(capture: inspector.Capture, seen: Seen) -> None:
    """Everything that is seen in pictures."""
    for pixels in seen.pixels:
        check_pixels(capture, pixels)
    for one in seen.properties:
        check_property(capture, one)
