"""States whose effect no other scene shows: each is set to something else than its default, and the picture tells.

Would a stage not look at the state, the picture were another; `tests/coverage_matrix/mutation.py` tries that.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import numpy as np

from core.spec.enums import FogMode, LegacyBlend, OrderType, PatchEdgeStyle, TextureFilter, TextureOp, VertexBlend
from tests.scenes.drawing_states import FIXED_SOURCES, lit
from tests.scenes.kit import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    SIZE,
    TEXTURE,
    WHITE,
    Picture,
    Rgba,
    Stage,
    Token,
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
from tests.scenes.patches import inner, point, rect, send

COLUMNS, ROWS = np.meshgrid(np.arange(SIZE), np.arange(SIZE))
NONE: Rgba = (0.0, 0.0, 0.0, 0.0)
QUAD = [(x, y) for y in (0, SIZE) for x in (0, SIZE)]


def row_of(colors: Sequence[int]) -> Picture:
    """One colour a column."""
    return np.tile(np.array(colors, np.uint32), (SIZE, 1))


def world(x: float, y: float, z: float = 0.5) -> bytes:
    """The corner (x, y) of the pixel grid in clip space, as FLOAT3."""
    return struct.pack("<3f", (x - 0.5) / 32 - 1, 1 - (y - 0.5) / 32, z)


def strip(scene: Stage, shader: int, vertices: list[bytes], *before: Token, kind: str = "TRIANGLESTRIP") -> None:
    """Draws vertices of one FVF."""
    stride = len(vertices[0])
    count = {"TRIANGLESTRIP": len(vertices) - 2, "LINELIST": len(vertices) // 2, "POINTLIST": len(vertices)}[kind]
    scene.tokens(
        *before, t("SETVERTEXSHADER", shader=shader), t("SETSTREAMSOURCEUM", stride=stride),
        t("DRAWPRIMITIVE", type=kind, start=0, count=count), vertices=vertices, stride=stride,
    )  # fmt: skip


# ---- lines -----------------------------------------------------------------------------------------------------------


def line(scene: Stage, y: float, *before: Token) -> None:
    """From the middle of pixel 8 to that of pixel 40."""
    strip(scene, 0x44, [vertex(8.5, y + 0.5), vertex(40.5, y + 0.5)], *before, kind="LINELIST")


@scene("states/LASTPIXEL", "state:LASTPIXEL")
def last_pixel(stage: Stage) -> None:
    """With and without the pixel where the line ends."""
    line(stage, 10)
    line(stage, 20, states(LASTPIXEL=0))
    stage.sees(picture(((8, 10, 41, 11), WHITE), ((8, 20, 40, 21), WHITE)))


@scene("states/LINEPATTERN", "state:LINEPATTERN")
def line_pattern(stage: Stage) -> None:
    """Each bit holds for two pixels; the pattern reads the same from both ends."""
    pattern = 0b0110_0110_0110_0110
    line(stage, 10, states(LINEPATTERN=pattern << 16 | 2))
    drawn = [(ROWS == 10) & (x == COLUMNS) for x in range(8, 41) if pattern >> (x - 8) // 2 % 16 & 1]
    stage.sees(np.where(np.any(drawn, 0), WHITE, BLACK).astype(np.uint32))


@scene("states/EDGEANTIALIAS", "state:EDGEANTIALIAS")
def antialiased(stage: Stage) -> None:
    """A line a quarter of a pixel below the middle of row 10: three quarters of it there, one quarter in row 11."""
    line(stage, 10.25, states(EDGEANTIALIAS=1, ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6))
    inside = (COLUMNS > 9) & (COLUMNS < 39)
    stage.sees(picture(((0, 10, SIZE, 11), gray(191)), ((0, 11, SIZE, 12), gray(64))), mask=inside, tolerance=1, alpha=False)


# ---- output ----------------------------------------------------------------------------------------------------------


@scene("states/DITHERENABLE", "state:DITHERENABLE", format="R5G6B5")
def dithered(stage: Stage) -> None:
    """Red at 0x55 lies between 10 and 11 of 31: both appear, and the mean is near; without dithering it is one of them."""
    stage.quad((0, 0, 32, SIZE), 0xFF550000)
    stage.quad((32, 0, SIZE, SIZE), 0xFF550000, 0.5, states(DITHERENABLE=1))
    wanted = 0x55 * 31 / 255

    def mixed(shown: Picture) -> bool:
        levels = (shown >> 16 & 0xFF) * 31 / 255
        plain, fine = levels[:, :32], np.rint(levels[:, 32:])
        return len(np.unique(plain)) == 1 and set(np.unique(fine)) == {10, 11} and abs(float(fine.mean()) - wanted) < 1 / 16

    stage.satisfies(mixed, "two levels whose mean is the colour")


# ---- fog of vertices -------------------------------------------------------------------------------------------------


def _vertex_fog(name: str, distance: float, **values: int) -> None:
    """White things that fade to black between 0 and 3; all corners are as far from the eye."""

    def make(stage: Stage) -> None:
        fog = states(FOGENABLE=1, FOGCOLOR=0, FOGVERTEXMODE=FogMode.LINEAR, FOGSTART=0.0, FOGEND=3.0, **values)
        strip(stage, 0x42, [world(*corner) + struct.pack("<I", WHITE) for corner in QUAD], fog)
        stage.sees(picture(ground=gray(round(255 * (3 - distance) / 3))), tolerance=3)

    add(f"states/{name}", make, "state:FOGVERTEXMODE", *(f"state:{value}" for value in values))


_vertex_fog("FOGVERTEXMODE LINEAR", 0.5)
_vertex_fog("RANGEFOGENABLE", math.sqrt(0.5**2 + 1 + 1), RANGEFOGENABLE=1)

# ---- light -----------------------------------------------------------------------------------------------------------


def light(diffuse: Rgba = NONE, specular: Rgba = NONE) -> tuple[Token, ...]:
    """A directional light along z."""
    shine = struct.pack("<I25f", 3, *diffuse, *specular, *NONE, 0, 0, 0, 0, 0, 1, 100, 1, 1, 0, 0, 0, 0)
    return t("CREATELIGHT", index=0), t("SETLIGHT", index=0, light=shine), t("SETLIGHT", index=0, data=0)


def material(power: float = 0.0, **colors: Rgba) -> Token:
    names = ("diffuse", "ambient", "specular", "emissive")
    return t("SETMATERIAL", **{name: colors.get(name, NONE) for name in names}, power=power)


@scene("states/LOCALVIEWER", "state:LOCALVIEWER")
def local_viewer(stage: Stage) -> None:
    """A viewer at infinity sees the highlight of a flat square everywhere; a near one sees it fade towards the corners.

    At a corner, (1, 1, 0.5) from the eye, the half vector is (2/3, 2/3, 4/3) made a unit long: 0.8165, to the eighth 0.1975.
    """
    shine = (*light(specular=(1, 1, 1, 1)), material(8.0, diffuse=(0, 0, 0, 1), specular=(1, 0, 0, 0)))
    lit(stage, *shine, states(LOCALVIEWER=0, SPECULARENABLE=1, **FIXED_SOURCES))
    stage.sees(picture(ground=RED), tolerance=1)
    lit(stage, states(LOCALVIEWER=1))
    corner = (COLUMNS < 1) & (ROWS < 1)
    stage.sees(picture(ground=argb((0.1975, 0, 0, 1))), mask=corner, tolerance=6)


@scene("states/DIFFUSEMATERIALSOURCE MATERIAL", "state:DIFFUSEMATERIALSOURCE")
def diffuse_source(stage: Stage) -> None:
    """The material's diffuse colour, though the vertices have one."""
    lit(stage, *light((1, 1, 1, 1)), material(diffuse=(1, 0.5, 0.25, 1)), states(**FIXED_SOURCES), color=0xFF0000FF)
    stage.sees(picture(ground=argb((1, 0.5, 0.25, 1))), tolerance=1)


