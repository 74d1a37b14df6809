"""Stepping through a pixel: a fragment from interpolation through stages or instructions to blending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ddi.stream.shader_code import Instruction, Shader, decode
from core.ddi.stream.shader_text import instruction_text, listing, register_text
from core.errors import BadInput
from core.pipeline.explain.output_trace import Blended, Late
from core.pipeline.explain.texel_trace import Lookup
from core.spec.enums import BlendOp
from core.spec.shaders import Spr
from core.spec.subresource import Subresource
from inspector.progress import Cancel
from inspector.query.pixels.explain import Explain, Explanation
from inspector.query.pixels.explain_text import FEW_TEXELS, LATE_TITLES
from inspector.query.pixels.fates import FATE_TITLES, enum_name
from inspector.query.pixels.history import Entry, PixelHistory, last_that_decided
from inspector.query.pixels.shading import ShadingStep, shader_code
from inspector.query.state.at_event import DeviceState
from inspector.query.steps.run import Numbers, Run, Step, Value, values

if TYPE_CHECKING:
    from inspector.capture import Capture

OUTPUTS = ("current", "temp")
MOST_NAMED = 8  # primitives in a sentence


@dataclass(frozen=True, slots=True)
class StepPixel:
    """What one fragment of a draw went through.

    primitive, sample: None for the fragment that the pixel has its value from after the draw, or else for the last one there.
    """

    event: int
    x: int
    y: int
    primitive: int | None = None
    sample: int | None = None
    surface: int | str = "render_target"

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Run:
        """BadInput if the draw has no such fragment at the pixel."""
        entry = self._entry(capture, cancel)
        found = capture.ask(Explain(entry), cancel)
        state = capture.state(self.event)
        code = shader_code(capture, self.event, int(state["PIXELSHADER"].raw[0]))
        shader = decode(code) if found.shading.shader and code is not None else None
        sample = "" if entry.sample is None else f", sample {entry.sample}"
        title = (
            f"pixel {self.x}, {self.y}{sample}, primitive {entry.primitive} of event {self.event}: {FATE_TITLES[entry.fate]}"
        )
        constants = {f"c{n}": _floats(state, n) for n in _constants(shader)} if shader else {}
        steps, lines = tuple(_steps(found, shader, constants, state)), tuple(listing(shader)) if shader else ()
        return Run(title, steps, lines, self.event, entry.primitive, entry.piece)

    def _entry(self, capture: Capture, cancel: Cancel | None) -> Entry:
        where = Subresource(self.surface, sample=self.sample)
        history = capture.ask(PixelHistory(where, self.x, self.y, self.event, self.event, misses=False), cancel)
        wanted = [one for one in history.fragments if self.primitive in (None, one.primitive)]
        if not wanted:
            what = "no fragment" if self.primitive is None else f"no fragment of primitive {self.primitive}"
            made = sorted({one.primitive for one in history.fragments if one.primitive is not None})
            others = f": its fragments there are of primitive {', '.join(map(str, made[:MOST_NAMED]))}" if made else ""
            raise BadInput(f"event {self.event} makes {what} at pixel {self.x}, {self.y}{others}")
        return last_that_decided(wanted) or wanted[-1]


def _constants(shader: Shader) -> list[int]:
    """The numbers of the constants that the program reads."""
    return sorted({source.index for one in shader.computing for source in one.sources if source.type == Spr.CONST})


def _floats(state: DeviceState, number: int) -> Numbers:
    """A constant register."""
    return tuple(float(part) for part in state["PSCONST", number].value)


def _steps(found: Explanation, shader: Shader | None, constants: Mapping[str, Numbers], state: DeviceState) -> Iterator[Step]:
    """In the order of the pipeline."""
    shading = found.shading
    w = f"1/w = {1 / shading.late.w:.6g}" if shading.late.w else ""
    inputs = _inputs(shading.inputs) if shader is not None else shading.inputs
    yield Step("setup", "interpolated", (), values(inputs.items()), w)
    if shader is not None:
        if constants:
            yield Step("pshader", "constants", (), values(constants.items()))
        yield from _shader_steps(shading.steps, shader, {**inputs, **constants})
    else:
        for step in shading.steps:
            yield from _stage_steps(step)
    yield from _late_steps(shading.late, shading.key, "combine" if shader is None else "pshader")
    for test in found.tests:
        verdict = {True: ": passed", False: ": failed", None: ": off" if test.text == "off" else ""}[test.passed]
        yield Step(test.name, f"{test.name.replace('_', ' ')}{verdict}", values(test.compared), (), test.text)
    if found.blend is not None:
        yield from _blend_steps(found.blend, state)
    else:
        yield Step("output", "no colour is written", (), (), found.entry.reason)


# ---- texture stages ----------------------------------------------------------------------------------


def _stage_steps(step: ShadingStep) -> Iterator[Step]:
    """The lookup, then the operation."""
    if step.lookup is not None:
        yield _lookup_step(step.lookup, "texture", step.values.get("texture"))
    given = values((name, value) for name, value in step.values.items() if name not in OUTPUTS)
    left = values((name, value) for name, value in step.values.items() if name in OUTPUTS)
    yield Step("combine", step.title, given, left, step.formula)


def _lookup_step(lookup: Lookup, name: str, value: Numbers | None) -> Step:
    """Coordinates and texels with their weights give a texture colour."""
    reads = values([(f"coordinates {lookup.stage}", lookup.coordinates), *_texels(lookup)])
    return Step("sample", f"texels of stage {lookup.stage}", reads, values([(name, value or lookup.total)]), _filter(lookup))


def _texels(lookup: Lookup) -> Iterator[tuple[str, Numbers]]:
    """What was read and how it counts, as in "0.25 x texel 3, 4 of level 1", with its colour; without the level if all are of
    one, which the note names."""
    many = len({one.level for one in lookup.texels}) > 1
    for one in lookup.texels[:FEW_TEXELS]:
        where = "border colour" if one.border else f"texel {one.x}, {one.y}" + (f" of level {one.level}" if many else "")
        where += (f" face {one.side}" if one.side else "") + (f" slice {one.slice}" if one.slice else "")
        yield f"{one.weight:.4g} x {where}", one.value


def _filter(lookup: Lookup) -> str:
    levels = sorted({one.level for one in lookup.texels})
    more = f", from level{'s' if len(levels) > 1 else ''} {' and '.join(map(str, levels))}" if levels else ""
    more += f", {lookup.samples} samples" if lookup.samples > 1 else ""
    more += f", {len(lookup.texels) - FEW_TEXELS} texels more" if len(lookup.texels) > FEW_TEXELS else ""
    return f"{'linear' if lookup.linear else 'point'}, level of detail {lookup.lod:.3f}{more}"


# ---- programs ----------------------------------------------------------------------------------------


def _inputs(inputs: Mapping[str, Numbers]) -> Mapping[str, Numbers]:
    """The registers that interpolants are read from."""
    names = {"diffuse": "v0", "specular": "v1"}
    return {names.get(name, name): value for name, value in inputs.items()}


def _shader_steps(steps: list[ShadingStep], shader: Shader, registers: Mapping[str, Numbers]) -> Iterator[Step]:
    """Each instruction: the registers it names, and those that it changed; a lookup comes with its texels."""
    code = {instruction_text(shader.version, one): one for one in shader.computing}
    lines, place = listing(shader), -1
    for step in steps:
        one = code.get(step.title)
        reads = _sources(shader.version, one, registers) if one is not None else ()
        writes = _written(shader.version, one, step.values, registers)
        if step.lookup is not None:
            reads += values(_texels(step.lookup))
        note = _filter(step.lookup) if step.lookup is not None else ""
        place = lines.index(step.title, place + 1) if step.title in lines[place + 1 :] else place
        yield Step("pshader", step.title, reads, writes, note, place)
        registers = {**registers, **step.values}


def _sources(version: int, one: Instruction, registers: Mapping[str, Numbers]) -> tuple[Value, ...]:
    """The source registers before swizzle and modifiers, and the texture register that a tex instruction goes by."""
    names = [register_text(version, source.type, source.index) for source in one.sources]
    if one.row.kind == "texture" and one.dest is not None and one.dest.type == Spr.TEXTURE:
        names.append(f"t{one.dest.index}")
    return values((name, registers[name]) for name in dict.fromkeys(names) if name in registers)


def _written(
    version: int, one: Instruction | None, after: Mapping[str, Numbers], before: Mapping[str, Numbers]
) -> tuple[Value, ...]:
    """The registers that an instruction changed, and its destination if it did not."""
    changed = {name for name, value in after.items() if before.get(name) != value}
    if one is not None and one.dest is not None:
        changed.add(register_text(version, one.dest.type, one.dest.index))
    return values((name, value) for name, value in after.items() if name in changed)


# ---- after the colour --------------------------------------------------------------------------------


def _late_steps(late: Late, key: Lookup | None, stage: str) -> Iterator[Step]:
    """From the last stage or instruction, which is of `stage`, to the tests."""
    for name, color in late.colors.items():
        reads: tuple[Value, ...] = ()
        note = ""
        if name == "specular":
            reads = values([("specular", late.specular)])
        elif name == "fog":
            reads = values([("fog factor", [late.fog_factor]), ("fog colour", late.fog_color[:3])])
            distance = f", distance {late.fog_distance:.6g}" if late.fog_distance else ""
            note = f"factor x colour + (1 - factor) x fog colour; factor from {late.fog_source.name}{distance}"
        elif name == "color_key" and key is not None:
            reads, note = values(_texels(key)), _filter(key)
        yield Step("fog" if name == "fog" else stage, LATE_TITLES[name], reads, values([("color", color)]), note)


def _blend_steps(blend: Blended, state: DeviceState) -> Iterator[Step]:
    if blend.enabled:
        first, second = (f"x {name} ({state[name].text})" for name in ("SRCBLEND", "DESTBLEND"))
        yield Step("blend", "source term", values([("source", blend.source), ("source factor", blend.source_factor)]),
                   values([("source term", blend.source_term)]), f"source {first}")  # fmt: skip
        terms = [("destination", blend.destination), ("destination factor", blend.destination_factor)]
        yield Step("blend", "destination term", values(terms), values([("destination term", blend.destination_term)]),
                   f"destination {second}")  # fmt: skip
        result = values([("result", blend.result)])
        yield Step("blend", f"blended: {enum_name(BlendOp, blend.op)}", (), result, "clamped to 0..1")
    left = ("result", blend.result) if blend.enabled else ("color", blend.source)
    yield Step("output", "written", values([left]), (), f"the target now holds 0x{blend.word:08x}")
