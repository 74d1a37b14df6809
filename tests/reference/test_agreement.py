"""The emulated device against the reference, over random scenes.

Every draw starts from the words that the device has stored, so that roundings do not add up from draw to draw.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.reference.agreement import Tally, compare
from tests.reference.kinds import KINDS
from tests.reference.play import Player
from tests.reference.scene import Scene, fragments
from tests.reference.scenes import scenes, shapes

SETTINGS = settings(
    derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)  # fmt: skip


def test_random_scenes_agree_with_the_reference() -> None:
    tally = Tally()

    @settings(SETTINGS, max_examples=450)
    @given(scenes())
    def agree(scene: Scene) -> None:
        compare(scene, tally)

    agree()
    assert tally.scenes >= 450 and tally.written > 12000, tally
    assert tally.share_skipped < 0.01, tally.skipped


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("worlds", 60),
        ("pictures", 60),
        ("shaders", 40),
        ("points", 20),
        ("lines", 60),
        ("samples", 25),
        ("patches", 40),
        ("depths", 60),
    ],
)
def test_scenes_of_other_kinds_agree_too(kind: str, count: int) -> None:
    """The first of those that `python -m tests.reference.run` goes through by the thousand."""
    tally, (make, size) = Tally(), KINDS[kind]
    for seed in range(count):
        compare(make(random.Random(seed).randbytes(size)), tally)
    assert tally.scenes == count and tally.written > 600, tally
    assert tally.share_skipped < 0.12, tally.skipped


@settings(SETTINGS, max_examples=150)
@given(shapes())
def test_triangles_cover_the_same_pixels(scene: Scene) -> None:
    player = Player(scene)
    player.draw(scene.draws[0])
    covered = {(int(x), int(y)) for y, x in np.argwhere(player.stored()[0])}
    assert covered == fragments(scene, scene.draws[0]).keys()