@scene("states/SPECULARMATERIALSOURCE COLOR1", "state:SPECULARMATERIALSOURCE")
def specular_source(stage: Stage) -> None:
    """The highlight has the vertices' diffuse colour."""
    sources = FIXED_SOURCES | {"SPECULARMATERIALSOURCE": 1}
    shine = (*light(specular=(1, 1, 1, 1)), material(8.0, diffuse=(0, 0, 0, 1), specular=(0, 0, 1, 0)))
    lit(stage, *shine, states(LOCALVIEWER=0, SPECULARENABLE=1, **sources), color=RED)
    stage.sees(picture(ground=RED), tolerance=1)


@scene("states/EMISSIVEMATERIALSOURCE COLOR1", "state:EMISSIVEMATERIALSOURCE")
def emissive_source(stage: Stage) -> None:
    lit(stage, material(diffuse=(0, 0, 0, 1)), states(**FIXED_SOURCES | {"EMISSIVEMATERIALSOURCE": 1}), color=0xFF204060)
    stage.sees(picture(ground=0xFF204060), tolerance=1)


# ---- transformation --------------------------------------------------------------------------------------------------

RIGHT = [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1]  # by half of the target
LEFT_HALF = [(x, y) for y in (0, SIZE) for x in (0, 32)]


@scene("states/INDEXEDVERTEXBLENDENABLE", "state:INDEXEDVERTEXBLENDENABLE", "state:VERTEXBLEND")
def indexed_blend(stage: Stage) -> None:
    """The vertices name matrix 1, which moves them to the right half."""
    vertices = [world(*corner) + struct.pack("<2I", 1, WHITE) for corner in LEFT_HALF]  # XYZB1 | LASTBETA_UBYTE4 | DIFFUSE
    blend = states(VERTEXBLEND=VertexBlend.WEIGHTS_0, INDEXEDVERTEXBLENDENABLE=1)
    strip(stage, 0x1046, vertices, t("SETTRANSFORM", type=257, matrix=RIGHT), blend)
    stage.sees(picture(((32, 0, SIZE, SIZE), WHITE)))


