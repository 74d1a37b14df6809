"""How one pixel of one primitive got its colour: each texture stage, or each instruction of the pixel shader, with the texels
it read; then specular add, colour key and fog.  From the log of the frame, with the same kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.ddi.stream.shader_code import decode
from core.ddi.stream.shader_text import listing
from core.device.past.pixel_log import drawn_at
from core.device.past.tap import Pass
from core.errors import ShaderError
from core.pipeline.explain.output_trace import Late, Rgba
from core.pipeline.explain.pixel_trace import Pixel, Step, trace
from core.pipeline.explain.redraw import DrawnBatch
from core.pipeline.explain.texel_trace import Lookup
from inspector.progress import Cancel
from inspector.query.events.detail import record_of
from inspector.query.pixels.cascade import StageWords, stage_titles
from inspector.query.pixels.writers import drawing_pass
from inspector.query.state.at_event import DeviceState
from inspector.timeline.records import events_of

if TYPE_CHECKING:
    from inspector.capture import Capture

CREATE_HEADER = 8  # bytes of {handle, size} before a shader's code


@dataclass(frozen=True, slots=True)
class ShadingStep:
    """A texture stage or an instruction. `values` by name: what came in and what it left (pixel_trace.Step of the core); a
    stage's arguments with what they select.  formula: of a stage."""

    title: str
    values: dict[str, Rgba]
    lookup: Lookup | None = None
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Shading:
    """A pixel up to the tests.  result: before specular add, fog and clamping; late: from there to the tests; key: what the
    colour key looked at; inputs: diffuse, specular, and texture coordinates t0.. as interpolated, not divided by q."""

    shader: bool
    inputs: dict[str, Rgba]
    steps: list[ShadingStep]
    result: Rgba
    killed: bool
    depth: float | None
    late: Late
    key: Lookup | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece of a primitive in the batch that drew it: `row` of batch.edges."""

    cause: Pass
    batch: DrawnBatch
    row: int

    @property
    def states(self) -> np.ndarray:
        """PIXEL_STATE[1] of its draw."""
        number = int(self.batch.edges["state"][self.row])
        return self.batch.states[number : number + 1].copy()

    def pixel(self, x: int, y: int) -> Pixel:
        """What it takes to compute one of its pixels."""
        states, first = self.states, int(self.batch.edges["planes"][self.row])
        planes = self.batch.planes[first : first + int(states["record_floats"][0])].copy()
        return Pixel(states, planes, self.batch.memory, x, y)


def place(capture: Capture, event: int, primitive: int, x: int, y: int, piece: int | None = None,
          cancel: Cancel | None = None) -> Placed | None:  # fmt: skip
    """Where a primitive covers a pixel; piece: of those that clipping made of it.  None: nowhere.  BadInput: no such draw."""
    _, cause = drawing_pass(capture, event, cancel)
    for batch in drawn_at(cause, x, y):
        rows = batch.rows_at(x, y, event, event)
        covering = batch.covering(x, y, rows[batch.edges["number"][rows] == primitive])
        if len(covering):
            return Placed(cause, batch, int(covering[0]) if piece is None else piece)
    return None


def shading(capture: Capture, event: int, primitive: int, x: int, y: int, cancel: Cancel | None = None) -> Shading | None:
    """The steps of the pixel; None if the primitive of this draw does not cover it (or was culled, or clipped away)."""
    found = place(capture, event, primitive, x, y, None, cancel)
    return None if found is None else shaded(capture, event, found, x, y)


def shaded(capture: Capture, event: int, placed: Placed, x: int, y: int) -> Shading:
    """The trace of a pixel with the steps' titles."""
    seen = trace(placed.pixel(x, y))
    state = capture.state(event)
    if seen.shader:
        titles = shader_titles(capture, event, state)
        steps = [ShadingStep(titles.get(step.number, f"{step.number}"), step.values, step.lookup) for step in seen.steps]
    else:
        titles = stage_titles(state)
        steps = [_stage(state, titles[step.number], step) for step in seen.steps]
    assert seen.late is not None
    return Shading(seen.shader, seen.inputs, steps, seen.result, seen.killed, seen.depth, seen.late, seen.key)


def _stage(state: DeviceState, title: str, step: Step) -> ShadingStep:
    """A texture stage, its arguments named by what they select."""
    words = StageWords(state, step.number, "texture" in step.values)
    return ShadingStep(title, {words.named(name): value for name, value in step.values.items()}, step.lookup, words.formula)


def shader_titles(capture: Capture, event: int, state: DeviceState) -> dict[int, str]:
    """The instructions that compute, disassembled."""
    code = shader_code(capture, event, int(state["PIXELSHADER"].raw[0]))
    try:
        decoded = decode(code) if code is not None else None
    except ShaderError:
        decoded = None
    if decoded is None:
        return {}
    return dict(enumerate(listing(decoded)))


def shader_code(capture: Capture, event: int, handle: int) -> np.ndarray | None:
    """The code of a pixel shader handle at an event."""
    made = events_of(capture.events, "CREATEPIXELSHADER")
    for creation in made[made <= event][::-1].tolist():
        record = record_of(capture.events, creation)
        first, size = int(record["offset"]), int(record["size"])
        words = capture.events.buffer(creation)[first : first + size]
        if int.from_bytes(words[:4].tobytes(), "little") == handle:
            code = words[CREATE_HEADER:]
            return code[: len(code) // 4 * 4].copy().view("<u4")
    return None
