"""Random scenes of untransformed vertices: matrices, blending, lights, fog of all kinds, generated and transformed coordinates.

Corners are chosen on the screen, on a grid that float32 cannot miss, at a distance within the view volume; the positions that
are sent are what the matrices make of them backwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.spec.enums import FogMode, LightType, TextureCoordinateSource, TextureOp
from tests.reference import formats
from tests.reference.lighting import Light, Material
from tests.reference.pictures import PROJECTED, no_stage
from tests.reference.scene import Draw, Scene
from tests.reference.scenes import SAMPLING, Dice, assembled, render_states, texture
from tests.reference.vertex import PROJECTION, TEXTURE_0, VIEW, WORLD, Vertex, World, blended_matrix

WORLD_BYTES = 6000
NEAR, FAR = 1.0, 9.0
STATES: dict[str, Sequence[int | float]] = {
    "LIGHTING": (0, 1, 1), "COLORVERTEX": (0, 1, 1), "LOCALVIEWER": (0, 1), "NORMALIZENORMALS": (0, 1),
    "DIFFUSEMATERIALSOURCE": (0, 1, 1, 2), "SPECULARMATERIALSOURCE": (0, 1, 2, 2), "AMBIENTMATERIALSOURCE": (0, 0, 1, 2),
    "EMISSIVEMATERIALSOURCE": (0, 0, 0, 1, 2), "FOGVERTEXMODE": list(FogMode), "RANGEFOGENABLE": (0, 1),
    "FOGTABLEMODE": (0, 0, 0, *FogMode), "FOGSTART": (0.0, 0.3, 1.5, 4.0), "FOGEND": (0.7, 1.0, 4.0, 8.0),
    "VERTEXBLEND": (0, 0, 0, 1, 2, 3, 256), "INDEXEDVERTEXBLENDENABLE": (0, 1), "SPECULARENABLE": (0, 1, 1),
    "ZENABLE": (0, 1, 1, 2),
}  # fmt: skip
SOURCES = [*TextureCoordinateSource]


def number(dice: Dice, low: float, high: float) -> float:
    """A float32."""
    return float(np.float32(low + (high - low) * dice.number(0, 60000) / 60000))


def color(dice: Dice, most: float = 1.0) -> formats.Color:
    return number(dice, 0, most), number(dice, 0, most), number(dice, 0, most), number(dice, 0, 1)


def vector(dice: Dice, size: float) -> tuple[float, float, float]:
    return number(dice, -size, size), number(dice, -size, size), number(dice, -size, size)


def affine(dice: Dice, bend: float, shift: float) -> np.ndarray:
    """Near the identity, rotated a little and moved; float32 values."""
    angle = number(dice, -0.5, 0.5)
    turn = np.eye(4)
    turn[:2, :2] = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    noise = np.array([vector(dice, bend) for _ in range(3)])
    turn[:3, :3] += noise
    turn[3, :3] = vector(dice, shift)
    return turn.astype(np.float32)


def projection_matrix(dice: Dice) -> np.ndarray:
    """A perspective or a parallel projection of depths NEAR to FAR."""
    m = np.zeros((4, 4), np.float32)
    m[0, 0], m[1, 1] = number(dice, 0.5, 2), number(dice, 0.5, 2)
    if dice.once_in(3):
        m[2, 2], m[3, 2], m[3, 3] = 1 / (FAR - NEAR), -NEAR / (FAR - NEAR), 1
    else:
        m[2, 2], m[3, 2], m[2, 3] = FAR / (FAR - NEAR), -NEAR * FAR / (FAR - NEAR), 1
    return m


def light(dice: Dice) -> Light:
    return Light(
        dice.pick(list(LightType)), color(dice), color(dice), color(dice, 0.3), vector(dice, 6), vector(dice, 1),
        number(dice, 4, 30), number(dice, 0, 3), (number(dice, 0.2, 1), number(dice, 0, 0.2), number(dice, 0, 0.1)),
        number(dice, 0.1, 1.0), number(dice, 1.2, 3.0),
    )  # fmt: skip


def material(dice: Dice) -> Material:
    return Material(color(dice), color(dice), color(dice), color(dice, 0.3), dice.pick((0.0, 1.0, 5.5, 20.0)))


def world(dice: Dice, width: int, height: int) -> World:
    left, top = dice.number(0, 5), dice.number(0, 5)
    near, far = dice.pick(((0.0, 1.0), (0.0, 1.0), (0.25, 0.75), (0.9, 0.1)))
    matrices = {VIEW: affine(dice, 0.2, 1.0), PROJECTION: projection_matrix(dice)}
    matrices |= {WORLD + k: affine(dice, 0.2, 0.5) for k in (0, 1, 2, 3, 9)}
    matrices |= {TEXTURE_0 + k: texture_matrix(dice) for k in range(2)}
    lights = tuple(light(dice) for _ in range(dice.number(0, 3)))
    viewport = (left, top, width - left - dice.number(0, 5), height - top - dice.number(0, 5), near, far)
    return World(viewport, matrices, lights, material(dice))


def texture_matrix(dice: Dice) -> np.ndarray:
    """What the third and fourth columns make stays away from zero for the coordinates that are projected here."""
    m = affine(dice, 0.3, 0.4)
    m[:, 2:] = 0.0
    for row, size in ((0, 0.1), (1, 0.1), (2, 0.1)):
        m[row, 2:] = number(dice, -size, size), number(dice, -size, size)
    m[2, 2:] += 1.0
    m[3, 2:] = 0.5, 1.0
    return m


def flags(dice: Dice, source: int, size: int) -> int:
    """TEXTURETRANSFORMFLAGS; projected where the divisor is safe: passed on with two numbers, or a place in eye space."""
    options = [0, 1, 2, 3, 4]
    if source == TextureCoordinateSource.CAMERASPACEPOSITION:
        options += [3 | PROJECTED, 4 | PROJECTED]
    elif source == TextureCoordinateSource.PASSTHRU and size == 2:
        options += [3 | PROJECTED]
    return dice.pick(options)


def stage(dice: Dice, last: bool, sizes: Sequence[int]) -> dict[str, int | float]:
    made = {name: dice.pick(options) for name, options in SAMPLING.items()} | {"BORDERCOLOR": dice.color()}
    source, index = dice.pick(SOURCES), dice.number(0, 1)
    made |= {"TEXCOORDINDEX": int(source) | index, "TEXTURETRANSFORMFLAGS": flags(dice, source, sizes[index]), "RESULTARG": 1}
    made |= {"COLOROP": TextureOp.ADDSIGNED if last else TextureOp.MODULATE2X, "ALPHAOP": TextureOp.MODULATE}
    return made | {
        "COLORARG1": 2,
        "COLORARG2": dice.pick((1, 4)),
        "COLORARG0": 1,
        "ALPHAARG1": 2,
        "ALPHAARG2": 1,
        "ALPHAARG0": 1,
    }


def sampled_by(dice: Dice) -> dict[str, int | float]:
    """The stage of a point: the vertex's own coordinates."""
    return stage(dice, True, (2, 2)) | {"TEXCOORDINDEX": 0, "TEXTURETRANSFORMFLAGS": 0}


