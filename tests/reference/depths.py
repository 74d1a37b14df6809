"""Random triangles that reach beyond the near and far planes: with and without depth test and CLIPPING, in every viewport.

Untransformed ones are cut always, transformed ones while the depth test is on (docs/decisions.md, Depth clipping).  MinZ and
MaxZ scale what is untransformed, and leave the rest alone.
"""

from __future__ import annotations

from tests.reference.pictures import no_stage
from tests.reference.scene import Draw, Scene
from tests.reference.scenes import Dice, assembled, render_states
from tests.reference.vertex import PROJECTION, Vertex
from tests.reference.worlds import FAR, NEAR, STATES, sampled_by, vertex, world

DEPTH_BYTES = 3000


def deep(dice: Dice, width: int, height: int) -> Draw:
    """A triangle of one, two or three corners out of the depth range, or of none."""
    states = render_states(dice) | {name: dice.pick(options) for name, options in STATES.items()} | {"AMBIENT": dice.color()}
    states |= {"ALPHATESTENABLE": 0, "LIGHTING": 0, "VERTEXBLEND": 0, "ZBIAS": 0, "CULLMODE": 1, "SHADEMODE": 2}
    states |= {"FOGENABLE": 0, "CLIPPING": dice.number(0, 1)}
    there, transformed = world(dice, width, height), dice.once_in(2)
    if transformed or not there.matrices[PROJECTION][2, 3]:
        states["ZENABLE"] = int(states["ZENABLE"] != 0)
    shape = Vertex((0.0, 0.0, 0.0), diffuse=0, specular=0, coordinates=((0.0, 0.0),))
    draw = Draw(states, (sampled_by(dice), no_stage()), (None, None), (), there)
    x, y, made = dice.number(0, width), dice.number(0, height), list[Vertex]()
    for _ in range(3):
        at = x + dice.number(-192, 192) / 16, y + dice.number(-192, 192) / 16
        one = vertex(dice, draw, shape, at, (NEAR - 0.7, FAR + 6.0))
        if transformed:
            place = (*at, dice.number(-700, 1700) / 1000, 1.0)
            one = Vertex(place, diffuse=one.diffuse, specular=one.specular, coordinates=one.coordinates)
        made.append(one)
    return Draw(states, draw.stages, draw.textures, tuple(made), there)


def depth_scene(entropy: bytes) -> Scene:
    """16x16 to 32x32 pixels, one to three triangles."""
    return assembled(Dice(entropy), (16, 32), 3, deep)
