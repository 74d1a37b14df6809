"""Random scenes: the states that matter to the pixel half, over small triangles.

A scene is read off a string of random bytes, which Hypothesis makes and shrinks: drawing each of some 400 choices through it
would take longer than the comparison, and favour zeros.

Left out, because the documents leave them open: BLENDTEXTUREALPHA(PM) without a texture; ALPHAOP DISABLE with another
destination than CURRENT; SRCALPHASAT as destination factor.  Where they leave open what PREMODULATE, operations 18 to 24 on
alpha, DITHERENABLE and ZBIAS do exactly, the reference does what was decided (docs/decisions.md,
core/pipeline/pixel/combine.py).
Bump maps are not filtered, and what they bend has no mip levels: float32 differences of its coordinates decide there.
Derivatives, which are implementation defined, are those of the pixel itself, also under perspective.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from core.spec.enums import Blend, BlendOp, CmpFunc, FogMode, StencilOp, TextureAddress, TextureOp
from tests.reference import dxt, formats
from tests.reference.scene import Draw, Scene
from tests.reference.stages import BUMPS
from tests.reference.texture import Texture, level_bytes
from tests.reference.vertex import Vertex

SCENE_BYTES = 1750


class Dice:
    """Choices from bytes."""

    def __init__(self, entropy: bytes) -> None:
        self.entropy, self.at = entropy, 0

    def number(self, low: int, high: int, size: int = 2) -> int:
        """low..high, both included."""
        taken = self.entropy[self.at : self.at + size]
        assert len(taken) == size, "SCENE_BYTES is too small"
        self.at += size
        return low + int.from_bytes(taken, "little") % (high - low + 1)

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.number(0, len(options) - 1)]

    def color(self) -> int:
        return self.number(0, 0xFFFFFFFF, 4)

    def unit(self) -> float:
        return self.number(0, 1000) / 1000

    def once_in(self, count: int) -> bool:
        return self.number(0, count - 1) == count - 1


COMPARE = [*CmpFunc, *[CmpFunc.ALWAYS] * 5, CmpFunc.LESSEQUAL, CmpFunc.GREATEREQUAL]
STENCIL_OPS = list(StencilOp)
CHOICES: dict[str, Sequence[int | float]] = {
    "CULLMODE": (1, 1, 1, 1, 1, 1, 2, 3),
    "SHADEMODE": (2, 2, 2, 1),
    "SPECULARENABLE": (0, 0, 1),
    "FOGENABLE": (0, 0, 1),
    "FOGTABLEMODE": list(FogMode),
    "FOGDENSITY": (0.1, 1.0, 3.5),
    "ALPHATESTENABLE": (0, 0, 1),
    "ALPHAFUNC": COMPARE,
    "ZENABLE": (0, 1, 1),
    "ZWRITEENABLE": (0, 1, 1),
    "ZFUNC": COMPARE,
    "STENCILENABLE": (0, 1),
    "STENCILFUNC": COMPARE,
    "STENCILMASK": (0xFFFFFFFF, 0xFF, 0x0F, 0x81),
    "STENCILWRITEMASK": (0xFFFFFFFF, 0xFF, 0xF0, 0x3C),
    "STENCILFAIL": STENCIL_OPS,
    "STENCILZFAIL": STENCIL_OPS,
    "STENCILPASS": STENCIL_OPS,
    "ALPHABLENDENABLE": (0, 1),
    "SRCBLEND": list(Blend),
    "DESTBLEND": [b for b in Blend if b < Blend.SRCALPHASAT],
    "BLENDOP": (*BlendOp, BlendOp.ADD, BlendOp.ADD),
    "COLORWRITEENABLE": (15, 15, 15, 15, 7, 8, 5),
    "DITHERENABLE": (0, 0, 1),
    "ZBIAS": (0, 0, 0, 1, 5, 16),
}

ALIKE = [op for op in TextureOp if TextureOp.SELECTARG1 <= op <= TextureOp.BLENDCURRENTALPHA] + [
    TextureOp.MULTIPLYADD, TextureOp.LERP,
]  # fmt: skip
COLOR_ONLY = [op for op in TextureOp if TextureOp.MODULATEALPHA_ADDCOLOR <= op <= TextureOp.MODULATEINVCOLOR_ADDALPHA]
COLOR_OPS = [*ALIKE, *COLOR_ONLY, TextureOp.DOTPRODUCT3, TextureOp.PREMODULATE, TextureOp.PREMODULATE]
ALPHA_OPS = [*ALIKE, TextureOp.DISABLE, TextureOp.PREMODULATE, *COLOR_ONLY, *BUMPS, TextureOp.DOTPRODUCT3]
NEEDS_TEXTURE = (TextureOp.BLENDTEXTUREALPHA, TextureOp.BLENDTEXTUREALPHAPM)
SAMPLING: dict[str, Sequence[int | float]] = {
    "TEXCOORDINDEX": (0, 1),
    "ADDRESSU": list(TextureAddress),
    "ADDRESSV": list(TextureAddress),
    "MAGFILTER": (1, 2),
    "MINFILTER": (1, 2, 3),
    "MAXANISOTROPY": (1, 2, 3, 16),
    "MIPFILTER": (0, 1, 2),
    "MIPMAPLODBIAS": (0.0, 0.0, -0.7, 1.3),
    "MAXMIPLEVEL": (0, 0, 0, 1),
}
COLOR_TEXTURES = [*formats.TEXTURES, *dxt.BLOCK_BYTES]
NO_STAGE = {"COLOROP": TextureOp.DISABLE, "ALPHAOP": TextureOp.DISABLE}


def render_states(dice: Dice) -> dict[str, int | float]:
    states = {name: dice.pick(options) for name, options in CHOICES.items()}
    states |= {name: dice.color() for name in ("TEXTUREFACTOR", "FOGCOLOR")}
    states |= {name: dice.unit() for name in ("FOGSTART", "FOGEND")}
    return states | {"ALPHAREF": dice.number(0, 0x1FF), "STENCILREF": dice.number(0, 255)}


def operation(dice: Dice, options: Sequence[int], texture: bool) -> int:
    return dice.pick([op for op in options if texture or op not in NEEDS_TEXTURE])


def stage_states(dice: Dice, last: bool, texture: bool) -> dict[str, int | float]:
    """One stage; `texture`: one is bound there."""
    stage: dict[str, int | float] = {
        "COLOROP": operation(dice, COLOR_OPS, texture),
        "ALPHAOP": operation(dice, ALPHA_OPS, texture),
    }
    for name in ("ARG1", "ARG2", "ARG0"):
        for half in ("COLOR", "ALPHA"):
            stage[half + name] = dice.pick((0, 1, 2, 2, 2, 3, 4, 5)) | dice.pick((0, 0, 0, 16, 32, 48))
    stage["RESULTARG"] = 1 if last or stage["ALPHAOP"] == TextureOp.DISABLE else dice.pick((1, 1, 5))
    if texture:
        stage |= {name: dice.pick(options) for name, options in SAMPLING.items()} | {"BORDERCOLOR": dice.color()}
    return stage


def bump_stage(dice: Dice, stage: dict[str, int | float]) -> dict[str, int | float]:
    """A stage that bends the coordinates of the next, from texels not filtered."""
    matrix = {"BUMPENVMAT" + place: dice.number(-100, 100) / 100 for place in ("00", "01", "10", "11")}
    light = {"BUMPENVLSCALE": dice.number(0, 200) / 100, "BUMPENVLOFFSET": dice.number(-50, 50) / 100}
    op = dice.pick(BUMPS)
    plain = {"COLOROP": op, "ALPHAOP": TextureOp.SELECTARG1, "ALPHAARG1": 1, "RESULTARG": 1, "MAGFILTER": 1, "MINFILTER": 1}
    return stage | plain | matrix | light | {"MIPFILTER": dice.pick((0, 1))}


def texture(dice: Dice, mipped: bool, kinds: Sequence[int] = COLOR_TEXTURES) -> Texture:
    """Noise in any format; with a full chain of mip levels if asked for."""
    format = dice.pick(kinds)
    width, height = dice.pick((4, 8, 16)), dice.pick((4, 8, 16))
    noise = random.Random(dice.number(0, 999))
    count = max(width, height).bit_length() if mipped else 1
    sizes = [(max(width >> level, 1), max(height >> level, 1)) for level in range(count)]
    return Texture(format, width, height, tuple(noise.randbytes(level_bytes(format, *size)) for size in sizes))


def vertices(dice: Dice, width: int, height: int, affine: bool, size: int = 40) -> tuple[Vertex, Vertex, Vertex]:
    """Around a point of the target, `size` pixels apart at most; on the subpixel grid or off it.

    Thousandths never lie midway between two points of the grid.  Every third triangle has one depth.
    """
    grid = dice.pick((1, 16, 256, 1000))
    x, y = dice.number(0, width), dice.number(0, height)
    reach = size * grid // 2
    flat, z = dice.once_in(3), dice.unit()
    corners = []
    for _ in range(3):
        place = x + dice.number(-reach, reach) / grid, y + dice.number(-reach, reach) / grid, z if flat else dice.unit()
        rhw, diffuse, specular = 1.0 if affine else dice.number(2, 20) / 10, dice.color(), dice.color()
        sets = (coordinates(dice), coordinates(dice))
        corners.append(Vertex((*place, rhw), diffuse=diffuse, specular=specular, coordinates=sets))
    return corners[0], corners[1], corners[2]


def coordinates(dice: Dice) -> tuple[float, float]:
    """Out of the texture too; not on the boundaries between its texels."""
    return dice.number(-150, 250) / 97, dice.number(-150, 250) / 97


def triangle(dice: Dice, width: int, height: int) -> Draw:
    """With one to three stages and up to two textures."""
    affine, mipped = dice.once_in(2), dice.once_in(2)
    count = dice.number(1, 3)
    bound = [texture(dice, mipped) if number < 2 and not dice.once_in(3) else None for number in range(count)]
    stages = [stage_states(dice, number == count - 1, made is not None) for number, made in enumerate(bound)]
    if count > 1 and all(bound[:2]) and dice.once_in(3):
        bound[0] = texture(dice, mipped, [*formats.BUMPS])
        stages[:2] = bump_stage(dice, stages[0]), stages[1] | {"MINFILTER": stages[1]["MAGFILTER"], "MIPFILTER": 0}
    return Draw(render_states(dice), (*stages, NO_STAGE), (*bound, None), vertices(dice, width, height, affine, 24))


def scene(entropy: bytes) -> Scene:
    """16x16 to 32x32 pixels, one to four triangles."""
    dice = Dice(entropy)
    width, height = dice.number(16, 32), dice.number(16, 32)
    return Scene(
        width, height, dice.pick([*formats.TARGETS]), dice.pick((*formats.DEPTHS, 75, 75, None)),
        (dice.color(), dice.unit(), dice.pick((0, 0xFF, dice.number(0, 255)))),
        tuple(triangle(dice, width, height) for _ in range(dice.number(1, 4))),
    )  # fmt: skip


def assembled(dice: Dice, sides: tuple[int, int], most: int, make: Callable[[Dice, int, int], Draw]) -> Scene:
    """A scene of one to `most` draws; sides: least and greatest width and height."""
    width, height = dice.number(*sides), dice.number(*sides)
    clear = dice.color(), dice.unit(), dice.number(0, 255)
    draws = tuple(make(dice, width, height) for _ in range(dice.number(1, most)))
    return Scene(width, height, dice.pick([*formats.TARGETS]), dice.pick((*formats.DEPTHS, None)), clear, draws)


PLAIN_STATES = {
    "CULLMODE": 1, "SHADEMODE": 2, "SPECULARENABLE": 0, "FOGENABLE": 0, "ALPHATESTENABLE": 0, "ZENABLE": 0, "STENCILENABLE": 0,
    "ALPHABLENDENABLE": 0, "COLORWRITEENABLE": 15, "TEXTUREFACTOR": 0xFFFFFFFF,
}  # fmt: skip
PLAIN_STAGE = {"COLOROP": TextureOp.SELECTARG1, "ALPHAOP": TextureOp.SELECTARG1, "COLORARG1": 3, "ALPHAARG1": 3, "RESULTARG": 1}


def shape(entropy: bytes) -> Scene:
    """A white triangle on black, sometimes culled; nothing else."""
    dice = Dice(entropy)
    width, height = dice.number(16, 32), dice.number(16, 32)
    states = PLAIN_STATES | {"CULLMODE": dice.pick(CHOICES["CULLMODE"])}
    corners = vertices(dice, width, height, True, dice.pick((6, 20, 60)))
    return Scene(width, height, 21, None, (0, 1.0, 0), (Draw(states, (PLAIN_STAGE, NO_STAGE), (None, None), corners),))


def scenes() -> st.SearchStrategy[Scene]:
    return st.binary(min_size=SCENE_BYTES, max_size=SCENE_BYTES).map(scene)


def shapes() -> st.SearchStrategy[Scene]:
    return st.binary(min_size=160, max_size=160).map(shape)
