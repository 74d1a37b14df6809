"""What several things hold together."""

from __future__ import annotations

import numpy as np

from inspector.timeline.held import Held


def test_what_is_shared_counts_once_and_until_the_last_holder_goes() -> None:
    held, shared, own = Held(), np.zeros(100, np.uint8), np.zeros(30, np.uint8)
    held.hold("a", [shared])
    held.hold("b", [shared, own, own])
    assert held.size == 130
    held.drop("a")
    assert held.size == 130
    held.drop("b")
    assert held.size == 0
