"""Walking through runs: breakpoints, stages, watched registers, and what decides a step."""

from __future__ import annotations

import dataclasses

import pytest

import inspector
from core.errors import BadInput, ShaderError
from inspector.query.steps import walking
from inspector.query.steps.levers import Levers, edit_of, shader_edit
from inspector.query.steps.pixel import StepPixel
from inspector.query.steps.run import Run, Step, values
from inspector.query.steps.vertex import StepVertex
from inspector.query.what_if.edits import Shader
from inspector.query.what_if.what_if import WhatIf

PROGRAM = Run(
    "", (
        Step("setup", "interpolated", (), values([("v0", [1])])),
        Step("pshader", "mov r0, v0", (), values([("r0", [1])]), line=0),
        Step("pshader", "mul r1, r0, r0", values([("r0", [1])]), values([("r1", [1])]), line=1),
        Step("pshader", "mov r0, r1", (), values([("r0", [1])]), line=2),
        Step("pshader", "add r0, r0, r1", (), values([("r0", [2])]), line=3),
        Step("alpha_test", "alpha test: passed"),
        Step("output", "written"),
    ), ("mov r0, v0", "mul r1, r0, r0", "mov r0, r1", "add r0, r0, r1"),
)  # fmt: skip


def test_running_stops_at_breakpoints_both_ways_and_at_the_ends() -> None:
    marks = {"line 1", "alpha_test: alpha test", "line 77"}
    assert walking.marked(PROGRAM, marks) == [2, 5]
    assert [walking.stop(PROGRAM, at, marks) for at in range(7)] == [2, 2, 5, 5, 5, 6, 6]
    assert [walking.stop(PROGRAM, at, marks, -1) for at in range(7)] == [0, 0, 0, 2, 2, 2, 5]
    assert walking.stop(PROGRAM, 0, ()) == 6 and walking.stop(PROGRAM, 6, (), -1) == 0


def test_a_breakpoint_stays_however_the_test_ends() -> None:
    failed = Step("alpha_test", "alpha test: failed")
    assert walking.mark_of(failed) == walking.mark_of(PROGRAM.steps[5])
    assert walking.mark_of(Step("light", "light 0: what it adds")) != walking.mark_of(Step("light", "light 0: where it stands"))


def test_instructions_and_stages_are_stepped_over_one_by_one() -> None:
    light = [Step("light", f"light {n}") for n in range(3)]
    run = Run("", (Step("fetch", "elements"), *light, Step("fog", "fog")))
    assert [walking.over(run, at) for at in range(5)] == [1, 4, 4, 4, 4]
    assert [walking.over(run, at, -1) for at in range(5)] == [0, 0, 1, 1, 1]
    assert [walking.into(run, at) for at in range(5)] == [1, 2, 3, 4, 4]
    assert [walking.into(run, at, -1) for at in range(5)] == [0, 0, 1, 2, 3]
    assert [walking.over(PROGRAM, at) for at in range(1, 4)] == [2, 3, 4]


def test_a_run_without_steps_stays_where_it_is() -> None:
    empty = Run("", ())
    assert walking.stop(empty, 0, {"line 1"}) == walking.over(empty, 0) == walking.into(empty, 0, -1) == 0
    assert walking.program_of(empty) == walking.TEXTURE_STAGES


def test_a_watched_register_changes_when_its_value_does() -> None:
    assert walking.changes(PROGRAM, "r0") == [(1, (1.0,)), (4, (2.0,))]
    assert walking.write_of(PROGRAM, "r0", 1) == 3 and walking.write_of(PROGRAM, "r0", 4) is None
    assert walking.write_of(PROGRAM, "r0", 4, -1) == 3 and walking.write_of(PROGRAM, "r1", 2, -1) is None
    assert [walking.value_at(PROGRAM, "r0", at) for at in (0, 1, 3, 4, 6)] == [None, (1.0,), (1.0,), (2.0,), (2.0,)]


