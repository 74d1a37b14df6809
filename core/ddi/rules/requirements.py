"""Requirements on a driver's results: rules of capabilities and formats, and whether it qualifies as a DirectX 8 HAL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from functools import reduce
from operator import or_

from core.ddi.rules.facts import DriverFacts
from core.device.findings import RULES
from core.spec.caps import CAPS8, CursorCaps, DevCaps, FvfCaps, PrimitiveMiscCaps, RasterCaps, TextureCaps
from core.spec.enums import FormatOp, HalInfoFlag
from core.spec.formats import FORMATS
from core.spec.pixel_formats import PixelFormat, format_of, samples_of

OK, FAILED, UNKNOWN = "met", "failed", "not known"
Broken = tuple[str, str]  # rule, sentence
TARGETS = FormatOp.OFFSCREEN_RENDERTARGET | FormatOp.SAME_FORMAT_RENDERTARGET | FormatOp.SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET
FIELDS = {"flip_samples": "wFlipMSTypes", "blt_samples": "wBltMSTypes"}
GUARD_BAND = ("GuardBandLeft", "GuardBandTop", "GuardBandRight", "GuardBandBottom")
CONSTANTS = 96  # D3DVS_CONSTREG_MAX_V1_0


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement: the rule, its sentence and section, whether it is met, and what was found."""

    rule: str
    sentence: str
    section: str
    verdict: str
    found: str


def _clause(rule: str, met: bool | None, found: str) -> Clause:
    row = RULES[rule]
    return Clause(rule, row.sentence, row.section, UNKNOWN if met is None else OK if met else FAILED, found)


def minimum(facts: DriverFacts) -> list[Clause]:
    """The clauses of "Minimum Capability Requirements for DirectX 8.0 Drivers", in its order."""
    flags, asked = facts.hal_flags, facts.caps is not None
    gate = None if flags is None else bool(flags & HalInfoFlag.GETDRIVERINFO2)
    new = [one for one in facts.formats.values() if one.is_new_style]
    refused = {kind for kind, result in facts.surface_ex.items() if result}
    return [
        _clause("info2-gate", gate, "flags not recorded" if flags is None else f"dwFlags {flags:#x}"),
        _clause("info2-handled", asked or (False if gate is False else None), "D3DCAPS8 answered" if asked else "no D3DCAPS8"),
        _clause("minimum-streams", facts.number("MaxStreams", 0) >= 1 if asked else None, _said(facts, "MaxStreams")),
        _clause("minimum-point-size", facts.number("MaxPointSize", 0.0) >= 1 if asked else None, _said(facts, "MaxPointSize")),
        _clause("minimum-formats", bool(new) if facts.count is not None else None, f"{len(new)} in the new style"),
        _clause("minimum-tokens", not facts.unparsed if asked or facts.unparsed else None,
                "unparsed: " + " ".join(sorted(facts.unparsed)) if facts.unparsed else "none was refused"),
        _clause("minimum-surface-ex", not refused if facts.surface_ex else None,
                "refused: " + " ".join(sorted(refused)) if refused else "no buffer was refused"),
        _clipping(facts),
    ]  # fmt: skip


def _clipping(facts: DriverFacts) -> Clause:
    """The flag is for hardware that clips; a driver without it qualifies, and programs clip to its guard band."""
    sentence = "D3DPMISCCAPS_CLIPTLVERTS is set if the hardware clips transformed vertices."
    if facts.caps is None:
        verdict, found = UNKNOWN, "PrimitiveMiscCaps was not asked"
    elif facts.has("PrimitiveMiscCaps", PrimitiveMiscCaps.CLIPTLVERTS, False):
        verdict, found = OK, "CLIPTLVERTS is set"
    else:
        band = " ".join(f"{facts.number(name, 0.0):g}" for name in GUARD_BAND)
        verdict, found = OK, f"not set: programs clip to the guard band {band}"
    return Clause("unclipped", sentence, RULES["minimum-streams"].section, verdict, found)


