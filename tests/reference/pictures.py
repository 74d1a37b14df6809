"""Random textures of every kind: planes, cubes and volumes of every format; projected and wrapped coordinates; colour keys.

Left out: projections whose divisor comes near zero.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.spec.enums import TextureOp, TextureTransform
from tests.reference import dxt, formats, texels
from tests.reference.scene import Draw, Scene
from tests.reference.scenes import SAMPLING, Dice, assembled, render_states
from tests.reference.texture import Texture, level_bytes
from tests.reference.vertex import Vertex

PICTURE_BYTES = 1500
ALL_FORMATS = [
    *formats.TEXTURES, *formats.MORE_TEXTURES, *formats.WIDE_TEXTURES, *formats.BUMPS, *formats.SIGNED, *texels.PALETTED,
    *texels.VIDEO, *dxt.BLOCK_BYTES,
]  # fmt: skip
UNPALETTED = [format for format in ALL_FORMATS if format not in texels.PALETTED]
PROJECTED, COUNT3, COUNT4 = int(TextureTransform.PROJECTED), 3, 4


def picture(dice: Dice, kinds: Sequence[int] = ALL_FORMATS, shapes: Sequence[str] = ("plane", "cube", "volume")) -> Texture:
    """Noise; with a chain of mip levels or without."""
    format, shape = dice.pick(kinds), dice.pick(shapes)
    shape = "plane" if format in texels.VIDEO and shape == "volume" else shape  # no driver reports such volumes
    sides = (4, 8, 16) if format in dxt.BLOCK_BYTES else (4, 8, 16, 2) if format in texels.VIDEO else (1, 2, 4, 8, 16, 5, 12)
    width = dice.pick(sides)
    height = width if shape == "cube" else dice.pick(sides)
    depth = dice.pick((1, 2, 4, 8)) if shape == "volume" else 0
    noise = random.Random(dice.number(0, 9999))
    most = max(width, height, depth).bit_length() if not (width & width - 1 or height & height - 1) else 1
    count = dice.pick((1, most, dice.number(1, most)))
    if format in texels.VIDEO:
        count = 1
    sizes = [[max(side >> level, 1) for side in (width, height, depth)] for level in range(count)]
    faces = range(6 if shape == "cube" else 1)
    pictures = [tuple(noise.randbytes(level_bytes(format, *size)) for size in sizes) for _ in faces]
    palette = tuple(tuple(noise.randbytes(4)) for _ in range(256)) if format in texels.PALETTED else ()
    return Texture(format, width, height, pictures[0], depth, tuple(pictures[1:]), palette)  # type: ignore[arg-type]


def keyed(dice: Dice, made: Texture) -> Texture:
    """With a colour key that names a part of its texels."""
    if made.format in dxt.BLOCK_BYTES or made.format in texels.VIDEO:
        return made
    last = (1 << 8 * texels.size(made.format)) - 1
    low = dice.color() & last
    return replace(made, key=(low, min(low + last // dice.pick((2, 3, 8)), last)))


def sampled_stage(dice: Dice, last: bool) -> dict[str, int | float]:
    """Shows a texture, alone or added up; any sampling states."""
    stage = {name: dice.pick(options) for name, options in SAMPLING.items()}
    stage |= {"BORDERCOLOR": dice.color(), "MAXMIPLEVEL": dice.pick((0, 0, 0, 1, 2, 9)), "TEXCOORDINDEX": dice.number(0, 1)}
    stage["ADDRESSW"] = dice.number(1, 5)
    stage |= {"COLOROP": TextureOp.SELECTARG1 if last else TextureOp.ADDSIGNED, "ALPHAOP": TextureOp.SELECTARG1, "RESULTARG": 1}
    return stage | {"COLORARG1": 2, "COLORARG2": 1, "COLORARG0": 1, "ALPHAARG1": 2, "ALPHAARG2": 1, "ALPHAARG0": 1}


def projection(dice: Dice, size: int) -> int:
    """TEXTURETRANSFORMFLAGS for coordinates of so many numbers, the last of which is never near zero."""
    options = {2: (0,), 3: (0, COUNT3 | PROJECTED), 4: (0, PROJECTED, COUNT4 | PROJECTED)}[size]
    return dice.pick(options)


def coordinate_set(dice: Dice, size: int) -> tuple[float, ...]:
    """Of 2 to 4 numbers, not on the boundaries between texels; the last of three or four is 0.5 to 2."""
    first = tuple(dice.number(-150, 250) / 97 for _ in range(min(size, 3) if size != 3 else 2))
    return (*first, dice.number(50, 200) / 97)[:size] if size > 2 else first


def mapped(dice: Dice, width: int, height: int) -> Draw:
    """A transformed triangle with one or two textures of any kind."""
    states = render_states(dice) | {"ALPHATESTENABLE": 0, "STENCILENABLE": 0}
    states |= {f"WRAP{n}": dice.pick((0, 0, dice.number(0, 15))) for n in range(2)}
    count, sizes = dice.number(1, 2), [dice.number(2, 4) for _ in range(2)]
    stages = []
    for number in range(count):
        stage = sampled_stage(dice, number == count - 1 and count == 1)
        stages.append(stage | {"TEXTURETRANSFORMFLAGS": projection(dice, sizes[int(stage["TEXCOORDINDEX"])])})
    affine = dice.once_in(2)
    x, y, z = dice.number(0, width), dice.number(0, height), dice.unit()
    vertices = tuple(
        Vertex(
            (x + dice.number(-192, 192) / 16, y + dice.number(-192, 192) / 16, z, 1.0 if affine else dice.number(2, 20) / 10),
            diffuse=dice.color(), specular=dice.color(), coordinates=tuple(coordinate_set(dice, size) for size in sizes),
        )
        for _ in range(3)
    )  # fmt: skip
    textures: list[Texture] = []
    for stage in stages:
        shapes = ("plane", "cube", "volume") if sizes[int(stage["TEXCOORDINDEX"])] > 2 else ("plane",)
        paletted = any(texture.palette for texture in textures)  # a device has one palette at a time
        textures.append(picture(dice, UNPALETTED if paletted else ALL_FORMATS, shapes))
    if dice.once_in(3):
        textures[0] = keyed(dice, textures[0])
        states |= {"COLORKEYENABLE": dice.pick((0, 1, 1)), "COLORKEYBLENDENABLE": dice.number(0, 1)}
        if dice.once_in(4):
            stages[0] |= {"COLORARG1": 0, "ALPHAARG1": 0}  # the diffuse colour; the texture is bound, and no more
    return Draw(states, (*stages, no_stage()), (*textures, None), vertices)


def no_stage() -> dict[str, Any]:
    return {"COLOROP": TextureOp.DISABLE, "ALPHAOP": TextureOp.DISABLE, "TEXTURETRANSFORMFLAGS": 0}


def picture_scene(entropy: bytes) -> Scene:
    """16x16 to 32x32 pixels, one to three triangles."""
    return assembled(Dice(entropy), (16, 32), 3, mapped)
