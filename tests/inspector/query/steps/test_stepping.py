"""Stepping through vertices and pixels of whole captures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import inspector
from core.errors import BadInput
from inspector.query.pixels.fates import FATE_TITLES
from inspector.query.pixels.history import Entry, PixelHistory
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run, Step, values
from inspector.query.steps.vertex import StepVertex

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
        )  # fmt: skip
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
    with pytest.raises(BadInput, match="vertex 1000000 is out of range"):
        room.ask(StepVertex(draw, 1_000_000))


def test_registers_go_forward_and_back() -> None:
    run = Run("", (Step("vshader", "mov r0, v0", writes=values([("r0", [1, 2])])),
                   Step("vshader", "mov r1, v0", writes=values([("r1", np.array([1.0]))])),
                   Step("vshader", "mov r0, r0", writes=values([("r0", [1, 2])]))))  # fmt: skip
    assert run.registers(0) == {}
    assert run.registers(2) == {"r0": (1.0, 2.0), "r1": (1.0,)}
    assert [run.changed(n) for n in range(3)] == [{"r0"}, {"r1"}, set()]


# ---- pixels ----------------------------------------------------------------------------------------


def fragments(capture: inspector.Capture, frame: int, places: list[tuple[int, int]]) -> list[Entry]:
    first, last = capture.frames[frame].first_event, capture.frames[frame].last_event
    found = [capture.ask(PixelHistory("render_target", x, y, first=first, last=last, misses=False)) for x, y in places]
    return [entry for one in found for entry in one.fragments]


def test_pixels_end_where_their_history_says(room: inspector.Capture) -> None:
    entries = fragments(room, 1, [(x, y) for x in range(100, 500, 100) for y in range(180, 400, 50)])
    assert {entry.fate for entry in entries} >= {"written", "depth_test", "color_write"}
    entries = [*entries[:: max(len(entries) // 20, 1)], next(one for one in entries if one.fate == "depth_test")]
    for entry in entries:
        run = room.ask(StepPixel(entry.event, entry.x, entry.y, entry.primitive))
        assert run.title.endswith(f": {FATE_TITLES[entry.fate]}")
        tests = {step.title for step in run.steps if step.stage == entry.fate}
        assert tests == ({f"{entry.fate.replace('_', ' ')}: failed"} if entry.fate.endswith("_test") else set())
        last = run.steps[-1]
        assert last.stage == "output"
        if entry.fate != "written":
            assert (last.title, last.note) == ("no colour is written", entry.reason)
        elif entry.shaded is not None:
            assert last_value(run, "color")[:3] == pytest.approx(entry.shaded[:3], abs=1e-6)
            written = [step.note for step in run.steps if step.stage == "output"]
            assert written == [f"the target now holds 0x{entry.after.raw:08x}"]


def test_a_cascade_is_a_program(room: inspector.Capture) -> None:
    """Two stages: each argument is what the step before left, and MODULATE2X is what it says."""
    entry = next(e for e in fragments(room, 0, [(400, 280)]) if e.fate == "written" and e.event == int(room.draws[5]))
    run = room.ask(StepPixel(entry.event, 400, 280))
    first, second = (step for step in run.steps if step.stage == "combine" and step.title.startswith("stage "))
    lookups = [step for step in run.steps if step.stage == "sample"]
    assert len(lookups) == 2
    for step in lookups:
        weights = [(float(v.name.split(" ")[0]), np.array(v.value)) for v in step.reads if " x texel " in v.name]
        total = sum(weight * texel for weight, texel in weights)
        np.testing.assert_allclose(total, step.writes[0].value, atol=2e-3)
    given = {value.name: np.array(value.value) for value in second.reads}
    np.testing.assert_array_equal(given["color_arg2 (CURRENT)"], first.writes[0].value)
    expected = np.clip(2 * given["color_arg1 (TEXTURE)"] * given["color_arg2 (CURRENT)"], 0, 1)
    np.testing.assert_allclose(np.array(second.writes[0].value)[:3], expected[:3], atol=1e-5)


def test_pixel_shaders_are_stepped_by_instruction(room: inspector.Capture) -> None:
    event = int(room.draws[4])
    assert room.state(event)["PIXELSHADER"].raw[0]
    run = room.ask(StepPixel(event, 410, 362))
    steps = {step.title: step for step in run.steps if step.line >= 0}
    assert list(run.listing) == ["tex t0", "mul r0, t0, v0", "mad r0.rgb, v1, c0, r0"] == list(steps)
    multiply = steps["mul r0, t0, v0"]
    (t0, v0), (r0,) = multiply.reads, multiply.writes
    np.testing.assert_allclose(r0.value, np.array(t0.value) * v0.value, rtol=1e-6)
    assert [value.name for value in steps["mad r0.rgb, v1, c0, r0"].reads] == ["v1", "c0", "r0"]


def test_a_pixel_that_the_draw_does_not_touch(room: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="makes no fragment at pixel 2, 2"):
        room.ask(StepPixel(int(room.draws[4]), 2, 2))


def test_a_primitive_without_a_fragment_there_names_those_that_have_one(room: inspector.Capture) -> None:
    event = int(room.draws[4])
    made = {one.primitive for one in room.ask(PixelHistory("back_buffer", 410, 362, first=event, last=event)).fragments}
    other = next(number for number in range(room.primitives(event)) if number not in made)
    named = ", ".join(map(str, sorted(made)))
    with pytest.raises(BadInput, match=f"no fragment of primitive {other} at pixel 410, 362: its .* of primitive {named}$"):
        room.ask(StepPixel(event, 410, 362, other))
