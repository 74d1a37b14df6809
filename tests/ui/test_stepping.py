"""The steps panel on the built-in capture: walking through a vertex."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inspector.query.pixels.history import PixelHistory
from inspector.query.pixels.writers import Writers
from inspector.query.steps.levers import edit_of
from inspector.query.steps.run import Run, Step, values
from tests.ui.conftest import settle
from tests.ui.test_real_capture import real  # noqa: F401
from ui.models.steps import registers_at
from ui.panels.step_edits import ShaderDialog
from ui.panels.step_marks import StepMarks
from ui.window import Window
from ui.words import figure


def test_a_vertex_is_walked_through(qtbot: Any, real: Window) -> None:  # noqa: F811
    capture, panel = real.desk.capture, real.docks.panels["stepping"]
    event = int(capture.draws[3])
    real.desk.focus.go(event=event, vertex=1)
    real.docks.bring("stepping")
    settle(qtbot, real, 20_000)
    shown: Any = panel
    titles = [row.step.title for row in shown.steps.rows]
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
    real.desk.focus.go(pixel=None)
    panel.choose(True)
    assert panel.table.placeholder.startswith("Pick a pixel")
    real.desk.focus.go(event=int(real.desk.capture.draws[5]), pixel=(400, 280))
    assert panel.table.placeholder == "Reading the steps…"
    settle(qtbot, real, 20_000)
    assert not panel.table.placeholder
    assert panel.kinds[1].isChecked() and not panel.vertex.isVisible()
    assert [row.step.title for row in panel.steps.rows][-1] == "written"
    real.desk.focus.go(pixel=(2, 2))  # which this draw does not touch
    settle(qtbot, real, 20_000)
    earlier = Writers("back_buffer", 2, 2, first=real.desk.capture.frames[0].first_event, last=real.desk.focus.focus.event)
    writer = int(real.desk.capture.ask(earlier)["event"][-1])
    assert panel.steps.rows and panel.note.text().startswith(f"before, by #{writer}: pixel 2, 2, primitive ")
    real.desk.focus.go(primitive=0)
    settle(qtbot, real, 20_000)
    assert not panel.steps.rows and "at pixel 2, 2" in panel.table.placeholder
    real.desk.focus.go(vertex=2)
    settle(qtbot, real, 20_000)
    assert panel.kinds[0].isChecked() and panel.steps.rows[0].step.title == "vertex elements"
    real.surface.view.picked.emit(2, 2)
    settle(qtbot, real, 20_000)
    assert panel.kinds[1].isChecked() and real.desk.focus.focus.vertex is None, "the same pixel, picked again"


def test_where_nothing_is_drawn_the_last_fragment_of_the_frame_is_stepped(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["stepping"]
    capture = real.desk.capture
    frame = capture.frames[1]
    history = capture.ask(PixelHistory("back_buffer", 400, 280, first=frame.first_event, last=frame.last_event))
    real.docks.bring("stepping")
    real.desk.focus.go(event=frame.last_event, pixel=(400, 280))
    settle(qtbot, real, 20_000)
    writer = history.last_writer
    assert panel.note.text() == f"before, by #{writer.event}: pixel 400, 280, primitive {writer.primitive}: written"
    assert panel.formula.isVisible()
    for room in (500, 300):  # the divider moves by itself when there are registers
        panel.halves.setSizes([room, panel.halves.width() - room])
        assert abs(panel.table.width() - room) < 20 and panel.table.isColumnHidden(2) == (room < 440)
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


# ---- as in a debugger


def walked(qtbot: Any, real: Window, draw: int, pixel: tuple[int, int]) -> Any:  # noqa: F811
    """The panel with a pixel of a draw, in front."""
    real.docks.bring("stepping")
    real.desk.focus.go(event=int(real.desk.capture.draws[draw]), pixel=pixel)
    settle(qtbot, real, 20_000)
    panel: Any = real.docks.panels["stepping"]
    assert panel.run is not None
    return panel


def test_keys_walk_to_breakpoints_and_back(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel, act = walked(qtbot, real, 4, (410, 362)), real.actions_by_name
    titles = [step.title for step in panel.run.steps]
    multiply = titles.index("mul r0, t0, v0")
    panel.toggle_breakpoint(multiply)
    assert [row.number for row in panel.steps.rows if row.stops] == [multiply]
    assert panel.steps.index(multiply, 0).data().startswith("●")
    for name, at in (("run", multiply), ("over", multiply + 1), ("over-back", multiply), ("run", len(titles) - 1),
                     ("run-back", multiply), ("into-back", multiply - 1), ("into", multiply), ("run-back", 0)):  # fmt: skip
        act[f"step-{name}"].trigger()
        assert panel.at == at == panel.table.currentIndex().row(), name
    act["step-breakpoint"].trigger()
    assert [row.number for row in panel.steps.rows if row.stops] == [0, multiply]


def test_breakpoints_and_watches_are_kept_for_each_program(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = walked(qtbot, real, 4, (410, 362))
    number = next(n for n, step in enumerate(panel.run.steps) if step.title == "mul r0, t0, v0")
    gutter = panel.steps.index(number, 0)
    panel.table.scrollTo(gutter)
    before = panel.at, panel.table.currentIndex().row(), panel.table.verticalScrollBar().value()
    assert panel.at != number
    qtbot.mousePress(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=panel.table.visualRect(gutter).center())
    assert (panel.at, panel.table.currentIndex().row(), panel.table.verticalScrollBar().value()) == before, "nothing moves"
    panel.toggle_watch("r0")
    assert (panel.registers.rows[0].role, panel.registers.rows[0].name) == ("watch", "r0")
    assert panel.registers.rows[0].value == ()
    real.actions_by_name["step-run"].trigger()
    assert panel.registers.rows[0].value == panel.run.steps[number].writes[0].value
    panel = walked(qtbot, real, 5, (400, 280))
    assert not any(row.stops for row in panel.steps.rows) and panel.registers.rows[0].role != "watch"
    again = StepMarks(panel.kept, panel.keep)
    panel = walked(qtbot, real, 4, (411, 362))
    assert again.breakpoints(panel.program) == {"line 1"} and again.watched(panel.program) == ("r0",)
    assert [row.number for row in panel.steps.rows if row.stops] == [number]
    texts = [action.text() for action in panel.step_menu(panel.steps.index(number, 0)).actions() if action.text()]
    assert texts[:2] == ["Remove breakpoint", "Remove all breakpoints of this program"] and texts[-1] == "Edit the shader…"
    panel.step_menu(panel.steps.index(number, 0)).actions()[1].trigger()
    assert not again.breakpoints(panel.program)


def test_a_register_leads_to_the_steps_that_write_it(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = walked(qtbot, real, 4, (410, 362))
    last = len(panel.run.steps) - 1
    panel.go("step", step=last)
    row = next(n for n, one in enumerate(panel.registers.rows) if one.name == "r0")
    menu = panel.register_menu(panel.registers.index(row, 0))
    back = next(action for action in menu.actions() if "back" in action.text())
    back.trigger()
    assert any(value.name == "r0" for value in panel.run.steps[panel.at].writes)
    assert not any(value.name == "r0" for step in panel.run.steps[panel.at + 1 : last] for value in step.writes)


def test_a_stage_is_changed_in_place(qtbot: Any, real: Window) -> None:  # noqa: F811
    """The image in What if differs, and the steps are those of the edited draw."""
    panel = walked(qtbot, real, 5, (400, 280))
    assert not panel.edited.isVisible()
    number = next(n for n, step in enumerate(panel.run.steps) if step.title.startswith("stage 1"))
    menu = panel.step_menu(panel.steps.index(number, 0))
    change = next(action.menu() for action in menu.actions() if action.text() == "Change for this draw")
    lever = next(action.menu() for action in change.actions() if action.text().startswith("COLOROP[1]"))
    checked = [action.text() for action in lever.actions() if action.isChecked()]
    assert checked == ["MODULATE2X"]
    next(action for action in lever.actions() if action.text() == "SELECTARG1").trigger()
    settle(qtbot, real, 20_000)
    event = int(real.desk.capture.draws[5])
    assert [str(edit) for edit in real.desk.edits] == [f"force COLOROP[1]=SELECTARG1 @ {event}"]
    assert real.docks.panels["what-if"].raised and "differ" in real.what_if.note.text()
    assert panel.edited.isChecked() and panel.run.steps[number].title.startswith("stage 1: SELECTARG1")
    panel.want((edit_of(panel.levers[number][names_of(panel, number).index("COLOROP[1]")], "ADD", event),))
    settle(qtbot, real, 20_000)
    assert [str(edit) for edit in real.desk.edits] == [f"force COLOROP[1]=ADD @ {event}"], "in place of the one before"
    panel.edited.setChecked(False)
    settle(qtbot, real, 20_000)
    assert panel.run.steps[number].title.startswith("stage 1: MODULATE2X")
    real.what_if.list.setCurrentRow(0)
    real.what_if.remove()
    settle(qtbot, real, 20_000)
    assert panel.edited.isHidden()


def names_of(panel: Any, number: int) -> list[str]:
    return [lever.name for lever in panel.levers[number]]


def test_a_shader_is_edited_in_place(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = walked(qtbot, real, 4, (410, 362))
    panel.edit_shader()
    settle(qtbot, real, 20_000)
    dialog: Any = next(child for child in real.findChildren(ShaderDialog))
    assert "mul r0, t0, v0" in dialog.edit.toPlainText()
    dialog.edit.setPlainText("ps_1_1\ntexx t0")
    dialog.apply.click()
    assert "line 2" in dialog.complaint.text() and not real.desk.edits
    dialog.edit.setPlainText("ps_1_1\ntex t0\nmov r0, t0")
    dialog.apply.click()
    settle(qtbot, real, 20_000)
    assert list(panel.run.listing) == ["tex t0", "mov r0, t0"] and len(real.desk.edits) == 1
    assert dialog.focusWidget() is dialog.edit, "to go on typing"
    dialog.edit.setPlainText("ps_1_1\ntex t0\nmov r0, t7")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, real, 20_000)
    assert "line 3: ps_1_1 has no register t7" in dialog.complaint.text() and len(real.desk.edits) == 1
    dialog.reject()


# ---- quad and primitive


def test_the_quad_and_the_primitive_stand_beside_the_steps(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = walked(qtbot, real, 5, (400, 280))
    panel.pages.tabs[1].click()
    settle(qtbot, real, 20_000)
    assert panel.pages.currentWidget() is panel.pages.quad and panel.formula.text() == "pixels 400..401, 280..281"
    panel.pages.tabs[0].click()
    assert panel.formula.text() == panel.run.steps[panel.at].note
    panel.pages.tabs[1].click()
    settle(qtbot, real, 20_000)
    (left, right, _, below), rows = panel.pages.quad.row_of("interpolated").values, panel.pages.quad.quad
    panel.pages.quad.fit_numbers(0, 10_000)  # as when it is painted
    assert not any(panel.pages.quad.is_cut(rows.index(row, 3)) for row in range(rows.rowCount())), "growth is read whole"
    shown = [[rows.index(row, column).data() for column in (1, 2)] for row in (0, 1)]
    assert shown[0] == ["  ".join(map(figure, one)) for one in (left, right)] and shown[1][0] == "  ".join(map(figure, below))
    assert panel.pages.quad.row_of("interpolated").name == "diffuse"
    row = next(n for n, one in enumerate(panel.registers.rows) if one.name == "t0")
    show = panel.register_menu(panel.registers.index(row, 0)).actions()[-2]
    assert show.text() == "Show t0 over the primitive"
    show.trigger()
    settle(qtbot, real, 20_000)
    assert panel.pages.currentWidget() is panel.pages.spread and panel.pages.spread.name == "t0"
    assert panel.formula.text() == panel.run.steps[0].note, "no longer of the quad"
    assert panel.pages.spread.reading.text().startswith(f"{int(panel.pages.spread.spread.covered.sum()):,} pixels, from")
    panel.pages.spread.view.picked.emit(3, 2)
    assert real.desk.focus.focus.pixel == (panel.pages.spread.spread.left + 3, panel.pages.spread.spread.top + 2)
    settle(qtbot, real, 20_000)
    number = next(n for n, step in enumerate(panel.run.steps) if step.stage == "combine")
    panel.go("step", step=number)
    settle(qtbot, real, 20_000)
    assert panel.pages.spread.name == "current", "what the step leaves"
    panel.go("step", step=len(panel.run.steps) - 2)
    settle(qtbot, real, 20_000)
    assert panel.pages.spread.spread is None and "cannot be drawn" in panel.pages.spread.view.message
    panel.choose(False)
    settle(qtbot, real, 20_000)
    assert panel.pages.currentWidget() is panel.values


def test_a_value_is_followed_to_its_token_and_back(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel: Any = real.docks.panels["stepping"]
    capture, focus = real.desk.capture, real.desk.focus
    assert capture is not None
    real.docks.bring("stepping")
    focus.go(event=int(capture.draws[5]), pixel=(400, 280), primitive=None, step=None)
    settle(qtbot, real, 20_000)

    def listed() -> tuple[str, list[str]]:
        settle(qtbot, real, 20_000)
        return panel.formula.text(), [row.name for row in panel.pages.origins.origins.rows]

    def follow(name: str) -> None:
        rows = panel.pages.origins.origins.rows
        panel.pages.origins.followed.emit(next(row for row in rows if row.name.startswith(name)))
        settle(qtbot, real, 20_000)

    panel.show_origins("diffuse")
    shown = [listed()]
    for name in ("diffuse of vertex", "light 1 diffuse", "light 1 strength"):
        follow(name)
        shown.append(listed())
    assert [words for words, _ in shown] == [
        f"Where {name} comes from:" for name in ("diffuse", "diffuse", "light 1 diffuse", "light 1 strength")
    ]
    follow("LIGHT[1].Range")
    assert capture.name(focus.focus.event) == "SETLIGHT"
    for expected in shown[::-1]:
        places = [focus.focus]
        while listed() != expected and focus.can_go_back:
            focus.back()
            settle(qtbot, real, 20_000)
            places.append(focus.focus)
        assert listed() == expected and len(places) <= 3, "a click or two for each"


def test_shift_f10_goes_back_in_steps_and_belongs_to_menus_in_other_lists(qtbot: Any, real: Window) -> None:  # noqa: F811
    panel = walked(qtbot, real, 4, (410, 362))
    panel.go("step", step=4)
    real.activateWindow()
    for table, at in ((panel.table, 3), (real.events.table, 3), (panel.values, 2)):
        table.setFocus()
        qtbot.waitUntil(table.hasFocus)
        qtbot.keyClick(table, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        settle(qtbot, real, 20_000)
        assert panel.at == at, table.accessibleName()
        popup = QApplication.activePopupWidget()
        assert (popup is not None) == (table is real.events.table)
        if popup is not None:
            popup.close()