@scene("states/TWEENFACTOR", "state:TWEENFACTOR")
def tween(stage: Stage) -> None:
    """A quarter of the way from the left half to a place a target's width further: a quarter of the width, 16 pixels."""
    float3, d3dcolor = 2 << 16, 4 << 16
    declaration = [1 << 29, *(2 << 29 | kind | register for kind, register in ((float3, 0), (d3dcolor, 5), (float3, 15)))]
    vertices = [world(x, y) + struct.pack("<I", WHITE) + world(x + SIZE, y) for x, y in LEFT_HALF]
    stage.tokens(t("CREATEVERTEXSHADER", shader=3, declaration=[*declaration, 0xFFFFFFFF], code=[]))
    strip(stage, 3, vertices, states(VERTEXBLEND=VertexBlend.TWEENING, TWEENFACTOR=0.25))
    stage.sees(picture(((16, 0, 48, SIZE), WHITE)))


@scene("states/CLIPPING", "state:CLIPPING", "state:CLIPPLANEENABLE")
def clipping(stage: Stage) -> None:
    """A user plane keeps the right half; without CLIPPING it cuts nothing."""
    vertices = [world(*corner) + struct.pack("<I", WHITE) for corner in QUAD]
    strip(stage, 0x42, vertices, t("SETCLIPPLANE", index=0, plane=[1.0, 0.0, 0.0, 0.5 / 32]), states(CLIPPLANEENABLE=1))
    stage.sees(picture(((32, 0, SIZE, SIZE), WHITE)))
    strip(stage, 0x42, vertices, states(CLIPPING=0))
    stage.sees(picture(ground=WHITE))


def _point_scale(name: str, **values: float) -> None:
    """Half a unit away, of size 1/8 in a viewport of 64: 8 pixels / sqrt(A + B D + C D^2), where the root is 2 (or 1/2)."""

    def make(stage: Stage) -> None:
        factors = {"POINTSCALE_A": 0.0, "POINTSCALE_B": 0.0, "POINTSCALE_C": 0.0} | values
        distance = math.hypot(0.5, 0.5 / 32, 0.5 / 32)
        under = sum(value * distance**power for power, value in enumerate(factors.values()))
        size = 64 * 0.25 / math.sqrt(under)
        half = round(size / 2)
        strip(stage, 0x42, [world(32, 32) + struct.pack("<I", WHITE)],
              states(POINTSCALEENABLE=1, POINTSIZE=0.25, **factors), kind="POINTLIST")  # fmt: skip
        stage.sees(picture(((32 - half, 32 - half, 32 + half, 32 + half), WHITE)))

    add(f"states/{name}", make, "state:POINTSCALEENABLE", "state:POINTSIZE", f"state:{name}")


