"""Random lines: flat, steep, diagonal and short; patterns, last pixels, antialiasing; transformed and untransformed."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.reference.coverage import SUBPIXEL, snap
from tests.reference.pictures import no_stage
from tests.reference.scene import Draw, Scene
from tests.reference.scenes import Dice, assembled, render_states, texture
from tests.reference.segments import HALF
from tests.reference.vertex import PROJECTION, Vertex
from tests.reference.worlds import STATES, sampled_by, vertex, world

LINE_BYTES = 5000
End = tuple[float, float]


def is_clear(place: End) -> bool:
    """Whether an end is on no diamond's border."""
    x, y = (Fraction(c, SUBPIXEL) for c in snap(*place))
    return abs(x - math.floor(x + HALF)) + abs(y - math.floor(y + HALF)) != HALF


def line_ends(dice: Dice, width: int, height: int) -> tuple[End, End]:
    """On the subpixel grid, a few of them beside the target; flat, steep, diagonal, short."""
    grid = dice.pick((1, 2, 16, 256))

    def near(x: float, y: float, reach: int) -> End:
        found = x + dice.number(-reach * grid, reach * grid) / grid, y + dice.number(-reach * grid, reach * grid) / grid
        return found if is_clear(found) else (found[0] + 1 / 64, found[1])

    first = near(dice.number(0, width), dice.number(0, height), 4)
    last = near(*first, dice.pick((1, 3, 12, 30)))
    if dice.once_in(5):
        along = dice.number(-20, 20)
        last = first[0] + along, first[1] + dice.pick((along, -along, 0))
    return first, last if snap(*last) != snap(*first) else (last[0] + 3, last[1])


def line(dice: Dice, width: int, height: int) -> Draw:
    states = render_states(dice) | {name: dice.pick(options) for name, options in STATES.items()} | {"AMBIENT": dice.color()}
    states |= {"ALPHATESTENABLE": 0, "LIGHTING": 0, "VERTEXBLEND": 0, "FOGENABLE": 0, "LASTPIXEL": dice.number(0, 1)}
    states |= {"LINEPATTERN": dice.pick((0, 0, dice.color() & 0xFFFF0003)), "EDGEANTIALIAS": dice.pick((0, 0, 1))}
    there = world(dice, width, height)
    transformed = dice.once_in(2)
    if transformed or not there.matrices[PROJECTION][2, 3]:
        states["ZENABLE"] = int(states["ZENABLE"] != 0)
    shape = Vertex((0.0, 0.0, 0.0), diffuse=0, specular=0, coordinates=((0.0, 0.0),))
    stages, textures = (sampled_by(dice), no_stage()), (None if dice.once_in(3) else texture(dice, dice.once_in(2)), None)
    draw, made = Draw(states, stages, textures, (), there), []
    for at in line_ends(dice, width, height):
        one = vertex(dice, draw, shape, at)
        if transformed:
            place = (*at, dice.unit(), dice.number(2, 20) / 10)
            one = Vertex(place, diffuse=one.diffuse, specular=one.specular, coordinates=one.coordinates)
        made.append(one)
    return Draw(states, stages, textures, tuple(made), there)


def line_scene(entropy: bytes) -> Scene:
    """20x20 to 40x40 pixels, one to six lines."""
    return assembled(Dice(entropy), (20, 40), 6, line)