def _said(facts: DriverFacts, name: str) -> str:
    return f"{name} {facts.number(name, 0):g}" if facts.caps is not None and name in facts.caps else f"{name} was not asked"


def qualifies(facts: DriverFacts) -> bool | None:
    """Whether Direct3D would expose a DirectX 8 HAL; None when a clause is not known and none fails."""
    verdicts = {clause.verdict for clause in minimum(facts)}
    return False if FAILED in verdicts else None if UNKNOWN in verdicts else True


# ---- D3DCAPS8 -------------------------------------------------------------------------------------------------


def caps_problems(facts: DriverFacts) -> Iterator[Broken]:
    """Rules that the D3DCAPS8 breaks."""
    if facts.caps is None:
        return
    if facts.caps.get("DeviceType") or facts.caps.get("AdapterOrdinal"):
        yield "caps-runtime-fields", "DeviceType and AdapterOrdinal are the runtime's to fill in"
    yield from _unknown_bits(facts)
    if facts.number("MaxStreams", 1) < 1:
        yield "minimum-streams", "MaxStreams is 0"
    if not facts.number("MaxPointSize", 1.0) >= 1:
        yield "minimum-point-size", f"MaxPointSize is {facts.number('MaxPointSize', 1.0):g}"
    yield from _shader_caps(facts)
    yield from _volume_caps(facts)
    quintic = DevCaps.QUINTICRTPATCHES | DevCaps.RTPATCHHANDLEZERO
    if facts.has("DevCaps", quintic, False) and not facts.has("DevCaps", DevCaps.RTPATCHES, True):
        yield "caps-patches", "QUINTICRTPATCHES or RTPATCHHANDLEZERO without RTPATCHES"


def _unknown_bits(facts: DriverFacts) -> Iterator[Broken]:
    assert facts.caps is not None
    for cap in CAPS8:
        members = cap.kind.members
        if members is None or not issubclass(members, IntFlag) or members is FvfCaps:
            continue
        known = 0
        for member in members:
            known |= int(member)
        if unknown := facts.caps.get(cap.name, 0) & ~known & 0xFFFFFFFF:
            yield "caps-cursor" if members is CursorCaps else "caps-bits", f"{cap.name}: {unknown:#x} means nothing"


def _shader_caps(facts: DriverFacts) -> Iterator[Broken]:
    assert facts.caps is not None
    for name, family in (("VertexShaderVersion", 0xFFFE), ("PixelShaderVersion", 0xFFFF)):
        version = facts.caps.get(name, 0)
        if version and version >> 16 != family:
            yield "caps-shader-version", f"{name} {version:#010x}"
    if facts.caps.get("VertexShaderVersion", 0) & 0xFFFF and facts.caps.get("MaxVertexShaderConst", CONSTANTS) < CONSTANTS:
        yield "caps-shader-constants", f"MaxVertexShaderConst {facts.caps['MaxVertexShaderConst']}"
    largest = facts.number("MaxPixelShaderValue", 0.0)
    if not (largest == 0 or largest >= 1):
        yield "caps-pixel-range", f"MaxPixelShaderValue {largest:g}"


def _volume_caps(facts: DriverFacts) -> Iterator[Broken]:
    volumes = facts.has("TextureCaps", TextureCaps.VOLUMEMAP, False)
    needed = ("MaxVolumeExtent", "VolumeTextureFilterCaps", "VolumeTextureAddressCaps")
    missing = [name for name in needed if volumes and not facts.number(name, 1)]
    if missing:
        yield "caps-volume", f"VOLUMEMAP, but {missing[0]} is 0"
    if not volumes and facts.has("TextureCaps", TextureCaps.MIPVOLUMEMAP | TextureCaps.VOLUMEMAP_POW2, False):
        yield "caps-volume", "MIPVOLUMEMAP or VOLUMEMAP_POW2 without VOLUMEMAP"


# ---- formats --------------------------------------------------------------------------------------------------


