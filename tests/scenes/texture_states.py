"""Texture stage states: operations, arguments, addressing, filters.  Outcomes are worked out in floats."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import numpy as np

from core.spec.enums import (
    TextureAddress,
    TextureOp,
)
from tests.scenes.kit import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    SIZE,
    TEXTURE,
    WHITE,
    Rgba,
    Stage,
    add,
    argb,
    checkered,
    gray,
    picture,
    scene,
    stage,
    states,
    t,
    vertex,
)

# ---- texture stages --------------------------------------------------------------------------------------------------


A1, A2, A0 = (0.8, 0.9, 0.6, 0.4), (0.4, 1.0, 0.2, 0.6), (0.6, 0.4, 0.8, 0.2)  # texture, diffuse, factor
Formula = Callable[[float, float, float], float]


def mix(a: float) -> Formula:
    return lambda x, y, z: x * a + y * (1 - a)


OPS: dict[TextureOp, Formula] = {
    TextureOp.SELECTARG1: lambda x, y, z: x, TextureOp.SELECTARG2: lambda x, y, z: y, TextureOp.MODULATE: lambda x, y, z: x * y,
    TextureOp.MODULATE2X: lambda x, y, z: 2 * x * y, TextureOp.MODULATE4X: lambda x, y, z: 4 * x * y,
    TextureOp.ADD: lambda x, y, z: x + y, TextureOp.ADDSIGNED: lambda x, y, z: x + y - 0.5,
    TextureOp.ADDSIGNED2X: lambda x, y, z: 2 * (x + y - 0.5), TextureOp.SUBTRACT: lambda x, y, z: x - y,
    TextureOp.ADDSMOOTH: lambda x, y, z: x + y - x * y, TextureOp.BLENDDIFFUSEALPHA: mix(A2[3]),
    TextureOp.BLENDTEXTUREALPHA: mix(A1[3]), TextureOp.BLENDFACTORALPHA: mix(A0[3]),
    TextureOp.BLENDTEXTUREALPHAPM: lambda x, y, z: x + y * (1 - A1[3]), TextureOp.BLENDCURRENTALPHA: mix(A2[3]),
    TextureOp.MODULATEALPHA_ADDCOLOR: lambda x, y, z: x + A1[3] * y,
    TextureOp.MODULATECOLOR_ADDALPHA: lambda x, y, z: x * y + A1[3],
    TextureOp.MODULATEINVALPHA_ADDCOLOR: lambda x, y, z: (1 - A1[3]) * y + x,
    TextureOp.MODULATEINVCOLOR_ADDALPHA: lambda x, y, z: (1 - x) * y + A1[3],
    TextureOp.DOTPRODUCT3: lambda x, y, z: 4 * sum((a - 0.5) * (b - 0.5) for a, b in zip(A1[:3], A2[:3], strict=True)),
    TextureOp.MULTIPLYADD: lambda x, y, z: z + x * y, TextureOp.LERP: lambda x, y, z: z * x + (1 - z) * y,
}  # fmt: skip


def _texture_op(op: TextureOp) -> None:
    """Argument 1 is the texture, 2 the diffuse colour, 0 the texture factor; in stage 0 the current colour is the diffuse."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "A8R8G8B8", 1, 1)
        scene.fill(TEXTURE, struct.pack("<I", argb(A1)))
        args = {"COLORARG1": 2, "COLORARG2": 0, "COLORARG0": 3, "ALPHAOP": 2, "ALPHAARG1": 0}
        scene.tokens(states(TEXTUREFACTOR=argb(A0)), stage(0, TEXTUREMAP=TEXTURE, COLOROP=op, **args))
        scene.quad(color=argb(A2), textured=True)
        color = [OPS[op](x, y, z) for x, y, z in zip(A1[:3], A2[:3], A0[:3], strict=True)]
        alpha = color[0] if op == TextureOp.DOTPRODUCT3 else A2[3]  # it goes to all four channels
        scene.sees(picture(ground=argb((*color, alpha))), tolerance=1)

    add(f"states/COLOROP {op.name}", make, "stage_state:COLOROP", f"value:TextureOp.{op.name}")


