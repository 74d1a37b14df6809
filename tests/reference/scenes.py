"""Random scenes: the states that matter to the pixel half, over small triangles.

Left out, because the documents leave them open: PREMODULATE; operations 18 to 24 on alpha; BLENDTEXTUREALPHA(PM) without a
texture; ALPHAOP DISABLE with another destination than CURRENT; DITHERENABLE; ZBIAS; SRCALPHASAT as destination factor.
Mip levels and unequal filters go with rhw = 1 only: derivatives under perspective are implementation defined.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from core.spec.enums import Blend, BlendOp, CmpFunc, FogMode, StencilOp, TextureAddress, TextureOp
from tests.reference import dxt, formats
from tests.reference.scene import Draw, Scene, Vertex
from tests.reference.texture import Texture, level_bytes

OFTEN_NOT = st.sampled_from((0, 0, 1))
OFTEN = st.sampled_from((0, 1, 1))
COLORS = st.binary(min_size=4, max_size=4).map(lambda four: int.from_bytes(four, "little"))  # integers would mostly be small
COMPARE = st.sampled_from([*CmpFunc, CmpFunc.ALWAYS, CmpFunc.ALWAYS, CmpFunc.LESSEQUAL])
STENCIL_OPS = st.sampled_from(list(StencilOp))
UNIT = st.integers(0, 1000).map(lambda n: n / 1000)

STATES: dict[str, SearchStrategy[Any]] = {
    "CULLMODE": st.sampled_from((1, 1, 1, 1, 2, 3)),
    "SHADEMODE": st.sampled_from((1, 2, 2, 2)),
    "SPECULARENABLE": OFTEN_NOT,
    "TEXTUREFACTOR": COLORS,
    "FOGENABLE": OFTEN_NOT,
    "FOGTABLEMODE": st.sampled_from(list(FogMode)),
    "FOGCOLOR": COLORS,
    "FOGSTART": UNIT,
    "FOGEND": UNIT,
    "FOGDENSITY": st.sampled_from((0.1, 1.0, 3.5)),
    "ALPHATESTENABLE": OFTEN_NOT,
    "ALPHAFUNC": COMPARE,
    "ALPHAREF": st.integers(0, 255) | st.sampled_from((0x180, 0xFFFFFF7F)),
    "ZENABLE": OFTEN,
    "ZWRITEENABLE": OFTEN,
    "ZFUNC": COMPARE,
    "STENCILENABLE": OFTEN,
    "STENCILFUNC": COMPARE,
    "STENCILREF": st.integers(0, 255),
    "STENCILMASK": st.sampled_from((0xFFFFFFFF, 0xFF, 0x0F, 0x81)),
    "STENCILWRITEMASK": st.sampled_from((0xFFFFFFFF, 0xFF, 0xF0, 0x3C)),
    "STENCILFAIL": STENCIL_OPS,
    "STENCILZFAIL": STENCIL_OPS,
    "STENCILPASS": STENCIL_OPS,
    "ALPHABLENDENABLE": OFTEN,
    "SRCBLEND": st.sampled_from(list(Blend)),
    "DESTBLEND": st.sampled_from([b for b in Blend if b < Blend.SRCALPHASAT]),
    "BLENDOP": st.sampled_from([BlendOp.ADD, BlendOp.ADD, *BlendOp]),
    "COLORWRITEENABLE": st.sampled_from((15, 15, 15, 7, 8, 5)),
}

ALIKE = [op for op in TextureOp if TextureOp.SELECTARG1 <= op <= TextureOp.BLENDCURRENTALPHA] + [
    TextureOp.MULTIPLYADD, TextureOp.LERP,
]  # fmt: skip
COLOR_OPS = [*ALIKE, *(op for op in TextureOp if TextureOp.MODULATEALPHA_ADDCOLOR <= op <= TextureOp.MODULATEINVCOLOR_ADDALPHA)]
COLOR_OPS.append(TextureOp.DOTPRODUCT3)
ARGUMENTS = st.builds(lambda source, modifier: source | modifier, st.sampled_from((0, 1, 2, 2, 3, 4, 5)),
                      st.sampled_from((0, 0, 0, 16, 32, 48)))  # fmt: skip
ADDRESSES = st.sampled_from(list(TextureAddress))
FILTERS = st.sampled_from((1, 2))


def stage_states(last: bool, texture: bool) -> SearchStrategy[dict[str, Any]]:
    """Texture stage states of one stage; those of sampling matter only with a texture."""
    sampled = {
        "TEXCOORDINDEX": st.sampled_from((0, 1)),
        "ADDRESSU": ADDRESSES,
        "ADDRESSV": ADDRESSES,
        "BORDERCOLOR": COLORS,
        "MAGFILTER": FILTERS,
        "MINFILTER": FILTERS,
        "MIPFILTER": st.sampled_from((0, 1, 2)),
        "MIPMAPLODBIAS": st.sampled_from((0.0, 0.0, -0.7, 1.3)),
        "MAXMIPLEVEL": st.sampled_from((0, 0, 0, 1)),
    }
    return st.fixed_dictionaries({
        "COLOROP": st.sampled_from(COLOR_OPS),
        "ALPHAOP": st.sampled_from([*ALIKE, TextureOp.DISABLE]),
        **{half + name: ARGUMENTS for half in ("COLOR", "ALPHA") for name in ("ARG1", "ARG2", "ARG0")},
        "RESULTARG": st.just(1) if last else st.sampled_from((1, 1, 5)),
        **(sampled if texture else {}),
    }).map(settled if texture else without_texture)  # fmt: skip


def settled(stage: dict[str, Any]) -> dict[str, Any]:
    """Without what the documents leave open."""
    return stage | ({"RESULTARG": 1} if stage["ALPHAOP"] == TextureOp.DISABLE else {})


def without_texture(stage: dict[str, Any]) -> dict[str, Any]:
    """No operation that reads the alpha of a texture that is not there."""
    open_ops = (TextureOp.BLENDTEXTUREALPHA, TextureOp.BLENDTEXTUREALPHAPM)
    defined = {half: TextureOp.MODULATE for half in ("COLOROP", "ALPHAOP") if stage[half] in open_ops}
    return settled(stage | defined)


@st.composite
def textures(draw: st.DrawFn, mipped: bool) -> Texture:
    """Noise in any format; with a full chain of mip levels if asked for."""
    format = draw(st.sampled_from([*formats.TEXTURES, *(f for f in dxt.BLOCK_BYTES)]))
    width, height = draw(st.sampled_from((4, 8, 16))), draw(st.sampled_from((4, 8, 16)))
    noise = random.Random(draw(st.integers(0, 999)))
    count = max(width, height).bit_length() if mipped else 1
    sizes = [(max(width >> level, 1), max(height >> level, 1)) for level in range(count)]
    return Texture(format, width, height, tuple(noise.randbytes(level_bytes(format, *size)) for size in sizes))


@st.composite
def vertices(draw: st.DrawFn, width: int, height: int, affine: bool) -> tuple[Vertex, Vertex, Vertex]:
    """On the subpixel grid or off it (thousandths never lie midway between two of its points), also outside the target."""
    grid = draw(st.sampled_from((1, 16, 256, 1000)))
    near = draw(UNIT) if draw(OFTEN_NOT) else None
    corners = [
        Vertex(
            draw(st.integers(-4 * grid, (width + 4) * grid)) / grid, draw(st.integers(-4 * grid, (height + 4) * grid)) / grid,
            draw(UNIT) if near is None else near, 1.0 if affine else draw(st.integers(2, 20)) / 10, draw(COLORS), draw(COLORS),
            tuple((draw(st.integers(-150, 250)) / 97, draw(st.integers(-150, 250)) / 97) for _ in range(2)),
        )
        for _ in range(3)
    ]  # fmt: skip
    return corners[0], corners[1], corners[2]


def level_free(stage: dict[str, Any]) -> dict[str, Any]:
    """Of which no value depends on the mip level."""
    return stage | {"MINFILTER": stage["MAGFILTER"], "MIPFILTER": 0} if "MINFILTER" in stage else stage


@st.composite
def draws(draw: st.DrawFn, width: int, height: int) -> Draw:
    """A triangle with one to three stages and up to two textures."""
    affine = draw(st.booleans())
    count = draw(st.integers(1, 3))
    bound = [draw(textures(affine)) if number < 2 and draw(OFTEN) else None for number in range(count)]
    stages = [draw(stage_states(number == count - 1, texture is not None)) for number, texture in enumerate(bound)]
    stages = stages if affine else [level_free(stage) for stage in stages]
    states = draw(st.fixed_dictionaries(STATES))
    return Draw(states, (*stages, NO_STAGE), (*bound, None), draw(vertices(width, height, affine)))


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """16x16 to 32x32 pixels, one to four triangles."""
    width, height = draw(st.integers(16, 32)), draw(st.integers(16, 32))
    return Scene(
        width, height, draw(st.sampled_from([*formats.TARGETS])), draw(st.sampled_from((*formats.DEPTHS, 75, 75, None))),
        (draw(COLORS), draw(UNIT), draw(st.integers(0, 255))),
        tuple(draw(draws(width, height)) for _ in range(draw(st.integers(1, 4)))),
    )  # fmt: skip


PLAIN_STATES = {
    "CULLMODE": 1, "SHADEMODE": 2, "SPECULARENABLE": 0, "FOGENABLE": 0, "ALPHATESTENABLE": 0, "ZENABLE": 0, "STENCILENABLE": 0,
    "ALPHABLENDENABLE": 0, "COLORWRITEENABLE": 15, "TEXTUREFACTOR": 0xFFFFFFFF,
}  # fmt: skip
PLAIN_STAGE = {"COLOROP": TextureOp.SELECTARG1, "ALPHAOP": TextureOp.SELECTARG1, "COLORARG1": 3, "ALPHAARG1": 3, "RESULTARG": 1}
NO_STAGE = {"COLOROP": TextureOp.DISABLE, "ALPHAOP": TextureOp.DISABLE}


@st.composite
def shapes(draw: st.DrawFn) -> Scene:
    """White triangles on black, some of them culled; nothing else."""
    width, height = draw(st.integers(16, 32)), draw(st.integers(16, 32))
    triangles = tuple(
        Draw(PLAIN_STATES | {"CULLMODE": draw(st.sampled_from((1, 1, 1, 2, 3)))}, (PLAIN_STAGE, NO_STAGE), (None, None),
             draw(vertices(width, height, True)))
        for _ in range(draw(st.integers(1, 4)))
    )  # fmt: skip
    return Scene(width, height, 21, None, (0, 1.0, 0), triangles)
