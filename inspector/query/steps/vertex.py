"""Stepping: one vertex through its shader instruction by instruction, or through the fixed function stage by stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ddi.driver.emulated import EmulatedDriver
from core.ddi.stream.shader_code import Instruction, Shader, decode
from core.ddi.stream.shader_text import instruction_text, listing, register_text, source_text
from core.device.lane.drawing import DrawArguments
from core.errors import BadInput
from core.pipeline.draw_state.vertex_state import VertexKind
from core.pipeline.explain.vertex_grid import VertexGrid, inspect_vertices, named_inputs
from core.pipeline.explain.vertex_trace import VertexTrace, trace_vertex
from core.pipeline.records.primitives import PrimitiveFate
from core.spec import slots
from core.spec.shaders import Spr
from inspector.progress import Cancel
from inspector.query.draws.vertices import described
from inspector.query.steps.fixed_function import fixed_steps
from inspector.query.steps.run import Run, Step, Value, values

if TYPE_CHECKING:
    from inspector.capture import Capture

SOURCES = 3


@dataclass(frozen=True, slots=True)
class StepVertex:
    """What became of one vertex of a draw.

    vertex: its place in drawing order, the row of capture.vertices "transformed" (of a curved draw: after the tessellator).
    """

    event: int
    vertex: int

    def run(self, capture: Capture, cancel: Cancel | None = None) -> Run:
        """BadInput if the event draws no vertices, or fewer."""
        with capture.replay.before(capture.check_event(self.event), cancel, drawn=True) as driver:
            found = described(capture, driver, self.event)
            if found is None:
                raise BadInput(f"event {self.event} draws no vertices")
            draw = found.drawn
            grid = inspect_vertices(draw.vector, draw.layout, **draw.arguments)
            if not 0 <= self.vertex < len(grid.references):
                raise BadInput(
                    f"event {self.event} draws {len(grid.references)} vertices; vertex {self.vertex} is out of range"
                )
            row = int(grid.references[self.vertex])
            title = f"vertex {self.vertex} of event {self.event} (number {int(grid.numbers[row])} in the streams)"
            if draw.layout.kind == VertexKind.SHADER and draw.arguments["program"] is not None:
                shader = _shader(driver)
                steps, lines = tuple(_program_steps(draw, int(grid.numbers[row]), shader)), tuple(listing(shader))
            else:
                steps, lines = tuple(fixed_steps(driver, draw, int(grid.numbers[row]))), ()
            return Run(title, (*steps, *_screen_steps(grid, row)), lines, self.event)


# ---- programs --------------------------------------------------------------------------------------


def _shader(driver: EmulatedDriver) -> Shader:
    """The vertex shader in use, decoded."""
    handle = int(driver.device.registers.vector[slots.VERTEX_SHADER])
    return decode(driver.device.context.vertex_shaders[handle].facts["code"])


def _program_steps(draw: DrawArguments, number: int, shader: Shader) -> Iterator[Step]:
    """The inputs, then every instruction."""
    arguments = draw.arguments
    trace = trace_vertex(draw.vector, draw.layout, arguments["program"], arguments["streams"], number,
                         arguments.get("stream_offset", 0))  # fmt: skip
    yield Step("fetch", "vertex inputs", (), _inputs(draw, trace.inputs))
    for line, (one, row) in enumerate(zip(shader.computing, trace.steps, strict=False)):
        yield _instruction_step(shader, one, row, line)
    yield Step("vshader", "outputs", (), _outputs(trace), "colours and fog are clamped to 0..1")


def _inputs(draw: DrawArguments, inputs: np.ndarray) -> tuple[Value, ...]:
    return values((name, found[0]) for name, found in named_inputs(draw.layout, inputs[None]).items())


def _instruction_step(shader: Shader, one: Instruction, row: np.ndarray, line: int) -> Step:
    """Sources as read and the destination as left; a matrix shows the first row that it reads."""
    reads = [(source_text(shader.version, source), row["source"][k]) for k, source in enumerate(one.sources[:SOURCES])]
    relative = any(source.relative for source in one.sources)
    if relative:
        reads.append(("a0.x", [row["address"]]))
    writes: tuple[Value, ...] = ()
    if one.dest is not None:
        name = register_text(shader.version, one.dest.type, one.dest.index)
        address = one.dest.type == Spr.ADDR
        writes = values([(f"{name}.x" if address else name, row["after"][: 1 if address else 4])])
    note = "the first row of the matrix is shown" if one.row.rows else ""
    return Step("vshader", instruction_text(shader.version, one), values(reads), writes, note, line)


def _outputs(trace: VertexTrace) -> tuple[Value, ...]:
    named: list[tuple[str, Any]] = [("oPos", trace.outputs[:4]), ("oD0", trace.outputs[4:8]), ("oD1", trace.outputs[8:12])]
    named += [("oFog", trace.outputs[12:13]), ("oPts", trace.outputs[13:14])]
    named += [(f"oT{n}", trace.outputs[16 + 4 * n : 20 + 4 * n]) for n in range(8)]
    return values(named)


# ---- after the program -----------------------------------------------------------------------------


def _screen_steps(grid: VertexGrid, row: int) -> Iterator[Step]:
    """Clip codes, then the place on the screen and what the pixel half gets."""
    outputs = {name: found[row] for name, found in grid.outputs.items()}
    outside = [fate.name.lower().replace("_", " ") for fate in PrimitiveFate if fate and int(grid.codes[row]) >> (fate - 1) & 1]
    note = f"outside: {', '.join(outside)}" if outside else "inside all planes"
    yield Step("clip", "clip codes", values([("clip", outputs["clip"])]), (), note)
    yield Step("clip", "divide by w, viewport", values([("clip", outputs["clip"])]),
               values([("screen", outputs["screen"]), ("rhw", outputs["rhw"])]),
               "pixel centres are whole numbers")  # fmt: skip
    handed = [(name, found) for name, found in outputs.items() if name not in ("clip", "screen", "rhw")]
    yield Step("setup", "passed to the rasteriser", (), values(handed), "colours and fog clamped to 0..1")
