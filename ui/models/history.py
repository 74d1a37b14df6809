"""The history of a pixel as rows, and an explained fragment as named values under titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.pipeline.explain.output_trace import Blended, Late
from core.pipeline.explain.texel_trace import Lookup
from core.spec.enums import BlendOp
from inspector.query.pixels.explain import Explanation
from inspector.query.pixels.explain_text import LATE_TITLES, numbers
from inspector.query.pixels.fates import FATE_TITLES, enum_name
from inspector.query.pixels.history import Entry, History, Miss
from inspector.query.pixels.pixel import PixelValue
from inspector.query.pixels.shading import ShadingStep

Rgba = tuple[float, ...]
Titled = tuple[str, tuple[tuple[str, str], ...]]
"""A title, and (name, value) pairs."""
FEW_TEXELS = 8


@dataclass(frozen=True)
class Row:
    """One entry of the history, or one miss.  `mark` and `color` are theme tokens; swatches 0xAARRGGBB or None."""

    event: int
    token: str
    primitive: int | None
    sample: int | None
    fate: str
    sentence: str
    mark: str
    color: str
    swatches: tuple[int | None, ...] = ()
    """The colours before, shaded and after."""
    entry: Entry | None = None

    @property
    def which(self) -> str:
        """The primitive, as "175", or as "175.2" of sample 2."""
        sample = "" if self.sample is None else f".{self.sample}"
        return "" if self.primitive is None else f"{self.primitive}{sample}"

    def mentions(self, words: Iterable[str]) -> bool:
        """Whether all words are in it."""
        text = f"#{self.event} {self.token} {self.fate} {self.sentence}".casefold()
        return all(word in text for word in words)


def rows_of(capture: Any, history: History) -> list[Row]:
    """Entries in order, then the misses."""
    return [entry_row(capture, entry) for entry in history.entries] + [miss_row(capture, miss) for miss in history.misses]


def entry_row(capture: Any, entry: Entry) -> Row:
    mark = "good" if entry.passed else "error"
    return Row(
        entry.event, capture.name(entry.event), entry.primitive, entry.sample,
        FATE_TITLES[entry.fate] if entry.kind == "fragment" else entry.kind, entry.reason, mark,
        "text" if entry.passed else "muted", (swatch(entry.before), argb(entry.shaded), swatch(entry.after)), entry,
    )  # fmt: skip


def miss_row(capture: Any, miss: Miss) -> Row:
    return Row(miss.event, capture.name(miss.event), miss.primitive, None, "missed", miss.reason, "faint", "faint")


def argb(color: Rgba | None) -> int | None:
    """0xFFRRGGBB of numbers in 0..1."""
    if color is None:
        return None
    red, green, blue = (round(min(max(channel if channel == channel else 0.0, 0.0), 1.0) * 255) for channel in color[:3])
    return 0xFF000000 | red << 16 | green << 8 | blue


def swatch(value: PixelValue) -> int | None:
    """A colour; depth as grey."""
    return argb(value.rgba if value.rgba is not None else (value.depth or 0.0,) * 3)


# ---- an explanation ------------------------------------------------------------------------------------------------


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
    """Values by name; what an argument selects stands behind its value."""
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
        where = "border" if one.border else f"level {one.level}" + (f", face {one.face}" if one.face else "")
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