_point_scale("POINTSCALE_A", POINTSCALE_A=4.0)
_point_scale("POINTSCALE_B", POINTSCALE_B=8.0)
_point_scale("POINTSCALE_C", POINTSCALE_C=16.0)

# ---- patches ---------------------------------------------------------------------------------------------------------


@scene("states/PATCHSEGMENTS", "state:PATCHSEGMENTS")
def patch_segments(stage: Stage) -> None:
    """An arc in 24 segments is an arc; in one it were the straight line from corner to corner, at 40."""
    heights = (40.0, 8.0, 8.0, 40.0)
    points = [point(2 + 20 * x, 62 - (62 - heights[x]) * (3 - y) / 3) for y in range(4) for x in range(4)]
    send(stage, points, states(PATCHSEGMENTS=24.0), rect(0, 4, 4, segments=None))
    middle = (40 + 3 * 8 + 3 * 8 + 40) / 8
    column = (COLUMNS == 32) & (np.abs(ROWS - middle) > 1.5) & (ROWS < 61)
    stage.sees(np.where(middle < ROWS, WHITE, BLACK).astype(np.uint32), mask=column)


@scene("states/PATCHEDGESTYLE CONTINUOUS", "state:PATCHEDGESTYLE")
def patch_edge_style(stage: Stage) -> None:
    """2.5 segments end at 0.4, 0.8 and 1, where the arc 60 - 240 t (1 - t) has 2.4; three whole ones had 6.7 there, two 12."""
    heights = (60.0, -20.0, -20.0, 60.0)
    points = [point(2 + 20 * x, 62 - (62 - heights[x]) * (3 - y) / 3) for y in range(4) for x in range(4)]
    send(stage, points, states(PATCHEDGESTYLE=PatchEdgeStyle.CONTINUOUS), rect(0, 4, 4, segments=2.5))
    column = (COLUMNS == 26) & (ROWS > 3) & (ROWS < 59)
    stage.sees(picture(ground=WHITE), mask=column)


def n_patch(stage: Stage, normals: Sequence[Sequence[float]], *before: Token) -> None:
    """A square from 8 to 40 of two triangles in 16 segments."""
    places = [(x, y) for y in (8, 40) for x in (8, 40)]
    vertices = [world(*place) + struct.pack("<3fI", *normal, WHITE) for place, normal in zip(places, normals, strict=True)]
    strip(stage, 0x52, vertices, states(PATCHSEGMENTS=16.0), *before)


@scene("states/POSITIONORDER LINEAR", "state:POSITIONORDER")
def position_order(stage: Stage) -> None:
    """Normals point out of the corners; cubic edges would bulge, linear ones are straight."""
    outward = [(x, y, 0.0) for y in (0.6, -0.6) for x in (-0.8, 0.8)]
    n_patch(stage, outward, states(POSITIONORDER=OrderType.LINEAR))
    expected, mask = inner((8, 8, 40, 40))
    stage.sees(expected, mask=mask)


@scene("states/NORMALORDER QUADRATIC", "state:NORMALORDER")
def normal_order(stage: Stage) -> None:
    """All corners' normals lean along the upper edge; quadratic normals lean back in its middle.

    Its control normal is (0.8, 0, -0.6) mirrored at the edge's normal plane, (-0.8, 0, -0.6); the normal in the middle, the
    mean of both ends and it, (0.8, 0, -1.8) / 3, has the cosine 1.8 / sqrt(0.64 + 3.24) with the light; linear ones have 0.6.
    """
    order = states(POSITIONORDER=OrderType.LINEAR, NORMALORDER=OrderType.QUADRATIC, NORMALIZENORMALS=1, LIGHTING=1)
    shine = (*light((1, 1, 1, 1)), material(diffuse=(1, 1, 1, 1)), states(**FIXED_SOURCES))
    n_patch(stage, [(0.8, 0.0, -0.6)] * 4, *shine, order)
    middle = (np.abs(COLUMNS - 23.5) < 1) & (ROWS == 8)
    stage.sees(picture(ground=gray(round(255 * 1.8 / math.hypot(0.8, 1.8)))), mask=middle, tolerance=6)


# ---- texture stages --------------------------------------------------------------------------------------------------

