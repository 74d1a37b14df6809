"""The fixed function vertex pipeline as steps: transform, each light, texture coordinates, fog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.device.lane.drawing import DrawArguments
from core.pipeline.draw_state.vertex_state import FogSource, VertexKind
from core.pipeline.explain.fixed_trace import trace_fixed_vertex
from core.pipeline.explain.vertex_grid import named_inputs
from core.pipeline.records.primitives import VertexField
from core.spec.enums import PrimitiveType, TextureCoordinateSource
from core.spec.slots import LIGHT_FIELDS
from inspector.query.steps.run import Step, values

ENABLED = LIGHT_FIELDS["Enabled"].offset
SOURCES = ("MATERIAL", "COLOR1 (diffuse)", "COLOR2 (specular)")
_NORMAL, _POSITION, _REFLECTION = (
    TextureCoordinateSource(value).name for value in list(TextureCoordinateSource) if value != TextureCoordinateSource.PASSTHRU
)
GENERATED = (("eye position", "eye", (_POSITION, _REFLECTION)), ("eye normal", "eye_normal", (_NORMAL, _REFLECTION)))
"""What generated texture coordinates are made of: its name, its field of the trace, for which of them."""
FOG_NOTES = {
    FogSource.ONE: "no fog at vertices: 1",
    FogSource.SPECULAR_ALPHA: "alpha of the specular colour",
    FogSource.SHADER: "oFog",
    FogSource.LINEAR: "(FOGEND - d) / (FOGEND - FOGSTART)",
    FogSource.EXP: "exp(-FOGDENSITY d)",
    FogSource.EXP2: "exp(-(FOGDENSITY d)**2)",
}


def fixed_steps(driver: EmulatedDriver, draw: DrawArguments, number: int) -> Iterator[Step]:
    """Steps of the vertex with this number in the streams, up to its place in clip space, colours and coordinates."""
    arguments = draw.arguments
    inputs, found, state = trace_fixed_vertex(
        draw.vector, draw.layout, arguments["streams"], number, arguments["light_slots"],
        arguments["kind"] == PrimitiveType.POINTLIST, arguments.get("stream_offset", 0),
    )  # fmt: skip
    named = {name: rows[0] for name, rows in named_inputs(draw.layout, inputs[None]).items()}
    yield Step("fetch", "vertex elements", (), values(named.items()))
    if state["kind"] == VertexKind.TRANSFORMED:
        position = values([("position", named["position"])] if "position" in named else [])
        yield Step(
            "transform", "already transformed", position, values([("clip", found["output"][:4])]), "XYZRHW passes through"
        )
    else:
        yield from _transform(found, state, named)
        if state["lighting"]:
            yield from _light(found, state, _light_numbers(driver, draw))
    yield from _colors(found, state, named)
    yield from _coordinates(found, state, named)
    yield _fog(found, state)


def _transform(found: np.void, state: np.void, named: dict[str, Any]) -> Iterator[Step]:
    position = values([("position", found["position"])])
    if state["tween"]:
        reads = values((name, named[name]) for name in ("position", "position 2") if name in named)
        yield Step("transform", "tween", reads, position, f"position + TWEENFACTOR (position 2 - position), "
                   f"TWEENFACTOR = {state['tween_factor']:.6g}")  # fmt: skip
    if state["blend"]:
        reads = position + values((name, named[name]) for name in ("blend weights", "blend indices") if name in named)
        position = values([("world position", found["world"])])
        yield Step("transform", "blend world matrices", reads, position, "the sum of weight x (position x WORLDn)")
        yield Step("transform", "eye space", position, values([("eye position", found["eye"])]), "world position x VIEW")
    else:
        yield Step("transform", "eye space", position, values([("eye position", found["eye"])]), "position x WORLD0 x VIEW")
    clip = values([("clip", found["output"][:4])])
    yield Step("transform", "clip space", values([("eye position", found["eye"])]), clip, "eye position x PROJECTION")
    if state["needs_normal"]:
        reads = values([("normal", found["normal"])])
        note = "normal x inverse transpose of WORLD x VIEW" + (", at length 1 (NORMALIZENORMALS)" if state["normalize"] else "")
        yield Step("transform", "normal in eye space", reads, values([("eye normal", found["eye_normal"][:3])]), note)


def _light_numbers(driver: EmulatedDriver, draw: DrawArguments) -> list[int]:
    """The lights that shine, by the numbers that the program gave them, in their order."""
    slots = sorted(driver.device.registers.light_slot.items())
    return [number for number, slot in slots if draw.vector[slot + ENABLED]]


def _light(found: np.void, state: np.void, numbers: list[int]) -> Iterator[Step]:
    viewer = "towards the eye (LOCALVIEWER)" if state["local_viewer"] else "0, 0, -1: no LOCALVIEWER"
    yield Step("light", "direction of the viewer", (), values([("viewer", found["viewer"][:3])]), viewer)
    common = values([("eye position", found["eye"][:3]), ("eye normal", found["eye_normal"][:3])])
    for k in range(int(state["light_count"])):
        step = found["light"][k]
        name = f"light {numbers[k]}" if k < len(numbers) else f"light #{k}"
        yield Step("light", f"{name}: where it stands", common, values([
            (f"{name} direction", step["direction"][:3]), (f"{name} strength", [step["strength"]]),
            (f"{name} spot factor", [step["spot"]]), (f"{name} N.L", [step["cosine"]]),
            (f"{name} (N.H)^power", [step["shine"]]),
        ]), "strength = spot factor / (A0 + A1 d + A2 d^2); 0 beyond the range")  # fmt: skip
        yield Step("light", f"{name}: what it adds", (), values([
            (f"{name} ambient", step["ambient"][:3]), (f"{name} diffuse", step["diffuse"][:3]),
            (f"{name} specular", step["specular"][:3]),
        ]), "ambient x strength, diffuse x N.L x strength, specular x (N.H)^power x strength")  # fmt: skip


def _colors(found: np.void, state: np.void, named: dict[str, Any]) -> Iterator[Step]:
    """Diffuse and specular, from the lights or as the vertex has them."""
    diffuse = found["output"][VertexField.DIFFUSE : VertexField.DIFFUSE + 4]
    specular = found["output"][VertexField.SPECULAR : VertexField.SPECULAR + 4]
    if not state["lighting"] or state["kind"] != VertexKind.FIXED:
        reads = values((name, named[name]) for name in ("diffuse", "specular") if name in named)
        yield Step("light", "colours of the vertex", reads, values([("diffuse", diffuse), ("specular", specular)]),
                   "no lighting; white and black where the vertex has none")  # fmt: skip
        return
    materials = [
        (f"{name} from {SOURCES[int(state[f'{name}_source'])]}", found[f"{name}_material"])
        for name in ("diffuse", "ambient", "emissive")
    ]
    ambient = [("AMBIENT", state["ambient"][:3])]
    yield Step("light", "diffuse colour", values(materials + ambient), values([("diffuse", diffuse)]),
               "diffuse x sum of diffuse + ambient x (AMBIENT + sum of ambient) + emissive; alpha of diffuse")  # fmt: skip
    source = (f"specular from {SOURCES[int(state['specular_source'])]}", found["specular_material"])
    note = "specular x sum of specular light" if state["specular"] else "SPECULARENABLE is off"
    yield Step("light", "specular colour", values([source]), values([("specular", specular)]), note)


def _coordinates(found: np.void, state: np.void, named: dict[str, Any]) -> Iterator[Step]:
    for number in range(int(state["stage_count"])):
        stage = state["stage"][number]
        output = found["output"][VertexField.TEXCOORD + 4 * number : VertexField.TEXCOORD + 4 * number + 4]
        generate = int(stage["generate"])
        made: list[tuple[str, Any]] = []
        if generate in list(TextureCoordinateSource) and generate:
            note, made = TextureCoordinateSource(generate).name, [("generated", found["generated"][number])]
            reads = values((name, found[field][:3]) for name, field, kinds in GENERATED if note in kinds)
        else:
            source = f"texture {int(stage['set'])}"
            note = f"coordinate set {int(stage['set'])}"
            reads = values([(source, named[source])] if source in named else [])
        if stage["count"]:
            note += f", x TEXTURE{number}, COUNT{int(stage['count'])}"
        yield Step("texgen", f"coordinates of stage {number}", reads, values([*made, (f"coordinates {number}", output)]), note)


def _fog(found: np.void, state: np.void) -> Step:
    source = FogSource(int(state["fog_source"]))
    note, reads = FOG_NOTES[source], values([])
    if source >= FogSource.LINEAR:
        eye = found["eye"][:3]
        distance = float(np.sqrt((eye * eye).sum())) if state["fog_range"] else abs(float(eye[2]))
        reads = values([("d", [distance]), ("FOGSTART", [state["fog_start"]]), ("FOGEND", [state["fog_end"]]),
                        ("FOGDENSITY", [state["fog_density"]])])  # fmt: skip
        note += "; d is the distance from the eye" if state["fog_range"] else "; d is |z| in eye space"
    factor = found["output"][VertexField.FOG : VertexField.FOG + 1]
    return Step("fog", "fog factor of the vertex", reads, values([("fog", factor)]), note)