for _texture in OPS:
    _texture_op(_texture)


@scene("states/COLOROP DISABLE", "stage_state:COLOROP", "value:TextureOp.DISABLE")
def disabled(scene: Stage) -> None:
    """The stage and all after it do nothing."""
    checkered(scene)
    scene.tokens(stage(0, COLOROP=TextureOp.DISABLE), stage(1, COLOROP=2, COLORARG1=3))
    scene.quad(color=GREEN, textured=True)
    scene.sees(picture(ground=GREEN))


@scene("states/COLOROP PREMODULATE", "stage_state:COLOROP", "value:TextureOp.PREMODULATE")
def premodulate(scene: Stage) -> None:
    """It selects argument 1, for the next stage to multiply by its texture; without a texture there nothing else happens."""
    checkered(scene)
    scene.tokens(stage(0, COLOROP=TextureOp.PREMODULATE), stage(1, COLOROP=TextureOp.DISABLE))
    scene.quad(textured=True)
    scene.sees(picture(((0, 0, 32, 32), RED), ((32, 0, 64, 32), GREEN), ((0, 32, 32, 64), BLUE), ((32, 32, 64, 64), WHITE)))


def _bump(op: TextureOp) -> None:
    """Stage 0 moves the coordinates of stage 1 by a quarter: from red to green."""

    def make(scene: Stage) -> None:
        luminance = op == TextureOp.BUMPENVMAPLUMINANCE
        scene.surface(TEXTURE, "X8L8V8U8" if luminance else "V8U8", 1, 1)
        scene.fill(TEXTURE, struct.pack("<I", 0x00FF007F) if luminance else struct.pack("<2b", 127, 0))
        scene.surface(TEXTURE + 1, "A8R8G8B8", 4, 1)
        scene.fill(TEXTURE + 1, struct.pack("<4I", RED, GREEN, GREEN, GREEN))
        scene.tokens(
            stage(0, TEXTUREMAP=TEXTURE, COLOROP=op, COLORARG1=2, COLORARG2=1, ALPHAOP=2, ALPHAARG1=1, BUMPENVMAT00=0.25,
                  BUMPENVLSCALE=1.0),
            stage(1, TEXTUREMAP=TEXTURE + 1, COLOROP=2, COLORARG1=2, ALPHAOP=2, ALPHAARG1=1, ADDRESSU=3, TEXCOORDINDEX=0),
        )  # fmt: skip
        box = (0, 0, 16, SIZE)
        left = [vertex(x, y, WHITE, 0.5, (x / 64, y / 64)) for y in (box[1], box[3]) for x in (box[0], box[2])]
        scene.tokens(
            t("SETVERTEXSHADER", shader=0x144), t("SETSTREAMSOURCEUM", stride=28),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=left, stride=28,
        )  # fmt: skip
        scene.sees(picture((box, GREEN)), tolerance=1)

    covers = ("BUMPENVMAT00", "BUMPENVLSCALE")
    add(f"states/COLOROP {op.name}", make, f"value:TextureOp.{op.name}", *(f"stage_state:{name}" for name in covers))


_bump(TextureOp.BUMPENVMAP)
_bump(TextureOp.BUMPENVMAPLUMINANCE)

ARGUMENTS = {"DIFFUSE": (0, A2), "CURRENT": (1, A2), "TEXTURE": (2, A1), "TFACTOR": (3, A0)}