TEXEL, DIFFUSE, FACTOR = (0.8, 0.8, 0.6, 0.4), (0.4, 1.0, 0.2, 0.6), (0.6, 0.4, 0.8, 0.2)


def _stage_arguments(name: str, expected: Rgba, covers: Sequence[str], **values: int) -> None:
    """Texture, diffuse and factor of one colour each."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "A8R8G8B8", 1, 1)
        scene.fill(TEXTURE, struct.pack("<I", argb(TEXEL)))
        scene.tokens(states(TEXTUREFACTOR=argb(FACTOR)), stage(0, TEXTUREMAP=TEXTURE, **values))
        scene.quad(color=argb(DIFFUSE), textured=True)
        scene.sees(picture(ground=argb(expected)), tolerance=1)

    add(f"states/{name}", make, *(f"stage_state:{cover}" for cover in covers))


_stage_arguments("COLORARG2", (*FACTOR[:3], TEXEL[3]), ["COLORARG2", "COLOROP"], COLOROP=TextureOp.SELECTARG2, COLORARG2=3)
_stage_arguments("ALPHAARG2", (*TEXEL[:3], FACTOR[3]), ["ALPHAARG2", "ALPHAOP"], COLOROP=TextureOp.SELECTARG1,
                 ALPHAOP=TextureOp.SELECTARG2, ALPHAARG2=3)  # fmt: skip
_stage_arguments("ALPHAARG0", (*TEXEL[:3], 0.2 + 0.4 * 0.6), ["ALPHAARG0", "ALPHAOP"], COLOROP=TextureOp.SELECTARG1,
                 ALPHAOP=TextureOp.MULTIPLYADD, ALPHAARG0=3)  # fmt: skip


def _bump_matrix(name: str, du: int, dv: int, moves_v: bool) -> None:
    """Stage 0 moves the coordinates of stage 1 by a quarter, along u or v: from red to green."""

    def make(scene: Stage) -> None:
        scene.surface(TEXTURE, "V8U8", 1, 1)
        scene.fill(TEXTURE, struct.pack("<2b", du, dv))
        scene.surface(TEXTURE + 1, "A8R8G8B8", *((1, 4) if moves_v else (4, 1)))
        scene.fill(TEXTURE + 1, struct.pack("<4I", RED, GREEN, GREEN, GREEN))
        only = {"COLORARG1": 2, "ALPHAOP": 2, "ALPHAARG1": 1}
        scene.tokens(
            stage(0, TEXTUREMAP=TEXTURE, COLOROP=TextureOp.BUMPENVMAP, **only, **{name: 0.25}),
            stage(1, TEXTUREMAP=TEXTURE + 1, COLOROP=2, **only, TEXCOORDINDEX=0),
        )  # fmt: skip
        strip(scene, 0x144, [vertex(x, y, WHITE, 0.5, (x / 64, y / 64)) for y in (0, 16) for x in (0, 16)])
        scene.sees(picture(((0, 0, 16, 16), GREEN)), tolerance=1)

    add(f"states/{name}", make, f"stage_state:{name}")


_bump_matrix("BUMPENVMAT01", 127, 0, True)
_bump_matrix("BUMPENVMAT10", 0, 127, False)
_bump_matrix("BUMPENVMAT11", 0, 127, True)


@scene("states/BUMPENVLOFFSET", "stage_state:BUMPENVLOFFSET")
def bump_offset(scene: Stage) -> None:
    """No luminance times its scale, plus a half: white becomes grey."""
    scene.surface(TEXTURE, "X8L8V8U8", 1, 1)
    scene.fill(TEXTURE, struct.pack("<I", 0))
    scene.surface(TEXTURE + 1, "A8R8G8B8", 1, 1)
    scene.fill(TEXTURE + 1, struct.pack("<I", WHITE))
    only = {"COLORARG1": 2, "ALPHAOP": 2, "ALPHAARG1": 1}
    scene.tokens(
        stage(0, TEXTUREMAP=TEXTURE, COLOROP=TextureOp.BUMPENVMAPLUMINANCE, **only, BUMPENVLOFFSET=0.5),
        stage(1, TEXTUREMAP=TEXTURE + 1, COLOROP=2, **only, TEXCOORDINDEX=0),
    )  # fmt: skip
    scene.quad(textured=True)
    scene.sees(picture(ground=gray(128)), tolerance=1)


# ---- sampling: each by its texture stage state and, where there is one, by the render state of DirectX 5 and 6 ---------

ONLY_TEXTURE = {"TEXTUREMAP": TEXTURE, "COLOROP": 2, "COLORARG1": 2}


def retired(scene: Stage, *before: Token) -> None:
    """States of older runtimes that still set stage 0; a finding says that they are old."""
    scene.tokens(*before)
    scene.finds("legacy-state")


def stripes(scene: Stage) -> None:
    """64 columns, black and white in turn, on half as many pixels: each pixel's centre is on the border of two texels."""
    scene.surface(TEXTURE, "A8R8G8B8", 64, 1)
    scene.fill(TEXTURE, struct.pack("<2I", BLACK, WHITE) * 32)
    scene.tokens(stage(0, **ONLY_TEXTURE, ADDRESSU=3))


