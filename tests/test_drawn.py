"""What counts as the same capture on another processor."""

from __future__ import annotations

import numpy as np
import pytest

from tests.drawn import first_difference, same_bytes


def words(*values: float | int) -> bytes:
    return b"".join(np.array(value, "<f4" if isinstance(value, float) else "<u4").tobytes() for value in values)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (words(1.0, 3.4e-17), words(1.0, 0.0), True),
        (words(-2e-16, 5), words(3e-18, 5), True),
        (words(1.0), words(1.0000001), False),
        (words(1e-11), words(0.0), False),
        (words(3), words(5), False),
        (words(0x00FF8000), words(0), False),
        (words(0xFF808080), words(0xFF808081), False),
        (words(0.0), words(0.0, 0.0), False),
        (b"abc", b"abd", False),
        (words(1e-17) + b"ab", words(0.0) + b"ab", True),
        (words(1e-17) + b"ab", words(0.0) + b"ac", False),
    ],
)
def test_only_floats_that_are_zero_but_for_rounding_are_the_same(one: bytes, other: bytes, same: bool) -> None:
    assert same_bytes(one, other) is same
    calls = [("a", 0, "", "", {}), ("b", 0, "", "", {"commands": one})]
    assert (first_difference(calls, [calls[0], ("b", 0, "", "", {"commands": other})]) is None) is same
    assert first_difference(calls, [calls[0], ("b", 1, "", "", {"commands": one})]) == 1
