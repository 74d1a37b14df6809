"""An explained fragment as named values under titles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.pipeline.explain.output_trace import Blended, Late
from core.pipeline.explain.texel_trace import Lookup
from core.spec.enums import BlendOp
from inspector.query.pixels.explain_text import LATE_TITLES, numbers
from inspector.query.pixels.fates import enum_name
from inspector.query.pixels.history import Entry
from inspector.query.pixels.shading import ShadingStep

if TYPE_CHECKING:
    from inspector.query.pixels.explain import Explanation

Titled = tuple[str, tuple[tuple[str, str], ...]]
"""A title, and (name, value) pairs."""
FEW_TEXELS = 8


def explained(found: Explanation) -> Iterator[Titled]:
    """In the order of the pipeline."""
    shading, entry = found.shading, found.entry
    yield "Result", tuple(_result(entry))
    inputs = [(name, numbers(value)) for name, value in shading.inputs.items()]
    yield "Interpolated", (*inputs, ("w", f"{shading.late.w:.6g}"))
    for step in shading.steps:
        yield step.title, (lookup_facts(step.lookup) if step.lookup is not None else ()) + tuple(_step_facts(step))
    yield "Before the tests", tuple(late_facts(shading.late, shading.key))
    results = {True: "passed: ", False: "failed: ", None: ""}
    yield "Tests", tuple((test.name.replace("_", " "), f"{results[test.passed]}{test.text}") for test in found.tests)
    if found.blend is not None:
        yield "Blending", tuple(blend_facts(found.blend))


def _step_facts(step: ShadingStep) -> Iterator[tuple[str, str]]:
    """Values by name; what an argument selects follows its value."""
    for name, value in step.values.items():
        plain, _, selected = name.partition(" (")
        yield plain.replace("_", " "), "   ".join(filter(None, (numbers(value), selected.rstrip(")"))))
    if step.formula:
        yield "formula", step.formula


def _result(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "", entry.reason
    if entry.shaded is not None:
        yield "shaded", numbers(entry.shaded)
    yield "before", f"{entry.before.stored}   {entry.before.text}"
    yield "after", f"{entry.after.stored}   {entry.after.text}"
    if entry.other_before is not None and entry.other_after is not None:
        other = "depth" if entry.other_before.rgba is None else "colour"
        yield f"{other} before", f"{entry.other_before.stored}   {entry.other_before.text}"
        yield f"{other} after", f"{entry.other_after.stored}   {entry.other_after.text}"


def lookup_facts(lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Where a lookup looked, and what it found."""
    filter = "linear" if lookup.linear else "point"
    facts = [("sampled at", f"{numbers(lookup.coordinates)}, {filter}, level of detail {lookup.lod:.3f}")]
    if lookup.reference is not None:
        facts.append(("compared with", f"depth {lookup.reference:.7g}"))
    for one in lookup.texels[:FEW_TEXELS]:
        where = "border" if one.border else f"level {one.level}" + (f", face {one.side}" if one.side else "")
        where += f", slice {one.slice}" if one.slice else ""
        facts.append((f"texel {one.x}, {one.y}", f"{one.weight:.4f} x {numbers(one.value)}   ({where}, word {one.address:#x})"))
    if len(lookup.texels) > FEW_TEXELS:
        facts.append(("", f"and {len(lookup.texels) - FEW_TEXELS} texels more"))
    return tuple(facts)


def late_facts(late: Late, key: Lookup | None) -> Iterator[tuple[str, str]]:
    """Specular add, colour key and fog."""
    for name, color in late.colors.items():
        if name == "specular":
            yield "specular", numbers(late.specular[:3])
        elif name == "fog":
            yield "fog factor", f"{late.fog_factor:.6g} ({late.fog_source.name.lower()})"
            yield "fog colour", numbers(late.fog_color[:3])
        elif name == "color_key" and key is not None:
            yield from lookup_facts(key)
        yield LATE_TITLES[name], numbers(color)


def blend_facts(blend: Blended) -> Iterator[tuple[str, str]]:
    """Factors and terms."""
    if not blend.enabled:
        yield "written", f"0x{blend.word:08x}, not blended"
        return
    yield "source", f"{numbers(blend.source)}"
    yield "x factor", f"{numbers(blend.source_factor)}  =  {numbers(blend.source_term)}"
    yield "destination", f"{numbers(blend.destination)}"
    yield "x factor", f"{numbers(blend.destination_factor)}  =  {numbers(blend.destination_term)}"
    yield enum_name(BlendOp, blend.op).lower(), f"{numbers(blend.result)}"
    yield "written", f"0x{blend.word:08x}"
