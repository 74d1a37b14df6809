"""The emulated device against the reference, over random scenes.

Every draw starts from the words that the device has stored, so that roundings do not add up from draw to draw.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import HealthCheck, given, note, settings

from tests.reference.agreement import Tally, check
from tests.reference.play import Player
from tests.reference.scene import Scene, fragments
from tests.reference.scenes import scenes, shapes

SETTINGS = settings(
    derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)  # fmt: skip


def compare(scene: Scene, tally: Tally) -> None:
    """Draws a scene both ways."""
    player = Player(scene)
    before = player.stored()
    for number, draw in enumerate(scene.draws):
        player.draw(draw)
        after = player.stored()
        wrong = check(scene, draw, before, after, tally)
        if wrong:
            note(f"{draw} of {dataclasses.replace(scene, draws=())}")
        assert not wrong, f"draw {number}: {len(wrong)} differences: " + "; ".join(wrong[:5])
        before = after
    assert player.driver.findings == []
    tally.scenes += 1


def test_random_scenes_agree_with_the_reference() -> None:
    tally = Tally()

    @settings(SETTINGS, max_examples=450)
    @given(scenes())
    def agree(scene: Scene) -> None:
        compare(scene, tally)

    agree()
    assert tally.scenes >= 450 and tally.written > 12000, tally
    assert tally.share_skipped < 0.01, tally.skipped


@settings(SETTINGS, max_examples=150)
@given(shapes())
def test_triangles_cover_the_same_pixels(scene: Scene) -> None:
    player = Player(scene)
    player.draw(scene.draws[0])
    covered = {(int(x), int(y)) for y, x in np.argwhere(player.stored()[0])}
    assert covered == fragments(scene, scene.draws[0]).keys()
