"""Surfaces checked against the driver's reported limits: uses of the format, sizes, volumes, mip levels.

Only textures, render targets and depth surfaces outside system memory are looked at; nothing is said of what the driver
was not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.ddi.rules.facts import DriverFacts
from core.spec.caps import TextureCaps
from core.spec.enums import FormatOp, SurfaceCaps, SurfaceCaps2
from core.spec.formats import FORMATS

Broken = tuple[str, str]  # rule, sentence
CUBE_FACES = 6
DEPTH_WORD = 0xFFFF  # of dwCaps4
TARGETS = FormatOp.OFFSCREEN_RENDERTARGET | FormatOp.SAME_FORMAT_RENDERTARGET | FormatOp.SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET
BLOCK = 4  # texels aside that DXT formats are made of


@dataclass(frozen=True, slots=True)
class Asked:
    """A surface as CreateSurface asks for it; `depth` 0: not a volume."""

    format: int
    width: int
    height: int
    depth: int
    levels: int
    faces: int
    is_texture: bool
    is_target: bool
    is_depth: bool

    @property
    def name(self) -> str:
        """Of the format."""
        return FORMATS[self.format].name if self.format in FORMATS else f"format {self.format:#x}"

    @property
    def is_volume(self) -> bool:
        return self.depth > 0

    @property
    def is_cube(self) -> bool:
        return self.faces == CUBE_FACES


def _number(args: Mapping[str, Any], name: str, default: int = 0) -> int:
    value = args.get(name, default)
    return value if isinstance(value, int) else default


def volume_depth(args: Mapping[str, Any]) -> int:
    """Slices of a volume, from `depth` or the low word of dwCaps4; 0 for what is not a volume."""
    depth = _number(args, "depth")
    if not depth and _number(args, "caps2") & SurfaceCaps2.VOLUME:
        return _number(args, "caps4") & DEPTH_WORD
    return depth


def asked(args: Mapping[str, Any]) -> Asked | None:
    """What the arguments of a CreateSurface ask for; None for what has no limits (system memory, buffers)."""
    caps, label = _number(args, "caps"), args.get("label")
    if args.get("memory", "video") == "system" or caps & SurfaceCaps.SYSTEMMEMORY:
        return None
    cube = _number(args, "caps2") & SurfaceCaps2.CUBEMAP
    return Asked(
        _number(args, "format"), _number(args, "width"), _number(args, "height"), volume_depth(args),
        _number(args, "levels", 1), CUBE_FACES if cube else _number(args, "faces", 1),
        bool(caps & SurfaceCaps.TEXTURE) or label in ("texture", "cube", "volume"),
        bool(caps & SurfaceCaps.DEVICE_3D) or label == "render_target",
        bool(caps & SurfaceCaps.ZBUFFER) or label == "depth",
    )  # fmt: skip


def problems(facts: DriverFacts, args: Mapping[str, Any]) -> Iterator[Broken]:
    """Rules that a CreateSurface with these arguments breaks."""
    one = asked(args)
    if one is None:
        return
    if one.is_texture and facts.caps is not None:
        yield from _kind(facts, one)
        yield from _size(facts, one)
        yield from _shape(facts, one)
    yield from _format_use(facts, one)


def _format_use(facts: DriverFacts, one: Asked) -> Iterator[Broken]:
    """Against dwOperations of the format, once the whole list is known."""
    if facts.count is None or len(facts.formats) < facts.count:
        return
    row = next((entry for entry in facts.formats.values() if entry.is_new_style and entry.fourcc == one.format), None)
    if row is None:
        return  # `bad-format` says so
    kind = FormatOp.VOLUMETEXTURE if one.is_volume else FormatOp.CUBETEXTURE if one.is_cube else FormatOp.TEXTURE
    ops = row.operations
    for wanted, use in ((one.is_texture, kind), (one.is_target, TARGETS), (one.is_depth, FormatOp.ZSTENCIL)):
        if wanted and not ops & use:
            what = "a render target" if use is TARGETS else f"D3DFORMAT_OP_{use.name}"
            yield "format-use", f"{one.name} is not reported as {what}"


def _size(facts: DriverFacts, one: Asked) -> Iterator[Broken]:
    if one.is_volume:
        sides = {"width": "MaxVolumeExtent", "height": "MaxVolumeExtent", "depth": "MaxVolumeExtent"}
    else:
        sides = {"width": "MaxTextureWidth", "height": "MaxTextureHeight"}
    for side, cap in sides.items():
        size, most = getattr(one, side), int(facts.number(cap, 0))
        if most and size > most:
            yield "texture-size", f"a texture's {side} of {size}, {cap} is {most}"
            return
    most = int(facts.number("MaxTextureAspectRatio", 0))
    long, short = max(one.width, one.height), max(min(one.width, one.height), 1)
    if not one.is_volume and most and long > most * short:
        yield "texture-size", f"a texture of {one.width} x {one.height}, MaxTextureAspectRatio is {most}"


def _is_power(*sides: int) -> bool:
    return all(side & (side - 1) == 0 for side in sides)


def _shape(facts: DriverFacts, one: Asked) -> Iterator[Broken]:
    """Powers of two and squares.  NONPOW2CONDITIONAL allows any size without mip levels (SDK, D3DPTEXTURECAPS)."""
    if one.is_volume:
        if facts.has("TextureCaps", TextureCaps.VOLUMEMAP_POW2, False) and not _is_power(one.width, one.height, one.depth):
            yield "texture-power", f"a volume of {one.width} x {one.height} x {one.depth}, VOLUMEMAP_POW2 is set"
        return
    bit = TextureCaps.CUBEMAP_POW2 if one.is_cube else TextureCaps.POW2
    conditional = not one.is_cube and one.levels == 1 and facts.has("TextureCaps", TextureCaps.NONPOW2CONDITIONAL, False)
    if facts.has("TextureCaps", bit, False) and not conditional and not _is_power(one.width, one.height):
        yield "texture-power", f"a texture of {one.width} x {one.height}, {bit.name} is set"
    if facts.has("TextureCaps", TextureCaps.SQUAREONLY, False) and one.width != one.height:
        yield "texture-power", f"a texture of {one.width} x {one.height}, SQUAREONLY is set"


def _kind(facts: DriverFacts, one: Asked) -> Iterator[Broken]:
    """Volumes, cubes and mip levels for drivers that have them."""
    if one.is_volume:
        plain, mipped = TextureCaps.VOLUMEMAP, TextureCaps.MIPVOLUMEMAP
    elif one.is_cube:
        plain, mipped = TextureCaps.CUBEMAP, TextureCaps.MIPCUBEMAP
    else:
        plain, mipped = TextureCaps(0), TextureCaps.MIPMAP
    if plain and not facts.has("TextureCaps", plain):
        yield "texture-support", f"a texture that needs D3DPTEXTURECAPS_{plain.name}, which is not reported"
    elif one.levels > 1 and not facts.has("TextureCaps", mipped):
        yield "texture-support", f"{one.levels} levels, D3DPTEXTURECAPS_{mipped.name} is not reported"


__all__ = ["Asked", "asked", "problems", "volume_depth"]
