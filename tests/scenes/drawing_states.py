"""Render states that change what is drawn: blending, setup, fog, light.  Outcomes are worked out in floats."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence

import numpy as np

from core.spec.enums import (
    Blend,
    BlendOp,
    CmpFunc,
    Cull,
    FillMode,
    FogMode,
    MaterialColorSource,
    ShadeMode,
)
from tests.scenes.kit import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    SIZE,
    THIRDS,
    WHITE,
    Rgba,
    Stage,
    Token,
    add,
    argb,
    as_fan,
    checkered,
    corners,
    gray,
    picture,
    scene,
    spread,
    states,
    t,
    vertex,
)

# ---- blending --------------------------------------------------------------------------------------------------------

SOURCE, STORED = (0.2, 0.6, 1.0, 0.4), (0.8, 0.4, 0.2, 0.6)


def factor(blend: Blend, s: Rgba, d: Rgba) -> Rgba:
    saturate = min(s[3], 1 - d[3])
    return {
        Blend.ZERO: spread(0),
        Blend.ONE: spread(1),
        Blend.SRCCOLOR: s,
        Blend.INVSRCCOLOR: tuple(1 - c for c in s),
        Blend.SRCALPHA: spread(s[3]),
        Blend.INVSRCALPHA: spread(1 - s[3]),
        Blend.DESTALPHA: spread(d[3]),
        Blend.INVDESTALPHA: spread(1 - d[3]),
        Blend.DESTCOLOR: d,
        Blend.INVDESTCOLOR: tuple(1 - c for c in d),
        Blend.SRCALPHASAT: (saturate, saturate, saturate, 1.0),
    }[blend]  # type: ignore[return-value]


def _blend(name: str, source: Blend, destination: Blend, op: BlendOp, expected: Sequence[float], *covers: str) -> None:
    def make(stage: Stage) -> None:
        stage.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=argb(STORED)))
        stage.quad(
            (0, 0, SIZE, SIZE),
            argb(SOURCE),
            0.5,
            states(ALPHABLENDENABLE=1, SRCBLEND=source, DESTBLEND=destination, BLENDOP=op),
        )
        stage.sees(picture(ground=argb(expected)), tolerance=1)

    add(f"states/{name}", make, *covers)


for _blending in Blend:
    if _blending <= Blend.SRCALPHASAT:
        _f = factor(_blending, SOURCE, STORED)
        _outcome = [s * f for s, f in zip(SOURCE, _f, strict=True)]
        _blend(f"SRCBLEND {_blending.name}", _blending, Blend.ZERO, BlendOp.ADD, _outcome,
               "state:SRCBLEND", f"value:Blend.{_blending.name}")  # fmt: skip
    if _blending < Blend.SRCALPHASAT:
        _f = factor(_blending, SOURCE, STORED)
        _outcome = [d * f for d, f in zip(STORED, _f, strict=True)]
        _blend(f"DESTBLEND {_blending.name}", Blend.ZERO, _blending, BlendOp.ADD, _outcome,
               "state:DESTBLEND", f"value:Blend.{_blending.name}")  # fmt: skip
for _blending, _twin in ((Blend.BOTHSRCALPHA, 0.4), (Blend.BOTHINVSRCALPHA, 0.6)):
    _mixed = [s * _twin + d * (1 - _twin) for s, d in zip(SOURCE, STORED, strict=True)]
    _blend(f"SRCBLEND {_blending.name}", _blending, Blend.ONE, BlendOp.ADD, _mixed, f"value:Blend.{_blending.name}")
BLEND_OPS: dict[BlendOp, Callable[[float, float], float]] = {
    BlendOp.ADD: lambda s, d: s + d, BlendOp.SUBTRACT: lambda s, d: s - d, BlendOp.REVSUBTRACT: lambda s, d: d - s,
    BlendOp.MIN: min, BlendOp.MAX: max,
}  # fmt: skip
for _blend_op, _formula in BLEND_OPS.items():
    _outcome = [_formula(s, d) for s, d in zip(SOURCE, STORED, strict=True)]
    _blend(f"BLENDOP {_blend_op.name}", Blend.ONE, Blend.ONE, _blend_op, _outcome,
           "state:BLENDOP", f"value:BlendOp.{_blend_op.name}")  # fmt: skip


def _write_mask(mask: int) -> None:
    def make(stage: Stage) -> None:
        stage.quad((0, 0, SIZE, SIZE), 0x00FFFFFF, 0.5, states(COLORWRITEENABLE=mask))
        written = sum(0xFF << shift for bit, shift in ((1, 16), (2, 8), (4, 0), (8, 24)) if mask & bit)
        stage.sees(picture(ground=(0x00FFFFFF & written) | (BLACK & ~written)))

    add(f"states/COLORWRITEENABLE {mask:#x}", make, "state:COLORWRITEENABLE")


for _mask in (0, 1, 2, 4, 8, 15):
    _write_mask(_mask)


# ---- setup -----------------------------------------------------------------------------------------------------------


def _cull(mode: Cull) -> None:
    """Left a clockwise triangle pair, right a counterclockwise one."""

    def make(stage: Stage) -> None:
        fan = as_fan(corners((0, 0, 32, SIZE)))
        mirrored = as_fan(corners((32, 0, SIZE, SIZE)))[::-1]
        stage.tokens(
            states(CULLMODE=mode), t("SETSTREAMSOURCEUM", stride=20), t("DRAWPRIMITIVE", type="TRIANGLEFAN", start=0, count=2),
            t("DRAWPRIMITIVE", type="TRIANGLEFAN", start=4, count=2), vertices=[*fan, *mirrored],
        )  # fmt: skip
        halves = {Cull.NONE: (1, 1), Cull.CW: (0, 1), Cull.CCW: (1, 0)}[mode]
        boxes = [(box, WHITE) for box, shown in zip(((0, 0, 32, SIZE), (32, 0, SIZE, SIZE)), halves, strict=True) if shown]
        stage.sees(picture(*boxes))

    add(f"states/CULLMODE {mode.name}", make, "state:CULLMODE", f"value:Cull.{mode.name}")


for _mode in Cull:
    _cull(_mode)


@scene("states/FILLMODE WIREFRAME", "state:FILLMODE", "value:FillMode.WIREFRAME")
def wireframe(stage: Stage) -> None:
    """Nothing inside, something on the edges."""
    stage.quad((8.5, 8.5, 56.5, 56.5), WHITE, 0.5, states(FILLMODE=FillMode.WIREFRAME))
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
    inside = (x > 10) & (x < 54) & (y > 10) & (y < 54) & (np.abs(x + y - 64) > 3)
    outside = (x < 7) | (y < 7) | (x > 57) | (y > 57)
    stage.sees(picture(), mask=inside | outside)
    stage.sees(picture(ground=WHITE), mask=(y == 8) & (x > 10) & (x < 54))


@scene("states/FILLMODE POINT", "state:FILLMODE", "value:FillMode.POINT")
def fill_points(stage: Stage) -> None:
    stage.quad((8, 8, 56, 56), WHITE, 0.5, states(FILLMODE=FillMode.POINT))
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
    near = ((np.abs(x - 7.5) < 1.6) | (np.abs(x - 55.5) < 1.6)) & ((np.abs(y - 7.5) < 1.6) | (np.abs(y - 55.5) < 1.6))
    stage.sees(picture(), mask=~near)


@scene("states/SHADEMODE FLAT", "state:SHADEMODE", "value:ShadeMode.FLAT")
def flat(stage: Stage) -> None:
    """The first vertex of each triangle gives its colour."""
    spots = [vertex(0, 0, RED), vertex(64, 0, GREEN), vertex(0, 64, BLUE)]
    stage.tokens(
        states(SHADEMODE=ShadeMode.FLAT), t("SETSTREAMSOURCEUM", stride=20),
        t("DRAWPRIMITIVE", type="TRIANGLELIST", start=0, count=1),
        vertices=spots,
    )  # fmt: skip
    x, y = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
    stage.sees(np.where(x + y < 63, RED, BLACK).astype(np.uint32), mask=x + y != 63)


@scene("states/SHADEMODE GOURAUD", "state:SHADEMODE", "value:ShadeMode.GOURAUD")
def gouraud(stage: Stage) -> None:
    """Black on the left, white on the right: pixel x holds x / 64."""
    quad = [vertex(x, y, WHITE if x else BLACK) for y in (0, SIZE) for x in (0, SIZE)]
    stage.tokens(t("SETSTREAMSOURCEUM", stride=20), t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad)
    levels = [gray(math.floor((x + 0.5) / 64 * 255 + 0.5)) for x in range(SIZE)]
    stage.sees(np.tile(np.array(levels, np.uint32), (SIZE, 1)), tolerance=1)


@scene("states/ZBIAS", "state:ZBIAS", depth="D24S8")
def depth_bias(stage: Stage) -> None:
    """On coplanar quads the larger bias wins."""
    stage.quad((0, 0, SIZE, SIZE), RED, 0.5, states(ZENABLE=1, ZFUNC=CmpFunc.LESS))
    stage.quad((0, 0, 32, SIZE), GREEN, 0.5, states(ZBIAS=0))
    stage.quad((32, 0, SIZE, SIZE), GREEN, 0.5, states(ZBIAS=1))
    stage.sees(picture(((32, 0, SIZE, SIZE), GREEN), ground=RED))


@scene("states/POINTSIZE", "state:POINTSIZE", "state:POINTSIZE_MAX", "state:POINTSIZE_MIN")
def point_size(stage: Stage) -> None:
    """Eight pixels; then limited to four; then at least sixteen."""

    def points(x: float, *before: Token) -> None:
        stage.tokens(
            *before, t("SETSTREAMSOURCEUM", stride=20), t("DRAWPRIMITIVE", type="POINTLIST", start=0, count=1),
            vertices=[vertex(x, 20, WHITE)],
        )  # fmt: skip

    points(8, states(POINTSIZE=8.0))
    points(24, states(POINTSIZE_MAX=4.0))
    points(48, states(POINTSIZE_MAX=64.0, POINTSIZE_MIN=16.0))
    stage.sees(picture(((4, 16, 12, 24), WHITE), ((22, 18, 26, 22), WHITE), ((40, 12, 56, 28), WHITE)))


@scene("states/POINTSPRITEENABLE", "state:POINTSPRITEENABLE")
def point_sprite(scene: Stage) -> None:
    """The whole texture on a point."""
    checkered(scene)
    scene.tokens(
        states(POINTSPRITEENABLE=1, POINTSIZE=16.0), t("SETSTREAMSOURCEUM", stride=20),
        t("DRAWPRIMITIVE", type="POINTLIST", start=0, count=1), vertices=[vertex(32, 32)],
    )  # fmt: skip
    scene.sees(picture(((24, 24, 32, 32), RED), ((32, 24, 40, 32), GREEN), ((24, 32, 32, 40), BLUE), ((32, 32, 40, 40), WHITE)))


# ---- fog -------------------------------------------------------------------------------------------------------------

FOG: dict[FogMode, Callable[[float], float]] = {
    FogMode.LINEAR: lambda z: (0.9 - z) / (0.9 - 0.1), FogMode.EXP: lambda z: math.exp(-1.5 * z),
    FogMode.EXP2: lambda z: math.exp(-((1.5 * z) ** 2)),
}  # fmt: skip


def _table_fog(mode: FogMode) -> None:
    """White things fade to blue with their depth."""

    def make(stage: Stage) -> None:
        expected = []
        stage.tokens(states(FOGENABLE=1, FOGCOLOR=0x0000FF, FOGTABLEMODE=mode, FOGSTART=0.1, FOGEND=0.9, FOGDENSITY=1.5))
        for box, z in zip(THIRDS, (0.0, 0.5, 0.8), strict=True):
            stage.quad(box, WHITE, z)
            f = min(max(FOG[mode](z), 0.0), 1.0)
            expected.append((box, argb((f, f, 1.0, 1.0))))
        stage.sees(picture(*expected), tolerance=1)

    covers = ("FOGENABLE", "FOGCOLOR", "FOGTABLEMODE", "FOGSTART", "FOGEND", "FOGDENSITY")
    add(f"states/FOGTABLEMODE {mode.name}", make, *(f"state:{name}" for name in covers), f"value:FogMode.{mode.name}")


for _fog in FOG:
    _table_fog(_fog)


@scene("states/fog of vertices", "state:FOGENABLE", "state:FOGVERTEXMODE")
def vertex_fog(stage: Stage) -> None:
    """Transformed vertices carry the fog factor in the alpha of their specular colour."""
    quad = [struct.pack("<4f2I", x - 0.5, y - 0.5, 0.5, 1, WHITE, 0x40000000) for y in (0, SIZE) for x in (0, SIZE)]
    stage.tokens(
        states(FOGENABLE=1, FOGCOLOR=0), t("SETVERTEXSHADER", shader=0xC4), t("SETSTREAMSOURCEUM", stride=24),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=24,
    )  # fmt: skip
    stage.sees(picture(ground=gray(0x40)), tolerance=1)


# ---- light -----------------------------------------------------------------------------------------------------------


def lit(stage: Stage, *before: Token, normal: tuple[float, float, float] = (0, 0, -1), color: int = WHITE) -> None:
    """XYZ | NORMAL | DIFFUSE over everything."""
    quad = [
        struct.pack("<6fI", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, *normal, color) for y in (0, SIZE) for x in (0, SIZE)
    ]
    stage.tokens(
        *before, states(LIGHTING=1), t("SETVERTEXSHADER", shader=0x52), t("SETSTREAMSOURCEUM", stride=28),
        t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=28,
    )  # fmt: skip


NOTHING = (0.0, 0.0, 0.0, 0.0)


def material(diffuse: Rgba = (0, 0, 0, 1), ambient: Rgba = NOTHING, emissive: Rgba = NOTHING) -> Token:
    return t("SETMATERIAL", diffuse=diffuse, ambient=ambient, specular=NOTHING, emissive=emissive, power=0.0)


FIXED_SOURCES = {
    "DIFFUSEMATERIALSOURCE": 0,
    "AMBIENTMATERIALSOURCE": 0,
    "EMISSIVEMATERIALSOURCE": 0,
    "SPECULARMATERIALSOURCE": 0,
}


@scene("states/AMBIENT", "state:AMBIENT", "state:LIGHTING", "state:AMBIENTMATERIALSOURCE")
def ambient(stage: Stage) -> None:
    """The ambient light times the material's ambient colour."""
    lit(stage, material(ambient=(1.0, 0.5, 0.25, 0)), states(AMBIENT=0xFF80FF80, **FIXED_SOURCES))
    stage.sees(picture(ground=argb((128 / 255, 0.5, 0.25 * 128 / 255, 1))), tolerance=1)


