"""What must not matter: the number of threads, and how triangles are gathered in draws."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from tests.reference.play import Player
from tests.reference.scene import Scene
from tests.reference.scenes import scenes
from tests.reference.test_agreement import SETTINGS


def same(one: Player, other: Player) -> None:
    for expected, found in zip(one.stored(), other.stored(), strict=True):
        np.testing.assert_array_equal(found, expected)


@settings(SETTINGS, max_examples=50)
@given(scenes())
def test_one_thread_and_two_draw_the_same_bytes(scene: Scene) -> None:
    one, two = (Player(scene, threads) for threads in (1, 2))
    for player in (one, two):
        for draw in scene.draws:
            player.draw(draw)
    same(one, two)


@settings(SETTINGS, max_examples=50)
@given(scenes())
def test_triangles_of_one_draw_equal_draws_of_one_triangle(scene: Scene) -> None:
    """All with the state of the first draw: order within a draw is the order of its triangles."""
    first = scene.draws[0]
    alone, together = Player(scene), Player(scene)
    for draw in scene.draws:
        alone.draw(type(first)(first.states, first.stages, first.textures, draw.vertices))
    together.draw(first, *scene.draws[1:])
    same(alone, together)