def vertex(
    dice: Dice, draw: Draw, shape: Vertex, at: tuple[float, float], depths: tuple[float, float] = (NEAR + 0.1, FAR - 0.5)
) -> Vertex:
    """Like `shape` where the screen has `at`, at a depth between two in eye space."""
    m = draw.world.matrix(PROJECTION)
    made = Vertex(
        (0.0, 0.0, 0.0), tuple(number(dice, 0, 0.4) for _ in shape.weights),
        None if shape.indices is None else (dice.pick((0, 1, 9)), 2, dice.pick((3, 9)), 0),
        None if shape.normal is None else vector(dice, 1.2), shape.size, None if shape.diffuse is None else dice.color(),
        None if shape.specular is None else dice.color(),
        tuple(tuple(dice.number(-150, 250) / 97 for _ in one) for one in shape.coordinates),
    )  # fmt: skip
    left, top, width, height, _, _ = draw.world.viewport
    depth = number(dice, *depths)
    w = depth * m[2, 3] + m[3, 3]
    eye = [((at[0] - left) * 2 / width - 1) * w / m[0, 0], (1 - (at[1] - top) * 2 / height) * w / m[1, 1], depth, 1.0]
    place = np.array(eye) @ np.linalg.inv(blended_matrix(draw, made) @ draw.world.matrix(VIEW))
    x, y, z = (float(c) for c in place[:3].astype(np.float32))
    return Vertex((x, y, z), *(getattr(made, name) for name in MEMBERS))


MEMBERS = ("weights", "indices", "normal", "size", "diffuse", "specular", "coordinates")


def vertex_shape(dice: Dice, states: dict[str, int | float]) -> Vertex:
    """Which members the vertices of a draw have."""
    blending, indexed = int(states["VERTEXBLEND"]), bool(states["INDEXEDVERTEXBLENDENABLE"])
    count = blending if blending < 4 else 0
    more = dice.number(0, 1) if count < 3 else 0
    return Vertex(
        (0.0, 0.0, 0.0), (0.0,) * (count + more) if blending else (), (0, 0, 0, 0) if indexed and blending else None,
        None if dice.once_in(4) else (0.0, 0.0, 0.0), None, None if dice.once_in(4) else 0, None if dice.once_in(3) else 0,
        tuple((0.0,) * dice.pick((2, 2, 1, 3, 4)) for _ in range(dice.number(0, 2))),
    )  # fmt: skip


def solid(dice: Dice, width: int, height: int) -> Draw:
    """A triangle with up to two textures."""
    states = render_states(dice) | {name: dice.pick(options) for name, options in STATES.items()} | {"AMBIENT": dice.color()}
    states |= {"ALPHATESTENABLE": 0, "FOGDENSITY": dice.pick((0.05, 0.2, 1.0))}
    there = world(dice, width, height)
    if not there.matrices[PROJECTION][2, 3]:
        states["ZENABLE"] = int(states["ZENABLE"] != 0)  # no w to buffer
    shape = vertex_shape(dice, states)
    sizes = [len(one) for one in shape.coordinates] + [0, 0]
    count = dice.number(0, 2)
    stages = tuple(stage(dice, n == count - 1, sizes) for n in range(count))
    textures = tuple(texture(dice, dice.once_in(2)) for _ in range(count))
    draw = Draw(states, (*stages, no_stage()), (*textures, None), (), there)
    x, y = dice.number(4, width - 4), dice.number(4, height - 4)
    corners = tuple(
        vertex(dice, draw, shape, (x + dice.number(-224, 224) / 16, y + dice.number(-224, 224) / 16)) for _ in range(3)
    )
    return Draw(states, draw.stages, draw.textures, corners, there)


def world_scene(entropy: bytes) -> Scene:
    """20x20 to 40x40 pixels, one to three triangles."""
    return assembled(Dice(entropy), (20, 40), 3, solid)
