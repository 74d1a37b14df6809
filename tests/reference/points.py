"""Random points: sizes given, scaled and clamped; sprites; transformed and untransformed."""

from __future__ import annotations

from tests.reference.pictures import no_stage
from tests.reference.scene import Draw, Scene
from tests.reference.scenes import Dice, assembled, render_states, texture
from tests.reference.vertex import PROJECTION, Vertex
from tests.reference.worlds import STATES, sampled_by, vertex, world

POINT_BYTES = 5000


def size(dice: Dice) -> float:
    """In quarters of a pixel, and a little off: edges never fall on pixel centres."""
    return dice.number(0, 90) / 4 + 0.0625


def point_states(dice: Dice) -> dict[str, int | float]:
    least = dice.pick((0.0, 0.0, 3.3125))
    return {
        "POINTSIZE": size(dice), "POINTSIZE_MIN": least, "POINTSIZE_MAX": dice.pick((64.0, 64.0, 9.3125)),
        "POINTSPRITEENABLE": dice.number(0, 1), "POINTSCALEENABLE": dice.number(0, 1), "POINTSCALE_A": dice.pick((0.0, 1.0)),
        "POINTSCALE_B": dice.pick((0.3, 4.0)), "POINTSCALE_C": dice.pick((0.0, 0.7)),
    }  # fmt: skip


def point(dice: Dice, width: int, height: int) -> Draw:
    states = render_states(dice) | {name: dice.pick(options) for name, options in STATES.items()} | {"AMBIENT": dice.color()}
    states |= point_states(dice) | {"ALPHATESTENABLE": 0, "LIGHTING": 0, "VERTEXBLEND": 0, "FOGENABLE": 0}
    there = world(dice, width, height)
    if not there.matrices[PROJECTION][2, 3]:
        states["ZENABLE"] = int(states["ZENABLE"] != 0)
    own, flat = size(dice) if dice.once_in(2) else None, dice.once_in(3)
    shape = Vertex((0.0, 0.0, 0.0), size=own, diffuse=0, specular=0, coordinates=((0.0, 0.0),))
    stages, textures = (sampled_by(dice), no_stage()), (None if flat else texture(dice, dice.once_in(2)), None)
    draw = Draw(states, stages, textures, (), there)
    at = dice.number(0, 16 * width) / 16, dice.number(0, 16 * height) / 16
    made = vertex(dice, draw, shape, at)
    if dice.once_in(2):
        place = (*at, dice.unit(), dice.number(2, 20) / 10)
        made = Vertex(place, size=own, diffuse=made.diffuse, specular=made.specular, coordinates=made.coordinates)
        states["ZENABLE"] = int(states["ZENABLE"] != 0)
    return Draw(states, stages, textures, (made,), there)


def point_scene(entropy: bytes) -> Scene:
    """20x20 to 40x40 pixels, one to six points."""
    return assembled(Dice(entropy), (20, 40), 6, point)
