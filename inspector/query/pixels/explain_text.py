"""An explained fragment as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from core.pipeline.explain.output_trace import Blended, Late
from core.pipeline.explain.texel_trace import Lookup
from core.spec.enums import BlendOp
from inspector.query.pixels.fates import enum_name

if TYPE_CHECKING:
    from inspector.query.pixels.explain import Explanation

FEW_TEXELS = 16
LATE_TITLES = {"stages": "clamped", "specular": "specular added", "color_key": "colour key", "fog": "fogged"}


def numbers(values: Iterable[float]) -> str:
    """As in "0.25, 0.5, 0.75, 1"."""
    return ", ".join(f"{value:.4g}" for value in values)


def lines(found: Explanation) -> Iterator[str]:
    """One line per fact, in the order of the pipeline."""
    shading = found.shading
    yield f"interpolated: 1/w {1 / shading.late.w:.6g}" if shading.late.w else "interpolated"
    for name, value in shading.inputs.items():
        yield f"  {name:10} {numbers(value)}"
    for step in shading.steps:
        yield step.title
        if step.lookup is not None:
            yield from lookup_lines(step.lookup)
        for name, value in step.values.items():
            yield f"  {name:10} {numbers(value)}"
    yield from late_lines(shading.late, shading.key)
    for test in found.tests:
        result = {True: "passed", False: "failed", None: ""}[test.passed]
        yield f"{test.name.replace('_', ' ')}: {test.text}{', ' + result if result else ''}"
    if found.blend is not None:
        yield from blend_lines(found.blend)


def lookup_lines(lookup: Lookup) -> Iterator[str]:
    """Coordinates and level, then one line per texel."""
    filter = "linear" if lookup.linear else "point"
    more = f", {lookup.samples} samples" if lookup.samples > 1 else ""
    u, v, w = lookup.coordinates
    more += "" if lookup.reference is None else f", compared with depth {lookup.reference:.7g}"
    yield f"  sampled at u {u:.6g}, v {v:.6g}, w {w:.6g}: {filter}, level of detail {lookup.lod:.3f}{more}"
    for one in lookup.texels[:FEW_TEXELS]:
        where = "border colour" if one.border else f"level {one.level}" + (f" face {one.side}" if one.side else "")
        where += f" slice {one.slice}" if one.slice else ""
        yield f"    {one.weight:8.6f} x texel {one.x}, {one.y} ({where}, word {one.address:#x})  {numbers(one.value)}"
    if len(lookup.texels) > FEW_TEXELS:
        yield f"    and {len(lookup.texels) - FEW_TEXELS} texels more"


def late_lines(late: Late, key: Lookup | None) -> Iterator[str]:
    """From the stages to the tests."""
    for name, color in late.colors.items():
        more = ""
        if name == "specular":
            more = f"  (+ {numbers(late.specular[:3])})"
        elif name == "fog":
            distance = f", distance {late.fog_distance:.6g}" if late.fog_distance else ""
            more = f"  (factor {late.fog_factor:.6g} from {late.fog_source.name}{distance}; fog {numbers(late.fog_color[:3])})"
        elif name == "color_key" and key is not None:
            yield from lookup_lines(key)
        yield f"{LATE_TITLES[name]}: {numbers(color)}{more}"


def blend_lines(blend: Blended) -> Iterator[str]:
    """Factors and terms."""
    if not blend.enabled:
        yield f"not blended: 0x{blend.word:08x} is written"
        return
    yield f"source       {numbers(blend.source)}  x factor {numbers(blend.source_factor)}  = {numbers(blend.source_term)}"
    first, second = numbers(blend.destination), numbers(blend.destination_factor)
    yield f"destination  {first}  x factor {second}  = {numbers(blend.destination_term)}"
    yield f"blended: {enum_name(BlendOp, blend.op)} = {numbers(blend.result)}, 0x{blend.word:08x} is written"