def test_programs_are_told_apart(room: inspector.Capture) -> None:
    fixed, shaded = int(room.draws[5]), int(room.draws[4])
    runs = [room.ask(StepPixel(fixed, 400, 280)), room.ask(StepVertex(fixed, 0)),
            room.ask(StepPixel(shaded, 410, 362)), room.ask(StepVertex(shaded, 0))]  # fmt: skip
    assert [walking.program_of(run) for run in runs[:2]] == [walking.TEXTURE_STAGES, walking.FIXED_VERTICES]
    assert len({walking.program_of(run) for run in runs}) == 4
    assert walking.program_of(room.ask(StepVertex(shaded, 7))) == walking.program_of(runs[3]), "the same shader"


def test_levers_decide_what_a_step_does(room: inspector.Capture) -> None:
    """Each change of COLOROP shows in the step, and in no other draw."""
    event = int(room.draws[5])
    run = room.ask(StepPixel(event, 400, 280))
    rows = room.ask(Levers(run))
    assert len(rows) == len(run.steps)
    number = next(n for n, step in enumerate(run.steps) if step.title.startswith("stage 1"))
    names = [lever.name for lever in rows[number]]
    assert "COLOROP[1]" in names and "COLOROP[0]" not in names
    operation = next(lever for lever in rows[number] if lever.name == "COLOROP[1]")
    assert operation.value == "MODULATE2X" and "SELECTARG1" in operation.choices
    view = room.ask(WhatIf((edit_of(operation, "SELECTARG1", event),)))
    step = view.ask(StepPixel(event, 400, 280)).steps[number]
    assert step.title.startswith("stage 1: SELECTARG1")
    read = {value.name: value.value for value in step.reads}
    assert step.writes[0].value[:3] == read["color_arg1 (TEXTURE)"][:3]
    others = [int(draw) for draw in room.draws if draw != event]
    assert all(view.state(draw)["TEXTURESTAGE", 1, "COLOROP"].text == room.state(draw)["TEXTURESTAGE", 1, "COLOROP"].text
               for draw in others[:10])  # fmt: skip


def test_every_choice_of_a_lever_can_be_forced(room: inspector.Capture) -> None:
    event = int(room.draws[5])
    runs = (room.ask(StepPixel(event, 400, 280)), room.ask(StepVertex(event, 0)))
    levers = {lever.name: lever for run in runs for row in room.ask(Levers(run)) for lever in row}
    assert {"SRCBLEND", "ALPHATESTENABLE", "FOGCOLOR", "LIGHT[1].Range", "MINFILTER[0]"} <= set(levers)
    for lever in levers.values():
        value = next((choice for choice in lever.choices if choice != lever.value), lever.value)
        view = room.ask(WhatIf((edit_of(lever, value, event),)))
        assert view.state(event)[lever.key].text == value, lever.name


def test_another_shader_is_stepped_and_a_wrong_one_is_refused(room: inspector.Capture) -> None:
    event = int(room.draws[4])
    handle = room.state(event)["PIXELSHADER"].raw[0]
    view = room.ask(WhatIf((shader_edit(handle, "ps_1_1\ntex t0\nmov r0, t0"),)))
    assert list(view.ask(StepPixel(event, 410, 362)).listing) == ["tex t0", "mov r0, t0"]
    with pytest.raises(ShaderError, match="line 2"):
        shader_edit(handle, "ps_1_1\nmovv r0, t0")
    for text, why in (("ps_1_1\n; last\nmov r0, t7", "line 3: ps_1_1 has no register t7"),
                      ("ps_1_1\ntex t0\nadd r0, r1, t0", "line 3: r1 is read before"),
                      ("ps_1_1\ntex t0\nmov r1, t0", "line 3: r0 is not written")):  # fmt: skip
        with pytest.raises(ShaderError, match=why):
            shader_edit(handle, text)
        with pytest.raises(ShaderError, match=why):
            room.ask(WhatIf((Shader(handle, text),)))
    assert shader_edit(handle, "ps_1_1\nadd r0, r1, v0", before="ps_1_1\nmov r0, r1"), "the capture breaks that rule already"


def test_levers_of_no_event_are_refused(room: inspector.Capture) -> None:
    with pytest.raises(BadInput, match="out of range"):
        room.ask(Levers(dataclasses.replace(PROGRAM, event=10**9)))
