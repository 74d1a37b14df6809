"""What Wine 8.0 on Mesa's llvmpipe is known to draw otherwise, by the state of a scene: a difference there says nothing new.

Each row is a name, why, and a test of one draw.  `run` counts differences of such scenes apart and prints the others only.
What Wine cannot be asked at all is taken out of scenes before (`plain` of tests.wine.run).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.ddi.stream.shader_code import Instruction, decode
from core.spec.enums import PrimitiveType, TextureFilter, TextureOp
from tests.reference.scene import Draw

SPECULAR, SELECT = 4, 15  # D3DTA_SPECULAR, D3DTA_SELECTMASK
PROJECTED = 0x100  # D3DTTFF_PROJECTED; the count stands in the bits below


class Known(NamedTuple):
    """A way in which Wine differs; `source`: where it was seen."""

    name: str
    source: str
    applies: Callable[[Draw], bool]


def instructions(draw: Draw) -> Iterator[Instruction]:
    return iter(decode(draw.machine.code.tobytes()).instructions) if draw.shader else iter(())


def samples_nothing(draw: Draw) -> bool:
    """A pixel shader addresses a stage without texture."""
    named = (one.dest.index for one in instructions(draw) if one.row.name.startswith("tex") and one.dest is not None)
    return any(n >= len(draw.textures) or draw.textures[n] is None for n in named)


def center_is_outside(draw: Draw) -> bool:
    """A point of more than a pixel whose centre is not in the viewport."""
    if draw.kind != PrimitiveType.POINTLIST:
        return False
    x, y, width, height, *_ = draw.world.viewport
    center = draw.shapes()[0][1][0]
    left, top = center.x + center.size / 2, center.y + center.size / 2  # a corner of the square
    return not (x <= left < x + width and y <= top < y + height)


def transforms_missing_set(draw: Draw) -> bool:
    """A texture matrix over a coordinate set that vertices lack."""
    there = len(draw.vertices[0].coordinates)
    for n, stage in enumerate(draw.stages):
        index = int(stage.get("TEXCOORDINDEX", n))  # above 16 bits: generated coordinates
        if int(stage.get("TEXTURETRANSFORMFLAGS", 0)) & ~PROJECTED and there <= index < 0x10000:
            return True
    return False


def lights_specular_argument(draw: Draw) -> bool:
    """SPECULAR of lit vertices is an argument of a stage."""
    if draw.shader or draw.vertices[0].transformed or not draw.states.get("LIGHTING"):
        return False
    used = [stage for stage in draw.stages if stage.get("COLOROP", TextureOp.DISABLE) != TextureOp.DISABLE]
    return any("ARG" in name and name != "RESULTARG" and int(value) & SELECT == SPECULAR for stage in used
               for name, value in stage.items())  # fmt: skip


def wraps(draw: Draw) -> bool:
    """WRAPn is set for a coordinate set."""
    return any(draw.states.get(f"WRAP{n}") for n in range(8))


def smooths_lines(draw: Draw) -> bool:
    """Lines with EDGEANTIALIAS."""
    return draw.kind == PrimitiveType.LINELIST and bool(draw.states.get("EDGEANTIALIAS"))


def filters_levels(draw: Draw) -> bool:
    """Levels of a texture are chosen or mixed."""
    return any(texture is not None and len(texture.levels) > 1 and int(stage.get("MIPFILTER", 0)) != TextureFilter.NONE
               for texture, stage in zip(draw.textures, draw.stages, strict=False))  # fmt: skip


KNOWN = (
    Known("no texture", "Wine 8.0 draws nothing with a pixel shader that addresses a stage without texture, or other colours",
          samples_nothing),
    Known("centre outside", "OpenGL 2.1, section 2.12: points are clipped by their centre; Direct3D clips the square",
          center_is_outside),
    Known("missing coordinates", "docs/decisions.md, Texture matrix over a coordinate set that the vertex lacks; Wine 8.0 only "
          "agrees without a matrix", transforms_missing_set),
    Known("specular argument", "Wine 8.0: D3DTA_SPECULAR of lit vertices is 0 without SPECULARENABLE",
          lights_specular_argument),
    Known("wrapping", "docs/decisions.md, Cylindrical wrapping: Wine 8.0 does not do it", wraps),
    Known("smooth lines", "docs/decisions.md, EDGEANTIALIAS: driver-defined; llvmpipe covers other pixels (scene `lines 118` "
          "is alike without the state)", smooths_lines),
    Known("mip levels", "llvmpipe: the level of detail has few bits, also with GALLIVM_PERF=no_filter_hacks; in noise of small "
          "textures that shows", filters_levels),
)  # fmt: skip


def why(draw: Draw) -> str:
    """The names of all that applies to a draw; "": a difference is news."""
    return ", ".join(one.name for one in KNOWN if one.applies(draw))
