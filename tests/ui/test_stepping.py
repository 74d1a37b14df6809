"""The steps panel on the built-in capture: walking through a vertex."""

from __future__ import annotations

from typing import Any

import numpy as np

from inspector.query.pixels.history import PixelHistory
from inspector.query.steps.run import Run, Step, values
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.panels.stepping import registers_at
from ui.window import Window


def test_a_vertex_is_walked_through(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, panel = real.desk.capture, real.docks.panels["stepping"]
    event = int(capture.draws[3])
    real.desk.focus.go(event=event, vertex=1)
    real.docks.bring("stepping")
    settle(qtbot, real, 20_000)
    shown: Any = panel
    titles = [step.title for _, step, _ in shown.steps.rows]
    assert titles[0] == "vertex elements" and titles[-1] == "passed to the rasteriser"
    shown.step(+1)
    assert real.desk.focus.focus.step == 1
    assert shown.table.currentIndex().row() == 1
    assert [row.name for row in shown.registers.rows if row.role == "out"] == ["eye position"]
    shown.step(-5)
    assert real.desk.focus.focus.step == 0
    column = capture.vertices(event, "assembled").rows["position.x"]
    position = next(row for row in shown.registers.rows if row.name == "position")
    assert position.value[0] == float(np.float32(column[1]))
    shown.vertex.setValue(3)
    settle(qtbot, real, 20_000)
    assert real.desk.focus.focus.vertex == 3
    position = next(row for row in shown.registers.rows if row.name == "position")
    assert position.value[0] == float(np.float32(column[3]))


def test_the_panel_follows_what_was_pointed_at(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["stepping"]
    real.docks.bring("stepping")
    real.desk.focus.go(event=int(real.desk.capture.draws[5]), pixel=(400, 280))
    settle(qtbot, real, 20_000)
    assert panel.kinds[1].isChecked() and not panel.vertex.isVisible()
    assert [step.title for _, step, _ in panel.steps.rows][-1] == "written"
    real.desk.focus.go(pixel=(2, 2))
    settle(qtbot, real, 20_000)
    assert not panel.steps.rows and "no fragment at pixel 2, 2" in panel.table.placeholder
    real.desk.focus.go(vertex=2)
    settle(qtbot, real, 20_000)
    assert panel.kinds[0].isChecked() and panel.steps.rows[0][1].title == "vertex elements"


def test_where_nothing_is_drawn_the_last_fragment_of_the_frame_is_stepped(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["stepping"]
    capture = real.desk.capture
    frame = capture.frames[1]
    history = capture.ask(PixelHistory("back_buffer", 400, 280, first=frame.first_event, last=frame.last_event))
    real.docks.bring("stepping")
    real.desk.focus.go(event=frame.last_event, pixel=(400, 280))
    settle(qtbot, real, 20_000)
    writer = history.last_writer
    assert panel.note.text() == f"pixel 400, 280, primitive {writer.primitive} of event {writer.event}: written"
    assert panel.formula.isVisible() and panel.table.isColumnHidden(2) == (panel.table.width() < 440)
    real.desk.focus.go(event=frame.first_event)
    settle(qtbot, real, 20_000)
    assert "no draw in this frame covers pixel 400, 280" in panel.table.placeholder.lower()


def test_what_draws_nothing_has_no_steps(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["stepping"]
    real.desk.focus.go(event=0)
    real.docks.bring("stepping")
    settle(qtbot, real)
    assert panel.steps.rowCount() == 0 and "draws no vertices" in panel.table.placeholder


def test_registers_name_what_went_in_and_out_before_the_rest() -> None:
    run = Run("", (Step("vshader", "a", writes=values([("r0", [1]), ("r1", [2])])),
                   Step("vshader", "b", reads=values([("r0", [1])]), writes=values([("r1", [3])]))))  # fmt: skip
    assert [(row.role, row.name, row.value) for row in registers_at(run, 1)] == [
        ("in", "r0", (1.0,)), ("out", "r1", (3.0,)),
    ]  # fmt: skip