def _argument(name: str, flags: int, change: Callable[[Rgba], Sequence[float]]) -> None:
    def make(scene: Stage) -> None:
        number, color = ARGUMENTS[name]
        scene.surface(TEXTURE, "A8R8G8B8", 1, 1)
        scene.fill(TEXTURE, struct.pack("<I", argb(A1)))
        args = {"COLORARG1": number | flags, "ALPHAOP": 2, "ALPHAARG1": number | flags}
        scene.tokens(states(TEXTUREFACTOR=argb(A0)), stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, **args))
        scene.quad(color=argb(A2), textured=True)
        scene.sees(picture(ground=argb(change(color))), tolerance=1)

    suffix = {0: "", 16: " COMPLEMENT", 32: " ALPHAREPLICATE"}[flags]
    add(f"states/COLORARG {name}{suffix}", make, "stage_state:COLORARG1", "stage_state:ALPHAARG1", f"value:TextureArg.{name}")


for _name in ARGUMENTS:
    _argument(_name, 0, lambda c: c)
    _argument(_name, 16, lambda c: [1 - x for x in c])
    _argument(_name, 32, lambda c: [c[3]] * 4)


@scene("states/RESULTARG", "stage_state:RESULTARG", "value:TextureArg.TEMP")
def result_argument(scene: Stage) -> None:
    """Stage 0 puts its result aside; stage 1 adds it to the diffuse colour."""
    checkered(scene)
    scene.tokens(
        states(TEXTUREFACTOR=0xFF200000), stage(0, COLORARG1=3, RESULTARG=5),
        stage(1, COLOROP=TextureOp.ADD, COLORARG1=5, COLORARG2=1, ALPHAOP=2, ALPHAARG1=1),
    )  # fmt: skip
    scene.quad(color=0xFF004000, textured=True)
    scene.sees(picture(ground=0xFF204000))


# ---- sampling --------------------------------------------------------------------------------------------------------

ADDRESS: dict[TextureAddress, Callable[[int], int]] = {
    TextureAddress.WRAP: lambda i: i % 4, TextureAddress.MIRROR: lambda i: i % 4 if i // 4 % 2 == 0 else 3 - i % 4,
    TextureAddress.CLAMP: lambda i: min(max(i, 0), 3), TextureAddress.BORDER: lambda i: i if 0 <= i < 4 else 4,
    TextureAddress.MIRRORONCE: lambda i: min(i if i >= 0 else -1 - i, 3),
}  # fmt: skip


def _address(mode: TextureAddress, direction: str) -> None:
    """Coordinates from -2 to 2 over four texels a unit: 16 columns (rows) of 4 pixels."""

    def make(scene: Stage) -> None:
        colors = [RED, GREEN, BLUE, WHITE, 0xFF808000]
        across = direction == "ADDRESSU"
        scene.surface(TEXTURE, "A8R8G8B8", *((4, 1) if across else (1, 4)))
        scene.fill(TEXTURE, struct.pack("<4I", *colors[:4]))
        scene.tokens(stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, BORDERCOLOR=colors[4], **{direction: mode}))
        places = [((x, y), (x / 16 - 2, 0.5) if across else (0.5, y / 16 - 2)) for y in (0, 64) for x in (0, 64)]
        scene.tokens(
            t("SETVERTEXSHADER", shader=0x144), t("SETSTREAMSOURCEUM", stride=28),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2),
            vertices=[vertex(*place, WHITE, 0.5, uv) for place, uv in places], stride=28,
        )  # fmt: skip
        line = np.repeat(np.array([colors[ADDRESS[mode](i)] for i in range(-8, 8)], np.uint32), 4)
        scene.sees(np.tile(line, (SIZE, 1)) if across else np.tile(line[:, None], (1, SIZE)))

    add(f"states/{direction} {mode.name}", make, f"stage_state:{direction}", f"value:TextureAddress.{mode.name}")


for _address_mode in ADDRESS:
    for _direction in ("ADDRESSU", "ADDRESSV"):
        _address(_address_mode, _direction)