@scene("states/DIFFUSEMATERIALSOURCE", "state:DIFFUSEMATERIALSOURCE", "state:COLORVERTEX")
def material_source(stage: Stage) -> None:
    """Ambient colour from the vertex; without COLORVERTEX from the material again."""
    sources = FIXED_SOURCES | {"AMBIENTMATERIALSOURCE": int(MaterialColorSource.COLOR1)}
    lit(stage, material(ambient=(1, 1, 1, 0)), states(AMBIENT=WHITE, **sources), color=0xFF204060)
    stage.sees(picture(ground=0xFF204060), tolerance=1)
    lit(stage, states(COLORVERTEX=0), color=0xFF204060)
    stage.sees(picture(ground=WHITE), tolerance=1)


@scene("states/NORMALIZENORMALS", "state:NORMALIZENORMALS")
def normalize(stage: Stage) -> None:
    """A normal of half the length is lit half as much, unless it is normalised."""
    shine = struct.pack("<I25f", 3, 1, 1, 1, 1, *(0,) * 8, 0, 0, 0, 0, 0, 1, 100, 1, 1, 0, 0, 0, 0)
    light = (t("CREATELIGHT", index=0), t("SETLIGHT", index=0, light=shine), t("SETLIGHT", index=0, data=0))
    lit(stage, *light, material(diffuse=(1, 1, 1, 1)), states(**FIXED_SOURCES), normal=(0, 0, -0.5))
    stage.sees(picture(ground=gray(128)), tolerance=1)
    lit(stage, states(NORMALIZENORMALS=1), normal=(0, 0, -0.5))
    stage.sees(picture(ground=WHITE), tolerance=1)