@scene("states/MINFILTER LINEAR", "stage_state:MINFILTER", "value:TextureFilter.LINEAR")
def minified(scene: Stage) -> None:
    stripes(scene)
    scene.tokens(stage(0, MINFILTER=TextureFilter.LINEAR))
    scene.quad((0, 0, 32, SIZE), textured=True)
    scene.sees(picture(((0, 0, 32, SIZE), gray(128))), tolerance=2)


@scene("states/TEXTUREMIN", "state:TEXTUREMIN")
def legacy_minified(scene: Stage) -> None:
    """D3DFILTER_LINEAR."""
    stripes(scene)
    retired(scene, states(TEXTUREMIN=2))
    scene.quad((0, 0, 32, SIZE), textured=True)
    scene.sees(picture(((0, 0, 32, SIZE), gray(128))), tolerance=2)


@scene("states/TEXTUREMAG", "state:TEXTUREMAG")
def legacy_magnified(scene: Stage) -> None:
    """D3DFILTER_LINEAR between two texels, whose centres lie at 16 and 48."""
    scene.surface(TEXTURE, "A8R8G8B8", 2, 1)
    scene.fill(TEXTURE, struct.pack("<2I", BLACK, WHITE))
    scene.tokens(stage(0, **ONLY_TEXTURE, ADDRESSU=3))
    retired(scene, states(TEXTUREMAG=2))
    scene.quad(textured=True)
    scene.sees(row_of([gray(round(min(max((x + 0.5 - 16) / 32, 0), 1) * 255)) for x in range(SIZE)]), tolerance=2)


def levels(scene: Stage) -> None:
    """64 x 64 in three levels: red, green, blue."""
    scene.surface(TEXTURE, "A8R8G8B8", 64, 64, levels=3)
    for level, color in enumerate((RED, GREEN, BLUE)):
        scene.fill(TEXTURE + level, np.full((64 >> level, 64 >> level), color, np.uint32))
    scene.tokens(stage(0, **ONLY_TEXTURE, MIPFILTER=1))


@scene("states/MIPMAPLODBIAS of DirectX 6", "state:MIPMAPLODBIAS")
def legacy_bias(scene: Stage) -> None:
    levels(scene)
    retired(scene, states(MIPMAPLODBIAS=1.0))
    scene.quad((0, 0, 32, 32), textured=True)
    scene.sees(picture(((0, 0, 32, 32), BLUE)), tolerance=1)


def _anisotropy(name: str, old: bool) -> None:
    """Four texels high and one wide at each pixel: four samples of level 0, or one of level 2."""

    def make(scene: Stage) -> None:
        levels(scene)
        scene.tokens(stage(0, MINFILTER=TextureFilter.ANISOTROPIC))
        if old:
            retired(scene, states(ANISOTROPY=4))
        else:
            scene.tokens(stage(0, MAXANISOTROPY=4))
        scene.quad((0, 0, SIZE, 16), textured=True)
        scene.sees(picture(((0, 0, SIZE, 16), RED)), tolerance=1)

    add(f"states/{name}", make, f"state:{name}" if old else f"stage_state:{name}")


_anisotropy("MAXANISOTROPY", False)
_anisotropy("ANISOTROPY", True)