@scene("states/MAGFILTER LINEAR", "stage_state:MAGFILTER", "value:TextureFilter.LINEAR")
def linear_filter(scene: Stage) -> None:
    """Two texels over 64 pixels: clamped outside of their centres at 16 and 48, linear in between."""
    scene.surface(TEXTURE, "A8R8G8B8", 2, 1)
    scene.fill(TEXTURE, struct.pack("<2I", BLACK, WHITE))
    scene.tokens(stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, MAGFILTER=2, ADDRESSU=3))
    scene.quad(textured=True)
    levels = [gray(round(min(max((x + 0.5 - 16) / 32, 0), 1) * 255)) for x in range(SIZE)]
    scene.sees(np.tile(np.array(levels, np.uint32), (SIZE, 1)), tolerance=2)


def _mip(name: str, expected: int, **values: int | float) -> None:
    """64 x 64 in three levels, red, green, blue, drawn at half its size: level 1 is asked for."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "A8R8G8B8", 64, 64, levels=3)
        for level, color in enumerate((RED, GREEN, BLUE)):
            scene.fill(TEXTURE + level, np.full((64 >> level, 64 >> level), color, np.uint32))
        scene.tokens(stage(0, TEXTUREMAP=TEXTURE, COLOROP=2, COLORARG1=2, **values))
        scene.quad((0, 0, 32, 32), textured=True)
        scene.sees(picture(((0, 0, 32, 32), expected)), tolerance=1)

    add(f"states/{name}", make, *(f"stage_state:{state}" for state in values))


_mip("MIPFILTER NONE", RED, MIPFILTER=0)
_mip("MIPFILTER POINT", GREEN, MIPFILTER=1)
_mip("MIPMAPLODBIAS", BLUE, MIPFILTER=1, MIPMAPLODBIAS=1.0)
_mip("MAXMIPLEVEL", BLUE, MIPFILTER=1, MAXMIPLEVEL=2)
_mip("MIPFILTER LINEAR", 0xFF008080, MIPFILTER=2, MIPMAPLODBIAS=0.5)


@scene("states/TEXCOORDINDEX", "stage_state:TEXCOORDINDEX")
def coordinate_index(scene: Stage) -> None:
    """Stage 0 takes the second set of coordinates."""
    checkered(scene)
    quad = [
        struct.pack("<4fI4f", x - 0.5, y - 0.5, 0.5, 1, WHITE, 0.75, 0.75, x / 64, y / 64) for y in (0, 64) for x in (0, 64)
    ]
    for index, parts in (
        (0, [((0, 0, 64, 64), WHITE)]),
        (1, [((0, 0, 32, 32), RED), ((32, 0, 64, 32), GREEN), ((0, 32, 32, 64), BLUE)]),
    ):
        scene.tokens(
            stage(0, TEXCOORDINDEX=index), t("SETVERTEXSHADER", shader=0x244), t("SETSTREAMSOURCEUM", stride=36),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=36,
        )  # fmt: skip
        scene.sees(picture(*parts, ground=WHITE))


@scene("states/TEXTURETRANSFORMFLAGS", "stage_state:TEXTURETRANSFORMFLAGS")
def texture_transform(scene: Stage) -> None:
    """The texture matrix doubles u: red and green twice."""
    checkered(scene)
    matrix = np.diag([2.0, 1.0, 1.0, 1.0]).ravel().tolist()
    quad = [
        struct.pack("<3fI2f", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, WHITE, x / 64, 0.25)
        for y in (0, 64)
        for x in (0, 64)
    ]
    scene.tokens(
        t("SETTRANSFORM", type=16, matrix=matrix), stage(0, TEXTURETRANSFORMFLAGS=2), t("SETVERTEXSHADER", shader=0x142),
        t("SETSTREAMSOURCEUM", stride=24), t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=24,
    )  # fmt: skip
    stripes = [((16 * n, 0, 16 * n + 16, 64), (RED, GREEN)[n & 1]) for n in range(4)]
    edges = np.tile(np.isin(np.arange(64) % 16, (0, 15)), (64, 1))
    scene.sees(picture(*stripes), mask=~edges)