@scene("states/SPECULARENABLE", "state:SPECULARENABLE")
def specular(stage: Stage) -> None:
    """The specular colour is added after the texture stages."""
    quad = [struct.pack("<4f2I", x - 0.5, y - 0.5, 0.5, 1, 0xFF400000, 0xFF203000) for y in (0, SIZE) for x in (0, SIZE)]
    for enabled, color in ((0, 0xFF400000), (1, 0xFF603000)):
        stage.tokens(
            states(SPECULARENABLE=enabled), t("SETVERTEXSHADER", shader=0xC4), t("SETSTREAMSOURCEUM", stride=24),
            t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=quad, stride=24,
        )  # fmt: skip
        stage.sees(picture(ground=color))


@scene("states/VERTEXBLEND", "state:VERTEXBLEND")
def vertex_blend(stage: Stage) -> None:
    """Half at the place, half moved right by 2 units of clip space: moved by 1, half of the target."""
    matrix = np.eye(4, dtype=np.float32)
    matrix[3, 0] = 2.0
    half = [struct.pack("<4fI", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, 0.5, 0.5, WHITE) for y in (0, SIZE) for x in (0, 32)]
    stage.tokens(
        t("SETTRANSFORM", type=257, matrix=matrix.ravel().tolist()), states(VERTEXBLEND=1), t("SETVERTEXSHADER", shader=0x46),
        t("SETSTREAMSOURCEUM", stride=20), t("DRAWPRIMITIVE", type="TRIANGLESTRIP", start=0, count=2), vertices=half,
    )  # fmt: skip
    stage.sees(picture(((32, 0, SIZE, SIZE), WHITE)))
