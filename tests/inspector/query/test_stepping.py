"""Stepping through the vertex half of draws of whole captures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.stepping import StepVertex
from inspector.query.steps import Run, Step, values

COLUMNS = ("screen.x", "screen.y", "screen.z")


def last_value(run: Run, name: str) -> tuple[float, ...]:
    return run.registers(len(run.steps))[name]


def check_against_the_draw(capture: inspector.Capture, event: int) -> Run:
    """The steps end where the draw has the vertex, for the draw's first and last vertex."""
    rows = capture.vertices(event, "transformed").rows
    for vertex in (0, len(rows) - 1):
        run = capture.ask(StepVertex(event, vertex))
        assert last_value(run, "screen") == tuple(float(rows[name][vertex]) for name in COLUMNS)
        assert last_value(run, "clip" if not run.listing else "oPos") == tuple(
            float(rows[f"clip.{c}"][vertex]) for c in "xyzw"
        )
        assert last_value(run, "diffuse") == tuple(float(rows[f"diffuse.{c}"][vertex]) for c in "rgba")
    return run


def test_lit_vertices_of_the_built_in_capture(room: inspector.Capture) -> None:
    run = check_against_the_draw(room, int(room.draws[3]))
    stages = [step.stage for step in run.steps]
    order = {stage: number for number, stage in enumerate(dict.fromkeys(stages))}
    assert stages == sorted(stages, key=order.__getitem__), "a stage is one run of steps"
    lights = [step.title for step in run.steps if "what it adds" in step.title]
    assert lights == ["light 0: what it adds", "light 1: what it adds"]


def test_every_draw_of_a_frame_can_be_stepped(room: inspector.Capture) -> None:
    frame = room.frames[1]
    for event in room.draws[(room.draws >= frame.first_event) & (room.draws <= frame.last_event)].tolist():
        check_against_the_draw(room, event)


def test_vertex_shaders_are_stepped_by_instruction(captures: Path) -> None:
    with inspector.open(captures / "apps" / "irr10_shaders.trace") as capture:
        event = next(e for e in capture.draws.tolist() if capture.state(e)["VERTEXSHADER"].raw[0] & 1)
        run = check_against_the_draw(capture, event)
        instructions = [step for step in run.steps if step.line >= 0]
        assert [run.listing[step.line] for step in instructions] == [step.title for step in instructions]
        multiply = next(step for step in instructions if step.title.startswith(("mul ", "m4x4 ", "dp4 ", "dp3 ")))
        assert len(multiply.reads) == 2 and len(multiply.writes) == 1


def test_what_cannot_be_stepped_is_said(room: inspector.Capture) -> None:
    draw = int(room.draws[0])
    with pytest.raises(BadInput, match="draws no vertices"):
        room.ask(StepVertex(0, 0))
    with pytest.raises(BadInput, match="there is no vertex 1000000"):
        room.ask(StepVertex(draw, 1_000_000))


def test_registers_go_forward_and_back() -> None:
    run = Run("", (Step("vshader", "mov r0, v0", writes=values([("r0", [1, 2])])),
                   Step("vshader", "mov r1, v0", writes=values([("r1", np.array([1.0]))])),
                   Step("vshader", "mov r0, r0", writes=values([("r0", [1, 2])]))))  # fmt: skip
    assert run.registers(0) == {}
    assert run.registers(2) == {"r0": (1.0, 2.0), "r1": (1.0,)}
    assert [run.changed(n) for n in range(3)] == [{"r0"}, {"r1"}, set()]