@scene("states/ADDRESSW CLAMP", "stage_state:ADDRESSW")
def address_w(scene: Stage) -> None:
    """A volume of a red and a green slice, asked beyond its end: the last slice, not the first again."""
    scene.surface(TEXTURE, "A8R8G8B8", 1, 1, depth=2, volume=1)
    scene.fill(TEXTURE, struct.pack("<2I", RED, GREEN))
    scene.tokens(stage(0, **ONLY_TEXTURE, ADDRESSW=3))
    vertices = [struct.pack("<4fI3f", x - 0.5, y - 0.5, 0.5, 1, WHITE, 0.5, 0.5, 1.25) for x, y in QUAD]
    strip(scene, 0x10144, vertices)  # XYZRHW | DIFFUSE | TEX1, TEXCOORDSIZE3(0)
    scene.sees(picture(ground=GREEN))


@scene("states/volume beside a flat texture", "flag:D3DPTEXTURECAPS_VOLUMEMAP")
def volume_and_texture(scene: Stage) -> None:
    """Stage 0 reads the green slice of a volume, stage 1 adds a red texture."""
    scene.surface(TEXTURE, "A8R8G8B8", 1, 1, depth=2, volume=1)
    scene.fill(TEXTURE, struct.pack("<2I", BLUE, GREEN))
    scene.surface(TEXTURE + 1, "A8R8G8B8", 1, 1)
    scene.fill(TEXTURE + 1, struct.pack("<I", RED))
    added = stage(1, TEXTUREMAP=TEXTURE + 1, COLOROP=TextureOp.ADD, COLORARG1=2, COLORARG2=1, ALPHAOP=2, ALPHAARG1=1)
    scene.tokens(stage(0, **ONLY_TEXTURE), added)
    # XYZRHW | DIFFUSE | TEX2, TEXCOORDSIZE3(0)
    strip(scene, 0x10244, [vertex(*corner) + struct.pack("<5f", 0.5, 0.5, 0.75, 0.5, 0.5) for corner in QUAD])
    scene.sees(picture(ground=0xFFFFFF00))


def _legacy_address(name: str, across: bool, down: bool) -> None:
    """Clamped, texels 4 to 7 of a row are texel 3 again."""

    def make(scene: Stage) -> None:
        texels = [RED, GREEN, BLUE, WHITE]
        clamped = texels + [WHITE] * 4
        scene.surface(TEXTURE, "A8R8G8B8", *((4, 1) if across else (1, 4)))
        scene.fill(TEXTURE, struct.pack("<4I", *texels))
        scene.tokens(stage(0, **ONLY_TEXTURE))
        retired(scene, states(**{name: 3}))
        strip(scene, 0x144, [vertex(x, y, WHITE, 0.5, (x / 32, y / 32)) for x, y in QUAD])
        shown = row_of(np.repeat(np.array(clamped, np.uint32), 8).tolist())
        scene.sees(shown if across else shown.T)

    add(f"states/{name}{' down' if down and name == 'TEXTUREADDRESS' else ''}", make, f"state:{name}")


_legacy_address("TEXTUREADDRESS", True, False)
_legacy_address("TEXTUREADDRESS", False, True)
_legacy_address("TEXTUREADDRESSU", True, False)
_legacy_address("TEXTUREADDRESSV", False, True)


@scene("states/BORDERCOLOR of DirectX 6", "state:BORDERCOLOR")
def legacy_border(scene: Stage) -> None:
    scene.surface(TEXTURE, "A8R8G8B8", 1, 1)
    scene.fill(TEXTURE, struct.pack("<I", RED))
    scene.tokens(stage(0, **ONLY_TEXTURE, ADDRESSU=4))
    retired(scene, states(BORDERCOLOR=GREEN))
    strip(scene, 0x144, [vertex(x, y, WHITE, 0.5, (x / 32, 0.5)) for x, y in QUAD])
    scene.sees(picture(((0, 0, 32, SIZE), RED), ground=GREEN))


@scene("states/TEXTUREHANDLE", "state:TEXTUREHANDLE")
def legacy_texture(scene: Stage) -> None:
    checkered(scene)
    scene.tokens(stage(0, TEXTUREMAP=0))
    retired(scene, states(TEXTUREHANDLE=TEXTURE))
    scene.quad(textured=True)
    scene.sees(picture(((0, 0, 32, 32), RED), ((32, 0, 64, 32), GREEN), ((0, 32, 32, 64), BLUE), ((32, 32, 64, 64), WHITE)))