def format_problems(one: PixelFormat) -> Iterator[Broken]:
    """Rules that one entry of the format list breaks."""
    row = FORMATS.get(one.fourcc)
    name = row.name if row else f"format {one.fourcc:#x}"
    if not one.is_new_style:
        yield "format-style", f"flags {one.flags:#x} without DDPF_D3DFORMAT"
        return
    ops = one.operations
    if ops & FormatOp.ACCELERATION_3D and not ops & FormatOp.DISPLAYMODE:
        yield "format-acceleration", f"{name}: 3DACCELERATION without DISPLAYMODE"
    if ops & FormatOp.DISPLAYMODE and row is not None and row.alpha:
        yield "format-display-alpha", f"{name} has alpha"
    if ops & FormatOp.ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH and not ops & FormatOp.ZSTENCIL:
        yield "format-depth", f"{name}: ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH without ZSTENCIL"
    if row is None and not one.private_bits:
        yield "format-private", f"{name}: dwPrivateFormatBitCount is 0"
    if (one.flip_samples | one.blt_samples) & 1:
        yield "format-samples", f"{name}: bit 0 would be one sample"


def list_problems(facts: DriverFacts) -> Iterator[Broken]:
    """Rules that the format list as a whole breaks, once all formats were asked for."""
    if facts.count is None or len(facts.formats) < facts.count:
        return
    formats = list(facts.formats.values())
    if not any(one.is_new_style for one in formats):
        yield "minimum-formats", f"{facts.count} formats, none of them in the new style"
    if facts.caps is not None:
        volumes = any(one.operations & FormatOp.VOLUMETEXTURE for one in formats)
        if volumes != facts.has("TextureCaps", TextureCaps.VOLUMEMAP, volumes):
            yield "format-volume", "VOLUMETEXTURE formats without VOLUMEMAP" if volumes else "VOLUMEMAP without such formats"
        stretches = facts.has("RasterCaps", RasterCaps.STRETCHBLTMULTISAMPLE, False)
        if stretches and not any(one.flip_samples for one in formats):
            yield "format-stretch", "STRETCHBLTMULTISAMPLE, but no format has flip sample counts"
    yield from _sample_problems(formats)
    yield from _legacy_problems(facts, formats)


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _sample_problems(formats: list[PixelFormat]) -> Iterator[Broken]:
    """Sample counts that can be drawn to, and that no depth format has."""
    depths = [one for one in formats if one.operations & FormatOp.ZSTENCIL]
    for field in ("flip_samples", "blt_samples"):
        targets = _union(getattr(one, field) for one in formats if one.operations & TARGETS)
        missing = targets & ~_union(getattr(one, field) for one in depths)
        if depths and missing:
            counts = " and ".join(map(str, samples_of(missing)))
            yield "format-depth-samples", f"targets can have {counts} samples by {FIELDS[field]}, but no depth format"


def _legacy_problems(facts: DriverFacts, formats: list[PixelFormat]) -> Iterator[Broken]:
    """The list of the DirectX 8 interface beside those that DirectX 7 runtimes read."""
    for listed, what, bit in ((facts.textures, "texture", FormatOp.TEXTURE), (facts.depths, "Z", FormatOp.ZSTENCIL)):
        if listed is None:
            continue
        old = {row.id: row for one in listed if not one.is_new_style and (row := format_of(one)) is not None}
        new = {one.fourcc for one in formats if one.operations & bit}
        if new and not any(not one.is_new_style for one in listed):
            yield "format-legacy", f"no {what} format in the old style"
        for number in sorted(set(old) - new):
            yield "format-unlisted", f"{old[number].name} is a {what} format of the old list alone"


def duplicate(facts: DriverFacts, index: int) -> int | None:
    """Another index that was answered with the same format."""
    mine = facts.formats.get(index)
    if mine is None:
        return None
    same = (i for i, one in facts.formats.items() if i != index and (one.flags, one.fourcc) == (mine.flags, mine.fourcc))
    return next(same, None)


def format_name(one: PixelFormat) -> str:
    """'A8R8G8B8', or what the entry says."""
    row = format_of(one)
    if row is None and one.is_new_style:
        return f"private {one.fourcc:#x}, {one.private_bits} bits"
    return row.name if row else f"flags {one.flags:#x}, {one.bits} bits"
