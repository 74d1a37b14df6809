"""Random multisampled scenes: coverage, depth and stencil by sample, colour by pixel; MULTISAMPLEMASK, MULTISAMPLEANTIALIAS."""

from __future__ import annotations

from dataclasses import replace

from tests.reference.scene import SAMPLES, Draw, Scene
from tests.reference.scenes import SCENE_BYTES, Dice, assembled, triangle

SAMPLED_BYTES = SCENE_BYTES + 100


def sampled(dice: Dice, width: int, height: int) -> Draw:
    """A triangle on several samples."""
    made = triangle(dice, width, height)
    more = {"MULTISAMPLEANTIALIAS": dice.pick((1, 1, 1, 0)), "MULTISAMPLEMASK": dice.pick((0xFFFFFFFF, dice.number(0, 15)))}
    return replace(made, states={**made.states, **more})


def sampled_scene(entropy: bytes) -> Scene:
    """16x16 to 24x24 pixels, one to three triangles."""
    dice = Dice(entropy)
    samples = dice.pick([*SAMPLES])
    return replace(assembled(dice, (16, 24), 3, sampled), samples=samples)