@scene("states/TEXTUREMAPBLEND ADD", "state:TEXTUREMAPBLEND")
def legacy_blend(scene: Stage) -> None:
    """The texture plus the diffuse colour; alpha is the diffuse colour's."""
    scene.surface(TEXTURE, "A8R8G8B8", 1, 1)
    scene.fill(TEXTURE, struct.pack("<I", 0x80203040))
    scene.tokens(stage(0, TEXTUREMAP=TEXTURE))
    retired(scene, states(TEXTUREMAPBLEND=LegacyBlend.ADD))
    scene.quad(color=0x40405060, textured=True)
    scene.sees(picture(ground=0x406080A0), tolerance=1)


# ---- texture wrapping ------------------------------------------------------------------------------------------------


def _wrapping(name: str, number: int, value: int, down: bool = False, old: bool = False) -> None:
    """From 0.9 to 0.1 the shorter way leads over 1: the last texel, then the first."""

    def make(scene: Stage) -> None:
        texels = (RED, GREEN, BLUE, WHITE)
        scene.surface(TEXTURE, "A8R8G8B8", *((1, 4) if down else (4, 1)))
        scene.fill(TEXTURE, struct.pack("<4I", *texels))
        scene.tokens(stage(0, **ONLY_TEXTURE, TEXCOORDINDEX=number))
        if old:
            retired(scene, states(**{name: value}))
        else:
            scene.tokens(states(**{name: value}))
        unused = struct.pack("<2f", 0.5, 0.5) * number
        ends = {0: 0.9, SIZE: 0.1}
        uv = [(0.5, ends[y]) if down else (ends[x], 0.5) for x, y in QUAD]
        vertices = [vertex(x, y) + unused + struct.pack("<2f", *pair) for (x, y), pair in zip(QUAD, uv, strict=True)]
        strip(scene, 0x44 | (number + 1) << 8, vertices)
        half = picture(((0, 0, SIZE, 32) if down else (0, 0, 32, SIZE), WHITE), ground=RED)
        scene.sees(half, mask=np.abs((ROWS if down else COLUMNS) - 31.5) > 1)

    add(f"states/{name} {'V' if down else 'U'}", make, f"state:{name}")


for _number in range(8):
    _wrapping(f"WRAP{_number}", _number, 1)
_wrapping("WRAP0", 0, 2, down=True)
_wrapping("WRAPU", 0, 1, old=True)
_wrapping("WRAPV", 0, 1, down=True, old=True)

# ---- colour keys -----------------------------------------------------------------------------------------------------


def keyed(scene: Stage, filter: int) -> None:
    """A black texel, which is keyed, and a green one."""
    scene.surface(TEXTURE, "A8R8G8B8", 2, 1)
    scene.fill(TEXTURE, struct.pack("<2I", BLACK, GREEN))
    scene("SetColorKey", handle=TEXTURE, flags=8, low=BLACK, high=BLACK)
    scene.tokens(t("CLEAR", [(0, 0, SIZE, SIZE)], flags=1, color=BLUE))
    scene.tokens(stage(0, **ONLY_TEXTURE, MAGFILTER=filter, ADDRESSU=3, ALPHAOP=2, ALPHAARG1=2))


@scene("states/COLORKEYENABLE", "state:COLORKEYENABLE")
def color_key(scene: Stage) -> None:
    """Keyed texels are not drawn."""
    keyed(scene, 1)
    retired(scene, states(COLORKEYENABLE=1))
    scene.quad(textured=True)
    scene.sees(picture(((32, 0, SIZE, SIZE), GREEN), ground=BLUE))


@scene("states/COLORKEYBLENDENABLE", "state:COLORKEYBLENDENABLE")
def color_key_blend(scene: Stage) -> None:
    """Between the texels the green share v fades by itself: green v * v over blue, of which 1 - v stays."""
    keyed(scene, 2)
    retired(scene, states(COLORKEYENABLE=1, COLORKEYBLENDENABLE=1, ALPHABLENDENABLE=1, SRCBLEND=5, DESTBLEND=6))
    scene.quad(textured=True)
    shares = [min(max((x + 0.5 - 16) / 32, 0), 1) for x in range(SIZE)]
    scene.sees(row_of([argb((0, v * v, 1 - v, 1)) for v in shares]), tolerance=3, alpha=False)
